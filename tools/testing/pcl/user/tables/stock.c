// SPDX-License-Identifier: GPL-2.0
/*
 * Stock's tables, as cut.py has cut them, behind look-ups that know how stock reads them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/perf_event.h>

#include "stock.h"

#define BITS_TO_LONGS(n)	(((n) + 63) / 64)
#define HWEIGHT(n)		__builtin_popcountll(n)
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK_ULL(h, l)	((~0ULL << (l)) & (~0ULL >> (63 - (h))))
#define GENMASK(h, l)		GENMASK_ULL(h, l)

#include "stock_cut.h"

typedef const u64 cache_table[PERF_COUNT_HW_CACHE_MAX][PERF_COUNT_HW_CACHE_OP_MAX][PERF_COUNT_HW_CACHE_RESULT_MAX];

#define NAMED(table)	{ #table, table },
#define SIZED(table)	{ #table, table, sizeof(table) / sizeof((table)[0]) },

static const struct { const char *name; const struct event_constraint *rows; } constraints[] = {
	STOCK_CONSTRAINTS(NAMED)
};
static const struct { const char *name; const struct extra_reg *rows; } extras[] = { STOCK_EXTRA(NAMED) };
static const struct { const char *name; const u64 *rows; size_t nr; } generics[] = { STOCK_GENERIC(SIZED) };
static const struct { const char *name; cache_table *rows; } caches[] = {
#define CACHE(table)	{ #table, &table },
	STOCK_CACHE(CACHE)
};

#define FIND(list, wanted) ({ size_t i_ = 0; \
	while (i_ < sizeof(list) / sizeof((list)[0]) && strcmp((list)[i_].name, wanted)) \
		i_++; \
	i_ < sizeof(list) / sizeof((list)[0]) ? &(list)[i_] : NULL; })

bool stock_has(const char *table)
{
	return FIND(constraints, table) || FIND(extras, table) || FIND(generics, table) || FIND(caches, table);
}

/*
 * The first row that matches. A row for a fixed counter is widened by the general ones at boot, unless its code is a
 * pseudo-encoding; counters that are not there fall out.
 */
u64 stock_counters(const char *table, u64 select, u64 general, u64 fixed)
{
	const struct event_constraint *row = FIND(constraints, table)->rows;
	u64 counters;

	for (; row->weight >= 0; row++) {
		u64 code = select & row->cmask;

		if (code < row->code || code > row->code + row->size)
			continue;
		counters = row->idxmsk64;
		if (!(counters >> 32))
			return counters & general;
		counters &= fixed;
		return counters && (row->code & 0xff) ? counters | general : counters;
	}
	return general;
}

u64 stock_extra(const char *table, u64 select, u32 *msr)
{
	const struct extra_reg *row = FIND(extras, table)->rows;

	for (; row->msr; row++) {
		if (row->event == (select & row->config_mask)) {
			*msr = row->msr;
			return row->valid_mask;
		}
	}
	*msr = 0;
	return 0;
}

u64 stock_generic(const char *table, unsigned int id)
{
	return id < FIND(generics, table)->nr ? FIND(generics, table)->rows[id] : 0;
}

u64 stock_cache(const char *table, unsigned int unit, unsigned int op, unsigned int result)
{
	return (*FIND(caches, table)->rows)[unit][op][result];
}
