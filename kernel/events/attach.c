// SPDX-License-Identifier: GPL-2.0
/*
 * Attach: which BPF programs an event takes, by ioctl or by a link.
 *
 * Concepts: an event has one program at most. What type it must have depends on what makes the event happen: tracing
 * runs programs of tracepoints and of probes, all others run those of events, at each overflow (bpf.c). By
 * PERF_EVENT_IOC_SET_BPF the program stays until the event ends; by a link of bpf(2), which holds the event's file,
 * until the link does.
 *
 * Contexts: process context, may sleep.
 *
 * Locks: ctx->mutex for who attaches to an overflow. Not for tracing's: its mutex of programs is held for a grace
 * period that may wait for a CPU to come up or go, which waits for the mutex of that CPU's context.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/syscalls.h>
#include <linux/trace_events.h>

#include "internal.h"

#ifdef CONFIG_EVENT_TRACING
static bool is_probe(int flags)
{
	return flags & (TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_UPROBE);
}

/* What tracing may run at @call. */
static int check_traced(struct trace_event_call *call, struct bpf_prog *prog, struct pcl_why *why)
{
	bool point = call->flags & TRACE_EVENT_FL_TRACEPOINT || is_syscall_trace_event(call);
	bool probe = is_probe(call->flags);

	if (!point && !probe)
		return pcl_refuse(why, PCL_REASON_BPF_NO_PLACE);
	if (prog->type != (probe ? BPF_PROG_TYPE_KPROBE : BPF_PROG_TYPE_TRACEPOINT))
		return pcl_refuse(why, PCL_REASON_BPF_TRACE_TYPE);
	if (probe && prog->aux->sleepable && !(call->flags & TRACE_EVENT_FL_UPROBE))
		return pcl_refuse(why, PCL_REASON_BPF_SLEEPS);
	if (prog->kprobe_override && !(call->flags & TRACE_EVENT_FL_KPROBE))
		return pcl_refuse(why, PCL_REASON_BPF_OVERRIDES);
	if (point && prog->aux->max_ctx_offset > trace_event_get_offsets(call))
		return pcl_refuse(why, PCL_REASON_BPF_FIELDS);
	return 0;
}

/* Tracing counts programs by tracepoint, and knows each with its cookie once. */
static int attach_to_trace(struct perf_event *event, struct bpf_prog *prog, u64 cookie, struct pcl_why *why)
{
	int err = check_traced(event->tp_event, prog, why);

	if (err)
		return err;
	err = perf_event_attach_bpf_prog(event, prog, cookie);
	if (err == -EEXIST)
		return pcl_refuse(why, PCL_REASON_BPF_TRACE_TWICE);
	if (err == -E2BIG)
		return pcl_refuse(why, PCL_REASON_BPF_TRACE_FULL);
	if (err && err != -ENOMEM)
		return pcl_refuse_err(why, PCL_REASON_BPF_TRACE_PLACE, err);
	return err;
}

/* A sample of precise_ip is of another moment than the registers: stacks are to be had with it alone, and whole. */
static bool has_no_stack_for(struct perf_event *event, struct bpf_prog *prog)
{
	const struct perf_event_attr *attr = &event->attr;

	return attr->precise_ip && prog->call_get_stack &&
	       (!(attr->sample_type & PERF_SAMPLE_CALLCHAIN) || attr->exclude_callchain_kernel ||
		attr->exclude_callchain_user);
}

/* ctx->mutex held. */
static int attach_to_overflow(struct perf_event *event, struct bpf_prog *prog, u64 cookie, struct pcl_why *why)
{
	lockdep_assert_held(&event->ctx->mutex);
	if (pcl_bpf_of(event))
		return pcl_refuse(why, PCL_REASON_BPF_TWICE);
	if (prog->type != BPF_PROG_TYPE_PERF_EVENT)
		return pcl_refuse(why, PCL_REASON_BPF_TYPE);
	if (has_no_stack_for(event, prog))
		return pcl_refuse(why, PCL_REASON_BPF_PRECISE_STACK);
	/* Those that inherited it go on without. */
	pcl_set_reclaim(event->ctx);
	pcl_bpf_set(event, prog, cookie);
	return 0;
}

/* With the caller's reference on @prog, if it is taken. */
static int attach(struct perf_event *event, struct bpf_prog *prog, u64 cookie, struct pcl_why *why)
{
	struct perf_event_context *ctx;
	int err;

	if (pcl_trace_is_source(event))
		return attach_to_trace(event, prog, cookie, why);
	ctx = pcl_context_lock(event);
	err = attach_to_overflow(event, prog, cookie, why);
	pcl_context_unlock(ctx);
	return err;
}
#else
static int attach(struct perf_event *event, struct bpf_prog *prog, u64 cookie, struct pcl_why *why)
{
	return -ENOENT;
}
#endif

/* PERF_EVENT_IOC_SET_BPF */
int pcl_attach_bpf(struct perf_event *event, u32 prog_fd, struct pcl_why *why)
{
	struct bpf_prog *prog = bpf_prog_get(prog_fd);
	int err;

	if (IS_ERR(prog))
		return pcl_refuse_err(why, PCL_REASON_BPF_FD, PTR_ERR(prog));
	err = attach(event, prog, 0, why);
	if (err)
		bpf_prog_put(prog);
	return err;
}

/* The same by a link: the caller takes the reference if we say yes. */
int perf_event_set_bpf_prog(struct perf_event *event, struct bpf_prog *prog, u64 bpf_cookie)
{
	return attach(event, prog, bpf_cookie, NULL);
}

/* The link ends. */
void perf_event_free_bpf_prog(struct perf_event *event)
{
	pcl_bpf_end(event);
}
