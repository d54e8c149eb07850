// SPDX-License-Identifier: GPL-2.0
/*
 * Ring: the arithmetic of a ring, and the protocol between those who write it and the one who reads it.
 *
 * Concepts: writing a record is enter, reserve, copy (or claim, where it lies in one piece), leave. Reserving moves the
 * head by one compare-and-exchange, so a writer that interrupts another gets the space behind it. Only the outermost
 * writer publishes the head to the user, in leaving, for only then are all records before the head whole.
 *
 * A backward ring is written from high addresses to low: the head runs down from 0 and always points at the newest
 * record, so that a reader of an overwritten ring can start there and follow the sizes.
 *
 * The reader says how far it got through data_tail. That word is the user's: whatever it holds, no more than the ring's
 * own memory is ever touched, since a wrong tail only changes whether a record is written or counted as lost.
 *
 * Ordering:
 *
 *	writer					user
 *	load data_tail				load data_head
 *	   ring.tail A (control dependency)	   read barrier C
 *	store records				load records
 *	   ring.publish B			   full barrier D
 *	store data_head				store data_tail
 *
 * B pairs with C: who sees the head sees the records. A pairs with D: records are stored only where the reader has
 * finished; the branch on the tail suffices, since no CPU makes a store visible before the branch that leads to it.
 *
 * Contexts: any, NMI included, on one CPU at a time per ring and without migration between enter and leave.
 * Locks: none.
 */
#include "ring.h"

unsigned long pcl_ring_enter(struct pcl_ring *ring)
{
	/* Plain arithmetic will do: an interrupting writer leaves the count as it found it. */
	WRITE_ONCE(ring->nest, READ_ONCE(ring->nest) + 1);
	barrier();	/* the count stands before any other step; interruptions on this CPU are all that matters */
	return local_read(&ring->wakeup);
}

/*
 * As seen by writers that interrupt this one:
 *
 *	nest > 1	somebody below publishes, go
 *	nest == 1	publish; interrupters see nest > 1 and leave it to us
 *	nest == 0	interrupters publish for themselves; if one moved the head before, do it for it
 */
bool pcl_ring_leave(struct pcl_ring *ring, unsigned long ticket)
{
	unsigned int nest = READ_ONCE(ring->nest);
	unsigned long head;

	if (nest > 1) {
		WRITE_ONCE(ring->nest, nest - 1);
		return false;
	}
	for (;;) {
		barrier();	/* read the head with the count still up: nobody publishes a later one meanwhile */
		head = local_read(&ring->head);
		smp_wmb();	/* ring.publish B, pairs with user C */
		WRITE_ONCE(ring->user->data_head, head);
		barrier();	/* published before others may publish, or an old head could follow a newer one */
		WRITE_ONCE(ring->nest, 0);
		barrier();	/* count down before the check: we see a new head, or its writer published it */
		if (likely(head == (unsigned long)local_read(&ring->head)))
			break;
		WRITE_ONCE(ring->nest, 1);
	}
	return ticket != (unsigned long)local_read(&ring->wakeup);
}

/* One byte stays free, so that a full ring differs from an empty one. */
static bool has_room(const struct pcl_ring *ring, unsigned long head, unsigned long tail, unsigned int size,
		     bool backward)
{
	unsigned long used = backward ? tail - head : head - tail;
	unsigned long mask = pcl_ring_size(ring) - 1;

	return mask - (used & mask) >= size;
}

static void seek(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned long offset)
{
	unsigned long in_piece = offset & ((1UL << ring->piece_shift) - 1);

	handle->page = (offset >> ring->piece_shift) & (ring->nr_pieces - 1);
	handle->addr = ring->pieces[handle->page] + in_piece;
	handle->size = (1UL << ring->piece_shift) - in_piece;
}

/**
 * pcl_ring_reserve - take room for one record and point the handle at it
 * @ring: with data pieces, entered
 * @handle: its page, addr and size are set
 * @size: bytes, a multiple of 8
 * @backward: attr.write_backward
 *
 * Returns false if the reader has not made room.
 */
bool pcl_ring_reserve(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned int size, bool backward)
{
	unsigned long old, head, tail;

	if (size > pcl_ring_size(ring))
		return false;
	do {
		old = local_read(&ring->head);
		if (!ring->overwrite) {
			tail = READ_ONCE(ring->user->data_tail);
			if (!has_room(ring, old, tail, size, backward))
				return false;
		}
		/* ring.tail A, pairs with user D: the branch above orders the load of the tail before the stores */
		head = backward ? old - size : old + size;
	} while (local_cmpxchg(&ring->head, old, head) != old);

	/* What was written since the last wake-up: each step of @wakeup is one, so a nested writer can only add. */
	if ((backward ? -head : head) - (unsigned long)local_read(&ring->wakeup) > ring->watermark)
		local_add(ring->watermark, &ring->wakeup);

	seek(ring, handle, backward ? head : old);
	return true;
}

/* Move on to the next piece when this one is full. */
static void advance(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned long len)
{
	handle->addr += len;
	handle->size -= len;
	if (handle->size)
		return;
	handle->page = (handle->page + 1) & (ring->nr_pieces - 1);
	handle->addr = ring->pieces[handle->page];
	handle->size = 1UL << ring->piece_shift;
}

void pcl_ring_copy(struct pcl_ring *ring, struct perf_output_handle *handle, const void *buf, unsigned long len)
{
	while (len) {
		unsigned long part = min(len, handle->size);

		memcpy(handle->addr, buf, part);
		buf += part;
		len -= part;
		advance(ring, handle, part);
	}
}

/**
 * pcl_ring_claim - the next bytes of a record, for the caller to write
 * @ring: entered
 * @handle: of the record; moved on behind them
 * @len: bytes
 *
 * Returns where they lie, or NULL if that is in two pieces. The user may write there as well: nothing is read back.
 */
void *pcl_ring_claim(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned long len)
{
	void *at = handle->addr;

	if (unlikely(len > handle->size))
		return NULL;
	advance(ring, handle, len);
	return at;
}

void pcl_ring_skip(struct pcl_ring *ring, struct perf_output_handle *handle, unsigned long len)
{
	while (len) {
		unsigned long part = min(len, handle->size);

		len -= part;
		advance(ring, handle, part);
	}
}

void pcl_ring_sampled(struct pcl_ring *ring, unsigned int every)
{
	if (local_inc_return(&ring->events) < (long)every)
		return;
	local_sub(every, &ring->events);
	local_inc(&ring->wakeup);
}
