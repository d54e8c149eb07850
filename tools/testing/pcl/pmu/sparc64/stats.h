/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of the PMU model of sparc64, for programs in the guest.
 *
 * With the private CPU property pmu-stats=1, loads from an unprivileged
 * address space tell what the guest did to its PMU. Include this file in any C
 * program:
 *
 *	unsigned long long v;
 *	if (pmu_stat_read(PMU_STAT_HERE, PMU_STAT_WRPCR, &v)) ...
 *
 * Without the property there are none. On a machine without this model the load
 * is an access to nothing, which the kernel may take for broken hardware: ask
 * only where the model is known to be.
 */
#ifndef PCL_PMU_STATS_H
#define PCL_PMU_STATS_H

#ifdef __cplusplus
extern "C" {
#endif

enum pmu_stat {
	PMU_STAT_RDPCR,		/* reads of PCR */
	PMU_STAT_WRPCR,
	PMU_STAT_RDPIC,		/* reads of PIC */
	PMU_STAT_WRPIC,
	PMU_STAT_PMI,		/* interrupts: SOFTINT bit 15 set by an overflow */
	PMU_STAT_INSN_USER,	/* instructions retired at user level */
	PMU_STAT_INSN_KERNEL,	/* instructions retired at privileged level */
	PMU_STAT_ATOMIC,	/* of the latter, those that load and store */
	PMU_STAT_TRAPS,		/* traps taken, interrupts among them */
	PMU_STAT_COUNT
};

/* Statistic n is at address 8 * n. At that of the last index: magic | number of statistics. */
#define PMU_STAT_ABOUT	0x1ffULL
#define PMU_STAT_MAGIC	0x50434c0000000000ULL
#define PMU_STAT_HERE	(-1)	/* the CPU that asks; this machine has no other */

#if defined(__sparc__) && defined(__arch64__)
static inline unsigned long long pmu_stat_load(unsigned long long index)
{
	unsigned long long value;

	__asm__ volatile("ldxa [%1] 0xb8, %0" : "=r" (value) : "r" (8 * index));
	return value;
}

/* Returns 1 and the value, or 0 if there is no such statistic. */
static inline int pmu_stat_read(int cpu, enum pmu_stat stat, unsigned long long *value)
{
	unsigned long long about = pmu_stat_load(PMU_STAT_ABOUT);

	if (about < PMU_STAT_MAGIC || (unsigned long long)stat >= about - PMU_STAT_MAGIC || cpu > 0)
		return 0;
	*value = pmu_stat_load(stat);
	return 1;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
