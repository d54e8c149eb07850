// SPDX-License-Identifier: GPL-2.0
/*
 * Who called, or who was called: the tree below an entry of a table.
 *
 * Concepts: built from the rows below the entry when it is looked at; each
 * row's stack is walked from the entry's function outwards (callers) or inwards
 * (callees). Children of a node are in order, largest first.
 * Contexts: one thread at a time.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "profile/profile.h"

static bool same_node(const void *array, u32 i, const void *key)
{
	/* number 0 is the entry, and in no index */
	const struct tree_node *a = (const struct tree_node *)array + i + 1, *b = key;

	return a->func == b->func && a->parent == b->parent;
}

static u32 child_of(struct tree *t, u32 parent, u32 func)
{
	struct tree_node key = { .func = func, .parent = parent };
	u32 i = 1 + hash_index_at(&t->index, hash_mix(parent, func), same_node, t->v, &key);

	if (i < t->nr)
		return i;
	if (t->nr == t->room) {
		t->room *= 2;
		t->v = mem_resize(t->v, t->room, sizeof(*t->v));
	}
	key.sibling = t->v[parent].child;
	t->v[parent].child = i;
	t->v[t->nr++] = key;
	return i;
}

static void add_row(struct tree *t, const struct hist *h, const struct row_ref *ref)
{
	const struct row *r = &h->p->rows[ref->row];
	u32 funcs[STACK_MAX], n = profile_unwind(h->p, r->stack, funcs), at = 0, d;

	t->v[0].period += r->period;
	if (h->view->mode == CHAIN_CALLEES)
		for (d = ref->depth; d--; t->v[at].period += r->period)
			at = child_of(t, at, funcs[d]);
	else
		for (d = ref->depth + 1; d < n; d++) {
			at = child_of(t, at, funcs[d]);
			t->v[at].period += r->period;
		}
}

static int cmp_node(const void *a, const void *b, void *arg)
{
	const struct tree_node *v = arg, *x = &v[*(const u32 *)a], *y = &v[*(const u32 *)b];

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	/* numbers are by time of arrival, the same on every run */
	return x->func < y->func ? -1 : x->func > y->func;
}

static void sort_children(struct tree *t, u32 node)
{
	u32 nr = 0, i, at, *list;

	for (at = t->v[node].child; at; at = t->v[at].sibling)
		nr++;
	if (nr < 2)
		return;
	list = mem_zalloc(nr, sizeof(*list));
	for (nr = 0, at = t->v[node].child; at; at = t->v[at].sibling)
		list[nr++] = at;
	qsort_r(list, nr, sizeof(*list), cmp_node, t->v);
	t->v[node].child = list[0];
	for (i = 0; i < nr; i++)
		t->v[list[i]].sibling = i + 1 < nr ? list[i + 1] : 0;
	free(list);
}

/* The tree below an entry of a table; t is new, or an old one that is used again. */
void tree_build(struct tree *t, const struct hist *h, u32 entry)
{
	const struct hist_entry *e = &h->v[entry];
	u32 i;

	if (!t->room) {
		t->room = 64;
		t->v = mem_zalloc(t->room, sizeof(*t->v));
	}
	/* a large index is not emptied for each of many small trees */
	if (t->index.size > 64 && t->nr < t->index.size / 16)
		hash_index_free(&t->index);
	hash_index_clear(&t->index);
	t->nr = 1;
	t->v[0] = (struct tree_node){ 0 };
	for (i = 0; i < e->nr_refs; i++)
		add_row(t, h, &h->refs[e->first_ref + i]);
	for (i = 0; i < t->nr; i++)
		sort_children(t, i);
}

void tree_free(struct tree *t)
{
	free(t->v);
	hash_index_free(&t->index);
	*t = (struct tree){ 0 };
}
