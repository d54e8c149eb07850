// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the records beside samples: MMAP, MMAP2, COMM, FORK, EXIT, SWITCH, LOST, THROTTLE, READ, and their
 *	trailers.
 *
 * Concepts: a dummy event writes records and never counts. Each record's body is held against what the test did; with
 *	sample_id_all a trailer follows it.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "lib/event.h"

#define TRAILER	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
		 PERF_SAMPLE_IDENTIFIER)

static struct record record;

/* A dummy event of this task whose records end with all that a trailer may hold. */
static struct perf_event_attr dummy_attr(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.sample_type = TRAILER;
	attr.sample_id_all = 1;
	attr.disabled = 0;
	return attr;
}

static struct ring open_with_ring(const struct perf_event_attr *attr, int *fd)
{
	*fd = must_open_self(attr);
	return ring_map(*fd, 8, PROT_READ | PROT_WRITE);
}

static void check_trailer(const struct perf_event_attr *attr, int fd, pid_t pid, pid_t tid)
{
	struct sample trailer;

	trailer_parse(&record, attr, &trailer);
	CHECK_EQ(trailer.pid, pid);
	CHECK_EQ(trailer.tid, tid);
	CHECK(trailer.time);
	CHECK_EQ(trailer.id, event_id(fd));
	CHECK_EQ(trailer.identifier, event_id(fd));
	CHECK_EQ(trailer.stream_id, event_id(fd));
	CHECK_RANGE(trailer.cpu, 0, cpus_online() - 1);
}

/* ---- MMAP and MMAP2: {pid, tid, addr, len, pgoff, ...} ---- */

static void *map_own_file(struct stat *stat, size_t length, off_t offset)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void *at;

	CHECK(fd >= 0 && !fstat(fd, stat));
	at = mmap(NULL, length, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, offset);
	CHECK(at != MAP_FAILED);
	close(fd);
	return at;
}

static void check_name(const void *name)
{
	char path[4096] = "";

	CHECK(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	if (strcmp(name, path))
		FAIL("the record names %s, the file is %s", (const char *)name, path);
}

static void mmap_tells_executable_mappings(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct stat stat;
	struct ring ring;
	void *at;
	int fd;

	(void)unused;
	attr.mmap = 1;
	ring = open_with_ring(&attr, &fd);
	at = map_own_file(&stat, 2 * PAGE, PAGE);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP, &record));
	CHECK_EQ((uint32_t)record.body[0], getpid());
	CHECK_EQ(record.body[0] >> 32, syscall(SYS_gettid));
	CHECK_EQ(record.body[1], (uintptr_t)at);
	CHECK_EQ(record.body[2], 2 * PAGE);
	CHECK_EQ(record.body[3], PAGE);
	check_name(&record.body[4]);
	CHECK_EQ(record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	check_trailer(&attr, fd, getpid(), syscall(SYS_gettid));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_MMAP), 0);
}

static void mmap2_tells_the_file_too(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct stat stat;
	struct ring ring;
	void *at;
	int fd;

	(void)unused;
	attr.mmap = 1;
	attr.mmap2 = 1;
	ring = open_with_ring(&attr, &fd);
	at = map_own_file(&stat, PAGE, 0);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	CHECK_EQ(record.body[1], (uintptr_t)at);
	CHECK_EQ(record.body[2], PAGE);
	CHECK_EQ(record.body[3], 0);
	/* maj, min, ino, ino_generation, prot, flags */
	CHECK(record.body[4] || record.body[5]);
	CHECK_EQ((uint32_t)record.body[7], PROT_READ | PROT_EXEC);
	CHECK_EQ(record.body[7] >> 32, MAP_PRIVATE);
	check_name(&record.body[8]);
	check_trailer(&attr, fd, getpid(), syscall(SYS_gettid));
}

