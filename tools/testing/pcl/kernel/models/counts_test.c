// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: counts and samples of IA-64's driver below the real engine, on each chip.
 *
 * Contexts: process context of a test. Locks: none.
 */
#include "ia64.h"

static void run(struct kthread_worker *task, u32 what, u64 n)
{
	struct run run = { what, n };

	task_do(task, errand_run, &run);
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static void counts_are_exact(struct kunit *test)
{
	const char *chip;
	unsigned int nr;

	FOR_EACH_CHIP(chip, nr) {
		struct kthread_worker *task = task_make(test, 0), *other = task_make(test, 0);
		struct perf_event *cycles, *instructions, *on_cpu;

		test_begin(test, chip);
		cycles = event_open(test, task, CYCLES);
		instructions = event_open(test, task, INSTRUCTIONS);
		on_cpu = event_open(test, NULL, CYCLES);
		run(task, CYCLES, 1000);
		run(other, CYCLES, 300);
		run(task, INSTRUCTIONS, 70);
		KUNIT_EXPECT_EQ_MSG(test, event_count(cycles), 1000ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(instructions), 70ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(on_cpu), 1300ULL, "%s", chip);
		perf_event_disable(cycles);
		run(task, CYCLES, 10);
		perf_event_enable(cycles);
		run(task, CYCLES, 5);
		KUNIT_EXPECT_EQ_MSG(test, event_count(cycles), 1005ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(on_cpu), 1315ULL, "%s", chip);
		perf_event_release_kernel(on_cpu);
		perf_event_release_kernel(instructions);
		perf_event_release_kernel(cycles);
		kthread_destroy_worker(other);
		kthread_destroy_worker(task);
		test_end(test, chip);
	}
}

static void errand_run_at_both(void *unused)
{
	ia64_task_run(CYCLES, 30, IA64_LEVEL_USER);
	ia64_task_run(CYCLES, 7, IA64_LEVEL_KERNEL);
}

static void levels_are_told_apart(struct kunit *test)
{
	const char *chip;
	unsigned int nr;

	FOR_EACH_CHIP(chip, nr) {
		struct perf_event_attr attr = { .config = CYCLES, .exclude_kernel = 1 };
		struct kthread_worker *task = task_make(test, 0);
		struct perf_event *both, *user, *kernel;

		test_begin(test, chip);
		both = event_open(test, task, CYCLES);
		user = event_open_attr(test, task, attr, NULL, NULL);
		attr = (struct perf_event_attr){ .config = CYCLES, .exclude_user = 1 };
		kernel = event_open_attr(test, task, attr, NULL, NULL);
		task_do(task, errand_run_at_both, NULL);
		KUNIT_EXPECT_EQ_MSG(test, event_count(both), 37ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(user), 30ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(kernel), 7ULL, "%s", chip);
		perf_event_release_kernel(kernel);
		perf_event_release_kernel(user);
		perf_event_release_kernel(both);
		kthread_destroy_worker(task);
		test_end(test, chip);
	}
}

static void errand_burst(void *n)
{
	ia64_task_burst(CYCLES, *(u64 *)n);
}

/* More events than the narrowest counter holds, in steps that each of them can take; the task sleeps in between. */
static void counters_wrap(struct kunit *test)
{
	const char *chip;
	unsigned int nr;

	FOR_EACH_CHIP(chip, nr) {
		struct kthread_worker *task = task_make(test, 0);
		struct perf_event *event;
		u64 chunk;
		int i;

		test_begin(test, chip);
		chunk = BIT_ULL(ia64_machine.family->width - 3);
		event = event_open(test, task, CYCLES);
		for (i = 0; i < 20; i++)
			task_do(task, errand_burst, &chunk);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), 20 * chunk, "%s", chip);
		perf_event_release_kernel(event);
		kthread_destroy_worker(task);
		test_end(test, chip);
	}
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Two tasks of one CPU, each with a sampling event of its own */
struct two {
	struct kthread_worker *task, *other;
	struct perf_event *event, *beside;
	struct samples samples, others;
};

