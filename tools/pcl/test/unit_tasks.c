// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the decoders of COMM, FORK, EXIT, MMAP and MMAP2: each field in
 * both byte orders, each record cut at every place, and values that make no sense.
 *
 * Concepts: a record lies in memory of its exact size, so that the sanitizer
 * sees a look beyond its end.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"
#include "data/read.h"
#include "tap.h"

/* A record under construction. */
static struct {
	struct perf_event_header h;
	u8 body[256];
	size_t nr;
	bool swap;
} r;

static void begin(u32 type, u16 misc)
{
	r.h = (struct perf_event_header){ .type = type, .misc = misc };
	r.nr = 0;
}

static void put_bytes(const void *p, size_t n)
{
	memcpy(r.body + r.nr, p, n);
	r.nr += n;
}

static void put32(u32 v)
{
	v = r.swap ? __builtin_bswap32(v) : v;
	put_bytes(&v, sizeof(v));
}

static void put64(u64 v)
{
	v = r.swap ? __builtin_bswap64(v) : v;
	put_bytes(&v, sizeof(v));
}

/* The first so many bytes of the record, in memory of their own. */
static struct cursor part_of_record(u8 **memory, size_t size)
{
	struct cursor c;

	*memory = malloc(size ? size : 1);
	memcpy(*memory, r.body, size);
	c = cursor_of(*memory, size);
	c.swap = r.swap;
	r.h.size = (u16)(sizeof(r.h) + size);
	return c;
}

/* What a record says, with its name out of its memory. */
struct said {
	bool whole;
	struct pd_mmap m;
	struct pd_comm c;
	struct pd_fork f;
	char name[64];
};

static void decode(struct said *s, size_t size)
{
	const char *name = "";
	struct cursor c;
	u8 *memory;

	/* what the decoder leaves as it was is seen */
	memset(s, 0xa5, sizeof(*s));
	c = part_of_record(&memory, size);
	switch (r.h.type) {
	case PERF_RECORD_COMM:
		s->whole = comm_decode(&r.h, c, &s->c);
		name = s->c.name;
		break;
	case PERF_RECORD_FORK:
		s->whole = fork_decode(c, &s->f);
		break;
	default:
		s->whole = mmap_decode(&r.h, c, &s->m);
		name = s->m.name;
	}
	snprintf(s->name, sizeof(s->name), "%s", name);
	free(memory);
}

/* How many of the record's beginnings are taken for whole; its end may be cut by so much. */
static unsigned int cut_and_taken(size_t spare)
{
	unsigned int nr = 0;
	struct said s;
	size_t size;

	for (size = 0; size + spare < r.nr; size++) {
		decode(&s, size);
		nr += s.whole || s.name[0];
	}
	return nr;
}

static void put_mapping(u64 start, u64 len)
{
	put32(1001);
	put32(1002);
	put64(start);
	put64(len);
	put64(0x5000);
}

static void test_comm(const char *order)
{
	struct said s;

	begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	put32(17);
	put32(18);
	put_bytes("name\0\0\0", 8);
	decode(&s, r.nr);
	tap_ok(s.whole && s.c.pid == 17 && s.c.tid == 18 && s.c.exec && !strcmp(s.name, "name"),
	       "%s: COMM", order);
	tap_ok(!cut_and_taken(3), "%s: COMM that is cut", order);
	r.h.misc = 0;
	decode(&s, r.nr);
	tap_ok(s.whole && !s.c.exec, "%s: a name is no exec", order);
}

static void test_fork(const char *order)
{
	struct said s;

	begin(PERF_RECORD_FORK, 0);
	put32(1);
	put32(2);
	put32(3);
	put32(4);
	put64(5);
	decode(&s, r.nr);
	tap_ok(s.whole && s.f.pid == 1 && s.f.ppid == 2 && s.f.tid == 3 && s.f.ptid == 4,
	       "%s: FORK", order);
	tap_ok(!cut_and_taken(8), "%s: FORK that is cut", order);
}

