/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: what only some kinds of processor refuse, and that the others do not.
 */
#ifndef PCL_USER_DRIVER_KINDS_H
#define PCL_USER_DRIVER_KINDS_H

#include "driver_detect.h"

#define INST_RETIRED_ALL	0x01c0
#define TOPDOWN_FIRST		0x8000
#define TOPDOWN_LAST		0x8700
#define LARGE_INCREMENT		0x0f03		/* with all units of that event */

/* A processor of which CPUID says this; the fixed counters are also named one by one, as of version 5. */
static void boot_intel(u8 number, unsigned int version, unsigned int fixed)
{
	be_intel(number);
	leaf_a.eax.split.version_id = version;
	leaf_a.edx.split.num_counters_fixed = fixed;
	leaf_a.ecx = version >= 5 ? BIT(fixed) - 1 : 0;
	boot(no_machine);
	CHECK_EQ(registered, 1);
}

static void boot_amd(unsigned int number)
{
	be_amd(0);
	boot_cpu_data.x86 = number;
	boot(no_machine);
	CHECK_EQ(registered, 1);
}

/* Why such an event is refused; PCL_REASON_NONE: it is not. */
static enum pcl_reason reason_of(u64 config, u64 period)
{
	int err;
	struct perf_event *event = make(config, period, &err);

	CHECK_EQ(err, event->refused ? -EINVAL : 0);
	return event->refused;
}

/* The same of an event that is open, and gets another period. */
static enum pcl_reason reason_of_period(u64 config, u64 period)
{
	struct perf_event *event = open_event(config, 100000);
	int err = x86_core_pmu.check_period(event, period);

	CHECK_EQ(err, event->refused ? -EINVAL : 0);
	return event->refused;
}

/* The least period of @config: a shorter one is refused at once and later, and counting needs none. */
static void periods_begin_with(u64 config, u64 least)
{
	CHECK_EQ(reason_of(config, least), PCL_REASON_NONE);
	CHECK_EQ(reason_of(config, least - 1), PCL_REASON_X86_PERIOD_SHORT);
	CHECK_EQ(reason_of_period(config, least), PCL_REASON_NONE);
	CHECK_EQ(reason_of_period(config, least - 1), PCL_REASON_X86_PERIOD_TO_SHORT);
	CHECK_EQ(reason_of(config, 0), PCL_REASON_NONE);
	CHECK_EQ(reason_of_period(config, 0), PCL_REASON_NONE);
}

static void any_period_does(u64 config)
{
	CHECK_EQ(reason_of(config, 1), PCL_REASON_NONE);
	CHECK_EQ(reason_of_period(config, 1), PCL_REASON_NONE);
}

/* Specification updates: AAK111 and others of Nehalem; HSD11, HSW11, BDM11, BDM55 of Haswell and Broadwell */
static void some_kinds_have_a_least_period(void)
{
	boot_intel(INTEL_FAM6_NEHALEM, 3, 3);
	periods_begin_with(EVENT, 32);
	periods_begin_with(INST_RETIRED_ALL, 32);
	boot_intel(INTEL_FAM6_HASWELL, 3, 3);
	periods_begin_with(EVENT, 32);
	periods_begin_with(INST_RETIRED_ALL, 128);
	boot_intel(INTEL_FAM6_BROADWELL, 3, 3);
	any_period_does(EVENT);
	periods_begin_with(INST_RETIRED_ALL, 128);
	boot_intel(INTEL_FAM6_SKYLAKE, 4, 3);
	any_period_does(EVENT);
	any_period_does(INST_RETIRED_ALL);
	boot_amd(0x17);
	any_period_does(EVENT);
}

/* SDM, "AnyThread": from version 3 on; in version 5 unless CPUID leaf 0xa, EDX bit 15 says that it is deprecated */
static void any_thread_is_for_some_versions(void)
{
	unsigned int version;

	for (version = 1; version <= 5; version++) {
		boot_intel(version < 3 ? INTEL_FAM6_CORE2_PENRYN : INTEL_FAM6_SKYLAKE, version, 3);
		CHECK_EQ(reason_of(EVENT, 0), PCL_REASON_NONE);
		CHECK_EQ(reason_of(EVENT | X86_SEL_ANY, 0), version < 3 ? PCL_REASON_X86_ANY_ABSENT : PCL_REASON_NONE);
	}
	be_intel(INTEL_FAM6_ICELAKE);
	leaf_a.eax.split.version_id = 5;
	leaf_a.edx.split.anythread_deprecated = 1;
	leaf_a.ecx = 7;
	boot(no_machine);
	CHECK_EQ(reason_of(EVENT, 0), PCL_REASON_NONE);
	CHECK_EQ(reason_of(EVENT | X86_SEL_ANY, 0), PCL_REASON_X86_ANY_ABSENT);
}

