// SPDX-License-Identifier: GPL-2.0
/*
 * What KUnit's cases share: a machine for each, tasks that do errands, events on them.
 *
 * Concepts: tasks are threads of the kernel. They do one errand after the other, and sleep in between, so that the
 * scheduler switches to and from them as to any. Those that are to be like programs use the memory of who loaded the
 * module.
 *
 * Contexts: process context of a test; errands in their task's.
 *
 * Locks: none.
 */
#include <linux/sched/mm.h>

#include "ia64.h"

static struct mm_struct *memory;

int tests_init(struct kunit_suite *suite)
{
	memory = get_task_mm(current);
	return memory ? ia64_page_begin() : -EINVAL;
}

void tests_exit(struct kunit_suite *suite)
{
	ia64_page_end();
	mmput(memory);
}

void test_begin(struct kunit *test, const char *chip)
{
	KUNIT_ASSERT_EQ_MSG(test, ia64_machine_boot(chip, false), 0, "%s: is there another PMU?", chip);
	ia64_pmu.slice_ms = 1;
}

void test_end(struct kunit *test, const char *chip)
{
	ia64_machine_halt();
	KUNIT_EXPECT_EQ_MSG(test, ia64_machine_faults(), 0U, "%s", chip);
}

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

void errand_run(void *data)
{
	const struct run *run = data;

	ia64_task_run(run->what, run->n, IA64_LEVEL_USER);
}

void errand_have_memory(void *unused)
{
	kthread_use_mm(memory);
	ia64_task_begin();
}

void errand_drop_memory(void *unused)
{
	kthread_unuse_mm(memory);
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
