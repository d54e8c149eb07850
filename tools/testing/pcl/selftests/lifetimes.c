// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: every way an event can end, one test for each row of Documentation/events/lifetimes.rst that programs reach.
 *
 * Concepts: the name of a test is the name of its row before the first "__", with underscores for hyphens. After each
 *	test the library looks whether the engine has freed everything (on PCL, which tells).
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "lib/event.h"

#define N	10000UL

static struct perf_event_attr fault_attr(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR;
	return attr;
}

/* ---- close ---- */

static void close__of_each_kind(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned int round;

	(void)unused;
	for (round = 0; round < test_count(100, 20); round++) {
		int task = must_open_self(&attr), cpu = must_open(&attr, -1, 0, -1), both = must_open(&attr, 0, 0, -1);

		event_enable(task);
		event_enable(cpu);
		event_enable(both);
		loop_run(100);
		close(task);
		close(cpu);
		close(both);
	}
}

static void close__by_another_process(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr), status;
	uint64_t count;
	pid_t pid;

	(void)unused;
	event_enable(fd);
	/* A copy of the descriptor keeps the event. */
	pid = fork();
	if (!pid) {
		close(fd);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	loop_run(N);
	count = event_read(fd);
	CHECK(count >= 2 * N);
}

static void close_while_mapped__the_ring_stays_readable(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 4, PROT_READ | PROT_WRITE);
	uint64_t head;

	(void)unused;
	event_enable(fd);
	touch_fresh_pages(20);
	close(fd);
	/* The mapping holds the file, so the event lives on until it is unmapped. */
	head = ring.page->data_head;
	CHECK(head >= 20 * 16);
	touch_fresh_pages(20);
	CHECK(ring.page->data_head >= head + 20 * 16);
	ring_unmap(&ring);
}

/* The original goes while its copy in a child is busy: so does the copy. */
static void close_inherited__children_lose_their_copies(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	const char *left;
	int ready[2], fd;
	char byte = 0;
	pid_t pid;
	long nr;

	(void)unused;
	CHECK(!pipe(ready));
	attr.inherit = 1;
	attr.disabled = 0;
	fd = must_open_self(&attr);
	pid = fork();
	if (!pid) {
		close(fd);
		CHECK(write(ready[1], &byte, 1) == 1);
		for (;;)
			loop_run(N);
	}
	CHECK(read(ready[0], &byte, 1) == 1);
	CHECK(event_read(fd));
	if (!test_busted("close"))
		close(fd);
	left = test_object_left(&nr);
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, NULL, 0) == pid);
	/* A task keeps its empty context. */
	if (left && strstr(left, "events"))
		FAIL("%s is %ld while the child runs", left, nr);
}

/* ---- leader gone: siblings are events of their own then ---- */

static void leader_gone__siblings_count_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), siblings[2], i;
	uint64_t before;

	(void)unused;
	attr = event_attr(BRANCHES);
	attr.disabled = 0;
	for (i = 0; i < 2; i++)
		siblings[i] = must_open(&attr, 0, -1, leader);
	event_enable(leader);
	loop_run(N);
	close(leader);
	for (i = 0; i < 2; i++) {
		before = event_read(siblings[i]);
		CHECK(before >= N);
		loop_run(N);
		CHECK(event_read(siblings[i]) >= before + N);
	}
	event_disable(siblings[0]);
	before = event_read(siblings[0]);
	loop_run(N);
	CHECK_EQ(event_read(siblings[0]), before);
}

static void run_loops(void)
{
	loop_run(10 * N);
}

/* The software sibling needs another place then; what the other one counts is still this task's alone. */
static void leader_gone__members_of_two_pmus_count_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), branches, faults;
	uint64_t before;

	(void)unused;
	attr = event_attr(BRANCHES);
	attr.disabled = 0;
	branches = must_open(&attr, 0, -1, leader);
	attr = event_attr(PAGE_FAULTS);
	attr.disabled = 0;
	faults = must_open(&attr, 0, -1, leader);
	event_enable(leader);
	loop_run(N);
	touch_fresh_pages(10);
	if (!test_busted("leader"))
		close(leader);
	else
		event_disable(leader);
	CHECK(event_read(branches) >= N);
	CHECK(event_read(faults) >= 10);
	before = event_read(branches);
	switch_with(5, run_loops);
	CHECK(event_read(branches) - before < 10 * N);
	before = event_read(branches);
	loop_run(N);
	CHECK(event_read(branches) >= before + N);
	before = event_read(faults);
	touch_fresh_pages(10);
	CHECK(event_read(faults) >= before + 10);
}

