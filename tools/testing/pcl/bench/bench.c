// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what operations cost the kernel: opening, reading, switching, forking, sampling, and in memory.
 *
 * Concepts: the rows stand in the files rows_*.c; `bench brief` measures those of the short form, `bench profile ROW
 *	LOOPS` says where one row's instructions go. Runs in real time, so that no other task has a part in a loop.
 * Contexts: root, one CPU, a fresh boot.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "events.h"

static void take_the_machine(void)
{
	struct sched_param first = { .sched_priority = 1 };
	struct rlimit files = { .rlim_cur = MAX_EVENTS + 100, .rlim_max = MAX_EVENTS + 100 };

	sysctl_set("sched_rt_runtime_us", -1);
	CHECK(!sched_setscheduler(0, SCHED_FIFO, &first));
	CHECK(!setrlimit(RLIMIT_NOFILE, &files));
	sysctl_set("perf_event_paranoid", -1);
	sysctl_set("perf_event_mlock_kb", 1 << 20);
	/* All memory that this program will use, so that no fork copies more than the one before. */
	CHECK(!mlockall(MCL_CURRENT) && !munlockall());
}

static int profile(const struct rows *const *tables, unsigned int nr, const char *name, const char *loops)
{
	const struct row *row = row_named(tables, nr, name);

	if (!row || row->absent || row->bytes) {
		fprintf(stderr, "bench: no row '%s' that does anything here\n", name);
		return 2;
	}
	profile_row(row, strtoul(loops, NULL, 0));
	return 0;
}

int main(int argc, char **argv)
{
	static const struct rows *const tables[] = {
		&rows_open, &rows_read, &rows_switch, &rows_task, &rows_sample, &rows_sources, &rows_memory,
	};
	const unsigned int nr = sizeof(tables) / sizeof(tables[0]);

	/* As the program that a row of rows_task.c executes. */
	if (argc > 1 && !strcmp(argv[1], "nothing"))
		return 0;
	take_the_machine();
	if (argc == 4 && !strcmp(argv[1], "profile"))
		return profile(tables, nr, argv[2], argv[3]);
	measure_rows(tables, nr, argc > 1 && !strcmp(argv[1], "brief"));
	return 0;
}
