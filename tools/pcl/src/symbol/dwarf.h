/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the chapter: what the readers of DWARF share. Apart from debug.h,
 * so that the others do without libdw.
 */
#ifndef PCL_SYMBOL_DWARF_H
#define PCL_SYMBOL_DWARF_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "symbol/debug.h"

/* Bytes that line number programs are in, and texts that they refer to. */
struct line_sections {
	struct cursor line, line_str, str;
};

/* Of what the units of split DWARF refer to, the parts in the main file. */
struct split_sections {
	struct cursor addr, ranges;
};

/* A section to be looked for. */
struct wanted_section {
	const char *name;
	struct cursor *at;
};

/* Where entries are, of all files that an entry's text may lie in. */
struct entry_bytes {
	struct cursor v[4];
};

/* The file that several share, made by dwz. */
struct shared_file {
	bool wanted;		/* the main file refers to one */
	int fd;
	Elf *elf;		/* NULL: it is not to be had */
};

/* The same, or nothing in its place, as one Dwarf refers to it. */
struct shared_dwarf {
	Dwarf *dw;
	Elf *none;
};

/* The entries of a unit in a file of their own. Owner: who reads the unit. */
struct split_unit {
	int fd;
	Elf *elf;
	Dwarf *dw;
	Dwarf_Die top;
	Dwarf_Half version;
	uint8_t address_size, offset_size;
	u64 base;		/* what offsets of ranges count from at first */
	struct entry_bytes entries;
	struct cursor info;	/* where its attributes are */
	struct cursor addresses;/* its addresses by their numbers */
	struct cursor ranges;
};

/* Ranges that are left of an entry's. */
struct split_list {
	struct cursor left;
	u64 base;
};

/* What one thread reads a file with: libdw takes one thread for each. */
struct dwarf_handle {
	Dwarf *dw;
	struct shared_dwarf shared;
	struct num_map names;	/* place of an abstract entry -> its text's number + 1 */
	struct dwarf_handle *next;
};

/* An open file with debug information. Its sections are unpacked once, for all handles. */
struct dwarf_file {
	int fd;
	Elf *elf;
	const char *path;	/* the debug information's */
	struct line_sections lines;
	struct split_sections split;
	struct shared_file shared;
	struct entry_bytes entries;
	pthread_mutex_t lock;		/* of the list, and of opening a handle */
	struct dwarf_handle *idle;	/* those that no thread has now */
};

/* The source files of a unit, and the numbers of their paths' texts. */
struct unit_files {
	size_t nr;
	u32 *text;		/* number + 1; 0: not asked for yet */
	const char *directory;	/* that of the compiler run */
	Dwarf_Files *files;	/* as libdw has them, or */
	struct line_file {
		const char *name;
		u64 dir;
	} *own;			/* as the line number program has them */
	const char **dirs;	/* the first is that of the compiler run */
	size_t nr_dirs;
};

/* dwarf_units.c */
u32 unit_file(struct debug_info *d, struct unit_files *f, u64 index);

/* dwarf_others.c */
bool sections_find(Elf *elf, const struct wanted_section *wanted, unsigned int nr);
bool texts_end(Elf *elf);
const char *bounded_text(const struct entry_bytes *b, Dwarf_Attribute *a);
void shared_file_open(struct shared_file *s, Dwarf *dw, const char *path);
struct shared_dwarf shared_file_tell(const struct shared_file *s, Dwarf *dw);
void shared_dwarf_end(struct shared_dwarf *d);
void shared_file_close(struct shared_file *s);
bool split_unit_open(struct split_unit *s, const struct dwarf_file *main, Dwarf_Die *skeleton);
void split_unit_close(struct split_unit *s);
bool split_bounds(const struct split_unit *s, Dwarf_Attribute *low, Dwarf_Attribute *high, u64 *start, u64 *end);
struct split_list split_list_of(const struct split_unit *s, const Dwarf_Attribute *ranges);
bool split_list_next(const struct split_unit *s, struct split_list *l, u64 *start, u64 *end);

/* line_program.c */
bool line_program_read(struct debug_info *d, const struct line_sections *s, u64 offset,
		       struct unit_files *f, struct unit_tables *t);

/* dwarf_entries.c */
void unit_walk(struct debug_info *d, struct num_map *names, struct unit_tables *t, Dwarf_Die *top,
	       struct unit_files *f, const struct split_unit *split);

#endif /* PCL_SYMBOL_DWARF_H */
