// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit: IA-64's counters shared by tasks, and by events that stand in each other's way, below the real engine.
 *
 * Contexts: process context of a test. Locks: none.
 */
#include <linux/completion.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>

#include "ia64.h"

#define CODE_OF(es)		((es) << 8)
#define EVENT_OF(es, umask)	(CODE_OF(es) | (umask) << 16)
#define EAR_OF(es, latency)	(CODE_OF(es) | (u64)(latency) << 40)
#define TLB_OF(es, levels)	(EAR_OF(es, levels) | (u64)IA64_EAR_TLB << 34)

/*
 * Events of which those of one row can be counted together, and those of two cannot. On Itanium 2 and Montecito they
 * are sets of the level 1 data cache's; on Merced, which has no sets, pairs for its two narrow counters.
 */
static const struct {
	const char *chip;
	u32 first[2], second[2];
} sets[] = {
	{ "Merced", { CODE_OF(0x08), CODE_OF(0x2d) }, { CODE_OF(0x30), CODE_OF(0x31) } },
	{ "McKinley", { CODE_OF(0xc0), CODE_OF(0xc1) }, { CODE_OF(0xc4), CODE_OF(0xc5) } },
	{ "Madison", { CODE_OF(0xcd), CODE_OF(0xcf) }, { CODE_OF(0xd0), CODE_OF(0xd1) } },
	{ "Montecito", { CODE_OF(0xc0), CODE_OF(0xc2) }, { CODE_OF(0xc4), CODE_OF(0xc7) } },
	{ "Montvale", { CODE_OF(0xcd), CODE_OF(0xce) }, { CODE_OF(0xd0), CODE_OF(0xd2) } },
};

/* ---- two tasks --------------------------------------------------------------------------------------------------- */

#define ROUNDS 40

/* What one of two tasks does: events of its own set and of the other's, then it is the other's turn. */
struct turns {
	const u32 *own, *others;
	struct completion *mine, *next;
};

static void errand_take_turns(void *data)
{
	struct turns *turns = data;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		if (turns->mine)
			wait_for_completion(turns->mine);
		ia64_task_run(turns->own[0], 3 + i % 5, IA64_LEVEL_USER);
		ia64_task_run(turns->others[0], 11, IA64_LEVEL_USER);
		ia64_task_run(turns->own[1], 2, IA64_LEVEL_USER);
		ia64_task_run(turns->others[1], 1 + i % 3, IA64_LEVEL_USER);
		if (turns->next)
			complete(turns->next);
	}
}

struct errand {
	struct kthread_work work;
	struct turns turns;
};

static void take_turns(struct kthread_work *work)
{
	errand_take_turns(&container_of(work, struct errand, work)->turns);
}

/* Both at once on CPU 0; they hand it over after each round, or (@race) whenever the scheduler says so. */
static void check_two_tasks(struct kunit *test, unsigned int row, bool race)
{
	DECLARE_COMPLETION_ONSTACK(first_turn);
	DECLARE_COMPLETION_ONSTACK(second_turn);
	struct kthread_worker *tasks[2];
	struct perf_event *events[2][2];
	struct errand errands[2] = {
		{ .turns = { sets[row].first, sets[row].second, &first_turn, &second_turn } },
		{ .turns = { sets[row].second, sets[row].first, &second_turn, &first_turn } },
	};
	unsigned int i;

	test_begin(test, sets[row].chip);
	for (i = 0; i < 2; i++) {
		tasks[i] = task_make(test, 0);
		events[i][0] = event_open(test, tasks[i], errands[i].turns.own[0]);
		events[i][1] = event_open(test, tasks[i], errands[i].turns.own[1]);
		if (race)
			errands[i].turns.mine = errands[i].turns.next = NULL;
		kthread_init_work(&errands[i].work, take_turns);
	}
	for (i = 0; i < 2; i++)
		kthread_queue_work(tasks[i], &errands[i].work);
	complete(&first_turn);
	for (i = 0; i < 2; i++)
		kthread_flush_work(&errands[i].work);
	for (i = 0; i < 2; i++) {
		KUNIT_EXPECT_EQ_MSG(test, event_count(events[i][0]), ROUNDS * 5ULL, "%s: task %u", sets[row].chip, i);
		KUNIT_EXPECT_EQ_MSG(test, event_count(events[i][1]), ROUNDS * 2ULL, "%s: task %u", sets[row].chip, i);
		perf_event_release_kernel(events[i][1]);
		perf_event_release_kernel(events[i][0]);
		kthread_destroy_worker(tasks[i]);
	}
	test_end(test, sets[row].chip);
}

