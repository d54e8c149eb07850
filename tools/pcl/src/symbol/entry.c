// SPDX-License-Identifier: GPL-2.0
/*
 * Reading entries of .debug_info, and passing by those that do not matter.
 *
 * Concepts: an entry is the code of its abbreviation and, one behind the other,
 * the attributes that this one lists. Values are taken as they are written;
 * what an index or an offset stands for is looked up when it is asked for, as
 * the bases of a unit may stand behind what needs them.
 * Contexts: threads that read units; see info.h.
 * Locks: none; all that is shared is only read.
 */
#include <dwarf.h>

#include "internal.h"
#include "symbol/info.h"

/* The kind of the entry here, its code passed by; NULL with *end: it ends a level, else damage. */
const struct abbrev *entry_abbrev(const struct info_unit *u, struct cursor *c, bool *end)
{
	u64 code = cursor_uleb(c);

	*end = !code;
	if (code >= u->abbrevs->nr || !u->abbrevs->v[code].code)
		return NULL;
	return &u->abbrevs->v[code];
}

static void pass_attr(struct cursor *c, const struct attr_form *f)
{
	switch (f->size) {
	case SIZE_LEB:
		cursor_uleb(c);
		break;
	case SIZE_TEXT:
		cursor_string(c);
		break;
	case SIZE_BLOCK:
		cursor_skip(c, cursor_uleb(c));
		break;
	case SIZE_BLOCK1:
		cursor_skip(c, cursor_u8(c));
		break;
	case SIZE_BLOCK2:
		cursor_skip(c, cursor_u16(c));
		break;
	case SIZE_BLOCK4:
		cursor_skip(c, cursor_u32(c));
		break;
	default:
		cursor_skip(c, f->size);
	}
}

static u64 number_of_size(struct cursor *c, unsigned int size)
{
	u64 low;

	switch (size) {
	case 0:
		return 0;
	case 1:
		return cursor_u8(c);
	case 2:
		return cursor_u16(c);
	case 3:
		low = c->swap ? (u64)cursor_u8(c) << 16 : cursor_u16(c);
		return c->swap ? low | cursor_u16(c) : low | (u64)cursor_u8(c) << 16;
	case 4:
		return cursor_u32(c);
	case 8:
		return cursor_u64(c);
	default:
		return cursor_uleb(c);
	}
}

/* The kinds of values, by form; others are foreign. */
static enum value_kind kind_of_form(unsigned int form)
{
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		return VALUE_NUMBER;
	case DW_FORM_addr:
		return VALUE_ADDRESS;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		return VALUE_ADDRESS_INDEX;
	case DW_FORM_string:
		return VALUE_TEXT;
	case DW_FORM_strp:
		return VALUE_TEXT_OFFSET;
	case DW_FORM_line_strp:
		return VALUE_LINE_TEXT_OFFSET;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return VALUE_TEXT_INDEX;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_ref_addr:
		return VALUE_ENTRY;
	case DW_FORM_sec_offset:
		return VALUE_OFFSET;
	case DW_FORM_rnglistx:
		return VALUE_LIST_INDEX;
	default:
		return VALUE_FOREIGN;
	}
}

static void read_attr(const struct info_unit *u, struct cursor *c, const struct attr_form *f,
		      struct value *v)
{
	v->kind = kind_of_form(f->form);
	if (v->kind == VALUE_FOREIGN) {
		pass_attr(c, f);
	} else if (f->form == DW_FORM_string) {
		v->text = cursor_string(c);
	} else if (f->form == DW_FORM_sdata) {
		v->n = (u64)cursor_sleb(c);
	} else if (f->form == DW_FORM_implicit_const) {
		v->n = (u64)(s64)f->value;
	} else {
		v->n = number_of_size(c, f->size);
		if (v->kind == VALUE_ENTRY && f->form != DW_FORM_ref_addr)
			v->n += u->offset;
	}
}

/* The attributes that matter of the entry here, code and all. false: damaged, or none that has any. */
bool entry_read(const struct info_unit *u, struct cursor *c, struct entry *e)
{
	const struct attr_form *f;
	bool end;
	u32 i;

	e->has = 0;
	e->abbrev = entry_abbrev(u, c, &end);
	if (!e->abbrev || !e->abbrev->matters)
		return false;
	f = u->abbrevs->forms + e->abbrev->first;
	for (i = 0; i < e->abbrev->nr; i++) {
		if (f[i].attr == NR_ATTRS) {
			pass_attr(c, &f[i]);
			continue;
		}
		read_attr(u, c, &f[i], &e->v[f[i].attr]);
		e->has |= 1u << f[i].attr;
	}
	return !c->bad;
}

/* Pass by the attributes; the offset of the next entry of the level, 0: not said. */
u64 entry_pass(const struct info_unit *u, const struct abbrev *a, struct cursor *c)
{
	const struct attr_form *f = u->abbrevs->forms + a->first, *end = f + a->nr;
	u64 sibling = 0;

	if (a->size != ENTRY_VARIES && !a->sibling) {
		cursor_skip(c, a->size);
		return 0;
	}
	for (; f < end; f++) {
		if (f->attr == ATTR_SIBLING && kind_of_form(f->form) == VALUE_ENTRY)
			sibling = number_of_size(c, f->size) + (f->form == DW_FORM_ref_addr ? 0 : u->offset);
		else
			pass_attr(c, f);
	}
	return sibling;
}

/* false: it is not here. */
bool attr_address(const struct info *in, const struct info_unit *u, const struct value *v, u64 *addr)
{
	struct cursor c;

	if (v->kind == VALUE_ADDRESS) {
		*addr = v->n;
		return true;
	}
	if (v->kind != VALUE_ADDRESS_INDEX || u->addrs == NO_BASE || v->n >= (1ull << 56))
		return false;
	c = section_from(&in->sections, SECTION_ADDR, (u64)u->addrs + v->n * u->addr_size);
	*addr = number_of_size(&c, u->addr_size);
	return !c.bad;
}

/* false: it is not here. */
bool attr_text(const struct info *in, const struct info_unit *u, const struct value *v,
	       const char **text)
{
	struct cursor c;

	switch (v->kind) {
	case VALUE_TEXT:
		*text = v->text;
		return true;
	case VALUE_TEXT_OFFSET:
		*text = section_text(&in->sections, SECTION_STR, v->n);
		return true;
	case VALUE_LINE_TEXT_OFFSET:
		*text = section_text(&in->sections, SECTION_LINE_STR, v->n);
		return true;
	case VALUE_TEXT_INDEX:
		if (u->str_offsets == NO_BASE || v->n >= (1ull << 56))
			return false;
		c = section_from(&in->sections, SECTION_STR_OFFSETS,
				 (u64)u->str_offsets + v->n * (u->wide ? 8 : 4));
		*text = section_text(&in->sections, SECTION_STR, cursor_offset(&c, u->wide));
		return !c.bad;
	default:
		return false;
	}
}

/* 0: none, or no number that a line could have. */
u32 attr_number(const struct value *v)
{
	return v->kind == VALUE_NUMBER && v->n <= 0xffffffff ? (u32)v->n : 0;
}
