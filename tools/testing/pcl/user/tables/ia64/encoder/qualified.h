/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: events at random, with opcodes, ranges of addresses, event address registers and branches.
 */
#ifndef PCL_ENCODER_QUALIFIED_H
#define PCL_ENCODER_QUALIFIED_H

static bool one_of(unsigned int n)
{
	return !random_below(n);
}

/* ---- addresses ------------------------------------------------------------------------------------------------ */

/* Anywhere in one of the eight regions, implemented or not */
static u64 random_address(void)
{
	return (random_u64() & (BIT_ULL(10 + random_below(51)) - 1)) | random_u64() << 61;
}

/* A power of two in size, and aligned to that */
static void power_of_two(struct range *range, unsigned int least)
{
	u64 size = BIT_ULL(least + random_below(58 - least));

	range->start = random_address() & ~(size - 1);
	range->end = range->start + size;
}

/* Within a page of instructions, from and to whole pairs of bundles, or whole bundles, perhaps to the page's end */
static void within_page(struct range *range, unsigned int granule)
{
	u64 page = trial.side->kind == MONTECITO ? 0x10000 : 0x1000, start = random_address() & ~(page - 1);
	u64 a = random_below(page / granule), b = one_of(10) ? page / granule : random_below(page / granule);

	range->start = start + min(a, b) * granule;
	range->end = start + max(a, b) * granule;
	if (one_of(20))
		range->end += 1ULL << 32;	/* the same place, 4 GB further */
}

/* Anything: perhaps nothing, or backwards */
static void anything(struct range *range)
{
	range->start = random_address();
	range->end = range->start + random_below(BIT_ULL(random_below(59))) - one_of(10) * 64;
	if (!one_of(8)) {
		range->start &= ~0xfULL;
		range->end &= ~0xfULL;
	}
}

/* A coarse range is asked of libpfm4 as one, most of the time: it prefers fine ones. None ends with all addresses. */
static void random_range(struct range *range, bool fetch)
{
	range->used = 1;
	do {
		unsigned int shape = random_below(8);

		if (shape < 3)
			power_of_two(range, fetch ? 4 : 0);
		else if (shape < 7 && fetch)
			within_page(range, one_of(4) ? 16 : 32);
		else
			anything(range);
	} while (!range->end || range->end - range->start > BIT_ULL(60));
	range->not_fine = is_power_of_two(range) && !one_of(8);
}

/* ---- what else there is --------------------------------------------------------------------------------------- */

static void random_opcode(struct opcode *opcode)
{
	u64 bits = trial.side->kind == MONTECITO ? 0x1ffffffffff : 0x7ffffff;
	unsigned int types = one_of(20) ? 0 : 1 + random_below(15);

	*opcode = (struct opcode){
		.used = 1, .match = random_u64() & bits, .mask = (one_of(3) ? random_u64() : bits) & bits,
		.b = types & 1, .f = types >> 1 & 1, .i = types >> 2 & 1, .m = types >> 3,
	};
	if (!opcode->match && !types)
		opcode->match = 1;		/* nothing at all would ask for no matcher */
}

/* The second matcher is for those whose name says so. */
static bool looks_at_second(const struct event_facts *facts)
{
	return strstr(facts->name, trial.side->kind == MONTECITO ? "_PMC34" : "_PMC9");
}

static void restrict_event(void)
{
	switch (random_below(5)) {
	case 0:
		random_opcode(&trial.ask.opcode[looks_at_second(facts_of(0))]);
		break;
	case 1:
	case 2:
		random_range(&trial.ask.fetch, true);
		break;
	case 3:
		random_range(&trial.ask.access, false);
		break;
	}
}

/* What an event address register captures: by the event's name, or said beside it, and then anything */
static void random_ear(void)
{
	const struct event_facts *facts = facts_of(0);
	bool fetches = facts->code == trial.side->ear_code[0];
	bool itanium2 = trial.side->kind != MERCED;
	struct ear *ear = fetches ? &trial.ask.fetches : &trial.ask.accesses;

	if (!fetches && facts->code != trial.side->ear_code[1])
		return;
	if (facts->kind != EVENT_COUNTS && !trial.ask.ism[0] && one_of(2))
		return;
	ear->used = 1;
	ear->mode = facts->mode;
	ear->umask = facts->kind == EVENT_COUNTS ? 0 : facts->umask;
	ear->ism = trial.ask.ism[0];
	ear->plm = one_of(2) ? trial.ask.levels : 0;
	if (!one_of(4))
		return;
	/* As wide as the fields are */
	ear->mode = random_below(itanium2 && !fetches ? 3 : 2);
	ear->umask = random_below(itanium2 && fetches ? ear->mode ? 128 : 256 : 16);
	trial.ask.event[0] = trial.side->ear_event[!fetches];	/* whose name does not say otherwise */
}

/* Both predictions, of those that were taken: all that can be asked of ours */
static void random_branches(void)
{
	static const unsigned int itanium2_kinds[] = { 0, 2, 3 }, levels[] = { 0, 1, 8, 9 };

	trial.ask.branches.used = 1;
	trial.ask.branches.plm = levels[random_below(4)];
	trial.ask.branches.taken = 2;
	trial.ask.branches.target = 3;
	trial.ask.branches.path = 3;
	trial.ask.branches.kind = trial.side->kind == MERCED ? 0 : itanium2_kinds[random_below(3)];
}

/* Montecito's addresses of what retired */
static void random_addresses(void)
{
	trial.ask.addresses.used = 1;
	trial.ask.addresses.plm = one_of(2) ? trial.ask.levels : 0;
	trial.ask.addresses.delay = random_below(256);
}

/* One that can be restricted, of an event address register, or of branches, more often than there are */
static unsigned int random_event(const struct side *side)
{
	unsigned int taste = random_below(9), event, tries;
	const struct event_facts *facts;

	for (tries = 0; tries < 100000; tries++) {
		event = random_below(side->nr);
		facts = &side->facts[event];
		if (taste < 2 || (taste < 4 && facts->accesses) || (taste == 4 && facts->code == 0x08) ||
		    (taste == 5 && facts->fetches) || (taste == 6 && facts->code == side->ear_code[0]) ||
		    (taste == 7 && facts->code == side->ear_code[1]) ||
		    (taste == 8 && facts->kind == EVENT_BRANCHES))
			return event;
	}
	CHECK(!"an event of that taste");
	return 0;
}

static void compare_qualified(struct side *side)
{
	static const unsigned int levels[] = { 9, 9, 8, 1 };

	begin_trial(side, random_event(side));
	trial.ask.levels = levels[random_below(4)];
	trial.ask.privileged = random_below(2);
	if (one_of(4))
		trial.ask.threshold[0] = random_below(facts_of(0)->incr);
	if (one_of(4) && side->kind != MONTECITO)
		trial.ask.ism[0] = random_below(3);
	if (side->kind == MONTECITO && one_of(facts_of(0)->states ? 2 : 50))
		trial.ask.states[0] = random_below(16);
	restrict_event();
	random_ear();
	if (one_of(4))
		random_branches();
	if (side->kind == MONTECITO && one_of(5))
		random_addresses();
	ask_both();
	compare_answers(&side->qualified);
}

#endif
