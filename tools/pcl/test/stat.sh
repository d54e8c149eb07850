# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl stat on software events.

out=$work/stat
get() { "$helpers/json_get" "$1" <"$out"; }
status_of() { "$@" >/dev/null 2>&1; echo $?; }

expect "stat: status 0 is passed on" 0 "$(status_of "$pcl" stat -e faults true)"
expect "stat: status 3 is passed on" 3 "$(status_of "$pcl" stat -e faults sh -c 'exit 3')"
expect "stat: a command killed by SIGKILL gives 137" 137 "$(status_of "$pcl" stat -e faults sh -c 'kill -9 $$')"
expect "stat: a command that is not there gives 127" 127 "$(status_of "$pcl" stat -e faults "$work/nonesuch")"
expect "stat: a command that cannot be run gives 126" 126 "$(status_of "$pcl" stat -e faults /etc/passwd)"
expect "stat: a bad option gives 125" 125 "$(status_of "$pcl" stat --nonesuch true)"
expect "stat: a bad event gives 125, and the command is not run" "125 no" \
	"$(status_of "$pcl" stat -e nonesuch touch "$work/ran") $([ -e "$work/ran" ] && echo yes || echo no)"
expect "stat: no target gives 125" 125 "$(status_of "$pcl" stat -e faults)"
expect "stat: -r without a command gives 125" 125 "$(status_of "$pcl" stat -r 3 -a)"
expect "stat: a failed run of several gives its status" 4 "$(status_of "$pcl" stat -r 3 -e faults sh -c 'exit 4')"

# The truth: the difference of two runs is the pages touched.
# A program lies elsewhere each time it runs unless told not to, and its first run finds less of it in memory.
faults() {
	"$pcl" stat -j -o "$out" -e faults "${@:2}" setarch -R "$helpers/touch_pages" "$1" ${how:-}
	get events.0.value | sed 's/number //'
}
how=
faults 0 >/dev/null
within "stat: 1000 touched pages are 1000 faults more" $(($(faults 1000) - $(faults 0))) 990 1010
how=child
within "stat: faults of a child count" $(($(faults 1000) - $(faults 0))) 990 1010
within "stat: -i leaves the child out" $(($(faults 1000 -i) - $(faults 0 -i))) -10 10
how=

"$pcl" stat -x, -o "$out" -e faults,task-clock true
expect "stat -x: seven fields a line" "7 7" "$(awk -F, '{ printf "%s%s", sep, NF; sep = " " }' "$out")"
expect "stat -x: a line starts with a number" 2 "$(grep -Ec '^[0-9]+(\.[0-9]+)?,(msec)?,[a-z-]+,[0-9]+,100\.00,' "$out")"
"$pcl" stat -x ';' -r 3 -o "$out" -e faults true
expect "stat -x -r: the deviation is the fourth field" 1 "$(grep -Ec '^[0-9]+;;faults;[0-9.]+%;[0-9]+;100.00;' "$out")"

"$pcl" stat -j -o "$out" -e '{faults,minor-faults},cs' -- sh -c 'echo "quote\" \\ tab	"' >/dev/null
expect "stat -j: is JSON, with its schema" "string pcl-stat-1" "$(get schema)"
expect "stat -j: all events are there" "array 3" "$(get events)"
expect "stat -j: numbers are numbers" number "$(get events.0.value | cut -d' ' -f1)"
expect "stat -j: the command is kept to the letter" 'string echo "quote\" \\ tab	"' "$(get command.2)"
expect "stat -j: a group is named by its leader" "string faults" "$(get events.1.group)"
expect "stat -j: what was counted has no reason" null "$(get events.0.reason)"
"$pcl" stat -j -o "$out" -e '{faults,cs}' "$helpers/touch_pages" 1000
within "stat: members of a group have counts of their own" "$(get events.1.value | cut -d' ' -f2)" 0 900
within "stat: read with the leader's" "$(get events.0.value | cut -d' ' -f2)" 1000 3000
"$pcl" stat -j -r 3 -o "$out" -e faults true
expect "stat -j -r: runs" "number 3" "$(get runs)"
expect "stat -j -r: a deviation" number "$(get events.0.spread.stddev | cut -d' ' -f1)"
expect "stat -j -r: each run's value" "array 3" "$(get events.0.spread.values)"

