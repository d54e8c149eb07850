// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: each allocation that the engine makes for a call fails once, and nothing is left of the call.
 *
 * Concepts: /proc/thread-self/fail-nth lets the Nth allocation of this thread fail. A call is repeated with N from 1
 *	on, until it ends before its Nth allocation. Each time it must succeed, or say ENOMEM and leave the engine's
 *	objects as they were; of a second free and the like the debug kernel complains.
 * Contexts: root, on a kernel with CONFIG_FAULT_INJECTION.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/hw_breakpoint.h>

#include "lib/event.h"

#define MOST	1000	/* allocations of a call: a bound on hanging */
#define DEBUG	"/sys/kernel/debug/"

static struct perf_event_attr attr;
static pid_t other;			/* a task that waits */
static int base = -1, second = -1;	/* what a row has open before */
static volatile long watched;
static char *page;

/* ---- allocations that fail ---- */

static int fail_nth = -1;

static void setting(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), DEBUG "%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		FAIL("cannot write %s to %s: %s", value, path, strerror(errno));
	close(fd);
}

/* Allocations that may wait fail as well, and that is not worth a word in the kernel's log. */
static void make_ready(void)
{
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_nth < 0)
		test_skip("this kernel cannot let allocations fail");
	setting("failslab/ignore-gfp-wait", "N");
	setting("failslab/verbose", "0");
	setting("fail_page_alloc/ignore-gfp-wait", "N");
	setting("fail_page_alloc/min-order", "0");
	setting("fail_page_alloc/verbose", "0");
}

/* The @nth allocation from here on fails; none for 0. */
static void fail_at(unsigned int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", nth);

	CHECK_EQ(pwrite(fail_nth, text, length, 0), length);
}

/* Has it come to the one that fails? */
static bool has_failed(void)
{
	char text[16] = "";

	CHECK(pread(fail_nth, text, sizeof(text) - 1, 0) > 0);
	return atoi(text) == 0;
}

/* ---- what is called, and how it is undone, also when it was refused ---- */

static long open_it(void)
{
	return event_open(&attr, 0, -1, base, PERF_FLAG_FD_CLOEXEC);
}

static long open_on_cpu(void)
{
	return event_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static long open_on_other(void)
{
	return event_open(&attr, other, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static long open_extended(void)
{
	static char text[128];
	struct pcl_open open = {
		.size = sizeof(open), .attr = (uintptr_t)&attr, .why_text = (uintptr_t)text,
		.why_text_size = sizeof(text),
	};

	return event_open((void *)&open, 0, -1, -1, PCL_FLAG_OPEN);
}

static void close_it(long fd)
{
	if (fd >= 0 && !test_busted("allocations"))
		close(fd);
}

static long map_ring(void)
{
	page = mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, base, 0);
	return page == MAP_FAILED ? -1 : 0;
}

static long map_file(void)
{
	page = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, second, 0);
	return page == MAP_FAILED ? -1 : 0;
}

static void unmap_ring(long unused)
{
	(void)unused;
	if (page != MAP_FAILED && !test_busted("allocations"))
		munmap(page, 5 * PAGE);
}

static void unmap_file(long unused)
{
	(void)unused;
	if (page != MAP_FAILED)
		munmap(page, PAGE);
}

static long redirect(void)
{
	return ioctl(second, PERF_EVENT_IOC_SET_OUTPUT, base);
}

static void direct(long unused)
{
	(void)unused;
	must_ioctl(second, PERF_EVENT_IOC_SET_OUTPUT, -1);
}

static long move_breakpoint(void)
{
	return ioctl(base, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr);
}

/* More than a reading has room for on the stack: kernel/events/read.c, LOCAL_VALUES. */
#define NR_MEMBERS 71

static long read_group(void)
{
	uint64_t words[1 + 2 * NR_MEMBERS];
	long length = read(base, words, sizeof(words));

	return length < 0 ? -1 : length - (long)sizeof(words);
}

static void nothing(long unused)
{
	(void)unused;
}

static void await_child(long pid)
{
	CHECK(pid < 0 || waitpid(pid, NULL, 0) == pid);
}

/* ---- what there is before ---- */

static void with_software(void)
{
	attr = event_attr(PAGE_FAULTS);
}

static void with_hardware(void)
{
	attr = event_attr(INSTRUCTIONS);
}

/* Chains need memory of each CPU, which the first such event brings. */
static void with_chains(void)
{
	with_hardware();
	attr.sample_period = 100000;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
}

static void with_breakpoint(void)
{
	attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)&watched;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
}

