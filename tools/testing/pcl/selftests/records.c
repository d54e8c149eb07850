// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the records beside samples: COMM, FORK, EXIT, NAMESPACES, SWITCH, LOST, THROTTLE, READ, and their
 *	trailers. Those of mappings are in mappings.c, what is told of the kernel itself is in changes.c, and what needs
 *	more than one task in told.c.
 *
 * Concepts: a dummy event writes records and never counts. Each record's body is held against what the test did; with
 *	sample_id_all a trailer follows it.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/event.h"

static struct record record;

/* ---- COMM: {pid, tid, comm} ---- */

static void comm_tells_a_new_name(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	int fd;

	(void)unused;
	attr.comm = 1;
	ring = ring_open(&attr, &fd);
	CHECK(!prctl(PR_SET_NAME, "another name"));
	CHECK(ring_find(&ring, PERF_RECORD_COMM, &record));
	CHECK_EQ(half_of(record.body[0], 0), getpid());
	CHECK_EQ(half_of(record.body[0], 1), syscall(SYS_gettid));
	CHECK(!strcmp((char *)&record.body[1], "another name"));
	CHECK(!(record.header.misc & PERF_RECORD_MISC_COMM_EXEC));
	trailer_check(&record, &attr, fd, getpid(), syscall(SYS_gettid));
	CHECK_EQ(record.header.size, sizeof(record.header) + 8 + 16 + trailer_size(&attr));
}

/* Among events that want to know nothing, and when one that did is gone and another has come. */
static void comm_tells_each_who_wants_it(long unused)
{
	struct perf_event_attr mute = event_attr(DUMMY), attr = dummy_attr(), maps = dummy_attr();
	struct ring rings[3];
	int fds[3], i;

	(void)unused;
	attr.comm = !test_busted("comm");
	maps.mmap = 1;
	must_open_self(&mute);
	for (i = 0; i < 2; i++) {
		must_open_self(&maps);
		rings[i] = ring_open(&attr, &fds[i]);
		must_open_self(&mute);
	}
	CHECK(!prctl(PR_SET_NAME, "first name"));
	for (i = 0; i < 2; i++)
		CHECK_EQ(ring_count(&rings[i], PERF_RECORD_COMM), 1);
	ring_unmap(&rings[0]);
	close(fds[0]);
	CHECK(!prctl(PR_SET_NAME, "second name"));
	CHECK_EQ(ring_count(&rings[1], PERF_RECORD_COMM), 1);
	rings[2] = ring_open(&attr, &fds[2]);
	CHECK(!prctl(PR_SET_NAME, "third name"));
	for (i = 1; i < 3; i++)
		CHECK_EQ(ring_count(&rings[i], PERF_RECORD_COMM), 1);
}

static void comm_tells_an_exec(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	int go[2], fd, status;
	struct ring ring;
	char byte = 0;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &byte, 1) == 1);
		execl("/proc/self/exe", "records", "leave", NULL);
		_exit(1);
	}
	attr.comm = 1;
	attr.comm_exec = 1;
	fd = must_open(&attr, pid, -1, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK(ring_find(&ring, PERF_RECORD_COMM, &record));
	CHECK_EQ(half_of(record.body[0], 0), pid);
	CHECK(record.header.misc & PERF_RECORD_MISC_COMM_EXEC);
	trailer_check(&record, &attr, fd, pid, pid);
}

/* ---- FORK and EXIT: {pid, ppid, tid, ptid, time} ---- */

