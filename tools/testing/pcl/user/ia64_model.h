/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The performance monitor of IA-64's CPUs: registers that behave as the manuals say, and that notice what they forbid.
 *
 * It has two homes. In user space ia64_test.c is the machine around it (ia64_kernel.h); in a kernel for x86 a module
 * (../kernel/models/ia64.c). Who includes it has the driver's driver.h, delivers the interrupt when @pending is set, and
 * says by ia64_psr() which task's user mask is meant.
 *
 * Facts, and where they stand. SDM volume 2, 7.2: PMC[0].fr freezes, is set by an overflow of a counter with oi,
 * whose bit in PMC[0] is set with or without oi; pm chooses psr.pp or psr.up as the gate; plm the privilege levels;
 * writes hold after srlz.d, that of fr after srlz.i. Of the chips' own manuals nobody had more than a passage of Itanium's
 * (245320, "Branch Trace Buffer Registers"). Their part of the model is from libpfm3 and libpfm4, tables, structs of
 * registers and the functions that encode: fields, thresholds, Itanium 2's enable bit in PMC4, sets of events and their
 * anchors; from pfmon: what it prints of a register's bits, as meaning that; from perfmon in Linux 5.9: widths, power-up
 * values and reserved bits. All is written down here once more, and not taken from the driver's tables.
 *
 * Contexts: IRQs off, on the CPU whose registers are meant.
 */
#ifndef PCL_USER_IA64_MODEL_H
#define PCL_USER_IA64_MODEL_H

/*
 * ---- chips -------------------------------------------------------------------------------------------------------
 */

enum kind { MERCED, ITANIUM2, MONTECITO };

static const struct chip {
	const char *name;
	u64 cpuid3;
	enum kind kind;
	unsigned int width, last;	/* counters are PMC4 to this */
} chips[] = {
	{ "Merced", 0x07000604, MERCED, 32, 7 },
	{ "McKinley", 0x1f000704, ITANIUM2, 47, 7 },
	{ "Madison", 0x1f010504, ITANIUM2, 47, 7 },
	{ "Montecito", 0x20000704, MONTECITO, 47, 15 },
	{ "Montvale", 0x20010104, MONTECITO, 47, 15 },
};

static const struct {
	enum kind kind;
	unsigned int first, last;
	u64 reset, writable;
} power_up[] = {
	{ MERCED, 4, 7, 0, 0x37f7f7f },
	{ MERCED, 8, 9, 0xf00000003ffffff8, ~0ULL },
	{ MERCED, 10, 10, 0, ~0ULL },
	{ MERCED, 11, 11, 0x10000000, ~0ULL },
	{ MERCED, 12, 12, 0, ~0ULL },
	{ MERCED, 13, 13, 0x0003ffff00000001, ~0ULL },
	{ ITANIUM2, 4, 4, 0x800000, 0xfffff7f },
	{ ITANIUM2, 5, 7, 0, 0xfffff7f },
	{ ITANIUM2, 8, 8, 0xffffffff3fffffff, 0xffffffff3ffffffb },
	{ ITANIUM2, 9, 9, 0xffffffff3ffffffc, 0xffffffff3ffffffb },
	{ ITANIUM2, 10, 10, 0, 0xffff },
	{ ITANIUM2, 11, 11, 0, 0x30f01cf },
	{ ITANIUM2, 12, 12, 0, 0xffff },
	{ ITANIUM2, 13, 13, 0x2078fefefefe, 0x1e00018181818 },
	{ ITANIUM2, 14, 14, 0x0db60db60db60db6, 0x2492 },
	{ ITANIUM2, 15, 15, 0xfffffff0, 0xf },
	{ MONTECITO, 4, 15, 0x2000000, 0x7c7fff7f },
	{ MONTECITO, 32, 32, 0x30f01ffffffffff, 0x30f01ffffffffff },
	{ MONTECITO, 33, 33, 0, 0x1ffffffffff },
	{ MONTECITO, 34, 34, 0xf01ffffffffff, 0xf01ffffffffff },
	{ MONTECITO, 35, 35, 0, 0x1ffffffffff },
	{ MONTECITO, 36, 36, 0xfffffff0, 0xf },
	{ MONTECITO, 37, 37, 0, 0x3fff },
	{ MONTECITO, 38, 38, 0xdb6, 0x2492 },
	{ MONTECITO, 39, 39, 0, 0xffcf },
	{ MONTECITO, 40, 40, 0x2000000, 0xf01cf },
	{ MONTECITO, 41, 41, 0x2078fefefefe, 0x1e00018181818 },
	{ MONTECITO, 42, 42, 0, 0x7ff4f },
};

