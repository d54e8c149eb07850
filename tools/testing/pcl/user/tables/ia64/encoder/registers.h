/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For compare.c: the registers of both sides, one by one.
 *
 * What libpfm4 answers went to perfmon in the kernel, which did its part before it reached a register. That part is
 * done here, and nothing else is levelled:
 *
 *	reserved	bits that a chip reserves are as after power-up (Linux 5.9: pfm_mck_reserved and the like, with
 *			the table that ../../../ia64_model.h has as power_up)
 *	enabled		bit 23 of Itanium 2's PMC4 is set (libpfm4, pfm_ita2_dispatch_counters: "the kernel takes care
 *			of this"); no other counter has it
 *	oi		is set on Montecito (libpfm4, pfm_mont_dispatch_counters: "let the user/OS deal with this")
 *	PMC12		of Itanium is what the encoder told that it would write (merced.c)
 *	levels		of events that count branches are those that events have by default (sides.h)
 *	another mode	where the sides have a range of instructions in different ones (shapes.h, other_mode()), or
 *			only ours takes it: PMC14 or PMC38 and IBR0 to IBR7 are held against the range, and in the
 *			second case PMC13 and PMC8, or PMC41 and PMC32, too
 *
 * Registers that libpfm4 does not answer are as after power-up. Which counter an event has is not compared.
 */
#ifndef PCL_ENCODER_REGISTERS_H
#define PCL_ENCODER_REGISTERS_H

#define ENABLED		BIT_ULL(23)
#define OI		BIT_ULL(5)

static typeof(&power_up[0]) power_up_of(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(power_up); i++) {
		if (power_up[i].kind == trial.side->kind && nr >= power_up[i].first && nr <= power_up[i].last)
			return &power_up[i];
	}
	unexplained("a register that there is not", nr, 0);
	return &power_up[0];
}

static u64 with_reserved_bits(unsigned int nr, u64 value)
{
	typeof(&power_up[0]) reg = power_up_of(nr);

	return (value & reg->writable) | (reg->reset & ~reg->writable);
}

/* What register @nr would hold by libpfm4; the last word counts */
static u64 theirs_of(unsigned int nr, u64 reset)
{
	u64 value = reset;
	unsigned int i;

	for (i = trial.ask.nr; i < trial.answer.nr; i++) {
		if (trial.answer.pmc[i].nr == nr)
			value = trial.answer.pmc[i].value;
	}
	return with_reserved_bits(nr, value);
}

static void compare_counter(unsigned int i)
{
	u64 theirs = with_reserved_bits(trial.answer.pmc[i].nr, trial.answer.pmc[i].value);
	u64 ours = model.pmc[trial.event[i]->hw.idx];

	if (trial.side->kind == ITANIUM2) {
		if (!(model.pmc[4] & ENABLED))
			unexplained("PMC4's enable bit", 1, 0);
		if (trial.event[i]->hw.idx == 4)
			theirs |= ENABLED;
	}
	if (trial.side->kind == MONTECITO)
		theirs |= OI;
	if (theirs != ours)
		unexplained("counter", theirs, ours);
	if (!(facts_of(i)->counters >> trial.event[i]->hw.idx & 1))
		unexplained("a counter that it cannot have", facts_of(i)->counters, trial.event[i]->hw.idx);
}

/*
 * ---- control registers that several look at: differences that are known -----------------------------------------
 */

/*
 * Itanium 2's PMC15 has a bit for each range, which takes its opcode matcher out. What an opcode restricts must look at
 * that on both sides; matchers that nothing uses let everything pass.
 */
static bool leaves_matchers_out(unsigned int nr, u64 theirs, u64 ours)
{
	unsigned int channel = facts_of(0)->code == 0x08 ? facts_of(0)->umask & 3 : 0;
	bool used = trial.ask.opcode[0].used || trial.ask.opcode[1].used;

	return trial.side->kind == ITANIUM2 && nr == 15 && ours == 0xfffffff0 && (theirs & ours) == ours &&
	       !(used && (theirs >> channel & 1));
}

