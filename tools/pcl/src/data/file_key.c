// SPDX-License-Identifier: GPL-2.0
/*
 * What tells the files apart that mappings are of.
 *
 * Concepts: a file has its build id where that is told, else its device and inode, and always its name: of one file that
 * has two, each is shown as its process knows it. The generation tells files apart that had an inode one after the other;
 * /proc does not know it, so 0 is any.
 * Contexts: all who follow mappings.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "data/read.h"

static struct file_key key_of(const struct pd_mmap *m)
{
	struct file_key k = { .name = m->name };

	if (m->by_build_id) {
		k.build_id_len = m->build_id_len;
		memcpy(k.build_id, m->build_id, sizeof(k.build_id));
	} else {
		k.device = (u64)m->major << 32 | m->minor;
		k.inode = m->inode;
		k.generation = m->generation;
	}
	return k;
}

static u64 hash_key(const struct file_key *k)
{
	u64 h = hash_mix(k->device, k->inode);
	const char *p;
	u8 i;

	for (i = 0; i < k->build_id_len; i++)
		h = hash_mix(h, k->build_id[i]);
	for (p = k->name; *p; p++)
		h = hash_mix(h, (u8)*p);
	return h;
}

static bool same_key(const void *array, u32 i, const void *key)
{
	const struct file_key *a = (const struct file_key *)array + i, *b = key;

	return a->device == b->device && a->inode == b->inode && a->build_id_len == b->build_id_len &&
	       (a->generation == b->generation || !a->generation || !b->generation) &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len) && !strcmp(a->name, b->name);
}

/* The number of the file of this mapping; a new one is as large as there were files before. */
u32 file_keys_add(struct file_keys *s, const struct pd_mmap *m)
{
	struct file_key key = key_of(m);
	u32 i = hash_index_at(&s->index, hash_key(&key), same_key, s->v, &key);

	if (i < s->nr) {
		if (!s->v[i].generation)
			s->v[i].generation = key.generation;
		return i;
	}
	if (s->nr == s->room) {
		s->room = s->room ? s->room * 2 : 32;
		s->v = mem_resize(s->v, s->room, sizeof(*s->v));
	}
	key.name = str_dup(m->name);
	s->v[s->nr++] = key;
	return i;
}

void file_keys_free(struct file_keys *s)
{
	u32 i;

	for (i = 0; i < s->nr; i++)
		free((char *)s->v[i].name);
	free(s->v);
	hash_index_free(&s->index);
	*s = (struct file_keys){ 0 };
}
