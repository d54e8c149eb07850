// SPDX-License-Identifier: GPL-2.0
/*
 * For KUnit: a PMU made up, which counts the calls it gets, and events on it. It has room for all of them.
 *
 * Contexts: process context of a test. Locks: ctx->mutex while an event is bound.
 */
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "internal.h"
#include "made_up_test.h"

struct made_up_calls made_up_calls;
struct pmu made_up_pmu;

static void made_up_destroy(struct perf_event *event)
{
	atomic_inc(&made_up_calls.destroyed);
}

static int made_up_add(struct perf_event *event, int flags)
{
	if (event == made_up_calls.refused) {
		if (made_up_calls.disables)
			event->group_leader->pending_disable = 1;
		return -EAGAIN;
	}
	atomic_inc(&made_up_calls.added);
	return 0;
}

static void made_up_del(struct perf_event *event, int flags)
{
	local64_add(MADE_UP_WORTH, &event->count);
	atomic_inc(&made_up_calls.deleted);
}

static void made_up_away(struct perf_event *event)
{
	local64_add(MADE_UP_WORTH, &event->count);
	made_up_calls.away++;
}

static bool made_up_back(struct perf_event *event)
{
	if (event == made_up_calls.lost)
		return false;
	made_up_calls.back++;
	return true;
}

void made_up_can_stay(void)
{
	made_up_pmu.away = made_up_away;
	made_up_pmu.back = made_up_back;
}

static void made_up_pause(struct pmu *pmu)
{
	atomic_inc(&made_up_calls.paused);
}

static void made_up_go_on(struct pmu *pmu)
{
}

static void made_up_start(struct perf_event *event, int flags)
{
}

static void made_up_stop(struct perf_event *event, int flags)
{
}

static void made_up_read(struct perf_event *event)
{
}

static int made_up_init(struct perf_event *event)
{
	if (event->attr.type != made_up_pmu.type)
		return -ENOENT;
	event->destroy = made_up_destroy;
	return 0;
}

int made_up_begin(struct kunit *test)
{
	made_up_pmu = (struct pmu) {
		.task_ctx_nr	= perf_hw_context,
		.event_init	= made_up_init,
		.pmu_disable	= made_up_pause,
		.pmu_enable	= made_up_go_on,
		.add		= made_up_add,
		.del		= made_up_del,
		.start		= made_up_start,
		.stop		= made_up_stop,
		.read		= made_up_read,
	};
	memset(&made_up_calls, 0, sizeof(made_up_calls));
	return perf_pmu_register(&made_up_pmu, "pcl_kunit", -1);
}

struct perf_event_attr made_up_attr(void)
{
	return (struct perf_event_attr) { .type = made_up_pmu.type, .size = sizeof(struct perf_event_attr) };
}

struct perf_event_attr made_up_software(void)
{
	return (struct perf_event_attr) {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(struct perf_event_attr),
	};
}

struct perf_event *made_up_open(struct kunit *test, bool on_task, bool disabled)
{
	struct perf_event_attr attr = made_up_attr();
	struct perf_event *event;

	attr.disabled = disabled;
	event = perf_event_create_kernel_counter(&attr, on_task ? -1 : 0, on_task ? current : NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	return event;
}

struct perf_event *made_up_member(struct kunit *test, struct perf_event_attr attr, bool on_task,
				  struct perf_event *leader)
{
	struct pcl_target target = { .task = on_task ? current : NULL, .cpu = on_task ? -1 : 0 };
	struct perf_event_context *ctx;
	struct perf_event *event;
	int err;

	event = pcl_event_alloc(&attr, &target, leader, NULL, NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	event->owner = PCL_OWNER_KERNEL;
	ctx = on_task ? pcl_context_of_task(current) : &per_cpu_ptr(&pcl_cpus, 0)->ctx;
	KUNIT_ASSERT_FALSE(test, IS_ERR(ctx));

	mutex_lock(&ctx->mutex);
	err = pcl_bind_prepare(event, ctx);
	if (!err)
		pcl_bind(event, ctx);
	mutex_unlock(&ctx->mutex);
	if (on_task)
		pcl_context_put(ctx);
	KUNIT_ASSERT_EQ(test, err, 0);
	return event;
}

struct task_struct *made_up_task(struct kunit *test)
{
	struct task_struct *task = kzalloc(sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, task);
	refcount_set(&task->usage, 1);
	KUNIT_ASSERT_EQ(test, perf_event_init_task(task, 0), 0);
	return task;
}

void made_up_task_end(struct kunit *test, struct task_struct *task)
{
	perf_event_free_task(task);
	KUNIT_EXPECT_EQ(test, refcount_read(&task->usage), 1);
	kfree(task);
}
