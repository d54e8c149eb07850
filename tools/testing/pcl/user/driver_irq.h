/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: interrupts, late ones, and those that come amidst something.
 */
#ifndef PCL_USER_DRIVER_IRQ_H
#define PCL_USER_DRIVER_IRQ_H

#include "driver_events.h"

/* ---- interrupts that come late ----------------------------------------------------------------------------------- */

static void foreign_nmi(void)
{
	model.pending = 1;
	take_nmis();
}

/* Both overflows are acknowledged by the first interrupt; the second, with nothing in the status, is still ours. */
static void two_overflows_make_two_interrupts_one(struct x86_machine machine, unsigned int late, unsigned int gap)
{
	struct perf_event *a, *b;

	begin(machine);
	model.late = late;
	model.late_interrupt = true;
	a = open_event(EVENT, 200);
	b = open_event(EVENT, 200 + gap);
	add(a);
	add(b);
	run(350);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(model.unclaimed, 0);
	del(a);
	del(b);
}

static void two_overflows_make_two_interrupts(void)
{
	unsigned int late, gap;

	for (late = 1; late < 60; late++) {
		for (gap = 0; gap < late; gap++) {
			two_overflows_make_two_interrupts_one(amd_v2(), late, gap);
			two_overflows_make_two_interrupts_one(amd, late, gap);
		}
	}
}

/* ... and nobody else's are claimed: the window is open only after something that can leave an interrupt behind. */
static void foreign_interrupts_are_not_claimed_one(struct x86_machine machine)
{
	struct perf_event *event;

	begin(machine);
	event = open_event(EVENT, 1000);
	add(event);
	run(2500);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(model.unclaimed, 0);
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 1);
	del(event);
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 2);
	add(event);
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 3);
	del(event);
}

/* One after each thousand of ours, while nothing else is going on; and while events only count, or none is open. */
static void foreign_interrupts_among_ours_one(struct x86_machine machine, bool at_once)
{
	struct perf_event *sampling, *counting;
	unsigned int i;

	begin(machine);
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 1);
	counting = open_event(EVENT, 0);
	add(counting);
	run(10);
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 2);
	sampling = open_event(EVENT, 1000);
	add(sampling);
	for (i = 0; i < 10; i++) {
		run(1000);
		CHECK_EQ(model.unclaimed, 2 + i);
		if (!at_once)
			jiffies += 101;		/* without a status what comes soon after ours may be ours */
		foreign_nmi();
		CHECK_EQ(model.unclaimed, 3 + i);
		CHECK_EQ(engine.samples, 1 + i);
	}
	del(sampling);
	del(counting);
	CHECK_EQ(local64_read(&counting->count), 10010);
}

static void foreign_interrupts_are_not_claimed(void)
{
	foreign_interrupts_are_not_claimed_one(skylake);
	foreign_interrupts_are_not_claimed_one(amd_v2());
	foreign_interrupts_among_ours_one(skylake, true);
	foreign_interrupts_among_ours_one(amd_v2(), true);
	foreign_interrupts_among_ours_one(amd, false);
}

static void an_overflow_in_flight_is_waited_for_one(struct x86_machine machine, unsigned int late)
{
	struct perf_event *event;

	begin(machine);
	model.late = late;
	model.late_interrupt = true;
	event = open_event(EVENT, 1000);
	add(event);
	run(1000);
	CHECK_EQ(engine.samples, 0);
	del(event);
	run(1);
	CHECK_EQ(engine.samples, 1);
	CHECK_EQ(engine.periods, 1000);
	CHECK_EQ(model.unclaimed, 0);
	CHECK(model.waits <= late);
	CHECK_EQ(local64_read(&event->count), 1000);
}

/* AMD: else the sample is lost, with the status or the sign that says whose it is. */
static void an_overflow_in_flight_is_waited_for(void)
{
	unsigned int late;

	for (late = 2; late < 50; late++) {
		an_overflow_in_flight_is_waited_for_one(amd, late);
		an_overflow_in_flight_is_waited_for_one(amd_v2(), late);
	}
}

static void the_wait_for_an_overflow_ends_one(struct x86_machine machine, bool waits)
{
	struct perf_event *event;

	begin(machine);
	model.lost = true;
	event = open_event(EVENT, 1000);
	add(event);
	run(1100);
	del(event);
	CHECK(waits ? model.waits && model.waits <= 50 : !model.waits);
	model.waits = 0;
	add(event);
	run(10);
	del(event);
	CHECK_EQ(model.waits, 0);
}