static void fork_and_exit_tell_both_processes(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	pid_t pid;
	int fd;

	(void)unused;
	attr.task = 1;
	/* The child's end is told by the child's own event, so on its parent's CPU in one ring. */
	pin_to_cpu(0);
	attr.inherit = 1;
	fd = must_open(&attr, 0, 0, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	pid = fork();
	if (!pid)
		_exit(0);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(ring_find(&ring, PERF_RECORD_FORK, &record));
	CHECK_EQ(half_of(record.body[0], 0), pid);
	CHECK_EQ(half_of(record.body[0], 1), getpid());
	CHECK_EQ(half_of(record.body[1], 0), pid);
	CHECK_EQ(half_of(record.body[1], 1), syscall(SYS_gettid));
	CHECK(record.body[2]);
	trailer_check(&record, &attr, fd, getpid(), getpid());
	CHECK(ring_find(&ring, PERF_RECORD_EXIT, &record));
	CHECK_EQ(half_of(record.body[0], 0), pid);
	CHECK_EQ(half_of(record.body[1], 0), pid);
}

/* ---- NAMESPACES: {pid, tid, nr, {dev, ino}[nr]} ---- */

static const char *const namespace_names[NR_NAMESPACES] = {
	[NET_NS_INDEX] = "net", [UTS_NS_INDEX] = "uts", [IPC_NS_INDEX] = "ipc", [PID_NS_INDEX] = "pid",
	[USER_NS_INDEX] = "user", [MNT_NS_INDEX] = "mnt", [CGROUP_NS_INDEX] = "cgroup",
};

static struct perf_event_attr namespaces_attr(void)
{
	struct perf_event_attr attr = dummy_attr();

	attr.namespaces = !test_busted("namespaces");
	return attr;
}

static struct stat namespace_of(pid_t pid, unsigned int i)
{
	struct stat stat_;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, namespace_names[i]);
	CHECK(!stat(path, &stat_));
	return stat_;
}

/* The record tells the namespaces in which @pid is now. */
static void check_namespaces(pid_t pid)
{
	unsigned int i;

	CHECK_EQ(half_of(record.body[0], 0), pid);
	CHECK_EQ(half_of(record.body[0], 1), pid);
	CHECK_EQ(record.body[1], NR_NAMESPACES);
	for (i = 0; i < NR_NAMESPACES; i++) {
		struct stat stat = namespace_of(pid, i);

		CHECK_EQ(record.body[2 + 2 * i], stat.st_dev);
		CHECK_EQ(record.body[3 + 2 * i], stat.st_ino);
	}
	CHECK_EQ(record.header.misc, 0);
}

static void namespaces_tells_unshare_and_setns(long unused)
{
	struct perf_event_attr attr = namespaces_attr();
	int fd, before = open("/proc/self/ns/uts", O_RDONLY);
	struct stat old = namespace_of(getpid(), UTS_NS_INDEX);
	struct ring ring;

	(void)unused;
	CHECK(before >= 0);
	ring = ring_open(&attr, &fd);
	CHECK(!unshare(CLONE_NEWUTS | CLONE_NEWIPC));
	CHECK(ring_find(&ring, PERF_RECORD_NAMESPACES, &record));
	check_namespaces(getpid());
	CHECK(record.body[3 + 2 * UTS_NS_INDEX] != old.st_ino);
	trailer_check(&record, &attr, fd, getpid(), getpid());
	CHECK_EQ(record.header.size, sizeof(record.header) + 16 + NR_NAMESPACES * 16 + trailer_size(&attr));

	CHECK(!setns(before, CLONE_NEWUTS));
	CHECK(ring_find(&ring, PERF_RECORD_NAMESPACES, &record));
	check_namespaces(getpid());
	CHECK_EQ(record.body[3 + 2 * UTS_NS_INDEX], old.st_ino);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_NAMESPACES), 0);
}

