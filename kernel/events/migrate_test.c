// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: a PMU's events move to another CPU (lifetimes.rst, row pmu-migrate).
 *
 * A PMU made up here, which stands for counters that two CPUs share, has events on one of them. After
 * perf_pmu_migrate_context() each is on the other, in the state it was in, with what it counted, and can be enabled,
 * read and closed there as before.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/perf_event.h>

#include "internal.h"
#include "made_up_test.h"

#define WORTH 10	/* what a stay on the counter adds to the count */

static struct pmu shared_pmu;

static int shared_init(struct perf_event *event)
{
	return event->attr.type == shared_pmu.type ? 0 : -ENOENT;
}

static int shared_add(struct perf_event *event, int flags)
{
	return 0;
}

static void shared_del(struct perf_event *event, int flags)
{
	local64_add(WORTH, &event->count);
}

static void shared_nothing(struct perf_event *event, int flags)
{
}

static void shared_read(struct perf_event *event)
{
}

static int migrate_begin(struct kunit *test)
{
	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	shared_pmu = (struct pmu) {
		.task_ctx_nr	= perf_invalid_context,
		.event_init	= shared_init,
		.add		= shared_add,
		.del		= shared_del,
		.start		= shared_nothing,
		.stop		= shared_nothing,
		.read		= shared_read,
	};
	return perf_pmu_register(&shared_pmu, "pcl_kunit_shared", -1);
}

static struct perf_event *shared_open(struct kunit *test, bool disabled)
{
	struct perf_event_attr attr = {
		.type = shared_pmu.type, .size = sizeof(attr), .disabled = disabled,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, 0, NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(event));
	return event;
}

static void expect_on(struct kunit *test, struct perf_event *event, int cpu, enum perf_event_state state)
{
	KUNIT_EXPECT_EQ(test, event->cpu, cpu);
	KUNIT_EXPECT_PTR_EQ(test, event->ctx, &per_cpu_ptr(&pcl_cpus, cpu)->ctx);
	KUNIT_EXPECT_NE(test, event->attach_state & PERF_ATTACH_CONTEXT, 0U);
	KUNIT_EXPECT_EQ(test, (int)event->state, (int)state);
	KUNIT_EXPECT_EQ(test, event->oncpu, state == PERF_EVENT_STATE_ACTIVE ? cpu : -1);
}

static u64 count_of(struct perf_event *event)
{
	u64 enabled, running;

	return perf_event_read_value(event, &enabled, &running);
}

static void pmu_migrate_running_and_disabled(struct kunit *test)
{
	struct perf_event *running = shared_open(test, false), *disabled = shared_open(test, true);

	perf_pmu_migrate_context(&shared_pmu, 0, 1);
	expect_on(test, running, 1, PERF_EVENT_STATE_ACTIVE);
	expect_on(test, disabled, 1, PERF_EVENT_STATE_OFF);
	KUNIT_EXPECT_EQ(test, count_of(running), (u64)WORTH);

	perf_event_enable(disabled);
	expect_on(test, disabled, 1, PERF_EVENT_STATE_ACTIVE);

	perf_pmu_migrate_context(&shared_pmu, 1, 0);
	expect_on(test, running, 0, PERF_EVENT_STATE_ACTIVE);
	expect_on(test, disabled, 0, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, count_of(running), (u64)2 * WORTH);
	KUNIT_EXPECT_EQ(test, count_of(disabled), (u64)WORTH);

	perf_event_release_kernel(running);
	perf_event_release_kernel(disabled);
	perf_pmu_unregister(&shared_pmu);
}

/* A group moves whole. When its leader is closed then, the member stays on its counter. */
static void pmu_migrate_a_group(struct kunit *test)
{
	struct perf_event_attr attr = { .type = shared_pmu.type, .size = sizeof(attr), .pinned = 1 };
	struct perf_event *leader = made_up_member(test, attr, false, NULL), *member;
	struct pcl_slot *slot;

	attr.pinned = 0;
	member = made_up_member(test, attr, false, leader);
	perf_pmu_migrate_context(&shared_pmu, 0, 1);
	expect_on(test, leader, 1, PERF_EVENT_STATE_ACTIVE);
	expect_on(test, member, 1, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_PTR_EQ(test, member->group_leader, leader);
	KUNIT_EXPECT_EQ(test, count_of(member), (u64)WORTH);
	slot = leader->slot;

	perf_event_release_kernel(leader);
	expect_on(test, member, 1, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_PTR_EQ(test, member->group_leader, member);
	KUNIT_EXPECT_EQ(test, count_of(member), (u64)WORTH);
	KUNIT_EXPECT_EQ(test, slot->nr_pinned_active, 0U);
	KUNIT_EXPECT_EQ(test, slot->nr_flexible_active, 1U);

	perf_event_release_kernel(member);
	KUNIT_EXPECT_EQ(test, slot->nr_active, 0U);
	KUNIT_EXPECT_EQ(test, slot->nr_flexible_active, 0U);
	perf_pmu_unregister(&shared_pmu);
}

/* Others' events stay where they are, and moving to the same CPU does nothing. */
static void pmu_migrate_only_its_own(struct kunit *test)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(attr),
	};
	struct perf_event *own = shared_open(test, false), *other;

	other = perf_event_create_kernel_counter(&attr, 0, NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE(test, IS_ERR(other));

	perf_pmu_migrate_context(&shared_pmu, 0, 0);
	expect_on(test, own, 0, PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, count_of(own), (u64)0);

	perf_pmu_migrate_context(&shared_pmu, 0, 1);
	expect_on(test, own, 1, PERF_EVENT_STATE_ACTIVE);
	expect_on(test, other, 0, PERF_EVENT_STATE_ACTIVE);

	perf_event_release_kernel(other);
	perf_event_release_kernel(own);
	perf_pmu_unregister(&shared_pmu);
}

static struct kunit_case pmu_migrate_cases[] = {
	KUNIT_CASE(pmu_migrate_running_and_disabled),
	KUNIT_CASE(pmu_migrate_a_group),
	KUNIT_CASE(pmu_migrate_only_its_own),
	{ }
};

static struct kunit_suite pmu_migrate_suite = {
	.name = "pcl-pmu-migrate",
	.init = migrate_begin,
	.test_cases = pmu_migrate_cases,
};

kunit_test_suite(pmu_migrate_suite);