static void the_wait_for_an_overflow_ends(void)
{
	the_wait_for_an_overflow_ends_one(amd, true);
	the_wait_for_an_overflow_ends_one(amd_v2(), true);
	the_wait_for_an_overflow_ends_one(skylake, false);
}

/* Intel: a bit that lands while the entry is masked brings no interrupt of its own. */
static void a_status_bit_that_lands_late_is_seen_one(struct x86_machine machine)
{
	struct perf_event *a, *b;

	begin(machine);
	a = open_event(EVENT, 1000);
	b = open_event(EVENT, 1000);
	add(a);
	add(b);
	model.held = BIT_ULL(b->hw.idx);
	model.status_reads = 0;
	model.land_after_read = 1;
	run(1010);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(engine.periods, 2000);
	CHECK_EQ(model.unclaimed, 0);
	model.held = 0;
	run(1000);
	CHECK_EQ(engine.samples, 4);
	CHECK_EQ(count_of(a) + count_of(b), 4020);
	del(a);
	del(b);
}

static void a_status_bit_that_lands_late_is_seen(void)
{
	a_status_bit_that_lands_late_is_seen_one(skylake);
	a_status_bit_that_lands_late_is_seen_one(amd_v2());
}

static void a_status_bit_that_is_stuck_ends(void)
{
	struct perf_event *event;

	begin(skylake);
	event = open_event(EVENT, 1000);
	add(event);
	model.stuck = 8;
	run(1010);
	CHECK_EQ(engine.samples, 1);
	CHECK(model.status_reads < 200);
	model.stuck = 0;
	del(event);
}

/* What is done to a counter whose interrupt is on the way */
enum meanwhile { STOPPED, LEFT_ON, LEFT_AND_TAKEN, LEFT_AND_STOPPED, MEANWHILES };

/* The longest period ends too, and its interrupt may come when the event is gone. */
static void late_interrupts_of_counting_events_are_claimed_one(struct x86_machine machine, enum meanwhile meanwhile)
{
	struct perf_event *event;
	unsigned int late, i;

	machine.max_period = 100;
	for (late = 0; late < 60; late++) {
		begin(machine);
		user_may_look = meanwhile == STOPPED;
		model.late = late;
		model.late_interrupt = !machine.lvt_masked;
		event = open_event(EVENT, 0);
		add(event);
		run(meanwhile > LEFT_ON ? 99 : 100);
		away(event);
		if (meanwhile > LEFT_ON)
			run(1);
		if (meanwhile == LEFT_AND_TAKEN)
			add(event);
		else if (meanwhile == LEFT_AND_STOPPED)
			perf_clear_dirty_counters();
		for (i = 0; i < late; i++)
			step();
		CHECK_EQ(local64_read(&event->count), meanwhile > LEFT_ON ? 99 : 100);
		CHECK_EQ(model.nmis, 1);
		CHECK_EQ(model.unclaimed, 0);
	}
}

static void late_interrupts_of_counting_events_are_claimed(void)
{
	unsigned int i;

	for (i = 0; i < MEANWHILES; i++) {
		late_interrupts_of_counting_events_are_claimed_one(skylake, i);
		late_interrupts_of_counting_events_are_claimed_one(amd, i);
		late_interrupts_of_counting_events_are_claimed_one(amd_v2(), i);
	}
}

/* One that comes while the PMU is paused is handled, and the PMU stays paused. */
static void an_interrupt_leaves_a_paused_pmu_paused_one(struct x86_machine machine)
{
	struct perf_event *event;
	unsigned int i;
	u64 before;

	begin(machine);
	model.late = 20;
	model.late_interrupt = !machine.lvt_masked;
	event = open_event(EVENT, 1000);
	add(event);
	run(1000);
	CHECK_EQ(engine.samples, 0);
	x86_core_pmu.pmu_disable(&x86_core_pmu);
	for (i = 0; i < 20; i++)
		step();
	CHECK_EQ(engine.samples, 1);
	before = model.count[event->hw.idx];
	run(50);
	CHECK_EQ(model.count[event->hw.idx], before);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
	run(1020);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(model.wrong, 0);
	CHECK_EQ(model.unclaimed, 0);
	del(event);
}

static void an_interrupt_leaves_a_paused_pmu_paused(void)
{
	an_interrupt_leaves_a_paused_pmu_paused_one(skylake);
	an_interrupt_leaves_a_paused_pmu_paused_one(amd);
	an_interrupt_leaves_a_paused_pmu_paused_one(amd_v2());
}

