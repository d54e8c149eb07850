// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts: find, make, lock and release them, and their slots.
 *
 * Concepts: a task has one context or none. It is made by whoever first opens an event on the task (or by fork, for
 * inherited events), hung on task_struct::perf_event_ctxp, and stays there until the task exits, or does an exec that
 * changes its credentials. Contexts of a set float among its members (set.c), and those that are on no CPU lie in the
 * set's pool.
 *
 * Contexts: what makes or locks contexts, and makes or frees slots, may sleep; the scheduler calls pcl_context_take()
 * and pcl_context_give(), an NMI may call pcl_context_time() and pcl_context_that_stands_for().
 *
 * A PMU that goes has to find its slots in all contexts, also in that of a task which is still being made and on no
 * list of tasks: so there is a list of all tasks' slots.
 *
 * Locks: task->perf_event_mutex guards the pointer in the task; ctx->mutex and ctx->lock the list of slots; slots_lock
 * the list of all slots. An event's context can change (its PMU's events move to another CPU), so pcl_context_lock()
 * looks again after it has the mutex.
 */
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include "internal.h"

atomic_t pcl_nr_contexts;

static LIST_HEAD(all_slots);			/* of tasks: slots_lock */
static DEFINE_SPINLOCK(slots_lock);

DEFINE_PER_CPU(struct pcl_cpu, pcl_cpus);

void pcl_context_init(struct perf_event_context *ctx, struct task_struct *task, int cpu)
{
	raw_spin_lock_init(&ctx->lock);
	mutex_init(&ctx->mutex);
	INIT_LIST_HEAD(&ctx->event_list);
	INIT_LIST_HEAD(&ctx->slots);
	refcount_set(&ctx->refcount, 1);
	INIT_LIST_HEAD(&ctx->pool_entry);
	ctx->cpu = cpu;
	ctx->loaded_on = -1;
	ctx->queued_for = -1;
	if (task)
		ctx->task = get_task_struct(task);
}

/* The task's context, with a reference, if it has one. */
static struct perf_event_context *context_find(struct task_struct *task)
{
	struct perf_event_context *ctx;

	rcu_read_lock();
	ctx = rcu_dereference(task->perf_event_ctxp);
	if (ctx && !refcount_inc_not_zero(&ctx->refcount))
		ctx = NULL;
	rcu_read_unlock();
	return ctx;
}

/**
 * pcl_context_that_stands_for - the context whose events are asked for what concerns a task, wherever it runs
 * @task: the task
 *
 * RCU read section, any context.
 *
 * Return: its own, or the first instance of its set, or NULL if it has no events.
 */
struct perf_event_context *pcl_context_that_stands_for(struct task_struct *task)
{
	struct pcl_set *set = rcu_dereference(task->perf_event_set);
	struct perf_event_context *own;

	smp_rmb();	/* set.own B, pairs with A in set.c: it may have left its set just now */
	own = rcu_dereference(task->perf_event_ctxp);
	return own || !set ? own : set->mould;
}

/* A context for @task, not yet hung on it, with the task's reference; NULL without memory. */
static struct perf_event_context *context_make(struct task_struct *task)
{
	struct perf_event_context *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);

	if (ctx) {
		pcl_context_init(ctx, task, -1);
		atomic_inc(&pcl_nr_contexts);
	}
	return ctx;
}

/* Hang @fresh on @task, unless it has one already, or exits. The task's context, or an ERR_PTR. */
static struct perf_event_context *context_hang(struct task_struct *task, struct perf_event_context *fresh)
{
	struct perf_event_context *ctx;

	lockdep_assert_held(&task->perf_event_mutex);
	if (task->flags & PF_EXITING)
		return ERR_PTR(-ESRCH);	/* perf_event_exit_task() takes this mutex after PF_EXITING is set */
	ctx = rcu_dereference_protected(task->perf_event_ctxp, true);
	if (ctx)
		return ctx;
	rcu_assign_pointer(task->perf_event_ctxp, fresh);
	return fresh;
}

/**
 * pcl_context_of_task - find or make the context of a task
 * @task: the task; the caller holds a reference
 *
 * Return: the context with a reference for the caller; -ESRCH if the task is exiting, -ENOMEM.
 */
struct perf_event_context *pcl_context_of_task(struct task_struct *task)
{
	struct perf_event_context *ctx, *fresh;

	ctx = context_find(task);
	if (ctx)
		return ctx;

	fresh = context_make(task);
	if (!fresh)
		return ERR_PTR(-ENOMEM);

