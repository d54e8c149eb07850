// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: counts and samples of SPARC's driver below the real engine, on each chip.
 *
 * Contexts: process context of a test. Locks: none.
 */
#include <linux/delay.h>

#include "sparc.h"

struct run {
	u64 what, n;
	unsigned int level;
};

static void errand_run(void *data)
{
	const struct run *run = data;

	sparc_task_run(run->what, run->n, run->level);
}

static void run_at(struct kthread_worker *task, u64 what, u64 n, unsigned int level)
{
	struct run run = { what, n, level };

	task_do(task, errand_run, &run);
}

static void run(struct kthread_worker *task, u64 what, u64 n)
{
	run_at(task, what, n, SPARC_LEVEL_USER);
}

static void errand_burst(void *data)
{
	const struct run *run = data;

	sparc_task_burst(run->what, run->n);
}

static void burst(struct kthread_worker *task, u64 what, u64 n)
{
	struct run run = { .what = what, .n = n };

	task_do(task, errand_burst, &run);
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static void counts_are_exact(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SPARC(chip, nr) {
		struct kthread_worker *task = task_make(test, 0), *other = task_make(test, 0);
		struct perf_event *a, *b;

		sparc_test_begin(test, chip.name);
		a = event_open(test, task, chip.a);
		b = event_open(test, task, chip.b);
		run(task, chip.a, 1000);
		run(other, chip.a, 300);
		run(task, chip.b, 70);
		KUNIT_EXPECT_EQ_MSG(test, event_count(a), 1000ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(b), 70ULL, "%s", chip.name);
		perf_event_disable(a);
		run(task, chip.a, 10);
		run(task, chip.b, 1);
		perf_event_enable(a);
		run(task, chip.a, 5);
		KUNIT_EXPECT_EQ_MSG(test, event_count(a), 1005ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(b), 71ULL, "%s", chip.name);
		perf_event_release_kernel(a);
		a = event_open(test, NULL, chip.a);	/* of the CPU, whoever runs there */
		run(task, chip.a, 20);
		run(other, chip.a, 3);
		run(task, chip.b, 2);
		KUNIT_EXPECT_EQ_MSG(test, event_count(a), 23ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(b), 73ULL, "%s", chip.name);
		perf_event_release_kernel(b);
		perf_event_release_kernel(a);
		kthread_destroy_worker(other);
		kthread_destroy_worker(task);
		sparc_test_end(test, chip.name);
	}
}

/* What an event with that attr counts of 30 in user mode, 7 in the kernel, 5 in the hypervisor */
static u64 counted(struct kunit *test, struct kthread_worker *task, const struct sparc_chip *chip,
		   struct perf_event_attr attr)
{
	struct perf_event *event;
	u64 count;

	attr.config = chip->a;
	event = event_open_attr(test, task, attr, NULL, NULL);
	run_at(task, chip->a, 30, SPARC_LEVEL_USER);
	run_at(task, chip->a, 7, SPARC_LEVEL_SYSTEM);
	run_at(task, chip->a, 5, SPARC_LEVEL_HYPER);
	count = event_count(event);
	perf_event_release_kernel(event);
	return count;
}

static void levels_are_told_apart(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SPARC(chip, nr) {
		struct kthread_worker *task = task_make(test, 0);
		u64 hv = chip.hypervisor ? 5 : 0;

		sparc_test_begin(test, chip.name);
#define COUNTED(...)	counted(test, task, &chip, (struct perf_event_attr){ __VA_ARGS__ })
		KUNIT_EXPECT_EQ_MSG(test, COUNTED(), 37 + hv, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, COUNTED(.exclude_hv = 1), 37ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, COUNTED(.exclude_kernel = 1), 30 + hv, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, COUNTED(.exclude_kernel = 1, .exclude_hv = 1), 30ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, COUNTED(.exclude_user = 1, .exclude_hv = 1), 7ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, COUNTED(.exclude_user = 1, .exclude_kernel = 1), hv, "%s", chip.name);
#undef COUNTED
		kthread_destroy_worker(task);
		sparc_test_end(test, chip.name);
	}
}

/* ---- counters wrap ----------------------------------------------------------------------------------------------- */

/* More than a counter holds, without a look at it in between: those of a CPU stay on their counters. */
static void counters_wrap(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr, i;

	FOR_EACH_SAMPLER(chip, nr) {
		struct kthread_worker *task = task_make(test, 0);
		struct perf_event *event;
		u64 chunk = BIT_ULL(29);

		sparc_test_begin(test, chip.name);
		event = event_open(test, NULL, chip.a);
		for (i = 0; i < 20; i++)
			burst(task, chip.a, chunk);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), 20 * chunk, "%s", chip.name);
		KUNIT_EXPECT_GE_MSG(test, sparc_machine_interrupts(), 4U, "%s", chip.name);
		perf_event_release_kernel(event);
		kthread_destroy_worker(task);
		sparc_test_end(test, chip.name);
	}
}