static void test_mmap(const char *order)
{
	struct said s;

	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	put_mapping(0x10000, 0x2000);
	put_bytes("/a\0\0\0\0\0", 8);
	decode(&s, r.nr);
	tap_ok(s.whole && s.m.pid == 1001 && s.m.tid == 1002 && s.m.start == 0x10000 &&
	       s.m.len == 0x2000 && s.m.end == 0x12000 && s.m.pgoff == 0x5000 && !s.m.v2 &&
	       !s.m.kernel && !s.m.by_build_id && !s.m.inode && !s.m.flags &&
	       !strcmp(s.name, "/a"), "%s: MMAP", order);
	tap_ok(s.m.exec && s.m.prot == PROT_EXEC, "%s: MMAP tells of code", order);
	tap_ok(!cut_and_taken(5), "%s: MMAP that is cut", order);
	r.h.misc |= PERF_RECORD_MISC_MMAP_DATA;
	decode(&s, r.nr);
	tap_ok(s.whole && !s.m.exec && s.m.prot == PROT_READ, "%s: MMAP that tells of data", order);
	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	put_mapping(~0ull - 0xfff, 0x1001);
	put_bytes("[k]", 4);
	decode(&s, r.nr);
	tap_ok(s.whole && s.m.kernel && s.m.end == ~0ull && s.m.len == 0x1001,
	       "%s: a mapping beyond the last address ends there", order);
	begin(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	put_mapping(0x10000, 0x2000);
	put_bytes("//anon!!", 8);
	decode(&s, r.nr);
	tap_ok(!s.whole && !s.name[0] && s.m.len == 0x2000, "%s: a name without an end", order);
}

static void put_mapping2(u16 misc, const u8 *file, u32 prot)
{
	begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | misc);
	put_mapping(0x10000, 0x2000);
	if (misc) {
		put_bytes(file, 24);
	} else {
		put32(8);
		put32(1);
		put64(0x123456789a);
		put64(77);
	}
	put32(prot);
	put32(MAP_PRIVATE);
	put_bytes("/lib/b\0", 8);
}

static void test_mmap2(const char *order)
{
	u8 file[24] = { 20, 0, 0, 0 };
	struct said s;
	u8 i;

	put_mapping2(0, NULL, PROT_READ | PROT_EXEC);
	decode(&s, r.nr);
	tap_ok(s.whole && s.m.v2 && s.m.major == 8 && s.m.minor == 1 && s.m.inode == 0x123456789a &&
	       s.m.generation == 77 && !s.m.by_build_id && s.m.prot == 5 && s.m.exec &&
	       s.m.flags == MAP_PRIVATE && !strcmp(s.name, "/lib/b"), "%s: MMAP2", order);
	tap_ok(!cut_and_taken(1), "%s: MMAP2 that is cut", order);
	put_mapping2(0, NULL, PROT_READ | PROT_WRITE);
	decode(&s, r.nr);
	tap_ok(s.whole && !s.m.exec, "%s: MMAP2 of data", order);
	for (i = 0; i < 20; i++)
		file[4 + i] = i + 1;
	put_mapping2(PERF_RECORD_MISC_MMAP_BUILD_ID, file, PROT_EXEC);
	decode(&s, r.nr);
	tap_ok(s.whole && s.m.by_build_id && s.m.build_id_len == 20 &&
	       !memcmp(s.m.build_id, file + 4, 20) && !s.m.inode && s.m.exec &&
	       !strcmp(s.name, "/lib/b"), "%s: MMAP2 with a build id", order);
	tap_ok(!cut_and_taken(1), "%s: MMAP2 with a build id that is cut", order);
	file[0] = 21;
	put_mapping2(PERF_RECORD_MISC_MMAP_BUILD_ID, file, PROT_EXEC);
	decode(&s, r.nr);
	tap_ok(s.whole && s.m.by_build_id && !s.m.build_id_len,
	       "%s: a build id longer than any is none", order);
}

static void test_types(void)
{
	unsigned int type, nr = 0, known = 0;

	for (type = 0; type < 256; type++)
		nr += record_is_of_tasks(type);
	known += record_is_of_tasks(PERF_RECORD_COMM) + record_is_of_tasks(PERF_RECORD_FORK) +
		 record_is_of_tasks(PERF_RECORD_EXIT) + record_is_of_tasks(PERF_RECORD_MMAP) +
		 record_is_of_tasks(PERF_RECORD_MMAP2);
	tap_ok(nr == 5 && known == 5, "five types of records tell of tasks");
}

static void test_when(void)
{
	struct when v[] = { { 7, 1 }, { ~0ull, 0 }, { 7, 0 }, { 0, ~0ull }, { 0, 3 } };
	unsigned int i, wrong = 0;

	qsort(v, ARRAY_SIZE(v), sizeof(v[0]), when_cmp);
	for (i = 1; i < ARRAY_SIZE(v); i++)
		wrong += v[i].time_ns < v[i - 1].time_ns ||
			 (v[i].time_ns == v[i - 1].time_ns && v[i].number < v[i - 1].number);
	tap_ok(!wrong, "in order of time, and of one time as they came");
}

int main(void)
{
	static const char *const orders[] = { "our byte order", "the other byte order" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		r.swap = i;
		test_comm(orders[i]);
		test_fork(orders[i]);
		test_mmap(orders[i]);
		test_mmap2(orders[i]);
	}
	test_types();
	test_when();
	return tap_end();
}
