// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: a family whose tasks inherited the same events is counted exactly, whatever happens to one of them.
 *
 * Concepts: members are children that do what they are told (lib/member.h). What a long loop counts more than a short
 *	one is known. A member that has answered is on its way to the next read(): those few instructions may be counted
 *	or not (SLACK).
 * Contexts: root; hardware events of user mode.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "lib/event.h"
#include "lib/member.h"

#define SHORT_N		1000UL
#define LONG_N		31000UL
#define DIFFERENCE	(2 * (LONG_N - SHORT_N))	/* instructions of the loop */

#define SLACK		300	/* instructions of a member */

static struct perf_event_attr family_attr(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = event_attr(type, config);

	attr.inherit = !test_busted("inherit");
	attr.disabled = 0;
	return attr;
}

/* noipa: a copy made for a constant would have other instructions. */
__attribute__((noipa))
static uint64_t counted(int fd, struct member *m, unsigned long n)
{
	uint64_t before = event_read(fd);

	member_do(m, n);
	return event_read(fd) - before;
}

/* How much more a long loop of the member counts than a short one. */
static uint64_t difference(int fd, struct member *m)
{
	uint64_t small;

	counted(fd, m, SHORT_N);
	small = counted(fd, m, SHORT_N);
	return counted(fd, m, LONG_N) - small;
}

#define CHECK_NEAR(got, want, slack)	CHECK_RANGE(got, (long)(want) - (slack), (long)(want) + (slack))
#define CHECK_COUNTS(fd, m)	CHECK_NEAR(difference(fd, m), DIFFERENCE, SLACK)
#define CHECK_SILENT(fd, m)	CHECK_NEAR(difference(fd, m), 0, SLACK)

static int open_on(pid_t pid, int group)
{
	struct perf_event_attr attr = family_attr(INSTRUCTIONS);

	return must_open(&attr, pid, -1, group);
}

static void members_count_one_by_one(long unused)
{
	int fd = open_on(0, -1), i;
	struct member m[3];

	(void)unused;
	for (i = 0; i < 3; i++)
		m[i] = member_start();
	for (i = 0; i < 3; i++)
		CHECK_COUNTS(fd, &m[i]);
	member_end(&m[1]);
	CHECK_COUNTS(fd, &m[0]);
	CHECK_COUNTS(fd, &m[2]);
	member_end(&m[0]);
	member_end(&m[2]);
}

/* All at once on all CPUs, more of them than CPUs. */
static void members_count_at_once(long unused)
{
	uint64_t sums[3], before;
	struct member m[6];
	int fd = open_on(0, -1), i, round;

	(void)unused;
	for (i = 0; i < 6; i++)
		m[i] = member_start();
	for (round = 0; round < 3; round++) {
		before = event_read(fd);
		for (i = 0; i < 6; i++)
			member_tell(&m[i], round == 2 ? 100 * LONG_N : 100 * SHORT_N);
		for (i = 0; i < 6; i++)
			member_wait(&m[i]);
		sums[round] = event_read(fd) - before;
	}
	CHECK_NEAR(sums[2] - sums[1], 6 * 100 * DIFFERENCE, 6 * SLACK);
	for (i = 0; i < 6; i++)
		member_end(&m[i]);
}

/* The opener never waits asleep: it runs beside them, and is counted as well. */
static void opener_counts_beside_its_members(long unused)
{
	int fd = open_on(0, -1);
	struct member m = member_start();
	uint64_t counts[3], before;
	int round;

	(void)unused;
	for (round = 0; round < 3; round++) {
		before = event_read(fd);
		member_tell(&m, 1000 * SHORT_N);
		loop_run(round == 2 ? 200 * LONG_N : 200 * SHORT_N);
		member_wait(&m);
		counts[round] = event_read(fd) - before;
	}
	CHECK_NEAR(counts[2] - counts[1], 200 * DIFFERENCE, SLACK);
	member_end(&m);
}

static void disable_and_enable_reach_members(long unused)
{
	int fd = open_on(0, -1);
	struct member m[2];

	(void)unused;
	m[0] = member_start();
	event_disable(fd);
	m[1] = member_start();
	CHECK_SILENT(fd, &m[0]);
	CHECK_SILENT(fd, &m[1]);
	event_enable(fd);
	CHECK_COUNTS(fd, &m[0]);
	CHECK_COUNTS(fd, &m[1]);
	member_end(&m[0]);
	member_end(&m[1]);
}

