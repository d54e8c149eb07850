// SPDX-License-Identifier: GPL-2.0
/*
 * Binding: put an event on a target, take it off, put it on another.
 *
 * Concepts: opening an event is making it and binding it. Everything that later ends or moves it is the same two steps:
 *
 *	close, exec, exit, CPU offline, PMU gone	unbind, in the way that enum pcl_unbind names
 *	a PMU's events move to another CPU		unbind (KEEP), bind
 *	a software group that gets a hardware member	stays bound, its leader changes its slot
 *
 * An unbound event is on no list and on no counter; it keeps its counts, its times and a reference on its last context.
 *
 * A group lives in the slot of its hardware PMU, if it has a member of one, else in its leader's. When a leader goes,
 * its siblings go on as groups of one, each in the slot of its own PMU; when a group's hardware member goes, the group
 * returns to its leader's. So a slot has members of its PMU as long as it has groups, and software events are never
 * left waiting in hardware's. What may be needed then is made when an event is bound: the slot of its own PMU, too.
 *
 * A leader has a slot exactly while it is bound.
 *
 * Contexts: process context, ctx->mutex held. The *_local functions run where the context is (remote.c).
 *
 * Locks: membership is written under ctx->mutex and ctx->lock, and read under either; event_list also under RCU.
 */
#include "internal.h"

struct bind_call {
	struct perf_event *event;
	struct pcl_slot *slot;
	enum pcl_unbind how;
};

/* The PMU in whose slot the group of @event belongs, whether @event has joined it or not. ctx->mutex or ctx->lock. */
struct pmu *pcl_group_pmu(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (!is_software_event(leader))
		return leader->pmu;
	if (!is_software_event(event))
		return event->pmu;
	if (!(leader->group_caps & PERF_EV_CAP_SOFTWARE)) {
		for_each_sibling_event(sibling, leader) {
			if (!is_software_event(sibling))
				return sibling->pmu;
		}
	}
	return leader->pmu;
}

/* A context's counts of its events by kind. */
static void context_account(struct perf_event_context *ctx, struct perf_event *event, int delta)
{
	ctx->nr_events += delta;
	if (event->attr.inherit_stat)
		ctx->nr_stat += delta;
	if (event->is_told)	/* record.told A, pairs with record.told B in record.c: first on, or off, the list */
		smp_store_release(&ctx->nr_told, ctx->nr_told + delta);
}

/* Lower means further gone; what is further gone already stays so. */
static void state_lower(struct perf_event *event, enum perf_event_state state)
{
	if (event->state > state)
		pcl_event_set_state(event, state);
}

/* ---- the group ---- */

static void group_join(struct perf_event *event, struct pcl_slot *slot)
{
	struct perf_event *leader = event->group_leader;

	if (leader->slot != slot) {
		pcl_sched_group_out(leader);
		pcl_queue_move(leader, slot);
	}
	list_add_tail(&event->sibling_list, &leader->sibling_list);
	event->attach_state |= PERF_ATTACH_GROUP;
	leader->group_caps &= event->event_caps;
	leader->nr_siblings++;
	leader->group_generation++;
	pcl_event_read_size(leader);
}

/* What its old leader's reads need is the caller's to find out, when all have left who leave. */
static void group_leave(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;

	list_del_init(&event->sibling_list);
	event->attach_state &= ~PERF_ATTACH_GROUP;
	event->group_leader = event;
	event->group_caps = event->event_caps;
	leader->nr_siblings--;
	leader->group_generation++;
	pcl_event_read_size(event);
}

/* A member has left @leader's group: what it can do, and where it belongs, is up to those who stayed. */
static void group_settle(struct perf_event *leader)
{
	struct perf_event *sibling;
	struct pcl_slot *slot;

	leader->group_caps = leader->event_caps;
	for_each_sibling_event(sibling, leader)
		leader->group_caps &= sibling->event_caps;
	if (!leader->slot)
		return;
	slot = pcl_context_find_slot(leader->ctx, pcl_group_pmu(leader));
	if (slot == leader->slot)
		return;
	pcl_sched_group_out(leader);
	pcl_queue_move(leader, slot);
	pcl_sched_group_in(leader);
}

/*
 * The leader goes: each sibling goes on alone, in the slot of its own PMU. @slot: the group's until now; NULL: it is
 * bound nowhere, and none is ACTIVE.
 */
static void group_dissolve(struct perf_event *leader, struct pcl_slot *slot)
{
	struct perf_event *sibling, *next;

	list_for_each_entry_safe(sibling, next, &leader->sibling_list, sibling_list) {
		pcl_event_update_time(sibling);
		group_leave(sibling);
		if (sibling->attach_state & PERF_ATTACH_CONTEXT)
			sibling->slot = pcl_context_find_slot(sibling->ctx, sibling->pmu);
		if (pcl_event_needs_leader(sibling))
			state_lower(sibling, PERF_EVENT_STATE_ERROR);
		pcl_queue_leader(sibling);
		if (sibling->state == PERF_EVENT_STATE_ACTIVE)
			pcl_sched_group_stays(sibling, slot);
		else if (sibling->attach_state & PERF_ATTACH_CONTEXT)
			pcl_sched_group_in(sibling);
	}
	pcl_event_read_size(leader);
}

/* ---- bind ---- */