/* UltraSPARC I and II: all. T2, T3: misses of loads in the second level, by erratum 108. */
static const struct {
	const char *chip;
	u64 config;
	const char *loud_chip;		/* what interrupts, to compare with */
	u64 loud;
} silent[] = {
	{ "II", SPARC_BOTH(0), "III", SPARC_BOTH(0) },
	{ "II", SPARC_ALL(0x0c) | SPARC_CONFIG_PIC1, "III", SPARC_ALL(0x0c) | SPARC_CONFIG_PIC1 },
	{ "T2", SPARC_BOTH(0x320), "T2", SPARC_BOTH(0x310) },
	{ "T3", SPARC_BOTH(0x320), "T3", SPARC_BOTH(0x310) },
};

static void errand_look(void *armed)
{
	*(bool *)armed = sparc_machine_look();
}

static bool look(struct kthread_worker *task)
{
	bool armed;

	task_do(task, errand_look, &armed);
	return armed;
}

/* What the timer has folded; nobody looks at the counter for this. */
static u64 folded(struct perf_event *event)
{
	return local64_read(&event->count);
}

static void silent_wraps_are_folded(struct kunit *test)
{
	const u64 chunk = 3 * BIT_ULL(30);
	unsigned int row, i;

	for (row = 0; row < ARRAY_SIZE(silent); row++) {
		struct kthread_worker *task = task_make(test, 0);
		const char *chip = silent[row].chip;
		struct perf_event *event;

		sparc_test_begin(test, chip);
		KUNIT_EXPECT_FALSE_MSG(test, look(task), "%s", chip);
		event = event_open(test, NULL, silent[row].config);
		for (i = 1; i <= 20; i++) {
			burst(task, silent[row].config, chunk);
			KUNIT_EXPECT_TRUE_MSG(test, look(task), "%s", chip);
			KUNIT_EXPECT_EQ_MSG(test, folded(event), i * chunk, "%s", chip);
		}
		run(task, silent[row].config, 3);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), 20 * chunk + 3, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, sparc_machine_interrupts(), 0U, "%s", chip);
		perf_event_release_kernel(event);
		/* The timer ends by itself, at its next look. */
		look(task);
		KUNIT_EXPECT_FALSE_MSG(test, look(task), "%s", chip);
		kthread_destroy_worker(task);
		sparc_test_end(test, chip);
	}
}

/* The same, but that nobody says to the timer when; however long that takes. */
static void the_timer_comes_by_itself(struct kunit *test)
{
	struct kthread_worker *task = task_make(test, 0);
	const u64 chunk = 3 * BIT_ULL(30);
	struct perf_event *event;
	unsigned int i, patience;

	sparc_test_begin(test, "II");
	event = event_open(test, NULL, SPARC_BOTH(0));
	for (i = 1; i <= 2; i++) {
		burst(task, SPARC_BOTH(0), chunk);
		for (patience = 2000; folded(event) < i * chunk && patience; patience--)
			msleep(10);
		KUNIT_EXPECT_EQ(test, folded(event), i * chunk);
	}
	perf_event_release_kernel(event);
	kthread_destroy_worker(task);
	sparc_test_end(test, "II");
}

