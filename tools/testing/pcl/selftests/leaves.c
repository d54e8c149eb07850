// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what an event took from others is given back when it goes: programs of BPF, probes in code.
 *
 * Concepts: each is looked for where its owner shows it: programs by their number, kprobes in the list of debugfs, a
 *	uprobe's breakpoint in the program's own text. Some owners let go a little later, so it is waited for.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "lib/bpf.h"
#include "lib/trace.h"

static volatile uint64_t *cells;

/* Asks until it is so; a second is long for an RCU grace period and a worker. */
static void await_gone(bool (*is_there)(const void *which), const void *which, const char *what)
{
	int i;

	for (i = 0; i < 2000; i++) {
		if (!is_there(which))
			return;
		usleep(5000);
	}
	FAIL("%s is still there", what);
}

/* ---- programs ---- */

static bool is_program(const void *id)
{
	union bpf_attr attr = { .prog_id = *(const uint32_t *)id };
	int fd = bpf_call(BPF_PROG_GET_FD_BY_ID, &attr);

	if (fd >= 0)
		close(fd);
	else
		CHECK_EQ(errno, ENOENT);
	return fd >= 0;
}

enum { SET_AT_EVENT, SET_AT_POINT, LINKED_AT_EVENT, LINKED_AT_POINT };

/* Of an event that had a child, too, which copies have the program. */
static void a_programs_last_event_lets_it_go(long how)
{
	bool at_point = how == SET_AT_POINT || how == LINKED_AT_POINT;
	struct perf_event_attr attr = at_point ? trace_attr(CALL) : fault_attr();
	int fd, program, link = -1, map = cells_make(&cells);
	uint32_t id;

	attr.inherit = 1;
	fd = must_open_self(&attr);
	program = program_counts(at_point ? AT_POINT : AT_EVENT, map, KEEP);
	id = program_id(program);
	if (how == SET_AT_EVENT || how == SET_AT_POINT)
		program_set(fd, program);
	else
		link = link_make(program, fd, 0);
	close(program);
	event_enable(fd);
	if (!fork()) {
		touch_fresh_pages(10);
		hit_with(PID, 10);
		_exit(0);
	}
	CHECK(wait(NULL) > 0);
	CHECK(cells[0] >= 10);
	CHECK(is_program(&id));
	if (!test_busted("close"))
		close(fd);
	if (link >= 0) {
		CHECK(is_program(&id));
		close(link);
	}
	close(map);
	await_gone(is_program, &id, "the program");
}

static void a_refused_program_is_let_go(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr), map = cells_make(&cells), program = program_counts(AT_POINT, map, KEEP);
	uint32_t id = program_id(program);

	(void)unused;
	CHECK_ERRNO(ioctl(fd, PERF_EVENT_IOC_SET_BPF, program), EINVAL);
	if (!test_busted("close"))
		close(program);
	close(map);
	await_gone(is_program, &id, "the program");
}

/* ---- probes ---- */

static bool is_probed(const void *function)
{
	FILE *f = fopen("/sys/kernel/debug/kprobes/list", "r");
	bool found = false;
	char line[256];

	CHECK(f);
	while (fgets(line, sizeof(line), f))
		found |= !!strstr(line, function);
	fclose(f);
	return found;
}

static void a_kprobes_last_event_takes_it_out(long unused)
{
	struct perf_event_attr attr = kprobe_attr(0);
	int fd = must_open_self(&attr), second = must_open_self(&attr);

	(void)unused;
	event_enable(fd);
	hit_with(PID, 10);
	CHECK(is_probed(CALL_FUNCTION));
	close(fd);
	CHECK(is_probed(CALL_FUNCTION));
	if (!test_busted("close"))
		close(second);
	await_gone(is_probed, CALL_FUNCTION, "the kprobe");
}

static bool is_changed(const void *code)
{
	return *(const volatile unsigned char *)code == ARCH_BREAKPOINT;
}

static void a_uprobes_last_event_takes_it_out(long unused)
{
	struct perf_event_attr attr = uprobe_attr(0);
	int fd = must_open_self(&attr), second = must_open_self(&attr);

	(void)unused;
	event_enable(fd);
	event_enable(second);
	probed();
	CHECK(is_changed((void *)probed));
	close(fd);
	CHECK(is_changed((void *)probed));
	if (!test_busted("close"))
		close(second);
	await_gone(is_changed, (void *)probed, "the breakpoint");
	probed();
}

static const struct test tests[] = {
	TEST_WITH(a_programs_last_event_lets_it_go, "(set, overflow)", SET_AT_EVENT),
	TEST_WITH(a_programs_last_event_lets_it_go, "(set, tracepoint)", SET_AT_POINT),
	TEST_WITH(a_programs_last_event_lets_it_go, "(link, overflow)", LINKED_AT_EVENT),
	TEST_WITH(a_programs_last_event_lets_it_go, "(link, tracepoint)", LINKED_AT_POINT),
	TEST(a_refused_program_is_let_go),
	TEST(a_kprobes_last_event_takes_it_out),
	TEST(a_uprobes_last_event_takes_it_out),
};

int main(void)
{
	return TESTS_RUN(tests);
}