static void each_task_keeps_its_own_counts(struct kunit *test)
{
	unsigned int row;

	for (row = 0; row < ARRAY_SIZE(sets); row++)
		check_two_tasks(test, row, false);
}

static void so_it_does_when_they_race(struct kunit *test)
{
	unsigned int row;

	for (row = 0; row < ARRAY_SIZE(sets); row++)
		check_two_tasks(test, row, true);
}

/* From CPU to CPU, each with registers of its own */
static void errand_wander(void *what)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		set_cpus_allowed_ptr(current, cpumask_of(i % 2));
		ia64_task_run(*(const u32 *)what, 7, IA64_LEVEL_USER);
	}
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static void a_task_goes_from_cpu_to_cpu(struct kunit *test)
{
	unsigned int row;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	for (row = 0; row < ARRAY_SIZE(sets); row++) {
		struct kthread_worker *task = task_make(test, -1);
		u32 what = sets[row].first[0];
		struct perf_event *event;

		test_begin(test, sets[row].chip);
		event = event_open(test, task, what);
		task_do(task, errand_wander, &what);
		KUNIT_EXPECT_EQ_MSG(test, event_count(event), ROUNDS * 7ULL, "%s", sets[row].chip);
		perf_event_release_kernel(event);
		kthread_destroy_worker(task);
		test_end(test, sets[row].chip);
	}
}

/* ---- shares ------------------------------------------------------------------------------------------------------ */

#define SHARERS	4
#define SLICES	200

/* Settings of the branch buffer, of which no two are alike; ranges, and opcodes, that have what is done here: at 0, of 0 */
#define BRANCH_SETTINGS	{ PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY, PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_ANY, \
			  PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY_RETURN, \
			  PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_ANY_RETURN }
#define OR_BRANCHES	{ 0, 0, PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY, \
			  PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_ANY }
#define FETCHES		(INSTRUCTIONS | IA64_CONFIG_IRANGE)
#define ACCESSES	(CODE_OF(0xcd) | IA64_CONFIG_DRANGE)
#define RANGE_ENDS	{ 0x1000, 0x2000, 0x4000, 0x8000 }
#define NARROW_OPCODES	{ IA64_MATCH_TYPES | BIT(3), IA64_MATCH_TYPES | BIT(4), IA64_MATCH_TYPES | BIT(5), \
			  IA64_MATCH_TYPES | BIT(6) }

/*
 * Events of which so many can be there at a time, and what there are no more of.
 */
