// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: how programs of BPF come to events and go: tracepoints and probes that run them, links, refusals, questions.
 *
 * Concepts: a program at a tracepoint or probe says whether there was a hit at all, for all its events. Which type of program
 *	an event takes depends on what makes it happen.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/bpf.h"
#include "lib/trace.h"

#define NR		60
#define COOKIE		0x123456789abcdef0

static volatile uint64_t *cells;

static struct ring map_ring(int fd)
{
	return ring_map(fd, 32, PROT_READ | PROT_WRITE);
}

/* ---- tracing ---- */

enum { CALLS, SWITCHED, KPROBE, UPROBE };

static struct perf_event_attr traced_attr(long kind)
{
	struct perf_event_attr attr;

	switch (kind) {
	case CALLS:
		return trace_attr(CALL);
	case SWITCHED:
		return trace_attr(SWITCH);
	case KPROBE:
		return kprobe_attr(0);
	default:
		attr = uprobe_attr(0);
		attr.exclude_kernel = 0;
		return attr;
	}
}

static uint32_t type_for(long kind)
{
	return kind == KPROBE || kind == UPROBE ? AT_PROBE : AT_POINT;
}

static void hit(long kind, int times)
{
	if (kind == SWITCHED) {
		switch_away(times);
	} else if (kind == UPROBE) {
		while (times--)
			probed();
	} else {
		hit_with(PID, times);
	}
}

/* Each hit, whosever it is, also one that the event does not count; what it drops nobody counts. */
static void a_hit_runs_it(long kind, int result)
{
	struct perf_event_attr attr = traced_attr(kind);
	int fd, other, map = cells_make(&cells);
	struct ring ring;

	attr.sample_period = 1;
	attr.sample_type = OF_A_HIT;
	fd = must_open_self(&attr);
	other = must_open_self(&attr);
	ring = map_ring(fd);
	program_set(fd, program_counts(type_for(kind), map, program_answer(result)));
	event_enable(fd);
	event_enable(other);
	hit(kind, NR);
	event_disable(fd);
	event_disable(other);
	if (kind == SWITCHED) {
		CHECK(cells[0] >= NR);
		CHECK(result == KEEP ? event_read(fd) >= NR : event_read(fd) == 0);
	} else {
		CHECK_EQ(cells[0], NR);
		CHECK_EQ(event_read(fd), result == KEEP ? NR : 0);
	}
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), event_read(fd));
	/* A probe is each event's own, a tracepoint everybody's. */
	if (kind == CALLS)
		CHECK_EQ(event_read(other), event_read(fd));
	if (kind == KPROBE)
		CHECK_EQ(event_read(other), NR);
}

static void a_hit_is_kept(long kind)
{
	a_hit_runs_it(kind, KEEP);
}

static void a_hit_is_dropped(long kind)
{
	a_hit_runs_it(kind, DROP);
}

/* The number of the call's argument in the record of the tracepoint; the registers of the kprobe have them, too. */
static void it_sees_the_hit(long kind)
{
	struct perf_event_attr attr = traced_attr(kind);
	int fd = must_open_self(&attr), map = cells_make(&cells);
	const struct bpf_insn of_call[] = {	/* common fields, nr, then the arguments */
		CELLS(R6, map), LOAD(R2, R1, 16), STORE(R6, 8, R2), SET(R0, 1), END,
	};
	const struct bpf_insn of_function[] = {
		CELLS(R6, map), LOAD(R2, R1, offsetof(struct pt_regs, ARCH_REGS_ARGUMENT)), STORE(R6, 8, R2), SET(R0, 1), END,
	};
	const struct bpf_insn of_wrapper[] = {	/* its argument points to the registers of the program */
		CELLS(R6, map), LOAD(R3, R1, offsetof(struct pt_regs, ARCH_REGS_ARGUMENT)), ADD(R3, offsetof(struct pt_regs, ARCH_REGS_ARGUMENT)),
		MOVE(R1, R6), ADD(R1, 8), SET(R2, 8), CALL_HELPER(probe_read_kernel), SET(R0, 1), END,
	};

	program_set(fd, kind == CALLS ? PROGRAM(AT_POINT, of_call) :
		    ARCH_CALL_POINTS ? PROGRAM(AT_PROBE, of_wrapper) : PROGRAM(AT_PROBE, of_function));
	event_enable(fd);
	hit(kind, 1);
	CHECK_EQ(cells[1], PID);
}

/* ---- links ---- */

