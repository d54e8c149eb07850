// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Host test of the PMU model's pure files: event tables, caches, predictor.
 *
 * Concepts: the expected events are written here once more, in another form
 * (per family: code, general counters), from the same manuals; every code, unit
 * mask and counter that is not among them must count nothing. The caches are
 * compared with a naive model that keeps a time stamp per line.
 *
 * Contexts: a program of its own; prints TAP without numbers, as the guests do.
 */
#include "qemu/osdep.h"
#include "pmu.h"

#define ALL UINT32_MAX

typedef struct Expected {
    uint8_t family;
    uint16_t code;
    int16_t umask;              /* -1: any */
    uint32_t counters;
    uint8_t signal;
} Expected;

#define ARCH(f, cycles, llc, rest) \
    { f, 0x3c, 0x00, cycles, PMU_SIG_CYCLES }, \
    { f, 0x3c, 0x01, cycles, PMU_SIG_BUS }, \
    { f, 0x2e, 0x4f, llc, PMU_SIG_LLC_REF }, \
    { f, 0x2e, 0x41, llc, PMU_SIG_LLC_MISS }, \
    { f, 0xc0, 0x00, rest, PMU_SIG_INSN }, \
    { f, 0xc4, 0x00, rest, PMU_SIG_BR }, \
    { f, 0xc5, 0x00, rest, PMU_SIG_MISP }

#define NEHALEM_BOTH(f, l1d) \
    ARCH(f, ALL, ALL, ALL), \
    { f, 0xc0, 0x01, ALL, PMU_SIG_INSN }, \
    { f, 0x0b, 0x01, ALL, PMU_SIG_LOADS }, \
    { f, 0x0b, 0x02, ALL, PMU_SIG_STORES }, \
    { f, 0x40, 0x0f, l1d, PMU_SIG_L1D_LOAD }, \
    { f, 0x41, 0x0f, l1d, PMU_SIG_L1D_STORE }, \
    { f, 0x43, 0x01, l1d, PMU_SIG_L1D_REF }, \
    { f, 0x51, 0x01, 0x3, PMU_SIG_L1D_MISS }, \
    { f, 0xcb, 0x01, ALL, PMU_SIG_L1D_LOAD_HIT }, \
    { f, 0xcb, 0x04, ALL, PMU_SIG_LLC_LOAD_HIT }, \
    { f, 0xcb, 0x10, ALL, PMU_SIG_LLC_LOAD_MISS }, \
    { f, 0xc4, 0x01, ALL, PMU_SIG_BR_COND }, \
    { f, 0xc4, 0x02, ALL, PMU_SIG_BR_CALL }, \
    { f, 0xc4, 0x04, ALL, PMU_SIG_BR }

#define CORE_LATER(f, d0, c051, prec) \
    { f, 0xc4, 0x08, ALL, PMU_SIG_BR_RET }, \
    { f, 0xc4, 0x10, ALL, PMU_SIG_BR_COND_NTAKEN }, \
    { f, 0xc4, 0x20, ALL, PMU_SIG_BR_TAKEN }, \
    { f, 0xc4, 0x40, ALL, PMU_SIG_BR_FAR }, \
    { f, 0xc4, 0x02, ALL, PMU_SIG_BR_CALL }, \
    { f, 0xc0, 0x01, prec, PMU_SIG_INSN }, \
    { f, 0x51, 0x01, c051, PMU_SIG_L1D_MISS }, \
    { f, 0xd0, 0x81, d0, PMU_SIG_LOADS }, \
    { f, 0xd0, 0x82, d0, PMU_SIG_STORES }, \
    { f, 0xd1, 0x01, d0, PMU_SIG_L1D_LOAD_HIT }, \
    { f, 0xd1, 0x04, d0, PMU_SIG_LLC_LOAD_HIT }

#define SANDY_TO_SKYLAKE(f) \
    ARCH(f, ALL, ALL, ALL), CORE_LATER(f, 0xf, ALL, 0x2), \
    { f, 0xc4, 0x01, ALL, PMU_SIG_BR_COND }, \
    { f, 0xc4, 0x04, ALL, PMU_SIG_BR }, \
    { f, 0xc5, 0x01, ALL, PMU_SIG_MISP_COND }, \
    { f, 0xc5, 0x04, ALL, PMU_SIG_MISP }

#define LOAD_MISSES(f) \
    { f, 0xd1, 0x08, 0xf, PMU_SIG_L1D_LOAD_MISS }, \
    { f, 0xd1, 0x20, 0xf, PMU_SIG_LLC_LOAD_MISS }

