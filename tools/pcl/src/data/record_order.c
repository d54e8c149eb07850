// SPDX-License-Identifier: GPL-2.0
/*
 * The records of one mapped file in order of time.
 *
 * Concepts: a recorder empties ring after ring, so that records of the file are
 * in order only within pieces. A mark (FINISHED_ROUND) says that every ring was
 * emptied once: when round n + 1 ends, all that is older than the latest record
 * of round n has been seen, and can go. Without marks the whole file is sorted.
 * Records without a time come at once. Only what waits is kept: a reference for
 * each record, and the memory it was unpacked to.
 * Contexts: one pass over a recording.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "data/read.h"

enum {
	MAX_WAITING = 1 << 26,		/* records */
	MAX_HELD = 1 << 29,		/* bytes of unpacked ones */
};

struct waiting {
	u64 time_ns;
	const u8 *record;
};

struct record_order {
	struct pd_file *f;
	struct record_source *source;
	struct waiting *v, *spare;	/* room for room each */
	size_t nr, room;
	size_t ready;			/* the first so many may go */
	size_t gone;			/* the first so many went */
	u64 latest_ns;			/* of all records so far */
	u64 limit_ns;			/* the latest when the round before ended */
	u64 round_place;		/* where in the file the latest round ended */
	u64 needless_place;		/* and the one before: what is earlier than limit_ns lies before it */
	bool out;			/* the last that went is not released yet */
	bool at_end;
	bool told;
};

struct record_order *order_new(struct pd_file *f, const struct pd_part *part)
{
	struct record_order *o = mem_zalloc(1, sizeof(*o));

	o->f = f;
	o->source = source_new(f, part);
	return o;
}

static void release_out(struct record_order *o)
{
	if (o->out)
		source_release(o->source, o->v[o->gone - 1].record);
	o->out = false;
}

void order_free(struct record_order *o)
{
	release_out(o);
	for (; o->gone < o->nr; o->gone++)
		source_release(o->source, o->v[o->gone].record);
	source_free(o->source);
	free(o->v);
	free(o->spare);
	free(o);
}

/* Merge [a, b) and [b, c), each in order, to the same places of another array. */
static void merge(const struct waiting *from, struct waiting *to, size_t a, size_t b, size_t c)
{
	size_t i = a, k = b, at = a;

	while (i < b && k < c)
		to[at++] = from[k].time_ns < from[i].time_ns ? from[k++] : from[i++];
	memcpy(to + at, from + i, (b - i) * sizeof(*to));
	memcpy(to + at + (b - i), from + k, (c - k) * sizeof(*to));
}

/* The end of the part in order that begins at a. */
static size_t run_end(const struct waiting *v, size_t a, size_t nr)
{
	if (a >= nr)
		return nr;
	while (++a < nr && v[a].time_ns >= v[a - 1].time_ns)
		;
	return a;
}

/* Merge neighbouring runs until there is one: few steps, as rings are in order. */
static void sort_waiting(struct record_order *o)
{
	struct waiting *swap;
	size_t a, b, c, runs;

	if (run_end(o->v, 0, o->nr) == o->nr)
		return;
	o->spare = mem_resize(o->spare, o->room, sizeof(*o->spare));
	do {
		for (a = 0, runs = 0; a < o->nr; a = c, runs++) {
			b = run_end(o->v, a, o->nr);
			c = run_end(o->v, b, o->nr);
			merge(o->v, o->spare, a, b, c);
		}
		swap = o->v;
		o->v = o->spare;
		o->spare = swap;
	} while (runs > 1);
}

static void add(struct record_order *o, u64 time_ns, const u8 *record)
{
	if (o->nr == o->room) {
		o->room = o->room ? o->room * 2 : 4096;
		o->v = mem_resize(o->v, o->room, sizeof(*o->v));
	}
	o->v[o->nr++] = (struct waiting){ time_ns, record };
	if (time_ns > o->latest_ns)
		o->latest_ns = time_ns;
}

static void end_round(struct record_order *o)
{
	size_t i;

	sort_waiting(o);
	for (i = 0; i < o->nr && o->v[i].time_ns <= o->limit_ns; i++)
		;
	o->ready = i;
	o->limit_ns = o->latest_ns;
	o->needless_place = o->round_place;
	o->round_place = source_place(o->source);
}

/* More waits than is kept in memory: the older half goes. */
static void let_half_go(struct record_order *o)
{
	if (!o->told)
		complain("note: %s: too much of it is out of order; times may go back", o->f->path);
	o->told = true;
	sort_waiting(o);
	o->ready = o->nr / 2 + 1;
}

static void drop_gone(struct record_order *o, u64 place)
{
	o->nr -= o->gone;
	if (o->nr)
		memmove(o->v, o->v + o->gone, o->nr * sizeof(*o->v));
	o->gone = o->ready = 0;
	source_forget(o->source, place);
}

/* Read on until something may go. */
static int refill(struct record_order *o)
{
	struct perf_event_header h;
	const u8 *record;
	u64 time_ns;
	int ret;

	/* what waits is later than all of the round before the last, so it lies behind that */
	drop_gone(o, o->needless_place);
	while (!o->ready) {
		if (o->nr >= MAX_WAITING || source_held(o->source) > MAX_HELD) {
			let_half_go(o);
			break;
		}
		ret = source_next(o->source, &record);
		if (ret < 0)
			return -1;
		if (!ret) {
			o->at_end = true;
			sort_waiting(o);
			o->ready = o->nr;
			break;
		}
		h = record_header(o->f, record);
		if (h.type == PD_RECORD_FINISHED_ROUND) {
			source_release(o->source, record);
			end_round(o);
			continue;
		}
		time_ns = record_time(o->f, &h, record_body(o->f, record));
		add(o, time_ns == ~0ull ? 0 : time_ns, record);
	}
	return 0;
}

/* On to the next record; the one before is released. 1, 0 at the end, or -1. */
int order_next(struct record_order *o)
{
	release_out(o);
	if (o->gone == o->ready) {
		if (o->at_end)
			return 0;
		if (refill(o))
			return -1;
		if (!o->ready)
			return 0;
	}
	o->gone++;
	o->out = true;
	return 1;
}

/* The record that order_next() came to. */
const u8 *order_record(const struct record_order *o)
{
	return o->v[o->gone - 1].record;
}

u64 order_time(const struct record_order *o)
{
	return o->v[o->gone - 1].time_ns;
}

/* How far in its file reading has come. */
u64 order_place(const struct record_order *o)
{
	return source_place(o->source);
}
