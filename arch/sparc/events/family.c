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

static bool is_code_of(const struct sparc_event *row, u16 code)
{
	return (code & ~row->umask) == row->code && (!row->umask || (code & row->umask));
}

/* The row of the event that has @code on each of @counters, or NULL: there is none. */
const struct sparc_event *sparc_family_event(const struct sparc_family *family, u16 code, u8 counters)
{
	const struct sparc_event *row;
	unsigned int table;

	for (table = 0; table < SPARC_EVENT_TABLES && family->events[table]; table++) {
		for (row = family->events[table]; row->counters; row++) {
			if (is_code_of(row, code) && !(counters & ~row->counters))
				return row;
		}
	}
	return NULL;
}

/* A generic event: counters is 0 where there is none. */
struct sparc_code sparc_family_generic(const struct sparc_family *family, unsigned int id)
{
	const struct sparc_generic *row;

	for (row = family->generic; row->id != PERF_COUNT_HW_MAX; row++) {
		if (row->id == id)
			return row->code;
	}
	return (struct sparc_code)SPARC_ABSENT;
}

/* An operation on a cache: counters is 0 where nothing counts it. */
struct sparc_code sparc_family_cache(const struct sparc_family *family, unsigned int unit, unsigned int op, bool miss)
{
	const struct sparc_cache *row;

	for (row = family->cache; row->unit != PERF_COUNT_HW_CACHE_MAX; row++) {
		if (row->unit == unit && row->op == op)
			return miss ? row->miss : row->access;
	}
	return (struct sparc_code)SPARC_ABSENT;
}

/* Could nothing count it? The instruction cache is not written. */
bool sparc_cache_is_senseless(unsigned int unit, unsigned int op)
{
	return unit == PERF_COUNT_HW_CACHE_L1I && op == PERF_COUNT_HW_CACHE_OP_WRITE;
}
