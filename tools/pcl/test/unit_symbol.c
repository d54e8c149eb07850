// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the symbol chapter: spans against a naive model, our reader of
 * debug information beside libdw and with damaged bytes. With a FILE: its file
 * in the cache is damaged in many ways, with right checksums, and what comes of
 * it must be read without harm. With "as-libdw FILE": all units of that file.
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
	struct sections s = { 0 };
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
	s.at[SECTION_LINE] = own_section(elf, ".debug_line");
	s.at[SECTION_LINE_STR] = own_section(elf, ".debug_line_str");
	s.at[SECTION_STR] = own_section(elf, ".debug_str");
	/* the first unit that is large enough to be worth it */
	for (at = 0; cursor_left(&s.at[SECTION_LINE]) - at > 1000; at += size) {
		memcpy(&length, s.at[SECTION_LINE].p + at, sizeof(length));
		size = length + sizeof(length);
		if (size > 1000)
			break;
	}
	bytes = mem_zalloc(size, 1);
	srandom(5);
	for (i = 0; i < 5000; i++) {
		struct unit_files f = { .directory = "/somewhere" };
		struct sections cut = s;
		struct unit_tables t = { 0 };

		memcpy(bytes, s.at[SECTION_LINE].p + at, size);
		for (k = (unsigned int)random() % 4; i && k; k--)
			bytes[(size_t)random() % (random() % 2 ? 200 : size)] = (u8)random();
		cut.at[SECTION_LINE] = cursor_of(bytes, i % 10 == 9 ? (size_t)random() % size : size);
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
	free((void *)s.at[SECTION_LINE].p);
	free((void *)s.at[SECTION_LINE_STR].p);
	free((void *)s.at[SECTION_STR].p);
	elf_end(elf);
	close(fd);
}

/* As a text of its own, so that numbers of texts do not matter. */
static const char *text(const struct debug_info *d, u32 number)
{
	return number < d->texts.nr ? d->texts.v[number] : "";
}

static bool same_tables(const struct debug_info *x, const struct unit_tables *a,
			const struct debug_info *y, const struct unit_tables *b)
{
	bool same = a->nr_spans == b->nr_spans && a->nr_nodes == b->nr_nodes && a->nr_rows == b->nr_rows;
	u32 i;

	for (i = 0; same && i < a->nr_spans; i++)
		same = a->spans[i].start == b->spans[i].start && a->spans[i].node == b->spans[i].node;
	for (i = 0; same && i < a->nr_nodes; i++)
		same = a->nodes[i].start == b->nodes[i].start && a->nodes[i].parent == b->nodes[i].parent &&
		       a->nodes[i].call_line == b->nodes[i].call_line &&
		       a->nodes[i].call_column == b->nodes[i].call_column &&
		       !strcmp(text(x, a->nodes[i].name), text(y, b->nodes[i].name)) &&
		       !strcmp(text(x, a->nodes[i].call_file), text(y, b->nodes[i].call_file));
	for (i = 0; same && i < a->nr_rows; i++)
		same = a->rows[i].addr == b->rows[i].addr && a->rows[i].line == b->rows[i].line &&
		       !strcmp(text(x, a->rows[i].file), text(y, b->rows[i].file));
	return same;
}

/* All units of a file: what our reader makes of them is what comes of libdw. */
static void test_as_libdw(const char *path)
{
	char *why = NULL;
	struct debug_info *ours = debug_info_open(path, &why), *theirs = debug_info_open(path, &why);
	u32 i, same = 0, nodes = 0;

	if (!tap_ok(ours && theirs && ours->file->ours, "info: %s is a file for our reader", path))
		return;
	theirs->file->ours = false;
	for (i = 0; i < ours->nr_units; i++) {
		if (!unit_read_early(ours, &ours->units[i])) {
			printf("# unit at 0x%llx is left to libdw\n", (unsigned long long)ours->units[i].offset);
			continue;
		}
		unit_read(theirs, &theirs->units[i]);
		nodes += theirs->units[i].t.nr_nodes;
		if (same_tables(ours, &ours->units[i].t, theirs, &theirs->units[i].t))
			same++;
		else
			printf("# unit at 0x%llx differs\n", (unsigned long long)ours->units[i].offset);
	}
	tap_ok(same == ours->nr_units && nodes > 10, "info: %u units with %u functions and calls are as libdw has them", same, nodes);
	debug_info_free(ours);
	debug_info_free(theirs);
}

