# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl record, read back by pcl report and by Debian's perf.

data=$work/record.data
said=$work/record.said
have_perf=$(command -v perf)

record() { "$fast" record -o "$data" "$@" 2>"$said" >"$work/record.stdout"; }
recorded() { sed -n 's/^pcl record: \([0-9]*\) samples*.*/\1/p' "$said"; }
lost() { sed -n 's/^pcl record: .* samples*, \([0-9]*\) lost.*/\1/p' "$said"; }
report() { "$pcl" report -i "$data" "$@" 2>"$work/report.err" >"$work/report"; }
# samples on the lines of a report that match
reported() { awk -v p="$1" '!/^#/ && $1 ~ /%$/ && $2 ~ /^[0-9]+$/ && $0 ~ p { n += $2 } END { print n + 0 }' "$work/report"; }
by_perf() { perf script -i "$data" -F "$1" 2>/dev/null | grep -c .; }
perf_check() {
	if [ -n "$have_perf" ]; then
		"$@"
	else
		skip "$2" "perf is not installed"
	fi
}

record -e cpu-clock "$helpers/spin" 300000000
expect "record: status 0" 0 $?
n=$(recorded)
within "record: samples came" "$n" 100 1000000
report
expect "record: pcl report finds as many" "$n" "$(reported .)"
perf_check expect "record: perf finds as many" "$n" "$(by_perf ip)"
within "record: what the command is before its exec is told" \
	"$("$fast" script -i "$data" --show-mmap-events 2>/dev/null | grep -c '^ *pcl-exec .*PERF_RECORD_MMAP2')" 1 1000
within "record: two thirds or more in the hot function, by pcl report" "$(reported '\] hot$')" $((n * 2 / 3)) "$n"
perf_check within "record: two thirds or more in the hot function, by perf" \
	"$(perf script -i "$data" -F ip,sym 2>/dev/null | grep -c ' hot *$')" $((n * 2 / 3)) "$n"
expect "record: loss is told, also when it is 0" 0 "$(lost)"
perf report -i "$data" --header-only >"$work/header" 2>/dev/null
for field in 'hostname : ' 'os release : ' 'perf version : 6\.1\.pcl' 'arch : ' 'nrcpus online : ' 'cpudesc : ' \
	'total memory : ' 'cmdline : .*pcl.*record' 'event : name = cpu-clock' 'pmu mappings: .*software = 1' \
	'time of first sample'; do
	perf_check contains "record: perf's header has '$field'" "$work/header" "$field"
done
perf_check contains "record: build ids are of the files" <(perf buildid-list -i "$data" 2>/dev/null) \
	"$(file -L "$helpers/spin" 2>/dev/null | sed -n 's/.*sha1]=\([0-9a-f]*\).*/\1/p').*spin"

record -g -e cpu-clock:u "$helpers/spin" 200000000
report
contains "record -g: outer calls hot, main calls outer" <(tr '\n' ' ' <"$work/report" | tr -s ' ') "$hot_chain"
perf_check contains "record -g: perf sees the same chain" \
	<(perf script -i "$data" -F ip,sym 2>/dev/null | awk 'NF { $1 = ""; printf "%s", $0 } !NF { print "" }') \
	'^ hot outer main '

record -e faults -c 10 "$helpers/touch_pages" 2000
within "record -c: one sample each ten events" "$(recorded)" 200 250
record -e faults -c 1 "$helpers/touch_pages" 1000 child
within "record: children are sampled" "$(recorded)" 1000 1200
record -i -e faults -c 1 "$helpers/touch_pages" 1000 child
within "record -i: children are not" "$(recorded)" 1 200
# the kernel lowers the rate it allows when samples take it too long
max_rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
record -F max -e cpu-clock true
contains "record -F max: what the kernel allows" <("$pcl" report -i "$data" --header 2>/dev/null) \
	"cpu-clock.*, Hz ($max_rate|$(cat /proc/sys/kernel/perf_event_max_sample_rate)),"
max_rate=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
if [ "$max_rate" -lt 2000 ]; then
	skip "record -F: a higher rate, more samples" "kernel.perf_event_max_sample_rate is $max_rate"
