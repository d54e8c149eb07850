// SPDX-License-Identifier: GPL-2.0
/*
 * The writer: asks the readers for passes, and writes what they bring.
 *
 * Concepts: a pass goes over every ring once. FINISHED_ROUND promises a reader
 * of the file that whatever comes behind the next such mark is younger than
 * all that came before this one. Passes keep that promise because the next one
 * begins when all readers have made this one: a record that the next pass does
 * not find was written after it began. So all records of a pass are written,
 * then its mark; records of the pass after, which a fast reader may bring
 * early, wait until then.
 * Contexts: the writer's thread; start and stop by the main thread.
 * Locks: none. All that waits belongs to the writer's thread.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"

enum {
	PASS_MS = 200,				/* from one pass to the next */
	CONVERTED_PASS_MS = 50,			/* where records wait in memory for it */
	HELD_BYTES = 64 * 1024 * 1024,		/* on their way, of all readers */
	HELD_BYTES_LEAST = 2 * 1024 * 1024,	/* of one reader */
	CPUS_PER_READER = 4,
};

static void tell_failure(struct pipeline *p)
{
	if (!__atomic_exchange_n(&p->failed, true, __ATOMIC_ACQ_REL))
		wakeup_send(p->wake_main);
}

/* What cannot be written is still counted, so the chunk always comes here. */
static void write_chunk(struct pipeline *p, struct chunk *c)
{
	if (p->snapshot) {
		snapshot_keep(p->snapshot, c);
		return;
	}
	if (p->converter) {
		timeline_add(&p->converter->timeline, c);
		return;
	}
	if (pd_records(&p->out->w, c->records, c->size))
		tell_failure(p);
	chunk_free(c);
}

static void on_chunk(struct pipeline *p, struct chunk *c)
{
	/* wraps around, so no comparison but this */
	if (c->pass == p->closed + 1) {
		write_chunk(p, c);
		return;
	}
	c->next = p->next_pass;
	p->next_pass = c;
}

/* All of the pass is written: is it time for a snapshot, or for the next file? */
static void end_file(struct pipeline *p)
{
	bool cut = p->cut && p->cut_pass <= p->closed;
	int ret = 0;

	if (p->snapshot) {
		if (cut || p->last_pass)
			ret = snapshot_write(p->snapshot);
	} else if (!p->last_pass && !p->failed && (cut || output_is_over(p->out))) {
		ret = output_next(p->out);
	}
	if (ret)
		tell_failure(p);
	if (!cut)
		return;
	p->cut = false;
	wakeup_send(p->cut_done);
}

static void end_pass(struct pipeline *p)
{
	struct chunk *c, *next, *in_order = NULL;

	if (p->converter && converter_pass_end(p->converter, p->last_pass))
		tell_failure(p);
	if (!p->snapshot && pd_round(&p->out->w))
		tell_failure(p);
	p->closed++;
	end_file(p);
	/* a ring's records must stay in their order */
	for (c = p->next_pass; c; c = next) {
		next = c->next;
		c->next = in_order;
		in_order = c;
	}
	p->next_pass = NULL;
	for (c = in_order; c; c = next) {
		next = c->next;
		on_chunk(p, c);
	}
}

static void start_pass(struct pipeline *p)
{
	unsigned int i;

	p->pass_start_ns = clock_ns();
	p->nr_acks = 0;
	p->hurry = p->cut && p->cut_pass > p->closed + 1;
	__atomic_store_n(&p->pass, p->closed + 1, __ATOMIC_RELEASE);
	for (i = 0; i < p->nr_readers; i++)
		if (!reader_pass_idle(&p->readers[i], p->pass))
			wakeup_send(p->readers[i].wake);
}

static bool in_pass(const struct pipeline *p)
{
	return p->pass != p->closed;
}

/* Milliseconds until the next pass; negative: a message comes first. */
static int time_to_pass(const struct pipeline *p)
{
	u64 now_ns = clock_ns(), ms = p->converter ? CONVERTED_PASS_MS : PASS_MS;
	u64 at_ns = p->pass_start_ns + ms * 1000000;

	if (in_pass(p))
		return -1;
	if (p->hurry || p->stopping || now_ns >= at_ns)
		return 0;
	return (int)((at_ns - now_ns) / 1000000) + 1;
}

