// SPDX-License-Identifier: GPL-2.0
/*
 * The chains of callers that samples had, each once.
 *
 * Concepts: most samples come to a function on a way that was seen before. A chain
 * is told apart by its words, as the record has them, and by what they are looked
 * up in; what they mean is found once, and kept with the chain.
 * Contexts: the reader's thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/chain_set.h"

/* One that is looked for. */
struct chain_key {
	const struct chain_set *set;
	const struct chain *chain;
	const u8 *words;
};

static bool same_chain(const void *array, u32 i, const void *key)
{
	const struct chain *a = (const struct chain *)array + i;
	const struct chain_key *k = key;
	const struct chain *b = k->chain;

	return a->nr_words == b->nr_words && a->user_layout == b->user_layout &&
	       a->kernel_layout == b->kernel_layout && a->mode == b->mode && a->exact == b->exact &&
	       !memcmp(k->set->words + a->first_word, k->words, a->nr_words * sizeof(u64));
}

static u64 hash_chain(const struct chain *c, const u8 *words)
{
	u64 h = hash_mix(c->user_layout, c->kernel_layout), word;
	u32 i;

	h = hash_mix(h, (u64)c->mode << 1 | c->exact);
	for (i = 0; i < c->nr_words; i++) {
		memcpy(&word, words + i * sizeof(word), sizeof(word));
		h = hash_mix(h, word);
	}
	return h;
}

static void keep_words(struct chain_set *s, struct chain *c, const u8 *words)
{
	if (s->room_words - s->nr_words < c->nr_words) {
		s->room_words = (s->nr_words + c->nr_words) * 2;
		s->words = mem_resize(s->words, s->room_words, sizeof(*s->words));
	}
	c->first_word = s->nr_words;
	if (c->nr_words)
		memcpy(s->words + s->nr_words, words, c->nr_words * sizeof(u64));
	s->nr_words += c->nr_words;
}

/*
 * The number of a chain; key has what tells it apart, but for its words. When it
 * is the number of all so far, the chain is new.
 */
u32 chain_set_at(struct chain_set *s, struct chain *key, struct cursor words)
{
	struct chain_key k = { s, key, words.p };
	u32 i;

	key->nr_words = (u32)(cursor_left(&words) / sizeof(u64));
	i = hash_index_at(&s->index, hash_chain(key, words.p), same_chain, s->v, &k);
	if (i < s->nr)
		return i;
	if (s->nr == s->room) {
		s->room = s->room ? s->room * 2 : 1024;
		s->v = mem_resize(s->v, s->room, sizeof(*s->v));
	}
	keep_words(s, key, words.p);
	s->v[s->nr++] = *key;
	return i;
}

/* Forget all, keep the room. */
void chain_set_clear(struct chain_set *s)
{
	s->nr = s->nr_words = 0;
	hash_index_clear(&s->index);
}

void chain_set_free(struct chain_set *s)
{
	free(s->v);
	free(s->words);
	hash_index_free(&s->index);
	*s = (struct chain_set){ 0 };
}
