// SPDX-License-Identifier: GPL-2.0
/*
 * Which PMU does this machine have?
 *
 * Concepts: CPUID register 3 holds the processor's revision in bits 15:8, its model in 23:16 and its family in 31:24
 * (SDM volume 1, 3.1.11). The family has one kind of PMU; but a model that is not known here is not driven, since what
 * its PMU counts need not be the same: Tukwila, as far as is known, is the next model of Montecito's family.
 *
 * Contexts: boot, on the boot CPU.
 *
 * Locks: none.
 */
#include <linux/printk.h>

#include "driver.h"

static const struct pmu_row {
	u8 family, first, last;		/* models */
	const struct ia64_family *pmu;
} pmu_rows[] = {
	{ 0x07, 0, 0, &ia64_merced },
	{ 0x1f, 0, 0, &ia64_mckinley },
	{ 0x1f, 1, 2, &ia64_madison },		/* 2: with up to 9 MB of cache */
	{ 0x20, 0, 0, &ia64_montecito },
	{ 0x20, 1, 1, &ia64_montvale },
};

/* Fills ia64_machine from the processor's own word for itself; false: no PMU that we know. */
bool __init ia64_detect(u64 cpuid3)
{
	u8 model = cpuid3 >> 16, family = cpuid3 >> 24;
	unsigned int i;

	ia64_machine.family = NULL;
	for (i = 0; i < ARRAY_SIZE(pmu_rows); i++) {
		const struct pmu_row *row = &pmu_rows[i];

		if (row->family == family && row->first <= model && model <= row->last)
			ia64_machine.family = row->pmu;
	}
	if (!ia64_machine.family) {
		pr_info("Performance events: no PMU driver for family 0x%02x, model %u, software events only\n",
			family, model);
		return false;
	}
	ia64_machine.max_period = BIT_ULL(ia64_machine.family->width - 1) - 1;
	return true;
}
