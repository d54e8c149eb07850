// SPDX-License-Identifier: GPL-2.0
/*
 * The lines of a unit, from its line number program (DWARF 2 to 5).
 *
 * Concepts: the program is a small machine's: it makes a row for each change of
 * line, in sequences of ascending addresses. Only the bytes inside of its own
 * length are looked at. libdw does the same, at several times the cost, as it
 * makes an object of each row; it stands behind this where something is met that
 * is not known here.
 * Contexts: report, when a unit is read.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "symbol/dwarf.h"

/* What an opcode may add up to; more is damage. */
enum { MAX_FILES = 1 << 20, MAX_ROWS = 1 << 26 };

struct program_head {
	struct cursor code;
	u16 version;
	bool wide;		/* 64-bit offsets */
	u8 min_length, max_ops;
	int8_t line_base;
	u8 line_range, opcode_base;
	u8 operands[256];	/* of each standard opcode */
	u8 steps[256];		/* of each special opcode: by how much it advances */
	s32 lines[256];		/* and by how many lines */
};

/* Where rows go. */
struct row_list {
	struct line_row *v;		/* file is the number in the unit's table here */
	u32 nr, room;
	u32 *starts;		/* index of each sequence's first row */
	u32 nr_starts, room_starts;
	bool open;		/* a sequence has begun */
};

struct line_machine {
	u64 addr;
	u64 file;
	u32 op, line, column;
};

static const char *text_at(const struct cursor *section, u64 at)
{
	struct cursor c = *section;

	cursor_skip(&c, at);
	return cursor_string(&c);
}

/* A place in a section, as wide as the program's form has it. */
static u64 section_offset(struct cursor *c, const struct program_head *h)
{
	return h->wide ? cursor_u64(c) : cursor_u32(c);
}

/* A value of a table's entry, as a text or a number. false: a form not known here. */
static bool entry_value(const struct line_sections *s, const struct program_head *h,
			struct cursor *c, u64 form, const char **text, u64 *number)
{
	switch (form) {
	case DW_FORM_string:
		*text = cursor_string(c);
		return true;
	case DW_FORM_line_strp:
		*text = text_at(&s->line_str, section_offset(c, h));
		return true;
	case DW_FORM_strp:
		*text = text_at(&s->str, section_offset(c, h));
		return true;
	case DW_FORM_udata:
		*number = cursor_uleb(c);
		return true;
	case DW_FORM_data1:
		*number = cursor_u8(c);
		return true;
	case DW_FORM_data2:
		*number = cursor_u16(c);
		return true;
	case DW_FORM_data4:
		*number = cursor_u32(c);
		return true;
	case DW_FORM_data8:
		*number = cursor_u64(c);
		return true;
	case DW_FORM_data16:
		cursor_skip(c, 16);
		return true;
	case DW_FORM_block:
		cursor_skip(c, cursor_uleb(c));
		return true;
	default:
		return false;
	}
}

static void add_file(struct unit_files *f, const char *name, u64 dir)
{
	f->own = mem_resize(f->own, f->nr + 1, sizeof(*f->own));
	f->own[f->nr++] = (struct line_file){ name, dir };
}

static void add_dir(struct unit_files *f, const char *name)
{
	f->dirs = mem_resize(f->dirs, f->nr_dirs + 1, sizeof(*f->dirs));
	f->dirs[f->nr_dirs++] = name;
}

/* One of the two tables of version 5: directories, then files. */
static bool read_table_5(const struct line_sections *s, const struct program_head *h,
			 struct cursor *c, struct unit_files *f, bool files)
{
	u64 kinds[16], forms[16], nr, i;
	u8 nr_formats = cursor_u8(c), k;

	if (nr_formats > ARRAY_SIZE(kinds))
		return false;
	for (k = 0; k < nr_formats; k++) {
		kinds[k] = cursor_uleb(c);
		forms[k] = cursor_uleb(c);
	}
	nr = cursor_uleb(c);
	if (nr > MAX_FILES || (nr && !nr_formats))
		return false;
	for (i = 0; i < nr && !c->bad; i++) {
		const char *name = "", *text;
		u64 dir = 0, number;

		for (k = 0; k < nr_formats; k++) {
			text = "";
			number = 0;
			if (!entry_value(s, h, c, forms[k], &text, &number))
				return false;
			if (kinds[k] == DW_LNCT_path)
				name = text;
			else if (kinds[k] == DW_LNCT_directory_index)
				dir = number;
		}
		if (files)
			add_file(f, name, dir);
		else
			add_dir(f, name);
	}
	return !c->bad;
}

