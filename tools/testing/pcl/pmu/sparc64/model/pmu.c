// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's core: retirement, overflow, and the interrupt.
 *
 * Concepts: a block of translated code that something wants to see has one
 * instruction, and ends with a call of helper_pmu_retire(). An instruction
 * that traps never gets there, nor does one that a branch annulled begin, so
 * neither counts. A Tcc that traps is one that traps. Of other blocks the
 * statistics are counted by their own code (pmu-translate.h).
 *
 * Cycles: an instruction takes one, a transfer of control that is taken two.
 *
 * A write of PCR does not count on a counter that it turns on or off.
 *
 * Overflow sets SOFTINT bit 15, pmu-skid retirements after it if that is set;
 * an overflow while one waits has none of its own. With pmu-late each has its
 * own, that many later: it may find nothing. Where an overflow bit of the chip
 * holds the interrupt, it comes again until that bit, or what lets the counter
 * interrupt, is written away, whatever is done to SOFTINT. A bit that software
 * sets brings none (it does not on SPARC64 V; of the others it is not known).
 *
 * Contexts: the CPU's own thread.
 *
 * Locks: the global one of QEMU around interrupts.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qapi/error.h"
#include "pmu.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "trace.h"

/* Which levels have to be seen? Blocks of others run at full speed. */
static void set_levels(CPUSPARCState *env)
{
    SPARCPMU *pmu = env->pmu;
    uint8_t levels = 0;
    unsigned i;

    for (i = 0; i < PMU_PICS; i++) {
        levels |= pmu->counter[i].signals ? pmu->counter[i].levels : 0;
    }
    if (pmu->nr_flights) {
        levels = PMU_LEVEL_USER | PMU_LEVEL_SYSTEM;
    }
    if (env->pmu_levels != levels) {
        env->pmu_levels = levels;
        /* Leave the chain of blocks: the next ones are others. */
        qatomic_set(&cpu_neg(env_cpu(env))->icount_decr.u16.high, -1);
    }
}

/* PCR has changed; @in_block: by an instruction whose retirement is seen. */
void pmu_reconfigure(CPUSPARCState *env, bool in_block)
{
    SPARCPMU *pmu = env->pmu;
    uint8_t levels = (pmu->pcr & PCR_UT ? PMU_LEVEL_USER : 0) |
                     (pmu->pcr & PCR_ST ? PMU_LEVEL_SYSTEM : 0);
    unsigned i;

    for (i = 0; i < PMU_PICS; i++) {
        PMUCounter *c = &pmu->counter[i];
        uint32_t signals = pmu_signals(pmu->chip, i, pmu->pcr);

        c->fresh = in_block && levels &&
                   (c->levels != levels || c->signals != signals);
        c->levels = levels;
        c->signals = signals;
    }
    set_levels(env);
}

/* Set bits of SOFTINT, which the clock does beside this, and look what is due. */
static void check_irqs(CPUSPARCState *env, uint32_t set)
{
    bool locked = qemu_mutex_iothread_locked();

    if (!locked) {
        qemu_mutex_lock_iothread();
    }
    env->softint |= set;
    if (cpu_interrupts_enabled(env)) {
        cpu_check_irqs(env);
    }
    if (!locked) {
        qemu_mutex_unlock_iothread();
    }
}

/* Is there an overflow bit, of a counter that may interrupt? */
static bool holds(const SPARCPMU *pmu)
{
    const PMUChip *chip = pmu->chip;
    unsigned i;

    for (i = 0; chip->held && i < PMU_PICS; i++) {
        if ((pmu->pcr & chip->overflow[i]) && (pmu->pcr & chip->trap[i])) {
            return true;
        }
    }
    return false;
}

static void interrupt(CPUSPARCState *env)
{
    SPARCPMU *pmu = env->pmu;

    pmu->stats.value[PMU_STAT_PMI]++;
    pmu->held = holds(pmu);
    check_irqs(env, 1 << 15);
}

uint32_t pmu_held(CPUSPARCState *env)
{
    return env->pmu && env->pmu->held ? 1 << 15 : 0;
}

/*
 * Counter @idx has overflowed, or is near to it; true if it interrupts at once.
 * Where the overflow bit holds the interrupt, one that is set has said so.
 */
