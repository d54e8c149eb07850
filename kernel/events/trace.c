// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints as a source of events: the PMU "tracepoint", what tracing calls, filters.
 *
 * Concepts: tracing (kernel/trace/trace_event_perf.c) keeps a list for each of its events and each CPU, of the events
 * that run there. It makes a record when a tracepoint is hit, and perf_tp_event() gives it to all on this CPU's list:
 * those that let it pass count it, and write it into their samples. A list belongs to its CPU, so these events move:
 * they come off with their context.
 *
 * Some tracepoints are about a task that need not be the running one: it is woken, it has slept. Its own events are on
 * no list then, but those that are confined to this CPU count as well. They write no sample, as their task runs nowhere
 * that the sample could tell of.
 *
 * A filter is text about the fields of the record, set once. It is tracing's, and an event's children use it, too.
 *
 * An event holds a reference on the module of its tracepoint (perf_trace_init()).
 *
 * A tracepoint has the programs of BPF that its events brought (attach.c). Tracing runs them for each hit, also where
 * no event counts it.
 *
 * Contexts: hits come with preemption off, at any level, also in the scheduler with a runqueue's lock held: what wakes
 * does so by irq_work (work.c). PMU operations as the driver contract has them.
 *
 * Locks: tracing's event_mutex is taken when an event is made, freed, or gets its filter; it may nest in the mutex of a
 * task's context, but not of a CPU's. Hits take none: they walk lists under RCU.
 */
#include <linux/trace_events.h>

#include "internal.h"

/* ---- hits ---- */

static bool filter_passes(struct perf_event *event, void *record)
{
	struct perf_event *original = event->parent ? event->parent : event;
	struct event_filter *filter = READ_ONCE(original->filter);

	return !filter || filter_match_preds(filter, record);
}

/* Of what comes here, system calls and uprobes have the registers of user mode. What is in the kernel is for all. */
static bool counts_hit(struct perf_event *event, void *record, struct pt_regs *regs)
{
	if (event->hw.state & PERF_HES_STOPPED || (event->attr.exclude_kernel && !user_mode(regs)))
		return false;
	return filter_passes(event, record);
}

/*
 * @task is not the running one. An event that is confined to this CPU is counted by nobody else, wherever its task is;
 * what is off, or would signal its task, which cannot be done from here, is left alone.
 */
static void count_for_task(struct task_struct *task, u64 count, struct trace_entry *record, struct pt_regs *regs)
{
	struct perf_event_context *ctx;
	struct perf_event *event;

	rcu_read_lock();
	ctx = pcl_context_that_stands_for(task);
	if (!ctx)
		goto unlock;
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		if (event->attr.type == PERF_TYPE_TRACEPOINT && event->attr.config == record->type &&
		    event->cpu == smp_processor_id() && !event->attr.sigtrap &&
		    pcl_event_effective_state(event) >= PERF_EVENT_STATE_INACTIVE && counts_hit(event, record, regs))
			local64_add(count, &event->count);
	}
unlock:
	rcu_read_unlock();
}

/**
 * perf_tp_event - a tracepoint was hit
 * @event_type: its number
 * @count: how often, or how much, in its own measure
 * @record: its fields, as its format says; the head is filled in here
 * @entry_size: of the record, bytes
 * @regs: of its caller
 * @head: the events on it that run here
 * @rctx: the recursion level that the caller took, given back here
 * @task: whom it is about, if it is about a task; or NULL
 *
 * Preemption off, any context.
 */
void perf_tp_event(u16 event_type, u64 count, void *record, int entry_size, struct pt_regs *regs,
		   struct hlist_head *head, int rctx, struct task_struct *task)
{
	struct perf_raw_record raw = { .frag = { .size = entry_size, .data = record } };
	struct perf_sample_data data;
	struct perf_event *event;
	unsigned long flags;

	lockdep_assert_preemption_disabled();
	perf_trace_buf_update(record, event_type);
	perf_sample_data_init(&data, 0, 0);
	data.raw = &raw;
	data.sample_flags |= PERF_SAMPLE_RAW;

