// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols and debug information of an object as they are kept between runs.
 *
 * Concepts: what was read once need not be read, sorted and walked again: the
 * settled symbols, and the tables of those units that were asked for. The file
 * is keyed by build id; beside it stand size and time of the files it was made
 * of, so that a debug file that changed, came or went is noticed. Tables are
 * as in memory, each 8-byte aligned, so the file is of one machine and version.
 * It is not trusted: what does not fit is as if it were not there. A unit has a
 * checksum of its own, and is looked through when it is first used.
 * Contexts: report; load and save of an object by one thread.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"
#include "symbol/cache.h"

/* Also in the tests, which damage files. */
u64 cache_checksum(const void *p, size_t size)
{
	const u8 *b = p;
	u64 h = size, word;

	for (; size >= 8; b += 8, size -= 8) {
		memcpy(&word, b, 8);
		h = hash_mix(h, word);
	}
	while (size--)
		h = hash_mix(h, *b++);
	return h;
}

static bool stamp_file(struct stamp *s, const char *path)
{
	struct stat st;

	if (!path || stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	s->size = (u64)st.st_size;
	s->time_ns = (u64)st.st_mtim.tv_sec * 1000000000u + (u64)st.st_mtim.tv_nsec;
	return true;
}

static bool stamp_holds(const struct stamp *s, const char *texts, u32 texts_size)
{
	struct stamp now;

	return s->path && s->path < texts_size && stamp_file(&now, texts + s->path) &&
	       now.size == s->size && now.time_ns == s->time_ns;
}

/* ---- reading ---- */

/* The pieces of a file, inside of its bytes. */
struct cache_view {
	const struct cache_head *h;
	const char *texts;
	const struct kept_symbol *symbols;
	const struct span *spans;
	const struct kept_unit *units;
};

static const void *piece(const u8 *bytes, u64 *at, u64 nr, u64 each, u64 end)
{
	const void *p = bytes + *at;

	if (*at > end || nr > (end - *at) / each)
		return NULL;
	*at = (*at + nr * each + 7) & ~7ull;
	return p;
}

static bool look_through(struct cache_view *v, const u8 *bytes, size_t size, const struct object *o)
{
	struct cache_head h;
	u64 at = sizeof(h), sum;

	if (size < sizeof(h))
		return false;
	memcpy(&h, bytes, sizeof(h));
	if (memcmp(h.magic, CACHE_MAGIC, 8) || h.version != CACHE_VERSION ||
	    h.order != CACHE_ORDER ||
	    h.size != size || h.base_size > size || h.base_size < sizeof(h) ||
	    h.id[0] != o->file_id_len || memcmp(h.id + 1, o->file_id, o->file_id_len))
		return false;
	sum = h.checksum;
	((struct cache_head *)bytes)->checksum = 0;
	if (cache_checksum(bytes, h.base_size) != sum)
		return false;
	v->h = (const struct cache_head *)bytes;
	v->texts = piece(bytes, &at, h.texts_size, 1, h.base_size);
	v->symbols = piece(bytes, &at, h.nr_symbols, sizeof(*v->symbols), h.base_size);
	v->spans = piece(bytes, &at, h.nr_spans, sizeof(*v->spans), h.base_size);
	v->units = piece(bytes, &at, h.nr_units, sizeof(*v->units), h.base_size);
	return v->texts && v->symbols && v->spans && v->units && h.texts_size &&
	       !v->texts[h.texts_size - 1];
}

static bool spans_good(const struct span *v, u32 nr, u32 nr_nodes)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if ((i && v[i].start <= v[i - 1].start) ||
		    (v[i].node != NO_NODE && v[i].node >= nr_nodes))
			return false;
	return true;
}

/* Symbols as they were settled. false: they do not hold. */
static bool take_symbols(struct object *o, const struct cache_view *v)
{
	struct symbols *t = &o->symbols;
	u32 i, nr = v->h->nr_symbols;

	for (i = 0; i < nr; i++)
		if (v->symbols[i].name >= v->h->texts_size ||
		    (i && v->symbols[i].start <= v->symbols[i - 1].start))
			return false;
	t->v = mem_zalloc(nr, sizeof(*t->v));
	t->nr = t->room = nr;
	for (i = 0; i < nr; i++)
		t->v[i] = (struct symbol){
			.start = v->symbols[i].start,
			.end = v->symbols[i].end,
			.name = v->texts + v->symbols[i].name,
		};
	symbols_guide(t);
	return true;
}

