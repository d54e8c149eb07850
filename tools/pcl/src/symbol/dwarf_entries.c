// SPDX-License-Identifier: GPL-2.0
/*
 * Functions and inlined calls of one unit, from its tree of DWARF entries.
 *
 * Concepts: the tree is walked once, from top to bottom. A subprogram with code
 * is a node; an inlined_subroutine is a node below it. Their names are with the
 * entry they are an instance of (abstract_origin, specification), perhaps in
 * another unit or in the file that dwz shared: the chain is followed, and the
 * name remembered by the place of the first link.
 * Contexts: report, when an address of the unit is first asked for; many threads,
 * each with a handle of its own.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "symbol/dwarf.h"

/* Deeper trees are damaged. */
enum { MAX_DEPTH = 512 };

struct entry_walk {
	struct debug_info *d;
	struct num_map *names;	/* place of an abstract entry -> its text's number + 1 */
	const struct split_unit *split;	/* NULL: the entries are in the main file */
	struct unit_tables *t;
	struct unit_files *files;
	struct range_list ranges;
	u32 room;
	bool functions_in_types;/* the language may put code inside of types */
};

/* The attributes that matter here; absent ones have the code 0. */
struct attrs {
	Dwarf_Attribute low, high, ranges, origin, name, linkage, file, line, column;
	Dwarf_Attribute specification;
};

static const struct {
	unsigned int code;
	size_t at;
} wanted[] = {
	{ DW_AT_low_pc, offsetof(struct attrs, low) },
	{ DW_AT_high_pc, offsetof(struct attrs, high) },
	{ DW_AT_ranges, offsetof(struct attrs, ranges) },
	{ DW_AT_abstract_origin, offsetof(struct attrs, origin) },
	{ DW_AT_specification, offsetof(struct attrs, specification) },
	{ DW_AT_name, offsetof(struct attrs, name) },
	{ DW_AT_linkage_name, offsetof(struct attrs, linkage) },
	{ DW_AT_MIPS_linkage_name, offsetof(struct attrs, linkage) },
	{ DW_AT_call_file, offsetof(struct attrs, file) },
	{ DW_AT_call_line, offsetof(struct attrs, line) },
	{ DW_AT_call_column, offsetof(struct attrs, column) },
};

static int take_attr(Dwarf_Attribute *a, void *to)
{
	unsigned int code = dwarf_whatattr(a);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		if (wanted[i].code == code)
			*(Dwarf_Attribute *)((char *)to + wanted[i].at) = *a;
	return DWARF_CB_OK;
}

static u32 number_of(Dwarf_Attribute *a)
{
	Dwarf_Word v;

	return a->code && !dwarf_formudata(a, &v) && v <= 0xffffffff ? (u32)v : 0;
}

/* The linked name if there is one anywhere along the links, else the plain one. */
static const char *entry_name(const struct entry_walk *w, Dwarf_Die *die)
{
	static const unsigned int kinds[] = {
		DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name,
	};
	Dwarf_Attribute a;
	const char *name;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		name = bounded_text(w->split ? &w->split->entries : &w->d->file->entries,
				  dwarf_attr_integrate(die, kinds[i], &a));
		if (name && *name)
			return name;
	}
	return NULL;
}

/* The number of the name's text. Many calls share an origin. */
static u32 name_of(struct entry_walk *w, Dwarf_Die *die, struct attrs *at)
{
	Dwarf_Attribute *link = at->origin.code ? &at->origin : &at->specification;
	const char *name;
	Dwarf_Die origin;
	void **seen;
	u64 key;

	if (at->linkage.code || !link->code || !dwarf_formref_die(link, &origin)) {
		name = entry_name(w, die);
		return name ? texts_add(&w->d->texts, name) : NO_TEXT;
	}
	/* an address in memory tells entries of both files apart */
	key = (u64)(uintptr_t)origin.addr;
	seen = num_map_at(w->names, key);
	if (!*seen) {
		name = entry_name(w, &origin);
		if (!name)
			name = entry_name(w, die);
		*seen = (void *)(uintptr_t)(name ? (u64)texts_add(&w->d->texts, name) + 1 :
					    (u64)NO_TEXT + 1);
	}
	return (u32)((uintptr_t)*seen - 1);
}