static void leader_gone__a_group_read_gives_the_sibling(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t words[8];
	int leader, sibling;

	(void)unused;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	leader = must_open_self(&attr);
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	event_enable(leader);
	loop_run(N);
	close(leader);
	CHECK_EQ(event_read_words(sibling, words, 8), 3);
	CHECK_EQ(words[0], 1);
	CHECK(words[1] >= 2 * N);
	CHECK_EQ(words[2], event_id(sibling));
}

/* ---- exec ---- */

/* A child that waits, then runs this program again for a loop of N; the event is @attr on it. */
static int exec_child(const struct perf_event_attr *attr, uint64_t *count)
{
	int go[2], fd, status;
	char byte = 0;
	pid_t pid;

	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &byte, 1) == 1);
		execl("/proc/self/exe", "lifetimes", "loop", NULL);
		_exit(1);
	}
	fd = must_open(attr, pid, -1, -1);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	*count = event_read(fd);
	return fd;
}

static void exec__enable_on_exec_starts_the_count(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t count;

	(void)unused;
	attr.enable_on_exec = !test_busted("exec");
	close(exec_child(&attr, &count));
	CHECK(count >= 200 * N);
	attr.enable_on_exec = 0;
	close(exec_child(&attr, &count));
	CHECK_EQ(count, 0);
}

static void exec__remove_on_exec_ends_the_count(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t count;

	(void)unused;
	attr.disabled = 0;
	close(exec_child(&attr, &count));
	CHECK(count >= 200 * N);
	attr.remove_on_exec = !test_busted("exec");
	close(exec_child(&attr, &count));
	CHECK_RANGE(count, 1, 100 * N);
}

/* Who may watch a user's program may not watch what it becomes with root's rights. */
static void exec_credentials__a_setuid_program_is_not_counted(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	static const char path[] = "/tmp/lifetimes-setuid";
	int go[2], fd, status;
	char byte = 0;
	pid_t pid;

	(void)unused;
	setuid_copy(path);
	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		if (!test_busted("credentials"))
			drop_privileges();
		CHECK(read(go[0], &byte, 1) == 1);
		execl(path, "lifetimes", "loop", NULL);
		_exit(1);
	}
	attr.disabled = 0;
	fd = must_open(&attr, pid, -1, -1);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK_RANGE(event_read(fd), 1, 100 * N);
	unlink(path);
}

static void exec__close_on_exec_closes(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	char with[32], without[32];
	int status;
	pid_t pid;

	(void)unused;
	snprintf(with, sizeof(with), "%d", event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
	snprintf(without, sizeof(without), "%d", event_open(&attr, 0, -1, -1, 0));
	pid = fork();
	if (!pid) {
		execl("/proc/self/exe", "lifetimes", "fds", with, without, NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(WEXITSTATUS(status), 0);
}

/* ---- exit of the target ---- */

static void exit__the_count_stays(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	struct pollfd entry = { .events = POLLIN };
	uint64_t count;
	int fd;

	(void)unused;
	attr.disabled = 0;
	fd = exec_child(&attr, &count);
	CHECK(count >= 200 * N);
	loop_run(N);
	CHECK_EQ(event_read(fd), count);
	entry.fd = fd;
	CHECK(poll(&entry, 1, 0) == 1);
	CHECK(entry.revents & POLLHUP);
	/* Control of what is gone does no harm. */
	event_disable(fd);
	event_enable(fd);
	CHECK_EQ(event_read(fd), count);
	event_reset(fd);
	CHECK_EQ(event_read(fd), 0);
}

static void exit_child__counts_fold_into_the_original(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	pid_t pid;
	int fd;

	(void)unused;
	attr.inherit = !test_busted("inherit");
	attr.disabled = 0;
	fd = must_open_self(&attr);
	pid = fork();
	if (!pid) {
		loop_run(10 * N);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(event_read(fd) >= 20 * N);
}

static void *open_and_leave(void *argument)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);

	attr.disabled = 0;
	*(int *)argument = must_open_self(&attr);
	loop_run(N);
	return NULL;
}

static void exit__of_a_thread(long unused)
{
	pthread_t thread;
	uint64_t count;
	int fd;

	(void)unused;
	CHECK(!pthread_create(&thread, NULL, open_and_leave, &fd));
	CHECK(!pthread_join(thread, NULL));
	count = event_read(fd);
	CHECK(count >= 2 * N);
	loop_run(N);
	CHECK_EQ(event_read(fd), count);
}

static void exit__of_a_group(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int go[2], leader, sibling;
	uint64_t words[3];
	char byte = 0;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &byte, 1) == 1);
		loop_run(N);
		_exit(0);
	}
	attr.read_format = PERF_FORMAT_GROUP;
	attr.disabled = 0;
	leader = must_open(&attr, pid, -1, -1);
	sibling = must_open(&attr, pid, -1, leader);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(event_read_words(leader, words, 3) >= 2);
	CHECK(words[1] >= 2 * N);
	close(leader);
	CHECK(event_read_words(sibling, words, 3) >= 2);
}

