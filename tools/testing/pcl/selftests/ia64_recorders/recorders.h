/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What recorders.c and spies.c share: events that record, their samples, and the tests of spies.c.
 */
#ifndef PCL_TEST_RECORDERS_H
#define PCL_TEST_RECORDERS_H

#include "../lib/itanium.h"

#define WHERE		0x10000010UL	/* instructions, none of which is of this program */
#define DATA		0x70000000UL
#define ROUNDS		1000		/* at most, where a switch of tasks may spoil one */
#define IP_EAR		(1ULL << 48)

/* ---- recorders.c ---- */

/* The event of the chip's data or fetch EAR */
uint64_t ear_of(const struct chip *chip, bool data);
/* An event whose samples have what was recorded; and one of CPU cycles with a stack of branches */
struct perf_event_attr recorder(uint64_t config, uint64_t period, unsigned int precise);
struct perf_event_attr brancher(void);
/* An event of this task, with a ring, which is empty at the end */
int open_recorder(struct perf_event_attr attr, struct ring *ring);
void close_recorder(int fd, struct ring *ring);
/* The next record of the ring, which is a sample of user mode; the same, of this task */
struct sample take_any(struct ring *ring, const struct perf_event_attr *attr, bool exact);
struct sample take(struct ring *ring, const struct perf_event_attr *attr, bool exact);
/* The branches of the next record; returns how many */
unsigned int take_branches(struct ring *ring, struct perf_branch_entry *branches, unsigned int most);

/* ---- spies.c: tests, on chip @nr ---- */

void loads_are_not_anothers(long nr);
void fetches_are_not_anothers(long nr);
void branches_are_not_anothers(long nr);
void bundles_are_not_anothers(long nr);
void the_cpus_records_are_not_for_who_may_read(long nr);

#endif
