// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: of whom records and samples speak, and to whom they are told: threads beside their processes, the two tasks
 *	of a switch, copies of events beside the originals, events that are off.
 *
 * Concepts: what stands in the records is in records.c, where one task is all that there is; here there are others,
 *	with which it could be mistaken.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "lib/event.h"

#define NR_FAULTS	8

static struct record record;
static struct sample sample;

static void in_thread(void *(*function)(void *))
{
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, function, NULL));
	CHECK(!pthread_join(thread, NULL));
}

/* ---- threads ---- */

/* Of the running thread's own event; @pid and @tid as in the record. */
static void check_thread(pid_t pid, pid_t tid)
{
	CHECK_EQ(pid, getpid());
	CHECK_EQ(tid, test_busted("thread") ? getpid() : gettid());
}

static void *sample_thread(void *unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	unsigned int nr = 0;
	struct ring ring;
	int fd;

	CHECK(gettid() != getpid());
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_TID;
	attr.sample_id_all = 1;
	attr.comm = 1;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	touch_fresh_pages(NR_FAULTS);
	CHECK(!prctl(PR_SET_NAME, "a thread"));
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type == PERF_RECORD_SAMPLE) {
			sample_parse(&record, &attr, &sample);
		} else {
			CHECK_EQ(record.header.type, PERF_RECORD_COMM);
			check_thread(half_of(record.body[0], 0), half_of(record.body[0], 1));
			trailer_parse(&record, &attr, &sample);
		}
		check_thread(sample.pid, sample.tid);
		nr++;
	}
	CHECK_RANGE(nr, NR_FAULTS + 1, 2 * NR_FAULTS);
	return unused;
}

static void a_thread_has_its_own_number(long unused)
{
	(void)unused;
	in_thread(sample_thread);
}

static struct ring tasks_ring;
static volatile pid_t made;

static void *note_me(void *unused)
{
	made = gettid();
	return unused;
}

/* The next record of @type that is about @tid. */
static void find_task(uint32_t type, pid_t tid)
{
	do
		CHECK(ring_find(&tasks_ring, type, &record));
	while ((pid_t)half_of(record.body[1], 0) != tid);
}

/* FORK and EXIT: {pid, ppid, tid, ptid, time} */
static void check_task(pid_t pid, pid_t ppid, pid_t tid, pid_t ptid)
{
	CHECK_EQ(half_of(record.body[0], 0), pid);
	CHECK_EQ(half_of(record.body[0], 1), test_busted("parent") ? (pid_t)1 : ppid);
	CHECK_EQ(half_of(record.body[1], 0), tid);
	CHECK_EQ(half_of(record.body[1], 1), ptid);
}

/* Who makes a task is a thread; whose child it is, is a process. A thread's parent is that of its process. */
static void *make_tasks(void *unused)
{
	pid_t pid;

	in_thread(note_me);
	find_task(PERF_RECORD_FORK, made);
	check_task(getpid(), getpid(), made, gettid());
	find_task(PERF_RECORD_EXIT, made);
	check_task(getpid(), getppid(), made, getppid());

	pid = fork();
	if (!pid)
		_exit(0);
	CHECK(waitpid(pid, NULL, 0) == pid);
	find_task(PERF_RECORD_FORK, pid);
	check_task(pid, getpid(), pid, gettid());
	find_task(PERF_RECORD_EXIT, pid);
	check_task(pid, getpid(), pid, getpid());
	return unused;
}

static void fork_and_exit_tell_threads_from_processes(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.task = 1;
	fd = must_open(&attr, -1, 0, -1);
	tasks_ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	in_thread(make_tasks);
}

/* ---- the two tasks of a switch ---- */

/* Each record of a CPU names another task than the one whose record it is, and the two of a switch name each other. */
static void a_switch_names_who_comes_and_who_went(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	pid_t went = 0, comes = 0, task, other;
	unsigned int pairs = 0;
	struct ring ring;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.context_switch = 1;
	attr.disabled = 1;
	fd = must_open(&attr, -1, 0, -1);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	switch_away(5);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SWITCH_CPU_WIDE)
			continue;
		CHECK_EQ(record.header.size, sizeof(record.header) + 8 + trailer_size(&attr));
		trailer_parse(&record, &attr, &sample);
		task = sample.tid;
		other = test_busted("switch") ? task : (pid_t)half_of(record.body[0], 1);
		CHECK(task != other);
		if (record.header.misc & PERF_RECORD_MISC_SWITCH_OUT) {
			went = task;
			comes = other;
			continue;
		}
		if (!comes && !went)
			continue;	/* the first one went before we looked */
		CHECK_EQ(task, comes);
		CHECK_EQ(other, went);
		pairs++;
	}
	CHECK(pairs >= 10);
}

