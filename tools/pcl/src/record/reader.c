// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that takes records out of the rings of some CPUs.
 *
 * Concepts: the kernel wakes it when a ring is half full; the writer asks for
 * a pass over all its rings a few times a second. What is taken out between
 * two passes belongs to the later one. When its records pile up before the
 * writer, it leaves them in the rings, but for the pass that was asked for:
 * the kernel counts what does not fit there. The word that it does so is one
 * message, which lies in the writer's mailbox once at a time: memory may come
 * back, and run out again, before the writer comes to it.
 * Contexts: one thread each; the writer, for a reader that is idle.
 * Locks: reader.lock around taking out and acked, so that the writer can make
 * a pass over empty rings in the reader's place.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"

/*
 * Wake a reader that waits for memory, when there is enough again. Called behind
 * each change of either side, so that whoever comes second sees both.
 */
static void look_again(struct reader *r)
{
	if (__atomic_load_n(&r->held, __ATOMIC_SEQ_CST) < r->limit / 2 &&
	    __atomic_exchange_n(&r->stalled, false, __ATOMIC_SEQ_CST))
		wakeup_send(r->wake);
}

/* Give the memory back, and wake a reader that waits for that. */
void chunk_free(struct chunk *c)
{
	struct reader *r = c->reader;

	if (r) {
		__atomic_sub_fetch(&r->held, c->size, __ATOMIC_SEQ_CST);
		look_again(r);
	}
	free(c);
}

/* For the writer: it has taken MESSAGE_FULL, so that may be sent again. */
void reader_heard(struct reader *r)
{
	__atomic_store_n(&r->full_sent, false, __ATOMIC_RELEASE);
}

/* Take out what is there, for this pass. reader.lock is held. */
static void drain_locked(struct reader *r, u32 pass)
{
	struct chunk *c;
	unsigned int i;
	size_t size;

	for (i = 0; i < r->nr_rings; i++) {
		c = ring_take(r->rings[i], sizeof(*c), &size);
		if (!c)
			continue;
		c->reader = r;
		c->pass = pass;
		c->users = 0;
		c->size = size;
		__atomic_add_fetch(&r->held, size, __ATOMIC_ACQ_REL);
		mailbox_send(r->to, &c->msg, MESSAGE_CHUNK);
	}
}

/* Tell the writer that the pass is made, behind all that was taken out before. reader.lock is held. */
static void ack_locked(struct reader *r, u32 pass)
{
	r->acked = pass;
	mailbox_send(r->to, &r->ack, MESSAGE_ACK);
}

/* As much is on its way as may be: wait until some of it is written, and ask the writer for haste. */
static void stall(struct reader *r)
{
	if (__atomic_exchange_n(&r->stalled, true, __ATOMIC_SEQ_CST))
		return;
	r->nr_stalls++;
	if (!__atomic_exchange_n(&r->full_sent, true, __ATOMIC_ACQ_REL))
		mailbox_send(r->to, &r->full, MESSAGE_FULL);
	look_again(r);
}

/* Take out what may be taken out now, and tell the writer. */
void reader_serve(struct reader *r)
{
	u32 wanted;

	pthread_mutex_lock(&r->lock);
	wanted = __atomic_load_n(r->wanted, __ATOMIC_ACQUIRE);
	if (wanted != r->acked) {
		drain_locked(r, wanted);
		ack_locked(r, wanted);
	} else if (__atomic_load_n(&r->held, __ATOMIC_ACQUIRE) < r->limit) {
		drain_locked(r, r->acked + 1);
	} else {
		stall(r);
	}
	pthread_mutex_unlock(&r->lock);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	/* only faster there; a CPU that this process may not use is no error */
	sched_setaffinity(0, sizeof(set), &set);
}

static void *reader_main(void *arg)
{
	struct reader *r = arg;
	struct pollfd *p = mem_zalloc(r->nr_rings + 1, sizeof(*p));
	unsigned int i;

	if (r->cpu >= 0)
		run_on(r->cpu);
	p[0] = (struct pollfd){ .fd = r->wake, .events = POLLIN };
	for (i = 0; i < r->nr_rings; i++)
		p[i + 1] = (struct pollfd){ .fd = r->rings[i]->fd, .events = POLLIN };
	while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
		/* one that may take nothing out waits for the writer alone */
		poll(p, __atomic_load_n(&r->stalled, __ATOMIC_ACQUIRE) ? 1 : r->nr_rings + 1, -1);
		r->nr_wakeups++;
		if (p[0].revents)
			wakeup_clear(r->wake);
		/* an event whose task has ended hangs up for ever; others of its ring may go on */
		for (i = 1; i <= r->nr_rings; i++) {
			if (p[i].revents & (POLLHUP | POLLERR | POLLNVAL))
				p[i].fd = ring_hung_up(r->rings[i - 1]);
			p[i].revents = 0;
		}
		reader_serve(r);
	}
	free(p);
	return NULL;
}

/* Start its thread; rings, to, wanted, cpu and limit are set. */
int reader_start(struct reader *r)
{
	int err;

	pthread_mutex_init(&r->lock, NULL);
	r->wake = wakeup_new();
	if (r->wake < 0)
		return -1;
	err = pthread_create(&r->thread, NULL, reader_main, r);
	if (!err)
		return 0;
	close(r->wake);
	return complain("no thread to read the rings: %s", strerror(err));
}

/* End the thread. Its chunks may live on. */
void reader_stop(struct reader *r)
{
	__atomic_store_n(&r->stop, true, __ATOMIC_RELEASE);
	wakeup_send(r->wake);
	pthread_join(r->thread, NULL);
}

/*
 * For the writer: make the pass in the reader's place, when its rings are empty. Their last records may have come into
 * the mailbox a moment ago; they belong to this pass, so the word that it is made comes through the mailbox too.
 */
bool reader_pass_idle(struct reader *r, u32 pass)
{
	unsigned int i;
	bool idle = false;

	if (pthread_mutex_trylock(&r->lock))
		return false;
	if (r->acked != pass) {
		for (i = 0; i < r->nr_rings && ring_empty(r->rings[i]); i++)
			;
		idle = i == r->nr_rings;
		if (idle)
			ack_locked(r, pass);
	}
	pthread_mutex_unlock(&r->lock);
	return idle;
}
