/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows for ia64_test.c: what a config becomes, what goes together, what does not, and what is refused.
 *
 * Worked by hand from the layouts of the control registers and the events' numbers, as the families' tables say where
 * they have them from: plm 3:0, oi 5, pm 6, es 15:8, umask 19:16, threshold 22:20, PMC4's enable bit 23 on Itanium 2,
 * ism 25:24 (2 on Montecito), mesi 30:27 on Montecito.
 */
#ifndef PCL_USER_IA64_ROWS_H
#define PCL_USER_IA64_ROWS_H

#define RAW(config_, ...)	{ .type = PERF_TYPE_RAW, .config = (config_), ##__VA_ARGS__ }
#define GENERIC_EVENT(id)	{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##id }
#define CACHE_EVENT(unit, op, result) { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_##unit | \
	PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16 }

/* What PMC holds for an event, and which counters could have it; by what name its source has it (ia64_values.h). */
static const struct code_row {
	const char *chip;
	struct perf_event_attr attr;
	u64 pmc;
	u16 counters;
	const char *source;
} code_rows[] = {
	/* levels 0 and 3, oi and pm: 0x69 */
	{ "Merced", RAW(0x1200), 0x1269, 0xf0, "libpfm4 CPU_CYCLES" },
	{ "Merced", RAW(0x0800), 0x0869, 0x30, "libpfm4 IA64_INST_RETIRED" },
	{ "Merced", RAW(0x30800), 0x30869, 0x30, "libpfm4 IA64_TAGGED_INST_RETIRED_PMC8" },
	{ "Merced", RAW(0x3000), 0x3069, 0x30, "libpfm4 NOPS_RETIRED" },
	{ "Merced", RAW(0x3100), 0x3169, 0x30, "libpfm4 PREDICATE_SQUASHED_RETIRED" },
	{ "Merced", RAW(0x2d00), 0x2d69, 0x30, "libpfm4 INST_DISPERSED" },
	{ "Merced", GENERIC_EVENT(CPU_CYCLES), 0x1269, 0xf0, "libpfm4 CPU_CYCLES" },
	{ "Merced", GENERIC_EVENT(INSTRUCTIONS), 0x0869, 0x30, "libpfm4 IA64_INST_RETIRED" },
	{ "Merced", GENERIC_EVENT(CACHE_MISSES), 0x7c69, 0xf0, "libpfm4 L3_MISSES" },
	{ "Merced", CACHE_EVENT(DTLB, READ, MISS), 0x6169, 0xf0, "libpfm4 DTLB_MISSES" },
	{ "Merced", GENERIC_EVENT(CACHE_REFERENCES), 0x7b69, 0xf0, "libpfm4 L3_REFERENCES" },
	{ "Merced", GENERIC_EVENT(BRANCH_INSTRUCTIONS), 0x1069, 0xf0, "libpfm4 BRANCH_PREDICTOR_ALL_ALL_PREDICTIONS" },
	{ "Merced", CACHE_EVENT(L1D, READ, ACCESS), 0x6469, 0xf0, "libpfm4 L1D_READS_RETIRED" },
	{ "Merced", CACHE_EVENT(L1D, READ, MISS), 0x6669, 0xf0, "libpfm4 L1D_READ_MISSES_RETIRED" },
	{ "Merced", CACHE_EVENT(LL, READ, ACCESS), 0xb7d69, 0xf0, "libpfm4 L3_READS_DATA_READS_ALL" },
	{ "Merced", CACHE_EVENT(LL, READ, MISS), 0xa7d69, 0xf0, "libpfm4 L3_READS_DATA_READS_MISS" },
	{ "Merced", CACHE_EVENT(LL, WRITE, ACCESS), 0x77e69, 0xf0, "libpfm4 L3_WRITES_DATA_WRITES_ALL" },
	{ "Merced", CACHE_EVENT(LL, WRITE, MISS), 0x67e69, 0xf0, "libpfm4 L3_WRITES_DATA_WRITES_MISS" },
	{ "Merced", CACHE_EVENT(ITLB, READ, MISS), 0x2769, 0xf0, "libpfm4 ITLB_MISSES_FETCH" },
	{ "McKinley", RAW(0x1200), 0x801269, 0xf0, "libpfm4 CPU_CYCLES" },	/* on PMC4 */
	{ "McKinley", RAW(0x1200, .exclude_kernel = 1), 0x801268, 0xf0, "libpfm4 CPU_CYCLES" },
	{ "McKinley", RAW(0x1200, .exclude_user = 1), 0x801261, 0xf0, "libpfm4 CPU_CYCLES" },
	{ "McKinley", RAW(0x1200 | 1ULL << 32), 0x801229, 0xf0, "libpfm4 CPU_CYCLES" },	/* psr.up: pm clear */
	{ "McKinley", RAW(0x0800 | 2 << 20), 0xa00869, 0xf0, "libpfm4 IA64_INST_RETIRED" },	/* threshold 2 */
	{ "McKinley", RAW(0x1001200), 0x1801269, 0xf0, "libpfm4 CPU_CYCLES" },	/* IA-32 */
	{ "McKinley", RAW(0x2001200), 0x2801269, 0xf0, "libpfm4 CPU_CYCLES" },	/* IA-64 */
	{ "McKinley", RAW(0x5000), 0x805069, 0xf0, "libpfm4 NOPS_RETIRED" },
	{ "McKinley", RAW(0xb400), 0x80b469, 0x10, "libpfm4 L2_FORCE_RECIRC_ANY" },
	{ "McKinley", RAW(0xbb000), 0x8bb069, 0x10, "libpfm4 L2_L3ACCESS_CANCEL_IFETCH" },
	{ "McKinley", RAW(0xcd00), 0xcd69, 0xf0, "libpfm4 LOADS_RETIRED" },	/* goes on PMC5 */
	{ "McKinley", RAW(0xd100), 0xd169, 0xf0, "libpfm4 STORES_RETIRED" },	/* the same */
	{ "McKinley", RAW(0xcb00), 0x80cb69, 0xf0, "libpfm4 L2_MISSES" },
	{ "McKinley", RAW(0xc800), 0x80c869, 0xf0, "libpfm4 DATA_EAR_EVENTS" },
	{ "McKinley", RAW(0x5b00), 0x805b69, 0xf0, "libpfm4 BR_MISPRED_DETAIL_ALL_ALL_PRED" },
	{ "McKinley", GENERIC_EVENT(CPU_CYCLES), 0x801269, 0xf0, "libpfm4 CPU_CYCLES" },
	{ "McKinley", GENERIC_EVENT(INSTRUCTIONS), 0x800869, 0xf0, "libpfm4 IA64_INST_RETIRED" },
	{ "McKinley", GENERIC_EVENT(CACHE_REFERENCES), 0x80db69, 0xf0, "libpfm4 L3_REFERENCES" },
	{ "McKinley", GENERIC_EVENT(CACHE_MISSES), 0x80dc69, 0xf0, "libpfm4 L3_MISSES" },
	{ "McKinley", CACHE_EVENT(LL, READ, MISS), 0x8add69, 0xf0, "libpfm4 L3_READS_DATA_READ_MISS" },
	{ "McKinley", CACHE_EVENT(L1D, READ, ACCESS), 0xc469, 0xf0, "libpfm4 L1D_READS_SET1" },
	{ "McKinley", GENERIC_EVENT(BRANCH_INSTRUCTIONS), 0x805b69, 0xf0, "libpfm4 BR_MISPRED_DETAIL_ALL_ALL_PRED" },
	{ "McKinley", GENERIC_EVENT(STALLED_CYCLES_BACKEND), 0x800069, 0xf0, "libpfm4 BACK_END_BUBBLE_ALL" },
	{ "McKinley", CACHE_EVENT(L1D, READ, MISS), 0xc769, 0xf0, "libpfm4 L1D_READ_MISSES_ALL" },	/* on PMC5 */
	{ "McKinley", CACHE_EVENT(L1I, READ, ACCESS), 0x804069, 0xf0, "libpfm4 L1I_READS" },
	{ "McKinley", CACHE_EVENT(LL, READ, ACCESS), 0x8bdd69, 0xf0, "libpfm4 L3_READS_DATA_READ_ALL" },
	{ "McKinley", CACHE_EVENT(LL, WRITE, ACCESS), 0x87de69, 0xf0, "libpfm4 L3_WRITES_DATA_WRITE_ALL" },
	{ "McKinley", CACHE_EVENT(LL, WRITE, MISS), 0x86de69, 0xf0, "libpfm4 L3_WRITES_DATA_WRITE_MISS" },
	{ "McKinley", CACHE_EVENT(DTLB, READ, MISS), 0xc169, 0xf0, "libpfm4 L2DTLB_MISSES" },
	{ "McKinley", CACHE_EVENT(ITLB, READ, MISS), 0x834769, 0xf0, "libpfm4 ITLB_MISSES_FETCH_ALL" },
	{ "Madison", RAW(0x1200), 0x801269, 0xf0, "libpfm4 CPU_CYCLES" },
	{ "Montecito", RAW(0x1200), 0x2001269, 0xfff0, "libpfm4 CPU_OP_CYCLES_ALL" },
	{ "Montecito", RAW(0x1800), 0x2001869, 0x400, "libpfm4 CPU_OP_CYCLES_HALTED" },
	{ "Montecito", RAW(0x2001200), 0x2001269, 0xfff0, "libpfm4 CPU_OP_CYCLES_ALL" },
	{ "Montecito", RAW(0x0800 | 5 << 20), 0x2500869, 0xfff0, "libpfm4 IA64_INST_RETIRED_THIS" },
	{ "Montecito", RAW(0xcd00), 0x200cd69, 0xfff0, "libpfm4 LOADS_RETIRED" },
	{ "Montecito", RAW(0x5b00), 0x2005b69, 0xfff0, "libpfm4 BR_MISPRED_DETAIL_ALL_ALL_PRED" },
	{ "Montecito", RAW(0xfdd00), 0x7a0fdd69, 0xfff0, "libpfm4 L3_READS_ALL_ALL" },	/* all states */
	{ "Montecito", RAW(0xfdd00 | 1 << 30), 0x420fdd69, 0xfff0, "libpfm4 L3_READS_ALL_ALL" },	/* modified lines */
	{ "Montecito", GENERIC_EVENT(INSTRUCTIONS), 0x2000869, 0xfff0, "libpfm4 IA64_INST_RETIRED_THIS" },
	{ "Montecito", CACHE_EVENT(LL, WRITE, ACCESS), 0x7a07de69, 0xfff0, "libpfm4 L3_WRITES_DATA_WRITE_ALL" },
	{ "Montvale", RAW(0x1200), 0x2001269, 0xfff0, "libpfm4 CPU_OP_CYCLES_ALL" },
};

