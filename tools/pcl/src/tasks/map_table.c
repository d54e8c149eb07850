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
 * others search those that are shared under rcu_read_lock().
 * Locks: none; counts of users are the writer's alone.
 */
#include <stdlib.h>
#include <string.h>

#include "tasks/tasks.h"

/* Mappings that were put into levels by this thread: what tables cost. */
static __thread u64 work;

u64 map_table_work(void)
{
	return work;
}

static struct map_level *new_level(size_t room)
{
	struct map_level *l = mem_zalloc(1, sizeof(*l) + room * sizeof(l->v[0]));

	l->users = 1;
	return l;
}

static void free_level_rcu(struct rcu_head *head)
{
	free(caa_container_of(head, struct map_level, rcu));
}

static void level_put(struct map_level *l, bool shared)
{
	if (--l->users)
		return;
	if (shared)
		call_rcu(&l->rcu, free_level_rcu);
	else
		free(l);
}

static void free_table_rcu(struct rcu_head *head)
{
	free(caa_container_of(head, struct map_table, rcu));
}

/* One user less of the table; without any it goes, and those that are older with it. */
void map_table_put(struct map_table *t)
{
	struct map_table *older;
	unsigned int i;

	while (t && !--t->users) {
		older = t->older;
		for (i = 0; i < t->nr_levels; i++)
			level_put(t->levels[i], t->shared);
		if (t->shared)
			call_rcu(&t->rcu, free_table_rcu);
		else
			free(t);
		t = older;
	}
}

/* An empty one. shared: others may look at it, and at those that are made of it. */
struct map_table *map_table_new(bool shared)
{
	struct map_table *t = mem_zalloc(1, sizeof(*t));

	t->users = 1;
	t->shared = shared;
	return t;
}

static u64 runs_ns(const struct map_table *t)
{
	return __atomic_load_n(&t->runs_ns, __ATOMIC_RELAXED);
}

/* What is made of old, which goes on. */
static struct map_table *next_of(const struct map_table *old)
{
	struct map_table *t = map_table_new(old->shared);

	t->since_ns = old->since_ns;
	t->runs_ns = runs_ns(old);
	return t;
}

static void take_levels(struct map_table *t, const struct map_table *from)
{
	unsigned int i;

	for (i = 0; i < from->nr_levels; i++) {
		t->levels[t->nr_levels++] = from->levels[i];
		from->levels[i]->users++;
	}
}

/* Put the part of m from start to end; *last is what the last one was a part of. */
static void put(struct map_level *l, const struct map *m, u64 start, u64 end,
		const struct map **last)
{
	struct map *to = &l->v[l->nr];

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
static struct map_level *merge(const struct map_level *a, const struct map_level *b)
{
	struct map_level *l = new_level(2 * (a->nr + b->nr));
	const struct map *last = NULL, *x, *y;
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
static void push_level(struct map_table *t, struct map_level *l)
{
	struct map_level *before, *both;

	while (t->nr_levels && t->levels[t->nr_levels - 1]->nr < 2 * l->nr) {
		before = t->levels[--t->nr_levels];
		both = merge(before, l);
		level_put(before, t->shared);
		level_put(l, t->shared);
		l = both;
	}
	t->levels[t->nr_levels++] = l;
}

/* A table of the old one's mappings and m; those of m that later ones cover are left out. */
struct map_table *map_table_with(const struct map_table *old, const struct map *m)
{
	struct map_table *t = next_of(old);
	struct map_level *l = new_level(1);

	take_levels(t, old);
	l->v[0] = *m;
	l->nr = 1;
	work++;
	push_level(t, l);
	return t;
}

/* All of them in one level. NULL: there are none. To be put by level_put(). */
static struct map_level *flat(const struct map_table *t)
{
	struct map_level *l = NULL, *both;
	unsigned int i;

	for (i = t->nr_levels; i; i--) {
		if (!l) {
			l = t->levels[i - 1];
			l->users++;
			continue;
		}
		both = merge(t->levels[i - 1], l);
		level_put(l, t->shared);
		l = both;
	}
	return l;
}

/* A table of those mappings that are not older than an exec, or a fork, at this time. */
struct map_table *map_table_after(const struct map_table *old, u64 time_ns)
{
	struct map_table *t = map_table_new(old->shared);
	struct map_level *all = flat(old), *l;
	unsigned int i;

	t->since_ns = time_ns;
	if (!all)
		return t;
	l = new_level(all->nr);
	for (i = 0; i < all->nr; i++)
		if (all->v[i].since_ns >= time_ns && time_ns)
			l->v[l->nr++] = all->v[i];
	level_put(all, t->shared);
	if (l->nr)
		t->levels[t->nr_levels++] = l;
	else
		level_put(l, t->shared);
	return t;
}

/* A table of what both have; where they overlap, what is later, or of the second. */
struct map_table *map_table_both(const struct map_table *first, const struct map_table *second)
{
	struct map_table *t = next_of(first);
	struct map_level *a = flat(first), *b = flat(second);

	if (a)
		push_level(t, a);
	if (b)
		push_level(t, b);
	return t;
}

/* The same table without those that are older. */
struct map_table *map_table_alone(const struct map_table *old)
{
	struct map_table *t = next_of(old);

	t->number = old->number;
	take_levels(t, old);
	return t;
}

static const struct map *find_in(const struct map_level *l, u64 addr)
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

const struct map *map_table_find(const struct map_table *t, u64 addr)
{
	const struct map *found = NULL, *m;
	unsigned int i;

	/* from the newest level on: of one time, what came later */
	for (i = t->nr_levels; i; i--) {
		m = find_in(t->levels[i - 1], addr);
		if (m && (!found || m->since_ns > found->since_ns))
			found = m;
	}
	return found;
}

/* At this time an address was sampled that the table maps: the program runs. */
void map_table_runs(struct map_table *t, u64 time_ns)
{
	u64 known = runs_ns(t);

	/* samples come in any order where several threads look at them */
	while (time_ns < known && !__atomic_compare_exchange_n(&t->runs_ns, &known, time_ns, true, __ATOMIC_RELAXED,
								__ATOMIC_RELAXED))
		;
}

/*
 * While the kernel loads a new program, the user's side of the task is still the call of execve() in the old one: the
 * table of that, or NULL: the new one runs.
 */
const struct map_table *map_table_before_exec(const struct map_table *t, u64 time_ns)
{
	u64 runs = runs_ns(t);

	return runs == ~0ull || time_ns < runs ? t->older : NULL;
}
