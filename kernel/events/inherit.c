// SPDX-License-Identifier: GPL-2.0
/*
 * Inheritance: a new task gets events like its parent's.
 *
 * Concepts: at fork each group of the forking task with attr.inherit is copied into a context for the new task. All
 * copies of an event, however deep the family, are children of the one that was opened: they stand in its child_list,
 * hold a reference on it, and give it what they counted when they end. An event that is being closed is DEAD before its
 * child_list is emptied, and is not copied any more.
 *
 * Contexts: process context, in the forking task; the new task is not visible to anybody yet, but its events are,
 * through child_list.
 *
 * Locks: the parent context's mutex, then the new context's (whoever closes an original takes that, too), then the
 * original's child_mutex.
 */
#include <linux/sched.h>

#include "internal.h"

static void inherit_frequency(struct perf_event *child, struct perf_event *parent)
{
	u64 period = parent->hw.sample_period;

	if (!parent->attr.freq)
		return;
	child->hw.sample_period = period;
	child->hw.last_period = period;
	local64_set(&child->hw.period_left, period);
}

/*
 * A copy of @from for @task. @leader: the copy of its leader, or NULL. Returns NULL when the original is being closed.
 */
static struct perf_event *inherit_event(struct perf_event *from, struct task_struct *task, struct perf_event *leader,
					struct perf_event_context *ctx)
{
	struct perf_event *original = from->parent ? from->parent : from;
	struct perf_event *child;
	int err;

	child = pcl_event_alloc(&original->attr, original->cpu, task, leader, original, NULL, NULL, NULL);
	if (IS_ERR(child))
		return child;
	err = pcl_bind_prepare(child, ctx);
	if (err) {
		pcl_event_put(child);
		return ERR_PTR(err);
	}

	mutex_lock(&original->child_mutex);
	if (original->state == PERF_EVENT_STATE_DEAD || !pcl_event_get(original)) {
		mutex_unlock(&original->child_mutex);
		pcl_event_put(child);
		return NULL;
	}
	/*
	 * As the parent is now, not as its attr said at first. Whoever enables or disables a family holds child_mutex:
	 * he has done so to the parent by now, or will find the child in the list. Nobody else sees the child yet.
	 */
	child->state = from->state >= PERF_EVENT_STATE_INACTIVE ? PERF_EVENT_STATE_INACTIVE : PERF_EVENT_STATE_OFF;
	inherit_frequency(child, original);
	child->attach_state |= PERF_ATTACH_CHILD | PERF_ATTACH_CHILD_REF;
	pcl_bind(child, ctx);
	list_add_tail(&child->child_list, &original->child_list);
	mutex_unlock(&original->child_mutex);
	return child;
}

/* If the leader is being closed, its siblings are copied as groups of one. */
static int inherit_group(struct perf_event *from, struct task_struct *task, struct perf_event_context *ctx)
{
	struct perf_event *leader, *sibling, *child;

	leader = inherit_event(from, task, NULL, ctx);
	if (IS_ERR(leader))
		return PTR_ERR(leader);
	for_each_sibling_event(sibling, from) {
		child = inherit_event(sibling, task, leader, ctx);
		if (IS_ERR(child))
			return PTR_ERR(child);
	}
	if (leader)
		leader->group_generation = from->group_generation;
	return 0;
}

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

static int inherit_context(struct perf_event_context *from, struct task_struct *task, u64 clone_flags)
{
	struct perf_event_context *ctx = NULL;
	struct perf_event *event;
	int err = 0;

	mutex_lock(&from->mutex);
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
		err = inherit_group(event, task, ctx);
		mutex_unlock(&ctx->mutex);
		if (err)
			break;
	}
	mutex_unlock(&from->mutex);
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
	struct perf_event_context *ctx = pcl_context_own(current);
	int err = 0;

	RCU_INIT_POINTER(task->perf_event_ctxp, NULL);
	mutex_init(&task->perf_event_mutex);
	INIT_LIST_HEAD(&task->perf_event_list);

	if (ctx)
		err = inherit_context(ctx, task, clone_flags);
	if (err)
		perf_event_free_task(task);
	return err;
}
