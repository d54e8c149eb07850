// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: AMD K7 to family 16h.
 *
 * Concepts: family.h. Codes and counters: the BIOS and Kernel Developer's Guides and Processor Programming
 * References of these families, "Performance Monitor Events".
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "../family.h"

const struct x86_generic x86_amd_generic[] = {
	X86_GENERIC(CPU_CYCLES, 0x0076),
	X86_GENERIC(INSTRUCTIONS, 0x00c0),
	X86_GENERIC(BRANCH_INSTRUCTIONS, 0x00c2),
	X86_GENERIC(BRANCH_MISSES, 0x00c3),
	X86_GENERIC(CACHE_REFERENCES, 0x077d),
	X86_GENERIC(CACHE_MISSES, 0x077e),
	X86_GENERIC(STALLED_CYCLES_FRONTEND, 0x00d0),	/* decoder empty */
	X86_GENERIC(STALLED_CYCLES_BACKEND, 0x00d1),	/* dispatch stalls */
	X86_GENERIC_END
};

static const struct x86_cache k7_cache[] = {
	X86_CACHE(L1D, READ, 0x0040, 0x0141),
	X86_CACHE(L1D, PREFETCH, 0x0267, 0x0167),
	X86_CACHE(L1I, READ, 0x0080, 0x0081),
	X86_CACHE(L1I, PREFETCH, 0x014b, X86_ABSENT),
	X86_CACHE(LL, READ, 0x037d, 0x037e),
	X86_CACHE(LL, WRITE, 0x017f, X86_ABSENT),
	X86_CACHE(DTLB, READ, 0x0040, 0x0746),
	X86_CACHE(ITLB, READ, 0x0080, 0x0385),
	X86_CACHE(BPU, READ, 0x00c2, 0x00c3),
	X86_CACHE(NODE, READ, 0xb8e9, 0x98e9),
	X86_CACHE_SENSELESS(NODE, WRITE),
	X86_CACHE_SENSELESS(NODE, PREFETCH),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

/* An event by its twelve-bit number; a class of events by bits 7:4 of it */
#define NUMBER(n)	(((n) & 0xffULL) | ((n) & 0xf00ULL) << 24)
#define ONE(n, set)	{ .code = NUMBER(n), .last = NUMBER(n), .mask = NUMBER(0xfff), .counters = (set) }
#define ONE_IF(n, rule, set) { .code = NUMBER(n), .last = NUMBER(n), .mask = NUMBER(0xfff), .counters = (set), \
			       .umask = X86_UMASK_##rule }
#define CLASS(n, set)	{ .code = (n), .last = (n), .mask = 0xf0, .counters = (set) }

/* BKDG family 15h, "Performance Monitor Events": which PERF_CTL[5:0] each event may use; exceptions first. */
static const struct x86_constraint fam15h_constraints[] = {
	ONE_IF(0x000, BOTH_HALVES, 0x08),		/* FPU pipe assignment, of both kinds at once */
	ONE_IF(0x004, MANY, 0x08),
	ONE(0x003, 0x08), ONE(0x00b, 0x08), ONE(0x00d, 0x08),
	ONE(0x023, 0x07), ONE(0x043, 0x07), ONE(0x045, 0x07), ONE(0x046, 0x07), ONE(0x054, 0x07), ONE(0x055, 0x07),
	ONE(0x02d, 0x08), ONE(0x02e, 0x09),
	ONE_IF(0x031, MANY, 0), ONE(0x031, 0x07),	/* one unit mask at a time */
	ONE(0x08f, 0x01), ONE(0x187, 0x01), ONE(0x188, 0x01),
	ONE(0x0db, 0x3f), ONE(0x0dc, 0x3f), ONE(0x0dd, 0x3f), ONE(0x0de, 0x3f), ONE(0x0df, 0x3f),
	ONE(0x1c0, 0x38), ONE(0x1d6, 0x3f), ONE(0x1d8, 0x3f),
	CLASS(0x00, 0x38), CLASS(0x10, 0x38),					/* FP */
	CLASS(0x20, 0x3f), CLASS(0x30, 0x3f),					/* LS */
	CLASS(0x40, 0x3f), CLASS(0x50, 0x3f),					/* DC */
	CLASS(0x60, 0x07), CLASS(0x70, 0x07),					/* CU */
	CLASS(0x80, 0x07), CLASS(0x90, 0x07),					/* IC, DE */
	CLASS(0xa0, 0), CLASS(0xb0, 0),
	CLASS(0xc0, 0x3f), CLASS(0xd0, 0x07),					/* EX, LS; DE */
	CLASS(0xe0, 0), CLASS(0xf0, 0),						/* NB: registers of their own */
	X86_CONSTRAINT_END
};

const struct x86_family x86_k7 = {
	.name = "k7",
	.title = "",
	.cache = k7_cache,
	.has = X86_NB_SHARED,
};

const struct x86_family x86_fam15h = {
	.name = "fam15h",
	.title = "Fam15h ",
	.cache = k7_cache,
	.constraints = fam15h_constraints,
};

/* Core extensions: northbridge events have registers of their own, which these counters do not see. */
const struct x86_family x86_fam16h = {
	.name = "fam16h",
	.title = "",
	.cache = k7_cache,
};
