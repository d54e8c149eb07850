// SPDX-License-Identifier: GPL-2.0
/*
 * One event on one counter: folding what was counted into the event, and arming the next period.
 *
 * Concepts: a counter counts upwards from minus the events that are left until the next sample and interrupts when
 * it passes zero. Events that only count are given the longest period the counter can do, so that wrapping is
 * noticed. hw.period_left may be negative, when the interrupt came late: what was counted beyond the period belongs to
 * the next one, so that the mean period is the one asked for.
 *
 * hw.prev_count is the counter at the last fold. Above the counter's bits stands a number that each reload increases:
 * the handler may interrupt a fold, fold and reload, and the counter may then start from where it started before, or
 * will have been. Without that number the interrupted fold would take its look for one at the new period.
 *
 * A fold that adds to hw.period_left as well could not be interrupted: the handler would find a period that is not over
 * yet. So reads leave it alone, and what has been counted is taken off it when the event stops or interrupts;
 * x86_cpu_pmu::from is where that begins.
 *
 * User code adds what the control page says to what RDPMC shows, and some of it (PAPI) takes both for signed numbers of
 * the counter's width. So an event that only counts begins where what it has counted so far would have brought the
 * counter: the page then says the same number all the time, and it fits.
 *
 * Contexts: the owning CPU with IRQs off, or its NMI handler. x86_counter_fold() may be interrupted by the handler
 * folding and reloading the same event. The others may not: their caller hides the event from the handler
 * (x86_cpu_pmu::on) or is it.
 *
 * Locks: none.
 */
#include "driver.h"

/* The counter at the last fold, as RDPMC shows it, sign-extended as user code does. Any context. */
s64 arch_perf_user_base(struct perf_event *event)
{
	return sign_extend64(local64_read(&event->hw.prev_count), x86_machine.layout.width - 1);
}

/* Adds what was counted since the last fold; returns what was made of hw.prev_count. */
static u64 fold(struct perf_event *event)
{
	u64 mask = x86_layout_mask(&x86_machine.layout), before, after;

	do {
		before = local64_read(&event->hw.prev_count);
		after = (before & ~mask) | (x86_hw_count(event->hw.idx) & mask);
	} while (local64_cmpxchg(&event->hw.prev_count, before, after) != before);
	local64_add((after - before) & mask, &event->count);
	return after;
}

/* Adds what was counted since the last fold. */
void x86_counter_fold(struct perf_event *event)
{
	u64 mask = x86_layout_mask(&x86_machine.layout), seen = fold(event), now;

	/* Has the handler reloaded before all was added, it told user space of less. It may do so again meanwhile. */
	while (((now = local64_read(&event->hw.prev_count)) ^ seen) & ~mask) {
		seen = now;
		perf_event_update_usercounter(event);
	}
}

/* The same, and takes it off the period. Returns whether the counter has passed zero: it interrupts, or did. */
bool x86_counter_advance(struct perf_event *event)
{
	u64 *from = &this_cpu_ptr(&x86_cpu_pmus)->from[event->hw.idx];
	u64 mask = x86_layout_mask(&x86_machine.layout), now = fold(event) & mask;

	local64_sub((now - *from) & mask, &event->hw.period_left);
	*from = now;
	return !(now & BIT_ULL(x86_machine.layout.width - 1));
}

/* How far an event that only counts may begin from zero so that what the page says fits; 0: it cannot fit any more. */
static u64 farthest(struct perf_event *event)
{
	u64 fits = x86_layout_mask(&x86_machine.layout) >> 1, count = local64_read(&event->count);

	return count < fits / 2 ? fits - count : 0;
}

/**
 * x86_counter_reload - set the counter to interrupt when the period is over
 * @event: on a counter, which is stopped
 * @floor: do not interrupt earlier than that, in events; 0: no such wish
 *
 * Returns the events that a sample which is due stands for: the period that has ended, whatever the next one is, or,
 * where @floor made it longer, all that was counted. 0: none is due.
 */
u64 x86_counter_reload(struct perf_event *event, s64 floor)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	u64 mask = x86_layout_mask(&x86_machine.layout);
	s64 left = local64_read(&hwc->period_left), period = READ_ONCE(hwc->sample_period);
	u64 due = 0;

	if (!is_sampling_event(event))
		left = farthest(event) ?: period;
	if (left <= 0) {
		due = hwc->last_period;
		if (cpu->stretched & BIT_ULL(hwc->idx)) {
			due -= left;
			left = 0;
		}
		left += period;
		if (left <= 0)			/* late by more than a period: skip */
			left = period;
		local64_set(&hwc->period_left, left);
		hwc->last_period = period;
	}

	/* Some CPUs never interrupt when a single event is left. The family's errata have the last word. */
	left = clamp_t(s64, left, 2, x86_machine.max_period);
	left = x86_family_period(x86_machine.family, hwc->config, left);
	x86_mask_clear(&cpu->stretched, hwc->idx);
	if (left < floor) {
		left = floor;
		x86_mask_set(&cpu->stretched, hwc->idx);
	}

	cpu->from[hwc->idx] = -left & mask;
	local64_set(&hwc->prev_count, ((local64_read(&hwc->prev_count) | mask) + 1) | (-left & mask));
	x86_hw_load(&cpu->hw, hwc->idx, -left);
	perf_event_update_usercounter(event);
	return due;
}

/*
 * The event counts from what its counter shows now, which may be counting. False: it is too near to zero, where it
 * interrupts, since it has gone more than half of the way there since it was loaded; or so far from it that what the
 * page says would not fit.
 */
bool x86_counter_begin(struct perf_event *event)
{
	u64 mask = x86_layout_mask(&x86_machine.layout), now = x86_hw_count(event->hw.idx) & mask, left = -now & mask;
	u64 most = min(farthest(event) ?: x86_machine.max_period, x86_machine.max_period);

	if (left <= x86_machine.max_period / 2 || left > most)
		return false;
	this_cpu_ptr(&x86_cpu_pmus)->from[event->hw.idx] = now;
	local64_set(&event->hw.prev_count, ((local64_read(&event->hw.prev_count) | mask) + 1) | now);
	return true;
}
