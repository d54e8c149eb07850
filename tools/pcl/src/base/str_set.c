// SPDX-License-Identifier: GPL-2.0
/*
 * A set of strings: each is kept once and has a number.
 *
 * Concepts: open addressing over an array in order of arrival.
 * Contexts: any.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* FNV-1a */
static unsigned int hash_text(const char *s)
{
	unsigned int h = 2166136261u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

static unsigned int *find_place(struct str_set *s, const char *text)
{
	unsigned int i = hash_text(text) & (s->hash_size - 1);

	while (s->hash[i] && strcmp(s->v[s->hash[i] - 1], text))
		i = (i + 1) & (s->hash_size - 1);
	return &s->hash[i];
}

static void grow(struct str_set *s)
{
	unsigned int i;

	s->hash_size = s->hash_size ? s->hash_size * 2 : 64;
	free(s->hash);
	s->hash = mem_zalloc(s->hash_size, sizeof(*s->hash));
	for (i = 0; i < s->nr; i++)
		*find_place(s, s->v[i]) = i + 1;
}

/* The number of text, which is added when it is new. */
unsigned int str_set_add(struct str_set *s, const char *text)
{
	unsigned int *place;

	if (s->nr * 2 >= s->hash_size)
		grow(s);
	place = find_place(s, text);
	if (!*place) {
		s->v = mem_resize(s->v, s->nr + 1, sizeof(*s->v));
		s->v[s->nr++] = str_dup(text);
		*place = s->nr;
	}
	return *place - 1;
}

void str_set_free(struct str_set *s)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		free(s->v[i]);
	free(s->v);
	free(s->hash);
	memset(s, 0, sizeof(*s));
}
