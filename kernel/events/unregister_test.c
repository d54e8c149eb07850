// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: a PMU goes while it has events.
 *
 * A PMU made up for it (made_up_test.c) is taken away under events of the kernel's, on a CPU and on a task, running and
 * disabled. The lifetimes row "PMU gone" says what must hold: each event is taken off its counter once, its driver part
 * is undone once, its count stays readable, it never runs again, and closing it is harmless.
 */
#include <linux/module.h>

#include "internal.h"
#include "made_up_test.h"

/* What holds for an event whose PMU is gone. */
static void expect_gone(struct kunit *test, struct perf_event *event, u64 least_count)
{
	u64 enabled, running;

	KUNIT_EXPECT_LE(test, (int)event->state, (int)PERF_EVENT_STATE_OFF);
	KUNIT_EXPECT_PTR_NE(test, event->pmu, &made_up_pmu);
	KUNIT_EXPECT_EQ(test, event->attach_state & PERF_ATTACH_CONTEXT, 0U);
	KUNIT_EXPECT_GE(test, perf_event_read_value(event, &enabled, &running), least_count);
	perf_event_enable(event);
	KUNIT_EXPECT_LE(test, (int)event->state, (int)PERF_EVENT_STATE_OFF);
}

static void pmu_gone_cpu_event(struct kunit *test)
{
	struct perf_event *event = made_up_open(test, false, false);

	KUNIT_EXPECT_EQ(test, (int)event->state, (int)PERF_EVENT_STATE_ACTIVE);
	perf_pmu_unregister(&made_up_pmu);

	expect_gone(test, event, MADE_UP_WORTH);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.added), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.deleted), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 1);
	perf_event_release_kernel(event);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 1);
}

static void pmu_gone_task_event(struct kunit *test)
{
	struct perf_event *event = made_up_open(test, true, false);

	KUNIT_EXPECT_EQ(test, (int)event->state, (int)PERF_EVENT_STATE_ACTIVE);
	perf_pmu_unregister(&made_up_pmu);

	expect_gone(test, event, MADE_UP_WORTH);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.added), atomic_read(&made_up_calls.deleted));
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 1);
	perf_event_release_kernel(event);
}

static void pmu_gone_disabled_event(struct kunit *test)
{
	struct perf_event *event = made_up_open(test, true, true);

	perf_pmu_unregister(&made_up_pmu);
	expect_gone(test, event, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.added), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 1);
	perf_event_release_kernel(event);
}

/* Several at once, on CPU and task, and nobody can open one more. */
static void pmu_gone_many_events(struct kunit *test)
{
	struct perf_event *events[8];
	struct perf_event_attr attr = made_up_attr();
	struct perf_event *late;
	int i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		events[i] = made_up_open(test, i & 1, i & 2);
	perf_pmu_unregister(&made_up_pmu);

	for (i = 0; i < ARRAY_SIZE(events); i++)
		expect_gone(test, events[i], i & 2 ? 0 : MADE_UP_WORTH);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), (int)ARRAY_SIZE(events));
	late = perf_event_create_kernel_counter(&attr, 0, NULL, NULL, NULL);
	KUNIT_EXPECT_PTR_EQ(test, late, ERR_PTR(-ENOENT));
	for (i = 0; i < ARRAY_SIZE(events); i++)
		perf_event_release_kernel(events[i]);
}

/* Each event pins its PMU's module, and lets go of that one, whatever stands in for the PMU when it is closed. */
static void pmu_gone_its_module_is_not_held(struct kunit *test)
{
	struct module *module = kunit_kzalloc(test, sizeof(*module), GFP_KERNEL);
	struct perf_event *before, *after;

	KUNIT_ASSERT_NOT_NULL(test, module);
	module->state = MODULE_STATE_LIVE;
	atomic_set(&module->refcnt, 1);
	made_up_pmu.module = module;
	before = made_up_open(test, false, false);
	after = made_up_open(test, true, false);
	KUNIT_EXPECT_EQ(test, atomic_read(&module->refcnt), 3);
	perf_event_release_kernel(before);
	KUNIT_EXPECT_EQ(test, atomic_read(&module->refcnt), 2);
	perf_pmu_unregister(&made_up_pmu);
	KUNIT_EXPECT_EQ(test, atomic_read(&module->refcnt), 1);
	perf_event_release_kernel(after);
	KUNIT_EXPECT_EQ(test, atomic_read(&module->refcnt), 1);
}

/* Closed before the PMU goes: nothing is left to do. */
static void pmu_gone_no_events(struct kunit *test)
{
	struct perf_event *event = made_up_open(test, true, false);

	perf_event_release_kernel(event);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.added), atomic_read(&made_up_calls.deleted));
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 1);
	perf_pmu_unregister(&made_up_pmu);
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 1);
}

/*
 * A task whose last event went has a context with nothing in it. Were it left loaded, the scheduler's hooks could go
 * while the CPU still points to it, and the task could exit elsewhere.
 */
static void close_unloads_an_empty_context(struct kunit *test)
{
	struct perf_event *event = made_up_open(test, true, false);
	struct perf_event_context *ctx;
	bool loaded;

	preempt_disable();
	loaded = this_cpu_ptr(&pcl_cpus)->task_ctx == event->ctx;
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, loaded);
	perf_event_release_kernel(event);

	preempt_disable();
	ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	preempt_enable();
	KUNIT_EXPECT_PTR_EQ(test, ctx, (struct perf_event_context *)NULL);
	perf_pmu_unregister(&made_up_pmu);
}

static struct kunit_case pmu_gone_cases[] = {
	KUNIT_CASE(pmu_gone_cpu_event),
	KUNIT_CASE(pmu_gone_task_event),
	KUNIT_CASE(pmu_gone_disabled_event),
	KUNIT_CASE(pmu_gone_many_events),
	KUNIT_CASE(pmu_gone_its_module_is_not_held),
	KUNIT_CASE(pmu_gone_no_events),
	KUNIT_CASE(close_unloads_an_empty_context),
	{ }
};

static struct kunit_suite pmu_gone_suite = {
	.name = "pcl-pmu-gone",
	.init = made_up_begin,
	.test_cases = pmu_gone_cases,
};

kunit_test_suite(pmu_gone_suite);
