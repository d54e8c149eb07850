/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: what one side takes and the other refuses, as far as it is known; then the registers.
 */
#ifndef PCL_ENCODER_REFUSALS_H
#define PCL_ENCODER_REFUSALS_H

/* Is there an event by whose name an event address register captures that? */
static bool is_captured_by_name(void)
{
	bool fetches = facts_of(0)->code == trial.side->ear_code[0];
	const struct ear *ear = fetches ? &trial.ask.fetches : &trial.ask.accesses;
	const struct event_facts *facts = trial.side->facts;
	unsigned int i;

	for (i = 0; i < trial.side->nr; i++) {
		if (facts[i].kind == (fetches ? EVENT_FETCHES : EVENT_ACCESSES) && facts[i].mode == ear->mode &&
		    facts[i].umask == ear->umask)
			return true;
	}
	return false;
}

/* No slot of any type matches: nothing is counted. */
static bool has_no_types(void)
{
	const struct opcode *opcode = &trial.ask.opcode[trial.ask.opcode[1].used];

	return opcode->used && !opcode->b && !opcode->f && !opcode->i && !opcode->m;
}

/* Itanium's event of retired instructions that has no matcher in its name */
static bool is_untagged(void)
{
	return trial.side->kind == MERCED && facts_of(0)->code == 0x08 && !facts_of(0)->umask;
}

/* What ours refuses and libpfm4 takes; NULL: it should not */
static const char *strict_of(void)
{
	const struct event_facts *facts = facts_of(0);

	switch (trial.refused) {
	case PCL_REASON_IA64_THRESHOLD:
		return trial.ask.threshold[0] < facts->incr ? NULL : "threshold: libpfm4 takes any";
	case PCL_REASON_IA64_ISM_NONE:
		return trial.ask.ism[0] != 3 ? NULL : "instruction set 3: libpfm4 takes it";
	case PCL_REASON_IA64_STATES:
		return facts->states || !trial.ask.states[0] ? NULL :
		       "line states of an event that has none: libpfm4 takes no notice";
	case PCL_REASON_IA64_EAR_MODE:
	case PCL_REASON_IA64_EAR_UMASK:
		return is_captured_by_name() ? NULL : "unit masks of event address registers: libpfm4 takes any";
	case PCL_REASON_IA64_OPCODE_TYPES:
		return has_no_types() ? "opcodes of no type of slot: libpfm4 takes them" : NULL;
	case PCL_REASON_IA64_OPCODE_EVENT:
		return is_untagged() ? "IA64_INST_RETIRED: libpfm4 restricts it to opcodes" : NULL;
	case PCL_REASON_IA64_RANGE_CHIP:
		return trial.side->kind == MERCED && trial.ask.access.used ?
		       "ranges of data: libpfm4 takes them" : NULL;
	case PCL_REASON_IA64_RANGE_PAIR:
		return other_pair();
	case PCL_REASON_IA64_RANGE_SHAPE:
		return other_shape();
	default:
		return NULL;
	}
}

/*
 * libpfm4 refuses the range: without it, it must take the rest, and that is compared. What says which accesses a range
 * of instructions tags, and that the matcher heeds ranges, is libpfm4's for others of its kind: pmc13_ita2_reg and
 * pmc41_mont_reg (1 of 3 in bits 4:3, iod_tab), and of the matchers ig_ad and inv.
 */
static void compare_own_range(void)
{
	const struct side *side = trial.side;

	trial.ask.fetch.used = 0;
	side->encoder->encode(&trial.ask, &trial.answer);
	trial.ask.fetch.used = 1;
	if (trial.answer.refused)
		unexplained("refused by libpfm4 without its range, too", -trial.answer.refused, 0);
	else
		compare_registers(BIT_ULL(side->fetch_reg) | BIT_ULL(side->tags_reg) | BIT_ULL(side->match_reg));
	check_own_range();
	check_own_control(side->tags_reg, BIT_ULL(4), 0);
	check_own_control(side->match_reg, side->kind == MONTECITO ? 3ULL << 56 : 3, 0);
}

/* Whatever both take: masks have 56 bits, and what lies above always matters. */
static void check_size(void)
{
	const struct range *range = trial.ask.fetch.used ? &trial.ask.fetch : &trial.ask.access;

	if (range->used && range->end - range->start > BIT_ULL(56))
		unexplained("a range of more than 2^56", -trial.answer.refused, 0);
}

static void compare_answers(struct tally *tally_of)
{
	const char *known = NULL;

	tally(tally_of, !trial.answer.refused, !trial.refused);
	if (!trial.refused)
		check_size();
	if (trial.answer.refused && trial.refused) {
		/* What ours alone would refuse, libpfm4 does not look at: it has another reason. */
		if (trial.refused == PCL_REASON_IA64_RANGE_SHAPE || !strict_of())
			compare_reasons();
		return;
	}
	if (trial.refused || trial.answer.refused) {
		known = trial.refused ? strict_of() : lenient_range();
		if (known)
			differs(known);
		else if (trial.refused)
			unexplained("refused by ours alone", 0, trial.refused);
		else
			unexplained("refused by libpfm4 alone", -trial.answer.refused, 0);
		if (known && !trial.refused)
			compare_own_range();
		return;
	}
	known = other_mode();
	if (known) {
		differs(known);
		check_own_range();
	}
	compare_registers(known ? BIT_ULL(trial.side->fetch_reg) : 0);
}

#endif
