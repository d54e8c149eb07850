// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what a security module refuses is refused, with its errno and a reason, and leaves nothing behind; and it is
 *	asked where stock asks it, neither more nor less.
 *
 * Concepts: kernel/events/refusing_test.c is that module. Files in debugfs tell it what to refuse, and how often each of
 *	its hooks was asked. No kernel of stock's has it, so what is expected here was read in stock 6.1
 *	(kernel/events/core.c, arch/x86/events/intel/core.c, kernel/trace/trace_event_perf.c):
 *
 *	open		once for each call, when the attr was found well-formed
 *	kernel		after open, unless exclude_kernel; before it, with the attr, for branches of the kernel; for
 *			physical addresses, when frequency and period were found good
 *	lockdown	for registers at the interrupt, behind it
 *	cpu		for an event without a task, when it was made; for AnyThread, while it is made
 *	tracepoint	for raw data of a tracepoint or a probe, while the event is made
 *	alloc		when the PMU has taken it, also for each copy that a child inherits: its errno ends the fork
 *	free		for what alloc has let in
 *	read		for read(2); for mmap(2), after MAP_INHERITED and MAP_PRIVATE were refused; not for poll(2), and not
 *			for what is mapped already
 *	write		for each ioctl, before its command is looked at
 *
 *	The errno is handed on. That a refusal has the reason SECURITY_MODULE is PCL's alone (lockdown's is of its own), and that a
 *	family whose tasks share copies asks for those copies, not for those of each task.
 * Contexts: root, on a kernel with CONFIG_PCL_REFUSING_TEST.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include <linux/hw_breakpoint.h>

#include "lib/module.h"
#include "lib/trace.h"

#define ANY_THREAD	0x2000c0	/* instructions of both hyper-threads */

static volatile long watched;

/* ---- events ---- */

static struct perf_event_attr software(void)
{
	return event_attr(PAGE_FAULTS);
}

static struct perf_event_attr hardware(void)
{
	return event_attr(INSTRUCTIONS);
}

static struct perf_event_attr of_kernel(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.exclude_kernel = 0;
	return attr;
}

static struct perf_event_attr chains(void)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);

	attr.sample_period = 1000000;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	return attr;
}

static struct perf_event_attr breakpoint(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)&watched;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	return attr;
}

static struct perf_event_attr branches_of_kernel(void)
{
	struct perf_event_attr attr = event_attr(BRANCHES);

	attr.sample_period = 1000000;
	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL;
	return attr;
}

static struct perf_event_attr physical_addresses(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_PHYS_ADDR;
	return attr;
}

static struct perf_event_attr any_thread(void)
{
	return event_attr(PERF_TYPE_RAW, ANY_THREAD);
}

static struct perf_event_attr raw_tracepoint(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_TRACEPOINT, 0);

	attr.config = tracepoint_number("sched/sched_switch");
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_RAW;
	return attr;
}

static struct perf_event_attr raw_kprobe(void)
{
	struct perf_event_attr attr = kprobe_attr(0);

	attr.exclude_kernel = 1;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_RAW;
	return attr;
}

/* ---- opening ---- */

