// SPDX-License-Identifier: GPL-2.0
/*
 * Events: the state machine, and what an event knows of itself.
 *
 * Concepts: an event's state says what it wants and has; its times follow from its state and its context's clock
 * alone. A sibling counts only while its leader wants to, so what counts for its times is its effective state.
 *
 * State, and who makes the change:
 *
 *	OFF      -> INACTIVE  enabled                      INACTIVE -> ACTIVE   put on a counter
 *	ACTIVE   -> INACTIVE  taken off the counter        INACTIVE -> OFF      disabled
 *	INACTIVE -> ERROR     pinned, and did not fit      ERROR    -> INACTIVE enabled again
 *	INACTIVE, OFF -> ERROR  lost its group, and cannot count alone
 *	INACTIVE, OFF, ERROR -> EXIT  the target is gone   any but ACTIVE -> DEAD  closed
 *
 * A running event is always taken off its counter first, so nothing but INACTIVE follows ACTIVE.
 *
 * Contexts: any, as each function says. Locks: ctx->lock for what changes state or times.
 */
#include <linux/ktime.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>

#include "internal.h"

atomic_t pcl_nr_events;

#define BIT_OF(state)	BIT(PERF_EVENT_STATE_##state - PERF_EVENT_STATE_DEAD)

/* For each state, the states that may follow it. */
static const u8 legal_next[] = {
	[PERF_EVENT_STATE_ACTIVE - PERF_EVENT_STATE_DEAD]   = BIT_OF(INACTIVE),
	[PERF_EVENT_STATE_INACTIVE - PERF_EVENT_STATE_DEAD] = BIT_OF(ACTIVE) | BIT_OF(OFF) | BIT_OF(ERROR) |
							      BIT_OF(EXIT) | BIT_OF(DEAD),
	[PERF_EVENT_STATE_OFF - PERF_EVENT_STATE_DEAD]	    = BIT_OF(INACTIVE) | BIT_OF(ERROR) | BIT_OF(EXIT) |
							      BIT_OF(DEAD),
	[PERF_EVENT_STATE_ERROR - PERF_EVENT_STATE_DEAD]    = BIT_OF(INACTIVE) | BIT_OF(OFF) | BIT_OF(EXIT) |
							      BIT_OF(DEAD),
	[PERF_EVENT_STATE_EXIT - PERF_EVENT_STATE_DEAD]	    = BIT_OF(DEAD),
	[PERF_EVENT_STATE_DEAD - PERF_EVENT_STATE_DEAD]	    = 0,
};

static bool state_may_follow(enum perf_event_state from, enum perf_event_state to)
{
	return legal_next[from - PERF_EVENT_STATE_DEAD] & BIT(to - PERF_EVENT_STATE_DEAD);
}

/* The state that its times follow: a sibling of a leader that is not enabled is not enabled either. */
enum perf_event_state pcl_event_effective_state(struct perf_event *event)
{
	enum perf_event_state state = READ_ONCE(event->state);
	enum perf_event_state leaders = READ_ONCE(READ_ONCE(event->group_leader)->state);

	return leaders <= PERF_EVENT_STATE_OFF ? min(leaders, state) : state;
}

/* Caller holds ctx->lock. The operation's moment, by the clock of the event's target: ctx->now, or the cgroup's. */
u64 pcl_event_now(struct perf_event *event)
{
	lockdep_assert_held(&event->ctx->lock);
	return pcl_event_target_time(event, event->ctx->now);
}

/* Caller holds ctx->lock. Brings enabled and running time up to the operation's moment. */
void pcl_event_update_time(struct perf_event *event)
{
	u64 now = pcl_event_now(event);

	lockdep_assert_held(&event->ctx->lock);
	/* An operation has one moment, and may change the state twice. */
	if (event->times.stamp != now)
		pcl_times_advance(&event->times, pcl_event_effective_state(event), now);
}

/**
 * pcl_event_set_state - the one place where an event changes its state
 * @event: the event
 * @state: the state it shall have
 *
 * Caller holds ctx->lock. Time up to now is accounted to the old state; a leader that begins or ceases to be enabled
 * takes its siblings' times with it. Setting the state it has does nothing.
 */
