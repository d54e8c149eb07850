// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's chips: the layout of PCR, and what the codes mean.
 *
 * Facts. No manual of these chips was at hand, but for the first: layouts are
 * those that Solaris (us234_pcbe, niagararegs, niagara2regs) and Linux
 * (asm/pcr.h) agree on; codes those of Solaris's and libpfm4's tables; silent
 * wrapping: UltraSPARC I & II User's Manual, B.2; overflow and SOFTINT bit 15:
 * SPARC Joint Programming Specification 1, "Performance Instrumentation".
 *
 * T2's selection is a number, SL, and a set of what of it is counted. An
 * instruction that is in the set counts once, however many names it has there
 * (a taken branch is a branch as well).
 *
 * A code that is not in the table, or not on that counter, counts nothing:
 * what it means on the chip is nothing that the emulator has.
 *
 * Contexts: the CPU's own thread.
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define PIC0    1
#define PIC1    2
#define BOTH    3

/* UltraSPARC I, II, IIi, IIe */
static const PMURow us12_rows[] = {
    { 0x0, BOTH, PMU_SIG_CYCLES },
    { 0x1, BOTH, PMU_SIG_INSN },
    { 0x9, PIC0, PMU_SIG_DC_RD },
    { 0xa, PIC0, PMU_SIG_DC_WR },
    { 0x9, PIC1, PMU_SIG_DC_RD_HIT },
    { 0xa, PIC1, PMU_SIG_DC_WR_HIT },
};

/* UltraSPARC III, III+, IIIi, IV: what they have in common */
static const PMURow us3_rows[] = {
    { 0x00, BOTH, PMU_SIG_CYCLES },
    { 0x01, BOTH, PMU_SIG_INSN },
    { 0x09, PIC0, PMU_SIG_DC_RD },
    { 0x0a, PIC0, PMU_SIG_DC_WR },
    { 0x14, PIC0, PMU_SIG_SW },
    { 0x15, PIC0, PMU_SIG_MISP_TAKEN },
    { 0x16, PIC0, PMU_SIG_BR_TAKEN },
    { 0x09, PIC1, PMU_SIG_DC_RD_MISS },
    { 0x0a, PIC1, PMU_SIG_DC_WR_MISS },
    { 0x11, PIC1, PMU_SIG_ITLB_MISS },
    { 0x12, PIC1, PMU_SIG_DTLB_MISS },
    { 0x1c, PIC1, PMU_SIG_SW },
    { 0x1d, PIC1, PMU_SIG_MISP_UNTAKEN },
    { 0x1e, PIC1, PMU_SIG_BR_UNTAKEN },
};

/* UltraSPARC T1: PIC1 has no selection. */
static const PMURow t1_rows[] = {
    { 0x0, PIC1, PMU_SIG_INSN },
    { 0x1, PIC0, PMU_SIG_FP },
    { 0x3, PIC0, PMU_SIG_DC_RD_MISS },
    { 0x4, PIC0, PMU_SIG_ITLB_MISS },
    { 0x5, PIC0, PMU_SIG_DTLB_MISS },
};

/* UltraSPARC T2, T2+, SPARC T3 */
static const PMURow t2_rows[] = {
    { 0x201, BOTH, PMU_SIG_BR },
    { 0x202, BOTH, PMU_SIG_BR_TAKEN },
    { 0x204, BOTH, PMU_SIG_FP },
    { 0x208, BOTH, PMU_SIG_LOAD },
    { 0x210, BOTH, PMU_SIG_STORE },
    { 0x220, BOTH, PMU_SIG_SW },
    { 0x240, BOTH, PMU_SIG_OTHER },
    { 0x280, BOTH, PMU_SIG_ATOMIC },
    { 0x302, BOTH, PMU_SIG_DC_RD_MISS },
    { 0xb04, BOTH, PMU_SIG_ITLB_MISS },
    { 0xb08, BOTH, PMU_SIG_DTLB_MISS },
};

static const PMUChip chips[] = {
    {
        .name = "us12",
        .writable = 0x78f7,
        .dirt = 0x7,
        .shift = { 4, 11 }, .field = { 0xf, 0xf },
        .rows = us12_rows, .nr_rows = ARRAY_SIZE(us12_rows),
        .line_shift = 5, .sets = 512, .ways = 1,
    },
    {
        .name = "us3",
        .interrupts = true,
        .writable = 0x1fbf7,
        .dirt = 0x7,
        .shift = { 4, 11 }, .field = { 0x3f, 0x3f },
        .rows = us3_rows, .nr_rows = ARRAY_SIZE(us3_rows),
        .line_shift = 5, .sets = 512, .ways = 4,
    },
    {
        .name = "t1",
        .interrupts = true,
        .writable = 0x377,
        .dirt = 0x17,
        .shift = { 4, 0 }, .field = { 0x7, 0 },
        .overflow = { 1 << 8, 1 << 9 },
        .rows = t1_rows, .nr_rows = ARRAY_SIZE(t1_rows),
        .line_shift = 4, .sets = 128, .ways = 4,
    },
    {
        .name = "t2",
        .interrupts = true,
        .held = true,
        .early = 16,
        .writable = 0xfffffff7,         /* HT is the hypervisor's */
        .dirt = 0x17e8bf77,             /* all instructions, on both, that may interrupt */
        .shift = { 6, 19 }, .field = { 0xfff, 0xfff },
        .mask = 0xff,
        .overflow = { 1 << 18, 1u << 31 },
        .trap = { 1 << 4, 1 << 5 },
        .rows = t2_rows, .nr_rows = ARRAY_SIZE(t2_rows),
        .line_shift = 4, .sets = 128, .ways = 4,
    },
};

const PMUChip *pmu_chip(const char *name)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(chips); i++) {
        if (!strcmp(chips[i].name, name)) {
            return &chips[i];
        }
    }
    return NULL;
}

/* What counter @idx counts with that PCR: a bit for each signal */
uint32_t pmu_signals(const PMUChip *chip, unsigned idx, uint64_t pcr)
{
    uint16_t code = pcr >> chip->shift[idx] & chip->field[idx];
    uint16_t number = ~chip->mask;
    uint32_t signals = 0;
    unsigned i;

    for (i = 0; i < chip->nr_rows; i++) {
        const PMURow *row = &chip->rows[i];

        if (!(row->pics & 1 << idx) || (row->code & number) != (code & number)) {
            continue;
        }
        if (!chip->mask || (row->code & code & chip->mask)) {
            signals |= 1u << row->signal;
        }
    }
    return signals;
}
