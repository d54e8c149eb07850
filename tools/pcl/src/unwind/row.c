// SPDX-License-Identifier: GPL-2.0
/*
 * The rules that lead from one frame to the next, for one address.
 *
 * Concepts: libdw runs the program of the call frame information up to an
 * address and tells, as DWARF expressions, where each register of the caller
 * lies. That is slow, and the same addresses come again and again: the answer is
 * kept in a short form, which most expressions fit, and the others are copied.
 * Contexts: unwinders.
 * Locks: none.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/private.h"

/* Rows of one module; when there are more, it begins anew. */
enum { FIRST_ROWS = 256, MAX_ROWS = 1 << 16 };

static struct frame_rule location_rule(struct module *m, enum rule_kind kind, const Dwarf_Op *ops, size_t nr)
{
	struct location *l;
	Dwarf_Op *copy = mem_zalloc(nr ? nr : 1, sizeof(*copy));

	memcpy(copy, ops, nr * sizeof(*copy));
	m->locations = mem_resize(m->locations, m->nr_locations + 1, sizeof(*m->locations));
	l = &m->locations[m->nr_locations];
	l->ops = copy;
	l->nr = nr;
	return (struct frame_rule){ .kind = kind, .off = (s32)m->nr_locations++ };
}

static bool fits(u64 off)
{
	return (s64)off == (s32)(s64)off;
}

/* A register, or a register and an offset. */
static bool register_rule(const Dwarf_Op *op, size_t nr, struct frame_rule *r)
{
	u64 reg, off = 0;

	if (nr != 1)
		return false;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		reg = op->atom - DW_OP_reg0;
	} else if (op->atom == DW_OP_regx) {
		reg = op->number;
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		reg = op->atom - DW_OP_breg0;
		off = op->number;
	} else if (op->atom == DW_OP_bregx) {
		reg = op->number;
		off = op->number2;
	} else {
		return false;
	}
	if (reg >= NR_REGS || !fits(off))
		return false;
	*r = (struct frame_rule){ .kind = RULE_REG, .reg = (u8)reg, .off = (s32)off };
	return true;
}

/* The canonical frame address and an offset, as a place or as a value. */
static bool cfa_rule(const Dwarf_Op *op, size_t nr, struct frame_rule *r)
{
	bool is_value = nr && op[nr - 1].atom == DW_OP_stack_value;
	u64 off = 0;

	nr -= is_value;
	if (!nr || nr > 2 || op[0].atom != DW_OP_call_frame_cfa)
		return false;
	if (nr == 2) {
		if (op[1].atom != DW_OP_plus_uconst)
			return false;
		off = op[1].number;
	}
	if (!fits(off))
		return false;
	*r = (struct frame_rule){ .kind = is_value ? RULE_IS_CFA : RULE_AT_CFA, .off = (s32)off };
	return true;
}

static struct frame_rule rule_of_register(struct module *m, Dwarf_Frame *frame, int reg)
{
	struct frame_rule r = { .kind = RULE_UNDEFINED };
	Dwarf_Op mem[3], *ops;
	size_t nr;

	if (dwarf_frame_register(frame, reg, mem, &ops, &nr))
		return r;
	if (!nr) {
		r.kind = ops ? RULE_UNDEFINED : RULE_SAME;
		return r;
	}
	if (cfa_rule(ops, nr, &r) || register_rule(ops, nr, &r))
		return r;
	if (ops[nr - 1].atom == DW_OP_stack_value)
		return location_rule(m, RULE_IS_LOCATION, ops, nr - 1);
	return location_rule(m, RULE_AT_LOCATION, ops, nr);
}

static void fill_row(struct module *m, struct frame_row *row)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t nr;
	int ra, i;

	row->none = true;
	if ((!m->eh_frame || dwarf_cfi_addrframe(m->eh_frame, row->addr, &frame)) &&
	    (!m->debug_frame || dwarf_cfi_addrframe(m->debug_frame, row->addr, &frame)))
		return;
	ra = dwarf_frame_info(frame, NULL, NULL, &row->signal);
	if (ra >= 0 && !dwarf_frame_cfa(frame, &ops, &nr) && nr) {
		row->none = false;
		if (!register_rule(ops, nr, &row->cfa))
			row->cfa = location_rule(m, RULE_IS_LOCATION, ops, nr);
		for (i = 0; i < NR_REGS; i++)
			row->regs[i] = rule_of_register(m, frame, i);
		if (ra != REG_PC)
			row->regs[REG_PC] = rule_of_register(m, frame, ra);
		/* where nothing else is said, the caller's stack begins behind the frame */
		if (row->regs[REG_SP].kind <= RULE_SAME)
			row->regs[REG_SP] = (struct frame_rule){ .kind = RULE_IS_CFA };
	}
	free(frame);
}

/* Where the row of an address is, or would be. */
static struct frame_row *find_row(const struct module *m, u64 addr)
{
	/* the multiplier is 2^64 divided by the golden ratio (Knuth, vol. 3, 6.4) */
	unsigned int i = (unsigned int)(addr * 0x9e3779b97f4a7c15ull >> 32) & (m->size_rows - 1);

	while (m->rows[i].used && m->rows[i].addr != addr)
		i = (i + 1) & (m->size_rows - 1);
	return &m->rows[i];
}

static void forget_rows(struct module *m)
{
	unsigned int i;

	memset(m->rows, 0, m->size_rows * sizeof(*m->rows));
	m->nr_rows = 0;
	for (i = 0; i < m->nr_locations; i++)
		free((void *)m->locations[i].ops);
	m->nr_locations = 0;
}

static void make_room(struct module *m)
{
	unsigned int size = m->size_rows, i;
	struct frame_row *old = m->rows;

	if (m->nr_rows * 2 < size)
		return;
	if (m->nr_rows >= MAX_ROWS) {
		forget_rows(m);
		return;
	}
	m->size_rows = size ? size * 2 : FIRST_ROWS;
	m->rows = mem_zalloc(m->size_rows, sizeof(*m->rows));
	for (i = 0; i < size; i++)
		if (old[i].used)
			*find_row(m, old[i].addr) = old[i];
	free(old);
}

/* The rules for this address of the module; valid until the next call. */
const struct frame_row *module_row(struct module *m, u64 addr)
{
	struct frame_row *row;

	make_room(m);
	row = find_row(m, addr);
	if (row->used)
		return row;
	*row = (struct frame_row){ .addr = addr, .used = true };
	m->nr_rows++;
	fill_row(m, row);
	return row;
}
