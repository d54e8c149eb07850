// SPDX-License-Identifier: GPL-2.0
/*
 * Where events go on each IA-64 chip, against a search through all arrangements (exhaustive.h): a million groups of the
 * events of each set of tables. McKinley and Madison are one set, Montecito and Montvale another.
 *
 * Groups have one event to two more than there are counters. Many are planted: an arrangement is made up, by the
 * rules, and then up to two of its events are replaced by others; the rest is any events. What the driver has to
 * say is asked twice, as of a group that is opened, and with events that have places already.
 *
 * ROUNDS=n in the environment tries n of each; with FIRST=1 it is 30000, as what does not fit the rules is soon seen.
 */
#include "../../../../arch/ia64/events/driver.h"
#include "driver_refuse.h"
#include "harness.h"
#include "exhaustive.h"

/* What the files under test have around them */
struct ia64_machine ia64_machine;
struct task_struct *current;
unsigned int shim_cpu;

/* As libpfm4 has them in its rules of dispatch */
static const struct wire itanium2_wires[] = {
	{ IA64_L1D, 0xf0, 5, false }, { IA64_L2, 0xf0, 4, true }, { }
};
static const struct wire montecito_wires[] = {
	{ IA64_L1D, 0xfff0, 5, false }, { IA64_L2, 0x130, 4, true }, { IA64_L2, 0x2c0, 6, true }, { }
};
static const struct wire no_wires[] = { { } };

#define MOST_EXTRA	2	/* events that a group has more than there are counters */
#define BLOCK		10000	/* groups, then it is the next chip's turn */

/* Rows of a chip's table, by number */
struct rows {
	unsigned int row[256], nr;
};

/* What one set of tables has, and how it went */
static struct side {
	const char *name;
	const struct ia64_family *family;
	const struct wire *wires;
	unsigned int least;		/* so many events or more may be too many */
	unsigned int counters;
	struct perf_event events[1024];	/* each unit mask that there is, opened, row by row */
	struct wish wishes[1024];
	unsigned int nr;
	unsigned int begin[257];	/* of a row, in these */
	struct rows all, narrow;	/* those that not all counters can count */
	struct rows of[IA64_GROUPS];
	struct answers answers;
	unsigned int placed, stayed;
} sides[] = {
	{ "Merced", &ia64_merced, no_wires, 3 },
	{ "McKinley", &ia64_mckinley, itanium2_wires, 2 },
	{ "Montecito", &ia64_montecito, montecito_wires, 2 },
};

/* A group */
static struct {
	unsigned int nr;
	const struct rows *taste;
	unsigned int choice[MOST_WISHES];	/* of the side's events */
	struct wish wishes[MOST_WISHES];
	struct perf_event events[MOST_WISHES], *list[MOST_WISHES];
	int place[MOST_WISHES];			/* of an arrangement, if there is one */
} group;

/* The unit mask of an event that has but one is no wish. */
static struct wish wish_of(const struct ia64_event *row, unsigned int umask)
{
	return (struct wish){
		.counters = row->counters, .group = row->group, .set = row->set,
		.mode = umask, .cares = !row->any_umask && (row->umasks & (row->umasks - 1)),
		.alone = row->alone,
	};
}

static void open_event(struct perf_event *event, u64 config)
{
	static struct pmu pmu = { .type = PERF_TYPE_RAW };

	*event = (struct perf_event){ .pmu = &pmu, .attr = { .type = PERF_TYPE_RAW, .config = config } };
	event->attach_state = PERF_ATTACH_TASK;
	event->hw.idx = -1;
	event->hw.last_cpu = -1;
	CHECK_EQ(ia64_event_config(event), 0);
}

static void open_row(struct side *side, const struct ia64_event *row)
{
	unsigned int umask;

	for (umask = 0; umask < 16; umask++) {
		if (!(row->umasks >> umask & 1))
			continue;
		CHECK(side->nr < ARRAY_SIZE(side->events));
		open_event(&side->events[side->nr], row->code << 8 | umask << 16);
		side->wishes[side->nr++] = wish_of(row, umask);
	}
}

static void enter_row(struct rows *rows, unsigned int nr)
{
	CHECK(rows->nr < ARRAY_SIZE(rows->row));
	rows->row[rows->nr++] = nr;
}

/* The side's chip is the one that there is. */
static void begin_side(struct side *side)
{
	const struct ia64_event *row;
	unsigned int n = 0;

	ia64_machine.family = side->family;
	ia64_machine.max_period = BIT_ULL(side->family->width - 1) - 1;
	if (side->nr)
		return;
	side->counters = hweight32(side->family->counters);
	for (row = side->family->events; row->counters; row++, n++) {
		enter_row(&side->all, n);
		enter_row(&side->of[row->group], n);
		if (row->counters != side->family->counters)
			enter_row(&side->narrow, n);
		open_row(side, row);
		side->begin[n + 1] = side->nr;
	}
}

