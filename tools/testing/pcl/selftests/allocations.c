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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/hw_breakpoint.h>

#include "lib/bpf.h"
#include "lib/cgroup.h"
#include "lib/failing.h"
#include "lib/producer.h"
#include "lib/trace.h"

#define MOST	1000	/* allocations of a call: a bound on hanging */

static struct perf_event_attr attr;
static pid_t other;			/* a task that waits */
static int base = -1, second = -1;	/* what a row has open before */
static struct ring ring;		/* of the first of these */
static volatile long watched;
static char *page;

#define AREA_PAGES	4
#define PMU		"/sys/kernel/debug/pcl_removable"
#define PMU_SEEN	"/sys/bus/event_source/devices/pcl_removable"

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

/* ---- the same, of AUX areas, cgroups, filters, programs, PMUs ---- */

static int area_prot;

static long map_area(void)
{
	page = mmap(NULL, AREA_PAGES * PAGE, area_prot, MAP_SHARED, base, PAGE + ring.size);
	return page == MAP_FAILED ? -1 : 0;
}

static void unmap_area(long unused)
{
	(void)unused;
	if (page != MAP_FAILED && !test_busted("allocations"))
		munmap(page, AREA_PAGES * PAGE);
	CHECK_EQ(producer_areas(), 0);
}