/* One call, by a row: on this task, or on CPU 0. How often each hook is asked, first when it refuses, then when none does. */
static const struct open_row {
	struct perf_event_attr (*attr)(void);
	bool on_cpu;
	unsigned int hook;
	int refused[ALLOC + 1], let[ALLOC + 1];
	bool unbuilt;		/* refused in the end, for what is not built */
} open_rows[] = {
	{ software, false, OPEN, { 1, 0, 0, 0, 0 }, { 1, 0, 0, 0, 1 } },
	{ of_kernel, false, KERNEL, { 1, 0, 1, 0, 0 }, { 1, 0, 1, 0, 1 } },
	{ of_kernel, true, KERNEL, { 1, 0, 1, 0, 0 }, { 1, 1, 1, 0, 1 } },
	{ software, true, CPU, { 1, 1, 0, 0, 1 }, { 1, 1, 0, 0, 1 } },
	{ any_thread, false, CPU, { 1, 1, 0, 0, 0 }, { 1, 1, 0, 0, 1 } },
	{ branches_of_kernel, false, KERNEL, { 0, 0, 1, 0, 0 }, { 1, 0, 1, 0, 1 }, true },
	{ raw_tracepoint, false, TRACEPOINT, { 1, 0, 0, 1, 0 }, { 1, 0, 0, 1, 1 } },
	{ software, false, ALLOC, { 1, 0, 0, 0, 1 }, { 1, 0, 0, 0, 1 } },
	{ software, true, ALLOC, { 1, 0, 0, 0, 1 }, { 1, 1, 0, 0, 1 } },
	{ hardware, false, ALLOC, { 1, 0, 0, 0, 1 }, { 1, 0, 0, 0, 1 } },
	{ chains, false, ALLOC, { 1, 0, 0, 0, 1 }, { 1, 0, 0, 0, 1 } },
	{ breakpoint, false, ALLOC, { 1, 0, 0, 0, 1 }, { 1, 0, 0, 0, 1 } },
	{ physical_addresses, false, KERNEL, { 1, 0, 1, 0, 0 }, { 1, 0, 1, 0, 1 } },
	/* Tracing does not say who refused a probe, so PCL asks once more. */
	{ raw_kprobe, false, TRACEPOINT, { 1, 0, 0, 2, 0 }, { 1, 0, 0, 1, 1 } },
};

static int open_by(const struct open_row *row, const void *attr, unsigned long flags)
{
	return event_open(attr, row->on_cpu ? -1 : 0, row->on_cpu ? 0 : -1, -1, flags);
}

static void must_be_asked_each(const int *times)
{
	int i;

	for (i = 0; i <= ALLOC; i++)
		must_be_asked(i, times[i]);
}

/* The extended call says it, too. */
static void must_say_why(const struct open_row *row, const struct perf_event_attr *attr)
{
	struct pcl_open open = { .size = sizeof(open), .attr = (uintptr_t)attr };

	CHECK_ERRNO(open_by(row, &open, PCL_FLAG_OPEN), REFUSAL);
	CHECK_EQ(open.why_reason, PCL_REASON_SECURITY_MODULE);
}

/* A part of PCL that is not built refuses before the event is made; what is asked until then is asked. */
static bool is_unbuilt(int error)
{
	struct refusal refusal = first_refusal();

	return error == -refusal.err && refusal.reason >= PCL_REASON_PART_UNBUILT;
}

static void an_open_is_refused(long which)
{
	const struct open_row *row = &open_rows[which];
	struct perf_event_attr attr = row->attr(), first = software();
	int fd;

	module_begin();
	/* This task keeps the context that its first event brings. */
	close(must_open_self(&first));
	mark();
	refuse(1U << row->hook);
	MUST_REFUSE(open_by(row, &attr, 0));
	must_be_asked_each(row->refused);
	must_say_why(row, &attr);
	must_be_as_before();

	refuse(0);
	mark();
	fd = open_by(row, &attr, 0);
	if (row->unbuilt) {
		CHECK(fd < 0 && is_unbuilt(errno));
		return;
	}
	if (fd < 0)
		FAIL("refused, and not by the module: %s", strerror(errno));
	must_be_asked_each(row->let);
	must_be_asked(READ, 0);
	must_be_asked(WRITE, 0);
	close(fd);
	must_be_as_before();
}

/* Who locks the kernel down forbids to look at its registers, and nothing else here. */
static void registers_at_the_interrupt_are_refused(long unused)
{
	struct perf_event_attr attr = software();
	struct refusal refusal;

	(void)unused;
	module_begin();
	attr.sample_period = 1;
	attr.sample_regs_intr = attr.sample_regs_user = 1;
	attr.sample_type = PERF_SAMPLE_REGS_INTR;
	refuse(1U << LOCKDOWN);
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), REFUSAL);
	refusal = first_refusal();
	CHECK_EQ(refusal.reason, PCL_REASON_REGS_INTR_LOCKDOWN);
	CHECK_EQ(refusal.err, -REFUSAL);
	must_be_asked(OPEN, 1);
	must_be_asked(LOCKDOWN, 1);
	must_be_asked(ALLOC, 0);
	must_be_as_before();

	attr.sample_type = PERF_SAMPLE_REGS_USER;
	close(must_open_self(&attr));
	must_be_asked(LOCKDOWN, 1);
	refuse(0);
	attr.sample_type = PERF_SAMPLE_REGS_INTR;
	close(must_open_self(&attr));
	must_be_asked(LOCKDOWN, 2);
}