static void a_link_has_a_cookie(long kind)
{
	struct perf_event_attr attr = kind < 0 ? fault_attr() : traced_attr(kind);
	uint32_t type = kind < 0 ? AT_EVENT : type_for(kind);
	int fd, map = cells_make(&cells), link;
	const struct bpf_insn code[] = {
		CELLS(R6, map), CALL_HELPER(get_attach_cookie), STORE(R6, 8, R0), SET(R2, 1), ADD_TO(R6, 0, R2),
		SET(R0, 1), END,
	};
	int program = PROGRAM(type, code);

	fd = must_open_self(&attr);
	link = link_make(program, fd, COOKIE + test_busted("cookie"));
	event_enable(fd);
	kind < 0 ? touch_fresh_pages(NR) : hit(kind, NR);
	CHECK(cells[0] >= NR);
	CHECK_EQ(cells[1], COOKIE);
	/* Without a link it is 0. */
	close(link);
	cells[0] = 0;
	program_set(fd, program);
	kind < 0 ? touch_fresh_pages(NR) : hit(kind, NR);
	CHECK(cells[0] >= NR);
	CHECK_EQ(cells[1], 0);
}

/* With its link a program is gone, and the event goes on; another may come. */
static void program_gone__its_link_ends(long kind)
{
	struct perf_event_attr attr = kind < 0 ? fault_attr() : traced_attr(kind);
	uint32_t type = kind < 0 ? AT_EVENT : type_for(kind);
	int fd, map = cells_make(&cells), link, program = program_counts(type, map, program_answer(DROP));
	struct ring ring;

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = map_ring(fd);
	link = link_make(program, fd, 0);
	event_enable(fd);
	kind < 0 ? touch_fresh_pages(1) : hit(kind, NR);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), 0);
	CHECK_ERRNO(link_try(program_counts(type, map, 1), fd, 0), EEXIST);
	CHECK_ERRNO(ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_counts(type, map, 1)), EEXIST);
	close(link);
	cells[0] = 0;
	kind < 0 ? touch_fresh_pages(1) : hit(kind, NR);
	CHECK_EQ(cells[0], 0);
	CHECK(ring_count(&ring, PERF_RECORD_SAMPLE) >= (kind < 0 ? 1 : NR));
	program_set(fd, program);
	kind < 0 ? touch_fresh_pages(1) : hit(kind, NR);
	CHECK(cells[0] >= (kind < 0 ? 1 : NR));
}

/* A link holds its event. */
static void a_link_outlives_the_descriptor(long kind)
{
	struct perf_event_attr attr = kind < 0 ? fault_attr() : traced_attr(kind);
	uint32_t type = kind < 0 ? AT_EVENT : type_for(kind);
	int fd, map = cells_make(&cells), link;

	fd = must_open_self(&attr);
	link = link_make(program_counts(type, map, KEEP), fd, 0);
	event_enable(fd);
	close(fd);
	if (!test_busted("program"))
		kind < 0 ? touch_fresh_pages(NR) : hit(kind, NR);
	CHECK(cells[0] >= NR);
	close(link);
	cells[0] = 0;
	kind < 0 ? touch_fresh_pages(NR) : hit(kind, NR);
	CHECK_EQ(cells[0], 0);
}

/* ---- who takes which ---- */

static void wrong_programs_are_refused(long unused)
{
	struct perf_event_attr software = fault_attr(), point = trace_attr(CALL), probe = kprobe_attr(0);
	int fds[3], i, j, map = cells_make(&cells), null = open("/dev/null", O_RDONLY);
	const uint32_t types[3] = { AT_EVENT, AT_POINT, AT_PROBE };
	const struct bpf_insn far[] = { LOAD(R0, R1, 512), SET(R0, 1), END };
	int programs[3];

	(void)unused;
	fds[0] = must_open_self(&software);
	fds[1] = must_open_self(&point);
	fds[2] = must_open_self(&probe);
	for (i = 0; i < 3; i++)
		programs[i] = program_counts(types[test_busted("type") ? 0 : i], map, 1);
	for (i = 0; i < 3; i++) {
		CHECK_ERRNO(ioctl(fds[i], PERF_EVENT_IOC_SET_BPF, 999), EBADF);
		CHECK_ERRNO(ioctl(fds[i], PERF_EVENT_IOC_SET_BPF, null), EINVAL);
		for (j = 0; j < 3; j++) {
			if (i == j)
				continue;
			CHECK_ERRNO(ioctl(fds[i], PERF_EVENT_IOC_SET_BPF, programs[j]), EINVAL);
			CHECK_ERRNO(link_try(programs[j], fds[i], 0), EINVAL);
		}
	}
	CHECK_ERRNO(ioctl(fds[1], PERF_EVENT_IOC_SET_BPF, PROGRAM(AT_POINT, far)), EACCES);
	for (i = 0; i < 3; i++)
		must_ioctl(fds[i], PERF_EVENT_IOC_SET_BPF, programs[i]);
	/* That there is one is said before that another is of the wrong type, but not by tracing. */
	CHECK_ERRNO(ioctl(fds[0], PERF_EVENT_IOC_SET_BPF, programs[1]), EEXIST);
	CHECK_ERRNO(ioctl(fds[1], PERF_EVENT_IOC_SET_BPF, programs[0]), EINVAL);
	CHECK_ERRNO(ioctl(fds[1], PERF_EVENT_IOC_SET_BPF, programs[1]), EEXIST);
}

