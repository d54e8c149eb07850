// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what operations cost the kernel: opening, reading, switching, forking, sampling, and in memory.
 *
 * Concepts: the rows stand in the files rows_*.c; `bench brief` measures those of the short form. Runs in real time, so
 *	that no other task has a part in a loop.
 * Contexts: root, one CPU, a fresh boot.
 */
#include <sched.h>
#include <stdio.h>
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

int main(int argc, char **argv)
{
	static const struct rows *const tables[] = {
		&rows_open, &rows_read, &rows_switch, &rows_task, &rows_sample, &rows_sources, &rows_memory,
	};

	/* As the program that a row of rows_task.c executes. */
	if (argc > 1 && !strcmp(argv[1], "nothing"))
		return 0;
	take_the_machine();
	measure_rows(tables, sizeof(tables) / sizeof(tables[0]), argc > 1 && !strcmp(argv[1], "brief"));
	return 0;
}
