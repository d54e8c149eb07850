// SPDX-License-Identifier: GPL-2.0
/*
 * The constraint solver, against a matcher that simply tries everything.
 *
 * Sets of masks are random, with few counters and many bits in common, so that about half of them cannot be solved.
 */
#include "harness.h"

#include <linux/pcl_assign.h>

#define MAX_EVENTS 8
#define MAX_COUNTERS 12

static bool naive(const struct pcl_want *wants, unsigned int nr, u64 taken)
{
	unsigned int c;

	if (!nr)
		return true;
	for (c = 0; c < PCL_ASSIGN_MOST; c++) {
		u64 bit = 1ULL << c;

		if ((wants->counters & bit) && !(taken & bit) && naive(wants + 1, nr - 1, taken | bit))
			return true;
	}
	return false;
}

/* A mask over @counters counters; some lie at 32 and up, as fixed counters do. */
static u64 random_mask(unsigned int counters)
{
	u64 mask = random_u64() & random_u64() & ((1ULL << counters) - 1);

	if (random_below(4) == 0)
		mask = 1ULL << random_below(counters);
	return (mask & 0xff) | (mask >> 8) << 32;
}

static unsigned int random_wants(struct pcl_want *wants)
{
	unsigned int nr = 1 + random_below(MAX_EVENTS), counters = 1 + random_below(MAX_COUNTERS), i;

	for (i = 0; i < nr; i++) {
		wants[i].counters = random_mask(counters);
		wants[i].had = random_below(3) ? (int)random_below(40) : -1;
		wants[i].got = 99;
	}
	return nr;
}

static void check_assignment(const struct pcl_want *wants, unsigned int nr)
{
	u64 taken = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		CHECK(wants[i].got >= 0 && wants[i].got < PCL_ASSIGN_MOST);
		CHECK(wants[i].counters & (1ULL << wants[i].got));
		CHECK(!(taken & (1ULL << wants[i].got)));
		taken |= 1ULL << wants[i].got;
	}
}

static void same_answer_as_trying_everything(void)
{
	struct pcl_want wants[MAX_EVENTS];
	unsigned int round, nr, solved = 0;

	for (round = 0; round < 200000; round++) {
		bool can, does;

		nr = random_wants(wants);
		can = naive(wants, nr, 0);
		does = pcl_assign(wants, nr, ~0xffffffffULL);
		CHECK(can == does);
		if (does)
			check_assignment(wants, nr);
		solved += does;
	}
	/* The masks are neither all easy nor all hopeless. */
	CHECK(solved > round / 5 && solved < round * 4 / 5);
}

static void one_more_event_never_helps(void)
{
	struct pcl_want wants[MAX_EVENTS];
	unsigned int round, nr;

	for (round = 0; round < 50000; round++) {
		nr = random_wants(wants);
		if (nr > 1 && !pcl_assign(wants, nr - 1, 0))
			CHECK(!pcl_assign(wants, nr, 0));
	}
}

static void who_can_stay_stays(void)
{
	struct pcl_want wants[MAX_EVENTS];
	unsigned int round, nr, i;

	for (round = 0; round < 50000; round++) {
		nr = random_wants(wants);
		if (!pcl_assign(wants, nr, 0))
			continue;
		for (i = 0; i < nr; i++)
			wants[i].had = wants[i].got;
		CHECK(pcl_assign(wants, nr, 0));
		for (i = 0; i < nr; i++)
			CHECK(wants[i].had == wants[i].got);
	}
}

static void favoured_counters_come_first(void)
{
	struct pcl_want one = { .counters = 0xf | 1ULL << 33, .had = -1 };
	struct pcl_want kept = { .counters = 0xf | 1ULL << 33, .had = 2 };

	CHECK(pcl_assign(&one, 1, ~0xffffffffULL));
	CHECK(one.got == 33);
	CHECK(pcl_assign(&kept, 1, ~0xffffffffULL));
	CHECK(kept.got == 2);
}

/* AMD family 15h: masks that overlap without one containing the other */
static void overlapping_masks(void)
{
	struct pcl_want wants[] = {
		{ .counters = 0x09, .had = -1 }, { .counters = 0x07, .had = -1 }, { .counters = 0x07, .had = -1 },
		{ .counters = 0x07, .had = -1 }, { .counters = 0x38, .had = -1 }, { .counters = 0x38, .had = -1 },
	};

	CHECK(pcl_assign(wants, ARRAY_SIZE(wants), 0));
	check_assignment(wants, ARRAY_SIZE(wants));
	CHECK(wants[0].got == 3);
}

static void too_many(void)
{
	static struct pcl_want wants[PCL_ASSIGN_MOST + 1];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wants); i++)
		wants[i] = (struct pcl_want){ .counters = ~0ULL, .had = -1 };
	CHECK(pcl_assign(wants, PCL_ASSIGN_MOST, 0));
	check_assignment(wants, PCL_ASSIGN_MOST);
	CHECK(!pcl_assign(wants, PCL_ASSIGN_MOST + 1, 0));
	CHECK(pcl_assign(wants, 0, 0));
	wants[0].counters = 0;
	CHECK(!pcl_assign(wants, 1, 0));
}

CASES(CASE(same_answer_as_trying_everything), CASE(one_more_event_never_helps), CASE(who_can_stay_stays),
      CASE(favoured_counters_come_first), CASE(overlapping_masks), CASE(too_many))
