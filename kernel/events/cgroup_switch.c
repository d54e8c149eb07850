// SPDX-License-Identifier: GPL-2.0
/*
 * Which cgroups run on a CPU, and their groups with them.
 *
 * Concepts: a cgroup runs on a CPU while a task of it, or of one below, does; so those that run are the running task's
 * and all above it. Each has there, as a target, a clock that runs with it, and a list of its groups; those of cgroups
 * that do not run wait apart (queue.c). The clock is in time of the CPU's context, which stands still when the CPU is
 * gone.
 *
 * When a task of another cgroup comes, those that differ are the ones below the nearest that both are in: these go and
 * come, with their clocks and groups; what is not in the slots of such groups is left alone. A switch within a cgroup
 * costs a comparison. While no event of a cgroup is bound on a CPU, nothing there says that any runs, and a switch
 * looks at one pointer.
 *
 * A task may be put into another cgroup while it runs (cgroup.c): its CPU is told, and follows.
 *
 * pcl_cpu::cgrp needs no reference: the cgroup is that of the task that runs, or, between the moment it is moved and
 * its CPU being told, one of those that whoever moves it keeps.
 *
 * Contexts: the CPU concerned, IRQs off: a switch, an IPI. A CPU that is offline is nobody's: anybody who has its lock.
 *
 * Locks: the lock of the CPU's context; a switch takes it, and the running task's, if cgroups differ.
 */
#include "internal.h"

static struct perf_cgroup_info *info_of(struct perf_cgroup *cgrp, struct perf_event_context *ctx)
{
	return per_cpu_ptr(cgrp->info, ctx->cpu);
}

/* ---- events come and go ---- */

/* @cgrp and all above it. */
static void mark_all(struct perf_cgroup *cgrp, struct perf_event_context *ctx, bool runs)
{
	for (; cgrp; cgrp = pcl_cgroup_parent(cgrp))
		WRITE_ONCE(info_of(cgrp, ctx)->runs, runs);
}

/* The first event of any cgroup on this CPU. */
static void watch_begin(struct pcl_cpu *cpu)
{
	/* There are such events, then we look where the task is: cgroup.watch A, pairs with cgroup.move B */
	smp_mb();
	cpu->cgrp = perf_cgroup_from_task(current, &cpu->ctx);
	mark_all(cpu->cgrp, &cpu->ctx, true);
}

static void watch_end(struct pcl_cpu *cpu)
{
	mark_all(cpu->cgrp, &cpu->ctx, false);
	cpu->cgrp = NULL;
}

/* @event, of a cgroup, is about to be bound: its target's clock is right from here on. event->ctx->lock held. */
void __pcl_cgroup_bind(struct perf_event *event)
{
	struct perf_event_context *ctx = event->ctx;
	struct perf_cgroup_info *info;
	struct pcl_cpu *cpu;

	lockdep_assert_held(&ctx->lock);
	cpu = container_of(ctx, struct pcl_cpu, ctx);
	WRITE_ONCE(cpu->nr_of_cgroups, cpu->nr_of_cgroups + 1);
	if (cpu->nr_of_cgroups == 1 && ctx->is_active)
		watch_begin(cpu);
	info = pcl_cgroup_info(event);
	if (!info->nr_events++ && info->runs)
		pcl_clock_start(&info->clock, ctx->now);
}

/* It was unbound: it is off, in no list, its times are final. event->ctx->lock held. */
void __pcl_cgroup_unbind(struct perf_event *event)
{
	struct perf_event_context *ctx = event->ctx;
	struct perf_cgroup_info *info;
	struct pcl_cpu *cpu;

	lockdep_assert_held(&ctx->lock);
	cpu = container_of(ctx, struct pcl_cpu, ctx);
	info = pcl_cgroup_info(event);
	if (!--info->nr_events)
		pcl_clock_stop(&info->clock, ctx->now);
	WRITE_ONCE(cpu->nr_of_cgroups, cpu->nr_of_cgroups - 1);
	if (!cpu->nr_of_cgroups)
		watch_end(cpu);
}

/* ---- from cgroup to cgroup ---- */

/* Something changes in the slot: its PMU stands still until that is settled. */
static void touch(struct pcl_slot *slot, struct list_head *touched)
{
	if (!list_empty(&slot->entry))
		return;
	perf_pmu_disable(slot->pmu);
	list_add_tail(&slot->entry, touched);
}

static void cgroup_goes(struct perf_cgroup_info *info, struct perf_event_context *ctx, struct list_head *touched)
{
	struct perf_event *leader, *next;

	/* A leader that is disabled as it comes off leaves the list. */
	list_for_each_entry_safe(leader, next, &info->leaders, cgrp_entry) {
		touch(leader->slot, touched);
		pcl_sched_group_out(leader);
	}
	pcl_queue_cgroup_apart(info);
	pcl_clock_stop(&info->clock, ctx->now);
	WRITE_ONCE(info->runs, false);
}

static void cgroup_comes(struct perf_cgroup_info *info, struct perf_event_context *ctx, struct list_head *touched)
{
	struct perf_event *leader;

	WRITE_ONCE(info->runs, true);
	if (info->nr_events)
		pcl_clock_start(&info->clock, ctx->now);
	list_for_each_entry(leader, &info->leaders, cgrp_entry)
		touch(leader->slot, touched);
}

/* The cgroups from @to upwards run from now on. IRQs off, both contexts' locks held. */
void pcl_cgroup_switch(struct pcl_cpu *cpu, struct perf_cgroup *to)
{
	struct perf_cgroup *cgrp, *common = to;
	struct perf_event_context *ctx = &cpu->ctx;
	struct pcl_slot *slot, *next;
	LIST_HEAD(touched);

	lockdep_assert_held(&ctx->lock);
	while (common && !info_of(common, ctx)->runs)
		common = pcl_cgroup_parent(common);
	for (cgrp = cpu->cgrp; cgrp != common; cgrp = pcl_cgroup_parent(cgrp))
		cgroup_goes(info_of(cgrp, ctx), ctx, &touched);
	for (cgrp = to; cgrp != common; cgrp = pcl_cgroup_parent(cgrp))
		cgroup_comes(info_of(cgrp, ctx), ctx, &touched);
	cpu->cgrp = to;
	list_for_each_entry_safe(slot, next, &touched, entry) {
		list_del_init(&slot->entry);
		pcl_queue_cgroups_back(slot, to, common);
		pcl_sched_settle(slot);
		perf_pmu_enable(slot->pmu);
	}
}

/**
 * pcl_cgroup_follow - the cgroups of a task run from now on
 * @cpu: this CPU, on which events of cgroups are bound
 * @task: current, or about to be
 *
 * IRQs off, no lock held.
 */
void pcl_cgroup_follow(struct pcl_cpu *cpu, struct task_struct *task)
{
	struct perf_cgroup *to = perf_cgroup_from_task(task, NULL);
	struct perf_event_context *ctx = cpu->task_ctx;

	lockdep_assert_irqs_disabled();
	if (to == cpu->cgrp)
		return;
	pcl_cpu_lock(ctx);
	pcl_cgroup_switch(cpu, to);
	pcl_cpu_unlock(cpu, ctx);
}
