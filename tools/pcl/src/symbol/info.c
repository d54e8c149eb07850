// SPDX-License-Identifier: GPL-2.0
/*
 * The units of .debug_info: their heads and first entries.
 *
 * Concepts: all of them are looked at when the file is opened, which is little
 * work, and shows whether the file is one that is understood here: entries of
 * another file (split DWARF), forms and versions not known, and damage make it
 * one for libdw.
 * Contexts: report, when an object is first looked into.
 * Locks: none; nothing changes later.
 */
#include <dwarf.h>
#include <stdlib.h>

#include "internal.h"
#include "symbol/dwarf.h"

static const struct abbrevs *abbrevs_at(struct info *in, const struct info_unit *u, u64 offset)
{
	struct cursor all = in->sections.at[SECTION_ABBREV], c;
	void **known;

	if (offset >= cursor_left(&all))
		return NULL;
	/* words have the same size for all units of nearly every file */
	known = num_map_at(&in->abbrevs, offset << 8 | u->addr_size << 4 | u->wide << 3 | (u->version == 2));
	if (*known)
		return *known;
	c = section_from(&in->sections, SECTION_ABBREV, offset);
	*known = abbrevs_read(u, &c);
	/* tables that lie in each other are damage, and could take for ever */
	in->abbrev_bytes += cursor_left(&all) - offset - cursor_left(&c);
	return in->abbrev_bytes / 4 <= cursor_left(&all) ? *known : NULL;
}

/* Does the language keep code out of types? */
static bool is_plain_c(u32 language)
{
	switch (language) {
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

static s64 base_of(const struct entry *e, enum attr which)
{
	const struct value *v = &e->v[which];

	return e->has & 1u << which && (v->kind == VALUE_OFFSET || v->kind == VALUE_NUMBER) ?
	       (s64)v->n : NO_BASE;
}

/* What the first entry says of the whole. false: not known here. */
static bool take_first_entry(const struct info *in, struct info_unit *u, const struct entry *e)
{
	u->str_offsets = base_of(e, ATTR_STR_OFFSETS);
	u->addrs = base_of(e, ATTR_ADDRS);
	u->rnglists = base_of(e, ATTR_RNGLISTS);
	u->has_children = e->abbrev->children;
	u->plain_c = e->has & 1u << ATTR_LANGUAGE && is_plain_c(attr_number(&e->v[ATTR_LANGUAGE]));
	u->has_lines = e->has & 1u << ATTR_LINES;
	u->lines = (u64)base_of(e, ATTR_LINES);
	if (e->has & 1u << ATTR_ELSEWHERE || (u->has_lines && base_of(e, ATTR_LINES) == NO_BASE))
		return false;
	if (e->has & 1u << ATTR_LOW && !attr_address(in, u, &e->v[ATTR_LOW], &u->low))
		return false;
	return !(e->has & 1u << ATTR_DIRECTORY) ||
	       attr_text(in, u, &e->v[ATTR_DIRECTORY], &u->directory);
}

/* A unit's head, up to its first entry; *abbrevs: where its table is. false: not known here. */
static bool read_head(struct info_unit *u, struct cursor *c, u64 *abbrevs)
{
	u16 version = cursor_u16(c);

	if (version < 2 || version > 5)
		return false;
	u->version = (u8)version;
	u->kind = version == 5 ? cursor_u8(c) : DW_UT_compile;
	if (version == 5)
		u->addr_size = cursor_u8(c);
	*abbrevs = cursor_offset(c, u->wide);
	if (version < 5)
		u->addr_size = cursor_u8(c);
	if (u->addr_size != 4 && u->addr_size != 8)
		return false;
	switch (u->kind) {
	case DW_UT_compile:
	case DW_UT_partial:
		return !c->bad;
	case DW_UT_type:
		/* its signature, and where the type is */
		cursor_skip(c, 8);
		cursor_offset(c, u->wide);
		return !c->bad;
	default:
		return false;
	}
}

/* The unit at the cursor, which is passed by. */
static bool read_unit(struct info *in, struct cursor *all, struct entry *e)
{
	const u8 *begin = in->sections.at[SECTION_INFO].p;
	struct info_unit u = { .offset = (u64)(all->p - begin) };
	u64 length = cursor_u32(all), abbrevs;
	struct cursor c;

	u.wide = length == 0xffffffff;
	c = cursor_part(all, u.wide ? cursor_u64(all) : length);
	if (all->bad || !read_head(&u, &c, &abbrevs))
		return false;
	u.end = (u64)(c.end - begin);
	u.entry = (u64)(c.p - begin);
	u.abbrevs = abbrevs_at(in, &u, abbrevs);
	if (!u.abbrevs || !entry_read(&u, &c, e) || !take_first_entry(in, &u, e))
		return false;
	u.below = (u64)(c.p - begin);
	if (in->nr_units == in->room_units) {
		in->room_units = in->room_units ? in->room_units * 2 : 64;
		in->units = mem_resize(in->units, in->room_units, sizeof(*in->units));
	}
	in->units[in->nr_units++] = u;
	return true;
}

/* Look at all units of the sections that are there. false: the file is one for libdw. */
bool info_read(struct info *in)
{
	struct cursor all = in->sections.at[SECTION_INFO];
	struct entry e;

	while (cursor_left(&all))
		if (in->nr_units == NO_NODE - 1 || !read_unit(in, &all, &e))
			return false;
	return in->nr_units;
}

/* The sections and units of a file; info_close() in any case. false: it is one for libdw. */
bool info_open(struct info *in, Elf *elf)
{
	return sections_open(&in->sections, elf) && info_read(in);
}

void info_close(struct info *in)
{
	sections_close(&in->sections);
	num_map_free(&in->abbrevs, abbrevs_free);
	free(in->units);
	*in = (struct info){ 0 };
}

/* The unit that has this offset of .debug_info; NULL: none. */
const struct info_unit *info_unit_at(const struct info *in, u64 offset)
{
	u32 lo = 0, hi = in->nr_units, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (in->units[mid].offset <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && offset < in->units[lo - 1].end ? &in->units[lo - 1] : NULL;
}

static bool add_unit(struct debug_info *d, const struct info *in, const struct info_unit *u,
		     struct range_list *l, u32 *bare)
{
	struct cursor c = section_from(&in->sections, SECTION_INFO, u->entry);
	struct entry e;
	u64 first;
	u32 nr;

	if (!entry_read(u, &c, &e) || !entry_ranges(in, u, &e, l, d->nr_units, 0, &first, &nr))
		return false;
	d->units[d->nr_units++].offset = u->entry;
	if (!nr)
		*bare = d->nr_units;
	return true;
}

/* All units that may have code, and the table from addresses to them. false: not known here. */
bool info_list_units(struct debug_info *d, const struct info *in)
{
	u32 *bare = mem_zalloc(in->nr_units, sizeof(*bare)), i;
	struct range_list l = { 0 };
	bool good = true, any = false;

	d->units = mem_zalloc(in->nr_units, sizeof(*d->units));
	for (i = 0; i < in->nr_units && good; i++) {
		if (in->units[i].kind == DW_UT_type)
			continue;
		good = add_unit(d, in, &in->units[i], &l, &bare[i]);
		any |= bare[i];
	}
	good = good && (!any || aranges_read(in, &l, bare));
	free(bare);
	if (good) {
		d->spans = ranges_flatten(&l, &d->nr_spans);
		return true;
	}
	free(l.v);
	free(d->units);
	d->units = NULL;
	d->nr_units = 0;
	return false;
}
