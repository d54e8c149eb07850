/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PMU model of UltraSPARC: its state, and what its files share.
 *
 * Words: a *signal* is something that happens, as often as it does in one
 * instruction; a *counter* counts the signals that its selection names; a
 * *chip* is one of the PMUs that the CPU can be given.
 */
#ifndef SPARC_PMU_H
#define SPARC_PMU_H

#include "cpu.h"
#include "pmu-stats-abi.h"

#define PMU_PICS            2
#define PMU_MAX_FLIGHTS     64
#define PMU_MAX_ACCESSES    32
#define PMU_BIMODAL         2048
#define PMU_MAX_LINES       2048    /* of the largest cache */
#define PMU_MAX_WAYS        4

/* What the translator says of an instruction that retires */
enum {
    PMU_USER    = 1 << 0,       /* it began at user level */
    PMU_BRANCH  = 1 << 1,       /* a transfer of control with a delay slot */
    PMU_COND    = 1 << 2,       /* that depends on a condition */
    PMU_TAKEN   = 1 << 3,       /* that does not, and is always taken */
    PMU_LOAD    = 1 << 4,
    PMU_STORE   = 1 << 5,
    PMU_ATOMIC  = 1 << 6,       /* loads and stores */
    PMU_FP      = 1 << 7,
    PMU_SW      = 1 << 8,       /* sethi %hi(0xfc000), %g0 */
};

typedef enum PMUSignal {
    PMU_SIG_CYCLES,
    PMU_SIG_INSN,
    PMU_SIG_BR,
    PMU_SIG_BR_TAKEN,
    PMU_SIG_BR_UNTAKEN,
    PMU_SIG_MISP_TAKEN,         /* predicted taken, and was not */
    PMU_SIG_MISP_UNTAKEN,       /* predicted not taken, and was */
    PMU_SIG_LOAD,
    PMU_SIG_STORE,
    PMU_SIG_ATOMIC,
    PMU_SIG_FP,
    PMU_SIG_SW,
    PMU_SIG_OTHER,              /* none of: branch, load to sw */
    PMU_SIG_DC_RD,              /* the data cache: looked up by a load */
    PMU_SIG_DC_RD_HIT,
    PMU_SIG_DC_RD_MISS,
    PMU_SIG_DC_WR,
    PMU_SIG_DC_WR_HIT,
    PMU_SIG_DC_WR_MISS,
    PMU_SIG_ITLB_MISS,
    PMU_SIG_DTLB_MISS,
    PMU_SIG_COUNT
} PMUSignal;

QEMU_BUILD_BUG_ON(PMU_SIG_COUNT > 32);

/* What a code means, and on which of the counters: bit 0 for PIC0, bit 1 for PIC1 */
typedef struct PMURow {
    uint16_t code;
    uint8_t pics;
    uint8_t signal;
} PMURow;

/* One of the PMUs; constant. */
typedef struct PMUChip {
    const char *name;
    bool interrupts;            /* overflow sets SOFTINT bit 15 */
    bool held;                  /* and an overflow bit holds the interrupt */
    uint32_t early;             /* a counter that may interrupt does so that near to its overflow */
    uint64_t writable;          /* bits of PCR that privileged code may write */
    uint64_t dirt;              /* PCR as somebody leaves it who counts: pmu-dirty */
    uint8_t shift[PMU_PICS];    /* the selection in PCR */
    uint16_t field[PMU_PICS];
    uint16_t mask;              /* this part of a selection is a set; the rest has a number */
    uint64_t overflow[PMU_PICS]; /* overflow bits in PCR; 0: none */
    uint64_t trap[PMU_PICS];    /* what lets a counter interrupt; 0: it always may */
    const PMURow *rows;
    unsigned nr_rows;
    uint8_t line_shift;         /* the data cache: 1 << line_shift bytes a line */
    uint16_t sets;
    uint8_t ways;
} PMUChip;

#define PCR_PRIV    (1 << 0)
#define PCR_ST      (1 << 1)
#define PCR_UT      (1 << 2)

typedef struct PMUCounter {
    uint32_t value;             /* the PIC */
    uint32_t signals;           /* what it counts, a bit each; 0: nothing */
    uint8_t levels;
    bool fresh;                 /* the instruction that turned it on has not retired */
} PMUCounter;

typedef struct PMUAccess {
    uint64_t address;
    bool store;
} PMUAccess;

typedef struct PMUStats {
    uint64_t value[PMU_STAT_COUNT];
} PMUStats;

/* One per CPU that has a PMU; belongs to its thread. */
typedef struct SPARCPMU {
    const PMUChip *chip;
    PMUProperties properties;

    uint64_t pcr;
    PMUCounter counter[PMU_PICS];
    bool held;                  /* an overflow bit keeps the interrupt pending */

    /* Interrupts under way: how many retirements each has to go */
    uint32_t flight[PMU_MAX_FLIGHTS];
    unsigned nr_flights;

    /* Data accesses of the instruction under way */
    PMUAccess access[PMU_MAX_ACCESSES];
    unsigned accesses;

    uint8_t bimodal[PMU_BIMODAL];
    uint64_t line[PMU_MAX_LINES];   /* tags of all sets, most recent first; 0: none */

    PMUStats stats;
} SPARCPMU;

/* pmu-chips.c */
const PMUChip *pmu_chip(const char *name);
uint32_t pmu_signals(const PMUChip *chip, unsigned idx, uint64_t pcr);

/* pmu-cache.c */
void pmu_cache_retire(SPARCPMU *pmu, uint8_t *increments);

/* pmu.c */
void pmu_reconfigure(CPUSPARCState *env, bool in_block);
void pmu_realize(SPARCCPU *cpu, Error **errp);
void pmu_reset(CPUSPARCState *env);
/* A trap is being taken: the instruction under way does not retire. */
void pmu_trap(CPUSPARCState *env, int tt);
/* The interrupt that the PMU holds, as a bit of its level */
uint32_t pmu_held(CPUSPARCState *env);

/* pmu-stats.c */
bool pmu_stats_read(CPUSPARCState *env, uint64_t address, uint64_t *value);

#endif
