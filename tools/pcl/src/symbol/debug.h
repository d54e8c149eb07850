/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the chapter: the debug information of an object as sorted tables.
 *
 * A unit is what one compiler run made. When an address of it is first asked
 * for, its tree of entries is walked once; what stays is: spans (which function
 * or inlined call an address belongs to), nodes (these functions and calls, each
 * with its parent), rows (the line of each address). All are found by binary
 * search. Texts are numbers in the object's set.
 */
#ifndef PCL_SYMBOL_DEBUG_H
#define PCL_SYMBOL_DEBUG_H

#include <pthread.h>

#include "symbol/symbol.h"

#define NO_NODE 0xffffffffu	/* also: no unit */
#define NO_TEXT 0xffffffffu

/* From start to the start of the next span. */
struct span {
	u64 start;
	u32 node;
};

/* A range before it becomes spans; of those that overlap the deepest wins. */
struct range {
	u64 start, end;
	u32 node;
	u32 depth;
};

struct range_list {
	struct range *v;
	size_t nr, room;
};

/* A function, or a call that the compiler inlined. */
struct node {
	u64 start;
	u32 parent;		/* who it was inlined into; NO_NODE: a function */
	u32 name;		/* as linked; NO_TEXT: none */
	u32 call_file, call_line, call_column;
};

/* The line from addr on; file is NO_TEXT where code ends. */
struct line_row {
	u64 addr;
	u32 file, line, column;
};

struct unit_tables {
	bool borrowed;		/* they lie in the cache's file */
	struct span *spans;
	struct node *nodes;
	struct line_row *rows;
	u32 nr_spans, nr_nodes, nr_rows;
};

struct kept_unit;
struct unit {
	u64 offset;		/* of its entry in .debug_info */
	const struct kept_unit *kept; /* its tables in the cache's file, not looked through yet */
	bool ready;		/* the tables are filled */
	bool wanted;		/* it is in a list of those to be read */
	struct unit_tables t;
};

/* Texts by number. All zeros is an empty set, whose lock is free. */
struct texts {
	pthread_mutex_t lock;	/* of all below, while units are read */
	const char **v;
	u32 nr, room;
	u32 from_cache;		/* how many of them are, the first ones; not in the index */
	struct hash_index index;
	struct arena arena;
};

/* One for each object that has debug information. Owner: the object. */
struct debug_info {
	char *path;		/* the file it is in */
	struct dwarf_file *file;/* NULL: all that is known is in the cache */
	struct span *spans;	/* from addresses to units */
	u32 nr_spans;
	struct unit *units;
	u32 nr_units;
	const u8 *cached;	/* the cache's file; its memory is the symbols' */
	u64 cached_size;
	bool units_new;		/* some were read that the cache did not have */
	struct texts texts;	/* names and paths */
	char **shown;		/* same index as texts: demangled, made when first wanted */
	u32 nr_shown;
};

/* texts.c */
void texts_init(struct texts *t);
u32 texts_add(struct texts *t, const char *text);
void texts_append_cached(struct texts *t, const char *text);
void texts_free(struct texts *t);

/* spans.c */
void ranges_add(struct range_list *l, u64 start, u64 end, u32 node, u32 depth);
struct span *ranges_flatten(struct range_list *l, u32 *nr);
u32 spans_find(const struct span *v, u32 nr, u64 addr);

/* debug_file.c */
const char *debug_dir(void);
char *debug_path_of_id(const u8 *id, size_t len);
char *debug_file_find(const char *object, Elf *elf);
struct debug_info *object_debug(struct object *o);

/* dwarf_units.c */
struct debug_info *debug_info_new(const char *path);
struct debug_info *debug_info_open(const char *path, char **why_not);
void debug_info_free(struct debug_info *d);
u64 unit_prepare(struct debug_info *d, const struct unit *u);
void unit_read(struct debug_info *d, struct unit *u);

#endif /* PCL_SYMBOL_DEBUG_H */
