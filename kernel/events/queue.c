// SPDX-License-Identifier: GPL-2.0
/*
 * Queueing: which groups wait in the queues of their slots, and which wait apart.
 *
 * Concepts: a group is queued in its slot exactly while it wants to run: its leader is bound and INACTIVE or ACTIVE. A
 * task's groups that are confined to one CPU are in a queue only while the task is there, or was there last; the others
 * are in a list of their own, so that a switch need not pass them over. They change places when their context is loaded
 * on another CPU than the last time, and come back with their ticket, if not always with their time (group.c), so that
 * nobody loses a turn by it.
 *
 * A CPU's groups that are of a cgroup are in a queue only while that runs there (cgroup_switch.c). The others wait
 * apart in the same list, and come back in the same way. Each cgroup has a list of its own of all of them, queued or
 * apart, so that those that change places are found without the others.
 *
 * Contexts: any, IRQs off. Locks: ctx->lock.
 */
#include "internal.h"

static struct pcl_group_queue *queue_of(struct perf_event *leader)
{
	return leader->attr.pinned ? &leader->slot->pinned : &leader->slot->flexible;
}

/* Is it a task's, for one CPU? */
static bool is_confined(struct perf_event *leader)
{
	return leader->cpu >= 0 && leader->ctx->cpu < 0;
}

/* Does it wait apart, if it waits? Most are a task's, for any CPU. */
static __always_inline bool is_elsewhere(struct perf_event *leader)
{
	if (leader->cpu < 0)
		return false;
	if (leader->ctx->cpu >= 0)
		return !pcl_cgroup_runs(leader);
	return is_confined(leader) && leader->cpu != leader->ctx->queued_for;
}

#ifdef CONFIG_CGROUP_PERF
static void enter_cgroup(struct perf_event *leader)
{
	if (leader->cgrp)
		list_add_tail(&leader->cgrp_entry, &pcl_cgroup_info(leader)->leaders);
}

static void leave_cgroup(struct perf_event *leader)
{
	if (leader->cgrp)
		list_del(&leader->cgrp_entry);
}
#else
static void enter_cgroup(struct perf_event *leader)
{
}

static void leave_cgroup(struct perf_event *leader)
{
}
#endif

static void enter(struct perf_event *leader)
{
	struct pcl_slot *slot = leader->slot;

	slot->nr_confined += is_confined(leader);
	enter_cgroup(leader);
	if (is_elsewhere(leader)) {
		pcl_group_announce(queue_of(leader), &leader->group);
		list_add_tail(&leader->group.entry, &slot->elsewhere);
	} else {
		pcl_group_enqueue(queue_of(leader), &leader->group);
	}
}

static void leave(struct perf_event *leader)
{
	struct pcl_slot *slot = leader->slot;

	slot->nr_confined -= is_confined(leader);
	leave_cgroup(leader);
	if (is_elsewhere(leader))
		list_del_init(&leader->group.entry);
	else
		pcl_group_dequeue(queue_of(leader), &leader->group);
}

/* slot->ctx is queued for another CPU from now on. */
static void queue_leave(struct pcl_slot *slot, struct pcl_group_queue *queue)
{
	struct pcl_group *group, *next;

	pcl_group_for_each_safe(group, next, queue) {
		if (is_elsewhere(pcl_leader_of(group))) {
			pcl_group_dequeue(queue, group);
			list_add_tail(&group->entry, &slot->elsewhere);
		}
	}
}

/* Who is for another CPU waits apart from now on, who is for this one does not any more. */
static void slot_sort_out(struct pcl_slot *slot)
{
	struct pcl_return pinned, flexible;
	struct pcl_group *group, *next;

	queue_leave(slot, &slot->pinned);
	queue_leave(slot, &slot->flexible);
	pcl_return_begin(&pinned, &slot->pinned);
	pcl_return_begin(&flexible, &slot->flexible);
	list_for_each_entry(group, &slot->elsewhere, entry) {
		if (is_elsewhere(pcl_leader_of(group)))
			continue;
		pcl_return_expect(pcl_leader_of(group)->attr.pinned ? &pinned : &flexible, group);
	}
	list_for_each_entry_safe(group, next, &slot->elsewhere, entry) {
		if (!is_elsewhere(pcl_leader_of(group))) {
			list_del(&group->entry);
			pcl_return_group(pcl_leader_of(group)->attr.pinned ? &pinned : &flexible, group);
		}
	}
}

