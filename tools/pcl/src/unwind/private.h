/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of this chapter share, lowest first.
 */
#ifndef PCL_UNWIND_PRIVATE_H
#define PCL_UNWIND_PRIVATE_H

#include <elfutils/libdw.h>

#include "unwind/unwind.h"

/* ---- registers ---- */

/* Registers of DWARF that are followed, the return address among them. */
enum { NR_REGS = 17, REG_SP = 7, REG_BP = 6, REG_PC = 16 };

/* Values of registers; those whose bit is not set in known are not known. */
struct regs {
	u64 v[NR_REGS];
	u32 known;
};

/* unwind_regs.c */
bool regs_of_sample(struct regs *r, const struct pd_sample *s);

/* ---- how one frame leads to the next ---- */

/* How a register of the caller is found. */
enum rule_kind {
	RULE_UNDEFINED,
	RULE_SAME,
	RULE_AT_CFA,		/* in memory, at the canonical frame address + off */
	RULE_IS_CFA,		/* the canonical frame address + off */
	RULE_REG,		/* register reg + off */
	RULE_AT_LOCATION,	/* in memory, where expression number off says */
	RULE_IS_LOCATION,	/* what expression number off says */
};

struct frame_rule {
	u8 kind;
	u8 reg;
	s32 off;
};

/* The rules for one address of an object. */
struct frame_row {
	u64 addr;
	bool used;
	bool none;		/* there is no call frame information for it */
	bool signal;		/* what it leads to was interrupted, and made no call */
	struct frame_rule cfa;
	struct frame_rule regs[NR_REGS];
};

/* A DWARF expression; the memory is libdw's. */
struct location {
	const Dwarf_Op *ops;
	size_t nr;
};

/* unwind_location.c */
struct location_memory {
	bool (*read)(void *arg, u64 addr, unsigned int size, u64 *value);
	void *arg;
};

bool location_value(const struct location *l, const struct regs *r, u64 cfa,
		    const struct location_memory *mem, u64 *value);

/* A segment that is loaded and can be executed. */
struct code_segment {
	u64 offset, size, vaddr;
};

/* An object as one unwinder has opened it. */
struct module {
	const struct mapped_object *object;
	unsigned int tries;	/* to open it */
	bool open;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_CFI *eh_frame;	/* NULL: there is none */
	Dwarf_CFI *debug_frame;
	struct code_segment *segments;
	unsigned int nr_segments;
	u64 entry;		/* where it is entered from outside; 0: nowhere */
	struct frame_row *rows;	/* open addressing by address */
	unsigned int nr_rows, size_rows;
	struct location *locations;
	unsigned int nr_locations;
};

/* module.c */
struct module *module_new(const struct mapped_object *o);
void module_free(struct module *m);
bool module_ready(struct module *m, s32 pid, const struct map *map, bool live);
bool module_address(const struct module *m, u64 offset, u64 *addr);

/* row.c */
const struct frame_row *module_row(struct module *m, u64 addr);

/* ---- the unwinder ---- */

/* One for each thread. */
struct unwinder {
	struct tasks *tasks;
	struct module **modules; /* by number of the object; NULL: not yet seen */
	unsigned int nr_modules;
	unsigned int nr_open;
	struct unwind_stats stats;
	u64 *chain;		/* of the sample at hand */
	size_t chain_room;
};

#endif /* PCL_UNWIND_PRIVATE_H */
