// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the cost of one operation, with events and without.
 *
 * Concepts: one CPU, instructions as the clock: a loop costs the same every time, but for the ticks that fall into it.
 *	Of five loops the median is taken, for each statistic apart.
 * Contexts: root in the VM, on an emulator with pmu-stats=on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define LOOPS	5

static struct cost now(void)
{
	struct cost cost;
	int stat;

	for (stat = 0; stat < PMU_STAT_COUNT; stat++) {
		unsigned long long value;

		if (!pmu_stat_read(PMU_STAT_HERE, stat, &value)) {
			fprintf(stderr, "bench: the emulator counts nothing: pmu-stats=on is missing\n");
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

struct cost measure(const struct operation *operation, long argument)
{
	double found[PMU_STAT_COUNT][LOOPS];
	struct cost before, after, median;
	int loop, stat;

	if (operation->prepare)
		operation->prepare(argument);
	operation->run(operation->nr);
	for (loop = 0; loop < LOOPS; loop++) {
		before = now();
		operation->run(operation->nr);
		after = now();
		for (stat = 0; stat < PMU_STAT_COUNT; stat++)
			found[stat][loop] = (after.stats[stat] - before.stats[stat]) /
					    (operation->nr * operation->per);
	}
	if (operation->finish)
		operation->finish();
	for (stat = 0; stat < PMU_STAT_COUNT; stat++) {
		qsort(found[stat], LOOPS, sizeof(double), by_value);
		median.stats[stat] = found[stat][LOOPS / 2];
	}
	return median;
}

static void print_stat(const char *operation, const char *what, double value)
{
	printf("raw %s%s %.2f\n", operation, what, value > -0.005 && value < 0.005 ? 0 : value);
}

void print_row(const struct operation *operation)
{
	static const struct {
		enum pmu_stat stat;
		const char *name;
	} registers[] = {
		{ PMU_STAT_RDMSR, "/rdmsr" }, { PMU_STAT_WRMSR, "/wrmsr" },
		{ PMU_STAT_RDPMC, "/rdpmc" }, { PMU_STAT_LVTPC, "/lvtpc" },
	};
	struct cost with = measure(operation, operation->argument), without;
	unsigned int i;

	memset(&without, 0, sizeof(without));
	if (operation->without >= 0)
		without = measure(operation, operation->without);
	print_stat(operation->name, "", with.stats[PMU_STAT_INSN_KERNEL] - without.stats[PMU_STAT_INSN_KERNEL]);
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		print_stat(operation->name, registers[i].name,
			   with.stats[registers[i].stat] - without.stats[registers[i].stat]);
	fflush(stdout);
}
