// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the symbol chapter: spans and symbols against naive models. With a FILE:
 * its file in the cache is damaged in many ways, with right checksums, and what
 * comes of it must be read without harm.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/dwarf.h"
#include "symbol/cache.h"
#include "tap.h"

enum { PLACES = 300, ROUNDS = 400 };

/* Nested ranges, each inside of one before it; what the innermost one is at each place. */
static void test_spans_random(void)
{
	unsigned int round, bad = 0, i;
	u32 truth[PLACES], nr;

	srandom(1);
	for (round = 0; round < ROUNDS; round++) {
		struct range made[40];
		struct range_list l = { 0 };
		unsigned int n = 1 + (unsigned int)random() % 40;
		struct span *v;
		u64 p;

		for (p = 0; p < PLACES; p++)
			truth[p] = NO_NODE;
		for (i = 0; i < n; i++) {
			/* where only one range is until now, or none */
			u64 start = 1 + (u64)random() % (PLACES - 1), end = start;

			while (end < PLACES && truth[end] == truth[start] && random() % 30)
				end++;
			if (end == start)
				end++;
			made[i].depth = truth[start] == NO_NODE ? 0 : made[truth[start]].depth + 1;
			ranges_add(&l, start, end, i, made[i].depth);
			while (end-- > start)
				truth[end] = i;
		}
		v = ranges_flatten(&l, &nr);
		for (p = 1; p < PLACES; p++)
			bad += spans_find(v, nr, p) != truth[p];
		free(v);
	}
	tap_ok(!bad, "spans: the innermost of random ranges at each place");
}

/* The last that begins at or before the address, if it reaches there. */
static const struct symbol *symbol_naive(const struct symbols *t, u64 addr)
{
	const struct symbol *found = NULL;
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		if (t->v[i].start <= addr)
			found = &t->v[i];
	return found && addr < found->end ? found : NULL;
}

/* Tables of any density, small ones and some with a guide; also asked in front of and behind all. */
static void test_symbols_random(void)
{
	unsigned int round, i, bad = 0, guided = 0;

	srandom(2);
	for (round = 0; round < 200; round++) {
		u64 base = round % 3 ? (u64)random() << (random() % 30) : 0, spread = 1ull << (random() % 40);
		unsigned int n = 1 + (unsigned int)random() % 400;
		struct symbols t = { 0 };

		for (i = 0; i < n; i++)
			symbols_add(&t, base + (u64)random() * (u64)random() % spread, (u64)random() % 50, "f");
		symbols_settle(&t);
		guided += t.guide != NULL;
		for (i = 0; i < 500; i++) {
			u64 near = t.v[random() % t.nr].start, addr = near + (u64)random() % 100 - 50;

			bad += symbols_find(&t, addr) != symbol_naive(&t, addr);
		}
		bad += symbols_find(&t, ~0ull) != symbol_naive(&t, ~0ull);
		symbols_free(&t);
	}
	tap_ok(!bad && guided > 50, "symbols: the one at each address, with a guide and without");
}

/* A section of our own file, in memory that ends where it does. */
static struct cursor own_section(Elf *elf, const char *wanted)
{
	struct cursor c = cursor_of(NULL, 0);
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t names;
	u8 *copy;

	elf_getshdrstrndx(elf, &names);
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || strcmp(elf_strptr(elf, names, sh.sh_name), wanted))
			continue;
		data = elf_rawdata(scn, NULL);
		copy = mem_zalloc(data->d_size, 1);
		memcpy(copy, data->d_buf, data->d_size);
		c = cursor_of(copy, data->d_size);
	}
	return c;
}

/* Line number programs with some bytes wrong, and cut short. */
static void test_line_programs(void)
{
	struct line_sections s;
	struct debug_info d = { 0 };
	unsigned int i, k, good = 0, bad = 0, unsorted = 0;
	u8 *bytes;
	u32 length;
	size_t size = 0, at;
	Elf *elf;
	int fd;

	elf = elf_open("/proc/self/exe", &fd);
	if (!tap_ok(elf != NULL, "lines: our own file"))
		return;
	s.line = own_section(elf, ".debug_line");
	s.line_str = own_section(elf, ".debug_line_str");
	s.str = own_section(elf, ".debug_str");
	/* the first unit that is large enough to be worth it */
	for (at = 0; cursor_left(&s.line) - at > 1000; at += size) {
		memcpy(&length, s.line.p + at, sizeof(length));
		size = length + sizeof(length);
		if (size > 1000)
			break;
	}
	bytes = mem_zalloc(size, 1);
	srandom(5);
	for (i = 0; i < 5000; i++) {
		struct unit_files f = { .directory = "/somewhere" };
		struct line_sections cut = s;
		struct unit_tables t = { 0 };

		memcpy(bytes, s.line.p + at, size);
		for (k = (unsigned int)random() % 4; i && k; k--)
			bytes[(size_t)random() % (random() % 2 ? 200 : size)] = (u8)random();
		cut.line = cursor_of(bytes, i % 10 == 9 ? (size_t)random() % size : size);
		if (line_program_read(&d, &cut, 0, &f, &t))
			good++;
		else
			bad++;
		for (k = 1; k < t.nr_rows; k++)
			unsorted += t.rows[k].addr <= t.rows[k - 1].addr;
		free(t.rows);
		free(f.text);
		free(f.own);
		free(f.dirs);
	}
	tap_ok(good > 100 && bad > 100, "lines: of damaged programs some are refused (%u of %u)", bad, good + bad);
	tap_ok(!unsorted, "lines: rows come in order of addresses, whatever the program says");
	texts_free(&d.texts);
	free(bytes);
	free((void *)s.line.p);
	free((void *)s.line_str.p);
	free((void *)s.str.p);
	elf_end(elf);
	close(fd);
}

