// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's Intel side: which CPU has what, and the registers.
 *
 * Concepts: Intel SDM volume 3, chapter 20 (architectural performance
 * monitoring, versions 1 to 5) and volume 4 (the MSRs). A write that sets a
 * reserved bit, and any access to a register that this version does not have,
 * faults. No LBR, PEBS or performance metrics: IA32_PERF_CAPABILITIES claims
 * none.
 *
 * Contexts: the CPU's own thread, through pmu-regs.c.
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define MSR_PMC0            0x0c1
#define MSR_PERFEVTSEL0     0x186
#define MSR_DEBUGCTL        0x1d9
#define MSR_FIXED_CTR0      0x309
#define MSR_PERF_CAP        0x345
#define MSR_FIXED_CTR_CTRL  0x38d
#define MSR_GLOBAL_STATUS   0x38e
#define MSR_GLOBAL_CTRL     0x38f
#define MSR_GLOBAL_RESET    0x390   /* GLOBAL_OVF_CTRL before version 4 */
#define MSR_GLOBAL_SET      0x391
#define MSR_GLOBAL_INUSE    0x392
#define MSR_A_PMC0          0x4c1

#define PERF_CAP_FULL_WRITE (1ULL << 13)
#define EVTSEL_ANY          (1ULL << 21)
#define EVTSEL_INT          (1ULL << 20)
#define EVTSEL_USR          (1ULL << 16)
#define EVTSEL_OS           (1ULL << 17)
#define EVTSEL_EN           (1ULL << 22)

/* IA32_DEBUGCTL, SDM volume 3, 18.4.1 */
#define DEBUGCTL_FREEZE_LBRS    (1ULL << 11)
#define DEBUGCTL_FREEZE_PERFMON (1ULL << 12)

/* GLOBAL_STATUS, SDM volume 3, 20.2.4: what may be cleared or set besides */
#define STATUS_LBR_FROZEN   (1ULL << 58)
#define STATUS_CTR_FROZEN   (1ULL << 59)
#define STATUS_ASCI         (1ULL << 60)
#define STATUS_OVF_UNCORE   (1ULL << 61)
#define STATUS_OVF_BUFFER   (1ULL << 62)
#define STATUS_COND_CHANGED (1ULL << 63)

#define CPUID_1_ECX_PDCM    (1u << 15)

typedef struct IntelModel {
    uint8_t model;              /* of family 6 */
    PMUFamily family;
    uint8_t version, gp, width, fixed, slots;
    bool full_width, no_any_thread;
} IntelModel;

/* SDM volume 3, chapter 20, by microarchitecture; volume 4, table 2-1. */
static const IntelModel intel_models[] = {
    /* Core (Yonah), Core 2 (Merom, Penryn, Dunnington) */
    {  14, PMU_ARCH,           1, 2, 40, 0, 3, false, false },
    {  15, PMU_CORE2,          2, 2, 40, 3, 4, false, false },
    {  22, PMU_CORE2,          2, 2, 40, 3, 4, false, false },
    {  23, PMU_CORE2,          2, 2, 40, 3, 4, false, false },
    {  29, PMU_CORE2,          2, 2, 40, 3, 4, false, false },
    /* Bonnell; Goldmont; Tremont (also the 7.2 emulator's Icelake-Server) */
    {  28, PMU_ARCH,           3, 2, 40, 3, 2, false, false },
    {  95, PMU_ARCH,           4, 4, 48, 3, 3, true,  false },
    { 134, PMU_ARCH,           5, 4, 48, 3, 4, true,  true  },
    /* Nehalem, Westmere */
    {  26, PMU_NEHALEM,        3, 4, 48, 3, 4, false, false },
    {  30, PMU_NEHALEM,        3, 4, 48, 3, 4, false, false },
    {  31, PMU_NEHALEM,        3, 4, 48, 3, 4, false, false },
    {  46, PMU_NEHALEM,        3, 4, 48, 3, 4, false, false },
    {  37, PMU_WESTMERE,       3, 4, 48, 3, 4, false, false },
    {  44, PMU_WESTMERE,       3, 4, 48, 3, 4, false, false },
    {  47, PMU_WESTMERE,       3, 4, 48, 3, 4, false, false },
    /* Sandy Bridge to Broadwell, each with hyper-threading on */
    {  42, PMU_SANDYBRIDGE,    3, 4, 48, 3, 4, true,  false },
    {  45, PMU_SANDYBRIDGE,    3, 4, 48, 3, 4, true,  false },
    {  58, PMU_IVYBRIDGE,      3, 4, 48, 3, 4, true,  false },
    {  62, PMU_IVYBRIDGE,      3, 4, 48, 3, 4, true,  false },
    {  60, PMU_HASWELL,        3, 4, 48, 3, 4, true,  false },
    {  63, PMU_HASWELL,        3, 4, 48, 3, 4, true,  false },
    {  69, PMU_HASWELL,        3, 4, 48, 3, 4, true,  false },
    {  70, PMU_HASWELL,        3, 4, 48, 3, 4, true,  false },
    {  61, PMU_BROADWELL,      3, 4, 48, 3, 4, true,  false },
    {  71, PMU_BROADWELL,      3, 4, 48, 3, 4, true,  false },
    {  79, PMU_BROADWELL,      3, 4, 48, 3, 4, true,  false },
    {  86, PMU_BROADWELL,      3, 4, 48, 3, 4, true,  false },
    /* Skylake and its kin */
    {  78, PMU_SKYLAKE,        4, 4, 48, 3, 4, true,  false },
    {  94, PMU_SKYLAKE,        4, 4, 48, 3, 4, true,  false },
    {  85, PMU_SKYLAKE,        4, 4, 48, 3, 4, true,  false },
    { 142, PMU_SKYLAKE,        4, 4, 48, 3, 4, true,  false },
    { 158, PMU_SKYLAKE,        4, 4, 48, 3, 4, true,  false },
    /* Ice Lake, Tiger Lake, Rocket Lake; Sapphire Rapids, Emerald Rapids */
    { 106, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 108, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 125, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 126, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 140, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 141, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 167, PMU_ICELAKE,        5, 8, 48, 4, 5, true,  true  },
    { 143, PMU_SAPPHIRERAPIDS, 5, 8, 48, 4, 6, true,  true  },
    { 207, PMU_SAPPHIRERAPIDS, 5, 8, 48, 4, 6, true,  true  },
};