"$pcl" stat -j -o "$out" -M cpus,faults-per-sec true
within "stat -M: a metric is what its events make it" "$(awk -v m="$(get metrics.1.value | cut -d' ' -f2)" \
	-v c="$(get events.1.value | cut -d' ' -f2)" -v f="$(get events.2.value | cut -d' ' -f2)" \
	'BEGIN { print m * c / f / 1000 }')" 0.999 1.001
expect "stat -M: only what was asked for is counted" "array 3" "$(get events)"
"$pcl" stat -M list >"$out"
contains "stat -M list: names and definitions" "$out" "= 100 \* branch-misses / branches"
"$pcl" stat -M icp true 2>"$out"
expect "stat -M: an unknown metric gives 125" 125 $?
contains "stat -M: and a suggestion" "$out" "did you mean 'ipc'"

"$pcl" stat -r 3 -o "$out" -e faults true
contains "stat -r: says what it shows" "$out" "'true', 3 runs"
contains "stat -r: mean, interval, deviation, least, most" "$out" \
	"^ faults +[0-9.]+ \+- *[0-9.]+% +[0-9.]+% +[0-9]+ +[0-9]+"
contains "stat -r: the figures of the kernel, too" "$out" "^ elapsed +[0-9.]+ [mu]?s \+-.*%"

"$fast" stat -j -o "$out" -e faults "$helpers/touch_pages" 10000
within "stat -j: the command's peak memory" "$(get figures.3.value | cut -d' ' -f2)" 40960000 60000000
within "stat -j: the faults that the kernel has counted, too" \
	"$(($(get figures.4.value | cut -d' ' -f2) - $(get events.0.value | cut -d' ' -f2)))" 0 400
"$fast" stat -j -o "$out" -e task-clock sh -c "$helpers/spin 300000000; sleep 0.1"
within "stat -j: user and system time make up the task clock" "$(awk \
	-v a="$(get figures.1.value | cut -d' ' -f2)" -v b="$(get figures.2.value | cut -d' ' -f2)" \
	-v c="$(get events.0.value | cut -d' ' -f2)" 'BEGIN { print (a + b) * 1000 / c }')" 0.5 1.2

until_two="until [ \$(wc -l <$out) -ge 2 ]; do sleep 0.05; done"
"$fast" stat -j -I 50 -o "$out" -e task-clock timeout 600 sh -c "$until_two"
expect "stat -I: its command ends when there are two intervals" 0 $?
lines=$(wc -l <"$out")
within "stat -I: several intervals, and the sum" "$lines" 3 1000
bad=0
while IFS= read -r line; do
	printf '%s\n' "$line" | "$helpers/json_get" events.0.value | grep -q '^number' || bad=1
done <"$out"
expect "stat -I -j: each line is a document with a value" 0 "$bad"
# what is counted twice, or not at all, would show in the sum
steps="$helpers/touch_pages 1000; sleep 0.12; $helpers/touch_pages 1000; sleep 0.12"
"$pcl" stat -I 50 -x, -o "$out" -e faults sh -c "$steps"
sum=$(awk -F, '{ s += $2 } END { print s }' "$out")
"$pcl" stat -j -o "$out" -e faults sh -c "$steps"
within "stat -I: the intervals add up to what is counted in one" \
	$((sum - $(get events.0.value | sed 's/number //'))) -20 20

# it ends when it has been told of twice, however seldom that is
"$pcl" stat -I 50 -x, -o "$out" -e faults timeout 600 sh -c "$until_two"
expect "stat -I: times go up" 1 "$(awk -F, '$1 <= last { bad = 1 } { last = $1 } END { print (NR >= 2 && !bad) }' "$out")"

# A sleep is never shorter than it was asked to be, and all of it lies between two looks at the clock, one in 10 ms.
# A hundredth is for clocks that are not the same one.
slept() {
	local before=$(now_ms)

	"$pcl" stat "$@" -j -o "$out" -e cpu-clock sleep 0.3
	took=$(($(now_ms) - before + 20))
}
slept -C 0
within "stat -C: the clock of one CPU runs as long as we measure" "$(get events.0.value | cut -d' ' -f2)" \
	297 $((took * 101 / 100))
slept -a
within "stat -a: the clocks of all CPUs run" "$(get events.0.value | cut -d' ' -f2)" \
	$((297 * $(nproc))) $((took * $(nproc) * 101 / 100))

