/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: two to four events at once, some restricted to opcodes, all to the same. Which counters they have may
 * differ; whether all of them have one is compared, and then what the registers hold.
 *
 * libpfm4's answer depends on the order of events. So all orders are tried, and the first that it takes is what is
 * asked of ours. Where the sides differ nevertheless, either must do as its rules are, which stand here once more,
 * for a search through all arrangements (../../../exhaustive.h): a difference is known if a difference of these rules
 * makes it.
 */
#ifndef PCL_ENCODER_GROUPS_H
#define PCL_ENCODER_GROUPS_H

#define MOST_GROUPED	4

static const struct wire wires_of[][4] = {
	[MERCED] = { { 0 } },
	[ITANIUM2] = { { 1, 0xf0, 5, false }, { 2, 0xf0, 4, true } },
	[MONTECITO] = { { 1, 0xfff0, 5, false }, { 2, 0x130, 4, true }, { 2, 0x2c0, 6, true } },
};

/* Rules that differ. Those of libpfm4: none of them */
#define OUR_UMASKS	BIT(0)	/* a unit mask is a wish if there are others; libpfm4: if it is not 0 */
#define OUR_COUNTERS	BIT(1)	/* of Itanium 2's L2_L3ACCESS_CANCEL_IFETCH, and of Montecito's second level */
#define OUR_REJECT	BIT(2)	/* Montecito's 0xbc is L2D_OZQ_FULL; libpfm4: ER_REJECT_ALL_L1_REQ, too */
#define ANY_UMASKS	BIT(3)	/* none is; libpfm4 on Montecito */
#define OUR_RULES	(OUR_UMASKS | OUR_COUNTERS | OUR_REJECT)

static bool has_other_umasks(const struct event_facts *facts)
{
	const struct event_facts *other = trial.side->facts;
	unsigned int i;

	for (i = 0; i < trial.side->nr; i++) {
		if (other[i].code == facts->code && other[i].group == facts->group && other[i].set == facts->set &&
		    other[i].umask != facts->umask)
			return true;
	}
	return false;
}

/* L2_OZQ_CANCELS0, 1 and 2; L2D_OZQ_CANCELS0 and 1 */
static bool is_cancels(const struct event_facts *facts)
{
	if (trial.side->kind == ITANIUM2)
		return facts->code == 0xa0 || facts->code == 0xa8 || facts->code == 0xac;
	return trial.side->kind == MONTECITO && (facts->code == 0xe0 || facts->code == 0xe2);
}

static struct wish wish_of(const struct event_facts *facts, unsigned int rules)
{
	struct wish wish = {
		.counters = facts->counters, .group = facts->group, .set = facts->set, .mode = facts->umask,
		.alone = is_cancels(facts),
	};

	/* Of sets 1 and 2 each event has its own */
	if (!(rules & ANY_UMASKS) && !(trial.side->kind == ITANIUM2 && (facts->set == 1 || facts->set == 2)))
		wish.cares = rules & OUR_UMASKS ? has_other_umasks(facts) : facts->umask != 0;
	if ((rules & OUR_COUNTERS) && !strcmp(facts->name, "L2_L3ACCESS_CANCEL_IFETCH"))
		wish.counters = 0x10;
	if ((rules & OUR_REJECT) && !strcmp(facts->name, "ER_REJECT_ALL_L1_REQ")) {
		wish.group = 2;
		wish.set = 10;
		wish.cares = false;
	}
	if ((rules & OUR_COUNTERS) && trial.side->kind == MONTECITO && wish.group == 2)
		wish.counters &= 0x3f0;
	return wish;
}

static void wishes_of(struct wish *wishes, unsigned int rules)
{
	unsigned int i;

	for (i = 0; i < trial.ask.nr; i++)
		wishes[i] = wish_of(facts_of(i), rules);
}

static bool fits_by(unsigned int rules)
{
	struct wish wishes[MOST_GROUPED];
	int place[MOST_GROUPED];

	wishes_of(wishes, rules);
	return search_all(wires_of[trial.side->kind], wishes, place, trial.ask.nr, 0);
}

/* Where ours put them is where they may be: anchors, too. */
static bool is_placed(void)
{
	struct wish wishes[MOST_GROUPED];
	int place[MOST_GROUPED];
	unsigned int i;

	wishes_of(wishes, OUR_RULES);
	for (i = 0; i < trial.ask.nr; i++)
		place[i] = trial.event[i]->hw.idx;
	return is_arranged(wires_of[trial.side->kind], wishes, place, trial.ask.nr);
}

/*
 * libpfm4 on Montecito: the first set of the second level gets PMC4, PMC5 and PMC8, in that order, the other one
 * PMC6, PMC7 and PMC9. Where an event of the first level has PMC5 already, a set of two is too much for the first; in
 * the best order that is the smaller one. What is more than three of a set goes anywhere.
 */
static bool gives_pmc5_away(void)
{
	unsigned int i, set[2] = { 0, 0 }, size[2] = { 0, 0 };
	bool level1 = false;

	for (i = 0; i < trial.ask.nr; i++) {
		const struct event_facts *facts = facts_of(i);
		unsigned int which = size[0] && facts->set != set[0];

		level1 |= facts->group == 1;
		if (facts->group != 2)
			continue;
		set[which] = facts->set;
		size[which]++;
	}
	return level1 && size[0] > 1 && (!size[1] || size[1] > 1);
}

static bool fits_theirs(void)
{
	if (trial.side->kind == MONTECITO)
		return fits_by(ANY_UMASKS) && !gives_pmc5_away();
	return fits_by(0);
}

