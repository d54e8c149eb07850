// SPDX-License-Identifier: GPL-2.0
/*
 * Tests kernel/events/time.c against a naive model: a list of the spans between looks, each with the state that held,
 * added up from the beginning whenever a time is asked for.
 */
#include "internal.h"
#include "harness.h"

#define SPANS 200

static const enum perf_event_state states[] = {
	PERF_EVENT_STATE_ACTIVE, PERF_EVENT_STATE_INACTIVE, PERF_EVENT_STATE_OFF,
	PERF_EVENT_STATE_ERROR, PERF_EVENT_STATE_EXIT, PERF_EVENT_STATE_DEAD,
};

static void clock_counts_only_while_running(void)
{
	struct pcl_clock clock = { 0 };
	u64 now = random_below(1ULL << 40), model = 0, i;
	bool running = false;

	for (i = 0; i < 20000; i++) {
		u64 ns = random_below(1000);

		now += ns;
		if (running)
			model += ns;
		switch (random_below(4)) {
		case 0:
			pcl_clock_start(&clock, now);
			running = true;
			break;
		case 1:
			pcl_clock_stop(&clock, now);
			running = false;
			break;
		case 2:
			pcl_clock_advance(&clock, now);
			break;
		}
		CHECK_EQ(pcl_clock_read(&clock, now), model);
		if (!running)
			CHECK_EQ(pcl_clock_read(&clock, now + random_below(5000)), model);
	}
}

/* CPU clocks disagree: no time is counted twice, none is taken back. */
static void clock_never_runs_backwards(void)
{
	struct pcl_clock clock = { 0 };
	u64 latest = 1000000, first, before, i;

	pcl_clock_start(&clock, latest);
	first = latest;
	for (i = 0; i < 20000; i++) {
		u64 now = latest + random_below(100) - 50;

		before = pcl_clock_read(&clock, latest);
		pcl_clock_advance(&clock, now);
		if (now > latest)
			latest = now;
		CHECK(pcl_clock_read(&clock, latest) >= before);
		CHECK_EQ(pcl_clock_read(&clock, latest), latest - first);
	}
}

static void times_follow_the_state(void)
{
	struct { enum perf_event_state state; u64 ns; } log[SPANS];
	u64 round, enabled, running, want_enabled, want_running, now;
	struct pcl_times times;
	int i, n;

	for (round = 0; round < 200; round++) {
		now = random_below(1ULL << 50);
		times = (struct pcl_times){ .stamp = now };
		for (n = 0; n < SPANS; n++) {
			log[n].state = states[random_below(ARRAY_SIZE(states))];
			log[n].ns = random_below(4) ? random_below(100000) : 0;
			now += log[n].ns;
			pcl_times_peek(&times, log[n].state, now, &enabled, &running);
			want_enabled = 0;
			want_running = 0;
			for (i = 0; i <= n; i++) {
				if (log[i].state == PERF_EVENT_STATE_ACTIVE)
					want_running += log[i].ns;
				if (log[i].state == PERF_EVENT_STATE_ACTIVE ||
				    log[i].state == PERF_EVENT_STATE_INACTIVE)
					want_enabled += log[i].ns;
			}
			CHECK_EQ(enabled, want_enabled);
			CHECK_EQ(running, want_running);
			pcl_times_advance(&times, log[n].state, now);
			CHECK_EQ(times.enabled, want_enabled);
			CHECK_EQ(times.running, want_running);
			CHECK_EQ(times.stamp, now);
		}
	}
}

static void running_never_passes_enabled(void)
{
	struct pcl_times times = { .stamp = 500 };
	u64 i, now = 500, latest = 500;

	for (i = 0; i < 20000; i++) {
		now = latest + random_below(200) - 60;
		pcl_times_advance(&times, states[random_below(ARRAY_SIZE(states))], now);
		if (now > latest)
			latest = now;
		CHECK(times.running <= times.enabled);
		CHECK(times.enabled <= latest - 500);
		CHECK_EQ(times.stamp, latest);
	}
}

CASES(CASE(clock_counts_only_while_running), CASE(clock_never_runs_backwards),
      CASE(times_follow_the_state), CASE(running_never_passes_enabled))