/* Of a file in memory, as stat() tells of it; and its name is padded with zeros. */
static void mmap2_tells_inode_and_device(long unused)
{
	static const char name[24] = "/memfd:pcl (deleted)";
	struct perf_event_attr attr = dummy_attr();
	struct stat stat;
	struct ring ring;
	int fd, file;

	(void)unused;
	attr.mmap = 1;
	attr.mmap2 = 1;
	file = memfd_create("pcl", 0);
	CHECK(file >= 0 && !ftruncate(file, PAGE) && !fstat(file, &stat));
	ring = open_with_ring(&attr, &fd);
	CHECK(mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED);
	CHECK(ring_find(&ring, PERF_RECORD_MMAP2, &record));
	CHECK_EQ((uint32_t)record.body[4], major(stat.st_dev));
	CHECK_EQ(record.body[4] >> 32, minor(stat.st_dev));
	CHECK_EQ(record.body[5], stat.st_ino);
	CHECK(!memcmp(&record.body[8], name, sizeof(name)));
}

/* What cannot be executed is told only where mmap_data asks for it. */
static void mmap_data_tells_other_mappings(long with)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	bool found;
	void *at;
	int fd;

	attr.mmap = 1;
	attr.mmap_data = with;
	ring = open_with_ring(&attr, &fd);
	at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(at != MAP_FAILED);
	/* The ring's own mapping may be told, too. */
	do
		found = ring_find(&ring, PERF_RECORD_MMAP, &record);
	while (found && record.body[1] != (uintptr_t)at);
	CHECK_EQ(found, with);
	if (!with)
		return;
	CHECK(record.header.misc & PERF_RECORD_MISC_MMAP_DATA);
	CHECK(!strcmp((char *)&record.body[4], "//anon"));
}

static void mprotect_to_executable_is_told(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	void *at;
	int fd;

	(void)unused;
	at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	attr.mmap = 1;
	ring = open_with_ring(&attr, &fd);
	CHECK(!mprotect(at, PAGE, PROT_READ | PROT_EXEC));
	CHECK(ring_find(&ring, PERF_RECORD_MMAP, &record));
	CHECK_EQ(record.body[1], (uintptr_t)at);
}

/* ---- COMM: {pid, tid, comm} ---- */

static void comm_tells_a_new_name(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	int fd;

	(void)unused;
	attr.comm = 1;
	ring = open_with_ring(&attr, &fd);
	CHECK(!prctl(PR_SET_NAME, "another name"));
	CHECK(ring_find(&ring, PERF_RECORD_COMM, &record));
	CHECK_EQ((uint32_t)record.body[0], getpid());
	CHECK_EQ(record.body[0] >> 32, syscall(SYS_gettid));
	CHECK(!strcmp((char *)&record.body[1], "another name"));
	CHECK(!(record.header.misc & PERF_RECORD_MISC_COMM_EXEC));
	check_trailer(&attr, fd, getpid(), syscall(SYS_gettid));
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
		rings[i] = open_with_ring(&attr, &fds[i]);
		must_open_self(&mute);
	}
	CHECK(!prctl(PR_SET_NAME, "first name"));
	for (i = 0; i < 2; i++)
		CHECK_EQ(ring_count(&rings[i], PERF_RECORD_COMM), 1);
	ring_unmap(&rings[0]);
	close(fds[0]);
	CHECK(!prctl(PR_SET_NAME, "second name"));
	CHECK_EQ(ring_count(&rings[1], PERF_RECORD_COMM), 1);
	rings[2] = open_with_ring(&attr, &fds[2]);
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
	CHECK_EQ((uint32_t)record.body[0], pid);
	CHECK(record.header.misc & PERF_RECORD_MISC_COMM_EXEC);
	check_trailer(&attr, fd, pid, pid);
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
	CHECK_EQ((uint32_t)record.body[0], pid);
	CHECK_EQ(record.body[0] >> 32, getpid());
	CHECK_EQ((uint32_t)record.body[1], pid);
	CHECK_EQ(record.body[1] >> 32, syscall(SYS_gettid));
	CHECK(record.body[2]);
	check_trailer(&attr, fd, getpid(), getpid());
	CHECK(ring_find(&ring, PERF_RECORD_EXIT, &record));
	CHECK_EQ((uint32_t)record.body[0], pid);
	CHECK_EQ((uint32_t)record.body[1], pid);
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
	ring = open_with_ring(&attr, &fd);
	switch_away(5);
	while (ring_take(&ring, &record)) {
		CHECK_EQ(record.header.type, PERF_RECORD_SWITCH);
		CHECK_EQ(record.header.size, sizeof(record.header) + trailer_size(&attr));
		check_trailer(&attr, fd, getpid(), getpid());
		if (record.header.misc & PERF_RECORD_MISC_SWITCH_OUT)
			out++;
		else
			in++;
	}
	CHECK(in >= 5);
	CHECK_RANGE(out, in - 1, in + 1);
}

