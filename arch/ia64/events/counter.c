// SPDX-License-Identifier: GPL-2.0
/*
 * One event on one counter: folding what was counted into the event, and arming the next period.
 *
 * Concepts: as on x86 (arch/x86/events/counter.c). A counter counts upwards from minus the events that are left until
 * the next sample; all count that way, also those that nobody samples, so that they interrupt before they have gone
 * round. hw.period_left may be negative, when the interrupt came late; the sample that is then due is taken at the
 * next event. The engine, too, ends a period by setting it to 0, and wants no sample for that: so what the counter
 * brought down to there has IA64_EVENT_DUE. No interrupt of ours comes while IRQs are off, so nothing nests in a
 * reload; a fold may nest in a fold, when a read in an MCA or INIT handler interrupts it.
 *
 * Contexts: the owning CPU with IRQs off.
 *
 * Locks: none.
 */
#include "driver.h"

/* Adds what was counted since the last fold; returns the counter. */
static u64 fold(struct perf_event *event)
{
	const struct ia64_hw *hw = &this_cpu_ptr(&ia64_cpu_pmus)->hw;
	u64 before, after;

	do {
		before = local64_read(&event->hw.prev_count);
		after = ia64_hw_count(hw, event->hw.idx);
	} while (local64_cmpxchg(&event->hw.prev_count, before, after) != before);
	local64_add((after - before) & ia64_count_mask(hw->family), &event->count);
	return after;
}

/* Adds what was counted since the last fold. */
void ia64_counter_fold(struct perf_event *event)
{
	fold(event);
}

/* The same, and takes it off the period. */
void ia64_counter_advance(struct perf_event *event)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	u64 *from = &cpu->from[event->hw.idx], now = fold(event);

	local64_sub((now - *from) & ia64_count_mask(cpu->hw.family), &event->hw.period_left);
	*from = now;
	if (local64_read(&event->hw.period_left) <= 0)
		event->hw.flags |= IA64_EVENT_DUE;
}

static void load(struct perf_event *event, s64 left)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	u64 start;

	left = clamp_t(s64, left, 1, ia64_machine.max_period);
	start = -left & ia64_count_mask(cpu->hw.family);
	cpu->from[event->hw.idx] = start;
	local64_set(&event->hw.prev_count, start);
	ia64_hw_load(&cpu->hw, event->hw.idx, start);
	perf_event_update_userpage(event);
}

/* Begins the next period, if one is over. Returns the events that its sample stands for, or 0: none is due. */
static u64 next_period(struct hw_perf_event *hwc)
{
	s64 left = local64_read(&hwc->period_left), period = READ_ONCE(hwc->sample_period);
	u64 sample = hwc->last_period;

	if (left > 0)
		return 0;
	left += period;
	if (left <= 0)			/* late by more than a period: skip */
		left = period;
	local64_set(&hwc->period_left, left);
	hwc->last_period = period;
	hwc->flags &= ~IA64_EVENT_DUE;
	return sample;
}

/* The counter goes on with the period that it is in. If that is over, its sample is due at the next event. */
void ia64_counter_resume(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 left = ia64_machine.max_period;

	if (is_sampling_event(event)) {
		if (local64_read(&hwc->period_left) <= 0 && !(hwc->flags & IA64_EVENT_DUE))
			next_period(hwc);
		left = local64_read(&hwc->period_left);
	}
	load(event, left);
}

/**
 * ia64_counter_reload - the counter has overflowed: set it to interrupt when the next period is over
 * @event: on a counter, which stands still
 *
 * Returns the events that a sample which is due stands for, or 0: none is.
 */
u64 ia64_counter_reload(struct perf_event *event)
{
	u64 sample = is_sampling_event(event) ? next_period(&event->hw) : 0;

	ia64_counter_resume(event);
	return sample;
}