/*
 * ---- groups -------------------------------------------------------------------------------------------------------
 */

static unsigned int any_of(const struct side *side, const struct rows *rows)
{
	unsigned int row = rows->row[random_below(rows->nr)];

	return side->begin[row] + random_below(side->begin[row + 1] - side->begin[row]);
}

/* Any event, or, to the taste of the group that is made, one that is likely to stand in another's way */
static unsigned int any_event(const struct side *side)
{
	return any_of(side, random_below(8) ? group.taste : &side->all);
}

static void choose(const struct side *side, unsigned int i, unsigned int choice)
{
	group.choice[i] = choice;
	group.wishes[i] = side->wishes[choice];
}

/*
 * Puts some event on @counter as the next one, so that the arrangement obeys the rules still: perhaps one that comes
 * over a wire, and, if none is found soon, one that none is needed for.
 */
static void plant(const struct side *side, unsigned int counter)
{
	const struct rows *rows = &side->of[random_below(IA64_GROUPS)];
	unsigned int tries = 0, i = group.nr++;

	group.place[i] = counter;
	do {
		choose(side, i, any_of(side, rows->nr && tries++ < 30 ? rows : &side->of[IA64_FREE]));
	} while (!is_arranged(side->wires, group.wishes, group.place, group.nr));
}

/* @nr events that fit, on @nr counters at random, anchors first */
static void plant_all(const struct side *side, unsigned int nr)
{
	u16 left = side->family->counters;
	const struct wire *wire;
	unsigned int counter;

	for (wire = side->wires; wire->counters && group.nr < nr; wire++) {
		if (!random_below(4))
			continue;
		plant(side, wire->anchor);
		left &= ~BIT(wire->anchor);
	}
	while (group.nr < nr) {
		counter = random_below(16);
		if (!(left >> counter & 1))
			continue;
		plant(side, counter);
		left &= ~BIT(counter);
	}
}

/* Their order is any. */
static void shuffle(const struct side *side)
{
	unsigned int i, j, choice;

	for (i = group.nr; i > 1; i--) {
		j = random_below(i);
		choice = group.choice[j];
		choose(side, j, group.choice[i - 1]);
		choose(side, i - 1, choice);
	}
}

static void make_group(const struct side *side)
{
	const struct rows *tastes[] = { &side->all, &side->narrow, &side->of[IA64_L1D], &side->of[IA64_L2] };
	unsigned int size = 1 + random_below(side->counters + MOST_EXTRA), i, replaced;

	group.nr = 0;
	group.taste = tastes[random_below(ARRAY_SIZE(tastes))];
	if (!group.taste->nr)
		group.taste = &side->narrow;
	/* The more events, the fewer groups would fit that are not planted. */
	if (random_below(size + 2) >= 3) {
		plant_all(side, min(size, side->counters));
		for (replaced = random_below(3); replaced; replaced--)
			choose(side, random_below(group.nr), any_event(side));
	}
	while (group.nr < size)
		choose(side, group.nr++, any_event(side));
	shuffle(side);
	for (i = 0; i < size; i++) {
		group.list[i] = &group.events[i];
		group.events[i] = side->events[group.choice[i]];
	}
}

/*
 * ---- what the driver says of one ----------------------------------------------------------------------------------
 */

/*
 * The first so many of the group have places, the others perhaps had some. Those may be any; or such as if these
 * events were alone; or as if others had left, that were on anchors. Returns whether all of the group have places by
 * the rules.
 */
static bool give_places(const struct side *side, struct ia64_cpu_pmu *cpu, bool fits)
{
	unsigned int how = random_below(4), counter = random_below(16), i;
	int place[MOST_WISHES];
	bool by_rules;

	cpu->nr = group.nr;
	cpu->settled = random_below(group.nr + 1);
	for (i = 0; i < group.nr; i++) {
		place[i] = (int)random_below(17) - 1;
		group.events[i].hw.last_cpu = random_below(2) - 1;
		cpu->list[i] = group.list[i];
		cpu->place[i] = 99;
	}
	if (how == 0)
		cpu->settled = 0;
	if (how == 1 && fits)
		cpu->settled = group.nr;
	if (how == 3 && fits)
		memcpy(place, group.place, sizeof(place));
	by_rules = how == 1 || how == 2;
	if (by_rules)
		by_rules = search_all(side->wires, group.wishes, place, cpu->settled, counter);
	for (i = 0; i < group.nr; i++)
		group.events[i].hw.idx = place[i];
	return by_rules && cpu->settled == group.nr;
}