/* ---- fork against open and close ---- */

static volatile int stop;

static void *fork_until_stopped(void *argument)
{
	(void)argument;
	while (!stop) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	return NULL;
}

static void fork_races__open_and_close_meanwhile(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned long i;
	pthread_t thread;
	pid_t tid = syscall(SYS_gettid);

	(void)unused;
	attr.inherit = 1;
	attr.disabled = 0;
	CHECK(!pthread_create(&thread, NULL, fork_until_stopped, NULL));
	for (i = 0; i < test_count(200, 40); i++) {
		int fd = must_open(&attr, tid, -1, -1), cpu = must_open(&attr, 0, i % cpus_online(), -1);

		event_read(fd);
		close(fd);
		close(cpu);
	}
	stop = 1;
	CHECK(!pthread_join(thread, NULL));
}

/* A fork that fails after it inherited gives everything back. */
static void fork_failed__nothing_is_left(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd;

	(void)unused;
	attr.inherit = 1;
	attr.disabled = 0;
	fd = must_open_self(&attr);
	loop_run(N);
	/* CLONE_PIDFD with a bad address is refused late in fork, when the child has its events. */
	errno = 0;
	CHECK(clone_bare(0x1000 | SIGCHLD, (void *)8) < 0);
	CHECK_EQ(errno, EFAULT);
	CHECK(event_read(fd) >= 2 * N);
}

/* ---- CPU offline ---- */

static void cpu_offline__a_cpu_event_keeps_its_count(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t count;
	int fd;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	pin_to_cpu(1);
	fd = must_open(&attr, -1, 1, -1);
	event_enable(fd);
	loop_run(N);
	pin_to_cpu(0);
	CHECK(cpu1_set(false));
	count = event_read(fd);
	CHECK(count >= 2 * N);
	CHECK_EQ(event_read(fd), count);
	CHECK_ERRNO(event_open(&attr, -1, 1, -1, 0), ENODEV);
	CHECK(cpu1_set(true));
	CHECK(event_read(fd) >= count);
	event_disable(fd);
	event_enable(fd);
	close(fd);
	/* The CPU that came back counts anew. */
	fd = must_open(&attr, -1, 1, -1);
	event_enable(fd);
	pin_to_cpu(1);
	loop_run(N);
	CHECK(event_read(fd) >= 2 * N);
}

static void cpu_offline__a_task_event_moves_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t count;
	int fd;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	fd = must_open_self(&attr);
	event_enable(fd);
	pin_to_cpu(1);
	loop_run(N);
	/* This task is moved when its CPU goes. */
	CHECK(cpu1_set(false));
	count = event_read(fd);
	CHECK(count >= 2 * N);
	loop_run(N);
	CHECK(event_read(fd) >= count + 2 * N);
	CHECK(cpu1_set(true));
}

static void *open_until_stopped(void *argument)
{
	struct perf_event_attr attr = event_attr((uintptr_t)argument ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE, 0);

	attr.config = (uintptr_t)argument ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_SW_CPU_CLOCK;
	attr.disabled = 0;
	while (!stop) {
		int cpu = event_open(&attr, -1, 1, -1, 0), task = must_open_self(&attr);
		uint64_t count;

		if (cpu < 0)
			CHECK_EQ(errno, ENODEV);
		else
			CHECK(read(cpu, &count, sizeof(count)) == sizeof(count));
		event_read(task);
		close(task);
		if (cpu >= 0)
			close(cpu);
	}
	return NULL;
}

