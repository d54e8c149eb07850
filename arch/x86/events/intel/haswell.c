// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Haswell and Broadwell.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

static const struct x86_constraint haswell_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_UEVENT(0x0148, 0x4),	/* L1D_PEND_MISS.PENDING */
	X86_UEVENT(0x04a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_NO_EXECUTE */
	X86_UEVENT(0x08a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	X86_UEVENT(0x0ca3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	X86_UEVENT(0x01c0, 0x2),	/* INST_RETIRED.PREC_DIST */
	X86_EVENT(0xcd, 0x8),		/* MEM_TRANS_RETIRED.LOAD_LATENCY */
	X86_EVENTS(0xd0, 0xd3, 0xf),	/* MEM_UOPS_RETIRED, MEM_LOAD_UOPS_* */
	X86_CONSTRAINT_END
};

static const struct x86_constraint broadwell_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_UEVENT(0x0148, 0x4),	/* L1D_PEND_MISS.PENDING */
	X86_UBIT(0x08a3, 0x4),		/* CYCLE_ACTIVITY.*L1D_MISS */
	X86_EVENT(0xcd, 0xf),		/* MEM_TRANS_RETIRED */
	X86_EVENTS(0xd0, 0xd2, 0xf),	/* MEM_UOPS_RETIRED, MEM_LOAD_UOPS_* */
	X86_CONSTRAINT_END
};

static const struct x86_extra haswell_extra[] = {
	INTEL_OFFCORE(0x3fffff8fffULL),
	INTEL_LOAD_LATENCY,
	X86_EXTRA_END
};

/* What both count alike */
#define HASWELL_CACHE											\
	X86_CACHE(L1D, READ, 0x81d0, 0x0151),								\
	X86_CACHE(L1D, WRITE, 0x82d0, X86_ABSENT),							\
	X86_CACHE(L1I, READ, X86_ABSENT, 0x0280),							\
	X86_CACHE(DTLB, READ, 0x81d0, 0x0108),								\
	X86_CACHE(DTLB, WRITE, 0x82d0, 0x0149),								\
	X86_CACHE(ITLB, READ, 0x6085, 0x0185),								\
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),								\
	X86_CACHE_NO_SUCH_OPS

static const struct x86_cache haswell_cache[] = {
	HASWELL_CACHE,
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, 0x3fb8400001),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x3fb8400002),
	X86_CACHE_EXTRA(NODE, READ, 0x01b7, 0x1f80400001, 0x1fb8000001),
	X86_CACHE_EXTRA(NODE, WRITE, 0x01b7, 0x1f80400002, 0x1fb8000002),
	X86_CACHE_END
};

static const struct x86_cache broadwell_cache[] = {
	HASWELL_CACHE,
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10001, 0x1fbc000001),
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10002, 0x1fbc000002),
	X86_CACHE_EXTRA(NODE, READ, 0x01b7, 0x1f84000001, 0x1fb8000001),
	X86_CACHE_EXTRA(NODE, WRITE, 0x01b7, 0x1f84000002, 0x1fb8000002),
	X86_CACHE_END
};

static const struct x86_alias haswell_aliases[] = {
	INTEL_TOPDOWN("0x3"),
	INTEL_TX, INTEL_EL, INTEL_CAPACITY,
	X86_ALIAS_END
};

const struct x86_family x86_haswell = {
	.name = "haswell",
	.title = "Haswell events, ",
	.constraints = haswell_constraints,
	.extra = haswell_extra,
	.aliases = haswell_aliases,
	.cache = haswell_cache,
	.has = X86_HAS_TX | X86_DISTURBS_SIBLING,
	.min_period = 32,
	.inst_all_min = 128,
	.inst_all_step = 1,
};

const struct x86_family x86_broadwell = {
	.name = "broadwell",
	.title = "Broadwell events, ",
	.constraints = broadwell_constraints,
	.extra = haswell_extra,
	.aliases = haswell_aliases,
	.cache = broadwell_cache,
	.has = X86_HAS_TX,
	.inst_all_min = 128,
	.inst_all_step = 64,
};