	mutex_lock(&task->perf_event_mutex);
	ctx = context_hang(task, fresh);
	if (!IS_ERR(ctx))
		pcl_context_get(ctx);
	mutex_unlock(&task->perf_event_mutex);

	if (ctx != fresh) {
		put_task_struct(task);	/* what pcl_context_init() took */
		fresh->task = PCL_TASK_GONE;
		pcl_context_put(fresh);
	}
	return ctx;
}

/* The context of a task that is still being made, and has none. The reference is the task's. NULL without memory. */
struct perf_event_context *pcl_context_of_new_task(struct task_struct *task)
{
	struct perf_event_context *ctx = context_make(task);

	rcu_assign_pointer(task->perf_event_ctxp, ctx);
	return ctx;
}

/* A context that no task has, yet or ever: nothing of it runs. The reference is the caller's. NULL without memory. */
struct perf_event_context *pcl_context_unowned(void)
{
	struct perf_event_context *ctx = context_make(NULL);

	if (ctx)
		ctx->task = PCL_TASK_GONE;
	return ctx;
}

/**
 * pcl_context_take - an instance for the member of a set that begins to run here
 * @set: the set; the RCU read section of IRQs off is enough
 * @own: the member's own context, at home in the set, or NULL: taken rather than another, so that its ids are seen
 *
 * Return: the instance, this CPU's until pcl_context_give(); NULL: the task is no member any more, and will be told;
 * or all events were closed.
 */
struct perf_event_context *pcl_context_take(struct pcl_set *set, struct perf_event_context *own)
{
	struct perf_event_context *ctx;

	lockdep_assert_irqs_disabled();
	raw_spin_lock(&set->lock);
	if (own && !list_empty(&own->pool_entry))
		ctx = own;
	else
		ctx = list_first_entry_or_null(&set->pool, struct perf_event_context, pool_entry);
	if (ctx)
		list_del_init(&ctx->pool_entry);
	raw_spin_unlock(&set->lock);
	return ctx;
}

/* An instance that is on no CPU any more goes back to its set's pool. */
void pcl_context_give(struct pcl_set *set, struct perf_event_context *ctx)
{
	lockdep_assert_irqs_disabled();
	raw_spin_lock(&set->lock);
	/* The one that is at home with a task is left to it while there are others. */
	if (ctx->task == PCL_TASK_GONE)
		list_add(&ctx->pool_entry, &set->pool);
	else
		list_add_tail(&ctx->pool_entry, &set->pool);
	raw_spin_unlock(&set->lock);
}

void pcl_context_get(struct perf_event_context *ctx)
{
	refcount_inc(&ctx->refcount);
}

static void context_free(struct rcu_head *head)
{
	struct perf_event_context *ctx = container_of(head, struct perf_event_context, rcu_head);
	struct pcl_slot *slot, *next;

	list_for_each_entry_safe(slot, next, &ctx->slots, entry)
		kfree(slot);
	kfree(ctx);
}

/* Off the list of all; once all of a PMU are, it may go. */
static void slot_leave_all(struct pcl_slot *slot)
{
	spin_lock(&slots_lock);
	list_del(&slot->all_entry);
	spin_unlock(&slots_lock);
}

/* A failed fork waits until its reference is the last: who makes it so tells. @ctx is an address to it, no more. */
void pcl_context_put(struct perf_event_context *ctx)
{
	void *waited_for = &ctx->refcount;
	struct pcl_slot *slot;
	int before;

	if (__refcount_dec_and_test(&ctx->refcount, &before)) {
		list_for_each_entry(slot, &ctx->slots, entry)
			slot_leave_all(slot);
		atomic_dec(&pcl_nr_contexts);
		call_rcu(&ctx->rcu_head, context_free);
		return;
	}
	if (before > 2)
		return;
	smp_mb();	/* context.put A, pairs with context.wait B in wait_var_event() */
	wake_up_var(waited_for);
}

/* The slot of @pmu in @ctx, or NULL. ctx->mutex or ctx->lock held. A CPU's slots are part of its PMU: never NULL. */
struct pcl_slot *pcl_context_find_slot(struct perf_event_context *ctx, struct pmu *pmu)
{
	struct pcl_slot *slot;

	lockdep_assert(lockdep_is_held(&ctx->mutex) || lockdep_is_held(&ctx->lock));
	if (ctx->cpu >= 0)
		return &per_cpu_ptr(pmu->cpus, ctx->cpu)->slot;
	list_for_each_entry(slot, &ctx->slots, entry) {
		if (slot->pmu == pmu)
			return slot;
	}
	return NULL;
}