static u32 add_node(struct entry_walk *w, Dwarf_Die *die, struct attrs *at, u32 parent, u64 start)
{
	struct unit_tables *t = w->t;

	if (t->nr_nodes == w->room) {
		w->room = w->room ? w->room * 2 : 64;
		t->nodes = mem_resize(t->nodes, w->room, sizeof(*t->nodes));
	}
	t->nodes[t->nr_nodes] = (struct node){
		.start = start,
		.parent = parent,
		.name = name_of(w, die, at),
		.call_file = NO_TEXT,
	};
	if (parent != NO_NODE) {
		t->nodes[t->nr_nodes].call_file = unit_file(w->d, w->files, number_of(&at->file));
		t->nodes[t->nr_nodes].call_line = number_of(&at->line);
		t->nodes[t->nr_nodes].call_column = number_of(&at->column);
	}
	return t->nr_nodes++;
}

/* Where the code of an entry is that has it in one piece. */
static bool code_bounds(const struct entry_walk *w, Dwarf_Die *die, struct attrs *at, u64 *start, u64 *end)
{
	Dwarf_Addr low, high;

	if (!at->high.code)
		return false;
	if (w->split)
		return split_bounds(w->split, &at->low, &at->high, start, end) && *start && *end > *start;
	if (dwarf_lowpc(die, &low) || dwarf_highpc(die, &high))
		return false;
	*start = low;
	*end = high;
	return low && high > low;
}

/* The pieces that the code of an entry lies in. */
struct pieces {
	Dwarf_Die *die;
	ptrdiff_t next;
	struct split_list list;
};

static bool next_piece(const struct entry_walk *w, struct pieces *p, u64 *start, u64 *end)
{
	Dwarf_Addr base, low, high;

	if (w->split)
		return split_list_next(w->split, &p->list, start, end);
	p->next = dwarf_ranges(p->die, p->next, &base, &low, &high);
	*start = p->next > 0 ? low : 0;
	*end = p->next > 0 ? high : 0;
	return p->next > 0;
}

/* The node of an entry that has code; NO_NODE when it has none. */
static u32 take_code(struct entry_walk *w, Dwarf_Die *die, u32 parent, u32 depth)
{
	struct pieces p = { .die = die };
	struct attrs at = { 0 };
	u64 start, end;
	u32 node = NO_NODE;

	dwarf_getattrs(die, take_attr, &at, 0);
	if (!at.low.code && !at.ranges.code)
		return NO_NODE;
	if (!at.ranges.code) {
		if (!code_bounds(w, die, &at, &start, &end))
			return NO_NODE;
		node = add_node(w, die, &at, parent, start);
		ranges_add(&w->ranges, start, end, node, depth);
		return node;
	}
	if (w->split)
		p.list = split_list_of(w->split, &at.ranges);
	while (next_piece(w, &p, &start, &end)) {
		if (node == NO_NODE)
			node = add_node(w, die, &at, parent, start);
		ranges_add(&w->ranges, start, end, node, depth);
	}
	return node;
}

static bool is_type(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

/*
 * What to do below this entry: true to look there too, with *parent the node
 * that code there belongs to.
 */
static bool enter(struct entry_walk *w, Dwarf_Die *die, u32 *parent, u32 depth)
{
	int tag = dwarf_tag(die);

	switch (tag) {
	case DW_TAG_subprogram:
		*parent = take_code(w, die, NO_NODE, depth);
		return *parent != NO_NODE;
	case DW_TAG_inlined_subroutine:
		if (*parent != NO_NODE)
			*parent = take_code(w, die, *parent, depth);
		return *parent != NO_NODE;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	default:
		return is_type(tag) && w->functions_in_types;
	}
}

static bool is_plain_c(Dwarf_Die *top)
{
	switch (dwarf_srclang(top)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* Fill the spans and nodes of t from the tree below top, which may be of a split unit. */
void unit_walk(struct debug_info *d, struct num_map *names, struct unit_tables *t, Dwarf_Die *top,
	       struct unit_files *f, const struct split_unit *split)
{
	struct entry_walk w = {
		.d = d, .names = names, .t = t, .files = f, .split = split,
		.functions_in_types = !is_plain_c(top),
	};
	struct { Dwarf_Die die; u32 parent; } *path = mem_zalloc(MAX_DEPTH, sizeof(*path));
	u32 depth = 0, parent;

	if (dwarf_child(top, &path[0].die)) {
		free(path);
		t->spans = ranges_flatten(&w.ranges, &t->nr_spans);
		return;
	}
	path[0].parent = NO_NODE;
	for (;;) {
		parent = path[depth].parent;
		if (enter(&w, &path[depth].die, &parent, depth) && depth + 1 < MAX_DEPTH &&
		    !dwarf_child(&path[depth].die, &path[depth + 1].die)) {
			path[++depth].parent = parent;
			continue;
		}
		while (dwarf_siblingof(&path[depth].die, &path[depth].die)) {
			if (!depth)
				goto done;
			depth--;
		}
	}
done:
	free(path);
	t->spans = ranges_flatten(&w.ranges, &t->nr_spans);
}
