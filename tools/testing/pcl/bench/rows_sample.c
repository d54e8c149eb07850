// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of sampling, of ticks and of taking turns on the counters.
 *
 * Concepts: above the same before any event existed. Whole ticks are waited for: a loop begins behind one and ends a
 *	multiple of their distance later, so that it holds the same number of them, and of turns, on each kernel.
 * Contexts: root, one CPU, SCHED_FIFO, instructions as the clock.
 */
#include <stdio.h>
#include <unistd.h>

#include "events.h"

/* ---- page faults ---- */

static void fault(unsigned long nr)
{
	volatile char *at = mmap(MAPPED, nr * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	CHECK(at == MAPPED);
	for (i = 0; i < nr; i++)
		at[i * PAGE] = 1;
	CHECK(!munmap((void *)at, nr * PAGE));
}

/* As a reader does: takes what is there. */
static void fault_and_consume(unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i += 20) {
		fault(20);
		if (ring.page)
			__atomic_store_n(&ring.page->data_tail,
					 __atomic_load_n(&ring.page->data_head, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
	}
}

/* Below a hundred calls, each with a frame. */
__attribute__((noinline, optimize("no-optimize-sibling-calls")))
static void fault_deep(unsigned long depth, unsigned long nr)
{
	if (depth)
		fault_deep(depth - 1, nr);
	else
		fault(nr);
	__asm__ volatile("" ::: "memory");
}

static void fault_below_100(unsigned long nr)
{
	fault_deep(100, nr);
}

static const struct work faulting = { .prepare = open_events, .run = fault, .finish = close_events };
static const struct work faulting_consumed = {
	.prepare = open_events, .run = fault_and_consume, .finish = close_events,
};
static const struct work faulting_deep = { .prepare = open_events, .run = fault_below_100, .finish = close_events };

/* ---- counters that overflow: ten thousand iterations make a sample ---- */

static void prepare_sampling(long argument)
{
	lift_throttling();
	open_events(argument);
}

static void run_periods(unsigned long nr)
{
	loop_run(nr * 10000);
}

static const struct work overflowing = { .prepare = prepare_sampling, .run = run_periods, .finish = close_events };

/* ---- ticks ---- */

static unsigned long began;

/* Behind an interrupt. */
static void wait_for_tick(void)
{
	unsigned long last = cycles_now();

	while (began = cycles_now(), began - last < NOTICED)
		last = began;
}

static void run_ticks(unsigned long nr)
{
	while (cycles_now() - began < nr * TICK)
		;
}

static void prepare_turns(long argument)
{
	FILE *f = fopen("/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms", "w");

	CHECK(f && fputs("1", f) >= 0 && !fclose(f));
	open_events(argument);
}

static const struct work ticking = {
	.prepare = open_events, .ready = wait_for_tick, .run = run_ticks, .finish = close_events,
};
static const struct work turning = {
	.prepare = prepare_turns, .ready = wait_for_tick, .run = run_ticks, .finish = close_events,
};

/* ---- rings: mapped, touched, unmapped ---- */

static void map_ring(unsigned long nr)
{
	while (nr--) {
		struct ring mapped = ring_map(events[0], 64, PROT_READ | PROT_WRITE);

		ring_unmap(&mapped);
	}
}

static const struct work mapping_ring = { .prepare = open_events, .run = map_ring, .finish = close_events };

#define ROW(what, work_, argument_, nr_, per_, ...)						\
	{ .name = what, .work = &work_, .floor = &work_, .argument = argument_, .nr = nr_, .per = per_, __VA_ARGS__ }
#define FAULT(what, work, argument, ...)	ROW(what, work, argument, 200, 1, __VA_ARGS__)
#define SAMPLE(what, argument, ...)	ROW(what, overflowing, HARDWARE | SAMPLED | (argument) | 1, 50, 1, __VA_ARGS__)
#define TICKS(what, argument, ...)	ROW(what, ticking, argument, 4, 1, __VA_ARGS__)

static const struct row table[] = {
	FAULT("unused/fault", faulting, 0, .unused = true),
	TICKS("unused/tick", 0, .unused = true),
	FAULT("software/fault-counted", faulting, COUNTED | 1, .brief = true),
	FAULT("software/fault-sampled", faulting, SAMPLED | 1, .brief = true),
	FAULT("software/fault-sampled-callchain", faulting, SAMPLED | CALLCHAIN | 1),
	FAULT("software/fault-sampled-callchain-100-deep", faulting_deep, SAMPLED | CALLCHAIN | 1),
	FAULT("software/fault-sampled-consumed", faulting_consumed, SAMPLED | CONSUMED | 1),
	FAULT("software/fault-sampled-wakeup", faulting, SAMPLED | WAKEUP | 1),
	FAULT("software/fault-sampled-sigio", faulting, SAMPLED | WAKEUP | SIGNALLED | 1),
	{ .name = "software/ring-map+touch+unmap", .work = &mapping_ring, .argument = 1, .nr = 10, .per = 1 },
	TICKS("software/tick-1", 1),
	TICKS("hardware/tick-1", HARDWARE | 1),
	TICKS("hardware/tick-frequency-1", HARDWARE | FREQUENCY | 1),
	TICKS("hardware/tick-frequency-" NAMED(FULL), HARDWARE | FREQUENCY | FULL),
	SAMPLE("hardware/sample", 0, .brief = true),
	SAMPLE("hardware/sample-callchain", CALLCHAIN),
	SAMPLE("hardware/sample-kernel", KERNEL),
	SAMPLE("hardware/sample-fixed", FIXED, .absent = !HAS_FIXED),
	SAMPLE("hardware/sample-consumed", CONSUMED),
	ROW("hardware/rotation", turning, HARDWARE | OVERFULL, 4, 4, .brief = true),
};

const struct rows rows_sample = ROWS(table);
