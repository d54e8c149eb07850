/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The user's side of a ring.
 */
#ifndef PCL_RECORD_RING_H
#define PCL_RECORD_RING_H

#include "types.h"

/* One mapped ring, of one CPU. Used by one thread at a time. */
struct ring {
	struct perf_event_mmap_page *page;
	u8 *data;
	u64 size;		/* of data, a power of two */
	int fd;			/* to poll: of an event that writes there; -1: all have ended */
	int *fds;		/* of all events that write there; the first maps it */
	unsigned int nr_fds;
	unsigned int polled;	/* which of them fd is */
	int cpu;
	bool overwrite;		/* the newest records overwrite the oldest */
};

/* ring.c */
int ring_map(struct ring *r, int fd, int cpu, unsigned int pages, bool overwrite);
void ring_unmap(struct ring *r);
void ring_add_fd(struct ring *r, int fd);
int ring_hung_up(struct ring *r);
bool ring_empty(const struct ring *r);
void *ring_take(struct ring *r, size_t before, size_t *size);
void *ring_snapshot(struct ring *r, size_t before, size_t *size);

#endif /* PCL_RECORD_RING_H */
