/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the chapter: the cache of symbols and debug information on disk.
 */
#ifndef PCL_SYMBOL_CACHE_H
#define PCL_SYMBOL_CACHE_H

#include "symbol/debug.h"

/* ---- the file ---- */

#define CACHE_MAGIC	"PCLSYMS\n"
/* to be raised whenever the same files would give other contents */
enum { CACHE_VERSION = 3, CACHE_ORDER = 0x01020304 };

/* A file that the contents were made of. */
struct stamp {
	u64 size, time_ns;
	u32 path;		/* offset into the texts; 0: none */
	u32 zero;
};

struct cache_head {
	char magic[8];
	u32 version, order;
	u64 checksum;		/* of all up to the units' tables, this as 0 */
	u64 size;		/* of the file */
	u8 id[24];		/* length, then the id */
	struct stamp symbols_of, debug_of;
	u64 base_size;		/* of all up to the units' tables */
	u32 texts_size;
	u32 nr_texts;		/* the first ones: those of the debug information */
	u32 nr_symbols, nr_units, nr_spans, zero;
};

struct kept_symbol {
	u64 start, end;
	u32 name;		/* offset into the texts */
	u32 zero;
};

struct kept_unit {
	u64 offset;		/* in .debug_info */
	u64 at;			/* of its tables in this file; 0: it was not read */
	u64 checksum;
	u32 nr_spans, nr_nodes, nr_rows, zero;
};

/* cache_file.c */
bool cache_file_wanted(void);
void *cache_file_read(const u8 *id, unsigned int len, size_t *size);
void cache_file_write(const u8 *id, unsigned int len, const void *bytes, size_t size);

/* symbol_cache.c */
u64 cache_checksum(const void *p, size_t size);
bool symbol_cache_load(struct object *o, Elf *elf);
bool cached_unit_read(struct debug_info *d, struct unit *u);
void symbol_cache_save(struct object *o);

#endif /* PCL_SYMBOL_CACHE_H */
