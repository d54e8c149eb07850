# SPDX-License-Identifier: GPL-2.0
# Part of test/run: pcl list.

out=$work/list
"$pcl" list software >"$out"
expect "list software: status 0" 0 $?
if [ -n "$no_events" ]; then
	contains "list: nothing can be used, and the reason is told" "$out" '^\[1\] '
else
	expect "list software: all twelve are usable" 12 "$(grep -c '^  yes' "$out")"
fi
"$pcl" list -j >"$out"
expect "list -j: is JSON" "string pcl-list-1" "$("$helpers/json_get" schema <"$out")"
expect "list -j: a kind" "string hardware" "$("$helpers/json_get" events.0.kind <"$out")"
if have_pmu; then
	expect "list: cycles are usable" "string yes" "$("$helpers/json_get" events.0.usable <"$out")"
else
	expect "list: cycles are not usable" "string no" "$("$helpers/json_get" events.0.usable <"$out")"
	contains "list: and why" <("$helpers/json_get" events.0.reason <"$out") "no hardware PMU"
	"$pcl" list hardware >"$out"
	expect "list: one reason is told once" 1 "$(grep -c '^\[[0-9]*\] ' "$out")"
fi
"$pcl" list no-such-thing >"$out"
expect "list: nothing found gives 1" 1 $?
"$pcl" list 'L1*misses' >"$out"
expect "list: a pattern" 5 "$(grep -c 'L1-.cache-.*misses' "$out")"
PCL_SYSFS=$work/none "$pcl" list pmu >"$out"
expect "list pmu: nothing where there is no sysfs" 1 $?
mkdir -p "$work/lsys/bus/event_source/devices/fake/events"
echo 1 >"$work/lsys/bus/event_source/devices/fake/type"
echo config=2 >"$work/lsys/bus/event_source/devices/fake/events/flt"
PCL_SYSFS=$work/lsys "$pcl" list pmu >"$out"
contains "list pmu: named events of sysfs" "$out" 'fake/flt/$'
PCL_TRACEFS=$work/none "$pcl" list tracepoint >"$out" 2>"$out.err"
expect "list tracepoint: unreadable tracefs gives 125" 125 $?
contains "list tracepoint: and the way out" "$out.err" "tracefs"