#define WORK_N		(100 * LONG_N)
#define BOTH_WORK	(2 * 2 * WORK_N)	/* instructions */
#define MOMENT_NS	1000000		/* of CPU time: who has used it since has run */

static bool has_run(const struct member *m, uint64_t since)
{
	return member_clock(m) - since > MOMENT_NS;
}

/* Until @m has run for a moment more; no longer than it takes to do what it was told. */
static void await_moment(struct member *m)
{
	struct pollfd done = { .fd = m->from, .events = POLLIN };
	uint64_t since = member_clock(m);

	while (!has_run(m, since) && !poll(&done, 1, 0))
		;
}

/* Both run when it is disabled, and for a moment after. False: one of them was done before, so nothing is shown. */
static bool disable_stops_both(int fd, struct member *m)
{
	uint64_t before = event_read(fd), still, since[2];
	bool ran;
	int i;

	for (i = 0; i < 2; i++)
		member_tell(&m[i], WORK_N);
	for (i = 0; i < 2; i++)
		await_moment(&m[i]);
	event_disable(fd);
	still = event_read(fd);
	for (i = 0; i < 2; i++)
		since[i] = member_clock(&m[i]);
	for (i = 0; i < 2; i++)
		member_wait(&m[i]);
	ran = has_run(&m[0], since[0]) && has_run(&m[1], since[1]);
	CHECK_EQ(event_read(fd), still);
	CHECK_RANGE(still - before, 1, ran ? BOTH_WORK - 1 : BOTH_WORK + 2 * SLACK);
	return ran;
}

/* It runs when it is disabled, and when it is enabled. False as before. */
static bool enable_starts(int fd, struct member *m)
{
	uint64_t still, since;
	bool ran;

	event_disable(fd);
	still = event_read(fd);
	member_tell(m, WORK_N);
	await_moment(m);
	CHECK_EQ(event_read(fd), still);
	event_enable(fd);
	since = member_clock(m);
	member_wait(m);
	ran = has_run(m, since);
	CHECK_RANGE(event_read(fd) - still, ran, 2 * WORK_N + SLACK);
	return ran;
}

/* While they run: to the instruction cannot be said, but that they stand still then, and go on. */
static void disable_reaches_members_that_run(long unused)
{
	unsigned int shown[3] = { 0 }, round, rounds = test_count(20, 3);
	struct parent parent;
	struct member m[2];
	int fd;

	(void)unused;
	need_two_cpus();	/* on one nobody runs while this does, and how soon they do is chance */
	parent = parent_start();
	fd = open_on(parent.pid, -1);
	parent_bears(&parent, m, 2);
	for (round = 0; round < rounds || !shown[0] || !shown[1] || !shown[2]; round++) {
		CHECK(round < 10 * rounds);
		shown[0] += disable_stops_both(fd, m);
		shown[1] += enable_starts(fd, &m[0]);
		shown[2] += enable_starts(fd, &m[1]);
	}
	CHECK_COUNTS(fd, &m[0]);
	CHECK_COUNTS(fd, &m[1]);
	parent_end(&parent, m, 2);
}

static void prctl_reaches_members(long unused)
{
	int fd = open_on(0, -1);
	struct member m = member_start();

	(void)unused;
	CHECK(!prctl(PR_TASK_PERF_EVENTS_DISABLE));
	CHECK_SILENT(fd, &m);
	CHECK(!prctl(PR_TASK_PERF_EVENTS_ENABLE));
	CHECK_COUNTS(fd, &m);
	member_end(&m);
}

static void other_events_go_on_when_one_is_closed(long unused)
{
	int fds[3], i;
	struct member m;

	(void)unused;
	need_counters(3);
	for (i = 0; i < 3; i++)
		fds[i] = open_on(0, i == 2 ? fds[1] : -1);
	m = member_start();
	CHECK_COUNTS(fds[2], &m);
	close(fds[0]);
	CHECK_COUNTS(fds[1], &m);
	CHECK_COUNTS(fds[2], &m);
	/* The leader of the third. */
	close(fds[1]);
	CHECK_COUNTS(fds[2], &m);
	member_end(&m);
}

static void a_later_event_counts_later_members(long unused)
{
	int early = open_on(0, -1), late;
	struct member m[3];

	(void)unused;
	m[0] = member_start();
	m[1] = member_start();
	late = open_on(0, -1);
	m[2] = member_start();
	CHECK_COUNTS(early, &m[0]);
	CHECK_COUNTS(early, &m[1]);
	CHECK_COUNTS(early, &m[2]);
	CHECK_SILENT(late, &m[0]);
	CHECK_SILENT(late, &m[1]);
	CHECK_COUNTS(late, &m[2]);
	member_do(&m[0], TOLD_TO_FORK);
	CHECK_COUNTS(early, &m[0]);
	member_end(&m[0]);
	member_end(&m[1]);
	member_end(&m[2]);
}

