// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the cost of each row, and its floor.
 *
 * Concepts: one CPU, instructions as the clock: a loop costs the same every time, but for the ticks that fall into it.
 *	Of five loops the median is taken, for each statistic apart. All floors are measured before the first row, and
 *	so before the first event of this boot, because what an event leaves behind (keys, contexts) would be in them.
 *	Nothing is printed before the end: the console's interrupts would fall into the loops.
 * Contexts: root in the VM, on an emulator with pmu-stats, SCHED_FIFO.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/event.h"
#include "measure.h"

#define LOOPS		5
#define MAX_ROWS	256

static const char *const stat_names[PMU_STAT_COUNT] = STAT_NAMES;

static struct cost now(void)
{
	struct cost cost = { .bytes = 0 };
	int stat;

	for (stat = 0; stat < PMU_STAT_COUNT; stat++) {
		unsigned long long value;

		if (!pmu_stat_read(PMU_STAT_HERE, stat, &value)) {
			fprintf(stderr, "bench: the emulator counts nothing: pmu-stats is missing\n");
			exit(2);
		}
		cost.stats[stat] = value;
	}
	return cost;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void one_loop(const struct row *row, const struct work *work, struct cost *cost)
{
	double times = row->nr * row->per;
	struct cost before, after;
	int stat;

	/* The kernel's own tasks do what they have to: in real time a task that they wait behind switches differently. */
	usleep(SETTLE_US);
	if (work->ready)
		work->ready();
	before = now();
	work->run(row->nr);
	after = now();
	for (stat = 0; stat < PMU_STAT_COUNT; stat++)
		cost->stats[stat] = (after.stats[stat] - before.stats[stat]) / times;
}

static struct cost median_of(const struct cost *costs, unsigned int nr)
{
	struct cost median = { .bytes = 0 };
	double sorted[LOOPS];
	unsigned int loop;
	int stat;

	for (stat = 0; stat < PMU_STAT_COUNT; stat++) {
		for (loop = 0; loop < nr; loop++)
			sorted[loop] = costs[loop].stats[stat];
		qsort(sorted, nr, sizeof(double), by_value);
		median.stats[stat] = sorted[nr / 2];
	}
	return median;
}

static struct cost measure(const struct row *row, const struct work *work, long argument)
{
	unsigned int loops = row->loops ? row->loops : LOOPS, loop;
	struct cost costs[LOOPS];

	if (work->prepare)
		work->prepare(argument);
	one_loop(row, work, &costs[0]);
	for (loop = 0; loop < loops; loop++)
		one_loop(row, work, &costs[loop]);
	if (work->finish)
		work->finish();
	return median_of(costs, loops);
}

/* Memory in no use, in bytes: what the zones have, and what the CPU keeps by itself. */
static double free_bytes(void)
{
	unsigned long pages, sum = 0;
	char line[256];
	FILE *f = fopen("/proc/zoneinfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, " nr_free_pages %lu", &pages) == 1 || sscanf(line, " count: %lu", &pages) == 1)
			sum += pages;
	if (f)
		fclose(f);
	return sum * (double)PAGE;
}

/* The first time is for what is kept when events go: slabs, tables that grow. */
static struct cost measure_bytes(const struct row *row, const struct work *work, long argument)
{
	struct cost cost = { .bytes = 0 };
	int pass;

	for (pass = 0; pass < 2; pass++) {
		double before;

		usleep(SETTLE_US);
		if (work->prepare)
			work->prepare(argument);
		before = free_bytes();
		work->run(row->nr);
		cost.bytes = (before - free_bytes()) / (row->nr * row->per);
		work->finish();
	}
	return cost;
}

static struct cost measure_any(const struct row *row, const struct work *work, long argument)
{
	return row->bytes ? measure_bytes(row, work, argument) : measure(row, work, argument);
}

/* Whether two rows have one floor, as rows do that differ in their events alone. */
static bool same_floor(const struct row *a, const struct row *b)
{
	return a->floor == b->floor && a->nr == b->nr && a->per == b->per && a->loops == b->loops &&
	       a->bytes == b->bytes && (a->floor == a->work) == (b->floor == b->work) &&
	       (a->floor == a->work || a->argument == b->argument);
}

static void print_cost(const char *name, const struct row *row, const struct cost *with, const struct cost *without)
{
	int stat;

	if (row->bytes) {
		printf("figure %s bytes %.4f %.4f\n", name, with->bytes, without->bytes);
		return;
	}
	for (stat = 0; stat < PMU_STAT_COUNT; stat++)
		if (stat_names[stat])
			printf("figure %s %s %.4f %.4f\n", name, stat_names[stat], with->stats[stat],
			       without->stats[stat]);
	if (row->reads)
		printf("limit %s %s %.4f\n", name, READ_STAT, row->reads);
}

static unsigned int choose(const struct rows *const *tables, unsigned int nr, bool brief, const struct row **chosen)
{
	unsigned int table, i, count = 0;

	for (table = 0; table < nr; table++)
		for (i = 0; i < tables[table]->nr; i++)
			if ((!brief || tables[table]->rows[i].brief) && !tables[table]->rows[i].absent &&
			    count < MAX_ROWS)
				chosen[count++] = &tables[table]->rows[i];
	return count;
}

const struct row *row_named(const struct rows *const *tables, unsigned int nr, const char *name)
{
	unsigned int table, i;

	for (table = 0; table < nr; table++)
		for (i = 0; i < tables[table]->nr; i++)
			if (!strcmp(tables[table]->rows[i].name, name))
				return &tables[table]->rows[i];
	return NULL;
}

void measure_rows(const struct rows *const *tables, unsigned int nr, bool brief)
{
	static const struct cost nothing;
	static struct cost floors[MAX_ROWS], costs[MAX_ROWS];
	const struct row *rows[MAX_ROWS];
	unsigned int count = choose(tables, nr, brief, rows), i, other;

	for (i = 0; i < count; i++) {
		if (!rows[i]->floor)
			continue;
		for (other = 0; other < i && !same_floor(rows[i], rows[other]); other++)
			;
		floors[i] = other < i ? floors[other] :
			    measure_any(rows[i], rows[i]->floor, rows[i]->floor == rows[i]->work ? 0 : rows[i]->argument);
	}
	for (i = 0; i < count; i++)
		if (!rows[i]->unused)
			costs[i] = measure_any(rows[i], rows[i]->work, rows[i]->argument);
	for (i = 0; i < count; i++) {
		if (rows[i]->unused)
			print_cost(rows[i]->name, rows[i], &floors[i], &nothing);
		else
			print_cost(rows[i]->name, rows[i], &costs[i], &floors[i]);
	}
	printf("rows %u\n", count);
}
