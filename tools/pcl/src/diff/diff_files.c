// SPDX-License-Identifier: GPL-2.0
/*
 * Reading the files of a comparison into one table.
 *
 * Concepts: each file is read on its own; what it says is kept by name, since
 * addresses and paths differ from build to build: objects without their
 * directory, functions as they are shown.
 * Contexts: diff.
 * Locks: none.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "diff/diff.h"

static void add_name(struct file_set *s, char *name)
{
	s->v = mem_resize(s->v, s->nr + 1, sizeof(*s->v));
	s->v[s->nr++] = name;
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Each file of a directory, in order of names. */
static int add_directory(struct file_set *s, const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, is_visible, alphasort), i;

	if (n < 0)
		return complain("%s: %s", path, strerror(errno));
	for (i = 0; i < n; i++) {
		add_name(s, str_printf("%s/%s", path, list[i]->d_name));
		free(list[i]);
	}
	free(list);
	return n ? 0 : complain("%s: the directory has no recordings", path);
}

/* Files separated by commas; of a directory all that is in it, unless it is a recording itself. */
int file_set_add(struct file_set *s, const char *text)
{
	char *copy = str_dup(text), *word, *save, *inner;
	struct stat st;
	int ret = 0;

	for (word = strtok_r(copy, ",", &save); word && !ret; word = strtok_r(NULL, ",", &save)) {
		inner = str_printf("%s/data", word);
		if (!stat(word, &st) && S_ISDIR(st.st_mode) && access(inner, F_OK))
			ret = add_directory(s, word);
		else
			add_name(s, str_dup(word));
		free(inner);
	}
	free(copy);
	return ret;
}

void file_set_free(struct file_set *s)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		free(s->v[i]);
	free(s->v);
	*s = (struct file_set){ 0 };
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_line(const void *array, u32 i, const void *key)
{
	const struct diff_line *a = (const struct diff_line *)array + i, *b = key;

	return same_text(a->symbol, b->symbol) && same_text(a->object, b->object) &&
	       same_text(a->comm, b->comm);
}

/* FNV-1a */
static u64 hash_text(u64 h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (u8)*s) * 1099511628211u;
	return hash_mix(h, 1);
}

/* The line of these names, which are copied when it is new. */
static struct diff_line *line_at(struct diff *d, struct diff_line key)
{
	u64 hash = hash_text(hash_text(hash_text(14695981039346656037u, key.comm), key.object),
			     key.symbol);
	u32 i = hash_index_at(&d->index, hash, same_line, d->lines, &key);

	if (i < d->nr_lines)
		return &d->lines[i];
	if (d->nr_lines == d->room_lines) {
		d->room_lines = d->room_lines ? d->room_lines * 2 : 256;
		d->lines = mem_resize(d->lines, d->room_lines, sizeof(*d->lines));
	}
	key.comm = key.comm ? str_dup(key.comm) : NULL;
	key.object = key.object ? str_dup(key.object) : NULL;
	key.symbol = key.symbol ? str_dup(key.symbol) : NULL;
	key.v = mem_zalloc(d->nr_files, sizeof(*key.v));
	d->lines[d->nr_lines++] = key;
	return &d->lines[i];
}

static void add_entry(struct diff *d, unsigned int file, struct hist_entry *e)
{
	const struct view *v = &d->o->view;
	struct diff_line key = { 0 }, *l;

	if (view_has_key(v, SORT_COMM))
		key.comm = (char *)e->comm;
	/* functions without a name are told apart by object anyway */
	if (e->object)
		key.object = (char *)e->object->short_name;
	if (view_has_key(v, SORT_SYMBOL))
		key.symbol = (char *)symbol_name(e->symbol);
	l = line_at(d, key);
	l->v[file].samples += e->whole.samples;
	l->v[file].period += e->whole.period;
}

/* The event to compare, in this file. -1 and it is told: there is none. */
static int find_event(struct diff *d, const struct pd_file *f)
{
	unsigned int i;

	if (!d->event)
		d->event = str_dup(d->o->event ? d->o->event : f->events[0].name);
	for (i = 0; i < f->nr_events; i++)
		if (!strcmp(f->events[i].name, d->event))
			return (int)i;
	/* the level is not what makes events different to compare */
	for (i = 0; i < f->nr_events; i++)
		if (strcspn(f->events[i].name, ":") == strcspn(d->event, ":") &&
		    !strncmp(f->events[i].name, d->event, strcspn(d->event, ":")))
			return (int)i;
	return complain("%s: it has no event '%s'; its first one is '%s'", f->path, d->event,
			f->events[0].name);
}

static int take_file(struct diff *d, unsigned int file, struct pd_file *f)
{
	const struct view *v = &d->o->view;
	struct profile p;
	struct session s;
	struct gather g = { .profile = &p, .time = { 0, ~0ull } };
	struct hist h;
	int event = find_event(d, f), ret;
	u32 i;

	if (event < 0)
		return -1;
	session_init(&s, f, d->o->kallsyms, false);
	profile_init(&p, &s, f->nr_events);
	p.keep[SORT_COMM] = view_has_key(v, SORT_COMM) || v->filter.comms.text;
	ret = gather_file(&g, f);
	if (!ret) {
		hist_build(&h, &p, v, (unsigned int)event, 1);
		for (i = 0; i < h.nr; i++)
			add_entry(d, file, &h.v[i]);
		d->totals[file] = (struct portion){ h.total.samples, h.total.period };
		if (!h.total.samples)
			ret = complain("%s: no samples of '%s', so there is nothing to compare",
				       f->path, d->event);
		hist_free(&h);
	}
	profile_free(&p);
	session_free(&s);
	return ret;
}

/* Read all files. 0, or -1 and it is told. */
int diff_gather(struct diff *d)
{
	unsigned int side, i, file = 0;
	int ret = 0;

	d->nr_files = d->o->files[SIDE_A].nr + d->o->files[SIDE_B].nr;
	d->totals = mem_zalloc(d->nr_files, sizeof(*d->totals));
	for (side = 0; side < NR_SIDES; side++)
		for (i = 0; i < d->o->files[side].nr && !ret; i++) {
			struct pd_file f;

			ret = pd_open(&f, d->o->files[side].v[i]);
			if (ret)
				break;
			ret = take_file(d, file++, &f);
			pd_close(&f);
		}
	return ret;
}

void diff_free(struct diff *d)
{
	u32 i;

	for (i = 0; i < d->nr_lines; i++) {
		free(d->lines[i].comm);
		free(d->lines[i].object);
		free(d->lines[i].symbol);
		free(d->lines[i].v);
	}
	free(d->lines);
	free(d->totals);
	free(d->order);
	free(d->event);
	hash_index_free(&d->index);
}