/* The tables of versions before 5: texts, ended by an empty one. */
static bool read_tables_4(struct cursor *c, struct unit_files *f)
{
	const char *name;
	u64 dir;

	/* directory 0 is that of the compiler run, file 0 is none */
	add_dir(f, f->directory ? f->directory : "");
	add_file(f, NULL, 0);
	while (*(name = cursor_string(c)) && f->nr_dirs < MAX_FILES)
		add_dir(f, name);
	while (*(name = cursor_string(c)) && f->nr < MAX_FILES) {
		dir = cursor_uleb(c);
		cursor_uleb(c);	/* its time */
		cursor_uleb(c);	/* its length */
		add_file(f, name, dir);
	}
	return !c->bad;
}

static bool read_head(const struct line_sections *s, u64 offset, struct program_head *h,
		      struct unit_files *f)
{
	struct cursor c = s->line, tables;
	unsigned int k;
	u64 length;
	u8 i;

	cursor_skip(&c, offset);
	length = cursor_u32(&c);
	h->wide = length == 0xffffffff;
	c = cursor_part(&c, h->wide ? cursor_u64(&c) : length);
	h->version = cursor_u16(&c);
	if (h->version < 2 || h->version > 5)
		return false;
	/* sizes of an address and of a segment selector */
	if (h->version == 5 && (cursor_u8(&c), cursor_u8(&c)))
		return false;
	tables = cursor_part(&c, section_offset(&c, h));
	h->code = c;
	h->min_length = cursor_u8(&tables);
	h->max_ops = h->version >= 4 ? cursor_u8(&tables) : 1;
	cursor_u8(&tables);	/* whether rows are statements at first */
	h->line_base = (int8_t)cursor_u8(&tables);
	h->line_range = cursor_u8(&tables);
	h->opcode_base = cursor_u8(&tables);
	if (!h->line_range || !h->opcode_base || !h->max_ops || tables.bad)
		return false;
	for (i = 1; i < h->opcode_base; i++)
		h->operands[i] = cursor_u8(&tables);
	for (k = h->opcode_base; k < ARRAY_SIZE(h->steps); k++) {
		h->steps[k] = (u8)((k - h->opcode_base) / h->line_range);
		h->lines[k] = h->line_base + (s32)((k - h->opcode_base) % h->line_range);
	}
	if (h->version < 5)
		return read_tables_4(&tables, f);
	return read_table_5(s, h, &tables, f, false) && read_table_5(s, h, &tables, f, true);
}

static void add_row(struct row_list *l, const struct line_machine *m, bool end)
{
	if (!l->open) {
		if (l->nr_starts == l->room_starts) {
			l->room_starts = l->room_starts ? l->room_starts * 2 : 16;
			l->starts = mem_resize(l->starts, l->room_starts, sizeof(*l->starts));
		}
		l->starts[l->nr_starts++] = l->nr;
		l->open = true;
	} else if (l->v[l->nr - 1].addr == m->addr) {
		l->nr--;	/* the last row of an address counts */
	}
	if (l->nr == l->room) {
		l->room = l->room ? l->room * 2 : 256;
		l->v = mem_resize(l->v, l->room, sizeof(*l->v));
	}
	l->v[l->nr++] = (struct line_row){
		.addr = m->addr,
		.file = end || m->file >= NO_TEXT ? NO_TEXT : (u32)m->file,
		.line = m->line,
		.column = m->column,
	};
	l->open = !end;
}

static void advance(struct line_machine *m, const struct program_head *h, u64 by)
{
	if (h->max_ops == 1) {
		m->addr += by * h->min_length;
		return;
	}
	m->addr += (m->op + by) / h->max_ops * h->min_length;
	m->op = (u32)((m->op + by) % h->max_ops);
}

static const struct line_machine fresh = { .file = 1, .line = 1 };

/* An opcode behind a zero, with its length. false: not known here. */
static bool run_extended(struct cursor *c, struct line_machine *m, struct row_list *l)
{
	u64 length = cursor_uleb(c);
	struct cursor body = cursor_part(c, length);

	switch (cursor_u8(&body)) {
	case DW_LNE_end_sequence:
		add_row(l, m, true);
		*m = fresh;
		return true;
	case DW_LNE_set_address:
		if (length != 9 && length != 5)
			return false;
		m->addr = length == 9 ? cursor_u64(&body) : cursor_u32(&body);
		m->op = 0;
		return true;
	case DW_LNE_define_file:
		return false;
	default:
		return true;
	}
}

