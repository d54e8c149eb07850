// SPDX-License-Identifier: GPL-2.0
/*
 * Records that tell of tasks and of what they map.
 *
 * Concepts: COMM names a thread, and says when it has become another program;
 * FORK and EXIT are its beginning and end; MMAP and MMAP2 map an object. What
 * such a record is too short for is 0, and its decoder returns false.
 * Contexts: all who follow tasks, in a recording or while it is made.
 * Locks: none.
 */
#include <sys/mman.h>

#include "internal.h"
#include "data/read.h"

bool record_is_of_tasks(u32 type)
{
	switch (type) {
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return true;
	}
	return false;
}

/* The body of a record as the kernel hands it over, in our byte order. */
struct cursor record_raw_body(const struct perf_event_header *h)
{
	return cursor_of(h + 1, h->size - sizeof(*h));
}

/* The text in which a record ends, "" when it has no end. */
static const char *take_name(struct cursor *c)
{
	return cursor_text(c, cursor_left(c));
}

bool comm_decode(const struct perf_event_header *h, struct cursor c, struct pd_comm *comm)
{
	comm->pid = (s32)cursor_u32(&c);
	comm->tid = (s32)cursor_u32(&c);
	comm->exec = h->misc & PERF_RECORD_MISC_COMM_EXEC;
	comm->name = take_name(&c);
	return !c.bad;
}

/* FORK, and EXIT. */
bool fork_decode(struct cursor c, struct pd_fork *f)
{
	f->pid = (s32)cursor_u32(&c);
	f->ppid = (s32)cursor_u32(&c);
	f->tid = (s32)cursor_u32(&c);
	f->ptid = (s32)cursor_u32(&c);
	return !c.bad;
}

/* Which file is mapped: by its build id, or by its inode. */
static void take_file(struct cursor *c, bool by_build_id, struct pd_mmap *m)
{
	if (!by_build_id) {
		m->major = cursor_u32(c);
		m->minor = cursor_u32(c);
		m->inode = cursor_u64(c);
		m->generation = cursor_u64(c);
		return;
	}
	m->by_build_id = true;
	m->build_id_len = cursor_u8(c);
	cursor_skip(c, 3);
	cursor_bytes(c, m->build_id, sizeof(m->build_id));
	/* one that is longer than any is no build id */
	if (m->build_id_len > PD_BUILD_ID_MAX)
		m->build_id_len = 0;
}

/* MMAP or MMAP2. A mapping that would reach beyond the last address ends there. */
bool mmap_decode(const struct perf_event_header *h, struct cursor c, struct pd_mmap *m)
{
	*m = (struct pd_mmap){ .v2 = h->type == PERF_RECORD_MMAP2 };
	m->kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	m->pid = (s32)cursor_u32(&c);
	m->tid = (s32)cursor_u32(&c);
	m->start = cursor_u64(&c);
	m->len = cursor_u64(&c);
	m->end = m->len > ~m->start ? ~0ull : m->start + m->len;
	m->pgoff = cursor_u64(&c);
	if (m->v2) {
		take_file(&c, h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID, m);
		m->prot = cursor_u32(&c);
		m->flags = cursor_u32(&c);
	} else {
		/* of code, unless it is said to be of data */
		m->prot = h->misc & PERF_RECORD_MISC_MMAP_DATA ? PROT_READ : PROT_EXEC;
	}
	m->exec = m->prot & PROT_EXEC;
	m->name = take_name(&c);
	return !c.bad;
}
