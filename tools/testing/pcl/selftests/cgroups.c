// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: events of a cgroup: they count on their CPU while a task of it, or of a cgroup below, runs there.
 *
 * Concepts: the test itself is in no cgroup but the root. What a worker does in user mode differs between two windows by
 *	the loop's length, exactly.
 * Contexts: root; two CPUs for some.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lib/cgroup.h"

#define SMALL_N		20000UL
#define LARGE_N		420000UL
#define PAGES		50

/* ---- counts ---- */

/* The worker's loop of this length, and more of it in the test itself, which is nowhere. */
static uint64_t window(int fd, struct worker *w, unsigned long n)
{
	event_reset(fd);
	event_enable(fd);
	loop_run(3 * n);
	work(w, RUN, n);
	loop_run(n);
	await_sleep(w->pid);
	event_disable(fd);
	return event_read(fd);
}

/* What @fd counts of the worker's loop, each time around. */
static void must_count(int fd, struct worker *w, unsigned int each)
{
	uint64_t small, large;

	window(fd, w, SMALL_N);
	small = window(fd, w, SMALL_N);
	large = window(fd, w, LARGE_N);
	CHECK_EQ(large - small, each * (LARGE_N - SMALL_N));
}

static void its_tasks_are_counted(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, which);
	unsigned int each = which == PERF_COUNT_HW_INSTRUCTIONS ? 2 : 1;
	struct worker w;
	int fd;

	pin_to_cpu(0);
	fd = open_in(&attr, "a", 0, -1);
	w = worker_start("a");
	must_count(fd, &w, each);
	worker_end(&w);
}

static void others_are_not_counted(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	struct worker w;
	int above, beside;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	above = open_in(&attr, "a/b", 0, -1);
	beside = open_in(&attr, "c", 0, -1);
	w = worker_start(test_busted("member") ? "a/b" : "a");
	if (test_busted("member"))
		cgroup_put_in(w.pid, "a/b");
	work(&w, RUN, LARGE_N);
	CHECK_EQ(event_read(above), 0);
	CHECK_EQ(event_read(beside), 0);
	worker_end(&w);
}

static void nor_is_who_runs_elsewhere(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	struct worker w;
	int elsewhere;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	pin_to_cpu(test_busted("cpu"));
	attr.disabled = 0;
	elsewhere = open_in(&attr, "a", 1, -1);
	w = worker_start("a");
	work(&w, RUN, LARGE_N);
	CHECK_EQ(event_read(elsewhere), 0);
	worker_end(&w);
}

static void those_below_are_counted(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	static const char *const names[] = { ".", "a", "a/b" };
	struct worker in_b, in_a;
	int fds[3], i;

	(void)unused;
	pin_to_cpu(0);
	for (i = 0; i < 3; i++)
		fds[i] = open_in(&attr, names[i], 0, -1);
	in_b = worker_start("a/b");
	in_a = worker_start("a");
	must_count(fds[1], &in_b, 2);
	must_count(fds[2], &in_b, 2);
	must_count(fds[1], &in_a, 2);
	/* The root has all, the test as well. */
	event_enable(fds[0]);
	loop_run(LARGE_N);
	work(&in_b, RUN, LARGE_N);
	CHECK_RANGE(event_read(fds[0]), 2 * 2 * LARGE_N, 3 * 2 * LARGE_N);
	worker_end(&in_a);
	worker_end(&in_b);
}

static void nested_ones_count_at_once(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	static const char *const names[] = { "a", "a/b", "c", "a/b", "a" };
	const uint64_t expected[] = { 3 * PAGES, 2 * PAGES, 7 * PAGES, 2 * PAGES, 3 * PAGES };
	struct worker in_a, in_b, in_c;
	int fds[5], i;

	(void)unused;
	pin_to_cpu(0);
	in_a = worker_start("a");
	in_b = worker_start("a/b");
	in_c = worker_start("c");
	attr.disabled = 0;
	for (i = 0; i < 5; i++)
		fds[i] = open_in(&attr, names[i], 0, -1);
	for (i = 0; i < PAGES; i++) {
		touch_fresh_pages(1);
		work(&in_a, TOUCH, 1);
		work(&in_c, TOUCH, 7);
		work(&in_b, TOUCH, 2);
	}
	for (i = 0; i < 5; i++)
		CHECK_EQ(event_read(fds[i]), expected[i]);
	worker_end(&in_a);
	worker_end(&in_b);
	worker_end(&in_c);
}

