// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's AMD side: which CPU has what, and the registers.
 *
 * Concepts: AMD APM volume 2, 13.2 (the core counters, in the legacy and the
 * extended place, and Performance Monitoring Version 2) and the BIOS and
 * Kernel Developer's Guides of each family. There is no status register before
 * version 2 and nothing masks LVTPC. Reserved bits read as zero.
 *
 * Contexts: the CPU's own thread, through pmu-regs.c.
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define MSR_LEGACY_SELECT   0xc0010000u     /* 4 */
#define MSR_LEGACY_COUNTER  0xc0010004u     /* 4 */
#define MSR_CORE            0xc0010200u     /* select, counter, select, ... */
#define MSR_V2_STATUS       0xc0000300u
#define MSR_V2_CONTROL      0xc0000301u
#define MSR_V2_STATUS_CLEAR 0xc0000302u
#define MSR_V2_STATUS_SET   0xc0000303u

#define LEGACY_COUNTERS     4
#define CORE_COUNTERS       6

#define EXT3_IBS            (1u << 10)      /* CPUID 80000001H:ECX */
#define EXT3_PERFCORE       (1u << 23)
#define IBS_LEAF            0x8000001bu
#define IBS_FEATURES        0x17u           /* fetch, op, its count readable */
#define V2_LEAF             0x80000022u

/* Bits 19, 21, 39:36 and 63:42 of an event select are reserved. */
#define SELECT_VALID        0x30fffd7ffffULL
#define SELECT_VALID_K7     0x000ffd7ffffULL

#define SELECT_USR          (1ULL << 16)
#define SELECT_OS           (1ULL << 17)
#define SELECT_EN           (1ULL << 22)

#define STATUS_LBR_FROZEN   (1ULL << 58)
#define STATUS_CTR_FROZEN   (1ULL << 59)

static bool has_version_2(unsigned family, unsigned model)
{
    /* Zen 4: family 19H, models 10H-1FH and 60H-AFH; Zen 5: family 1AH */
    return family > 0x19 ||
           (family == 0x19 && ((model >= 0x10 && model <= 0x1f) ||
                               (model >= 0x60 && model <= 0xaf)));
}

void amd_pmu_shape(X86CPU *cpu, PMUShape *shape)
{
    const PMUProperties *p = &cpu->pmu_properties;
    uint32_t v = cpu->env.cpuid_version;
    unsigned family = ((v >> 8) & 0xf) + ((v >> 20) & 0xff);
    unsigned model = ((v >> 4) & 0xf) | ((v >> 12) & 0xf0);

    if (family >= 0x17) {
        shape->family = PMU_AMD_17H;
    } else if (family == 0x15) {
        shape->family = PMU_AMD_15H;
    } else if (family >= 0x10) {
        shape->family = PMU_AMD_10H;
    } else if (family == 6 || family == 0xf) {
        shape->family = PMU_AMD_K7;
    } else {
        return;
    }

    shape->amd = true;
    shape->gp = shape->family >= PMU_AMD_15H ? CORE_COUNTERS : LEGACY_COUNTERS;
    shape->version = has_version_2(family, model) ? 2 : 1;
    if (p->amd_version) {
        shape->version = MIN(p->amd_version, 2);
    }
    if (shape->version == 2) {
        shape->gp = CORE_COUNTERS;
    }
    if (p->counters) {
        shape->gp = MIN(p->counters, CORE_COUNTERS);
    }
    shape->width = p->width ? MIN(MAX(p->width, 32), 63) : 48;
    shape->slots = 1;
}

void amd_pmu_reset(X86PMU *pmu)
{
    /* PerfCntrGlobalCtl comes up with every counter enabled. */
    pmu->global_ctrl = MAKE_64BIT_MASK(0, pmu->shape.gp);
}

/* As intel_pmu_dirty(). */
void amd_pmu_dirty(X86PMU *pmu)
{
    pmu->gp[0].select = 0xc0 | SELECT_USR | SELECT_OS | SELECT_EN;
    pmu->gp[1].select = 0xc0 | SELECT_USR;
    pmu->gp[1].value = pmu_gp_mask(pmu);
    if (pmu->shape.version >= 2) {
        pmu->global_status = 2 | STATUS_LBR_FROZEN;
    }
    pmu_ibs_dirty(pmu);
}

