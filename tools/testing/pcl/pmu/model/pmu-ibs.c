// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's Instruction-Based Sampling, as far as who comes next must
 * turn it off: AMD APM volume 2, "Instruction-Based Sampling"; the control
 * registers' fields are those of the BIOS and Kernel Developer's Guides,
 * MSRC001_1030 and MSRC001_1033.
 *
 * Concepts: with pmu-ibs the kernel before left both units on. Each counts
 * instructions up to its maximum, sets its valid bit, raises the NMI that its
 * local vector was left as, and waits until the bit is cleared. It tells
 * nothing of the instruction that it met: the other registers read as zero.
 *
 * Contexts: the CPU's own thread.
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define MSR_FETCH           0xc0011030u
#define MSR_OP              0xc0011033u
#define MSR_LOCAL_VECTOR    0xc001103au
#define MSR_LAST            0xc001103du

#define VECTOR_VALID        (1ULL << 8)
#define MAX_COUNT           0xffffULL       /* of 16 each */

/* Where each unit's register is, and its bits. */
static const struct {
    uint32_t msr;
    uint64_t enable, valid;
} units[PMU_IBS_UNITS] = {
    { MSR_FETCH, 1ULL << 48, 1ULL << 49 },
    { MSR_OP, 1ULL << 17, 1ULL << 18 },
};

static bool waits(const X86PMU *pmu, unsigned i)
{
    return !(pmu->ibs[i].control & units[i].enable) ||
           (pmu->ibs[i].control & units[i].valid);
}

static void set(X86PMU *pmu, unsigned i, uint64_t control)
{
    pmu->ibs[i].control = control;
    pmu->ibs[i].left = MAX((control & MAX_COUNT) << 4, 1);
    pmu->ibs_counts = !waits(pmu, 0) || !waits(pmu, 1);
}

/* As amd_pmu_dirty(): a quarter of a million instructions from now. */
void pmu_ibs_dirty(X86PMU *pmu)
{
    unsigned i;

    for (i = 0; pmu->shape.ibs && i < PMU_IBS_UNITS; i++) {
        set(pmu, i, 0x4000 | units[i].enable);
    }
}

/* An instruction retired; true if a unit has its sample now. */
bool pmu_ibs_retire(X86PMU *pmu)
{
    bool full = false;
    unsigned i;

    for (i = 0; pmu->ibs_counts && i < PMU_IBS_UNITS; i++) {
        if (!waits(pmu, i) && --pmu->ibs[i].left == 0) {
            set(pmu, i, pmu->ibs[i].control | units[i].valid);
            full = true;
        }
    }
    return full;
}

bool pmu_ibs_has(const X86PMU *pmu, uint32_t msr)
{
    return pmu->shape.ibs && msr >= MSR_FETCH && msr <= MSR_LAST;
}

uint64_t pmu_ibs_read(const X86PMU *pmu, uint32_t msr)
{
    return msr == MSR_FETCH ? pmu->ibs[0].control :
           msr == MSR_OP ? pmu->ibs[1].control :
           msr == MSR_LOCAL_VECTOR ? VECTOR_VALID : 0;
}

void pmu_ibs_write(X86PMU *pmu, uint32_t msr, uint64_t val)
{
    unsigned i;

    for (i = 0; i < PMU_IBS_UNITS; i++) {
        if (msr == units[i].msr) {
            set(pmu, i, val);
        }
    }
}
