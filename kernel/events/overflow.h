/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Overflow: what budget.c, work.c and overflow.c share.
 */
#ifndef _KERNEL_EVENTS_OVERFLOW_H
#define _KERNEL_EVENTS_OVERFLOW_H

#include "output.h"

/* budget.c */
unsigned int pcl_budget_per_tick(void);		/* samples that an event may take in one tick */

/* Where the owner's wish to be signalled is kept: only an event that has a file has it. */
static inline struct fasync_struct **pcl_fasync_of(struct perf_event *event)
{
	return event->parent ? &event->parent->fasync : &event->fasync;
}

#endif /* _KERNEL_EVENTS_OVERFLOW_H */
