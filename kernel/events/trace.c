// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints as a source of events: what tracing calls.
 *
 * Concepts: tracing hands a record to the events that are opened on its tracepoint. Opening one is refused
 * (PCL_REASON_UNBUILT_TRACEPOINT), and no PMU for tracepoints, kprobes or uprobes is registered, so the lists that come
 * here are empty. What must be done all the same is to give back the recursion level that the caller took.
 *
 * Contexts: preemption off, any level. Locks: none.
 */
#include <linux/trace_events.h>

#include "internal.h"

void perf_tp_event(u16 event_type, u64 count, void *record, int entry_size, struct pt_regs *regs,
		   struct hlist_head *head, int rctx, struct task_struct *task)
{
	WARN_ON_ONCE(head && !hlist_empty(head));
	perf_swevent_put_recursion_context(rctx);
}
EXPORT_SYMBOL_GPL(perf_tp_event);

void perf_trace_run_bpf_submit(void *raw_data, int size, int rctx, struct trace_event_call *call, u64 count,
			       struct pt_regs *regs, struct hlist_head *head, struct task_struct *task)
{
	perf_tp_event(call->event.type, count, raw_data, size, regs, head, rctx, task);
}
EXPORT_SYMBOL_GPL(perf_trace_run_bpf_submit);