static void a_later_sibling_counts_later_members(long unused)
{
	int leader = open_on(0, -1), sibling;
	struct member m[2];

	(void)unused;
	m[0] = member_start();
	sibling = open_on(0, leader);
	m[1] = member_start();
	CHECK_COUNTS(leader, &m[0]);
	CHECK_SILENT(sibling, &m[0]);
	CHECK_COUNTS(leader, &m[1]);
	CHECK_COUNTS(sibling, &m[1]);
	member_end(&m[0]);
	member_end(&m[1]);
}

/* An event of one member is its alone, and its children's; what all inherited goes on. */
static void set_leave_counts_on_both_sides(long unused)
{
	int all = open_on(0, -1), one;
	struct member m[2];
	uint64_t before;

	(void)unused;
	m[0] = member_start();
	m[1] = member_start();
	one = open_on(m[0].pid, -1);
	CHECK_COUNTS(all, &m[0]);
	CHECK_COUNTS(all, &m[1]);
	CHECK_COUNTS(one, &m[0]);
	CHECK_SILENT(one, &m[1]);
	before = event_read(one);
	member_do(&m[0], TOLD_TO_FORK);
	CHECK(event_read(one) - before > 2 * SHORT_N);
	CHECK_COUNTS(one, &m[0]);
	close(one);
	CHECK_COUNTS(all, &m[0]);
	member_end(&m[0]);
	CHECK_COUNTS(all, &m[1]);
	member_end(&m[1]);
}

/* The same while it runs. */
static void events_come_and_go_on_members_that_run(long unused)
{
	uint64_t sums[3], before;
	struct member m[3];
	int fd = open_on(0, -1), i, round;

	(void)unused;
	for (i = 0; i < 3; i++)
		m[i] = member_start();
	for (round = 0; round < 3; round++) {
		before = event_read(fd);
		for (i = 0; i < 3; i++)
			member_tell(&m[i], round == 2 ? 200 * LONG_N : 200 * SHORT_N);
		for (i = 0; i < 3; i++)
			close(open_on(m[i].pid, -1));
		for (i = 0; i < 3; i++)
			member_wait(&m[i]);
		sums[round] = event_read(fd) - before;
		for (i = 0; i < 3; i++) {
			member_end(&m[i]);
			m[i] = member_start();
		}
	}
	/* What the opening itself counts here is not told apart. */
	CHECK_NEAR(sums[2] - sums[1], 3 * 200 * DIFFERENCE, 3000);
	for (i = 0; i < 3; i++)
		member_end(&m[i]);
}

static void a_member_that_execs(long unused)
{
	int fd = open_on(0, -1);
	struct member m[2];

	(void)unused;
	m[0] = member_start();
	m[1] = member_start();
	member_tell(&m[0], TOLD_TO_EXEC);
	CHECK_COUNTS(fd, &m[0]);
	CHECK_COUNTS(fd, &m[1]);
	member_end(&m[0]);
	CHECK_COUNTS(fd, &m[1]);
	member_end(&m[1]);
}

static void a_member_that_moves(long unused)
{
	int fd = open_on(0, -1), i;
	struct member m[2];
	uint64_t counts[3], before;

	(void)unused;
	m[0] = member_start();
	m[1] = member_start();
	for (i = 0; i < 3; i++) {
		before = event_read(fd);
		member_tell(&m[1], i == 2 ? 100 * LONG_N : 100 * SHORT_N);
		member_do(&m[0], TOLD_TO_MOVE);
		member_wait(&m[1]);
		counts[i] = event_read(fd) - before;
	}
	CHECK_NEAR(counts[2] - counts[1], 100 * DIFFERENCE, 2 * SLACK);
	CHECK_COUNTS(fd, &m[0]);
	member_end(&m[0]);
	member_end(&m[1]);
}

/* The opened task ends first; what its children count is still the event's. */
static void the_opened_task_ends_before_its_children(long unused)
{
	struct member m;
	int ready[2], go[2], fd;
	uint64_t before;
	char byte = 0;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(ready) && !pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &byte, 1) == 1);
		m = member_start();
		CHECK(write(ready[1], &m, sizeof(m)) == sizeof(m));
		/* The member's pipes go with this task: it reads their end later than that of go. */
		CHECK(read(go[0], &byte, 1) == 1);
		member_tell(&m, LONG_N);
		_exit(0);
	}
	fd = open_on(pid, -1);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(read(ready[0], &m, sizeof(m)) == sizeof(m));
	before = event_read(fd);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, NULL, 0) == pid);
	while (!kill(m.pid, 0))
		sched_yield();
	CHECK_RANGE(event_read(fd) - before, 2 * LONG_N, 2 * LONG_N + 100000);
}

