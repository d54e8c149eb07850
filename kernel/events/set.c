// SPDX-License-Identifier: GPL-2.0
/*
 * Sets: what the tasks of a family inherit is counted by a few contexts that go from one to the other.
 *
 * Concepts: whatever a copy of an event counts ends in the original, so no task needs copies of its own. A task
 * whose events are all inherited alike makes a set of them when it forks. The tasks of the set are its members; what
 * counts for a member that runs is an instance: a context with a copy of each event. Instances float: one that is on
 * a CPU stays there while members follow each other, so that such a switch compares two pointers. One that is on no
 * CPU is in the set's pool.
 *
 *	fork by a member	one member more; an instance more while there are fewer than CPUs and members
 *	exit			one member less; with the last the instances end, and give the originals their counts
 *	switch			to a member: nothing. To another: the instance comes off and goes back to the pool
 *
 * The context of the task that made the set, with the originals or its own copies of them, floats as well: it is at
 * home with that task, which keeps it in perf_event_ctxp. The others have none. The first instance is the mould: it
 * is copied for each other instance, and stands for the set where a task's events are asked what they want.
 *
 * A task leaves its set before something is done to its events alone: an event more (open.c), a period (control.c), a
 * BPF program (attach.c), its exit. The one with the home context takes that along, wherever it floats just now; any
 * other gets a context with copies. Sets are not made of what is per task from the beginning: see may_share().
 *
 * The pool has an instance for each member that wants one, also while the home context is on its way out: there are at
 * least as many as members, or as CPUs if these are fewer, not counting the home context.
 *
 * Contexts: process context, may sleep; the *_local functions run on the CPU concerned, IRQs off. What the scheduler
 * does with a set is in switch.c, its pool in context.c.
 *
 * Locks: the home context's mutex for its membership; the mould's for the list of instances while there are members;
 * task->perf_event_mutex for who leaves; set->lock, which nothing nests in, for the pool.
 */
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/trace_events.h>

#include "internal.h"

/* ---- making ---- */

/* A context with copies of what is in @from, for @task or, if that is NULL, a set. Or an ERR_PTR. from->mutex held. */
static struct perf_event_context *copies_of(struct perf_event_context *from, struct task_struct *task)
{
	struct perf_event_context *ctx = pcl_context_unowned();
	struct perf_event *event;
	int err = 0;

	lockdep_assert_held(&from->mutex);
	if (!ctx)
		return ERR_PTR(-ENOMEM);
	mutex_lock_nested(&ctx->mutex, SINGLE_DEPTH_NESTING);
	list_for_each_entry(event, &from->event_list, event_entry) {
		if (event->group_leader == event)
			err = pcl_copy_group(event, task, ctx);
		if (err)
			break;
	}
	if (err)
		pcl_copies_end(ctx);
	mutex_unlock(&ctx->mutex);
	if (!err)
		return ctx;
	pcl_context_put(ctx);
	return ERR_PTR(err);
}

/* One instance more. */
static int add_instance(struct pcl_set *set, struct perf_event_context *from)
{
	struct perf_event_context *ctx = copies_of(from, NULL);

	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	raw_spin_lock_irq(&set->lock);
	list_add_tail(&ctx->set_entry, &set->instances);
	WRITE_ONCE(set->nr_instances, set->nr_instances + 1);
	if (!set->mould)
		set->mould = ctx;	/* before anybody knows of the set */
	/* Nothing of it ran so far, and nothing does before it is taken from the pool. */
	WRITE_ONCE(ctx->set, set);
	list_add(&ctx->pool_entry, &set->pool);
	raw_spin_unlock_irq(&set->lock);
	return 0;
}

/* Fewer than members that can run at once? The home context does not count, for it may leave at any time. */
static bool set_is_short(struct pcl_set *set)
{
	return READ_ONCE(set->nr_instances) < min(refcount_read(&set->members), num_possible_cpus());
}