/* No register while nothing is on the counters; the status once, or each counter, while nothing samples. */
static void foreign_interrupts_cost_little_one(struct x86_machine machine, unsigned int reads)
{
	struct perf_event *a, *b;

	begin(machine);
	a = open_event(EVENT, 0);
	b = open_event(EVENT, 0);
	model.reads = 0;
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 1);
	CHECK_EQ(model.reads + model.writes, 0);
	add(a);
	add(b);
	model.reads = model.writes = 0;
	foreign_nmi();
	CHECK_EQ(model.unclaimed, 2);
	CHECK_EQ(model.reads, reads);
	CHECK_EQ(model.writes, 0);
	del(a);
	del(b);
}

static void foreign_interrupts_cost_little(void)
{
	foreign_interrupts_cost_little_one(skylake, 1);
	foreign_interrupts_cost_little_one(amd_v2(), 1);
	foreign_interrupts_cost_little_one(amd, 2);
}

/*
 * Intel: a foreign NMI handled the overflow before its own interrupt came, and what sampled is gone by then. The entry
 * that was masked for it is open again for the next, although something counted all the time.
 */
static void an_interrupt_that_finds_nothing_is_not_the_last(void)
{
	struct perf_event *counting, *sampling;

	begin(skylake);
	model.late = 20;
	model.late_interrupt = true;
	counting = open_event(EVENT, 0);
	sampling = open_event(EVENT, 1000);
	add(counting);
	add(sampling);
	run(1000);
	CHECK_EQ(engine.samples, 0);
	foreign_nmi();
	CHECK_EQ(engine.samples, 1);
	del(sampling);
	run(20);
	CHECK(!model.masked);
	add(sampling);
	run(1020);
	CHECK_EQ(engine.samples, 2);
	del(sampling);
	del(counting);
}

/* A period may be many times what the counter can do: it overflows meanwhile, and there is no sample. */
static void a_period_wider_than_the_counter_is_kept(void)
{
	struct x86_machine machines[] = { skylake, amd, amd_v2() };
	struct perf_event *event;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		machines[i].max_period = 100;
		begin(machines[i]);
		event = open_event(EVENT, 1050);
		add(event);
		run(10600);
		CHECK_EQ(engine.samples, 10);
		CHECK_EQ(engine.periods, 10500);
		CHECK_EQ(engine.wrong_periods, 0);
		CHECK_EQ(count_of(event), 10600);
		del(event);
	}
}

/* ---- an interrupt amidst a read ---------------------------------------------------------------------------------- */

static unsigned int steps_to_event;

static void last_event(void)
{
	if (steps_to_event && !--steps_to_event)
		run(1);
}

/*
 * The event that ends the period happens between any two instructions of a read. What the handler loads is what the
 * period began with, so the counter looks as if nothing had happened.
 */
static bool an_overflow_within_a_read_one(struct x86_machine machine, unsigned int steps)
{
	struct perf_event *event;
	bool within;

	begin(machine);
	event = open_event(EVENT, 1000);
	page.event = event;
	add(event);
	run(999);
	steps_to_event = steps;
	pcl_shim_interrupt = last_event;
	x86_core_pmu.read(event);
	pcl_shim_interrupt = NULL;
	within = !steps_to_event;
	run(!within);
	CHECK_EQ(engine.samples, 1);
	CHECK_EQ(user_count_of(event), 1000);
	CHECK_EQ(count_of(event), 1000);
	run(999);
	CHECK_EQ(engine.samples, 1);
	run(1);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(engine.wrong_periods, 0);
	CHECK_EQ(user_count_of(event), 2000);
	CHECK_EQ(count_of(event), 2000);
	del(event);
	CHECK_EQ(local64_read(&event->count), 2000);
	return within;
}

static void an_overflow_within_a_read_counts_once(void)
{
	struct x86_machine machines[] = { skylake, amd, amd_v2() };
	unsigned int i, steps;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		for (steps = 1; an_overflow_within_a_read_one(machines[i], steps); steps++)
			;
		CHECK(steps > 6);
	}
}

/* User code extends the counter's sign, so what it starts from must be extended, too. */
static void user_code_reads_what_the_kernel_reads(void)
{
	struct perf_event *event;

	begin(skylake);
	event = open_event(EVENT, 1000);
	page.event = event;
	add(event);
	engine.throttle = event;
	run(1000);
	CHECK_EQ(count_of(event), 1000);
	unthrottle(event);
	run(10);
	CHECK_EQ(user_count_of(event), 1010);
	CHECK_EQ(count_of(event), 1010);
	perf_event_update_userpage(event);
	CHECK_EQ(user_count_of(event), 1010);
	del(event);
}

#endif
