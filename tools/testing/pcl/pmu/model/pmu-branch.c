// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's branches: what kind one was, and whether it was predicted.
 *
 * Concepts: three small predictors per CPU, indexed by the address of the
 * branch, that learn only while something counts.
 *   conditional   4096 two-bit counters, that start at "strongly not taken"
 *   indirect      512 last targets (jumps and calls)
 *   return        a ring of the 16 latest return addresses
 * Direct jumps and calls, and far branches, are always predicted.
 *
 * Contexts: the CPU's own thread, from helper_pmu_retire().
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

static bool predict_cond(PMUPredictor *p, uint64_t from, bool taken)
{
    uint8_t *state = &p->bimodal[from % PMU_BIMODAL];
    bool right = (*state >= 2) == taken;

    if (taken) {
        *state += *state < 3;
    } else {
        *state -= *state > 0;
    }
    return right;
}

static bool predict_target(PMUPredictor *p, uint64_t from, uint64_t to)
{
    uint64_t *last = &p->target[from % PMU_TARGETS];
    bool right = *last == to;

    *last = to;
    return right;
}

/*
 * Calls do not tell where they will return to; remember where they stand. A
 * return is predicted if it lands right behind the call, that is within the
 * length of the longest call instruction.
 */
static void push_return(PMUPredictor *p, uint64_t from)
{
    p->returns[p->top++ % PMU_RETURNS] = from;
}

static bool predict_return(PMUPredictor *p, uint64_t to)
{
    uint64_t from = p->returns[--p->top % PMU_RETURNS];

    return to - from >= 2 && to - from <= 15;
}

void pmu_branch_retire(X86PMU *pmu, uint32_t what, uint64_t from, uint64_t to,
                       uint8_t *increments)
{
    PMUPredictor *p = &pmu->predictor;
    bool taken = what & PMU_TAKEN, right = true;

    increments[PMU_SIG_BR] = 1;
    increments[PMU_SIG_BR_TAKEN] = taken && (what & PMU_BRANCH) != PMU_BRANCH_FAR;

    switch (what & PMU_BRANCH) {
    case PMU_BRANCH_COND:
        increments[PMU_SIG_BR_COND] = 1;
        increments[taken ? PMU_SIG_BR_COND_TAKEN : PMU_SIG_BR_COND_NTAKEN] = 1;
        right = predict_cond(p, from, taken);
        increments[PMU_SIG_MISP_COND] = !right;
        break;
    case PMU_BRANCH_CALL:
        increments[PMU_SIG_BR_CALL] = 1;
        push_return(p, from);
        break;
    case PMU_BRANCH_ICALL:
        increments[PMU_SIG_BR_CALL] = 1;
        push_return(p, from);
        /* fall through */
    case PMU_BRANCH_IND:
        increments[PMU_SIG_BR_IND] = 1;
        right = predict_target(p, from, to);
        increments[PMU_SIG_MISP_IND] = !right;
        break;
    case PMU_BRANCH_RET:
        increments[PMU_SIG_BR_RET] = 1;
        right = predict_return(p, to);
        increments[PMU_SIG_MISP_RET] = !right;
        break;
    case PMU_BRANCH_FAR:
        increments[PMU_SIG_BR_FAR] = 1;
        break;
    }
    increments[PMU_SIG_MISP] = !right;
}
