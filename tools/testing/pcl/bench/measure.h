/* SPDX-License-Identifier: GPL-2.0 */
/* Costs in what the emulator counts: instructions retired and register accesses, on this CPU. */
#ifndef PCL_BENCH_MEASURE_H
#define PCL_BENCH_MEASURE_H

#include "../pmu/stats.h"

struct cost {
	double stats[PMU_STAT_COUNT];
};

/* An operation: @prepare makes a state, @run does the operation @nr times, @finish unmakes it. Two may be NULL. */
struct operation {
	const char *name;
	void (*prepare)(long argument);
	void (*run)(unsigned long nr);
	void (*finish)(void);
	long argument, without;	/* for prepare(); without: for the same operation without events, -1: there is none */
	unsigned long nr;	/* repetitions in one loop */
	double per;		/* operations in one repetition */
};

/* The median of five loops. */
struct cost measure(const struct operation *operation, long argument);
void print_row(const struct operation *operation);

#endif
