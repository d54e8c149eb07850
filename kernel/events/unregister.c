// SPDX-License-Identifier: GPL-2.0
/*
 * A PMU goes: its events are taken off it.
 *
 * Concepts: a driver in a module is pinned by its events, so it goes only after they went. One that is built in may go
 * at any time. Then its events are unbound, as when their CPU goes offline: OFF, their counts readable for ever, never
 * to be enabled again. A stand-in that has no operation worth the name takes the PMU's place in them.
 *
 * Who stops: pcl_unbind(). Who unlinks: here. Who frees: whoever owns the event, later; its destroy() is called here,
 * as long as the driver is there to be called. A child is freed here: it gives its original what it counted.
 *
 * A fork meanwhile may still copy events of the PMU: their originals are on it until they are taken off under the mutex
 * of the context that is being copied, and the copies stand before them in the PMU's list.
 *
 * Contexts: process context, may sleep. Locks: the contexts' mutexes, one at a time.
 */
#include <linux/wait_bit.h>

#include "internal.h"

static int gone_event_init(struct perf_event *event)
{
	return -ENOENT;
}

static int gone_event_idx(struct perf_event *event)
{
	return 0;
}

static int gone_check_period(struct perf_event *event, u64 value)
{
	return 0;
}

/* Never registered: no event of it is ever on a counter. */
static struct pmu gone_pmu = {
	.name		= "gone",
	.type		= -1,
	.task_ctx_nr	= perf_invalid_context,
	.capabilities	= PERF_PMU_CAP_NO_INTERRUPT,
	.event_init	= gone_event_init,
	.event_idx	= gone_event_idx,
	.check_period	= gone_check_period,
};

/* ---- the events ---- */

/* Off its target. A child leaves its original for good, as it never counts again; true: its reference is ours. */
static bool event_leave_target(struct perf_event *event)
{
	struct perf_event *original = event->parent;
	bool listed;

	if (!original) {
		pcl_unbind(event, PCL_UNBIND_GONE);
		return false;
	}
	mutex_lock(&original->child_mutex);
	pcl_unbind(event, PCL_UNBIND_GONE);
	listed = event->attach_state & PERF_ATTACH_CHILD;
	pcl_child_detach(event);
	mutex_unlock(&original->child_mutex);
	return listed;
}

/* Unbound, and the driver's part of it undone. The caller has a reference. */
static void event_take_off(struct perf_event *event)
{
	struct perf_event_context *ctx = pcl_context_lock(event);
	bool listed = event_leave_target(event);

	if (event->destroy)
		event->destroy(event);
	event->destroy = NULL;
	pcl_pmu_replace(event, &gone_pmu);
	pcl_context_unlock(ctx);
	if (listed)
		pcl_event_put(event);
}

static void pmu_take_events_off(struct pmu *pmu)
{
	struct perf_event *event;

	while (pcl_pmu_has_events(pmu)) {
		event = pcl_pmu_some_event(pmu);
		if (event && READ_ONCE(event->ctx)) {
			event_take_off(event);
			pcl_event_put(event);
			continue;
		}
		/* It is being made or freed just now: a matter of moments. */
		if (event)
			pcl_event_put(event);
		wait_var_event_timeout(&pmu->events, !pcl_pmu_has_events(pmu), 1);
	}
}

/* ---- the tasks' slots: no event of the PMU is left, so nothing is bound in them ---- */

/* Where the context is: the CPU forgets the slot. */
static void slot_unlink_local(struct perf_event_context *ctx, void *arg)
{
	struct pcl_slot *slot = arg;
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);

	WARN_ON_ONCE(slot->pinned.nr || slot->flexible.nr || slot->nr_confined);
	list_del(&slot->entry);
	if (pc->task_slot == slot)
		pc->task_slot = NULL;
}

static void context_take_slot_off(struct perf_event_context *ctx, struct pmu *pmu)
{
	struct pcl_slot *slot;

	mutex_lock(&ctx->mutex);
	slot = pcl_context_find_slot(ctx, pmu);
	if (slot) {
		pcl_remote(ctx, slot_unlink_local, slot);
		pcl_context_free_slot(slot);
	}
	mutex_unlock(&ctx->mutex);
}

/* From all tasks: also from one that is being made, or whose fork failed, and from contexts that outlive theirs. */
static void pmu_take_slots_off(struct pmu *pmu)
{
	struct perf_event_context *ctx;

	while ((ctx = pcl_context_with_slot(pmu))) {
		context_take_slot_off(ctx, pmu);
		pcl_context_put(ctx);
	}
}

/**
 * perf_pmu_unregister - take a PMU away
 * @pmu: registered
 *
 * May sleep. From its return on nothing refers to @pmu.
 */
void perf_pmu_unregister(struct pmu *pmu)
{
	pcl_pmu_withdraw(pmu);
	pmu_take_events_off(pmu);
	pmu_take_slots_off(pmu);
	pcl_pmu_release(pmu);
}
EXPORT_SYMBOL_GPL(perf_pmu_unregister);
