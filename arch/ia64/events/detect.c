// SPDX-License-Identifier: GPL-2.0
/*
 * Which PMU does this machine have?
 *
 * Concepts: CPUID register 3 holds the processor's revision in bits 15:8, its model in 23:16 and its family in 31:24
 * (SDM volume 1, 3.1.11). The family has one kind of PMU.
 *
 * Contexts: boot, on the boot CPU.
 *
 * Locks: none.
 */
#include <linux/printk.h>

#include "driver.h"

static const struct pmu_row {
	u8 family, model;		/* from this model on; of rows that fit, the last */
	const struct ia64_family *pmu;
} pmu_rows[] = {
	{ 0x07, 0, &ia64_merced },
	{ 0x1f, 0, &ia64_mckinley },
	{ 0x1f, 1, &ia64_madison },
	{ 0x20, 0, &ia64_montecito },
	{ 0x20, 1, &ia64_montvale },
};

/* Fills ia64_machine from the processor's own word for itself; false: no PMU that we know. */
bool __init ia64_detect(u64 cpuid3)
{
	u8 model = cpuid3 >> 16, family = cpuid3 >> 24;
	unsigned int i;

	ia64_machine.family = NULL;
	for (i = 0; i < ARRAY_SIZE(pmu_rows); i++) {
		if (pmu_rows[i].family == family && pmu_rows[i].model <= model)
			ia64_machine.family = pmu_rows[i].pmu;
	}
	if (!ia64_machine.family) {
		pr_info("Performance events: no PMU driver for family 0x%02x, software events only\n", family);
		return false;
	}
	ia64_machine.max_period = BIT_ULL(ia64_machine.family->width - 1) - 1;
	return true;
}