static void two_begin(struct kunit *test, const char *chip, struct two *two, u64 period, u64 others_period)
{
	two->task = task_make(test, 0);
	two->other = task_make(test, 0);
	test_begin(test, chip);
	two->event = event_open_sampling(test, two->task, CYCLES, period, &two->samples);
	two->beside = event_open_sampling(test, two->other, CYCLES, others_period, &two->others);
}

static void two_end(struct kunit *test, const char *chip, struct two *two)
{
	perf_event_release_kernel(two->beside);
	perf_event_release_kernel(two->event);
	kthread_destroy_worker(two->other);
	kthread_destroy_worker(two->task);
	test_end(test, chip);
}

/* One for each period that is over, in the task whose it is: it sleeps after every seven events, and another runs. */
static void samples_are_exact(struct kunit *test)
{
	const char *chip;
	unsigned int nr, i;

	FOR_EACH_CHIP(chip, nr) {
		struct two two;

		two_begin(test, chip, &two, 100, 90);
		for (i = 0; i < 100; i++) {
			run(two.task, CYCLES, 7);
			run(two.other, CYCLES, 5);
		}
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr, 7U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.periods, 700ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.wrong, 0U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.in_kernel, 7ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.event), 700ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, two.others.nr, 5U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.beside), 500ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, ia64_machine_interrupts(), 12U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, ia64_machine_unclaimed(), 0U, "%s", chip);
		two_end(test, chip, &two);
	}
}

static void errand_interrupt(void *unused)
{
	ia64_machine_interrupt();
}

/* The task is gone when its interrupt comes, which then is nobody's; its sample is taken at its next event. */
static void a_sample_waits_for_its_task(struct kunit *test)
{
	const char *chip;
	unsigned int nr;

	FOR_EACH_CHIP(chip, nr) {
		struct two two;

		two_begin(test, chip, &two, 100, 100);
		task_first(two.task);	/* who comes back before it sleeps has the sample then */
		ia64_machine_hold(true);
		run(two.task, CYCLES, 100);
		task_rest(two.task);
		task_do(two.other, errand_interrupt, NULL);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr + two.others.nr, 0U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, ia64_machine_unclaimed(), 1U, "%s", chip);
		ia64_machine_hold(false);
		run(two.other, CYCLES, 99);
		KUNIT_EXPECT_EQ_MSG(test, two.others.nr, 0U, "%s", chip);
		run(two.task, CYCLES, 1);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr, 1U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.periods, 100ULL, "%s", chip);
		run(two.task, CYCLES, 98);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr, 1U, "%s", chip);
		run(two.task, CYCLES, 1);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr, 2U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.wrong, 0U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.event), 200ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.beside), 99ULL, "%s", chip);
		two_end(test, chip, &two);
	}
}

/* A new period begins at once, without a sample (PERF_EVENT_IOC_PERIOD). */
static void a_period_is_set_anew(struct kunit *test)
{
	const char *chip;
	unsigned int nr;

	FOR_EACH_CHIP(chip, nr) {
		struct kthread_worker *task = task_make(test, 0);
		struct samples samples;
		struct perf_event *event;

		test_begin(test, chip);
		event = event_open_sampling(test, task, CYCLES, 1000, &samples);
		run(task, CYCLES, 300);
		KUNIT_EXPECT_EQ_MSG(test, perf_event_period(event, 100), 0, "%s", chip);
		run(task, CYCLES, 99);
		KUNIT_EXPECT_EQ_MSG(test, samples.nr, 0U, "%s", chip);
		run(task, CYCLES, 1);
		KUNIT_EXPECT_EQ_MSG(test, samples.nr, 1U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, samples.periods, 100ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), 400ULL, "%s", chip);
		perf_event_release_kernel(event);
		kthread_destroy_worker(task);
		test_end(test, chip);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(counts_are_exact),
	KUNIT_CASE(levels_are_told_apart),
	KUNIT_CASE(counters_wrap),
	KUNIT_CASE(samples_are_exact),
	KUNIT_CASE(a_sample_waits_for_its_task),
	KUNIT_CASE(a_period_is_set_anew),
	{ }
};

static struct kunit_suite suite = {
	.name = "pcl-ia64-counts",
	.suite_init = tests_init,
	.suite_exit = tests_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
