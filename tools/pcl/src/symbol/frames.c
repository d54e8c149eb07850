// SPDX-License-Identifier: GPL-2.0
/*
 * The frames of an address: the function it is in, and the calls that the
 * compiler inlined there.
 *
 * Concepts: the innermost frame has the line of the address itself; each one
 * further out the line of the call that was inlined. Where there is no debug
 * information, the symbol is the only frame. All texts belong to the object.
 * Contexts: report, annotate; also worker threads, each with objects of its own.
 * Locks: none; one thread for each object.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/debug.h"
#include "symbol/demangled.h"

static struct unit *unit_at(struct debug_info *d, u64 addr)
{
	u32 i = spans_find(d->spans, d->nr_spans, addr);
	struct unit *u;

	if (i == NO_NODE)
		return NULL;
	u = &d->units[i];
	if (!u->ready)
		unit_read(d, u);
	if (!u->ready) {
		unit_prepare(d, u);
		unit_read(d, u);
		/* or there is nothing to be had */
		u->ready = true;
	}
	return u;
}

/* The row that the address belongs to, or NULL. */
static const struct line_row *row_at(const struct unit_tables *t, u64 addr)
{
	u32 lo = 0, hi = t->nr_rows, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->rows[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && t->rows[lo - 1].file != NO_TEXT ? &t->rows[lo - 1] : NULL;
}

static const char *text_of(const struct debug_info *d, u32 text)
{
	return text < d->texts.nr ? d->texts.v[text] : NULL;
}

/* A name as its language writes it. */
static const char *shown_name(struct debug_info *d, u32 text)
{
	if (text >= d->texts.nr)
		return NULL;
	if (text >= d->nr_shown) {
		d->shown = mem_resize(d->shown, d->texts.nr, sizeof(*d->shown));
		memset(d->shown + d->nr_shown, 0, (d->texts.nr - d->nr_shown) * sizeof(*d->shown));
		d->nr_shown = d->texts.nr;
	}
	if (!d->shown[text])
		d->shown[text] = name_demangle(d->texts.v[text]);
	return d->shown[text] ? d->shown[text] : d->texts.v[text];
}

static void take_symbol(struct frame *f, struct symbol *s)
{
	f->linked = s->name;
	f->function = symbol_name(s);
	f->function_start = s->start;
}

/* Compilers leave out the linked names of functions that are not exported. */
static bool symbol_names_better(const struct symbol *s, const struct frame *f)
{
	if (f->inlined)
		return false;
	return !f->linked || (s->start == f->function_start && name_is_mangled(s->name) &&
			      !name_is_mangled(f->linked));
}

static void take_row(const struct debug_info *d, struct frame *f, const struct line_row *r)
{
	f->file = r ? text_of(d, r->file) : NULL;
	f->line = r ? r->line : 0;
	f->column = r ? r->column : 0;
}

/*
 * Up to max frames of the address, innermost first; how many. 0: nothing is
 * known of it. The last one is the function, the others are inlined into the
 * next; when there are more than max, the outer ones are left out.
 */
unsigned int object_frames(struct object *o, u64 addr, struct frame *out, unsigned int max)
{
	struct debug_info *d = object_debug(o);
	u64 at = addr - o->image_shift;
	struct unit *u = d ? unit_at(d, at) : NULL;
	struct symbol *s = symbols_find(&o->symbols, addr);
	struct frame next = { 0 };
	unsigned int n = 0;
	u32 i;

	if (u)
		take_row(d, &next, row_at(&u->t, at));
	i = u ? spans_find(u->t.spans, u->t.nr_spans, at) : NO_NODE;
	while (i != NO_NODE && n < max) {
		const struct node *node = &u->t.nodes[i];

		out[n] = next;
		out[n].linked = text_of(d, node->name);
		out[n].function = shown_name(d, node->name);
		out[n].function_start = node->start + o->image_shift;
		out[n].inlined = node->parent != NO_NODE;
		next = (struct frame){
			.file = text_of(d, node->call_file),
			.line = node->call_line,
			.column = node->call_column,
		};
		n++;
		i = node->parent;
	}
	if (n && s && symbol_names_better(s, &out[n - 1]))
		take_symbol(&out[n - 1], s);
	if (n || !max || (!s && !next.file))
		return n;
	if (s)
		take_symbol(&next, s);
	out[0] = next;
	return 1;
}

/* The source line of an address; false when it is not known. */
bool object_line(struct object *o, u64 addr, const char **file, unsigned int *line)
{
	struct frame f;

	if (!object_frames(o, addr, &f, 1) || !f.file || !f.line)
		return false;
	*file = f.file;
	*line = f.line;
	return true;
}