	/* An IPI may take the context that floats here to another CPU, whose list its events are on then. */
	local_irq_save(flags);
	hlist_for_each_entry_rcu(event, head, hlist_entry) {
		if (counts_hit(event, record, regs))
			pcl_software_count(event, count, &data, regs);
	}
	local_irq_restore(flags);
	if (task && task != current)
		count_for_task(task, count, record, regs);
	perf_swevent_put_recursion_context(rctx);
}
EXPORT_SYMBOL_GPL(perf_tp_event);

/*
 * As perf_tp_event(), after the programs that the tracepoint has, each of which may drop the hit, whosever it is. They
 * find the registers where the head of the record will be, which a program can read only by helpers.
 */
void perf_trace_run_bpf_submit(void *raw_data, int size, int level, struct trace_event_call *call, u64 count,
			       struct pt_regs *regs, struct hlist_head *head, struct task_struct *task)
{
	if (bpf_prog_array_valid(call)) {
		*(struct pt_regs **)raw_data = regs;
		if (!trace_call_bpf(call, raw_data)) {
			perf_swevent_put_recursion_context(level);
			return;
		}
	}
	perf_tp_event(call->event.type, count, raw_data, size, regs, head, level, task);
}
EXPORT_SYMBOL_GPL(perf_trace_run_bpf_submit);

/* ---- filters ---- */

bool pcl_trace_is_source(struct perf_event *event)
{
	return event->tp_event;
}

/* SET_FILTER. Takes event_mutex. */
int pcl_trace_set_filter(struct perf_event *event, char *text, struct pcl_why *why)
{
	int err = ftrace_profile_set_filter(event, event->attr.config, text);

	if (err == -EEXIST)
		return pcl_refuse(why, PCL_REASON_FILTER_TWICE);
	if (err && err != -ENOMEM)
		return pcl_refuse_err(why, PCL_REASON_FILTER_TEXT, err);
	return err;
}

/* ---- the PMU "tracepoint" ---- */

/* ftrace:function, whose number is part of what tracefs shows */
#define FUNCTION_TRACEPOINT 1

/* Tracing said @err to the event. Of a child it asks nothing. */
static int trace_refusal(struct perf_event *event, int err)
{
	if (err == -ENOMEM || event->parent)
		return err;
	if (err == -EINVAL && event->attr.config == FUNCTION_TRACEPOINT)
		return perf_event_refuse(event, PCL_REASON_TRACE_FUNCTION);
	if (err == -EINVAL)
		return perf_event_refuse(event, PCL_REASON_TRACE_UNKNOWN);
	if (err == -EPERM && perf_is_paranoid() && !perfmon_capable())
		return perf_event_refuse(event, PCL_REASON_TRACE_PRIVILEGE);
	if (err == -EPERM)
		return perf_event_refuse(event, PCL_REASON_TRACE_COUNTS_ONLY);
	return pcl_refuse_security(event->why, err);
}

static int trace_event_init(struct perf_event *event)
{
	int err;

	if (event->attr.type != PERF_TYPE_TRACEPOINT)
		return -ENOENT;
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_TRACE_BRANCH_STACK);
	err = perf_trace_init(event);
	if (err)
		return trace_refusal(event, err);
	event->destroy = perf_trace_destroy;
	return 0;
}

int pcl_trace_add(struct perf_event *event, int flags)
{
	event->hw.state = 0;	/* tracing sets it when the event shall not start, and clears it never */
	return perf_trace_add(event, flags);
}

static struct pmu trace_pmu = {
	.task_ctx_nr	= perf_sw_context,
	.event_init	= trace_event_init,
	.add		= pcl_trace_add,
	.del		= perf_trace_del,
	.start		= pcl_software_start,
	.stop		= pcl_software_stop,
	.read		= pcl_software_read,
};

/* At boot, after the software PMUs. */
int __init pcl_trace_init(void)
{
	return perf_pmu_register(&trace_pmu, "tracepoint", PERF_TYPE_TRACEPOINT);
}
