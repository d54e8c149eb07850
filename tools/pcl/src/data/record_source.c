// SPDX-License-Identifier: GPL-2.0
/*
 * The records of one mapped file, one after the other, unpacked.
 *
 * Concepts: a record lies in the mapped file, or, when it was compressed, in a
 * chunk of memory that lives until all its records are released. Compressed
 * records hold parts of one zstd stream, in which records follow each other
 * without regard to where a part ends. What a file may unpack to is bounded by
 * its size, so that a small file cannot keep the reader busy for ever.
 * Contexts: one pass over a recording.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#include "internal.h"
#include "data/read.h"

enum {
	CHUNK_SIZE = 1 << 18,		/* a power of two; several records of the largest size */
	/* the kernel maps files in pieces of up to this size: of a piece that is still used, all would come back */
	FORGET_STEP = 1 << 21,
	/* recordings of equal stacks shrink to a hundredth; zstd could do a 30,000th */
	MAX_RATIO = 2000,
};

/* Aligned to its size, so that a record leads to it. */
struct unpacked_chunk {
	size_t users;			/* records handed out, and one while it is filled */
	size_t fill;
	u8 bytes[];
};

struct record_source {
	struct pd_file *f;
	const struct pd_part *part;
	u64 at;				/* the next record of the file */
	u64 forgotten;			/* pages below are given back */
	ZSTD_DStream *zstd;
	ZSTD_inBuffer in;		/* compressed bytes not looked at yet */
	bool more;			/* zstd may hold back bytes for want of room */
	struct unpacked_chunk *chunk;		/* being filled, or NULL */
	size_t parsed;			/* up to here its bytes are records handed out */
	u64 packed, unpacked;		/* bytes so far */
	size_t held;			/* memory of all chunks */
};

/* How many bytes follow a record outside of its own size. */
u64 record_trace_size(const struct perf_event_header *h, struct cursor body)
{
	if (h->type == PD_RECORD_AUXTRACE)
		return cursor_u64(&body);
	if (h->type == PD_RECORD_TRACING_DATA)
		return ((u64)cursor_u32(&body) + 7) & ~7ull;
	return 0;
}

struct record_source *source_new(struct pd_file *f, const struct pd_part *part)
{
	struct record_source *s = mem_zalloc(1, sizeof(*s));

	s->f = f;
	s->part = part;
	s->at = s->forgotten = part->from;
	return s;
}

static void chunk_put(struct record_source *s, struct unpacked_chunk *c)
{
	if (--c->users)
		return;
	s->held -= CHUNK_SIZE;
	free(c);
}

void source_free(struct record_source *s)
{
	if (s->chunk)
		chunk_put(s, s->chunk);
	ZSTD_freeDStream(s->zstd);
	free(s);
}

static bool in_file(const struct record_source *s, const u8 *record)
{
	return record >= s->part->map && record < s->part->map + s->part->size;
}

/* The record will not be looked at again. */
void source_release(struct record_source *s, const u8 *record)
{
	if (!in_file(s, record))
		chunk_put(s, (struct unpacked_chunk *)((uintptr_t)record & ~((uintptr_t)CHUNK_SIZE - 1)));
}

/* Memory that unpacked records take. */
size_t source_held(const struct record_source *s)
{
	return s->held;
}

/* How far in the file reading has come. */
u64 source_place(const struct record_source *s)
{
	return s->at;
}

/* Records that lie before this place of the file were all released. */
void source_forget(struct record_source *s, u64 place)
{
	uintptr_t map = (uintptr_t)s->part->map, from = (map + s->forgotten) & ~(uintptr_t)(FORGET_STEP - 1);
	uintptr_t to = (map + place) & ~(uintptr_t)(FORGET_STEP - 1);

	/* the pages come back from the file if they are wanted again */
	if (from < map)
		from = map;
	if (to <= from)
		return;
	madvise((void *)from, to - from, MADV_DONTNEED);
	s->forgotten = to - map;
}

/* A new chunk, beginning with what is not parsed yet of the one before. */
static int next_chunk(struct record_source *s)
{
	struct unpacked_chunk *old = s->chunk, *c = aligned_alloc(CHUNK_SIZE, CHUNK_SIZE);

	if (!c)
		return complain("out of memory");
	c->users = 1;
	c->fill = 0;
	s->held += CHUNK_SIZE;
	if (old) {
		c->fill = old->fill - s->parsed;
		memcpy(c->bytes, old->bytes + s->parsed, c->fill);
		chunk_put(s, old);
	}
	s->chunk = c;
	s->parsed = 0;
	return 0;
}

