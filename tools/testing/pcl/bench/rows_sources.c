// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of what makes events happen elsewhere in the kernel: tracepoints, BPF programs, cgroups, AUX areas.
 *
 * Concepts: a tracepoint is hit by a system call that nobody else makes, and the floor is the call before any event
 *	existed. A cgroup's events are met at a switch between two tasks of different ones.
 * Contexts: root, one CPU.
 */
#include <unistd.h>
#include <sys/wait.h>

#include "../selftests/lib/bpf.h"
#include "../selftests/lib/cgroup.h"
#include "../selftests/lib/producer.h"
#include "../selftests/lib/trace.h"
#include "events.h"

#define PROGRAM_RUNS	0x10000		/* beside the number of events: the first has a program, which drops samples */
#define WRITTEN		0x20000		/* with a ring, which each hit writes to */
#define FILTERED	0x40000		/* with a filter that lets no hit through */

/* ---- tracepoints ---- */

static void prepare_hits(long argument)
{
	struct perf_event_attr attr;
	volatile uint64_t *cells;
	int i;

	nr_events = argument & NUMBER;
	for (i = 0; i < nr_events; i++) {
		attr = trace_attr(CALL);
		attr.disabled = 0;
		if (argument & (WRITTEN | PROGRAM_RUNS)) {
			attr.sample_period = 1;
			attr.sample_type = OF_A_HIT;
		}
		events[i] = must_open_self(&attr);
	}
	if (argument & WRITTEN)
		ring = ring_map(events[0], 64, PROT_READ);
	if (argument & PROGRAM_RUNS)
		program_set(events[0], program_counts(AT_POINT, cells_make(&cells), DROP));
	if (argument & FILTERED)
		must_ioctl(events[0], PERF_EVENT_IOC_SET_FILTER, (unsigned long)"pid == 1");
}

static void hits(unsigned long nr)
{
	hit_with(PID, nr);
}

static const struct work hitting = { .prepare = prepare_hits, .run = hits, .finish = close_events };

/* ---- programs at overflows ---- */

static void prepare_faults(long argument)
{
	struct perf_event_attr attr = fault_attr();
	volatile uint64_t *cells;

	if (!argument)
		return;
	attr.disabled = 0;
	events[0] = must_open_self(&attr);
	nr_events = 1;
	program_set(events[0], program_counts(AT_EVENT, cells_make(&cells), DROP));
}

static void fault(unsigned long nr)
{
	touch_fresh_pages(nr);
}

static const struct work running_programs = { .prepare = prepare_faults, .run = fault, .finish = close_events };

/* ---- cgroups: this task in the root, a worker in one, with so many events of each of two ---- */

static struct worker partner;

static void prepare_cgroups(long argument)
{
	struct perf_event_attr attr = attr_of(argument & HARDWARE, 0);
	int i;

	cgroups_begin(FIRST);
	partner = worker_start("a");
	attr.disabled = 0;
	nr_events = argument & NUMBER;
	for (i = 0; i < nr_events; i++)
		events[i] = open_in(&attr, i & 1 ? "c" : "a", 0, -1);
}

static void round_trips(unsigned long nr)
{
	while (nr--)
		work(&partner, RUN, 1);
}

static void finish_cgroups(void)
{
	close_events();
	worker_end(&partner);
	cgroups_end();
}

static const struct work switching_cgroups = {
	.prepare = prepare_cgroups, .run = round_trips, .finish = finish_cgroups,
};

/* ---- AUX areas: the producer's driver writes some bytes, and says so ---- */

static struct ring records;

static void prepare_area(long unused)
{
	struct perf_event_attr attr = producer_attr("producer");

	(void)unused;
	attr.disabled = 0;
	events[0] = must_open_self(&attr);
	nr_events = 1;
	records = ring_map(events[0], 16, PROT_READ | PROT_WRITE);
	/* Read only: it is written over. */
	aux_map(events[0], &records, 16, PROT_READ);
}

static void produce_pages(unsigned long nr)
{
	while (nr--) {
		CHECK(!produce(4096));
		__atomic_store_n(&records.page->data_tail,
				 __atomic_load_n(&records.page->data_head, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
	}
}

static const struct work producing = { .prepare = prepare_area, .run = produce_pages, .finish = close_events };

#define ROW(what, work_, argument_, nr_, ...)								\
	{ .name = what, .work = &work_, .floor = &work_, .argument = argument_, .nr = nr_, .per = 1, __VA_ARGS__ }
#define HITS(what, argument, ...)	ROW(what, hitting, argument, 200, __VA_ARGS__)
#define CGROUPS(what, argument, ...)	ROW(what, switching_cgroups, argument, 100, __VA_ARGS__)

static const struct row table[] = {
	HITS("unused/tracepoint", 0, .unused = true),
	HITS("trace/hit-counted-1", 1, .brief = true),
	HITS("trace/hit-counted-4", 4),
	HITS("trace/hit-filtered", FILTERED | 1),
	HITS("trace/hit-sampled", WRITTEN | 1),
	HITS("trace/hit-program", PROGRAM_RUNS | 1),
	ROW("software/fault-program", running_programs, 1, 200),
	CGROUPS("unused/cgroup-round-trip", 0, .unused = true),
	CGROUPS("cgroup/round-trip-2", 2, .brief = true),
	CGROUPS("cgroup/round-trip-16", 16),
	CGROUPS("cgroup/round-trip-64", 64),
	CGROUPS("cgroup/round-trip-hardware-2", HARDWARE | 2),
	{ .name = "aux/produce-4096", .work = &producing, .nr = 50, .per = 1 },
};

const struct rows rows_sources = ROWS(table);
