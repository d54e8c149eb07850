// SPDX-License-Identifier: GPL-2.0
/*
 * The solver for events that stand in each other's way, against a matcher that tries every arrangement and looks at
 * each whether it obeys the rules.
 *
 * Events are random, a million of groups; the rules are those of Itanium 2 and of Montecito, and random ones. ROUNDS=n
 * in the environment tries n of each. (ia64_fits.h does the same with the events of each chip.)
 */
#include "harness.h"

#include <linux/pcl_assign.h>

#define MOST_EVENTS 6

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
	int place[MOST_EVENTS];
} now;

/* The event on @counter, or -1 */
static int event_on(unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < now.nr; i++) {
		if (now.place[i] == (int)counter)
			return i;
	}
	return -1;
}

/* Does event @i, where it is, obey its group's rules? */
static bool obeys(unsigned int i)
{
	const struct pcl_kin *kin = &now.kin[i], *first;
	const struct pcl_wire *wire = now.groups[kin->group].wire;
	int anchored;

	if (!kin->group)
		return true;
	while (wire < now.groups[kin->group].wire + now.groups[kin->group].nr && !(wire->counters >> now.place[i] & 1))
		wire++;
	if (wire == now.groups[kin->group].wire + now.groups[kin->group].nr)
		return false;
	anchored = event_on(wire->anchor);
	if (anchored < 0)
		return false;
	first = &now.kin[anchored];
	return first->group == kin->group && first->set == kin->set &&
	       !(wire->governs && kin->cares && first->mode != kin->mode);
}

static bool arranged(void)
{
	unsigned int i, j;

	for (i = 0; i < now.nr; i++) {
		if (!obeys(i))
			return false;
		for (j = 0; j < i; j++) {
			if (now.place[i] == now.place[j] || (now.kin[i].alone & now.kin[j].alone))
				return false;
		}
	}
	return true;
}

static bool naive(unsigned int i, u64 taken)
{
	unsigned int c;

	if (i == now.nr)
		return arranged();
	for (c = 0; c < 16; c++) {
		if (!(now.wants[i].counters & ~taken & BIT_ULL(c)))
			continue;
		now.place[i] = c;
		if (naive(i + 1, taken | BIT_ULL(c)))
			return true;
	}
	return false;
}

/* An event of the group that has two sets, or of none */
static void random_event(unsigned int i, u64 counters)
{
	u64 mask = random_below(3) ? counters : counters & random_u64() & 0xffff;

	if (!random_below(8))
		mask = BIT_ULL(4 + random_below(12)) & counters;
	now.wants[i] = (struct pcl_want){ .counters = mask, .had = (int)random_below(24) - 8, .got = 99 };
	now.kin[i] = (struct pcl_kin){ .group = random_below(now.nr_groups), .set = random_below(2) + !random_below(9),
				       .mode = random_below(2), .cares = random_below(2),
				       .alone = random_below(9) ? 0 : 1 };
}

static void check_one(void)
{
	bool can = naive(0, 0), does;
	u64 before[MOST_EVENTS];
	unsigned int i;

	for (i = 0; i < now.nr; i++)
		before[i] = now.wants[i].counters;
	does = pcl_assign_kin(now.wants, now.kin, now.nr, now.groups, now.nr_groups);
	CHECK_EQ(can, does);
	for (i = 0; i < now.nr; i++) {
		CHECK_EQ(now.wants[i].counters, before[i]);
		now.place[i] = now.wants[i].got;
		CHECK(!does || (now.wants[i].got >= 0 && (before[i] & BIT_ULL(now.wants[i].got))));
	}
	CHECK(!does || arranged());
}

static unsigned int rounds(void)
{
	const char *given = getenv("ROUNDS");

	return given ? strtoul(given, NULL, 0) : 350000;
}

static void compare(const struct pcl_wiring *groups, unsigned int nr_groups, u64 counters, unsigned int most)
{
	unsigned int round, i, solved = 0, all = rounds();

	for (round = 0; round < all; round++) {
		u64 here = counters;

		now.groups = groups;
		now.nr_groups = nr_groups;
		now.nr = 1 + random_below(most);
		/* With many counters, most of them are taken away: what the rest can do is asked. */
		while (hweight64(here) > 7)
			here &= ~BIT_ULL(4 + random_below(12));
		for (i = 0; i < now.nr; i++)
			random_event(i, here);
		check_one();
		solved += now.nr && now.wants[0].got >= 0;
	}
}

static void itanium2_as_trying_everything(void)
{
	compare(itanium2, ARRAY_SIZE(itanium2), 0xf0, 4);
}

static void montecito_as_trying_everything(void)
{
	compare(montecito, ARRAY_SIZE(montecito), 0xfff0, MOST_EVENTS);
}

/* Any wires: both lead somewhere, and to no counter of the other. */
static void random_rules_as_trying_everything(void)
{
	struct pcl_wiring groups[3] = { };
	unsigned int round, i, g, all = rounds();

	for (round = 0; round < all; round++) {
		for (g = 1; g < 3; g++) {
			u64 first = (random_u64() & 0xf0) | BIT_ULL(4 + g), second = 0x7f0 & ~first;

			groups[g] = (struct pcl_wiring){ .nr = 1 + random_below(2) };
			groups[g].wire[0] = (struct pcl_wire){ first, 4 + g, random_below(2) };
			groups[g].wire[1] = (struct pcl_wire){ second, __builtin_ctzll(second), random_below(2) };
		}
		now.groups = groups;
		now.nr_groups = 3;
		now.nr = 1 + random_below(5);
		for (i = 0; i < now.nr; i++)
			random_event(i, 0x7f0);
		check_one();
	}
}

/* An event alone stays where it was. */
static void one_alone_stays(void)
{
	unsigned int round;

	for (round = 0; round < 10000; round++) {
		now.groups = montecito;
		now.nr_groups = ARRAY_SIZE(montecito);
		now.nr = 1;
		random_event(0, 0xfff0);
		if (!pcl_assign_kin(now.wants, now.kin, now.nr, now.groups, now.nr_groups))
			continue;
		now.wants[0].had = now.wants[0].got;
		CHECK(pcl_assign_kin(now.wants, now.kin, now.nr, now.groups, now.nr_groups));
		CHECK_EQ(now.wants[0].got, now.wants[0].had);
	}
}

static void an_anchor_is_kept(void)
{
	struct pcl_want wants[] = { { 0xf0, .had = -1 }, { 0xf0, .had = 4 } };
	struct pcl_kin kin[] = { { .group = 2, .set = 1 }, { .group = 2, .set = 1 } };

	CHECK(pcl_assign_kin(wants, kin, 2, itanium2, ARRAY_SIZE(itanium2)));
	CHECK_EQ(wants[1].got, 4);
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
      CASE(random_rules_as_trying_everything), CASE(one_alone_stays), CASE(an_anchor_is_kept), CASE(too_many))
