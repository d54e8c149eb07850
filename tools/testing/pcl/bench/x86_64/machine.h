/* SPDX-License-Identifier: GPL-2.0 */
/* What the rows must know of x86-64's machine: an emulated Skylake, on kernels that know of four CPUs. */
#ifndef PCL_BENCH_MACHINE_H
#define PCL_BENCH_MACHINE_H

#include "../../pmu/stats.h"

/* What is printed of the statistics; the one that counts reads of counters, and how many it takes to read so many */
#define STAT_NAMES {									\
	[PMU_STAT_RDMSR] = "rdmsr", [PMU_STAT_WRMSR] = "wrmsr",				\
	[PMU_STAT_RDPMC] = "rdpmc", [PMU_STAT_LVTPC] = "lvtpc",				\
	[PMU_STAT_INSN_KERNEL] = "insn", [PMU_STAT_IPI] = "ipi",			\
	[PMU_STAT_LOCKED] = "locked", [PMU_STAT_REP_BYTES] = "rep-bytes",		\
}
#define READ_STAT		"rdpmc"
#define READS_OF(counters)	(counters)

/* The general counters; one fewer; twice as many: bare numbers, for they are in names of rows */
#define FULL		4
#define NEARLY_FULL	3
#define OVERFULL	8

/* Raw events, as many as OVERFULL, that each general counter can count; FULL ones of what never happens */
#define RAW_EVENTS	{ 0xc4, 0x01c4, 0x20c4, 0x81d0, 0x82d0, 0x04c4, 0x08c4, 0x10c4 }
#define NEVER_EVENTS	{ 0x40c4, 0x40c4, 0x40c4, 0x40c4 }

/* What ten thousand iterations of loop_run() add to the first raw event */
#define LOOP_COUNT	10000

/* Has the machine counters for one event alone; does the kernel know a CPU that is never online */
#define HAS_FIXED	1
#define HAS_OTHER_CPU	1

/* What a CPU that has nothing to do costs the emulator, nothing, decides how long to wait for what goes by itself. */
#define SETTLE_US	20000	/* grace periods */
#define WAITS_LONG	1	/* for hooks, longer than a second */

/* Does a fork cost the same in each boot, so that the short form may hold it */
#define STEADY_FORKS	1

/* In the unit of cycles_now(), an instruction: a tick; less than the kernel needs for anything */
#define TICK		4000000UL	/* HZ is 250 */
#define NOTICED		300UL

/* Where mappings are made that are measured: at the same place, tables of pages cost the same each time. */
#define MAPPED		((void *)0x200000000000UL)

#endif
