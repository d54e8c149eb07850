/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Can all of these events be counted at once? All arrangements are looked at, with nothing of the solver's: neither its
 * code, nor its structs, nor its way, which is to choose sets and anchors first. For kin_test.c and
 * ia64_places_test.c.
 *
 * The rules are here twice. is_arranged() has them for one arrangement, and try_everything() asks it about each that
 * there is. The quick search gives event after event each counter that is left, and does not go on twice from where
 * that was in vain. What can follow depends on which counters are taken, and, as long as events of a group are left, on
 * what its wires carry; so events go by their groups, and those without one are last. There is no other order, and
 * nothing is preferred.
 */
#ifndef PCL_USER_EXHAUSTIVE_H
#define PCL_USER_EXHAUSTIVE_H

#define MOST_WISHES	16

/* What an event asks for */
struct wish {
	u16 counters;
	u8 group, set, mode;	/* group 0: no wire */
	bool cares;		/* about the mode of who sits on its wire's anchor, where the wire asks */
	u32 alone;		/* what it shares with nobody, as bits */
};

/* A wire of a group. It carries the set of who sits on its anchor. No two of one group lead to the same counter. */
struct wire {
	u8 group;
	u16 counters;		/* 0: end of the table */
	u8 anchor;
	bool one_mode;		/* and the mode, for those that care */
};

static const struct wire *wire_to(const struct wire *wire, unsigned int group, unsigned int counter)
{
	while (wire->counters && !(wire->group == group && wire->counters >> counter & 1))
		wire++;
	return wire->counters ? wire : NULL;
}

/*
 * ---- one arrangement ----------------------------------------------------------------------------------------------
 */

/* Does wish @i get where it is what it wants, with the others where they are? */
static bool is_served(const struct wire *wires, const struct wish *wishes, const int *place, unsigned int nr,
		      unsigned int i)
{
	const struct wish *mine = &wishes[i], *theirs;
	const struct wire *wire = wire_to(wires, mine->group, place[i]);
	unsigned int j;

	if (!mine->group)
		return true;
	for (j = 0; wire && j < nr; j++) {
		theirs = &wishes[j];
		if (place[j] == wire->anchor)
			return theirs->group == mine->group && theirs->set == mine->set &&
			       !(wire->one_mode && mine->cares && theirs->mode != mine->mode);
	}
	return false;
}

static bool is_arranged(const struct wire *wires, const struct wish *wishes, const int *place, unsigned int nr)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		if (place[i] < 0 || place[i] > 15 || !(wishes[i].counters >> place[i] & 1))
			return false;
		if (!is_served(wires, wishes, place, nr, i))
			return false;
		for (j = 0; j < i; j++) {
			if (place[i] == place[j] || (wishes[i].alone & wishes[j].alone))
				return false;
		}
	}
	return true;
}

static bool try_everything(const struct wire *wires, const struct wish *wishes, int *place, unsigned int nr,
			   unsigned int done)
{
	unsigned int c;

	if (done == nr)
		return is_arranged(wires, wishes, place, nr);
	for (c = 0; c < 16; c++) {
		place[done] = c;
		if (wishes[done].counters >> c & 1 && try_everything(wires, wishes, place, nr, done + 1))
			return true;
	}
	return false;
}

/*
 * ---- the quick search ---------------------------------------------------------------------------------------------
 */

/* What is known of a wire: set and mode that it has or must have, each plus 1; 0: either. Five bits of a state each */
#define KNOWN_BITS	5
#define KNOWN_MASK	31
#define STATE_BITS	20
#define VAIN_BITS	16	/* of the table of what was in vain */

static struct {
	const struct wire *wires;
	const struct wish *wishes;
	unsigned int nr;
	int *place;
	unsigned int order[MOST_WISHES];
	unsigned int first;		/* the counter that is tried first */
	u64 question;			/* its number, which marks what was in vain for it */
	u64 vain[1 << VAIN_BITS];
	unsigned int nr_vain;
} quick;

static u64 vain_key(u32 taken, u32 state)
{
	return quick.question << (16 + STATE_BITS) | (u64)state << 16 | taken;
}

/* Where the key is in the table, or where it belongs. What other questions left is free. */
static u64 *vain_slot(u64 key)
{
	unsigned int at = key * 0x9e3779b97f4a7c15ULL >> (64 - VAIN_BITS);

	while (quick.vain[at] != key && quick.vain[at] >> (16 + STATE_BITS) == key >> (16 + STATE_BITS))
		at = (at + 1) % ARRAY_SIZE(quick.vain);
	return &quick.vain[at];
}

static unsigned int known(u32 state, unsigned int what)
{
	return state >> what * KNOWN_BITS & KNOWN_MASK;
}

static u32 know(u32 state, unsigned int what, unsigned int value)
{
	return state | (value + 1) << what * KNOWN_BITS;
}

