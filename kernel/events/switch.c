// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler's hooks: from task to task, and from cgroup to cgroup.
 *
 * Concepts: before a switch the context of the task that goes is unloaded, then the cgroups change, if events of some
 * are here (cgroup_switch.c); after it the context of the task that comes is loaded. So a CPU's groups of the cgroup
 * that comes, which stand above a task's, find their counters without displacing it. A member of a set that follows
 * another goes on with what is loaded (set.c).
 *
 * A task's context is loaded only while it has events: each of them keeps the scheduler's hooks alive (life.c), and
 * without the hooks nothing would unload it.
 *
 * Contexts: the scheduler's hooks, the timer tick, and IPIs; the CPU concerned, IRQs off.
 *
 * Locks: takes the CPU context's lock and the running task's, unless there is nothing to do.
 */
#include "internal.h"

static void load_of_set(struct pcl_cpu *cpu, struct pcl_set *set, struct perf_event_context *own)
{
	struct perf_event_context *ctx = pcl_context_take(set, own);

	if (ctx && !pcl_sched_arrive(cpu, ctx))
		pcl_context_give(set, ctx);
}

void pcl_sched_follow(struct task_struct *task)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct pcl_set *set = rcu_access_pointer(task->perf_event_set);
	struct perf_event_context *own = rcu_access_pointer(task->perf_event_ctxp), *ctx = cpu->task_ctx;

	lockdep_assert_irqs_disabled();
	if (ctx && (set ? READ_ONCE(ctx->set) == set : ctx == own))
		return;
	if (ctx)
		pcl_sched_depart(cpu, ctx);
	if (set)
		load_of_set(cpu, set, own);
	else if (own)
		pcl_sched_arrive(cpu, own);
}

/* Is @ctx an instance of the set that @next is of? */
static bool goes_on_with(struct task_struct *next, struct perf_event_context *ctx)
{
	struct pcl_set *set = READ_ONCE(ctx->set);

	return set && set == rcu_access_pointer(next->perf_event_set);
}

/* Before the switch from @task to @next, IRQs off. A member of the same set goes on with what is loaded. */
void __perf_event_task_sched_out(struct task_struct *task, struct task_struct *next)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct perf_event_context *ctx = cpu->task_ctx;

	lockdep_assert_irqs_disabled();
	pcl_record_switch(task, next, false);
	if (ctx && !goes_on_with(next, ctx))
		pcl_sched_depart(cpu, ctx);
	if (pcl_cgroup_is_watched(cpu))
		pcl_cgroup_follow(cpu, next);
}

/*
 * After the switch from @prev to @task, IRQs off. Whoever gives a task its first event, or takes it out of its set,
 * either is seen here or sees that the task runs, and sends an IPI.
 */
void __perf_event_task_sched_in(struct task_struct *prev, struct task_struct *task)
{
	lockdep_assert_irqs_disabled();
	/*
	 * The runqueue says that @task runs, then we look: sched.in A, pairs with remote.look B for its first event;
	 * and sched.in A, pairs with set.leave B for its set.
	 */
	smp_mb();
	pcl_sched_follow(task);
	pcl_record_switch(task, prev, true);
}

/* The timer tick, IRQs off. Without an event that wants it no lock is taken. */
void perf_event_task_tick(void)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct perf_event_context *ctx = cpu->task_ctx;
	bool throttled = pcl_overflow_tick_begin();

	if (!pcl_overflow_tick_wanted(cpu, throttled))
		return;
	pcl_cpu_lock(ctx);
	pcl_overflow_tick(cpu, throttled);
	pcl_cpu_unlock(cpu, ctx);
}