/* A tracepoint takes a program once, whichever event brings it, and 64 at most. */
static void a_tracepoint_is_full(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd = must_open_self(&attr), map = cells_make(&cells), program = program_counts(AT_POINT, map, 1), i;

	(void)unused;
	program_set(fd, program);
	CHECK_ERRNO(ioctl(must_open_self(&attr), PERF_EVENT_IOC_SET_BPF, program), EEXIST);
	for (i = 1; i < 64; i++)
		must_ioctl(must_open_self(&attr), PERF_EVENT_IOC_SET_BPF, program_counts(AT_POINT, map, 1));
	CHECK_ERRNO(ioctl(must_open_self(&attr), PERF_EVENT_IOC_SET_BPF, program_counts(AT_POINT, map, 1)), E2BIG);
	event_enable(fd);
	hit(CALLS, 1);
	CHECK_EQ(cells[0], 64);
}

static int without_privileges(void *arg)
{
	int *fds = arg;	/* an event, a program, a tracepoint's event */
	struct perf_event_query_bpf query = { 0 };
	const struct bpf_insn code[] = { SET(R0, 1), END };
	struct perf_event_attr attr = fault_attr();
	int own;

	drop_privileges();
	CHECK_ERRNO(program_try(AT_EVENT, code, 2), EPERM);
	CHECK_ERRNO(ioctl(fds[2], PERF_EVENT_IOC_QUERY_BPF, &query), EPERM);
	/* Whoever has both may bring them together. */
	close(link_make(fds[1], fds[0], 0));
	own = must_open_self(&attr);
	program_set(own, fds[1]);
	event_enable(own);
	touch_fresh_pages(NR);
	return 0;
}

static void who_may(long unused)
{
	struct perf_event_attr attr = fault_attr(), point = trace_attr(CALL);
	int map = cells_make(&cells);
	int fds[3] = { must_open_self(&attr), program_counts(AT_EVENT, map, 1), must_open_self(&point) };

	(void)unused;
	CHECK_EQ(in_child(without_privileges, fds), 0);
	CHECK(cells[0] >= NR);
}

/* ---- questions ---- */

static void tracepoints_tell_their_programs(long unused)
{
	struct perf_event_attr attr = trace_attr(CALL), other = fault_attr();
	int first = must_open_self(&attr), second = must_open_self(&attr), map = cells_make(&cells);
	int programs[2] = { program_counts(AT_POINT, map, 1), program_counts(AT_POINT, map, 1) };
	struct { struct perf_event_query_bpf head; uint32_t ids[4]; } query = { .head.ids_len = 4 };

	(void)unused;
	CHECK(!ioctl(first, PERF_EVENT_IOC_QUERY_BPF, &query));
	CHECK_EQ(query.head.prog_cnt, 0);
	program_set(first, programs[0]);
	program_set(second, programs[1]);
	CHECK(!ioctl(first, PERF_EVENT_IOC_QUERY_BPF, &query));
	CHECK_EQ(query.head.prog_cnt, 2);
	CHECK_EQ(query.ids[0], program_id(programs[0]));
	CHECK_EQ(query.ids[1], program_id(programs[1]));
	query.head.ids_len = 1;
	CHECK_ERRNO(ioctl(second, PERF_EVENT_IOC_QUERY_BPF, &query), ENOSPC);
	CHECK_EQ(query.head.prog_cnt, 2);
	query.head.ids_len = 65;
	CHECK_ERRNO(ioctl(second, PERF_EVENT_IOC_QUERY_BPF, &query), E2BIG);
	CHECK_ERRNO(ioctl(second, PERF_EVENT_IOC_QUERY_BPF, NULL), EFAULT);
	CHECK_ERRNO(ioctl(must_open_self(&other), PERF_EVENT_IOC_QUERY_BPF, &query), EINVAL);
}