/* Each takes one of a few places, which a refused one must give back. */
static void refused_breakpoints_leave_their_places(long unused)
{
	struct perf_event_attr attr = breakpoint();
	int i;

	(void)unused;
	module_begin();
	refuse(1U << ALLOC);
	for (i = 0; i < 8; i++)
		MUST_REFUSE(event_open(&attr, 0, -1, -1, 0));
	refuse(0);
	for (i = 0; i < 4; i++)
		must_open_self(&attr);
}

/* The longest chain can be changed only while nobody samples any. */
static void refused_chains_leave_their_buffers(long unused)
{
	struct perf_event_attr attr = chains();
	int fd;

	(void)unused;
	module_begin();
	refuse(1U << ALLOC);
	MUST_REFUSE(event_open(&attr, 0, -1, -1, 0));
	refuse(0);
	sysctl_set("perf_event_max_stack", sysctl_get("perf_event_max_stack"));
	fd = must_open_self(&attr);
	close(fd);
}

/* A group stays as it was. */
static void a_refused_member_does_not_join(long unused)
{
	struct perf_event_attr attr = hardware();
	uint64_t words[8];
	int leader;

	(void)unused;
	module_begin();
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	mark();
	refuse(1U << ALLOC);
	MUST_REFUSE(event_open(&attr, 0, -1, leader, 0));
	refuse(0);
	must_be_as_before();
	CHECK_EQ(event_read_words(leader, words, 8), 2);
	CHECK_EQ(words[0], 1);
}

/* ---- reading ---- */

static void a_read_is_refused(long unused)
{
	struct perf_event_attr attr = software();
	uint64_t count;
	int fd;

	(void)unused;
	module_begin();
	fd = must_open_self(&attr);
	event_enable(fd);
	touch_fresh_pages(10);
	event_disable(fd);
	mark();
	refuse(1U << READ);
	MUST_REFUSE(read(fd, &count, sizeof(count)));
	must_be_asked(READ, 1);
	refuse(0);
	CHECK_EQ(event_read(fd), 10);
	must_be_asked(READ, 2);
}

static void a_groups_read_is_refused(long unused)
{
	struct perf_event_attr attr = software();
	uint64_t words[8];
	int leader;

	(void)unused;
	module_begin();
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open(&attr, -1, 1, -1);
	must_open(&attr, -1, 1, leader);
	mark();
	refuse(1U << READ);
	MUST_REFUSE(read(leader, words, sizeof(words)));
	refuse(0);
	/* Who reads the leader reads all, and is asked once. */
	CHECK_EQ(event_read_words(leader, words, 8), 3);
	must_be_asked(READ, 2);
}

static long map(int fd, int flags)
{
	return mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0) == MAP_FAILED ? -1 : 0;
}

static void a_mapping_is_refused(long unused)
{
	struct perf_event_attr attr = chains();
	struct ring ring;
	int fd, inheriting;

	(void)unused;
	module_begin();
	fd = must_open_self(&attr);
	attr.inherit = 1;
	inheriting = must_open_self(&attr);
	mark();
	refuse(1U << READ);
	MUST_REFUSE(map(fd, MAP_SHARED));
	must_be_asked(READ, 1);
	must_be_as_before();
	/* Who could not map it anyway is told that. */
	CHECK_ERRNO(map(fd, MAP_PRIVATE), EINVAL);
	CHECK_ERRNO(map(inheriting, MAP_SHARED), EINVAL);
	must_be_asked(READ, 1);
	refuse(0);
	ring = ring_map(fd, 2, PROT_READ | PROT_WRITE);
	must_be_asked(READ, 2);
	ring_unmap(&ring);
}