/* For a CPU that the table lacks, if pmu-version asks for a PMU all the same. */
static const IntelModel intel_generic = {
    0, PMU_ARCH, 0, 4, 48, 3, 4, true, false
};

static const IntelModel *find_model(const CPUX86State *env, bool forced)
{
    unsigned family = (env->cpuid_version >> 8) & 0xf;
    unsigned model = ((env->cpuid_version >> 4) & 0xf) |
                     ((env->cpuid_version >> 12) & 0xf0);
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(intel_models); i++) {
        if (family == 6 && intel_models[i].model == model) {
            return &intel_models[i];
        }
    }
    return forced ? &intel_generic : NULL;
}

void intel_pmu_shape(X86CPU *cpu, PMUShape *shape)
{
    const PMUProperties *p = &cpu->pmu_properties;
    const IntelModel *m = find_model(&cpu->env, p->version);

    if (!m) {
        return;
    }
    shape->family = m->family;
    shape->version = p->version ? MIN(p->version, 5) : m->version;
    shape->gp = p->counters ? MIN(p->counters, PMU_MAX_GP) : m->gp;
    shape->width = p->width ? MIN(MAX(p->width, 16), 63) : m->width;
    shape->fixed_width = shape->width;
    shape->fixed = p->fixed != UINT8_MAX ? MIN(p->fixed, PMU_MAX_FIXED) : m->fixed;
    if (shape->version < 2) {
        shape->fixed = 0;
    }
    shape->full_width = m->full_width;
    shape->any_thread = shape->version >= 3 && !m->no_any_thread;
    shape->slots = m->slots;
}

static uint64_t counters_mask(const X86PMU *pmu)
{
    return MAKE_64BIT_MASK(0, pmu->shape.gp) |
           (pmu->shape.fixed ? MAKE_64BIT_MASK(32, pmu->shape.fixed) : 0);
}

/* SDM volume 3, 20.2.2: out of reset, every general counter is enabled. */
void intel_pmu_reset(X86PMU *pmu)
{
    pmu->global_ctrl = MAKE_64BIT_MASK(0, pmu->shape.gp);
}

/*
 * A counter that runs, one that was sampled, and a freeze at the interrupt:
 * what a kernel leaves that is left by kexec.
 */
void intel_pmu_dirty(X86PMU *pmu)
{
    pmu->gp[0].select = 0xc0 | EVTSEL_USR | EVTSEL_OS | EVTSEL_EN;
    pmu->gp[1].select = 0xc0 | EVTSEL_USR | EVTSEL_INT;
    pmu->gp[1].value = pmu_gp_mask(pmu);
    pmu->debugctl = DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON;
    if (pmu->shape.version >= 2) {
        pmu->global_status = 2 | STATUS_COND_CHANGED;
    }
}

static uint64_t evtsel_valid(const X86PMU *pmu)
{
    return 0xffffffffULL & ~(pmu->shape.any_thread ? 0 : EVTSEL_ANY);
}