/* Events that come in sets: code, unit mask (or any), group, set. Groups: 1 the level 1 data cache's, 2 level 2's */
#define ANY	~0U
static const struct set_row {
	enum kind kind;
	unsigned int first, last, umasks;
	unsigned int group, set;
} set_rows[] = {
	{ ITANIUM2, 0xc0, 0xc3, ANY, 1, 0 }, { ITANIUM2, 0xc4, 0xc5, ANY, 1, 1 }, { ITANIUM2, 0xc7, 0xc7, ANY, 1, 1 },
	{ ITANIUM2, 0xca, 0xca, ANY, 1, 2 }, { ITANIUM2, 0xcd, 0xcf, ANY, 1, 3 }, { ITANIUM2, 0xd0, 0xd2, ANY, 1, 4 },
	{ ITANIUM2, 0xa0, 0xa3, ANY, 2, 0 }, { ITANIUM2, 0xa8, 0xa8, ANY, 2, 0 }, { ITANIUM2, 0xac, 0xac, ANY, 2, 0 },
	{ ITANIUM2, 0xb0, 0xb2, ANY, 2, 1 }, { ITANIUM2, 0xb4, 0xb7, ANY, 2, 2 },
	{ ITANIUM2, 0xb8, 0xba, 0x00ff, 2, 3 }, { ITANIUM2, 0xb8, 0xba, 0xff00, 2, 4 },
	{ ITANIUM2, 0xbc, 0xbf, ANY, 2, 5 },
	{ MONTECITO, 0xc0, 0xc3, ANY, 1, 0 }, { MONTECITO, 0xc4, 0xc5, ANY, 1, 2 },
	{ MONTECITO, 0xc7, 0xc7, ANY, 1, 2 }, { MONTECITO, 0xca, 0xca, ANY, 1, 4 },
	{ MONTECITO, 0xcd, 0xcf, ANY, 1, 6 }, { MONTECITO, 0xd0, 0xd2, ANY, 1, 8 },
	{ MONTECITO, 0xd8, 0xd8, ANY, 1, 12 }, { MONTECITO, 0xe0, 0xe0, ANY, 2, 0 },
	{ MONTECITO, 0xe2, 0xe2, ANY, 2, 0 }, { MONTECITO, 0xf2, 0xf3, ANY, 2, 0 },
	{ MONTECITO, 0xe4, 0xe5, ANY, 2, 2 }, { MONTECITO, 0xe6, 0xe6, ANY, 2, 4 },
	{ MONTECITO, 0xe8, 0xe9, ANY, 2, 6 }, { MONTECITO, 0xea, 0xeb, ANY, 2, 8 },
	{ MONTECITO, 0xec, 0xed, ANY, 2, 10 }, { MONTECITO, 0xbc, 0xbc, 0x0001, 2, 10 },
	{ MONTECITO, 0xef, 0xef, ANY, 2, 12 }, { MONTECITO, 0xf1, 0xf1, ANY, 2, 14 },
};

/*
 * ---- the machine -------------------------------------------------------------------------------------------------
 */

#define FREEZE	BIT_ULL(0)

