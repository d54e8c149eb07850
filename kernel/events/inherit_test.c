// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: a PMU goes while a task is being made.
 *
 * Between perf_event_init_task() and the moment when fork makes the new task known, nobody finds it by way of the list
 * of tasks, but its context has slots and events of the PMU. A task that is only memory stands for it here.
 */
#include "internal.h"
#include "made_up_test.h"

/* The current task's @nr events, inherited by a task that is being made. */
static struct task_struct *forking(struct kunit *test, struct perf_event **events, int nr)
{
	struct perf_event_attr attr;
	struct task_struct *task;
	int i;

	for (i = 0; i < nr; i++) {
		attr = i ? made_up_software() : made_up_attr();
		attr.inherit = 1;
		events[i] = made_up_member(test, attr, true, NULL);
	}
	task = made_up_task(test);
	KUNIT_ASSERT_NOT_NULL(test, pcl_context_own(task));
	KUNIT_ASSERT_EQ(test, pcl_context_own(task)->nr_events, (unsigned int)nr);
	return task;
}

static bool has_slot_of_no_pmu(struct task_struct *task)
{
	struct pcl_slot *slot;

	list_for_each_entry(slot, &pcl_context_own(task)->slots, entry) {
		if (!slot->pmu->cpus)
			return true;
	}
	return false;
}

/* As its first switch-in and its last switch-out would do it. */
static void load_once(struct task_struct *task)
{
	struct perf_event_context *ctx = pcl_context_own(task), *mine;
	struct pcl_cpu *cpu;

	local_irq_disable();
	mine = this_cpu_ptr(&pcl_cpus)->task_ctx;
	if (mine) {
		cpu = pcl_cpu_lock(mine);
		pcl_sched_unload(cpu, mine);
		pcl_cpu_unlock(cpu, mine);
	}
	cpu = pcl_cpu_lock(ctx);
	pcl_sched_load(cpu, ctx);
	pcl_sched_unload(cpu, ctx);
	pcl_cpu_unlock(cpu, ctx);
	if (mine) {
		cpu = pcl_cpu_lock(mine);
		pcl_sched_load(cpu, mine);
		pcl_cpu_unlock(cpu, mine);
	}
	local_irq_enable();
}

static void fork_then(struct kunit *test, bool runs)
{
	struct perf_event *events[2];
	struct task_struct *task = forking(test, events, ARRAY_SIZE(events));
	u64 enabled, running;
	bool clean;

	perf_pmu_unregister(&made_up_pmu);
	/* The copy has left its original, so nothing waits for the original's end. */
	clean = list_empty(&events[0]->child_list) && !has_slot_of_no_pmu(task);
	KUNIT_EXPECT_TRUE(test, list_empty(&events[0]->child_list));
	KUNIT_EXPECT_FALSE(test, has_slot_of_no_pmu(task));
	KUNIT_EXPECT_FALSE(test, list_empty(&events[1]->child_list));
	KUNIT_EXPECT_EQ(test, atomic_read(&made_up_calls.destroyed), 2);
	/* Nothing that was counted is lost. */
	KUNIT_EXPECT_EQ(test, perf_event_read_value(events[0], &enabled, &running),
			(u64)MADE_UP_WORTH * atomic_read(&made_up_calls.deleted));
	if (runs && clean)
		load_once(task);

	perf_event_release_kernel(events[0]);
	if (!clean)
		perf_event_release_kernel(events[1]);
	made_up_task_end(test, task);
	if (clean)
		perf_event_release_kernel(events[1]);
}

static void fork_then_the_new_task_runs(struct kunit *test)
{
	fork_then(test, true);
}

static void fork_then_it_fails(struct kunit *test)
{
	fork_then(test, false);
}

static struct kunit_case inherit_cases[] = {
	KUNIT_CASE(fork_then_the_new_task_runs),
	KUNIT_CASE(fork_then_it_fails),
	{ }
};

static struct kunit_suite inherit_suite = {
	.name = "pcl-inherit",
	.init = made_up_begin,
	.test_cases = inherit_cases,
};

kunit_test_suite(inherit_suite);
