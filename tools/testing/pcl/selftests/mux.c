// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: more events than counters: shares are equal, scaled counts are true.
 *
 * Concepts: eight events that need the four general counters of a Skylake, on a loop whose rates do not change. With
 *	instructions as the clock (--icount) a run is the same every time. Orders of creation differ; what an event gets
 *	may not depend on them. On another CPU, PCL_ALIKE says how many general counters it has, and all events are
 *	one that every such CPU knows; groups keep their sizes, and those that are too large are refused.
 * Contexts: root; one CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "lib/event.h"

#define NR_EVENTS	8
#define SLICE_MS	"1"
#define SLICES		150UL
#define NS_PER_SLICE	1000000UL	/* and so instructions */
#define ENABLED_AND_RUNNING (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* Raw events of Skylake (Intel's event list for it) and what one iteration of loop_memory() adds. */
static const struct {
	uint64_t config;
	unsigned int each;
} kinds[] = {
	{ 0x00c4, 1 },	/* BR_INST_RETIRED.ALL_BRANCHES, architectural */
	{ 0x82d0, 2 },	/* MEM_INST_RETIRED.ALL_STORES */
	{ 0x01c4, 1 },	/* BR_INST_RETIRED.CONDITIONAL */
	{ 0x81d0, 1 },	/* MEM_INST_RETIRED.ALL_LOADS */
	{ 0x20c4, 1 },	/* BR_INST_RETIRED.NEAR_TAKEN */
};

/* An order of creation: the kind of each event; a group ends where an 'end' digit is 1. Its members run together. */
struct order {
	const char *kinds, *ends;
	bool stock_is_unfair;	/* its rotation lets the first that fit run again and again */
};

static const struct order orders[] = {
	{ "01234012", "11111111", false },
	{ "43210432", "11111111", false },
	{ "00000000", "11111111", false },
	{ "11112222", "11111111", false },
	{ "01234012", "01010101", false },	/* four pairs */
	{ "01233012", "00010001", false },	/* two groups of four */
	{ "01230123", "00011111", true },	/* a large group first */
	{ "01230123", "11110001", true },	/* a large group last */
	{ "01230123", "00100101", false },	/* three, three, two */
};

struct counted {
	uint64_t count, enabled, running;
};

static void set_slice(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms", "w");

	CHECK(f && fputs(SLICE_MS, f) >= 0 && !fclose(f));
}

/* The general counters of a CPU whose events are all alike; 0 for a Skylake. */
static int nr_alike(void)
{
	return getenv("PCL_ALIKE") ? counters_alike() : 0;
}

/* The attr of an order's event @i, and what one iteration adds to it. */
static struct perf_event_attr attr_in_order(const struct order *order, int i, unsigned int *each)
{
	unsigned int kind = order->kinds[i] - '0';

	*each = nr_alike() ? ARCH_GENERAL_EACH : kinds[kind].each;
	return nr_alike() ? event_attr(ARCH_GENERAL) : event_attr(PERF_TYPE_RAW, kinds[kind].config);
}

/* The size of the largest group. */
static int largest_group(const struct order *order)
{
	int i, size = 0, largest = 0;

	for (i = 0; i < NR_EVENTS; i++) {
		size++;
		largest = size > largest ? size : largest;
		if (order->ends[i] == '1')
			size = 0;
	}
	return largest;
}

/* As many members as there are counters, and one more. */
static void a_large_group_is_refused(void)
{
	struct perf_event_attr attr = event_attr(ARCH_GENERAL);
	int i, leader = must_open_self(&attr), fit = nr_alike() - test_busted("unfair");

	attr.disabled = 0;	/* else it may never run, and does not matter */
	for (i = 1; i < fit; i++)
		must_open(&attr, 0, -1, leader);
	CHECK_ERRNO(event_open(&attr, 0, -1, leader, 0), EINVAL);
}

static void open_in_order(const struct order *order, int fds[NR_EVENTS])
{
	int i, leader = -1;

	for (i = 0; i < NR_EVENTS; i++) {
		unsigned int each;
		struct perf_event_attr attr = attr_in_order(order, i, &each);

		attr.read_format = ENABLED_AND_RUNNING;
		attr.disabled = leader < 0;
		fds[i] = must_open(&attr, 0, -1, leader);
		if (order->ends[i] == '1')
			leader = -1;
		else if (leader < 0)
			leader = fds[i];
	}
}

static void read_all(const int fds[NR_EVENTS], struct counted counted[NR_EVENTS])
{
	int i;

	for (i = 0; i < NR_EVENTS; i++)
		CHECK_EQ(event_read_words(fds[i], (uint64_t *)&counted[i], 3), 3);
}

/*
 * At the loop's beginning and at its end. Those that are enabled first run, and count nothing, while the kernel enables
 * the others: on the debug kernel that takes a good part of a slice.
 */