/* The second matcher has no use for ig_ad. */
static bool is_ig_ad_of_pmc9(unsigned int nr, u64 theirs, u64 ours)
{
	return trial.side->kind == ITANIUM2 && nr == 9 && theirs == (ours | 1);
}

/* Itanium's PMC13 beyond its bit 0: ours are as after power-up */
static bool is_rest_of_pmc13(unsigned int nr, u64 theirs, u64 ours)
{
	return trial.side->kind == MERCED && nr == 13 && !theirs && ours == 0x0003ffff00000000;
}

static void compare_control(unsigned int nr, u64 reset)
{
	u64 theirs = theirs_of(nr, reset), ours = model.pmc[nr];
	char name[16];

	if (theirs == ours)
		return;
	if (leaves_matchers_out(nr, theirs, ours)) {
		differs("PMC15: libpfm4 takes out matchers that are not used");
	} else if (is_ig_ad_of_pmc9(nr, theirs, ours)) {
		differs("PMC9: libpfm4 sets ig_ad");
	} else if (is_rest_of_pmc13(nr, theirs, ours)) {
		differs("PMC13: libpfm4 clears bits 49:32");
	} else {
		snprintf(name, sizeof(name), "PMC%u", nr);
		unexplained(name, theirs, ours);
	}
}

/* Itanium's encoder answers the number of PMC12 for its value; merced.c has what it would be behind it. */
static void check_pmc12(void)
{
	unsigned int i;

	for (i = trial.ask.nr; i + 1 < trial.answer.nr && trial.side->kind == MERCED; i++) {
		if (trial.answer.pmc[i].nr == 12 && trial.answer.pmc[i].value == 12)
			differs("PMC12: libpfm4 answers 12, having told something else");
	}
}

/* ---- debug registers ------------------------------------------------------------------------------------------ */

/* The masks of a fine range: libpfm4's has 32 bits, ours all 56. */
static bool is_narrow_mask(unsigned int nr, bool fetch, u64 theirs, u64 ours)
{
	u64 page = trial.side->kind == MONTECITO ? 0xffff0000 : 0xfffff000;

	return fetch && (nr == 1 || nr == 5) && theirs == (page | (ours & 0xfULL << 56)) &&
	       ours == (theirs | 0xffffff00000000);
}

static void compare_debug(const struct pairs *pairs, const u64 *ours, bool fetch)
{
	u64 theirs[8] = { 0 };
	unsigned int nr, i;
	char name[16];

	for (i = 0; i < pairs->nr; i++)
		theirs[pairs->reg[i].nr & 7] = pairs->reg[i].value;
	for (nr = 0; nr < 8; nr++) {
		if (theirs[nr] == ours[nr])
			continue;
		if (is_narrow_mask(nr, fetch, theirs[nr], ours[nr])) {
			differs("fine ranges: libpfm4's masks have 32 bits");
			continue;
		}
		snprintf(name, sizeof(name), "%s%u", fetch ? "IBR" : "DBR", nr);
		unexplained(name, theirs[nr], ours[nr]);
	}
}

/* All of them; @but: not these, nor the debug registers of the range of instructions, which are known to differ */
static void compare_registers(u64 but)
{
	unsigned int i, nr;

	for (i = 0; i < trial.ask.nr; i++)
		compare_counter(i);
	check_pmc12();
	for (i = 0; i < ARRAY_SIZE(power_up); i++) {
		if (power_up[i].kind != trial.side->kind || power_up[i].first <= model.chip->last)
			continue;
		for (nr = power_up[i].first; nr <= power_up[i].last; nr++) {
			if (!(but >> nr & 1))
				compare_control(nr, power_up[i].reset);
		}
	}
	if (!but)
		compare_debug(&trial.answer.fetch, model.ibr, true);
	compare_debug(&trial.answer.access, model.dbr, false);
}

#endif