/* Can @wish be at @counter, with those of its group that have a counter? Then *@state is what is known afterwards. */
static bool is_admitted(const struct wish *wish, unsigned int counter, u32 taken, u32 *state)
{
	const struct wire *wire = wire_to(quick.wires, wish->group, counter);
	unsigned int set, mode;

	if (!wire)
		return false;
	set = wire > quick.wires && wire[-1].group == wire->group ? 2 : 0;
	mode = set + 1;
	if (!known(*state, set) && counter != wire->anchor && taken >> wire->anchor & 1)
		return false;		/* another group's event is on the anchor */
	if (known(*state, set) && known(*state, set) != wish->set + 1)
		return false;
	*state = know(*state & ~(KNOWN_MASK << set * KNOWN_BITS), set, wish->set);
	if (!wire->one_mode || (counter != wire->anchor && !wish->cares))
		return true;
	if (known(*state, mode) && known(*state, mode) != wish->mode + 1)
		return false;
	*state = know(*state & ~(KNOWN_MASK << mode * KNOWN_BITS), mode, wish->mode);
	return true;
}

/* All of @group have a counter: has each wire that one of them needs somebody on its anchor? */
static bool is_anchored(unsigned int group, u32 taken, u32 state)
{
	const struct wire *wire;
	unsigned int nr = 0;

	for (wire = quick.wires; wire->counters; wire++) {
		if (wire->group == group && known(state, 2 * nr++) && !(taken >> wire->anchor & 1))
			return false;
	}
	return true;
}

static bool go_on_from(unsigned int step, u32 taken, u32 state)
{
	unsigned int group = step ? quick.wishes[quick.order[step - 1]].group : 0, i;
	const struct wish *wish = step < quick.nr ? &quick.wishes[quick.order[step]] : NULL;
	u64 key, *slot;

	if (!wish || wish->group != group) {
		if (!is_anchored(group, taken, state))
			return false;
		state = 0;
	}
	if (!wish)
		return true;
	key = vain_key(taken, state);
	if (*vain_slot(key) == key)
		return false;
	for (i = 0; i < 16; i++) {
		unsigned int counter = (quick.first + i) % 16;
		u32 then = state;

		if (!(wish->counters & ~taken & BIT(counter)))
			continue;
		if (wish->group && !is_admitted(wish, counter, taken, &then))
			continue;
		quick.place[quick.order[step]] = counter;
		if (go_on_from(step + 1, taken | BIT(counter), then))
			return true;
	}
	slot = vain_slot(key);
	CHECK(quick.nr_vain++ < ARRAY_SIZE(quick.vain) / 2);
	*slot = key;
	return false;
}

/*
 * Is there an arrangement? Then @place has one: of several that which comes first when counters are tried from @first
 * on. @wires are sorted by groups, of 1 to 3, at most two each.
 */
static bool search_all(const struct wire *wires, const struct wish *wishes, int *place, unsigned int nr,
		       unsigned int first)
{
	unsigned int i, j, group, done = 0;

	for (i = 1; i < nr; i++) {
		for (j = 0; j < i; j++) {
			if (wishes[i].alone & wishes[j].alone)
				return false;
		}
	}
	quick.wires = wires;
	quick.wishes = wishes;
	quick.nr = nr;
	quick.place = place;
	quick.first = first;
	quick.question++;
	quick.nr_vain = 0;
	for (group = 1; group <= 4; group++) {
		for (i = 0; i < nr; i++) {
			if (wishes[i].group == group % 4)
				quick.order[done++] = i;
		}
	}
	CHECK_EQ(done, nr);
	return go_on_from(0, 0, 0);
}

/*
 * ---- how often which answer ---------------------------------------------------------------------------------------
 */

struct answers {
	unsigned int nr[MOST_WISHES + 1][2];	/* by the number of events: of those that do not fit, that do */
};

/* Fewer than @least events fit, more than @counters do not; between these a tenth of the answers is the rarer one. */
static void check_answers(const char *name, const struct answers *answers, unsigned int least, unsigned int counters,
			  unsigned int most)
{
	unsigned int size, tenth;

	for (size = 1; size <= most; size++) {
		const unsigned int *nr = answers->nr[size];

		printf("# %s: %2u events: %7u fit, %7u do not\n", name, size, nr[true], nr[false]);
	}
	for (size = 1; size <= most; size++) {
		tenth = (answers->nr[size][false] + answers->nr[size][true]) / 10;
		CHECK(tenth);
		if (size < least)
			CHECK_EQ(answers->nr[size][false], 0);
		else
			CHECK(answers->nr[size][false] >= tenth);
		if (size > counters)
			CHECK_EQ(answers->nr[size][true], 0);
		else
			CHECK(answers->nr[size][true] >= tenth);
	}
}

#endif
