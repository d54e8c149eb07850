// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's statistics: what the guest did to its PMU, read by CPUID.
 *
 * Concepts: stats.h is the guest's side and defines the leaf. The leaf exists
 * with pmu-stats=on alone; otherwise QEMU's answer for an unknown leaf stands.
 *
 * Contexts: a CPU's own thread; LVTPC writes come from the APIC's MMIO, which
 * runs in that thread too.
 *
 * Locks: none. Another CPU's values may be a moment old.
 */
#include "qemu/osdep.h"
#include "pmu.h"
#include "exec/helper-proto.h"
#include "pmu-stats-abi.h"

QEMU_BUILD_BUG_ON(PMU_STAT_COUNT > ARRAY_SIZE(((PMUStats *)NULL)->value));

bool pmu_stats_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf,
                     uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    unsigned index = subleaf & 0xffff, cpu = subleaf >> 16;
    uint64_t value = 0;

    if (leaf != PMU_STAT_LEAF || !env->pmu->shape.stats) {
        return false;
    }
    *eax = *ebx = *ecx = *edx = 0;
    if (cpu) {
        CPUState *cs = qemu_get_cpu(cpu - 1);

        if (!cs || !X86_CPU(cs)->env.pmu) {
            return true;
        }
        env = &X86_CPU(cs)->env;
    }
    if (index < PMU_STAT_COUNT) {
        value = qatomic_read(&env->pmu->stats.value[index]);
    }
    *eax = value;
    *ebx = value >> 32;
    *ecx = PMU_STAT_COUNT;
    *edx = PMU_STAT_MAGIC;
    return true;
}

void pmu_lvtpc_written(X86PMU *pmu)
{
    pmu->stats.value[PMU_STAT_LVTPC]++;
}

void pmu_ipi_sent(X86PMU *pmu)
{
    pmu->stats.value[PMU_STAT_IPI]++;
}

/* An iteration of a repeated string instruction at CPL 0, which moved or looked at @bytes. */
void helper_pmu_repeat(CPUX86State *env, uint32_t bytes)
{
    env->pmu->stats.value[PMU_STAT_REP_BYTES] += bytes;
}
