// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's statistics: what the guest did to its PMU, read by a load
 * from an address space that no chip has.
 *
 * Concepts: stats.h is the guest's side. Without pmu-stats=1 all of the
 * address space is zero; without a PMU QEMU's answer for an unknown one stands.
 *
 * Contexts: the CPU's own thread.
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

bool pmu_stats_read(CPUSPARCState *env, uint64_t address, uint64_t *value)
{
    uint64_t index = address / 8;

    if (!env->pmu) {
        return false;
    }
    if (!env->pmu->properties.stats) {
        *value = 0;
    } else if (index == PMU_STAT_ABOUT) {
        *value = PMU_STAT_MAGIC | PMU_STAT_COUNT;
    } else {
        *value = index < PMU_STAT_COUNT ? env->pmu->stats.value[index] : 0;
    }
    return true;
}
