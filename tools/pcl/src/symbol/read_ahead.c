// SPDX-License-Identifier: GPL-2.0
/*
 * Debug information of many addresses, read by all CPUs before it is asked for.
 *
 * Concepts: what an address needs is its unit. One thread for each object lists
 * them; then all units of all objects are read at the same time, the largest
 * first, so that a single large object keeps all CPUs busy, too.
 * Contexts: report; units_want() in threads of parallel_for(), each with objects
 * of its own.
 * Locks: none; each unit is in one list, once.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/debug.h"

static void add(struct unit_list *l, const struct wanted_unit *w)
{
	if (l->nr == l->room) {
		l->room = l->room ? l->room * 2 : 64;
		l->v = mem_resize(l->v, l->room, sizeof(*l->v));
	}
	l->v[l->nr++] = *w;
}

/* What object_frames() of this address will need. */
void units_want(struct unit_list *l, struct object *o, u64 addr)
{
	struct debug_info *d = object_debug(o);
	u32 i = d ? spans_find(d->spans, d->nr_spans, addr - o->image_shift) : NO_NODE;
	struct unit *u;

	if (i == NO_NODE || d->units[i].ready || d->units[i].wanted)
		return;
	u = &d->units[i];
	u->wanted = true;
	add(l, &(struct wanted_unit){ .d = d, .unit = i, .size = unit_prepare(d, u) });
}

/* Move all units from one list to another. */
void units_join(struct unit_list *to, struct unit_list *from)
{
	u32 i;

	for (i = 0; i < from->nr; i++)
		add(to, &from->v[i]);
	free(from->v);
	*from = (struct unit_list){ 0 };
}

static int cmp_size(const void *a, const void *b)
{
	const struct wanted_unit *x = a, *y = b;

	return x->size > y->size ? -1 : x->size < y->size;
}

static void read_one(u32 i, void *arg)
{
	const struct wanted_unit *w = &((struct unit_list *)arg)->v[i];

	unit_read(w->d, &w->d->units[w->unit]);
}

/* Read them; the list is emptied. */
void units_read(struct unit_list *l)
{
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), cmp_size);
	parallel_for(l->nr, read_one, l);
	free(l->v);
	*l = (struct unit_list){ 0 };
}
