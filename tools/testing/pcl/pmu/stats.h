/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of the PMU model, for programs in the guest.
 *
 * With the private CPU property pmu-stats=on, an unprivileged CPUID leaf tells
 * what the guest did to its PMU. Include this file in any C program:
 *
 *	unsigned long long v;
 *	if (pmu_stat_read(PMU_STAT_HERE, PMU_STAT_WRMSR, &v)) ...
 */
#ifndef PCL_PMU_STATS_H
#define PCL_PMU_STATS_H

#ifdef __cplusplus
extern "C" {
#endif

enum pmu_stat {
	PMU_STAT_RDMSR,		/* RDMSRs of PMU registers */
	PMU_STAT_WRMSR,		/* WRMSRs of PMU registers */
	PMU_STAT_RDPMC,
	PMU_STAT_PMI,		/* interrupts that LVTPC let through */
	PMU_STAT_LVTPC,		/* writes of the local APIC's LVTPC */
	PMU_STAT_INSN_USER,	/* instructions retired at CPL > 0 */
	PMU_STAT_INSN_KERNEL,	/* instructions retired at CPL 0 */
	PMU_STAT_IPI,		/* writes of the local APIC's command register */
	PMU_STAT_LOCKED,	/* instructions with LOCK, and XCHGs of memory, at CPL 0 */
	PMU_STAT_REP_BYTES,	/* moved, stored or looked at by repeated string instructions at CPL 0 */
	PMU_STAT_COUNT
};

/*
 * EAX = the leaf; ECX = index | (CPU number + 1) << 16, or | 0 for the CPU that
 * asks. Answer: EBX:EAX = value, ECX = number of statistics, EDX = "PCL".
 */
#define PMU_STAT_LEAF	0x50434c00u
#define PMU_STAT_MAGIC	0x004c4350u
#define PMU_STAT_HERE	(-1)	/* the CPU that executes CPUID */

#if defined(__x86_64__) || defined(__i386__)
/* Returns 1 and the value, or 0 if there is no such statistic or no model. */
static inline int pmu_stat_read(int cpu, enum pmu_stat stat, unsigned long long *value)
{
	unsigned int a = PMU_STAT_LEAF, b, d;
	unsigned int c = (unsigned int)stat | (unsigned int)(cpu + 1) << 16;

	__asm__ volatile("cpuid" : "+a" (a), "=b" (b), "+c" (c), "=d" (d));
	if (d != PMU_STAT_MAGIC || (unsigned int)stat >= c)
		return 0;
	*value = (unsigned long long)b << 32 | a;
	return 1;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