#define ICELAKE_ON(f) \
    CORE_LATER(f, 0xf, 0xf, 0), LOAD_MISSES(f), \
    { f, 0xa4, 0x01, ALL, PMU_SIG_SLOTS }, \
    { f, 0xc4, 0x01, ALL, PMU_SIG_BR_COND_TAKEN }, \
    { f, 0xc4, 0x11, ALL, PMU_SIG_BR_COND }, \
    { f, 0xc4, 0x80, ALL, PMU_SIG_BR_IND }, \
    { f, 0xc5, 0x11, ALL, PMU_SIG_MISP_COND }, \
    { f, 0xc5, 0x80, ALL, PMU_SIG_MISP_IND }

#define AMD_ANY(f, cycles) \
    { f, 0x76, -1, cycles, PMU_SIG_CYCLES }, \
    { f, 0xc0, -1, ALL, PMU_SIG_INSN }, \
    { f, 0xc2, -1, ALL, PMU_SIG_BR }, \
    { f, 0xc3, -1, ALL, PMU_SIG_MISP }, \
    { f, 0xc4, -1, ALL, PMU_SIG_BR_TAKEN }, \
    { f, 0xc6, -1, ALL, PMU_SIG_BR_FAR }, \
    { f, 0xc8, -1, ALL, PMU_SIG_BR_RET }, \
    { f, 0xc9, -1, ALL, PMU_SIG_MISP_RET }, \
    { f, 0xca, -1, ALL, PMU_SIG_MISP_IND }, \
    { f, 0x40, -1, ALL, PMU_SIG_L1D_REF }

#define AMD_BEFORE_17H(f, cu) \
    AMD_ANY(f, cu), \
    { f, 0x41, -1, ALL, PMU_SIG_L1D_MISS }, \
    { f, 0x7d, 0x03, cu, PMU_SIG_LLC_REF }, \
    { f, 0x7d, 0x07, cu, PMU_SIG_LLC_REF }, \
    { f, 0x7e, 0x03, cu, PMU_SIG_LLC_MISS }, \
    { f, 0x7e, 0x07, cu, PMU_SIG_LLC_MISS }

static const Expected expected[] = {
    ARCH(PMU_ARCH, ALL, ALL, ALL),
    ARCH(PMU_CORE2, ALL, ALL, ALL),
    { PMU_CORE2, 0xc0, 0x01, ALL, PMU_SIG_LOADS },
    { PMU_CORE2, 0xc0, 0x02, ALL, PMU_SIG_STORES },
    { PMU_CORE2, 0xc4, 0x0f, ALL, PMU_SIG_BR },
    { PMU_CORE2, 0xc4, 0x0c, ALL, PMU_SIG_BR_TAKEN },
    { PMU_CORE2, 0x40, 0x0f, ALL, PMU_SIG_L1D_LOAD },
    { PMU_CORE2, 0x40, 0x01, ALL, PMU_SIG_L1D_LOAD_MISS },
    { PMU_CORE2, 0x41, 0x0f, ALL, PMU_SIG_L1D_STORE },
    { PMU_CORE2, 0x41, 0x01, ALL, PMU_SIG_L1D_STORE_MISS },
    { PMU_CORE2, 0x43, 0x01, ALL, PMU_SIG_L1D_REF },
    { PMU_CORE2, 0x45, 0x0f, ALL, PMU_SIG_L1D_MISS },
    { PMU_CORE2, 0x29, 0x4f, ALL, PMU_SIG_L1D_LOAD_MISS },
    { PMU_CORE2, 0x29, 0x41, ALL, PMU_SIG_LLC_LOAD_MISS },
    { PMU_CORE2, 0x2a, 0x4f, ALL, PMU_SIG_L1D_STORE_MISS },
    { PMU_CORE2, 0xcb, 0x01, 0x1, PMU_SIG_L1D_LOAD_MISS },
    { PMU_CORE2, 0xcb, 0x04, 0x1, PMU_SIG_LLC_LOAD_MISS },
    NEHALEM_BOTH(PMU_NEHALEM, 0x3),
    NEHALEM_BOTH(PMU_WESTMERE, ALL),
    SANDY_TO_SKYLAKE(PMU_SANDYBRIDGE),
    { PMU_SANDYBRIDGE, 0xd4, 0x02, ALL, PMU_SIG_LLC_LOAD_MISS },
    SANDY_TO_SKYLAKE(PMU_IVYBRIDGE),
    { PMU_IVYBRIDGE, 0xd4, 0x02, ALL, PMU_SIG_LLC_LOAD_MISS },
    SANDY_TO_SKYLAKE(PMU_HASWELL), LOAD_MISSES(PMU_HASWELL),
    SANDY_TO_SKYLAKE(PMU_BROADWELL), LOAD_MISSES(PMU_BROADWELL),
    SANDY_TO_SKYLAKE(PMU_SKYLAKE), LOAD_MISSES(PMU_SKYLAKE),
    ARCH(PMU_ICELAKE, ALL, ALL, ALL), ICELAKE_ON(PMU_ICELAKE),
    ARCH(PMU_SAPPHIRERAPIDS, 0xff, 0xff, 0xff), ICELAKE_ON(PMU_SAPPHIRERAPIDS),
    AMD_BEFORE_17H(PMU_AMD_K7, ALL),
    AMD_BEFORE_17H(PMU_AMD_10H, ALL),
    AMD_BEFORE_17H(PMU_AMD_15H, 0x07),
    AMD_ANY(PMU_AMD_17H, ALL),
    { PMU_AMD_17H, 0x60, 0xff, ALL, PMU_SIG_LLC_REF },
    { PMU_AMD_17H, 0x60, 0xc8, ALL, PMU_SIG_L1D_MISS },
    { PMU_AMD_17H, 0x64, 0x09, ALL, PMU_SIG_LLC_MISS },
    { PMU_AMD_17H, 0x29, 0x01, ALL, PMU_SIG_LOADS },
    { PMU_AMD_17H, 0x29, 0x02, ALL, PMU_SIG_STORES },
    { PMU_AMD_17H, 0xd1, -1, ALL, PMU_SIG_BR_COND },
};

