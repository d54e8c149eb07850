/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the translator tells the PMU model: the kind of each instruction, its
 * retirement, and its data accesses.
 *
 * Every data access that translated code makes is emitted by one of the
 * generators below. Each is shadowed by a macro of its own name that first
 * emits a note of the access, if the block being translated is one that the
 * model sees. Accesses that helpers make by themselves are not seen: loads
 * without fault, and those of registers in alternate address spaces.
 */
#ifndef SPARC_PMU_TRANSLATE_H
#define SPARC_PMU_TRANSLATE_H

#include "pmu.h"

/* Each translating thread has at most one block in hand. */
static __thread bool pmu_notes_accesses;

static inline void gen_pmu_access(TCGv address, bool store)
{
    if (pmu_notes_accesses) {
        gen_helper_pmu_access(cpu_env, address, tcg_constant_i32(store));
    }
}

#define PMU_LOADS(generator, val, addr, ...) \
    (gen_pmu_access(addr, false), generator(val, addr, __VA_ARGS__))
#define PMU_STORES(generator, val, addr, ...) \
    (gen_pmu_access(addr, true), generator(val, addr, __VA_ARGS__))
#define PMU_UPDATES(generator, val, addr, ...) \
    (gen_pmu_access(addr, false), gen_pmu_access(addr, true), \
     generator(val, addr, __VA_ARGS__))

#define tcg_gen_qemu_ld_i32(...)  PMU_LOADS(tcg_gen_qemu_ld_i32, __VA_ARGS__)
#define tcg_gen_qemu_ld_i64(...)  PMU_LOADS(tcg_gen_qemu_ld_i64, __VA_ARGS__)
#define tcg_gen_qemu_ld8u(...)    PMU_LOADS(tcg_gen_qemu_ld8u, __VA_ARGS__)
#define tcg_gen_qemu_ld8s(...)    PMU_LOADS(tcg_gen_qemu_ld8s, __VA_ARGS__)
#define tcg_gen_qemu_ld16u(...)   PMU_LOADS(tcg_gen_qemu_ld16u, __VA_ARGS__)
#define tcg_gen_qemu_ld16s(...)   PMU_LOADS(tcg_gen_qemu_ld16s, __VA_ARGS__)
#define tcg_gen_qemu_ld32u(...)   PMU_LOADS(tcg_gen_qemu_ld32u, __VA_ARGS__)
#define tcg_gen_qemu_ld32s(...)   PMU_LOADS(tcg_gen_qemu_ld32s, __VA_ARGS__)
#define tcg_gen_qemu_ld64(...)    PMU_LOADS(tcg_gen_qemu_ld64, __VA_ARGS__)
#define tcg_gen_qemu_st_i32(...)  PMU_STORES(tcg_gen_qemu_st_i32, __VA_ARGS__)
#define tcg_gen_qemu_st_i64(...)  PMU_STORES(tcg_gen_qemu_st_i64, __VA_ARGS__)
#define tcg_gen_qemu_st8(...)     PMU_STORES(tcg_gen_qemu_st8, __VA_ARGS__)
#define tcg_gen_qemu_st16(...)    PMU_STORES(tcg_gen_qemu_st16, __VA_ARGS__)
#define tcg_gen_qemu_st32(...)    PMU_STORES(tcg_gen_qemu_st32, __VA_ARGS__)
#define tcg_gen_qemu_st64(...)    PMU_STORES(tcg_gen_qemu_st64, __VA_ARGS__)

#define tcg_gen_atomic_xchg_i64(...) \
    PMU_UPDATES(tcg_gen_atomic_xchg_i64, __VA_ARGS__)
#define tcg_gen_atomic_cmpxchg_i64(...) \
    PMU_UPDATES(tcg_gen_atomic_cmpxchg_i64, __VA_ARGS__)

/* One more of a statistic */
static inline void gen_pmu_stat(enum pmu_stat which)
{
    TCGv_ptr pmu = tcg_temp_new_ptr();
    TCGv_i64 value = tcg_temp_new_i64();
    intptr_t at = offsetof(SPARCPMU, stats.value) + which * sizeof(uint64_t);

    tcg_gen_ld_ptr(pmu, cpu_env, offsetof(CPUSPARCState, pmu));
    tcg_gen_ld_i64(value, pmu, at);
    tcg_gen_addi_i64(value, value, 1);
    tcg_gen_st_i64(value, pmu, at);
    tcg_temp_free_i64(value);
    tcg_temp_free_ptr(pmu);
}

/*
 * The statistics of an instruction that retires where nothing else sees it:
 * by no helper, and in a block of any size.
 */
static inline void gen_pmu_stats(uint32_t what)
{
    gen_pmu_stat(what & PMU_USER ? PMU_STAT_INSN_USER : PMU_STAT_INSN_KERNEL);
    if (!(what & PMU_USER) && (what & PMU_ATOMIC)) {
        gen_pmu_stat(PMU_STAT_ATOMIC);
    }
}

/* Branches with a condition field: never and always are no conditions. */
static inline uint32_t pmu_classify_branch(uint32_t insn)
{
    uint32_t condition = insn >> 25 & 0xf;

    if (condition == 0 || condition == 8) {
        return PMU_BRANCH | (condition ? PMU_TAKEN : 0);
    }
    return PMU_BRANCH | PMU_COND;
}

/* The SPARC Architecture Manual, version 9, Appendix E: opcode maps */
static inline uint32_t pmu_classify_memory(uint32_t op3)
{
    switch (op3) {
    case 0x04 ... 0x07: case 0x0e: case 0x14 ... 0x17: case 0x1e:
    case 0x24 ... 0x27: case 0x34: case 0x36: case 0x37:
        return PMU_STORE;
    case 0x0d: case 0x0f: case 0x1d: case 0x1f: case 0x3c: case 0x3e:
        return PMU_ATOMIC;
    case 0x2d: case 0x3d:       /* PREFETCH, PREFETCHA */
        return 0;
    default:
        return PMU_LOAD;
    }
}

/* What kind of instruction is it? Of one that is none, nobody will ask. */
static inline uint32_t pmu_classify(uint32_t insn)
{
    uint32_t op2 = insn >> 22 & 7, op3 = insn >> 19 & 0x3f;

    switch (insn >> 30) {
    case 0:
        switch (op2) {
        case 1: case 2: case 5: case 6:         /* BPcc, Bicc, FBPfcc, FBfcc */
            return pmu_classify_branch(insn);
        case 3:                                 /* BPr */
            return PMU_BRANCH | PMU_COND;
        case 4:
            return insn == 0x010003f0 ? PMU_SW : 0;
        }
        return 0;
    case 1:                                     /* CALL */
        return PMU_BRANCH | PMU_TAKEN;
    case 2:
        switch (op3) {
        case 0x34: case 0x35:                   /* FPop1, FPop2 */
            return PMU_FP;
        case 0x38: case 0x39:                   /* JMPL, RETURN */
            return PMU_BRANCH | PMU_TAKEN;
        }
        return 0;
    default:
        return pmu_classify_memory(op3);
    }
}

#endif
