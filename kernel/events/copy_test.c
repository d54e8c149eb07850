// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: what copies of events have of that which is copied, and what of the original.
 *
 * attr.inherit_stat keeps them from being shared: each task made gets copies of its own.
 */
#include "internal.h"
#include "made_up_test.h"

static struct perf_event_attr copied_attr(void)
{
	struct perf_event_attr attr = made_up_attr();

	attr.inherit = 1;
	attr.inherit_stat = 1;
	attr.disabled = 1;
	return attr;
}

static struct perf_event *copy_in(struct task_struct *task)
{
	struct perf_event_context *ctx = pcl_context_own(task);

	return ctx ? list_first_entry_or_null(&ctx->event_list, struct perf_event, event_entry) : NULL;
}

static void set_period(struct kunit *test, struct perf_event *event, u64 period)
{
	mutex_lock(&event->ctx->mutex);
	KUNIT_EXPECT_EQ(test, pcl_set_period(event, period, NULL), 0);
	mutex_unlock(&event->ctx->mutex);
}

static void expect_period(struct kunit *test, struct perf_event *event, u64 period)
{
	KUNIT_EXPECT_EQ(test, event->attr.sample_period, period);
	KUNIT_EXPECT_EQ(test, event->hw.sample_period, period);
	KUNIT_EXPECT_EQ(test, event->hw.last_period, period);
}

/* A copy of @from, as a fork by the task that has it would make it; its context, to be ended by copy_end(). */
static struct perf_event_context *copy_of(struct kunit *test, struct perf_event *from)
{
	struct perf_event_context *ctx = pcl_context_unowned();

	KUNIT_ASSERT_NOT_NULL(test, ctx);
	mutex_lock(&from->ctx->mutex);
	mutex_lock_nested(&ctx->mutex, SINGLE_DEPTH_NESTING);
	KUNIT_EXPECT_EQ(test, pcl_copy_group(from, current, ctx), 0);
	mutex_unlock(&ctx->mutex);
	mutex_unlock(&from->ctx->mutex);
	KUNIT_ASSERT_FALSE(test, list_empty(&ctx->event_list));
	return ctx;
}

static void copy_end(struct perf_event_context *ctx)
{
	mutex_lock(&ctx->mutex);
	pcl_copies_end(ctx);
	mutex_unlock(&ctx->mutex);
	pcl_context_put(ctx);
}

/* Until the next fork a new period is the original's alone; from then on also a grandchild has it. */
static void copy_has_the_original_s_period(struct kunit *test)
{
	struct perf_event_attr attr = copied_attr();
	struct perf_event_context *grandchild;
	struct task_struct *first, *second;
	struct perf_event *event;

	attr.sample_period = 1000;
	event = made_up_member(test, attr, true, NULL);
	first = made_up_task(test);
	KUNIT_ASSERT_NOT_NULL(test, copy_in(first));
	set_period(test, event, 2000);
	expect_period(test, copy_in(first), 1000);
	second = made_up_task(test);
	expect_period(test, copy_in(second), 2000);
	grandchild = copy_of(test, copy_in(first));
	expect_period(test, list_first_entry(&grandchild->event_list, struct perf_event, event_entry), 2000);
	copy_end(grandchild);
	made_up_task_end(test, second);
	made_up_task_end(test, first);
	perf_event_release_kernel(event);
	perf_pmu_unregister(&made_up_pmu);
}

/* The first sample would else come at once, and the frequency would have to be found anew. */
static void copy_has_the_period_that_a_frequency_came_to(struct kunit *test)
{
	struct perf_event_attr attr = copied_attr();
	struct task_struct *task;
	struct perf_event *event;

	attr.freq = 1;
	attr.sample_freq = 1000;
	event = made_up_member(test, attr, true, NULL);
	KUNIT_EXPECT_EQ(test, event->hw.sample_period, 1ULL);
	event->hw.sample_period = 12345;
	task = made_up_task(test);
	KUNIT_ASSERT_NOT_NULL(test, copy_in(task));
	KUNIT_EXPECT_EQ(test, copy_in(task)->attr.sample_freq, 1000ULL);
	KUNIT_EXPECT_EQ(test, copy_in(task)->hw.sample_period, 12345ULL);
	KUNIT_EXPECT_EQ(test, copy_in(task)->hw.last_period, 12345ULL);
	KUNIT_EXPECT_EQ(test, (u64)local64_read(&copy_in(task)->hw.period_left), 12345ULL);
	made_up_task_end(test, task);
	perf_event_release_kernel(event);
	perf_pmu_unregister(&made_up_pmu);
}

/* @event, which is OFF, has begun to be closed, and that has come no further. */
static void begin_to_close(struct perf_event *event)
{
	struct pcl_cpu *cpu;

	local_irq_disable();
	cpu = pcl_cpu_lock(event->ctx);
	pcl_event_set_state(event, PERF_EVENT_STATE_DEAD);
	pcl_cpu_unlock(cpu, event->ctx);
	local_irq_enable();
}

/* Groups are read together while they are of one generation; a copy made amidst a close is of that after it. */
static void copy_of_a_group_that_loses_a_member(struct kunit *test)
{
	struct perf_event *leader, *closed, *kept, *copy;
	struct task_struct *task;

	leader = made_up_member(test, copied_attr(), true, NULL);
	closed = made_up_member(test, copied_attr(), true, leader);
	kept = made_up_member(test, copied_attr(), true, leader);
	begin_to_close(closed);
	task = made_up_task(test);
	copy = copy_in(task);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	KUNIT_EXPECT_PTR_EQ(test, copy->parent, leader);
	KUNIT_EXPECT_EQ(test, copy->nr_siblings, 1U);
	KUNIT_EXPECT_FALSE(test, copy->attach_state & PERF_ATTACH_PARTIAL);
	KUNIT_EXPECT_NE(test, copy->group_generation, leader->group_generation);
	perf_event_release_kernel(closed);
	KUNIT_EXPECT_EQ(test, leader->nr_siblings, 1U);
	KUNIT_EXPECT_EQ(test, copy->group_generation, leader->group_generation);
	made_up_task_end(test, task);
	perf_event_release_kernel(kept);
	perf_event_release_kernel(leader);
	perf_pmu_unregister(&made_up_pmu);
}

static struct kunit_case copy_cases[] = {
	KUNIT_CASE(copy_has_the_original_s_period),
	KUNIT_CASE(copy_has_the_period_that_a_frequency_came_to),
	KUNIT_CASE(copy_of_a_group_that_loses_a_member),
	{ }
};

static struct kunit_suite copy_suite = {
	.name = "pcl-copy",
	.init = made_up_begin,
	.test_cases = copy_cases,
};

kunit_test_suite(copy_suite);
