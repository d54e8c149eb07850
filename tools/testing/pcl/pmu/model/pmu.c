// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The PMU model's core: counts what retires and raises the interrupt.
 *
 * Concepts: the translator makes blocks of one instruction wherever something
 * counts (HF_PMU_* are part of a block's key, so that code runs at full speed
 * where nothing does) and calls helper_pmu_retire() when the instruction has
 * retired. What retired becomes an array of increments, one per signal; each
 * enabled counter adds the increment of its signal. An instruction that faults
 * never retires, and so counts nothing.
 *
 * Contexts: the CPU's own thread. Reset and realize run before it or while it
 * is stopped.
 *
 * Locks: none for counting. Delivery through the local APIC takes QEMU's big
 * lock. Under icount the translator has declared the block's end to be I/O.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "pmu.h"
#include "pmu-stats-abi.h"

/* PERFEVTSEL, SDM volume 3, 20.2.1.1; AMD APM volume 2, 13.2.1: same places */
#define EVTSEL_USR      (1ULL << 16)
#define EVTSEL_OS       (1ULL << 17)
#define EVTSEL_EDGE     (1ULL << 18)
#define EVTSEL_INT      (1ULL << 20)
#define EVTSEL_EN       (1ULL << 22)
#define EVTSEL_INV      (1ULL << 23)
/* AMD only */
#define EVTSEL_GUEST    (1ULL << 40)
#define EVTSEL_HOST     (1ULL << 41)

/* A field of IA32_FIXED_CTR_CTRL, SDM volume 3, 20.2.2 */
#define FIXED_OS        1
#define FIXED_USR       2
#define FIXED_INT       8

#define STATUS_FROZEN   (1ULL << 59)
#define DEBUGCTL_FREEZE (1ULL << 12)

#define BUS_DIVIDER     8

/*
 * Is this privilege level, and this AMD mode, one that @a counts? AMD APM
 * volume 2, 13.2.1: without EFER.SVME either mode bit stops the counter.
 */
static bool filter_passes(CPUX86State *env, const PMUActive *a, bool user)
{
    uint64_t select = a->counter->select;

    if (!(user ? a->usr : a->os)) {
        return false;
    }
    if (!a->by_mode) {
        return true;
    }
    if (!(env->efer & MSR_EFER_SVME)) {
        return false;
    }
    return select & (env->hflags & HF_GUEST_MASK ? EVTSEL_GUEST : EVTSEL_HOST);
}

static bool globally_enabled(const X86PMU *pmu, uint64_t bit)
{
    if (pmu->shape.version < 2) {
        return true;
    }
    return (pmu->global_ctrl & bit) && !(pmu->global_status & STATUS_FROZEN);
}

static bool activate_gp(X86PMU *pmu, unsigned i, bool in_block)
{
    PMUCounter *c = &pmu->gp[i];
    unsigned code = c->select & 0xff;

    if (!(c->select & EVTSEL_EN) || !globally_enabled(pmu, 1ULL << i) ||
        pmu_kick_stops(pmu)) {
        return false;
    }
    if (pmu->shape.amd) {
        code |= (c->select >> 24) & 0xf00;
    }
    pmu->active[pmu->nr_active++] = (PMUActive) {
        .counter = c,
        .leak = pmu_leak_of(pmu, i, code),
        .mask = pmu_gp_mask(pmu),
        .status = 1ULL << i,
        .signal = pmu_event_signal(pmu->shape.family, i, code,
                                   (c->select >> 8) & 0xff),
        .cmask = c->select >> 24,
        .fresh = in_block && !c->active,
        .invert = c->select & EVTSEL_INV,
        .edge = c->select & EVTSEL_EDGE,
        .interrupt = c->select & EVTSEL_INT,
        .os = c->select & EVTSEL_OS,
        .usr = c->select & EVTSEL_USR,
        .by_mode = pmu->shape.amd && (c->select & (EVTSEL_GUEST | EVTSEL_HOST)),
    };
    return true;
}