static void with_tracepoint(void)
{
	attr = event_attr(PERF_TYPE_TRACEPOINT, tracepoint_number("sched/sched_switch"));
}

static void with_leader(void)
{
	with_hardware();
	attr.read_format = PERF_FORMAT_GROUP;
	base = must_open_self(&attr);
}

static void with_software_leader(void)
{
	with_leader();
	close(base);
	attr = event_attr(PAGE_FAULTS);
	base = must_open_self(&attr);
	attr = event_attr(INSTRUCTIONS);
}

/* Of the other CPU, so that it cannot be read on the spot, and too large for the stack. */
static void with_group(void)
{
	unsigned int i;

	pin_to_cpu(0);
	attr = event_attr(PAGE_FAULTS);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	base = must_open(&attr, -1, 1, -1);
	for (i = 1; i < NR_MEMBERS; i++)
		must_open(&attr, -1, 1, base);
}

static void with_two(void)
{
	with_chains();
	base = must_open_self(&attr);
	ring_map(base, 1, PROT_READ | PROT_WRITE);
	second = must_open_self(&attr);
}

static void with_sampler(void)
{
	with_chains();
	base = must_open_self(&attr);
}

static void with_open_breakpoint(void)
{
	with_breakpoint();
	base = must_open_self(&attr);
}

/* Mappings are told of, so a path is looked up. */
static void with_teller(void)
{
	with_sampler();
	attr.mmap = attr.mmap2 = 1;
	attr.disabled = 0;
	base = must_open_self(&attr);
	ring_map(base, 1, PROT_READ | PROT_WRITE);
	second = open("/proc/self/exe", O_RDONLY);
	CHECK(second >= 0);
}

static void make_other(void)
{
	other = fork();
	CHECK(other >= 0);
	for (; !other;)
		pause();
}

/* A task keeps its context until it ends: the next call shall find one that has none. */
static void close_and_renew_other(long fd)
{
	close_it(fd);
	kill(other, SIGKILL);
	CHECK(waitpid(other, NULL, 0) == other);
	make_other();
}

static void with_other(void)
{
	with_hardware();
	make_other();
}

/* Groups and single events of each kind, that a child inherits. */
static void with_inherited(void)
{
	int leader;

	with_chains();
	attr.inherit = 1;
	/* On one CPU, or it could have no ring. */
	leader = must_open(&attr, 0, 0, -1);
	ring_map(leader, 1, PROT_READ | PROT_WRITE);
	must_open(&attr, 0, 0, leader);
	with_software();
	attr.inherit = 1;
	must_open(&attr, 0, 0, leader);
	must_open_self(&attr);
	with_breakpoint();
	attr.inherit = 1;
	must_open_self(&attr);
}

/* What a family shares: no breakpoint among it, no ring that only one task may write. */
static void with_shared(void)
{
	int leader;

	with_hardware();
	attr.inherit = 1;
	attr.sample_period = 100000;
	base = must_open_self(&attr);
	leader = must_open_self(&attr);
	with_software();
	attr.inherit = 1;
	must_open(&attr, 0, -1, leader);
}

/* A new period takes whoever opened it out of its set: the next fork makes another. */
static void await_child_and_leave(long pid)
{
	uint64_t period = 100000;

	await_child(pid);
	must_ioctl(base, PERF_EVENT_IOC_PERIOD, (unsigned long)&period);
}

/* In a set of two; a third that runs at once needs copies more, where there are CPUs for it. */
static void with_member(void)
{
	with_shared();
	make_other();
}

static void await_child_and_renew_set(long pid)
{
	await_child(pid);
	kill(other, SIGKILL);
	CHECK(waitpid(other, NULL, 0) == other);
	await_child_and_leave(-1);
	make_other();
}

/* Somebody else's event gives the member copies of its own. */
static void with_member_to_open(void)
{
	with_member();
	with_software();
}

