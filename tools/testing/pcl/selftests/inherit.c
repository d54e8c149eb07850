// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what children and threads count is their parent's, and nothing of it is lost.
 *
 * Concepts: as in count.c, a difference of two runs that only differ in the length of a loop is exact.
 * Contexts: root; hardware events of user mode.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/event.h"

#define SHORT_N	1000UL
#define LONG_N	31000UL

static struct perf_event_attr inherited_attr(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = event_attr(type, config);

	attr.inherit = !test_busted("inherit");
	return attr;
}

/* Forks, runs the loop in the child, reaps it. */
static void loop_in_child(unsigned long n)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid) {
		loop_run(n);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static void loop_in_grandchild(unsigned long n)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (!pid) {
		loop_in_child(n);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static void *loop_thread(void *argument)
{
	loop_run((unsigned long)argument);
	return NULL;
}

static void loop_in_thread(unsigned long n)
{
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, loop_thread, (void *)n));
	CHECK(!pthread_join(thread, NULL));
}

/*
 * Never inlined nor specialised: a copy made for a constant would have other instructions. Not by RESET: whether that
 * clears what ended children counted is not told.
 */
__attribute__((noipa))
static uint64_t count_of(int fd, void (*work)(unsigned long n), unsigned long n)
{
	uint64_t before = event_read(fd);

	event_enable(fd);
	work(n);
	event_disable(fd);
	return event_read(fd) - before;
}

/* A waiting parent may spin in user mode a little in libc; a thread's start is not the same twice. */
static void check_work(void (*work)(unsigned long n), unsigned int slack)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t small, large;

	count_of(fd, work, SHORT_N);
	small = count_of(fd, work, SHORT_N);
	large = count_of(fd, work, LONG_N);
	CHECK_RANGE(large - small, 2 * (LONG_N - SHORT_N) - slack, 2 * (LONG_N - SHORT_N) + slack);
}

static void a_child_folds_into_its_parent(long unused)
{
	(void)unused;
	check_work(loop_in_child, 0);
}

static void a_grandchild_folds_into_both(long unused)
{
	(void)unused;
	check_work(loop_in_grandchild, 0);
}

static void a_thread_folds_into_its_process(long unused)
{
	(void)unused;
	check_work(loop_in_thread, 1000);
}

static unsigned long nr_forks;

static void loop_in_many_children(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < nr_forks; i++)
		loop_in_child(n);
}

/* Nothing is lost over a thousand forks: the sum is exact. */
static void a_thousand_forks_lose_nothing(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t small, large;

	(void)unused;
	nr_forks = test_count(1000, 100);
	loop_in_child(1);
	small = count_of(fd, loop_in_many_children, 100);
	large = count_of(fd, loop_in_many_children, 600);
	CHECK_EQ(large - small, nr_forks * 2 * 500);
}

/* The same with children that run at once, on all CPUs. */
static void loop_in_children_at_once(unsigned long n)
{
	unsigned long i;
	pid_t pid;

	for (i = 0; i < nr_forks; i++) {
		pid = fork();
		CHECK(pid >= 0);
		if (!pid) {
			loop_run(n);
			_exit(0);
		}
	}
	for (i = 0; i < nr_forks; i++)
		CHECK(wait(NULL) > 0);
}

static void children_at_once_lose_nothing(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t small, large;

	(void)unused;
	nr_forks = test_count(50, 20);
	loop_in_children_at_once(1);
	small = count_of(fd, loop_in_children_at_once, SHORT_N);
	large = count_of(fd, loop_in_children_at_once, LONG_N);
	CHECK_EQ(large - small, nr_forks * 2 * (LONG_N - SHORT_N));
}