static const struct shares {
	const char *chip, *rule;
	unsigned int at_once;
	u64 configs[SHARERS];
	u64 config1[SHARERS], config2[SHARERS];
	u64 branches[SHARERS];		/* of events with branch stacks: their branch_sample_type */
} shares[] = {
	{ "Merced", "two counters for four", 2, { CODE_OF(0x08), CODE_OF(0x2d), CODE_OF(0x30), CODE_OF(0x31) } },
	{ "Merced", "a setting of the data unit", 1, { EAR_OF(0x67, 0), EAR_OF(0x67, 1), EAR_OF(0x67, 2), EAR_OF(0x67, 3) } },
	{ "McKinley", "a set", 1, { CODE_OF(0xc0), CODE_OF(0xc4), CODE_OF(0xca), CODE_OF(0xcd) } },
	{ "Madison", "a set", 1, { CODE_OF(0xcd), CODE_OF(0xd0), CODE_OF(0xca), CODE_OF(0xc0) } },
	/* The anchor's unit mask is that of all of its set. */
	{ "McKinley", "a unit mask", 1, { EVENT_OF(0xb8, 1), EVENT_OF(0xb8, 2), EVENT_OF(0xb8, 4), EVENT_OF(0xb8, 5) } },
	{ "McKinley", "a counter", 1, { EVENT_OF(0xb4, 0), EVENT_OF(0xb4, 1), EVENT_OF(0xb4, 2), EVENT_OF(0xb4, 4) } },
	{ "Madison", "one of three", 1, { EVENT_OF(0xa0, 0), EVENT_OF(0xa8, 0), EVENT_OF(0xac, 0), EVENT_OF(0xa0, 4) } },
	{ "Montecito", "a set", 1, { CODE_OF(0xc0), CODE_OF(0xc4), CODE_OF(0xca), CODE_OF(0xcd) } },
	{ "Montvale", "a set", 1, { CODE_OF(0xcd), CODE_OF(0xd0), CODE_OF(0xca), CODE_OF(0xc0) } },
	{ "Montecito", "two wires", 2, { EVENT_OF(0xe4, 0), EVENT_OF(0xe6, 1), EVENT_OF(0xe8, 0), EVENT_OF(0xea, 0) } },
	{ "Montecito", "a unit mask of each wire", 2,
	  { EVENT_OF(0xea, 0), EVENT_OF(0xea, 1), EVENT_OF(0xea, 4), EVENT_OF(0xea, 5) } },
	{ "Montvale", "one of two", 1, { EVENT_OF(0xe0, 0), EVENT_OF(0xe2, 0), EVENT_OF(0xe0, 1), EVENT_OF(0xe2, 1) } },
	{ "Montecito", "a setting of the data unit", 1,
	  { EAR_OF(0xc8, 0), EAR_OF(0xc8, 1), EAR_OF(0xc8, 2), EAR_OF(0xc8, 3) } },
	{ "Merced", "a setting of the fetch unit", 1,
	  { EAR_OF(0x23, 0), EAR_OF(0x23, 1), EAR_OF(0x23, 2), EAR_OF(0x23, 3) } },
	{ "Madison", "a setting of the fetch unit", 1,
	  { EAR_OF(0x43, 0xff), EAR_OF(0x43, 0xfe), EAR_OF(0x43, 0xfc), EAR_OF(0x43, 0xf8) } },
	{ "Montvale", "a setting of the fetch unit", 1,
	  { EAR_OF(0x43, 0xff), EAR_OF(0x43, 0xfe), EAR_OF(0x43, 0xfc), EAR_OF(0x43, 0xf8) } },
	{ "McKinley", "a setting of the branch buffer", 1, { INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS },
	  .branches = BRANCH_SETTINGS },
	{ "Montecito", "a setting of the branch buffer", 1, { INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS },
	  .branches = BRANCH_SETTINGS },
	{ "Madison", "the buffer, or misses of a TLB", 1,
	  { TLB_OF(0xc8, 2), TLB_OF(0xc8, 4), INSTRUCTIONS, INSTRUCTIONS }, .branches = OR_BRANCHES },
	{ "Montecito", "the buffer, or misses of a TLB", 1,
	  { TLB_OF(0xc8, 2), TLB_OF(0xc8, 4), INSTRUCTIONS, INSTRUCTIONS }, .branches = OR_BRANCHES },
	{ "Montvale", "the buffer of branches, or of bundles", 1,
	  { INSTRUCTIONS | IA64_CONFIG_IP_EAR, INSTRUCTIONS | IA64_CONFIG_IP_EAR | BIT_ULL(49), INSTRUCTIONS, INSTRUCTIONS },
	  .branches = OR_BRANCHES },
	{ "Merced", "a range of instructions", 1, { FETCHES, FETCHES, FETCHES, FETCHES }, .config2 = RANGE_ENDS },
	{ "McKinley", "a range of instructions", 1, { FETCHES, FETCHES, FETCHES, FETCHES }, .config2 = RANGE_ENDS },
	{ "Montvale", "a range of instructions", 1, { FETCHES, FETCHES, FETCHES, FETCHES }, .config2 = RANGE_ENDS },
	{ "Madison", "a range of data", 1, { ACCESSES, ACCESSES, ACCESSES, ACCESSES }, .config2 = RANGE_ENDS },
	{ "Merced", "an opcode matcher", 1,
	  { EVENT_OF(0x08, 3), EVENT_OF(0x08, 3), EVENT_OF(0x08, 3), EVENT_OF(0x08, 3) }, .config1 = NARROW_OPCODES },
	{ "Madison", "an opcode matcher", 1, { INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS },
	  .config1 = NARROW_OPCODES },
	{ "Montecito", "an opcode matcher", 1, { INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS, INSTRUCTIONS },
	  .config1 = { IA64_MATCH_WIDE_TYPES, IA64_MATCH_WIDE_TYPES, IA64_MATCH_WIDE_TYPES, IA64_MATCH_WIDE_TYPES },
	  .config2 = { 1, 2, 4, 8 } },
};

struct load {
	const struct shares *row;
	u64 total;		/* of each */
	u64 took, stall;	/* ns: in all; longest between two events */
};

/* What happens, as far as counters tell: all but what is recorded of it */
static u32 kind_of(u64 config)
{
	return config & 0xfff00;
}

