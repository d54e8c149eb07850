// SPDX-License-Identifier: GPL-2.0
/*
 * A PMU goes: its events are taken off it.
 *
 * Concepts: a driver in a module is pinned by its events, so it goes only after they went. One that is built in may go
 * at any time. Then its events are unbound, as when their CPU goes offline: OFF, their counts readable for ever, never
 * to be enabled again. A stand-in that has no operation worth the name takes the PMU's place in them.
 *
 * Who stops: pcl_unbind(). Who unlinks: here. Who frees: whoever owns the event, later; its destroy() is called here,
 * as long as the driver is there to be called.
 *
 * Contexts: process context, may sleep. Locks: the contexts' mutexes, one at a time.
 */
#include <linux/sched/signal.h>
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

/* Unbound, and the driver's part of it undone. The caller has a reference. */
static void event_take_off(struct perf_event *event)
{
	struct perf_event_context *ctx = pcl_context_lock(event);

	pcl_unbind(event, PCL_UNBIND_GONE);
	if (event->destroy)
		event->destroy(event);
	event->destroy = NULL;
	pcl_pmu_replace(event, &gone_pmu);
	pcl_context_unlock(ctx);
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

/* ---- the tasks' slots ---- */

static struct pcl_slot *slot_find(struct perf_event_context *ctx, struct pmu *pmu)
{
	struct pcl_slot *slot;

	list_for_each_entry_rcu(slot, &ctx->slots, entry, lockdep_is_held(&ctx->mutex)) {
		if (slot->pmu == pmu)
			return slot;
	}
	return NULL;
}

/* Some task's context that has a slot of @pmu, with a reference, or NULL. */
static struct perf_event_context *context_with_slot(struct pmu *pmu)
{
	struct perf_event_context *ctx, *found = NULL;
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		ctx = rcu_dereference(task->perf_event_ctxp);
		if (ctx && slot_find(ctx, pmu) && refcount_inc_not_zero(&ctx->refcount)) {
			found = ctx;
			goto unlock;
		}
	}
unlock:
	rcu_read_unlock();
	return found;
}

/* A software event that was in a group with an event of @pmu is in its slot still: let it move to its own. */
static void slot_send_home(struct pcl_slot *slot)
{
	struct perf_event_context *ctx = slot->ctx;
	struct perf_event *event, *next;

	list_for_each_entry_safe(event, next, &ctx->event_list, event_entry) {
		if (event->group_leader != event || event->slot != slot)
			continue;
		if (pcl_bind_prepare(event, ctx)) {
			pcl_unbind(event, PCL_UNBIND_GONE);	/* no memory for a home */
			continue;
		}
		pcl_unbind(event, PCL_UNBIND_KEEP);
		pcl_bind(event, ctx);
	}
}

/* Where the context is: the CPU forgets the slot. */
static void slot_unlink_local(struct perf_event_context *ctx, void *arg)
{
	struct pcl_slot *slot = arg;
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);

	list_del_rcu(&slot->entry);
	if (pc->task_slot == slot)
		pc->task_slot = NULL;
}

static void pmu_take_slots_off(struct pmu *pmu)
{
	struct perf_event_context *ctx;
	struct pcl_slot *slot;

	while ((ctx = context_with_slot(pmu))) {
		mutex_lock(&ctx->mutex);
		slot = slot_find(ctx, pmu);
		if (slot) {
			slot_send_home(slot);
			pcl_remote(ctx, slot_unlink_local, slot);
		}
		mutex_unlock(&ctx->mutex);
		pcl_context_put(ctx);
		synchronize_rcu();
		kfree(slot);
	}
}

/* The same for the CPUs' slots, which are part of the PMU. */
static void pmu_empty_cpu_slots(struct pmu *pmu)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct perf_event_context *ctx = &per_cpu(pcl_cpus, cpu).ctx;

		mutex_lock(&ctx->mutex);
		slot_send_home(&per_cpu_ptr(pmu->cpus, cpu)->slot);
		mutex_unlock(&ctx->mutex);
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
	pmu_empty_cpu_slots(pmu);
	pcl_pmu_release(pmu);
}
EXPORT_SYMBOL_GPL(perf_pmu_unregister);