/* True, and which counter, if @msr is one of a counter's two registers. */
static bool decode(const X86PMU *pmu, uint32_t msr, unsigned *i, bool *select)
{
    if (msr - MSR_LEGACY_SELECT < LEGACY_COUNTERS) {
        *i = msr - MSR_LEGACY_SELECT;
        *select = true;
    } else if (msr - MSR_LEGACY_COUNTER < LEGACY_COUNTERS) {
        *i = msr - MSR_LEGACY_COUNTER;
        *select = false;
    } else if (pmu->shape.gp > LEGACY_COUNTERS &&
               msr - MSR_CORE < 2 * CORE_COUNTERS) {
        *i = (msr - MSR_CORE) / 2;
        *select = !((msr - MSR_CORE) & 1);
    } else {
        return false;
    }
    return true;
}

static bool is_v2(const X86PMU *pmu, uint32_t msr)
{
    return pmu->shape.version >= 2 && msr - MSR_V2_STATUS < 4;
}

PMUAccessResult amd_pmu_rdmsr(X86PMU *pmu, uint32_t msr, uint64_t *val)
{
    unsigned i;
    bool select;

    if (is_v2(pmu, msr)) {
        *val = msr == MSR_V2_STATUS ? pmu->global_status :
               msr == MSR_V2_CONTROL ? pmu->global_ctrl : 0;
        return PMU_DONE;
    }
    if (pmu_ibs_has(pmu, msr)) {
        *val = pmu_ibs_read(pmu, msr);
        return PMU_DONE;
    }
    if (!decode(pmu, msr, &i, &select)) {
        return PMU_NOT_MINE;
    }
    if (i >= pmu->shape.gp) {
        return PMU_FAULT;
    }
    *val = select ? pmu->gp[i].select : pmu->gp[i].value;
    return PMU_DONE;
}

static PMUAccessResult write_v2(X86PMU *pmu, uint32_t msr, uint64_t val)
{
    uint64_t counters = MAKE_64BIT_MASK(0, pmu->shape.gp);
    uint64_t status = counters | STATUS_LBR_FROZEN | STATUS_CTR_FROZEN;

    switch (msr) {
    case MSR_V2_CONTROL:
        pmu->global_ctrl = val & counters;
        break;
    case MSR_V2_STATUS_CLEAR:
        pmu->global_status &= ~val;
        break;
    case MSR_V2_STATUS_SET:
        pmu->global_status |= val & status;
        break;
    default:                    /* the status itself is read only */
        return PMU_FAULT;
    }
    return PMU_DONE;
}

PMUAccessResult amd_pmu_wrmsr(X86PMU *pmu, uint32_t msr, uint64_t val)
{
    unsigned i;
    bool select;

    if (is_v2(pmu, msr)) {
        return write_v2(pmu, msr, val);
    }
    if (pmu_ibs_has(pmu, msr)) {
        pmu_ibs_write(pmu, msr, val);
        return PMU_DONE;
    }
    if (!decode(pmu, msr, &i, &select)) {
        return PMU_NOT_MINE;
    }
    if (i >= pmu->shape.gp) {
        return PMU_FAULT;
    }
    if (select) {
        pmu->gp[i].select = val & (pmu->shape.family == PMU_AMD_K7 ?
                                   SELECT_VALID_K7 : SELECT_VALID);
        pmu->gp[i].edge_level = false;
    } else {
        pmu->gp[i].value = val & pmu_gp_mask(pmu);
    }
    return PMU_DONE;
}

/* AMD APM volume 3, RDPMC: 0 to 5 are the core counters; no others here. */
PMUCounter *amd_pmu_rdpmc(X86PMU *pmu, uint32_t index, uint64_t *mask)
{
    *mask = pmu_gp_mask(pmu);
    return index < pmu->shape.gp ? &pmu->gp[index] : NULL;
}

void amd_pmu_cpuid(X86PMU *pmu, CPUX86State *env, uint32_t leaf,
                   uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    bool v2 = pmu->shape.version >= 2;

    switch (leaf) {
    case 0x80000000u:
        if (v2 && *eax < V2_LEAF) {
            *eax = V2_LEAF;
        }
        if (pmu->shape.ibs && *eax < IBS_LEAF) {
            *eax = IBS_LEAF;
        }
        break;
    case 0x80000001u:
        if (pmu->shape.gp > LEGACY_COUNTERS) {
            *ecx |= EXT3_PERFCORE;
        }
        if (pmu->shape.ibs) {
            *ecx |= EXT3_IBS;
        }
        break;
    case IBS_LEAF:
        if (pmu->shape.ibs) {
            *eax = IBS_FEATURES;
            *ebx = *ecx = *edx = 0;
        }
        break;
    case V2_LEAF:
        if (v2) {
            *eax = 1;
            *ebx = pmu->shape.gp;
            *ecx = *edx = 0;
        }
        break;
    }
}
