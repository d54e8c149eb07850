/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMU model: state, and the interface between its files and QEMU.
 *
 * One X86PMU stands for the PMU of one CPU. It is made when the CPU is
 * realized with pmu=on, hangs off CPUX86State.pmu, survives resets (an INIT
 * with all its registers) and is touched by that CPU's thread only, except for
 * the statistics, which any CPU may read, and what counters leak to the core's
 * other thread.
 */
#ifndef I386_TCG_PMU_H
#define I386_TCG_PMU_H

#include "cpu.h"

#define PMU_MAX_GP          8
#define PMU_MAX_FIXED       4
#define PMU_MAX_ACCESSES    64

/*
 * What one retirement was, as the translator tells it: bits 1:0 privilege
 * level, then these. A REP iteration that is not the last has no PMU_INSN.
 */
#define PMU_CPL             3
#define PMU_INSN            (1 << 2)
#define PMU_TAKEN           (1 << 3)
#define PMU_BRANCH_SHIFT    4
#define PMU_BRANCH          (7 << PMU_BRANCH_SHIFT)
#define PMU_BRANCH_COND     (1 << PMU_BRANCH_SHIFT)
#define PMU_BRANCH_JUMP     (2 << PMU_BRANCH_SHIFT)  /* direct, always taken */
#define PMU_BRANCH_CALL     (3 << PMU_BRANCH_SHIFT)
#define PMU_BRANCH_RET      (4 << PMU_BRANCH_SHIFT)
#define PMU_BRANCH_IND      (5 << PMU_BRANCH_SHIFT)
#define PMU_BRANCH_ICALL    (6 << PMU_BRANCH_SHIFT)
#define PMU_BRANCH_FAR      (7 << PMU_BRANCH_SHIFT)
#define PMU_LOCKED          (1 << 7)

/* The things the model can count. pmu-events.c says which code means which. */
typedef enum PMUSignal {
    PMU_SIG_NONE,
    PMU_SIG_CYCLES,
    PMU_SIG_REF,
    PMU_SIG_BUS,
    PMU_SIG_SLOTS,
    PMU_SIG_INSN,
    PMU_SIG_BR,
    PMU_SIG_BR_COND,
    PMU_SIG_BR_TAKEN,           /* near branches that went elsewhere */
    PMU_SIG_BR_COND_TAKEN,
    PMU_SIG_BR_COND_NTAKEN,
    PMU_SIG_BR_CALL,
    PMU_SIG_BR_RET,
    PMU_SIG_BR_IND,             /* indirect jumps and calls, no returns */
    PMU_SIG_BR_FAR,
    PMU_SIG_MISP,
    PMU_SIG_MISP_COND,
    PMU_SIG_MISP_RET,
    PMU_SIG_MISP_IND,
    /* From here on the data accesses of an instruction are needed. */
    PMU_SIG_MEMORY,
    PMU_SIG_LOADS = PMU_SIG_MEMORY, /* instructions that load */
    PMU_SIG_STORES,             /* instructions that store */
    PMU_SIG_L1D_REF,
    PMU_SIG_L1D_LOAD,
    PMU_SIG_L1D_STORE,
    PMU_SIG_L1D_MISS,
    PMU_SIG_L1D_LOAD_MISS,
    PMU_SIG_L1D_LOAD_HIT,
    PMU_SIG_L1D_STORE_MISS,
    PMU_SIG_LLC_REF,
    PMU_SIG_LLC_MISS,
    PMU_SIG_LLC_LOAD_HIT,
    PMU_SIG_LLC_LOAD_MISS,
    PMU_SIG_COUNT
} PMUSignal;

typedef enum PMUFamily {
    PMU_ARCH,                   /* architectural events only */
    PMU_CORE2,
    PMU_NEHALEM,
    PMU_WESTMERE,
    PMU_SANDYBRIDGE,
    PMU_IVYBRIDGE,
    PMU_HASWELL,
    PMU_BROADWELL,
    PMU_SKYLAKE,
    PMU_ICELAKE,
    PMU_SAPPHIRERAPIDS,
    PMU_AMD_K7,                 /* K7 and K8 */
    PMU_AMD_10H,
    PMU_AMD_15H,
    PMU_AMD_17H,                /* and everything later */
    PMU_FAMILIES
} PMUFamily;

/* What a bad hypervisor makes of the registers that it tells of. */
typedef enum PMUHalf {
    PMU_WHOLE,
    PMU_READS_ZERO,
    PMU_KEEPS_NOTHING,          /* that is written */
    PMU_FAULTS,
} PMUHalf;