/* Nobody is asked for what is mapped, or whether there is something. */
static void a_mapped_ring_is_read_all_the_same(long unused)
{
	struct perf_event_attr attr = chains();
	struct pollfd wait = { .events = POLLIN };
	struct ring ring;
	uint64_t count;

	(void)unused;
	module_begin();
	attr.sample_period = 100000;
	attr.wakeup_events = 1;
	wait.fd = must_open_self(&attr);
	ring = ring_map(wait.fd, 2, PROT_READ | PROT_WRITE);
	event_enable(wait.fd);
	mark();
	refuse(1U << READ);
	loop_run(100000);
	CHECK_EQ(poll(&wait, 1, -1), 1);
	CHECK_EQ(wait.revents, POLLIN);
	CHECK(ring_count(&ring, PERF_RECORD_SAMPLE) > 0);
	must_be_asked(READ, 0);
	MUST_REFUSE(read(wait.fd, &count, sizeof(count)));
	refuse(0);
}

/* ---- changing ---- */

static uint64_t value;
static char text[] = "nothing";
static struct perf_event_attr other_attr;

static const struct {
	const char *name;
	unsigned long command;
	unsigned long argument;
} commands[] = {
	{ "ENABLE", PERF_EVENT_IOC_ENABLE, 0 },
	{ "ENABLE of a group", PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP },
	{ "DISABLE", PERF_EVENT_IOC_DISABLE, 0 },
	{ "REFRESH", PERF_EVENT_IOC_REFRESH, 1 },
	{ "RESET", PERF_EVENT_IOC_RESET, 0 },
	{ "PERIOD", PERF_EVENT_IOC_PERIOD, (uintptr_t)&value },
	{ "SET_OUTPUT", PERF_EVENT_IOC_SET_OUTPUT, -1UL },
	{ "SET_FILTER", PERF_EVENT_IOC_SET_FILTER, (uintptr_t)text },
	{ "ID", PERF_EVENT_IOC_ID, (uintptr_t)&value },
	{ "SET_BPF", PERF_EVENT_IOC_SET_BPF, -1UL },
	{ "PAUSE_OUTPUT", PERF_EVENT_IOC_PAUSE_OUTPUT, 1 },
	{ "QUERY_BPF", PERF_EVENT_IOC_QUERY_BPF, (uintptr_t)&value },
	{ "MODIFY_ATTRIBUTES", PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (uintptr_t)&other_attr },
	{ "a command that is none", _IO('$', 99), 0 },
};

static void each_ioctl_is_refused(long unused)
{
	struct perf_event_attr attr = breakpoint();
	unsigned int i;
	int fd;

	(void)unused;
	module_begin();
	value = 1000;
	other_attr = attr;
	fd = must_open_self(&attr);
	mark();
	refuse(1U << WRITE);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		test_note("%s", commands[i].name);
		MUST_REFUSE(ioctl(fd, commands[i].command, commands[i].argument));
		must_be_asked(WRITE, i + 1);
	}
	must_be_asked(READ, 0);
	CHECK_EQ(value, 1000);
	refuse(0);
	event_id(fd);
	must_be_asked(WRITE, i + 1);
}

