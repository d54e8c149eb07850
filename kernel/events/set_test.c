// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: members of a set come and go. Tasks that are only memory stand for those that fork makes.
 */
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "internal.h"
#include "made_up_test.h"

#define MEMBERS 6

struct family {
	struct perf_event *events[2];
	struct task_struct *tasks[MEMBERS];
};

/* The current task's events, as if it had opened them: what the kernel opens for itself is not shared. */
static void family_open(struct kunit *test, struct family *family)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(family->events); i++) {
		struct perf_event_attr attr = i ? made_up_software() : made_up_attr();

		attr.inherit = 1;
		family->events[i] = made_up_member(test, attr, true, NULL);
		family->events[i]->owner = current;
	}
}

static struct task_struct *task_make(struct kunit *test)
{
	struct task_struct *task = kzalloc(sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, task);
	refcount_set(&task->usage, 1);
	KUNIT_ASSERT_EQ(test, perf_event_init_task(task, 0), 0);
	return task;
}

static void task_free(struct kunit *test, struct task_struct *task)
{
	perf_event_free_task(task);
	KUNIT_EXPECT_EQ(test, refcount_read(&task->usage), 1);
	kfree(task);
}

static void family_make(struct kunit *test, struct family *family)
{
	unsigned int i;

	family_open(test, family);
	for (i = 0; i < MEMBERS; i++)
		family->tasks[i] = task_make(test);
}

static void family_free(struct kunit *test, struct family *family)
{
	unsigned int i;

	for (i = 0; i < MEMBERS; i++)
		task_free(test, family->tasks[i]);
	for (i = 0; i < ARRAY_SIZE(family->events); i++)
		perf_event_release_kernel(family->events[i]);
	perf_pmu_unregister(&made_up_pmu);
}

static unsigned int nr_copies(struct perf_event *event)
{
	struct list_head *entry;
	unsigned int nr = 0;

	list_for_each(entry, &event->child_list)
		nr++;
	return nr;
}

static struct perf_event_context *loaded(void)
{
	struct perf_event_context *ctx;

	preempt_disable();
	ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	preempt_enable();
	return ctx;
}

static void set_is_one_for_all_members(struct kunit *test)
{
	struct family family;
	struct pcl_set *set;
	unsigned int i;

	family_make(test, &family);
	set = rcu_access_pointer(current->perf_event_set);
	KUNIT_ASSERT_NOT_NULL(test, set);
	for (i = 0; i < MEMBERS; i++) {
		KUNIT_EXPECT_PTR_EQ(test, rcu_access_pointer(family.tasks[i]->perf_event_set), set);
		KUNIT_EXPECT_NULL(test, pcl_context_own(family.tasks[i]));
	}
	/* As many copies as can run at once, and no more. */
	KUNIT_EXPECT_EQ(test, set->nr_instances, min_t(unsigned int, MEMBERS + 1, num_possible_cpus()));
	for (i = 0; i < ARRAY_SIZE(family.events); i++)
		KUNIT_EXPECT_EQ(test, nr_copies(family.events[i]), set->nr_instances);
	KUNIT_EXPECT_EQ(test, refcount_read(&set->members), (unsigned int)MEMBERS + 1);
	family_free(test, &family);
}

/* Whoever opened the events leaves, and another set comes with the next fork; the old one ends with its last member. */
static void set_is_left_with_the_home_context(struct kunit *test)
{
	struct perf_event_context *home;
	struct task_struct *later;
	struct family family;
	struct pcl_set *set;
	unsigned int nr;

	family_make(test, &family);
	set = rcu_access_pointer(current->perf_event_set);
	home = pcl_context_own(current);
	KUNIT_ASSERT_NOT_NULL(test, set);
	mutex_lock(&home->mutex);
	pcl_set_reclaim(home);
	mutex_unlock(&home->mutex);
	KUNIT_EXPECT_NULL(test, rcu_access_pointer(current->perf_event_set));
	KUNIT_EXPECT_NULL(test, home->set);
	KUNIT_EXPECT_PTR_EQ(test, loaded(), home);
	KUNIT_EXPECT_EQ(test, refcount_read(&set->members), (unsigned int)MEMBERS);

	nr = nr_copies(family.events[0]);
	later = task_make(test);
	KUNIT_EXPECT_PTR_NE(test, rcu_access_pointer(later->perf_event_set), set);
	KUNIT_EXPECT_PTR_EQ(test, rcu_access_pointer(later->perf_event_set),
			    rcu_access_pointer(current->perf_event_set));
	KUNIT_EXPECT_EQ(test, nr_copies(family.events[0]), nr + min_t(unsigned int, 2, num_possible_cpus()));
	task_free(test, later);
	family_free(test, &family);
}

/* The last member is not the one that opened the events: what was counted is in them. */
static void set_end_gives_counts_to_originals(struct kunit *test)
{
	struct perf_event_context *home, *instance;
	struct family family;
	u64 enabled, running, before;
	unsigned int i;

	family_make(test, &family);
	home = pcl_context_own(current);
	instance = rcu_access_pointer(current->perf_event_set)->mould;
	mutex_lock(&home->mutex);
	pcl_set_reclaim(home);
	mutex_unlock(&home->mutex);
	local64_add(1000, &list_first_entry(&instance->event_list, struct perf_event, event_entry)->count);
	before = perf_event_read_value(family.events[0], &enabled, &running);
	KUNIT_EXPECT_GE(test, before, 1000ULL);
	for (i = 0; i < MEMBERS; i++) {
		task_free(test, family.tasks[i]);
		KUNIT_EXPECT_EQ(test, nr_copies(family.events[0]) == 0, i == MEMBERS - 1);
	}
	KUNIT_EXPECT_GE(test, perf_event_read_value(family.events[0], &enabled, &running), before);
	for (i = 0; i < ARRAY_SIZE(family.events); i++)
		perf_event_release_kernel(family.events[i]);
	perf_pmu_unregister(&made_up_pmu);
}

/* The driver goes while contexts float: their slots of it go, and what else they hold stays. */
static void set_loses_a_pmu(struct kunit *test)
{
	struct family family;
	unsigned int i;

	family_make(test, &family);
	perf_pmu_unregister(&made_up_pmu);
	KUNIT_EXPECT_EQ(test, nr_copies(family.events[0]), 0U);
	KUNIT_EXPECT_NE(test, nr_copies(family.events[1]), 0U);
	for (i = 0; i < MEMBERS; i++)
		task_free(test, family.tasks[i]);
	perf_event_release_kernel(family.events[0]);
	perf_event_release_kernel(family.events[1]);
}

static struct kunit_case set_cases[] = {
	KUNIT_CASE(set_is_one_for_all_members),
	KUNIT_CASE(set_is_left_with_the_home_context),
	KUNIT_CASE(set_end_gives_counts_to_originals),
	KUNIT_CASE(set_loses_a_pmu),
	{ }
};

static struct kunit_suite set_suite = {
	.name = "pcl-set",
	.init = made_up_begin,
	.test_cases = set_cases,
};

kunit_test_suite(set_suite);