static void on_message(struct pipeline *p, struct message *m)
{
	switch (m->kind) {
	case MESSAGE_CHUNK:
		on_chunk(p, caa_container_of(m, struct chunk, msg));
		break;
	case MESSAGE_ACK:
		if (++p->nr_acks == p->nr_readers)
			end_pass(p);
		break;
	case MESSAGE_FULL:
		reader_heard(caa_container_of(m, struct reader, full));
		p->hurry = true;
		break;
	case MESSAGE_BATCH:
		if (unwinders_done(p->converter->unwinders, m))
			tell_failure(p);
		break;
	case MESSAGE_CUT:
		/* what was recorded until now belongs to it, so not with this pass */
		p->cut = p->hurry = true;
		p->cut_pass = p->pass + 1;
		break;
	case MESSAGE_STOP:
		p->stopping = true;
		break;
	default:
		break;
	}
}

static void *writer_main(void *arg)
{
	struct pipeline *p = arg;
	struct message *m;
	int wait_ms;

	for (;;) {
		wait_ms = time_to_pass(p);
		m = mailbox_take(&p->box, wait_ms);
		if (m) {
			on_message(p, m);
			continue;
		}
		if (in_pass(p) || time_to_pass(p))
			continue;
		if (p->last_pass)
			return NULL;
		/* the events are off by now: one more pass finds all there is */
		p->last_pass = p->stopping;
		start_pass(p);
	}
}

/* Deal the rings out to the readers, CPUs that are neighbours to the same. */
static void deal_rings(struct pipeline *p, struct ring *rings, unsigned int nr_rings)
{
	unsigned int i, k;

	for (i = 0; i < p->nr_readers; i++) {
		struct reader *r = &p->readers[i];
		unsigned int first = i * nr_rings / p->nr_readers;
		unsigned int end = (i + 1) * nr_rings / p->nr_readers;

		r->rings = mem_zalloc(end - first, sizeof(*r->rings));
		r->nr_rings = end - first;
		for (k = first; k < end; k++)
			r->rings[k - first] = &rings[k];
		r->to = &p->box;
		r->wanted = &p->pass;
		r->cpu = r->nr_rings == 1 && nr_rings > 1 ? r->rings[0]->cpu : -1;
		r->limit = p->reader_bytes;
	}
}

static unsigned int choose_readers(int wish, unsigned int nr_rings)
{
	unsigned int nr = (unsigned int)wish;

	if (wish == 0)
		nr = (nr_rings + CPUS_PER_READER - 1) / CPUS_PER_READER;
	if (wish < 0 || nr > nr_rings)
		nr = nr_rings;
	return nr ? nr : 1;
}

int pipeline_init(struct pipeline *p, struct output *out, int wake_main)
{
	p->out = out;
	p->wake_main = wake_main;
	p->cut_done = wakeup_new();
	return p->cut_done < 0 || mailbox_init(&p->box) ? -1 : 0;
}

static size_t choose_reader_bytes(unsigned int nr_readers)
{
	size_t bytes = HELD_BYTES / nr_readers;

	return bytes < HELD_BYTES_LEAST ? HELD_BYTES_LEAST : bytes;
}

/* Start the threads. The output is open, and its writer's alone until the stop. */
int pipeline_start(struct pipeline *p, struct ring *rings, unsigned int nr_rings, int nr_readers)
{
	unsigned int i;
	int err;

	p->pass_start_ns = clock_ns();
	p->nr_readers = choose_readers(nr_readers, nr_rings);
	p->readers = mem_zalloc(p->nr_readers, sizeof(*p->readers));
	if (!p->reader_bytes)
		p->reader_bytes = choose_reader_bytes(p->nr_readers);
	deal_rings(p, rings, nr_rings);
	for (i = 0; i < p->nr_readers; i++)
		if (reader_start(&p->readers[i])) {
			p->nr_readers = i;
			return -1;
		}
	err = pthread_create(&p->thread, NULL, writer_main, p);
	return err ? complain("no thread to write the file: %s", strerror(err)) : 0;
}

/* Write a snapshot, or begin a new file; returns when that is done. */
void pipeline_cut(struct pipeline *p)
{
	struct pollfd done = { .fd = p->cut_done, .events = POLLIN };

	mailbox_send(&p->box, &p->want_cut, MESSAGE_CUT);
	poll(&done, 1, -1);
	wakeup_clear(p->cut_done);
}

/* The events are off: write what is left, and end the threads. */
void pipeline_stop(struct pipeline *p)
{
	unsigned int i;

	if (!p->box.fd)
		return;
	if (p->thread) {
		mailbox_send(&p->box, &p->stop, MESSAGE_STOP);
		pthread_join(p->thread, NULL);
	}
	for (i = 0; i < p->nr_readers; i++) {
		reader_stop(&p->readers[i]);
		p->nr_stalls += p->readers[i].nr_stalls;
		p->nr_wakeups += p->readers[i].nr_wakeups;
		close(p->readers[i].wake);
		free(p->readers[i].rings);
	}
	mailbox_free(&p->box);
	close(p->cut_done);
	free(p->readers);
}