/* Copies of @from until the set is short no more. from->mutex held. */
static int set_fill(struct pcl_set *set, struct perf_event_context *from)
{
	int err = 0;

	lockdep_assert_held(&from->mutex);
	while (!err && set_is_short(set))
		err = add_instance(set, from);
	return err;
}

/* False: some CPU has it, or is just about to give it back. */
static bool take_from_pool(struct pcl_set *set, struct perf_event_context *ctx)
{
	bool found;

	raw_spin_lock_irq(&set->lock);
	found = !list_empty(&ctx->pool_entry);
	list_del_init(&ctx->pool_entry);
	raw_spin_unlock_irq(&set->lock);
	return found;
}

static void instance_end(struct pcl_set *set, struct perf_event_context *ctx)
{
	/* Nested: the last member may be the one whose context is at home, and it is held. */
	mutex_lock_nested(&ctx->mutex, SINGLE_DEPTH_NESTING);
	/* The last member's CPU may be in the middle of the switch away from it. */
	while (!take_from_pool(set, ctx))
		cond_resched();
	raw_spin_lock_irq(&ctx->lock);
	WRITE_ONCE(ctx->set, NULL);
	raw_spin_unlock_irq(&ctx->lock);
	pcl_copies_end(ctx);
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);
}

static void set_end(struct pcl_set *set)
{
	struct perf_event_context *ctx, *next;

	list_for_each_entry_safe(ctx, next, &set->instances, set_entry)
		instance_end(set, ctx);
	kfree_rcu(set, rcu_head);
}

/* What happens to the events of one task alone, or tells tasks apart at a switch, is not shared. */
static bool attr_may_be_shared(const struct perf_event_attr *attr)
{
	return attr->inherit && !attr->inherit_thread && !attr->inherit_stat && !attr->sigtrap && !attr->pinned &&
	       !attr->enable_on_exec && !attr->remove_on_exec && !attr->precise_ip &&
	       !(attr->sample_type & (PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_READ)) &&
	       attr->type != PERF_TYPE_BREAKPOINT;
}

#ifdef CONFIG_EVENT_TRACING
/*
 * Breakpoints of uprobes are put into programs of the event's task alone; an instance has none, and they would be in
 * all. A copy of a probe by name needs the name in its opener's memory, and the opener's rights: who takes a member out
 * of its set may have neither.
 */
static bool is_probe(struct perf_event *event)
{
	return event->tp_event &&
	       (event->attr.type != PERF_TYPE_TRACEPOINT || event->tp_event->flags & TRACE_EVENT_FL_UPROBE);
}
#else
static bool is_probe(struct perf_event *event)
{
	return false;
}
#endif

/* Copies are made of the original's attr, which may be other than that of a copy whose task has done an exec. */
static bool may_share(struct perf_event *event)
{
	struct perf_event *original = event->parent ? event->parent : event;

	return attr_may_be_shared(&event->attr) && attr_may_be_shared(&original->attr) &&
	       !(event->event_caps & PERF_EV_CAP_TASK) && !is_exclusive_pmu(event->pmu) && !has_aux(event) &&
	       !event->addr_filter_ranges && !is_probe(event) && !pcl_event_is_kernel(original) && !pcl_bpf_of(event) &&
	       !pcl_bpf_of(original) && READ_ONCE(event->state) >= PERF_EVENT_STATE_OFF;
}

static bool may_share_all(struct perf_event_context *ctx)
{
	struct perf_event *event;

	lockdep_assert_held(&ctx->mutex);
	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (!may_share(event))
			return false;
	}
	return ctx->nr_events;
}

/* The running task and its context, which is mostly loaded, become part of @set. */
static void home_joins(struct pcl_set *set, struct perf_event_context *home)
{
	struct pcl_cpu *cpu;

	local_irq_disable();
	cpu = pcl_cpu_lock(home);
	WRITE_ONCE(home->set, set);
	if (cpu->task_ctx != home)
		pcl_context_give(set, home);
	rcu_assign_pointer(current->perf_event_set, set);
	pcl_cpu_unlock(cpu, home);
	local_irq_enable();
}