static bool overflow(SPARCPMU *pmu, unsigned idx)
{
    const PMUChip *chip = pmu->chip;

    if (chip->held && (pmu->pcr & chip->overflow[idx])) {
        return false;
    }
    pmu->pcr |= chip->overflow[idx];
    if (!chip->interrupts || (chip->trap[idx] && !(pmu->pcr & chip->trap[idx]))) {
        return false;
    }
    if (pmu->properties.late && pmu->nr_flights < PMU_MAX_FLIGHTS) {
        pmu->flight[pmu->nr_flights++] = pmu->properties.late;
        return false;
    }
    if (pmu->properties.skid) {
        if (!pmu->nr_flights) {
            pmu->flight[pmu->nr_flights++] = pmu->properties.skid;
        }
        return false;
    }
    return true;
}

/* One retirement has passed; true if an interrupt arrives. */
static bool arrive(SPARCPMU *pmu)
{
    unsigned i, kept = 0, nr = pmu->nr_flights;

    for (i = 0; i < nr; i++) {
        if (--pmu->flight[i]) {
            pmu->flight[kept++] = pmu->flight[i];
        }
    }
    pmu->nr_flights = kept;
    return kept != nr;
}

static bool count(SPARCPMU *pmu, unsigned idx, uint32_t n)
{
    const PMUChip *chip = pmu->chip;
    PMUCounter *c = &pmu->counter[idx];
    uint32_t before = c->value;

    if (!n) {
        return false;
    }
    c->value = before + n;
    if (c->value < before) {
        return overflow(pmu, idx);
    }
    if (chip->early && c->value >= -chip->early && (pmu->pcr & chip->trap[idx])) {
        return overflow(pmu, idx);
    }
    return false;
}

/* All counters see @increments, which happened at @level; true: interrupt. */
static bool count_all(SPARCPMU *pmu, const uint8_t *increments, uint8_t level)
{
    bool now = false;
    unsigned i;

    for (i = 0; i < PMU_PICS; i++) {
        PMUCounter *c = &pmu->counter[i];
        uint32_t left = c->signals, n = 0;

        if (c->fresh) {
            c->fresh = false;
            continue;
        }
        if (!(c->levels & level)) {
            continue;
        }
        for (; left; left &= left - 1) {
            n = MAX(n, increments[ctz32(left)]);
        }
        now |= count(pmu, i, n);
    }
    return now;
}

/* Conditional branches are predicted by two-bit counters. */
static void predict(SPARCPMU *pmu, uint64_t pc, bool taken, uint8_t *increments)
{
    uint8_t *state = &pmu->bimodal[pc / 4 % PMU_BIMODAL];
    bool predicted = *state >= 2;

    if (predicted != taken) {
        increments[predicted ? PMU_SIG_MISP_TAKEN : PMU_SIG_MISP_UNTAKEN] = 1;
    }
    if (taken) {
        *state += *state < 3;
    } else {
        *state -= *state > 0;
    }
}

static void measure(SPARCPMU *pmu, uint32_t what, bool taken, uint64_t pc,
                    uint8_t *increments)
{
    increments[PMU_SIG_INSN] = 1;
    increments[PMU_SIG_CYCLES] = 1;
    if (what & PMU_BRANCH) {
        increments[PMU_SIG_CYCLES] += taken;
        increments[PMU_SIG_BR] = 1;
        increments[taken ? PMU_SIG_BR_TAKEN : PMU_SIG_BR_UNTAKEN] = 1;
        if (what & PMU_COND) {
            predict(pmu, pc, taken, increments);
        }
    }
    increments[PMU_SIG_LOAD] = !!(what & PMU_LOAD);
    increments[PMU_SIG_STORE] = !!(what & PMU_STORE);
    increments[PMU_SIG_ATOMIC] = !!(what & PMU_ATOMIC);
    increments[PMU_SIG_FP] = !!(what & PMU_FP);
    increments[PMU_SIG_SW] = !!(what & PMU_SW);
    increments[PMU_SIG_OTHER] =
        !(what & (PMU_BRANCH | PMU_LOAD | PMU_STORE | PMU_ATOMIC | PMU_FP | PMU_SW));
    pmu_cache_retire(pmu, increments);
}

/* An instruction has retired; @taken: if it is a branch, is it taken? */
void helper_pmu_retire(CPUSPARCState *env, uint32_t what, target_ulong taken,
                       target_ulong pc)
{
    SPARCPMU *pmu = env->pmu;
    uint8_t increments[PMU_SIG_COUNT] = { 0 };
    uint8_t level = what & PMU_USER ? PMU_LEVEL_USER : PMU_LEVEL_SYSTEM;
    unsigned flights = pmu->nr_flights;
    bool now = arrive(pmu);

    pmu->stats.value[what & PMU_USER ? PMU_STAT_INSN_USER : PMU_STAT_INSN_KERNEL]++;
    pmu->stats.value[PMU_STAT_ATOMIC] += !(what & PMU_USER) && (what & PMU_ATOMIC);
    measure(pmu, what, taken != 0, pc, increments);
    pmu->accesses = 0;
    now |= count_all(pmu, increments, level);
    if (now) {
        interrupt(env);
    }
    if (!flights != !pmu->nr_flights) {
        set_levels(env);
    }
}

