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

u64 hash_mix(u64 h, u64 v)
{
	/* the multiplier is 2^64 divided by the golden ratio (Knuth, vol. 3, 6.4) */
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static void grow(struct hash_index *x)
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

/*
 * Where the key is in the array. When it is not there, that is the number of
 * entries so far, and the caller must append it.
 */
u32 hash_index_at(struct hash_index *x, u64 hash, hash_same_fn same, const void *array,
		  const void *key)
{
	u32 h = (u32)(hash >> 32) ^ (u32)hash, i;

	if ((u64)x->nr * 3 >= (u64)x->size * 2)
		grow(x);
	for (i = h & (x->size - 1); x->v[i].place; i = (i + 1) & (x->size - 1))
		if (x->v[i].hash == h && same(array, x->v[i].place - 1, key))
			return x->v[i].place - 1;
	x->v[i] = (struct hash_slot){ h, ++x->nr };
	return x->nr - 1;
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
