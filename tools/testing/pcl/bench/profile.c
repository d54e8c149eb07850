// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: where the instructions of one row go.
 *
 * Concepts: the row's work is repeated, and while it runs an event of this CPU samples the kernel's instructions, on the
 *	exact counter that the emulator has. The event is one more than the row has: what the kernel does for it where it
 *	stops and starts a PMU is in the picture, on stock as on PCL.
 * Contexts: root in the VM, SCHED_FIFO.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../selftests/lib/event.h"
#include "measure.h"

#define PERIOD		10007	/* prime: in step with no loop; an interrupt of the sampler costs some hundreds */
#define RING_PAGES	1024
#define MAX_SAMPLES	4000000

static uint64_t *sampled;
static unsigned long nr_sampled, nr_lost;

static int sampler(void)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);

	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	return must_open(&attr, -1, 0, -1);
}

static void take(struct ring *from)
{
	static struct record record;

	while (ring_take(from, &record)) {
		if (record.header.type == PERF_RECORD_SAMPLE && nr_sampled < MAX_SAMPLES)
			sampled[nr_sampled++] = record.body[0];
		else
			nr_lost++;
	}
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void print_addresses(void)
{
	unsigned long i, first = 0;

	qsort(sampled, nr_sampled, sizeof(*sampled), by_address);
	for (i = 1; i <= nr_sampled; i++) {
		if (i < nr_sampled && sampled[i] == sampled[first])
			continue;
		printf("at %llx %lu\n", (unsigned long long)sampled[first], i - first);
		first = i;
	}
}

void profile_row(const struct row *row, unsigned long loops)
{
	struct ring samples;
	unsigned long i;
	int fd;

	lift_throttling();
	sampled = malloc(MAX_SAMPLES * sizeof(*sampled));
	CHECK(sampled);
	if (row->work->prepare)
		row->work->prepare(row->argument);
	fd = sampler();
	samples = ring_map(fd, RING_PAGES, PROT_READ | PROT_WRITE);
	for (i = 0; i <= loops; i++) {
		if (row->work->ready)
			row->work->ready();
		event_enable(fd);
		row->work->run(row->nr);
		event_disable(fd);
		take(&samples);
		if (!i)
			nr_sampled = nr_lost = 0;	/* the first time is not as the others */
	}
	printf("profile %g operations, a sample each %u instructions, %lu lost\n", loops * row->nr * row->per, PERIOD,
	       nr_lost);
	print_addresses();
	ring_unmap(&samples);
	close(fd);
	if (row->work->finish)
		row->work->finish();
}