static void *loop_thread(void *argument)
{
	loop_run((unsigned long)argument);
	return NULL;
}

static void threads_and_processes_are_one_family(long unused)
{
	int fd = open_on(0, -1), i;
	struct member m = member_start();
	uint64_t counts[3], before;
	pthread_t thread;

	(void)unused;
	for (i = 0; i < 3; i++) {
		before = event_read(fd);
		member_tell(&m, SHORT_N);
		CHECK(!pthread_create(&thread, NULL, loop_thread, (void *)(i == 2 ? LONG_N : SHORT_N)));
		CHECK(!pthread_join(thread, NULL));
		member_wait(&m);
		counts[i] = event_read(fd) - before;
	}
	CHECK_NEAR(counts[2] - counts[1], DIFFERENCE, 2000);
	CHECK_COUNTS(fd, &m);
	member_end(&m);
}

/* Each task but the last forks the next: generations of one set, most of them gone. */
static void set_end_folds_into_the_original(long unused)
{
	int fd = open_on(0, -1), generation, i;
	uint64_t counts[3], before;
	unsigned long n;
	pid_t pid;

	(void)unused;
	for (i = 0; i < 3; i++) {
		n = i == 2 ? LONG_N : SHORT_N;
		before = event_read(fd);
		pid = fork();
		for (generation = 0; !pid && generation < 20; generation++) {
			loop_run(n);
			pid = fork();
			if (pid)
				_exit(waitpid(pid, NULL, 0) != pid);
		}
		if (!pid)
			_exit(0);
		CHECK(waitpid(pid, NULL, 0) == pid);
		counts[i] = event_read(fd) - before;
	}
	CHECK_EQ(counts[2] - counts[1], 20 * DIFFERENCE);
}

struct times {
	uint64_t count, enabled, running, clocks;
};

static struct times times_of(int fd, struct member *m)
{
	struct times now;

	/* Asleep, or the clock would go on between the two. */
	await_sleep(m[0].pid);
	await_sleep(m[1].pid);
	CHECK_EQ(event_read_words(fd, &now.count, 3), 3);
	now.clocks = member_clock(&m[0]) + member_clock(&m[1]);
	return now;
}

/* The times that pass while @nr members, from @first on, run are what they have run. */
static void check_times(int fd, struct member *m, int first, int nr)
{
	struct times before = times_of(fd, m), after;
	uint64_t ran, slack;
	int i;

	for (i = first; i < first + nr; i++)
		member_tell(&m[i], 1000 * LONG_N);
	for (i = first; i < first + nr; i++)
		member_wait(&m[i]);
	after = times_of(fd, m);
	ran = after.clocks - before.clocks;
	slack = ran / 8;
	CHECK(ran > 1000000);
	CHECK_EQ(after.running - before.running, after.enabled - before.enabled);
	CHECK_NEAR(after.enabled - before.enabled, ran, slack);
}

static void times_are_those_of_all_members(long unused)
{
	struct perf_event_attr attr = family_attr(INSTRUCTIONS);
	struct parent parent = parent_start();
	struct times before, after;
	struct member m[2];
	int fd, i = 0;

	(void)unused;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = must_open(&attr, parent.pid, -1, -1);
	parent_bears(&parent, m, 2);
	check_times(fd, m, 0, 2);
	check_times(fd, m, 0, 1);
	check_times(fd, m, 1, 1);
	check_times(fd, m, 0, 2);
	/* While they sleep there is none, once they are off their CPUs. */
	do {
		CHECK(i++ < 10);
		before = times_of(fd, m);
		loop_run(100 * LONG_N);
		after = times_of(fd, m);
	} while (after.enabled != before.enabled || after.running != before.running);
	parent_end(&parent, m, 2);
}