static int failures;

static void ok(bool pass, const char *name)
{
    printf("%s - %s\n", pass ? "ok" : "not ok", name);
    failures += !pass;
}

static PMUSignal expected_signal(PMUFamily family, unsigned counter,
                                 unsigned code, unsigned umask)
{
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(expected); i++) {
        const Expected *e = &expected[i];

        if (e->family == family && e->code == code &&
            (e->umask < 0 || e->umask == (int)umask)) {
            return e->counters & (1u << counter) ? e->signal : PMU_SIG_NONE;
        }
    }
    return PMU_SIG_NONE;
}

static void test_events(void)
{
    unsigned family, counter, code, umask, wrong = 0;

    for (family = 0; family < PMU_FAMILIES; family++) {
        bool amd = family >= PMU_AMD_K7;
        unsigned codes = amd ? 0x200 : 0x100, counters = amd ? 6 : PMU_MAX_GP;

        for (code = 0; code < codes; code++) {
            for (umask = 0; umask < 0x100; umask++) {
                for (counter = 0; counter < counters; counter++) {
                    PMUSignal got = pmu_event_signal(family, counter, code, umask);
                    PMUSignal want = expected_signal(family, counter, code, umask);

                    if (got != want && wrong++ < 5) {
                        printf("# family %u code %#x umask %#x counter %u: "
                               "signal %u, want %u\n",
                               family, code, umask, counter, got, want);
                    }
                }
            }
        }
    }
    ok(!wrong, "every code, unit mask and counter of every family counts what it should");
}

/* A cache that remembers when each line of a set was last used. */
typedef struct Naive {
    unsigned sets, ways;
    uint64_t line[PMU_LLC_SETS * PMU_LLC_WAYS];
    uint64_t used[PMU_LLC_SETS * PMU_LLC_WAYS];
    uint64_t now;
} Naive;

static bool naive_touch(Naive *n, uint64_t line)
{
    unsigned first = line % n->sets * n->ways, oldest = first, i;

    n->now++;
    for (i = first; i < first + n->ways; i++) {
        if (n->used[i] && n->line[i] == line) {
            n->used[i] = n->now;
            return true;
        }
        if (n->used[i] < n->used[oldest]) {
            oldest = i;
        }
    }
    n->line[oldest] = line;
    n->used[oldest] = n->now;
    return false;
}

