// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what operations cost the kernel: opening, reading, switching, faulting, forking, sampling, multiplexing.
 *
 * Concepts: an argument of prepare() says how many events there are and of which kind, see NUMBER and so on; 0 is
 *	none. A row is what an operation costs with events less what it costs without.
 * Contexts: root, one CPU.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../selftests/lib/event.h"
#include "measure.h"

#define PAGE		4096UL
#define MAX_EVENTS	64

/* The argument: a number of events, and flags. */
#define NUMBER		0xff
#define HARDWARE	0x100	/* else task-clock */
#define GROUP		0x200	/* one group, read with times and ids */
#define INHERITED	0x400
#define CALLCHAIN	0x800
#define SAMPLED		0x1000
#define COUNTED		0x2000	/* page faults */

static int events[MAX_EVENTS], nr_events;
static struct ring ring;
static volatile const struct perf_event_mmap_page *control;

/* Hardware events that all counters can count; the first four fill a Skylake's general counters. */
static const uint64_t raw_events[] = { 0xc4, 0x01c4, 0x20c4, 0x81d0, 0x82d0, 0x04c4, 0x08c4, 0x10c4 };

static struct perf_event_attr attr_of(long argument, int which)
{
	struct perf_event_attr attr;

	if (argument & (COUNTED | SAMPLED) && !(argument & HARDWARE))
		attr = event_attr(PAGE_FAULTS);
	else if (argument & HARDWARE)
		attr = event_attr(PERF_TYPE_RAW, raw_events[which % 8]);
	else
		attr = event_attr(TASK_CLOCK);
	attr.disabled = 0;
	attr.inherit = !!(argument & INHERITED);
	if (argument & GROUP)
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (argument & SAMPLED) {
		attr.sample_period = argument & HARDWARE ? 10000 : 1;
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	}
	if (argument & CALLCHAIN)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	return attr;
}

static void open_events(long argument)
{
	int i, nr = argument & NUMBER;

	for (i = 0; i < nr; i++) {
		struct perf_event_attr attr = attr_of(argument, i);

		events[i] = must_open(&attr, 0, -1, argument & GROUP && i ? events[0] : -1);
	}
	nr_events = nr;
	/* Read only, so that the ring is never full. */
	if (nr && argument & SAMPLED)
		ring = ring_map(events[0], 64, PROT_READ);
}

static void close_events(void)
{
	int i;

	if (ring.page)
		ring_unmap(&ring);
	ring.page = NULL;
	for (i = nr_events - 1; i >= 0; i--)
		close(events[i]);
	nr_events = 0;
}

/* ---- opening and closing, with others active or none: the argument is of those opened and closed ---- */

static struct perf_event_attr opened;
static int opened_nr;

static void prepare_open(long argument)
{
	opened = attr_of(argument & ~(long)NUMBER, 3);
	opened_nr = argument & GROUP ? 4 : 1;
	/* Others are alone. */
	if (!(argument & GROUP))
		open_events(argument);
}

static void open_and_close(unsigned long nr)
{
	int fds[4] = { -1, -1, -1, -1 }, i;

	while (nr--) {
		for (i = 0; i < opened_nr; i++)
			fds[i] = must_open(&opened, 0, -1, i ? fds[0] : -1);
		for (i = opened_nr - 1; i >= 0; i--)
			close(fds[i]);
	}
}

/* ---- reading and control ---- */

static void read_first(unsigned long nr)
{
	uint64_t words[256];

	while (nr--)
		if (read(events[0], words, sizeof(words)) <= 0)
			FAIL("read(): %s", strerror(errno));
}

static void disable_and_enable(unsigned long nr)
{
	while (nr--) {
		event_disable(events[0]);
		event_enable(events[0]);
	}
}

static void reset_first(unsigned long nr)
{
	while (nr--)
		event_reset(events[0]);
}

static void prepare_rdpmc(long argument)
{
	open_events(argument);
	control = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, events[0], 0);
	CHECK(control != MAP_FAILED);
}

static void rdpmc_first(unsigned long nr)
{
	uint64_t count;

	while (nr--)
		CHECK(event_rdpmc(control, &count));
}

static void finish_rdpmc(void)
{
	munmap((void *)control, PAGE);
	close_events();
}

/* ---- switching: a byte goes to a child and comes back ---- */

static int there[2], back[2];
static pid_t partner;

