// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: events of a task that are confined to one CPU, while the task goes from CPU to CPU.
 *
 * Concepts: each counts what the task does on its CPU, to the last page fault, whatever is done to it while the task is
 *	on another one.
 * Contexts: root; two CPUs.
 */
#include <unistd.h>
#include <sys/wait.h>

#include "lib/event.h"

#define NR_CPUS		2
#define PAGES		10	/* touched in one visit */

static void visit(int cpu, unsigned int pages)
{
	pin_to_cpu(cpu);
	touch_fresh_pages(pages);
}

static int open_on(int cpu, int group, bool enabled)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.disabled = !enabled;
	return must_open(&attr, 0, test_busted("cpu") ? -1 : cpu, group);
}

/* One on each CPU, from CPU 0, which counts. */
static void open_on_each(const struct perf_event_attr *attr, int fds[NR_CPUS])
{
	int i;

	pin_to_cpu(0);
	for (i = 0; i < NR_CPUS; i++) {
		fds[i] = must_open(attr, 0, test_busted("cpu") ? -1 : i, -1);
		event_enable(fds[i]);
	}
}

static void each_counts_on_its_cpu(long unused)
{
	int fds[NR_CPUS], any, i;

	(void)unused;
	need_two_cpus();
	pin_to_cpu(0);
	for (i = 0; i < NR_CPUS; i++)
		fds[i] = open_on(i, -1, true);
	any = open_on(-1, -1, true);
	touch_fresh_pages(1);	/* what the library needs, once */
	for (i = 0; i < NR_CPUS; i++)
		event_reset(fds[i]);
	event_reset(any);
	for (i = 0; i < 100; i++)
		visit(i % NR_CPUS, i % NR_CPUS ? PAGES : 2 * PAGES);
	CHECK_EQ(event_read(fds[0]), 50 * 2 * PAGES);
	CHECK_EQ(event_read(fds[1]), 50 * PAGES);
	CHECK_EQ(event_read(any), 50 * 3 * PAGES);
}

/* What is done to an event while its task is on the other CPU holds when the task comes. */
static void controlled_from_the_other_cpu(long unused)
{
	int fd, i;

	(void)unused;
	need_two_cpus();
	visit(1, 1);
	pin_to_cpu(0);
	fd = open_on(1, -1, false);
	visit(1, PAGES);
	CHECK_EQ(event_read(fd), 0);
	for (i = 0; i < 10; i++) {
		pin_to_cpu(0);
		event_reset(fd);
		event_enable(fd);
		touch_fresh_pages(PAGES);
		CHECK_EQ(event_read(fd), 0);
		visit(1, PAGES);
		CHECK_EQ(event_read(fd), PAGES);
		pin_to_cpu(0);
		event_disable(fd);
		visit(1, PAGES);
		CHECK_EQ(event_read(fd), PAGES);
	}
}

/* Groups for the other CPU come and go; a leader that is closed leaves its members to themselves. */
static void closed_from_the_other_cpu(long unused)
{
	int leader, member, stays, i;

	(void)unused;
	need_two_cpus();
	visit(1, 1);
	pin_to_cpu(0);
	stays = open_on(1, -1, true);
	for (i = 1; i <= 10; i++) {
		leader = open_on(1, -1, true);
		member = open_on(1, leader, true);
		visit(1, PAGES);
		visit(0, 1);
		CHECK_EQ(event_read(member), PAGES);
		close(leader);
		visit(1, PAGES);
		CHECK_EQ(event_read(member), 2 * PAGES);
		pin_to_cpu(0);
		close(member);
		CHECK_EQ(event_read(stays), i * 2 * PAGES);
	}
}

/* A pinned event that cannot be on its counter would end in error, and then reads as nothing. */
static void pinned_ones_wait_for_their_cpu(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t counts[NR_CPUS];
	int fds[NR_CPUS], i;

	(void)unused;
	need_two_cpus();
	attr.pinned = 1;
	open_on_each(&attr, fds);
	for (i = 0; i < 10; i++) {
		pin_to_cpu(i % NR_CPUS);
		loop_run(10000);
	}
	for (i = 0; i < NR_CPUS; i++) {
		counts[i] = event_read(fds[i]);
		CHECK(counts[i] >= 5 * 20000);
	}
	pin_to_cpu(0);
	loop_run(10000);
	CHECK(event_read(fds[1]) < counts[1] + 1000);	/* the way to the other CPU */
	CHECK(event_read(fds[0]) >= counts[0] + 20000);
}

/* Half of them for each CPU, each half more than there are counters: all get their turn, and one for both CPUs. */
static void many_share_the_counters(long unused)
{
	struct perf_event_attr attr = event_attr(BRANCHES);
	bool stays = test_busted("cpu");
	unsigned int nr = 0, rounds, i;
	uint64_t words[3];
	int fds[25];

	(void)unused;
	attr.disabled = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	pin_to_cpu(0);
	for (i = 0; i < 25; i++)
		fds[i] = must_open(&attr, 0, i == 24 ? -1 : (int)(i % NR_CPUS), -1);
	for (rounds = 0; rounds < (stays ? 30 : 10000) && nr < 25; rounds++) {
		pin_to_cpu(stays ? 0 : rounds % NR_CPUS);
		loop_run(1000000);
		for (nr = 0; nr < 25; nr++) {
			CHECK_EQ(event_read_words(fds[nr], words, 3), 3);
			CHECK(words[2] <= words[1]);
			if (!words[0] || !words[2])
				break;
		}
	}
	CHECK_EQ(nr, 25);
}

/* Inherited by a child that is made on one CPU and works on the other. */
static void children_count_on_it_too(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int fds[NR_CPUS], status, i, round;
	uint64_t before[NR_CPUS];

	(void)unused;
	need_two_cpus();
	attr.inherit = 1;
	open_on_each(&attr, fds);
	for (round = 0; round < 20; round++) {
		pid_t pid;

		pin_to_cpu(0);
		for (i = 0; i < NR_CPUS; i++)
			before[i] = event_read(fds[i]);
		pid = fork();
		if (!pid) {
			pin_to_cpu(1);
			touch_fresh_pages(500);
			_exit(0);
		}
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		CHECK_EQ(status, 0);
		CHECK(event_read(fds[1]) - before[1] >= 500);
		CHECK(event_read(fds[0]) - before[0] < 500);
	}
}

static const struct test tests[] = {
	TEST(each_counts_on_its_cpu),
	TEST(controlled_from_the_other_cpu),
	TEST(closed_from_the_other_cpu),
	TEST(pinned_ones_wait_for_their_cpu),
	TEST(many_share_the_counters),
	TEST(children_count_on_it_too),
};

int main(void)
{
	return TESTS_RUN(tests);
}