static bool activate_fixed(X86PMU *pmu, unsigned i, bool in_block)
{
    static const PMUSignal signals[PMU_MAX_FIXED] = {
        PMU_SIG_INSN, PMU_SIG_CYCLES, PMU_SIG_REF, PMU_SIG_SLOTS,
    };
    PMUCounter *c = &pmu->fixed[i];
    unsigned field = (pmu->fixed_ctrl >> (4 * i)) & 0xf;

    if (!(field & (FIXED_OS | FIXED_USR)) ||
        !globally_enabled(pmu, 1ULL << (32 + i))) {
        return false;
    }
    pmu->active[pmu->nr_active++] = (PMUActive) {
        .counter = c,
        .mask = pmu_fixed_mask(pmu),
        .status = 1ULL << (32 + i),
        .signal = signals[i],
        .fresh = in_block && !c->active,
        .interrupt = field & FIXED_INT,
        .os = field & FIXED_OS,
        .usr = field & FIXED_USR,
    };
    return true;
}

/*
 * Recompute what counts, and where, after a register changed. Blocks that
 * are chained would go on under the old flags, so ask for the main loop.
 * @in_block: by an instruction whose own retirement will be reported. It does
 * not count on the counters that it enables, as it would not in a block that
 * counts nothing.
 */
void pmu_reconfigure(CPUX86State *env, bool in_block)
{
    X86PMU *pmu = env->pmu;
    uint32_t flags = 0;
    unsigned i;

    pmu_settle_strays(pmu);
    pmu->nr_active = 0;
    for (i = 0; i < pmu->shape.gp; i++) {
        pmu->gp[i].active = activate_gp(pmu, i, in_block);
    }
    for (i = 0; i < pmu->shape.fixed; i++) {
        pmu->fixed[i].active = activate_fixed(pmu, i, in_block);
    }

    for (i = 0; i < pmu->nr_active; i++) {
        const PMUActive *a = &pmu->active[i];

        flags |= a->os ? HF_PMU_OS_MASK : 0;
        flags |= a->usr ? HF_PMU_USR_MASK : 0;
        flags |= a->signal >= PMU_SIG_MEMORY ? HF_PMU_MEM_MASK : 0;
    }
    if (pmu->skid_left || pmu->nr_flights || pmu->ibs_counts ||
        pmu->shape.stats) {
        flags |= HF_PMU_OS_MASK | HF_PMU_USR_MASK;
    }

    if ((env->hflags ^ flags) &
        (HF_PMU_OS_MASK | HF_PMU_USR_MASK | HF_PMU_MEM_MASK)) {
        env->hflags &= ~(HF_PMU_OS_MASK | HF_PMU_USR_MASK | HF_PMU_MEM_MASK);
        env->hflags |= flags;
        qatomic_set(&cpu_neg(env_cpu(env))->icount_decr.u16.high, -1);
    }
}

/* An NMI of which no counter knows, as a button, a bus or IBS makes it. */
static void deliver_foreign(CPUX86State *env)
{
    bool locked = qemu_mutex_iothread_locked();

    if (!locked) {
        qemu_mutex_lock_iothread();
    }
    cpu_interrupt(env_cpu(env), CPU_INTERRUPT_NMI);
    if (!locked) {
        qemu_mutex_unlock_iothread();
    }
}

static void deliver_interrupt(CPUX86State *env)
{
    X86PMU *pmu = env->pmu;
    bool locked = qemu_mutex_iothread_locked();

    if (!pmu->shape.amd && (pmu->debugctl & DEBUGCTL_FREEZE)) {
        /* SDM volume 3, 18.4.7: version 4 has its own status bit for it. */
        if (pmu->shape.version >= 4) {
            pmu->global_status |= STATUS_FROZEN;
        } else if (pmu->shape.version >= 2) {
            pmu->global_ctrl = 0;
        }
        pmu_reconfigure(env, false);
    }

    if (!locked) {
        qemu_mutex_lock_iothread();
    }
    /* SDM volume 3, 11.5.1: Intel masks LVTPC on delivery; AMD does not. */
    if (apic_deliver_pmi(env_archcpu(env)->apic_state, !pmu->shape.amd)) {
        pmu->stats.value[PMU_STAT_PMI]++;
    }
    if (!locked) {
        qemu_mutex_unlock_iothread();
    }
}

/*
 * The number of cycles, of the @cycles that the instruction took, in which the
 * condition of @a held (or began, with edge detection). Everything the
 * instruction does happens in its first cycle; in the others only the clocks
 * advance.
 */