/* Opens a sampling event on a machine of these chips, and closes it. Returns 0 or the error. */
static int try_sampling(struct kunit *test, const char *chip, u64 config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = config, .sample_period = 100,
	};
	struct perf_event *event;

	sparc_test_begin(test, chip);
	event = perf_event_create_kernel_counter(&attr, 0, NULL, NULL, NULL);
	if (!IS_ERR(event))
		perf_event_release_kernel(event);
	sparc_test_end(test, chip);
	return PTR_ERR_OR_ZERO(event);
}

/* The same attr opens where the counter interrupts; on T2 and T3, where it must not, the event next to it. */
static void what_wraps_in_silence_is_not_sampled(struct kunit *test)
{
	unsigned int row;

	for (row = 0; row < ARRAY_SIZE(silent); row++) {
		KUNIT_EXPECT_EQ_MSG(test, try_sampling(test, silent[row].chip, silent[row].config), -EOPNOTSUPP,
				    "%s", silent[row].chip);
		KUNIT_EXPECT_EQ_MSG(test, try_sampling(test, silent[row].loud_chip, silent[row].loud), 0,
				    "%s", silent[row].loud_chip);
	}
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Two tasks of one CPU, each with a sampling event of its own */
struct two {
	struct kthread_worker *task, *other;
	struct perf_event *event, *beside;
	struct samples samples, others;
};

static void two_begin(struct kunit *test, const struct sparc_chip *chip, struct two *two, u64 period, u64 others_period)
{
	two->task = task_make(test, 0);
	two->other = task_make(test, 0);
	sparc_test_begin(test, chip->name);
	two->event = event_open_sampling(test, two->task, chip->a, period, &two->samples);
	two->beside = event_open_sampling(test, two->other, chip->a, others_period, &two->others);
}

static void two_end(struct kunit *test, const struct sparc_chip *chip, struct two *two)
{
	perf_event_release_kernel(two->beside);
	perf_event_release_kernel(two->event);
	kthread_destroy_worker(two->other);
	kthread_destroy_worker(two->task);
	sparc_test_end(test, chip->name);
}

/* One for each period that is over, in the task whose it is: it sleeps after every seven events, and another runs. */
static void samples_are_exact(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr, i;

	FOR_EACH_SAMPLER(chip, nr) {
		struct two two;

		two_begin(test, &chip, &two, 100, 90);
		for (i = 0; i < 100; i++) {
			run(two.task, chip.a, 7);
			run(two.other, chip.a, 5);
		}
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr, 7U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.periods, 700ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.wrong, 0U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.event), 700ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, two.others.nr, 5U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, two.others.wrong, 0U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.beside), 500ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, sparc_machine_interrupts(), 12U, "%s", chip.name);
		two_end(test, &chip, &two);
	}
}

/* The task is gone when its interrupt comes; its sample is taken at its next event. */
static void a_sample_waits_for_its_task(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SAMPLER(chip, nr) {
		struct perf_event *on_cpu;
		struct two two;

		two_begin(test, &chip, &two, 100, 100);
		task_first(two.task);	/* who comes back before it sleeps has the sample then */
		on_cpu = event_open(test, NULL, chip.b);	/* whose the interrupt may be */
		sparc_machine_hold(true);
		run(two.task, chip.a, 99 - chip.early);
		burst(two.task, chip.a, 1 + chip.early);
		task_rest(two.task);
		sparc_machine_hold(false);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr + two.others.nr, 0U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, sparc_machine_interrupts(), 1U, "%s", chip.name);
		run(two.other, chip.a, 99 - chip.early);
		KUNIT_EXPECT_EQ_MSG(test, two.others.nr, 0U, "%s", chip.name);
		run(two.task, chip.a, 1);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.nr, 1U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.periods, 100ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, two.samples.wrong, 0U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.event), 101ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(two.beside), 99ULL - chip.early, "%s", chip.name);
		perf_event_release_kernel(on_cpu);
		two_end(test, &chip, &two);
	}
}

