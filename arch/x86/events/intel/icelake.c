// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Ice Lake to Rocket Lake, Sapphire Rapids and Emerald Rapids.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 * Top-down metrics (0x8000 and up) are not built, so they have no counter here.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

static const struct x86_constraint icelake_constraints[] = {
	INTEL_ON_FIXED_3, X86_ON_FIXED(0x0400, 3),
	X86_ON_FIXED(0x01c0, 0), X86_ON_FIXED(0x0100, 0),	/* INST_RETIRED.PREC_DIST, old and new */
	X86_EVENTS(0x03, 0x0a, 0xf), X86_EVENTS(0x1f, 0x28, 0xf),
	X86_EVENT(0x32, 0xf),					/* SW_PREFETCH_ACCESS */
	X86_EVENTS(0x48, 0x56, 0xf), X86_EVENTS(0x60, 0x8b, 0xf),
	X86_UEVENT(0x04a3, 0xff), X86_UEVENT(0x10a3, 0xff), X86_UEVENT(0x14a3, 0xff),
	X86_EVENT(0xa3, 0xf),					/* the rest of CYCLE_ACTIVITY */
	X86_EVENTS(0xa8, 0xb0, 0xf), X86_EVENTS(0xb7, 0xbd, 0xf), X86_EVENTS(0xd0, 0xe6, 0xf),
	X86_EVENT(0xef, 0xf), X86_EVENTS(0xf0, 0xf4, 0xf),
	X86_CONSTRAINT_END
};

static const struct x86_constraint sapphirerapids_constraints[] = {
	INTEL_ON_FIXED_3, X86_ON_FIXED(0x0400, 3),
	X86_ON_FIXED(0x0100, 0),				/* INST_RETIRED.PREC_DIST */
	X86_EVENT(0x2e, 0xff), X86_EVENT(0x3c, 0xff),		/* but for these, codes below 0x90: four counters */
	X86_EVENTS(0x01, 0x8f, 0xf),
	X86_UEVENT(0x01a3, 0xf), X86_UEVENT(0x02a3, 0xf), X86_UEVENT(0x08a3, 0xf),
	X86_UEVENT(0x04a4, 0x1), X86_UEVENT(0x08a4, 0x1), X86_UEVENT(0x02cd, 0x1),
	X86_EVENT(0xce, 0x1),					/* AMX_OPS_RETIRED */
	X86_EVENTS(0xd0, 0xdf, 0xf), X86_EVENTS(0x90, 0xfe, 0xff),
	X86_CONSTRAINT_END
};

static const struct x86_extra icelake_extra[] = {
	INTEL_OFFCORE(0x3fffffbfffULL),
	INTEL_LOAD_LATENCY,
	{ .code = 0x01c6, .msr = 0x3f7, .valid = 0x7fff17 },	/* FRONTEND_RETIRED */
	X86_EXTRA_END
};

static const struct x86_extra sapphirerapids_extra[] = {
	{ .code = 0x012a, .msr = 0x1a6, .valid = 0x3fffffffffULL },
	{ .code = 0x012b, .msr = 0x1a7, .valid = 0x3fffffffffULL },
	INTEL_LOAD_LATENCY,
	{ .code = 0x01c6, .msr = 0x3f7, .valid = 0x7fff1f },
	{ .code = 0x40ad, .msr = 0x3f7, .valid = 0x7 },
	{ .code = 0x04c2, .msr = 0x3f7, .valid = 0x8 },
	X86_EXTRA_END
};

static const struct x86_cache icelake_cache[] = {
	INTEL_SKYLAKE_CACHE,
	X86_CACHE(ITLB, READ, X86_SENSELESS, 0x0e85),
	X86_CACHE_END
};

static const struct x86_cache sapphirerapids_cache[] = {
	X86_CACHE(L1D, READ, 0x81d0, 0xe124),
	X86_CACHE(L1D, WRITE, 0x82d0, X86_ABSENT),
	X86_CACHE(L1I, READ, X86_ABSENT, 0xe424),
	X86_CACHE_EXTRA(LL, READ, 0x012a, 0x10001, 0x3fbfc00001),
	X86_CACHE_EXTRA(LL, WRITE, 0x012a, 0x3f3ffc0002, 0x3f3fc00002),
	X86_CACHE(DTLB, READ, 0x81d0, 0x0e12),
	X86_CACHE(DTLB, WRITE, 0x82d0, 0x0e13),
	X86_CACHE(ITLB, READ, X86_SENSELESS, 0x0e11),
	X86_CACHE(BPU, READ, 0x04c4, 0x04c5),
	X86_CACHE_EXTRA(NODE, READ, 0x012a, 0x10c000001, 0x3fb3000001),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

static const struct x86_alias icelake_aliases[] = {
	INTEL_TX, INTEL_EL, INTEL_TX_CAPACITY_READ_WRITE,
	{ "el-capacity-read", "event=0x54,umask=0x80", NULL, true },
	{ "el-capacity-write", "event=0x54,umask=0x2", NULL, true },
	X86_ALIAS_END
};

static const struct x86_alias sapphirerapids_aliases[] = {
	INTEL_TX, INTEL_TX_CAPACITY_READ_WRITE,
	X86_ALIAS_END
};

const struct x86_family x86_icelake = {
	.name = "icelake",
	.title = "Icelake events, ",
	.constraints = icelake_constraints,
	.extra = icelake_extra,
	.aliases = icelake_aliases,
	.cache = icelake_cache,
	.has = X86_HAS_TX,
};

const struct x86_family x86_sapphirerapids = {
	.name = "sapphire_rapids",
	.title = "Sapphire Rapids events, ",
	.constraints = sapphirerapids_constraints,
	.extra = sapphirerapids_extra,
	.aliases = sapphirerapids_aliases,
	.cache = sapphirerapids_cache,
	.has = X86_HAS_TX,
};