/* A task's context is loaded on @cpu. */
void pcl_queue_for(struct perf_event_context *ctx, int cpu)
{
	struct pcl_slot *slot;

	lockdep_assert_held(&ctx->lock);
	if (ctx->queued_for == cpu)
		return;
	ctx->queued_for = cpu;
	list_for_each_entry(slot, &ctx->slots, entry) {
		if (slot->nr_confined)
			slot_sort_out(slot);
	}
}

#ifdef CONFIG_CGROUP_PERF
/* A cgroup is about to run no more, and its groups are off: they wait apart. */
void pcl_queue_cgroup_apart(struct perf_cgroup_info *info)
{
	struct perf_event *leader;

	list_for_each_entry(leader, &info->leaders, cgrp_entry) {
		lockdep_assert_held(&leader->ctx->lock);
		pcl_group_dequeue(queue_of(leader), &leader->group);
		list_add_tail(&leader->group.entry, &leader->slot->elsewhere);
	}
}

/* Both queues of a slot, to which groups are about to come. */
struct queues_back {
	struct pcl_return pinned, flexible;
};

/* Of one cgroup. @expect: they are only announced. */
static void cgroup_back(struct queues_back *back, struct pcl_slot *slot, struct perf_cgroup *cgrp, bool expect)
{
	struct perf_event *leader;

	list_for_each_entry(leader, &per_cpu_ptr(cgrp->info, slot->ctx->cpu)->leaders, cgrp_entry) {
		struct pcl_return *to = leader->attr.pinned ? &back->pinned : &back->flexible;

		if (leader->slot != slot)
			continue;
		if (expect) {
			pcl_return_expect(to, &leader->group);
		} else {
			list_del(&leader->group.entry);
			pcl_return_group(to, &leader->group);
		}
	}
}

/**
 * pcl_queue_cgroups_back - groups of cgroups that run from now on wait apart no more
 * @slot: a CPU's slot; its groups come back together
 * @first: the lowest of these cgroups
 * @above: the first above it that ran already, or NULL
 *
 * The lock of the CPU's context held.
 */
void pcl_queue_cgroups_back(struct pcl_slot *slot, struct perf_cgroup *first, struct perf_cgroup *above)
{
	struct queues_back back;
	struct perf_cgroup *cgrp;

	lockdep_assert_held(&slot->ctx->lock);
	pcl_return_begin(&back.pinned, &slot->pinned);
	pcl_return_begin(&back.flexible, &slot->flexible);
	for (cgrp = first; cgrp != above; cgrp = pcl_cgroup_parent(cgrp))
		cgroup_back(&back, slot, cgrp, true);
	for (cgrp = first; cgrp != above; cgrp = pcl_cgroup_parent(cgrp))
		cgroup_back(&back, slot, cgrp, false);
}
#endif

/* Queued if, and only if, it wants to run. */
void pcl_queue_leader(struct perf_event *leader)
{
	bool queued = !list_empty(&leader->group.entry);
	bool wants = leader->attach_state & PERF_ATTACH_CONTEXT && leader->state >= PERF_EVENT_STATE_INACTIVE;

	lockdep_assert_held(&leader->ctx->lock);
	if (wants && !queued)
		enter(leader);
	else if (!wants && queued)
		leave(leader);
}

/* To another slot, with its time. It is off the hardware. */
void pcl_queue_move(struct perf_event *leader, struct pcl_slot *slot)
{
	if (!list_empty(&leader->group.entry))
		leave(leader);
	leader->slot = slot;
	pcl_queue_leader(leader);
}