else
	record -F 20 -e cpu-clock "$helpers/spin" 300000000
	a=$(recorded)
	record -F 2000 -e cpu-clock "$helpers/spin" 300000000
	# not how many more: where the machine has to wait for its turn, the clock rings less often than it was told to
	expect "record -F: a higher rate, more samples" yes "$([ "$(recorded)" -gt "$a" ] && echo yes)"
	contains "record -F: the rate is asked of the kernel" <("$pcl" report -i "$data" --header 2>/dev/null) "cpu-clock.*, Hz 2000,"
fi
record -F $((max_rate + 1)) -e cpu-clock true
expect "record -F: a rate that the kernel does not allow gives 125" 125 $?
contains "record -F: and the limit is told" "$said" "allows [0-9]+ samples a second; sysctl"

record -e cpu-clock,page-faults "$helpers/spin" 200000000
report
expect "record: a section for each event" 2 "$(grep -c "^# event '" "$work/report")"
contains "record: the second is named" "$work/report" "^# event 'page-faults'"
perf_check expect "record: perf sees both events" 2 "$(perf evlist -i "$data" 2>/dev/null | grep -Ec 'cpu-clock|page-faults')"
record -e '{task-clock,page-faults}' "$helpers/spin" 100000000
expect "record: a group is recorded" 0 $?
perf_check contains "record: perf knows the group" <(perf evlist -g -i "$data" 2>/dev/null) '\{.*task-clock,page-faults'

# what recording cost: the bytes that the header of the file tells of, and each record that script shows (that the kernel
# throttles it does not: so it is an event that no busy machine makes more frequent)
record --overhead -c 100 -e faults "$helpers/touch_pages" 40000
bytes=$(od -An -t u8 -j 40 -N 16 "$data" | awk '{ print $1 + $2 }')
records=$("$pcl" script -i "$data" -F event,time --show-task-events --show-mmap-events --show-switch-events --show-lost-events 2>/dev/null | grep -c .)
contains "record --overhead: the tool's CPU time, and its part of the command's" "$said" \
	"^pcl record: overhead: pcl itself took [0-9.]+ s of CPU \([0-9.]+ user, [0-9.]+ sys\), [0-9.]+% of the command's [0-9.]+ s; peak memory [0-9.]+ MB$"
contains "record --overhead: bytes and records of the file, losses, wakeups" "$said" \
	"^pcl record: overhead: $bytes bytes and $records records written, [0-9]+ samples? lost, [0-9]+ threads? woken [1-9][0-9]* times?$"
record -q -e cpu-clock true
expect "record: without --overhead nothing is said of it" "" "$(cat "$said")"

record -e faults sh -c 'exit 3'
expect "record: status 3 is passed on" 3 $?
record -e faults sh -c 'kill -9 $$'
expect "record: a killed command gives 137" 137 $?
record -e faults "$work/nonesuch"
expect "record: no such command gives 127" 127 $?
record -e nonesuch true
expect "record: a bad event gives 125" 125 $?
record -F 1000 -c 1000 true
expect "record: -F and -c clash" 125 $?

rm -f "$data" "$data.old"
record -e faults true
record -e faults true
expect "record: an older file is kept" yes "$([ -s "$data.old" ] && echo yes)"

# Signals: the file is whole whatever ends the recording.
wait_for_data() {
	local i

	for i in $(seq 2400); do
		[ "$(stat -c %s "$data" 2>/dev/null || echo 0)" -gt 20000 ] && return
		sleep 0.05
	done
}
rm -f "$data"
"$helpers/spin" 100000000000 &
victim=$!
"$fast" record -p "$victim" -e cpu-clock:u -o "$data" 2>"$said" &
recorder=$!
wait_for_data
kill -INT "$recorder"
wait "$recorder"
expect "record -p: SIGINT ends it with 130" 130 $?
report
expect "record -p: its file is whole" "$(recorded)" "$(reported .)"
within "record -p: existing mappings are known" "$(reported '\] hot$')" $(($(recorded) * 2 / 3)) "$(recorded)"
# a hundred threads, each told of once
"$helpers/touch_pages" 1 storm "$work/never" "$work/never" &
many=$!
for i in $(seq 2400); do
	[ "$(ls "/proc/$many/task" | wc -l)" = 101 ] && break
	sleep 0.05
done
"$fast" record -q -p "$many" -e task-clock -o "$data" true 2>"$said"
"$fast" script -i "$data" --show-task-events 2>/dev/null |
	awk '/PERF_RECORD_COMM/ { c++ } /PERF_RECORD_FORK/ { f++ } END { print c, f }' >"$work/told"
