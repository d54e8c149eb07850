/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ring: positions in a ring and the protocol with its reader; the code is in ring.c.
 */
#ifndef _KERNEL_EVENTS_RING_H
#define _KERNEL_EVENTS_RING_H

#include <linux/perf_event.h>
#include <asm/local.h>

/*
 * A ring: a power of two of bytes, or none. There is one in each struct perf_buffer, which owns the memory.
 *
 * At any moment only one CPU writes, but there a writer may be interrupted by a writer. @head and the other counts
 * run freely and wrap; the offset in memory is the count modulo the size.
 *
 * Key: [I] immutable after publication, [W] writers, atomic towards those that interrupt them, [U] shared with the user
 * and not trusted, [A] any CPU at any time.
 */
struct pcl_ring {
	struct perf_event_mmap_page *user;	/* [I] the control page: data_head, data_tail [U] */
	void **pieces;				/* [I] memory, in pieces of equal size */
	unsigned int nr_pieces;			/* [I] a power of two, or 0 */
	unsigned int piece_shift;		/* [I] log2 of a piece's bytes */
	bool overwrite;				/* [I] old records may be overwritten, the reader's tail is not asked */
	unsigned long watermark;		/* [I] bytes between two wake-ups */
	bool paused;				/* [A] refuse all records */
	unsigned int nest;			/* [W] writers at work on this CPU */
	local_t head;				/* [W] bytes ever reserved (backward: negative) */
	local_t wakeup;				/* [W] changes when the reader shall be woken */
	local_t events;				/* [W] samples since the last wake-up, for attr.wakeup_events */
	local_t lost;				/* [W] records lost and not yet told */
};

static inline unsigned long pcl_ring_size(const struct pcl_ring *ring)
{
	return (unsigned long)ring->nr_pieces << ring->piece_shift;
}

/* Between enter and leave the caller stays on its CPU. */
unsigned long pcl_ring_enter(struct pcl_ring *ring);		/* a ticket for pcl_ring_leave() */
bool pcl_ring_leave(struct pcl_ring *ring, unsigned long ticket);	/* true: wake the reader */

bool pcl_ring_reserve(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned int size, bool backward);
void pcl_ring_copy(struct pcl_ring *ring, struct perf_output_handle *handle, const void *buf, unsigned long len);
void *pcl_ring_claim(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned long len);
void pcl_ring_skip(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned long len);
void pcl_ring_sampled(struct pcl_ring *ring, unsigned int every);	/* wake at each @every-th sample */

#endif /* _KERNEL_EVENTS_RING_H */
