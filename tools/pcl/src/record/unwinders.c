// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that make copied stacks into call chains.
 *
 * Concepts: records come in order of time, and gather in batches; each batch
 * goes to the worker that has the least to do, and all batches are written in
 * the order they were made. What a record tells of a process is told before
 * the next sample is handed out. Where that changes what code it has mapped, it
 * is told only when no sample of that process is with a worker: each is unwound
 * by the mappings of its moment. When more is
 * with the workers than they can hold, samples are kept as they are, under the
 * deferred event of their event.
 * Contexts: record's writer makes, writes and frees batches; a worker has one
 * while it fills it.
 * Locks: one for the sums that workers leave at their end. A batch changes
 * hands through mailboxes; pending counts are atomic.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"
#include "unwind/unwind.h"

enum {
	BATCH_ITEMS = 32,
	RECORD_MOST = 65536,
	WITH_WORKERS = 32 * 1024 * 1024,	/* bytes, of all workers */
	PIDS = 4096,				/* counts of what is pending; pids share them */
};

struct batch_item {
	struct chunk *chunk;
	const struct perf_event_header *h;
	const struct source *source;	/* NULL: goes through as it is */
};

struct batch {
	struct message msg;
	struct unwinders *owner;
	struct batch *next;		/* as they were made */
	struct batch_item items[BATCH_ITEMS];
	unsigned int nr, nr_samples;
	size_t bytes;			/* of samples to unwind */
	bool done;			/* [A] */
	unsigned int nr_raw;		/* could not be unwound */
	unsigned int nr_kept;		/* were not to be unwound, for load */
	struct blob out;
};

struct worker {
	pthread_t thread;
	struct mailbox box;
	struct unwinders *owner;
	unsigned int nr_batches;	/* [A] with it */
	struct message stop;
};

struct unwinders {
	struct output *out;
	struct mailbox *done;		/* where finished batches go */
	struct tasks *tasks;
	struct worker *workers;
	unsigned int nr;
	struct batch *filling;
	struct batch *first, **last;	/* made and not yet written */
	size_t bytes;			/* [A] with the workers */
	unsigned int pending[PIDS];	/* [A] samples with the workers, by pid */
	int one_less;			/* eventfd: a batch was finished */
	u64 raw_for_load;		/* kept as they were, for want of time */
	u64 raw_for_failure;		/* because they could not be unwound */
	pthread_mutex_t lock;
	struct unwind_stats stats;	/* [M] of the workers that have ended */
};

static u32 pid_of_sample(const struct perf_event_header *h)
{
	/* identifier, ip, then pid and tid */
	return task_word_pid((const u64 *)(h + 1) + 2);
}

static void fill_item(struct unwinder *u, struct batch *b, const struct batch_item *it)
{
	size_t n = 0;

	if (b->out.nr + RECORD_MOST > b->out.room) {
		b->out.room = b->out.nr + 2 * RECORD_MOST;
		b->out.v = mem_resize(b->out.v, b->out.room, 1);
	}
	if (it->source)
		n = unwind_sample(u, &it->source->attr, it->h, b->out.v + b->out.nr, RECORD_MOST);
	if (!n) {
		n = it->h->size;
		memcpy(b->out.v + b->out.nr, it->h, n);
		if (it->source) {
			u64 *id = (u64 *)(b->out.v + b->out.nr + sizeof(*it->h));

			*id |= RAW_ID_BIT;
			b->nr_raw++;
		}
	}
	b->out.nr += n;
}

static void work(struct worker *w, struct unwinder *u, struct batch *b)
{
	struct unwinders *all = w->owner;
	unsigned int i;

	for (i = 0; i < b->nr; i++)
		fill_item(u, b, &b->items[i]);
	for (i = 0; i < b->nr; i++)
		if (b->items[i].source)
			__atomic_sub_fetch(&all->pending[pid_of_sample(b->items[i].h) % PIDS], 1,
					   __ATOMIC_RELEASE);
	__atomic_sub_fetch(&all->bytes, b->bytes, __ATOMIC_RELEASE);
	__atomic_sub_fetch(&w->nr_batches, 1, __ATOMIC_RELEASE);
	/* the mailbox publishes what was written; after this the batch is not ours */
	mailbox_send(all->done, &b->msg, MESSAGE_BATCH);
	wakeup_send(all->one_less);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct unwinder *u = unwinder_new(w->owner->tasks);
	struct message *m;

	for (;;) {
		m = mailbox_take(&w->box, -1);
		if (m->kind == MESSAGE_STOP)
			break;
		work(w, u, caa_container_of(m, struct batch, msg));
	}
	pthread_mutex_lock(&w->owner->lock);
	unwind_stats_add(&w->owner->stats, u);
	pthread_mutex_unlock(&w->owner->lock);
	unwinder_free(u);
	return NULL;
}

struct unwinders *unwinders_new(struct output *out, struct mailbox *done, unsigned int nr)
{
	struct unwinders *u = mem_zalloc(1, sizeof(*u));

	u->out = out;
	u->done = done;
	u->nr = nr;
	u->workers = mem_zalloc(nr, sizeof(*u->workers));
	u->last = &u->first;
	u->tasks = tasks_new(NULL, TASKS_SHARED | TASKS_ENDLESS);
	u->one_less = wakeup_new();
	pthread_mutex_init(&u->lock, NULL);
	return u;
}

int unwinders_start(struct unwinders *u)
{
	unsigned int i;
	int err;

	for (i = 0; i < u->nr; i++) {
		struct worker *w = &u->workers[i];

		w->owner = u;
		err = mailbox_init(&w->box);
		if (!err)
			err = pthread_create(&w->thread, NULL, worker_main, w);
		if (err) {
			u->nr = i;
			return complain("no thread to unwind stacks: %s", strerror(err));
		}
	}
	return 0;
}

