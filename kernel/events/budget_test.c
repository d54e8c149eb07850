// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: the rate of samples falls until what interrupts take fits into the share of the time that they may take.
 *
 * The tests are the driver here: they report interrupts that never were. The sysctls are written as by a program, and
 * have in the end what they had before.
 */
#include <kunit/test.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/sysctl.h>

#include "internal.h"
#include "overflow.h"

#define RATE	100000
#define LONG_NS	100000ULL
#define MANY	2000	/* so that an average of the last 128 is theirs alone */

static int rate_before, percent_before;

static int set(proc_handler *handler, int *variable, int value)
{
	struct ctl_table table = {
		.data = variable, .maxlen = sizeof(*variable), .extra1 = SYSCTL_ZERO,
	};
	char text[16];
	size_t length = snprintf(text, sizeof(text), "%d", value);
	loff_t at = 0;

	return handler(&table, 1, text, &length, &at);
}

static int set_rate(int hz)
{
	return set(perf_proc_update_handler, &sysctl_perf_event_sample_rate, hz);
}

static int set_percent(int percent)
{
	return set(perf_cpu_time_max_percent_handler, &sysctl_perf_cpu_time_max_percent, percent);
}

/* All on one CPU, of which the average is. */
static void interrupts_took(unsigned int nr, u64 ns)
{
	preempt_disable();
	while (nr--)
		perf_sample_event_took(ns);
	preempt_enable();
}

static void calm(void *unused)
{
	interrupts_took(MANY, 0);
}

/* What interrupts took before is forgotten, on each CPU, before the rate is set: it would fall for that. */
static int budget_begin_test(struct kunit *test)
{
	rate_before = sysctl_perf_event_sample_rate;
	percent_before = sysctl_perf_cpu_time_max_percent;
	KUNIT_ASSERT_EQ(test, set_percent(25), 0);
	on_each_cpu(calm, NULL, 1);
	KUNIT_ASSERT_EQ(test, set_rate(RATE), 0);
	return 0;
}

/* The rate may be set only while there is a control. */
static void budget_end_test(struct kunit *test)
{
	set_percent(25);
	on_each_cpu(calm, NULL, 1);
	set_rate(rate_before);
	set_percent(percent_before);
}

static void budget_lets_what_is_rare_be_slow(struct kunit *test)
{
	interrupts_took(1, LONG_NS);
	KUNIT_EXPECT_EQ(test, sysctl_perf_event_sample_rate, RATE);
	KUNIT_EXPECT_EQ(test, pcl_budget_per_tick(), (unsigned int)DIV_ROUND_UP(RATE, HZ));
}

/* 100 us each: a quarter of a second has room for 2500 of them, and a quarter of those is to spare. */
static void budget_falls_until_interrupts_fit(struct kunit *test)
{
	int lowered;

	interrupts_took(MANY, LONG_NS);
	lowered = sysctl_perf_event_sample_rate;
	KUNIT_EXPECT_LE(test, lowered, 2500);
	KUNIT_EXPECT_GE(test, lowered, 2000);
	KUNIT_EXPECT_EQ(test, pcl_budget_per_tick(), (unsigned int)lowered / HZ);
	/* It fits now, and stays. */
	interrupts_took(MANY, LONG_NS);
	KUNIT_EXPECT_EQ(test, sysctl_perf_event_sample_rate, lowered);
	/* Half the time is twice the share. */
	KUNIT_EXPECT_EQ(test, set_rate(RATE), 0);
	KUNIT_EXPECT_EQ(test, set_percent(50), 0);
	interrupts_took(MANY, LONG_NS);
	KUNIT_EXPECT_LE(test, sysctl_perf_event_sample_rate, 5000);
	KUNIT_EXPECT_GE(test, sysctl_perf_event_sample_rate, 4000);
}

/* However long they take, each tick has room for one. */
static void budget_is_never_zero(struct kunit *test)
{
	interrupts_took(MANY, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, pcl_budget_per_tick(), 1U);
	KUNIT_EXPECT_EQ(test, sysctl_perf_event_sample_rate, HZ);
}

static void budget_without_control(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, set_percent(100), 0);
	interrupts_took(MANY, LONG_NS);
	KUNIT_EXPECT_EQ(test, sysctl_perf_event_sample_rate, RATE);
	KUNIT_EXPECT_EQ(test, set_rate(RATE / 2), -EINVAL);
	KUNIT_EXPECT_EQ(test, sysctl_perf_event_sample_rate, RATE);
	KUNIT_EXPECT_EQ(test, set_percent(0), 0);
	interrupts_took(MANY, LONG_NS);
	KUNIT_EXPECT_EQ(test, sysctl_perf_event_sample_rate, RATE);
}

static struct kunit_case budget_cases[] = {
	KUNIT_CASE(budget_lets_what_is_rare_be_slow),
	KUNIT_CASE(budget_falls_until_interrupts_fit),
	KUNIT_CASE(budget_is_never_zero),
	KUNIT_CASE(budget_without_control),
	{ }
};

static struct kunit_suite budget_suite = {
	.name = "pcl-budget",
	.init = budget_begin_test,
	.exit = budget_end_test,
	.test_cases = budget_cases,
};

kunit_test_suite(budget_suite);
