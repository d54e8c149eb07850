// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: AMD family 17h and later.
 *
 * Concepts: family.h. Codes and counters: the BIOS and Kernel Developer's Guides and Processor Programming
 * References of these families, "Performance Monitor Events".
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "../family.h"

const struct x86_generic x86_zen_generic[] = {
	X86_GENERIC(CPU_CYCLES, 0x0076),
	X86_GENERIC(INSTRUCTIONS, 0x00c0),
	X86_GENERIC(BRANCH_INSTRUCTIONS, 0x00c2),
	X86_GENERIC(BRANCH_MISSES, 0x00c3),
	X86_GENERIC(CACHE_REFERENCES, 0xff60),
	X86_GENERIC(CACHE_MISSES, 0x0964),
	X86_GENERIC(STALLED_CYCLES_FRONTEND, 0x0287),
	X86_GENERIC(STALLED_CYCLES_BACKEND, 0x0187),
	X86_GENERIC_END
};

static const struct x86_cache zen_cache[] = {
	X86_CACHE(L1D, READ, 0x0040, 0xc860),
	X86_CACHE(L1D, PREFETCH, 0xff5a, X86_ABSENT),
	X86_CACHE(L1I, READ, 0x0080, 0x0081),
	X86_CACHE(DTLB, READ, 0xff45, 0xf045),
	X86_CACHE(ITLB, READ, 0x0084, 0xff85),
	X86_CACHE(BPU, READ, 0x00c2, 0x00c3),
	X86_CACHE_SENSELESS(NODE, WRITE),
	X86_CACHE_SENSELESS(NODE, PREFETCH),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

const struct x86_family x86_zen = {
	.name = "zen",
	.title = "Fam17h+ ",
	.cache = zen_cache,
	.has = X86_NEEDS_PAIR,
};
