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

/* An open file with debug information, and the one it shares parts with (dwz). */
struct dwarf_file {
	int fd, shared_fd;
	Elf *elf, *shared_elf;
	Dwarf *dw, *shared;
};

/* The source files of a unit, and the numbers of their paths' texts. */
struct unit_files {
	Dwarf_Files *files;
	size_t nr;
	const char *directory;	/* that of the compiler run */
	u32 *text;		/* number + 1; 0: not asked for yet */
};

/* dwarf_units.c */
u32 unit_file(struct debug_info *d, struct unit_files *f, u64 index);

/* dwarf_entries.c */
void unit_walk(struct debug_info *d, struct unit_tables *t, Dwarf_Die *top, struct unit_files *f);

#endif /* PCL_SYMBOL_DWARF_H */
