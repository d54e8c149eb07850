// SPDX-License-Identifier: GPL-2.0
/*
 * The user's side of a ring: map it, and move its records to the file.
 *
 * Concepts: the kernel writes records and advances data_head; we read up to it
 * and advance data_tail, which gives the room back. Records are multiples of
 * eight bytes, so a header never straddles the end of the ring; a body may.
 * Contexts: record's loop, one thread.
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
#include "data/perfdata.h"

int ring_map(struct ring *r, int fd, int cpu, unsigned int pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p;

	p = mmap(NULL, page * (pages + 1), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->page = p;
	r->data = (u8 *)p + page;
	r->size = page * pages;
	r->fd = fd;
	r->cpu = cpu;
	return 0;
}

void ring_unmap(struct ring *r)
{
	if (r->page)
		munmap(r->page, r->size + (size_t)sysconf(_SC_PAGESIZE));
	r->page = NULL;
}

/* Copy size bytes out of the ring, across its end if need be. */
static void ring_copy(const struct ring *r, u64 at, void *to, size_t size)
{
	u64 off = at & (r->size - 1);
	size_t first = size < r->size - off ? size : (size_t)(r->size - off);

	memcpy(to, r->data + off, first);
	memcpy((u8 *)to + first, r->data, size - first);
}

/* Count what is between tail and head. -1 when it cannot be right. */
static int account_records(struct ring *r, struct pd_writer *w, u64 tail, u64 head)
{
	u64 whole[65536 / sizeof(u64)];
	struct perf_event_header h;

	while (tail < head) {
		ring_copy(r, tail, &h, sizeof(h));
		if (h.size < sizeof(h) || h.size & 7 || h.size > head - tail)
			return complain("the ring of CPU %d holds a record of %u bytes; the rest of this pass is dropped",
					r->cpu, h.size);
		/* of a sample only the fixed fields at its start count */
		ring_copy(r, tail, whole, h.type == PERF_RECORD_SAMPLE && h.size > 64 ?
			  64 : h.size);
		pd_account(w, (struct perf_event_header *)whole);
		tail += h.size;
	}
	return 0;
}

/* Move all records that are ready to the file. 0, or -1 on a write error. */
int ring_drain(struct ring *r, struct pd_writer *w)
{
	u64 head, tail, off, first;
	int ret = 0;

	/* ring.publish C, the user, pairs with B in kernel/events/ring.c */
	head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	tail = r->page->data_tail;
	if (head == tail)
		return 0;
	if (head - tail > r->size)
		return complain("the ring of CPU %d was overrun", r->cpu);
	if (!account_records(r, w, tail, head)) {
		off = tail & (r->size - 1);
		first = head - tail < r->size - off ? head - tail : r->size - off;
		ret = pd_append(w, r->data + off, first);
		if (!ret && first < head - tail)
			ret = pd_append(w, r->data, head - tail - first);
	}
	/* ring.tail D, the user, pairs with A in kernel/events/ring.c */
	__atomic_store_n(&r->page->data_tail, head, __ATOMIC_RELEASE);
	return ret;
}
