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

/* The row of the event whose number and unit mask are those of @config, or NULL: there is none. */
const struct ia64_event *ia64_family_event(const struct ia64_family *family, u64 config)
{
	const struct ia64_event *row;

	for (row = family->events; row->counters; row++) {
		if (row->code == (config & IA64_PMC_EVENT) >> 8 && (row->umasks & BIT(IA64_UMASK_OF(config))))
			return row;
	}
	return NULL;
}

/* Control register @nr, or NULL: there is none. */
const struct ia64_reg *ia64_family_reg(const struct ia64_family *family, unsigned int nr)
{
	const struct ia64_reg *reg;

	for (reg = family->regs; reg->nr; reg++) {
		if (reg->nr == nr)
			return reg;
	}
	return NULL;
}

/* The code of a generic event, or IA64_ABSENT. */
u32 ia64_family_generic(const struct ia64_family *family, unsigned int id)
{
	const struct ia64_generic *row;

	for (row = family->generic; row->id != PERF_COUNT_HW_MAX; row++) {
		if (row->id == id)
			return row->code;
	}
	return IA64_ABSENT;
}

/* The code for an operation on a cache, or IA64_ABSENT. */
u32 ia64_family_cache(const struct ia64_family *family, unsigned int unit, unsigned int op, bool miss)
{
	const struct ia64_cache *row;

	for (row = family->cache; row->unit != PERF_COUNT_HW_CACHE_MAX; row++) {
		if (row->unit == unit && row->op == op)
			return miss ? row->miss : row->access;
	}
	return IA64_ABSENT;
}

/* Could nothing count it? The instruction cache is not written. */
bool ia64_cache_is_senseless(unsigned int unit, unsigned int op)
{
	return unit == PERF_COUNT_HW_CACHE_L1I && op == PERF_COUNT_HW_CACHE_OP_WRITE;
}
