// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Skylake and its successors up to Comet Lake.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

static const struct x86_constraint skylake_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_UEVENT(0x01c0, 0x2),	/* INST_RETIRED.PREC_DIST */
	X86_EVENT(0xc6, 0xf),		/* FRONTEND_RETIRED */
	X86_EVENT(0xcd, 0xf),		/* MEM_TRANS_RETIRED */
	X86_EVENTS(0xd0, 0xd2, 0xf),	/* MEM_INST_RETIRED, MEM_LOAD_RETIRED, MEM_LOAD_L3_HIT_RETIRED */
	X86_CONSTRAINT_END
};

static const struct x86_extra skylake_extra[] = {
	INTEL_OFFCORE(0x3fffff8fffULL),
	INTEL_LOAD_LATENCY,
	{ .code = 0x01c6, .msr = 0x3f7, .valid = 0x7fff17 },	/* FRONTEND_RETIRED */
	X86_EXTRA_END
};

static const struct x86_cache skylake_cache[] = {
	INTEL_SKYLAKE_CACHE,
	X86_CACHE(ITLB, READ, 0x2085, 0x0e85),
	X86_CACHE_END
};

static const struct x86_alias skylake_aliases[] = {
	INTEL_TOPDOWN("0x1"),
	INTEL_TX, INTEL_EL, INTEL_CAPACITY,
	X86_ALIAS_END
};

const struct x86_family x86_skylake = {
	.name = "skylake",
	.title = "Skylake events, ",
	.constraints = skylake_constraints,
	.extra = skylake_extra,
	.aliases = skylake_aliases,
	.cache = skylake_cache,
	.has = X86_HAS_TX,
};
