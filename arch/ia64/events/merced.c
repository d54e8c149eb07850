// SPDX-License-Identifier: GPL-2.0
/*
 * Itanium ("Merced").
 *
 * "Intel Itanium Processor Reference Manual for Software Optimization" (245320), chapter 6, Performance Monitoring.
 * Four counters of 32 bits. Events that can happen more than three times in a cycle are counted by PMC4 and PMC5
 * alone. No manual was at hand. The events, with their counters, increments and what can restrict them, are those
 * that libpfm4 4.13 has, and tools/testing/pcl/user/tables/ia64 holds them against it. Where the table departs from
 * it, that is said there. All of it is unverified until somebody looks it up.
 */
#include <linux/kernel.h>

#include "family.h"

#define PMC4_5	0x0030
#define PMC4_7	0x00f0

/*
 * Of counters: plm, ev, oi, pm, es 14:8, umask 19:16, threshold 22:20, ism 25:24. Power-up values: perfmon in
 * Linux 5.9, which names no reserved bits of the others.
 */
static const struct ia64_reg merced_regs[] = {
	REG(4, 0, 0x37f7f7f), REG(5, 0, 0x37f7f7f), REG(6, 0, 0x37f7f7f), REG(7, 0, 0x37f7f7f),
	REG(8, 0xf00000003ffffff8ULL, ~0ULL),	/* opcode matchers */
	REG(9, 0xf00000003ffffff8ULL, ~0ULL),
	REG(10, 0, ~0ULL),			/* instruction event addresses */
	REG(11, 0x10000000, ~0ULL),		/* data event addresses */
	REG(12, 0, ~0ULL),			/* branch trace buffer */
	REG(13, 0x0003ffff00000001ULL, ~0ULL),	/* instruction address ranges: none */
	REG_END
};

