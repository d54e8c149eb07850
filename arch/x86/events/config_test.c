// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: attrs become select registers, or are refused for the reason that is theirs.
 *
 * Runs on whatever core PMU the machine has. What only Intel or only AMD can say is skipped on the other, and a machine
 * without a PMU skips all.
 */
#include <kunit/test.h>

#include "../../../kernel/events/types.h"
#include "driver.h"

/* An attr, in the fields that matter here, and what shall come of it. */
struct row {
	const char *name;
	u32 type;
	u64 config;
	u64 config1;
	u64 period;
	bool precise;
	u64 sample_type;
	int err;
	enum pcl_reason reason;
};

static const struct row refused[] = {
	{ "skid-free sampling", PERF_TYPE_HARDWARE, .precise = true, .period = 1000,
	  .err = -EOPNOTSUPP, .reason = PCL_REASON_UNBUILT_PRECISE },
	{ "branch stacks", PERF_TYPE_HARDWARE, .period = 1000, .sample_type = PERF_SAMPLE_BRANCH_STACK,
	  .err = -EOPNOTSUPP, .reason = PCL_REASON_UNBUILT_BRANCH_STACK },
	{ "a generic event beyond the last", PERF_TYPE_HARDWARE, PERF_COUNT_HW_MAX,
	  .err = -EINVAL, .reason = PCL_REASON_X86_GENERIC_UNKNOWN },
	{ "a cache beyond the last", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_MAX,
	  .err = -EINVAL, .reason = PCL_REASON_X86_CACHE_UNIT },
	{ "an operation beyond the last", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_OP_MAX << 8,
	  .err = -EINVAL, .reason = PCL_REASON_X86_CACHE_OP },
	{ "a result beyond the last", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_RESULT_MAX << 16,
	  .err = -EINVAL, .reason = PCL_REASON_X86_CACHE_RESULT },
	{ "writing branches", PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_BPU | PERF_COUNT_HW_CACHE_OP_WRITE << 8,
	  .err = -EINVAL, .reason = PCL_REASON_X86_CACHE_SENSELESS },
	{ "prefetching data to the TLB", PERF_TYPE_HW_CACHE,
	  PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_PREFETCH << 8,
	  .err = -ENOENT, .reason = PCL_REASON_X86_CACHE_ABSENT },
};

static struct perf_event *make_event(struct kunit *test, const struct row *row, struct pcl_why *why)
{
	struct perf_event *event = kunit_kzalloc(test, sizeof(*event), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, event);
	event->pmu = &x86_core_pmu;
	event->group_leader = event;
	event->attr.type = row->type;
	event->attr.config = row->config;
	event->attr.config1 = row->config1;
	event->attr.sample_period = row->period;
	event->attr.precise_ip = row->precise;
	event->attr.sample_type = row->sample_type;
	event->hw.sample_period = row->period;
	event->why = why;
	return event;
}

static void need_pmu(struct kunit *test)
{
	if (!x86_machine.vendor)
		kunit_skip(test, "this machine has no core PMU");
}

static void each_refusal_has_its_reason(struct kunit *test)
{
	unsigned int i;

	need_pmu(test);
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		struct pcl_why why = { .reason = PCL_REASON_NONE };
		struct perf_event *event = make_event(test, &refused[i], &why);

		KUNIT_EXPECT_EQ_MSG(test, x86_event_config(event), refused[i].err, "%s", refused[i].name);
		KUNIT_EXPECT_EQ_MSG(test, why.reason, refused[i].reason, "%s", refused[i].name);
	}
}

static void every_generic_event_is_either_there_or_absent(struct kunit *test)
{
	unsigned int id, there = 0;

	need_pmu(test);
	for (id = 0; id < PERF_COUNT_HW_MAX; id++) {
		const struct row row = { .type = PERF_TYPE_HARDWARE, .config = id };
		struct pcl_why why = { .reason = PCL_REASON_NONE };
		struct perf_event *event = make_event(test, &row, &why);
		int err = x86_event_config(event);

		if (!x86_generic_code(id)) {
			KUNIT_EXPECT_EQ(test, err, -ENOENT);
			KUNIT_EXPECT_EQ(test, why.reason, PCL_REASON_X86_GENERIC_ABSENT);
			continue;
		}
		there++;
		KUNIT_EXPECT_EQ(test, err, 0);
		KUNIT_EXPECT_NE(test, event->hw.counters, 0ULL);
		KUNIT_EXPECT_EQ(test, event->hw.config & x86_generic_code(id), x86_generic_code(id));
	}
	KUNIT_EXPECT_GE(test, there, 4U);
}

/* Of a raw config the driver takes the fields that format/ in sysfs names, and none that start counting. */
static void raw_bits_are_masked(struct kunit *test)
{
	const struct row row = { .type = PERF_TYPE_RAW, .config = ~(X86_SEL_ANY | X86_SEL_CODE | X86_SEL_IN_TX |
								    X86_SEL_IN_TX_CP) | 0xc0 };
	struct perf_event *event;
	u64 taken;

	need_pmu(test);
	event = make_event(test, &row, NULL);
	KUNIT_ASSERT_EQ(test, x86_event_config(event), 0);
	taken = X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK | X86_SEL_INT | X86_SEL_USR | X86_SEL_OS | 0xc0;
	taken |= x86_machine.select_mask & X86_SEL_AMD_EVENT_HIGH;
	KUNIT_EXPECT_EQ(test, event->hw.config, taken);
}

static void privilege_levels_follow_the_exclude_flags(struct kunit *test)
{
	const struct row row = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS };
	struct perf_event *event;

	need_pmu(test);
	event = make_event(test, &row, NULL);
	event->attr.exclude_kernel = 1;
	KUNIT_ASSERT_EQ(test, x86_event_config(event), 0);
	KUNIT_EXPECT_EQ(test, event->hw.config & (X86_SEL_USR | X86_SEL_OS), X86_SEL_USR);

	event = make_event(test, &row, NULL);
	event->attr.exclude_user = 1;
	KUNIT_ASSERT_EQ(test, x86_event_config(event), 0);
	KUNIT_EXPECT_EQ(test, event->hw.config & (X86_SEL_USR | X86_SEL_OS), X86_SEL_OS);
}

static void periods_below_the_least_are_refused(struct kunit *test)
{
	struct row row = { .type = PERF_TYPE_RAW, .config = 0xc0 };
	struct pcl_why why = { .reason = PCL_REASON_NONE };
	u32 least;

	need_pmu(test);
	least = x86_machine.family->min_period;
	if (least < 2)
		kunit_skip(test, "this processor has no least period");
	row.period = least;
	KUNIT_EXPECT_EQ(test, x86_event_config(make_event(test, &row, NULL)), 0);
	row.period = least - 1;
	KUNIT_EXPECT_EQ(test, x86_event_config(make_event(test, &row, &why)), -EINVAL);
	KUNIT_EXPECT_EQ(test, why.reason, PCL_REASON_X86_PERIOD_SHORT);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_refusal_has_its_reason),
	KUNIT_CASE(every_generic_event_is_either_there_or_absent),
	KUNIT_CASE(raw_bits_are_masked),
	KUNIT_CASE(privilege_levels_follow_the_exclude_flags),
	KUNIT_CASE(periods_below_the_least_are_refused),
	{ }
};

static struct kunit_suite suite = {
	.name = "pcl_x86_config",
	.test_cases = cases,
};

kunit_test_suite(suite);
