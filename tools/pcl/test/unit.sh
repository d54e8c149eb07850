# SPDX-License-Identifier: GPL-2.0
# Part of test/run: the unit tests, with PMUs and a tracepoint of our own making.

devices=$work/sys/bus/event_source/devices
mkdir -p "$devices"/{fake,cpu}/{events,format} "$devices/kprobe" "$work/tracing/events/sched/sched_"{switch,waking}
echo 77 >"$devices/fake/type"
echo 6 >"$devices/kprobe/type"
echo 3 >"$devices/fake/cpumask"
echo config:0-7 >"$devices/fake/format/event"
echo config:8-15 >"$devices/fake/format/umask"
echo config:18 >"$devices/fake/format/edge"
echo config:0-7,32-35 >"$devices/fake/format/split"
echo config1:0-15 >"$devices/fake/format/ldlat"
echo config2:0-63 >"$devices/fake/format/wide"
echo event=0xd0,umask=0x81 >"$devices/fake/events/loads"
echo event=0x02 >"$devices/fake/events/energy"
echo Joules >"$devices/fake/events/energy.unit"
echo 0.25 >"$devices/fake/events/energy.scale"
echo 78 >"$devices/cpu/type"
echo 0-3 >"$devices/cpu/cpus"
echo config:0-7 >"$devices/cpu/format/event"
echo event=0xcd >"$devices/cpu/events/mem-loads"
for slots in total-slots slots-issued slots-retired fetch-bubbles recovery-bubbles; do
	echo event=0x3c >"$devices/cpu/events/topdown-$slots"
done
# CPUs 0 and 1 are threads of one core, 2 and 3 are cores of the second socket
for cpu in "0 0 0" "1 0 0" "2 1 0" "3 1 1"; do
	set -- $cpu
	mkdir -p "$work/sys/devices/system/cpu/cpu$1/topology"
	echo "$2" >"$work/sys/devices/system/cpu/cpu$1/topology/physical_package_id"
	echo 0 >"$work/sys/devices/system/cpu/cpu$1/topology/die_id"
	echo "$3" >"$work/sys/devices/system/cpu/cpu$1/topology/core_id"
done
# cache: CPU, index, size, sharers
for cache in "0 2 1024K 0" "0 3 32768K 0-1" "1 2 1024K 1" "1 3 32768K 0-1" "2 2 2M 2"; do
	set -- $cache
	mkdir -p "$work/sys/devices/system/cpu/cpu$1/cache/index$2"
	echo "$3" >"$work/sys/devices/system/cpu/cpu$1/cache/index$2/size"
	echo "$4" >"$work/sys/devices/system/cpu/cpu$1/cache/index$2/shared_cpu_list"
done
echo 316 >"$work/tracing/events/sched/sched_switch/id"
echo 317 >"$work/tracing/events/sched/sched_waking/id"

subtest "parse" env PCL_SYSFS="$work/sys" PCL_TRACEFS="$work/tracing" "$asan/test/unit_parse"
subtest "reason" env PCL_SYSFS="$work/sys" "$asan/test/unit_reason"
# the core's PMU has the type of raw codes
mkdir -p "$work/skl/bus/event_source/devices/cpu"/{events,format}
echo 4 >"$work/skl/bus/event_source/devices/cpu/type"
echo config:24-31 >"$work/skl/bus/event_source/devices/cpu/format/cmask"
echo config:23 >"$work/skl/bus/event_source/devices/cpu/format/inv"
as_skylake() { env PCL_SYSFS="$work/skl" PCL_TRACEFS="$work/tracing" LIBPFM_FORCE_PMU=skl LIBPFM_ENCODE_INACTIVE=1 "$@"; }
if as_skylake "$asan/test/unit_vendor" there; then
	subtest "vendor" as_skylake "$asan/test/unit_vendor"
else
	skip "vendor names" "libpfm4 is not installed, or does not know a Skylake"
fi
subtest "data" "$asan/test/unit_data"
subtest "tasks" "$asan/test/unit_tasks"
mkdir "$work/read"
subtest "read" "$asan/test/unit_read" "$work/read"
mkdir "$work/write"
subtest "write" "$asan/test/unit_write" "$work/write"
subtest "record" "$asan/test/unit_record"
subtest "top" "$asan/test/unit_top"
subtest "maps" "$asan/test/unit_maps"
subtest "model" "$asan/test/unit_model"
subtest "unwind" "$asan/test/unit_unwind"
mkdir "$work/files"
subtest "files" "$asan/test/unit_files" "$work/files"
# Nothing else opens what a recording may name: each that opens by itself, and what it opens.
openers="
	annotate/cmd_annotate.c 1: an argument of the user
	data/build_id.c 1: the notes of this kernel
	data/perfdata_read.c 1: the recording itself
	symbol/cache_file.c 2: the directory, and a new file in it
	symbol/code.c 1: /proc/kcore
	symbol/kallsyms.c 1: an argument of the user, or /proc/kallsyms
"
expect "files: nobody opens by himself but those who have a reason" "$(sed -n 's/^	\(.*\): .*/\1/p' <<<"$openers")" \
	"$(cd "$here/../src" && grep -cE '(^|[^a-z_])(open|openat|fopen)\(' {annotate,profile,script,session,symbol,tasks,unwind}/*.c \
		data/{build_id,elf_file,perfdata_attr,perfdata_features,perfdata_read,record_source}.c | grep -v ':0$' | tr : ' ' | sort)"
expect "names: no two structures have one name" "" \
	"$(cd "$here/../src" && grep -rhoE '^struct [a-z0-9_]+ \{' --include=*.[ch] . | sort | uniq -d)"
subtest "trace" "$asan/test/unit_trace"
subtest "stats" env PCL_SYSFS="$work/sys" "$asan/test/unit_stats"
subtest "profile" "$asan/test/unit_profile"
subtest "batch" "$asan/test/unit_batch"
mkdir "$work/machine"
subtest "machine" "$asan/test/unit_machine" "$work/machine"
subtest "diff" "$asan/test/unit_diff"