static void a_cpu_goes_while_members_run(long unused)
{
	int fd = open_on(0, -1), i;
	uint64_t counts[3], before;
	struct member m[3];
	bool cpu1 = false;

	(void)unused;
	for (i = 0; i < 3; i++)
		m[i] = member_start();
	for (i = 0; i < 3; i++) {
		int j;

		before = event_read(fd);
		for (j = 0; j < 3; j++)
			member_tell(&m[j], i == 2 ? 200 * LONG_N : 200 * SHORT_N);
		CHECK(cpu1_set(cpu1));
		cpu1 = !cpu1;
		for (j = 0; j < 3; j++)
			member_wait(&m[j]);
		counts[i] = event_read(fd) - before;
	}
	CHECK(cpu1_set(true));
	/* What the switching of the CPU counts in this task is not told apart. */
	CHECK_NEAR(counts[2] - counts[1], 3 * 200 * DIFFERENCE, 20000);
	for (i = 0; i < 3; i++)
		member_end(&m[i]);
}

/* What a task is to be told of, or is to stop at, by itself: enabled at its own exec, ended there, pinned. */
static void what_is_per_task_stays_so(long which)
{
	struct perf_event_attr attr = family_attr(INSTRUCTIONS);
	struct member m[2];
	int fd;

	attr.disabled = which == 0;
	attr.enable_on_exec = which == 0;
	attr.remove_on_exec = which == 1;
	attr.pinned = which == 2;
	attr.inherit_stat = which == 3;
	fd = must_open_self(&attr);
	m[0] = member_start();
	m[1] = member_start();
	if (which == 0) {
		CHECK_SILENT(fd, &m[0]);
		member_tell(&m[0], TOLD_TO_EXEC);
		CHECK_COUNTS(fd, &m[0]);
		CHECK_SILENT(fd, &m[1]);
	} else {
		CHECK_COUNTS(fd, &m[0]);
		member_tell(&m[0], TOLD_TO_EXEC);
		if (which == 1)
			CHECK_SILENT(fd, &m[0]);
		else
			CHECK_COUNTS(fd, &m[0]);
		CHECK_COUNTS(fd, &m[1]);
	}
	member_end(&m[0]);
	member_end(&m[1]);
}

/* Somebody else's event on a member gives that copies of its own: no reader of the family meets a half-copied group. */
static void a_group_is_read_while_members_leave(long unused)
{
	struct perf_event_attr attr = family_attr(TASK_CLOCK), alone = event_attr(DUMMY);
	int leader, i, stop[2], status;
	uint64_t words[64];
	struct pollfd end;
	pid_t reader;

	(void)unused;
	if (!is_pcl())
		test_skip("stock's readers meet groups that are being inherited");
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	for (i = 0; i < 15; i++)
		must_open(&attr, 0, -1, leader);
	CHECK(!pipe(stop));
	reader = fork();
	if (!reader) {
		end = (struct pollfd){ .fd = stop[0], .events = POLLIN };
		while (!poll(&end, 1, 0))
			CHECK_EQ(event_read_words(leader, words, 64), test_busted("inherit") ? 0 : 17);
		_exit(0);
	}
	for (i = 0; i < (int)test_count(300, 50) && !waitpid(reader, &status, WNOHANG); i++) {
		struct member m = member_start();

		close(must_open(&alone, m.pid, -1, -1));
		member_end(&m);
	}
	CHECK_EQ(i, test_count(300, 50));
	CHECK(write(stop[1], "", 1) == 1);
	CHECK(waitpid(reader, &status, 0) == reader);
	CHECK_EQ(status, 0);
}

static const struct test tests[] = {
	TEST(members_count_one_by_one),
	TEST(members_count_at_once),
	TEST(opener_counts_beside_its_members),
	TEST(disable_and_enable_reach_members),
	TEST(disable_reaches_members_that_run),
	TEST(prctl_reaches_members),
	TEST(other_events_go_on_when_one_is_closed),
	TEST(a_later_event_counts_later_members),
	TEST(a_later_sibling_counts_later_members),
	TEST(set_leave_counts_on_both_sides),
	TEST(events_come_and_go_on_members_that_run),
	TEST(a_member_that_execs),
	TEST(a_member_that_moves),
	TEST(the_opened_task_ends_before_its_children),
	TEST(threads_and_processes_are_one_family),
	TEST(set_end_folds_into_the_original),
	TEST(times_are_those_of_all_members),
	TEST(a_cpu_goes_while_members_run),
	TEST(a_group_is_read_while_members_leave),
	TEST_WITH(what_is_per_task_stays_so, "enable_on_exec", 0),
	TEST_WITH(what_is_per_task_stays_so, "remove_on_exec", 1),
	TEST_WITH(what_is_per_task_stays_so, "pinned", 2),
	TEST_WITH(what_is_per_task_stays_so, "inherit_stat", 3),
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
