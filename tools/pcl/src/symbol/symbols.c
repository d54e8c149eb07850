// SPDX-License-Identifier: GPL-2.0
/*
 * A table of symbols: fill, settle, search; and their names for people.
 *
 * Concepts: after it is settled, a table is sorted and each address has at
 * most one symbol. Names of C++, Rust and D are demangled when first shown.
 * Contexts: report.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/cache.h"
#include "symbol/demangled.h"

void symbols_add(struct symbols *t, u64 start, u64 size, const char *name)
{
	if (t->nr == t->room) {
		t->room = t->room ? t->room * 2 : 256;
		t->v = mem_resize(t->v, t->room, sizeof(*t->v));
	}
	t->v[t->nr++] = (struct symbol){
		.start = start,
		.end = start + size < start ? start : start + size,
		.name = arena_text(&t->names, name),
	};
}

/* Say how the symbol that was added last is bound. */
void symbols_bind(struct symbols *t, unsigned int binding)
{
	t->v[t->nr - 1].binding = (u8)binding;
}

static unsigned int underscores(const char *s)
{
	return (unsigned int)strspn(s, "_");
}

/*
 * Of several names of one address the first is shown: one with a size, one that
 * is no weak alias, that others can see, the plainest, the longest. perf chooses
 * in this order, too, so that names agree.
 */
static int cmp_symbol(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if ((x->end == x->start) != (y->end == y->start))
		return x->end == x->start ? 1 : -1;
	if (x->binding != y->binding)
		return x->binding < y->binding ? -1 : 1;
	if (underscores(x->name) != underscores(y->name))
		return underscores(x->name) < underscores(y->name) ? -1 : 1;
	if (strlen(x->name) != strlen(y->name))
		return strlen(x->name) > strlen(y->name) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/*
 * Sort; one symbol for each address; an unsized one reaches to the next, and is
 * none when it is a label within a sized one.
 */
void symbols_settle(struct symbols *t)
{
	unsigned int i, n = 0;
	u64 sized = 0;

	if (!t->nr)
		return;
	qsort(t->v, t->nr, sizeof(*t->v), cmp_symbol);
	for (i = 0; i < t->nr; i++) {
		bool label = t->v[i].end == t->v[i].start;

		if ((n && t->v[n - 1].start == t->v[i].start) || (label && t->v[i].start < sized))
			continue;
		t->v[n++] = t->v[i];
		if (t->v[i].end > sized)
			sized = t->v[i].end;
	}
	t->nr = n;
	for (i = 0; i < n; i++)
		if (t->v[i].end == t->v[i].start)
			t->v[i].end = i + 1 < n ? t->v[i + 1].start : t->v[i].start + 4096;
	symbols_guide(t);
}

/* So large tables have a guide, with a piece for each two symbols or so. */
enum { GUIDE_FROM = 64 };

/* Make the guide of a sorted table, as symbols_settle() does. */
void symbols_guide(struct symbols *t)
{
	u64 first, span;
	u32 i, at = 0;

	free(t->guide);
	t->guide = NULL;
	if (t->nr < GUIDE_FROM)
		return;
	first = t->v[0].start;
	span = t->v[t->nr - 1].start - first;
	for (t->shift = 0; span >> t->shift > t->nr / 2; t->shift++)
		;
	t->nr_guide = (u32)(span >> t->shift) + 1;
	t->guide = mem_zalloc(t->nr_guide + 1, sizeof(*t->guide));
	for (i = 0; i <= t->nr_guide; i++) {
		while (at < t->nr && (t->v[at].start - first) >> t->shift < i)
			at++;
		t->guide[i] = at;
	}
}

/* The symbol that addr is in is one of these, or the one before. */
static void narrow(const struct symbols *t, u64 addr, unsigned int *lo, unsigned int *hi)
{
	u64 piece;

	*lo = 0;
	*hi = t->nr;
	if (!t->guide || addr < t->v[0].start)
		return;
	piece = (addr - t->v[0].start) >> t->shift;
	if (piece < t->nr_guide) {
		*lo = t->guide[piece];
		*hi = t->guide[piece + 1];
	} else {
		*lo = t->nr;
	}
}

struct symbol *symbols_find(const struct symbols *t, u64 addr)
{
	unsigned int lo, hi, mid;

	narrow(t, addr, &lo, &hi);
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < t->v[lo - 1].end ? &t->v[lo - 1] : NULL;
}

const char *symbol_name(struct symbol *s)
{
	if (!s)
		return "[unknown]";
	if (!s->shown) {
		s->shown = name_demangle(s->name);
		if (!s->shown)
			s->shown = str_dup(s->name);
	}
	return s->shown;
}

void symbols_free(struct symbols *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		free(t->v[i].shown);
	free(t->v);
	free(t->guide);
	arena_free(&t->names);
	*t = (struct symbols){ 0 };
}

/* All of an object but its name, which is its session's. */
void object_free(struct object *o)
{
	if (!o)
		return;
	symbol_cache_save(o);
	debug_info_free(o->debug);
	symbols_free(&o->symbols);
	free(o->symbols_path);
	free(o->segments);
	free(o->image);
	free(o->note);
	free(o->debug_note);
	free(o);
}

int symbol_take_option(int option, const char *text, const char **kallsyms)
{
	switch (option) {
	case OPT_NO_CACHE:
		symbol_cache_off();
		return 0;
	case OPT_KALLSYMS:
		*kallsyms = text;
		return file_check("--kallsyms", text);
	default:
		return -1;
	}
}