#define EVENT(code, umask)	((code) << 8 | (umask) << 16)

/* Counted at once */
static const struct together {
	const char *chip;
	u64 configs[8];
} together[] = {
	{ "Merced", { 0x1200, 0x0800, 0x3000, 0x6100 } },
	/* An event of the set comes first, and must move to the anchor, or let another go there. */
	{ "McKinley", { EVENT(0xc0, 0), EVENT(0xc1, 0), EVENT(0xc2, 0), EVENT(0xc3, 0) } },
	{ "McKinley", { EVENT(0xcd, 0), 0x1200, 0x0800, EVENT(0xb1, 0) } },
	{ "McKinley", { EVENT(0xb4, 1), EVENT(0xb5, 0), EVENT(0xb6, 0), EVENT(0xd1, 0) } },
	{ "McKinley", { EVENT(0xac, 4), EVENT(0xa2, 0), EVENT(0xa3, 0) } },	/* umask 4, and those that have none */
	{ "McKinley", { EVENT(0xb1, 0), EVENT(0xb2, 1), EVENT(0xb2, 2), EVENT(0xb2, 3) } },	/* set 1: own umasks */
	{ "McKinley", { EVENT(0xb8, 5), EVENT(0xb9, 0), EVENT(0xba, 0) } },	/* set 3 */
	{ "McKinley", { EVENT(0xb8, 9), EVENT(0xb9, 8), EVENT(0xba, 8) } },	/* set 4 */
	{ "Montecito", { EVENT(0xc0, 0), EVENT(0xc1, 0), EVENT(0xc2, 0), 0x1200, 0x0800 } },
	{ "Montecito", { EVENT(0xe6, 1), EVENT(0xe6, 2), EVENT(0xcd, 0), 0x1200 } },	/* one set on both wires */
	{ "Montecito", { EVENT(0xea, 4), EVENT(0xeb, 0), EVENT(0xe8, 7), EVENT(0xe9, 0), EVENT(0xc4, 0) } },
	{ "Montecito", { EVENT(0xec, 0), EVENT(0xed, 0), EVENT(0xbc, 0), EVENT(0xef, 0), 0x1800, 0x1200 } },
	{ "Montecito", { EVENT(0xcd, 0), EVENT(0xec, 0), EVENT(0xed, 0), EVENT(0xf1, 0) } },
};

