// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: SPARC's counters shared by tasks, and by more events than there are counters, below the real engine.
 *
 * Groups are opened by the system call, by the thread that runs the test, for itself; it borrows the memory of who
 * loaded the module for that.
 *
 * Contexts: process context of a test. Locks: none.
 */
#include <linux/completion.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/kprobes.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

#include "sparc.h"

/* ---- two tasks --------------------------------------------------------------------------------------------------- */

#define ROUNDS 40

/* What one of two tasks does, then it is the other's turn. Both events happen to both. */
struct turns {
	struct kthread_work work;
	u64 a, b;
	unsigned int nr_a;
	struct completion *mine, *next;
};

static void take_turns(struct kthread_work *work)
{
	struct turns *turns = container_of(work, struct turns, work);
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		if (turns->mine)
			wait_for_completion(turns->mine);
		sparc_task_run(turns->a, turns->nr_a + i % 5, SPARC_LEVEL_USER);
		sparc_task_run(turns->b, 2, SPARC_LEVEL_USER);
		if (turns->next)
			complete(turns->next);
	}
}

/* Both at once on CPU 0; they hand it over after each round, or (@race) whenever the scheduler says so. */
static void check_two_tasks(struct kunit *test, const struct sparc_chip *chip, bool race)
{
	DECLARE_COMPLETION_ONSTACK(first_turn);
	DECLARE_COMPLETION_ONSTACK(second_turn);
	struct turns turns[2] = {
		{ .a = chip->a, .b = chip->b, .nr_a = 3, .mine = &first_turn, .next = &second_turn },
		{ .a = chip->a, .b = chip->b, .nr_a = 11, .mine = &second_turn, .next = &first_turn },
	};
	struct kthread_worker *tasks[2];
	struct perf_event *as[2], *bs[2];
	unsigned int i;

	sparc_test_begin(test, chip->name);
	for (i = 0; i < 2; i++) {
		tasks[i] = task_make(test, 0);
		as[i] = event_open(test, tasks[i], chip->a);
		bs[i] = event_open(test, tasks[i], chip->b);
		if (race)
			turns[i].mine = turns[i].next = NULL;
		kthread_init_work(&turns[i].work, take_turns);
	}
	for (i = 0; i < 2; i++)
		kthread_queue_work(tasks[i], &turns[i].work);
	complete(&first_turn);
	for (i = 0; i < 2; i++)
		kthread_flush_work(&turns[i].work);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ_MSG(test, event_count(as[i]), ROUNDS * (turns[i].nr_a + 2ULL), "%s: task %u",
				    chip->name, i);
		KUNIT_EXPECT_EQ_MSG(test, event_count(bs[i]), ROUNDS * 2ULL, "%s: task %u", chip->name, i);
		perf_event_release_kernel(bs[i]);
		perf_event_release_kernel(as[i]);
		kthread_destroy_worker(tasks[i]);
	}
	sparc_test_end(test, chip->name);
}

static void each_task_keeps_its_own_counts(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SPARC(chip, nr)
		check_two_tasks(test, &chip, false);
}

static void so_it_does_when_they_race(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SPARC(chip, nr)
		check_two_tasks(test, &chip, true);
}

/* From CPU to CPU, each with registers of its own */
static void errand_wander(void *what)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		set_cpus_allowed_ptr(current, cpumask_of(i % 2));
		sparc_task_run(*(const u64 *)what, 7, SPARC_LEVEL_USER);
	}
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static void a_task_goes_from_cpu_to_cpu(struct kunit *test)
{
	struct sparc_chip chip;
	unsigned int nr;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	FOR_EACH_SPARC(chip, nr) {
		struct kthread_worker *task = task_make(test, -1);
		struct perf_event *event;

		sparc_test_begin(test, chip.name);
		event = event_open(test, task, chip.a);
		task_do(task, errand_wander, &chip.a);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), ROUNDS * 7ULL, "%s", chip.name);
		perf_event_release_kernel(event);
		kthread_destroy_worker(task);
		sparc_test_end(test, chip.name);
	}
}

/* ---- more events than counters ----------------------------------------------------------------------------------- */

#define COUNTERS	4
#define SINGLES		(COUNTERS + 1)

struct load {
	u64 what, total;
	struct perf_event **events;
};

/* Each of them has counted some, and missed some. */
static bool all_have_shared(const struct load *load)
{
	unsigned int i;

	for (i = 0; i < SINGLES; i++) {
		u64 count = event_count(load->events[i]);

		if (!count || count == load->total)
			return false;
	}
	return true;
}

