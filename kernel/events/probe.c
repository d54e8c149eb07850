// SPDX-License-Identifier: GPL-2.0
/*
 * Probes as a source of events: the PMUs "kprobe" and "uprobe".
 *
 * Concepts: an event of these makes its probe, which nobody else sees: at a function or an address of the kernel, or at
 * an offset in a file. It is tracing's (kernel/trace/trace_event_perf.c) and ends with the event. What a hit does is as
 * with tracepoints (trace.c).
 *
 * config: bit 0 asks for the return from the function; for uprobes the upper half is the offset of a counter in the
 * file that says whether anybody looks. Place and name are config1 and config2 under names of their own.
 *
 * A child makes a probe of its own, in the fork, from what the parent's memory says of the place then.
 *
 * Contexts: PMU operations as the driver contract has them. Locks: as for tracepoints.
 */
#include <linux/capability.h>
#include <linux/security.h>
#include <linux/trace_events.h>

#include "internal.h"

#define IS_RETURN	BIT_ULL(0)
#define COUNTER_SHIFT	32

PMU_FORMAT_ATTR(retprobe, "config:0");

/* Tracing does not say who refused: the place, or the security module, which hears of data. That is asked once more. */
static int refuse_place(struct perf_event *event, enum pcl_reason reason, int err)
{
	if (err == -ENOMEM)
		return err;
	if (event->attr.sample_type & PERF_SAMPLE_RAW &&
	    err == security_perf_event_open(&event->attr, PERF_SECURITY_TRACEPOINT))
		return pcl_refuse_security(event->why, err);
	return pcl_refuse_err(event->why, reason, err);
}

#define PROBE_PMU(init, groups) {			\
	.task_ctx_nr	= perf_sw_context,		\
	.event_init	= init,				\
	.add		= pcl_trace_add,		\
	.del		= perf_trace_del,		\
	.start		= pcl_software_start,		\
	.stop		= pcl_software_stop,		\
	.read		= pcl_software_read,		\
	.attr_groups	= groups,			\
}

/* ---- kprobes ---- */

#ifdef CONFIG_KPROBE_EVENTS
static struct attribute *kprobe_formats[] = { &format_attr_retprobe.attr, NULL };
static const struct attribute_group kprobe_format_group = { .name = "format", .attrs = kprobe_formats };
static const struct attribute_group *kprobe_groups[] = { &kprobe_format_group, NULL };

static struct pmu kprobe_pmu;

static int kprobe_event_init(struct perf_event *event)
{
	int err;

	if (event->attr.type != kprobe_pmu.type)
		return -ENOENT;
	if (!perfmon_capable())
		return perf_event_refuse(event, PCL_REASON_KPROBE_PRIVILEGE);
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_KPROBE_BRANCH_STACK);
	err = perf_kprobe_init(event, event->attr.config & IS_RETURN);
	if (err && err == security_locked_down(LOCKDOWN_KPROBES))
		return pcl_refuse_err(event->why, PCL_REASON_KPROBE_LOCKDOWN, err);
	if (err)
		return refuse_place(event, PCL_REASON_KPROBE_PLACE, err);
	event->destroy = perf_kprobe_destroy;
	return 0;
}

static struct pmu kprobe_pmu = PROBE_PMU(kprobe_event_init, kprobe_groups);

static int __init kprobe_pmu_init(void)
{
	return perf_pmu_register(&kprobe_pmu, "kprobe", -1);
}
#else
static int __init kprobe_pmu_init(void)
{
	return 0;
}
#endif

/* ---- uprobes ---- */

#ifdef CONFIG_UPROBE_EVENTS
PMU_FORMAT_ATTR(ref_ctr_offset, "config:32-63");

static struct attribute *uprobe_formats[] = { &format_attr_retprobe.attr, &format_attr_ref_ctr_offset.attr, NULL };
static const struct attribute_group uprobe_format_group = { .name = "format", .attrs = uprobe_formats };
static const struct attribute_group *uprobe_groups[] = { &uprobe_format_group, NULL };

static struct pmu uprobe_pmu;

static int uprobe_event_init(struct perf_event *event)
{
	int err;

	if (event->attr.type != uprobe_pmu.type)
		return -ENOENT;
	if (!capable(CAP_SYS_ADMIN))
		return perf_event_refuse(event, PCL_REASON_UPROBE_PRIVILEGE);
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_UPROBE_BRANCH_STACK);
	err = perf_uprobe_init(event, event->attr.config >> COUNTER_SHIFT, event->attr.config & IS_RETURN);
	if (err)
		return refuse_place(event, PCL_REASON_UPROBE_PLACE, err);
	event->destroy = perf_uprobe_destroy;
	return 0;
}

static struct pmu uprobe_pmu = PROBE_PMU(uprobe_event_init, uprobe_groups);

static int __init uprobe_pmu_init(void)
{
	return perf_pmu_register(&uprobe_pmu, "uprobe", -1);
}
#else
static int __init uprobe_pmu_init(void)
{
	return 0;
}
#endif

/* At boot, after tracepoints. */
int __init pcl_probe_init(void)
{
	int err = kprobe_pmu_init();

	return err ? err : uprobe_pmu_init();
}
