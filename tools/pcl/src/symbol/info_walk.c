// SPDX-License-Identifier: GPL-2.0
/*
 * Functions and inlined calls of one unit, by our own reader.
 *
 * Concepts: what dwarf_entries.c does by libdw, and with the same result: the
 * entries are read once, from first to last; those below which no code can be
 * are passed by. A name is with the entry that an entry is an instance of,
 * perhaps in another unit; it is remembered by that entry's offset.
 * Contexts: threads that read units; each has a unit of its own.
 * Locks: none here; texts_add() has one.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "internal.h"
#include "symbol/dwarf.h"

/* Deeper trees are damaged, longer chains of links, too. */
enum { MAX_DEPTH = 512, MAX_LINKS = 16 };

struct walk {
	struct debug_info *d;
	const struct info *in;
	const struct info_unit *u;
	struct unit_files *files;
	struct unit_tables *t;
	struct range_list ranges;
	struct num_map names;	/* offset of an entry -> its text's number + 1 */
	u32 room;
	struct entry e, link;	/* the one looked at, those that it leads to */
	bool foreign;		/* something that is not known here */
};

/* The names that entries along a chain of links have; the first of each kind counts. */
struct names {
	const char *v[ATTR_NAME - ATTR_LINKAGE + 1];
};

static void take_names(struct walk *w, const struct info_unit *u, const struct entry *e,
		       struct names *n)
{
	unsigned int i;

	for (i = ATTR_LINKAGE; i <= ATTR_NAME; i++)
		if (e->has & 1u << i && !n->v[i - ATTR_LINKAGE] &&
		    !attr_text(w->in, u, &e->v[i], &n->v[i - ATTR_LINKAGE]))
			w->foreign = true;
}

/* The entry that this one is an instance of; 0: none. */
static u64 link_of(struct walk *w, const struct entry *e)
{
	enum attr which = e->has & 1u << ATTR_ORIGIN ? ATTR_ORIGIN : ATTR_SPECIFICATION;

	if (!(e->has & 1u << which))
		return 0;
	if (e->v[which].kind != VALUE_ENTRY)
		w->foreign = true;
	return w->foreign ? 0 : e->v[which].n;
}

/* Add the names of the entry there, and of those that it leads to. */
static void follow(struct walk *w, u64 offset, struct names *n)
{
	const struct info_unit *u;
	struct cursor c;
	u32 i;

	for (i = 0; offset && i < MAX_LINKS; i++) {
		u = info_unit_at(w->in, offset);
		c = section_from(&w->in->sections, SECTION_INFO, offset);
		if (!u || !entry_read(u, &c, &w->link)) {
			w->foreign = true;
			return;
		}
		take_names(w, u, &w->link, n);
		offset = link_of(w, &w->link);
	}
}

/* The linked name if there is one, else the plain one; NULL: none. */
static const char *best_name(const struct names *n)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(n->v); i++)
		if (n->v[i] && *n->v[i])
			return n->v[i];
	return NULL;
}

static u32 text_of_names(struct walk *w, const struct names *n)
{
	const char *name = best_name(n);

	return name && !w->foreign ? texts_add(&w->d->texts, name) : NO_TEXT;
}

/* The number of the name's text. Many calls share an origin. */
static u32 name_of(struct walk *w)
{
	struct names n = { 0 };
	u64 link = link_of(w, &w->e);
	void **seen;
	u32 text;

	if (!link || w->e.has & (1u << ATTR_LINKAGE | 1u << ATTR_MIPS_LINKAGE)) {
		take_names(w, w->u, &w->e, &n);
		follow(w, link, &n);
		return text_of_names(w, &n);
	}
	seen = num_map_at(&w->names, link);
	if (*seen)
		return (u32)((uintptr_t)*seen - 1);
	follow(w, link, &n);
	if (!best_name(&n))
		take_names(w, w->u, &w->e, &n);
	text = text_of_names(w, &n);
	*seen = (void *)(uintptr_t)((u64)text + 1);
	return text;
}

static u32 number(const struct entry *e, enum attr which)
{
	return e->has & 1u << which ? attr_number(&e->v[which]) : 0;
}

static void add_node(struct walk *w, u32 parent, u64 start)
{
	struct unit_tables *t = w->t;
	struct node *n;

	if (t->nr_nodes == w->room) {
		w->room = w->room ? w->room * 2 : 64;
		t->nodes = mem_resize(t->nodes, w->room, sizeof(*t->nodes));
	}
	n = &t->nodes[t->nr_nodes++];
	*n = (struct node){
		.start = start, .parent = parent, .name = name_of(w), .call_file = NO_TEXT,
	};
	if (parent == NO_NODE)
		return;
	n->call_file = unit_file(w->d, w->files, number(&w->e, ATTR_CALL_FILE));
	n->call_line = number(&w->e, ATTR_CALL_LINE);
	n->call_column = number(&w->e, ATTR_CALL_COLUMN);
}

