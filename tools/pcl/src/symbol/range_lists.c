// SPDX-License-Identifier: GPL-2.0
/*
 * The addresses that an entry's code has: one range, or a list of them.
 *
 * Concepts: lists are pairs of addresses in .debug_ranges (before DWARF 5), or
 * small programs in .debug_rnglists; both count from a base, first that of the
 * unit. .debug_aranges has those of whole units.
 * Contexts: threads that read units; see info.h.
 * Locks: none; all that is shared is only read.
 */
#include <dwarf.h>

#include "internal.h"
#include "symbol/info.h"

/* Where ranges go. */
struct range_sink {
	struct range_list *l;
	u32 node, depth;
	u64 first;
	u32 nr;
};

static void take_range(struct range_sink *s, u64 start, u64 end)
{
	if (!s->nr++)
		s->first = start;
	ranges_add(s->l, start, end, s->node, s->depth);
}

static u64 cursor_address(struct cursor *c, const struct info_unit *u)
{
	return u->addr_size == 8 ? cursor_u64(c) : cursor_u32(c);
}

static bool read_pairs(struct cursor c, const struct info_unit *u, struct range_sink *s)
{
	const u64 select = u->addr_size == 8 ? ~0ull : 0xffffffff;
	u64 base = u->low, start, end;

	for (;;) {
		start = cursor_address(&c, u);
		end = cursor_address(&c, u);
		if (c.bad)
			return false;
		if (start == select)
			base = end;
		else if (start || end)
			take_range(s, base + start, base + end);
		else
			return true;
	}
}

static u64 indexed(const struct info *in, const struct info_unit *u, struct cursor *c)
{
	struct value v = { .kind = VALUE_ADDRESS_INDEX, .n = cursor_uleb(c) };
	u64 addr = 0;

	if (!attr_address(in, u, &v, &addr))
		c->bad = true;
	return addr;
}

static bool read_program(const struct info *in, struct cursor c, const struct info_unit *u,
			 struct range_sink *s)
{
	u64 base = u->low, start, end;

	while (!c.bad) {
		switch (cursor_u8(&c)) {
		case DW_RLE_end_of_list:
			return !c.bad;
		case DW_RLE_base_addressx:
			base = indexed(in, u, &c);
			continue;
		case DW_RLE_base_address:
			base = cursor_address(&c, u);
			continue;
		case DW_RLE_startx_endx:
			start = indexed(in, u, &c);
			end = indexed(in, u, &c);
			break;
		case DW_RLE_startx_length:
			start = indexed(in, u, &c);
			end = start + cursor_uleb(&c);
			break;
		case DW_RLE_offset_pair:
			start = base + cursor_uleb(&c);
			end = base + cursor_uleb(&c);
			break;
		case DW_RLE_start_end:
			start = cursor_address(&c, u);
			end = cursor_address(&c, u);
			break;
		case DW_RLE_start_length:
			start = cursor_address(&c, u);
			end = start + cursor_uleb(&c);
			break;
		default:
			return false;
		}
		if (!c.bad)
			take_range(s, start, end);
	}
	return false;
}

static bool read_list(const struct info *in, const struct info_unit *u, const struct value *v,
		      struct range_sink *s)
{
	u64 at = v->n;
	struct cursor c;

	if (v->kind != VALUE_OFFSET && v->kind != VALUE_NUMBER && v->kind != VALUE_LIST_INDEX)
		return false;
	if (u->version < 5)
		return v->kind != VALUE_LIST_INDEX &&
		       read_pairs(section_from(&in->sections, SECTION_RANGES, at), u, s);
	if (v->kind == VALUE_LIST_INDEX) {
		if (u->rnglists == NO_BASE || at >= (1ull << 56))
			return false;
		c = section_from(&in->sections, SECTION_RNGLISTS,
				 (u64)u->rnglists + at * (u->wide ? 8 : 4));
		at = (u64)u->rnglists + cursor_offset(&c, u->wide);
		if (c.bad)
			return false;
	}
	return read_program(in, section_from(&in->sections, SECTION_RNGLISTS, at), u, s);
}

/*
 * Add the addresses of the entry's code to the list: *nr of them, *first is
 * where the first begins. false: damaged, or not known here.
 */
bool entry_ranges(const struct info *in, const struct info_unit *u, const struct entry *e,
		  struct range_list *l, u32 node, u32 depth, u64 *first, u32 *nr)
{
	struct range_sink s = { .l = l, .node = node, .depth = depth };
	const struct value *high = &e->v[ATTR_HIGH];
	u64 start, end;
	bool good = true;

	if (e->has & 1u << ATTR_LOW && e->has & 1u << ATTR_HIGH) {
		good = attr_address(in, u, &e->v[ATTR_LOW], &start);
		if (good && high->kind == VALUE_NUMBER)
			end = start + high->n;
		else
			good = good && attr_address(in, u, high, &end);
		/* the linker leaves 0 where it dropped the code */
		if (good && start && end > start)
			take_range(&s, start, end);
	} else if (e->has & 1u << ATTR_RANGES) {
		good = read_list(in, u, &e->v[ATTR_RANGES], &s);
	}
	*first = s.first;
	*nr = s.nr;
	return good;
}

/* The part of a unit in .debug_aranges; begin: where its head does. */
static bool read_aranges(const struct info *in, struct cursor c, const u8 *begin, bool wide,
			 struct range_list *l, const u32 *bare)
{
	struct info_unit words = { 0 };
	const struct info_unit *u;
	u64 start, length;
	size_t pair;

	if (cursor_u16(&c) != 2)
		return false;
	u = info_unit_at(in, cursor_offset(&c, wide));
	words.addr_size = cursor_u8(&c);
	if (cursor_u8(&c) || (words.addr_size != 4 && words.addr_size != 8))
		return false;
	pair = 2 * words.addr_size;
	cursor_skip(&c, (pair - (size_t)(c.p - begin) % pair) % pair);
	if (!u || !bare[u - in->units])
		return !c.bad;
	while (cursor_left(&c) >= pair) {
		start = cursor_address(&c, &words);
		length = cursor_address(&c, &words);
		if (!start && !length)
			break;
		ranges_add(l, start, start + length, bare[u - in->units] - 1, 0);
	}
	return !c.bad;
}

/* The addresses that .debug_aranges gives to units; bare: their numbers + 1, 0: others. */
bool aranges_read(const struct info *in, struct range_list *l, const u32 *bare)
{
	struct cursor all = in->sections.at[SECTION_ARANGES];
	const u8 *begin;
	u64 length;
	bool wide;

	while (cursor_left(&all)) {
		begin = all.p;
		length = cursor_u32(&all);
		wide = length == 0xffffffff;
		if (wide)
			length = cursor_u64(&all);
		if (!read_aranges(in, cursor_part(&all, length), begin, wide, l, bare) || all.bad)
			return false;
	}
	return true;
}
