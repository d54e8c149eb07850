// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the device of the small driver, and what the driver makes of it.
 *
 * Each stroke is one step of the registers of the CPU where the task happens to be. Counts are exact, so the tests
 * know them; the engine, its clock and the switches are the real ones.
 */
#include <kunit/test.h>
#include <linux/irq_work.h>
#include <linux/sched.h>

#include "tally_test.h"

/* ---- the device --------------------------------------------------------------------------------------------- */

static DEFINE_PER_CPU(u32[TALLY_REGISTERS], registers);
static DEFINE_PER_CPU(struct irq_work, interrupt);

static struct {
	unsigned int interrupts;
	unsigned int behind;		/* strokes that come right behind an interrupt */
	struct perf_event *read;	/* an NMI reads it before and behind each access to a register */
} around;

static void nmi(void)
{
	struct perf_event *event = around.read;

	if (event && READ_ONCE(event->oncpu) == smp_processor_id()) {
		around.read = NULL;
		tally_pmu.read(event);
		around.read = event;
	}
}

u32 tally_read(unsigned int nr)
{
	u32 value;

	nmi();
	value = (*this_cpu_ptr(&registers))[nr];
	nmi();
	return value;
}

void tally_write(unsigned int nr, u32 value)
{
	u32 *reg = *this_cpu_ptr(&registers) + nr;

	nmi();
	*reg = nr == TALLY_OVERFLOWED ? *reg & ~value : value & TALLY_MASK;
	nmi();
}

static void stroke(bool strong)
{
	u32 *reg = *this_cpu_ptr(&registers);
	unsigned int i;

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
}

/* One by one: an interrupt comes behind the stroke that it is of. */
static void strike(unsigned int strokes, bool strong)
{
	unsigned long flags;

	while (strokes--) {
		local_irq_save(flags);
		stroke(strong);
		local_irq_restore(flags);
	}
}

/* All with IRQs off: an interrupt is late by what is left of them. */
static void strike_at_once(unsigned int strokes)
{
	unsigned long flags;

	local_irq_save(flags);
	while (strokes--)
		stroke(false);
	local_irq_restore(flags);
}

static void device_interrupts(struct irq_work *work)
{
	around.interrupts++;
	tally_interrupt();
	strike_at_once(around.behind);
}

static int device_begin(struct kunit *test)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(per_cpu_ptr(&registers, cpu), 0, sizeof(registers));
		*per_cpu_ptr(&interrupt, cpu) = IRQ_WORK_INIT_HARD(device_interrupts);
	}
	return perf_pmu_register(&tally_pmu, "tally", -1);
}

static void device_end(struct kunit *test)
{
	perf_pmu_unregister(&tally_pmu);
}

/* ---- events on it ------------------------------------------------------------------------------------------- */

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
		.type = tally_pmu.type, .size = sizeof(struct perf_event_attr), .config = config,
		.sample_period = period,
	};
}

/* Of the task that runs */
static struct perf_event *open(struct kunit *test, u64 config, u64 period)
{
	struct perf_event_attr attr = attr_of(config, period);
	struct perf_event *event;

	memset(&samples, 0, sizeof(samples));
	memset(&around, 0, sizeof(around));
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