static unsigned condition_cycles(PMUActive *a, unsigned increment, unsigned cycles)
{
    bool clock = a->signal >= PMU_SIG_CYCLES && a->signal <= PMU_SIG_SLOTS;
    unsigned threshold = MAX(a->cmask, 1);
    unsigned per_cycle = clock ? increment / cycles : increment;
    bool level = a->counter->edge_level;
    unsigned i, n = 0;

    for (i = 0; i < cycles; i++) {
        unsigned now = i == 0 || clock ? per_cycle : 0;
        bool holds = (now >= threshold) ^ (a->invert && a->cmask);

        n += a->edge ? holds && !level : holds;
        level = holds;
    }
    a->counter->edge_level = level;
    return n;
}

/* Add to a counter; true if it overflowed. */
static bool count(PMUActive *a, unsigned increment, unsigned cycles)
{
    uint64_t before = a->counter->value;

    if (a->signal == PMU_SIG_NONE) {
        increment = 0;
    } else if (a->cmask || a->edge) {
        increment = condition_cycles(a, increment, cycles);
    }
    if (pmu_leaks(a->leak, increment)) {
        increment = 0;
    }
    increment += pmu_take_stray(a->counter);
    a->counter->value = (before + increment) & a->mask;
    return a->counter->value < before;
}

/*
 * Overflow of @a: note it; true if it asks for an interrupt now.
 *
 * With pmu-late each overflow has an interrupt of its own, some time after.
 * Intel's status bit comes with it (so that a handler that runs for another
 * overflow may not see it yet, nor get this interrupt, since LVTPC is masked);
 * AMD's is there at once, and an earlier handler may have cleared it.
 */
static bool overflow(X86PMU *pmu, const PMUActive *a)
{
    uint64_t status = pmu->shape.version >= 2 ? a->status : 0;

    if (!pmu->shape.late || pmu->nr_flights == PMU_MAX_FLIGHTS) {
        pmu->global_status |= status;
        return a->interrupt;
    }
    if (pmu->shape.amd) {
        pmu->global_status |= status;
        status = 0;
    }
    pmu->flight[pmu->nr_flights++] = (PMUFlight) {
        .left = pmu->shape.late, .status = status, .interrupt = a->interrupt,
    };
    return false;
}

/* One retirement has passed; true if an interrupt arrives. */
static bool arrive(X86PMU *pmu)
{
    bool interrupt = false;
    unsigned i, kept = 0;

    for (i = 0; i < pmu->nr_flights; i++) {
        PMUFlight *f = &pmu->flight[i];

        if (--f->left) {
            pmu->flight[kept++] = *f;
            continue;
        }
        pmu->global_status |= f->status;
        interrupt |= f->interrupt;
    }
    pmu->nr_flights = kept;
    return interrupt;
}

/* Everything but the counters' own conditions, as increments per signal. */
static unsigned measure(CPUX86State *env, uint32_t what, uint8_t *increments)
{
    X86PMU *pmu = env->pmu;
    unsigned cycles = 1;

    if (what & PMU_INSN) {
        increments[PMU_SIG_INSN] = 1;
    }
    if (what & PMU_BRANCH) {
        target_ulong base = env->segs[R_CS].base;

        pmu_branch_retire(pmu, what, env->pmu_from + base, env->eip + base,
                          increments);
        cycles += increments[PMU_SIG_BR_TAKEN] | increments[PMU_SIG_BR_FAR];
    }
    if (env->pmu_accesses) {
        pmu_cache_retire(pmu, env->pmu_accesses, increments);
        env->pmu_accesses = 0;
    }

    increments[PMU_SIG_CYCLES] = cycles;
    increments[PMU_SIG_REF] = cycles;
    increments[PMU_SIG_SLOTS] = cycles * pmu->shape.slots;
    increments[PMU_SIG_BUS] = (pmu->cycles + cycles) / BUS_DIVIDER -
                              pmu->cycles / BUS_DIVIDER;
    pmu->cycles += cycles;
    return cycles;
}