mkfifo "$work/hold"
"$helpers/touch_pages" 0 threads <"$work/hold" &
pid=$!
exec 9>"$work/hold"
for i in $(seq 2400); do
	[ "$(ps -L -o stat= -p "$pid" | cut -c1 | tr -d '\n')" = SS ] && break		# both sleep
	sleep 0.05
done
"$pcl" stat -p "$pid" -o "$out" -e task-clock true
contains "stat -p: takes all threads" "$out" "seconds elapsed"
"$pcl" stat -p "$pid" -j -o "$out" -e faults sh -c "true"
expect "stat -p: an idle target is not counted, and the reason is told" "string not counted" "$(get events.0.status)"
"$pcl" stat -t "$pid" -o "$out" -e faults sleep 0.1
contains "stat -t: one thread" "$out" "faults"
rm -f "$out"
"$fast" stat -p "$pid" -o "$out" -e task-clock 9>&- 2>/dev/null &
waiter=$!
wait_for_events "$waiter"
exec 9>&-
wait "$pid"
if timeout 600 tail --pid="$waiter" -f /dev/null; then
	ok "stat -p: ends when the last task does"
else
	not_ok "stat -p: ends when the last task does"
	kill "$waiter"
fi
contains "stat -p without a command: counts threads" "$out" "Performance counters of 2 threads"
expect "stat -p: a process that is not there" 125 "$(status_of "$pcl" stat -p 2147483646 -e faults)"

"$fast" stat -a -e cpu-clock -o "$out" &
waiter=$!
wait_for_events "$waiter"
kill -INT "$waiter"
wait "$waiter"
expect "stat -a without a command: ^C ends it with status 0" 0 $?
contains "stat -a without a command: prints at ^C" "$out" "cpu-clock"

if have_pmu; then
	skip "stat: a named event that cannot be counted" "there is a PMU here"
	skip "stat: the default set without a PMU" "there is a PMU here"
	skip "stat: JSON has null and a reason" "there is a PMU here"
	skip "stat: a sibling of a refused leader" "there is a PMU here"
	skip "stat -M: a metric says what it lacks" "there is a PMU here"
else
	"$pcl" stat -o "$out" -e cycles,faults true
	contains "stat: a named event that cannot be counted says so" "$out" '<not supported> +cycles'
	contains "stat: and why, and the way out" "$out" "cycles: no hardware PMU .*software events"
	"$pcl" stat -o "$out" true
	contains "stat: the default set without a PMU says so" "$out" "NOTE: no hardware PMU"
	"$pcl" stat -o "$out" -M ipc true
	contains "stat -M: a metric says what it lacks" "$out" "ipc: it needs 'instructions': no hardware PMU"
	expect "stat -M topdown: is refused where no PMU has its events" 125 "$(status_of "$pcl" stat -M topdown true)"
	"$pcl" stat -j -o "$out" -e '{cycles,faults}' true
	expect "stat -j: absent values are null" null "$(get events.0.value)"
	expect "stat -j: with a status" "string not supported" "$(get events.0.status)"
	contains "stat -j: and a reason" <(get events.0.reason) "no hardware PMU"
	contains "stat: a sibling of a refused leader tells of it" <(get events.1.reason) "leader of its group, 'cycles'"
fi

"$pcl" stat -o /nonesuch/x -e faults true 2>"$out"
expect "stat -o: a file that cannot be written gives 125" 125 $?

# As a user without rights.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip "stat: without rights" "needs root and setpriv, to give rights up"
elif [ "$paranoid" -lt 2 ]; then
	skip "stat: without rights" "kernel.perf_event_paranoid is $paranoid, everything is allowed"
elif [ "$paranoid" -gt 2 ]; then
	skip "stat: without rights" "kernel.perf_event_paranoid is $paranoid, nothing is allowed"
