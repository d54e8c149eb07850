// SPDX-License-Identifier: GPL-2.0
/*
 * Reading counts: sums over descriptors, scaling, intervals.
 *
 * Concepts: the members of a group are read by one call, so that their counts
 * are of one moment. An event that shared its counter ran for only a part of the time
 * it was enabled; its scaled count estimates the whole. Scaling is done for
 * each descriptor, because each has times of its own.
 * Contexts: stat.
 * Locks: none.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"

double count_scale(u64 value, u64 enabled_ns, u64 running_ns)
{
	if (!running_ns)
		return 0;
	if (running_ns >= enabled_ns)
		return (double)value;
	return (double)value * ((double)enabled_ns / (double)running_ns);
}

/* The kernel lets a group grow to what 16 KiB hold: 3 words, then two for each member. */
enum { WORDS_MAX = 2048 };

/* The id of each descriptor of the event, to find it in its group's reading. */
static void learn_ids(struct event *e)
{
	unsigned int i;

	if (e->id)
		return;
	e->id = mem_zalloc(e->nr_cpus * e->nr_tids, sizeof(*e->id));
	for (i = 0; i < e->nr_cpus * e->nr_tids; i++)
		if (e->fd[i] >= 0) {
			event_calls.control++;
			ioctl(e->fd[i], PERF_EVENT_IOC_ID, &e->id[i]);
		}
}

static void count_add(struct count *sum, u64 value, u64 enabled_ns, u64 running_ns)
{
	sum->value += value;
	sum->enabled_ns += enabled_ns;
	sum->running_ns += running_ns;
	sum->scaled += count_scale(value, enabled_ns, running_ns);
}

/*
 * One descriptor of a leader, and so one moment for all of its group: words
 * are nr, enabled, running, {value, id}...
 */
static void add_group(struct event_list *l, const struct event *leader, unsigned int at,
		      const u64 *words, unsigned int part, unsigned int nr_parts,
		      struct count *sums)
{
	unsigned int i, k;

	for (i = 0; i < l->nr; i++) {
		struct event *e = l->v[i];

		if (e->leader != leader || !e->fd || e->fd[at] < 0)
			continue;
		for (k = 0; k < words[0]; k++)
			if (words[4 + 2 * k] == e->id[at])
				count_add(&sums[i * nr_parts + part], words[3 + 2 * k], words[1],
					  words[2]);
	}
}

/* Read one leader or lone event on its whole target. 0, or -errno. */
static int read_leader(struct event_list *l, unsigned int nth, const unsigned int *part_of,
		       unsigned int nr_parts, struct count *sums)
{
	struct event *e = l->v[nth];
	bool group = e->attr.read_format & PERF_FORMAT_GROUP;
	u64 words[WORDS_MAX];
	unsigned int at, part;
	ssize_t n;

	for (at = 0; at < e->nr_cpus * e->nr_tids; at++) {
		if (e->fd[at] < 0)
			continue;
		part = part_of ? part_of[at] : 0;
		event_calls.read++;
		n = read(e->fd[at], words, sizeof(words));
		if (n < 0)
			return -errno;
		if (n < (ssize_t)(3 * sizeof(u64)))
			continue;	/* end of file: a pinned event in error */
		if (group)
			add_group(l, e, at, words, part, nr_parts, sums);
		else
			count_add(&sums[nth * nr_parts + part], words[0], words[1], words[2]);
	}
	return 0;
}

/*
 * Sum all events over their target, or over its parts: descriptor at belongs
 * to part_of[at]; NULL: there is one part. sums is [event * nr_parts + part].
 * 0, or -errno of the first descriptor that failed.
 */
int events_read(struct event_list *l, const unsigned int *part_of, unsigned int nr_parts,
		struct count *sums)
{
	unsigned int i;
	int ret = 0, err;

	memset(sums, 0, l->nr * nr_parts * sizeof(*sums));
	for (i = 0; i < l->nr; i++)
		if (l->v[i]->fd && l->v[i]->leader->attr.read_format & PERF_FORMAT_GROUP)
			learn_ids(l->v[i]);
	for (i = 0; i < l->nr; i++) {
		if (!l->v[i]->fd || l->v[i]->leader != l->v[i])
			continue;
		err = read_leader(l, i, part_of, nr_parts, sums);
		ret = ret ? ret : err;
	}
	return ret;
}

/* What was counted between two readings. */
struct count count_diff(const struct count *now, const struct count *before)
{
	struct count d = {
		.value = now->value - before->value,
		.enabled_ns = now->enabled_ns - before->enabled_ns,
		.running_ns = now->running_ns - before->running_ns,
	};

	d.scaled = count_scale(d.value, d.enabled_ns, d.running_ns);
	return d;
}
