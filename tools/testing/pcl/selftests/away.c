// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: software events of a task are right, whatever is done to them while the task is on no CPU.
 *
 * Concepts: a child touches as many fresh pages as it is told, on the CPU it is told, and sleeps in between. It is
 *	certain to sleep when /proc says so, since both share a CPU unless it is sent to the other.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "lib/event.h"

#define NR	20
#define MANY	64

static pid_t child;
static int to_child, from_child;

struct order {
	int cpu, pages;
};

static void serve(int in, int out)
{
	struct order order;

	while (read(in, &order, sizeof(order)) == sizeof(order)) {
		pin_to_cpu(order.cpu);
		touch_fresh_pages(order.pages);
		if (write(out, "", 1) != 1)
			break;
	}
	_exit(0);
}

static void child_touch(int cpu, int pages)
{
	struct order order = { cpu, pages - test_busted("away") };
	char byte;

	CHECK(write(to_child, &order, sizeof(order)) == sizeof(order));
	CHECK(read(from_child, &byte, 1) == 1);
	await_sleep(child);
}

static void child_start(void)
{
	int to[2], from[2];

	pin_to_cpu(0);
	CHECK(!pipe(to) && !pipe(from));
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		close(to[1]);
		close(from[0]);
		serve(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	to_child = to[1];
	from_child = from[0];
	/* What it touches on its way, it has touched once: an order is worth its pages from now on. */
	await_sleep(child);
	child_touch(0, 2);
}

static void child_end(void)
{
	close(to_child);
	CHECK(waitpid(child, NULL, 0) == child);
	close(from_child);
}

static int open_on_child(uint32_t type, uint64_t config, int cpu, int group)
{
	struct perf_event_attr attr = event_attr(type, config);

	attr.disabled = 0;
	return must_open(&attr, child, cpu, group);
}

/* The faults of one order, which are its pages. */
static uint64_t faults_of(int fd, int cpu, int pages)
{
	uint64_t before = event_read(fd);

	child_touch(cpu, pages);
	return event_read(fd) - before;
}

static int other_cpu(void)
{
	return cpus_online() > 1;
}

static void counts_stand_still(long unused)
{
	struct perf_event_attr attr = event_attr(TASK_CLOCK);
	uint64_t first[3], second[3];
	int faults, clock;

	(void)unused;
	child_start();
	attr.disabled = 0;
	attr.exclude_kernel = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	clock = must_open(&attr, child, -1, -1);
	faults = open_on_child(PAGE_FAULTS, -1, -1);
	CHECK_EQ(event_read(faults), 0);
	CHECK_EQ(faults_of(faults, 0, NR), NR);
	CHECK_EQ(event_read_words(clock, first, 3), 3);
	loop_run(100000);
	CHECK_EQ(event_read_words(clock, second, 3), 3);
	CHECK(first[0] > 0);
	CHECK_EQ(second[0] - first[0], 0);
	CHECK_EQ(second[2] - first[2], 0);
	CHECK_EQ(first[0] == first[2], 1);
	CHECK_EQ(event_read(faults), NR);
	child_end();
	CHECK_EQ(event_read(faults), NR);
}

static void faults_are_exact_on_either_cpu(long unused)
{
	int faults, round;

	(void)unused;
	child_start();
	faults = open_on_child(PAGE_FAULTS, -1, -1);
	for (round = 0; round < NR; round++)
		CHECK_EQ(faults_of(faults, round % 2 * other_cpu(), NR), NR);
	child_end();
	CHECK_EQ(event_read(faults), NR * NR);
}

static void disabled_and_enabled_while_away(long unused)
{
	int faults, other;

	(void)unused;
	child_start();
	faults = open_on_child(PAGE_FAULTS, -1, -1);
	other = open_on_child(PAGE_FAULTS, -1, -1);
	CHECK_EQ(faults_of(faults, 0, NR), NR);
	event_disable(faults);
	CHECK_EQ(faults_of(faults, 0, NR), test_busted("away"));
	event_enable(faults);
	CHECK_EQ(faults_of(faults, other_cpu(), NR), NR);
	event_reset(faults);
	CHECK_EQ(event_read(faults), 0);
	CHECK_EQ(faults_of(faults, 0, NR), NR);
	CHECK_EQ(event_read(other), 4 * NR);
	child_end();
}

static void members_come_and_go_while_away(long unused)
{
	int leader, first, second;

	(void)unused;
	child_start();
	leader = open_on_child(PAGE_FAULTS, -1, -1);
	first = open_on_child(PAGE_FAULTS, -1, leader);
	CHECK_EQ(faults_of(first, 0, NR), NR);
	second = open_on_child(PAGE_FAULTS, -1, leader);
	CHECK_EQ(faults_of(second, 0, NR), NR);
	event_disable(leader);
	CHECK_EQ(faults_of(first, 0, NR), test_busted("away"));
	event_enable(leader);
	close(first);
	CHECK_EQ(faults_of(leader, 0, NR), NR);
	close(leader);
	CHECK_EQ(faults_of(second, other_cpu(), NR), NR);
	CHECK_EQ(event_read(second), 3 * NR);
	child_end();
}

/* One that is confined to a CPU comes and goes beside one that is not. */
static void a_confined_one_counts_there_alone(long unused)
{
	int anywhere, there;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	child_start();
	anywhere = open_on_child(PAGE_FAULTS, -1, -1);
	CHECK_EQ(faults_of(anywhere, 0, NR), NR);
	there = open_on_child(PAGE_FAULTS, 1, -1);
	CHECK_EQ(faults_of(there, 0, NR), test_busted("away"));
	CHECK_EQ(faults_of(there, 1, NR), NR);
	CHECK_EQ(faults_of(there, 0, NR), test_busted("away"));
	CHECK_EQ(faults_of(there, 1, NR), NR);
	CHECK_EQ(event_read(anywhere), 5 * NR);
	close(there);
	CHECK_EQ(faults_of(anywhere, 1, NR), NR);
	child_end();
}

/* Samples beside counts, and counts alone again when the samples are over. */
static void samples_come_and_go_beside_counts(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	struct ring ring;
	int counting, sampling;

	(void)unused;
	child_start();
	counting = open_on_child(PAGE_FAULTS, -1, -1);
	CHECK_EQ(faults_of(counting, 0, NR), NR);
	attr.disabled = 0;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_TID;
	sampling = must_open(&attr, child, -1, -1);
	ring = ring_map(sampling, 8, PROT_READ | PROT_WRITE);
	CHECK_EQ(faults_of(counting, 0, NR), NR);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), NR);
	ring_unmap(&ring);
	close(sampling);
	CHECK_EQ(faults_of(counting, other_cpu(), NR), NR);
	child_end();
	CHECK_EQ(event_read(counting), 3 * NR);
}