static uint64_t fixed_ctrl_valid(const X86PMU *pmu)
{
    uint64_t field = pmu->shape.any_thread ? 0xf : 0xb, valid = 0;
    unsigned i;

    for (i = 0; i < pmu->shape.fixed; i++) {
        valid |= field << (4 * i);
    }
    return valid;
}

/* What may be written to GLOBAL_OVF_CTRL, STATUS_RESET and STATUS_SET. */
static uint64_t status_valid(const X86PMU *pmu, uint32_t msr)
{
    uint64_t valid = counters_mask(pmu) | STATUS_OVF_BUFFER | STATUS_OVF_UNCORE;

    if (msr == MSR_GLOBAL_RESET) {
        valid |= STATUS_COND_CHANGED;
    }
    if (pmu->shape.version >= 4) {
        valid |= STATUS_LBR_FROZEN | STATUS_CTR_FROZEN | STATUS_ASCI;
    }
    return valid;
}

/* SDM volume 3, 20.2.4: IA32_PERF_GLOBAL_INUSE */
static uint64_t global_inuse(const X86PMU *pmu)
{
    uint64_t inuse = 0;
    unsigned i;

    for (i = 0; i < pmu->shape.gp; i++) {
        inuse |= pmu->gp[i].select & 0xff ? 1ULL << i : 0;
        inuse |= pmu->gp[i].select & EVTSEL_INT ? 1ULL << 63 : 0;
    }
    for (i = 0; i < pmu->shape.fixed; i++) {
        unsigned field = pmu->fixed_ctrl >> (4 * i);

        inuse |= field & 3 ? 1ULL << (32 + i) : 0;
        inuse |= field & 8 ? 1ULL << 63 : 0;
    }
    return inuse;
}

/*
 * The counter or event select that an MSR is. Sets *exists to false for a
 * register that belongs to the PMU's ranges and that this PMU lacks.
 */
typedef enum { REG_NONE, REG_PMC, REG_A_PMC, REG_SELECT, REG_FIXED } IntelReg;

static IntelReg decode(const X86PMU *pmu, uint32_t msr, unsigned *i, bool *exists)
{
    static const struct {
        uint32_t base, count;
        IntelReg reg;
    } ranges[] = {
        { MSR_PMC0, PMU_MAX_GP, REG_PMC },
        { MSR_A_PMC0, PMU_MAX_GP, REG_A_PMC },
        { MSR_PERFEVTSEL0, PMU_MAX_GP, REG_SELECT },
        { MSR_FIXED_CTR0, PMU_MAX_FIXED, REG_FIXED },
    };
    unsigned r;

    for (r = 0; r < ARRAY_SIZE(ranges); r++) {
        *i = msr - ranges[r].base;
        if (*i < ranges[r].count) {
            *exists = *i < (ranges[r].reg == REG_FIXED ? pmu->shape.fixed
                                                       : pmu->shape.gp);
            *exists &= ranges[r].reg != REG_A_PMC || pmu->shape.full_width;
            return ranges[r].reg;
        }
    }
    return REG_NONE;
}

/*
 * The version that brought a control register; 0: not the PMU's. Before version
 * 4 some CPUs have the uncore's registers in the place of STATUS_SET and INUSE.
 */
static unsigned version_of(const X86PMU *pmu, uint32_t msr)
{
    switch (msr) {
    case MSR_DEBUGCTL:
    case MSR_PERF_CAP:
        return 1;
    case MSR_FIXED_CTR_CTRL:
    case MSR_GLOBAL_STATUS:
    case MSR_GLOBAL_CTRL:
    case MSR_GLOBAL_RESET:
        return 2;
    case MSR_GLOBAL_SET:
    case MSR_GLOBAL_INUSE:
        return pmu->shape.version >= 4 ? 4 : 0;
    default:
        return 0;
    }
}

static PMUAccessResult read_control(X86PMU *pmu, uint32_t msr, uint64_t *val)
{
    switch (msr) {
    case MSR_DEBUGCTL:
        *val = pmu->debugctl;
        break;
    case MSR_PERF_CAP:
        *val = pmu->shape.full_width ? PERF_CAP_FULL_WRITE : 0;
        break;
    case MSR_FIXED_CTR_CTRL:
        *val = pmu->fixed_ctrl;
        break;
    case MSR_GLOBAL_STATUS:
        *val = pmu->global_status;
        break;
    case MSR_GLOBAL_CTRL:
        *val = pmu->global_ctrl;
        break;
    case MSR_GLOBAL_INUSE:
        *val = global_inuse(pmu);
        break;
    default:            /* STATUS_RESET and STATUS_SET read as zero */
        *val = 0;
        break;
    }
    return PMU_DONE;
}

