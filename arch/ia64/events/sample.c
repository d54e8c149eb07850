// SPDX-License-Identifier: GPL-2.0
/*
 * What a sample has beyond the place of the interrupt: what the chip recorded.
 *
 * Concepts: an event of an event address register has address, latency and source in each sample (ear.c), one with a
 * branch stack the branches (trace.c). With precise_ip its place is that of the instruction, or of the line, that was
 * captured, or of the bundle that retired last (ip_ear). The registers then are a copy of the interrupted ones with
 * that place in them; the chain of callers is that of the interrupt, since the unwinder knows no other.
 *
 * The place may be user code's and the interrupt the kernel's, or the other way round: by its region. Regions 5 to 7
 * are the kernel's, the gate page that user code runs through included. No register of the kernel's goes into a sample
 * of user code.
 *
 * Contexts: the overflow interrupt, all counters frozen.
 *
 * Locks: none.
 */
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/perf_event.h>
#include <asm/processor.h>
#include <asm/ptrace.h>

#include "driver.h"

/* Registers as if @ip had been interrupted, filled into @copy; NULL: whose they would be is not known */
static struct pt_regs *regs_at(struct pt_regs *copy, struct pt_regs *regs, u64 ip, bool exact)
{
	bool user = ip >> 61 < 5;

	if (user && !user_mode(regs)) {
		if (!current->mm)
			return NULL;
		regs = task_pt_regs(current);
	}
	*copy = *regs;
	copy->cr_iip = ip & ~0xfULL;
	ia64_psr(copy)->ri = ip & 3;
	ia64_psr(copy)->cpl = user ? 3 : 0;
	if (exact)
		copy->cr_ipsr |= PERF_PSR_EXACT;
	return copy;
}

/**
 * ia64_sample_fill - all that the chip recorded for a sample of the event
 * @event: whose counter overflowed
 * @sample: data initialized
 * @regs: interrupted
 *
 * Returns the registers to give to the engine.
 */
struct pt_regs *ia64_sample_fill(struct perf_event *event, struct ia64_sample *sample, struct pt_regs *regs)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	u64 captured = ia64_ear_sample(event, &sample->data), ip = captured ?: ia64_trace_address(event);
	struct pt_regs *there;

	if (ia64_trace_wanted(event)) {
		ia64_trace_branches(event, &cpu->branches);
		sample->data.br_stack = &cpu->branches;
		sample->data.sample_flags |= PERF_SAMPLE_BRANCH_STACK;
	}
	if (!event->attr.precise_ip || !ip)
		return regs;
	there = regs_at(&sample->regs, regs, ip, captured && ia64_ear_precise(ia64_row(event)) > 1);
	if (!there)
		return regs;
	if (event->attr.sample_type & PERF_SAMPLE_CALLCHAIN) {
		sample->data.callchain = perf_callchain(event, regs);
		sample->data.sample_flags |= PERF_SAMPLE_CALLCHAIN;
	}
	return there;
}