/* Events of all kinds at the same rate, until there were slices enough. */
static void errand_load(void *data)
{
	struct load *load = data;
	u64 begin = local_clock(), before = begin, now;
	unsigned int i;

	do {
		for (i = 0; i < SHARERS; i++)
			ia64_task_run(kind_of(load->row->configs[i]), 1, IA64_LEVEL_USER);
		ia64_task_run(CYCLES, 1, IA64_LEVEL_USER);
		load->total++;
		cond_resched();
		now = local_clock();
		load->stall = max(load->stall, now - before);
		before = now;
	} while (now - begin < SLICES * NSEC_PER_MSEC);
	load->took = now - begin;
}

/* How many of it there are in a round */
static unsigned int rate_of(const struct shares *row, unsigned int i)
{
	unsigned int other, nr = 0;

	for (other = 0; other < SHARERS; other++)
		nr += kind_of(row->configs[other]) == kind_of(row->configs[i]);
	return nr;
}

/* Event @i of the row. Who wants branches, or bundles, is sampled, but not within this test. */
static struct perf_event *open_sharer(struct kunit *test, struct kthread_worker *task, const struct shares *row, unsigned int i)
{
	struct perf_event_attr attr = {
		.config = row->configs[i], .config1 = row->config1[i], .config2 = row->config2[i],
	};

	if (row->branches[i] || (row->configs[i] & IA64_CONFIG_IP_EAR))
		attr.sample_period = BIT_ULL(40);
	if (row->branches[i]) {
		attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = row->branches[i];
	}
	return event_open_attr(test, task, attr, NULL, NULL);
}

/*
 * All get the same share, within a slice and what a busy host makes of one, and what each counts is what happened in its
 * share.
 */
static void check_shares(struct kunit *test, const struct shares *row)
{
	struct load load = { .row = row };
	struct perf_event *events[SHARERS], *always;
	u64 enabled, running, count, least = U64_MAX, most = 0, sum = 0, slack;
	struct kthread_worker *task = task_make(test, 0);
	unsigned int i;

	test_begin(test, row->chip);
	for (i = 0; i < SHARERS; i++)
		events[i] = open_sharer(test, task, row, i);
	always = event_open(test, task, CYCLES);
	task_do(task, errand_load, &load);
	slack = 2 * (NSEC_PER_MSEC + load.stall);
	for (i = 0; i < SHARERS; i++) {
		u64 total = load.total * rate_of(row, i);
		s64 expected;

		count = perf_event_read_value(events[i], &enabled, &running);
		least = min(least, running);
		most = max(most, running);
		sum += running;
		/* Events are as many in each ns, but for a stall. */
		expected = div64_u64(total * running, enabled);
		KUNIT_EXPECT_LE_MSG(test, abs((s64)count - expected),
				    (s64)(total / 20 + div64_u64(total * 2 * load.stall, load.took)),
				    "%s, %s: event %u counts %llu of %llu, running %llu of %llu", row->chip, row->rule, i, count,
				    total, running, enabled);
	}
	KUNIT_EXPECT_LE_MSG(test, most - least, slack, "%s, %s", row->chip, row->rule);
	/* As many as can always run. */
	KUNIT_EXPECT_GE_MSG(test, sum + slack, row->at_once * enabled, "%s, %s", row->chip, row->rule);
	KUNIT_EXPECT_LE_MSG(test, sum, row->at_once * enabled + slack, "%s, %s", row->chip, row->rule);
	/* Who needs none of what is scarce always does. */
	count = perf_event_read_value(always, &enabled, &running);
	KUNIT_EXPECT_EQ_MSG(test, count, load.total, "%s, %s", row->chip, row->rule);
	KUNIT_EXPECT_EQ_MSG(test, running, enabled, "%s, %s", row->chip, row->rule);
	perf_event_release_kernel(always);
	for (i = 0; i < SHARERS; i++)
		perf_event_release_kernel(events[i]);
	kthread_destroy_worker(task);
	test_end(test, row->chip);
}

static void rules_share_fairly(struct kunit *test)
{
	unsigned int row;

	if (num_online_cpus() > 1)
		kunit_skip(test, "needs one CPU whose time is its instructions, kunit/run --icount");
	for (row = 0; row < ARRAY_SIZE(shares); row++)
		check_shares(test, &shares[row]);
}

/* ---- what is not to be seen ----------------------------------------------------------------------------------------- */

struct look {
	struct kunit *test;
	const char *chip;
	struct perf_event *own;		/* may be read, or NULL */
	u64 counted;			/* by it */
	unsigned int nr_hidden;		/* out: registers that hold something that is not seen */
};