/* The node of the entry; NO_NODE when it has no code. */
static u32 take_code(struct walk *w, u32 parent, u32 depth)
{
	u32 node = w->t->nr_nodes, nr;
	u64 first;

	if (!entry_ranges(w->in, w->u, &w->e, &w->ranges, node, depth, &first, &nr))
		w->foreign = true;
	if (!nr || w->foreign)
		return NO_NODE;
	add_node(w, parent, first);
	return node;
}

enum what { PASS, ENTER, CODE };

/* What to do with an entry of this kind, below this node. */
static enum what what_of(const struct walk *w, unsigned int tag, u32 parent)
{
	switch (tag) {
	case DW_TAG_subprogram:
		return CODE;
	case DW_TAG_inlined_subroutine:
		return parent == NO_NODE ? PASS : CODE;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return ENTER;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return w->u->plain_c ? PASS : ENTER;
	default:
		return PASS;
	}
}

/* Pass by all entries of a level, and what is below them. false: damaged. */
static bool pass_level(const struct walk *w, struct cursor *c, u64 sibling)
{
	const struct cursor *all = &w->in->sections.at[SECTION_INFO];
	const struct abbrev *a;
	u32 depth = 1;
	bool end;

	for (;;) {
		if (sibling > (u64)(c->p - all->p) && sibling <= w->u->end) {
			c->p = all->p + sibling;
			depth--;
		}
		sibling = 0;
		if (!depth || c->p >= c->end)
			return !c->bad;
		a = entry_abbrev(w->u, c, &end);
		if (end) {
			depth--;
			continue;
		}
		if (!a)
			return false;
		sibling = entry_pass(w->u, a, c);
		if (a->children)
			depth++;
		else
			sibling = 0;
	}
}

/* The entries below the first one, whose cursor this is. false: damaged. */
static bool walk_entries(struct walk *w, struct cursor *c)
{
	u32 parents[MAX_DEPTH] = { NO_NODE }, depth = 0, parent;
	const struct abbrev *a;
	struct cursor here;
	enum what what;
	u64 sibling;
	bool end;

	while (c->p < c->end && !w->foreign) {
		here = *c;
		a = entry_abbrev(w->u, c, &end);
		if (end && !depth)
			break;
		if (end) {
			depth--;
			continue;
		}
		if (!a)
			return false;
		parent = parents[depth];
		what = what_of(w, a->tag, parent);
		sibling = 0;
		if (what == CODE) {
			if (!entry_read(w->u, &here, &w->e))
				return false;
			*c = here;
			parent = take_code(w, a->tag == DW_TAG_subprogram ? NO_NODE : parent, depth);
			if (parent == NO_NODE)
				what = PASS;
			if (w->e.has & 1u << ATTR_SIBLING && w->e.v[ATTR_SIBLING].kind == VALUE_ENTRY)
				sibling = w->e.v[ATTR_SIBLING].n;
		} else {
			sibling = entry_pass(w->u, a, c);
		}
		if (!a->children)
			continue;
		if (what != PASS && depth + 1 < MAX_DEPTH)
			parents[++depth] = parent;
		else if (!pass_level(w, c, sibling))
			return false;
	}
	return !c->bad && !w->foreign;
}

/*
 * Fill the spans and nodes of t from the entries of this unit. false: damaged,
 * or something that is not known here; nothing is filled.
 */
bool info_walk(struct debug_info *d, const struct info *in, const struct info_unit *u,
	       struct unit_files *f, struct unit_tables *t)
{
	struct walk *w = mem_zalloc(1, sizeof(*w));
	struct cursor c = section_from(&in->sections, SECTION_INFO, u->below);
	bool good;

	*w = (struct walk){ .d = d, .in = in, .u = u, .files = f, .t = t };
	c.end = in->sections.at[SECTION_INFO].p + u->end;
	good = !u->has_children || walk_entries(w, &c);
	if (good) {
		t->spans = ranges_flatten(&w->ranges, &t->nr_spans);
	} else {
		free(w->ranges.v);
		free(t->nodes);
		t->nodes = NULL;
		t->nr_nodes = 0;
	}
	num_map_free(&w->names, NULL);
	free(w);
	return good;
}
