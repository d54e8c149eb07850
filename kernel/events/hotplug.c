// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs come and go, and a PMU's events move between them.
 *
 * Concepts: the context of a CPU is active while the CPU is online, until a reboot. When it goes, its events are
 * unbound and stay OFF: their counts can be read, and nothing brings them back. A PMU that stands for more than one CPU
 * (uncore) moves its events to another CPU before that: unbind, bind.
 *
 * Contexts: CPU hotplug callbacks, may sleep.
 *
 * Locks: the CPU context's mutex, which also guards pcl_cpu::online.
 */
#include <linux/reboot.h>
#include <linux/sched/clock.h>

#include "internal.h"

static void hotplug_set_active(struct perf_event_context *ctx, void *arg)
{
	bool online = *(bool *)arg;

	if (ctx->is_active == online)
		return;
	ctx->is_active = online;
	if (online)
		pcl_clock_start(&ctx->clock, local_clock());
	else
		pcl_clock_stop(&ctx->clock, local_clock());
}

/* Called twice as a CPU comes up: before it runs, when there is nothing to do yet, and on it when it does. */
int perf_event_init_cpu(unsigned int cpu)
{
	struct pcl_cpu *pcpu = per_cpu_ptr(&pcl_cpus, cpu);
	unsigned long flags;
	bool online = true;

	if (!cpu_online(cpu))
		return 0;
	mutex_lock(&pcpu->ctx.mutex);
	raw_spin_lock_irqsave(&pcpu->ctx.lock, flags);
	hotplug_set_active(&pcpu->ctx, &online);
	raw_spin_unlock_irqrestore(&pcpu->ctx.lock, flags);
	pcpu->online = true;
	mutex_unlock(&pcpu->ctx.mutex);
	return 0;
}

/* Called twice, too: on the CPU while it still runs, and when it is dead. */
int perf_event_exit_cpu(unsigned int cpu)
{
	struct pcl_cpu *pcpu = per_cpu_ptr(&pcl_cpus, cpu);
	struct perf_event *event, *next;
	bool online = false;

	mutex_lock(&pcpu->ctx.mutex);
	pcpu->online = false;
	list_for_each_entry_safe(event, next, &pcpu->ctx.event_list, event_entry)
		pcl_unbind(event, PCL_UNBIND_GONE);
	pcl_remote(&pcpu->ctx, hotplug_set_active, &online);
	mutex_unlock(&pcpu->ctx.mutex);
	return 0;
}

/* Counters must be silent when another kernel starts. As late as possible: whoever watches the reboot is watched. */
static int hotplug_reboot(struct notifier_block *notifier, unsigned long action, void *data)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		perf_event_exit_cpu(cpu);
	return NOTIFY_OK;
}

static struct notifier_block hotplug_reboot_notifier = {
	.notifier_call = hotplug_reboot,
	.priority = INT_MIN,
};

static int __init hotplug_init(void)
{
	return register_reboot_notifier(&hotplug_reboot_notifier);
}
device_initcall(hotplug_init);

/* ---- moving a PMU's events ---- */

/* Off @src, into @moved in the order of their list; leaders stand before their siblings there. */
static void migrate_take(struct pmu *pmu, struct perf_event_context *src, struct list_head *moved)
{
	struct perf_event *event, *next;

	list_for_each_entry_safe(event, next, &src->event_list, event_entry) {
		if (pcl_group_pmu(event) != pmu)
			continue;
		pcl_unbind(event, PCL_UNBIND_KEEP);
		list_add_tail(&event->migrate_entry, moved);
	}
}

/* Siblings first: binding the leader brings the whole group in. */
static void migrate_put(struct perf_event_context *dst, int cpu, struct list_head *moved)
{
	struct perf_event *event, *next;

	list_for_each_entry(event, moved, migrate_entry) {
		event->cpu = cpu;
		pcl_buffer_follow(event);
	}
	list_for_each_entry_safe(event, next, moved, migrate_entry) {
		if (event->group_leader == event)
			continue;
		list_del(&event->migrate_entry);
		pcl_bind(event, dst);
	}
	list_for_each_entry_safe(event, next, moved, migrate_entry) {
		list_del(&event->migrate_entry);
		pcl_bind(event, dst);
	}
}

/**
 * perf_pmu_migrate_context - move the CPU events of a PMU from one CPU to another
 * @pmu: the PMU
 * @src_cpu: where they are
 * @dst_cpu: where they shall be
 *
 * For drivers of counters that several CPUs share, when the CPU that served them goes offline. May sleep.
 */
void perf_pmu_migrate_context(struct pmu *pmu, int src_cpu, int dst_cpu)
{
	struct perf_event_context *src = &per_cpu_ptr(&pcl_cpus, src_cpu)->ctx;
	struct perf_event_context *dst = &per_cpu_ptr(&pcl_cpus, dst_cpu)->ctx;
	LIST_HEAD(moved);

	if (src == dst)
		return;
	/* By address, so that two moves in opposite directions do not wait for each other. */
	mutex_lock(&min(src, dst)->mutex);
	mutex_lock_nested(&max(src, dst)->mutex, SINGLE_DEPTH_NESTING);
	migrate_take(pmu, src, &moved);
	synchronize_rcu();	/* list walkers have left the old list */
	migrate_put(dst, dst_cpu, &moved);
	mutex_unlock(&max(src, dst)->mutex);
	mutex_unlock(&min(src, dst)->mutex);
}
EXPORT_SYMBOL_GPL(perf_pmu_migrate_context);