struct machine {
	const struct chip *chip;
	u64 pmc[IA64_REGS], pmd[IA64_REGS], ibr[8], dbr[8];
	u64 fetch, access;		/* addresses of the instruction that retires, and of what it accesses */
	bool pp, up;			/* of the PSR */
	unsigned int level;		/* at which the program runs */
	bool irqs_on, pending;
	u64 opcode;			/* of the instruction that retires, */
	unsigned int slot;		/* and its type: 0 b, 1 f, 2 i, 3 m */
	bool unvouched, nowhere;	/* what is captured is not valid; its instruction is not */
	bool unserialized;		/* a write may not hold yet */
	bool in_flight;			/* the same of the freeze bit */
	u64 unread_pmc, unread_pmd;	/* registers of which a read may not see what was written */
	u64 per_access;			/* event that happens at each access to a register, as CODE() */
	unsigned int interrupts, unclaimed, writes;
	/* what a driver may not do */
	unsigned int wrote_counting, reserved, illegal, unserialized_thaw, unserialized_count, unserialized_read,
		unserialized_freeze, read_live;
};

static DEFINE_PER_CPU(struct machine, machines);
#define model	(*this_cpu_ptr(&machines))

static u64 full(void)
{
	return BIT_ULL(model.chip->width) - 1;
}

static bool is_frozen(void)
{
	return model.pmc[0] & FREEZE;
}

#include "ia64_record.h"

static const struct set_row *set_of(unsigned int code, unsigned int umask)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(set_rows); i++) {
		const struct set_row *row = &set_rows[i];

		if (row->kind == model.chip->kind && code >= row->first && code <= row->last &&
		    (row->umasks >> umask & 1))
			return row;
	}
	return NULL;
}

static unsigned int code_of(unsigned int idx)
{
	return model.pmc[idx] >> 8 & 0xff;
}

static unsigned int umask_of(unsigned int idx)
{
	return model.pmc[idx] >> 16 & 0xf;
}

/* The anchor of what @idx counts of @group: whose set and unit mask it has; 0: such events come over no wire to it */
static unsigned int anchor_of(unsigned int idx, unsigned int group)
{
	if (group == 1)
		return 5;
	if (model.chip->kind == ITANIUM2)
		return 4;
	return idx == 4 || idx == 5 || idx == 8 ? 4 : idx == 6 || idx == 7 || idx == 9 ? 6 : 0;
}

/* Do the wires bring the event, that @idx is programmed for, to it? */
static bool arrives(unsigned int idx)
{
	const struct set_row *row = set_of(code_of(idx), umask_of(idx)), *first;
	unsigned int anchor;

	if (!row)
		return true;
	anchor = anchor_of(idx, row->group);
	if (!anchor)
		return false;
	first = set_of(code_of(anchor), umask_of(anchor));
	return first && first->group == row->group && first->set == row->set;
}

/* The unit mask under which @idx counts: perhaps not its own */
static unsigned int effective_umask(unsigned int idx)
{
	const struct set_row *row = set_of(code_of(idx), umask_of(idx));
	bool own = !row || row->group == 1 || (model.chip->kind == ITANIUM2 && (row->set == 1 || row->set == 2));

	return umask_of(own ? idx : anchor_of(idx, 2));
}

/* Only one unit mask in its set: that of the anchor does not matter to it. */
static bool has_one_umask(unsigned int code)
{
	static const u8 itanium2[] = { 0xa2, 0xa3, 0xb9, 0xba, 0xbc, 0xbd, 0xbe, 0xbf };
	static const u8 montecito[] = { 0xe5, 0xe9, 0xeb, 0xec, 0xed, 0xef, 0xf1, 0xf3, 0xbc };
	const u8 *list = model.chip->kind == ITANIUM2 ? itanium2 : montecito;
	unsigned int i, nr = model.chip->kind == ITANIUM2 ? ARRAY_SIZE(itanium2) : ARRAY_SIZE(montecito);

	for (i = 0; i < nr; i++) {
		if (list[i] == code)
			return true;
	}
	return false;
}