/* Wait until no sample of this process is with a worker. */
static void wait_for_pid(struct unwinders *u, u32 pid)
{
	struct pollfd p = { .fd = u->one_less, .events = POLLIN };

	while (__atomic_load_n(&u->pending[pid % PIDS], __ATOMIC_ACQUIRE)) {
		unwinders_flush(u);
		poll(&p, 1, -1);
		wakeup_clear(u->one_less);
	}
}

/* What a record tells of processes, for the samples that come behind it. */
void unwinders_tell(struct unwinders *u, const struct perf_event_header *h)
{
	if (!record_is_of_tasks(h->type))
		return;
	/* each begins with the pid */
	if (tasks_changed(h))
		wait_for_pid(u, *(const u32 *)(h + 1));
	tasks_record(u->tasks, h, &u->out->events->v[0].attr);
}

static struct batch *filling(struct unwinders *u)
{
	if (u->filling && u->filling->nr == BATCH_ITEMS)
		unwinders_flush(u);
	if (!u->filling) {
		u->filling = mem_zalloc(1, sizeof(*u->filling));
		u->filling->owner = u;
	}
	return u->filling;
}

/* A record that goes to the file as it is. */
void unwinders_pass(struct unwinders *u, struct chunk *c, const struct perf_event_header *h)
{
	struct batch *b = filling(u);

	b->items[b->nr++] = (struct batch_item){ c, h, NULL };
}

void unwinders_sample(struct unwinders *u, const struct source *s, struct chunk *c,
		      const struct perf_event_header *h)
{
	struct batch *b = filling(u);

	if (__atomic_load_n(&u->bytes, __ATOMIC_ACQUIRE) > WITH_WORKERS) {
		*(u64 *)(h + 1) |= RAW_ID_BIT;
		u->raw_for_load++;
		b->nr_kept++;
		unwinders_pass(u, c, h);
		return;
	}
	b->items[b->nr++] = (struct batch_item){ c, h, s };
	b->nr_samples++;
	b->bytes += h->size;
	__atomic_add_fetch(&u->bytes, h->size, __ATOMIC_ACQ_REL);
	__atomic_add_fetch(&u->pending[pid_of_sample(h) % PIDS], 1, __ATOMIC_ACQ_REL);
}

static struct worker *least_busy(struct unwinders *u)
{
	struct worker *best = &u->workers[0];
	unsigned int i;

	for (i = 1; i < u->nr; i++)
		if (__atomic_load_n(&u->workers[i].nr_batches, __ATOMIC_ACQUIRE) <
		    __atomic_load_n(&best->nr_batches, __ATOMIC_ACQUIRE))
			best = &u->workers[i];
	return best;
}

/* Hand out what has gathered. */
void unwinders_flush(struct unwinders *u)
{
	struct batch *b = u->filling;
	struct worker *w;

	if (!b)
		return;
	u->filling = NULL;
	*u->last = b;
	u->last = &b->next;
	w = least_busy(u);
	__atomic_add_fetch(&w->nr_batches, 1, __ATOMIC_ACQ_REL);
	mailbox_send(&w->box, &b->msg, MESSAGE_BATCH);
}

static int write_batch(struct unwinders *u, struct batch *b)
{
	unsigned int i;
	int ret = 0;

	u->raw_for_failure += b->nr_raw;
	if (b->nr_raw || b->nr_kept)
		ret = pd_use_deferred(&u->out->w, record_time_ns(b->items[0].h));
	if (pd_records(&u->out->w, b->out.v, b->out.nr))
		ret = -1;
	for (i = 0; i < b->nr; i++)
		chunk_put(b->items[i].chunk);
	free(b->out.v);
	free(b);
	return ret;
}

/* A worker sent this: write it, and what waited for it. */
int unwinders_done(struct unwinders *u, struct message *m)
{
	struct batch *b = caa_container_of(m, struct batch, msg);
	int ret = 0;

	b->done = true;
	while (u->first && u->first->done) {
		b = u->first;
		u->first = b->next;
		if (!u->first)
			u->last = &u->first;
		ret |= write_batch(u, b);
	}
	return ret;
}

/* No more comes: all that is with the workers is written. */
int unwinders_finish(struct unwinders *u)
{
	struct message *m;
	int ret = 0;

	unwinders_flush(u);
	/* the readers have made their last pass, so nothing else is in this mailbox */
	while (u->first) {
		m = mailbox_take(u->done, -1);
		if (m->kind == MESSAGE_BATCH)
			ret |= unwinders_done(u, m);
	}
	return ret;
}

/* End the workers; nothing is with them. */
void unwinders_stop(struct unwinders *u)
{
	unsigned int i;

	for (i = 0; i < u->nr; i++) {
		struct worker *w = &u->workers[i];

		mailbox_send(&w->box, &w->stop, MESSAGE_STOP);
		pthread_join(w->thread, NULL);
		mailbox_free(&w->box);
	}
	u->nr = 0;
}

/* After the stop: what was kept raw and why, and how chains ended. */
void unwinders_report(const struct unwinders *u)
{
	if (u->raw_for_load)
		say_to(stderr, "pcl record: ", "%llu stacks came faster than they could be unwound, and are in the file as they were copied",
		       (unsigned long long)u->raw_for_load);
	if (u->raw_for_failure)
		say_to(stderr, "pcl record: ", "%llu stacks could not be unwound, and are in the file as they were copied",
		       (unsigned long long)u->raw_for_failure);
	unwind_stats_print(&u->stats, u->tasks, stderr);
}

void unwinders_free(struct unwinders *u)
{
	free(u->workers);
	close(u->one_less);
	unwind_stats_free(&u->stats);
	tasks_free(u->tasks);
	free(u);
}