/* No group, in no list. */
void pcl_slot_init(struct pcl_slot *slot, struct perf_event_context *ctx, struct pmu *pmu)
{
	slot->ctx = ctx;
	slot->pmu = pmu;
	INIT_LIST_HEAD(&slot->entry);
	pcl_group_queue_init(&slot->pinned);
	pcl_group_queue_init(&slot->flexible);
	INIT_LIST_HEAD(&slot->elsewhere);
}

/**
 * pcl_context_slot - the slot of a PMU in a context, made if it is not there
 * @ctx: the context
 * @pmu: the PMU
 *
 * Caller holds ctx->mutex; may sleep. A CPU's slots are part of its PMU and cannot fail.
 *
 * Return: the slot, or NULL without memory.
 */
struct pcl_slot *pcl_context_slot(struct perf_event_context *ctx, struct pmu *pmu)
{
	struct pcl_slot *slot;

	lockdep_assert_held(&ctx->mutex);
	slot = pcl_context_find_slot(ctx, pmu);
	if (slot)
		return slot;
	slot = kzalloc(sizeof(*slot), GFP_KERNEL);
	if (!slot)
		return NULL;
	pcl_slot_init(slot, ctx, pmu);
	raw_spin_lock_irq(&ctx->lock);
	list_add_tail(&slot->entry, &ctx->slots);
	raw_spin_unlock_irq(&ctx->lock);
	spin_lock(&slots_lock);
	list_add(&slot->all_entry, &all_slots);
	spin_unlock(&slots_lock);
	return slot;
}

/* No event is bound in @slot, and it has left its context. */
void pcl_context_free_slot(struct pcl_slot *slot)
{
	slot_leave_all(slot);
	kfree(slot);
}

/* Has a task's context a slot of @pmu? Then @ctx is one, with a reference, or NULL: it is about to be freed. */
static bool find_slot_of(struct pmu *pmu, struct perf_event_context **ctx)
{
	struct pcl_slot *slot;
	bool found = false;

	*ctx = NULL;
	spin_lock(&slots_lock);
	list_for_each_entry(slot, &all_slots, all_entry) {
		if (slot->pmu != pmu)
			continue;
		found = true;
		if (refcount_inc_not_zero(&slot->ctx->refcount)) {
			*ctx = slot->ctx;
			break;
		}
	}
	spin_unlock(&slots_lock);
	return found;
}

/**
 * pcl_context_with_slot - find a task that has a slot of a PMU
 * @pmu: a PMU that is going: no slot of it is made any more
 *
 * May sleep: until contexts are gone whose last reference goes just now.
 *
 * Return: a context with a reference for the caller, or NULL when no task has one any more.
 */
struct perf_event_context *pcl_context_with_slot(struct pmu *pmu)
{
	struct perf_event_context *ctx;

	while (find_slot_of(pmu, &ctx) && !ctx)
		schedule_timeout_uninterruptible(1);	/* a matter of moments */
	return ctx;
}

/**
 * pcl_context_lock - lock the context that an event belongs to
 * @event: the event
 *
 * For a published event, bound or not: an unbound event keeps its last context, whose mutex still orders those who
 * would change it. Takes ctx->mutex; may sleep.
 */
struct perf_event_context *pcl_context_lock(struct perf_event *event)
{
	struct perf_event_context *ctx;

	/* Who moves a breakpoint takes its task's under ctx->mutex, as another class: lockdep would not see it. */
	lockdep_assert_not_held(&current->perf_event_mutex);
	for (;;) {
		rcu_read_lock();
		ctx = READ_ONCE(event->ctx);	/* bind.lock B, pairs with bind.publish A */
		if (!refcount_inc_not_zero(&ctx->refcount)) {
			rcu_read_unlock();
			continue;
		}
		rcu_read_unlock();

		mutex_lock(&ctx->mutex);
		if (READ_ONCE(event->ctx) == ctx)
			return ctx;
		pcl_context_unlock(ctx);	/* moved meanwhile */
	}
}

void pcl_context_unlock(struct perf_event_context *ctx)
{
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);
}

/* ns; stands still while the context is off. Only starting and stopping write the clock. */
u64 pcl_context_time(struct perf_event_context *ctx)
{
	return pcl_clock_read(&ctx->clock, ctx->clock.running ? local_clock() : 0);
}

/*
 * ctx->lock held, at the start of an operation: all that it does to events happens at one moment, @stamp of the CPU's
 * clock, so that events which go on together have the same times.
 */
void pcl_context_set_now(struct perf_event_context *ctx, u64 stamp)
{
	lockdep_assert_held(&ctx->lock);
	ctx->now = pcl_clock_read(&ctx->clock, stamp);
}
