// SPDX-License-Identifier: GPL-2.0
/*
 * Tables: Intel Core and Core 2.
 *
 * Concepts: family.h. Codes, counters and errata: Intel SDM volume 3B, "Performance-Monitoring Events", and the
 * specification updates of these processors.
 *
 * Contexts: read from any. Also built in user space.
 *
 * Locks: none, all is constant.
 */
#include "rows.h"

static const struct x86_constraint core_constraints[] = {
	X86_EVENTS(0x11, 0x13, 0x2),	/* FP_ASSIST, MUL, DIV */
	X86_EVENT(0x14, 0x1),		/* CYCLES_DIV_BUSY */
	X86_EVENT(0x19, 0x2),		/* DELAYED_BYPASS */
	X86_EVENT(0xc1, 0x1),		/* FP_COMP_INSTR_RET */
	X86_CONSTRAINT_END
};

static const struct x86_constraint core2_constraints[] = {
	INTEL_ON_FIXED_3,
	X86_EVENT(0x10, 0x1),		/* FP_COMP_OPS_EXE */
	X86_EVENTS(0x11, 0x13, 0x2),	/* FP_ASSIST, MUL, DIV */
	X86_EVENT(0x14, 0x1),		/* CYCLES_DIV_BUSY */
	X86_EVENT(0x18, 0x1),		/* IDLE_DURING_DIV */
	X86_EVENT(0x19, 0x2),		/* DELAYED_BYPASS */
	X86_EVENT(0xa1, 0x1),		/* RS_UOPS_DISPATCHED */
	X86_EVENT(0xc9, 0x1),		/* ITLB_MISS_RETIRED */
	X86_EVENT(0xcb, 0x1),		/* MEM_LOAD_RETIRED */
	X86_CONSTRAINT_END
};

static const struct x86_cache core2_cache[] = {
	X86_CACHE(L1D, READ, 0x0f40, 0x0140),
	X86_CACHE(L1D, WRITE, 0x0f41, 0x0141),
	X86_CACHE(L1D, PREFETCH, 0x104e, X86_ABSENT),
	X86_CACHE(L1I, READ, 0x0080, 0x0081),
	X86_CACHE(LL, READ, 0x4f29, 0x4129),
	X86_CACHE(LL, WRITE, 0x4f2a, 0x412a),
	X86_CACHE(DTLB, READ, 0x0f40, 0x0208),
	X86_CACHE(DTLB, WRITE, 0x0f41, 0x0808),
	X86_CACHE(ITLB, READ, 0x00c0, 0x1282),
	X86_CACHE(BPU, READ, 0x00c4, 0x00c5),
	X86_CACHE_NO_SUCH_OPS,
	X86_CACHE_END
};

const struct x86_family x86_core = {
	.name = "core",
	.title = "Core events, ",
	.constraints = core_constraints,
};

const struct x86_family x86_core2 = {
	.name = "core2",
	.title = "Core2 events, ",
	.constraints = core2_constraints,
	.cache = core2_cache,
};
