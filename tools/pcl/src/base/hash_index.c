// SPDX-License-Identifier: GPL-2.0
/*
 * An index by hash over an array that only grows.
 *
 * Concepts: open addressing; a slot has the hash and the place in the array,
 * so that growing needs no look at the array, and most misses none either. The
 * array is the owner's; the index says where a key is, or that it is new.
 * Contexts: any.
 * Locks: none.
 */
#include <stdlib.h>

#include "base/base.h"

/* Make room for more. */
void hash_index_grow(struct hash_index *x)
{
	struct hash_slot *old = x->v;
	u32 i, k, size = x->size;

	x->size = size ? size * 2 : 64;
	x->v = mem_zalloc(x->size, sizeof(*x->v));
	for (i = 0; i < size; i++) {
		if (!old[i].place)
			continue;
		for (k = old[i].hash & (x->size - 1); x->v[k].place; k = (k + 1) & (x->size - 1))
			;
		x->v[k] = old[i];
	}
	free(old);
}

/* Forget all, keep the room. */
void hash_index_clear(struct hash_index *x)
{
	u32 i;

	for (i = 0; i < x->size; i++)
		x->v[i].place = 0;
	x->nr = 0;
}

void hash_index_free(struct hash_index *x)
{
	free(x->v);
	*x = (struct hash_index){ 0 };
}