static void each_cpu_counts_its_part(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	struct worker w;
	int fds[2], i;

	(void)unused;
	need_two_cpus();
	pin_to_cpu(0);
	attr.disabled = 0;
	w = worker_start("a");
	for (i = 0; i < 2; i++)
		fds[i] = open_in(&attr, "a", i, -1);
	for (i = 0; i < 2 * PAGES; i++) {
		worker_to_cpu(&w, i % 2);
		work(&w, TOUCH, 1 + i % 2);
	}
	CHECK_EQ(event_read(fds[0]), PAGES);
	CHECK_EQ(event_read(fds[1]), 2 * PAGES);
	worker_end(&w);
}

/* { nr, enabled, running, then a value for each } */
static void a_group_is_read_as_one(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t small[8], large[8];
	struct worker w;
	int leader;

	(void)unused;
	pin_to_cpu(0);
	w = worker_start("a");
	attr.read_format = PERF_FORMAT_GROUP | BOTH_TIMES;
	leader = open_in(&attr, "a", 0, -1);
	attr = event_attr(BRANCHES);
	attr.disabled = 0;
	open_in(&attr, "a", 0, leader);
	attr = event_attr(PAGE_FAULTS);
	attr.disabled = 0;
	open_in(&attr, "a", 0, leader);
	event_enable(leader);
	work(&w, RUN, SMALL_N);
	await_sleep(w.pid);
	CHECK_EQ(event_read_words(leader, small, 8), 6);
	event_reset(leader);
	work(&w, TOUCH, PAGES);
	work(&w, RUN, LARGE_N);
	await_sleep(w.pid);
	CHECK_EQ(event_read_words(leader, large, 8), 6);
	CHECK_EQ(large[0], 3);
	CHECK_EQ(large[1], large[2]);
	CHECK(large[1] > small[1]);
	CHECK(large[3] >= 2 * LARGE_N);
	CHECK(large[4] - small[4] >= LARGE_N);
	CHECK_EQ(large[5] - small[5], PAGES);
	worker_end(&w);
}

/* Relatives in two cgroups, who share the events that they inherited. */
static void relatives_may_be_in_different_ones(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t counts[2], whole;
	struct worker w[2];
	int fds[2], family, i;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	attr.inherit = 1;
	family = must_open_self(&attr);
	attr.inherit = 0;
	for (i = 0; i < 2; i++) {
		w[i] = worker_start(i ? "c" : "a");
		fds[i] = open_in(&attr, i ? "c" : "a", 0, -1);
	}
	whole = event_read(family);
	for (i = 0; i < 20; i++)
		work(&w[i & 1], RUN, i & 1 ? LARGE_N : SMALL_N);
	for (i = 0; i < 2; i++) {
		await_sleep(w[i].pid);
		counts[i] = event_read(fds[i]);
	}
	whole = event_read(family) - whole;
	CHECK_RANGE(counts[0], 10 * 2 * SMALL_N, 10 * 2 * SMALL_N + 20000);
	CHECK_RANGE(counts[1], 10 * 2 * LARGE_N, 10 * 2 * LARGE_N + 20000);
	CHECK(whole >= counts[0] + counts[1]);
	worker_end(&w[0]);
	worker_end(&w[1]);
}

/* It counts while its leader's cgroup runs. */
static void a_member_may_be_of_no_cgroup(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	struct worker w;
	int leader, member;

	(void)unused;
	pin_to_cpu(0);
	w = worker_start("a");
	attr.disabled = 0;
	leader = open_in(&attr, "a", 0, -1);
	attr = event_attr(PAGE_FAULTS);
	attr.disabled = 0;
	member = must_open(&attr, -1, 0, leader);
	touch_fresh_pages(PAGES);
	CHECK_EQ(event_read(member), 0);
	work(&w, TOUCH, PAGES);
	CHECK_EQ(event_read(member), PAGES);
	touch_fresh_pages(PAGES);
	CHECK_EQ(event_read(member), PAGES);
	worker_end(&w);
}

