// SPDX-License-Identifier: GPL-2.0
/*
 * Copies: events like those of one context, in another.
 *
 * Concepts: all copies of an event, however deep the family, are children of the one that was opened: they stand in its
 * child_list, hold a reference on it, and give it what they counted when they end. An event that is being closed is
 * DEAD before its child_list is emptied, and is not copied any more.
 *
 * Contexts: process context, may sleep.
 *
 * Locks: the mutex of the context that is copied, then the new one's (whoever closes an original takes that, too), then
 * the original's child_mutex.
 */
#include "internal.h"

static void copy_frequency(struct perf_event *child, struct perf_event *parent)
{
	u64 period = READ_ONCE(parent->hw.sample_period);

	if (!parent->attr.freq)
		return;
	child->hw.sample_period = period;
	child->hw.last_period = period;
	local64_set(&child->hw.period_left, period);
}

/*
 * A copy of @from. @task: its target, or NULL for an instance of a set. @leader: the copy of its leader, or NULL.
 * Returns NULL when the original is being closed.
 */
static struct perf_event *copy_event(struct perf_event *from, struct task_struct *task, struct perf_event *leader,
				     struct perf_event_context *ctx)
{
	struct perf_event *original = from->parent ? from->parent : from;
	struct pcl_target target = { .task = task, .cpu = original->cpu };
	struct perf_event_attr attr = original->attr;
	bool alike = !task || from->ctx->set;
	struct perf_event *like = alike ? from : original;	/* what is not in attr */
	struct perf_event *child;
	int err;

	/* All of a set have one period, or frequency, and so has who leaves it, whatever the original's is by now. */
	if (alike)
		attr.sample_period = from->attr.sample_period;
	child = pcl_event_alloc(&attr, &target, leader, original, NULL, NULL, NULL);
	if (IS_ERR(child))
		return child;
	err = pcl_bind_prepare(child, ctx);
	if (err) {
		pcl_event_put(child);
		return ERR_PTR(err);
	}

	mutex_lock(&original->child_mutex);
	if (READ_ONCE(original->state) == PERF_EVENT_STATE_DEAD || !pcl_event_get(original)) {
		mutex_unlock(&original->child_mutex);
		pcl_event_put(child);
		return NULL;
	}
	/*
	 * As the one copied is now, not as its attr said at first. Whoever enables or disables a family holds
	 * child_mutex: he has done so to @from by now, or will find the child in the list. Nobody else sees the
	 * child yet.
	 */
	child->state = READ_ONCE(from->state) >= PERF_EVENT_STATE_INACTIVE ? PERF_EVENT_STATE_INACTIVE :
									     PERF_EVENT_STATE_OFF;
	copy_frequency(child, like);
	child->attach_state |= PERF_ATTACH_CHILD | PERF_ATTACH_CHILD_REF;
	if (from->group_leader == from)
		child->attach_state |= PERF_ATTACH_PARTIAL;
	pcl_bpf_copy(child, like);
	pcl_addr_ranges_copy(child, from);
	pcl_bind(child, ctx);
	list_add_tail(&child->child_list, &original->child_list);
	mutex_unlock(&original->child_mutex);
	return child;
}

/**
 * pcl_copy_group - copy a group into another context
 * @from: its leader
 * @task: the target of the copies, or NULL for an instance of a set
 * @ctx: the context that gets them
 *
 * Both contexts' mutexes held. If the leader is being closed, its siblings are copied as groups of one.
 *
 * Until all are copied, who reads the group passes the new one over: its context never was on a CPU.
 *
 * Return: 0, or an errno; what was copied by then stays.
 */
int pcl_copy_group(struct perf_event *from, struct task_struct *task, struct perf_event_context *ctx)
{
	struct perf_event *leader, *sibling, *child;
	unsigned int missing = 0;

	lockdep_assert_held(&from->ctx->mutex);
	lockdep_assert_held(&ctx->mutex);
	leader = copy_event(from, task, NULL, ctx);
	if (IS_ERR(leader))
		return PTR_ERR(leader);
	for_each_sibling_event(sibling, from) {
		child = copy_event(sibling, task, leader, ctx);
		if (IS_ERR(child))
			return PTR_ERR(child);
		missing += !child;
	}
	if (!leader)
		return 0;
	raw_spin_lock_irq(&ctx->lock);
	/* A sibling that is being closed changes the generation of each copy that has it. */
	leader->group_generation = from->group_generation + missing;
	leader->attach_state &= ~PERF_ATTACH_PARTIAL;
	raw_spin_unlock_irq(&ctx->lock);
	return 0;
}

/* All that is in a context ends, and all of it are copies. ctx->mutex held; no task has the context any more. */
void pcl_copies_end(struct perf_event_context *ctx)
{
	struct perf_event *event, *next;

	lockdep_assert_held(&ctx->mutex);
	list_for_each_entry_safe(event, next, &ctx->event_list, event_entry) {
		struct perf_event *original = event->parent;

		mutex_lock(&original->child_mutex);
		pcl_unbind(event, PCL_UNBIND_EXIT);
		pcl_child_detach(event);
		mutex_unlock(&original->child_mutex);
		pcl_buffer_wake(original);
		pcl_event_put(event);
	}
}