void helper_pmu_access(CPUSPARCState *env, target_ulong address, uint32_t store)
{
    SPARCPMU *pmu = env->pmu;

    if (pmu->accesses < PMU_MAX_ACCESSES) {
        pmu->access[pmu->accesses++] = (PMUAccess) { address, store };
    }
}

void pmu_trap(CPUSPARCState *env, int tt)
{
    SPARCPMU *pmu = env->pmu;
    uint8_t increments[PMU_SIG_COUNT] = { 0 };
    uint8_t level = env->pstate & PS_PRIV ? PMU_LEVEL_SYSTEM : PMU_LEVEL_USER;
    unsigned flights = pmu->nr_flights;

    pmu->stats.value[PMU_STAT_TRAPS]++;
    pmu->accesses = 0;
    if (tt >= TT_TMISS && tt < TT_TMISS + 4) {
        increments[PMU_SIG_ITLB_MISS] = 1;
    } else if (tt >= TT_DMISS && tt < TT_DMISS + 4) {
        increments[PMU_SIG_DTLB_MISS] = 1;
    } else {
        return;
    }
    if (count_all(pmu, increments, level)) {
        interrupt(env);
    }
    if (!flights != !pmu->nr_flights) {
        set_levels(env);
    }
}

/*
 * ---- registers --------------------------------------------------------------
 */

uint64_t helper_rdpcr(CPUSPARCState *env)
{
    env->pmu->stats.value[PMU_STAT_RDPCR]++;
    return env->pmu->pcr;
}

void helper_wrpcr(CPUSPARCState *env, uint64_t value, uint32_t in_block)
{
    SPARCPMU *pmu = env->pmu;
    uint64_t writable = pmu->chip->writable;

    pmu->stats.value[PMU_STAT_WRPCR]++;
    pmu->pcr = (value & writable) | (pmu->pcr & ~writable);
    pmu_reconfigure(env, in_block);
    if (pmu->held && !holds(pmu)) {
        pmu->held = false;
        check_irqs(env, 0);
    }
}

static void check_privilege(CPUSPARCState *env, uintptr_t ra)
{
    if ((env->pmu->pcr & PCR_PRIV) && !cpu_supervisor_mode(env)) {
        cpu_raise_exception_ra(env, TT_PRIV_ACT, ra);
    }
}

uint64_t helper_rdpic(CPUSPARCState *env)
{
    SPARCPMU *pmu = env->pmu;

    check_privilege(env, GETPC());
    pmu->stats.value[PMU_STAT_RDPIC]++;
    return (uint64_t)pmu->counter[1].value << 32 | pmu->counter[0].value;
}

void helper_wrpic(CPUSPARCState *env, uint64_t value)
{
    SPARCPMU *pmu = env->pmu;

    check_privilege(env, GETPC());
    pmu->stats.value[PMU_STAT_WRPIC]++;
    pmu->counter[0].value = value;
    pmu->counter[1].value = value >> 32;
}

/*
 * ---- the CPU's life ---------------------------------------------------------
 */

void pmu_reset(CPUSPARCState *env)
{
    SPARCPMU *pmu = env->pmu;
    SPARCPMU kept;

    if (!pmu) {
        return;
    }
    kept = *pmu;
    memset(pmu, 0, sizeof(*pmu));
    pmu->chip = kept.chip;
    pmu->properties = kept.properties;
    pmu->stats = kept.stats;
    if (pmu->properties.dirty) {
        pmu->pcr = pmu->chip->dirt;
        pmu->counter[0].value = 0x1234;
        pmu->counter[1].value = 0x5678;
    }
    pmu_reconfigure(env, false);
}

void pmu_realize(SPARCCPU *cpu, Error **errp)
{
    const PMUProperties *p = &cpu->pmu_properties;
    const PMUChip *chip;

    if (!p->chip) {
        return;
    }
    chip = pmu_chip(p->chip);
    if (!chip) {
        error_setg(errp, "pmu=%s: it is us12, us3, t1 or t2", p->chip);
        return;
    }
    cpu->env.pmu = g_new0(SPARCPMU, 1);
    cpu->env.pmu->chip = chip;
    cpu->env.pmu->properties = *p;
}