/* With pmu-kick: does what was added to the general counters count? */
typedef enum PMUKick {
    PMU_KICK_NEEDED,
    PMU_KICK_BEGUN,             /* its events run */
    PMU_KICK_DONE,              /* what is enabled next counts */
    PMU_KICK_COUNTS,
} PMUKick;

/* What this CPU's PMU has: fixed once the CPU is realized. */
typedef struct PMUShape {
    PMUFamily family;
    bool amd;
    uint8_t version;            /* Intel: CPUID.0AH:EAX[7:0]; AMD: 1 or 2 */
    uint8_t gp, fixed;          /* numbers of counters */
    uint8_t width, fixed_width; /* in bits */
    bool full_width;            /* IA32_A_PMCx exist */
    bool any_thread;            /* AnyThread may be set */
    uint8_t slots;              /* issue slots in a cycle */
    uint32_t skid;              /* retirements from overflow to interrupt */
    uint32_t late;              /* from each overflow to its own interrupt */
    bool dirty;                 /* registers as another kernel left them */
    bool ibs;                   /* and instruction-based sampling on */
    PMUHalf half;
    uint8_t absent;             /* Intel: events that CPUID denies */
    bool kick, smt_leak;        /* errata: pmu-errata.c */
    uint32_t foreign;           /* retirements from one foreign NMI to the next */
    bool stats;
} PMUShape;

#define PMU_MAX_FLIGHTS     16

/* An overflow that has not arrived yet: its status bit, its interrupt. */
typedef struct PMUFlight {
    uint32_t left;              /* retirements until it does */
    uint64_t status;
    bool interrupt;
} PMUFlight;

typedef struct PMUCounter {
    uint64_t value;
    uint64_t select;            /* event select; fixed: its control field */
    bool active;                /* enabled in every way */
    bool edge_level;            /* last cycle's condition, for edge detection */
    uint64_t kicked;            /* selection that needs no further kick */
    uint32_t stray;             /* counts of the other thread; atomic */
} PMUCounter;

/* One enabled counter, decoded, so that retiring need not decode again. */
typedef struct PMUActive {
    PMUCounter *counter;
    PMUCounter *leak;           /* where its counts may go instead, or NULL */
    uint64_t mask;              /* value bits */
    uint64_t status;            /* its bit in the global status */
    PMUSignal signal;
    uint8_t cmask;
    bool fresh;                 /* enabled by the instruction in flight */
    bool invert, edge, interrupt, os, usr;
    bool by_mode;               /* AMD: counts in guest or host mode only */
} PMUActive;

/* Statistics; the order is the guest's (stats.h). */
typedef struct PMUStats {
    uint64_t value[12];
} PMUStats;

typedef struct PMUAccess {
    uint64_t address;
    bool store;
} PMUAccess;

#define PMU_L1_SETS     64
#define PMU_L1_WAYS     8
#define PMU_LLC_SETS    1024
#define PMU_LLC_WAYS    16

/* Tags are line numbers plus one; way 0 is the most recently used. */
typedef struct PMUCache {
    uint64_t l1[PMU_L1_SETS][PMU_L1_WAYS];
    uint64_t llc[PMU_LLC_SETS][PMU_LLC_WAYS];
} PMUCache;

#define PMU_BIMODAL     4096
#define PMU_TARGETS     512
#define PMU_RETURNS     16

typedef struct PMUPredictor {
    uint8_t bimodal[PMU_BIMODAL];       /* two-bit counters */
    uint64_t target[PMU_TARGETS];       /* last target of an indirect branch */
    uint64_t returns[PMU_RETURNS];      /* a ring of return addresses */
    unsigned top;
} PMUPredictor;

#define PMU_IBS_UNITS       2

typedef struct X86PMU X86PMU;

struct X86PMU {
    PMUShape shape;
    X86PMU *sibling;            /* with pmu-smt-leak: the core's other thread */

    PMUCounter gp[PMU_MAX_GP];
    PMUCounter fixed[PMU_MAX_FIXED];
    uint64_t fixed_ctrl;
    uint64_t global_ctrl;
    uint64_t global_status;
    uint64_t debugctl;

    PMUActive active[PMU_MAX_GP + PMU_MAX_FIXED];
    unsigned nr_active;

