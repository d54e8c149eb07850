/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the chapter: what the readers of DWARF share. Apart from debug.h,
 * so that the others do without libdw.
 */
#ifndef PCL_SYMBOL_DWARF_H
#define PCL_SYMBOL_DWARF_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "symbol/info.h"

/* An open file with debug information. */
struct dwarf_file {
	int fd;
	Elf *elf;
	struct info info;	/* as we read it; see info.c */
	bool ours;		/* we understand it */
	Dwarf *dw;		/* as libdw does; NULL: not needed until now */
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
bool line_program_read(struct debug_info *d, const struct sections *s, u64 offset,
		       struct unit_files *f, struct unit_tables *t);

/* dwarf_entries.c */
void unit_walk(struct debug_info *d, struct unit_tables *t, Dwarf_Die *top, struct unit_files *f);

#endif /* PCL_SYMBOL_DWARF_H */