/* A child that lives is part of its parent's count already. */
static void a_living_child_is_counted(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr), done[2], go[2];
	uint64_t before, after;
	char byte = 0;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(done) && !pipe(go));
	event_enable(fd);
	before = event_read(fd);
	pid = fork();
	if (!pid) {
		loop_run(LONG_N);
		CHECK(write(done[1], &byte, 1) == 1);
		CHECK(read(go[0], &byte, 1) == 1);
		_exit(0);
	}
	CHECK(read(done[0], &byte, 1) == 1);
	after = event_read(fd);
	CHECK_RANGE(after - before, 2 * LONG_N, 2 * LONG_N + 20000);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK_RANGE(event_read(fd) - before, 2 * LONG_N, 2 * LONG_N + 40000);
}

static void a_group_folds_member_by_member(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), sibling;
	uint64_t small[2], large[2], before;
	int i;

	(void)unused;
	attr = inherited_attr(BRANCHES);
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	for (i = 0; i < 2; i++) {
		before = event_read(sibling);
		small[0] = count_of(leader, loop_in_child, SHORT_N);
		small[1] = event_read(sibling) - before;
	}
	before = event_read(sibling);
	large[0] = count_of(leader, loop_in_child, LONG_N);
	large[1] = event_read(sibling) - before;
	CHECK_EQ(large[0] - small[0], 2 * (LONG_N - SHORT_N));
	CHECK_EQ(large[1] - small[1], LONG_N - SHORT_N);
}

static void without_inherit_a_child_is_not_counted(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd;

	(void)unused;
	attr.inherit = test_busted("inherit");
	fd = must_open_self(&attr);
	count_of(fd, loop_in_child, SHORT_N);
	CHECK_EQ(count_of(fd, loop_in_child, LONG_N), count_of(fd, loop_in_child, SHORT_N));
}

static void inherit_thread_leaves_processes_out(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int fd;

	(void)unused;
	if (test_busted("inherit"))
		attr.inherit = 1;
	else
		attr.inherit_thread = 1;
	fd = must_open_self(&attr);
	count_of(fd, loop_in_child, SHORT_N);
	CHECK_EQ(count_of(fd, loop_in_child, LONG_N), count_of(fd, loop_in_child, SHORT_N));
	CHECK_RANGE(count_of(fd, loop_in_thread, LONG_N), 2 * LONG_N, 2 * LONG_N + 100000);
}

#ifndef SYS_clone3
#define SYS_clone3	(-1)	/* SPARC has none. */
#endif

/* What starts without its parent's handlers would not survive the signal. */
static void loop_without_handlers(unsigned long n)
{
	struct clone_args args = { .flags = CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD };
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	if (pid < 0 && errno == ENOSYS)
		test_skip("this kernel has no clone3(2)");
	CHECK(pid >= 0);
	if (!pid) {
		loop_run(n);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
}

static void sigtrap_is_inherited_with_its_handler(long with)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	void (*work)(unsigned long n) = with ? loop_in_child : loop_without_handlers;
	int fd;

	/* What asks for no signal is inherited anyway. */
	check_work(loop_without_handlers, 0);
	attr.sigtrap = !test_busted("inherit") || with;
	attr.remove_on_exec = 1;
	attr.inherit = with ? attr.inherit : 1;
	fd = must_open_self(&attr);
	count_of(fd, work, SHORT_N);
	CHECK_EQ(count_of(fd, work, LONG_N) - count_of(fd, work, SHORT_N), with ? 2 * (LONG_N - SHORT_N) : 0);
}

/* One event for each CPU: their sum is what was done. */
static void events_of_each_cpu_add_up(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	unsigned int nr = cpus_online(), i;
	uint64_t sums[3] = { 0 };
	int fds[8], round;

	(void)unused;
	CHECK(nr <= 8);
	nr_forks = 8;
	for (i = 0; i < nr; i++)
		fds[i] = must_open(&attr, 0, i, -1);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < nr; i++) {
			sums[round] -= event_read(fds[i]);
			event_enable(fds[i]);
		}
		loop_in_children_at_once(round == 2 ? LONG_N : SHORT_N);
		for (i = 0; i < nr; i++) {
			event_disable(fds[i]);
			sums[round] += event_read(fds[i]);
		}
	}
	/* Which of several disabled events still counts depends on the CPU. */
	CHECK_RANGE(sums[2] - sums[1], nr_forks * 2 * (LONG_N - SHORT_N) - 2000,
		    nr_forks * 2 * (LONG_N - SHORT_N) + 2000);
}

