/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a row, said by its argument: a number, and flags. 0 is none. */
#ifndef PCL_BENCH_EVENTS_H
#define PCL_BENCH_EVENTS_H

#include "../selftests/lib/event.h"
#include "measure.h"

#define NUMBER		0xffff
#define HARDWARE	0x10000		/* else task-clock */
#define GROUP		0x20000		/* one group, read with times and ids */
#define INHERITED	0x40000
#define CALLCHAIN	0x80000
#define SAMPLED		0x100000
#define COUNTED		0x200000	/* page faults */
#define FIXED		0x400000	/* with HARDWARE: an event that has a counter of its own */
#define KERNEL		0x800000	/* the kernel counts too */
#define FREQUENCY	0x1000000	/* with HARDWARE: in frequency mode, of what never happens */
#define WAKEUP		0x2000000	/* with SAMPLED: each sample wakes */
#define SIGNALLED	0x4000000	/* with WAKEUP: by SIGIO */
#define CONSUMED	0x8000000	/* with SAMPLED: a ring from which records are taken */
#define ELSEWHERE	0x10000000	/* of this task, on CPU 1 alone, which is never online */
#define CPU_WIDE	0x20000000	/* of CPU 0 */
#define SIDEBAND	0x40000000	/* one more, which records switches, mappings and names */
#define ON_EXEC		0x80000000L	/* enabled by exec */

#define MAX_EVENTS	10000
#define SOFTWARE_GROUP	4		/* and no hardware group is larger */

extern int events[MAX_EVENTS], nr_events;
extern struct ring ring;

struct perf_event_attr attr_of(long argument, int which);
/* Of how many events is a group that is opened and closed, not counting others: one where the argument is of none */
int group_of(long argument);
/* Of the task @pid, 0: this one. */
void open_events_of(pid_t pid, long argument);
/* The plain events alone, behind the first @from of events[]. */
void open_more_events(pid_t pid, long argument, int from);
void open_events(long argument);
void close_events(void);

/* A child that sleeps until it is told to go. */
pid_t sleeper_start(void);
void sleeper_stop(pid_t pid);

/* The floors that several files need: eventfds opened and closed, nothing. */
extern const struct work eventfd_pairs;

#endif
