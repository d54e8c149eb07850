// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: samples that a clock makes, and the period that a frequency becomes.
 *
 * Concepts: with instructions as the clock (--icount) a nanosecond is an instruction and a run is the same every time,
 *	however busy the machine is that emulates: nobody takes time away in which nothing was done.
 * Contexts: root; one CPU.
 */
#include <time.h>

#include "lib/event.h"

#define NS_PER_MS	1000000UL

/* One in each period of a millisecond, in the loop. */
static void a_clock_samples(long config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, config);
	static struct record record;
	unsigned int nr = 0, inside = 0;
	uint64_t time, periods;
	struct ring ring;
	int fd;

	attr.sample_period = test_busted("period") ? 2 * NS_PER_MS : NS_PER_MS;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	time = clock_ns(CLOCK_MONOTONIC);
	event_enable(fd);
	loop_run(30000000);
	event_disable(fd);
	time = clock_ns(CLOCK_MONOTONIC) - time;
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		nr++;
		inside += record.body[0] >= (uintptr_t)loop_begin && record.body[0] <= (uintptr_t)loop_end;
	}
	periods = time / NS_PER_MS;
	CHECK(periods >= 50);
	CHECK_RANGE(nr, periods - periods / 20, periods + 1);
	CHECK(inside * 20 >= nr * 19);
}

/* The period follows the rate of the loop until samples are as far apart as asked, and then stays there. */
static void a_frequency_becomes_a_period(long frequency)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t last[8] = {}, wanted = 1000000000 / frequency;
	static struct record record;
	unsigned int nr = 0, i;
	struct ring ring;
	int fd;

	attr.freq = 1;
	attr.sample_freq = test_busted("frequency") ? 2 * frequency : frequency;
	attr.sample_type = PERF_SAMPLE_PERIOD;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(60000000);
	event_disable(fd);
	while (ring_take(&ring, &record))
		if (record.header.type == PERF_RECORD_SAMPLE)
			last[nr++ % 8] = record.body[0];
	/* The kernel's own instructions take time and are not counted, so the period is a little shorter than the time. */
	CHECK(nr > 8);
	for (i = 0; i < 8; i++)
		CHECK_RANGE(last[i], wanted - wanted / 5, wanted + wanted / 20);
}

/* A sample stands for the period that ended with it, not for the one that begins: samples add up to the count. */
static void samples_add_up_to_the_count(long config)
{
	struct perf_event_attr attr = config < 0 ? event_attr(INSTRUCTIONS) : event_attr(PERF_TYPE_SOFTWARE, config);
	uint64_t sum = 0, period = 0, periods[2] = {};
	static struct record record;
	unsigned int nr = 0, off = 0;
	struct ring ring;
	int fd;

	if (!is_pcl())
		test_skip("stock's samples say the period that begins");
	attr.freq = 1;
	attr.sample_freq = 5000;
	attr.sample_type = PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	if (config < 0)
		loop_run(20000000);
	else
		touch_fresh_pages(20000);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		period = record.body[0];
		sum += test_busted("period") ? 2 * period : period;
		off += record.body[1] < sum || record.body[1] - sum > 64;
		periods[nr++ % 2] = period;
	}
	CHECK(nr > 20);
	CHECK(periods[0] > 1 && periods[1] > 1);
	CHECK_EQ(off, 0);
}

static const struct test tests[] = {
	TEST_WITH(a_clock_samples, "(cpu-clock)", PERF_COUNT_SW_CPU_CLOCK),
	TEST_WITH(a_clock_samples, "(task-clock)", PERF_COUNT_SW_TASK_CLOCK),
	TEST_WITH(a_frequency_becomes_a_period, "(500)", 500),
	TEST_WITH(a_frequency_becomes_a_period, "(2000)", 2000),
	TEST_WITH(a_frequency_becomes_a_period, "(10000)", 10000),
	TEST_WITH(samples_add_up_to_the_count, "(instructions)", -1),
	TEST_WITH(samples_add_up_to_the_count, "(page-faults)", PERF_COUNT_SW_PAGE_FAULTS),
};

int main(void)
{
	return TESTS_RUN(tests);
}
