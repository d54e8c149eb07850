/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of this chapter share, lowest first.
 */
#ifndef PCL_UNWIND_PRIVATE_H
#define PCL_UNWIND_PRIVATE_H

#include <elfutils/libdw.h>

#include "base/rcu.h"
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

/* ---- what is mapped ---- */

/*
 * Something that is mapped, mostly a file. One for each, shared by all
 * processes; made by the writer, never changed, freed with the tasks.
 */
struct unwind_object {
	unsigned int index;	/* in the tasks' list, and in each unwinder's modules */
	bool has_ino;
	u64 ino;
	u8 build_id[PD_BUILD_ID_MAX];
	u8 build_id_len;	/* 0: not known */
	const char *name;
};

struct unwind_map {
	u64 start, end;
	u64 pgoff;		/* bytes of the file before start */
	u64 since_ns;
	const struct unwind_object *object;
};

/* Mappings sorted by address, without overlap; never changed. Shared by tables, freed by RCU when none has it. */
struct maps_level {
	struct rcu_head rcu;
	unsigned int users;	/* the writer's count of the tables */
	unsigned int nr;
	struct unwind_map v[];
};

/*
 * What a process maps. Never changed once it is published: a change is a new
 * table. Freed by RCU when no process refers to it. Each level is at least
 * twice as long as the next, so that 32 are as many as there can be.
 */
struct unwind_maps {
	struct rcu_head rcu;
	struct unwind_maps *older; /* of the program before the last exec, or NULL */
	u64 since_ns;		/* of that exec */
	unsigned int users;	/* the writer's count of who refers to it */
	unsigned int nr_levels;
	struct maps_level *levels[33];
};

/* unwind_maps.c */
struct unwind_maps *unwind_maps_with(const struct unwind_maps *old, const struct unwind_map *m);
struct unwind_maps *unwind_maps_after(const struct unwind_maps *old, u64 time_ns);
struct unwind_maps *unwind_maps_both(const struct unwind_maps *first, const struct unwind_maps *second);
struct unwind_maps *unwind_maps_alone(const struct unwind_maps *old);
void unwind_maps_put(struct unwind_maps *m);
u64 unwind_maps_work(void);
const struct unwind_map *unwind_maps_find(const struct unwind_maps *maps, u64 addr);

/* ---- processes ---- */

/* unwind_tasks.c: for readers, under rcu_read_lock() */
const struct unwind_maps *tasks_maps(struct unwind_tasks *t, s32 pid, u64 time_ns);
bool tasks_live(const struct unwind_tasks *t);
unsigned int tasks_nr_objects(const struct unwind_tasks *t);
const struct unwind_object *tasks_object(const struct unwind_tasks *t, unsigned int i);

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

struct rule {
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
	struct rule cfa;
	struct rule regs[NR_REGS];
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
	const struct unwind_object *object;
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
struct module *module_new(const struct unwind_object *o);
void module_free(struct module *m);
bool module_ready(struct module *m, s32 pid, const struct unwind_map *map, bool live);
bool module_address(const struct module *m, u64 offset, u64 *addr);

/* row.c */
const struct frame_row *module_row(struct module *m, u64 addr);

/* ---- the unwinder ---- */

/* One for each thread. */
struct unwinder {
	struct unwind_tasks *tasks;
	struct module **modules; /* by number of the object; NULL: not yet seen */
	unsigned int nr_modules;
	unsigned int nr_open;
	struct unwind_stats stats;
	u64 *chain;		/* of the sample at hand */
	size_t chain_room;
};

#endif /* PCL_UNWIND_PRIVATE_H */