/* A CPU's event tells who comes and who goes. */
static void switch_cpu_wide_tells_the_other_task(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	unsigned int nr = 0, own = 0;
	struct ring ring;
	int fd;

	(void)unused;
	pin_to_cpu(0);
	attr.context_switch = 1;
	attr.sample_id_all = 0;
	attr.disabled = 1;
	fd = must_open(&attr, -1, 0, -1);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	switch_away(3);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SWITCH_CPU_WIDE)
			continue;
		CHECK_EQ(record.header.size, sizeof(record.header) + 8);
		nr++;
		own += (uint32_t)record.body[0] == (uint32_t)getpid();
	}
	CHECK(nr >= 6);
	CHECK(own >= 3);
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
	/* 4096 bytes hold 128 samples of 32 bytes, and a full ring keeps a little free. */
	CHECK_RANGE(written, 100, 128);
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
	long rate;
	int fd;

	(void)unused;
	rate = sysctl_get("perf_event_max_sample_rate");
	if (sysctl_get("perf_cpu_time_max_percent") == 0)
		sysctl_set("perf_cpu_time_max_percent", 25);
	sysctl_set("perf_event_max_sample_rate", 2000);
	attr.sample_period = 5000;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 64, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(30000000);
	event_disable(fd);
	sysctl_set("perf_event_max_sample_rate", rate);
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
	CHECK_EQ((uint32_t)record.body[0], pid);
	CHECK_EQ(record.body[0] >> 32, pid);
	CHECK(record.body[1]);
	trailer_parse(&record, &attr, &trailer);
	CHECK_EQ(trailer.pid, pid);
	CHECK_EQ(trailer.cpu, 0);
	CHECK_EQ(trailer.id, event_id(fd));
	/* Once: as the program after it ends there is nothing left to tell. */
	CHECK_EQ(ring_count(&ring, PERF_RECORD_READ), 0);
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
	ring = open_with_ring(&attr, &fd);
	CHECK(!prctl(PR_SET_NAME, "x"));
	CHECK(ring_find(&ring, PERF_RECORD_COMM, &record));
	CHECK_EQ(record.header.size, sizeof(record.header) + 8 + 8);
}

static const struct test tests[] = {
	TEST(mmap_tells_executable_mappings),
	TEST(mmap2_tells_the_file_too),
	TEST(mmap2_tells_inode_and_device),
	TEST_WITH(mmap_data_tells_other_mappings, "(asked for)", 1),
	TEST_WITH(mmap_data_tells_other_mappings, "(not asked for)", 0),
	TEST(mprotect_to_executable_is_told),
	TEST(comm_tells_a_new_name),
	TEST(comm_tells_each_who_wants_it),
	TEST(comm_tells_an_exec),
	TEST(fork_and_exit_tell_both_processes),
	TEST(switch_tells_out_and_in),
	TEST(switch_cpu_wide_tells_the_other_task),
	TEST(lost_tells_how_many),
	TEST(throttle_tells_when_and_who),
	TEST(read_is_told_at_remove_on_exec),
	TEST(without_sample_id_all_there_is_no_trailer),
};

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? 0 : TESTS_RUN(tests);
}