/**
 * pcl_set_make - make a set of the running task's events, for it and for a child
 * @home: its context; mutex held
 *
 * Return: the set, with the child as a member; NULL: these events cannot be shared; an ERR_PTR: -ENOMEM or what a PMU
 * says.
 */
struct pcl_set *pcl_set_make(struct perf_event_context *home)
{
	struct pcl_set *set;
	int err;

	lockdep_assert_held(&home->mutex);
	if (!may_share_all(home))
		return NULL;
	set = kzalloc(sizeof(*set), GFP_KERNEL);
	if (!set)
		return ERR_PTR(-ENOMEM);
	refcount_set(&set->members, 2);
	raw_spin_lock_init(&set->lock);
	INIT_LIST_HEAD(&set->pool);
	INIT_LIST_HEAD(&set->instances);
	err = add_instance(set, home);
	if (!err)
		err = set_fill(set, home);
	if (err) {
		set_end(set);
		return ERR_PTR(err);
	}
	home_joins(set, home);
	return set;
}

/* ---- members come ---- */

/**
 * pcl_set_join - the set of the running task gets a member more: a task that it is making
 *
 * Return: the set; NULL: the running task is in none; -ENOMEM or what a PMU says.
 */
struct pcl_set *pcl_set_join(void)
{
	struct pcl_set *set;
	int err = 0;

	rcu_read_lock();
	set = rcu_dereference(current->perf_event_set);
	if (set && !refcount_inc_not_zero(&set->members))
		set = NULL;
	rcu_read_unlock();
	if (!set || !set_is_short(set))
		return set;

	mutex_lock(&set->mould->mutex);
	if (set->mould->nr_events)	/* else all were closed, and nothing counts any more */
		err = set_fill(set, set->mould);
	mutex_unlock(&set->mould->mutex);
	if (!err)
		return set;
	pcl_set_put(set);
	return ERR_PTR(err);
}

/* ---- members go ---- */

/* One member less: it has left the set. May sleep. */
void pcl_set_put(struct pcl_set *set)
{
	if (refcount_dec_and_test(&set->members))
		set_end(set);
}

/* The CPU where @task runs, if it does, lets go of the set, and takes up what is the task's own. */
static void follow_local(void *task)
{
	if (task == current)
		pcl_sched_follow(current);
}

/* task->perf_event_set and perf_event_ctxp were written: if it runs, it runs with what they say when this returns. */
static void member_follows(struct task_struct *task)
{
	/* It is no member any more, then we look whether it runs: set.leave B, pairs with sched.in A */
	smp_mb();
	if (task_curr(task))
		smp_call_function_single(task_cpu(task), follow_local, task, 1);
}

struct reclaim {
	struct perf_event_context *home;
	bool done;
};

/* Off this CPU, if it is here; a member that runs here goes on with another. */
static void reclaim_local(void *info)
{
	struct reclaim *call = info;
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);

	if (cpu->task_ctx != call->home)
		return;
	pcl_cpu_lock(call->home);
	pcl_sched_unload(cpu, call->home);
	pcl_cpu_unlock(cpu, call->home);
	call->done = true;
	pcl_sched_follow(current);
}

/**
 * pcl_set_reclaim - a context that may float is its task's alone again
 * @home: any context; mutex held, which keeps it from floating anew
 *
 * May sleep.
 */
void pcl_set_reclaim(struct perf_event_context *home)
{
	struct reclaim call = { .home = home };
	struct task_struct *task = home->task;
	struct pcl_set *set = home->set;

	lockdep_assert_held(&home->mutex);
	if (!set)
		return;
	while (!call.done) {
		int cpu = READ_ONCE(home->loaded_on);

		if (take_from_pool(set, home))
			break;
		/* On its way from or to the pool it is nowhere: for some instructions of another CPU. */
		if (cpu >= 0)
			smp_call_function_single(cpu, reclaim_local, &call, 1);
		cond_resched();
	}
	/* The task's first: who loads the context or asks where it is has its lock, and then sees both. */
	raw_spin_lock_irq(&home->lock);
	RCU_INIT_POINTER(task->perf_event_set, NULL);
	WRITE_ONCE(home->set, NULL);
	raw_spin_unlock_irq(&home->lock);
	member_follows(task);
	pcl_set_put(set);
}

