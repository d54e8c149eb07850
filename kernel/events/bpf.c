// SPDX-License-Identifier: GPL-2.0
/*
 * Program: the one of BPF that an event has, what it says to an overflow, and who has it as well.
 *
 * Concepts: a program of the type BPF_PROG_TYPE_PERF_EVENT is run at each overflow of its event, and says whether the
 * sample is written. All else that an overflow sets off it does not change: signals, REFRESH, waking. Where another
 * program runs already on this CPU it is not run, and there is no sample.
 *
 * Events of tracing have their program with the tracepoint or probe, which runs it for each hit, whosever it is; the
 * event only remembers which one it brought (trace.c, and kernel/trace/bpf_trace.c, which is stock's).
 *
 * A copy has the program that was the original's when it was made, with a reference of its own, until it ends. So what
 * has a program is not shared by a set (set.c), and copies that are made for a set have what the set's first has.
 *
 * Contexts: pcl_bpf_run() from an overflow, IRQs off or NMI; else process context, may sleep.
 *
 * Locks: the original's child_mutex for its program; overflows read it under RCU, which keeps the program.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/trace_events.h>

#include "overflow.h"

/* The program that is run at overflows, or NULL. Of an original its child_mutex, or any context if it is only asked. */
struct bpf_prog *pcl_bpf_of(struct perf_event *event)
{
	return event->tp_event ? NULL : READ_ONCE(event->prog);
}

/* What is known of the sample is all that a program can read; where nothing is known it reads 0. */
static bool run_program(struct bpf_prog *prog, struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
	struct bpf_perf_event_data_kern ctx = {
		.regs = perf_arch_bpf_user_pt_regs(regs), .data = data, .event = event,
	};

	if (!(data->sample_flags & PERF_SAMPLE_ADDR))
		data->addr = 0;
	if (data->sample_flags & PERF_SAMPLE_CALLCHAIN)
		return bpf_prog_run(prog, &ctx);
	/* Its stacks are then those of the sample, which a driver may know better than an unwinder; whole, now. */
	if (prog->call_get_stack && event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		data->callchain = pcl_callchain_whole(event, regs);
		data->sample_flags |= PERF_SAMPLE_CALLCHAIN;
	} else {
		data->callchain = NULL;	/* a program that it calls may ask all the same */
	}
	return bpf_prog_run(prog, &ctx);
}

/**
 * pcl_bpf_run - an event that may have a program has passed its period
 * @event: running on this CPU
 * @data: what is known of the sample
 * @regs: where it happened
 *
 * Return: is the sample wanted?
 */
bool pcl_bpf_run(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct bpf_prog *prog;
	bool wanted = false;

	if (event->tp_event)
		return true;
	if (likely(__this_cpu_inc_return(bpf_prog_active) == 1)) {
		rcu_read_lock();
		/* its cookie is there with it: bpf.set B, pairs with bpf.set A */
		prog = smp_load_acquire(&event->prog);
		wanted = !prog || run_program(prog, event, data, regs);
		rcu_read_unlock();
	}
	__this_cpu_dec(bpf_prog_active);
	return wanted;
}

static void program_set(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	event->bpf_cookie = cookie;
	/* bpf.set A, pairs with bpf.set B: who sees the program sees its cookie */
	smp_store_release(&event->prog, prog);
}

/* @event, which has none, has @prog from now on, and the caller's reference on it. */
void pcl_bpf_set(struct perf_event *event, struct bpf_prog *prog, u64 cookie)
{
	mutex_lock(&event->child_mutex);
	program_set(event, prog, cookie);
	mutex_unlock(&event->child_mutex);
}

/* @child, which nobody sees yet, is a copy of @from. The original's child_mutex held. */
void pcl_bpf_copy(struct perf_event *child, struct perf_event *from)
{
	struct bpf_prog *prog = pcl_bpf_of(from);

	lockdep_assert_held(&child->parent->child_mutex);
	if (!prog)
		return;
	bpf_prog_inc(prog);
	program_set(child, prog, from->bpf_cookie);
}

/* The event has no program any more: its link is gone, or itself. May sleep. */
void __pcl_bpf_end(struct perf_event *event)
{
	struct bpf_prog *prog;

	if (event->tp_event) {
		perf_event_detach_bpf_prog(event);
		return;
	}
	mutex_lock(&event->child_mutex);
	prog = event->prog;
	WRITE_ONCE(event->prog, NULL);
	mutex_unlock(&event->child_mutex);
	/* Who overflows may be running it; its memory goes a grace period later. */
	if (prog)
		bpf_prog_put(prog);
}
