// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: memory events count right on hyper-threads whose processor mixes the threads' counters up.
 *
 * Concepts: errata BJ122, BV98 and HSD29 (the emulator's pmu-smt-leak): an event of codes 0xd0 to 0xd3 loses its counts
 *	to the counter of the same number of the thread beside, if that is on. Two tasks, each on a thread of its own,
 *	run rounds of a known loop and count something of it; both counts are known but for some instructions a round,
 *	and wrong by whole rounds if the kernel lets the two meet on one number.
 * Contexts: root; Intel Sandy Bridge to Haswell, two hyper-threads of one core.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/event.h"

#define N	100000UL	/* iterations of the loop in a round */
#define AROUND	200		/* more of anything than a round does beside the loop */
#define MANY	3		/* events of a thread that do not go together with as many of the other */
#define PATIENCE 4000		/* rounds */

#define LOADS	0x81d0
#define STORES	0x82d0
#define BRANCH	0x00c4

struct side {
	unsigned int cpu, nr;
	uint64_t config;
	unsigned int each;	/* of config, in an iteration */
	struct side *other;
	int fds[MANY];
	volatile bool ready;
	volatile unsigned long rounds;
	uint64_t words[3];	/* count, enabled, running */
};

static void open_events(struct side *side)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_RAW, side->config);
	unsigned int i;

	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (i = 0; i < side->nr; i++)
		side->fds[i] = must_open_self(&attr);
	for (i = 0; i < side->nr; i++)
		event_enable(side->fds[i]);
}

static bool all_have_run(const struct side *side)
{
	uint64_t words[3];
	unsigned int i;

	for (i = 0; i < side->nr; i++) {
		CHECK_EQ(event_read_words(side->fds[i], words, 3), 3);
		if (!words[2])
			return false;
	}
	return true;
}

/* Both go on until each has run so many rounds beside the other. */
static bool enough(const struct side *side)
{
	unsigned long rounds = test_count(10, 3);

	return side->rounds >= rounds && side->other->rounds >= rounds;
}

static void *run_side(void *argument)
{
	struct side *side = argument;
	long p[2];

	pin_to_cpu(side->cpu);
	open_events(side);
	side->ready = true;
	while (!enough(side)) {
		loop_memory(N, p);
		side->rounds++;
	}
	event_disable(side->fds[0]);
	CHECK_EQ(event_read_words(side->fds[0], side->words, 3), 3);
	return NULL;
}

static void check_side(const struct side *side)
{
	unsigned long rounds = side->rounds + test_busted("loop");

	test_note("CPU %u counts %llx: %llu (%llu %llu) in %lu rounds", side->cpu, (unsigned long long)side->config,
		  (unsigned long long)side->words[0], (unsigned long long)side->words[1], (unsigned long long)side->words[2], side->rounds);
	CHECK_EQ(side->words[2], side->words[1]);
	CHECK_RANGE(side->words[0], side->each * N * rounds, (side->each * N + AROUND) * rounds + 10000);
}

static void need_threads(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "r");
	char line[16];

	if (!f || !fgets(line, sizeof(line), f) || strncmp(line, "0-1", 3))
		FAIL("CPUs 0 and 1 are no hyper-threads of one core");
	fclose(f);
}

static const struct {
	uint64_t first, second;
} pairs[] = {
	{ BRANCH, LOADS }, { LOADS, BRANCH }, { LOADS, LOADS }, { STORES, LOADS },
};

static unsigned int per_iteration(uint64_t config)
{
	return config == STORES ? 2 : 1;
}

/* The first counts already when the second comes. */
static void both_threads_count_right(long pair)
{
	struct side sides[2] = {
		{ .cpu = 0, .nr = 1, .config = pairs[pair].first, .each = per_iteration(pairs[pair].first) },
		{ .cpu = 1, .nr = 1, .config = pairs[pair].second, .each = per_iteration(pairs[pair].second) },
	};
	pthread_t threads[2];
	unsigned int i;

	need_threads();
	for (i = 0; i < 2; i++) {
		sides[i].other = &sides[!i];
		CHECK(!pthread_create(&threads[i], NULL, run_side, &sides[i]));
		while (!sides[i].ready)
			sched_yield();
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < 2; i++)
		check_side(&sides[i]);
}

static void *run_many(void *argument)
{
	struct side *side = argument;
	long p[2];

	pin_to_cpu(side->cpu);
	open_events(side);
	side->ready = true;
	while (!side->other->ready)
		loop_memory(N, p);
	while (side->rounds < PATIENCE && !all_have_run(side)) {
		loop_memory(N, p);
		side->rounds++;
	}
	CHECK(all_have_run(side) != test_busted("loop"));
	return NULL;
}

/* More memory events than there are counters for: each comes to run all the same. */
static void neither_thread_starves_the_other(long unused)
{
	struct side sides[2] = {
		{ .cpu = 0, .nr = MANY, .config = LOADS }, { .cpu = 1, .nr = MANY, .config = LOADS },
	};
	pthread_t threads[2];
	unsigned int i;

	(void)unused;
	need_threads();
	for (i = 0; i < 2; i++) {
		sides[i].other = &sides[!i];
		CHECK(!pthread_create(&threads[i], NULL, run_many, &sides[i]));
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static const struct test tests[] = {
	TEST_WITH(both_threads_count_right, "(loads come beside branches)", 0),
	TEST_WITH(both_threads_count_right, "(branches come beside loads)", 1),
	TEST_WITH(both_threads_count_right, "(loads come beside loads)", 2),
	TEST_WITH(both_threads_count_right, "(loads come beside stores)", 3),
	TEST(neither_thread_starves_the_other),
};

int main(void)
{
	return TESTS_RUN(tests);
}
