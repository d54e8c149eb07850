/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages from many threads to one.
 */
#ifndef PCL_RECORD_MAILBOX_H
#define PCL_RECORD_MAILBOX_H

#include <urcu/wfcqueue.h>

#include "types.h"

enum message_kind {
	MESSAGE_CHUNK,		/* records from a ring */
	MESSAGE_ACK,		/* a reader has made its part of a pass */
	MESSAGE_FULL,		/* a reader holds as much as it may */
	MESSAGE_BATCH,		/* an unwinder has done a batch */
	MESSAGE_CUT,		/* write a snapshot, or begin a new file */
	MESSAGE_STOP,
};

/* The head of every message; it belongs to who received it last. */
struct message {
	struct cds_wfcq_node node;
	enum message_kind kind;
};

struct mailbox {
	struct __cds_wfcq_head head;
	struct cds_wfcq_tail tail;
	int fd;			/* eventfd, readable when a message may be there */
};

/*
 * liburcu's queue is a library that ThreadSanitizer does not see into, so the
 * order that it gives is told: what was written before a send comes before what
 * follows the take.
 */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>

static inline void message_sent(struct message *m)
{
	__tsan_release(m);
}

static inline void message_taken(struct message *m)
{
	__tsan_acquire(m);
}
#else
static inline void message_sent(struct message *m)
{
	(void)m;
}

static inline void message_taken(struct message *m)
{
	(void)m;
}
#endif

/* mailbox.c */
int mailbox_init(struct mailbox *m);
void mailbox_free(struct mailbox *m);
void mailbox_send(struct mailbox *m, struct message *msg, enum message_kind kind);
struct message *mailbox_take(struct mailbox *m, int timeout_ms);
int wakeup_new(void);
void wakeup_send(int fd);
void wakeup_clear(int fd);

#endif /* PCL_RECORD_MAILBOX_H */
