// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's errata: what real processors do and no manual of theirs says.
 *
 * Concepts: each is off unless its property asks for it. The text of an erratum
 * says what may happen; the model does it always, in the form that its
 * workaround in Linux has been proved against.
 *
 * pmu-kick: AAK100 (Nehalem EP), AAP53 (Lynnfield), BD53 (Westmere). Events
 * that were added may not count until four certain events were programmed on
 * the four general counters, ran for a moment, and were stopped. Here the
 * general counters stand still from when one is enabled with a selection that
 * has not run on it since the last such kick, until the next.
 *
 * pmu-smt-leak: BJ122 (Sandy Bridge), BV98 (Ivy Bridge), HSD29 (Haswell). What
 * a memory event of codes 0xd0 to 0xd3 counts may go to the counter of the
 * same number of the core's other thread, if that is enabled, whatever it
 * counts. Here it always does.
 *
 * Contexts: the CPU's own thread. pmu_errata_reset(): no CPU runs.
 *
 * Locks: none; what goes to the other thread is added atomically.
 */
#include "qemu/osdep.h"
#include "qemu/atomic.h"
#include "pmu.h"

#define EVTSEL_EN       (1ULL << 22)
#define EVTSEL_WHAT     0xffffULL       /* code and unit mask */

#define KICKED          4

static const uint8_t kick_events[KICKED] = { 0xb5, 0xd2, 0xb1, 0xb1 };

static bool enabled(const X86PMU *pmu, unsigned i)
{
    return (pmu->gp[i].select & EVTSEL_EN) && (pmu->global_ctrl & (1ULL << i));
}

static uint64_t selected(const X86PMU *pmu, unsigned i)
{
    return pmu->gp[i].select & EVTSEL_WHAT;
}

/* Do the four events run, on counters that began at zero? */
static bool is_kicked(const X86PMU *pmu)
{
    unsigned i;

    for (i = 0; i < KICKED; i++) {
        if (!enabled(pmu, i) || selected(pmu, i) != kick_events[i] ||
            pmu->gp[i].value) {
            return false;
        }
    }
    return true;
}

static bool any_enabled(const X86PMU *pmu)
{
    unsigned i = 0;

    while (i < pmu->shape.gp && !enabled(pmu, i)) {
        i++;
    }
    return i < pmu->shape.gp;
}

/* Does all that is enabled run, or has run, since the last kick? */
static bool nothing_added(const X86PMU *pmu)
{
    unsigned i;

    for (i = 0; i < pmu->shape.gp; i++) {
        if (enabled(pmu, i) && selected(pmu, i) != pmu->gp[i].kicked) {
            return false;
        }
    }
    return true;
}

/* A register has been written: what is with the kick now? */
void pmu_kick_step(X86PMU *pmu)
{
    unsigned i;

    if (!pmu->shape.kick) {
        return;
    }
    if (is_kicked(pmu)) {
        pmu->kick = PMU_KICK_BEGUN;
    } else if (!any_enabled(pmu)) {
        if (pmu->kick == PMU_KICK_BEGUN) {
            pmu->kick = PMU_KICK_DONE;
        }
    } else if (pmu->kick == PMU_KICK_DONE) {
        for (i = 0; i < pmu->shape.gp; i++) {
            if (pmu->gp[i].select & EVTSEL_EN) {
                pmu->gp[i].kicked = selected(pmu, i);
            }
        }
        pmu->kick = PMU_KICK_COUNTS;
    } else if (!nothing_added(pmu)) {
        pmu->kick = PMU_KICK_NEEDED;
    }
}

/* Do the general counters stand still? */
bool pmu_kick_stops(const X86PMU *pmu)
{
    return pmu->shape.kick && pmu->kick != PMU_KICK_COUNTS;
}

/* The counter to which general counter @i loses what it counts of @code. */
PMUCounter *pmu_leak_of(X86PMU *pmu, unsigned i, unsigned code)
{
    return pmu->sibling && code >= 0xd0 && code <= 0xd3 ?
           &pmu->sibling->gp[i] : NULL;
}

/* True if @increment has gone to the other thread. */
bool pmu_leaks(PMUCounter *to, unsigned increment)
{
    if (!to || !increment || !qatomic_read(&to->active)) {
        return false;
    }
    qatomic_add(&to->stray, increment);
    return true;
}

/* What came from the other thread since the last look. */
unsigned pmu_take_stray(PMUCounter *c)
{
    return qatomic_read(&c->stray) ? qatomic_xchg(&c->stray, 0) : 0;
}

/*
 * What came is in the counters before anyone looks at them or stops them: a
 * counter whose own condition does not hold gets it as well. If it overflows by
 * that, nobody is told.
 */
void pmu_settle_strays(X86PMU *pmu)
{
    unsigned i;

    for (i = 0; pmu->sibling && i < pmu->shape.gp; i++) {
        PMUCounter *c = &pmu->gp[i];
        unsigned stray = pmu_take_stray(c);

        if (c->active) {
            c->value = (c->value + stray) & pmu_gp_mask(pmu);
        }
    }
}

/* Finds the other thread of @cpu's core; the APIC id's lowest bit tells them apart. */
void pmu_errata_reset(X86CPU *cpu)
{
    X86PMU *pmu = cpu->env.pmu;
    CPUState *cs;

    if (!pmu->shape.smt_leak || CPU(cpu)->nr_threads != 2) {
        return;
    }
    CPU_FOREACH(cs) {
        X86CPU *other = X86_CPU(cs);

        if (other != cpu && (other->apic_id ^ 1) == cpu->apic_id) {
            pmu->sibling = other->env.pmu;
        }
    }
}
