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

/* What one thread reads a file with: libdw takes one thread for each. */
struct dwarf_handle {
	Dwarf *dw;
	struct num_map names;	/* place of an abstract entry -> its text's number + 1 */
	struct dwarf_handle *next;
};

/* An open file with debug information. Its sections are unpacked once, for all handles. */
struct dwarf_file {
	int fd;
	Elf *elf;
	struct line_sections lines;
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

/* line_program.c */
bool line_program_read(struct debug_info *d, const struct line_sections *s, u64 offset,
		       struct unit_files *f, struct unit_tables *t);

/* dwarf_entries.c */
void unit_walk(struct debug_info *d, struct dwarf_handle *handle, struct unit_tables *t, Dwarf_Die *top,
	       struct unit_files *f);

#endif /* PCL_SYMBOL_DWARF_H */