/*
 * A control page that comes while the task is away, or runs, is right from then on. It is written when the task goes on,
 * so what one order took is seen with the next.
 */
static void a_page_is_kept_up(long while_away)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	volatile struct perf_event_mmap_page *page;
	uint64_t words[3], before, running, enabled;
	int fd, i;

	pin_to_cpu(0);
	attr.disabled = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (while_away)
		child_start();
	fd = must_open(&attr, while_away ? child : 0, -1, -1);
	if (while_away)
		child_touch(0, NR);
	else
		switch_away(3);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(page != MAP_FAILED);
	before = page->time_running;
	for (i = 0; i < 2 && while_away; i++)
		child_touch(0, NR);
	if (!while_away)
		switch_away(3);
	/* A switch may come anywhere, and the page then tells more than it did. */
	running = page->time_running;
	enabled = page->time_enabled;
	CHECK_EQ(event_read_words(fd, words, 3), 3);
	if (test_busted("away"))
		CHECK(running == before);
	CHECK(running > before);
	CHECK(running <= words[2]);
	CHECK(enabled <= words[1]);
	CHECK(!munmap((void *)page, PAGE));
	if (while_away)
		child_end();
}

static void many_are_all_exact(long unused)
{
	int fds[MANY], i, round;

	(void)unused;
	child_start();
	for (i = 0; i < MANY; i++)
		fds[i] = open_on_child(PAGE_FAULTS, -1, i % 4 ? fds[i & ~3] : -1);
	for (round = 0; round < 4; round++) {
		child_touch(round % 2 * other_cpu(), NR);
		event_disable(fds[4 * round]);	/* a group less each time */
	}
	child_end();
	for (i = 0; i < MANY; i++)
		CHECK_EQ(event_read(fds[i]), NR * (i < 16 ? 1 + i / 4 : 4));
}

static const struct test tests[] = {
	TEST(counts_stand_still),
	TEST(faults_are_exact_on_either_cpu),
	TEST(disabled_and_enabled_while_away),
	TEST(members_come_and_go_while_away),
	TEST(a_confined_one_counts_there_alone),
	TEST(samples_come_and_go_beside_counts),
	TEST_WITH(a_page_is_kept_up, "(of a task that is away)", 1),
	TEST_WITH(a_page_is_kept_up, "(of the running task)", 0),
	TEST(many_are_all_exact),
};

int main(void)
{
	return TESTS_RUN(tests);
}