/* ---- moving ---- */

static void *spin(void *rounds)
{
	volatile unsigned long *spun = rounds;

	pin_to_cpu(1);
	spun[1] = gettid();
	for (;;) {
		loop_run(1000);
		++*spun;
	}
	return NULL;
}

/* A process that goes round and round on CPU 1, with its first thread or with another; says how often, and who. */
static volatile unsigned long *spinner_start(pid_t *pid, bool with_another)
{
	volatile unsigned long *rounds = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(rounds != MAP_FAILED);
	*rounds = 0;
	pin_to_cpu(0);
	*pid = fork();
	CHECK(*pid >= 0);
	if (!*pid) {
		pthread_t thread;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!with_another)
			spin((void *)rounds);
		CHECK(!pthread_create(&thread, NULL, spin, (void *)rounds));
		pthread_join(thread, NULL);
	}
	while (!*rounds)
		;
	return rounds;
}

static void spinner_end(pid_t pid)
{
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static void await_rounds(volatile unsigned long *rounds, unsigned long more)
{
	unsigned long until = *rounds + more;

	while (*rounds < until)
		;
}

static void who_runs_can_be_moved(long with_another)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned long begin, before, in, out, after, i;
	volatile unsigned long *rounds;
	uint64_t count;
	int fd, own;
	pid_t pid;

	if (cpus_online() < 2)
		test_skip("one CPU");
	rounds = spinner_start(&pid, with_another);
	attr.disabled = 0;
	fd = open_in(&attr, "a", 1, -1);
	own = must_open(&attr, rounds[1], -1, -1);
	begin = *rounds;
	for (i = 0; i < 5; i++) {
		await_rounds(rounds, 100);
		CHECK_EQ(event_read(fd), 0);
		before = *rounds;
		cgroup_put_in(pid, i & 1 ? "a/b" : "a");
		in = *rounds;
		await_rounds(rounds, 1000);
		out = *rounds;
		cgroup_put_in(pid, test_busted("moved") ? "a" : ".");
		after = *rounds;
		count = event_read(fd);
		CHECK(count >= (out - in - 1) * 2000);
		CHECK(count <= (after - before + 2) * 2050);
		await_rounds(rounds, 100);
		CHECK_EQ(event_read(fd), count);
		event_reset(fd);
	}
	/* What the thread's own event counted was not disturbed. */
	after = *rounds;
	CHECK(event_read(own) >= (after - begin - 1) * 2000);
	spinner_end(pid);
}

/* Control and reading from the other CPU. */
static void controlled_from_elsewhere(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	volatile unsigned long *rounds;
	uint64_t count, more;
	pid_t pid;
	int fd;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	rounds = spinner_start(&pid, false);
	cgroup_put_in(pid, test_busted("member") ? "." : "a");
	fd = open_in(&attr, "a", 1, -1);
	await_rounds(rounds, 100);
	CHECK_EQ(event_read(fd), 0);
	event_enable(fd);
	await_rounds(rounds, 100);
	count = event_read(fd);
	CHECK(count >= 99 * 2000);
	await_rounds(rounds, 100);
	more = event_read(fd);
	CHECK(more >= count + 99 * 2000);
	event_disable(fd);
	more = event_read(fd);
	await_rounds(rounds, 100);
	CHECK_EQ(event_read(fd), more);
	event_reset(fd);
	CHECK_EQ(event_read(fd), 0);
	event_enable(fd);
	await_rounds(rounds, 100);
	CHECK(event_read(fd) >= 99 * 2000);
	spinner_end(pid);
}

/* ---- ends ---- */

