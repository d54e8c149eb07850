/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For ia64_model.h: what the CPU records beside counts. Misses fill the event address registers, branches the branch
 * trace buffer, and each that is captured is an event.
 *
 * Facts, written down here once more and not taken from the driver's tables: layouts of the registers from libpfm3's
 * pfm_ita_pmc_reg_t, pfm_ita_pmd_reg_t and those of Itanium 2 and Montecito; what unit masks mean from libpfm4's
 * events *_EAR_*; entries of the branch trace buffer, that a target which is a captured branch may be one entry or two,
 * and that nothing is valid unless all is frozen, from 245320, section "Branch Trace Buffer Registers"; what the bits
 * beside entries mean from pfmon (detailed_itanium2, detailed_montecito). That the bundle addresses in the buffer are
 * those of the first of two on Itanium 2 and Montecito is taken from there, too: pfmon adds b1 to them.
 */
#ifndef PCL_USER_IA64_RECORD_H
#define PCL_USER_IA64_RECORD_H

static void cycle(u32 what, u64 n);
static bool opcode_passes(unsigned int matcher);
static bool fetch_in_range(void);
static void take_interrupts(void);

/* A miss, of data or of a fetch */
struct miss {
	bool data;
	unsigned int what;		/* 0 a cache, 1 a TLB, 2 the ALAT */
	u64 address;			/* accessed */
	u64 ip;				/* by the instruction, slot included */
	unsigned int cycles;		/* until it was there */
	unsigned int level;		/* the TLB entry came from: 1 the second level, 2 the walker, 3 software */
};

/* A register that is filled, not one that counts, in the chip's numbering */
static bool is_recorder(unsigned int nr)
{
	return nr < 4 || nr > model.chip->last;
}

/* Does the control register let things through that happen now? @pm: its bit for the gate */
static bool records_now(unsigned int pmc, unsigned int pm)
{
	return !is_frozen() && (model.pmc[pmc] >> model.level & 1) && (model.pmc[pmc] >> pm & 1 ? model.pp : model.up);
}

static bool slow_enough(unsigned int cycles, unsigned int umask, bool gap)
{
	if (gap && umask > 7)
		umask--;		/* Merced, data: 512 cycles are 8 */
	return umask < 0xb && cycles >= 4U << umask;
}

/* Itanium 2 and Montecito, fetches: that many leading ones */
static bool fetch_slow_enough(unsigned int cycles, unsigned int umask)
{
	static const struct { u8 umask; unsigned int least; } rows[] = {
		{ 0x40, 1 }, { 0xff, 4 }, { 0xfe, 8 }, { 0xfc, 16 }, { 0xf8, 32 }, { 0xf0, 128 }, { 0xe0, 256 },
		{ 0xc0, 1024 }, { 0x80, 4096 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].umask == umask)
			return cycles >= rows[i].least;
	}
	return false;
}

static bool data_passes(const struct miss *miss)
{
	unsigned int nr = model.chip->kind == MONTECITO ? 40 : 11;
	u64 pmc = model.pmc[nr];
	unsigned int mode = pmc >> 7 & (model.chip->kind == MERCED ? 1 : 3), umask = pmc >> 16 & 0xf;

	if (!records_now(nr, 6) || mode != miss->what)
		return false;
	if (mode == 0)
		return slow_enough(miss->cycles, umask, model.chip->kind == MERCED);
	return mode == 2 || (umask >> miss->level & 1);
}

static bool fetch_passes(const struct miss *miss)
{
	unsigned int nr = model.chip->kind == MONTECITO ? 37 : 10;
	u64 pmc = model.pmc[nr];

	if (!records_now(nr, model.chip->kind == MERCED ? 6 : 4))
		return false;
	if (model.chip->kind == MERCED) {
		if ((pmc >> 7 & 1) != miss->what)
			return false;
		if (!miss->what)
			return slow_enough(miss->cycles, pmc >> 16 & 0xf, false);
		return pmc >> 16 >> miss->level & 1;
	}
	if (pmc >> 13 & 1)
		return miss->what == 0 && fetch_slow_enough(miss->cycles, pmc >> 5 & 0xff);
	return miss->what == 1 && !(pmc >> 12 & 1) && (pmc >> 5 >> (miss->level - 1) & 1);
}

/* What the status field says of it */
static u64 status_of(const struct miss *miss)
{
	if (model.unvouched)
		return 0;
	return miss->what == 1 ? miss->level : 1;
}

/* Merced: bits above the latency that mean nothing (libpfm4: pmd1_ita_reg, pmd3_ita_reg), as anything */
#define EAR_IGNORED	0x35000ULL
/* The same below a line's address, on all chips (pmd0_ita_reg, pmd0_ita2_reg, pmd34_mont_reg) */
#define LINE_IGNORED	0x1cULL

static void fill_data(const struct miss *miss)
{
	unsigned int address = model.chip->kind == MONTECITO ? 32 : 2, where = model.chip->kind == MONTECITO ? 36 : 17;
	u64 bundle = miss->ip & ~0xfULL, slot = miss->ip & 3;

	model.pmd[address] = miss->address;
	if (model.chip->kind == MERCED) {
		model.pmd[3] = (miss->cycles & 0xfff) | EAR_IGNORED | status_of(miss) << 62;
		model.pmd[17] = bundle | slot << 2 | !model.unvouched;
		return;
	}
	model.pmd[address + 1] = (miss->cycles & 0x1fff) | (u64)(miss->cycles > 0x1fff) << 13 | status_of(miss) << 14;
	model.pmd[where] = (bundle & ~0x1fULL) | (bundle >> 4 & 1) << 2 | slot | (u64)!model.nowhere << 3;
}

