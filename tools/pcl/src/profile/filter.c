// SPDX-License-Identifier: GPL-2.0
/*
 * Which rows and frames a view shows.
 *
 * Concepts: an empty list lets everything through. Names are whole names;
 * objects may be given with or without their directory.
 * Contexts: making a view.
 * Locks: none.
 */
#include <string.h>

#include "profile/profile.h"

bool word_list_has(const struct word_list *l, const char *word)
{
	const char *p = l->text;
	size_t n, len = strlen(word);

	if (!p)
		return true;
	for (;; p += n + 1) {
		n = strcspn(p, ",");
		if (n == len && !strncmp(p, word, n))
			return true;
		if (!p[n])
			return false;
	}
}

/* A name may have commas of its own, as those of C++ do: then it is the only one. */
static bool names_symbol(const struct word_list *l, const char *name)
{
	return !l->text || !strcmp(l->text, name) || word_list_has(l, name);
}

bool filter_row(const struct filter *f, const struct row *r)
{
	return (!f->comms.text || word_list_has(&f->comms, r->comm)) &&
	       (!f->cpus.nr || int_list_has(&f->cpus, (int)r->cpu)) &&
	       (!f->pids.nr || int_list_has(&f->pids, r->pid)) &&
	       (!f->tids.nr || int_list_has(&f->tids, r->tid));
}

bool filter_func(const struct filter *f, const struct func *fr)
{
	return (!f->objects.text || word_list_has(&f->objects, fr->object->short_name) ||
		word_list_has(&f->objects, fr->object->name)) &&
	       (!f->symbols.text || names_symbol(&f->symbols, func_name(fr))) &&
	       (!f->part || strcasestr(func_name(fr), f->part));
}