static union bpf_attr ask(int fd, char *name, unsigned int size)
{
	union bpf_attr attr = {
		.task_fd_query.pid = getpid(), .task_fd_query.fd = fd, .task_fd_query.buf = (uintptr_t)name,
		.task_fd_query.buf_len = size,
	};

	return attr;
}

static void descriptors_are_asked(long unused)
{
	struct perf_event_attr software = fault_attr(), point = trace_attr(CALL), probe = kprobe_attr(0);
	int fds[3] = { must_open_self(&software), must_open_self(&point), must_open_self(&probe) };
	int map = cells_make(&cells), i, null = open("/dev/null", O_RDONLY);
	const uint32_t types[3] = { AT_EVENT, AT_POINT, AT_PROBE };
	const char *names[3] = { "", "sys_enter_getpgid", CALL_FUNCTION };
	const uint32_t kinds[3] = { 0, BPF_FD_TYPE_TRACEPOINT, BPF_FD_TYPE_KPROBE };
	union bpf_attr attr;
	char name[64];
	int program;

	(void)unused;
	attr = ask(null, name, sizeof(name));
	CHECK_ERRNO(bpf_call(BPF_TASK_FD_QUERY, &attr), 524);	/* ENOTSUPP */
	for (i = 0; i < 3; i++) {
		attr = ask(fds[i], name, sizeof(name));
		CHECK_ERRNO(bpf_call(BPF_TASK_FD_QUERY, &attr), ENOENT);
		program = program_counts(types[i], map, 1);
		program_set(fds[i], program);
		attr = ask(fds[i], name, sizeof(name));
		if (!i) {
			CHECK_ERRNO(bpf_call(BPF_TASK_FD_QUERY, &attr), EOPNOTSUPP);
			continue;
		}
		if (bpf_call(BPF_TASK_FD_QUERY, &attr))
			FAIL("event %d cannot be asked: %s", i, strerror(errno));
		CHECK_EQ(attr.task_fd_query.prog_id, program_id(program));
		CHECK_EQ(attr.task_fd_query.fd_type, kinds[i]);
		if (strcmp(name, names[i]))
			FAIL("it is said to be at %s, not %s", name, names[i]);
	}
}

static const struct test tests[] = {
	TEST_WITH(a_hit_is_kept, "(system call)", CALLS),
	TEST_WITH(a_hit_is_kept, "(tracepoint)", SWITCHED),
	TEST_WITH(a_hit_is_kept, "(kprobe)", KPROBE),
	TEST_WITH(a_hit_is_kept, "(uprobe)", UPROBE),
	TEST_WITH(a_hit_is_dropped, "(system call)", CALLS),
	TEST_WITH(a_hit_is_dropped, "(tracepoint)", SWITCHED),
	TEST_WITH(a_hit_is_dropped, "(kprobe)", KPROBE),
	TEST_WITH(a_hit_is_dropped, "(uprobe)", UPROBE),
	TEST_WITH(it_sees_the_hit, "(system call)", CALLS),
	TEST_WITH(it_sees_the_hit, "(kprobe)", KPROBE),
	TEST_WITH(a_link_has_a_cookie, "(overflow)", -1),
	TEST_WITH(a_link_has_a_cookie, "(system call)", CALLS),
	TEST_WITH(a_link_has_a_cookie, "(kprobe)", KPROBE),
	TEST_WITH(program_gone__its_link_ends, "(overflow)", -1),
	TEST_WITH(program_gone__its_link_ends, "(system call)", CALLS),
	TEST_WITH(program_gone__its_link_ends, "(kprobe)", KPROBE),
	TEST_WITH(a_link_outlives_the_descriptor, "(overflow)", -1),
	TEST_WITH(a_link_outlives_the_descriptor, "(system call)", CALLS),
	TEST_WITH(a_link_outlives_the_descriptor, "(kprobe)", KPROBE),
	TEST(wrong_programs_are_refused),
	TEST(a_tracepoint_is_full),
	TEST(who_may),
	TEST(tracepoints_tell_their_programs),
	TEST(descriptors_are_asked),
};

int main(void)
{
	return TESTS_RUN(tests);
}