/* What makes that of the difference; ours take it, or theirs */
static const char *difference_of(bool ours)
{
	if (trial.side->kind == MONTECITO) {
		if (ours)
			return gives_pmc5_away() ? "groups: libpfm4 gives PMC5 to two sets" : NULL;
		if (!fits_by(OUR_REJECT | ANY_UMASKS))
			return "groups: libpfm4 has ER_REJECT_ALL_L1_REQ in no set";
		return fits_by(OUR_RULES | ANY_UMASKS) ? "groups: libpfm4 lets unit masks of a set differ" : NULL;
	}
	if (fits_by(OUR_UMASKS) == ours)
		return ours ? "groups: libpfm4 wants the unit mask of events that have one" :
			      "groups: libpfm4 takes unit mask 0 for none";
	return fits_by(OUR_RULES) == ours ? "groups: libpfm4 has L2_L3ACCESS_CANCEL_IFETCH on more counters" : NULL;
}

static void swap_events(unsigned int i, unsigned int j)
{
	swap(trial.ask.event[i], trial.ask.event[j]);
	swap(trial.ask.plm[i], trial.ask.plm[j]);
	swap(trial.ask.states[i], trial.ask.states[j]);
	swap(trial.ask.threshold[i], trial.ask.threshold[j]);
	swap(trial.ask.ism[i], trial.ask.ism[j]);
}

/* Some order of the events from @done on in which libpfm4 takes them all; as before if there is none */
static bool try_orders(unsigned int done)
{
	unsigned int i;

	if (done == trial.ask.nr) {
		trial.side->encoder->encode(&trial.ask, &trial.answer);
		return !trial.answer.refused;
	}
	for (i = done; i < trial.ask.nr; i++) {
		swap_events(done, i);
		if (try_orders(done + 1))
			return true;
		swap_events(done, i);
	}
	return false;
}

/* ---- groups at random ----------------------------------------------------------------------------------------- */

/*
 * No event address register: who shares that is claims.c's matter, and of libpfm4 the first event's. With opcodes, most
 * of the time one that they can restrict, and none whose name says which matcher it looks at.
 */
static bool is_grouped(const struct side *side, unsigned int event)
{
	const struct event_facts *facts = &side->facts[event];

	if (trial.ask.opcode[0].used && (facts->code == 0x08 || (!facts->opcodes && !one_of(20))))
		return false;
	return side->facts[event].code != side->ear_code[0] && side->facts[event].code != side->ear_code[1];
}

/* Of one level, or of few counters, or any */
static bool is_to_taste(const struct side *side, unsigned int event, unsigned int taste)
{
	const struct event_facts *facts = &side->facts[event];

	if (taste == 0)
		return facts->counters != (side->kind == MONTECITO ? 0xfff0 : 0xf0);
	return taste > 2 || side->kind == MERCED || facts->group == taste;
}

/* May both be wanted of the same wires? */
static bool is_mate(const struct side *side, unsigned int event, unsigned int first)
{
	const struct event_facts *a = &side->facts[event], *b = &side->facts[first];

	return a->group == b->group && a->set == b->set;
}

static unsigned int random_member(const struct side *side, unsigned int taste, unsigned int i)
{
	bool mate = i && one_of(2);
	unsigned int event;

	if (side->nr_doubles && one_of(20))
		return side->doubles[random_below(side->nr_doubles)];
	do {
		event = random_below(side->nr);
	} while (!is_grouped(side, event) ||
		 (mate ? !is_mate(side, event, trial.ask.event[0]) : !is_to_taste(side, event, taste)));
	return event;
}

static void make_group(struct side *side)
{
	static const unsigned int levels[] = { 0, 1, 8, 9 };
	unsigned int i, taste = random_below(5);

	begin_trial(side, 0);
	trial.ask.nr = 2 + random_below(MOST_GROUPED - 1);
	trial.ask.privileged = random_below(2);
	if (one_of(4)) {
		random_opcode(&trial.ask.opcode[0]);
		trial.ask.opcode[0].m = 1;
	}
	trial.ask.bare = !trial.ask.opcode[0].used && one_of(2);
	for (i = 0; i < trial.ask.nr; i++) {
		trial.ask.event[i] = random_member(side, one_of(4) ? 4 : taste, i);
		trial.ask.plm[i] = levels[random_below(4)];
		if (!trial.ask.bare)
			trial.ask.threshold[i] = random_below(facts_of(i)->incr);
		if (!trial.ask.bare && side->kind != MONTECITO)
			trial.ask.ism[i] = random_below(3);
	}
	give_branches_one_level();
}

/* Can each be restricted as it is asked to be? */
static bool are_matched(void)
{
	unsigned int i;

	for (i = 0; i < trial.ask.nr; i++) {
		if (trial.ask.opcode[0].used && !facts_of(i)->opcodes)
			return false;
	}
	return true;
}

static void compare_group(struct side *side)
{
	bool at_once, theirs, ours, by_theirs, by_ours;
	const char *known;

	make_group(side);
	side->encoder->encode(&trial.ask, &trial.answer);
	at_once = !trial.answer.refused;
	theirs = at_once || try_orders(0);
	if (theirs && !at_once)
		differs("groups: libpfm4 wants them in another order");
	ask_driver();
	ours = !trial.refused;
	tally(&side->groups, theirs, ours);
	by_theirs = are_matched() && fits_theirs();
	by_ours = are_matched() && fits_by(OUR_RULES);
	if (theirs != by_theirs)
		unexplained("group, by libpfm4's rules", theirs, by_theirs);
	if (ours != by_ours)
		unexplained("group, by our rules", by_ours, ours);
	if (ours && !is_placed())
		unexplained("places of a group", 1, 0);
	if (theirs && ours) {
		compare_registers(0);
	} else if (theirs != ours) {
		known = difference_of(ours);
		if (known)
			differs(known);
		else
			unexplained("group", theirs, ours);
	}
}

#endif