void pcl_event_set_state(struct perf_event *event, enum perf_event_state state)
{
	struct perf_event *sibling;

	lockdep_assert_held(&event->ctx->lock);
	if (event->state == state)
		return;
	WARN_ONCE(!state_may_follow(event->state, state), "event state %d -> %d", event->state, state);

	pcl_event_update_time(event);
	if (min(event->state, state) < PERF_EVENT_STATE_INACTIVE) {	/* it is enabled now, or was */
		for_each_sibling_event(sibling, event)
			pcl_event_update_time(sibling);
	}
	WRITE_ONCE(event->state, state);
}

/*
 * Enabled and running time, ns, as of @stamp, a reading of local_clock() that is not older than the last operation;
 * without writing: for samples and control pages, NMI included.
 */
void pcl_event_times_at(struct perf_event *event, u64 stamp, u64 *enabled, u64 *running)
{
	u64 now = pcl_clock_read(&event->ctx->clock, stamp);

	pcl_times_peek(&event->times, pcl_event_effective_state(event), pcl_event_target_time(event, now), enabled,
		       running);
}

/* As of now. The clock is read only if time goes on. */
void pcl_event_times_now(struct perf_event *event, u64 *enabled, u64 *running)
{
	pcl_event_times_at(event, event->ctx->clock.running ? local_clock() : 0, enabled, running);
}

bool pcl_event_get(struct perf_event *event)
{
	return atomic_long_inc_not_zero(&event->refcount);
}

/* The clocks a program may ask for. Those marked nmi can be read in NMI. */
static const struct {
	clockid_t id;
	u64 (*read_ns)(void);
	bool nmi;
} event_clocks[] = {
	{ CLOCK_MONOTONIC,	ktime_get_mono_fast_ns,	true },
	{ CLOCK_MONOTONIC_RAW,	ktime_get_raw_fast_ns,	true },
	{ CLOCK_REALTIME,	ktime_get_real_ns,	false },
	{ CLOCK_BOOTTIME,	ktime_get_boottime_ns,	false },
	{ CLOCK_TAI,		ktime_get_clocktai_ns,	false },
};

/* attr.use_clockid. Before publication. */
int pcl_event_set_clock(struct perf_event *event, clockid_t id, struct pcl_why *why)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(event_clocks); i++) {
		if (event_clocks[i].id != id)
			continue;
		if (!event_clocks[i].nmi && !(event->pmu->capabilities & PERF_PMU_CAP_NO_NMI))
			return pcl_refuse(why, PCL_REASON_CLOCK_NOT_NMI_SAFE);
		event->clock = event_clocks[i].read_ns;
		return 0;
	}
	return pcl_refuse(why, PCL_REASON_CLOCK_UNKNOWN);
}

bool pcl_event_is_kernel(struct perf_event *event)
{
	return READ_ONCE(event->owner) == PCL_OWNER_KERNEL;
}

/*
 * Does it count on this CPU? IRQs off, or NMI. Of one that stays oncpu says where it began to, and that it is not just
 * being taken off; it counts where its context is loaded.
 */
bool pcl_event_counts_here(struct perf_event *event)
{
	pcl_assert_irqs_off_or_nmi();
	if (READ_ONCE(event->moves))
		return READ_ONCE(event->oncpu) == smp_processor_id();
	return READ_ONCE(event->oncpu) >= 0 && event->state == PERF_EVENT_STATE_ACTIVE &&
	       event->ctx == this_cpu_ptr(&pcl_cpus)->task_ctx;
}

/* Does a member of a group stop when it loses its leader? */
bool pcl_event_needs_leader(const struct perf_event *event)
{
	return event->event_caps & PERF_EV_CAP_SIBLING || event->attr.aux_output || event->attr.aux_sample_size ||
	       event->attr.aux_pause || event->attr.aux_resume;
}

static bool event_matches_one(struct perf_event *event)
{
	return !event->pmu->filter_match || event->pmu->filter_match(event);
}

/* May the group that @event leads (or @event, a sibling) run on this CPU now? IRQs off. */
bool pcl_event_matches(struct perf_event *event)
{
	struct perf_event *sibling;

	lockdep_assert_irqs_disabled();
	if (event->cpu >= 0 && event->cpu != smp_processor_id())
		return false;
	if (!pcl_cgroup_runs(event) || !event_matches_one(event))
		return false;
	for_each_sibling_event(sibling, event) {
		if (!event_matches_one(sibling))
			return false;
	}
	return true;
}
