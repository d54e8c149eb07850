// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's data caches: a first level and a last level, per CPU.
 *
 * Concepts: 64-byte lines, linear addresses, least recently used replacement,
 * write allocation, no prefetching, no coherence between CPUs, and nothing
 * flushes them (so that a result depends on the instruction stream alone).
 *   first level   32 KB: 64 sets of 8 ways
 *   last level     1 MB: 1024 sets of 16 ways; asked when the first misses
 * Only the accesses of instructions that retire reach the caches. Accesses of
 * one instruction that follow each other, are of the same kind and touch the
 * same line are one. An access that crosses into the next line counts for its
 * first line alone. The caches learn only while something counts accesses.
 *
 * Contexts: the CPU's own thread, from helper_pmu_retire().
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define LINE_SHIFT 6

/* Look a line up in a set and make it the most recent; true if it was there. */
static bool touch(uint64_t *set, unsigned ways, uint64_t tag)
{
    unsigned i;

    for (i = 0; i < ways - 1; i++) {
        if (set[i] == tag) {
            break;
        }
    }
    bool hit = set[i] == tag;

    memmove(set + 1, set, i * sizeof(*set));
    set[0] = tag;
    return hit;
}

static void retire_access(X86PMU *pmu, uint64_t line, bool store, uint8_t *increments)
{
    uint64_t tag = line + 1;

    increments[PMU_SIG_L1D_REF]++;
    increments[store ? PMU_SIG_L1D_STORE : PMU_SIG_L1D_LOAD]++;
    if (touch(pmu->cache.l1[line % PMU_L1_SETS], PMU_L1_WAYS, tag)) {
        increments[PMU_SIG_L1D_LOAD_HIT] += !store;
        return;
    }
    increments[PMU_SIG_L1D_MISS]++;
    increments[store ? PMU_SIG_L1D_STORE_MISS : PMU_SIG_L1D_LOAD_MISS]++;
    increments[PMU_SIG_LLC_REF]++;
    if (touch(pmu->cache.llc[line % PMU_LLC_SETS], PMU_LLC_WAYS, tag)) {
        increments[PMU_SIG_LLC_LOAD_HIT] += !store;
        return;
    }
    increments[PMU_SIG_LLC_MISS]++;
    increments[PMU_SIG_LLC_LOAD_MISS] += !store;
}

void pmu_cache_retire(X86PMU *pmu, unsigned accesses, uint8_t *increments)
{
    const PMUAccess *previous = NULL;
    unsigned i;

    for (i = 0; i < accesses; i++) {
        const PMUAccess *a = &pmu->access[i];
        uint64_t line = a->address >> LINE_SHIFT;

        increments[a->store ? PMU_SIG_STORES : PMU_SIG_LOADS] = 1;
        if (!previous || previous->store != a->store ||
            previous->address >> LINE_SHIFT != line) {
            retire_access(pmu, line, a->store, increments);
        }
        previous = a;
    }
}