	around.read = event;
	for (i = 0; i < pieces; i++) {
		strike(strokes / pieces, false);
		schedule_timeout_uninterruptible(1);
	}
	KUNIT_EXPECT_EQ(test, count_of(event), (u64)strokes);
	KUNIT_EXPECT_EQ(test, samples.nr, (unsigned int)(strokes / period));
	KUNIT_EXPECT_EQ(test, samples.periods, strokes / period * period);
	around.read = NULL;
	KUNIT_EXPECT_LE(test, around.interrupts, (unsigned int)(strokes / min_t(u64, period, TALLY_MASK / 2)) + 1);
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

/* The mean is right though interrupts are late, and nothing is lost if they are late by half of a counter's range. */
static void tally_makes_up_for_delays(struct kunit *test)
{
	struct perf_event *event = open(test, 0, 1001);
	unsigned int i;

	for (i = 0; i < 1000; i++)
		strike_at_once(150);
	KUNIT_EXPECT_EQ(test, count_of(event), 150000ULL);
	KUNIT_EXPECT_EQ(test, samples.nr, 149U);
	perf_event_release_kernel(event);

	event = open(test, 0, 0);
	for (i = 0; i < 8; i++)
		strike_at_once(32000);
	KUNIT_EXPECT_EQ(test, count_of(event), 256000ULL);
	perf_event_release_kernel(event);
}

static void tally_says_which_period_ended(struct kunit *test)
{
	struct perf_event *event = open(test, 0, 1000);

	strike(3000, false);
	KUNIT_EXPECT_EQ(test, samples.periods, 3000ULL);
	KUNIT_EXPECT_EQ(test, perf_event_period(event, 700), 0);
	strike(2100, false);
	KUNIT_EXPECT_EQ(test, samples.nr, 6U);
	KUNIT_EXPECT_EQ(test, samples.periods, 5100ULL);
	perf_event_release_kernel(event);
}

/* With its last sample an event stops within the interrupt. */
static void tally_stops_when_told_to(struct kunit *test)
{
	struct perf_event *event = open(test, 0, 1000);

	KUNIT_ASSERT_EQ(test, perf_event_refresh(event, 3), 0);
	around.behind = 10;
	strike(5000, false);
	KUNIT_EXPECT_EQ(test, samples.nr, 3U);
	KUNIT_EXPECT_EQ(test, count_of(event), 3000ULL);
	perf_event_release_kernel(event);
}

/*
 * With an overflow pending the event is stopped and started again, as one that is throttled, or leaves its counter
 * and comes back. The interrupt comes in between. What the engine would do is done here, so that nothing else can be
 * between.
 */
static void expect_no_loss(struct kunit *test, bool leaves)
{
	struct perf_event *event = open(test, 0, 5000);
	unsigned long flags;

	strike(4999, false);
	local_irq_save(flags);
	strike_at_once(7500);
	if (leaves)
		tally_pmu.del(event, 0);
	else
		tally_pmu.stop(event, 0);
	device_interrupts(NULL);
	KUNIT_EXPECT_EQ(test, tally_read(TALLY_OVERFLOWED), 0U);
	strike_at_once(50);
	if (leaves)
		KUNIT_EXPECT_EQ(test, tally_pmu.add(event, PERF_EF_START), 0);
	else
		tally_pmu.start(event, 0);
	local_irq_restore(flags);
	strike(200000, false);
	KUNIT_EXPECT_EQ(test, count_of(event), 212499ULL);
	KUNIT_EXPECT_EQ(test, samples.nr, 40U);
	perf_event_release_kernel(event);
}

static void tally_stops_with_an_overflow_pending(struct kunit *test)
{
	expect_no_loss(test, false);
}

static void tally_leaves_with_an_overflow_pending(struct kunit *test)
{
	expect_no_loss(test, true);
}

/* Three events for two counters: who waits is told so, and who ran counted each stroke. */
static void tally_shares_counters(struct kunit *test)
{
	struct perf_event *events[TALLY_COUNTERS + 1];
	u64 enabled, running, all = 0, struck = 0;
	unsigned int i, waiting, waited = 0;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		events[i] = open(test, 0, 0);
	do {
		strike(100, false);
		struck += 100;
		waiting = 0;
		for (i = 0; i < ARRAY_SIZE(events); i++)
			waiting += count_of(events[i]) == 0;
	} while (waiting && struck < 10000000);
	KUNIT_EXPECT_EQ(test, waiting, 0U);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		all += perf_event_read_value(events[i], &enabled, &running);
		waited += running < enabled;
		perf_event_release_kernel(events[i]);
	}
	KUNIT_EXPECT_GE(test, waited, 1U);
	KUNIT_EXPECT_EQ(test, all, TALLY_COUNTERS * struck);
}

static void expect_refused(struct kunit *test, struct perf_event_attr *attr, int err)
{
	KUNIT_EXPECT_PTR_EQ(test, perf_event_create_kernel_counter(attr, -1, current, NULL, NULL), ERR_PTR(err));
}

static void tally_knows_what_it_counts(struct kunit *test)
{
	struct perf_event_attr attr = attr_of(1, 0);

	expect_refused(test, &attr, -EINVAL);
	attr = attr_of(0, 1000);
	attr.precise_ip = 1;
	expect_refused(test, &attr, -EOPNOTSUPP);
	attr = attr_of(0, 0);
	attr.exclude_user = 1;
	expect_refused(test, &attr, -EINVAL);
}

static struct kunit_case tally_cases[] = {
	KUNIT_CASE(tally_counts_strokes),
	KUNIT_CASE(tally_samples_each_period),
	KUNIT_CASE(tally_has_periods_wider_than_a_counter),
	KUNIT_CASE(tally_makes_up_for_delays),
	KUNIT_CASE(tally_says_which_period_ended),
	KUNIT_CASE(tally_stops_when_told_to),
	KUNIT_CASE(tally_stops_with_an_overflow_pending),
	KUNIT_CASE(tally_leaves_with_an_overflow_pending),
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
