// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: events survive a suspend: what counted counts on, what sampled samples on, and nothing is lost or made up.
 *
 * Concepts: the machine goes to sleep down to its core (/sys/power/pm_test): tasks are frozen, devices and the other
 *	CPUs are off, the PMU driver is told, and then all of it comes back. A window around a loop of n iterations has
 *	a suspend in the middle; as in count.c the difference of two windows is exact. The device that
 *	the root file system comes through does not come back, so this program lives in memory, and `run` starts it
 *	without a shell.
 * Contexts: root; a machine that nobody else uses.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/sendfile.h>
#include <linux/hw_breakpoint.h>

#include "lib/event.h"

#define SMALL_N	20000UL
#define LARGE_N	600000UL
#define PERIOD	10000
#define SUCCESS	"/sys/power/suspend_stats/success"

static void write_file(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, what, strlen(what)) != (ssize_t)strlen(what) || close(fd))
		FAIL("cannot write %s to %s: %s", what, path, strerror(errno));
}

static long times_suspended(void)
{
	FILE *f = fopen(SUCCESS, "r");
	long times;

	CHECK(f && fscanf(f, "%ld", &times) == 1);
	fclose(f);
	return times;
}

static int power_state;		/* /sys/power/state */
static long slept, slept_before;

/* Sleeps, and wakes at once. In a window there is a system call and nothing else. */
static void go_to_sleep(void)
{
	if (!slept++)
		slept_before = times_suspended();
	if (!test_busted("awake"))
		CHECK_EQ(write(power_state, "mem", 3), 3);
}

/* As if the driver did not start the counter of @fd again. */
static void sleep_with(int fd)
{
	go_to_sleep();
	if (test_busted("stopped"))
		event_disable(fd);
}

/* The kernel says so, too. */
static void check_slept(void)
{
	CHECK_EQ(times_suspended(), slept_before + slept);
}

__attribute__((noipa))
static uint64_t window(int fd, unsigned long n)
{
	uint64_t before = event_read(fd);

	loop_run(n);
	sleep_with(fd);
	loop_run(n);
	return event_read(fd) - before;
}

static void check_windows(int fd, unsigned int each)
{
	uint64_t small, large;

	window(fd, SMALL_N);	/* pages and lazy binding */
	small = window(fd, SMALL_N);
	large = window(fd, LARGE_N);
	CHECK_EQ(large - small, 2UL * each * (LARGE_N - SMALL_N));
	CHECK_RANGE(small - 2UL * each * SMALL_N, 0, 5000);
}

struct counted {
	uint64_t config;
	unsigned int each;
};

static const struct counted counted[] = {
	{ PERF_COUNT_HW_INSTRUCTIONS, 2 },
	{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1 },
};

enum { INSTRUCTION, BRANCH };

static void a_task_is_counted_on(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);

	attr.disabled = 0;
	check_windows(must_open_self(&attr), counted[which].each);
	check_slept();
}

/* Whatever CPU the program is on when it goes to sleep. */
static void a_task_of_another_cpu_is_counted_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	pin_to_cpu(1);
	attr.disabled = 0;
	check_windows(must_open_self(&attr), 2);
	check_slept();
}

/* All that CPU 0 does in user mode: this program and little else. */
static void a_cpu_is_counted_on(long unused)
{
	struct perf_event_attr attr = event_attr(BRANCHES);
	uint64_t before;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	fd = must_open(&attr, -1, 0, -1);
	loop_run(LARGE_N);
	before = event_read(fd);
	sleep_with(fd);
	loop_run(LARGE_N);
	CHECK_RANGE(event_read(fd) - before, LARGE_N, 20 * LARGE_N);
	check_slept();
}

static void a_group_is_counted_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t before[3], after[3];
	int leader;

	(void)unused;
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	attr = event_attr(BRANCHES);
	attr.disabled = 0;
	must_open(&attr, 0, -1, leader);
	event_enable(leader);
	CHECK_EQ(event_read_words(leader, before, 3), 3);
	loop_run(LARGE_N);
	sleep_with(leader);
	loop_run(LARGE_N);
	CHECK_EQ(event_read_words(leader, after, 3), 3);
	CHECK_RANGE(after[1] - before[1], 4 * LARGE_N, 4 * LARGE_N + 5000);
	CHECK_RANGE(after[2] - before[2], 2 * LARGE_N, 2 * LARGE_N + 5000);
	check_slept();
}

