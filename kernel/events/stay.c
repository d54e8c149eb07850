// SPDX-License-Identifier: GPL-2.0
/*
 * What stays ACTIVE while its context is on no CPU.
 *
 * Concepts: at a switch, taking events off their counters and putting them on again is what costs. Often it need not
 * be (decision 4). A slot is resident: what it has ACTIVE stays so if none of it moves, pcl_stay_moves(). The
 * context's clock stands still, and with it the events' times. There are two kinds of PMU that can:
 *
 *	PCL_PMU_CAP_RESIDENT: what counts is found through the context that is loaded, or is its clock. There is
 *	nothing to do at a switch.
 *
 *	pmu::away and pmu::back: the counter is folded, and left on for the event to take it as it is. The PMU has no
 *	pointer to the event meanwhile (pcl_slot::is_away), so it may be evicted, or end, wherever that is asked for.
 *	If it finds its counter, it goes on from what that shows; else all of the slot come off, and on again.
 *
 * Contexts: the CPU concerned, IRQs off, the slot's PMU disabled, but for pcl_stay_moves() and pcl_stay_no_more().
 *
 * Locks: the context's.
 */
#include "internal.h"

/* Where it is decides which programs may write to its ring: they ask event->oncpu. */
static bool is_bpf_output(struct perf_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

/*
 * Does it come off when its context does? Not one that counts by its context alone, or by difference. But where one is
 * that samples, is confined to a CPU or has a control page, and since when, must be right at each switch.
 */
bool pcl_stay_moves(struct perf_event *event)
{
	struct pmu *pmu = event->pmu;

	if (!(pmu->capabilities & PCL_PMU_CAP_RESIDENT) && (!pmu->away || pmu->filter_match))
		return true;
	return is_sampling_event(event) || event->cpu >= 0 || event->attr.exclusive || rcu_access_pointer(event->rb) ||
	       is_bpf_output(event);
}

/* @event has a control page from now on. Where it is on, or on no CPU with ctx->lock. */
void pcl_stay_no_more(struct perf_event *event)
{
	lockdep_assert_held(&event->ctx->lock);
	if (event->state != PERF_EVENT_STATE_ACTIVE || event->moves)
		return;
	WRITE_ONCE(event->oncpu, smp_processor_id());	/* where it began to count is another story */
	WRITE_ONCE(event->moves, true);
	event->group_leader->slot->nr_moving++;
}

static bool is_on_counter(struct perf_event *event)
{
	return event->state == PERF_EVENT_STATE_ACTIVE && event->pmu->away;
}

/* The group's events leave their counters, but for @until and those behind it. Returns whether that was met. */
static bool group_away(struct perf_event *leader, struct perf_event *until)
{
	struct perf_event *sibling;

	if (leader == until)
		return true;
	if (is_on_counter(leader))
		leader->pmu->away(leader);
	for_each_sibling_event(sibling, leader) {
		if (sibling == until)
			return true;
		if (is_on_counter(sibling))
			sibling->pmu->away(sibling);
	}
	return false;
}

static bool queue_away(struct pcl_group_queue *queue, struct perf_event *until)
{
	struct pcl_group *group;

	pcl_group_for_each(group, queue) {
		struct perf_event *leader = pcl_leader_of(group);

		if (leader->state == PERF_EVENT_STATE_ACTIVE && group_away(leader, until))
			return true;
	}
	return false;
}

/* The first of the group that does not find its counter as it was, or NULL */
static struct perf_event *group_back(struct perf_event *leader)
{
	struct perf_event *sibling;

	if (is_on_counter(leader) && !leader->pmu->back(leader))
		return leader;
	for_each_sibling_event(sibling, leader) {
		if (is_on_counter(sibling) && !sibling->pmu->back(sibling))
			return sibling;
	}
	return NULL;
}

static struct perf_event *queue_back(struct pcl_group_queue *queue)
{
	struct perf_event *failed = NULL;
	struct pcl_group *group;

	pcl_group_for_each(group, queue) {
		struct perf_event *leader = pcl_leader_of(group);

		if (leader->state == PERF_EVENT_STATE_ACTIVE)
			failed = group_back(leader);
		if (failed)
			break;
	}
	return failed;
}

/* The context leaves the CPU, and nothing of the slot moves. */
void pcl_stay_away(struct pcl_slot *slot)
{
	lockdep_assert_held(&slot->ctx->lock);
	queue_away(&slot->pinned, NULL);
	queue_away(&slot->flexible, NULL);
	slot->is_away = true;
}

/* It is loaded again. False: one of its events did not find its counter; all are away as before. */
bool pcl_stay_back(struct pcl_slot *slot)
{
	struct perf_event *failed = queue_back(&slot->pinned);

	lockdep_assert_held(&slot->ctx->lock);
	if (!failed)
		failed = queue_back(&slot->flexible);
	if (!failed) {
		slot->is_away = false;
		return true;
	}
	if (!queue_away(&slot->pinned, failed))
		queue_away(&slot->flexible, failed);
	return false;
}