/* All counters as the task sees them: its own says what it counted, all others 0. */
static void errand_look(void *data)
{
	struct look *look = data;
	unsigned long flags;
	unsigned int nr;

	look->nr_hidden = 0;
	for (nr = IA64_FIRST_COUNTER; nr < IA64_COUNTERS; nr++) {
		bool own = false;
		s64 since = 0;
		u64 seen;

		/* At once: a switch in between would fold and reload it, or bring it elsewhere. */
		local_irq_save(flags);
		seen = ia64_task_read(nr);
		if (look->own)
			own = look->own->hw.idx == nr;
		if (own)
			since = ((seen - local64_read(&look->own->hw.prev_count)) & ia64_count_mask(ia64_machine.family)) +
				local64_read(&look->own->count);
		local_irq_restore(flags);
		if (!(ia64_machine.family->counters & BIT(nr)))
			continue;
		if (own) {
			KUNIT_EXPECT_EQ_MSG(look->test, since, (s64)look->counted, "%s: PMD%u", look->chip, nr);
			continue;
		}
		KUNIT_EXPECT_EQ_MSG(look->test, seen, 0ULL, "%s: PMD%u", look->chip, nr);
		look->nr_hidden += ia64_task_peek(nr) != 0;
	}
}

static void errand_up(void *up)
{
	ia64_task_set_up(up);
}

static struct perf_event *open_up(struct kunit *test, struct kthread_worker *task, u64 config)
{
	struct perf_event *event = event_open(test, task, config | IA64_CONFIG_UP);

	/* Once on a counter, it may be started. */
	task_do(task, errand_up, (void *)1);
	return event;
}

/* One task's counters are not seen by another that runs on them, nor by one that has others; it sees its own. */
static void no_task_reads_anothers_counters(struct kunit *test)
{
	const char *chip;
	unsigned int nr;

	FOR_EACH_CHIP(chip, nr) {
		struct kthread_worker *first = task_make(test, 0), *second = task_make(test, 0);
		struct perf_event *own, *beside, *hidden, *theirs;
		struct run run = { CYCLES, 123 };
		struct look look = { .test = test, .chip = chip };

		test_begin(test, chip);
		task_do(first, errand_have_memory, NULL);
		task_do(second, errand_have_memory, NULL);
		own = open_up(test, first, CYCLES);
		beside = open_up(test, first, CYCLES);
		hidden = event_open(test, first, CYCLES);
		task_do(first, errand_run, &run);
		/* The second has no event: but let it be one that may look, as one that had. */
		theirs = open_up(test, second, INSTRUCTIONS);
		perf_event_release_kernel(theirs);
		task_do(second, errand_look, &look);
		KUNIT_EXPECT_GE_MSG(test, look.nr_hidden, 3U, "%s", chip);
		/* Then with one of its own */
		theirs = event_open(test, second, INSTRUCTIONS | IA64_CONFIG_UP);
		run = (struct run){ INSTRUCTIONS, 45 };
		task_do(second, errand_run, &run);
		look.own = theirs;
		look.counted = 45;
		task_do(second, errand_look, &look);
		KUNIT_EXPECT_GE_MSG(test, look.nr_hidden, 2U, "%s", chip);
		/* The first one's are what they were, and it does not see the one that only the kernel may. */
		perf_event_release_kernel(beside);
		look.own = own;
		look.counted = 123;
		task_do(first, errand_look, &look);
		KUNIT_EXPECT_EQ_MSG(test, event_count(hidden), 123ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(theirs), 45ULL, "%s", chip);
		/* Each has its own gate. */
		task_do(second, errand_up, NULL);
		task_do(second, errand_run, &run);
		run = (struct run){ CYCLES, 7 };
		task_do(first, errand_run, &run);
		KUNIT_EXPECT_EQ_MSG(test, event_count(theirs), 45ULL, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, event_count(own), 130ULL, "%s", chip);
		perf_event_release_kernel(theirs);
		perf_event_release_kernel(hidden);
		perf_event_release_kernel(own);
		task_do(second, errand_drop_memory, NULL);
		task_do(first, errand_drop_memory, NULL);
		kthread_destroy_worker(second);
		kthread_destroy_worker(first);
		test_end(test, chip);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_task_keeps_its_own_counts),
	KUNIT_CASE(so_it_does_when_they_race),
	KUNIT_CASE(a_task_goes_from_cpu_to_cpu),
	KUNIT_CASE(rules_share_fairly),
	KUNIT_CASE(no_task_reads_anothers_counters),
	{ }
};

static struct kunit_suite suite = {
	.name = "pcl-ia64-tasks",
	.suite_init = tests_init,
	.suite_exit = tests_exit,
	.test_cases = cases,
};

kunit_test_suite(suite);