static bool gate_open(unsigned int idx)
{
	return model.pmc[idx] & BIT(6) ? model.pp : model.up;
}

/* Address bits 63:56 have no bits in the mask, and matter always (SDM volume 2, 7.1.1). */
static bool in_pair(const u64 *pair, u64 address)
{
	return !((address ^ pair[0]) & (pair[1] | 0xffULL << 56)) && (pair[1] >> 56 >> model.level & 1);
}

/* Is the instruction that retires in the range, if there is one? The first pair, and for a fine one the third */
static bool fetch_in_range(void)
{
	u64 pmc = model.pmc[model.chip->kind == MONTECITO ? 38 : model.chip->kind == MERCED ? 13 : 14];
	unsigned int page = model.chip->kind == MONTECITO ? 16 : 12;

	if (model.chip->kind == MERCED)
		return (pmc & 1) || in_pair(model.ibr, model.fetch);
	if (pmc >> 1 & 1)
		return true;
	if (!(pmc >> 13 & 1))
		return in_pair(model.ibr, model.fetch);
	return !(pmc >> 7 & 1) && model.fetch >> page == model.ibr[0] >> page && model.fetch >= model.ibr[0] &&
	       model.fetch <= model.ibr[4] && (model.ibr[5] >> 56 >> model.level & 1);
}

/* The same of what it accesses: cfg_dbrp0 2 asks for it, if that pair is enabled; 3 for nothing, 1 for the fetch */
static bool access_in_range(void)
{
	u64 pmc = model.pmc[model.chip->kind == MONTECITO ? 41 : 13];
	unsigned int config = pmc >> 3 & 3;

	if (model.chip->kind == MERCED || !(pmc >> 45 & 1) || config == 3)
		return true;
	return config == 1 ? fetch_in_range() : in_pair(model.dbr, model.access);
}

/*
 * Does the instruction that retires pass opcode matcher 0 or 1? A narrow one has 27 bits of the opcode, 40:27 and
 * 12:0, and is PMC8 or PMC9; a wide one has all 41, in PMC32 and PMC33, or PMC34 and PMC35. Bits set in the mask do
 * not matter.
 */
static bool opcode_passes(unsigned int matcher)
{
	u64 reg = model.pmc[model.chip->kind == MONTECITO ? 32 + 2 * matcher : 8 + matcher];
	u64 bits = model.opcode;

	/* ig_ad of the first: without it the address must be in a range, too. */
	if (!matcher && model.chip->kind != MERCED && !(reg >> (model.chip->kind == MONTECITO ? 57 : 0) & 1) &&
	    !fetch_in_range())
		return false;
	if (model.chip->kind == MONTECITO)
		return (reg >> (48 + model.slot) & 1) &&
		       !((bits ^ model.pmc[33 + 2 * matcher]) & ~reg & 0x1ffffffffffULL);
	bits = (bits >> 27 & 0x3fff) << 13 | (bits & 0x1fff);
	return (reg >> (60 + model.slot) & 1) && !((bits ^ reg >> 33) & ~(reg >> 3) & 0x7ffffff);
}

/* Retired instructions: which matcher the unit mask of that event names */
static bool is_tagged(unsigned int umask)
{
	if (model.chip->kind == MERCED)
		return fetch_in_range() && (umask < 2 || opcode_passes(umask == 2));
	return opcode_passes(umask & 1);
}

/* Does @idx count events of this unit mask, of the code that it has? The same code may be of another set, too. */
static bool counts_umask(unsigned int idx, unsigned int umask)
{
	const struct set_row *row = set_of(code_of(idx), umask_of(idx));

	return effective_umask(idx) == umask || (row && has_one_umask(code_of(idx)) && set_of(code_of(idx), umask) == row);
}

