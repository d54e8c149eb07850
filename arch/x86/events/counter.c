// SPDX-License-Identifier: GPL-2.0
/*
 * One event on one counter: folding what was counted into the event, and arming the next period.
 *
 * Concepts: a counter counts upwards from minus the events that are left until the next sample and interrupts when
 * it passes zero. Events that only count are given the longest period the counter can do, so that wrapping is
 * noticed. hw.prev_count is the counter at the last fold. hw.period_left may be negative, when the interrupt came
 * late: what was counted beyond the period belongs to the next one, so that the mean period is the one asked for.
 *
 * Contexts: the owning CPU with IRQs off, or its NMI handler. x86_counter_fold() may be interrupted by the handler
 * folding the same event. x86_counter_reload() may not: its caller hides the event from the handler
 * (x86_cpu_pmu::on) or is it.
 *
 * Locks: none.
 */
#include "driver.h"

/* Adds what was counted since the last fold. Returns whether the counter has passed zero: it interrupts, or did. */
bool x86_counter_fold(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 before, now, counted;

	do {
		before = local64_read(&hwc->prev_count);
		now = x86_hw_count(hwc->idx);
	} while (local64_cmpxchg(&hwc->prev_count, before, now) != before);

	counted = (now - before) & x86_layout_mask(&x86_machine.layout);
	local64_add(counted, &event->count);
	local64_sub(counted, &hwc->period_left);
	return !(now & BIT_ULL(x86_machine.layout.width - 1));
}

/**
 * x86_counter_reload - set the counter to interrupt when the period is over
 * @event: on a counter, which is stopped
 * @floor: do not interrupt earlier than that, in events; 0: no such wish
 *
 * Returns whether a period had ended, that is, whether a sample is due; hw.last_period is then what it stands for: the
 * period, or, where @floor made the last one longer, all that was counted.
 */
bool x86_counter_reload(struct perf_event *event, s64 floor)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	s64 left = local64_read(&hwc->period_left);
	bool due = left <= 0;

	if (due && (cpu->stretched & BIT_ULL(hwc->idx))) {
		hwc->last_period = hwc->sample_period - left;
		left = hwc->sample_period;
		local64_set(&hwc->period_left, left);
	} else if (due) {
		left += (s64)hwc->sample_period;
		if (left <= 0)			/* late by more than a period: skip */
			left = hwc->sample_period;
		local64_set(&hwc->period_left, left);
		hwc->last_period = hwc->sample_period;
	}

	/* Some CPUs never interrupt when a single event is left. The family's errata have the last word. */
	left = clamp_t(s64, left, 2, x86_machine.max_period);
	left = x86_family_period(x86_machine.family, hwc->config, left);
	x86_mask_clear(&cpu->stretched, hwc->idx);
	if (left < floor) {
		left = floor;
		x86_mask_set(&cpu->stretched, hwc->idx);
	}

	local64_set(&hwc->prev_count, -left);
	x86_hw_load(&cpu->hw, hwc->idx, -left);
	perf_event_update_userpage(event);
	return due;
}
