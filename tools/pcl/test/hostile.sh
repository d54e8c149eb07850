# SPDX-License-Identifier: GPL-2.0
# Part of test/run: damaged files are refused or read, and never crash the reader. All with sanitizers.

data=$work/hostile.data
# the kernel may have lowered what it allows
rate=$(awk '{ print $1 < 1000 ? $1 : 1000 }' /proc/sys/kernel/perf_event_max_sample_rate)
"$fast" record -g -F "$rate" -e cpu-clock,faults -o "$data" sh -c "$helpers/spin 600000000; $helpers/touch_pages 20 child" 2>/dev/null
# A sanitizer's last words are the test's.
hostile() {
	"$asan/test/unit_hostile" "$data" "$work/mutant" "${PCL_TEST_ROUNDS:-4000}"
	local status=$?

	[ "$status" = 0 ] || grep -A 20 -E 'runtime error|ERROR: ' "$work/mutant.said" >&2
	return "$status"
}
subtest "hostile: ours" hostile
if command -v perf >/dev/null; then
	perf record -q -a -g -F 200 -e cpu-clock,faults/period=50/ -o "$data" sh -c "$helpers/spin 600000000; $helpers/touch_pages 100" 2>/dev/null >&2
	subtest "hostile: perf's" hostile
else
	skip "hostile: perf's" "perf is not installed"
fi

# The whole command on a few: the exit status says that a file is damaged.
size=$(stat -c %s "$data")
bad=0
for part in 1 16 50 103 104 200 300 $((size / 2)); do
	head -c "$part" "$data" >"$work/cut"
	"$pcl" report -i "$work/cut" >/dev/null 2>"$work/cut.err"
	[ $? = 125 ] && grep -q '^pcl: ' "$work/cut.err" || bad=$part
done
expect "hostile: cut files give 125 and a message" 0 "$bad"

# A recording may name anything: what is no regular file is not opened, or reading would wait for ever.
cp "$helpers/spin" "$work/was-a-file"
"$fast" record -g -e cpu-clock:u -o "$data" "$work/was-a-file" 20000000 2>/dev/null
rm "$work/was-a-file"
mkfifo "$work/was-a-file"
for command in "report --stdio" "script --inline -F +srcline"; do
	timeout 60 "$pcl" $command -i "$data" >/dev/null 2>"$work/cut.err" </dev/null
	expect "hostile: pcl $command does not wait for a pipe that a recording names" 0 $?
done
