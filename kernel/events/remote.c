// SPDX-License-Identifier: GPL-2.0
/*
 * Run something where a context is.
 *
 * Concepts: who changes a context's events needs its lock, and, while it is on a CPU, that CPU: only there can the
 * hardware be touched. The function given to pcl_remote() runs with IRQs off and ctx->lock held, once: on the
 * context's CPU with the CPU context's lock held as well, if the context is on one; else here.
 *
 * A task may start and stop running at any moment, so for its context the answer can be wrong by the time it is used:
 *
 *	task running   an IPI to its CPU. There: still current? Then run it; else try again.
 *	not running    take ctx->lock. Still not running? Then run it: the task's next switch-in takes the lock after
 *	               us, and sees what we did. Else try again.
 *	exited         take ctx->lock, run it: the context will never be on a CPU again. So it is while a context is
 *	               being filled that no task has yet.
 *
 * A context that floats (set.c) is on a CPU or not, whatever its task does: an IPI to the CPU that has it. Loading it
 * takes its lock, so who holds that and sees it on no CPU is ahead of the next.
 *
 * Contexts: process context, IRQs on (except for the caller's own CPU), since an IPI is awaited.
 *
 * Locks: as above. The caller holds ctx->mutex, or has a reference and knows that the context outlives the call.
 */
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include "internal.h"

struct remote_call {
	struct perf_event_context *ctx;
	pcl_remote_fn fn;
	void *arg;
	bool looks;	/* @fn leaves states and slots as they are */
	bool done;
};

/* Does a task's context belong to what runs on this CPU? IRQs off; without ctx->lock ask again. */
static bool is_here(struct perf_event_context *ctx, struct pcl_cpu *cpu)
{
	lockdep_assert_irqs_disabled();
	return READ_ONCE(ctx->set) ? cpu->task_ctx == ctx : READ_ONCE(ctx->task) == current;
}

static void remote_unload(struct pcl_cpu *cpu, struct perf_event_context *ctx)
{
	pcl_sched_unload(cpu, ctx);
	if (ctx->set)
		pcl_context_give(ctx->set, ctx);
}

/* Is a task's context surely on no CPU, as long as ctx->lock is held? */
bool pcl_remote_is_nowhere(struct perf_event_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	if (ctx->is_active)
		return false;
	return READ_ONCE(ctx->set) || ctx->task == PCL_TASK_GONE || !task_curr(ctx->task);
}

/* On the CPU where the context was seen, IRQs off. */
static void remote_run(void *info)
{
	struct remote_call *call = info;
	struct perf_event_context *ctx = call->ctx;
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);

	if (ctx == &cpu->ctx) {
		pcl_cpu_lock(cpu->task_ctx);
		call->fn(ctx, call->arg);
		call->done = true;
		pcl_cpu_unlock(cpu, cpu->task_ctx);
		return;
	}

	if (!is_here(ctx, cpu))
		return;
	/*
	 * It may be just leaving its set: one context of tasks at a time, and another try while that is under way. With
	 * none here, what is below loads it.
	 */
	if (cpu->task_ctx && cpu->task_ctx != ctx && !READ_ONCE(ctx->set))
		pcl_sched_follow(current);
	pcl_cpu_lock(ctx);
	if (is_here(ctx, cpu) && (!cpu->task_ctx || cpu->task_ctx == ctx)) {
		/* The task was switched in before it had this context. */
		if (cpu->task_ctx != ctx)
			pcl_sched_load(cpu, ctx);
		call->fn(ctx, call->arg);
		call->done = true;
		if (!ctx->nr_events)
			remote_unload(cpu, ctx);
	}
	pcl_cpu_unlock(cpu, ctx);
}

/* What is on this CPU needs no IPI. */
static bool remote_try_here(struct remote_call *call)
{
	unsigned long flags;

	local_irq_save(flags);
	remote_run(call);
	local_irq_restore(flags);
	return call->done;
}

/* Not on any CPU? Then run it here. */
static void remote_try_inactive(struct remote_call *call, bool offline)
{
	struct perf_event_context *ctx = call->ctx;

	raw_spin_lock_irq(&ctx->lock);
	if (offline || pcl_remote_is_nowhere(ctx)) {
		pcl_context_set_now(ctx, local_clock());
		if (!call->looks && !offline)
			pcl_sched_evict(ctx);
		call->fn(ctx, call->arg);
		call->done = true;
	}
	raw_spin_unlock_irq(&ctx->lock);
}

/* The CPU on which a task's context is, or was a moment ago; -1: on none. */
static int where_it_was_seen(struct perf_event_context *ctx)
{
	struct task_struct *task = READ_ONCE(ctx->task);

	if (READ_ONCE(ctx->set))
		return READ_ONCE(ctx->loaded_on);
	return task != PCL_TASK_GONE && task_curr(task) ? task_cpu(task) : -1;
}

static void remote(struct remote_call *call)
{
	struct perf_event_context *ctx = call->ctx;

	if (remote_try_here(call))
		return;
	/* The task has the context, then we look whether it runs: remote.look B, pairs with sched.in A */
	smp_mb();
	while (!call->done) {
		int cpu = ctx->cpu >= 0 ? ctx->cpu : where_it_was_seen(ctx);
		bool failed = cpu >= 0 && smp_call_function_single(cpu, remote_run, call, 1);

		if (call->done)
			break;
		/* An error means that the CPU is offline: nothing of its context is on hardware. */
		remote_try_inactive(call, failed && ctx->cpu >= 0);
		cond_resched();
	}
}

/**
 * pcl_remote - run @fn where @ctx is
 * @ctx: a task's or a CPU's context
 * @fn: called once, IRQs off, with ctx->lock held; nothing is ACTIVE if the context is on no CPU
 * @arg: for @fn
 */
void pcl_remote(struct perf_event_context *ctx, pcl_remote_fn fn, void *arg)
{
	struct remote_call call = { .ctx = ctx, .fn = fn, .arg = arg };

	remote(&call);
}

/* The same for who only looks, and may find events ACTIVE whose context is on no CPU: they stand still. */
void pcl_remote_look(struct perf_event_context *ctx, pcl_remote_fn fn, void *arg)
{
	struct remote_call call = { .ctx = ctx, .fn = fn, .arg = arg, .looks = true };

	remote(&call);
}
