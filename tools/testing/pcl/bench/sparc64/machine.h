/* SPDX-License-Identifier: GPL-2.0 */
/* What the rows must know of sparc64's machine: an emulated UltraSPARC with the counters of an UltraSPARC III. */
#ifndef PCL_BENCH_MACHINE_H
#define PCL_BENCH_MACHINE_H

#include "../../pmu/sparc64/stats.h"

/*
 * What is printed of the statistics; the one that counts reads of counters, and how many it takes to read so many: both
 * are halves of one register
 */
#define STAT_NAMES {									\
	[PMU_STAT_RDPCR] = "rdpcr", [PMU_STAT_WRPCR] = "wrpcr",				\
	[PMU_STAT_RDPIC] = "rdpic", [PMU_STAT_WRPIC] = "wrpic",				\
	[PMU_STAT_INSN_KERNEL] = "insn", [PMU_STAT_ATOMIC] = "atomic",			\
	[PMU_STAT_TRAPS] = "traps",							\
}
#define READ_STAT		"rdpic"
#define READS_OF(counters)	1

/* The counters; one fewer; twice as many: bare numbers, for they are in names of rows */
#define FULL		2
#define NEARLY_FULL	1
#define OVERFULL	4

/* A code, and its counters: PIC1 1, PIC0 2. Alike in stock. */
#define RAW(code, pics)	((code) << 16 | (pics))
/* OVERFULL ones that each counter can count, instructions and cycles; FULL ones of what never happens, SW_count */
#define RAW_EVENTS	{ RAW(0x01, 3), RAW(0x00, 3), RAW(0x01, 3), RAW(0x00, 3) }
#define NEVER_EVENTS	{ RAW(0x14, 2), RAW(0x1c, 1) }

/* What ten thousand iterations of loop_run() add to the first raw event */
#define LOOP_COUNT	20000

/* Has the machine counters for one event alone; does the kernel know a CPU that is never online */
#define HAS_FIXED	0
#define HAS_OTHER_CPU	0

/* A CPU that has nothing to do executes instructions, so that rows wait for what must be, and none for a second. */
#define SETTLE_US	4000
#define WAITS_LONG	0

/* Does a fork cost the same in each boot, so that the short form may hold it */
#define STEADY_FORKS	0

/* In the unit of cycles_now(), ten instructions: a tick; less than the kernel needs for one */
#define TICK		400000UL	/* HZ is 250 */
#define NOTICED		30UL

/* Where mappings are made that are measured: at the same place, tables of pages cost the same each time. */
#define MAPPED		((void *)0x20000000000UL)

#endif
