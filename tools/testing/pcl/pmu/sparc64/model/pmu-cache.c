// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's data cache, of the first level.
 *
 * Concepts: the chip's size, ways and line; virtual addresses, least recently
 * used replacement. A store writes through and brings no line in. Nothing
 * flushes it, so that a result depends on the instructions alone.
 * Only accesses of instructions that retire reach it. Accesses of one
 * instruction that follow each other, are of the same kind and touch the same
 * line are one; one that crosses into the next line counts for its first.
 * The cache learns only while something counts.
 *
 * Contexts: the CPU's own thread, from helper_pmu_retire().
 *
 * Locks: none.
 */
#include "qemu/osdep.h"
#include "pmu.h"

/* Look @tag up; true if it was there. A load makes it the most recent. */
static bool touch(uint64_t *set, unsigned ways, uint64_t tag, bool store)
{
    unsigned i;
    bool hit;

    for (i = 0; i < ways - 1; i++) {
        if (set[i] == tag) {
            break;
        }
    }
    hit = set[i] == tag;
    if (hit || !store) {
        memmove(set + 1, set, i * sizeof(*set));
        set[0] = tag;
    }
    return hit;
}

void pmu_cache_retire(SPARCPMU *pmu, uint8_t *increments)
{
    const PMUChip *chip = pmu->chip;
    const PMUAccess *previous = NULL;
    unsigned i;

    for (i = 0; i < pmu->accesses; i++) {
        const PMUAccess *a = &pmu->access[i];
        uint64_t line = a->address >> chip->line_shift;
        PMUSignal first = a->store ? PMU_SIG_DC_WR : PMU_SIG_DC_RD;
        uint64_t *set = &pmu->line[line % chip->sets * chip->ways];

        if (previous && previous->store == a->store &&
            previous->address >> chip->line_shift == line) {
            continue;
        }
        previous = a;
        increments[first]++;
        increments[first + (touch(set, chip->ways, line + 1, a->store) ? 1 : 2)]++;
    }
}