static void bind_local(struct perf_event_context *ctx, void *arg)
{
	struct bind_call *call = arg;
	struct perf_event *event = call->event, *leader = event->group_leader;

	pcl_cgroup_bind(event);
	event->times.stamp = pcl_event_now(event);
	list_add_tail_rcu(&event->event_entry, &ctx->event_list);
	event->attach_state |= PERF_ATTACH_CONTEXT;
	context_account(ctx, event, 1);

	if (leader == event) {
		event->slot = call->slot;
		pcl_queue_leader(event);
		pcl_sched_group_in(event);
		return;
	}

	if (event->attach_state & PERF_ATTACH_GROUP)
		return;		/* its group moves: the leader is bound last, and brings them all in */
	group_join(event, call->slot);
	if (leader->state != PERF_EVENT_STATE_ACTIVE) {
		pcl_sched_group_in(leader);
	} else if (!pcl_sched_event_in(event)) {
		/* All of a group, or nothing of it. */
		pcl_sched_group_out(leader);
		pcl_sched_group_in(leader);
	}
}

/**
 * pcl_bind_prepare - do what binding an event could fail at
 * @event: the event, with its group_leader set
 * @ctx: the context of its target
 *
 * ctx->mutex held, and held on until pcl_bind().
 *
 * Return: 0; -ENODEV if its leader is bound no more; -ENOMEM.
 */
int pcl_bind_prepare(struct perf_event *event, struct perf_event_context *ctx)
{
	if (event->group_leader != event && !event->group_leader->slot)
		return -ENODEV;
	/* Its own PMU's as well, for when it is left alone. */
	return pcl_context_slot(ctx, pcl_group_pmu(event)) && pcl_context_slot(ctx, event->pmu) ? 0 : -ENOMEM;
}

/* @event counts on @ctx from now on. Takes a reference on @ctx for the event, and drops the one on its last context. */
void pcl_bind(struct perf_event *event, struct perf_event_context *ctx)
{
	struct bind_call call = { .event = event, .slot = pcl_context_slot(ctx, pcl_group_pmu(event)) };
	struct perf_event_context *last = event->ctx;

	lockdep_assert_held(&ctx->mutex);
	pcl_context_get(ctx);
	/* bind.publish A, pairs with bind.lock B: who finds the context sees the whole event, or waits for its mutex */
	smp_store_release(&event->ctx, ctx);
	if (event->group_leader == event)
		pcl_event_read_size(event);	/* a member's group_join() does */
	pcl_remote(ctx, bind_local, &call);
	if (last)
		pcl_context_put(last);
}

/* ---- unbind ---- */

static const enum perf_event_state state_after[] = {
	[PCL_UNBIND_GONE] = PERF_EVENT_STATE_OFF,
	[PCL_UNBIND_EXIT] = PERF_EVENT_STATE_EXIT,
	[PCL_UNBIND_EXEC] = PERF_EVENT_STATE_EXIT,
	[PCL_UNBIND_DEAD] = PERF_EVENT_STATE_DEAD,
};

static void unbind_local(struct perf_event_context *ctx, void *arg)
{
	struct bind_call *call = arg;
	struct perf_event *event = call->event, *leader = event->group_leader;
	bool dissolve = call->how != PCL_UNBIND_KEEP && (call->how != PCL_UNBIND_EXIT || event->parent);
	struct pcl_slot *slot = event->slot;	/* a leader's */
	/* Members that stay ACTIVE overflow again when each is a group of its own. */
	struct pmu *pmu = NULL;

	if (leader == event && dissolve && event->state == PERF_EVENT_STATE_ACTIVE)
		pmu = slot->pmu;
	if (pmu)
		perf_pmu_disable(pmu);
	if (event->attach_state & PERF_ATTACH_CONTEXT) {
		if (leader != event)
			pcl_sched_event_out(event);
		else if (dissolve)
			pcl_sched_leader_out(event);
		else
			pcl_sched_group_out(event);
		pcl_event_update_time(event);
		list_del_rcu(&event->event_entry);
		event->attach_state &= ~PERF_ATTACH_CONTEXT;
		context_account(ctx, event, -1);
		if (leader == event) {
			pcl_queue_leader(event);
			event->slot = NULL;
		}
		pcl_cgroup_unbind(event);
	}
	if (call->how == PCL_UNBIND_KEEP)
		return;

	if (leader == event && dissolve) {
		group_dissolve(event, slot);
	} else if (dissolve) {
		group_leave(event);
		pcl_event_read_size(leader);
	}
	state_lower(event, state_after[call->how]);
	if (leader != event && dissolve)
		group_settle(leader);
	if (pmu)
		perf_pmu_enable(pmu);
}

/**
 * pcl_unbind - take an event off its target
 * @event: the event
 * @how: what becomes of it
 *
 * event->ctx->mutex held. Off its counter, its count final, out of the context's lists. An event that is unbound
 * already only changes its state and group.
 */
void pcl_unbind(struct perf_event *event, enum pcl_unbind how)
{
	struct bind_call call = { .event = event, .how = how };

	lockdep_assert_held(&event->ctx->mutex);
	pcl_remote(event->ctx, unbind_local, &call);
}

/* A child that is off its counter for good: what it counted is its parent's now. parent->child_mutex held. */
void pcl_child_detach(struct perf_event *child)
{
	struct perf_event *parent = child->parent;

	if (!(child->attach_state & PERF_ATTACH_CHILD))
		return;
	child->attach_state &= ~PERF_ATTACH_CHILD;
	lockdep_assert_held(&parent->child_mutex);

	atomic64_add(pcl_event_count(child), &parent->child_count);
	atomic64_add(child->times.enabled, &parent->child_total_time_enabled);
	atomic64_add(child->times.running, &parent->child_total_time_running);
	smp_wmb();	/* child.gone A, pairs with child.gone B in read.c: counted, then off the list */
	list_del_init(&child->child_list);
}