/* Ask for the frames of all addresses; what they add up to. */
static u64 ask(const char *path, bool *from_cache)
{
	struct object *o = mem_zalloc(1, sizeof(*o));
	struct frame f[64];
	unsigned int n, i;
	u64 a, h = 0;

	o->name = (char *)path;
	elf_symbols_load(o);
	for (a = 0x1000; a < 0x2000; a += 9) {
		n = object_frames(o, a, f, ARRAY_SIZE(f));
		for (i = 0; i < n; i++) {
			const char *texts[] = { f[i].function, f[i].linked, f[i].file }, *t;
			unsigned int k;

			for (k = 0; k < ARRAY_SIZE(texts); k++)
				for (t = texts[k]; t && *t; t++)
					h = hash_mix(h, (unsigned char)*t);
			h = hash_mix(h, f[i].line);
		}
	}
	*from_cache = !o->symbols_new && (!o->debug || !o->debug->units_new);
	/* what was damaged is not to be written over */
	o->file_id_len = 0;
	object_free(o);
	return h;
}

/* Make the checksums right, as far as that goes. */
static void repair(u8 *bytes, size_t size)
{
	struct cache_head h;
	struct kept_unit k;
	u64 at, len, end;
	u32 i;

	memcpy(&h, bytes, sizeof(h));
	at = sizeof(h) + ((h.texts_size + 7ull) & ~7ull) +
	     h.nr_symbols * sizeof(struct kept_symbol) + h.nr_spans * sizeof(struct span);
	for (i = 0; i < h.nr_units && at + sizeof(k) <= size; i++, at += sizeof(k)) {
		memcpy(&k, bytes + at, sizeof(k));
		len = k.nr_spans * sizeof(struct span) + k.nr_nodes * sizeof(struct node) +
		      k.nr_rows * sizeof(struct line_row);
		end = k.at + len;
		if (k.at && end <= size && end >= k.at)
			k.checksum = cache_checksum(bytes + k.at, len);
		memcpy(bytes + at, &k, sizeof(k));
	}
	h.size = size;
	h.checksum = 0;
	memcpy(bytes, &h, sizeof(h));
	if (h.base_size > size)
		return;
	h.checksum = cache_checksum(bytes, h.base_size);
	memcpy(bytes, &h, sizeof(h));
}

static void damage(u8 *bytes, size_t *size)
{
	unsigned int n = 1 + (unsigned int)random() % 3;
	static const u64 odd[] = { 0, 1, 0xffffffff, 0x7fffffff, ~0ull, 0x80000000 };
	size_t at;

	while (n--) {
		/* half of the time in the head and what follows at once */
		at = (size_t)random() % (random() % 2 ? *size : 400);
		if (random() % 2)
			bytes[at] ^= (u8)(1u << random() % 8);
		else if (at + 8 <= *size)
			memcpy(bytes + (at & ~(size_t)3), &odd[random() % 6], random() % 2 ? 4 : 8);
	}
	if (random() % 8 == 0)
		*size = (size_t)random() % *size;
}

static void test_damaged(const char *path)
{
	u64 truth;
	u8 *good, *bad, id[PD_BUILD_ID_MAX];
	unsigned int i, taken = 0, wrong = 0;
	bool from_cache = false;
	size_t size, n;
	int len;

	len = build_id_of_file(path, id);
	truth = ask(path, &from_cache);
	tap_ok(from_cache, "cache: whole, all comes out of it");
	good = cache_file_read(id, (unsigned int)len, &size);
	if (!tap_ok(good && size > 1000, "cache: there is a file"))
		return;
	bad = mem_zalloc(size, 1);
	srandom(3);
	for (i = 0; i < 400; i++) {
		memcpy(bad, good, size);
		n = size;
		damage(bad, &n);
		/* checksums alone must tell every damage */
		if (i % 4 == 0) {
			cache_file_write(id, (unsigned int)len, bad, n);
			wrong += ask(path, &from_cache) != truth;
			continue;
		}
		if (n > sizeof(struct cache_head))
			repair(bad, n);
		cache_file_write(id, (unsigned int)len, bad, n);
		ask(path, &from_cache);
		taken += from_cache;
	}
	tap_ok(!wrong, "cache: damage that the checksums tell changes nothing");
	tap_ok(taken > 30, "cache: damage with right checksums is read without harm (%u taken)", taken);
	free(good);
	free(bad);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		test_damaged(argv[1]);
	} else {
		test_spans_random();
		test_symbols_random();
		test_line_programs();
	}
	return tap_end();
}