static void errand_both(void *data)
{
	const struct sparc_chip *chip = data;

	sparc_task_both(chip->a, chip->b);
}

/* One interrupt, and nothing says which counter it was. */
static void two_overflows_at_once_are_two_samples(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr, i;

	FOR_EACH_SAMPLER(chip, nr) {
		struct kthread_worker *task = task_make(test, 0);
		struct samples as, bs;
		struct perf_event *a, *b;

		sparc_test_begin(test, chip.name);
		a = event_open_sampling(test, task, chip.a, 100, &as);
		b = event_open_sampling(test, task, chip.b, 100, &bs);
		for (i = 1; i <= 10; i++) {
			run(task, chip.a, 99 - (i == 1 ? chip.early : 0));
			run(task, chip.b, 99 - (i == 1 ? chip.early : 0));
			KUNIT_EXPECT_EQ_MSG(test, sparc_machine_interrupts(), i - 1, "%s", chip.name);
			task_do(task, errand_both, &chip);
			KUNIT_EXPECT_EQ_MSG(test, sparc_machine_interrupts(), i, "%s", chip.name);
			KUNIT_EXPECT_EQ_MSG(test, as.nr, i, "%s", chip.name);
			KUNIT_EXPECT_EQ_MSG(test, bs.nr, i, "%s", chip.name);
		}
		KUNIT_EXPECT_EQ_MSG(test, as.periods + bs.periods, 2000ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, as.wrong + bs.wrong, 0U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(a), 1000ULL - chip.early, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(b), 1000ULL - chip.early, "%s", chip.name);
		perf_event_release_kernel(b);
		perf_event_release_kernel(a);
		kthread_destroy_worker(task);
		sparc_test_end(test, chip.name);
	}
}

/* A new period begins at once, without a sample (PERF_EVENT_IOC_PERIOD). */
static void a_period_is_set_anew(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SAMPLER(chip, nr) {
		struct kthread_worker *task = task_make(test, 0);
		struct samples samples;
		struct perf_event *event;

		sparc_test_begin(test, chip.name);
		event = event_open_sampling(test, task, chip.a, 1000, &samples);
		run(task, chip.a, 300);
		KUNIT_EXPECT_EQ_MSG(test, perf_event_period(event, 100), 0, "%s", chip.name);
		run(task, chip.a, 99 - chip.early);
		KUNIT_EXPECT_EQ_MSG(test, samples.nr, 0U, "%s", chip.name);
		run(task, chip.a, 1);
		KUNIT_EXPECT_EQ_MSG(test, samples.nr, 1U, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, samples.periods, 100ULL, "%s", chip.name);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), 400ULL - chip.early, "%s", chip.name);
		perf_event_release_kernel(event);
		kthread_destroy_worker(task);
		sparc_test_end(test, chip.name);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(counts_are_exact),
	KUNIT_CASE(levels_are_told_apart),
	KUNIT_CASE(counters_wrap),
	KUNIT_CASE(silent_wraps_are_folded),
	KUNIT_CASE(the_timer_comes_by_itself),
	KUNIT_CASE(what_wraps_in_silence_is_not_sampled),
	KUNIT_CASE(samples_are_exact),
	KUNIT_CASE(a_sample_waits_for_its_task),
	KUNIT_CASE(two_overflows_at_once_are_two_samples),
	KUNIT_CASE(a_period_is_set_anew),
	{ }
};

static struct kunit_suite suite = {
	.name = "pcl-sparc-counts",
	.suite_init = sparc_tests_init,
	.suite_exit = sparc_tests_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
