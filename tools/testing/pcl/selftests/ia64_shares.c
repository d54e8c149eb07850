// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what a group of events gets of an Itanium's counters beside single ones, where a rule lets one of them count at
 *	a time.
 *
 * Concepts: as in ia64.c. That single events share fairly under each rule, models/tasks_test.c shows; groups are for
 *	programs alone. With instructions as the clock (--icount) a run is the same every time.
 * Contexts: root; one CPU; in boots whose emulator has no PMU (pmu-half=1).
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "lib/itanium.h"

#define SINGLES	3
#define ENABLED_AND_RUNNING (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* Sets of events of the level 1 data cache, one of which can be counted at a time: two of one set, and one of each other */
static const uint64_t pair[2] = { CODE_OF(0xc0), CODE_OF(0xc1) };
static const uint64_t singles[SINGLES] = { CODE_OF(0xc4), CODE_OF(0xca), CODE_OF(0xcd) };

struct counted {
	uint64_t count, enabled, running;
};

static struct counted read_one(int fd)
{
	struct counted counted;

	CHECK_EQ(event_read_words(fd, (uint64_t *)&counted, 3), 3);
	return counted;
}

static int open_one(uint64_t config, int leader)
{
	struct perf_event_attr attr = raw(config);

	attr.read_format = ENABLED_AND_RUNNING;
	return must_open(&attr, 0, -1, leader);
}

static void set_slice(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms", "w");

	CHECK(f && fputs("1", f) >= 0 && !fclose(f));
}

/* All of it at the same rate, for 100 slices and more */
static uint64_t do_all(void)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC), rounds;
	int i;

	for (rounds = 0; clock_ns(CLOCK_MONOTONIC) - begin < 200 * 1000000ULL; rounds++) {
		for (i = 0; i < 2; i++)
			order(IA64_ORDER_USER, pair[i], 1);
		for (i = 0; i < SINGLES; i++)
			order(IA64_ORDER_USER, singles[i], 1);
	}
	return rounds;
}

/* Opened before the others, or after them. */
static void check_group(long nr, bool first)
{
	int group[2] = { -1, -1 }, single[SINGLES], i;
	struct counted counted[2], each;
	uint64_t rounds;

	machine_begin(&chips[nr]);
	set_slice();
	for (i = 0; i < 2 && first; i++)
		group[i] = open_one(pair[i], i ? group[0] : -1);
	for (i = 0; i < SINGLES; i++)
		single[i] = open_one(singles[i], -1);
	for (i = 0; i < 2 && !first; i++)
		group[i] = open_one(pair[i], i ? group[0] : -1);
	rounds = do_all();
	for (i = 0; i < 2; i++)
		counted[i] = read_one(group[i]);
	/* The second was read later, and opened later: that is no more than a slice. */
	test_note("the group: running %.1f %%", 100.0 * counted[0].running / counted[0].enabled);
	if (test_busted("unfair"))
		counted[0].running += counted[0].running / 4;
	CHECK_RANGE(counted[1].running, counted[0].running - 2000000, counted[0].running + 2000000);
	for (i = 0; i < SINGLES + 2; i++) {
		each = i < 2 ? counted[i] : read_one(single[i - 2]);
		test_note("event %d: %llu of %llu, running %.1f %%", i, (unsigned long long)each.count,
			  (unsigned long long)rounds, 100.0 * each.running / each.enabled);
		/* A quarter of the time each, and of what happens but for the beginning of each slice, which is the driver's */
		CHECK_RANGE(each.running, each.enabled * 22 / 100, each.enabled * 28 / 100);
		CHECK_RANGE(each.count * each.enabled / each.running, rounds * 90 / 100, rounds * 110 / 100);
	}
	for (i = 0; i < SINGLES; i++)
		close(single[i]);
	for (i = 2; i--; )
		close(group[i]);
	machine_end();
}

static void a_group_has_its_share(long nr)
{
	if (cpus_online() > 1)
		test_skip("for one CPU with instructions as its clock");
	check_group(nr, true);
	check_group(nr, false);
}

static const struct test tests[] = {
	TEST_WITH(a_group_has_its_share, "(McKinley)", MCKINLEY),
	TEST_WITH(a_group_has_its_share, "(Madison)", MADISON),
	TEST_WITH(a_group_has_its_share, "(Montecito)", MONTECITO),
	TEST_WITH(a_group_has_its_share, "(Montvale)", MONTVALE),
};

/*
 * Where instructions are the clock, a machine that waits for its host, as for the module's file, jumps to its next timer,
 * and that is the bound of the test. So it is never idle.
 */
static pid_t stay_awake(void)
{
	const struct sched_param none = { 0 };
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sched_setscheduler(0, SCHED_IDLE, &none))
		_exit(1);
	for (;;)
		;
}

int main(void)
{
	pid_t awake = stay_awake();
	int status = TESTS_RUN(tests);

	kill(awake, SIGKILL);
	return status;
}