/* Not counted at once, for this reason */
static const struct apart {
	const char *chip;
	enum pcl_reason reason;
	u64 configs[8];
} apart[] = {
	{ "Merced", PCL_REASON_IA64_GROUP_NEVER_FITS, { 0x0800, 0x3000, 0x3100 } },
	{ "Merced", PCL_REASON_IA64_GROUP_NEVER_FITS, { 0x1200, 0x1200, 0x1200, 0x1200, 0x1200 } },
	{ "McKinley", PCL_REASON_IA64_GROUP_SETS, { EVENT(0xc0, 0), EVENT(0xc4, 0) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_SETS, { EVENT(0xcd, 0), EVENT(0xd1, 0) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_SETS, { EVENT(0xb1, 0), EVENT(0xbc, 0) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_SETS, { EVENT(0xb8, 1), EVENT(0xb9, 8) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_UMASK, { EVENT(0xac, 1), EVENT(0xac, 2) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_UMASK, { EVENT(0xb8, 1), EVENT(0xb8, 2) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_CANCELS, { EVENT(0xa0, 1), EVENT(0xa8, 1) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_CANCELS, { EVENT(0xa8, 1), EVENT(0xac, 1) } },
	{ "McKinley", PCL_REASON_IA64_GROUP_NEVER_FITS, { EVENT(0xb4, 1), EVENT(0xb4, 2) } },
	{ "Montecito", PCL_REASON_IA64_GROUP_SETS, { EVENT(0xc0, 0), EVENT(0xd8, 0) } },
	{ "Montecito", PCL_REASON_IA64_GROUP_SETS, { EVENT(0xe4, 0), EVENT(0xe8, 0), EVENT(0xea, 0) } },
	{ "Montecito", PCL_REASON_IA64_GROUP_UMASK, { EVENT(0xe6, 1), EVENT(0xe6, 2), EVENT(0xe6, 3) } },
	{ "Montecito", PCL_REASON_IA64_GROUP_CANCELS, { EVENT(0xe0, 1), EVENT(0xe2, 1) } },
	/* Of four events of set 0 three have counters beside set 2's; and the last two cannot be had together anyway. */
	{ "Montecito", PCL_REASON_IA64_GROUP_SETS,
	  { EVENT(0xe0, 1), EVENT(0xf2, 1), EVENT(0xf3, 0), EVENT(0xe4, 0), EVENT(0xe2, 1) } },
	{ "Montecito", PCL_REASON_IA64_GROUP_NEVER_FITS, { 0x1800, 0x1800 } },
};

#define CONFIG_EAR(mode, umask)	((u64)(mode) << 34 | (u64)(umask) << 40)
#define STACK(kinds)		.sample_period = 100, .sample_type = PERF_SAMPLE_BRANCH_STACK, \
				.branch_sample_type = (kinds)
#define BRANCHES_OF(kind)	STACK(PERF_SAMPLE_BRANCH_##kind)
#define IP_EAR(delay)		(1ULL << 48 | (u64)(delay) << 49)

#define IRANGE			(1ULL << 57)
#define DRANGE			(1ULL << 58)
#define RANGE(start, end)	.config1 = (start), .config2 = (end)

/* Two events, as a group and one by one: for this reason not at once; NONE: they go together */
static const struct clash {
	const char *chip;
	enum pcl_reason reason;
	struct perf_event_attr first, second;
} clashes[] = {
	{ "Merced", PCL_REASON_IA64_GROUP_DEAR, RAW(0x6700), RAW(0x6700 | CONFIG_EAR(0, 1)) },
	{ "Merced", PCL_REASON_IA64_GROUP_DEAR, RAW(0x6700), RAW(0x6700, .exclude_kernel = 1) },
	{ "Merced", PCL_REASON_IA64_GROUP_IEAR, RAW(0x2300), RAW(0x2300 | CONFIG_EAR(1, 4)) },
	{ "Merced", PCL_REASON_NONE, RAW(0x2300), RAW(0x6700 | CONFIG_EAR(1, 4)) },
	{ "Merced", PCL_REASON_NONE, RAW(0x6700 | CONFIG_EAR(1, 4)), RAW(0x1200, BRANCHES_OF(ANY)) },
	{ "Merced", PCL_REASON_IA64_GROUP_TRACE, RAW(0x1200, STACK(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER)),
	  RAW(0x1100, STACK(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL)) },
	{ "McKinley", PCL_REASON_IA64_GROUP_DEAR, RAW(0xc800 | CONFIG_EAR(0, 3)), RAW(0xc800 | CONFIG_EAR(1, 2)) },
	{ "McKinley", PCL_REASON_IA64_GROUP_DEAR, RAW(0xc800), RAW(0xc800 | 1ULL << 32) },
	{ "McKinley", PCL_REASON_IA64_GROUP_DEAR, RAW(0xc800), RAW(0xc800 | 2 << 24) },
	{ "McKinley", PCL_REASON_NONE, RAW(0xc800), RAW(0xc800, .sample_period = 100, .precise_ip = 2) },
	{ "McKinley", PCL_REASON_IA64_GROUP_IEAR, RAW(0x4300), RAW(0x4300 | CONFIG_EAR(0, 0xff)) },
	{ "McKinley", PCL_REASON_IA64_GROUP_IEAR, RAW(0x4300), RAW(0x4300 | 1 << 24) },
	{ "McKinley", PCL_REASON_NONE, RAW(0x4300), RAW(0xc800) },
	{ "McKinley", PCL_REASON_IA64_GROUP_EAR_TRACE, RAW(0xc800 | CONFIG_EAR(1, 2)), RAW(0x1200, BRANCHES_OF(ANY)) },
	{ "McKinley", PCL_REASON_IA64_GROUP_EAR_TRACE, RAW(0x1200, BRANCHES_OF(ANY)), RAW(0xc800 | CONFIG_EAR(2, 0)) },
	{ "McKinley", PCL_REASON_NONE, RAW(0xc800), RAW(0x1200, BRANCHES_OF(ANY)) },
	{ "McKinley", PCL_REASON_NONE, RAW(0xc800 | CONFIG_EAR(1, 2)),
	  RAW(0x1200, .sample_type = PERF_SAMPLE_BRANCH_STACK,
	  .branch_sample_type = PERF_SAMPLE_BRANCH_ANY) },	/* counted, not sampled */
	{ "McKinley", PCL_REASON_NONE, RAW(0xc800 | CONFIG_EAR(1, 2), .sample_type = PERF_SAMPLE_BRANCH_STACK,
	  .branch_sample_type = PERF_SAMPLE_BRANCH_ANY), RAW(0x1200) },
	{ "McKinley", PCL_REASON_IA64_GROUP_TRACE, RAW(0x1200, BRANCHES_OF(ANY)),
	  RAW(0x1100, BRANCHES_OF(ANY_RETURN)) },
	{ "McKinley", PCL_REASON_NONE, RAW(0x1200, BRANCHES_OF(ANY_RETURN)), RAW(0x1100, BRANCHES_OF(ANY_RETURN)) },
	/* BRANCH_EVENT that is counted, and wants no stack */
	{ "McKinley", PCL_REASON_NONE, RAW(0x1100), RAW(0x1100) },
	{ "McKinley", PCL_REASON_IA64_GROUP_TRACE, RAW(0x1100), RAW(0x1100, .exclude_kernel = 1) },
	{ "McKinley", PCL_REASON_IA64_GROUP_TRACE, RAW(0x1100), RAW(0x1100, BRANCHES_OF(ANY)) },
	{ "McKinley", PCL_REASON_IA64_GROUP_EAR_TRACE, RAW(0x1100), RAW(0xc800 | CONFIG_EAR(1, 2)) },
	{ "Montecito", PCL_REASON_IA64_GROUP_IPEAR, RAW(0x1100), RAW(0x0800 | IP_EAR(0), .sample_period = 100) },
	{ "McKinley", PCL_REASON_IA64_GROUP_RANGE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)), RAW(0x0900) },
	{ "McKinley", PCL_REASON_IA64_GROUP_RANGE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)), RAW(0xcd00) },
	{ "McKinley", PCL_REASON_IA64_GROUP_RANGE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)),
	  RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000), .exclude_kernel = 1) },
	{ "McKinley", PCL_REASON_IA64_GROUP_RANGE, RAW(0xcd00 | DRANGE, RANGE(0x1000, 0x2000)), RAW(0xc800) },
	{ "McKinley", PCL_REASON_IA64_GROUP_RANGE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)),
	  RAW(0x0800, .config1 = 1ULL << 60) },
	/* a range of data needs no matcher: opcodes restrict it as any */
	{ "McKinley", PCL_REASON_IA64_GROUP_OPCODES, RAW(0xcd00 | DRANGE, RANGE(0x1000, 0x2000)),
	  RAW(0x0800, .config1 = 1ULL << 60) },
	{ "McKinley", PCL_REASON_NONE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)), RAW(0x1200) },
	{ "McKinley", PCL_REASON_NONE, RAW(0xcd00 | DRANGE, RANGE(0x1000, 0x2000)), RAW(0x0900) },
	{ "Montecito", PCL_REASON_NONE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)),
	  RAW(0x0900 | IRANGE, RANGE(0x1000, 0x2000)) },
	/* L3_LINES_REPLACED: states of lines, and no range */
	{ "Montecito", PCL_REASON_NONE, RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)), RAW(0xdf00) },
	/* the leader's unit mask looks at another pair than the member's */
	{ "McKinley", PCL_REASON_IA64_GROUP_RANGE, RAW(0x10800), RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)) },
	{ "Montecito", PCL_REASON_IA64_GROUP_DEAR, RAW(0xc800), RAW(0xc800 | CONFIG_EAR(0, 0xa)) },
	{ "Montecito", PCL_REASON_IA64_GROUP_IEAR, RAW(0x4300 | CONFIG_EAR(1, 1)), RAW(0x4300 | CONFIG_EAR(1, 2)) },
	{ "Montecito", PCL_REASON_IA64_GROUP_EAR_TRACE, RAW(0xc800 | CONFIG_EAR(2, 0)), RAW(0x1200, BRANCHES_OF(ANY)) },
	{ "Montecito", PCL_REASON_IA64_GROUP_TRACE, RAW(0x1200, BRANCHES_OF(ANY)),
	  RAW(0x1100, BRANCHES_OF(ANY_RETURN)) },
	{ "Montecito", PCL_REASON_IA64_GROUP_IPEAR, RAW(0x1200, BRANCHES_OF(ANY)),
	  RAW(0x0800 | IP_EAR(0), .sample_period = 100) },
	{ "Montecito", PCL_REASON_IA64_GROUP_IPEAR, RAW(0x1200 | IP_EAR(1), .sample_period = 100),
	  RAW(0x0800 | IP_EAR(0), .sample_period = 100) },
	{ "Montecito", PCL_REASON_NONE, RAW(0x1200 | IP_EAR(0), .sample_period = 100),
	  RAW(0x0800 | IP_EAR(0), .sample_period = 100) },
	{ "Montecito", PCL_REASON_NONE, RAW(0xc800 | CONFIG_EAR(1, 2)), RAW(0x0800 | IP_EAR(0), .sample_period = 100) },
};