/* ---- the rows ---- */

static const struct row {
	void (*prepare)(void);
	long (*call)(void);
	void (*undo)(long result);
	bool allocates;
} rows[] = {
	{ with_software, open_it, close_it, true },
	{ with_hardware, open_it, close_it, true },
	{ with_chains, open_it, close_it, true },
	{ with_breakpoint, open_it, close_it, true },
	{ with_leader, open_it, close_it, true },
	{ with_software_leader, open_it, close_it, true },
	{ with_hardware, open_on_cpu, close_it, true },
	{ with_other, open_on_other, close_and_renew_other, true },
	{ with_chains, open_extended, close_it, true },
	{ with_sampler, map_ring, unmap_ring, true },
	{ with_two, redirect, direct, false },
	{ with_open_breakpoint, move_breakpoint, nothing, false },
	{ with_group, read_group, nothing, true },
	{ with_teller, map_file, unmap_file, true },
	{ with_inherited, fork_bare, await_child, true },
	{ with_shared, fork_bare, await_child_and_leave, true },
	{ with_member, fork_bare, await_child_and_renew_set, true },
	{ with_member_to_open, open_on_other, close_and_renew_other, true },
	{ with_tracepoint, open_it, close_it, true },
};

/* One call whose @nth allocation fails. Returns whether it came to that one. */
static bool attempt(const struct row *row, unsigned int nth, unsigned int *refused)
{
	bool failed;
	long result;
	int error;

	fail_at(nth);
	errno = 0;
	result = row->call();
	error = errno;
	failed = has_failed();
	fail_at(0);
	row->undo(result);
	if (result < 0 && (!failed || error != ENOMEM))
		FAIL("allocation %u: %s%s", nth, strerror(error), failed ? "" : ", and none failed");
	*refused += result < 0;
	return failed;
}

static void allocations_fail(long which)
{
	const struct row *row = &rows[which];
	struct test_objects before;
	unsigned int nth = 0, refused = 0;
	const char *changed;
	bool more;
	long nr;

	make_ready();
	row->prepare();
	/* Once without a failure: pages, lazy binding, and the context, which this task keeps. */
	row->undo(row->call());
	test_objects_get(&before);
	do {
		CHECK(nth < MOST);
		more = attempt(row, ++nth, &refused);
		changed = test_objects_changed(&before, &nr);
		if (changed)
			FAIL("after allocation %u: %s is %ld", nth, changed, nr);
	} while (more);
	test_note("%u allocations, %u of them refuse the call", nth - 1, refused);
	CHECK(row->allocates == (refused > 0));
	if (other > 0)
		kill(other, SIGKILL);
}

static const struct test tests[] = {
	TEST_WITH(allocations_fail, "(a software event)", 0),
	TEST_WITH(allocations_fail, "(a hardware event)", 1),
	TEST_WITH(allocations_fail, "(an event with call chains)", 2),
	TEST_WITH(allocations_fail, "(a breakpoint)", 3),
	TEST_WITH(allocations_fail, "(a member)", 4),
	TEST_WITH(allocations_fail, "(a hardware event in a software group)", 5),
	TEST_WITH(allocations_fail, "(an event on a CPU)", 6),
	TEST_WITH(allocations_fail, "(an event on another task)", 7),
	TEST_WITH(allocations_fail, "(the extended call)", 8),
	TEST_WITH(allocations_fail, "(a ring)", 9),
	TEST_WITH(allocations_fail, "(SET_OUTPUT)", 10),
	TEST_WITH(allocations_fail, "(MODIFY_ATTRIBUTES)", 11),
	TEST_WITH(allocations_fail, "(a group's read)", 12),
	TEST_WITH(allocations_fail, "(a mapping that is told of)", 13),
	TEST_WITH(allocations_fail, "(a fork with inherited events)", 14),
	TEST_WITH(allocations_fail, "(a fork that makes a set)", 15),
	TEST_WITH(allocations_fail, "(a fork for which a set grows)", 16),
	TEST_WITH(allocations_fail, "(an event on a member of a set)", 17),
	TEST_WITH(allocations_fail, "(a tracepoint)", 18),
};

int main(void)
{
	return TESTS_RUN(tests);
}
