// SPDX-License-Identifier: GPL-2.0
/*
 * Reading counts: sums over descriptors, scaling, intervals, runs.
 *
 * Concepts: an event that shared its counter ran for only a part of the time
 * it was enabled; its scaled count estimates the whole. Scaling is done for
 * each descriptor, because each has times of its own.
 * Contexts: stat.
 * Locks: none.
 */
#include <errno.h>
#include <math.h>
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

/* Layout: PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING. */
struct reading {
	u64 value;
	u64 enabled_ns;
	u64 running_ns;
};

/* Sum the event over its target. 0, or -errno when a descriptor fails. */
int event_read(struct event *e, struct count *sum)
{
	struct reading r;
	unsigned int i;
	ssize_t n;

	*sum = (struct count){ 0 };
	if (!e->fd)
		return 0;
	for (i = 0; i < e->nr_cpus * e->nr_tids; i++) {
		if (e->fd[i] < 0)
			continue;
		n = read(e->fd[i], &r, sizeof(r));
		if (n < 0)
			return -errno;
		if (n != (ssize_t)sizeof(r))
			continue;	/* end of file: a pinned event in error */
		sum->value += r.value;
		sum->enabled_ns += r.enabled_ns;
		sum->running_ns += r.running_ns;
		sum->scaled += count_scale(r.value, r.enabled_ns, r.running_ns);
	}
	return 0;
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

/* Mean and variance in one pass (Welford 1962). */
void tally_add(struct tally *t, double v)
{
	double delta = v - t->mean;

	t->nr++;
	t->mean += delta / t->nr;
	t->m2 += delta * (v - t->mean);
}

/* Standard deviation of the sample of runs. */
double tally_dev(const struct tally *t)
{
	return t->nr > 1 ? sqrt(t->m2 / (t->nr - 1)) : 0;
}