/* What is pinned, PCL's children do not share. */
static void times_of_children_are_added(long pinned)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	uint64_t words[3];
	int fd;

	attr.pinned = pinned;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = must_open_self(&attr);
	event_enable(fd);
	nr_forks = 4;
	loop_in_children_at_once(LONG_N);
	event_disable(fd);
	CHECK_EQ(event_read_words(fd, words, 3), 3);
	CHECK(words[0] > 4 * 2 * LONG_N);
	CHECK(words[1]);
	/* Nobody waited for a counter. */
	CHECK_EQ(words[2], words[1]);
}

static void an_event_survives_exec(long unused)
{
	struct perf_event_attr attr = inherited_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t counts[3], before;
	int round;

	(void)unused;
	for (round = 0; round < 3; round++) {
		pid_t pid;

		before = event_read(fd);
		event_enable(fd);
		pid = fork();
		if (!pid) {
			execl("/proc/self/exe", "inherit", round == 2 ? "31000" : "11000", NULL);
			_exit(1);
		}
		CHECK(waitpid(pid, NULL, 0) == pid);
		event_disable(fd);
		counts[round] = event_read(fd) - before;
	}
	/* libc's start is not exactly the same for every new address space. */
	CHECK_RANGE(counts[2] - counts[1], 2 * 20000 - 4000, 2 * 20000 + 4000);
}

