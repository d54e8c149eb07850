// SPDX-License-Identifier: GPL-2.0
/*
 * Changing an event from outside: enable, disable, reset, refresh, period.
 *
 * Concepts: each operation on one event is a small function run where its context is (remote.c). Enable, disable and
 * reset are also done on the event's children; with PERF_IOC_FLAG_GROUP on the leader, its siblings and their children.
 * A new period is the event's alone, and what inherits has no refresh.
 *
 * Contexts: process context, may sleep; the *_local functions run where the context is, IRQs off. Only
 * perf_event_disable_local() is for an overflow's irq_work.
 *
 * Locks: ctx->mutex of the event (not of its children, whose contexts their parent's child_mutex keeps).
 */
#include "internal.h"

/* ---- enable, disable ---- */

static void enable_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg, *leader = event->group_leader;

	if (event->state >= PERF_EVENT_STATE_INACTIVE || event->state <= PERF_EVENT_STATE_EXIT)
		return;
	if (!(event->attach_state & PERF_ATTACH_CONTEXT)) {
		/* The CPU is offline: nothing to count on, but what was counted can be read again. */
		if (event->state == PERF_EVENT_STATE_ERROR)
			pcl_event_set_state(event, PERF_EVENT_STATE_OFF);
		return;
	}
	if (event->state == PERF_EVENT_STATE_ERROR && event->event_caps & PERF_EV_CAP_SIBLING && leader == event)
		return;		/* lost its group, cannot count alone */

	pcl_event_set_state(event, PERF_EVENT_STATE_INACTIVE);
	if (leader == event) {
		pcl_queue_leader(event);
		pcl_sched_group_in(event);
	} else if (leader->state == PERF_EVENT_STATE_ACTIVE && !pcl_sched_event_in(event)) {
		pcl_sched_group_out(leader);
		pcl_sched_group_in(leader);
	}
}

static void disable_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg;

	if (event->state < PERF_EVENT_STATE_INACTIVE)
		return;
	if (event->group_leader == event)
		pcl_sched_group_out(event);
	else
		pcl_sched_event_out(event);
	if (event->state == PERF_EVENT_STATE_INACTIVE)
		pcl_event_set_state(event, PERF_EVENT_STATE_OFF);
	if (event->group_leader == event && event->attach_state & PERF_ATTACH_CONTEXT)
		pcl_queue_leader(event);
}

static void enable_on_exec_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event;

	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (!event->attr.enable_on_exec)
			continue;
		event->attr.enable_on_exec = 0;
		enable_local(ctx, event);
	}
}

/* attr.enable_on_exec of all events, at one moment. ctx->mutex held. */
void pcl_enable_on_exec(struct perf_event_context *ctx)
{
	struct perf_event *event;

	lockdep_assert_held(&ctx->mutex);
	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (event->attr.enable_on_exec) {
			pcl_remote(ctx, enable_on_exec_local, NULL);
			return;
		}
	}
}

void pcl_enable(struct perf_event *event)
{
	pcl_remote(event->ctx, enable_local, event);
}

void pcl_disable(struct perf_event *event)
{
	pcl_remote(event->ctx, disable_local, event);
}

void perf_event_enable(struct perf_event *event)
{
	struct perf_event_context *ctx = pcl_context_lock(event);

	pcl_enable(event);
	pcl_context_unlock(ctx);
}
EXPORT_SYMBOL_GPL(perf_event_enable);

void perf_event_disable(struct perf_event *event)
{
	struct perf_event_context *ctx = pcl_context_lock(event);

	pcl_disable(event);
	pcl_context_unlock(ctx);
}
EXPORT_SYMBOL_GPL(perf_event_disable);

/* From an overflow's irq_work, on the CPU where the event runs, if it still does; IRQs off. */
void perf_event_disable_local(struct perf_event *event)
{
	struct perf_event_context *ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	struct pcl_cpu *cpu = pcl_cpu_lock(ctx);

	if (event->ctx == &cpu->ctx || event->ctx == ctx)
		disable_local(event->ctx, event);
	pcl_cpu_unlock(cpu, ctx);
}

/* ---- reset, refresh ---- */

static void reset_local(struct perf_event_context *ctx, void *arg)
{
	struct perf_event *event = arg;

	if (event->state == PERF_EVENT_STATE_ACTIVE)
		event->pmu->read(event);
	local64_set(&event->count, 0);
	perf_event_update_userpage(event);
}

void pcl_reset(struct perf_event *event)
{
	pcl_remote(event->ctx, reset_local, event);
}

/* Allow @refresh more overflows, and enable. ctx->mutex held. */
int pcl_refresh(struct perf_event *event, int refresh)
{
	lockdep_assert_held(&event->ctx->mutex);
	if (event->attr.inherit)
		return pcl_refuse(NULL, PCL_REASON_REFRESH_INHERIT);
	if (!is_sampling_event(event))
		return pcl_refuse(NULL, PCL_REASON_REFRESH_COUNTING);
	atomic_add(refresh, &event->event_limit);
	pcl_enable(event);
	return 0;
}

int perf_event_refresh(struct perf_event *event, int refresh)
{
	struct perf_event_context *ctx = pcl_context_lock(event);
	int err = pcl_refresh(event, refresh);

	pcl_context_unlock(ctx);
	return err;
}
EXPORT_SYMBOL_GPL(perf_event_refresh);

