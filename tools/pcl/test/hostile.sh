# SPDX-License-Identifier: GPL-2.0
# Part of test/run: damaged files are refused or read, and never crash the reader. All with sanitizers.

data=$work/hostile.data
# the kernel may have lowered what it allows
rate=$(awk '{ print $1 < 1000 ? $1 : 1000 }' /proc/sys/kernel/perf_event_max_sample_rate)
"$fast" record -g -F "$rate" -e cpu-clock,faults -o "$data" sh -c "$helpers/spin 1200000000; $helpers/touch_pages 20 child" 2>/dev/null
# A sanitizer's last words are the test's.
hostile() {
	"$asan/test/unit_hostile" "$data" "$work/mutant" "${PCL_TEST_ROUNDS:-4000}"
	local status=$?

	[ "$status" = 0 ] || grep -A 20 -E 'runtime error|ERROR: ' "$work/mutant.said" >&2
	return "$status"
}
subtest "hostile: ours" hostile
if command -v perf >/dev/null; then
	perf record -q -a -g -F 200 -e cpu-clock,faults/period=50/ -o "$data" sh -c "$helpers/spin 2000000000; $helpers/touch_pages 100" 2>/dev/null >&2
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

# A recording is mapped, as it may be large.
cp "$data" "$work/shrinks"
subtest "hostile: a recording that shrinks" "$asan/test/unit_truncate" -r "$work/shrinks"

# A recording may name anything: what is no regular file is not opened, or reading would wait for ever.
cp "$helpers/spin" "$work/was-a-file"
"$fast" record -g -e cpu-clock:u -o "$data" "$work/was-a-file" 20000000 2>/dev/null
rm "$work/was-a-file"
mkfifo "$work/was-a-file"
for command in "report --stdio" "script --inline -F +srcline"; do
	timeout 600 "$pcl" $command -i "$data" >/dev/null 2>"$work/cut.err" </dev/null
	expect "hostile: pcl $command does not wait for a pipe that a recording names" 0 $?
done

# Numbers of threads that no system gives: they are told apart, and sorted, all the same.
"$fast" record -e cpu-clock:u -o "$data" "$helpers/spin" 1000000000 2>/dev/null
python3 - "$data" "$work/tids" <<'PATCH'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end, samples = at + size, []
while at + 8 <= end:
    kind, misc, length = struct.unpack_from("<IHH", data, at)
    if kind == 9:       # a sample: id, ip, pid, tid
        samples.append(at + 28)
    at += length
for i, place in enumerate(samples):
    # as many of the one as of the other, so that only the number tells which comes first
    struct.pack_into("<i", data, place, 5 if i + 1 == len(samples) else (-2**31, 1)[i % 2])
    if i + 1 == len(samples) and i % 2:
        struct.pack_into("<i", data, samples[i - 1], 5)
open(sys.argv[2], "wb").write(data)
PATCH
"$pcl" report --stdio -s tid -i "$work/tids" >"$work/tids.out" 2>"$work/cut.err"
expect "hostile: threads of odd numbers are reported" 0 $?
expect "hostile: each on a line of its own" "-2147483648 1 5" \
	"$(awk '!/^#/ && NF { print $3 }' "$work/tids.out" | sort -n | tr '\n' ' ' | sed 's/ $//')"