/* Stock looks from version 2 on: behind what the event is, and before what else it may ask for. */
static void aux_output_is_for_precise_samples(void)
{
	unsigned int version;
	int err;

	aux_output = true;
	for (version = 1; version <= 5; version++) {
		boot_intel(version < 3 ? INTEL_FAM6_CORE2_PENRYN : INTEL_FAM6_SKYLAKE, version, 3);
		CHECK_EQ(reason_of(EVENT, 100000), version < 2 ? PCL_REASON_NONE : PCL_REASON_X86_AUX_OUTPUT_IMPRECISE);
		precise = true;
		CHECK_EQ(make(EVENT, 100000, &err)->refused, PCL_REASON_UNBUILT_PRECISE);
		CHECK_EQ(err, -EOPNOTSUPP);
		precise = false;
	}
	CHECK_EQ(make(0x00c4, 1, &err)->refused, PCL_REASON_UNBUILT_BTS);
	boot_intel(INTEL_FAM6_ICELAKE, 5, 4);
	CHECK_EQ(reason_of(TOPDOWN_FIRST, 0), PCL_REASON_X86_AUX_OUTPUT_IMPRECISE);
	boot_amd(0x17);
	CHECK_EQ(reason_of(EVENT, 100000), PCL_REASON_NONE);
	be_amd(BIT_ULL(X86_FEATURE_PERFMON_V2));
	boot(no_machine);
	CHECK_EQ(x86_machine.version, 2);
	CHECK_EQ(reason_of(EVENT, 100000), PCL_REASON_NONE);
	aux_output = false;
}

/* SDM, "Performance Metrics": where there is a counter of slots, fixed counter 3 */
static void top_down_metrics_are_not_built(void)
{
	static const u8 numbers[] = { INTEL_FAM6_ICELAKE_X, INTEL_FAM6_SAPPHIRERAPIDS_X };
	unsigned int i;
	u64 metric;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		boot_intel(numbers[i], 5, 4);
		for (metric = TOPDOWN_FIRST; metric <= TOPDOWN_LAST; metric += 0x100)
			CHECK_EQ(reason_of(metric, 0), PCL_REASON_UNBUILT_TOPDOWN);
		CHECK_EQ(reason_of(TOPDOWN_FIRST - 0x100, 0), PCL_REASON_NONE);
		CHECK_EQ(reason_of(TOPDOWN_LAST + 0x100, 0), PCL_REASON_NONE);
		CHECK_EQ(reason_of(TOPDOWN_FIRST | EVENT, 0), PCL_REASON_NONE);
	}
	boot_intel(INTEL_FAM6_SKYLAKE, 4, 3);
	CHECK_EQ(reason_of(TOPDOWN_FIRST, 0), PCL_REASON_NONE);
}

/* PPR family 17h and later, "Large Increment per Cycle Events" */
static void pairs_of_counters_are_not_built(void)
{
	boot_amd(0x17);
	CHECK_EQ(reason_of(LARGE_INCREMENT, 0), PCL_REASON_UNBUILT_PAIR);
	CHECK_EQ(reason_of(LARGE_INCREMENT, 100000), PCL_REASON_UNBUILT_PAIR);
	CHECK_EQ(reason_of(LARGE_INCREMENT | BIT_ULL(32), 0), PCL_REASON_NONE);	/* event 0x103 */
	CHECK_EQ(reason_of(EVENT, 0), PCL_REASON_NONE);
	boot_amd(0x19);
	CHECK_EQ(reason_of(LARGE_INCREMENT, 0), PCL_REASON_UNBUILT_PAIR);
	boot_amd(0x15);
	CHECK_EQ(reason_of(LARGE_INCREMENT, 0), PCL_REASON_NONE);
	boot_intel(INTEL_FAM6_SKYLAKE, 4, 3);
	CHECK_EQ(reason_of(LARGE_INCREMENT, 0), PCL_REASON_NONE);
}

#endif
