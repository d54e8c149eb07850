// SPDX-License-Identifier: GPL-2.0
/*
 * Inheritance: a new task gets events like its parent's.
 *
 * Concepts: the child of a task in a set is in it, too. A task whose events can all be shared makes a set (set.c).
 * Else each group of the forking task with attr.inherit is copied into a context for the new task (copy.c).
 *
 * Contexts: process context, in the forking task; the new task is not visible to anybody yet, but its events are,
 * through child_list.
 *
 * Locks: the parent context's mutex, then the new context's, then the original's child_mutex.
 */
#include <linux/sched.h>

#include "internal.h"

static bool inherit_wanted(struct perf_event *event, u64 clone_flags)
{
	struct perf_event_attr *attr = &event->attr;

	if (!attr->inherit || event->group_leader != event)
		return false;
	if (attr->inherit_thread && !(clone_flags & CLONE_THREAD))
		return false;
	/* The handler of the signal would be gone. */
	return !(attr->sigtrap && clone_flags & CLONE_CLEAR_SIGHAND);
}

/* What cannot be shared is copied. from->mutex held. */
static int inherit_copies(struct perf_event_context *from, struct task_struct *task, u64 clone_flags)
{
	struct perf_event_context *ctx = NULL;
	struct perf_event *event;
	int err = 0;

	lockdep_assert_held(&from->mutex);
	list_for_each_entry(event, &from->event_list, event_entry) {
		if (!inherit_wanted(event, clone_flags))
			continue;
		if (!ctx)
			ctx = pcl_context_of_new_task(task);
		if (!ctx) {
			err = -ENOMEM;
			break;
		}
		mutex_lock_nested(&ctx->mutex, SINGLE_DEPTH_NESTING);
		err = pcl_copy_group(event, task, ctx);
		mutex_unlock(&ctx->mutex);
		if (err)
			break;
	}
	return err;
}

/* The task becomes a member of the running task's set, or of one that is made now; else it gets copies. */
static int inherit_context(struct perf_event_context *from, struct task_struct *task, u64 clone_flags)
{
	struct pcl_set *set;
	int err = 0;

	mutex_lock(&from->mutex);
	set = pcl_set_make(from);
	if (!set)
		err = inherit_copies(from, task, clone_flags);
	mutex_unlock(&from->mutex);
	if (IS_ERR(set))
		return PTR_ERR(set);
	rcu_assign_pointer(task->perf_event_set, set);
	return err;
}

/**
 * perf_event_init_task - from fork: the new task's events
 * @task: a copy of current
 * @clone_flags: of the fork
 *
 * The task is not visible yet. Return: 0, or an errno that ends the fork.
 */
int perf_event_init_task(struct task_struct *task, u64 clone_flags)
{
	struct pcl_set *set = pcl_set_join();
	struct perf_event_context *ctx;
	int err = 0;

	task->perf_chain_cookie = 0;
	RCU_INIT_POINTER(task->perf_event_ctxp, NULL);
	RCU_INIT_POINTER(task->perf_event_set, IS_ERR(set) ? NULL : set);
	mutex_init(&task->perf_event_mutex);
	INIT_LIST_HEAD(&task->perf_event_list);

	if (IS_ERR(set))
		return PTR_ERR(set);
	smp_rmb();	/* set.own B, pairs with A in set.c: it may have left its set just now */
	ctx = pcl_context_own(current);
	if (ctx && !set)
		err = inherit_context(ctx, task, clone_flags);
	if (err)
		perf_event_free_task(task);
	return err;
}