static void check_places(struct side *side, bool fits)
{
	struct ia64_cpu_pmu cpu = { };
	bool all_placed = give_places(side, &cpu, fits), found = ia64_places_find(&cpu);
	unsigned int i;

	CHECK_EQ(found, fits);
	CHECK(!found || is_arranged(side->wires, group.wishes, cpu.place, cpu.nr));
	for (i = 0; i < group.nr; i++) {
		CHECK(found || cpu.place[i] == 99);
		CHECK(!found || !all_placed || cpu.place[i] == group.events[i].hw.idx);
	}
	side->placed++;
	side->stayed += found && all_placed;
}

/* The same events with a rule lifted, as a refusal's reason is found */
static void check_lifted(const struct side *side, unsigned int lifted)
{
	struct wish wishes[MOST_WISHES];
	int place[MOST_WISHES];
	unsigned int i;

	for (i = 0; i < group.nr; i++) {
		wishes[i] = group.wishes[i];
		if (lifted & IA64_RULE_CANCELS)
			wishes[i].alone = 0;
		if (lifted & IA64_RULE_UMASK)
			wishes[i].cares = false;
		if (lifted & IA64_RULE_SETS)
			wishes[i].group = 0;
	}
	CHECK_EQ(ia64_group_fits(group.list, group.nr, lifted), search_all(side->wires, wishes, place, group.nr, 0));
}

static void check_group(struct side *side)
{
	bool fits;

	make_group(side);
	fits = search_all(side->wires, group.wishes, group.place, group.nr, 0);
	CHECK(!fits || is_arranged(side->wires, group.wishes, group.place, group.nr));
	side->answers.nr[group.nr][fits]++;
	CHECK_EQ(ia64_group_fits(group.list, group.nr, 0), fits);
	if (!random_below(16))
		check_lifted(side, 1 + random_below(7));
	check_places(side, fits);
}

/*
 * ---- cases --------------------------------------------------------------------------------------------------------
 */

/* What the solver looks at is the same object for both. */
static void check_one_set(const struct ia64_family *a, const struct ia64_family *b)
{
	CHECK(a != b);
	CHECK(a->events && a->events == b->events);
	CHECK(a->groups && a->groups == b->groups);
	CHECK_EQ(a->counters, b->counters);
}

static void two_chips_have_one_set_of_tables(void)
{
	check_one_set(&ia64_mckinley, &ia64_madison);
	check_one_set(&ia64_montecito, &ia64_montvale);
}

/* The quick search is held against the plain one, where that ends soon. */
static void the_search_is_exhaustive(void)
{
	struct side *side;
	unsigned int round;

	for (side = sides; side < sides + ARRAY_SIZE(sides); side++) {
		struct answers answers = { };

		begin_side(side);
		for (round = 0; round < 20000; round++) {
			int place[MOST_WISHES];
			bool fits;

			do {
				make_group(side);
			} while (group.nr > 4);
			fits = search_all(side->wires, group.wishes, group.place, group.nr, random_below(16));
			CHECK(!fits || is_arranged(side->wires, group.wishes, group.place, group.nr));
			CHECK_EQ(fits, try_everything(side->wires, group.wishes, place, group.nr, 0));
			answers.nr[group.nr][fits]++;
		}
		check_answers(side->name, &answers, side->least, side->counters, 4);
	}
}

static unsigned int rounds(void)
{
	const char *given = getenv("ROUNDS");

	return given ? strtoul(given, NULL, 0) : getenv("FIRST") ? 30000 : 1000000;
}

static void groups_fit_where_an_exhaustive_search_says_so(void)
{
	unsigned int done, i, all = rounds();
	struct side *side;

	printf("# SEED=%" PRIu64 "\n", seed);
	for (done = 0; done < all; done += i) {
		for (side = sides; side < sides + ARRAY_SIZE(sides); side++) {
			begin_side(side);
			for (i = 0; i < BLOCK && done + i < all; i++)
				check_group(side);
		}
	}
	for (side = sides; side < sides + ARRAY_SIZE(sides); side++) {
		check_answers(side->name, &side->answers, side->least, side->counters, side->counters + MOST_EXTRA);
		printf("# %s: %u groups, each once with places; %u had them all by the rules, and stayed\n", side->name,
		       side->placed, side->stayed);
		CHECK_EQ(side->placed, all);
		CHECK(side->stayed > all / 20);
	}
}

CASES(CASE(two_chips_have_one_set_of_tables), CASE(the_search_is_exhaustive),
      CASE(groups_fit_where_an_exhaustive_search_says_so))