/* Whoever forks tells the child's, behind FORK. An event of the CPU is told, too. */
static void namespaces_tells_a_new_process(long of_cpu)
{
	struct perf_event_attr attr = namespaces_attr();
	struct ring ring;
	int fd, go[2];
	char byte = 0;
	pid_t pid;

	pin_to_cpu(0);
	CHECK(!pipe(go));
	attr.task = 1;
	fd = must_open(&attr, of_cpu ? -1 : 0, of_cpu ? 0 : -1, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	pid = clone_bare(CLONE_NEWIPC | SIGCHLD, NULL);
	if (!pid)
		_exit(read(go[0], &byte, 1) != 1);
	do {
		CHECK(ring_find(&ring, PERF_RECORD_FORK, &record));
	} while ((pid_t)half_of(record.body[0], 0) != pid);
	do {
		CHECK(ring_find(&ring, PERF_RECORD_NAMESPACES, &record));
	} while ((pid_t)half_of(record.body[0], 0) != pid);
	check_namespaces(pid);
	trailer_check(&record, &attr, fd, getpid(), getpid());
	CHECK(namespace_of(getpid(), IPC_NS_INDEX).st_ino != record.body[3 + 2 * IPC_NS_INDEX]);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

/* ---- SWITCH ---- */

static void switch_tells_out_and_in(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	unsigned int in = 0, out = 0;
	struct ring ring;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.context_switch = !test_busted("switch");
	fd = must_open_self(&attr);
	/* Room for more: an emulator that stood still catches up with its ticks, and each may switch. */
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	switch_away(5);
	while (ring_take(&ring, &record)) {
		CHECK_EQ(record.header.type, PERF_RECORD_SWITCH);
		CHECK_EQ(record.header.size, sizeof(record.header) + trailer_size(&attr));
		trailer_check(&record, &attr, fd, getpid(), getpid());
		if (record.header.misc & PERF_RECORD_MISC_SWITCH_OUT)
			out++;
		else
			in++;
	}
	CHECK(in >= 5);
	CHECK_RANGE(out, in - 1, in + 1);
}

/* ---- LOST: {id, lost}, written with the first record that fits again ---- */

static void lost_tells_how_many(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	unsigned int taken = 0, written;
	uint64_t lost = 0, words[2];
	struct ring ring;
	char *pages;
	int fd;

	(void)unused;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_TIME;
	attr.read_format = PERF_FORMAT_LOST;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	pages = fresh_pages(300);
	event_enable(fd);
	touch_pages(pages, 0, 299);
	event_disable(fd);
	written = ring_count(&ring, PERF_RECORD_SAMPLE);
	/* A page holds so many samples of 32 bytes, and a full ring keeps a little free. */
	CHECK_RANGE(written, PAGE / 32 - 28, PAGE / 32);
	event_enable(fd);
	touch_pages(pages, 299, 1);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type == PERF_RECORD_LOST) {
			CHECK_EQ(record.body[0], event_id(fd));
			lost += record.body[1];
		} else {
			taken++;
		}
	}
	CHECK_EQ(taken, 1);
	CHECK_EQ(written + lost, 299);
	CHECK_EQ(event_read_words(fd, words, 2), 2);
	CHECK_EQ(words[1], lost);
}

/* ---- THROTTLE, UNTHROTTLE: {time, id, stream_id} ---- */

static void throttle_tells_when_and_who(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned int throttled = 0, released = 0;
	struct ring ring;
	int fd;

	(void)unused;
	/* While it is 0 the rate cannot be set. */
	sysctl_set("perf_cpu_time_max_percent", 25);
	sysctl_set("perf_event_max_sample_rate", 2000);
	attr.sample_period = 5000;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(30000000);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type == PERF_RECORD_THROTTLE)
			throttled++;
		else if (record.header.type == PERF_RECORD_UNTHROTTLE)
			released++;
		else
			continue;
		CHECK(record.body[0]);
		CHECK_EQ(record.body[1], event_id(fd));
		CHECK_EQ(record.body[2], event_id(fd));
	}
	CHECK(throttled);
	CHECK_RANGE(released, throttled - 1, throttled);
}

/* ---- READ: {pid, tid, value} ---- */

