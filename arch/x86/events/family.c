// SPDX-License-Identifier: GPL-2.0
/*
 * Look things up in a family's tables.
 *
 * Concepts: family.h. All tables end with a mark; all are short, and searched in order.
 *
 * Contexts: any. No state. Also built in user space.
 *
 * Locks: none.
 */
#include "family.h"

#include <linux/bitops.h>

static bool umask_fits(enum x86_umask_rule rule, u64 select)
{
	unsigned int umask = (select & X86_SEL_UMASK) >> 8;

	switch (rule) {
	case X86_UMASK_MANY:
		return umask & (umask - 1);
	case X86_UMASK_BOTH_HALVES:
		return (umask & 0xf0) && (umask & 0x0f);
	default:
		return true;
	}
}

static bool constraint_fits(const struct x86_constraint *row, u64 select)
{
	u64 code = select & row->mask;

	return code >= row->code && code <= row->last && umask_fits(row->umask, select);
}

/**
 * x86_family_counters - which counters can count an event
 * @family: where it is looked up
 * @shape: what there is
 * @select: the event, as in a select register
 *
 * An event with an event number may use the general counters beside its fixed one. The others (ref-cycles, slots:
 * event number 0, a pseudo-encoding) exist on the fixed counter alone. in_tx_cp works on counter 2 only (SDM,
 * "Intel Transactional Synchronization Extensions").
 */
u64 x86_family_counters(const struct x86_family *family, const struct x86_shape *shape, u64 select)
{
	u64 counters = shape->general;
	const struct x86_constraint *row;

	for (row = family->constraints; row && row->mask; row++) {
		if (!constraint_fits(row, select))
			continue;
		if (row->counters & ~X86_GENERAL_MASK) {
			counters = row->counters & shape->fixed;
			if (row->code & X86_SEL_EVENT)
				counters |= shape->general;
		} else {
			counters = row->counters & shape->general;
		}
		break;
	}
	if ((family->has & X86_HAS_TX) && (select & X86_SEL_IN_TX_CP))
		counters &= BIT_ULL(2);
	return counters;
}

/* The row for an operation on a cache, or NULL: absent. */
const struct x86_cache *x86_family_cache(const struct x86_family *family, unsigned int unit, unsigned int op)
{
	const struct x86_cache *row;

	for (row = family->cache; row && row->unit != PERF_COUNT_HW_CACHE_MAX; row++) {
		if (row->unit == unit && row->op == op)
			return row;
	}
	return NULL;
}

/* The extra register that an event needs, or NULL. */
const struct x86_extra *x86_family_extra(const struct x86_family *family, u64 select)
{
	const struct x86_extra *row;

	for (row = family->extra; row && row->msr; row++) {
		if (row->code == (select & X86_SEL_CODE))
			return row;
	}
	return NULL;
}

static const struct x86_generic *generic_find(const struct x86_generic *row, unsigned int id)
{
	for (; row && row->id != PERF_COUNT_HW_MAX; row++) {
		if (row->id == id)
			return row;
	}
	return NULL;
}

/* The code of a generic event: the family's own, or else its vendor's; 0: there is none. */
u64 x86_family_generic(const struct x86_family *family, const struct x86_generic *vendor, unsigned int id)
{
	const struct x86_generic *row = generic_find(family->generic, id);

	if (!row)
		row = generic_find(vendor, id);
	return row ? row->code : 0;
}

/* The period that the counter is given when @left events are left: never shorter than the family can do. */
s64 x86_family_period(const struct x86_family *family, u64 select, s64 left)
{
	if (family->inst_all_min && (select & X86_SEL_CODE) == 0x01c0) {
		if (left < family->inst_all_min)
			left = family->inst_all_min;
		return left & ~(s64)(family->inst_all_step - 1);
	}
	return left < family->min_period ? family->min_period : left;
}
