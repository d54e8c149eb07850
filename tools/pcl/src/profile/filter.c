// SPDX-License-Identifier: GPL-2.0
/*
 * Which rows and frames a view shows.
 *
 * Concepts: an empty list lets everything through. Names are whole names;
 * objects may be given with or without their directory.
 * Contexts: start of a command; making a view, or each sample of script.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
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

static int take_numbers(struct int_list *l, const char *option, const char *text)
{
	if (int_list_parse(l, text))
		return complain("%s: '%s' is not a list of numbers, as in 0-3,7", option, text);
	return 0;
}

/* One of the options that leave a part of the samples. 0, or -1: refused, or none of them. */
int filter_take_option(struct filter *f, int option, const char *text)
{
	switch (option) {
	case OPT_COMM:
		f->comms.text = text;
		return 0;
	case OPT_OBJECT:
		f->objects.text = text;
		return 0;
	case OPT_SYMBOL:
		f->symbols.text = text;
		return 0;
	case OPT_CPU:
		return take_numbers(&f->cpus, "--cpu", text);
	case OPT_PID:
		return take_numbers(&f->pids, "--pid", text);
	case OPT_TID:
		return take_numbers(&f->tids, "--tid", text);
	default:
		return -1;
	}
}

void filter_free(struct filter *f)
{
	int_list_free(&f->cpus);
	int_list_free(&f->pids);
	int_list_free(&f->tids);
}

bool filter_task(const struct filter *f, const char *comm, u32 cpu, s32 pid, s32 tid)
{
	return (!f->comms.text || word_list_has(&f->comms, comm)) &&
	       (!f->cpus.nr || int_list_has(&f->cpus, (int)cpu)) &&
	       (!f->pids.nr || int_list_has(&f->pids, pid)) &&
	       (!f->tids.nr || int_list_has(&f->tids, tid));
}

bool filter_row(const struct filter *f, const struct row *r)
{
	return filter_task(f, r->comm, r->cpu, r->pid, r->tid);
}

bool filter_func(const struct filter *f, const struct func *fr)
{
	return (!f->objects.text || word_list_has(&f->objects, fr->object->short_name) ||
		word_list_has(&f->objects, fr->object->name)) &&
	       (!f->symbols.text || names_symbol(&f->symbols, func_name(fr))) &&
	       (!f->part || strcasestr(func_name(fr), f->part));
}
