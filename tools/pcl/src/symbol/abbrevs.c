// SPDX-License-Identifier: GPL-2.0
/*
 * Abbreviations: which attributes the entries of each kind have, and in which form.
 *
 * Concepts: a table is read once, for all units that name it. What entries of a
 * kind take is added up then, where forms fix it, so that most are passed by in
 * one step.
 * Contexts: report, when an object is first looked into.
 * Locks: none; nothing changes later.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/info.h"

/* As an address has, or an offset; numbers behind the SIZE_ ones. */
enum { SIZE_ADDRESS = SIZE_BLOCK4 + 1, SIZE_OFFSET, SIZE_REFERENCE, SIZE_UNKNOWN };

/* + 1; 0: not known here */
static const u8 sizes[] = {
	[DW_FORM_addr] = SIZE_ADDRESS + 1, [DW_FORM_block2] = SIZE_BLOCK2 + 1,
	[DW_FORM_block4] = SIZE_BLOCK4 + 1, [DW_FORM_data2] = 2 + 1, [DW_FORM_data4] = 4 + 1,
	[DW_FORM_data8] = 8 + 1, [DW_FORM_string] = SIZE_TEXT + 1, [DW_FORM_block] = SIZE_BLOCK + 1,
	[DW_FORM_block1] = SIZE_BLOCK1 + 1, [DW_FORM_data1] = 1 + 1, [DW_FORM_flag] = 1 + 1,
	[DW_FORM_sdata] = SIZE_LEB + 1, [DW_FORM_strp] = SIZE_OFFSET + 1,
	[DW_FORM_udata] = SIZE_LEB + 1, [DW_FORM_ref_addr] = SIZE_REFERENCE + 1,
	[DW_FORM_ref1] = 1 + 1, [DW_FORM_ref2] = 2 + 1, [DW_FORM_ref4] = 4 + 1,
	[DW_FORM_ref8] = 8 + 1, [DW_FORM_ref_udata] = SIZE_LEB + 1,
	[DW_FORM_sec_offset] = SIZE_OFFSET + 1, [DW_FORM_exprloc] = SIZE_BLOCK + 1,
	[DW_FORM_flag_present] = 0 + 1, [DW_FORM_strx] = SIZE_LEB + 1,
	[DW_FORM_addrx] = SIZE_LEB + 1, [DW_FORM_ref_sup4] = 4 + 1,
	[DW_FORM_strp_sup] = SIZE_OFFSET + 1, [DW_FORM_data16] = 16 + 1,
	[DW_FORM_line_strp] = SIZE_OFFSET + 1, [DW_FORM_ref_sig8] = 8 + 1,
	[DW_FORM_implicit_const] = 0 + 1, [DW_FORM_loclistx] = SIZE_LEB + 1,
	[DW_FORM_rnglistx] = SIZE_LEB + 1, [DW_FORM_ref_sup8] = 8 + 1, [DW_FORM_strx1] = 1 + 1,
	[DW_FORM_strx2] = 2 + 1, [DW_FORM_strx3] = 3 + 1, [DW_FORM_strx4] = 4 + 1,
	[DW_FORM_addrx1] = 1 + 1, [DW_FORM_addrx2] = 2 + 1, [DW_FORM_addrx3] = 3 + 1,
	[DW_FORM_addrx4] = 4 + 1,
};

/* + 1; 0: does not matter */
static const u8 attrs[] = {
	[DW_AT_sibling] = ATTR_SIBLING + 1, [DW_AT_low_pc] = ATTR_LOW + 1,
	[DW_AT_high_pc] = ATTR_HIGH + 1, [DW_AT_ranges] = ATTR_RANGES + 1,
	[DW_AT_abstract_origin] = ATTR_ORIGIN + 1, [DW_AT_specification] = ATTR_SPECIFICATION + 1,
	[DW_AT_linkage_name] = ATTR_LINKAGE + 1, [DW_AT_name] = ATTR_NAME + 1,
	[DW_AT_call_file] = ATTR_CALL_FILE + 1, [DW_AT_call_line] = ATTR_CALL_LINE + 1,
	[DW_AT_call_column] = ATTR_CALL_COLUMN + 1, [DW_AT_language] = ATTR_LANGUAGE + 1,
	[DW_AT_comp_dir] = ATTR_DIRECTORY + 1, [DW_AT_stmt_list] = ATTR_LINES + 1,
	[DW_AT_str_offsets_base] = ATTR_STR_OFFSETS + 1, [DW_AT_addr_base] = ATTR_ADDRS + 1,
	[DW_AT_rnglists_base] = ATTR_RNGLISTS + 1, [DW_AT_dwo_name] = ATTR_ELSEWHERE + 1,
};

