// SPDX-License-Identifier: GPL-2.0
/*
 * Filters and BPF programs that a user hangs on an event.
 *
 * Concepts: two kinds of event take a filter in text, those of tracepoints and those of PMUs with address filters.
 * Neither is built; all other events have no filter in stock either. BPF programs at events are not built, but
 * what a tracepoint has is asked of tracing itself.
 *
 * Contexts: process context, ctx->mutex held, may sleep. Locks: none of its own.
 */
#include <linux/bpf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "internal.h"

/* PERF_EVENT_IOC_SET_FILTER */
int pcl_filter_set(struct perf_event *event, char __user *text, struct pcl_why *why)
{
	char *copy = strndup_user(text, PAGE_SIZE);

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	kfree(copy);
	if (has_addr_filter(event))
		return pcl_refuse(why, PCL_REASON_UNBUILT_FILTER);
	return pcl_refuse(why, PCL_REASON_NO_FILTER);
}

/* PERF_EVENT_IOC_SET_BPF */
int pcl_filter_set_bpf(struct perf_event *event, u32 prog_fd, struct pcl_why *why)
{
	struct bpf_prog *prog = bpf_prog_get(prog_fd);

	if (IS_ERR(prog))
		return PTR_ERR(prog);
	bpf_prog_put(prog);
	return pcl_refuse(why, PCL_REASON_UNBUILT_SET_BPF);
}

/* PERF_EVENT_IOC_QUERY_BPF */
int pcl_filter_query_bpf(struct perf_event *event, void __user *info)
{
	return perf_event_query_prog_array(event, info);
}

/* The same by a BPF link: bpf(2) has the program. */
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie)
{
	return pcl_refuse(NULL, PCL_REASON_UNBUILT_BPF_LINK);
}

void perf_event_free_bpf_prog(struct perf_event *event)
{
	/* None was ever taken. */
}

/* A driver wants the filters of its event as of now: there are none. Its generation says that none came or went. */
void perf_event_addr_filters_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *filters = perf_event_addr_filters(event);

	WARN_ON_ONCE(!list_empty(&filters->list));
}
EXPORT_SYMBOL_GPL(perf_event_addr_filters_sync);