static void errand_load(void *data)
{
	struct load *load = data;

	do {
		sparc_task_run(load->what, 100, SPARC_LEVEL_USER);
		load->total += 100;
		cond_resched();
	} while (!all_have_shared(load) && load->total < 100000000);
}

static void find_t4(struct kunit *test, struct sparc_chip *chip)
{
	unsigned int nr = 0;

	while (sparc_chip(nr, chip) && chip->pics != COUNTERS)
		nr++;
	KUNIT_ASSERT_EQ(test, chip->pics, (unsigned int)COUNTERS);
}

/* T4: four of five count whatever happens, and none is left out. */
static void a_fifth_shares_four_counters(struct kunit *test)
{
	struct perf_event *events[SINGLES];
	struct load load = { .events = events };
	struct kthread_worker *task = task_make(test, 0);
	u64 enabled, running, count, sum = 0;
	struct sparc_chip chip;
	unsigned int i;

	find_t4(test, &chip);
	sparc_test_begin(test, chip.name);
	load.what = chip.a;
	for (i = 0; i < SINGLES; i++)
		events[i] = event_open(test, task, chip.a);
	task_do(task, errand_load, &load);
	for (i = 0; i < SINGLES; i++) {
		count = perf_event_read_value(events[i], &enabled, &running);
		KUNIT_EXPECT_GT(test, count, 0ULL);
		KUNIT_EXPECT_LT(test, count, load.total);
		KUNIT_EXPECT_LT(test, running, enabled);
		sum += count;
	}
	KUNIT_EXPECT_EQ(test, sum, COUNTERS * load.total);
	for (i = 0; i < SINGLES; i++)
		perf_event_release_kernel(events[i]);
	kthread_destroy_worker(task);
	sparc_test_end(test, chip.name);
}

static void errand_run_at_both(void *what)
{
	sparc_task_run(*(const u64 *)what, 30, SPARC_LEVEL_USER);
	sparc_task_run(*(const u64 *)what, 7, SPARC_LEVEL_SYSTEM);
}

/* T4: at once, and without taking turns. */
static void four_count_at_their_own_levels(struct kunit *test)
{
	struct perf_event_attr attrs[COUNTERS] = {
		{ }, { .exclude_user = 1 }, { .exclude_kernel = 1 }, { .exclude_user = 1, .exclude_kernel = 1 },
	};
	static const u64 expected[COUNTERS] = { 37, 7, 30, 0 };
	struct kthread_worker *task = task_make(test, 0);
	struct perf_event *events[COUNTERS];
	u64 enabled, running;
	struct sparc_chip chip;
	unsigned int i;

	find_t4(test, &chip);
	sparc_test_begin(test, chip.name);
	for (i = 0; i < COUNTERS; i++) {
		attrs[i].config = chip.a;
		events[i] = event_open_attr(test, task, attrs[i], NULL, NULL);
	}
	task_do(task, errand_run_at_both, &chip.a);
	for (i = 0; i < COUNTERS; i++) {
		KUNIT_EXPECT_EQ_MSG(test, perf_event_read_value(events[i], &enabled, &running), expected[i],
				    "event %u", i);
		KUNIT_EXPECT_EQ_MSG(test, running, enabled, "event %u", i);
		perf_event_release_kernel(events[i]);
	}
	kthread_destroy_worker(task);
	sparc_test_end(test, chip.name);
}

static void errand_run_1000(void *what)
{
	sparc_task_run(*(const u64 *)what, 1000, SPARC_LEVEL_USER);
}

