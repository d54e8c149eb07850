// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's event tables: what a code means, and where it can count.
 *
 * Concepts: two tables. An event row gives a range of families, an event code
 * and a unit mask their signal. A place row gives a range of families and
 * codes the general counters on which these events count; an event that is on
 * no other row counts on all of them. An unknown event, and an event on a
 * counter that cannot count it, counts nothing, as on hardware.
 * The README lists the events with their meanings.
 *
 * Sources: Intel SDM volume 3, chapter 20 and tables 20-1 (architectural
 * events); Intel's perfmon event files of each microarchitecture (field
 * "Counter"); AMD BIOS and Kernel Developer's Guides of families 0FH, 10H and
 * 15H, and the Processor Programming Reference of family 17H.
 *
 * Contexts: any.
 *
 * Locks: none; all is constant.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define ANY_UMASK (-1)

typedef struct EventRow {
    uint8_t first, last;        /* PMUFamily */
    uint16_t code;
    int16_t umask;
    uint8_t signal;             /* PMUSignal */
} EventRow;

#define INTEL       PMU_ARCH, PMU_SAPPHIRERAPIDS
#define CORE2       PMU_CORE2, PMU_CORE2
#define NHM_WSM     PMU_NEHALEM, PMU_WESTMERE
#define NHM_SKL     PMU_NEHALEM, PMU_SKYLAKE
#define SNB_SKL     PMU_SANDYBRIDGE, PMU_SKYLAKE
#define SNB_IVB     PMU_SANDYBRIDGE, PMU_IVYBRIDGE
#define SNB_SPR     PMU_SANDYBRIDGE, PMU_SAPPHIRERAPIDS
#define HSW_SPR     PMU_HASWELL, PMU_SAPPHIRERAPIDS
#define ICL_SPR     PMU_ICELAKE, PMU_SAPPHIRERAPIDS
#define AMD         PMU_AMD_K7, PMU_AMD_17H
#define AMD_OLD     PMU_AMD_K7, PMU_AMD_15H
#define AMD_17H     PMU_AMD_17H, PMU_AMD_17H

