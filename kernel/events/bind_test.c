// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: who has a slot, and which.
 *
 * A slot belongs to the leaders that are bound in it: who leads no group, or is bound nowhere, points to none, so that
 * nobody looks into a slot that has gone with its PMU or its task. What a leader or a hardware member leaves behind
 * goes to the slot where it belongs, and counts on.
 */
#include "internal.h"
#include "made_up_test.h"

static const bool on_cpu, on_task = true;

static void expect_in_slot_of(struct kunit *test, struct perf_event *leader, struct pmu *pmu)
{
	KUNIT_ASSERT_NOT_NULL(test, leader->slot);
	KUNIT_EXPECT_PTR_EQ(test, leader->slot->pmu, pmu);
	KUNIT_EXPECT_PTR_EQ(test, leader->slot->ctx, leader->ctx);
	KUNIT_EXPECT_EQ(test, (int)leader->state, (int)PERF_EVENT_STATE_ACTIVE);
}

/* A group of two, and each of them when the PMU is gone: neither has a slot, neither takes a member. */
static void group_of_a_gone_pmu(struct kunit *test, bool where)
{
	struct perf_event *leader = made_up_member(test, made_up_attr(), where, NULL);
	struct perf_event *sibling = made_up_member(test, made_up_attr(), where, leader);
	struct pcl_target target = { .task = where ? current : NULL, .cpu = where ? -1 : 0 };
	struct perf_event *members[] = { leader, sibling }, *joining;
	struct perf_event_attr attr = made_up_software();
	struct perf_event_context *ctx = leader->ctx;
	int i;

	KUNIT_EXPECT_PTR_EQ(test, sibling->slot, (struct pcl_slot *)NULL);
	perf_pmu_unregister(&made_up_pmu);
	for (i = 0; i < ARRAY_SIZE(members); i++) {
		KUNIT_EXPECT_PTR_EQ(test, members[i]->group_leader, members[i]);
		KUNIT_EXPECT_PTR_EQ(test, members[i]->slot, (struct pcl_slot *)NULL);
		if (members[i]->slot)
			continue;	/* it points to what is no more: go no further */
		joining = pcl_event_alloc(&attr, &target, members[i], NULL, NULL, NULL, NULL);
		KUNIT_ASSERT_FALSE(test, IS_ERR(joining));
		mutex_lock(&ctx->mutex);
		KUNIT_EXPECT_EQ(test, pcl_bind_prepare(joining, ctx), -ENODEV);
		mutex_unlock(&ctx->mutex);
		pcl_event_put(joining);
	}
	perf_event_release_kernel(sibling);
	perf_event_release_kernel(leader);
}

static void bind_to_a_gone_group_of_a_cpu(struct kunit *test)
{
	group_of_a_gone_pmu(test, on_cpu);
}

static void bind_to_a_gone_group_of_a_task(struct kunit *test)
{
	group_of_a_gone_pmu(test, on_task);
}

/* One event is on there, and comes off when its context does if it @moves. */
static void expect_alone(struct kunit *test, struct perf_event *event, bool moves)
{
	KUNIT_EXPECT_EQ(test, (int)event->state, (int)PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, event->slot->nr_active, 1U);
	KUNIT_EXPECT_EQ(test, event->slot->nr_moving, (unsigned int)moves);
	KUNIT_EXPECT_EQ(test, event->slot->nr_flexible_active, 1U);
}

/* What a hardware leader leaves behind waits for no counter. */
static void bind_sibling_goes_to_its_own_slot(struct kunit *test)
{
	struct perf_event *leader = made_up_member(test, made_up_attr(), on_task, NULL);
	struct perf_event *software = made_up_member(test, made_up_software(), on_task, leader);
	struct perf_event *hardware = made_up_member(test, made_up_attr(), on_task, leader);

	perf_event_release_kernel(leader);
	expect_in_slot_of(test, software, software->pmu);
	expect_in_slot_of(test, hardware, &made_up_pmu);
	expect_alone(test, software, false);
	expect_alone(test, hardware, true);
	perf_event_release_kernel(software);
	perf_event_release_kernel(hardware);
	perf_pmu_unregister(&made_up_pmu);
}

