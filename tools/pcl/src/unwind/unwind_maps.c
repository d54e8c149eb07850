// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of what a process maps, that never change.
 *
 * Concepts: mappings of one table never overlap. Where a new one and an old one
 * claim the same addresses the later has them, later by the time of the record:
 * records of several CPUs need not arrive in order.
 * Contexts: the thread that takes in records makes tables; unwinders search
 * them under rcu_read_lock().
 * Locks: none.
 */
#include <string.h>

#include "unwind/private.h"

static struct unwind_maps *new_table(unsigned int room)
{
	struct unwind_maps *t = mem_zalloc(1, sizeof(*t) + room * sizeof(t->v[0]));

	t->users = 1;
	return t;
}

/* Put the part of m from start to end, if that is any. */
static void put(struct unwind_maps *t, const struct unwind_map *m, u64 start, u64 end)
{
	struct unwind_map *to = &t->v[t->nr];

	if (start >= end)
		return;
	*to = *m;
	to->start = start;
	to->end = end;
	to->pgoff += start - m->start;
	t->nr++;
}

/* Put an old mapping beside m; *at is where m has yet to be put from. */
static void put_old(struct unwind_maps *t, const struct unwind_map *old,
		    const struct unwind_map *m, u64 *at)
{
	if (old->end <= m->start) {
		put(t, old, old->start, old->end);
		return;
	}
	if (old->start >= m->end || old->since_ns > m->since_ns) {
		put(t, m, *at, old->start < m->end ? old->start : m->end);
		put(t, old, old->start, old->end);
		*at = old->end > *at ? old->end : *at;
		return;
	}
	put(t, old, old->start, m->start);
	if (old->end > m->end) {
		put(t, m, *at, m->end);
		*at = m->end;
		put(t, old, m->end, old->end);
	}
}

/* A table of the old one's mappings and m; those of m that later ones cover are left out. */
struct unwind_maps *unwind_maps_with(const struct unwind_maps *old, const struct unwind_map *m)
{
	unsigned int nr = old ? old->nr : 0, covering = 0, i;
	struct unwind_maps *t;
	u64 at = m->start;

	for (i = 0; i < nr; i++)
		covering += old->v[i].start < m->end && old->v[i].end > m->start;
	/* each that is covered, or covers, leaves at most one part more */
	t = new_table(nr + covering + 2);
	t->since_ns = old ? old->since_ns : 0;
	for (i = 0; i < nr; i++)
		put_old(t, &old->v[i], m, &at);
	put(t, m, at, m->end);
	return t;
}

/* A table of those mappings that are not older than an exec at this time. */
struct unwind_maps *unwind_maps_after(const struct unwind_maps *old, u64 time_ns)
{
	struct unwind_maps *t = new_table(old->nr);
	unsigned int i;

	t->since_ns = time_ns;
	for (i = 0; i < old->nr; i++)
		if (old->v[i].since_ns >= time_ns && time_ns)
			t->v[t->nr++] = old->v[i];
	return t;
}

const struct unwind_map *unwind_maps_find(const struct unwind_maps *maps, u64 addr)
{
	unsigned int lo = 0, hi = maps->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (maps->v[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo < maps->nr && maps->v[lo].start <= addr ? &maps->v[lo] : NULL;
}
