// SPDX-License-Identifier: GPL-2.0
/*
 * Messages from many threads to one, and waking a thread that polls.
 *
 * Concepts: a wait-free queue (liburcu) with an eventfd beside it. Who sends
 * into an empty queue also rings the eventfd; who finds the queue empty waits
 * for it. So a message is never missed, and a busy receiver costs no system
 * call.
 * Contexts: record's threads. Any number send, one takes.
 * Locks: none. Order: enqueueing is a full barrier, so what was written before
 * a send is seen after the take.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "internal.h"
#include "record/mailbox.h"

int wakeup_new(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	return fd < 0 ? complain("eventfd: %s", strerror(errno)) : fd;
}

void wakeup_send(int fd)
{
	u64 one = 1;

	/* full is as good as rung */
	while (write(fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

void wakeup_clear(int fd)
{
	u64 count;

	while (read(fd, &count, sizeof(count)) < 0 && errno == EINTR)
		;
}

int mailbox_init(struct mailbox *m)
{
	__cds_wfcq_init(&m->head, &m->tail);
	m->fd = wakeup_new();
	return m->fd < 0 ? -1 : 0;
}

void mailbox_free(struct mailbox *m)
{
	close(m->fd);
}

void mailbox_send(struct mailbox *m, struct message *msg, enum message_kind kind)
{
	cds_wfcq_node_init(&msg->node);
	msg->kind = kind;
	message_sent(msg);
	if (!cds_wfcq_enqueue(&m->head, &m->tail, &msg->node))
		wakeup_send(m->fd);
}

static struct message *take_now(struct mailbox *m)
{
	struct cds_wfcq_node *n = __cds_wfcq_dequeue_blocking(&m->head, &m->tail);

	struct message *msg;

	if (!n)
		return NULL;
	msg = caa_container_of(n, struct message, node);
	message_taken(msg);
	return msg;
}

/* The next message; NULL when none came in time. A negative time: for ever. */
struct message *mailbox_take(struct mailbox *m, int timeout_ms)
{
	struct pollfd p = { .fd = m->fd, .events = POLLIN };
	u64 end_ns = clock_ns() + (timeout_ms > 0 ? (u64)timeout_ms * 1000000 : 0), now_ns;
	struct message *msg;

	for (;;) {
		msg = take_now(m);
		if (msg || !timeout_ms)
			return msg;
		poll(&p, 1, timeout_ms);
		wakeup_clear(m->fd);
		now_ns = clock_ns();
		if (timeout_ms > 0)
			timeout_ms = now_ns < end_ns ? (int)((end_ns - now_ns) / 1000000) + 1 : 0;
	}
}
