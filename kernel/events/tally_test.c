// SPDX-License-Identifier: GPL-2.0
/*
 * The small driver that Documentation/events/drivers.rst goes through: a PMU that counts, samples, and has fewer
 * counters than events want.
 *
 * Concepts: the device is that of tally_test.h. An event has a counter from add() to del(), hw.idx. The counter is
 * loaded with minus what is left of the period, at most half of its range, so that it interrupts before it can wrap
 * twice. hw.state says PERF_HES_UPTODATE while the counter has nothing that the event has not: then read() leaves it
 * alone.
 *
 * What it leaves out: groups that never fit are not refused, and a period that ends has no sample if the interrupt
 * comes when the event is stopped or has left; what it counted is not lost. arch/sparc/events has both. What it
 * refuses it refuses by an errno; a driver that users meet has a reason for each, see perf_event_refuse().
 *
 * Contexts: event_init() may sleep. All others have IRQs off, which holds off the interrupt; tally_event_read() may
 * be in an NMI, and interrupt anything here, itself included.
 *
 * Locks: none; what is of a CPU is used on it alone.
 */
#include <linux/device.h>
#include <linux/percpu.h>
#include <asm/irq_regs.h>

#include "tally_test.h"

#define LONGEST (TALLY_MASK / 2 + 1)	/* events that a counter is let count between two looks at it */

/* Who has which counter of this CPU */
static DEFINE_PER_CPU(struct { struct perf_event *events[TALLY_COUNTERS]; }, tally_cpu);

/* ---- what the counter has counted --------------------------------------------------------------------------- */

/* Adds it to the event. An NMI that reads the same event may come at any line. */
static void tally_event_fold(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 before, now, counted;

	do {
		before = local64_read(&hwc->prev_count);
		now = tally_read(TALLY_VALUE + hwc->idx);
	} while (local64_cmpxchg(&hwc->prev_count, before, now) != before);
	counted = (now - before) & TALLY_MASK;
	local64_add(counted, &event->count);
	local64_sub(counted, &hwc->period_left);
}

static void tally_event_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_UPTODATE))
		tally_event_fold(event);
}

/* Begins a period, or goes on with the one that was left. */
static void tally_event_reload(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	s64 left = local64_read(&hwc->period_left);

	if (left <= 0) {
		hwc->last_period = hwc->sample_period;
		left += hwc->sample_period;
		if (left <= 0)		/* late by more than a period */
			left = hwc->sample_period;
		local64_set(&hwc->period_left, left);
	}
	left = -min_t(s64, left, LONGEST) & TALLY_MASK;
	local64_set(&hwc->prev_count, left);
	tally_write(TALLY_VALUE + hwc->idx, left);
}

/* ---- the engine's calls ------------------------------------------------------------------------------------- */

/*
 * Loads and folds whatever the flags say: an event that is throttled is stopped and started without them, and its
 * counter may have passed zero in between.
 */
static void tally_event_start(struct perf_event *event, int flags)
{
	tally_event_reload(event);
	event->hw.state = 0;
	tally_write(TALLY_CONTROL + event->hw.idx, TALLY_RUNS | event->hw.config);
	perf_event_update_userpage(event);
}

static void tally_event_stop(struct perf_event *event, int flags)
{
	struct hw_perf_event *hwc = &event->hw;

	tally_write(TALLY_CONTROL + hwc->idx, 0);
	tally_event_read(event);
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	perf_event_update_userpage(event);
}

static int tally_event_add(struct perf_event *event, int flags)
{
	struct perf_event **events = this_cpu_ptr(&tally_cpu)->events;
	int idx = 0;

	while (events[idx]) {
		if (++idx == TALLY_COUNTERS)
			return -EAGAIN;
	}
	events[idx] = event;
	event->hw.idx = idx;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		tally_event_start(event, PERF_EF_RELOAD);
	return 0;
}

static void tally_event_del(struct perf_event *event, int flags)
{
	tally_event_stop(event, PERF_EF_UPDATE);
	this_cpu_ptr(&tally_cpu)->events[event->hw.idx] = NULL;
	event->hw.idx = -1;
	perf_event_update_userpage(event);
}

/* ---- the interrupt ------------------------------------------------------------------------------------------ */

void tally_interrupt(void)
{
	struct perf_event **events = this_cpu_ptr(&tally_cpu)->events;
	unsigned long overflowed = tally_read(TALLY_OVERFLOWED);
	struct pt_regs caller, *regs = get_irq_regs();
	int idx;

	if (!regs) {
		perf_fetch_caller_regs(&caller);
		regs = &caller;
	}
	tally_write(TALLY_OVERFLOWED, overflowed);
	for_each_set_bit(idx, &overflowed, TALLY_COUNTERS) {
		struct perf_event *event = events[idx];
		struct perf_sample_data data;
		bool is_due;

		if (!event || (event->hw.state & PERF_HES_STOPPED))	/* it has left, or waits, and has been folded */
			continue;
		tally_event_stop(event, PERF_EF_UPDATE);
		is_due = is_sampling_event(event) && local64_read(&event->hw.period_left) <= 0;
		perf_sample_data_init(&data, 0, event->hw.last_period);
		tally_event_start(event, PERF_EF_RELOAD);
		if (is_due && perf_event_overflow(event, &data, regs))
			tally_event_stop(event, 0);
	}
}

/* ---- what an event may be ----------------------------------------------------------------------------------- */

PMU_FORMAT_ATTR(strong, "config:1");

static struct attribute *format_attrs[] = { &format_attr_strong.attr, NULL };
static const struct attribute_group format_group = { .name = "format", .attrs = format_attrs };
static const struct attribute_group *tally_groups[] = { &format_group, NULL };

static int tally_event_init(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->attr.config & ~TALLY_STRONG_ALONE)
		return -EINVAL;
	if (has_branch_stack(event) || event->attr.precise_ip)
		return -EOPNOTSUPP;
	hwc->config = event->attr.config;
	hwc->idx = -1;
	if (!is_sampling_event(event)) {
		hwc->sample_period = LONGEST;
		hwc->last_period = LONGEST;
		local64_set(&hwc->period_left, LONGEST);
	}
	return 0;
}

struct pmu tally_pmu = {
	.task_ctx_nr	= perf_hw_context,
	.capabilities	= PERF_PMU_CAP_NO_EXCLUDE,	/* strokes are in no mode */
	.attr_groups	= tally_groups,
	.event_init	= tally_event_init,
	.add		= tally_event_add,
	.del		= tally_event_del,
	.start		= tally_event_start,
	.stop		= tally_event_stop,
	.read		= tally_event_read,
};