/* Let zstd go on, until the chunk is full or there is no more input. */
static int unpack(struct record_source *s)
{
	ZSTD_outBuffer out;
	size_t ret, before;

	if ((!s->chunk || s->chunk->fill == CHUNK_SIZE - sizeof(*s->chunk)) && next_chunk(s))
		return -1;
	before = s->chunk->fill;
	out = (ZSTD_outBuffer){ s->chunk->bytes, CHUNK_SIZE - sizeof(*s->chunk), before };
	ret = ZSTD_decompressStream(s->zstd, &out, &s->in);
	if (ZSTD_isError(ret))
		return complain("%s: what is compressed in it cannot be unpacked (%s); the file is damaged",
				s->f->path, ZSTD_getErrorName(ret));
	s->chunk->fill = out.pos;
	s->unpacked += out.pos - before;
	s->more = out.pos == out.size;
	if (s->unpacked / MAX_RATIO > s->packed + (1 << 16))
		return complain("%s: it unpacks to more than %d times its size, which no recording does; the file is damaged",
				s->f->path, MAX_RATIO);
	return 0;
}

/* The next record among unpacked bytes: 1, 0 when it is not whole yet, -1. */
static int from_chunk(struct record_source *s, const u8 **record)
{
	size_t left = s->chunk ? s->chunk->fill - s->parsed : 0;
	struct perf_event_header h;

	if (left < sizeof(h))
		return 0;
	h = record_header(s->f, s->chunk->bytes + s->parsed);
	if (h.size < sizeof(h))
		return pd_damaged(s->f, "a compressed record has an impossible size");
	if (h.type == PD_RECORD_COMPRESSED || h.type == PD_RECORD_COMPRESSED2 ||
	    h.type == PD_RECORD_AUXTRACE || h.type == PD_RECORD_TRACING_DATA)
		return pd_damaged(s->f, "a compressed record is of a type that never is");
	if (h.size > left)
		return 0;
	*record = s->chunk->bytes + s->parsed;
	s->parsed += h.size;
	s->chunk->users++;
	return 1;
}

/* Hand the bytes of a compressed record to zstd. */
static int begin_unpack(struct record_source *s, const struct perf_event_header *h,
			struct cursor body)
{
	u64 size = cursor_left(&body);

	/* the newer kind is padded, and so tells its size */
	if (h->type == PD_RECORD_COMPRESSED2)
		size = cursor_u64(&body);
	if (body.bad || size > cursor_left(&body))
		return pd_damaged(s->f, "a compressed record is cut");
	if (!s->zstd) {
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return complain("out of memory");
	}
	s->in = (ZSTD_inBuffer){ body.p, size, 0 };
	s->packed += size;
	return 0;
}

/* The next record of the file itself: 1, 0 at the end, -1; compressed ones too. */
static int from_file(struct record_source *s, const u8 **record, struct perf_event_header *h)
{
	u64 left = s->part->to - s->at, behind;
	const u8 *p = s->part->map + s->at;

	if (!left)
		return 0;
	if (left < sizeof(*h))
		return pd_damaged(s->f, "the last record is cut");
	*h = record_header(s->f, p);
	if (h->size < sizeof(*h) || h->size > left)
		return pd_damaged(s->f, "a record has an impossible size");
	behind = record_trace_size(h, record_body(s->f, p));
	if (behind > left - h->size)
		return pd_damaged(s->f, "a trace reaches behind the end");
	s->at += h->size + behind;
	*record = p;
	return 1;
}

/* 1: a record, to be released. 0: that was the last. -1: damaged, and told. */
int source_next(struct record_source *s, const u8 **record)
{
	struct perf_event_header h = { 0 };
	int ret;

	for (;;) {
		ret = from_chunk(s, record);
		if (ret)
			return ret;
		if (s->more || s->in.pos < s->in.size) {
			if (unpack(s))
				return -1;
			continue;
		}
		ret = from_file(s, record, &h);
		if (!ret && s->chunk && s->parsed < s->chunk->fill)
			return pd_damaged(s->f, "the last compressed record is cut");
		if (ret <= 0 || (h.type != PD_RECORD_COMPRESSED &&
				 h.type != PD_RECORD_COMPRESSED2))
			return ret;
		if (begin_unpack(s, &h, record_body(s->f, *record)))
			return -1;
	}
}