static void cgroup_removed_counts_no_more(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	uint64_t first[3], then[3];
	int fd, parents, dir;
	struct worker w;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	attr.read_format = BOTH_TIMES;
	CHECK(!mkdir(cgroup_path("a/d"), 0700));
	parents = open_in(&attr, "a", 0, -1);
	fd = open_in(&attr, "a/d", 0, -1);
	dir = cgroup_open("a/d");
	w = worker_start("a/d");
	event_reset(fd);
	event_reset(parents);
	work(&w, TOUCH, PAGES);
	cgroup_put_in(w.pid, "a");
	CHECK(!rmdir(cgroup_path("a/d")));
	CHECK_EQ(event_read_words(fd, first, 3), 3);
	CHECK_EQ(first[0], PAGES);
	work(&w, TOUCH, PAGES);
	event_disable(fd);
	event_enable(fd);
	work(&w, TOUCH, PAGES);
	CHECK_EQ(event_read_words(fd, then, 3), 3);
	CHECK(!memcmp(first, then, sizeof(then)));
	CHECK_EQ(event_read_words(parents, then, 3), 3);
	CHECK_EQ(then[0], 3 * PAGES);
	CHECK_ERRNO(event_open(&attr, dir, 0, -1, PERF_FLAG_PID_CGROUP), ENOENT);
	close(fd);
	work(&w, TOUCH, PAGES);
	worker_end(&w);
}

/* The leader goes while its cgroup waits, and while it runs. */
static void closing_leaves_the_others(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int leader, member, stays, i;
	struct worker w;

	(void)unused;
	pin_to_cpu(0);
	attr.disabled = 0;
	w = worker_start("a");
	stays = open_in(&attr, "a", 0, -1);
	for (i = 1; i <= 10; i++) {
		leader = open_in(&attr, "a", 0, -1);
		member = open_in(&attr, "a", 0, leader);
		work(&w, TOUCH, PAGES);
		close(leader);
		work(&w, TOUCH, PAGES);
		CHECK_EQ(event_read(member), 2 * PAGES);
		close(member);
		CHECK_EQ(event_read(stays), i * 2 * PAGES);
	}
	worker_end(&w);
}

static void a_cpu_that_goes_ends_it(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	struct worker w;
	uint64_t count;
	int fd;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	pin_to_cpu(0);
	attr.disabled = 0;
	w = worker_start("a");
	fd = open_in(&attr, "a", 1, -1);
	worker_to_cpu(&w, 1);
	work(&w, TOUCH, PAGES);
	count = event_read(fd);
	CHECK(count >= PAGES);
	CHECK(cpu1_set(false));
	work(&w, TOUCH, PAGES);
	CHECK_EQ(event_read(fd), count);
	CHECK(cpu1_set(true));
	close(fd);
	fd = open_in(&attr, "a", 1, -1);
	worker_to_cpu(&w, 1);
	work(&w, TOUCH, PAGES);
	CHECK_EQ(event_read(fd), PAGES);
	worker_end(&w);
}

static int open_as_a_user(void *dir)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	drop_privileges();
	CHECK_ERRNO(event_open(&attr, *(int *)dir, 0, -1, PERF_FLAG_PID_CGROUP), EACCES);
	return 0;
}

static void it_takes_the_right_to_watch_a_cpu(long unused)
{
	long paranoid = sysctl_get("perf_event_paranoid");
	int dir = cgroup_open("a"), status;

	(void)unused;
	sysctl_set("perf_event_paranoid", test_busted("paranoid") ? 0 : 1);
	status = in_child(open_as_a_user, &dir);
	sysctl_set("perf_event_paranoid", paranoid);
	CHECK_EQ(status, 0);
}

static const struct test tests[] = {
	TEST_WITH(its_tasks_are_counted, "(instructions)", PERF_COUNT_HW_INSTRUCTIONS),
	TEST_WITH(its_tasks_are_counted, "(branches)", PERF_COUNT_HW_BRANCH_INSTRUCTIONS),
	TEST(others_are_not_counted),
	TEST(nor_is_who_runs_elsewhere),
	TEST(those_below_are_counted),
	TEST(nested_ones_count_at_once),
	TEST(each_cpu_counts_its_part),
	TEST(a_group_is_read_as_one),
	TEST(relatives_may_be_in_different_ones),
	TEST(a_member_may_be_of_no_cgroup),
	TEST_WITH(who_runs_can_be_moved, "(its first thread)", 0),
	TEST_WITH(who_runs_can_be_moved, "(another thread)", 1),
	TEST(controlled_from_elsewhere),
	TEST(cgroup_removed_counts_no_more),
	TEST(closing_leaves_the_others),
	TEST(a_cpu_that_goes_ends_it),
	TEST(it_takes_the_right_to_watch_a_cpu),
};

int main(void)
{
	return CGROUP_TESTS_RUN(tests, FIRST);
}
