// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Nehalem and Westmere.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

/* Cycles in which no micro-operation was issued (0e01), or none executed on any port (b13f): inverted, cmask 1. */
static const struct x86_generic nehalem_generic[] = {
	X86_GENERIC(STALLED_CYCLES_FRONTEND, 0x010e | X86_SEL_INV | (1 << 24)),
	X86_GENERIC(STALLED_CYCLES_BACKEND, 0x3fb1 | X86_SEL_INV | (1 << 24)),
	X86_GENERIC_END
};

static const struct x86_constraint nehalem_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_EVENTS(0x40, 0x43, 0x3),	/* L1D_CACHE_LD, _ST, _LOCK, L1D_ALL_REF */
	X86_EVENT(0x48, 0x3),		/* L1D_PEND_MISS */
	X86_EVENT(0x4e, 0x3),		/* L1D_PREFETCH */
	X86_EVENT(0x51, 0x3),		/* L1D */
	X86_EVENT(0x63, 0x3),		/* CACHE_LOCK_CYCLES */
	X86_CONSTRAINT_END
};

static const struct x86_constraint westmere_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_EVENT(0x51, 0x3),		/* L1D */
	X86_EVENT(0x60, 0x1),		/* OFFCORE_REQUESTS_OUTSTANDING */
	X86_EVENT(0x63, 0x3),		/* CACHE_LOCK_CYCLES */
	X86_EVENT(0xb3, 0x1),		/* SNOOPQ_REQUESTS_OUTSTANDING */
	X86_CONSTRAINT_END
};

static const struct x86_extra nehalem_extra[] = {
	{ .code = 0x01b7, .msr = 0x1a6, .valid = 0xffff },	/* OFFCORE_RESPONSE_0 */
	{ .code = 0x100b, .msr = 0x3f6, .valid = 0xffff },	/* load latency */
	X86_EXTRA_END
};

static const struct x86_extra westmere_extra[] = {
	INTEL_OFFCORE(0xffff),
	{ .code = 0x100b, .msr = 0x3f6, .valid = 0xffff },
	X86_EXTRA_END
};

/* What both count alike */
#define NEHALEM_CACHE											\
	X86_CACHE(L1D, READ, 0x010b, 0x0151),								\
	X86_CACHE(L1D, WRITE, 0x020b, 0x0251),								\
	X86_CACHE(L1D, PREFETCH, 0x014e, 0x024e),							\
	X86_CACHE(L1I, READ, 0x0380, 0x0280),								\
	X86_CACHE_EXTRA(LL, READ, 0x01b7, 0xf701, 0xf001),						\
	X86_CACHE_EXTRA(LL, WRITE, 0x01b7, 0xf70a, 0xf00a),						\
	X86_CACHE_EXTRA(LL, PREFETCH, 0x01b7, 0xf730, 0xf030),						\
	X86_CACHE(BPU, READ, 0x00c4, 0x03e8),								\
	X86_CACHE_EXTRA(NODE, READ, 0x01b7, 0x7001, 0x2001),						\
	X86_CACHE_EXTRA(NODE, WRITE, 0x01b7, 0x700a, 0x200a),						\
	X86_CACHE_EXTRA(NODE, PREFETCH, 0x01b7, 0x7030, 0x2030),					\
	X86_CACHE_NO_SUCH_OPS

static const struct x86_cache nehalem_cache[] = {
	NEHALEM_CACHE,
	X86_CACHE(DTLB, READ, 0x0f40, 0x0108),
	X86_CACHE(DTLB, WRITE, 0x0f41, 0x010c),
	X86_CACHE(ITLB, READ, 0x01c0, 0x20c8),
	X86_CACHE_END
};

static const struct x86_cache westmere_cache[] = {
	NEHALEM_CACHE,
	X86_CACHE(DTLB, READ, 0x010b, 0x0108),
	X86_CACHE(DTLB, WRITE, 0x020b, 0x010c),
	X86_CACHE(ITLB, READ, 0x01c0, 0x0185),
	X86_CACHE_END
};

const struct x86_family x86_nehalem = {
	.name = "nehalem",
	.title = "Nehalem events, ",
	.generic = nehalem_generic,
	.constraints = nehalem_constraints,
	.extra = nehalem_extra,
	.cache = nehalem_cache,
	.has = X86_NEEDS_KICK | X86_BRANCH_MISS_BROKEN,
	.min_period = 32,
};

const struct x86_family x86_westmere = {
	.name = "westmere",
	.title = "Westmere events, ",
	.generic = nehalem_generic,
	.constraints = westmere_constraints,
	.extra = westmere_extra,
	.cache = westmere_cache,
	.has = X86_NEEDS_KICK,
};
