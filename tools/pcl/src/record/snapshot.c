// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: the newest records, when somebody asks for them.
 *
 * Concepts: samples go to rings that overwrite the oldest; nothing reads them
 * until a snapshot is asked for. Then the rings are paused, copied, and go on.
 * Names, tasks and mappings go to rings of their own, and are kept in memory,
 * so that samples of tasks that have ended can still be told.
 * Contexts: record's writer.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"
#include "record/record.h"

/* Records that tell of tasks and mappings; the chunk is ours. */
void snapshot_keep(struct snapshot *s, struct chunk *c)
{
	const u8 *p = c->records, *end = p + c->size;
	const struct perf_event_header *h;

	for (; p < end; p += h->size) {
		h = (const struct perf_event_header *)p;
		output_note(s->out, h);
	}
	chunk_free(c);
}

static void pause_ring(const struct ring *r, unsigned int how)
{
	/* a ring that cannot be paused is read as it runs; its oldest records may be cut */
	ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, how);
}

/* One file with what the rings hold now. */
int snapshot_write(struct snapshot *s)
{
	struct output *out = s->out;
	unsigned int i;
	size_t size;
	void *p;
	int ret;

	ret = output_open(out);
	for (i = 0; i < s->nr_rings; i++) {
		pause_ring(&s->rings[i], 1);
		p = ring_snapshot(&s->rings[i], 0, &size);
		pause_ring(&s->rings[i], 0);
		if (p && pd_records(&out->w, p, size))
			ret = -1;
		free(p);
	}
	if (pd_round(&out->w))
		ret = -1;
	return output_close(out) || ret ? -1 : 0;
}