static void what_is_refused_changes_nothing(long unused)
{
	struct perf_event_attr attr = software();
	int fd;

	(void)unused;
	module_begin();
	fd = must_open_self(&attr);
	refuse(1U << WRITE);
	MUST_REFUSE(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	touch_fresh_pages(5);
	CHECK_EQ(event_read(fd), 0);
	refuse(0);
	event_enable(fd);
	touch_fresh_pages(7);
	refuse(1U << WRITE);
	MUST_REFUSE(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	MUST_REFUSE(ioctl(fd, PERF_EVENT_IOC_RESET, 0));
	touch_fresh_pages(7);
	refuse(0);
	event_disable(fd);
	CHECK_EQ(event_read(fd), 14);
}

/* ---- children ---- */

static int touch_ten(void *unused)
{
	(void)unused;
	touch_fresh_pages(10);
	return 0;
}

/* Shared by the family, or a copy for each task: no exec shares what ends with one. */
static void a_child_is_refused(long alone)
{
	struct perf_event_attr attr = software();
	int first, second;
	long copies;

	module_begin();
	attr.inherit = 1;
	attr.remove_on_exec = alone;
	first = must_open_self(&attr);
	second = must_open_self(&attr);
	event_enable(first);
	event_enable(second);
	mark();
	refuse(1U << ALLOC);
	MUST_REFUSE(fork_bare());
	must_be_asked(ALLOC, 1);
	must_be_as_before();

	refuse(0);
	mark();
	CHECK_EQ(in_child(touch_ten, NULL), 0);
	copies = asked_for(ALLOC);
	test_note("asked for %ld copies of two events", copies);
	/* Two for each instance; of these there are as many as CPUs or, which are two, tasks. */
	CHECK_EQ(copies, alone ? 2 : 4);
	CHECK(event_read(first) >= 10);
	CHECK(event_read(second) >= 10);
	close(first);
	close(second);
	must_hold(0);
}

/* ---- all of a life ---- */

static void what_is_let_in_is_let_out_once(long unused)
{
	struct perf_event_attr attr = chains(), member = software();
	struct ring ring;
	int fd;

	(void)unused;
	module_begin();
	fd = must_open(&attr, 0, 0, -1);
	ring = ring_map(fd, 2, PROT_READ | PROT_WRITE);
	must_open(&member, 0, 0, fd);
	attr = breakpoint();
	attr.inherit = 1;
	must_open_self(&attr);
	CHECK_EQ(asked_for(ALLOC), 3);
	must_hold(3);
	event_enable(fd);
	CHECK_EQ(in_child(touch_ten, NULL), 0);
	CHECK_EQ(asked_for(ALLOC), 4);
	must_hold(3);
	/* The mapping keeps the event. */
	close(fd);
	must_hold(3);
	ring_unmap(&ring);
	must_hold(2);
}

static const struct test tests[] = {
	TEST_WITH(an_open_is_refused, "(any)", 0),
	TEST_WITH(an_open_is_refused, "(of the kernel)", 1),
	TEST_WITH(an_open_is_refused, "(of the kernel, on a CPU)", 2),
	TEST_WITH(an_open_is_refused, "(on a CPU)", 3),
	TEST_WITH(an_open_is_refused, "(of both hyper-threads)", 4),
	TEST_WITH(an_open_is_refused, "(with branches of the kernel)", 5),
	TEST_WITH(an_open_is_refused, "(with a tracepoint's data)", 6),
	TEST_WITH(an_open_is_refused, "(as an event, software)", 7),
	TEST_WITH(an_open_is_refused, "(as an event, on a CPU)", 8),
	TEST_WITH(an_open_is_refused, "(as an event, hardware)", 9),
	TEST_WITH(an_open_is_refused, "(as an event, with call chains)", 10),
	TEST_WITH(an_open_is_refused, "(as an event, a breakpoint)", 11),
	TEST_WITH(an_open_is_refused, "(with physical addresses)", 12),
	TEST_WITH(an_open_is_refused, "(of a probe's data)", 13),
	TEST(registers_at_the_interrupt_are_refused),
	TEST(refused_breakpoints_leave_their_places),
	TEST(refused_chains_leave_their_buffers),
	TEST(a_refused_member_does_not_join),
	TEST(a_read_is_refused),
	TEST(a_groups_read_is_refused),
	TEST(a_mapping_is_refused),
	TEST(a_mapped_ring_is_read_all_the_same),
	TEST(each_ioctl_is_refused),
	TEST(what_is_refused_changes_nothing),
	TEST_WITH(a_child_is_refused, "(of a family that shares)", 0),
	TEST_WITH(a_child_is_refused, "(with copies of its own)", 1),
	TEST(what_is_let_in_is_let_out_once),
};

int main(void)
{
	return TESTS_RUN(tests);
}
