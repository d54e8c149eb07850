// SPDX-License-Identifier: GPL-2.0
/*
 * The names and paths of an object.
 *
 * Concepts: an arena keeps texts in large pieces, which are freed together.
 * Texts are numbered from it: those that came out of the cache first, as they
 * were, then new ones, each once.
 * Contexts: report; one thread for each object, but while units are read, when
 * many add texts and nobody looks at one.
 * Locks: texts_add() takes that of its set.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/symbol.h"
#include "symbol/debug.h"

enum { PIECE = 64 << 10 };

/* Memory to be freed with the arena. */
void arena_adopt(struct arena *a, void *piece)
{
	a->pieces = mem_resize(a->pieces, a->nr + 1, sizeof(*a->pieces));
	a->pieces[a->nr++] = piece;
}

const char *arena_text(struct arena *a, const char *text)
{
	size_t n = strlen(text) + 1;
	char *to;

	if (n > a->left) {
		a->left = n > PIECE ? n : PIECE;
		a->next = mem_zalloc(a->left, 1);
		arena_adopt(a, a->next);
	}
	to = memcpy(a->next, text, n);
	a->next += n;
	a->left -= n;
	return to;
}

void arena_free(struct arena *a)
{
	unsigned int i;

	for (i = 0; i < a->nr; i++)
		free(a->pieces[i]);
	free(a->pieces);
	*a = (struct arena){ 0 };
}

static u64 hash_text(const char *s)
{
	u64 h = 0xcbf29ce484222325ull;	/* FNV-1a */

	while (*s)
		h = (h ^ (unsigned char)*s++) * 0x100000001b3ull;
	return h;
}

static bool same_text(const void *array, u32 i, const void *key)
{
	const struct texts *t = array;

	return !strcmp(t->v[t->from_cache + i], key);
}

static void append(struct texts *t, const char *text)
{
	if (t->nr == t->room) {
		t->room = t->room ? t->room * 2 : 256;
		t->v = mem_resize(t->v, t->room, sizeof(*t->v));
	}
	t->v[t->nr++] = text;
}

/* Texts of an object that many threads will add to. */
void texts_init(struct texts *t)
{
	pthread_mutexattr_t a;

	/* a text is added in less time than falling asleep takes, so others look again first */
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&t->lock, &a);
	pthread_mutexattr_destroy(&a);
}

/* The number of a text. */
u32 texts_add(struct texts *t, const char *text)
{
	u64 hash = hash_text(text);
	u32 i;

	pthread_mutex_lock(&t->lock);
	i = t->from_cache + hash_index_at(&t->index, hash, same_text, t, text);
	if (i == t->nr)
		append(t, arena_text(&t->arena, text));
	pthread_mutex_unlock(&t->lock);
	return i;
}

/* One that was cached; it lives as long as the object. Before any is added. */
void texts_append_cached(struct texts *t, const char *text)
{
	append(t, text);
	t->from_cache = t->nr;
}

void texts_free(struct texts *t)
{
	free(t->v);
	hash_index_free(&t->index);
	arena_free(&t->arena);
	*t = (struct texts){ 0 };
}
