// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of time.c in the kernel's own environment. Random input against naive models: tools/testing/pcl/user.
 */
#include <kunit/test.h>
#include <linux/random.h>

#include "internal.h"

static void time_clock_stands_still_when_stopped(struct kunit *test)
{
	struct pcl_clock clock = { };

	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 500), 0ULL);
	pcl_clock_start(&clock, 1000);
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1300), 300ULL);
	pcl_clock_stop(&clock, 1400);
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 9000), 400ULL);
	pcl_clock_start(&clock, 10000);
	pcl_clock_start(&clock, 10500);		/* it runs already: nothing changes */
	pcl_clock_advance(&clock, 10600);
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 10600), 1000ULL);
}

static void time_clock_ignores_earlier_times(struct kunit *test)
{
	struct pcl_clock clock = { };

	pcl_clock_start(&clock, 1000);
	pcl_clock_advance(&clock, 1100);
	pcl_clock_advance(&clock, 1050);	/* another CPU's clock */
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1050), 100ULL);
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1200), 200ULL);
}

/* As an NMI finds it between two stores of pcl_clock_advance(), or of pcl_clock_stop(). */
static void time_clock_is_read_amidst_a_change(struct kunit *test)
{
	struct pcl_clock clock = { };

	pcl_clock_start(&clock, 1000);
	clock.time += 70;
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1070), 70ULL);
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1075), 75ULL);
	clock.time -= 70;
	clock.stamp += 70;
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1070), 70ULL);
	clock.stamp -= 70;
	pcl_clock_stop(&clock, 1100);
	clock.running = true;
	KUNIT_EXPECT_EQ(test, pcl_clock_read(&clock, 1100), 100ULL);
}

static const struct {
	enum perf_event_state state;
	bool enabled, running;
} time_states[] = {
	{ PERF_EVENT_STATE_ACTIVE, true, true },
	{ PERF_EVENT_STATE_INACTIVE, true, false },
	{ PERF_EVENT_STATE_OFF },
	{ PERF_EVENT_STATE_ERROR },
	{ PERF_EVENT_STATE_EXIT },
	{ PERF_EVENT_STATE_DEAD },
};

static void time_follows_each_state(struct kunit *test)
{
	u64 enabled, running;
	int i;

	for (i = 0; i < ARRAY_SIZE(time_states); i++) {
		struct pcl_times times = { .enabled = 7, .running = 5, .stamp = 100 };

		pcl_times_peek(&times, time_states[i].state, 130, &enabled, &running);
		KUNIT_EXPECT_EQ(test, enabled, time_states[i].enabled ? 37ULL : 7ULL);
		KUNIT_EXPECT_EQ(test, running, time_states[i].running ? 35ULL : 5ULL);
		KUNIT_EXPECT_EQ(test, times.stamp, 100ULL);
		pcl_times_advance(&times, time_states[i].state, 130);
		KUNIT_EXPECT_EQ(test, times.enabled, enabled);
		KUNIT_EXPECT_EQ(test, times.running, running);
		KUNIT_EXPECT_EQ(test, times.stamp, 130ULL);
	}
}

/* Sums over random spans, kept beside. */
static void time_adds_up(struct kunit *test)
{
	u64 now = 1000, want_enabled = 0, want_running = 0;
	struct pcl_times times = { .stamp = now };
	int i;

	for (i = 0; i < 10000; i++) {
		int s = prandom_u32_max(ARRAY_SIZE(time_states));
		u64 ns = prandom_u32_max(1000);

		now += ns;
		pcl_times_advance(&times, time_states[s].state, now);
		want_enabled += time_states[s].enabled ? ns : 0;
		want_running += time_states[s].running ? ns : 0;
	}
	KUNIT_EXPECT_EQ(test, times.enabled, want_enabled);
	KUNIT_EXPECT_EQ(test, times.running, want_running);
}

static struct kunit_case time_cases[] = {
	KUNIT_CASE(time_clock_stands_still_when_stopped),
	KUNIT_CASE(time_clock_ignores_earlier_times),
	KUNIT_CASE(time_clock_is_read_amidst_a_change),
	KUNIT_CASE(time_follows_each_state),
	KUNIT_CASE(time_adds_up),
	{ }
};

static struct kunit_suite time_suite = {
	.name = "pcl-time",
	.test_cases = time_cases,
};

kunit_test_suite(time_suite);
