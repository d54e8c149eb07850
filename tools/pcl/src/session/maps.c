// SPDX-License-Identifier: GPL-2.0
/*
 * The mappings of a process, sorted by address.
 *
 * Concepts: mappings never overlap; a new one cuts what lies under it.
 * Contexts: report.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
#include "session/session.h"

/* Index of the first mapping that ends behind addr. */
static unsigned int first_behind(const struct session_maps *t, u64 addr)
{
	unsigned int lo = 0, hi = t->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->v[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static void replace(struct session_maps *t, unsigned int at, unsigned int nr_old,
		    const struct session_map *with, unsigned int nr_new)
{
	if (t->nr - nr_old + nr_new > t->room) {
		t->room = (t->nr + nr_new) * 2;
		t->v = mem_resize(t->v, t->room, sizeof(*t->v));
	}
	memmove(t->v + at + nr_new, t->v + at + nr_old,
		(t->nr - at - nr_old) * sizeof(*t->v));
	memcpy(t->v + at, with, nr_new * sizeof(*with));
	t->nr = t->nr - nr_old + nr_new;
}

void maps_insert(struct session_maps *t, const struct session_map *m)
{
	struct session_map with[3];
	unsigned int first, last, nr = 0;

	if (m->end <= m->start)
		return;
	first = first_behind(t, m->start);
	for (last = first; last < t->nr && t->v[last].start < m->end; last++)
		;
	if (first < last && t->v[first].start < m->start) {
		with[nr] = t->v[first];
		with[nr++].end = m->start;
	}
	with[nr++] = *m;
	if (first < last && t->v[last - 1].end > m->end) {
		with[nr] = t->v[last - 1];
		with[nr].pgoff += m->end - with[nr].start;
		with[nr++].start = m->end;
	}
	replace(t, first, last - first, with, nr);
}

const struct session_map *maps_find(const struct session_maps *t, u64 addr)
{
	unsigned int i = first_behind(t, addr);

	return i < t->nr && t->v[i].start <= addr ? &t->v[i] : NULL;
}
