// SPDX-License-Identifier: GPL-2.0
/*
 * What a DWARF expression of call frame information comes to.
 *
 * Concepts: a stack machine (DWARF 5, 2.5.1). Only what may occur in call frame
 * information is known (6.4.2); it may read memory, that is, the copy of the
 * stack. The expression and the stack are not trusted: anything odd, or long,
 * has no value.
 * Contexts: unwinders.
 * Locks: none.
 */
#include <dwarf.h>

#include "unwind/private.h"

enum { DEPTH = 32, MAX_STEPS = 1000 };

struct location_machine {
	const struct regs *regs;
	const struct location_memory *mem;
	u64 cfa;
	u64 stack[DEPTH];
	unsigned int nr;
	bool bad;
};

static void push(struct location_machine *m, u64 v)
{
	if (m->nr == DEPTH)
		m->bad = true;
	else
		m->stack[m->nr++] = v;
}

static u64 pop(struct location_machine *m)
{
	if (m->nr)
		return m->stack[--m->nr];
	m->bad = true;
	return 0;
}

/* The entry n below the top. */
static u64 peek(struct location_machine *m, u64 n)
{
	if (n < m->nr)
		return m->stack[m->nr - 1 - n];
	m->bad = true;
	return 0;
}

static void push_register(struct location_machine *m, u64 reg, u64 offset)
{
	if (reg >= NR_REGS || !(m->regs->known >> reg & 1))
		m->bad = true;
	else
		push(m, m->regs->v[reg] + offset);
}

static void push_memory(struct location_machine *m, u64 size)
{
	u64 addr = pop(m), value = 0;

	if (!size || size > 8 || !m->mem->read(m->mem->arg, addr, (unsigned int)size, &value))
		m->bad = true;
	push(m, value);
}

static u64 divide(struct location_machine *m, u64 a, u64 b)
{
	if (!b || (a == 1ull << 63 && b == ~0ull)) {
		m->bad = true;
		return 0;
	}
	return (u64)((s64)a / (s64)b);
}

/* a is what was pushed first. */
static bool binary(struct location_machine *m, u8 atom)
{
	u64 b, a;

	if (atom < DW_OP_and || atom > DW_OP_ne || atom == DW_OP_bra || atom == DW_OP_abs ||
	    atom == DW_OP_neg || atom == DW_OP_not || atom == DW_OP_plus_uconst)
		return false;
	b = pop(m);
	a = pop(m);
	switch (atom) {
	case DW_OP_and: push(m, a & b); break;
	case DW_OP_or: push(m, a | b); break;
	case DW_OP_xor: push(m, a ^ b); break;
	case DW_OP_plus: push(m, a + b); break;
	case DW_OP_minus: push(m, a - b); break;
	case DW_OP_mul: push(m, a * b); break;
	case DW_OP_div: push(m, divide(m, a, b)); break;
	case DW_OP_mod: m->bad |= !b; push(m, b ? a % b : 0); break;
	case DW_OP_shl: push(m, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push(m, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push(m, (u64)((s64)a >> (b < 63 ? b : 63))); break;
	case DW_OP_eq: push(m, a == b); break;
	case DW_OP_ne: push(m, a != b); break;
	case DW_OP_lt: push(m, (s64)a < (s64)b); break;
	case DW_OP_le: push(m, (s64)a <= (s64)b); break;
	case DW_OP_gt: push(m, (s64)a > (s64)b); break;
	case DW_OP_ge: push(m, (s64)a >= (s64)b); break;
	default: m->bad = true;
	}
	return true;
}

static bool unary(struct location_machine *m, u8 atom)
{
	u64 a;

	if (atom != DW_OP_abs && atom != DW_OP_neg && atom != DW_OP_not)
		return false;
	a = pop(m);
	push(m, atom == DW_OP_not ? ~a : atom == DW_OP_neg || (s64)a < 0 ? -a : a);
	return true;
}

/* Move entries of the stack about. */
static bool shuffle(struct location_machine *m, const Dwarf_Op *op)
{
	u64 a, b, c;

	switch (op->atom) {
	case DW_OP_dup: push(m, peek(m, 0)); return true;
	case DW_OP_over: push(m, peek(m, 1)); return true;
	case DW_OP_pick: push(m, peek(m, op->number)); return true;
	case DW_OP_drop: pop(m); return true;
	case DW_OP_swap:
		a = pop(m);
		b = pop(m);
		push(m, a);
		push(m, b);
		return true;
	case DW_OP_rot:
		a = pop(m);
		b = pop(m);
		c = pop(m);
		push(m, a);
		push(m, c);
		push(m, b);
		return true;
	default:
		return false;
	}
}

/* Push what an operand, a register or memory holds. */
static bool load(struct location_machine *m, const Dwarf_Op *op)
{
	u8 atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		push(m, atom - DW_OP_lit0);
	else if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
		push(m, op->number);
	else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		push_register(m, atom - DW_OP_breg0, op->number);
	else if (atom == DW_OP_bregx)
		push_register(m, op->number, op->number2);
	else if (atom == DW_OP_call_frame_cfa)
		push(m, m->cfa);
	else if (atom == DW_OP_plus_uconst)
		push(m, pop(m) + op->number);
	else if (atom == DW_OP_deref)
		push_memory(m, 8);
	else if (atom == DW_OP_deref_size)
		push_memory(m, op->number);
	else
		return false;
	return true;
}

/* Index of the operation that a branch at i leads to; l->nr: the end. */
static size_t branch_target(struct location_machine *m, const struct location *l, size_t i)
{
	/* an operation and its operand of two bytes, then the distance */
	u64 to = l->ops[i].offset + 3 + (u64)(s64)(int16_t)l->ops[i].number;
	size_t at;

	for (at = 0; at < l->nr; at++)
		if (l->ops[at].offset == to)
			return at;
	if (to <= l->ops[l->nr - 1].offset)
		m->bad = true;
	return l->nr;
}

/* The value on top when the expression ends. False: it has none. */
bool location_value(const struct location *l, const struct regs *r, u64 cfa,
		    const struct location_memory *mem, u64 *value)
{
	struct location_machine m = { .regs = r, .mem = mem, .cfa = cfa };
	unsigned int steps = 0;
	size_t i = 0;

	while (i < l->nr && !m.bad) {
		const Dwarf_Op *op = &l->ops[i];

		if (++steps > MAX_STEPS)
			return false;
		if (op->atom == DW_OP_skip || (op->atom == DW_OP_bra && pop(&m))) {
			i = branch_target(&m, l, i);
			continue;
		}
		if (op->atom != DW_OP_bra && op->atom != DW_OP_nop && !load(&m, op) &&
		    !shuffle(&m, op) && !unary(&m, op->atom) && !binary(&m, op->atom))
			return false;
		i++;
	}
	*value = pop(&m);
	return !m.bad;
}