/* How much counter @idx takes of @n events of the kind @what in one cycle */
static u64 counted(unsigned int idx, u32 what, u64 n)
{
	unsigned int code = what >> 8 & 0xff, umask = what >> 16 & 0xf, threshold = model.pmc[idx] >> 20 & 7;

	if (code_of(idx) != code || !(model.pmc[idx] >> model.level & 1) || !gate_open(idx) || !arrives(idx))
		return 0;
	if (!counts_umask(idx, umask))
		return 0;
	if (model.chip->kind == ITANIUM2 && !(model.pmc[4] & BIT(23)))
		return 0;
	if (code == 0x08 && !is_tagged(umask))
		return 0;
	if (code == 0xcd && !access_in_range())
		return 0;
	return threshold ? n > threshold : n;
}

/* @n events of a kind happen, all in one cycle. */
static void cycle(u32 what, u64 n)
{
	unsigned int idx;
	u64 status = 0, add;
	bool freeze = false;

	if (is_frozen())
		return;
	for (idx = 4; idx <= model.chip->last; idx++) {
		add = counted(idx, what, n);
		model.pmd[idx] += add;
		if (model.pmd[idx] <= full())
			continue;
		model.pmd[idx] &= full();
		status |= BIT_ULL(idx);
		freeze |= model.pmc[idx] & BIT(5);
	}
	model.pmc[0] |= status;
	if (freeze) {
		model.pmc[0] |= FREEZE;
		model.pending = true;
	}
}

/* The program goes on, with one event in this cycle. */
static void go_on(u32 what)
{
	model.unserialized_freeze += model.in_flight;
	model.unserialized_count += model.unserialized && !is_frozen();
	cycle(what, 1);
}

static void step(void)
{
	if (model.per_access)
		cycle(model.per_access, 1);
}

/*
 * ---- its registers -----------------------------------------------------------------------------------------------
 */

static bool anything_counts(void)
{
	unsigned int idx;
	bool counts = false;

	for (idx = 4; idx <= model.chip->last; idx++)
		counts |= (model.pmc[idx] & 0xf) && gate_open(idx);
	return counts && !is_frozen();
}

static void check_reserved(unsigned int nr, u64 value)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(power_up); i++) {
		if (power_up[i].kind == model.chip->kind && nr >= power_up[i].first && nr <= power_up[i].last) {
			model.reserved += ((value ^ power_up[i].reset) & ~power_up[i].writable) != 0;
			return;
		}
	}
	model.reserved++;
}

/*
 * What may not be when the counters go on: no pair of debug registers is enabled for data, the opcode matcher leaves
 * address ranges to it, and the first pair or the second restricts fetches. (Perfmon of Linux 5.9, check_case1, for
 * McKinley and for Montecito)
 */
static bool is_illegal(void)
{
	bool montecito = model.chip->kind == MONTECITO;
	u64 enabled = model.pmc[montecito ? 41 : 13] >> 45 & 0xf, which = model.pmc[montecito ? 38 : 14];
	bool anywhere = montecito ? model.pmc[32] >> 57 & 1 : model.pmc[8] & 1;

	if (model.chip->kind == MERCED || enabled || anywhere)
		return false;
	return !(which >> 1 & 1) || !(which >> 4 & 1);
}

static void write_pmc(unsigned int nr, u64 value)
{
	step();
	model.writes++;
	if (!nr) {
		model.unserialized_thaw += model.unserialized && !(value & FREEZE) && is_frozen();
		model.wrote_counting += !(value & FREEZE) && anything_counts();
		model.illegal += !(value & FREEZE) && is_illegal();
		model.in_flight |= (value ^ model.pmc[0]) & FREEZE;
	} else {
		model.wrote_counting += anything_counts();
		model.unserialized_freeze += model.in_flight;
		check_reserved(nr, value);
	}
	model.pmc[nr] = value;
	model.unserialized = true;
	model.unread_pmc |= BIT_ULL(nr);
	step();
}

