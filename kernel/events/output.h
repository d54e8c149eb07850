/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output: what the files that write records share: record_kinds.c, output.c, sample.c, which has a sample.h of its own,
 * and record.c, from below.
 */
#ifndef _KERNEL_EVENTS_OUTPUT_H
#define _KERNEL_EVENTS_OUTPUT_H

#include "internal.h"

/* record_kinds.c: who is who */
u32 pcl_output_pid(struct perf_event *event, struct task_struct *task);	/* as seen by who opened the event */
u32 pcl_output_tid(struct perf_event *event, struct task_struct *task);
static inline u64 pcl_output_id(struct perf_event *event) /* what PERF_SAMPLE_ID shows: children have their parent's */
{
	return event->parent ? event->parent->id : event->id;
}

static inline u64 pcl_event_clock(struct perf_event *event) /* attr.clockid */
{
	return event->clock();
}

/* sample_id, of @task; how many words, 0..PCL_ID_WORDS */
unsigned int pcl_output_trailer(struct perf_event *event, struct task_struct *task, u64 *words);

/* output.c */
void pcl_output_wakeup(struct perf_event *event);	/* from any context: wake the ring's readers soon */
unsigned long pcl_output_custom(struct perf_output_handle *handle, perf_copy_f copy, const void *from,
				unsigned long bytes);	/* how many @copy copied */

#define PCL_ID_WORDS 6

/* Two numbers of 32 bits as they stand in a record, the first at the lower address. */
static inline u64 pcl_pair(u32 first, u32 second)
{
	u32 both[2] = { first, second };
	u64 word;

	memcpy(&word, both, sizeof(word));
	return word;
}

/* sample.c */
void pcl_read_write(struct perf_output_handle *handle, struct perf_event *event, unsigned int bytes);

#endif /* _KERNEL_EVENTS_OUTPUT_H */