void helper_pmu_retire(CPUX86State *env, uint32_t what)
{
    X86PMU *pmu = env->pmu;
    uint8_t increments[PMU_SIG_COUNT] = { 0 };
    bool user = what & PMU_CPL;
    bool interrupt = false, due = false, late = false;
    unsigned i, cycles, flights = pmu->nr_flights;

    if (what & PMU_INSN) {
        pmu->stats.value[user ? PMU_STAT_INSN_USER : PMU_STAT_INSN_KERNEL]++;
        pmu->stats.value[PMU_STAT_LOCKED] += !user && (what & PMU_LOCKED);
        due = pmu->skid_left && --pmu->skid_left == 0;
        late = arrive(pmu);
        if (pmu_ibs_retire(pmu)) {
            deliver_foreign(env);
            pmu_reconfigure(env, false);
        }
    }
    if (!pmu->nr_active && !due && !late && !flights) {
        return;         /* here for the statistics, or for a skid */
    }

    cycles = measure(env, what, increments);
    for (i = 0; i < pmu->nr_active; i++) {
        PMUActive *a = &pmu->active[i];

        if (a->fresh) {
            a->fresh = false;
        } else if (filter_passes(env, a, user) &&
                   count(a, increments[a->signal], cycles)) {
            interrupt |= overflow(pmu, a);
        }
    }

    if (due || late || (interrupt && !pmu->shape.skid)) {
        deliver_interrupt(env);
    } else if (interrupt && !pmu->skid_left) {
        pmu->skid_left = pmu->shape.skid;
    }
    if (pmu->shape.foreign && (what & PMU_INSN) && --pmu->foreign_left == 0) {
        pmu->foreign_left = pmu->shape.foreign;
        deliver_foreign(env);
    }
    if ((pmu->shape.skid && (due || interrupt)) || !pmu->nr_flights != !flights) {
        pmu_reconfigure(env, false);
    }
}

void helper_pmu_access(CPUX86State *env, target_ulong address, uint32_t store)
{
    X86PMU *pmu = env->pmu;

    if (env->pmu_accesses < PMU_MAX_ACCESSES) {
        pmu->access[env->pmu_accesses++] = (PMUAccess) { address, store };
    }
}

void pmu_reset(X86CPU *cpu)
{
    X86PMU *pmu = cpu->env.pmu;
    PMUShape shape;
    PMUStats stats;

    if (!pmu) {
        return;
    }
    shape = pmu->shape;
    stats = pmu->stats;
    memset(pmu, 0, sizeof(*pmu));
    pmu->shape = shape;
    pmu->stats = stats;
    pmu->dirt_due = shape.dirty;
    pmu->foreign_left = shape.foreign;
    pmu_errata_reset(cpu);
    if (shape.amd) {
        amd_pmu_reset(pmu);
    } else {
        intel_pmu_reset(pmu);
    }
    pmu_reconfigure(&cpu->env, false);
}

/*
 * INIT resets the CPU, and leaves the PMU as it is: SDM volume 3, "Processor
 * State After Reset"; AMD APM volume 2, "Processor Initialization State". So
 * whoever starts a CPU again finds what was left.
 */
void pmu_after_init(X86CPU *cpu, X86PMU *pmu)
{
    cpu->env.pmu = pmu;
    if (pmu) {
        pmu_reconfigure(&cpu->env, false);
    }
}

void pmu_realize(X86CPU *cpu)
{
    CPUX86State *env = &cpu->env;
    PMUShape shape = { 0 };

    if (!cpu->enable_pmu) {
        return;
    }
    if (IS_AMD_CPU(env)) {
        amd_pmu_shape(cpu, &shape);
    } else if (IS_INTEL_CPU(env)) {
        intel_pmu_shape(cpu, &shape);
    }
    if (!shape.gp) {
        return;         /* another vendor, or a CPU that has no PMU */
    }
    shape.skid = cpu->pmu_properties.skid;
    shape.late = cpu->pmu_properties.late;
    shape.dirty = cpu->pmu_properties.dirty;
    shape.ibs = cpu->pmu_properties.ibs && shape.amd;
    shape.half = cpu->pmu_properties.half;
    shape.absent = cpu->pmu_properties.absent;
    shape.kick = cpu->pmu_properties.kick && !shape.amd && shape.version >= 2;
    shape.smt_leak = cpu->pmu_properties.smt_leak && !shape.amd;
    shape.foreign = cpu->pmu_properties.foreign;
    shape.stats = cpu->pmu_properties.stats;
    env->pmu = g_new0(X86PMU, 1);
    env->pmu->shape = shape;
}
