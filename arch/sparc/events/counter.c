// SPDX-License-Identifier: GPL-2.0
/*
 * One event on one counter: folding what was counted into the event, and arming the next period.
 *
 * Concepts: as on x86 (arch/x86/events/counter.c). A counter counts upwards from minus the events that are left until
 * the next sample; all that can interrupt count that way, also those that nobody samples, so that they interrupt before
 * they have gone round. hw.period_left may be negative, when the interrupt came late; what was counted beyond the
 * period belongs to the next one. The engine, too, ends a period by setting it to 0, and wants no sample for that: so
 * what the counter brought down to there has SPARC_EVENT_DUE.
 *
 * hw.prev_count is the counter at the last fold, and above its 32 bits a number that each reload increases: the
 * overflow interrupt may come within a fold, fold and reload, and the counter may then start from where it was before.
 * Without that number the interrupted fold would take its look for one at the new period. It may also stop the event;
 * then all has been added, and what the counter shows is nobody's.
 *
 * Contexts: the owning CPU with IRQs off, or the overflow interrupt. sparc_counter_fold() may be interrupted by it; the
 * others may not, their callers have paused the PMU, or are the interrupt.
 *
 * Locks: none.
 */
#include "driver.h"

/* Adds what was counted since the last fold; returns the counter. */
static u64 fold(struct perf_event *event)
{
	const struct sparc_hw *hw = &this_cpu_ptr(&sparc_cpu_pmus)->hw;
	u64 before, after;

	do {
		before = local64_read(&event->hw.prev_count);
		after = (before & ~SPARC_PIC_MASK) | sparc_hw_count(hw, event->hw.idx);
		if (READ_ONCE(event->hw.state) & PERF_HES_UPTODATE)
			return before & SPARC_PIC_MASK;
	} while (local64_cmpxchg(&event->hw.prev_count, before, after) != before);
	local64_add((after - before) & SPARC_PIC_MASK, &event->count);
	return after & SPARC_PIC_MASK;
}

/* Adds what was counted since the last fold; nothing, if the event has been stopped on its counter. */
void sparc_counter_fold(struct perf_event *event)
{
	fold(event);
}

/* The same, and takes it off the period. */
void sparc_counter_advance(struct perf_event *event)
{
	u64 *from = &this_cpu_ptr(&sparc_cpu_pmus)->from[event->hw.idx], now = fold(event);

	local64_sub((now - *from) & SPARC_PIC_MASK, &event->hw.period_left);
	*from = now;
	if (local64_read(&event->hw.period_left) <= 0)
		event->hw.flags |= SPARC_EVENT_DUE;
}

static void load(struct perf_event *event, s64 left)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	u64 start = -clamp_t(s64, left, 1, SPARC_MAX_PERIOD) & SPARC_PIC_MASK;
	u64 number = (local64_read(&event->hw.prev_count) | SPARC_PIC_MASK) + 1;

	cpu->from[event->hw.idx] = start;
	local64_set(&event->hw.prev_count, number | start);
	sparc_hw_load(&cpu->hw, event->hw.idx, start);
	perf_event_update_userpage(event);
}

/* Begins the next period, if one is over. Returns the events that its sample stands for, or 0: none is due. */
static u64 next_period(struct hw_perf_event *hwc)
{
	s64 left = local64_read(&hwc->period_left), period = READ_ONCE(hwc->sample_period);
	u64 sample = hwc->last_period;

	/* Where the interrupt comes early, the rest is of the next period. */
	if (left > sparc_machine.family->layout->early)
		return 0;
	left += period;
	if (left <= 0)			/* late by more than a period: skip */
		left = period;
	local64_set(&hwc->period_left, left);
	hwc->last_period = period;
	hwc->flags &= ~SPARC_EVENT_DUE;
	return sample;
}

/* The counter goes on with the period that it is in. If that is over, its sample is due at the next event. */
void sparc_counter_resume(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 left = SPARC_MAX_PERIOD;

	if (is_sampling_event(event)) {
		if (local64_read(&hwc->period_left) <= 0 && !(hwc->flags & SPARC_EVENT_DUE))
			next_period(hwc);
		left = local64_read(&hwc->period_left);
	}
	load(event, left);
}

/**
 * sparc_counter_reload - the counter has overflowed: set it to interrupt when the next period is over
 * @event: on a counter, which stands still
 *
 * Returns the events that a sample which is due stands for, or 0: none is.
 */
u64 sparc_counter_reload(struct perf_event *event)
{
	u64 sample = is_sampling_event(event) ? next_period(&event->hw) : 0;

	sparc_counter_resume(event);
	return sample;
}
