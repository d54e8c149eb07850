// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of a recording: how large, mapped, shared.
 *
 * Concepts: one ring for each CPU; the first descriptor of a CPU maps it, the
 * others of that CPU write into it. Snapshots have two: one that overwrites, for
 * samples, and one for the rest. Unless the user says how large, a ring has
 * room for half a second at the rate that was asked for, within a least and a
 * most, and within what this user may lock. Of the whole machine, events run
 * while /proc is read, so that no task comes unseen; samples begin behind that.
 * Contexts: start and end of record.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"

enum {
	LEAST_BYTES = 512 * 1024,	/* also for bursts of names and mappings */
	MOST_BYTES = 16 * 1024 * 1024,
	SAMPLE_BYTES = 64,
	CHAIN_BYTES = 256,		/* thirty frames */
	FIELD_BYTES = 64,		/* of a tracepoint */
	TRACE_HZ = 20000,		/* how often a tracepoint may well be passed */
};

static u64 bytes_a_second(const struct record_opts *o)
{
	u64 each = SAMPLE_BYTES + (o->chains ? CHAIN_BYTES : 0) + o->stack_bytes, sum = 0;
	unsigned int i;

	for (i = 0; i < o->events.nr; i++) {
		const struct perf_event_attr *a = &o->events.v[i]->attr;

		if (a->freq)
			sum += a->sample_freq * each;
		else if (a->type == PERF_TYPE_TRACEPOINT)
			sum += TRACE_HZ / a->sample_period * (each + FIELD_BYTES);
	}
	return sum;
}

static u64 choose_ring_bytes(const struct record_opts *o)
{
	u64 want = bytes_a_second(o) / 2, bytes = LEAST_BYTES;

	while (bytes < want && bytes < MOST_BYTES)
		bytes *= 2;
	return bytes;
}

static int explain_mmap(const struct record_opts *o, int err, u64 bytes)
{
	struct explanation x;
	char *line;

	explain_ring(&x, err, bytes, o->target.cpus.nr);
	line = explanation_line(&x);
	complain("%s", line);
	free(line);
	explanation_free(&x);
	return -1;
}

/* Map a ring, a smaller one when the size was not the user's wish. */
static int map_ring(struct record_opts *o, struct ring *ring, int fd, int cpu, bool overwrite)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	int ret;

	for (;;) {
		ret = ring_map(ring, fd, cpu, (unsigned int)(o->ring_bytes / page), overwrite);
		if (!ret)
			return 0;
		if ((ret != -EPERM && ret != -ENOMEM) || o->ring_given ||
		    o->ring_bytes <= 4 * page)
			return explain_mmap(o, -ret, o->ring_bytes);
		o->ring_bytes /= 2;
	}
}

/* The events of one CPU share a ring: the first descriptor maps it, the rest join. */
static int map_cpu(struct recording *r, const struct event_list *l, unsigned int c,
		   struct ring *rings, unsigned int *nr, bool overwrite)
{
	const struct target *tg = &r->o->target;
	unsigned int i, t;
	int owner = -1, fd;

	for (i = 0; i < l->nr; i++)
		for (t = 0; t < tg->tids.nr; t++) {
			fd = l->v[i]->fd[c * tg->tids.nr + t];
			if (fd < 0)
				continue;
			if (owner < 0) {
				owner = fd;
				if (map_ring(r->o, &rings[*nr], fd, tg->cpus.v[c], overwrite))
					return -1;
				++*nr;
			} else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, owner)) {
				return complain("event '%s' cannot share the ring of CPU %d: %s",
						l->v[i]->name, tg->cpus.v[c], strerror(errno));
			}
			ring_add_fd(&rings[*nr - 1], fd);
		}
	return 0;
}

/* For snapshots, samples go to rings that overwrite, and what tells of tasks to others. */
static int map_rings_of_cpu(struct recording *r, unsigned int c)
{
	if (!r->o->snapshot)
		return map_cpu(r, &r->all, c, r->rings, &r->nr_rings, false);
	if (map_cpu(r, &r->o->events, c, r->overwriting, &r->nr_overwriting, true))
		return -1;
	return map_cpu(r, &r->own, c, r->rings, &r->nr_rings, false);
}

int record_map_rings(struct recording *r)
{
	struct record_opts *o = r->o;
	unsigned int c;

	if (!o->ring_given)
		o->ring_bytes = choose_ring_bytes(o);
	r->rings = mem_zalloc(o->target.cpus.nr, sizeof(*r->rings));
	r->overwriting = mem_zalloc(o->target.cpus.nr, sizeof(*r->overwriting));
	for (c = 0; c < o->target.cpus.nr; c++)
		if (map_rings_of_cpu(r, c))
			return -1;
	if (!o->ring_given && o->ring_bytes * 10 < bytes_a_second(o))
		complain("note: the limit on locked memory allows only a ring of %llu KiB, for less than a tenth of a second; sysctl kernel.perf_event_mlock_kb raises it",
			 (unsigned long long)o->ring_bytes >> 10);
	return 0;
}

static bool is_own(const struct recording *r, u64 id)
{
	unsigned int i, k;

	for (i = 0; i < r->own.nr; i++)
		for (k = 0; k < r->own.v[i]->nr_cpus * r->own.v[i]->nr_tids; k++)
			if (r->own.v[i]->id[k] == id)
				return true;
	return false;
}

/* Take the samples of the user's events out of these records. Returns the bytes that are left. */
static size_t drop_samples(const struct recording *r, u8 *records, size_t size)
{
	const struct perf_event_header *h;
	size_t at, left = 0, n;

	for (at = 0; at < size; at += n) {
		h = (const struct perf_event_header *)(records + at);
		n = h->size;
		/* the id is the first word of a sample */
		if (h->type == PERF_RECORD_SAMPLE && !is_own(r, *(const u64 *)(h + 1)))
			continue;
		memmove(records + left, h, n);
		left += n;
	}
	return left;
}

/*
 * The past has been told, the pipeline is about to start: what tells of tasks
 * goes into its first pass. Samples from before are left out, as tasks that
 * ended before /proc was read to their place have no names and mappings.
 */
void record_skip_samples(struct recording *r)
{
	unsigned int i;
	struct chunk *c;
	size_t size;

	for (i = 0; i < r->nr_rings; i++) {
		c = ring_take(&r->rings[i], sizeof(*c), &size);
		if (!c)
			continue;
		*c = (struct chunk){ .pass = 1, .size = drop_samples(r, c->records, size) };
		if (c->size)
			mailbox_send(&r->pipeline.box, &c->msg, MESSAGE_CHUNK);
		else
			free(c);
	}
}

void record_unmap_rings(struct recording *r)
{
	unsigned int i;

	for (i = 0; i < r->nr_rings; i++)
		ring_unmap(&r->rings[i]);
	for (i = 0; i < r->nr_overwriting; i++)
		ring_unmap(&r->overwriting[i]);
	free(r->rings);
	free(r->overwriting);
}
