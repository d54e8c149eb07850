// SPDX-License-Identifier: GPL-2.0
/*
 * Filters that a user hangs on an event.
 *
 * Concepts: two kinds of event take a filter in text, those of tracepoints and probes (trace.c) and those of PMUs with
 * address filters, which are not built; all other events have no filter in stock either.
 *
 * Contexts: process context, may sleep.
 *
 * Locks: none of its own. Tracing's event_mutex, which a filter of its takes, stands above the mutex of a CPU's
 * context, so SET_FILTER comes without one.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "internal.h"

/* An event's PMU may go, but not while we have ctx->mutex. */
static int set_addr_filter(struct perf_event *event, struct pcl_why *why)
{
	struct perf_event_context *ctx = pcl_context_lock(event);
	bool has = has_addr_filter(event);

	pcl_context_unlock(ctx);
	return pcl_refuse(why, has ? PCL_REASON_UNBUILT_FILTER : PCL_REASON_NO_FILTER);
}

/* PERF_EVENT_IOC_SET_FILTER */
int pcl_filter_set(struct perf_event *event, char __user *text, struct pcl_why *why)
{
	char *copy = strndup_user(text, PAGE_SIZE);
	int err;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	if (pcl_trace_is_source(event))
		err = pcl_trace_set_filter(event, copy, why);
	else
		err = set_addr_filter(event, why);
	kfree(copy);
	return err;
}

/* A driver wants the filters of its event as of now: there are none. Its generation says that none came or went. */
void perf_event_addr_filters_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *filters = perf_event_addr_filters(event);

	WARN_ON_ONCE(!list_empty(&filters->list));
}
EXPORT_SYMBOL_GPL(perf_event_addr_filters_sync);