/* An inherited event ends with the program that its task leaves, and tells what it counted there. */
static void read_is_told_at_remove_on_exec(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	struct sample trailer;
	struct ring ring;
	pid_t pid;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	/* Is not inherited: else stock may exchange the two tasks' contexts, and the child ends with its parent's event. */
	must_open_self(&attr);
	attr = event_attr(PAGE_FAULTS);
	attr.sample_type = TRAILER;
	attr.sample_id_all = 1;
	attr.inherit = 1;
	attr.inherit_stat = !test_busted("trailer");
	attr.remove_on_exec = 1;
	fd = must_open(&attr, 0, 0, -1);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "records", "end", NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(ring_find(&ring, PERF_RECORD_READ, &record));
	CHECK_EQ(half_of(record.body[0], 0), pid);
	CHECK_EQ(half_of(record.body[0], 1), pid);
	CHECK(record.body[1]);
	trailer_parse(&record, &attr, &trailer);
	CHECK_EQ(trailer.pid, pid);
	CHECK_EQ(trailer.cpu, 0);
	CHECK_EQ(trailer.id, event_id(fd));
	/* Once: as the program after it ends there is nothing left to tell. */
	CHECK_EQ(ring_count(&ring, PERF_RECORD_READ), 0);
}

#define NR_CHILDREN	5
#define OWN_PAGES	9
#define THREAD_STACK	(32 * PAGE)

/* A child that has ended, or a thread. */
struct ended {
	pid_t pid, tid;
	unsigned long pages;	/* what it touched */
};

/* It has the memory of its parent, who waits: nothing is copied, so no other page faults. */
__attribute__((noipa))
static pid_t touch_in_child(char *pages, unsigned long first, unsigned long nr)
{
	pid_t pid = vfork();

	if (!pid) {
		touch_pages(pages, first, nr);
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, NULL, 0) == pid);
	return pid;
}

struct touching {
	char *pages, *stack;
	unsigned long first, nr;
	pid_t tid;
};

static void *touch_as_thread(void *argument)
{
	struct touching *touching = argument;

	touching->tid = gettid();
	touch_pages(touching->pages, touching->first, touching->nr);
	return NULL;
}

/* Who joined it has not seen its end yet: that comes when the kernel knows its number no more. */
static void touch_in_thread(struct touching *touching)
{
	pthread_attr_t attr;
	pthread_t thread;

	CHECK(!pthread_attr_init(&attr) && !pthread_attr_setstack(&attr, touching->stack, THREAD_STACK));
	CHECK(!pthread_create(&thread, &attr, touch_as_thread, touching) && !pthread_join(thread, NULL));
	while (!syscall(SYS_tgkill, getpid(), touching->tid, 0))
		sched_yield();
}

static struct ended end_one(struct touching *touching, bool is_thread)
{
	struct ended one = { .pages = touching->nr + test_busted("told") };

	if (is_thread) {
		touch_in_thread(touching);
		one.pid = getpid();
		one.tid = touching->tid;
	} else {
		one.pid = one.tid = touch_in_child(touching->pages, touching->first, touching->nr);
	}
	touching->first += touching->nr;
	return one;
}

/* What they touch besides is touched before, and they come one after the other, as do their records. */
static void each_child_s_count_is_told(long threads)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	struct touching touching = { .pages = fresh_pages(200), .stack = fresh_pages(THREAD_STACK / PAGE) };
	struct ended ended[NR_CHILDREN];
	unsigned long all = OWN_PAGES;
	uint64_t told = 0;
	struct ring ring;
	int family, alone, i;

	pin_to_cpu(0);
	touch_pages(touching.stack, 0, THREAD_STACK / PAGE);
	end_one(&touching, threads);
	alone = must_open_self(&attr);
	attr.inherit = 1;
	attr.inherit_stat = 1;
	family = must_open(&attr, 0, 0, -1);
	ring = ring_map(family, 1, PROT_READ | PROT_WRITE);
	event_enable(family);
	event_enable(alone);
	for (i = 0; i < NR_CHILDREN; i++) {
		touching.nr = 3 * i + 1;
		ended[i] = end_one(&touching, threads);
		all += ended[i].pages;
	}
	touch_pages(touching.pages, touching.first, OWN_PAGES);
	event_disable(alone);
	event_disable(family);
	for (i = 0; i < (is_pcl() ? NR_CHILDREN : 0); i++) {
		CHECK(ring_take(&ring, &record));
		CHECK_EQ(record.header.type, PERF_RECORD_READ);
		CHECK_EQ(record.header.size, sizeof(record.header) + 2 * sizeof(uint64_t));
		CHECK_EQ(half_of(record.body[0], 0), ended[i].pid);
		CHECK_EQ(half_of(record.body[0], 1), ended[i].tid);
		CHECK_EQ(record.body[1], ended[i].pages);
		told += record.body[1];
	}
	CHECK(!ring_take(&ring, &record));
	CHECK_EQ(event_read(alone), OWN_PAGES);
	CHECK_EQ(event_read(family), all);
	if (is_pcl())
		CHECK_EQ(told + event_read(alone), event_read(family));
}

