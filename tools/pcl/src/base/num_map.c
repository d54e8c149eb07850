// SPDX-License-Identifier: GPL-2.0
/*
 * A table from numbers to pointers.
 *
 * Concepts: open addressing; a slot is made when it is first asked for.
 * Contexts: report.
 * Locks: none.
 */
#include <stdlib.h>

#include "base/base.h"

static struct num_slot *find_slot(struct num_map *m, u64 key)
{
	/* the multiplier is 2^64 divided by the golden ratio (Knuth, vol. 3, 6.4) */
	unsigned int i = (unsigned int)(key * 0x9e3779b97f4a7c15ull >> 32) & (m->size - 1);

	while (m->v[i].value && m->v[i].key != key)
		i = (i + 1) & (m->size - 1);
	return &m->v[i];
}

static void grow(struct num_map *m)
{
	struct num_slot *old = m->v;
	unsigned int i, size = m->size;

	m->size = size ? size * 2 : 64;
	m->v = mem_zalloc(m->size, sizeof(*m->v));
	for (i = 0; i < size; i++)
		if (old[i].value)
			*find_slot(m, old[i].key) = old[i];
	free(old);
}

/*
 * Where the pointer of key is kept. When it is NULL the key is new, and the
 * caller must store one before the next call.
 */
void **num_map_at(struct num_map *m, u64 key)
{
	struct num_slot *s;

	if (m->nr * 2 >= m->size)
		grow(m);
	s = find_slot(m, key);
	if (!s->value) {
		s->key = key;
		m->nr++;
	}
	return &s->value;
}

/* Where the pointer of key is kept; NULL when the key is not there. */
void **num_map_get(struct num_map *m, u64 key)
{
	struct num_slot *s = m->size ? find_slot(m, key) : NULL;

	return s && s->value ? &s->value : NULL;
}

/* Take out what is not to be kept. */
void num_map_sweep(struct num_map *m, bool (*keep)(void *value, void *arg), void *arg,
		   void (*free_value)(void *value))
{
	struct num_map left = { 0 };
	unsigned int i;

	for (i = 0; i < m->size; i++) {
		if (!m->v[i].value)
			continue;
		if (keep(m->v[i].value, arg))
			*num_map_at(&left, m->v[i].key) = m->v[i].value;
		else if (free_value)
			free_value(m->v[i].value);
	}
	free(m->v);
	*m = left;
}

void num_map_free(struct num_map *m, void (*free_value)(void *value))
{
	unsigned int i;

	for (i = 0; i < m->size; i++)
		if (m->v[i].value && free_value)
			free_value(m->v[i].value);
	free(m->v);
	*m = (struct num_map){ 0 };
}
