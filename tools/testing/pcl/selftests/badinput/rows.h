/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of bad input: calls that a kernel should refuse, and some that look bad and are accepted.
 *
 * A row makes one call, through CALL() or by itself after a watch_refusals(), so that the reason that PCL notes is
 * the reason of that call. What the call gives is not written here: the stock kernel tells.
 */
#ifndef PCL_TEST_ROWS_H
#define PCL_TEST_ROWS_H

#include "../lib/event.h"

/* The arguments of perf_event_open(2); a row changes what it wants bad. */
struct call {
	struct perf_event_attr attr;
	const void *attr_at;	/* instead of &attr */
	pid_t pid;
	int cpu;
	int group;
	unsigned long flags;
};

struct open_row {
	const char *name;
	void (*prepare)(struct call *call);
};

struct use_row {
	const char *name;
	long (*use)(void);
};

extern const struct open_row open_rows[];
extern const struct use_row use_rows[];

/* What else a row found out, printed behind its result. */
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The call that a row is about. */
#define CALL(expression) (watch_refusals(), (long)(expression))

/* Opens what a row needs: an event of this task, a group's leader, an event of CPU 0. */
int good_event(uint32_t type, uint64_t config);
int good_leader(void);
int good_on_cpu(int cpu);
/* The type of a PMU, and the number of a tracepoint, that not each machine has. */
uint32_t pmu_here(const char *name);
uint64_t tracepoint_here(const char *name);
/* A child that lives as long as the row. */
pid_t living_child(void);

#endif