static void group_of_both(struct kunit *test, struct perf_event *group[3])
{
	group[0] = made_up_member(test, made_up_software(), on_task, NULL);
	expect_in_slot_of(test, group[0], group[0]->pmu);
	group[1] = made_up_member(test, made_up_attr(), on_task, group[0]);
	expect_in_slot_of(test, group[0], &made_up_pmu);
	group[2] = made_up_member(test, made_up_software(), on_task, group[0]);
	expect_in_slot_of(test, group[0], &made_up_pmu);
}

static void expect_at_home(struct kunit *test, struct perf_event *group[3])
{
	expect_in_slot_of(test, group[0], group[0]->pmu);
	KUNIT_EXPECT_EQ(test, group[0]->group_caps & PERF_EV_CAP_SOFTWARE, PERF_EV_CAP_SOFTWARE);
	KUNIT_EXPECT_EQ(test, (int)group[2]->state, (int)PERF_EVENT_STATE_ACTIVE);
	KUNIT_EXPECT_EQ(test, group[0]->nr_siblings, 1);
}

/* Without its hardware member a group is one of software events again. */
static void bind_group_returns_when_its_hardware_is_closed(struct kunit *test)
{
	struct perf_event *group[3];

	group_of_both(test, group);
	perf_event_release_kernel(group[1]);
	expect_at_home(test, group);
	perf_event_release_kernel(group[0]);
	perf_event_release_kernel(group[2]);
	perf_pmu_unregister(&made_up_pmu);
}

static void bind_group_returns_when_its_hardware_goes(struct kunit *test)
{
	struct perf_event *group[3];

	group_of_both(test, group);
	perf_pmu_unregister(&made_up_pmu);
	expect_at_home(test, group);
	perf_event_release_kernel(group[0]);
	perf_event_release_kernel(group[1]);
	perf_event_release_kernel(group[2]);
}

/* A leader overflows for the last time while its group is tried and does not fit: it is off, and the walk goes on. */
static void bind_leader_disabled_while_it_is_tried(struct kunit *test)
{
	struct perf_event *leader = made_up_open(test, on_task, true);
	struct perf_event *sibling = made_up_member(test, made_up_attr(), on_task, leader);
	struct perf_event *behind = made_up_open(test, on_task, true);

	made_up_calls.refused = sibling;
	perf_event_enable(leader);
	perf_event_enable(behind);
	KUNIT_EXPECT_EQ(test, (int)leader->state, (int)PERF_EVENT_STATE_INACTIVE);
	made_up_calls.disables = true;
	perf_pmu_resched(&made_up_pmu);
	KUNIT_EXPECT_EQ(test, (int)leader->state, (int)PERF_EVENT_STATE_OFF);
	KUNIT_EXPECT_TRUE(test, list_empty(&leader->group.entry));
	KUNIT_EXPECT_EQ(test, behind->slot->flexible.nr, 1U);
	expect_in_slot_of(test, behind, &made_up_pmu);

	made_up_calls.refused = NULL;
	perf_event_enable(leader);
	expect_in_slot_of(test, leader, &made_up_pmu);
	perf_event_release_kernel(behind);
	perf_event_release_kernel(sibling);
	perf_event_release_kernel(leader);
	perf_pmu_unregister(&made_up_pmu);
}

static struct kunit_case bind_cases[] = {
	KUNIT_CASE(bind_to_a_gone_group_of_a_cpu),
	KUNIT_CASE(bind_to_a_gone_group_of_a_task),
	KUNIT_CASE(bind_sibling_goes_to_its_own_slot),
	KUNIT_CASE(bind_group_returns_when_its_hardware_is_closed),
	KUNIT_CASE(bind_group_returns_when_its_hardware_goes),
	KUNIT_CASE(bind_leader_disabled_while_it_is_tried),
	{ }
};

static struct kunit_suite bind_suite = {
	.name = "pcl-bind",
	.init = made_up_begin,
	.test_cases = bind_cases,
};

kunit_test_suite(bind_suite);