static void cpu_offline__open_and_close_meanwhile(long unused)
{
	pthread_t threads[2];
	unsigned long i;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	for (i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, open_until_stopped, (void *)i));
	for (i = 0; i < test_count(5, 2); i++) {
		CHECK(cpu1_set(false));
		CHECK(cpu1_set(true));
	}
	stop = 1;
	for (i = 0; i < 2; i++)
		CHECK(!pthread_join(threads[i], NULL));
}

/* ---- last munmap: events redirected into the ring lose it ---- */

static void last_munmap__redirected_events_write_nowhere(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int to = must_open_self(&attr), from = must_open_self(&attr);
	struct ring ring = ring_map(to, 4, PROT_READ | PROT_WRITE);
	uint64_t head;

	(void)unused;
	must_ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, to);
	event_enable(from);
	touch_fresh_pages(5);
	head = ring.page->data_head;
	CHECK(head >= 5 * 16);
	ring_unmap(&ring);
	touch_fresh_pages(5);
	/* It can have a ring of its own now, of another size. */
	ring = ring_map(from, 2, PROT_READ | PROT_WRITE);
	touch_fresh_pages(5);
	CHECK(ring.page->data_head >= 5 * 16);
	/* Nor can the old ring be had again. */
	CHECK_ERRNO(ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, to), EINVAL);
}

static void last_munmap__target_closed_first(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int to = must_open_self(&attr), from = must_open_self(&attr);
	struct ring ring = ring_map(to, 4, PROT_READ | PROT_WRITE);
	uint64_t head;

	(void)unused;
	must_ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, to);
	close(to);
	event_enable(from);
	touch_fresh_pages(5);
	head = ring.page->data_head;
	CHECK(head >= 5 * 16);
	ring_unmap(&ring);
	touch_fresh_pages(5);
}

/* ---- owner gone: who opened it exits, the descriptor lives elsewhere ---- */

static void owner_gone__the_event_counts_on(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	pid_t observed = getpid(), pid;
	int channel[2], fd = -1;
	uint64_t count;

	(void)unused;
	close(must_open_self(&attr));	/* there are such events */
	/* The child shares our descriptors, opens an event on us and exits. */
	attr.disabled = 0;
	CHECK(!pipe(channel));
	pid = clone_bare(0x400 /* CLONE_FILES */ | SIGCHLD, NULL);
	CHECK(pid >= 0);
	if (!pid) {
		fd = event_open(&attr, observed, -1, -1, 0);
		if (write(channel[1], &fd, sizeof(fd)) != sizeof(fd))
			_exit(1);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(read(channel[0], &fd, sizeof(fd)) == sizeof(fd));
	CHECK(fd >= 0);
	loop_run(N);
	count = event_read(fd);
	CHECK(count >= 2 * N);
	event_disable(fd);
	event_enable(fd);
	loop_run(N);
	CHECK(event_read(fd) >= count + 2 * N);
}

static const struct test tests[] = {
	TEST(close__of_each_kind),
	TEST(close__by_another_process),
	TEST(close_while_mapped__the_ring_stays_readable),
	TEST(close_inherited__children_lose_their_copies),
	TEST(leader_gone__siblings_count_on),
	TEST(leader_gone__members_of_two_pmus_count_on),
	TEST(leader_gone__a_group_read_gives_the_sibling),
	TEST(exec__enable_on_exec_starts_the_count),
	TEST(exec__remove_on_exec_ends_the_count),
	TEST(exec__close_on_exec_closes),
	TEST(exec_credentials__a_setuid_program_is_not_counted),
	TEST(exit__the_count_stays),
	TEST(exit__of_a_thread),
	TEST(exit__of_a_group),
	TEST(exit_child__counts_fold_into_the_original),
	TEST(fork_races__open_and_close_meanwhile),
	TEST(fork_failed__nothing_is_left),
	TEST(cpu_offline__a_cpu_event_keeps_its_count),
	TEST(cpu_offline__a_task_event_moves_on),
	TEST(cpu_offline__open_and_close_meanwhile),
	TEST(last_munmap__redirected_events_write_nowhere),
	TEST(last_munmap__target_closed_first),
	TEST(owner_gone__the_event_counts_on),
};

int main(int argc, char **argv)
{
	if (argc > 3)
		/* The first descriptor is closed, the second is open. */
		return fcntl(atoi(argv[2]), F_GETFD) >= 0 || fcntl(atoi(argv[3]), F_GETFD) < 0;
	if (argc > 1) {
		loop_run(100 * N);
		return 0;
	}
	return TESTS_RUN(tests);
}
