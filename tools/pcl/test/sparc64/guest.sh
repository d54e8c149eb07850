# SPDX-License-Identifier: GPL-2.0
# What tests of programs on an emulated sparc64 share, read by run and by tools/testing/pcl/clients/run-sparc64: the machines
# with counters, the programs that are run there, and how one is booted. The caller has set top.
guest_loops=4002500		# neither its instructions nor its samples end near a multiple of the period
guest_period=10007
guest_instructions=$((2 * guest_loops + 5))
# Of interrupts that come late, so many may find that the program has just trapped; the kernel's image lies here.
guest_late=$((guest_instructions / guest_period / 100))
guest_kernel_begin=$((0x400000)) guest_kernel_end=$((0x4000000))
guest_pmus="us12 us3 t1 t2"
declare -A guest_family=([us12]=ultra12 [us3]=ultra3 [t1]=niagara [t2]=niagara2)

# guest_programs DIRECTORY: known and spin, and steps, which runs what a list says
guest_programs() {
	local test=$top/tools/pcl/test cc

	cc=$("$top/scripts/cross" sparc64)gcc || return
	"$cc" -static -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -o "$1/steps" "$test/sparc64/steps.c" &&
	"$cc" -nostdlib -static -Wl,--build-id=none -DKNOWN_LOOPS=$guest_loops -o "$1/known" "$test/sparc64/known.S" &&
	"$cc" -static -O0 -fno-omit-frame-pointer -o "$1/spin" "$test/spin.c"
}

# Steps with which there are as many samples as there are periods, whatever time they take
guest_takes_every_sample() {
	echo "put /proc/sys/kernel/perf_cpu_time_max_percent 25"
	echo "put /proc/sys/kernel/perf_event_max_sample_rate 10000000"
	echo "put /proc/sys/kernel/perf_cpu_time_max_percent 0"
}

# guest_boot KERNEL PMU SHARE [OPTION...]: does the steps of SHARE/list; options are vm/run's. pmu=us3,pmu-skid=7 goes as a PMU.
guest_boot() {
	local kernel=$1 pmu=$2 share=$3

	shift 3
	"$top/tools/testing/pcl/vm/run" --arch sparc64 --kernel "$kernel" --cpu "TI-UltraSparc-IIi,pmu=$pmu" \
		--append "sparc_pmu=${guest_family[${pmu%%,*}]}" --share "$share" "$@" -- "$share/steps" "$share/list"
}
