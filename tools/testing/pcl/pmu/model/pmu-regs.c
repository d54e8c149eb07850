// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's registers: where QEMU's MSR, RDPMC and CPUID helpers enter.
 *
 * Concepts: each access is counted in the statistics, handed to the vendor's
 * file, and turned into #GP if that file says that hardware would fault. After
 * a write, what counts is worked out anew.
 *
 * Contexts: the CPU's own thread, inside a helper; @ra is the helper's return
 * address, for unwinding.
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "tcg/helper-tcg.h"
#include "pmu.h"
#include "pmu-stats-abi.h"

uint64_t pmu_gp_mask(const X86PMU *pmu)
{
    return MAKE_64BIT_MASK(0, pmu->shape.width);
}

uint64_t pmu_fixed_mask(const X86PMU *pmu)
{
    return MAKE_64BIT_MASK(0, pmu->shape.fixed_width);
}

/*
 * Whoever is the first to look finds what another kernel left. Not at reset:
 * firmware and boot loader would run one instruction at a time.
 */
static void make_dirty(CPUX86State *env)
{
    X86PMU *pmu = env->pmu;

    pmu->dirt_due = false;
    if (pmu->shape.amd) {
        amd_pmu_dirty(pmu);
    } else {
        intel_pmu_dirty(pmu);
    }
    pmu_reconfigure(env, env->hflags & HF_PMU_OS_MASK);
}

/* With pmu-half; what is said in CPUID's manner stays as it is. */
static PMUHalf half_of(const X86PMU *pmu, uint32_t msr)
{
    return msr == MSR_IA32_PERF_CAPABILITIES ? PMU_WHOLE : pmu->shape.half;
}

bool pmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val, uintptr_t ra)
{
    X86PMU *pmu = env->pmu;
    PMUAccessResult result;

    pmu_settle_strays(pmu);
    result = pmu->shape.amd ? amd_pmu_rdmsr(pmu, msr, val)
                            : intel_pmu_rdmsr(pmu, msr, val);
    if (result == PMU_NOT_MINE) {
        return false;
    }
    pmu->stats.value[PMU_STAT_RDMSR]++;
    if (result == PMU_FAULT || half_of(pmu, msr) == PMU_FAULTS) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    if (half_of(pmu, msr) == PMU_READS_ZERO) {
        *val = 0;
    }
    if (pmu->dirt_due) {
        make_dirty(env);
        return pmu_rdmsr(env, msr, val, ra);
    }
    return true;
}

bool pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val, uintptr_t ra)
{
    X86PMU *pmu = env->pmu;
    PMUAccessResult result;
    uint64_t before;

    pmu_settle_strays(pmu);
    result = pmu->shape.amd ? amd_pmu_rdmsr(pmu, msr, &before)
                            : intel_pmu_rdmsr(pmu, msr, &before);
    if (half_of(pmu, msr) != PMU_WHOLE && result != PMU_NOT_MINE) {
        pmu->stats.value[PMU_STAT_WRMSR]++;
        if (half_of(pmu, msr) == PMU_FAULTS) {
            raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
        }
        return true;
    }
    if (pmu->dirt_due && result == PMU_DONE) {
        make_dirty(env);
    }
    result = pmu->shape.amd ? amd_pmu_wrmsr(pmu, msr, val)
                            : intel_pmu_wrmsr(pmu, msr, val);
    if (result == PMU_NOT_MINE) {
        return false;
    }
    pmu->stats.value[PMU_STAT_WRMSR]++;
    if (result == PMU_FAULT) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    pmu_kick_step(pmu);
    pmu_reconfigure(env, env->hflags & HF_PMU_OS_MASK);
    return true;
}

uint64_t pmu_rdpmc(CPUX86State *env, uint32_t index, uintptr_t ra)
{
    X86PMU *pmu = env->pmu;
    PMUCounter *c;
    uint64_t mask;

    pmu_settle_strays(pmu);
    c = pmu->shape.amd ? amd_pmu_rdpmc(pmu, index, &mask)
                       : intel_pmu_rdpmc(pmu, index, &mask);
    pmu->stats.value[PMU_STAT_RDPMC]++;
    if (!c) {
        raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
    }
    return c->value & mask;
}

void pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf,
               uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    X86PMU *pmu = env->pmu;

    if (pmu_stats_cpuid(env, leaf, subleaf, eax, ebx, ecx, edx)) {
        return;
    }
    if (pmu->shape.amd) {
        amd_pmu_cpuid(pmu, env, leaf, eax, ebx, ecx, edx);
    } else {
        intel_pmu_cpuid(pmu, leaf, subleaf, eax, ebx, ecx, edx);
    }
}
