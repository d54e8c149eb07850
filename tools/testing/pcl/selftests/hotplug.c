// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: a CPU that goes and comes back counts as before, whatever its registers still hold.
 *
 * Concepts: a CPU is started by INIT, which leaves its PMU as it is. So events of all kinds run there when it goes, and
 *	then each counter must count exactly again. As in count.c, the difference of two windows of a loop is exact.
 * Contexts: root; two CPUs, of which the second can be taken offline.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "lib/event.h"

#define SMALL_N		20000UL
#define LARGE_N		1200000UL
#define PERIOD		10000
#define ALIKE		4	/* events of a kind, one on each general counter */
#define FAR		1000000000

/* How often the large loop really runs: four times more than it says when that fault is asked for. */
static unsigned long really(unsigned long n)
{
	return n + 4 * test_busted("loop");
}

static void cpu1_must(bool online)
{
	if (cpus_online() < 2 && !online)
		test_skip("one CPU");
	if (!cpu1_set(online))
		FAIL("CPU 1 does not %s: %s", online ? "come" : "go", strerror(errno));
}

/* CPU 1 goes, and comes back, while all its counters run, some of them towards an interrupt. */
static void cpu1_goes_and_comes(void)
{
	struct perf_event_attr attr;
	int fds[3 + ALIKE], i;

	for (i = 0; i < 3 + ALIKE; i++) {
		attr = i < 3 ? event_attr(INSTRUCTIONS) : event_attr(BRANCHES);
		attr.exclude_kernel = i & 1;
		attr.sample_period = i & 2 ? FAR : 0;
		attr.disabled = 0;
		fds[i] = must_open(&attr, -1, 1, -1);
	}
	pin_to_cpu(1);
	loop_run(SMALL_N);
	cpu1_must(false);	/* which moves this task */
	cpu1_must(true);
	for (i = 0; i < 3 + ALIKE; i++)
		close(fds[i]);
	pin_to_cpu(1);
}

__attribute__((noipa))
static uint64_t window_with_hotplug(int fd, unsigned long n)
{
	pin_to_cpu(1);
	event_reset(fd);
	event_enable(fd);
	loop_run(n / 4);
	cpu1_must(false);
	loop_run(n / 4);
	cpu1_must(true);
	loop_run(n / 4);
	pin_to_cpu(1);
	loop_run(n / 4);
	event_disable(fd);
	return event_read(fd);
}

static void a_tasks_count_goes_on(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, which);
	unsigned int each = which == PERF_COUNT_HW_INSTRUCTIONS ? 2 : 1;
	int fd = must_open_self(&attr);
	uint64_t small, large;

	window_with_hotplug(fd, SMALL_N);	/* pages and lazy binding */
	small = window_with_hotplug(fd, SMALL_N);
	large = window_with_hotplug(fd, really(LARGE_N));
	CHECK_EQ(large - small, each * (LARGE_N - SMALL_N));
}

/* An event of the CPU ends with it: the count is kept, and grows no more. */
static void what_a_cpu_counted_is_kept(long unused)
{
	struct perf_event_attr attr = event_attr(BRANCHES);
	uint64_t before, gone, back;
	int fd;

	(void)unused;
	fd = must_open(&attr, -1, 1, -1);
	pin_to_cpu(1);
	event_enable(fd);
	loop_run(test_busted("loop") ? LARGE_N / 2 : LARGE_N);
	pin_to_cpu(0);
	before = event_read(fd);
	cpu1_must(false);
	gone = event_read(fd);
	cpu1_must(true);
	pin_to_cpu(1);
	loop_run(LARGE_N);
	back = event_read(fd);
	CHECK_RANGE(before, LARGE_N, LARGE_N + 100000);
	CHECK_RANGE(gone, before, before + 100000);
	CHECK_EQ(back, gone);
}

__attribute__((noipa))
static void group_window(int leader, unsigned long n, uint64_t words[1 + ALIKE])
{
	must_ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	event_enable(leader);
	loop_run(n);
	event_disable(leader);
	CHECK_EQ(event_read_words(leader, words, 1 + ALIKE), 1 + ALIKE);
}

/* All general counters at once. */
static void each_counter_is_exact_again(long unused)
{
	uint64_t small[1 + ALIKE], large[1 + ALIKE];
	struct perf_event_attr attr;
	int leader, i;

	(void)unused;
	cpu1_goes_and_comes();
	attr = event_attr(BRANCHES);
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	attr.disabled = 0;
	for (i = 1; i < ALIKE; i++)
		must_open(&attr, 0, -1, leader);
	group_window(leader, SMALL_N, small);
	group_window(leader, SMALL_N, small);
	group_window(leader, really(LARGE_N), large);
	for (i = 1; i <= ALIKE; i++)
		CHECK_EQ(large[i] - small[i], LARGE_N - SMALL_N);
}

static void samples_are_as_many_as_before(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, which);
	unsigned long wanted = test_count(200, 50);
	struct ring ring;
	int fd;

	cpu1_goes_and_comes();
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run((wanted * PERIOD + PERIOD / 2) / (which == PERF_COUNT_HW_INSTRUCTIONS ? 2 : 1) /
		 (test_busted("loop") ? 2 : 1));
	event_disable(fd);
	CHECK_RANGE(ring_count(&ring, PERF_RECORD_SAMPLE), wanted - 1, wanted + 1);
}

static const struct test tests[] = {
	TEST_WITH(a_tasks_count_goes_on, "(instructions)", PERF_COUNT_HW_INSTRUCTIONS),
	TEST_WITH(a_tasks_count_goes_on, "(branches)", PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
	TEST(what_a_cpu_counted_is_kept),
	TEST(each_counter_is_exact_again),
	TEST_WITH(samples_are_as_many_as_before, "(instructions)", PERF_COUNT_HW_INSTRUCTIONS),
	TEST_WITH(samples_are_as_many_as_before, "(branches)", PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
};

int main(void)
{
	return TESTS_RUN(tests);
}