static void copies_discard(struct perf_event_context *ctx)
{
	mutex_lock(&ctx->mutex);
	pcl_copies_end(ctx);
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);
}

/* @task goes on with @ctx alone, unless it left the set by itself meanwhile, or exits. */
static bool member_leaves(struct task_struct *task, struct pcl_set *set, struct perf_event_context *ctx)
{
	bool leaves;

	mutex_lock(&task->perf_event_mutex);
	leaves = !(task->flags & PF_EXITING) && rcu_access_pointer(task->perf_event_set) == set &&
		 !rcu_access_pointer(task->perf_event_ctxp);
	if (leaves) {
		raw_spin_lock_irq(&ctx->lock);
		WRITE_ONCE(ctx->task, get_task_struct(task));
		rcu_assign_pointer(task->perf_event_ctxp, ctx);
		/* set.own A, pairs with B: who sees no set sees the context */
		smp_store_release(&task->perf_event_set, NULL);
		raw_spin_unlock_irq(&ctx->lock);
		member_follows(task);
	}
	mutex_unlock(&task->perf_event_mutex);
	return leaves;
}

/* The set of @task with a membership for the caller, or NULL. */
static struct pcl_set *set_of(struct task_struct *task)
{
	struct pcl_set *set;

	rcu_read_lock();
	set = rcu_dereference(task->perf_event_set);
	if (set && !refcount_inc_not_zero(&set->members))
		set = NULL;
	rcu_read_unlock();
	return set;
}

/**
 * pcl_set_leave - give a member that has no context one of its own
 * @task: any task
 *
 * May sleep. The one that made the set has its context already: pcl_set_reclaim() is for that.
 *
 * Return: 0, -ENOMEM or what a PMU says.
 */
int pcl_set_leave(struct task_struct *task)
{
	struct pcl_set *set;
	struct perf_event_context *ctx;

	if (rcu_access_pointer(task->perf_event_ctxp))
		return 0;
	set = set_of(task);
	if (!set)
		return 0;
	mutex_lock(&set->mould->mutex);
	ctx = copies_of(set->mould, task);
	mutex_unlock(&set->mould->mutex);
	if (!IS_ERR(ctx)) {
		if (member_leaves(task, set, ctx))
			pcl_set_put(set);	/* the task's */
		else
			copies_discard(ctx);
	}
	pcl_set_put(set);
	return PTR_ERR_OR_ZERO(ctx);
}

/* What the running task's CPU has loaded of its set goes back to the pool. */
static struct pcl_set *current_leaves(void)
{
	struct pcl_set *set;

	mutex_lock(&current->perf_event_mutex);
	set = rcu_dereference_protected(current->perf_event_set, true);
	RCU_INIT_POINTER(current->perf_event_set, NULL);
	mutex_unlock(&current->perf_event_mutex);
	if (set)
		member_follows(current);
	return set;
}

/**
 * pcl_set_exit - the running task exits, or lets go of its events
 *
 * The one that made the set takes its context along. May sleep.
 */
void pcl_set_exit(void)
{
	struct perf_event_context *ctx = pcl_context_own(current);
	struct pcl_set *set;

	if (ctx) {
		mutex_lock(&ctx->mutex);
		pcl_set_reclaim(ctx);
		mutex_unlock(&ctx->mutex);
		return;
	}
	set = current_leaves();
	if (!set)
		return;
	/* After its last sample. */
	pcl_record_task(current, set->mould, false);
	pcl_set_put(set);
}
