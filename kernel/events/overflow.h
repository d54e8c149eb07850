/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overflow: what budget.c, work.c and overflow.c share.
 */
#ifndef _KERNEL_EVENTS_OVERFLOW_H
#define _KERNEL_EVENTS_OVERFLOW_H

#include "output.h"

/* budget.c */
unsigned int pcl_budget_per_tick(void);		/* samples that an event may take in one tick */

/* bpf.c */
#ifdef CONFIG_BPF_EVENTS
bool pcl_bpf_run(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs);
static inline bool pcl_bpf_wants(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return likely(!READ_ONCE(event->prog)) || pcl_bpf_run(event, data, regs);
}
#else
static inline bool pcl_bpf_wants(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	return true;
}
#endif

/* Where the owner's wish to be signalled is kept: only an event that has a file has it. */
static inline struct fasync_struct **pcl_fasync_of(struct perf_event *event)
{
	return event->parent ? &event->parent->fasync : &event->fasync;
}

#endif /* _KERNEL_EVENTS_OVERFLOW_H */