static void four_overflows_at_once_are_four_samples(struct kunit *test)
{
	struct kthread_worker *task = task_make(test, 0);
	struct perf_event *events[COUNTERS];
	struct samples samples[COUNTERS];
	struct sparc_chip chip;
	unsigned int i;

	find_t4(test, &chip);
	sparc_test_begin(test, chip.name);
	for (i = 0; i < COUNTERS; i++)
		events[i] = event_open_sampling(test, task, chip.a, 100, &samples[i]);
	task_do(task, errand_run_1000, &chip.a);
	KUNIT_EXPECT_EQ(test, sparc_machine_interrupts(), 10U);
	for (i = 0; i < COUNTERS; i++) {
		KUNIT_EXPECT_EQ(test, samples[i].nr, 10U);
		KUNIT_EXPECT_EQ(test, samples[i].wrong, 0U);
		KUNIT_EXPECT_EQ(test, event_count(events[i]), 1000ULL);
		perf_event_release_kernel(events[i]);
	}
	kthread_destroy_worker(task);
	sparc_test_end(test, chip.name);
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static struct mm_struct *memory;
static asmlinkage long (*open_call)(const struct pt_regs *regs);

static int suite_init(struct kunit_suite *suite)
{
	struct kprobe finder = { .symbol_name = "__x64_sys_perf_event_open" };
	int err;

	err = register_kprobe(&finder);
	if (err)
		return err;
	open_call = (void *)finder.addr;
	unregister_kprobe(&finder);
	memory = get_task_mm(current);
	return memory ? sparc_tests_init(suite) : -EINVAL;
}

static void suite_exit(struct kunit_suite *suite)
{
	sparc_tests_exit(suite);
	mmput(memory);
}

/* perf_event_open(attr, 0, -1, group, 0) by a program whose memory has a page at @page */
static int open_member(unsigned long page, struct perf_event_attr attr, int group)
{
	struct pt_regs regs = { .di = page, .si = 0, .dx = -1, .r10 = group, .r8 = 0 };

	attr.type = PERF_TYPE_RAW;
	attr.size = sizeof(attr);
	if (copy_to_user((void __user *)page, &attr, sizeof(attr)))
		return -EFAULT;
	return open_call(&regs);
}

#define MEMBERS_MOST	(COUNTERS + 1)

/*
 * Opens a group of @nr and expects the last to be refused, and then what the others count of 30 in user mode and 7 in
 * the kernel, without ever waiting for a counter.
 */
static void check_group(struct kunit *test, const char *chip, u64 what, const struct perf_event_attr *attrs,
			const u64 *expected, unsigned int nr)
{
	struct file *files[MEMBERS_MOST];
	int fds[MEMBERS_MOST];
	u64 enabled, running;
	unsigned long page;
	unsigned int i;

	sparc_test_begin(test, chip);
	kthread_use_mm(memory);
	page = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, 0);
	for (i = 0; i < nr; i++)
		fds[i] = open_member(page, attrs[i], i ? fds[0] : -1);
	vm_munmap(page, PAGE_SIZE);
	kthread_unuse_mm(memory);
	KUNIT_EXPECT_EQ_MSG(test, fds[nr - 1], -EINVAL, "%s", chip);
	for (i = 0; i < nr; i++) {
		files[i] = fds[i] < 0 ? NULL : close_fd_get_file(fds[i]);
		KUNIT_EXPECT_EQ_MSG(test, !files[i], i == nr - 1, "%s: member %u: %d", chip, i, fds[i]);
	}
	errand_run_at_both(&what);
	for (i = 0; i < nr; i++) {
		if (!files[i])
			continue;
		KUNIT_EXPECT_EQ_MSG(test, perf_event_read_value(files[i]->private_data, &enabled, &running),
				    expected[i], "%s: member %u", chip, i);
		KUNIT_EXPECT_EQ_MSG(test, running, enabled, "%s: member %u", chip, i);
	}
	/* A thread of the kernel would leave that to another. */
	for (i = 0; i < nr; i++) {
		if (files[i])
			__fput_sync(files[i]);
	}
	sparc_test_end(test, chip);
}

static void a_fifth_is_no_member(struct kunit *test)
{
	struct perf_event_attr attrs[MEMBERS_MOST] = {
		{ }, { .exclude_user = 1 }, { .exclude_kernel = 1 }, { }, { },
	};
	static const u64 expected[MEMBERS_MOST] = { 37, 7, 30, 37 };
	struct sparc_chip chip;
	unsigned int i;

	find_t4(test, &chip);
	for (i = 0; i < MEMBERS_MOST; i++)
		attrs[i].config = chip.a;
	check_group(test, chip.name, chip.a, attrs, expected, MEMBERS_MOST);
}

/* Up to T3 both counters count at the same levels. */
static void members_of_other_levels_are_refused(struct kunit *test)
{
	struct perf_event_attr attrs[2] = { { }, { .exclude_user = 1 } };
	static const u64 expected[2] = { 37 };
	struct sparc_chip chip;
	unsigned int nr;

	FOR_EACH_SPARC(chip, nr) {
		if (chip.pics == COUNTERS)
			continue;
		attrs[0].config = chip.a;
		attrs[1].config = chip.b;
		check_group(test, chip.name, chip.a, attrs, expected, 2);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_task_keeps_its_own_counts),
	KUNIT_CASE(so_it_does_when_they_race),
	KUNIT_CASE(a_task_goes_from_cpu_to_cpu),
	KUNIT_CASE(a_fifth_shares_four_counters),
	KUNIT_CASE(four_count_at_their_own_levels),
	KUNIT_CASE(four_overflows_at_once_are_four_samples),
	KUNIT_CASE(a_fifth_is_no_member),
	KUNIT_CASE(members_of_other_levels_are_refused),
	{ }
};

static struct kunit_suite suite = {
	.name = "pcl-sparc-tasks",
	.suite_init = suite_init,
	.suite_exit = suite_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