static const EventRow events[] = {
    /* Architectural: every Intel family */
    { INTEL,   0x3c, 0x00, PMU_SIG_CYCLES },
    { INTEL,   0x3c, 0x01, PMU_SIG_BUS },
    { INTEL,   0xc0, 0x00, PMU_SIG_INSN },
    { INTEL,   0x2e, 0x4f, PMU_SIG_LLC_REF },
    { INTEL,   0x2e, 0x41, PMU_SIG_LLC_MISS },
    { INTEL,   0xc4, 0x00, PMU_SIG_BR },
    { INTEL,   0xc5, 0x00, PMU_SIG_MISP },
    { ICL_SPR, 0xa4, 0x01, PMU_SIG_SLOTS },

    /* Core 2 */
    { CORE2,   0xc0, 0x01, PMU_SIG_LOADS },         /* INST_RETIRED.LOADS */
    { CORE2,   0xc0, 0x02, PMU_SIG_STORES },        /* INST_RETIRED.STORES */
    { CORE2,   0xc4, 0x0f, PMU_SIG_BR },            /* BR_INST_RETIRED.ANY1 */
    { CORE2,   0xc4, 0x0c, PMU_SIG_BR_TAKEN },      /* BR_INST_RETIRED.TAKEN */
    { CORE2,   0x40, 0x0f, PMU_SIG_L1D_LOAD },      /* L1D_CACHE_LD.MESI */
    { CORE2,   0x40, 0x01, PMU_SIG_L1D_LOAD_MISS }, /* L1D_CACHE_LD.I_STATE */
    { CORE2,   0x41, 0x0f, PMU_SIG_L1D_STORE },     /* L1D_CACHE_ST.MESI */
    { CORE2,   0x41, 0x01, PMU_SIG_L1D_STORE_MISS },/* L1D_CACHE_ST.I_STATE */
    { CORE2,   0x43, 0x01, PMU_SIG_L1D_REF },       /* L1D_ALL_REF */
    { CORE2,   0x45, 0x0f, PMU_SIG_L1D_MISS },      /* L1D_REPL */
    { CORE2,   0x29, 0x4f, PMU_SIG_L1D_LOAD_MISS }, /* L2_LD.SELF.MESI */
    { CORE2,   0x29, 0x41, PMU_SIG_LLC_LOAD_MISS }, /* L2_LD.SELF.I_STATE */
    { CORE2,   0x2a, 0x4f, PMU_SIG_L1D_STORE_MISS },/* L2_ST.SELF.MESI */
    { CORE2,   0xcb, 0x01, PMU_SIG_L1D_LOAD_MISS }, /* MEM_LOAD_RETIRED.L1D_MISS */
    { CORE2,   0xcb, 0x04, PMU_SIG_LLC_LOAD_MISS }, /* MEM_LOAD_RETIRED.L2_MISS */

    /* Nehalem, Westmere */
    { NHM_WSM, 0xc0, 0x01, PMU_SIG_INSN },          /* INST_RETIRED.ANY_P */
    { NHM_WSM, 0x0b, 0x01, PMU_SIG_LOADS },         /* MEM_INST_RETIRED.LOADS */
    { NHM_WSM, 0x0b, 0x02, PMU_SIG_STORES },        /* MEM_INST_RETIRED.STORES */
    { NHM_WSM, 0x40, 0x0f, PMU_SIG_L1D_LOAD },      /* L1D_CACHE_LD.MESI */
    { NHM_WSM, 0x41, 0x0f, PMU_SIG_L1D_STORE },     /* L1D_CACHE_ST.MESI */
    { NHM_WSM, 0x43, 0x01, PMU_SIG_L1D_REF },       /* L1D_ALL_REF.ANY */
    { NHM_WSM, 0x51, 0x01, PMU_SIG_L1D_MISS },      /* L1D.REPL */
    { NHM_WSM, 0xcb, 0x01, PMU_SIG_L1D_LOAD_HIT },  /* MEM_LOAD_RETIRED.L1D_HIT */
    { NHM_WSM, 0xcb, 0x04, PMU_SIG_LLC_LOAD_HIT },  /* .LLC_UNSHARED_HIT */
    { NHM_WSM, 0xcb, 0x10, PMU_SIG_LLC_LOAD_MISS }, /* .LLC_MISS */

    /* BR_INST_RETIRED and BR_MISP_RETIRED, Nehalem on */
    { NHM_SKL, 0xc4, 0x01, PMU_SIG_BR_COND },       /* CONDITIONAL */
    { NHM_SKL, 0xc4, 0x02, PMU_SIG_BR_CALL },       /* NEAR_CALL */
    { NHM_SKL, 0xc4, 0x04, PMU_SIG_BR },            /* ALL_BRANCHES */
    { SNB_SPR, 0xc4, 0x08, PMU_SIG_BR_RET },        /* NEAR_RETURN */
    { SNB_SPR, 0xc4, 0x10, PMU_SIG_BR_COND_NTAKEN },/* NOT_TAKEN */
    { SNB_SPR, 0xc4, 0x20, PMU_SIG_BR_TAKEN },      /* NEAR_TAKEN */
    { SNB_SPR, 0xc4, 0x40, PMU_SIG_BR_FAR },        /* FAR_BRANCH */
    { ICL_SPR, 0xc4, 0x01, PMU_SIG_BR_COND_TAKEN }, /* COND_TAKEN */
    { ICL_SPR, 0xc4, 0x02, PMU_SIG_BR_CALL },       /* NEAR_CALL */
    { ICL_SPR, 0xc4, 0x11, PMU_SIG_BR_COND },       /* COND */
    { ICL_SPR, 0xc4, 0x80, PMU_SIG_BR_IND },        /* INDIRECT */
    { SNB_SKL, 0xc5, 0x01, PMU_SIG_MISP_COND },     /* CONDITIONAL */
    { SNB_SKL, 0xc5, 0x04, PMU_SIG_MISP },          /* ALL_BRANCHES */
    { ICL_SPR, 0xc5, 0x11, PMU_SIG_MISP_COND },     /* COND */
    { ICL_SPR, 0xc5, 0x80, PMU_SIG_MISP_IND },      /* INDIRECT */

    /* Sandy Bridge on */
    { SNB_SPR, 0xc0, 0x01, PMU_SIG_INSN },          /* INST_RETIRED.PREC_DIST */
    { SNB_SPR, 0x51, 0x01, PMU_SIG_L1D_MISS },      /* L1D.REPLACEMENT */
    { SNB_SPR, 0xd0, 0x81, PMU_SIG_LOADS },         /* .ALL_LOADS */
    { SNB_SPR, 0xd0, 0x82, PMU_SIG_STORES },        /* .ALL_STORES */
    { SNB_SPR, 0xd1, 0x01, PMU_SIG_L1D_LOAD_HIT },  /* MEM_LOAD_RETIRED.L1_HIT */
    { SNB_SPR, 0xd1, 0x04, PMU_SIG_LLC_LOAD_HIT },  /* .L3_HIT */
    { HSW_SPR, 0xd1, 0x08, PMU_SIG_L1D_LOAD_MISS }, /* .L1_MISS */
    { HSW_SPR, 0xd1, 0x20, PMU_SIG_LLC_LOAD_MISS }, /* .L3_MISS */
    { SNB_IVB, 0xd4, 0x02, PMU_SIG_LLC_LOAD_MISS }, /* MISC_RETIRED.LLC_MISS */

    /* AMD; a unit mask of a retirement event means nothing */
    { AMD,     0x076, ANY_UMASK, PMU_SIG_CYCLES },
    { AMD,     0x0c0, ANY_UMASK, PMU_SIG_INSN },
    { AMD,     0x0c2, ANY_UMASK, PMU_SIG_BR },
    { AMD,     0x0c3, ANY_UMASK, PMU_SIG_MISP },
    { AMD,     0x0c4, ANY_UMASK, PMU_SIG_BR_TAKEN },
    { AMD,     0x0c6, ANY_UMASK, PMU_SIG_BR_FAR },
    { AMD,     0x0c8, ANY_UMASK, PMU_SIG_BR_RET },
    { AMD,     0x0c9, ANY_UMASK, PMU_SIG_MISP_RET },
    { AMD,     0x0ca, ANY_UMASK, PMU_SIG_MISP_IND },
    { AMD,     0x040, ANY_UMASK, PMU_SIG_L1D_REF }, /* data cache accesses */
    { AMD_OLD, 0x041, ANY_UMASK, PMU_SIG_L1D_MISS },/* data cache misses */
    { AMD_OLD, 0x07d, 0x03, PMU_SIG_LLC_REF },      /* L2 requests: IC + DC */
    { AMD_OLD, 0x07d, 0x07, PMU_SIG_LLC_REF },      /* and TLB */
    { AMD_OLD, 0x07e, 0x03, PMU_SIG_LLC_MISS },     /* L2 misses */
    { AMD_OLD, 0x07e, 0x07, PMU_SIG_LLC_MISS },
    { AMD_17H, 0x060, 0xff, PMU_SIG_LLC_REF },      /* L2 requests */
    { AMD_17H, 0x060, 0xc8, PMU_SIG_L1D_MISS },     /* those of data misses */
    { AMD_17H, 0x064, 0x09, PMU_SIG_LLC_MISS },     /* L2 misses: IC + DC */
    { AMD_17H, 0x029, 0x01, PMU_SIG_LOADS },        /* LS dispatch: loads */
    { AMD_17H, 0x029, 0x02, PMU_SIG_STORES },       /* and stores */
    { AMD_17H, 0x0d1, ANY_UMASK, PMU_SIG_BR_COND },
};