static void prepare_switch(long argument)
{
	char byte;

	CHECK(!pipe(there) && !pipe(back));
	/* Inherited events are on both sides. */
	if (argument & INHERITED)
		open_events(argument);
	partner = fork();
	CHECK(partner >= 0);
	if (!partner) {
		int i;

		for (i = 0; i < nr_events; i++)
			close(events[i]);
		close(there[1]);
		close(back[0]);
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	close(there[0]);
	close(back[1]);
	if (!(argument & INHERITED))
		open_events(argument);
}

static void round_trips(unsigned long nr)
{
	char byte = 0;

	while (nr--)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			FAIL("the partner is gone");
}

static void finish_switch(void)
{
	close(there[1]);
	close(back[0]);
	CHECK(waitpid(partner, NULL, 0) == partner);
	close_events();
}

/* ---- faulting, forking, sampling, multiplexing ---- */

static void fault(unsigned long nr)
{
	volatile char *at = mmap(NULL, nr * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	CHECK(at != MAP_FAILED);
	for (i = 0; i < nr; i++)
		at[i * PAGE] = 1;
	CHECK(!munmap((void *)at, nr * PAGE));
}

static void fork_and_wait(unsigned long nr)
{
	while (nr--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		CHECK(waitpid(pid, NULL, 0) == pid);
	}
}

/* Ten thousand branches, so one sample of a period of ten thousand, each. */
static void run_periods(unsigned long nr)
{
	loop_run(nr * 10000);
}

static void prepare_sampling(long argument)
{
	lift_throttling();
	open_events(argument);
}

/* A million instructions are a millisecond, which is the slice. */
static void run_slices(unsigned long nr)
{
	loop_run(nr * 500000);
}

static void prepare_slices(long argument)
{
	FILE *f = fopen("/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms", "w");

	CHECK(f && fputs("1", f) >= 0 && !fclose(f));
	open_events(argument);
}

/* ---- the rows of the baseline ---- */

#define ROW(what, prepare_, run_, finish_, argument_, without_, nr_, per_)			\
	{ .name = what, .prepare = prepare_, .run = run_, .finish = finish_, .argument = argument_,	\
	  .without = without_, .nr = nr_, .per = per_ }
#define ALONE	(-1)
#define SWITCH(what, argument, per) ROW(what, prepare_switch, round_trips, finish_switch, argument, 0, 100, per)

static const struct operation operations[] = {
	ROW("software/open+close", prepare_open, open_and_close, close_events, 0, ALONE, 50, 1),
	ROW("software/read-1", open_events, read_first, close_events, 1, ALONE, 200, 1),
	ROW("software/read-group-1", open_events, read_first, close_events, GROUP | 1, ALONE, 200, 1),
	ROW("software/read-group-4", open_events, read_first, close_events, GROUP | 4, ALONE, 200, 1),
	ROW("software/read-group-16", open_events, read_first, close_events, GROUP | 16, ALONE, 100, 1),
	ROW("software/disable+enable", open_events, disable_and_enable, close_events, 1, ALONE, 100, 1),
	SWITCH("software/switch-one-side-1", 1, 2),
	SWITCH("software/switch-one-side-4", 4, 2),
	SWITCH("software/switch-one-side-16", 16, 2),
	SWITCH("software/switch-one-side-64", 64, 2),
	SWITCH("software/switch-inherited-1", INHERITED | 1, 2),
	SWITCH("software/switch-inherited-4", INHERITED | 4, 2),
	SWITCH("software/switch-inherited-16", INHERITED | 16, 2),
	SWITCH("software/switch-inherited-64", INHERITED | 64, 2),
	ROW("software/fault-counted", open_events, fault, close_events, COUNTED | 1, 0, 200, 1),
	ROW("software/fault-sampled", open_events, fault, close_events, SAMPLED | 1, 0, 200, 1),
	ROW("software/fault-sampled-callchain", open_events, fault, close_events, SAMPLED | CALLCHAIN | 1, 0, 200, 1),
	ROW("software/fork+exit-1", open_events, fork_and_wait, close_events, INHERITED | 1, 0, 10, 1),
	ROW("software/fork+exit-4", open_events, fork_and_wait, close_events, INHERITED | 4, 0, 10, 1),
	ROW("software/fork+exit-16", open_events, fork_and_wait, close_events, INHERITED | 16, 0, 10, 1),
	ROW("hardware/open+close", prepare_open, open_and_close, close_events, HARDWARE, ALONE, 50, 1),
	ROW("hardware/open+close-3-active", prepare_open, open_and_close, close_events, HARDWARE | 3, ALONE, 50, 1),
	ROW("hardware/open+close-group-4", prepare_open, open_and_close, close_events, HARDWARE | GROUP, ALONE, 20, 1),
	ROW("hardware/read-1", open_events, read_first, close_events, HARDWARE | 1, ALONE, 200, 1),
	ROW("hardware/read-group-4", open_events, read_first, close_events, HARDWARE | GROUP | 4, ALONE, 200, 1),
	ROW("hardware/rdpmc", prepare_rdpmc, rdpmc_first, finish_rdpmc, HARDWARE | 1, ALONE, 200, 1),
	ROW("hardware/disable+enable-1", open_events, disable_and_enable, close_events, HARDWARE | 1, ALONE, 100, 1),
	ROW("hardware/disable+enable-group-4", open_events, disable_and_enable, close_events, HARDWARE | GROUP | 4,
	    ALONE, 50, 1),
	ROW("hardware/reset", open_events, reset_first, close_events, HARDWARE | 1, ALONE, 200, 1),
	SWITCH("hardware/round-trip-one-side-1", HARDWARE | 1, 1),
	SWITCH("hardware/round-trip-one-side-4", HARDWARE | 4, 1),
	SWITCH("hardware/round-trip-inherited-1", HARDWARE | INHERITED | 1, 1),
	SWITCH("hardware/round-trip-inherited-4", HARDWARE | INHERITED | 4, 1),
	ROW("hardware/sample", prepare_sampling, run_periods, close_events, HARDWARE | SAMPLED | 1, 0, 50, 1),
	ROW("hardware/sample-callchain", prepare_sampling, run_periods, close_events,
	    HARDWARE | SAMPLED | CALLCHAIN | 1, 0, 50, 1),
	ROW("hardware/rotation", prepare_slices, run_slices, close_events, HARDWARE | 8, 0, 20, 1),
};

int main(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		print_row(&operations[i]);
	return 0;
}
