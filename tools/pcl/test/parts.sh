# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl stat by thread, CPU, core, socket and cgroup; threads that start meanwhile.

out=$work/parts
get() { "$helpers/json_get" "$1" <"$out"; }
number() { get "$1" | sed 's/^number //'; }
status_of() { "$@" >/dev/null 2>&1; echo $?; }

cpus=$(getconf _NPROCESSORS_ONLN)
"$pcl" stat -a --per-cpu -x, -o "$out" -e cpu-clock,faults sleep 0.2
expect "parts: --per-cpu has a line for each event and CPU" $((2 * cpus)) "$(wc -l <"$out")"
expect "parts: the CPU is the first field" "$cpus" "$(awk -F, '$1 ~ /^CPU[0-9]+$/ && $4 == "cpu-clock"' "$out" | wc -l)"
"$pcl" stat -a --per-cpu -I 100 -x, -o "$out" -e cpu-clock sleep 0.15
expect "parts: with -I the CPU is the second" 0 "$(awk -F, '$2 !~ /^CPU[0-9]+$/' "$out" | wc -l)"
"$pcl" stat -a --per-cpu -j -o "$out" -e '{cpu-clock,cpu-clock}' sleep 0.1
expect "parts: members of a group are read at one moment" "$(get events.0.enabled_ns)" "$(get "events.$cpus.enabled_ns")"
if [ -r /sys/devices/system/cpu/cpu0/topology/physical_package_id ]; then
	"$pcl" stat -a --per-socket -j -o "$out" -e cpu-clock sleep 0.1
	contains "parts: --per-socket" "$out" '"part":"S[0-9]+"'
	"$pcl" stat -C 0 --per-core -j -o "$out" -e cpu-clock sleep 0.1
	contains "parts: --per-core" "$out" '"part":"S[0-9]+-D[0-9-]+-C[0-9]+"'
else
	skip "parts: --per-socket" "sysfs has no topology here"
	skip "parts: --per-core" "sysfs has no topology here"
fi
expect "parts: --per-core of a command is refused" 125 "$(status_of "$pcl" stat --per-core -e faults true)"
expect "parts: --per-thread of a command is refused" 125 "$(status_of "$pcl" stat --per-thread -e faults true)"
expect "parts: two kinds are refused" 125 "$(status_of "$pcl" stat -a --per-cpu --per-core -e faults true)"
expect "parts: with --vs they are refused" 125 "$(status_of "$pcl" stat -a --per-cpu --vs true -e faults true)"

# A hundred threads start while pcl lists them; none is missed, none counted twice.
mkfifo "$work/storm"
"$helpers/touch_pages" 500 storm "$work/go" "$work/done" <"$work/storm" &
pid=$!
exec 9>"$work/storm"
"$fast" stat -p "$pid" -j -o "$out" -e faults sh -c "
	until [ \$(ls /proc/$pid/task | wc -l) = 101 ]; do sleep 0.05; done
	: >$work/go
	until [ -e $work/done ]; do sleep 0.05; done" 9>&-
within "parts: threads that start meanwhile are counted, once" "$(number events.0.value)" 50000 50400
"$fast" stat -p "$pid" --per-thread -x, -o "$out" -e faults true 9>&-
contains "parts: --per-thread names the thread" "$out" "^touch_pages-$pid,<not counted>,,faults,"
exec 9>&-
wait "$pid"

# A cgroup of our own: what runs in it counts, and what runs beside does not.
root=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/self/mounts)
root=${root:-$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)}
group=pcl-test-$$
if ! mkdir "$root/$group" 2>/dev/null; then
	skip "parts: cgroups" "no cgroup can be made here${root:+ in $root}"
else
	inside="sh -c 'echo \$\$ >$root/$group/cgroup.procs; exec $helpers/touch_pages 3000'"
	"$pcl" stat --cgroup "$group" -j -o "$out" -e faults sh -c "$inside; $helpers/touch_pages 20000"
	within "parts: --cgroup counts the tasks of the cgroup" "$(number events.0.value)" 3000 4000
	expect "parts: and names it" "string $group" "$(get events.0.part)"
	"$pcl" stat --per-cgroup -x, -o "$out" -e faults true
	contains "parts: --per-cgroup has those below the root" "$out" "^$group,"
	rmdir "$root/$group"
	"$pcl" stat --cgroup nonesuch -e faults true 2>"$out"
	expect "parts: a cgroup that is not there" 125 $?
	contains "parts: is named, and where it was looked for" "$out" "no cgroup 'nonesuch' in $root"
fi
expect "parts: a cgroup and a process are refused" 125 "$(status_of "$pcl" stat --cgroup x -p $$ -e faults true)"