/* A tool that is killed leaves no event behind, not even in the living children that inherited. */
static void a_killed_tool_leaves_nothing(long unused)
{
	int ready[2], status, i;
	const char *left;
	char byte = 0;
	long nr;
	pid_t pid;

	(void)unused;
	if (!is_pcl())
		test_skip("a stock kernel does not tell how many events there are");
	CHECK(!pipe(ready));
	pid = fork();
	if (!pid) {
		struct perf_event_attr attr;

		close(ready[0]);
		CHECK(!setpgid(0, 0));
		for (i = 0; i < 40; i++) {
			attr = have_pmu() && i % 2 ? inherited_attr(INSTRUCTIONS) : inherited_attr(TASK_CLOCK);
			attr.disabled = 0;
			must_open_self(&attr);
		}
		attr = event_attr(CPU_CLOCK);
		attr.sample_period = 100000;
		ring_map(must_open(&attr, -1, 0, -1), 8, PROT_READ | PROT_WRITE);
		for (i = 0; i < 3; i++)
			if (!fork()) {
				/* Else they would hold the files. */
				CHECK(!close_range(3, ~0U, 0));
				for (;;)
					loop_run(1000000);
			}
		CHECK(write(ready[1], &byte, 1) == 1);
		for (;;)
			loop_run(1000000);
	}
	close(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	if (!test_busted("killed"))
		CHECK(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
	left = test_object_left(&nr);
	kill(-pid, SIGKILL);
	/* A task keeps its empty context. */
	if (left && strstr(left, "events"))
		FAIL("%s is %ld", left, nr);
}

#define MOST_TASKS	3

/* What samples of one task said last. */
struct told {
	uint32_t tid;
	uint64_t faults, enabled;
	unsigned int samples;
};

static struct told *told_of(struct told *told, uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < MOST_TASKS; i++) {
		if (!told[i].tid)
			told[i].tid = tid;
		if (told[i].tid == tid)
			return &told[i];
	}
	FAIL("samples of more than %u tasks", MOST_TASKS);
}

/*
 * Faults here, in a child that has used the CPU for long, in a child of that, here again. *used is for the CPU time that
 * the child used before its faults.
 */
static void fault_in_turn(uint64_t *used)
{
	pid_t pid;

	touch_fresh_pages(5);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		do {
			loop_run(1000000);
			*used = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		} while (*used < 50000000);
		touch_fresh_pages(3);
		pid = fork();
		if (!pid) {
			touch_fresh_pages(4);
			_exit(0);
		}
		_exit(pid < 0 || waitpid(pid, NULL, 0) != pid);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	touch_fresh_pages(2);
}

/*
 * A sample at each fault: which says how many its task has had, and for how long, whatever its parents and children had
 * before. All are on one CPU: while one uses it, the others do not.
 */
static void samples_read_what_their_task_counted(long group)
{
	struct perf_event_attr attr = inherited_attr(PAGE_FAULTS), member = inherited_attr(PAGE_FAULTS);
	unsigned int at = group ? 3 : 0, samples = 0, tasks;
	struct told told[MOST_TASKS] = {};
	static struct record record;
	static struct sample sample;
	struct ring ring;
	uint64_t words[8], *used, elapsed;
	int fd;

	if (!is_pcl())
		test_skip("stock has inherit with SAMPLE_READ since 6.12");
	pin_to_cpu(0);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | (group ? PERF_FORMAT_GROUP : 0);
	fd = must_open(&attr, 0, 0, -1);
	member.disabled = 0;
	if (group)
		must_open(&member, 0, 0, fd);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	used = mmap(NULL, sizeof(*used), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(used != MAP_FAILED);
	elapsed = clock_ns(CLOCK_MONOTONIC);
	event_enable(fd);
	fault_in_turn(used);
	event_disable(fd);
	elapsed = clock_ns(CLOCK_MONOTONIC) - elapsed;
	while (ring_take(&ring, &record)) {
		struct told *task;

		CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
		sample_parse(&record, &attr, &sample);
		task = told_of(told, sample.tid);
		task->samples++;
		samples++;
		CHECK_EQ(sample.read[at], task->faults + 1);
		task->faults = sample.read[at];
		task->enabled = sample.read[1];
		CHECK(sample.read[1] == sample.read[2]);
		if (group) {
			CHECK_EQ(sample.read[0], 2);
			/* The same fault counts for the one event after the other. */
			CHECK_RANGE(sample.read[at + 1], sample.read[at] - 1, sample.read[at]);
		}
	}
	for (tasks = 0; tasks < MOST_TASKS && told[tasks].tid; tasks++)
		CHECK(told[tasks].samples >= 4);
	CHECK_EQ(tasks, MOST_TASKS);
	CHECK_RANGE(told[0].enabled, 1, elapsed - *used / 2);
	CHECK_RANGE(told[1].enabled, *used / 2, elapsed);
	CHECK_RANGE(told[2].enabled, 1, elapsed - *used / 2);
	event_read_words(fd, words, 8);
	CHECK_EQ(words[at], samples);
	if (group)
		CHECK_EQ(words[at + 1], samples);
}

static const struct test tests[] = {
	TEST(a_child_folds_into_its_parent),
	TEST(a_grandchild_folds_into_both),
	TEST(a_thread_folds_into_its_process),
	TEST(a_thousand_forks_lose_nothing),
	TEST(children_at_once_lose_nothing),
	TEST(a_living_child_is_counted),
	TEST(a_group_folds_member_by_member),
	TEST(without_inherit_a_child_is_not_counted),
	TEST(inherit_thread_leaves_processes_out),
	TEST_WITH(sigtrap_is_inherited_with_its_handler, "(fork)", 1),
	TEST_WITH(sigtrap_is_inherited_with_its_handler, "(without handlers)", 0),
	TEST(events_of_each_cpu_add_up),
	TEST_WITH(times_of_children_are_added, "(shared)", false),
	TEST_WITH(times_of_children_are_added, "(pinned)", true),
	TEST_WITH(samples_read_what_their_task_counted, "(one)", false),
	TEST_WITH(samples_read_what_their_task_counted, "(a group)", true),
	TEST(an_event_survives_exec),
	TEST(a_killed_tool_leaves_nothing),
};

int main(int argc, char **argv)
{
	if (argc > 1) {
		loop_run(strtoul(argv[1], NULL, 0));
		return 0;
	}
	return TESTS_RUN(tests);
}