/* SIZE_UNKNOWN: the form is not known here. */
static unsigned int size_of(const struct info_unit *u, u64 form)
{
	unsigned int size;

	if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
		return u->wide ? 8 : 4;
	size = form < ARRAY_SIZE(sizes) && sizes[form] ? sizes[form] - 1u : SIZE_UNKNOWN;
	switch (size) {
	case SIZE_REFERENCE:
		return u->version == 2 ? u->addr_size : u->wide ? 8 : 4;
	case SIZE_ADDRESS:
		return u->addr_size;
	case SIZE_OFFSET:
		return u->wide ? 8 : 4;
	default:
		return size;
	}
}

static u8 attr_of(const struct abbrev *a, u64 name)
{
	if (!a->matters && name != DW_AT_sibling)
		return NR_ATTRS;
	if (name == DW_AT_MIPS_linkage_name)
		return ATTR_MIPS_LINKAGE;
	if (name == DW_AT_GNU_dwo_name)
		return ATTR_ELSEWHERE;
	return name < ARRAY_SIZE(attrs) && attrs[name] ? attrs[name] - 1 : NR_ATTRS;
}

/* Units, functions and calls; of others only their places matter. */
static bool tag_matters(unsigned int tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_type_unit:
	case DW_TAG_skeleton_unit:
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_entry_point:
		return true;
	default:
		return false;
	}
}

static void append_form(struct abbrevs *t, struct abbrev *a, const struct attr_form *f)
{
	struct attr_form *last = a->nr ? &t->forms[t->nr_forms - 1] : NULL;

	if (last && last->attr == NR_ATTRS && f->attr == NR_ATTRS && last->size < SIZE_LEB &&
	    last->size + f->size < SIZE_LEB) {
		last->size = (u8)(last->size + f->size);
		return;
	}
	if (t->nr_forms == t->room_forms) {
		t->room_forms = t->room_forms ? t->room_forms * 2 : 32;
		t->forms = mem_resize(t->forms, t->room_forms, sizeof(*t->forms));
	}
	t->forms[t->nr_forms++] = *f;
	a->nr++;
}

static bool add_form(struct abbrevs *t, struct abbrev *a, const struct info_unit *u, u64 name,
		     u64 form, s64 value)
{
	unsigned int size = size_of(u, form);
	struct attr_form f = {
		.form = (u16)form, .attr = attr_of(a, name), .size = (u8)size, .value = (s32)value,
	};

	if (size == SIZE_UNKNOWN || (f.attr != NR_ATTRS && value != (s32)value))
		return false;
	append_form(t, a, &f);
	a->sibling |= f.attr == ATTR_SIBLING;
	a->size = a->size == ENTRY_VARIES || size >= SIZE_LEB || a->size + size >= ENTRY_VARIES ?
		  ENTRY_VARIES : (u16)(a->size + size);
	return true;
}

/* In the order of the file, which is not that of the codes. */
struct coded {
	struct abbrev *v;
	u32 nr, room;
	u64 most;		/* the highest code */
};

static bool read_abbrev(struct coded *l, struct abbrevs *t, const struct info_unit *u,
			struct cursor *c, u64 code)
{
	struct abbrev *a;
	u64 name, form;

	if (l->nr == l->room) {
		l->room = l->room ? l->room * 2 : 16;
		l->v = mem_resize(l->v, l->room, sizeof(*l->v));
	}
	a = &l->v[l->nr++];
	*a = (struct abbrev){ .code = (u32)code, .first = t->nr_forms };
	a->tag = (u16)cursor_uleb(c);
	a->matters = tag_matters(a->tag);
	a->children = cursor_u8(c) != 0;
	if (code > l->most)
		l->most = code;
	for (;;) {
		name = cursor_uleb(c);
		form = cursor_uleb(c);
		if (!name && !form)
			return !c->bad;
		if (!add_form(t, a, u, name, form,
			      form == DW_FORM_implicit_const ? cursor_sleb(c) : 0))
			return false;
	}
}

/* By code. false: it has large gaps, as no compiler makes them. */
static bool sort_abbrevs(struct abbrevs *t, const struct coded *l)
{
	u32 i;

	if (l->most > 64 + 4ull * l->nr)
		return false;
	t->nr = (u32)l->most + 1;
	t->v = mem_zalloc(t->nr, sizeof(*t->v));
	for (i = 0; i < l->nr; i++)
		/* the first of a code counts; nobody asks for 0 */
		if (!t->v[l->v[i].code].code)
			t->v[l->v[i].code] = l->v[i];
	return true;
}

/* The table at the cursor, for units with words like this one's; NULL: it cannot be read here. */
struct abbrevs *abbrevs_read(const struct info_unit *u, struct cursor *c)
{
	struct abbrevs *t = mem_zalloc(1, sizeof(*t));
	struct coded l = { 0 };
	u64 code;

	while ((code = cursor_uleb(c)) != 0 && read_abbrev(&l, t, u, c, code))
		;
	if (code || c->bad || !sort_abbrevs(t, &l)) {
		abbrevs_free(t);
		t = NULL;
	}
	free(l.v);
	return t;
}

/* For a num_map of tables, so its kind is not told. */
void abbrevs_free(void *table)
{
	struct abbrevs *t = table;

	if (!t)
		return;
	free(t->v);
	free(t->forms);
	free(t);
}