static void take_debug(struct object *o, const struct cache_view *v)
{
	const struct cache_head *h = v->h;
	struct debug_info *d;
	const char *text = v->texts, *end = v->texts + h->texts_size;
	u32 i;

	if (!spans_good(v->spans, h->nr_spans, h->nr_units))
		return;
	d = debug_info_new(v->texts + h->debug_of.path);
	for (i = 0; i < h->nr_texts && text < end; i++, text += strlen(text) + 1)
		texts_append_cached(&d->texts, text);
	d->cached = (const u8 *)h;
	d->cached_size = h->size;
	d->nr_spans = h->nr_spans;
	d->spans = mem_zalloc(h->nr_spans, sizeof(*d->spans));
	memcpy(d->spans, v->spans, h->nr_spans * sizeof(*d->spans));
	d->nr_units = h->nr_units;
	d->units = mem_zalloc(h->nr_units, sizeof(*d->units));
	for (i = 0; i < h->nr_units; i++) {
		d->units[i].offset = v->units[i].offset;
		d->units[i].kept = v->units[i].at ? &v->units[i] : NULL;
	}
	o->debug = d;
	o->debug_tried = true;
}

/* Would the symbols be read from there? A stripped copy has the same build id. */
static bool is_source(const struct object *o, Elf *elf, const char *path)
{
	char *separate;
	bool same;

	if (!strcmp(path, o->name))
		return true;
	if (elf_has_section(elf, ".symtab"))
		return false;
	separate = debug_file_find(o->name, elf);
	same = separate && !strcmp(separate, path);
	free(separate);
	return same;
}

/* Take what is kept of the object; false: nothing that holds. */
bool symbol_cache_load(struct object *o, Elf *elf)
{
	struct cache_view v;
	size_t size;
	void *bytes;

	if (!o->file_id_len)
		return false;
	bytes = cache_file_read(o->file_id, o->file_id_len, &size);
	if (!bytes)
		return false;
	if (!look_through(&v, bytes, size, o) ||
	    !stamp_holds(&v.h->symbols_of, v.texts, v.h->texts_size) ||
	    !is_source(o, elf, v.texts + v.h->symbols_of.path) || !take_symbols(o, &v)) {
		free(bytes);
		return false;
	}
	/* names and tables stay where they are */
	arena_adopt(&o->symbols.names, bytes);
	o->symbols_path = str_dup(v.texts + v.h->symbols_of.path);
	if (stamp_holds(&v.h->debug_of, v.texts, v.h->texts_size))
		take_debug(o, &v);
	return true;
}

static bool nodes_good(const struct node *v, u32 nr, u32 nr_texts)
{
	u32 i;

	for (i = 0; i < nr; i++)
		/* a parent comes before its children, so that every chain ends */
		if ((v[i].parent != NO_NODE && v[i].parent >= i) ||
		    (v[i].name != NO_TEXT && v[i].name >= nr_texts) ||
		    (v[i].call_file != NO_TEXT && v[i].call_file >= nr_texts))
			return false;
	return true;
}

static bool rows_good(const struct line_row *v, u32 nr, u32 nr_texts)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if ((i && v[i].addr <= v[i - 1].addr) ||
		    (v[i].file != NO_TEXT && v[i].file >= nr_texts))
			return false;
	return true;
}

/* The unit's tables out of the cache; false: they are not there, or not good. */
bool cached_unit_read(struct debug_info *d, struct unit *u)
{
	const struct kept_unit *k = u->kept;
	struct unit_tables t = { .borrowed = true };
	u64 at, start;

	u->kept = NULL;
	if (!k)
		return false;
	at = start = k->at;
	t.spans = (struct span *)piece(d->cached, &at, k->nr_spans, sizeof(*t.spans), d->cached_size);
	t.nodes = (struct node *)piece(d->cached, &at, k->nr_nodes, sizeof(*t.nodes), d->cached_size);
	t.rows = (struct line_row *)piece(d->cached, &at, k->nr_rows, sizeof(*t.rows), d->cached_size);
	if ((start & 7) || !t.spans || !t.nodes || !t.rows || at > d->cached_size ||
	    cache_checksum(d->cached + start, at - start) != k->checksum)
		return false;
	t.nr_spans = k->nr_spans;
	t.nr_nodes = k->nr_nodes;
	t.nr_rows = k->nr_rows;
	if (!spans_good(t.spans, t.nr_spans, t.nr_nodes) ||
	    !nodes_good(t.nodes, t.nr_nodes, d->texts.from_cache) ||
	    !rows_good(t.rows, t.nr_rows, d->texts.from_cache))
		return false;
	u->t = t;
	return true;
}

/* ---- writing ---- */

struct buffer {
	u8 *v;
	size_t nr, room;
};