/* Refused at open, for what is in this field */
static const struct refused_row {
	enum pcl_reason reason;
	int field;
	const char *chip;
	struct perf_event_attr attr;
	bool on_cpu, is_debugged;
} refused[] = {
	{ PCL_REASON_IA64_BRANCH_KIND, AT(branch_sample_type), "Montecito",
	  RAW(0x1200, .sample_type = PERF_SAMPLE_BRANCH_STACK, .sample_period = 1,
	  .branch_sample_type = PERF_SAMPLE_BRANCH_CALL) },
	/* not apart from jumps */
	{ PCL_REASON_IA64_BRANCH_KIND, AT(branch_sample_type), "McKinley", RAW(0x1200, BRANCHES_OF(IND_CALL)) },
	{ PCL_REASON_IA64_BRANCH_KIND, AT(branch_sample_type), "McKinley",
	  RAW(0x1200, STACK(PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_IND_JUMP)) },
	{ PCL_REASON_IA64_BRANCH_KIND, AT(branch_sample_type), "McKinley", RAW(0x1200,
	  STACK(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_NO_TX)) },
	{ PCL_REASON_IA64_BRANCH_KIND, AT(branch_sample_type), "McKinley", RAW(0x1200, BRANCHES_OF(CALL_STACK)) },
	{ PCL_REASON_IA64_BRANCH_KIND, AT(branch_sample_type), "Merced", RAW(0x1200, BRANCHES_OF(ANY_RETURN)) },
	{ PCL_REASON_IA64_PRECISE, AT_FLAGS, "Montecito", RAW(0x1200, .precise_ip = 1) },
	{ PCL_REASON_IA64_PRECISE, AT_FLAGS, "Merced", RAW(0x1100, .precise_ip = 1, BRANCHES_OF(ANY)) },
	{ PCL_REASON_IA64_PRECISE_DEGREE, AT_FLAGS, "Montecito", RAW(0xc800, .precise_ip = 3) },
	{ PCL_REASON_IA64_PRECISE_DEGREE, AT_FLAGS, "Montecito", RAW(0x4300, .precise_ip = 2) },
	{ PCL_REASON_IA64_PRECISE_DEGREE, AT_FLAGS, "Montecito",
	  RAW(0x1200 | IP_EAR(0), .precise_ip = 2, .sample_period = 100) },
	{ PCL_REASON_IA64_EAR_EVENT, AT(config), "McKinley", RAW(0x1200 | CONFIG_EAR(1, 0)) },
	{ PCL_REASON_IA64_EAR_EVENT, AT(config), "McKinley", RAW(0x1200 | CONFIG_EAR(0, 1)) },
	/* no ALAT for fetches */
	{ PCL_REASON_IA64_EAR_MODE, AT(config), "McKinley", RAW(0x4300 | CONFIG_EAR(2, 0)) },
	{ PCL_REASON_IA64_EAR_MODE, AT(config), "McKinley", RAW(0xc800 | CONFIG_EAR(3, 0)) },
	{ PCL_REASON_IA64_EAR_MODE, AT(config), "Merced", RAW(0x6700 | CONFIG_EAR(2, 0)) },
	{ PCL_REASON_IA64_EAR_UMASK, AT(config), "Merced", RAW(0x6700 | CONFIG_EAR(0, 7)) },
	{ PCL_REASON_IA64_EAR_UMASK, AT(config), "McKinley", RAW(0xc800 | CONFIG_EAR(0, 0xb)) },
	{ PCL_REASON_IA64_EAR_UMASK, AT(config), "McKinley", RAW(0xc800 | CONFIG_EAR(1, 0)) },
	{ PCL_REASON_IA64_EAR_UMASK, AT(config), "McKinley", RAW(0xc800 | CONFIG_EAR(1, 3)) },
	{ PCL_REASON_IA64_EAR_UMASK, AT(config), "McKinley", RAW(0x4300 | CONFIG_EAR(0, 1)) },
	{ PCL_REASON_IA64_EAR_UMASK, AT(config), "McKinley", RAW(0x4300 | CONFIG_EAR(1, 8)) },
	{ PCL_REASON_IA64_EAR_TRACE, AT(sample_type), "McKinley", RAW(0xc800 | CONFIG_EAR(1, 2), BRANCHES_OF(ANY)) },
	{ PCL_REASON_IA64_EAR_TRACE, AT(sample_type), "Montecito", RAW(0xc800 | CONFIG_EAR(2, 0), BRANCHES_OF(ANY)) },
	{ PCL_REASON_IA64_IPEAR_CHIP, AT(config), "McKinley", RAW(0x1200 | IP_EAR(0), .sample_period = 100) },
	{ PCL_REASON_IA64_IPEAR_CHIP, AT(config), "Merced", RAW(0x1200 | IP_EAR(1), .sample_period = 100) },
	/* a delay of nothing */
	{ PCL_REASON_IA64_RAW_BITS, AT(config), "Montecito", RAW(0x1200 | 1ULL << 49, .sample_period = 100) },
	{ PCL_REASON_IA64_IPEAR_COUNTS, AT(config), "Montecito", RAW(0x1200 | IP_EAR(0)) },
	{ PCL_REASON_IA64_IPEAR_TRACE, AT(config), "Montecito", RAW(0x1200 | IP_EAR(0), BRANCHES_OF(ANY)) },
	{ PCL_REASON_IA64_IPEAR_TRACE, AT(config), "Montvale", RAW(0x1100 | IP_EAR(0), .sample_period = 100) },
	{ PCL_REASON_IA64_OPCODE_BITS, AT(config1), "Montecito", RAW(0x0800, .config1 = 1ULL << 41) },
	{ PCL_REASON_IA64_OPCODE_BITS, AT(config1), "Montecito", RAW(0x0800, .config2 = 1ULL << 48) },
	{ PCL_REASON_IA64_OPCODE_BITS, AT(config1), "McKinley",
	  RAW(0x0800, .config1 = 1) },	/* ig_ad is the driver's */
	{ PCL_REASON_IA64_OPCODE_BITS, AT(config1), "McKinley", RAW(0x0800, .config1 = 1ULL << 60, .config2 = 1) },
	{ PCL_REASON_IA64_OPCODE_EVENT, AT(config1), "McKinley", RAW(0x1200, .config1 = 1ULL << 60) },
	{ PCL_REASON_IA64_OPCODE_EVENT, AT(config1), "Merced",
	  RAW(0x0800, .config1 = 1ULL << 60) },	/* all, tagged or not */
	{ PCL_REASON_IA64_OPCODE_TYPES, AT(config1), "McKinley", RAW(0x0800, .config1 = 0x3ffffff8) },
	{ PCL_REASON_IA64_OPCODE_TYPES, AT(config1), "Montecito", RAW(0x0800, .config2 = 0x1ffffffffff) },
	{ PCL_REASON_IA64_RANGE_BOTH, AT(config), "McKinley", RAW(0xcd00 | 3ULL << 57, RANGE(0x1000, 0x2000)) },
	{ PCL_REASON_IA64_RANGE_CHIP, AT(config), "Merced", RAW(0x6c00 | DRANGE, RANGE(0x1000, 0x2000)) },
	{ PCL_REASON_IA64_RANGE_EVENT, AT(config), "McKinley", RAW(0x1200 | IRANGE, RANGE(0x1000, 0x2000)) },
	{ PCL_REASON_IA64_RANGE_EVENT, AT(config), "McKinley", RAW(0x0800 | DRANGE, RANGE(0x1000, 0x2000)) },
	/* L1I_PREFETCHES */
	{ PCL_REASON_IA64_RANGE_PAIR, AT(config), "McKinley", RAW(0x4400 | IRANGE, RANGE(0x1000, 0x2000)) },
	{ PCL_REASON_IA64_RANGE_PAIR, AT(config), "McKinley",
	  RAW(0x10800 | IRANGE, RANGE(0x1000, 0x2000)) },	/* IBRP1 */
	{ PCL_REASON_IA64_RANGE_PAIR, AT(config), "Montecito",
	  RAW(0x4100 | IRANGE, RANGE(0x1000, 0x2000)) },	/* L1I_FILLS */
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "Merced", RAW(0x0800 | IRANGE, RANGE(0x1000, 0x1060)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0x0800 | IRANGE, RANGE(0x1000, 0x1000)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0x0800 | IRANGE, RANGE(0x2000, 0x1000)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0x0800 | IRANGE, RANGE(0x1000, 0x1008)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0x0800 | IRANGE, RANGE(0x1000, 0x1050)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley",
	  RAW(0x0800 | IRANGE, RANGE(0x1f00, 0x2020)) },	/* two pages */
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0xcd00 | DRANGE, RANGE(0x1000, 0x1060)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0xcd00 | DRANGE, RANGE(0x1004, 0x100c)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0xcd00 | DRANGE, RANGE(0, 1ULL << 57)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "Merced", RAW(0x0800 | IRANGE, RANGE(1ULL << 61, 1ULL << 62)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0xcd00 | DRANGE, RANGE(0, 0)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0x0800 | IRANGE, RANGE(0x1021, 0x1061)) },
	{ PCL_REASON_IA64_RANGE_SHAPE, AT(config1), "McKinley", RAW(0x0800 | IRANGE, RANGE(0x1010, 0x1040)) },
	{ PCL_REASON_IA64_RANGE_NO_TASK, AT(config), "McKinley",
	  RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)), .on_cpu = true },
	{ PCL_REASON_IA64_RANGE_PTRACE, AT(config), "McKinley",
	  RAW(0x0800 | IRANGE, RANGE(0x1000, 0x2000)), .is_debugged = true },
	{ PCL_REASON_IA64_GENERIC_UNKNOWN, AT(config), "Merced",
	  { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_MAX } },
	{ PCL_REASON_IA64_GENERIC_ABSENT, AT(config), "Merced", GENERIC_EVENT(BUS_CYCLES) },
	{ PCL_REASON_IA64_CACHE_UNIT, AT(config), "Merced",
	  { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_MAX } },
	{ PCL_REASON_IA64_CACHE_OP, AT(config), "Merced",
	  { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_OP_MAX << 8 } },
	{ PCL_REASON_IA64_CACHE_RESULT, AT(config), "Merced",
	  { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_RESULT_MAX << 16 } },
	/* fields of eight bits, of which the lower four could be something */
	{ PCL_REASON_IA64_CACHE_UNIT, AT(config), "Merced", { .type = PERF_TYPE_HW_CACHE, .config = 0x10 } },
	{ PCL_REASON_IA64_CACHE_OP, AT(config), "Merced", { .type = PERF_TYPE_HW_CACHE, .config = 0x1000 } },
	{ PCL_REASON_IA64_CACHE_RESULT, AT(config), "Merced", { .type = PERF_TYPE_HW_CACHE, .config = 0x100000 } },
	{ PCL_REASON_IA64_CACHE_SENSELESS, AT(config), "Merced", CACHE_EVENT(L1I, WRITE, ACCESS) },
	{ PCL_REASON_IA64_CACHE_ABSENT, AT(config), "Merced", CACHE_EVENT(NODE, READ, ACCESS) },
	{ PCL_REASON_IA64_CACHE_ABSENT, AT(config), "McKinley", CACHE_EVENT(L1I, READ, MISS) },
	{ PCL_REASON_IA64_RAW_BITS, AT(config), "McKinley", RAW(0x1201) },	/* plm is the driver's */
	{ PCL_REASON_IA64_RAW_BITS, AT(config), "McKinley", RAW(0x1240) },			/* so is pm */
	{ PCL_REASON_IA64_RAW_BITS, AT(config), "McKinley", RAW(0x1200 | 1 << 23) },
	{ PCL_REASON_IA64_RAW_BITS, AT(config), "McKinley", RAW(0x1200 | 1 << 26) },
	{ PCL_REASON_IA64_RAW_BITS, AT(config), "McKinley", RAW(0x1200 | 1ULL << 33) },
	{ PCL_REASON_IA64_RAW_UNKNOWN, AT(config), "McKinley", RAW(0xff00) },
	{ PCL_REASON_IA64_RAW_UNKNOWN, AT(config), "McKinley", RAW(0x41200) },	/* CPU_CYCLES has one unit mask */
	{ PCL_REASON_IA64_BOTH_THREADS, AT(config), "Montecito", RAW(0x1200 | 1 << 26) },
	{ PCL_REASON_IA64_UP_NO_TASK, AT(config), "McKinley", RAW(0x1200 | 1ULL << 32), .on_cpu = true },
	{ PCL_REASON_IA64_THRESHOLD, AT(config), "McKinley", RAW(0x1200 | 1 << 20) },	/* one cycle in a cycle */
	{ PCL_REASON_IA64_THRESHOLD, AT(config), "McKinley",
	  RAW(0x0800 | 6 << 20) },	/* six instructions in a cycle */
	{ PCL_REASON_IA64_ISM_NONE, AT(config), "McKinley", RAW(0x1200 | 3 << 24) },
	{ PCL_REASON_IA64_ISM_IA32, AT(config), "Montecito", RAW(0x1200 | 1 << 24) },
	{ PCL_REASON_IA64_STATES, AT(config), "Montecito", RAW(0x1200 | 1 << 30) },
};

#endif