    uint32_t skid_left;         /* retirements until the due interrupt, 0: none */
    PMUFlight flight[PMU_MAX_FLIGHTS];  /* in the order of their arrival */
    unsigned nr_flights;
    PMUKick kick;
    uint32_t foreign_left;      /* retirements until the next foreign NMI */
    struct {
        uint64_t control;
        uint32_t left;          /* retirements until its sample */
    } ibs[PMU_IBS_UNITS];       /* fetch, op */
    bool ibs_counts;            /* one of them does */
    bool dirt_due;              /* registers become dirty at first touch */
    uint64_t cycles;            /* unhalted, for the bus clock's divider */

    PMUAccess access[PMU_MAX_ACCESSES]; /* of the instruction in flight */
    PMUCache cache;
    PMUPredictor predictor;
    PMUStats stats;
};

/* pmu.c: the counting core, and what QEMU calls */
void pmu_realize(X86CPU *cpu);
void pmu_reset(X86CPU *cpu);
void pmu_after_init(X86CPU *cpu, X86PMU *pmu);
void pmu_reconfigure(CPUX86State *env, bool in_block);

/* pmu-regs.c: registers, as QEMU's MSR, RDPMC and CPUID helpers reach them */
bool pmu_rdmsr(CPUX86State *env, uint32_t msr, uint64_t *val, uintptr_t ra);
bool pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t val, uintptr_t ra);
uint64_t pmu_rdpmc(CPUX86State *env, uint32_t index, uintptr_t ra);
uint64_t pmu_gp_mask(const X86PMU *pmu);
uint64_t pmu_fixed_mask(const X86PMU *pmu);
void pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf,
               uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

/* pmu-intel.c, pmu-amd.c: false means that the register is not the PMU's */
typedef enum PMUAccessResult { PMU_NOT_MINE, PMU_DONE, PMU_FAULT } PMUAccessResult;

void intel_pmu_shape(X86CPU *cpu, PMUShape *shape);
void intel_pmu_reset(X86PMU *pmu);
void intel_pmu_dirty(X86PMU *pmu);
PMUAccessResult intel_pmu_rdmsr(X86PMU *pmu, uint32_t msr, uint64_t *val);
PMUAccessResult intel_pmu_wrmsr(X86PMU *pmu, uint32_t msr, uint64_t val);
PMUCounter *intel_pmu_rdpmc(X86PMU *pmu, uint32_t index, uint64_t *mask);
void intel_pmu_cpuid(X86PMU *pmu, uint32_t leaf, uint32_t subleaf,
                     uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

void amd_pmu_shape(X86CPU *cpu, PMUShape *shape);
void amd_pmu_reset(X86PMU *pmu);
void amd_pmu_dirty(X86PMU *pmu);
PMUAccessResult amd_pmu_rdmsr(X86PMU *pmu, uint32_t msr, uint64_t *val);
PMUAccessResult amd_pmu_wrmsr(X86PMU *pmu, uint32_t msr, uint64_t val);
PMUCounter *amd_pmu_rdpmc(X86PMU *pmu, uint32_t index, uint64_t *mask);
void amd_pmu_cpuid(X86PMU *pmu, CPUX86State *env, uint32_t leaf,
                   uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

/* pmu-events.c: what an event select counts on a counter */
PMUSignal pmu_event_signal(PMUFamily family, unsigned counter,
                           unsigned code, unsigned umask);

/* pmu-cache.c, pmu-branch.c: both add to increments[PMU_SIG_COUNT] */
void pmu_cache_retire(X86PMU *pmu, unsigned accesses, uint8_t *increments);
void pmu_branch_retire(X86PMU *pmu, uint32_t what, uint64_t from, uint64_t to,
                       uint8_t *increments);

/* pmu-errata.c */
void pmu_kick_step(X86PMU *pmu);
bool pmu_kick_stops(const X86PMU *pmu);
PMUCounter *pmu_leak_of(X86PMU *pmu, unsigned i, unsigned code);
bool pmu_leaks(PMUCounter *to, unsigned increment);
unsigned pmu_take_stray(PMUCounter *c);
void pmu_settle_strays(X86PMU *pmu);
void pmu_errata_reset(X86CPU *cpu);

/* pmu-ibs.c */
void pmu_ibs_dirty(X86PMU *pmu);
bool pmu_ibs_retire(X86PMU *pmu);
bool pmu_ibs_has(const X86PMU *pmu, uint32_t msr);
uint64_t pmu_ibs_read(const X86PMU *pmu, uint32_t msr);
void pmu_ibs_write(X86PMU *pmu, uint32_t msr, uint64_t val);

/* pmu-stats.c */
bool pmu_stats_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf,
                     uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

#endif