/* Disable, and say what it counted; for hypervisors. */
u64 perf_event_pause(struct perf_event *event, bool reset)
{
	struct perf_event_context *ctx = pcl_context_lock(event);
	u64 count;

	WARN_ON_ONCE(event->attr.inherit);
	pcl_disable(event);
	count = local64_read(&event->count);
	if (reset)
		local64_set(&event->count, 0);
	pcl_context_unlock(ctx);
	return count;
}
EXPORT_SYMBOL_GPL(perf_event_pause);

/* ---- period ---- */

struct period_call {
	struct perf_event *event;
	u64 value;
};

static void period_local(struct perf_event_context *ctx, void *arg)
{
	struct period_call *call = arg;
	struct perf_event *event = call->event;
	bool running = event->state == PERF_EVENT_STATE_ACTIVE;

	if (event->attr.freq) {
		event->attr.sample_freq = call->value;
	} else {
		event->attr.sample_period = call->value;
		event->hw.sample_period = call->value;
	}

	if (running) {
		perf_pmu_disable(event->pmu);
		if (event->hw.interrupts == PCL_THROTTLED) {
			/* Throttled by the old period: the new one gets its chance. */
			event->hw.interrupts = 0;
			pcl_record_throttle(event, false);
		}
		event->pmu->stop(event, PERF_EF_UPDATE);
	}
	local64_set(&event->hw.period_left, 0);
	if (running) {
		event->pmu->start(event, PERF_EF_RELOAD);
		perf_pmu_enable(event->pmu);
	}
}

/* A new period, or frequency, from the next sample on. ctx->mutex held. */
int pcl_set_period(struct perf_event *event, u64 value, struct pcl_why *why)
{
	struct period_call call = { .event = event, .value = value };

	lockdep_assert_held(&event->ctx->mutex);
	if (!is_sampling_event(event))
		return pcl_refuse(why, PCL_REASON_PERIOD_COUNTING);
	if (!value)
		return pcl_refuse(why, PCL_REASON_PERIOD_ZERO);
	if (event->attr.freq && value > READ_ONCE(sysctl_perf_event_sample_rate))
		return pcl_refuse(why, PCL_REASON_PERIOD_RATE);
	/* Drivers know periods; a frequency is none. */
	if (!event->attr.freq && event->pmu->check_period && event->pmu->check_period(event, value))
		return pcl_refuse(why, PCL_REASON_PERIOD_PMU);
	if (!event->attr.freq && value & (1ULL << 63))
		return pcl_refuse(why, PCL_REASON_PERIOD_RANGE);

	/* Those that inherited it keep theirs. */
	pcl_set_reclaim(event->ctx);
	pcl_remote(event->ctx, period_local, &call);
	return 0;
}

int perf_event_period(struct perf_event *event, u64 value)
{
	struct perf_event_context *ctx = pcl_context_lock(event);
	int err = pcl_set_period(event, value, NULL);

	pcl_context_unlock(ctx);
	return err;
}
EXPORT_SYMBOL_GPL(perf_event_period);

/* ---- families and groups ---- */

/* @event and the children that live now. */
void pcl_with_children(struct perf_event *event, pcl_event_fn fn)
{
	struct perf_event *child;

	mutex_lock(&event->child_mutex);
	fn(event);
	list_for_each_entry(child, &event->child_list, child_list)
		fn(child);
	mutex_unlock(&event->child_mutex);
}

/* ctx->mutex held: the group stays as it is. */
void pcl_for_group(struct perf_event *event, pcl_event_fn fn)
{
	struct perf_event *leader = event->group_leader, *sibling;

	lockdep_assert_held(&event->ctx->mutex);
	pcl_with_children(leader, fn);
	for_each_sibling_event(sibling, leader)
		pcl_with_children(sibling, fn);
}

/* ---- prctl(PR_TASK_PERF_EVENTS_ENABLE and _DISABLE): all that the caller has opened ---- */

/*
 * The event that the caller opened next after @last, or first if that is NULL, with a reference. @last may have been
 * closed meanwhile; the list has them in the order of their ids.
 */
static struct perf_event *own_event_after(struct perf_event *last)
{
	struct list_head *list = &current->perf_event_list;
	struct perf_event *event;

	mutex_lock(&current->perf_event_mutex);
	event = last && !list_empty(&last->owner_entry) ? last : list_entry(list, struct perf_event, owner_entry);
	list_for_each_entry_continue(event, list, owner_entry) {
		if ((!last || event->id > last->id) && pcl_event_get(event))
			goto unlock;
	}
	event = NULL;
unlock:
	mutex_unlock(&current->perf_event_mutex);
	return event;
}

/*
 * The list is left between two events: who moves a breakpoint holds a context's mutex and wants the perf_event_mutex of
 * its task (hw_breakpoint.c), which may be ours.
 */
static int control_own_events(pcl_event_fn fn)
{
	struct perf_event *event = NULL, *last;
	struct perf_event_context *ctx;

	for (;;) {
		last = event;
		event = own_event_after(last);
		pcl_event_put(last);
		if (!event)
			return 0;
		ctx = pcl_context_lock(event);
		pcl_with_children(event, fn);
		pcl_context_unlock(ctx);
	}
}

int perf_event_task_enable(void)
{
	return control_own_events(pcl_enable);
}

int perf_event_task_disable(void)
{
	return control_own_events(pcl_disable);
}