static long open_of_cgroup(void)
{
	return event_open(&attr, second, 0, -1, PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
}

static long make_cgroup(void)
{
	return mkdir(cgroup_path("made"), 0700);
}

static void remove_cgroup(long made)
{
	if (!made && !test_busted("allocations"))
		CHECK(!rmdir(cgroup_path("made")));
}

static const char *filter;

static long set_filter(void)
{
	return ioctl(base, PERF_EVENT_IOC_SET_FILTER, filter);
}

#define ADDRESS_BEFORE	0x1000

/* The event has what it was given last. */
static void restore_range(long result)
{
	struct producer_range ranges[2];

	CHECK_EQ(producer_ranges(ranges), 1);
	CHECK_EQ(ranges[0].start, result ? ADDRESS_BEFORE : (long)(uintptr_t)probed);
	if (!test_busted("allocations"))
		CHECK(!ioctl(base, PERF_EVENT_IOC_SET_FILTER, "filter 0x1000/0x10"));
}

/* What a tracepoint's event was given it keeps for good. */
static void renew_event(long result)
{
	if (result || test_busted("allocations"))
		return;
	close(base);
	base = must_open_self(&attr);
}

static long set_program(void)
{
	return ioctl(base, PERF_EVENT_IOC_SET_BPF, second);
}

static long link_program(void)
{
	return link_try(second, base, 0);
}

static long query_programs(void)
{
	struct {
		struct perf_event_query_bpf head;
		uint32_t ids[4];
	} query = { .head.ids_len = 4 };

	return ioctl(base, PERF_EVENT_IOC_QUERY_BPF, &query) ? -1 : (long)query.head.prog_cnt - 1;
}

/* A sample whose chain is told on the way back to user mode. */
static long hit_once(void)
{
	hit_with(PID, 1);
	return 0;
}

/* The chain that had no memory is told as well, empty. */
static void count_chains(long unused)
{
	(void)unused;
	CHECK_EQ(ring_count(&ring, PERF_RECORD_CALLCHAIN_DEFERRED), 1 + test_busted("allocations"));
}

static long register_pmu(void)
{
	return write(second, "1", 1) == 1 ? 0 : -1;
}

static void unregister_pmu(long result)
{
	CHECK(!access(PMU_SEEN, F_OK) == !result);
	if (!test_busted("allocations"))
		CHECK(write(second, "0", 1) == 1);
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

/* ---- the same before those ---- */

static void with_producer(void)
{
	attr = producer_attr("producer");
}

static void announce_area(const char *pmu, int prot)
{
	attr = producer_attr(pmu);
	base = must_open_self(&attr);
	ring = ring_map(base, 1, PROT_READ | PROT_WRITE);
	ring.page->aux_offset = PAGE + ring.size;
	ring.page->aux_size = AREA_PAGES * PAGE;
	area_prot = prot;
}

static void with_area(void)
{
	announce_area("producer", PROT_READ | PROT_WRITE);
}

static void with_area_in_one_piece(void)
{
	announce_area("producer_one", PROT_READ);
}

static void with_cgroup(void)
{
	with_hardware();
	second = cgroup_open("a");
}

/* New cgroups are told of, by their paths. */
static void with_cgroup_teller(void)
{
	attr = dummy_attr();
	attr.cgroup = 1;
	attr.disabled = 0;
	ring = ring_open(&attr, &base);
}

static void with_kprobe(void)
{
	attr = kprobe_attr(0);
}

static void with_kretprobe(void)
{
	attr = kprobe_attr(1);
}

static void with_uprobe(void)
{
	attr = uprobe_attr(0);
}

static void with_range(void)
{
	static char text[64];

	pin_to_cpu(0);
	with_producer();
	base = must_open_self(&attr);
	event_enable(base);
	snprintf(text, sizeof(text), "filter %#llx/1@/proc/self/exe", (long long)offset_in_program((void *)probed));
	filter = text;
	CHECK(!ioctl(base, PERF_EVENT_IOC_SET_FILTER, "filter 0x1000/0x10"));
}

static void with_traced(void)
{
	attr = trace_attr(CALL);
	base = must_open_self(&attr);
	filter = "pid == 1 || pid == 2";
}

static void with_program(void)
{
	const struct bpf_insn code[] = { SET(R0, 1), END };

	with_traced();
	second = PROGRAM(AT_POINT, code);
}

static void with_program_set(void)
{
	with_program();
	CHECK(!set_program());
}

static void with_deferred_chain(void)
{
	attr = trace_attr(CALL);
	attr.disabled = 0;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	attr.defer_callchain = 1;
	attr.defer_output = 1;
	base = must_open_self(&attr);
	ring = ring_map(base, 8, PROT_READ | PROT_WRITE);
}

static void with_file_of_pmu(void)
{
	second = open(PMU, O_WRONLY);
	if (second < 0)
		test_skip("this kernel has no PMU that comes and goes");
}

/* The child's event has ranges of its own, and its driver's memory. */
static void with_inherited_range(void)
{
	with_producer();
	attr.inherit = 1;
	base = must_open_self(&attr);
	CHECK(!ioctl(base, PERF_EVENT_IOC_SET_FILTER, "filter 0x1000/0x10"));
}

/* The child makes probes of its own. */
static void with_inherited_probes(void)
{
	with_kprobe();
	attr.inherit = 1;
	must_open_self(&attr);
	with_uprobe();
	attr.inherit = 1;
	must_open_self(&attr);
}

/* ---- the rows ---- */

struct row {
	void (*prepare)(void);
	long (*call)(void);
	void (*undo)(long result);
	bool allocates;
};

/* One call whose @nth allocation fails. Returns whether it came to that one. */
static bool attempt(const struct row *row, unsigned int nth, unsigned int *refused)
{
	bool failed;
	long result;
	int error;

	failing_at(nth);
	errno = 0;
	result = row->call();
	error = errno;
	failed = failing_came();
	failing_at(0);
	row->undo(result);
	if (result < 0 && (!failed || error != ENOMEM))
		FAIL("allocation %u: %s%s", nth, strerror(error), failed ? "" : ", and none failed");
	*refused += result < 0;
	return failed;
}

static void allocations_fail(long argument)
{
	const struct row *row = (const struct row *)argument;
	struct test_objects before;
	unsigned int nth = 0, refused = 0;
	const char *changed;
	bool more;
	long nr;

	failing_begin();
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

#define ROW(what, ...)							\
	{ .name = "allocations_fail (" what ")", .run = allocations_fail,	\
	  .argument = (long)&(const struct row){ __VA_ARGS__ } }

static const struct test tests[] = {
	ROW("a software event", with_software, open_it, close_it, true),
	ROW("a hardware event", with_hardware, open_it, close_it, true),
	ROW("an event with call chains", with_chains, open_it, close_it, true),
	ROW("a breakpoint", with_breakpoint, open_it, close_it, true),
	ROW("a member", with_leader, open_it, close_it, true),
	ROW("a hardware event in a software group", with_software_leader, open_it, close_it, true),
	ROW("an event on a CPU", with_hardware, open_on_cpu, close_it, true),
	ROW("an event of a cgroup", with_cgroup, open_of_cgroup, close_it, true),
	ROW("an event on another task", with_other, open_on_other, close_and_renew_other, true),
	ROW("the extended call", with_chains, open_extended, close_it, true),
	ROW("a tracepoint", with_tracepoint, open_it, close_it, true),
	ROW("a kprobe", with_kprobe, open_it, close_it, true),
	ROW("a kprobe at a return", with_kretprobe, open_it, close_it, true),
	ROW("a uprobe", with_uprobe, open_it, close_it, true),
	ROW("an event that takes address filters", with_producer, open_it, close_it, true),
	ROW("a ring", with_sampler, map_ring, unmap_ring, true),
	ROW("an AUX area", with_area, map_area, unmap_area, true),
	ROW("an AUX area in one piece", with_area_in_one_piece, map_area, unmap_area, true),
	ROW("SET_OUTPUT", with_two, redirect, direct, false),
	ROW("SET_FILTER of addresses", with_range, set_filter, restore_range, true),
	ROW("SET_FILTER of a tracepoint", with_traced, set_filter, renew_event, true),
	ROW("SET_BPF", with_program, set_program, renew_event, true),
	ROW("a link of a program", with_program, link_program, close_it, true),
	ROW("QUERY_BPF", with_program_set, query_programs, nothing, true),
	ROW("MODIFY_ATTRIBUTES", with_open_breakpoint, move_breakpoint, nothing, false),
	ROW("a group's read", with_group, read_group, nothing, true),
	ROW("a mapping that is told of", with_teller, map_file, unmap_file, true),
	ROW("a cgroup that is told of", with_cgroup_teller, make_cgroup, remove_cgroup, true),
	ROW("a chain that is deferred", with_deferred_chain, hit_once, count_chains, false),
	ROW("a fork with inherited events", with_inherited, fork_bare, await_child, true),
	ROW("a fork with an inherited address filter", with_inherited_range, fork_bare, await_child, true),
	ROW("a fork with inherited probes", with_inherited_probes, fork_bare, await_child, true),
	ROW("a fork that makes a set", with_shared, fork_bare, await_child_and_leave, true),
	ROW("a fork for which a set grows", with_member, fork_bare, await_child_and_renew_set, true),
	ROW("an event on a member of a set", with_member_to_open, open_on_other, close_and_renew_other, true),
	ROW("a PMU", with_file_of_pmu, register_pmu, unregister_pmu, true),
};

int main(void)
{
	return CGROUP_TESTS_RUN(tests, FIRST);
}