static void count_in_order(const struct order *order, unsigned long n, struct counted before[NR_EVENTS],
			   struct counted after[NR_EVENTS])
{
	int fds[NR_EVENTS];
	static long memory[2];

	open_in_order(order, fds);
	CHECK(!prctl(PR_TASK_PERF_EVENTS_ENABLE));
	read_all(fds, before);
	loop_memory(n, memory);
	CHECK(!prctl(PR_TASK_PERF_EVENTS_DISABLE));
	read_all(fds, after);
}

/* Within @percent of @want. */
static void check_near(const char *what, int event, double got, double want, double percent)
{
	if (got < want * (100 - percent) / 100 || got > want * (100 + percent) / 100)
		FAIL("event %d: %s is %.0f, not %.0f within %.0f %%", event, what, got, want, percent);
}

static void shares_are_fair_and_counts_are_true(long which)
{
	const struct order *order = &orders[which];
	unsigned long n = test_count(SLICES, 100) * NS_PER_SLICE / 5;
	/* what the debug kernel does in interrupts is a larger part of a slice, and not spread evenly */
	double near = (double)test_count(2, 5);
	struct counted before[NR_EVENTS], counted[NR_EVENTS];
	double mean = 0;
	int i;

	if (cpus_online() > 1)
		test_skip("for one CPU with instructions as its clock");
	if (order->stock_is_unfair && !is_pcl())
		test_skip("stock's shares depend on the order of groups of different sizes");
	if (nr_alike() && largest_group(order) > nr_alike()) {
		a_large_group_is_refused();
		return;
	}
	set_slice();
	count_in_order(order, n, before, counted);
	for (i = 1; i < NR_EVENTS; i++) {
		if (test_busted("apart"))
			counted[i].running++;
		if (order->ends[i - 1] == '0')
			CHECK_EQ(counted[i].running, counted[i - 1].running);
	}
	for (i = 0; i < NR_EVENTS; i++) {
		counted[i].count -= before[i].count;
		counted[i].enabled -= before[i].enabled;
		counted[i].running -= before[i].running;
		test_note("event %d: %llu counted, running %.1f %%", i, (unsigned long long)counted[i].count,
			  100.0 * counted[i].running / counted[i].enabled);
		mean += (double)counted[i].running / NR_EVENTS;
	}
	for (i = 0; i < NR_EVENTS; i++) {
		unsigned int each;
		double truth;

		attr_in_order(order, i, &each);
		truth = (double)n * each;
		CHECK(counted[i].running && counted[i].running < counted[i].enabled);
		if (test_busted("unscaled"))
			counted[i].running = counted[i].enabled;
		if (test_busted("unfair") && i == 3)
			counted[i].running += counted[i].running / 5;
		check_near("its scaled count", i,
			   (double)counted[i].count * counted[i].enabled / counted[i].running, truth, near);
		check_near("its running time", i, counted[i].running, mean, 10);
	}
}

/*
 * Four groups that cannot fit, since a CPU's event has the one counter for reference cycles, stand before one that can.
 * Stock lets each be first in its turn; that is a fifth of the time.
 */
static void who_fits_is_not_held_up(long unused)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);
	struct counted counted;
	int fds[5], i;

	(void)unused;
	if (cpus_online() > 1)
		test_skip("for one CPU with instructions as its clock");
	if (nr_alike())
		test_skip("not every CPU has a counter for reference cycles");
	set_slice();
	attr.disabled = 0;
	must_open(&attr, -1, 0, -1);
	attr.read_format = ENABLED_AND_RUNNING;
	for (i = 0; i < 4; i++)
		fds[i] = must_open_self(&attr);
	attr = event_attr(BRANCHES);
	attr.read_format = ENABLED_AND_RUNNING;
	attr.disabled = 0;
	fds[4] = must_open_self(&attr);
	loop_run(test_count(SLICES, 100) * NS_PER_SLICE / 2);
	/* They count on: were the CPU's event disabled first, one of them could have the counter for a moment. */
	for (i = 0; i < 4; i++) {
		CHECK_EQ(event_read_words(fds[i], (uint64_t *)&counted, 3), 3);
		CHECK_EQ(counted.running, 0);
	}
	CHECK_EQ(event_read_words(fds[4], (uint64_t *)&counted, 3), 3);
	test_note("running %.1f %%", 100.0 * counted.running / counted.enabled);
	if (test_busted("unfair"))
		counted.running /= 10;
	CHECK(counted.running >= counted.enabled / 10);
}

static const struct test tests[] = {
	TEST(who_fits_is_not_held_up),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(five kinds)", 0),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(five kinds, backwards)", 1),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(all alike)", 2),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(two kinds)", 3),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(four pairs)", 4),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(two groups of four)", 5),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(a group of four, then four alone)", 6),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(four alone, then a group of four)", 7),
	TEST_WITH(shares_are_fair_and_counts_are_true, "(groups of three, three, two)", 8),
};

int main(void)
{
	return TESTS_RUN(tests);
}