/* How the running task went, of its own records. */
static void count_ways(struct ring *ring, unsigned int *preempted, unsigned int *slept)
{
	while (ring_take(ring, &record)) {
		if (!(record.header.misc & PERF_RECORD_MISC_SWITCH_OUT))
			continue;
		if (record.header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
			++*preempted;
		else
			++*slept;
	}
}

static void a_switch_says_whether_the_task_could_go_on(long unused)
{
	unsigned int preempted = 0, slept = 0, i;
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	int fd, back[2];
	pid_t pid;
	char c;

	(void)unused;
	pin_to_cpu(0);
	CHECK(!pipe(back));
	attr.context_switch = 1;
	ring = ring_open(&attr, &fd);
	pid = fork();
	if (!pid) {
		for (i = 0; i < 5; i++)
			CHECK(write(back[1], "", 1) == 1 && !usleep(1000));
		for (;;)
			sched_yield();
	}
	for (i = 0; i < 5; i++)
		CHECK(read(back[0], &c, 1) == 1);
	count_ways(&ring, &preempted, &slept);
	CHECK(slept);
	preempted = 0;
	while (!preempted) {
		sched_yield();
		count_ways(&ring, &preempted, &slept);
		CHECK(kill(pid, 0) == 0 && ++i < 1000000);
	}
	CHECK(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid);
}

/* ---- who is told ---- */

static void who_is_off_is_told_nothing(long of_cpu)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	int fd;

	pin_to_cpu(0);
	attr.comm = 1;
	attr.disabled = !test_busted("off");
	fd = of_cpu ? must_open(&attr, -1, 0, -1) : must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	CHECK(!prctl(PR_SET_NAME, "unseen"));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_COMM), 0);
	event_enable(fd);
	CHECK(!prctl(PR_SET_NAME, "seen"));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_COMM), 1);
	event_disable(fd);
	CHECK(!prctl(PR_SET_NAME, "unseen again"));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_COMM), 0);
}

enum { NAMES, MAPPINGS, DATA };

/* Who keeps a list of tasks or of their memory must know of new ones. */
static void who_wants_names_or_mappings_is_told_of_tasks(long what)
{
	struct perf_event_attr attr = dummy_attr();
	bool busted = test_busted("tasks");
	pid_t pid;
	int fd;

	pin_to_cpu(0);
	attr.comm = what == NAMES && !busted;
	attr.mmap = what == MAPPINGS && !busted;
	attr.mmap_data = what == DATA && !busted;
	fd = must_open(&attr, -1, 0, -1);
	tasks_ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	pid = fork();
	if (!pid)
		_exit(0);
	CHECK(waitpid(pid, NULL, 0) == pid);
	find_task(PERF_RECORD_FORK, pid);
	find_task(PERF_RECORD_EXIT, pid);
}

/* ---- which event, and what its group's others counted ---- */

/*
 * All samples have the original's ID; STREAM_ID tells it from the copy that comes with a child. Who has which of the two
 * is open: stock exchanges them, until the parent has another event.
 */
static void a_copy_has_a_stream_of_its_own(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS), other = dummy_attr();
	unsigned int own = 0, copies = 0;
	uint64_t id, copy = 0;
	int fd, go[2];
	struct ring ring;
	pid_t pid;
	char c;

	(void)unused;
	pin_to_cpu(0);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	attr.inherit = 1;
	fd = must_open(&attr, 0, 0, -1);
	id = event_id(fd);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	CHECK(!pipe(go));
	event_enable(fd);
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &c, 1) == 1);
		touch_fresh_pages(NR_FAULTS);
		_exit(0);
	}
	must_open_self(&other);
	touch_fresh_pages(NR_FAULTS);
	CHECK(write(go[1], "", 1) == 1 && waitpid(pid, NULL, 0) == pid);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.id, test_busted("id") ? sample.stream_id : id);
		if (sample.stream_id == id) {
			own++;
			continue;
		}
		CHECK(!copies || sample.stream_id == copy);
		copy = sample.stream_id;
		copies++;
	}
	CHECK(own >= NR_FAULTS && copies >= NR_FAULTS);
}

#define LOOPS	1000

/* What a counter of the group has counted is looked at when the leader's sample is taken. */
static void a_sample_has_what_its_group_counted_by_then(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS), counted = event_attr(INSTRUCTIONS);
	uint64_t last = 0;
	unsigned int nr = 0, i;
	struct ring ring;
	char *pages;
	int leader;

	(void)unused;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	counted.read_format = PERF_FORMAT_GROUP;
	counted.disabled = 0;
	must_open(&counted, 0, -1, leader);
	ring = ring_map(leader, 8, PROT_READ | PROT_WRITE);
	pages = fresh_pages(NR_FAULTS);
	loop_run(1);
	event_enable(leader);
	for (i = 0; i < NR_FAULTS; i++) {
		loop_run(test_busted("loop") ? 1 : LOOPS);
		touch_pages(pages, i, 1);
	}
	event_disable(leader);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.nr_read, 3);
		CHECK_EQ(sample.read[1], ++nr);
		CHECK(sample.read[2] >= last + (nr <= NR_FAULTS ? 2 * LOOPS : 0));
		last = sample.read[2];
	}
	CHECK_EQ(nr, NR_FAULTS);
}

static const struct test tests[] = {
	TEST(a_thread_has_its_own_number),
	TEST(fork_and_exit_tell_threads_from_processes),
	TEST(a_switch_names_who_comes_and_who_went),
	TEST(a_switch_says_whether_the_task_could_go_on),
	TEST_WITH(who_is_off_is_told_nothing, "(of a task)", 0),
	TEST_WITH(who_is_off_is_told_nothing, "(of a CPU)", 1),
	TEST_WITH(who_wants_names_or_mappings_is_told_of_tasks, "(names)", NAMES),
	TEST_WITH(who_wants_names_or_mappings_is_told_of_tasks, "(mappings)", MAPPINGS),
	TEST_WITH(who_wants_names_or_mappings_is_told_of_tasks, "(data)", DATA),
	TEST(a_copy_has_a_stream_of_its_own),
	TEST(a_sample_has_what_its_group_counted_by_then),
};

int main(void)
{
	return TESTS_RUN(tests);
}
