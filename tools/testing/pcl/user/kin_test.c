// SPDX-License-Identifier: GPL-2.0
/*
 * The solver for events that stand in each other's way, against a search through all arrangements (exhaustive.h).
 *
 * Groups of events are random, a million under the rules of Itanium 2, a million under those of Montecito, and a
 * million under random ones: up to four events on as many counters, or twelve. ROUNDS=n in the environment tries n of
 * each, with FIRST=1 it is 100000. (ia64_places_test.c does the same with the events of the chips.)
 */
#include "harness.h"

#include <linux/pcl_assign.h>

#include "exhaustive.h"

#define MOST_EVENTS 12

/* Itanium 2: four counters; a group whose anchor is 5, and one whose anchor is 4, which governs */
static const struct pcl_wiring itanium2[] = {
	{ },
	{ .nr = 1, .wire = { { .counters = 0xf0, .anchor = 5 } } },
	{ .nr = 1, .wire = { { .counters = 0xf0, .anchor = 4, .governs = true } } },
};

/* Montecito: the second group has two wires. */
static const struct pcl_wiring montecito[] = {
	{ },
	{ .nr = 1, .wire = { { .counters = 0xfff0, .anchor = 5 } } },
	{ .nr = 2, .wire = { { .counters = 0x130, .anchor = 4, .governs = true },
			     { .counters = 0x2c0, .anchor = 6, .governs = true } } },
};

static struct instance {
	const struct pcl_wiring *groups;
	unsigned int nr_groups, nr;
	struct pcl_want wants[MOST_EVENTS];
	struct pcl_kin kin[MOST_EVENTS];
	struct wire wires[2 * PCL_WIRES_MOST + 1];	/* the same for the search */
	struct wish wishes[MOST_EVENTS];
	int place[MOST_EVENTS];
} now;

static void take_rules(const struct pcl_wiring *groups, unsigned int nr_groups)
{
	struct wire *wire = now.wires;
	unsigned int g, w;

	now.groups = groups;
	now.nr_groups = nr_groups;
	for (g = 1; g < nr_groups; g++) {
		for (w = 0; w < groups[g].nr; w++)
			*wire++ = (struct wire){ g, groups[g].wire[w].counters, groups[g].wire[w].anchor,
						 groups[g].wire[w].governs };
	}
	*wire = (struct wire){ };
}

/* One in so many has it. */
static bool one_in(unsigned int n)
{
	return !random_below(n);
}

/* An event of the group that has two sets, or of none. The higher @ease, the less it asks for. */
static void random_event(unsigned int i, u64 counters, unsigned int ease)
{
	u64 mask = one_in(1 + ease) ? counters & random_u64() : counters;
	struct pcl_kin kin = { .group = one_in(1 + ease) ? 1 + random_below(now.nr_groups - 1) : 0,
			       .set = one_in(2 + ease) + one_in(8 * ease), .mode = one_in(2 + ease),
			       .cares = random_below(2), .alone = one_in(8 * ease) };

	if (one_in(8 * ease))
		mask = BIT_ULL(4 + random_below(12)) & counters;
	now.wants[i] = (struct pcl_want){ .counters = mask, .had = (int)random_below(24) - 8, .got = 99 };
	now.kin[i] = kin;
	now.wishes[i] = (struct wish){ mask, kin.group, kin.set, kin.mode, kin.cares, kin.alone };
}

static void random_group(u64 counters, unsigned int most)
{
	unsigned int i, ease;

	now.nr = 1 + random_below(most);
	ease = 1 + random_below(1 + now.nr / 2);
	for (i = 0; i < now.nr; i++)
		random_event(i, counters, ease);
}

static bool check_one(void)
{
	bool can = search_all(now.wires, now.wishes, now.place, now.nr, 0), does;
	u64 before[MOST_EVENTS];
	unsigned int i;

	CHECK(!can || is_arranged(now.wires, now.wishes, now.place, now.nr));
	for (i = 0; i < now.nr; i++)
		before[i] = now.wants[i].counters;
	does = pcl_assign_kin(now.wants, now.kin, now.nr, now.groups, now.nr_groups);
	CHECK_EQ(can, does);
	for (i = 0; i < now.nr; i++) {
		CHECK_EQ(now.wants[i].counters, before[i]);
		now.place[i] = now.wants[i].got;
	}
	CHECK(!does || is_arranged(now.wires, now.wishes, now.place, now.nr));
	return does;
}

static unsigned int rounds(void)
{
	const char *given = getenv("ROUNDS");

	return given ? strtoul(given, NULL, 0) : getenv("FIRST") ? 100000 : 1000000;
}