/* Is there a PMD of that number? libpfm4: what of PMDs is implemented */
static bool is_there(unsigned int nr)
{
	if (model.chip->kind == MONTECITO)
		return (nr >= 4 && nr <= 15) || (nr >= 32 && nr <= 39) || (nr >= 48 && nr <= 63);
	return nr <= 17;
}

/* Without the bits that would trap */
static void write_ibr(unsigned int nr, u64 value)
{
	model.writes++;
	model.wrote_counting += anything_counts();
	model.reserved += (nr & 1) && value >> 60;
	model.ibr[nr] = value;
	model.unserialized = true;
}

static void write_dbr(unsigned int nr, u64 value)
{
	model.writes++;
	model.wrote_counting += anything_counts();
	model.reserved += (nr & 1) && value >> 60;
	model.dbr[nr] = value;
	model.unserialized = true;
}

static u64 read_pmc(unsigned int nr)
{
	u64 value;

	step();
	model.unserialized_read += model.unread_pmc >> nr & 1;
	value = model.pmc[nr];
	step();
	return value;
}

static void write_pmd(unsigned int nr, u64 value)
{
	step();
	model.writes++;
	model.wrote_counting += anything_counts();
	model.reserved += !is_there(nr);
	model.pmd[nr] = is_recorder(nr) ? value : value & full();
	model.unserialized = true;
	model.unread_pmd |= BIT_ULL(nr);
	step();
}

/* Above the counter's bits there are copies of its sign, or 0: chips differ (SDM volume 2, 7.2.1), in ways not known. */
static u64 seen(unsigned int nr)
{
	if (model.chip->kind == MERCED || is_recorder(nr))
		return model.pmd[nr];
	return sign_extend64(model.pmd[nr], model.chip->width - 1);
}

static u64 read_pmd(unsigned int nr)
{
	u64 value;

	step();
	model.unserialized_read += model.unread_pmd >> nr & 1;
	model.read_live += is_recorder(nr) && !is_frozen();
	model.reserved += !is_there(nr);
	value = seen(nr);
	pcl_shim_step();
	step();
	return value;
}

static void srlz_d(void)
{
	model.unserialized = false;
	model.unread_pmc = 0;
	model.unread_pmd = 0;
}

static void srlz_i(void)
{
	srlz_d();
	model.in_flight = false;
}

static unsigned int gate(unsigned int open)
{
	unsigned int before = (model.pp ? IA64_GATE_PRIVILEGED : 0) | (model.up ? IA64_GATE_USER : 0);

	step();
	model.unserialized_freeze += open && model.in_flight;
	model.pp = open & IA64_GATE_PRIVILEGED;
	model.up = open & IA64_GATE_USER;
	srlz_d();
	return before;
}

static const struct ia64_regs_ops ops = {
	.read_pmc = read_pmc, .write_pmc = write_pmc, .read_pmd = read_pmd, .write_pmd = write_pmd,
	.write_ibr = write_ibr, .write_dbr = write_dbr,
	.serialize = srlz_d, .serialize_freeze = srlz_i, .gate = gate,
};

/* sum and rum of user code (SDM volume 3): nothing happens while psr.sp is set */
static void user_up(bool up)
{
	if (!ia64_psr(task_pt_regs(current))->sp)
		model.up = up;
}

/*
 * mov r=pmd[nr] of user code (SDM volume 2, 7.2.1): 0 if psr.sp is set, or if the counter is privileged. Of what is
 * recorded it says nothing; so here that is there to be read.
 */
static u64 user_read(unsigned int nr)
{
	if (ia64_psr(task_pt_regs(current))->sp || (!is_recorder(nr) && (model.pmc[nr] & BIT(6))))
		return 0;
	return seen(nr);
}

#endif
