# SPDX-License-Identifier: GPL-2.0
# Part of test/run: hardware events, where there is a PMU (a virtual machine with counters will do).

out=$work/pmu
data=$work/pmu.data
get() { "$helpers/json_get" "$1" <"$out" | sed 's/^number //'; }
instructions() {
	"$fast" stat -j -o "$out" -e instructions:u "$helpers/spin" "$1"
	get events.0.value
}

# An emulator that waits for its turn inside an interrupt makes samples look dear, and the kernel lowers the rate at which
# it takes any; the rate first, as without a share of time it is not to be set.
if [ "${PCL_TEST_OWN_MACHINE-}" = 1 ]; then
	echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
	echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
fi
if ! have_pmu; then
	skip "pmu: hardware events" "no PMU is visible here"
else
	one=$(instructions 1000000)
	two=$(instructions 2000000)
	three=$(instructions 3000000)
	within "pmu: instructions of a loop grow with its rounds, exactly" $((three - two - (two - one))) -200 200
	within "pmu: and are those of its body" $(((two - one) / 1000)) 5000 12000

	"$fast" record -e instructions:u -c 100000 -o "$data" "$helpers/spin" 1000000 2>"$out.said"
	within "pmu: a fixed period gives its number of samples" \
		"$(sed -n 's/^pcl record: \([0-9]*\) samples*.*/\1/p' "$out.said")" \
		$((one / 100000 - 1)) $((one / 100000 + 1))
	"$fast" report -i "$data" --no-callers >"$out" 2>/dev/null
	within "pmu: nearly all of them in the loop" "$(awk '/\] hot$/ { print $1 + 0 }' "$out")" 90 100

	"$fast" stat -o "$out" "$helpers/spin" 1000000
	contains "pmu: the default set has instructions per cycle" "$out" "instructions .*# +[0-9.]+ insn per cycle"
	contains "pmu: and the ratio of branch misses" "$out" "branch-misses .*# +[0-9.]+ % of all branches"
	expect "pmu: and no note on a substitute" 0 "$(grep -c NOTE "$out")"

	"$fast" stat -j -o "$out" -M ipc,cpi -e branch-misses,branches "$helpers/spin" 1000000
	within "pmu: ipc and cpi are each other's inverse" \
		"$(awk -v a="$(get metrics.0.value)" -v b="$(get metrics.1.value)" 'BEGIN { print a * b }')" 0.999 1.001
	expect "pmu: events of a ratio are grouped" "string branch-misses" "$(get events.3.group)"
	expect "pmu: and read at one moment, with one time" "$(get events.2.enabled_ns)" "$(get events.3.enabled_ns)"
	"$fast" stat -j -o "$out" --no-group -e branch-misses,branches "$helpers/spin" 1000000
	expect "pmu: --no-group keeps them apart" null "$(get events.1.group)"

	truth=$(instructions 20000000)
	"$fast" stat -j -o "$out" -e "$(printf 'instructions:u,%.0s' $(seq 23))instructions:u" "$helpers/spin" 20000000
	# A slice in which the emulator waits for its turn has time and no instructions, so it is the median of all, and
	# only an estimate that is not scaled, a fifth of the truth, is told apart here. How good it is, selftests/mux.c asks
	# where time is instructions.
	median() { for i in $(seq 0 23); do get "events.$i.$1"; done | sort -g | sed -n 12p; }
	within "pmu: 24 events on fewer counters take turns" "$(median running_percent)" 5 99
	within "pmu: and are scaled to about the truth" "$(median value)" $((truth * 35 / 100)) $((truth * 3))

	"$fast" list -j cycles >"$out"
	expect "pmu: pcl list finds cycles usable" "string yes" "$("$helpers/json_get" events.0.usable <"$out")"
	# the machine's own view of libpfm4, without any help
	if ! "$plain/test/unit_vendor" there 2>/dev/null; then
		skip "pmu: vendors' names" "libpfm4 is not installed, or does not know this processor"
	else
		"$fast" stat -j -o "$out" -e '{instructions:u,INST_RETIRED:ANY_P:u,inst_retired.any_p,usr}' "$helpers/spin" 1000000
		within "pmu: a vendor's name counts what the generic one does" \
			$(($(get events.1.value) - $(get events.0.value))) -100 100
		within "pmu: with FreeBSD's qualifier, too" $(($(get events.2.value) - $(get events.0.value))) -100 100
		"$fast" list -j pfm inst_retired any_p >"$out"
		expect "pmu: pcl list finds it usable" "string yes" "$("$helpers/json_get" events.0.usable <"$out")"
	fi
	contains "pmu: pcl list has the code of this processor" <("$fast" list cycles) '\[event=0x3c'
	if [ -e /sys/kernel/pcl/version ]; then
		"$fast" stat -o "$out" -e "{$(printf 'branch-misses,%.0s' $(seq 15))branch-misses}" true
		contains "pmu: a group that never fits is refused with the kernel's own reason" "$out" "the kernel says: "
	else
		skip "pmu: a refusal has the kernel's own reason" "the kernel is not PCL"
	fi
fi
