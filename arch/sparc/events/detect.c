// SPDX-License-Identifier: GPL-2.0
/*
 * Which PMU does this machine have?
 *
 * Concepts: the kernel finds the processor's name for its PMU at boot, by the version register (VER) on sun4u, by what
 * the firmware says on sun4v (arch/sparc/kernel/cpu.c, sparc_pmu_type). UltraSPARC IV has III+'s, and IIIi+ has IIIi's.
 *
 * Contexts: boot, on the boot CPU.
 *
 * Locks: none.
 */
#include <linux/printk.h>
#include <linux/string.h>

#include "driver.h"

static const struct pmu_row {
	const char *name;
	const struct sparc_family *pmu;
} pmu_rows[] = {
	{ "ultra12", &sparc_ultra12 },
	{ "ultra3", &sparc_ultra3 },
	{ "ultra3+", &sparc_ultra3plus },
	{ "ultra3i", &sparc_ultra3i },
	{ "ultra4+", &sparc_ultra4plus },
	{ "niagara", &sparc_niagara },
	{ "niagara2", &sparc_niagara2 },
	{ "niagara3", &sparc_niagara3 },
	{ "niagara4", &sparc_niagara4 },
};

/* Fills sparc_machine from the kernel's name for the PMU; false: none that we know. */
bool __init sparc_detect(const char *name)
{
	unsigned int i;

	sparc_machine = (struct sparc_machine){ };
	for (i = 0; i < ARRAY_SIZE(pmu_rows); i++) {
		if (!strcmp(pmu_rows[i].name, name))
			sparc_machine.family = pmu_rows[i].pmu;
	}
	if (!sparc_machine.family) {
		pr_info("Performance events: no PMU driver for %s, software events only\n", name);
		return false;
	}
	return true;
}
