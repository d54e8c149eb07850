// SPDX-License-Identifier: GPL-2.0
/*
 * A file of the symbol cache of any bytes, for a sound object.
 *
 * Concepts: random bytes never have a right checksum, nor the size and time of
 * the object, so these are put in; the last byte says what is left as it is. What
 * is taken out of the file is asked for, and would be written again.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "symbol/cache.h"

enum { KEEP_SUM = 1, KEEP_STAMPS = 2, KEEP_DEBUG_STAMP = 4, KEEP_UNIT_SUMS = 8, KEEP_SIZES = 16 };

static const char object_name[] = "/object", cache_name[] = "0102030405060708";

/* The object's size and time, and its name among the texts. */
static void put_stamp(struct stamp *s, u8 *texts, u32 size)
{
	struct stat st;

	if (fuzz_stat(object_name, &st) || s->path >= size || size - s->path < sizeof(object_name))
		return;
	memcpy(texts + s->path, object_name, sizeof(object_name));
	s->size = (u64)st.st_size;
	s->time_ns = (u64)st.st_mtim.tv_sec * 1000000000u + (u64)st.st_mtim.tv_nsec;
}

static u64 align8(u64 n)
{
	return (n + 7) & ~7ull;
}

/* Right checksums for the units' tables, wherever they are said to be. */
static void put_unit_sums(u8 *bytes, size_t size, const struct cache_head *h)
{
	u64 at = sizeof(*h) + align8(h->texts_size) + h->nr_symbols * sizeof(struct kept_symbol) +
		h->nr_spans * sizeof(struct span), end;
	struct kept_unit k;
	u32 i;

	for (i = 0; i < h->nr_units && at + sizeof(k) <= size; i++, at += sizeof(k)) {
		memcpy(&k, bytes + at, sizeof(k));
		end = k.at + k.nr_spans * sizeof(struct span);
		end += k.nr_nodes * sizeof(struct node);
		end += align8(k.nr_rows * sizeof(struct line_row));
		if (k.at > size || end > size || end < k.at)
			continue;
		k.checksum = cache_checksum(bytes + k.at, end - k.at);
		memcpy(bytes + at, &k, sizeof(k));
	}
}

static void mend(u8 *bytes, size_t size, u8 keep)
{
	struct cache_head h;
	u8 *texts = bytes + sizeof(h);

	memcpy(&h, bytes, sizeof(h));
	memcpy(h.magic, CACHE_MAGIC, sizeof(h.magic));
	h.version = CACHE_VERSION;
	h.order = CACHE_ORDER;
	if (!(keep & KEEP_SIZES)) {
		h.size = size;
		if (h.base_size > size || h.base_size < sizeof(h))
			h.base_size = size;
	}
	h.id[0] = sizeof(FUZZ_BUILD_ID) - 1;
	memcpy(h.id + 1, FUZZ_BUILD_ID, h.id[0]);
	if (h.texts_size <= size - sizeof(h)) {
		if (!(keep & KEEP_STAMPS))
			put_stamp(&h.symbols_of, texts, h.texts_size);
		if (!(keep & KEEP_DEBUG_STAMP))
			put_stamp(&h.debug_of, texts, h.texts_size);
		if (h.texts_size)
			texts[h.texts_size - 1] = 0;
	}
	if (!(keep & KEEP_UNIT_SUMS))
		put_unit_sums(bytes, size, &h);
	if (!(keep & KEEP_SUM)) {
		h.checksum = 0;
		memcpy(bytes, &h, sizeof(h));
		if (h.base_size <= size)
			h.checksum = cache_checksum(bytes, h.base_size);
	}
	memcpy(bytes, &h, sizeof(h));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a symbol table that has nothing, and debug information that has nothing */
	static const struct fuzz_section sections[] = {
		{ ".symtab", (const u8 *)"", 0, 2 }, { ".debug_info", (const u8 *)"", 1, 0 },
	};
	struct object *o;
	u8 elf[4096], *bytes;
	static bool set_up;

	if (!set_up) {
		set_up = true;
		fuzz_named_file(object_name, elf, fuzz_elf(elf, sizeof(elf), sections, ARRAY_SIZE(sections)));
		fuzz_named_file("/cache", "", 0);
		setenv("PCL_CACHE_DIR", "/cache", 1);
	}
	if (size < sizeof(struct cache_head) + 1)
		return 0;
	bytes = malloc(size);
	memcpy(bytes, data, size);
	mend(bytes, size - 1, bytes[size - 1]);
	fuzz_named_file(cache_name, bytes, size - 1);
	free(bytes);
	o = mem_zalloc(1, sizeof(*o));
	o->name = (char *)object_name;
	elf_symbols_load(o);
	fuzz_use_object(o);
	if (o->debug)
		o->debug->units_new = true;
	object_free(o);
	return 0;
}