static bool run_standard(u8 opcode, struct cursor *c, struct line_machine *m,
			 const struct program_head *h, struct row_list *l)
{
	unsigned int i;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(l, m, false);
		break;
	case DW_LNS_advance_pc:
		advance(m, h, cursor_uleb(c));
		break;
	case DW_LNS_advance_line:
		m->line += (u32)cursor_sleb(c);
		break;
	case DW_LNS_set_file:
		m->file = cursor_uleb(c);
		break;
	case DW_LNS_set_column:
		m->column = (u32)cursor_uleb(c);
		break;
	case DW_LNS_const_add_pc:
		advance(m, h, (255u - h->opcode_base) / h->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->addr += cursor_u16(c);
		m->op = 0;
		break;
	default:
		/* what does not touch the row; its operands are all alike */
		for (i = 0; i < h->operands[opcode]; i++)
			cursor_uleb(c);
	}
	return true;
}

static bool run_program_lines(struct program_head *h, struct row_list *l)
{
	struct cursor *c = &h->code;
	struct line_machine m = fresh;
	bool good = true;
	u8 opcode;

	while (good && c->p < c->end && l->nr < MAX_ROWS) {
		opcode = *c->p++;
		if (opcode >= h->opcode_base) {
			advance(&m, h, h->steps[opcode]);
			m.line += (u32)h->lines[opcode];
			add_row(l, &m, false);
		} else if (opcode) {
			good = run_standard(opcode, c, &m, h, l);
		} else {
			good = run_extended(c, &m, l);
		}
	}
	return good && !c->bad && !l->open;
}

struct sequence {
	u64 addr;
	u32 first, nr;
};

static int cmp_sequence(const void *a, const void *b)
{
	const struct sequence *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Are they in order of addresses as they are, as those of nearly all units? */
static bool in_order(const struct sequence *v, u32 nr)
{
	u32 i;

	for (i = 1; i < nr; i++)
		if (v[i].first < v[i - 1].first)
			return false;
	return true;
}

/* Append the rows of a sequence; those that are not behind all others are left out. */
static void append_sequence(struct unit_tables *t, const struct line_row *v, u32 nr,
			    struct debug_info *d, struct unit_files *f)
{
	u32 file = NO_TEXT, text = NO_TEXT, k;
	struct line_row r;

	for (k = 0; k < nr; k++) {
		struct line_row *last = t->nr_rows ? &t->rows[t->nr_rows - 1] : NULL;

		r = v[k];
		if (last && r.addr < last->addr)
			continue;
		if (last && r.addr == last->addr && r.file == NO_TEXT)
			continue;
		if (last && r.addr == last->addr)
			t->nr_rows--;
		if (r.file != NO_TEXT && r.file != file) {
			file = r.file;
			text = unit_file(d, f, file);
		}
		r.file = r.file == NO_TEXT ? NO_TEXT : text;
		t->rows[t->nr_rows++] = r;
	}
}

/* All sequences in order of addresses. */
static void join_sequences(struct row_list *l, struct debug_info *d, struct unit_files *f,
			   struct unit_tables *t)
{
	struct sequence *v = mem_zalloc(l->nr_starts, sizeof(*v));
	bool there;
	u32 i;

	for (i = 0; i < l->nr_starts; i++) {
		v[i].first = l->starts[i];
		v[i].nr = (i + 1 < l->nr_starts ? l->starts[i + 1] : l->nr) - v[i].first;
		v[i].addr = l->v[v[i].first].addr;
	}
	qsort(v, l->nr_starts, sizeof(*v), cmp_sequence);
	/* rows only move down then, in the memory where they are */
	there = in_order(v, l->nr_starts);
	t->rows = there ? l->v : mem_zalloc(l->nr, sizeof(*t->rows));
	for (i = 0; i < l->nr_starts; i++)
		/* the linker leaves 0 where it dropped the code */
		if (v[i].addr)
			append_sequence(t, l->v + v[i].first, v[i].nr, d, f);
	if (there)
		l->v = NULL;
	free(v);
	t->rows = mem_resize(t->rows, t->nr_rows, sizeof(*t->rows));
}

/*
 * The rows and the files of the program at this offset of .debug_line. false:
 * it is damaged, or has something that is not known here; nothing is filled.
 */
bool line_program_read(struct debug_info *d, const struct line_sections *s, u64 offset,
		       struct unit_files *f, struct unit_tables *t)
{
	struct program_head h = { 0 };
	struct row_list l = { 0 };
	bool good;

	good = read_head(s, offset, &h, f) && run_program_lines(&h, &l);
	if (good) {
		f->text = mem_zalloc(f->nr, sizeof(*f->text));
		join_sequences(&l, d, f, t);
	}
	free(l.v);
	free(l.starts);
	return good;
}