/* How many samples of the loop there are, and of anything else that is the user's. */
static unsigned int samples_in_loop(struct ring *ring)
{
	static struct record record;
	unsigned int nr = 0;

	while (ring_take(ring, &record)) {
		CHECK(record.header.type != PERF_RECORD_LOST);
		nr += record.header.type == PERF_RECORD_SAMPLE && record.body[0] >= (uintptr_t)loop_begin &&
		      record.body[0] < (uintptr_t)loop_end;
	}
	return nr;
}

/* A period that had begun before is gone on with: both halves together have the samples of the whole. */
static void a_task_is_sampled_on(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);
	unsigned long n = (100 * PERIOD + PERIOD / 2) / counted[which].each;
	struct ring ring;
	int fd;

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(n);
	CHECK_RANGE(samples_in_loop(&ring), 99, 101);
	sleep_with(fd);
	loop_run(n);
	CHECK_RANGE(samples_in_loop(&ring), 99, 101);
	loop_run(n);
	CHECK_RANGE(samples_in_loop(&ring), 99, 101);
	event_disable(fd);
	check_slept();
}

static void a_disabled_event_stays_so(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);

	(void)unused;
	event_enable(fd);
	loop_run(SMALL_N);
	event_disable(fd);
	event_reset(fd);
	go_to_sleep();
	if (test_busted("stopped"))
		event_enable(fd);
	loop_run(SMALL_N);
	CHECK_EQ(event_read(fd), 0);
	event_enable(fd);
	loop_run(SMALL_N);
	event_disable(fd);
	CHECK_RANGE(event_read(fd), 2 * SMALL_N, (test_busted("stopped") ? 2 : 3) * SMALL_N);
	check_slept();
}

static void rdpmc_goes_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t before, after;
	struct ring ring;

	(void)unused;
	ring = ring_map(fd, 0, PROT_READ);
	event_enable(fd);
	CHECK(event_rdpmc(ring.page, &before));
	sleep_with(fd);
	loop_run(LARGE_N);
	CHECK(event_rdpmc(ring.page, &after));
	CHECK_RANGE(after - before, 2 * LARGE_N, 2 * LARGE_N + 5000);
	CHECK_RANGE(event_read(fd) - after, 0, 200);
	check_slept();
}

static void a_breakpoint_goes_on(long unused)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	static volatile long watched;
	int fd, i;

	(void)unused;
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)&watched;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	attr.disabled = 0;
	fd = must_open_self(&attr);
	watched = 1;
	sleep_with(fd);
	for (i = 0; i < 10; i++)
		watched = i;
	CHECK_EQ(event_read(fd), 11);
	check_slept();
}

static const struct test tests[] = {
	TEST_WITH(a_task_is_counted_on, "(instructions)", INSTRUCTION),
	TEST_WITH(a_task_is_counted_on, "(branches)", BRANCH),
	TEST(a_task_of_another_cpu_is_counted_on),
	TEST(a_cpu_is_counted_on),
	TEST(a_group_is_counted_on),
	TEST_WITH(a_task_is_sampled_on, "(instructions)", INSTRUCTION),
	TEST_WITH(a_task_is_sampled_on, "(branches)", BRANCH),
	TEST(a_disabled_event_stays_so),
	TEST(rdpmc_goes_on),
	TEST(a_breakpoint_goes_on),
};

/* Runs on from memory, where the root file system cannot be missed. */
static void move_to_memory(char **argv)
{
	int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("suspend", 0);
	ssize_t length;

	if (from < 0 || to < 0)
		goto failed;
	do {
		length = sendfile(to, from, NULL, 1 << 20);
	} while (length > 0);
	if (length < 0)
		goto failed;
	close(from);
	setenv("PCL_IN_MEMORY", "1", 1);
	fexecve(to, argv, environ);
failed:
	perror("suspend: cannot move to memory");
	exit(2);
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!getenv("PCL_IN_MEMORY"))
		move_to_memory(argv);
	power_state = open("/sys/power/state", O_WRONLY | O_CLOEXEC);
	if (power_state < 0)
		FAIL("this kernel cannot be suspended: %s", strerror(errno));
	write_file("/sys/power/pm_test", "core");
	write_file("/sys/module/suspend/parameters/pm_test_delay", "0");
	return TESTS_RUN(tests);
}