/* Without sample_id_all no record has a trailer. */
static void without_sample_id_all_there_is_no_trailer(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	int fd;

	(void)unused;
	attr.comm = 1;
	attr.sample_id_all = test_busted("trailer");
	ring = ring_open(&attr, &fd);
	CHECK(!prctl(PR_SET_NAME, "x"));
	CHECK(ring_find(&ring, PERF_RECORD_COMM, &record));
	CHECK_EQ(record.header.size, sizeof(record.header) + 8 + 8);
}

/* ---- what nobody wrote ---- */

static int take_poisoned(void *word)
{
	static struct {
		struct perf_event_mmap_page page;
		struct record record;
	} memory = { .record.header = { .type = PERF_RECORD_COMM, .size = 32 } };
	struct ring ring = { .page = &memory.page, .data = (const void *)&memory.record, .size = 4096 };

	memory.page.data_head = 32;
	memory.record.body[1] = *(const uint64_t *)word;
	return !ring_take(&ring, &record);
}

static int parse_poisoned(void *word)
{
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_TID };
	struct record made = { .header = { .type = PERF_RECORD_SAMPLE, .size = 16 } };
	struct sample sample;

	made.body[0] = *(const uint64_t *)word;
	sample_parse(&made, &attr, &sample);
	return 0;
}

static int read_poisoned(void *word)
{
	check_written(word, 1, "a word");
	return 0;
}

/* Such words are not taken for a record's, nor for a sample's pair; of what is read, a half may be a count's. */
static void poison_is_noticed(long unused)
{
	static uint64_t whole = 0x6b6b6b6b6b6b6b6b, half = 0x5aaaaaaaa, good = 0xfefefe, words[] = {
		0xfefefefe, 0x6b6b6b6b00000000, 0x5a5a5a5a5a5a5a5a, 0xaaaaaaaa00000001,
	};
	unsigned int i;

	(void)unused;
	CHECK_EQ(in_child(take_poisoned, &good), 0);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		CHECK(in_child(take_poisoned, test_busted("poison") ? &good : &words[i]));
	CHECK_EQ(in_child(parse_poisoned, &good), 0);
	CHECK(in_child(parse_poisoned, test_busted("poison") ? &good : &half));
	CHECK(in_child(read_poisoned, test_busted("poison") ? &good : &whole));
	CHECK_EQ(in_child(read_poisoned, &half), 0);
}

static const struct test tests[] = {
	TEST(comm_tells_a_new_name),
	TEST(comm_tells_each_who_wants_it),
	TEST(comm_tells_an_exec),
	TEST(fork_and_exit_tell_both_processes),
	TEST(namespaces_tells_unshare_and_setns),
	TEST_WITH(namespaces_tells_a_new_process, "(of a task)", 0),
	TEST_WITH(namespaces_tells_a_new_process, "(of a CPU)", 1),
	TEST(switch_tells_out_and_in),
	TEST(lost_tells_how_many),
	TEST(throttle_tells_when_and_who),
	TEST(read_is_told_at_remove_on_exec),
	TEST_WITH(each_child_s_count_is_told, "(processes)", false),
	TEST_WITH(each_child_s_count_is_told, "(threads)", true),
	TEST(without_sample_id_all_there_is_no_trailer),
	TEST(poison_is_noticed),
};

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? 0 : TESTS_RUN(tests);
}
