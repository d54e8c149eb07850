// SPDX-License-Identifier: GPL-2.0
/*
 * One pass over a recording: all records in order of time, whatever files they lie in.
 *
 * Concepts: each file of a recording is put in order on its own; of their next
 * records the earliest is delivered.
 * Contexts: all readers of recordings.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "data/read.h"

struct file_walk {
	struct pd_file *f;
	struct record_order **v;	/* those that have a next record */
	unsigned int nr;
	u64 done;
};

/* Move one on; when it has come to its end it is taken out. */
static int advance(struct file_walk *w, unsigned int i)
{
	int ret = order_next(w->v[i]);

	if (!ret) {
		order_free(w->v[i]);
		/* those behind keep their order: of equal times the first file's goes first */
		for (w->nr--; i < w->nr; i++)
			w->v[i] = w->v[i + 1];
	}
	return ret < 0 ? -1 : 0;
}

static unsigned int earliest(const struct file_walk *w)
{
	unsigned int i, best = 0;

	for (i = 1; i < w->nr; i++)
		if (order_time(w->v[i]) < order_time(w->v[best]))
			best = i;
	return best;
}

static int begin(struct file_walk *w)
{
	unsigned int i;

	w->v = mem_zalloc(w->f->nr_parts, sizeof(struct record_order *));
	for (i = 0; i < w->f->nr_parts; i++)
		w->v[w->nr++] = order_new(w->f, &w->f->parts[i]);
	for (i = w->nr; i-- > 0; )
		if (advance(w, i))
			return -1;
	return 0;
}

static void end(struct file_walk *w)
{
	while (w->nr)
		order_free(w->v[--w->nr]);
	free(w->v);
	progress_end();
}

/* Call fn for each record in order of time, until it returns not 0. */
int pd_walk(struct pd_file *f, pd_record_fn *fn, void *arg)
{
	struct file_walk w = { .f = f };
	struct perf_event_header h;
	unsigned int i;
	int ret;

	num_map_free(&f->last_values, NULL);
	ret = begin(&w);
	while (!ret && w.nr) {
		const u8 *record;

		i = w.nr > 1 ? earliest(&w) : 0;
		record = order_record(w.v[i]);
		h = record_header(f, record);
		ret = fn(f, &h, record_body(f, record), arg);
		if (!(++w.done & 0xfff))
			progress_update("reading", order_place(w.v[i]), f->size);
		if (!ret)
			ret = advance(&w, i);
	}
	end(&w);
	return ret;
}