static void fill_fetch(const struct miss *miss)
{
	unsigned int address = model.chip->kind == MONTECITO ? 34 : 0;
	u64 line = miss->address & ~0x1fULL;

	if (model.chip->kind == MERCED) {
		model.pmd[0] = line | LINE_IGNORED | (miss->level == 3) << 1 | !model.unvouched;
		model.pmd[1] = (miss->cycles & 0xfff) | EAR_IGNORED;
		return;
	}
	model.pmd[address] = line | LINE_IGNORED | status_of(miss);
	model.pmd[address + 1] = (miss->cycles & 0xfff) | (u64)(miss->cycles > 0xfff) << 12;
}

/* It happens; returns whether it was captured, which is an event of its own. */
static bool happens(const struct miss *miss)
{
	bool passes = miss->data ? data_passes(miss) : fetch_passes(miss);
	unsigned int code = model.chip->kind == MERCED ? (miss->data ? 0x67 : 0x23) : (miss->data ? 0xc8 : 0x43);

	if (!passes)
		return false;
	if (miss->data)
		fill_data(miss);
	else
		fill_fetch(miss);
	cycle(code << 8, 1);
	take_interrupts();
	return true;
}

/*
 * ---- branches ----------------------------------------------------------------------------------------------------
 */

struct branch {
	u64 from, to;			/* slot and bundle, bundle */
	unsigned int kind;		/* 1 relative, 2 return, 3 other indirect ones */
	bool taken, front, back;	/* wrong: the front end's prediction, the back end's */
	bool joined;			/* it is in the target of the one before, and both are one entry */
	bool cut;			/* all froze before its target was noted */
};

static unsigned int trace_pmc(void)
{
	return model.chip->kind == MONTECITO ? 39 : 12;
}

static unsigned int trace_entries(void)
{
	return model.chip->kind == MONTECITO ? 16 : 8;
}

static bool branch_passes(const struct branch *branch)
{
	u64 pmc = model.pmc[trace_pmc()];
	unsigned int kind = pmc >> 14 & 3;
	/* Predictions right (2) and wrong (1), of targets and of paths */
	unsigned int predicted = branch->front || branch->back ? 1 : 2;

	if (!records_now(trace_pmc(), 6) || !(pmc >> 8 & (branch->taken ? 2 : 1)))
		return false;
	/* What is captured is an event of a kind that these restrict: libpfm4, BRANCH_EVENT. */
	if (!opcode_passes(0) || !fetch_in_range())
		return false;
	if (!(pmc >> 10 & predicted) || !(pmc >> 12 & predicted))
		return false;
	if (model.chip->kind == MERCED)		/* predictors: tar, bpt, bac */
		return (pmc >> 7 & 1) && kind == 3;
	return !kind || kind == branch->kind;
}

/* The four bits beside entry @i: their register, and the lowest of them */
static u64 *beside(unsigned int i, unsigned int *at)
{
	if (model.chip->kind == MONTECITO) {
		*at = i < 8 ? 8 * i : 8 * (i - 8) + 4;
		return &model.pmd[39];
	}
	*at = 4 + 4 * i;
	return &model.pmd[16];
}

static void trace_write(u64 entry, u64 more)
{
	u64 *index = &model.pmd[model.chip->kind == MONTECITO ? 38 : 16], *reg;
	unsigned int mask = trace_entries() - 1, next = *index & mask, at;

	model.pmd[(model.chip->kind == MONTECITO ? 48 : 8) + next] = entry;
	if (model.chip->kind != MERCED) {
		reg = beside(next, &at);
		*reg = (*reg & ~(0xfULL << at)) | more << at;
	}
	if (next == mask)
		*index |= model.chip->kind == MONTECITO ? 0x20 : 0x8;
	*index = (*index & ~(u64)mask) | ((next + 1) & mask);
}

static void trace_unwrite(void)
{
	u64 *index = &model.pmd[model.chip->kind == MONTECITO ? 38 : 16];
	unsigned int mask = trace_entries() - 1;

	*index = (*index & ~(u64)mask) | ((*index - 1) & mask);
}

/* It retires; returns whether it was captured. */
static bool retires(const struct branch *branch)
{
	u64 bundle = branch->from & ~0xfULL, slot = branch->taken ? branch->from & 3 : 3;

	if (!branch_passes(branch))
		return false;
	if (branch->joined)
		trace_unwrite();
	if (model.chip->kind == MERCED)
		trace_write(bundle | slot << 2 | (branch->front || branch->back) << 1 | 1, 0);
	else
		trace_write((bundle & ~0x1fULL) | slot << 2 | branch->front << 1 | 1,
			    (bundle >> 4 & 1) | (u64)branch->back << 1);
	if (branch->taken && !branch->cut)
		trace_write(branch->to | 2, 0);
	cycle(0x1100, 1);
	take_interrupts();
	return true;
}

/* A bundle retires, @cycles after the one before: Montecito may note that in the same buffer. @early: not all of it */
static void bundle_retires(u64 address, unsigned int cycles, bool early)
{
	u64 entry = address >> 4 | (u64)(cycles & 0xf) << 60;

	if (model.chip->kind != MONTECITO || !records_now(42, 6) || (model.pmc[42] >> 8 & 7) != 4)
		return;
	trace_write(entry, (cycles >> 4 & 3) | (u64)early << 3);
}

#endif