/* Are tables such that looking into them does no harm? */
static bool tables_hold(const struct debug_info *d, const struct unit_tables *t)
{
	u32 i;

	for (i = 0; i < t->nr_nodes; i++)
		if ((t->nodes[i].parent != NO_NODE && t->nodes[i].parent >= i) ||
		    (t->nodes[i].name != NO_TEXT && t->nodes[i].name >= d->texts.nr) ||
		    (t->nodes[i].call_file != NO_TEXT && t->nodes[i].call_file >= d->texts.nr))
			return false;
	for (i = 0; i < t->nr_spans; i++)
		if ((i && t->spans[i].start <= t->spans[i - 1].start) ||
		    (t->spans[i].node != NO_NODE && t->spans[i].node >= t->nr_nodes))
			return false;
	return true;
}

enum { DAMAGED_SECTIONS = 4, DAMAGED_UNITS = 60000 };

/* Read all of a file's units with these sections. How many were; -1: the file is refused. */
static int read_damaged(const struct sections *s, bool *hold)
{
	struct dwarf_file *f = mem_zalloc(1, sizeof(*f));
	struct debug_info *d = mem_zalloc(1, sizeof(*d));
	int nr = -1;
	u32 i;

	f->fd = -1;
	f->info.sections = *s;
	f->ours = info_read(&f->info);
	d->file = f;
	if (f->ours && info_list_units(d, &f->info))
		nr = 0;
	for (i = 0; i < d->nr_units; i++)
		if (unit_read_early(d, &d->units[i])) {
			nr++;
			*hold = *hold && tables_hold(d, &d->units[i].t);
		}
	debug_info_free(d);
	return nr;
}

/* Entries, abbreviations and lists of ranges with some bytes wrong, and cut short. */
static void test_entries(void)
{
	static const char *const names[NR_SECTIONS] = {
		".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_line_str",
		".debug_str_offsets", ".debug_addr", ".debug_ranges", ".debug_rnglists", ".debug_aranges",
	};
	static const enum section damaged[DAMAGED_SECTIONS] = {
		SECTION_INFO, SECTION_ABBREV, SECTION_RNGLISTS, SECTION_ARANGES,
	};
	unsigned int i, k, refused = 0, partly = 0, whole = 0;
	struct sections all = { 0 };
	struct info in = { 0 };
	bool hold = true;
	Elf *elf;
	int fd, units;

	elf = elf_open("/proc/self/exe", &fd);
	if (!tap_ok(elf != NULL, "info: our own file"))
		return;
	for (i = 0; i < NR_SECTIONS; i++)
		all.at[i] = own_section(elf, names[i]);
	/* as many of its units as are worth it */
	in.sections = all;
	if (!tap_ok(info_read(&in), "info: and its units"))
		return;
	for (i = 0; i + 1 < in.nr_units && in.units[i].end < DAMAGED_UNITS; i++)
		;
	units = (int)i + 1;
	all.at[SECTION_INFO].end = all.at[SECTION_INFO].p + in.units[i].end;
	in.sections = (struct sections){ 0 };
	info_close(&in);
	srandom(7);
	for (i = 0; i < 1500; i++) {
		struct sections s = all;
		u8 *copy[DAMAGED_SECTIONS];
		int read;

		for (k = 0; k < DAMAGED_SECTIONS; k++) {
			struct cursor *at = &s.at[damaged[k]];
			/* bytes that these units are in */
			size_t size = cursor_left(at), near = size < 3000 ? size : 3000, n;

			copy[k] = mem_zalloc(size, 1);
			if (size)
				memcpy(copy[k], at->p, size);
			for (n = size && i ? (size_t)random() % (k ? 3 : 12) : 0; n; n--)
				copy[k][(size_t)random() % (random() % 2 ? near : size)] = (u8)random();
			if (i && random() % 32 == 0)
				size = (size_t)random() % (size + 1);
			*at = cursor_of(copy[k], size);
		}
		read = read_damaged(&s, &hold);
		refused += read < 0;
		partly += read >= 0 && read < units;
		whole += read == units;
		for (k = 0; k < DAMAGED_SECTIONS; k++)
			free(copy[k]);
	}
	tap_ok(refused > 50 && partly > 50 && whole > 50,
	       "info: of damaged files %u are refused, %u in part, %u are read", refused, partly, whole);
	tap_ok(hold, "info: tables hold together, whatever the file says");
	for (i = 0; i < NR_SECTIONS; i++)
		free((void *)all.at[i].p);
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
		      k.nr_rows * sizeof(struct row);
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
	if (argc > 2) {
		test_as_libdw(argv[2]);
	} else if (argc > 1) {
		test_damaged(argv[1]);
	} else {
		test_spans_random();
		test_line_programs();
		test_entries();
		test_as_libdw("/proc/self/exe");
	}
	return tap_end();
}