else
	cp "$fast" "$work/pcl-user"
	user() { setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$work/pcl-user" "$@"; }
	user stat -e faults,cs true 2>"$out"
	expect "stat: without rights the command still runs" 0 $?
	contains "stat: an event is narrowed to user space by name" "$out" " faults:u"
	contains "stat: and a note says so" "$out" "note: no permission to measure the kernel .*paranoid is 2.*faults:u"
	contains "stat: an event of the kernel is not narrowed to zero" "$out" "<not supported> +cs"
	user stat -e faults:k true 2>"$out"
	expect "stat: a level that was asked for is not changed" 125 $?
	contains "stat: the refusal names the setting and the way out" "$out" "perf_event_paranoid is 2.*CAP_PERFMON.*sysctl"
	user stat -e faults -p 1 2>"$out"
	expect "stat -p: a task of another user gives 125" 125 $?
	contains "stat -p: and that is the reason" "$out" "measuring task 1: it belongs to another user"
	user stat -a -e faults true 2>"$out"
	expect "stat -a: refused without rights" 125 $?
	contains "stat -a: the refusal says what" "$out" "measuring whole CPUs"
fi

# A limit on files.
(ulimit -n 8; "$fast" stat -e "$(printf 'faults,%.0s' $(seq 20))faults" true) 2>"$out"
expect "stat: too many files gives 125" 125 $?
contains "stat: too many files names the limit" "$out" "limit 8.*prlimit"
# Of the two limits only the hard one holds, and the command has those that pcl was started with.
limits=$(ulimit -Sn 16; "$fast" stat -e "$(printf 'faults,%.0s' $(seq 20))faults" bash -c 'ulimit -Sn; ulimit -Hn' 2>"$out")
expect "stat: a soft limit on files does not hold: 0" 0 $?
expect "stat: and the command has it still" "16 $(ulimit -Hn)" "$(echo $limits)"

if [ -n "$no_events" ]; then
	skip "stat: without a command, no figures and no excuses" "$no_events"
else
	"$pcl" stat -e task-clock -p $$ >"$work/said" 2>&1 &
	waiter=$!
	wait_for_events "$waiter"
	kill -INT "$waiter"
	wait "$waiter"
	expect "stat: without a command, no figures and no excuses" "1 0" \
		"$(grep -c 'seconds elapsed' "$work/said") $(grep -c 'no command was run' "$work/said")"
fi
if have_pmu || [ -n "$no_events" ] || ! command -v script >/dev/null; then
	skip "stat: reasons end between words on a terminal" "needs events, no PMU, and script(1)"
else
	on_pty "stty cols 60; '$pcl' stat -e cycles,task-clock true" >"$work/said" 2>&1
	contains "stat: reasons are told on a terminal" "$work/said" 'cycles: no hardware PMU'
	within "stat: and end between words there" "$(tr -d '\r' <"$work/said" | sed -n '/^ cycles:/,/^$/p' | awk 'length > n { n = length } END { print n }')" 30 60
fi

# what measuring cost: it and the command's time come to what the shell is told of both
TIMEFORMAT='%U %S'
{ time "$fast" stat --overhead -o "$out" -e '{faults,minor-faults},cs' "$helpers/spin" 100000000 2>"$work/said"; } 2>"$work/times"
contains "stat --overhead: the tool's CPU time, and its part of the command's" "$work/said" \
	"^pcl stat: overhead: pcl itself took [0-9.]+ s of CPU \([0-9.]+ user, [0-9.]+ sys\), [0-9.]+% of the command's [0-9.]+ s; peak memory [0-9.]+ MB$"
both=$(sed -nE "s/.*itself took ([0-9.]+) s .*command's ([0-9.]+) s.*/\\1 \\2/p" "$work/said" | awk '{ print $1 + $2 }')
within "stat --overhead: as much as the shell is told" "$both" 0.005 \
	"$(awk '{ print $1 + $2 + 0.003 }' "$work/times")"
within "stat --overhead: and not much less" "$both" "$(awk '{ print ($1 + $2) * 0.8 - 0.02 }' "$work/times")" 1000
# three events of one task; two readings of leaders, the ids of two members
contains "stat --overhead: each call to an event" "$work/said" "the events took 3 calls to open, 2 to read, 2 to control$"
"$fast" stat --overhead -r 3 -o "$out" -e faults true 2>"$work/said"
contains "stat --overhead: of all runs" "$work/said" "the events took 3 calls to open, 3 to read, 0 to control$"
"$fast" stat --overhead -o "$out" -e faults true 2>"$work/said"
contains "stat --overhead: one call is no calls" "$work/said" "the events took 1 call to open, 1 to read, 0 to control$"
"$pcl" stat -j -o "$out" -e faults true 2>"$work/said"
expect "stat: without --overhead nothing is said" "" "$(cat "$work/said")"
