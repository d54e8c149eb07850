# SPDX-License-Identifier: GPL-2.0
# Part of test/run: what sysfs shows on machines of other kinds, as directories of our own making: PMUs by any name and
# type are listed, parsed and explained.

# machine NAME; then pmu NAME TYPE CPUS, whose events are lines "NAME CODE"
machine() {
	sys=$work/machines/$1
	mkdir -p "$sys/bus/event_source/devices"
	printf '%s\n' software:1 tracepoint:2 breakpoint:5 | while IFS=: read -r name type; do
		mkdir -p "$sys/bus/event_source/devices/$name"
		echo "$type" >"$sys/bus/event_source/devices/$name/type"
	done
}
pmu() { # NAME TYPE FILE=CPUS FORMAT; events on standard input
	local dir=$sys/bus/event_source/devices/$1 name code

	mkdir -p "$dir"/{events,format}
	echo "$2" >"$dir/type"
	echo "${3#*=}" >"$dir/${3%%=*}"
	echo "$4" >"$dir/format/event"
	while read -r name code; do
		echo "event=$code" >"$dir/events/$name"
	done
}

machine arm
for kind in a53:8:0-3 a72:9:4-5; do
	IFS=: read -r core type cpus <<<"$kind"
	pmu "armv8_cortex_$core" "$type" "cpus=$cpus" config:0-15 <<-EVENTS
		cpu_cycles 0x0011
		inst_retired 0x0008
		only_$core 0x0042
	EVENTS
done
pmu arm_dsu_0 10 cpumask=0 config:0-31 <<<"bus_access 0x0019"
machine arm-one
pmu armv8_pmuv3_0 8 cpus=0-3 config:0-15 <<<"cpu_cycles 0x0011"
machine hybrid
pmu cpu_core 4 cpus=0-15 config:0-7 <<-EVENTS
	cpu-cycles 0x3c
	mem-loads 0xcd
	slots 0x00
EVENTS
pmu cpu_atom 11 cpus=16-23 config:0-7 <<-EVENTS
	cpu-cycles 0x3c
	mem-loads 0xd0
EVENTS
pmu uncore_imc_0 12 cpumask=0 config:0-7 <<<"data_reads 0x01"
machine none

on() { # MACHINE COMMAND...
	local sys=$work/machines/$1

	shift
	PCL_SYSFS=$sys "$@"
}
parsed() { on "$1" "$asan/test/event_text" "$2" 2>&1; }

# listed: each named event, and the terms
on arm "$pcl" list pmu >"$work/list" 2>&1
for event in armv8_cortex_a53/cpu_cycles/ armv8_cortex_a72/cpu_cycles/ arm_dsu_0/bus_access/; do
	contains "machines: arm: pcl list pmu has $event" "$work/list" " $event"
done
on hybrid "$pcl" list pmu >"$work/list" 2>&1
for event in cpu_core/mem-loads/ cpu_atom/mem-loads/ uncore_imc_0/data_reads/; do
	contains "machines: hybrid: pcl list pmu has $event" "$work/list" " $event"
done
on hybrid "$pcl" list -j hardware >"$work/list"
expect "machines: hybrid: the code of cycles is the PMU's" '"event=0x3c"' \
	"$(python3 -c '
import json, sys
print(json.dumps([e["code"] for e in json.load(open(sys.argv[1]))["events"] if e["event"] == "cycles"][0]))' "$work/list" 2>&1)"
on none "$pcl" list pmu >"$work/list" 2>"$work/list.err"
expect "machines: none: no PMU is listed" 0 "$(grep -c '/' "$work/list")"

# parsed: name, type, config and the CPUs of its cores, an event on a line
expect "machines: arm: a name of one kind of core" "only_a72 9 0x42 4-5" "$(parsed arm only_a72)"
expect "machines: arm: a name of both kinds is both" "armv8_cortex_a53/cpu_cycles/ 8 0x11 0-3|armv8_cortex_a72/cpu_cycles/ 9 0x11 4-5" \
	"$(parsed arm cpu_cycles | paste -sd '|')"
expect "machines: arm: modifiers of both" "armv8_cortex_a53/inst_retired/:u 8 0x8 0-3|armv8_cortex_a72/inst_retired/:u 9 0x8 4-5" \
	"$(parsed arm inst_retired:u | paste -sd '|')"
expect "machines: arm: a PMU by name" "armv8_cortex_a53/event=0x1b/ 8 0x1b 0-3" "$(parsed arm armv8_cortex_a53/event=0x1b/)"
expect "machines: arm: one kind of core, and the name as it was written" "cpu_cycles 8 0x11 0-3" "$(parsed arm-one cpu_cycles)"
expect "machines: arm: a PMU beside the cores is not one of them" "unknown event 'bus_access'" "$(parsed arm bus_access)"
expect "machines: arm: which was meant" "did you mean 'only_a53'?" "$(parsed arm only_a54 | sed -n 's/^hint: //p')"
expect "machines: hybrid: a name of one kind of core" "slots 4 0 0-15" "$(parsed hybrid slots)"
expect "machines: hybrid: a name of both kinds is both" "cpu_atom/mem-loads/ 11 0xd0 16-23|cpu_core/mem-loads/ 4 0xcd 0-15" \
	"$(parsed hybrid mem-loads | paste -sd '|')"
expect "machines: none: there is no such name" "unknown event 'mem-loads'" "$(parsed none mem-loads | head -n 1)"

# the default set: hardware where a core has a PMU, whatever its type is
for kind in arm:cycles hybrid:cycles none:cpu-clock; do
	on "${kind%:*}" "$pcl" record -o "$work/machines.data" true >"$work/said" 2>&1
	expect "machines: ${kind%:*}: whether record falls back to a clock" "$([ "${kind#*:}" = cpu-clock ] && echo 1 || echo 0)" \
		"$(grep -c 'no hardware PMU is visible here, so cpu-clock' "$work/said")"
done

# explained
doctor() { on "$1" "$pcl" doctor -j events 2>/dev/null | python3 -c '
import json, sys
def walk(v):
    if isinstance(v, dict):
        if v.get("name") == "PMUs of cores":
            print(v.get("status"), "|", v.get("detail"), "|", v.get("cause"))
        v = list(v.values())
    if isinstance(v, list):
        for one in v:
            walk(one)
walk(json.load(sys.stdin))' 2>&1; }
expect "machines: arm: doctor knows the kinds" "partly | armv8_cortex_a53 (CPUs 0-3), armv8_cortex_a72 (CPUs 4-5) | kinds-of-cores" "$(doctor arm)"
expect "machines: arm, one kind: doctor says so" "works | armv8_pmuv3_0 (CPUs 0-3) | None" "$(doctor arm-one)"
expect "machines: hybrid: doctor knows the kinds" "partly | cpu_atom (CPUs 16-23), cpu_core (CPUs 0-15) | kinds-of-cores" "$(doctor hybrid)"
contains "machines: none: doctor says that there is none" <(doctor none) '^fails .*no-pmu'
contains "machines: hybrid: and what to write instead" <(on hybrid "$pcl" doctor events 2>&1) 'PMU/EVENT/'
