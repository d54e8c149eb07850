/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the translator reports data accesses to the PMU model.
 *
 * Every data access that translated code makes is emitted by one of the
 * generators below. Each is shadowed by a macro of its own name that first
 * emits a note of the access, if the block being translated counts accesses.
 * Accesses that helpers make by themselves (descriptor tables, FXSAVE, far
 * transfers, interrupt frames) are not seen.
 */
#ifndef I386_TCG_PMU_TRANSLATE_H
#define I386_TCG_PMU_TRANSLATE_H

#ifndef CONFIG_USER_ONLY

/* Each translating thread has at most one block in hand. */
static __thread bool pmu_notes_accesses;

static inline void gen_pmu_access(TCGv address, bool store)
{
    if (pmu_notes_accesses) {
        gen_helper_pmu_access(cpu_env, address, tcg_constant_i32(store));
    }
}

#define PMU_LOAD(generator, val, addr, ...) \
    (gen_pmu_access(addr, false), generator(val, addr, __VA_ARGS__))
#define PMU_STORE(generator, val, addr, ...) \
    (gen_pmu_access(addr, true), generator(val, addr, __VA_ARGS__))
#define PMU_UPDATE(generator, ret, addr, ...) \
    (gen_pmu_access(addr, false), gen_pmu_access(addr, true), \
     generator(ret, addr, __VA_ARGS__))

#define tcg_gen_qemu_ld_i32(...)  PMU_LOAD(tcg_gen_qemu_ld_i32, __VA_ARGS__)
#define tcg_gen_qemu_ld_i64(...)  PMU_LOAD(tcg_gen_qemu_ld_i64, __VA_ARGS__)
#define tcg_gen_qemu_st_i32(...)  PMU_STORE(tcg_gen_qemu_st_i32, __VA_ARGS__)
#define tcg_gen_qemu_st_i64(...)  PMU_STORE(tcg_gen_qemu_st_i64, __VA_ARGS__)

#define tcg_gen_atomic_xchg_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_xchg_i64, __VA_ARGS__)
#define tcg_gen_atomic_cmpxchg_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_cmpxchg_i64, __VA_ARGS__)
#define tcg_gen_atomic_add_fetch_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_add_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_and_fetch_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_and_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_or_fetch_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_or_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_xor_fetch_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_xor_fetch_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_add_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_fetch_add_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_and_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_fetch_and_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_or_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_fetch_or_i64, __VA_ARGS__)
#define tcg_gen_atomic_fetch_xor_i64(...) \
    PMU_UPDATE(tcg_gen_atomic_fetch_xor_i64, __VA_ARGS__)

#endif /* !CONFIG_USER_ONLY */

#endif