static void test_caches(X86PMU *pmu, unsigned seed)
{
    Naive *l1 = calloc(1, sizeof(*l1)), *llc = calloc(1, sizeof(*llc));
    unsigned i, wrong = 0, misses = 0;

    *l1 = (Naive) { .sets = PMU_L1_SETS, .ways = PMU_L1_WAYS };
    *llc = (Naive) { .sets = PMU_LLC_SETS, .ways = PMU_LLC_WAYS };
    srandom(seed);
    for (i = 0; i < 400000; i++) {
        /* Mostly a small set of lines, sometimes any of 4 MB. */
        uint64_t line = random() % 4 ? random() % 700 : random() % 65536;
        bool store = random() & 1, first, last;
        uint8_t inc[PMU_SIG_COUNT] = { 0 };

        pmu->access[0] = (PMUAccess) { line << 6 | (random() & 63), store };
        pmu_cache_retire(pmu, 1, inc);
        first = naive_touch(l1, line);
        last = first || naive_touch(llc, line);
        misses += !last;
        wrong += inc[PMU_SIG_L1D_REF] != 1;
        wrong += inc[PMU_SIG_L1D_MISS] != !first;
        wrong += inc[PMU_SIG_LLC_REF] != !first;
        wrong += inc[PMU_SIG_LLC_MISS] != !last;
        wrong += inc[PMU_SIG_L1D_LOAD_MISS] != (!first && !store);
        wrong += inc[PMU_SIG_L1D_STORE_MISS] != (!first && store);
        wrong += inc[PMU_SIG_L1D_LOAD_HIT] != (first && !store);
        wrong += inc[PMU_SIG_LLC_LOAD_HIT] != (!first && last && !store);
        wrong += inc[PMU_SIG_LLC_LOAD_MISS] != (!last && !store);
    }
    if (wrong) {
        printf("# seed %u: %u differences\n", seed, wrong);
    }
    ok(!wrong && misses, "the caches agree with a naive model");
    free(l1);
    free(llc);
}

static void test_access_merging(X86PMU *pmu)
{
    uint8_t inc[PMU_SIG_COUNT] = { 0 };

    pmu->access[0] = (PMUAccess) { 0x1000, false };
    pmu->access[1] = (PMUAccess) { 0x1008, false };
    pmu->access[2] = (PMUAccess) { 0x1010, true };
    pmu->access[3] = (PMUAccess) { 0x1040, true };
    pmu_cache_retire(pmu, 4, inc);
    ok(inc[PMU_SIG_L1D_LOAD] == 1 && inc[PMU_SIG_L1D_STORE] == 2 &&
       inc[PMU_SIG_L1D_REF] == 3, "halves of an access to one line are one access");
    ok(inc[PMU_SIG_LOADS] == 1 && inc[PMU_SIG_STORES] == 1,
       "an instruction is one load and one store at most");
}

/* One branch; returns whether it was mispredicted. */
static bool branch(X86PMU *pmu, uint32_t what, uint64_t from, uint64_t to)
{
    uint8_t inc[PMU_SIG_COUNT] = { 0 };

    pmu_branch_retire(pmu, what, from, to, inc);
    return inc[PMU_SIG_MISP];
}

static void test_predictor(X86PMU *pmu)
{
    uint32_t taken = PMU_BRANCH_COND | PMU_TAKEN;
    unsigned i, wrong = 0;

    for (i = 0; i < 100; i++) {
        wrong += branch(pmu, taken, 0x400100, 0x400000);
    }
    ok(wrong == 2, "a branch always taken is learnt after two");
    wrong = branch(pmu, PMU_BRANCH_COND, 0x400100, 0x400102);
    wrong += branch(pmu, taken, 0x400100, 0x400000);
    ok(wrong == 1, "and one exception is not unlearnt");

    wrong = branch(pmu, PMU_BRANCH_IND, 0x400200, 0x400300);
    wrong += branch(pmu, PMU_BRANCH_IND, 0x400200, 0x400300);
    wrong += branch(pmu, PMU_BRANCH_IND, 0x400200, 0x400400);
    ok(wrong == 2, "an indirect jump goes where it went last");

    for (i = 0, wrong = 0; i < PMU_RETURNS; i++) {
        wrong += branch(pmu, PMU_BRANCH_CALL, 0x500000 + 0x100 * i, 0x600000);
    }
    while (i--) {
        wrong += branch(pmu, PMU_BRANCH_RET, 0x600010, 0x500005 + 0x100 * i);
    }
    ok(!wrong, "sixteen nested calls return as predicted");
    ok(branch(pmu, PMU_BRANCH_RET, 0x600010, 0x700005), "a return to elsewhere is not");
    ok(!branch(pmu, PMU_BRANCH_FAR, 0x600010, 0x700005), "a far branch always is");
}

int main(int argc, char **argv)
{
    X86PMU *pmu = calloc(1, sizeof(*pmu));

    test_events();
    test_caches(pmu, argc > 1 ? atoi(argv[1]) : 1);
    test_access_merging(pmu);
    test_predictor(pmu);
    free(pmu);
    return failures != 0;
}
