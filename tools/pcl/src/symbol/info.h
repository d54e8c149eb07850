/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the chapter: our reader of .debug_info, for the files that nearly
 * all are: what it refers to lies in the same file.
 *
 * All of this is filled when a file is opened, and only read from then on, so
 * that many threads may read units of it at the same time. What is not known
 * here is refused as a whole, and left to libdw.
 */
#ifndef PCL_SYMBOL_INFO_H
#define PCL_SYMBOL_INFO_H

#include "symbol/debug.h"

/* ---- sections ---- */

enum section {
	SECTION_INFO, SECTION_ABBREV, SECTION_LINE, SECTION_STR, SECTION_LINE_STR, SECTION_STR_OFFSETS,
	SECTION_ADDR, SECTION_RANGES, SECTION_RNGLISTS, SECTION_ARANGES, NR_SECTIONS
};

/* One for each file. The bytes are the file's, or unpacked. */
struct sections {
	struct cursor at[NR_SECTIONS];
	void *unpacked[NR_SECTIONS];
};

/* ---- entries and their attributes ---- */

/* The attributes that matter. */
enum attr {
	ATTR_SIBLING, ATTR_LOW, ATTR_HIGH, ATTR_RANGES, ATTR_ORIGIN, ATTR_SPECIFICATION,
	ATTR_LINKAGE, ATTR_MIPS_LINKAGE, ATTR_NAME, ATTR_CALL_FILE, ATTR_CALL_LINE, ATTR_CALL_COLUMN,
	ATTR_LANGUAGE, ATTR_DIRECTORY, ATTR_LINES, ATTR_STR_OFFSETS, ATTR_ADDRS, ATTR_RNGLISTS,
	ATTR_ELSEWHERE,		/* the entries are in another file */
	NR_ATTRS
};

/* How many bytes an attribute has, where its form does not fix them. */
enum { SIZE_LEB = 240, SIZE_TEXT, SIZE_BLOCK, SIZE_BLOCK1, SIZE_BLOCK2, SIZE_BLOCK4 };

/* An attribute as an abbreviation lists it; those of fixed size that do not matter as one. */
struct attr_form {
	u16 form;
	u8 attr;		/* NR_ATTRS: none that matters */
	u8 size;		/* or SIZE_ */
	s32 value;		/* of DW_FORM_implicit_const */
};

enum { ENTRY_VARIES = 0xffff };

/* The kind of an entry: its tag, and what follows its code. */
struct abbrev {
	u32 code;		/* 0: there is none of its code */
	u32 first, nr;		/* among the forms */
	u16 tag;
	u16 size;		/* of all attributes, or ENTRY_VARIES */
	bool children;
	bool matters;		/* more of it than the next one of its level */
	bool sibling;		/* it says where the next entry of its level is */
};

/* By code. One table for each place in .debug_abbrev that units name. */
struct abbrevs {
	struct abbrev *v;
	u32 nr;
	struct attr_form *forms;
	u32 nr_forms, room_forms;
};

enum value_kind {
	VALUE_NONE, VALUE_NUMBER, VALUE_ADDRESS, VALUE_ADDRESS_INDEX, VALUE_TEXT, VALUE_TEXT_OFFSET,
	VALUE_LINE_TEXT_OFFSET, VALUE_TEXT_INDEX,
	VALUE_ENTRY,		/* an offset in .debug_info */
	VALUE_OFFSET,		/* in another section */
	VALUE_LIST_INDEX,
	VALUE_FOREIGN,		/* it is in another file, or not known here */
};

struct value {
	enum value_kind kind;
	u64 n;
	const char *text;
};

/* One is filled again and again. */
struct entry {
	const struct abbrev *abbrev;
	u32 has;		/* bit for each attribute */
	struct value v[NR_ATTRS];
};

/* ---- units ---- */

enum { NO_BASE = -1 };

/* A unit as its head and its first entry tell. */
struct info_unit {
	u64 offset, entry, below, end;	/* in .debug_info; below: behind the first entry */
	const struct abbrevs *abbrevs;
	u8 version, kind, addr_size;
	bool wide;		/* 64-bit offsets */
	bool plain_c;		/* no code inside of types */
	bool has_lines, has_children;
	u64 low;		/* what its lists of ranges begin with */
	s64 str_offsets, addrs, rnglists; /* where its part of these sections is, or NO_BASE */
	u64 lines;		/* of its program, in .debug_line */
	const char *directory;	/* of the compiler run, or NULL */
};

struct info {
	struct sections sections;
	struct info_unit *units;/* by offset */
	u32 nr_units, room_units;
	struct num_map abbrevs;	/* by place and size of words */
	u64 abbrev_bytes;	/* read for these */
};

/* An offset into a section. */
static inline u64 cursor_offset(struct cursor *c, bool wide)
{
	return wide ? cursor_u64(c) : cursor_u32(c);
}

/* sections.c */
bool sections_open(struct sections *s, Elf *elf);
void sections_close(struct sections *s);
const char *section_text(const struct sections *s, enum section which, u64 offset);
struct cursor section_from(const struct sections *s, enum section which, u64 offset);

/* abbrevs.c */
struct abbrevs *abbrevs_read(const struct info_unit *u, struct cursor *c);
void abbrevs_free(void *t);

/* entry.c */
const struct abbrev *entry_abbrev(const struct info_unit *u, struct cursor *c, bool *end);
bool entry_read(const struct info_unit *u, struct cursor *c, struct entry *e);
u64 entry_pass(const struct info_unit *u, const struct abbrev *a, struct cursor *c);
bool attr_address(const struct info *in, const struct info_unit *u, const struct value *v, u64 *addr);
bool attr_text(const struct info *in, const struct info_unit *u, const struct value *v,
		const char **text);
u32 attr_number(const struct value *v);

/* range_lists.c */
bool entry_ranges(const struct info *in, const struct info_unit *u, const struct entry *e,
		  struct range_list *l, u32 node, u32 depth, u64 *first, u32 *nr);
bool aranges_read(const struct info *in, struct range_list *l, const u32 *bare);

/* info.c */
bool info_read(struct info *in);
bool info_open(struct info *in, Elf *elf);
void info_close(struct info *in);
const struct info_unit *info_unit_at(const struct info *in, u64 offset);
bool info_list_units(struct debug_info *d, const struct info *in);

/* info_walk.c */
struct unit_files;
bool info_walk(struct debug_info *d, const struct info *in, const struct info_unit *u,
	       struct unit_files *f, struct unit_tables *t);

#endif /* PCL_SYMBOL_INFO_H */
