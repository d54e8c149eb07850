// SPDX-License-Identifier: GPL-2.0
/*
 * The user's side of a ring: map it, and take its records out.
 *
 * Concepts: the kernel writes records and advances data_head; we read up to it
 * and advance data_tail, which gives the room back. Records are multiples of
 * eight bytes, so a header never straddles the end of the ring; a body may.
 * A ring that overwrites is written backwards, so that its head is the newest
 * record; it is read while its events are paused.
 * Contexts: record's readers and writer, top; one thread at a time.
 * Locks: none. Order: head is loaded with acquire before any record is read;
 * tail is stored with release after the last was copied. Both pair with the
 * barriers in the kernel's ring (see perf_event_mmap_page in the ABI header).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "record/ring.h"

int ring_map(struct ring *r, int fd, int cpu, unsigned int pages, bool overwrite)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p;

	/* a page that may not be written tells the kernel to overwrite */
	p = mmap(NULL, page * (pages + 1), PROT_READ | (overwrite ? 0 : PROT_WRITE), MAP_SHARED,
		 fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->page = p;
	r->data = (u8 *)p + page;
	r->size = page * pages;
	r->fd = fd;
	r->cpu = cpu;
	r->overwrite = overwrite;
	return 0;
}

void ring_unmap(struct ring *r)
{
	if (r->page)
		munmap(r->page, r->size + (size_t)sysconf(_SC_PAGESIZE));
	r->page = NULL;
	free(r->fds);
	r->fds = NULL;
	r->nr_fds = 0;
}

/* The event with this descriptor writes there, too. */
void ring_add_fd(struct ring *r, int fd)
{
	r->fds = mem_resize(r->fds, r->nr_fds + 1, sizeof(*r->fds));
	r->fds[r->nr_fds++] = fd;
}

/*
 * The event that is polled has hung up, as its task has ended, and would do so
 * for ever. Returns another that writes there, or -1. Each that writes there is
 * woken with the ring.
 */
int ring_hung_up(struct ring *r)
{
	r->fd = r->polled + 1 < r->nr_fds ? r->fds[++r->polled] : -1;
	return r->fd;
}

/* Copy size bytes out of the ring, across its end if need be. */
static void ring_copy(const struct ring *r, u64 at, void *to, size_t size)
{
	u64 off = at & (r->size - 1);
	size_t first = size < r->size - off ? size : (size_t)(r->size - off);

	memcpy(to, r->data + off, first);
	memcpy((u8 *)to + first, r->data, size - first);
}

/* The bytes of whole records at the start of size bytes. */
static size_t whole_records(const struct ring *r, const u8 *p, size_t size)
{
	struct perf_event_header h;
	size_t at = 0;

	while (at < size) {
		memcpy(&h, p + at, sizeof(h));
		if (h.size < sizeof(h) || h.size & 7 || h.size > size - at) {
			if (!r->overwrite)
				complain("the ring of CPU %d holds a record of %u bytes; the rest of this pass is dropped",
					 r->cpu, h.size);
			break;
		}
		at += h.size;
	}
	return at;
}

bool ring_empty(const struct ring *r)
{
	return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE) == r->page->data_tail;
}

/*
 * Take out all records that are ready. They come behind so many bytes for the
 * caller's own use, in memory that the caller frees. NULL: there are none.
 */
void *ring_take(struct ring *r, size_t before, size_t *size)
{
	u64 head, tail;
	u8 *p = NULL;

	/* ring.publish C, the user, pairs with B in kernel/events/ring.c */
	head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	tail = r->page->data_tail;
	*size = 0;
	if (head == tail)
		return NULL;
	if (head - tail > r->size) {
		complain("the ring of CPU %d was overrun; %llu bytes are dropped", r->cpu,
			 (unsigned long long)(head - tail));
	} else {
		p = mem_resize(NULL, before + (size_t)(head - tail), 1);
		ring_copy(r, tail, p + before, (size_t)(head - tail));
		*size = whole_records(r, p + before, (size_t)(head - tail));
	}
	/* ring.tail D, the user, pairs with A in kernel/events/ring.c */
	__atomic_store_n(&r->page->data_tail, head, __ATOMIC_RELEASE);
	if (p && !*size) {
		free(p);
		p = NULL;
	}
	return p;
}

/* The same for a paused ring that overwrites: the newest records, newest first. */
void *ring_snapshot(struct ring *r, size_t before, size_t *size)
{
	u64 head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	/* it counts down from 0 */
	u64 written = 0 - head;
	u8 *p;

	*size = written < r->size ? (size_t)written : (size_t)r->size;
	if (!*size)
		return NULL;
	p = mem_resize(NULL, before + *size, 1);
	ring_copy(r, head, p + before, *size);
	*size = whole_records(r, p + before, *size);
	if (*size)
		return p;
	free(p);
	return NULL;
}
