// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of what a process maps, that never change.
 *
 * Concepts: a table is a few levels, each sorted, without overlap and at most
 * half as long as the one before; tables share levels. A new mapping is a level
 * of its own, which is merged with the one before while that is not twice as
 * long: each mapping is copied once for each time that its level grows by half,
 * so n of them cost n log n. Where mappings claim the same addresses the later
 * has them, later by the time of the record: records of several CPUs need not
 * arrive in order; of one time, it is the one that came last.
 * Contexts: the thread that takes in records makes tables and lets them go;
 * unwinders search them under rcu_read_lock().
 * Locks: none; counts of users are the writer's alone.
 */
#include <stdlib.h>
#include <string.h>

#include "unwind/private.h"

/* Mappings that were put into levels by this thread: what tables cost. */
static __thread u64 work;

u64 unwind_maps_work(void)
{
	return work;
}

static struct maps_level *new_level(unsigned int room)
{
	struct maps_level *l = mem_zalloc(1, sizeof(*l) + room * sizeof(l->v[0]));

	l->users = 1;
	return l;
}

static void free_level_rcu(struct rcu_head *head)
{
	free(caa_container_of(head, struct maps_level, rcu));
}

static void level_put(struct maps_level *l)
{
	if (!--l->users)
		call_rcu(&l->rcu, free_level_rcu);
}

static void free_maps_rcu(struct rcu_head *head)
{
	free(caa_container_of(head, struct unwind_maps, rcu));
}

/* One user less of the table; without any it goes, and those that are older with it. */
void unwind_maps_put(struct unwind_maps *m)
{
	struct unwind_maps *older;
	unsigned int i;

	while (m && !--m->users) {
		older = m->older;
		for (i = 0; i < m->nr_levels; i++)
			level_put(m->levels[i]);
		call_rcu(&m->rcu, free_maps_rcu);
		m = older;
	}
}

static struct unwind_maps *new_table(u64 since_ns)
{
	struct unwind_maps *t = mem_zalloc(1, sizeof(*t));

	t->users = 1;
	t->since_ns = since_ns;
	return t;
}

/* Put the part of m from start to end; *last is what the last one was a part of. */
static void put(struct maps_level *l, const struct unwind_map *m, u64 start, u64 end,
		const struct unwind_map **last)
{
	struct unwind_map *to = &l->v[l->nr];

	if (*last == m && to[-1].end == start) {
		to[-1].end = end;
		return;
	}
	*to = *m;
	to->start = start;
	to->end = end;
	to->pgoff += start - m->start;
	l->nr++;
	work++;
	*last = m;
}

/* What both have; where they overlap, what is later, and of one time what b has, which came later. */
static struct maps_level *merge(const struct maps_level *a, const struct maps_level *b)
{
	struct maps_level *l = new_level(2 * (a->nr + b->nr));
	const struct unwind_map *last = NULL, *x, *y;
	unsigned int i = 0, k = 0;
	u64 at = 0, xs, ys, end;

	while (i < a->nr || k < b->nr) {
		x = i < a->nr ? &a->v[i] : NULL;
		y = k < b->nr ? &b->v[k] : NULL;
		xs = x ? (x->start > at ? x->start : at) : ~0ull;
		ys = y ? (y->start > at ? y->start : at) : ~0ull;
		if (!y || (x && xs < ys)) {
			/* alone, up to where the other begins */
			end = x->end < ys ? x->end : ys;
			put(l, x, xs, end, &last);
		} else if (!x || ys < xs) {
			end = y->end < xs ? y->end : xs;
			put(l, y, ys, end, &last);
		} else {
			end = x->end < y->end ? x->end : y->end;
			put(l, y->since_ns >= x->since_ns ? y : x, xs, end, &last);
		}
		at = end;
		i += x && x->end <= at;
		k += y && y->end <= at;
	}
	return mem_resize(l, 1, sizeof(*l) + l->nr * sizeof(l->v[0]));
}

/* Put a level, whose reference is taken over, behind those of t, so that each is twice as long as the next. */
static void push_level(struct unwind_maps *t, struct maps_level *l)
{
	struct maps_level *before, *both;

	while (t->nr_levels && t->levels[t->nr_levels - 1]->nr < 2 * l->nr) {
		before = t->levels[--t->nr_levels];
		both = merge(before, l);
		level_put(before);
		level_put(l);
		l = both;
	}
	t->levels[t->nr_levels++] = l;
}

/* A table of the old one's mappings and m; those of m that later ones cover are left out. */
struct unwind_maps *unwind_maps_with(const struct unwind_maps *old, const struct unwind_map *m)
{
	struct unwind_maps *t = new_table(old ? old->since_ns : 0);
	struct maps_level *l = new_level(1);
	unsigned int i;

	for (i = 0; old && i < old->nr_levels; i++) {
		t->levels[t->nr_levels++] = old->levels[i];
		old->levels[i]->users++;
	}
	l->v[0] = *m;
	l->nr = 1;
	work++;
	push_level(t, l);
	return t;
}

/* All of them in one level. NULL: there are none. To be put by level_put(). */
static struct maps_level *flat(const struct unwind_maps *t)
{
	struct maps_level *l = NULL, *both;
	unsigned int i;

	for (i = t->nr_levels; i; i--) {
		if (!l) {
			l = t->levels[i - 1];
			l->users++;
			continue;
		}
		both = merge(t->levels[i - 1], l);
		level_put(l);
		l = both;
	}
	return l;
}

/* A table of those mappings that are not older than an exec at this time. */
struct unwind_maps *unwind_maps_after(const struct unwind_maps *old, u64 time_ns)
{
	struct unwind_maps *t = new_table(time_ns);
	struct maps_level *all = flat(old), *l;
	unsigned int i;

	if (!all)
		return t;
	l = new_level(all->nr);
	for (i = 0; i < all->nr; i++)
		if (all->v[i].since_ns >= time_ns && time_ns)
			l->v[l->nr++] = all->v[i];
	level_put(all);
	if (l->nr)
		t->levels[t->nr_levels++] = l;
	else
		level_put(l);
	return t;
}

/* A table of what both have; where they overlap, what is later, or of the second. */
struct unwind_maps *unwind_maps_both(const struct unwind_maps *first, const struct unwind_maps *second)
{
	struct unwind_maps *t = new_table(first->since_ns);
	struct maps_level *a = flat(first), *b = flat(second);

	if (a)
		push_level(t, a);
	if (b)
		push_level(t, b);
	return t;
}

/* The same table without those that are older. */
struct unwind_maps *unwind_maps_alone(const struct unwind_maps *old)
{
	struct unwind_maps *t = new_table(old->since_ns);
	unsigned int i;

	for (i = 0; i < old->nr_levels; i++) {
		t->levels[t->nr_levels++] = old->levels[i];
		old->levels[i]->users++;
	}
	return t;
}

static const struct unwind_map *find_in(const struct maps_level *l, u64 addr)
{
	unsigned int lo = 0, hi = l->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->v[mid].end > addr)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo < l->nr && l->v[lo].start <= addr ? &l->v[lo] : NULL;
}

const struct unwind_map *unwind_maps_find(const struct unwind_maps *maps, u64 addr)
{
	const struct unwind_map *found = NULL, *m;
	unsigned int i;

	/* from the newest level on: of one time, what came later */
	for (i = maps->nr_levels; i; i--) {
		m = find_in(maps->levels[i - 1], addr);
		if (m && (!found || m->since_ns > found->since_ns))
			found = m;
	}
	return found;
}