typedef struct PlaceRow {
    uint8_t first, last;        /* PMUFamily */
    uint16_t low, high;         /* codes, inclusive */
    int16_t umask;
    uint32_t counters;          /* a mask of general counters */
} PlaceRow;

#define NHM         PMU_NEHALEM, PMU_NEHALEM
#define WSM         PMU_WESTMERE, PMU_WESTMERE
#define SNB         PMU_SANDYBRIDGE, PMU_SANDYBRIDGE
#define IVB_BDW     PMU_IVYBRIDGE, PMU_BROADWELL
#define SNB_BDW     PMU_SANDYBRIDGE, PMU_BROADWELL
#define SKL         PMU_SKYLAKE, PMU_SKYLAKE
#define ICL         PMU_ICELAKE, PMU_ICELAKE
#define SPR         PMU_SAPPHIRERAPIDS, PMU_SAPPHIRERAPIDS
#define AMD_15H     PMU_AMD_15H, PMU_AMD_15H

/* The first row that matches holds. */
static const PlaceRow places[] = {
    { CORE2,   0x10, 0x10, ANY_UMASK, 0x01 },
    { CORE2,   0x11, 0x13, ANY_UMASK, 0x02 },
    { CORE2,   0x14, 0x14, ANY_UMASK, 0x01 },
    { CORE2,   0x18, 0x18, ANY_UMASK, 0x01 },
    { CORE2,   0x19, 0x19, ANY_UMASK, 0x02 },
    { CORE2,   0xa1, 0xa1, ANY_UMASK, 0x01 },
    { CORE2,   0xc9, 0xc9, ANY_UMASK, 0x01 },
    { CORE2,   0xcb, 0xcb, ANY_UMASK, 0x01 },

    { NHM,     0x40, 0x43, ANY_UMASK, 0x03 },
    { NHM,     0x48, 0x48, ANY_UMASK, 0x03 },
    { NHM,     0x4e, 0x4e, ANY_UMASK, 0x03 },
    { NHM_WSM, 0x51, 0x51, ANY_UMASK, 0x03 },
    { NHM_WSM, 0x63, 0x63, ANY_UMASK, 0x03 },
    { WSM,     0x60, 0x60, ANY_UMASK, 0x01 },
    { WSM,     0xb3, 0xb3, ANY_UMASK, 0x01 },

    { SNB_BDW, 0xc0, 0xc0, 0x01, 0x02 },
    { SKL,     0xc0, 0xc0, 0x01, 0x02 },
    { SNB_BDW, 0x48, 0x48, 0x01, 0x04 },
    { SNB,     0xa3, 0xa3, 0x02, 0x04 },
    { SNB,     0xa3, 0xa3, 0x06, 0x04 },
    { IVB_BDW, 0xa3, 0xa3, 0x08, 0x04 },
    { IVB_BDW, 0xa3, 0xa3, 0x0c, 0x04 },
    { SNB_BDW, 0xcd, 0xcd, ANY_UMASK, 0x08 },
    { SNB_BDW, 0xa3, 0xa3, ANY_UMASK, 0x0f },
    { SNB_BDW, 0xd0, 0xd3, ANY_UMASK, 0x0f },
    { SKL,     0xc6, 0xc6, ANY_UMASK, 0x0f },
    { SKL,     0xcd, 0xcd, ANY_UMASK, 0x0f },
    { SKL,     0xd0, 0xd2, ANY_UMASK, 0x0f },

    /* PREC_DIST has a fixed counter and no general one */
    { ICL_SPR, 0xc0, 0xc0, 0x01, 0x00 },
    { ICL,     0xa3, 0xa3, 0x04, 0xff },
    { ICL,     0xa3, 0xa3, 0x10, 0xff },
    { ICL,     0xa3, 0xa3, 0x14, 0xff },
    { ICL,     0x03, 0x0a, ANY_UMASK, 0x0f },
    { ICL,     0x1f, 0x28, ANY_UMASK, 0x0f },
    { ICL,     0x32, 0x32, ANY_UMASK, 0x0f },
    { ICL,     0x48, 0x56, ANY_UMASK, 0x0f },
    { ICL,     0x60, 0x8b, ANY_UMASK, 0x0f },
    { ICL,     0xa3, 0xa3, ANY_UMASK, 0x0f },
    { ICL,     0xa8, 0xb0, ANY_UMASK, 0x0f },
    { ICL,     0xb7, 0xbd, ANY_UMASK, 0x0f },
    { ICL,     0xd0, 0xe6, ANY_UMASK, 0x0f },
    { ICL,     0xef, 0xef, ANY_UMASK, 0x0f },
    { ICL,     0xf0, 0xf4, ANY_UMASK, 0x0f },

    { SPR,     0x2e, 0x2e, ANY_UMASK, 0xff },
    { SPR,     0x3c, 0x3c, ANY_UMASK, 0xff },
    { SPR,     0xa3, 0xa3, 0x01, 0x0f },
    { SPR,     0xa3, 0xa3, 0x02, 0x0f },
    { SPR,     0xa3, 0xa3, 0x08, 0x0f },
    { SPR,     0xa4, 0xa4, 0x04, 0x01 },
    { SPR,     0xa4, 0xa4, 0x08, 0x01 },
    { SPR,     0xcd, 0xcd, 0x02, 0x01 },
    { SPR,     0xce, 0xce, ANY_UMASK, 0x01 },
    { SPR,     0xd0, 0xdf, ANY_UMASK, 0x0f },
    { SPR,     0x01, 0x8f, ANY_UMASK, 0x0f },
    { SPR,     0x90, 0xfe, ANY_UMASK, 0xff },

    /* Family 15H: by the unit that makes the event */
    { AMD_15H, 0x003, 0x003, ANY_UMASK, 0x08 },
    { AMD_15H, 0x00b, 0x00b, ANY_UMASK, 0x08 },
    { AMD_15H, 0x00d, 0x00d, ANY_UMASK, 0x08 },
    { AMD_15H, 0x000, 0x01f, ANY_UMASK, 0x38 },
    { AMD_15H, 0x023, 0x023, ANY_UMASK, 0x07 },
    { AMD_15H, 0x02d, 0x02d, ANY_UMASK, 0x08 },
    { AMD_15H, 0x02e, 0x02e, ANY_UMASK, 0x09 },
    { AMD_15H, 0x031, 0x031, ANY_UMASK, 0x07 },
    { AMD_15H, 0x043, 0x043, ANY_UMASK, 0x07 },
    { AMD_15H, 0x045, 0x046, ANY_UMASK, 0x07 },
    { AMD_15H, 0x054, 0x055, ANY_UMASK, 0x07 },
    { AMD_15H, 0x020, 0x05f, ANY_UMASK, 0x3f },
    { AMD_15H, 0x08f, 0x08f, ANY_UMASK, 0x01 },
    { AMD_15H, 0x060, 0x09f, ANY_UMASK, 0x07 },
    { AMD_15H, 0x0c0, 0x0cf, ANY_UMASK, 0x3f },
    { AMD_15H, 0x0db, 0x0df, ANY_UMASK, 0x3f },
    { AMD_15H, 0x0d0, 0x0da, ANY_UMASK, 0x07 },
    { AMD_15H, 0x0e0, 0x0ff, ANY_UMASK, 0x00 },     /* the northbridge's own */
    { AMD_15H, 0x187, 0x188, ANY_UMASK, 0x01 },
    { AMD_15H, 0x1c0, 0x1c0, ANY_UMASK, 0x38 },
    { AMD_15H, 0x1d6, 0x1d6, ANY_UMASK, 0x3f },
    { AMD_15H, 0x1d8, 0x1d8, ANY_UMASK, 0x3f },
};

static uint32_t counters_for(PMUFamily family, unsigned code, unsigned umask)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(places); i++) {
        const PlaceRow *p = &places[i];

        if (family >= p->first && family <= p->last &&
            code >= p->low && code <= p->high &&
            (p->umask == ANY_UMASK || p->umask == (int)umask)) {
            return p->counters;
        }
    }
    return UINT32_MAX;
}

PMUSignal pmu_event_signal(PMUFamily family, unsigned counter,
                           unsigned code, unsigned umask)
{
    unsigned i;

    if (!(counters_for(family, code, umask) & (1u << counter))) {
        return PMU_SIG_NONE;
    }
    for (i = 0; i < ARRAY_SIZE(events); i++) {
        const EventRow *e = &events[i];

        if (family >= e->first && family <= e->last && code == e->code &&
            (e->umask == ANY_UMASK || e->umask == (int)umask)) {
            return e->signal;
        }
    }
    return PMU_SIG_NONE;
}
