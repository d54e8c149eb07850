// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the device of the small driver, and what the driver makes of it.
 *
 * Each stroke is one step of the registers of the CPU where the task happens to be. Counts are exact, so the tests know
 * them; the engine, its clock and the switches are the real ones.
 */
#include <kunit/test.h>
#include <linux/sched.h>

#include "tally_test.h"

/* ---- the device --------------------------------------------------------------------------------------------------- */

static DEFINE_PER_CPU(u32[TALLY_REGISTERS], registers);
static DEFINE_PER_CPU(struct irq_work, interrupt);

u32 tally_read(unsigned int nr)
{
	return (*this_cpu_ptr(&registers))[nr];
}

void tally_write(unsigned int nr, u32 value)
{
	u32 *reg = *this_cpu_ptr(&registers) + nr;

	*reg = nr == TALLY_OVERFLOWED ? *reg & ~value : value & TALLY_MASK;
}

static void strike(unsigned int strokes, bool strong)
{
	unsigned long flags;
	unsigned int i;
	u32 *reg;

	while (strokes--) {
		local_irq_save(flags);
		reg = *this_cpu_ptr(&registers);
		for (i = 0; i < TALLY_COUNTERS; i++) {
			u32 control = reg[TALLY_CONTROL + i];

			if (!(control & TALLY_RUNS) || ((control & TALLY_STRONG_ALONE) && !strong))
				continue;
			reg[TALLY_VALUE + i] = (reg[TALLY_VALUE + i] + 1) & TALLY_MASK;
			if (!reg[TALLY_VALUE + i])
				reg[TALLY_OVERFLOWED] |= BIT(i);
		}
		if (reg[TALLY_OVERFLOWED])
			irq_work_queue(this_cpu_ptr(&interrupt));
		local_irq_restore(flags);
	}
}

static int device_begin(struct kunit *test)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(per_cpu_ptr(&registers, cpu), 0, sizeof(registers));
		*per_cpu_ptr(&interrupt, cpu) = IRQ_WORK_INIT_HARD(tally_interrupt);
	}
	return perf_pmu_register(&tally_pmu, "tally", -1);
}

static void device_end(struct kunit *test)
{
	perf_pmu_unregister(&tally_pmu);
}

/* ---- events on it ------------------------------------------------------------------------------------------------- */

static struct {
	unsigned int nr;
	u64 periods;		/* what they stand for together */
} samples;

static void take_sample(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	samples.nr++;
	samples.periods += data->period;
}

static struct perf_event_attr attr_of(u64 config, u64 period)
{
	return (struct perf_event_attr) {
		.type = tally_pmu.type, .size = sizeof(struct perf_event_attr), .config = config, .sample_period = period,
	};
}

/* Of the task that runs */
static struct perf_event *open(struct kunit *test, u64 config, u64 period)
{
	struct perf_event_attr attr = attr_of(config, period);
	struct perf_event *event;

	memset(&samples, 0, sizeof(samples));
	event = perf_event_create_kernel_counter(&attr, -1, current, take_sample, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	return event;
}

static u64 count_of(struct perf_event *event)
{
	u64 enabled, running;

	return perf_event_read_value(event, &enabled, &running);
}

/* Far over what a counter holds, and each kind for itself */
static void tally_counts_strokes(struct kunit *test)
{
	struct perf_event *all = open(test, 0, 0), *strong = open(test, TALLY_STRONG_ALONE, 0);

	strike(150003, false);
	strike(70001, true);
	KUNIT_EXPECT_EQ(test, count_of(all), 220004ULL);
	KUNIT_EXPECT_EQ(test, count_of(strong), 70001ULL);
	perf_event_disable(all);
	strike(10, true);
	KUNIT_EXPECT_EQ(test, count_of(all), 220004ULL);
	perf_event_enable(all);
	strike(7, false);
	KUNIT_EXPECT_EQ(test, count_of(all), 220011ULL);
	KUNIT_EXPECT_EQ(test, count_of(strong), 70011ULL);
	KUNIT_EXPECT_EQ(test, samples.nr, 0U);
	perf_event_release_kernel(strong);
	perf_event_release_kernel(all);
}

/* The task sleeps in between, so the period goes on where it was. */
static void expect_samples(struct kunit *test, u64 period, unsigned int strokes)
{
	struct perf_event *event = open(test, 0, period);
	unsigned int pieces = 8, i;

	for (i = 0; i < pieces; i++) {
		strike(strokes / pieces, false);
		schedule_timeout_uninterruptible(1);
	}
	KUNIT_EXPECT_EQ(test, count_of(event), (u64)strokes);
	KUNIT_EXPECT_EQ(test, samples.nr, (unsigned int)(strokes / period));
	KUNIT_EXPECT_EQ(test, samples.periods, strokes / period * period);
	perf_event_release_kernel(event);
}

static void tally_samples_each_period(struct kunit *test)
{
	expect_samples(test, 1001, 40000);
}

static void tally_has_periods_wider_than_a_counter(struct kunit *test)
{
	expect_samples(test, 100000, 320000);
}

/* Three events for two counters: who waits is told so, and who ran counted each stroke. */
static void tally_shares_counters(struct kunit *test)
{
	struct perf_event *events[TALLY_COUNTERS + 1];
	u64 enabled, running, count, all = 0, struck = 0;
	unsigned int i, waiting;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		events[i] = open(test, 0, 0);
	do {
		strike(100, false);
		struck += 100;
		waiting = 0;
		for (i = 0; i < ARRAY_SIZE(events); i++)
			waiting += count_of(events[i]) == 0;
	} while (waiting && struck < 1000000000);
	KUNIT_EXPECT_EQ(test, waiting, 0U);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		count = perf_event_read_value(events[i], &enabled, &running);
		all += count;
		KUNIT_EXPECT_LE(test, running, enabled);
		perf_event_release_kernel(events[i]);
	}
	KUNIT_EXPECT_EQ(test, all, TALLY_COUNTERS * struck);
}

static void tally_knows_what_it_counts(struct kunit *test)
{
	struct perf_event_attr attr = attr_of(1, 0);

	KUNIT_EXPECT_PTR_EQ(test, perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL), ERR_PTR(-ENOENT));
	attr = attr_of(0, 0);
	attr.exclude_user = 1;
	KUNIT_EXPECT_PTR_EQ(test, perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL), ERR_PTR(-EINVAL));
}

static struct kunit_case tally_cases[] = {
	KUNIT_CASE(tally_counts_strokes),
	KUNIT_CASE(tally_samples_each_period),
	KUNIT_CASE(tally_has_periods_wider_than_a_counter),
	KUNIT_CASE(tally_shares_counters),
	KUNIT_CASE(tally_knows_what_it_counts),
	{ }
};

static struct kunit_suite tally_suite = {
	.name = "pcl-tally",
	.init = device_begin,
	.exit = device_end,
	.test_cases = tally_cases,
};

kunit_test_suite(tally_suite);