static void compare(const char *name, const struct pcl_wiring *groups, unsigned int nr_groups, u64 counters)
{
	unsigned int round, all = rounds(), nr = hweight64(counters);
	struct answers answers = { };

	take_rules(groups, nr_groups);
	for (round = 0; round < all; round++) {
		random_group(counters, nr);
		answers.nr[now.nr][check_one()]++;
	}
	check_answers(name, &answers, 1, nr, nr);
}

static void itanium2_as_trying_everything(void)
{
	compare("Itanium 2", itanium2, ARRAY_SIZE(itanium2), 0xf0);
}

static void montecito_as_trying_everything(void)
{
	compare("Montecito", montecito, ARRAY_SIZE(montecito), 0xfff0);
}

/* Any wires: both lead somewhere, and to no counter of the other. */
static void take_random_rules(void)
{
	static struct pcl_wiring groups[3];
	unsigned int g;

	for (g = 1; g < 3; g++) {
		u64 first = (random_u64() & 0xff0) | BIT_ULL(4 + g), second = 0xfff0 & ~first;

		groups[g] = (struct pcl_wiring){ .nr = 1 + random_below(2) };
		groups[g].wire[0] = (struct pcl_wire){ first, 4 + g, random_below(2) };
		groups[g].wire[1] = (struct pcl_wire){ second, __builtin_ctzll(second), random_below(2) };
	}
	take_rules(groups, ARRAY_SIZE(groups));
}

static void random_rules_as_trying_everything(void)
{
	struct answers answers = { };
	unsigned int round, all = rounds();

	for (round = 0; round < all; round++) {
		take_random_rules();
		random_group(0xfff0, MOST_EVENTS);
		answers.nr[now.nr][check_one()]++;
	}
	check_answers("any rules", &answers, 1, MOST_EVENTS, MOST_EVENTS);
}

/* If all events of a group have places by the rules, whichever these are, they stay. */
static void who_has_a_place_by_the_rules_stays(void)
{
	unsigned int round, i, stayed = 0;

	for (round = 0; round < 200000; round++) {
		if (round % 2)
			take_random_rules();
		else
			take_rules(montecito, ARRAY_SIZE(montecito));
		random_group(0xfff0, MOST_EVENTS);
		if (!search_all(now.wires, now.wishes, now.place, now.nr, random_below(16)))
			continue;
		for (i = 0; i < now.nr; i++)
			now.wants[i].had = now.place[i];
		CHECK(pcl_assign_kin(now.wants, now.kin, now.nr, now.groups, now.nr_groups));
		for (i = 0; i < now.nr; i++)
			CHECK_EQ(now.wants[i].got, now.place[i]);
		stayed++;
	}
	CHECK(stayed > round / 2);
}

static void an_anchor_is_kept(void)
{
	struct pcl_want wants[] = { { 0xf0, .had = -1 }, { 0xf0, .had = 4 } };
	struct pcl_kin kin[] = { { .group = 2, .set = 1 }, { .group = 2, .set = 1 } };

	CHECK(pcl_assign_kin(wants, kin, 2, itanium2, ARRAY_SIZE(itanium2)));
	CHECK_EQ(wants[1].got, 4);
}

/* Also when another event comes */
static void a_set_stays_on_its_wire(void)
{
	struct pcl_want wants[] = { { 0x3f0, .had = 6 }, { 0x3f0, .had = 4 }, { 0xfff0, .had = -1 } };
	struct pcl_kin kin[] = { { .group = 2, .set = 1 }, { .group = 2, .set = 2 }, { } };

	CHECK(pcl_assign_kin(wants, kin, 3, montecito, ARRAY_SIZE(montecito)));
	CHECK_EQ(wants[0].got, 6);
	CHECK_EQ(wants[1].got, 4);
	wants[1] = wants[2];
	kin[1] = kin[2];
	CHECK(pcl_assign_kin(wants, kin, 2, montecito, ARRAY_SIZE(montecito)));
	CHECK_EQ(wants[0].got, 6);
}

static void too_many(void)
{
	struct pcl_want wants[PCL_KIN_MOST + 1];
	struct pcl_kin kin[PCL_KIN_MOST + 1] = { };
	unsigned int i;

	for (i = 0; i <= PCL_KIN_MOST; i++)
		wants[i] = (struct pcl_want){ .counters = ~0ULL, .had = -1 };
	CHECK(pcl_assign_kin(wants, kin, PCL_KIN_MOST, itanium2, ARRAY_SIZE(itanium2)));
	CHECK(!pcl_assign_kin(wants, kin, PCL_KIN_MOST + 1, itanium2, ARRAY_SIZE(itanium2)));
}

CASES(CASE(itanium2_as_trying_everything), CASE(montecito_as_trying_everything),
      CASE(random_rules_as_trying_everything), CASE(who_has_a_place_by_the_rules_stays), CASE(an_anchor_is_kept),
      CASE(a_set_stays_on_its_wire), CASE(too_many))
