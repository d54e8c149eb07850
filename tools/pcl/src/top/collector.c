// SPDX-License-Identifier: GPL-2.0
/*
 * The collector: from the rings to a table, again and again.
 *
 * Concepts: the records of one pass over all rings are put in order of time and
 * added up. With each refresh a new table is published, and what was counted
 * before is halved, so that what has ended fades away; or forgotten.
 * Contexts: a thread of its own; signals go to the other one.
 * Locks: none; published.c has that of the table.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "top/top.h"

/* How long records may wait in the rings. */
enum { PASS_MS = 100 };

/* More stacks than this are not kept: then all is forgotten, and begun anew. */
enum { MOST_STACKS = 1 << 20 };

/* The records of a pass. */
struct pass {
	void **chunks;		/* what the rings gave */
	unsigned int nr_chunks;
	struct pass_record {
		struct when when;
		const u8 *record;
	} *v;
	u32 nr, room;
};

static void pass_add(struct pass *p, struct top *t, u8 *bytes, size_t size)
{
	struct perf_event_header h;
	size_t at;

	p->chunks = mem_resize(p->chunks, p->nr_chunks + 1, sizeof(*p->chunks));
	p->chunks[p->nr_chunks++] = bytes;
	for (at = 0; at < size; at += h.size) {
		h = record_header(&t->file, bytes + at);
		if (p->nr == p->room) {
			p->room = p->room ? p->room * 2 : 1024;
			p->v = mem_resize(p->v, p->room, sizeof(*p->v));
		}
		p->v[p->nr] = (struct pass_record){
			{ record_time(&t->file, &h, record_body(&t->file, bytes + at)), p->nr },
			bytes + at,
		};
		p->nr++;
	}
}

/* Take all that is in the rings. */
static void make_pass(struct top *t)
{
	struct pass p = { 0 };
	unsigned int i;
	size_t size;
	void *bytes;

	for (i = 0; i < t->r.nr_rings; i++) {
		bytes = ring_take(&t->r.rings[i], 0, &size);
		if (bytes)
			pass_add(&p, t, bytes, size);
	}
	if (p.nr)
		qsort(p.v, p.nr, sizeof(*p.v), when_cmp);
	for (i = 0; i < p.nr; i++) {
		struct perf_event_header h = record_header(&t->file, p.v[i].record);

		t->interval_samples += h.type == PERF_RECORD_SAMPLE;
		gather_record(&t->gather, &t->file, &h, record_body(&t->file, p.v[i].record));
	}
	for (i = 0; i < p.nr_chunks; i++)
		free(p.chunks[i]);
	free(p.chunks);
	free(p.v);
}

static void refresh(struct top *t, u64 number, u64 interval_ns)
{
	batch_flush(&t->profile);
	top_publish(t, snapshot_make(t, number, (double)interval_ns / 1e9));
	wakeup_send(t->news);
	t->interval_samples = 0;
	profile_fade(&t->profile, t->o->zero || t->profile.nr_stacks > MOST_STACKS);
}

/* All events have hung up: their tasks are gone. */
static bool wait_rings(struct top *t, struct pollfd *p, u64 until_ns)
{
	u64 now = clock_ns();
	int ms = until_ns > now ? (int)((until_ns - now) / 1000000) + 1 : 0;
	unsigned int i, gone = 0;

	poll(p, t->r.nr_rings, ms < PASS_MS ? ms : PASS_MS);
	for (i = 0; i < t->r.nr_rings; i++) {
		/* such a descriptor would make every poll return at once */
		if (p[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			p[i].fd = ring_hung_up(&t->r.rings[i]);
		gone += p[i].fd < 0;
	}
	if (gone == t->r.nr_rings)
		poll(NULL, 0, ms < PASS_MS ? ms : PASS_MS);
	return gone == t->r.nr_rings;
}

static void *collect(void *arg)
{
	struct top *t = arg;
	struct pollfd *p = mem_zalloc(t->r.nr_rings, sizeof(*p));
	u64 number = 0, last = clock_ns(), now;
	bool gone = false;
	unsigned int i;

	/* only their end is waited for: a wakeup for each sample would be too many */
	for (i = 0; i < t->r.nr_rings; i++)
		p[i] = (struct pollfd){ .fd = t->r.rings[i].fd };
	while (!__atomic_load_n(&t->stop, __ATOMIC_RELAXED) && !gone) {
		gone = wait_rings(t, p, last + t->o->delay_ns);
		make_pass(t);
		now = clock_ns();
		if (now - last < t->o->delay_ns && !gone)
			continue;
		/* before the last table is told of */
		__atomic_store_n(&t->ended, gone, __ATOMIC_RELEASE);
		refresh(t, ++number, now - last);
		last = now;
	}
	free(p);
	return NULL;
}

int collector_start(struct top *t)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&t->thread, NULL, collect, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err ? complain("no thread can be had: %s", strerror(err)) : 0;
}

/* After this nobody publishes; the last table is freed. */
void collector_stop(struct top *t)
{
	__atomic_store_n(&t->stop, true, __ATOMIC_RELAXED);
	pthread_join(t->thread, NULL);
	top_publish(t, NULL);
}
