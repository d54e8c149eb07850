// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel processors known only by what CPUID leaf 0xa says.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Architectural Performance Monitoring".
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

/* SDM, "Pre-defined Architectural Performance Events". 0300: pseudo-encoding of the fixed reference clock. */
const struct x86_generic x86_intel_generic[] = {
	X86_GENERIC(CPU_CYCLES, 0x003c),
	X86_GENERIC(REF_CPU_CYCLES, 0x0300),
	X86_GENERIC(BUS_CYCLES, 0x013c),
	X86_GENERIC(INSTRUCTIONS, 0x00c0),
	X86_GENERIC(BRANCH_INSTRUCTIONS, 0x00c4),
	X86_GENERIC(BRANCH_MISSES, 0x00c5),
	X86_GENERIC(CACHE_REFERENCES, 0x4f2e),
	X86_GENERIC(CACHE_MISSES, 0x412e),
	X86_GENERIC_END
};

static const struct x86_constraint arch_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_CONSTRAINT_END
};

/* Version 5 may have up to sixteen fixed counters; from the fourth on they have pseudo-encodings alone. */
static const struct x86_constraint arch_v5_constraints[] = {
	INTEL_ON_FIXED_3, X86_ON_FIXED(0x0400, 3),
	X86_ON_FIXED(0x0500, 4), X86_ON_FIXED(0x0600, 5), X86_ON_FIXED(0x0700, 6), X86_ON_FIXED(0x0800, 7),
	X86_ON_FIXED(0x0900, 8), X86_ON_FIXED(0x0a00, 9), X86_ON_FIXED(0x0b00, 10), X86_ON_FIXED(0x0c00, 11),
	X86_ON_FIXED(0x0d00, 12), X86_ON_FIXED(0x0e00, 13), X86_ON_FIXED(0x0f00, 14), X86_ON_FIXED(0x1000, 15),
	X86_CONSTRAINT_END
};

const struct x86_family x86_intel_v1 = {
	.name = "generic_arch_v1",
	.title = "generic architected perfmon v1, ",
};

const struct x86_family x86_intel_arch = {
	.name = "generic_arch_v2+",
	.title = "generic architected perfmon, ",
	.constraints = arch_constraints,
};

const struct x86_family x86_intel_arch_v5 = {
	.name = "generic_arch_v5+",
	.title = "generic architected perfmon, ",
	.constraints = arch_v5_constraints,
};