expect "record -p: each thread is told of once" "101 100" "$(cat "$work/told")"
{ kill "$many"; wait "$many"; } 2>/dev/null
rm -f "$data"
"$fast" record -t "$victim" -e cpu-clock -o "$data" 2>"$said" &
recorder=$!
for ((i = 0; i < 1200; i++)); do
	[ "$("$fast" script -i "$data" -F ip 2>/dev/null | wc -l)" -gt 200 ] && break
	sleep 0.1
done
{ kill -9 "$recorder"; wait "$recorder"; } 2>/dev/null
report
expect "record: a file of a killed pcl is read" 0 $?
within "record: with samples in it" "$(reported '\] hot$')" 50 1000000
perf_check within "record: by perf, too" "$(by_perf ip)" 50 1000000
kill "$victim"
wait "$victim" 2>/dev/null
rm -f "$data"
mkdir "$work/terminated"
ln -s "$helpers/spin" "$work/terminated"	# nobody else's is called so
"$fast" record -e cpu-clock -o "$data" "$work/terminated/spin" 100000000000 2>"$said" &
recorder=$!
wait_for_data
kill -TERM "$recorder"
wait "$recorder"
expect "record: SIGTERM ends the command, too" 143 $?
expect "record: nothing is left running" "" "$(pgrep -f "^$work/terminated/spin")"

# Loss that is sure: the tool is stopped while its smallest ring fills, and nothing comes behind that tells of it.
"$fast" record -m 1 -e faults:u -c 1 -o "$data" sh -c "kill -STOP \$PPID; $helpers/touch_pages 3000" 2>"$said" &
recorder=$!
for i in $(seq 2400); do
	[[ $(ps -o stat= --ppid "$recorder") == Z* ]] && break
	sleep 0.05
done
kill -CONT "$recorder"
wait "$recorder"
within "record: what a full ring lost is counted" "$(lost)" 1000 5000
within "record: kept and lost make the whole" $(($(lost) + $(recorded))) 3000 4500
contains "record: and the way out is told" "$said" "larger -m"
report
contains "record: pcl report tells the loss" "$work/report" "^# samples: $(recorded), lost: $(lost)\$"

# A small ring that is written around many times: each sample is whole, also those that lie across its end.
record -m 8 -e faults:u -c 1 "$helpers/touch_pages" 20000
within "record: a small ring, kept and lost make the whole" $(($(lost) + $(recorded))) 20000 21000
expect "record: a small ring, every sample is of the one thread" 1 \
	"$("$fast" script -i "$data" -F tid 2>/dev/null | sort -u | wc -l)"

# A CPU that idles may have its timer stopped, so each has something to do.
record -a -F 200 -e cpu-clock sh -c "for cpu in $(seq -s ' ' 0 $(($(nproc) - 1))); do
	timeout 0.5 taskset -c \$cpu $helpers/spin 100000000000 &
done; wait"
expect "record -a: works" 0 $?
within "record -a: every CPU was sampled" "$(recorded)" "$(nproc)" 1000000
report -s cpu
expect "record -a: a line for each CPU" "$(nproc)" "$(grep -c '%' "$work/report")"
perf_check expect "record -a: perf finds as many" "$(recorded)" "$(by_perf ip)"

if have_pmu; then
	skip "record: cycles without a PMU" "there is a PMU here"
else
	record -e cycles true
	expect "record: a named event is never replaced" 125 $?
	contains "record: and the reason is told" "$said" "event 'cycles': no hardware PMU"
	record true
	contains "record: the default is replaced, loudly" "$said" "note: no hardware PMU .*cpu-clock"
fi

paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if [ "$(id -u)" != 0 ] || [ "$paranoid" != 2 ] || ! command -v setpriv >/dev/null; then
	skip "record: without rights" "needs root, setpriv and kernel.perf_event_paranoid 2"
else
	cp "$fast" "$work/pcl-user"
	mkdir -m 777 -p "$work/user"
	user() { setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$work/pcl-user" "$@"; }
	user record -e cpu-clock -o "$work/user/data" true 2>"$said"
	expect "record: without rights, user space is recorded" 0 $?
	contains "record: and said so" "$said" "user space only.* cpu-clock:u"
	user record -m 64M -e cpu-clock:u -o "$work/user/data" true 2>"$said"
	expect "record: a ring beyond the limit gives 125" 125 $?
	contains "record: the limit and the way out are told" "$said" "65536 KiB.*perf_event_mlock_kb is .*smaller -m"
fi
