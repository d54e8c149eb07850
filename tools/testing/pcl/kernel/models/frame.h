/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What KUnit's cases of all machines share. frame.c has the concepts.
 */
#ifndef PCL_MODELS_FRAME_H
#define PCL_MODELS_FRAME_H

#include <kunit/test.h>
#include <linux/kthread.h>
#include <linux/perf_event.h>
#include <linux/types.h>

/* A task that does errands on a CPU, or (-1) on any. */
struct kthread_worker *task_make(struct kunit *test, int cpu);
/* It does @what, and this waits for its end. */
void task_do(struct kthread_worker *task, void (*what)(void *data), void *data);
/* From now on no ordinary task comes between the end of an errand and the sleep behind it. */
void task_first(struct kthread_worker *task);
/* Waits until the task, which has no errand any more, is off its CPU. */
void task_rest(struct kthread_worker *task);
/* A raw event of the task, or with NULL of CPU 0 */
struct perf_event *event_open(struct kunit *test, struct kthread_worker *task, u64 config);
struct perf_event *event_open_attr(struct kunit *test, struct kthread_worker *task, struct perf_event_attr attr,
				   perf_overflow_handler_t handler, void *context);
u64 event_count(struct perf_event *event);

/* What the handler of a sampling event of a task saw */
struct samples {
	struct task_struct *whose;
	unsigned int nr, wrong;		/* wrong: in another task, or with IRQs on */
	u64 periods, in_kernel;
};

struct perf_event *event_open_sampling(struct kunit *test, struct kthread_worker *task, u64 config, u64 period,
				       struct samples *samples);

#endif
