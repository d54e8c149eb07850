// SPDX-License-Identifier: GPL-2.0
/*
 * Closing: an event's owner has done with it.
 *
 * Concepts: closing makes an event DEAD: it is unbound, its group goes on without it, its children are taken from their
 * tasks and freed. The object itself stays as long as something refers to it (a signal under way), and does nothing.
 *
 * Children are ended one by one: a child's context lock stands above its parent's child_mutex, so that mutex is dropped
 * to take both in order, and the list is looked at again. No child can be added meanwhile: copy.c looks at the
 * parent's state under the same mutex.
 *
 * Contexts: process context, may sleep.
 *
 * Locks: owner->perf_event_mutex; then ctx->mutex; then, for each child, its ctx->mutex and the parent's child_mutex.
 */
#include <linux/sched/task.h>

#include "internal.h"

/* Leave the list of whoever opened it. The owner may be exiting, and does the same (exit.c). */
static void close_leave_owner(struct perf_event *event)
{
	struct task_struct *owner;

	rcu_read_lock();
	owner = READ_ONCE(event->owner);	/* owner.gone B, pairs with owner.gone A in exit.c */
	if (owner)
		get_task_struct(owner);
	rcu_read_unlock();
	if (!owner)
		return;

	/* Nested: closing may be part of exec or exit, which hold another task's. */
	mutex_lock_nested(&owner->perf_event_mutex, SINGLE_DEPTH_NESTING);
	if (event->owner) {
		list_del_init(&event->owner_entry);
		WRITE_ONCE(event->owner, NULL);
	}
	mutex_unlock(&owner->perf_event_mutex);
	put_task_struct(owner);
}

/*
 * Take the first child off its task. Returns it, with its context's mutex and the child_mutex released; NULL when
 * there is none left; -EAGAIN when it ended by itself meanwhile.
 */
static struct perf_event *close_take_child(struct perf_event *parent)
{
	struct perf_event_context *ctx;
	struct perf_event *child, *first;

	mutex_lock(&parent->child_mutex);
	child = list_first_entry_or_null(&parent->child_list, struct perf_event, child_list);
	if (!child) {
		mutex_unlock(&parent->child_mutex);
		return NULL;
	}
	ctx = child->ctx;	/* a child's context never changes, and lives while the child does */
	pcl_context_get(ctx);
	mutex_unlock(&parent->child_mutex);

	mutex_lock(&ctx->mutex);
	mutex_lock(&parent->child_mutex);
	first = list_first_entry_or_null(&parent->child_list, struct perf_event, child_list);
	if (first == child) {
		pcl_unbind(child, PCL_UNBIND_DEAD);
		pcl_child_detach(child);
	}
	mutex_unlock(&parent->child_mutex);
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);
	return first == child ? child : ERR_PTR(-EAGAIN);
}

/**
 * perf_event_release_kernel - close an event
 * @event: the event; the caller's reference goes with it
 *
 * The last file on it was closed, or the kernel user who opened it gives it back. May sleep. Return: 0.
 */
int perf_event_release_kernel(struct perf_event *event)
{
	struct perf_event_context *ctx;
	struct perf_event *child;

	if (!event->ctx) {	/* opening failed after it had a file */
		pcl_event_put(event);
		return 0;
	}

	if (!pcl_event_is_kernel(event))
		close_leave_owner(event);

	ctx = pcl_context_lock(event);
	pcl_unbind(event, PCL_UNBIND_DEAD);
	pcl_context_unlock(ctx);

	while ((child = close_take_child(event))) {
		if (!IS_ERR(child))
			pcl_event_put(child);
	}
	pcl_event_put(event);
	return 0;
}
EXPORT_SYMBOL_GPL(perf_event_release_kernel);
