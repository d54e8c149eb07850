// SPDX-License-Identifier: GPL-2.0
/*
 * What KUnit's cases of all machines share: tasks that do errands, events on them, samples of these.
 *
 * Concepts: tasks are threads of the kernel. They do one errand after the other, and sleep in between, so that the
 * scheduler switches to and from them as to any.
 *
 * Contexts: process context of a test; errands in their task's; samples where the driver's interrupt is.
 *
 * Locks: none.
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "frame.h"

struct kthread_worker *task_make(struct kunit *test, int cpu)
{
	struct kthread_worker *task;

	task = cpu < 0 ? kthread_create_worker(0, "pcl_task") : kthread_create_worker_on_cpu(cpu, 0, "pcl_task/%d", cpu);
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	return task;
}

struct errand {
	struct kthread_work work;
	void (*what)(void *data);
	void *data;
};

static void errand_do(struct kthread_work *work)
{
	struct errand *errand = container_of(work, struct errand, work);

	errand->what(errand->data);
}

void task_do(struct kthread_worker *task, void (*what)(void *data), void *data)
{
	struct errand errand = { .what = what, .data = data };

	kthread_init_work(&errand.work, errand_do);
	kthread_queue_work(task, &errand.work);
	kthread_flush_work(&errand.work);
}

void task_first(struct kthread_worker *task)
{
	sched_set_fifo(task->task);
}

void task_rest(struct kthread_worker *task)
{
	while (READ_ONCE(task->task->on_rq) || READ_ONCE(task->task->on_cpu))
		usleep_range(50, 100);
}

struct perf_event *event_open_attr(struct kunit *test, struct kthread_worker *task, struct perf_event_attr attr,
				   perf_overflow_handler_t handler, void *context)
{
	struct perf_event *event;

	attr.type = PERF_TYPE_RAW;
	attr.size = sizeof(attr);
	event = perf_event_create_kernel_counter(&attr, task ? -1 : 0, task ? task->task : NULL, handler, context);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(event), "config %llx: %ld", attr.config, PTR_ERR(event));
	return event;
}

struct perf_event *event_open(struct kunit *test, struct kthread_worker *task, u64 config)
{
	return event_open_attr(test, task, (struct perf_event_attr){ .config = config }, NULL, NULL);
}

u64 event_count(struct perf_event *event)
{
	u64 enabled, running;

	return perf_event_read_value(event, &enabled, &running);
}

static void sampled(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct samples *samples = event->overflow_handler_context;

	samples->nr++;
	samples->wrong += current != samples->whose || !irqs_disabled();
	samples->periods += data->period;
	samples->in_kernel += !user_mode(regs);
}

struct perf_event *event_open_sampling(struct kunit *test, struct kthread_worker *task, u64 config, u64 period,
				       struct samples *samples)
{
	struct perf_event_attr attr = { .config = config, .sample_period = period, .sample_type = PERF_SAMPLE_PERIOD };

	*samples = (struct samples){ .whose = task->task };
	return event_open_attr(test, task, attr, sampled, samples);
}
