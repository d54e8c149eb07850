// SPDX-License-Identifier: GPL-2.0
/*
 * Which of many nested ranges an address lies in, by one binary search.
 *
 * Concepts: ranges are cut at each place where one begins or ends; every piece
 * (a span) knows the innermost range that covers it. A span ends where the next
 * one starts, so one word for its place is enough.
 * Contexts: report, when a unit is read; one thread for each object.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "symbol/debug.h"

void ranges_add(struct range_list *l, u64 start, u64 end, u32 node, u32 depth)
{
	/* the linker leaves 0 where it dropped the code */
	if (!start || end <= start)
		return;
	if (l->nr == l->room) {
		l->room = l->room ? l->room * 2 : 256;
		l->v = mem_resize(l->v, l->room, sizeof(*l->v));
	}
	l->v[l->nr++] = (struct range){ start, end, node, depth };
}

/* Outer ones first; of equals, in the order of their nodes. */
static int cmp_range(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

struct sweep {
	struct span *v;
	u32 nr;
	struct range *open;	/* those that cover the present place, innermost last */
	size_t nr_open;
};

static void emit(struct sweep *s, u64 start, u32 node)
{
	if (s->nr && s->v[s->nr - 1].start == start)
		s->nr--;
	if (s->nr ? s->v[s->nr - 1].node != node : node != NO_NODE)
		s->v[s->nr++] = (struct span){ start, node };
}

/* Close what ends at or before this place. */
static void close_until(struct sweep *s, u64 place)
{
	while (s->nr_open && s->open[s->nr_open - 1].end <= place) {
		u64 end = s->open[s->nr_open - 1].end;

		while (s->nr_open && s->open[s->nr_open - 1].end <= end)
			s->nr_open--;
		emit(s, end, s->nr_open ? s->open[s->nr_open - 1].node : NO_NODE);
	}
}

/* The spans of these ranges; the list is emptied. */
struct span *ranges_flatten(struct range_list *l, u32 *nr)
{
	struct sweep s = { 0 };
	size_t i;

	s.v = mem_zalloc(2 * l->nr + 1, sizeof(*s.v));
	s.open = mem_zalloc(l->nr, sizeof(*s.open));
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), cmp_range);
	for (i = 0; i < l->nr; i++) {
		close_until(&s, l->v[i].start);
		emit(&s, l->v[i].start, l->v[i].node);
		s.open[s.nr_open++] = l->v[i];
	}
	close_until(&s, ~0ull);
	free(s.open);
	free(l->v);
	*l = (struct range_list){ 0 };
	*nr = s.nr;
	return mem_resize(s.v, s.nr, sizeof(*s.v));
}

/* The node at this address, or NO_NODE. */
u32 spans_find(const struct span *v, u32 nr, u64 addr)
{
	u32 lo = 0, hi = nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? v[lo - 1].node : NO_NODE;
}
