// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Sandy Bridge and Ivy Bridge.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

static const struct x86_generic sandybridge_generic[] = {
	X86_GENERIC(STALLED_CYCLES_FRONTEND, 0x010e | X86_SEL_INV | (1 << 24)),	/* no UOPS_ISSUED.ANY */
	X86_GENERIC(STALLED_CYCLES_BACKEND, 0x01b1 | X86_SEL_INV | (1 << 24)),	/* no UOPS_DISPATCHED.THREAD */
	X86_GENERIC_END
};

static const struct x86_generic ivybridge_generic[] = {
	X86_GENERIC(STALLED_CYCLES_FRONTEND, 0x010e | X86_SEL_INV | (1 << 24)),
	X86_GENERIC_END
};

static const struct x86_constraint sandybridge_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_UEVENT(0x02a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	X86_UEVENT(0x04a3, 0xf),	/* CYCLE_ACTIVITY.CYCLES_NO_DISPATCH */
	X86_UEVENT(0x05a3, 0xf),	/* CYCLE_ACTIVITY.STALLS_L2_PENDING */
	X86_UEVENT(0x06a3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	X86_EVENT(0x48, 0x4),		/* L1D_PEND_MISS */
	X86_UEVENT(0x01c0, 0x2),	/* INST_RETIRED.PREC_DIST */
	X86_EVENT(0xcd, 0x8),		/* MEM_TRANS_RETIRED */
	X86_EVENTS(0xd0, 0xd3, 0xf),	/* MEM_UOPS_RETIRED, MEM_LOAD_UOPS_* */
	X86_CONSTRAINT_END
};

static const struct x86_constraint ivybridge_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_UEVENT(0x02a3, 0xf), X86_UEVENT(0x04a3, 0xf), X86_UEVENT(0x05a3, 0xf), X86_UEVENT(0x06a3, 0xf),
	X86_UEVENT(0x08a3, 0x4),	/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	X86_UEVENT(0x0ca3, 0x4),	/* CYCLE_ACTIVITY.STALLS_L1D_PENDING */
	X86_UEVENT(0x0148, 0x4),	/* L1D_PEND_MISS.PENDING */
	X86_UEVENT(0x0279, 0xf),	/* IDQ.EMPTY */
	X86_UEVENT(0x019c, 0xf),	/* IDQ_UOPS_NOT_DELIVERED.CORE */
	X86_UEVENT(0x01c0, 0x2),	/* INST_RETIRED.PREC_DIST */
	X86_EVENTS(0xd0, 0xd3, 0xf),	/* MEM_UOPS_RETIRED, MEM_LOAD_UOPS_* */
	X86_CONSTRAINT_END
};

static const struct x86_extra sandybridge_extra[] = {
	INTEL_OFFCORE(0x3f807f8fffULL),
	INTEL_LOAD_LATENCY,
	X86_EXTRA_END
};

static const struct x86_extra sandybridge_x_extra[] = {
	INTEL_OFFCORE(0x3fffff8fffULL),
	INTEL_LOAD_LATENCY,
	X86_EXTRA_END
};

/* What both count alike */
#define SANDYBRIDGE_CACHE										\
	X86_CACHE(L1D, READ, 0xf1d0, 0x0151),								\
	X86_CACHE(L1D, WRITE, 0xf2d0, 0x0851),								\
	X86_CACHE(L1D, PREFETCH, X86_ABSENT, 0x024e),							\
	X86_CACHE(L1I, READ, X86_ABSENT, 0x0280),							\
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0x10081, 0x3fffc00081),					\
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0x10102, 0x3fffc00102),					\
	X86_CACHE_EXTRA(LL, PREFETCH, 0x01b7, 0x10030, 0x3fffc00030),					\
	X86_CACHE(DTLB, WRITE, 0x82d0, 0x0149),								\
	X86_CACHE(ITLB, READ, 0x1085, 0x0185),								\
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),								\
	X86_CACHE_EXTRA(NODE, READ, 0x01b7, 0x1fffc00081, 0x1fff800081),				\
	X86_CACHE_EXTRA(NODE, WRITE, 0x01b7, 0x1fffc00102, 0x1fff800102),				\
	X86_CACHE_EXTRA(NODE, PREFETCH, 0x01b7, 0x1fffc00030, 0x1fff800030),				\
	X86_CACHE_NO_SUCH_OPS

static const struct x86_cache sandybridge_cache[] = {
	SANDYBRIDGE_CACHE,
	X86_CACHE(DTLB, READ, 0x81d0, 0x0108),
	X86_CACHE_END
};

static const struct x86_cache ivybridge_cache[] = {
	SANDYBRIDGE_CACHE,
	X86_CACHE(DTLB, READ, 0x81d0, 0x8108),
	X86_CACHE_END
};

static const struct x86_alias sandybridge_aliases[] = {
	INTEL_TOPDOWN("0x3"),
	X86_ALIAS_END
};

const struct x86_family x86_sandybridge = {
	.name = "sandybridge",
	.title = "SandyBridge events, ",
	.generic = sandybridge_generic,
	.constraints = sandybridge_constraints,
	.extra = sandybridge_extra,
	.aliases = sandybridge_aliases,
	.cache = sandybridge_cache,
	.has = X86_DISTURBS_SIBLING,
};

const struct x86_family x86_ivybridge = {
	.name = "ivybridge",
	.title = "IvyBridge events, ",
	.generic = ivybridge_generic,
	.constraints = ivybridge_constraints,
	.extra = sandybridge_extra,
	.aliases = sandybridge_aliases,
	.cache = ivybridge_cache,
	.has = X86_DISTURBS_SIBLING,
};

/* Servers: the same, with more places that an answer can come from. */
const struct x86_family x86_sandybridge_x = {
	.name = "sandybridge",
	.title = "SandyBridge events, ",
	.generic = sandybridge_generic,
	.constraints = sandybridge_constraints,
	.extra = sandybridge_x_extra,
	.aliases = sandybridge_aliases,
	.cache = sandybridge_cache,
	.has = X86_DISTURBS_SIBLING,
};

const struct x86_family x86_ivybridge_x = {
	.name = "ivybridge",
	.title = "IvyBridge events, ",
	.generic = ivybridge_generic,
	.constraints = ivybridge_constraints,
	.extra = sandybridge_x_extra,
	.aliases = sandybridge_aliases,
	.cache = ivybridge_cache,
	.has = X86_DISTURBS_SIBLING,
};
