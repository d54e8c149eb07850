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
expect "list: the kinds by perf's names" "$("$pcl" list software hardware cache | md5sum)" "$("$pcl" list sw hw hwcache | md5sum)"
"$pcl" list metric >"$out" 2>"$out.err"
contains "list metric: where they are" "$out.err" "'pcl stat -M list' shows the metrics"
"$pcl" list -j >"$out"
expect "list -j: is JSON" "string pcl-list-1" "$("$helpers/json_get" schema <"$out")"
if python3 -c 'import jsonschema' 2>/dev/null; then
	expect "list -j: follows the schema" "" "$("$here/valid_json" "$here/../schema/pcl-list.schema.json" "$out" 2>&1)"
else
	skip "list -j: follows the schema" "python3-jsonschema is not installed"
fi
expect "list -j: what it counts" "string branch instructions retired" "$("$helpers/json_get" events.event=branches.definition <"$out")"
expect "list -j: its other name" "string branch-instructions" "$("$helpers/json_get" events.event=branches.alias <"$out")"
expect "list -j: every event of the ABI has a definition" "" \
	"$(sed 's/},/&\n/g' "$out" | grep -E '"kind":"(hardware|software|cache)"' | grep '"definition":null')"
expect "list -j: a kind" "string hardware" "$("$helpers/json_get" events.0.kind <"$out")"
if have_pmu; then
	expect "list: cycles are usable" "string yes" "$("$helpers/json_get" events.0.usable <"$out")"
else
	expect "list: cycles are not usable" "string no" "$("$helpers/json_get" events.0.usable <"$out")"
	contains "list: and why" <("$helpers/json_get" events.0.reason <"$out") "no hardware PMU"
	"$pcl" list hardware >"$out"
	expect "list: one reason is told once" 1 "$(grep -c '^\[[0-9]*\] ' "$out")"
fi
"$pcl" list no-such-thing software >"$out" 2>"$out.err"
expect "list: nothing found gives 1" 1 $?
contains "list: and says so" "$out.err" "no event here matches 'no-such-thing' and 'software'"
"$pcl" list 'L1*misses' >"$out"
expect "list: a pattern" 5 "$(grep -c 'L1-.cache-.*misses' "$out")"
"$pcl" list cache MISSED writes >"$out"
expect "list: words are searched in definitions, all of them, in the kinds that are named" \
	"L1-dcache-store-misses LLC-store-misses dTLB-store-misses node-store-misses" \
	"$(sed -n 's/^  \(yes\|user\|no \[.*\]\) *\([^ ]*\) .*/\2/p' "$out" | tr '\n' ' ' | sed 's/ $//')"
"$pcl" list software predicted >"$out" 2>"$out.err"
expect "list: words that are found in another kind only give 1" 1 $?
"$pcl" list idle-cycles-front >"$out"
contains "list: other names are searched" "$out" 'stalled-cycles-frontend'
PCL_SYSFS=$work/none "$pcl" list pmu >"$out" 2>"$out.err"
expect "list pmu: nothing where there is no sysfs" 1 $?
mkdir -p "$work/lsys/bus/event_source/devices/fake/events"
echo 1 >"$work/lsys/bus/event_source/devices/fake/type"
echo config=2 >"$work/lsys/bus/event_source/devices/fake/events/flt"
PCL_SYSFS=$work/lsys "$pcl" list pmu >"$out"
contains "list pmu: named events of sysfs" "$out" 'fake/flt/ .*\[config=2\]$'
PCL_TRACEFS=$work/none "$pcl" list tracepoint >"$out" 2>"$out.err"
expect "list tracepoint: unreadable tracefs gives 125" 125 $?
contains "list tracepoint: and the way out" "$out.err" "tracefs"
as_skylake() { env LIBPFM_FORCE_PMU=skl LIBPFM_ENCODE_INACTIVE=1 "$@"; }
if as_skylake "$asan/test/unit_vendor" there; then
	as_skylake "$pcl" list pfm mem_load_retired L1 >"$out"
	expect "list pfm: status 0" 0 $?
	contains "list pfm: a vendor's name with its mask and definition" "$out" 'MEM_LOAD_RETIRED:L1_HIT .*L1'
	as_skylake "$pcl" list -j pfm >"$out"
	within "list pfm: all of them" "$(grep -o '"kind":"pfm"' "$out" | wc -l)" 300 2000
else
	skip "list pfm" "libpfm4 is not installed, or does not know a Skylake"
fi