PMUAccessResult intel_pmu_rdmsr(X86PMU *pmu, uint32_t msr, uint64_t *val)
{
    unsigned i, version = version_of(pmu, msr);
    bool exists;

    if (version) {
        return pmu->shape.version < version ? PMU_FAULT
                                            : read_control(pmu, msr, val);
    }
    switch (decode(pmu, msr, &i, &exists)) {
    case REG_NONE:
        return PMU_NOT_MINE;
    case REG_SELECT:
        *val = exists ? pmu->gp[i].select : 0;
        break;
    case REG_FIXED:
        *val = exists ? pmu->fixed[i].value : 0;
        break;
    default:
        *val = exists ? pmu->gp[i].value : 0;
        break;
    }
    return exists ? PMU_DONE : PMU_FAULT;
}

static PMUAccessResult write_control(X86PMU *pmu, uint32_t msr, uint64_t val)
{
    uint64_t valid;

    switch (msr) {
    case MSR_DEBUGCTL:          /* SDM volume 4: IA32_DEBUGCTL */
        valid = 0xffc3;
        break;
    case MSR_FIXED_CTR_CTRL:
        valid = fixed_ctrl_valid(pmu);
        break;
    case MSR_GLOBAL_CTRL:
        valid = counters_mask(pmu);
        break;
    case MSR_GLOBAL_RESET:
    case MSR_GLOBAL_SET:
        valid = status_valid(pmu, msr);
        break;
    default:                    /* read only */
        return PMU_FAULT;
    }
    if (val & ~valid) {
        return PMU_FAULT;
    }

    switch (msr) {
    case MSR_DEBUGCTL:
        pmu->debugctl = val;
        break;
    case MSR_FIXED_CTR_CTRL:
        pmu->fixed_ctrl = val;
        break;
    case MSR_GLOBAL_CTRL:
        pmu->global_ctrl = val;
        break;
    case MSR_GLOBAL_RESET:
        pmu->global_status &= ~val;
        break;
    case MSR_GLOBAL_SET:
        pmu->global_status |= val;
        break;
    }
    return PMU_DONE;
}

PMUAccessResult intel_pmu_wrmsr(X86PMU *pmu, uint32_t msr, uint64_t val)
{
    unsigned i, version = version_of(pmu, msr);
    bool exists;
    IntelReg reg;

    if (version) {
        return pmu->shape.version < version ? PMU_FAULT
                                            : write_control(pmu, msr, val);
    }
    reg = decode(pmu, msr, &i, &exists);
    if (reg == REG_NONE) {
        return PMU_NOT_MINE;
    }
    if (!exists) {
        return PMU_FAULT;
    }

    switch (reg) {
    case REG_PMC:               /* SDM volume 3, 20.2.6: 32 bits, extended */
        pmu->gp[i].value = (int64_t)(int32_t)val & pmu_gp_mask(pmu);
        break;
    case REG_A_PMC:
        if (val & ~pmu_gp_mask(pmu)) {
            return PMU_FAULT;
        }
        pmu->gp[i].value = val;
        break;
    case REG_SELECT:
        if (val & ~evtsel_valid(pmu)) {
            return PMU_FAULT;
        }
        pmu->gp[i].select = val;
        pmu->gp[i].edge_level = false;
        break;
    default:
        pmu->fixed[i].value = val & pmu_fixed_mask(pmu);
        break;
    }
    return PMU_DONE;
}

/* SDM volume 2, RDPMC: bit 30 selects the fixed counters. */
PMUCounter *intel_pmu_rdpmc(X86PMU *pmu, uint32_t index, uint64_t *mask)
{
    unsigned i = index & ~(1u << 30);

    if (index & (1u << 30)) {
        *mask = pmu_fixed_mask(pmu);
        return i < pmu->shape.fixed ? &pmu->fixed[i] : NULL;
    }
    *mask = pmu_gp_mask(pmu);
    return i < pmu->shape.gp ? &pmu->gp[i] : NULL;
}

void intel_pmu_cpuid(X86PMU *pmu, uint32_t leaf, uint32_t subleaf,
                     uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    const PMUShape *s = &pmu->shape;
    unsigned events = s->family >= PMU_ICELAKE && s->family < PMU_AMD_K7 ? 8 : 7;

    if (leaf == 1) {
        *ecx |= CPUID_1_ECX_PDCM;
    }
    if (leaf != 0xa) {
        return;
    }
    *eax = s->version | s->gp << 8 | s->width << 16 | events << 24;
    *ebx = s->absent;
    *ecx = s->version >= 5 ? MAKE_64BIT_MASK(0, s->fixed) : 0;
    *edx = 0;
    if (s->version >= 2) {
        *edx = s->fixed | s->fixed_width << 5;
    }
    if (s->version >= 5 && !s->any_thread) {
        *edx |= 1u << 15;
    }
}