static const struct ia64_event merced_events[] = {
	/* PIPELINE_BACKEND_FLUSH_CYCLE */
	EV(0x00, 0x0001, PMC4_7, 1, 0),
	/* INST_ACCESS_CYCLE */
	EV(0x01, 0x0001, PMC4_7, 1, 0),
	/* DEPENDENCY_SCOREBOARD_CYCLE */
	EV(0x02, 0x0001, PMC4_7, 1, 0),
	/* DATA_ACCESS_CYCLE */
	EV(0x03, 0x0001, PMC4_7, 1, 0),
	/* PIPELINE_ALL_FLUSH_CYCLE */
	EV(0x04, 0x0001, PMC4_7, 1, 0),
	/* UNSTALLED_BACKEND_CYCLE */
	EV(0x05, 0x0001, PMC4_7, 1, 0),
	/* DEPENDENCY_ALL_CYCLE */
	EV(0x06, 0x0001, PMC4_7, 1, 0),
	/* MEMORY_CYCLE */
	EV(0x07, 0x0001, PMC4_7, 1, 0),
	/* IA64_INST_RETIRED */
	EV(0x08, 0x000d, PMC4_5, 6, IA64_IAR | IA64_OPM),
	/* FP_OPS_RETIRED_LO */
	EV(0x09, 0x0001, PMC4_7, 3, IA64_IAR | IA64_OPM),
	/* FP_OPS_RETIRED_HI */
	EV(0x0a, 0x0001, PMC4_7, 3, IA64_IAR | IA64_OPM),
	/* FP_FLUSH_TO_ZERO */
	EV(0x0b, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM),
	/* FP_SIR_FLUSH */
	EV(0x0c, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM),
	/* BRANCH */
	EV(0x0d, 0x0116, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* BRANCH_MULTIWAY */
	EV(0x0e, 0xff0f, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* BRANCH_PATH */
	EV(0x0f, 0xffff, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* BRANCH_PREDICTOR */
	EV(0x10, 0xffff, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* BRANCH_EVENT */
	EV(0x11, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* CPU_CYCLES */
	EV(0x12, 0x0001, PMC4_7, 1, 0),
	/* ISA_TRANSITIONS */
	EV(0x14, 0x0001, PMC4_7, 1, 0),
	/* IA32_INST_RETIRED */
	EV(0x15, 0x0001, PMC4_7, 2, 0),
	/* L1I_DEMAND_READS */
	EV(0x20, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_FILLS */
	EV(0x21, 0x0001, PMC4_7, 1, 0),
	/* L2_INST_DEMAND_READS */
	EV(0x22, 0x0001, PMC4_7, 1, IA64_IAR),
	/* INSTRUCTION_EAR_EVENTS */
	EV(0x23, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_PREFETCH_READS */
	EV(0x24, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L2_INST_PREFETCH_READS */
	EV(0x25, 0x0001, PMC4_7, 1, IA64_IAR),
	/* ISB_LINES_IN */
	EV(0x26, 0x0001, PMC4_7, 1, 0),
	/* ITLB_MISSES_FETCH */
	EV(0x27, 0x0001, PMC4_7, 1, IA64_IAR),
	/* ITLB_INSERTS_HPW */
	EV(0x28, 0x0001, PMC4_7, 1, IA64_IAR),
	/* INST_DISPERSED */
	EV(0x2d, 0x0001, PMC4_5, 6, IA64_IAR),
	/* EXPL_STOPBITS */
	EV(0x2e, 0x0001, PMC4_7, 1, IA64_IAR),
	/* ALL_STOPS_DISPERSED */
	EV(0x2f, 0x0001, PMC4_7, 1, IA64_IAR),
	/* NOPS_RETIRED */
	EV(0x30, 0x0001, PMC4_5, 6, IA64_IAR | IA64_OPM),
	/* PREDICATE_SQUASHED_RETIRED */
	EV(0x31, 0x0001, PMC4_5, 6, IA64_IAR | IA64_OPM),
	/* PIPELINE_FLUSH */
	EV(0x33, 0x8116, PMC4_7, 1, 0),
	/* CPU_CPL_CHANGES */
	EV(0x34, 0x0001, PMC4_7, 1, 0),
	/* INST_FAILED_CHKS_RETIRED */
	EV(0x35, 0x000e, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* ALAT_INST_CHKA_LDC */
	EV(0x36, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM),
	/* ALAT_INST_FAILED_CHKA_LDC */
	EV(0x37, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM),
	/* ALAT_REPLACEMENT */
	EV(0x38, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* BUS_RD_HIT */
	EV(0x40, 0x0001, PMC4_7, 1, 0),
	/* BUS_RD_HITM */
	EV(0x41, 0x0001, PMC4_7, 1, 0),
	/* BUS_RD_INVAL_HITM */
	EV(0x42, 0x0001, PMC4_7, 1, 0),
	/* BUS_RD_INVAL_BST_HITM */
	EV(0x43, 0x0001, PMC4_7, 1, 0),
	/* BUS_HITM */
	EV(0x44, 0x0001, PMC4_7, 1, 0),
	/* BUS_SNOOPS_HITM_ANY */
	EV(0x45, 0x0002, PMC4_7, 1, 0),
	/* BUS_SNOOPS_ANY */
	EV(0x46, 0x0002, PMC4_7, 1, 0),
	/* BUS_ALL */
	EV(0x47, 0x0016, PMC4_7, 1, 0),
	/* BUS_PARTIAL */
	EV(0x48, 0x0016, PMC4_7, 1, 0),
	/* BUS_BURST */
	EV(0x49, 0x0016, PMC4_7, 1, 0),
	/* BUS_MEMORY */
	EV(0x4a, 0x0016, PMC4_7, 1, 0),
	/* BUS_RD_ALL */
	EV(0x4b, 0x0016, PMC4_7, 1, 0),
	/* BUS_RD_DATA */
	EV(0x4c, 0x0016, PMC4_7, 1, 0),
	/* BUS_RD_PRTL */
	EV(0x4d, 0x0016, PMC4_7, 1, 0),
	/* BUS_RD_INVAL */
	EV(0x4e, 0x0016, PMC4_7, 1, 0),
	/* BUS_RD_INVAL_BST */
	EV(0x4f, 0x0016, PMC4_7, 1, 0),
	/* BUS_IO */
	EV(0x50, 0x0006, PMC4_7, 1, 0),
	/* BUS_RD_IO */
	EV(0x51, 0x0006, PMC4_7, 1, 0),
	/* BUS_WR_WB */
	EV(0x52, 0x0016, PMC4_7, 1, 0),
	/* BUS_LOCK */
	EV(0x53, 0x0006, PMC4_7, 1, 0),
	/* BUS_LOCK_CYCLES */
	EV(0x54, 0x0006, PMC4_7, 1, 0),
	/* BUS_SNOOP_STALL_CYCLES */
	EV(0x55, 0x0006, PMC4_7, 1, 0),
	/* BUS_SNOOPQ_REQ */
	EV(0x56, 0x0001, PMC4_5, 3, 0),
	/* BUS_IOQ_LIVE_REQ_LO */
	EV(0x57, 0x0001, PMC4_7, 3, 0),
	/* BUS_IOQ_LIVE_REQ_HI */
	EV(0x58, 0x0001, PMC4_7, 3, 0),
	/* BUS_BRQ_LIVE_REQ_LO */
	EV(0x5b, 0x0001, PMC4_7, 2, 0),
	/* BUS_BRQ_LIVE_REQ_HI */
	EV(0x5c, 0x0001, PMC4_7, 2, 0),
	/* BUS_BRQ_REQ_INSERTED */
	EV(0x5d, 0x0001, PMC4_7, 1, 0),
	/* DTC_MISSES */
	EV(0x60, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* DTLB_MISSES */
	EV(0x61, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* DTLB_INSERTS_HPW */
	EV(0x62, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* DATA_REFERENCES_RETIRED */
	EV(0x63, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1D_READS_RETIRED */
	EV(0x64, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* RSE_REFERENCES_RETIRED */
	EV(0x65, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1D_READ_MISSES_RETIRED */
	EV(0x66, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* DATA_EAR_EVENTS */
	EV(0x67, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L2_REFERENCES */
	EV(0x68, 0x0001, PMC4_7, 3, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L2_DATA_REFERENCES */
	EV(0x69, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L2_MISSES */
	EV(0x6a, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1D_READ_FORCED_MISSES_RETIRED */
	EV(0x6b, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* LOADS_RETIRED */
	EV(0x6c, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* STORES_RETIRED */
	EV(0x6d, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* UC_LOADS_RETIRED */
	EV(0x6e, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* UC_STORES_RETIRED */
	EV(0x6f, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* MISALIGNED_LOADS_RETIRED */
	EV(0x70, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* MISALIGNED_STORES_RETIRED */
	EV(0x71, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* RSE_LOADS_RETIRED */
	EV(0x72, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L2_FLUSHES */
	EV(0x76, 0x0001, PMC4_7, 1, 0),
	/* L2_FLUSH_DETAILS */
	EV(0x77, 0x8116, PMC4_7, 1, 0),
	/* L1_OUTSTANDING_REQ_LO */
	EV(0x78, 0x0001, PMC4_7, 1, 0),
	/* L1_OUTSTANDING_REQ_HI */
	EV(0x79, 0x0001, PMC4_7, 1, 0),
	/* L3_REFERENCES */
	EV(0x7b, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_MISSES */
	EV(0x7c, 0x0001, PMC4_7, 1, 0),
	/* L3_READS */
	EV(0x7d, 0xeee0, PMC4_7, 1, 0),
	/* L3_WRITES */
	EV(0x7e, 0xeee0, PMC4_7, 1, 0),
	/* L3_LINES_REPLACED */
	EV(0x7f, 0x0001, PMC4_7, 1, 0),
	EV_END
};

/*
 * What is recorded: layouts from libpfm4's pfmlib_ia64_priv (pmc10_ita_reg and the like), what levels mean
 * from pfmon (detailed_itanium), unit masks from libpfm4's events DATA_EAR_* and INSTRUCTION_EAR_*; entries of the
 * branch trace buffer from 245320, Figure 6-22. Data latencies of 512 cycles and up have other numbers than those of
 * instructions there. 0xf is no latency at all.
 */
static const u8 merced_latencies[] = { 0, 1, 2, 3, 4, 5, 6, 8, 9, 0xa, 0xf };
static const u8 merced_levels[] = { 2, 4, 8 };
static const u8 merced_fetches[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xa, 0xf };
static const u8 merced_fetch_levels[] = { 4, 8 };
static const u8 merced_fetch_sources[] = { PERF_MEM_TLB_WK | PERF_MEM_TLB_HIT, PERF_MEM_TLB_OS | PERF_MEM_TLB_MISS };

static const struct ia64_ear merced_ears[IA64_EARS] = {
	[IA64_IEAR] = {
		.code = 0x23, .pmc = 10, .pm = 6, .umask = 16, .ism = 24,
		.address = 0, .line = 5, .latency = 1, .cycles = { 0, 12 },
		.status = 0, .valid = { 0, 1 }, .source = 0, .level = { 1, 1 }, .tlb = merced_fetch_sources,
		.mode = {
			[IA64_EAR_CACHE] = EAR_MODE(0, merced_fetches),
			[IA64_EAR_TLB] = EAR_MODE(BIT(7), merced_fetch_levels),
		},
	},
	[IA64_DEAR] = {
		.code = 0x67, .data = true, .pmc = 11, .pm = 6, .umask = 16, .ism = 24,
		.address = 2, .latency = 3, .cycles = { 0, 12 }, .where = 17, .vouched = 0, .slot = { 2, 2 },
		.status = 17, .valid = { 0, 1 }, .source = 3, .level = { 62, 2 }, .tlb = ia64_tlb_sources,
		.mode = {
			[IA64_EAR_CACHE] = EAR_MODE(0, merced_latencies),
			[IA64_EAR_TLB] = EAR_MODE(BIT(7), merced_levels),
		},
	},
};

static const struct ia64_trace merced_trace = {
	.pmc = 12, .sources = BIT(7) | BIT(14) | BIT(15),	/* tar, bpt, bac */
	.first = 8, .nr = 8, .index = 16, .next = { 0, 3 }, .full = 3,
};

/* Ranges of instructions: ta cleared (libpfm4: pfm_dispatch_irange). */
static const u8 merced_elsewhere[] = { 0 };

static const struct ia64_ranges merced_ranges = { .fetch = 13, .coarse = BIT(0), .elsewhere = merced_elsewhere };

static const struct ia64_generic merced_generic[] = {
	GENERIC(CPU_CYCLES, 0x12, 0),
	GENERIC(INSTRUCTIONS, 0x08, 0),
	GENERIC(CACHE_REFERENCES, 0x7b, 0),	/* L3_REFERENCES */
	GENERIC(CACHE_MISSES, 0x7c, 0),		/* L3_MISSES */
	GENERIC(BRANCH_INSTRUCTIONS, 0x10, 0),	/* BRANCH_PREDICTOR_ALL_ALL_PREDICTIONS */
	GENERIC_END
};

static const struct ia64_cache merced_cache[] = {
	CACHE(L1D, READ, CODE(0x64, 0), CODE(0x66, 0)),		/* L1D_READS_RETIRED, L1D_READ_MISSES_RETIRED */
	CACHE(LL, READ, CODE(0x7d, 0xb), CODE(0x7d, 0xa)),	/* L3_READS_DATA_READS_ALL, ..._MISS */
	CACHE(LL, WRITE, CODE(0x7e, 0x7), CODE(0x7e, 0x6)),	/* L3_WRITES_DATA_WRITES_ALL, ..._MISS */
	CACHE(DTLB, READ, IA64_ABSENT, CODE(0x61, 0)),		/* DTLB_MISSES */
	CACHE(ITLB, READ, IA64_ABSENT, CODE(0x27, 0)),		/* ITLB_MISSES_FETCH */
	CACHE_END
};

const struct ia64_family ia64_merced = {
	.name = "itanium",
	.title = "Itanium",
	.width = 32,
	.counters = PMC4_7,
	.has = IA64_HAS_IA32,
	.matcher = { { 8 }, { 9 } },
	.second_matcher = BIT(2),
	.untagged = BIT(0),	/* libpfm4 says otherwise; but 3 and 2 are there for the two matchers. Unverified */
	.regs = merced_regs,
	.ears = merced_ears,
	.trace = &merced_trace,
	.ranges = &merced_ranges,
	.events = merced_events,
	.generic = merced_generic,
	.cache = merced_cache,
};
