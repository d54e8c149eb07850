/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Objects that code is mapped from, and their symbols.
 */
#ifndef PCL_SYMBOL_H
#define PCL_SYMBOL_H

#include "data/perfdata.h"

/* ---- objects and symbols ---- */

struct symbol {
	u64 start, end;		/* addresses as the object has them */
	const char *name;	/* as linked; see symbol_name() */
	char *shown;		/* demangled, made when first wanted */
	u8 binding;		/* of several names of one address, the lowest is shown */
};

enum { SYMBOL_GLOBAL, SYMBOL_LOCAL, SYMBOL_WEAK };

/* Texts in large pieces, freed together. */
struct arena {
	void **pieces;
	unsigned int nr;
	char *next;
	size_t left;
};

struct symbols {
	struct symbol *v;
	unsigned int nr;
	unsigned int room;
	/* of a settled table: of each piece of 1 << shift addresses, how many symbols begin before it; NULL: not needed */
	u32 *guide;
	u32 nr_guide;		/* pieces; the guide has one number more */
	unsigned int shift;
	struct arena names;
};

struct segment {
	u64 offset, size, vaddr;
};

/* A file that code was mapped from, or the kernel. One for each name. */
struct object {
	char *name;
	const char *short_name;
	bool kernel;
	bool foreign;		/* of another kind of machine: this kernel's symbols, code and vdso are not its */
	u8 build_id[PD_BUILD_ID_MAX];
	u8 build_id_len;
	bool loaded;
	struct symbols symbols;
	struct segment *segments;
	unsigned int nr_segments;
	char *note;		/* why there are no symbols, or NULL */
	bool distrusted;	/* the file is not the one that was recorded */
	char *image;		/* code and lines are in this file, not in the one of its name */
	u64 image_shift;	/* what the object's addresses are above those of the image */
	u8 file_id[PD_BUILD_ID_MAX];
	u8 file_id_len;		/* of the file that was read; 0: it has none */
	char *symbols_path;	/* the file that the full symbol table is in, or NULL */
	bool symbols_new;	/* they did not come out of the cache */
	bool debug_tried;
	struct debug_info *debug;
	char *debug_note;	/* why there are no lines, when it was tried */
};

/* A function as it appears at an address; see frames.c. */
struct frame {
	const char *function;	/* for people; NULL: not known */
	const char *linked;	/* as linked */
	const char *file;	/* NULL: not known */
	unsigned int line, column;
	u64 function_start;
	bool inlined;		/* into the next frame */
};

/* A piece of an object's code. */
struct code {
	u8 *bytes;
	u64 start, size;
	u16 machine;		/* EM_ of ELF */
};

/* texts.c */
void arena_adopt(struct arena *a, void *piece);
const char *arena_text(struct arena *a, const char *text);
void arena_free(struct arena *a);

/* cache_file.c */
void symbol_cache_off(void);
bool symbol_cache_is_off(void);

/* advice.c */
char *debug_advice(const struct object *o);
void tell_no_lines(struct object *const *v, unsigned int nr);

/* symbols.c */
void object_free(struct object *o);
/* Takes one of the options of all that look up symbols. 0, or -1: refused. */
int symbol_take_option(int option, const char *text, const char **kallsyms);
void symbols_add(struct symbols *t, u64 start, u64 size, const char *name);
void symbols_bind(struct symbols *t, unsigned int binding);
void symbols_settle(struct symbols *t);
void symbols_guide(struct symbols *t);
struct symbol *symbols_find(const struct symbols *t, u64 addr);
const char *symbol_name(struct symbol *s);
void symbols_free(struct symbols *t);

/* eh_frame.c */
void eh_frame_add(struct symbols *t, Elf *elf);

/* elf_symbols.c */
void elf_symbols_load(struct object *o);
u64 object_address(const struct object *o, u64 file_offset);

/* frames.c */
unsigned int object_frames(struct object *o, u64 addr, struct frame *out, unsigned int max);
bool object_line(struct object *o, u64 addr, const char **file, unsigned int *line);

/* Parts of debug information that are to be read. */
struct unit_list {
	struct wanted_unit {
		struct debug_info *d;
		u32 unit;
		u64 size;
	} *v;
	u32 nr, room;
};

/* read_ahead.c */
void units_want(struct unit_list *l, struct object *o, u64 addr);
void units_join(struct unit_list *to, struct unit_list *from);
void units_read(struct unit_list *l);

/* code.c */
bool object_code(struct object *o, u64 start, u64 end, struct code *c, char **why_not);
int object_set_image(struct object *o, const char *path, u64 recorded_text);

/* plt.c */
void plt_add(struct object *o, Elf *elf);

/* jit_map.c */
bool jit_memory(const char *name);
char *jit_map_path(s32 pid);
bool jit_map_is(const char *name);
int jit_map_check(const char *path);
void jit_map_load(struct object *o);

/* kallsyms.c */
void kallsyms_load(struct object *o, const char *path, u64 recorded_text);

#endif /* PCL_SYMBOL_H */
