/* SPDX-License-Identifier: GPL-2.0 */
/* Costs in what the emulator counts: instructions retired, register accesses and the like, on this CPU. */
#ifndef PCL_BENCH_MEASURE_H
#define PCL_BENCH_MEASURE_H

#include <stdbool.h>

#include "machine.h"

/* A number of machine.h as it is in the name of a row */
#define NAMED(number)	NAMED_(number)
#define NAMED_(number)	#number

struct cost {
	double stats[PMU_STAT_COUNT];
	double bytes;			/* of memory that is no longer free */
};

/* Something to do: @prepare makes a state, @run does it @nr times, @finish unmakes it. All but @run may be NULL. */
struct work {
	void (*prepare)(long argument);
	void (*ready)(void);		/* before each loop, not measured */
	void (*run)(unsigned long nr);
	void (*finish)(void);
};

/*
 * A row. @floor is what cannot be avoided: measured before any event existed. Where it is @work itself, that is done
 * with the argument 0: without events. NULL: all of the cost is the row's.
 */
struct row {
	const char *name;
	const struct work *work, *floor;
	long argument;			/* for prepare() of both */
	unsigned long nr;		/* repetitions in one loop */
	double per;			/* operations in one repetition */
	unsigned int loops;		/* 0: five */
	double reads;			/* of counters, that cannot be avoided */
	bool unused;			/* what is done without events is the row */
	bool bytes;			/* memory is what is measured; @run takes it, @finish gives it back */
	bool brief;			/* is in the short form */
	bool absent;			/* not measured: this machine has not what it needs */
};

struct rows {
	const struct row *rows;
	unsigned int nr;
};

#define ROWS(table)	{ table, sizeof(table) / sizeof((table)[0]) }

/* One file each. */
extern const struct rows rows_open, rows_read, rows_switch, rows_task, rows_sample, rows_sources, rows_memory;

/* The row of that name, or NULL. */
const struct row *row_named(const struct rows *const *tables, unsigned int nr, const char *name);

/* Repeats a row so many times, and prints at which of the kernel's instructions it was. */
void profile_row(const struct row *row, unsigned long loops);

/* Measures all floors, then all rows (the short form's, if @brief), and prints both. */
void measure_rows(const struct rows *const *tables, unsigned int nr, bool brief);

#endif