/* Append, and fill up to the next multiple of 8. Where it begins. */
static u64 put(struct buffer *b, const void *p, size_t size)
{
	size_t whole = (size + 7) & ~(size_t)7;
	u64 at = b->nr;

	if (b->room - b->nr < whole) {
		b->room = (b->nr + whole) * 2;
		b->v = mem_resize(b->v, b->room, 1);
	}
	if (size)
		memcpy(b->v + b->nr, p, size);
	memset(b->v + b->nr + size, 0, whole - size);
	b->nr += whole;
	return at;
}

/* Texts follow each other without a gap. Its offset. */
static u32 put_text(struct buffer *b, const char *text)
{
	size_t n = strlen(text) + 1;
	u32 at = (u32)b->nr;

	if (b->room - b->nr < n) {
		b->room = (b->nr + n) * 2;
		b->v = mem_resize(b->v, b->room, 1);
	}
	memcpy(b->v + b->nr, text, n);
	b->nr += n;
	return at;
}

static void put_stamp(struct stamp *s, struct buffer *texts, const char *path)
{
	*s = (struct stamp){ 0 };
	if (stamp_file(s, path))
		s->path = put_text(texts, path);
}

static struct kept_symbol *keep_symbols(const struct symbols *t, struct buffer *texts)
{
	struct kept_symbol *v = mem_zalloc(t->nr, sizeof(*v));
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		v[i] = (struct kept_symbol){
			.start = t->v[i].start,
			.end = t->v[i].end,
			.name = put_text(texts, t->v[i].name),
		};
	return v;
}

static void put_unit(struct buffer *b, const struct unit *u, struct kept_unit *k)
{
	const struct unit_tables *t = &u->t;

	*k = (struct kept_unit){
		.offset = u->offset, .nr_spans = t->nr_spans, .nr_nodes = t->nr_nodes,
		.nr_rows = t->nr_rows,
	};
	k->at = put(b, t->spans, t->nr_spans * sizeof(*t->spans));
	put(b, t->nodes, t->nr_nodes * sizeof(*t->nodes));
	put(b, t->rows, t->nr_rows * sizeof(*t->rows));
	k->checksum = cache_checksum(b->v + k->at, b->nr - k->at);
}

/* Units that were kept before stay kept, whether they were asked for or not. */
static void put_units(struct buffer *b, struct debug_info *d, struct kept_unit *v)
{
	u32 i;

	for (i = 0; i < d->nr_units; i++) {
		struct unit *u = &d->units[i];

		v[i].offset = u->offset;
		if (u->ready || cached_unit_read(d, u))
			put_unit(b, u, &v[i]);
	}
}

/* Keep what was read of the object, when that is more than is kept already. */
void symbol_cache_save(struct object *o)
{
	static struct debug_info nothing;
	struct debug_info *d = o->debug ? o->debug : &nothing;
	struct cache_head h = { .magic = CACHE_MAGIC, .version = CACHE_VERSION, .order = CACHE_ORDER };
	struct buffer b = { 0 }, texts = { 0 };
	struct kept_symbol *symbols;
	struct kept_unit *units;
	u64 units_at;
	u32 i;

	if (!o->file_id_len || !o->symbols_path || !(o->symbols_new || d->units_new) ||
	    !cache_file_wanted())
		return;
	for (i = 0; i < d->texts.nr; i++)
		put_text(&texts, d->texts.v[i]);
	/* offset 0 stands for no path */
	put_text(&texts, "");
	h.nr_texts = d->texts.nr;
	put_stamp(&h.symbols_of, &texts, o->symbols_path);
	put_stamp(&h.debug_of, &texts, d->path);
	symbols = keep_symbols(&o->symbols, &texts);
	h.id[0] = o->file_id_len;
	memcpy(h.id + 1, o->file_id, o->file_id_len);
	h.texts_size = (u32)texts.nr;
	h.nr_symbols = o->symbols.nr;
	h.nr_spans = d->nr_spans;
	h.nr_units = d->nr_units;
	units = mem_zalloc(d->nr_units, sizeof(*units));
	put(&b, &h, sizeof(h));
	put(&b, texts.v, texts.nr);
	put(&b, symbols, o->symbols.nr * sizeof(*symbols));
	put(&b, d->spans, d->nr_spans * sizeof(*d->spans));
	units_at = put(&b, units, d->nr_units * sizeof(*units));
	h.base_size = b.nr;
	put_units(&b, d, units);
	h.size = b.nr;
	memcpy(b.v + units_at, units, d->nr_units * sizeof(*units));
	memcpy(b.v, &h, sizeof(h));
	h.checksum = cache_checksum(b.v, h.base_size);
	memcpy(b.v, &h, sizeof(h));
	/* texts have 32-bit offsets */
	if (texts.nr < 0xfffffff0u)
		cache_file_write(o->file_id, o->file_id_len, b.v, b.nr);
	free(units);
	free(symbols);
	free(texts.v);
	free(b.v);
}
