// SPDX-License-Identifier: GPL-2.0
/*
 * Records of many rings in order of time.
 *
 * Concepts: when a pass has ended, no record that comes later is older than
 * the latest of the pass before; so what is not younger than that can go, in
 * order. The rest waits for the next pass. A chunk lives until its last record
 * went.
 * Contexts: record's writer.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "record/record.h"

/* One record less waits. */
void chunk_put(struct chunk *c)
{
	if (!--c->users)
		chunk_free(c);
}

/* The id in the trailer of a record that is no sample. */
u64 *record_trailer_id(const struct perf_event_header *h)
{
	/* written through: the chunk is ours */
	return (u64 *)((u8 *)h + h->size - sizeof(u64));
}

/* By RECORD_SAMPLE_TYPE: of samples the fourth word, else the second of the trailer. */
u64 record_time_ns(const struct perf_event_header *h)
{
	const u64 *body = (const u64 *)(h + 1);

	if (h->type == PERF_RECORD_SAMPLE)
		return h->size >= sizeof(*h) + 4 * sizeof(u64) ? body[3] : 0;
	if (h->size < sizeof(*h) + RECORD_TRAILER)
		return 0;
	return body[(h->size - sizeof(*h) - RECORD_TRAILER) / sizeof(u64) + 1];
}

void timeline_add(struct timeline *t, struct chunk *c)
{
	const u8 *p = (const u8 *)c->records, *end = p + c->size;
	const struct perf_event_header *h;

	for (; p < end; p += h->size) {
		u64 time_ns;

		h = (const struct perf_event_header *)p;
		time_ns = record_time_ns(h);
		if (t->nr == t->room) {
			t->room = t->room ? t->room * 2 : 1024;
			t->v = mem_resize(t->v, t->room, sizeof(*t->v));
		}
		t->v[t->nr++] = (struct moment){ { time_ns, t->number++ }, c, h };
		if (time_ns > t->latest_ns)
			t->latest_ns = time_ns;
		c->users++;
	}
}

/* A pass has ended: hand on what is in order now, or all. fn owns a use of the chunk. */
void timeline_take(struct timeline *t, bool all,
		   void (*fn)(void *arg, struct chunk *c, const struct perf_event_header *h,
			      u64 time_ns), void *arg)
{
	unsigned int i;

	if (t->nr)
		qsort(t->v, t->nr, sizeof(*t->v), when_cmp);
	for (i = 0; i < t->nr && (all || t->v[i].when.time_ns <= t->limit_ns); i++)
		fn(arg, t->v[i].chunk, t->v[i].h, t->v[i].when.time_ns);
	t->nr -= i;
	if (i)
		memmove(t->v, t->v + i, t->nr * sizeof(*t->v));
	t->limit_ns = t->latest_ns;
}

void timeline_free(struct timeline *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		chunk_put(t->v[i].chunk);
	free(t->v);
}
