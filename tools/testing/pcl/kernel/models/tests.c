// SPDX-License-Identifier: GPL-2.0
/*
 * What KUnit's cases of IA-64 share: a machine for each, and what their tasks do there.
 *
 * Concepts: tasks (frame.c) that are to be like programs use the memory of who loaded the module.
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
	int err;

	memory = get_task_mm(current);
	if (!memory)
		return -EINVAL;
	err = ia64_around_begin();
	if (err)
		mmput(memory);
	return err;
}

void tests_exit(struct kunit_suite *suite)
{
	ia64_around_end();
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
