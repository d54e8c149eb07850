// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a task's events at exec and exit, and when a fork fails.
 *
 * Concepts: a task that exits lets go of two things: the events that it opened (they lose their owner, and live on with
 * their files), and the events that count it (its context). Originals of the latter become EXIT: they can be read as
 * long as their file is open, and never count again. Children give what they counted to their parents and are freed.
 *
 * Contexts: process context, in the task itself (exec, exit) or in its parent (failed fork).
 *
 * Locks: task->perf_event_mutex; ctx->mutex over the whole end of a context, so that nobody meets it half done but who
 * only reads an event of it; for each child its parent's child_mutex.
 */
#include <linux/sched/task.h>
#include <linux/wait_bit.h>

#include "internal.h"

/* The events that this task opened have no owner now. */
static void exit_disown(struct task_struct *task)
{
	struct perf_event *event, *next;

	mutex_lock(&task->perf_event_mutex);
	list_for_each_entry_safe(event, next, &task->perf_event_list, owner_entry) {
		list_del_init(&event->owner_entry);
		/* owner.gone A, pairs with owner.gone B in close.c: who sees no owner sees it off the list */
		smp_store_release(&event->owner, NULL);
	}
	mutex_unlock(&task->perf_event_mutex);
}

/* attr.inherit_stat: what @task, which is current, counted is told apart from the sum. */
static void exit_tell(struct perf_event *event, struct task_struct *task)
{
	if (event->attr.inherit_stat && event->parent)
		pcl_record_read(event, task);
}

/* One event ends with its task, or (@how is PCL_UNBIND_EXEC) with the task's program. ctx->mutex held. */
static void exit_event(struct perf_event *event, enum pcl_unbind how)
{
	struct perf_event *parent = event->parent;

	lockdep_assert_held(&event->ctx->mutex);
	if (!parent) {
		pcl_unbind(event, how);
		pcl_buffer_wake(event);
		return;
	}
	mutex_lock(&parent->child_mutex);
	pcl_unbind(event, how);
	if (how == PCL_UNBIND_EXEC)
		exit_tell(event, current);
	pcl_child_detach(event);
	mutex_unlock(&parent->child_mutex);
	pcl_buffer_wake(parent);
	pcl_event_put(event);
}

/*
 * Off the hardware, and no longer the task's, in one step: nothing can load it again, and pcl_remote() treats it as
 * inactive from here on. ctx->mutex held. Drops the task's reference on it, and its on the task.
 */
static void exit_sever(struct perf_event_context *ctx, struct task_struct *task)
{
	struct pcl_cpu *cpu;

	local_irq_disable();
	cpu = pcl_cpu_lock(ctx);
	if (cpu->task_ctx == ctx)
		pcl_sched_unload(cpu, ctx);
	pcl_sched_evict(ctx);
	RCU_INIT_POINTER(task->perf_event_ctxp, NULL);
	WRITE_ONCE(ctx->task, PCL_TASK_GONE);
	pcl_cpu_unlock(cpu, ctx);
	local_irq_enable();

	put_task_struct(task);	/* its caller holds another */
}

static void exit_context(struct perf_event_context *ctx, struct task_struct *task)
{
	struct perf_event *event, *next;

	mutex_lock(&ctx->mutex);
	exit_sever(ctx, task);
	/* After the last sample of the task, before the READ records of its events. */
	pcl_record_task(task, ctx, false);
	list_for_each_entry(event, &ctx->event_list, event_entry)
		exit_tell(event, task);
	list_for_each_entry_safe(event, next, &ctx->event_list, event_entry)
		exit_event(event, PCL_UNBIND_EXIT);
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);
}

/* From exit, and from exec when the new program runs with other credentials. @task is current. */
void perf_event_exit_task(struct task_struct *task)
{
	struct perf_event_context *ctx;

	if (task->flags & PF_EXITING)
		perf_event_tell_chain();
	exit_disown(task);
	pcl_set_exit();
	/* Taking the mutex after PF_EXITING was set, exit_disown() saw to it that no context comes any more. */
	ctx = pcl_context_own(task);
	if (ctx)
		exit_context(ctx, task);
	pcl_record_task(task, NULL, false);	/* to the events of CPUs */
}

/*
 * From a failed fork. The task never ran, but its events could be seen through their parents, and somebody may be
 * closing one just now: wait until they have let go, since the task is freed without regard to its references.
 */
void perf_event_free_task(struct task_struct *task)
{
	struct pcl_set *set = rcu_dereference_protected(task->perf_event_set, true);
	struct perf_event_context *ctx = pcl_context_own(task);

	RCU_INIT_POINTER(task->perf_event_set, NULL);
	if (set)
		pcl_set_put(set);
	if (!ctx)
		return;
	mutex_lock(&ctx->mutex);
	exit_sever(ctx, task);
	pcl_copies_end(ctx);
	mutex_unlock(&ctx->mutex);

	/* context.wait B, pairs with context.put A */
	wait_var_event(&ctx->refcount, refcount_read(&ctx->refcount) == 1);
	pcl_context_put(ctx);
}

void perf_event_delayed_put(struct task_struct *task)
{
	WARN_ON_ONCE(pcl_context_own(task) || rcu_access_pointer(task->perf_event_set));
}

/* ---- exec ---- */

/* attr.remove_on_exec: the event ends here; the others go on without it. ctx->mutex held. */
static void exec_remove(struct perf_event_context *ctx)
{
	struct perf_event *event, *next;

	lockdep_assert_held(&ctx->mutex);
	list_for_each_entry_safe(event, next, &ctx->event_list, event_entry) {
		if (event->attr.remove_on_exec)
			exit_event(event, PCL_UNBIND_EXEC);
	}
}

/* The task has begun to be another program. */
void perf_event_exec(void)
{
	struct perf_event_context *ctx = pcl_context_own(current);

	WRITE_ONCE(current->perf_chain_cookie, 0);	/* of the old program's stack */
	/* A set has no events to which an exec would matter. */
	if (!ctx || READ_ONCE(ctx->set))
		return;
	mutex_lock(&ctx->mutex);
	pcl_enable_on_exec(ctx);
	exec_remove(ctx);
	pcl_addr_filters_exec(ctx);
	mutex_unlock(&ctx->mutex);
}
