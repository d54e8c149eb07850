// SPDX-License-Identifier: GPL-2.0
/*
 * The table of a report: samples that look alike add up to one entry.
 *
 * Concepts: an entry is found by all its key fields; those that are not sorted
 * by are zero in every key, so that they never tell entries apart.
 * Contexts: report.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "report/report.h"

static u64 mix(u64 h, u64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static unsigned int hash_entry(const struct hist_entry *e)
{
	u64 h = mix(0, (u64)(uintptr_t)e->comm);

	h = mix(h, (u64)(uintptr_t)e->object);
	h = mix(h, (u64)(uintptr_t)e->symbol);
	h = mix(h, (u64)(u32)e->pid << 32 | (u32)e->tid);
	return (unsigned int)mix(h, (u64)e->cpu << 8 | (u8)e->level);
}

static bool same_entry(const struct hist_entry *a, const struct hist_entry *b)
{
	return a->comm == b->comm && a->object == b->object && a->symbol == b->symbol &&
	       a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu &&
	       a->level == b->level;
}

static unsigned int *find_place(struct hist *h, const struct hist_entry *key)
{
	unsigned int i = hash_entry(key) & (h->hash_size - 1);

	while (h->hash[i] && !same_entry(h->v[h->hash[i] - 1], key))
		i = (i + 1) & (h->hash_size - 1);
	return &h->hash[i];
}

static void grow(struct hist *h)
{
	unsigned int i;

	h->hash_size = h->hash_size ? h->hash_size * 2 : 256;
	free(h->hash);
	h->hash = mem_zalloc(h->hash_size, sizeof(*h->hash));
	for (i = 0; i < h->nr; i++)
		*find_place(h, h->v[i]) = i + 1;
}

/* Add one sample of this period to the entry of key; returns the entry. */
struct hist_entry *hist_add(struct hist *h, const struct hist_entry *key, u64 period)
{
	struct hist_entry *e;
	unsigned int *place;

	if (h->nr * 2 >= h->hash_size)
		grow(h);
	place = find_place(h, key);
	if (!*place) {
		e = mem_zalloc(1, sizeof(*e));
		*e = *key;
		h->v = mem_resize(h->v, h->nr + 1, sizeof(*h->v));
		h->v[h->nr++] = e;
		*place = h->nr;
	}
	e = h->v[*place - 1];
	e->period += period;
	e->samples++;
	return e;
}

/* Largest first; then by what is shown, so that equal runs print equally. */
static int cmp_entry(const void *a, const void *b)
{
	const struct hist_entry *x = *(struct hist_entry *const *)a;
	const struct hist_entry *y = *(struct hist_entry *const *)b;
	int d = 0;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	if (x->comm && y->comm)
		d = strcmp(x->comm, y->comm);
	if (!d && x->object && y->object)
		d = strcmp(x->object->name, y->object->name);
	if (!d && x->symbol && y->symbol)
		d = strcmp(x->symbol->name, y->symbol->name);
	return d ? d : x->tid - y->tid;
}

/* After this the table is only read. */
void hist_sort(struct hist *h)
{
	if (h->nr)
		qsort(h->v, h->nr, sizeof(struct hist_entry *), cmp_entry);
}

void hist_free(struct hist *h)
{
	unsigned int i;

	for (i = 0; i < h->nr; i++) {
		callers_free(h->v[i]->callers.child);
		free(h->v[i]);
	}
	free(h->v);
	free(h->hash);
	*h = (struct hist){ 0 };
}
