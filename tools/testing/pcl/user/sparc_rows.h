/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows for sparc_test.c: what a config becomes, what goes together, what does not, and what is refused.
 *
 * Worked by hand from the layouts of the control registers and the events' numbers, as sparc_model.h and the families'
 * tables say where they have them from.
 */
#ifndef PCL_USER_SPARC_ROWS_H
#define PCL_USER_SPARC_ROWS_H

#define RAW(config_, ...)	{ .type = PERF_TYPE_RAW, .config = (config_), ##__VA_ARGS__ }
#define GENERIC_EVENT(id)	{ .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##id }
#define CACHE_EVENT(unit, op, result) { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_##unit | \
	PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16 }

/* What its control register holds for an event that is alone, and which counters could have it. */
static const struct code_row {
	const char *chip;
	struct perf_event_attr attr;
	u64 pcr;
	u8 counters;
} code_rows[] = {
	/* PRIV, ST and UT: 7. I, II and T1: nothing stands still, so the other counter is left at 0. */
	{ "II", RAW(ON_BOTH(0)), 0x7, 3 },					/* Cycle_cnt */
	{ "II", RAW(ON_BOTH(1), .exclude_kernel = 1), 0x15, 3 },		/* Instr_cnt */
	{ "II", RAW(ON_PIC0(0x9)), 0x97, 1 },					/* DC_rd */
	{ "II", RAW(ON_PIC1(0xd)), 0x6807, 2 },					/* EC_wb */
	{ "II", GENERIC_EVENT(INSTRUCTIONS), 0x17, 3 },
	{ "II", GENERIC_EVENT(CPU_CYCLES), 0x7, 3 },
	{ "II", GENERIC_EVENT(CACHE_REFERENCES), 0x97, 1 },			/* DC_rd */
	{ "II", CACHE_EVENT(L1D, READ, ACCESS), 0x97, 1 },			/* DC_rd */
	{ "II", CACHE_EVENT(L1D, WRITE, ACCESS), 0xa7, 1 },			/* DC_wr */
	{ "II", CACHE_EVENT(L1I, READ, ACCESS), 0x87, 1 },
	/* PRIV, ST and UT: 7; SW_count_1 on PIC1: 0xe000; SW_count_0 on PIC0: 0x140 */
	{ "III", RAW(ON_BOTH(0)), 0xe007, 3 },					/* Cycle_cnt */
	{ "III", RAW(ON_PIC1(0)), 0x147, 2 },
	{ "III", RAW(ON_PIC0(0)), 0xe007, 1 },
	{ "III", RAW(ON_BOTH(1)), 0xe017, 3 },					/* Instr_cnt */
	{ "III", RAW(ON_BOTH(1), .exclude_kernel = 1), 0xe015, 3 },
	{ "III", RAW(ON_BOTH(1), .exclude_user = 1), 0xe013, 3 },
	{ "III", RAW(ON_BOTH(1), .exclude_hv = 1), 0xe017, 3 },
	{ "III", RAW(ON_BOTH(1), .exclude_idle = 1), 0xe017, 3 },		/* of no effect, as in stock */
	{ "III", RAW(ON_PIC0(0x09)), 0xe097, 1 },				/* DC_rd */
	{ "III", RAW(ON_PIC1(0x09)), 0x4947, 2 },				/* DC_rd_miss */
	{ "III", RAW(ON_PIC0(0x17)), 0xe177, 1 },				/* Dispatch_rs_mispred */
	{ "III", RAW(ON_PIC1(0x27)), 0x13947, 2 },				/* FM_pipe_completion */
	{ "III", RAW(ON_PIC1(0x25)), 0x12947, 2 },				/* MC_stalls_3 */
	{ "III", GENERIC_EVENT(CPU_CYCLES), 0xe007, 3 },
	{ "III", GENERIC_EVENT(INSTRUCTIONS), 0xe017, 3 },
	{ "III", GENERIC_EVENT(CACHE_REFERENCES), 0xe097, 1 },
	{ "III", GENERIC_EVENT(CACHE_MISSES), 0x4947, 2 },
	{ "III", CACHE_EVENT(L1D, WRITE, MISS), 0x5147, 2 },			/* DC_wr_miss */
	{ "III", CACHE_EVENT(L1I, READ, ACCESS), 0xe087, 1 },			/* IC_ref */
	{ "III", CACHE_EVENT(L1I, READ, MISS), 0x4147, 2 },			/* IC_miss */
	{ "III", CACHE_EVENT(LL, READ, MISS), 0xe0f7, 1 },			/* EC_rd_miss */
	{ "III", CACHE_EVENT(DTLB, READ, MISS), 0x9147, 2 },
	{ "III", CACHE_EVENT(ITLB, READ, MISS), 0x8947, 2 },
	{ "III+", RAW(ON_PIC0(0x1b)), 0xe1b7, 1 },				/* EC_miss_mtag_remote */
	{ "III+", RAW(ON_PIC1(0x29)), 0x14947, 2 },				/* EC_miss_remote */
	{ "IIIi", RAW(ON_PIC1(0x23)), 0x11947, 2 },				/* MC_page_close_stall */
	{ "IIIi", RAW(ON_PIC0(0x25)), 0xe257, 1 },				/* MC_miu_spec_request */
	{ "IV+", RAW(ON_PIC1(0x37)), 0x1b947, 2 },				/* L2L3_snoop_cb_sh */
	{ "IV+", CACHE_EVENT(L1D, WRITE, ACCESS), 0x1947, 2 },			/* DC_wr */
	{ "IV+", CACHE_EVENT(L1D, WRITE, MISS), 0xe2b7, 1 },			/* DC_wr_miss */
	{ "IV+", CACHE_EVENT(LL, READ, MISS), 0xe287, 1 },			/* L3_rd_miss */
	{ "T1", RAW(ON_PIC1(0)), 0x7, 2 },					/* Instr_cnt */
	{ "T1", RAW(ON_PIC0(3)), 0x37, 1 },					/* DC_miss */
	{ "T1", GENERIC_EVENT(INSTRUCTIONS), 0x7, 2 },
	{ "T1", CACHE_EVENT(LL, READ, MISS), 0x77, 1 },				/* L2_dmiss_ld */
	/* with HT: 0xf; TOE0 0x10, TOE1 0x20; Instr_sw on PIC1: 0x11000000, on PIC0: 0x8800 */
	{ "T2", RAW(ON_BOTH(0x208)), 0x1100821f, 3 },				/* loads */
	{ "T2", RAW(ON_BOTH(0x208), .exclude_hv = 1), 0x11008217, 3 },
	{ "T2", RAW(ON_PIC1(0x302)), 0x1810882f, 2 },				/* DC_miss */
	{ "T2", RAW(ON_BOTH(0x320)), 0x1100c80f, 3 },				/* L2 misses of loads: no TOE0 */
	{ "T2", RAW(ON_BOTH(0)), 0x1100001f, 3 },				/* All_strands_idle */
	{ "T2", GENERIC_EVENT(INSTRUCTIONS), 0x1100bf5f, 3 },
	{ "T2", GENERIC_EVENT(BRANCH_MISSES), 0x1100809f, 3 },			/* taken branches */
	{ "T2", CACHE_EVENT(LL, READ, MISS), 0x1100c80f, 3 },
	{ "T2", CACHE_EVENT(ITLB, READ, MISS), 0x1102c11f, 3 },
	{ "T3", RAW(ON_BOTH(0x604)), 0x1101811f, 3 },				/* Kasumi */
	{ "T3", RAW(ON_BOTH(0x680)), 0x1101a01f, 3 },				/* two bits more than T2 */
	{ "T3", RAW(ON_BOTH(0x7c0)), 0x1101f01f, 3 },
	{ "T3", RAW(ON_BOTH(0xb0c)), 0x1102c31f, 3 },				/* TLB_miss */
	/* PICNPT 0x10000, ST 8, UT 4, TOE 2 */
	{ "T4", RAW(ON_ALL(26 << 6)), 0x1d00e, 15 },				/* cycles */
	{ "T4", RAW(ON_ALL(26 << 6), .exclude_kernel = 1), 0x1d006, 15 },
	{ "T4", RAW(ON_ALL(0x687)), 0x1d0ee, 15 },				/* the same, and all of its mask */
	{ "T4", RAW(ON_ALL(0x041)), 0x1082e, 15 },				/* Sel_pipe_drain_cycles */
	{ "T4", RAW(ON_ALL(0x08e)), 0x111ce, 15 },				/* Pick_any */
	{ "T4", RAW(ON_ALL(0x120)), 0x1240e, 15 },				/* Block_ld_st */
	{ "T4", RAW(ON_ALL(0x510)), 0x1a20e, 15 },				/* St_q_tag_wait */
	{ "T4", RAW(ON_ALL(0x5c7)), 0x1b8ee, 15 },				/* DC_miss */
	{ "T4", RAW(ON_ALL(0x70f)), 0x1e1ee, 15 },
	{ "T4", GENERIC_EVENT(CPU_CYCLES), 0x1d00e, 15 },
	{ "T4", GENERIC_EVENT(INSTRUCTIONS), 0x11fee, 15 },
	{ "T4", GENERIC_EVENT(BRANCH_INSTRUCTIONS), 0x1182e, 15 },		/* Branches */
	{ "T4", GENERIC_EVENT(BRANCH_MISSES), 0x1c9ee, 15 },			/* Br_mispred */
	{ "T4", CACHE_EVENT(L1D, READ, MISS), 0x180ee, 15 },			/* DC_miss_nospec */
	{ "T4", CACHE_EVENT(L1I, READ, MISS), 0x1586e, 15 },			/* IC_miss */
	{ "T4", CACHE_EVENT(ITLB, READ, MISS), 0x137ee, 15 },			/* ITLB_miss_asynch */
};

/* Counted at once */
static const struct together {
	const char *chip;
	u64 configs[4];
} together[] = {
	{ "III", { ON_BOTH(0), ON_BOTH(1) } },
	{ "III", { ON_BOTH(0), ON_BOTH(0) } },
	{ "III", { ON_BOTH(0), ON_PIC0(0x09) } },		/* the first one moves */
	{ "III", { ON_PIC1(0x09), ON_BOTH(1) } },
	{ "III", { ON_PIC0(0x09), ON_PIC1(0x09) } },
	{ "IIIi", { ON_PIC0(0x20), ON_PIC1(0x20) } },
	{ "IV+", { ON_BOTH(1), ON_PIC0(0x2b) } },
	{ "II", { ON_BOTH(0), ON_PIC0(0x09) } },
	{ "T1", { ON_PIC0(0x07), ON_PIC1(0) } },
	{ "T2", { ON_BOTH(0x201), ON_BOTH(0x302) } },
	{ "T2", { ON_BOTH(0x208), ON_PIC0(0x210) } },
	{ "T4", { ON_ALL(26 << 6), ON_ALL(3 << 6 | 4), ON_ALL(3 << 6 | 1), ON_ALL(16 << 6 | 7) } },
};

/* Not counted at once, for this reason */
static const struct apart {
	const char *chip;
	enum pcl_reason reason;
	struct perf_event_attr attrs[5];
	unsigned int nr;
} apart[] = {
	{ "III", PCL_REASON_SPARC_GROUP_NEVER_FITS, { RAW(ON_PIC0(0x09)), RAW(ON_PIC0(0x0a)) }, 2 },
	{ "III", PCL_REASON_SPARC_GROUP_NEVER_FITS, { RAW(ON_PIC1(0x08)), RAW(ON_PIC1(0x09)) }, 2 },
	{ "III", PCL_REASON_SPARC_GROUP_NEVER_FITS, { RAW(ON_BOTH(0)), RAW(ON_BOTH(1)), RAW(ON_BOTH(1)) }, 3 },
	{ "III", PCL_REASON_SPARC_GROUP_LEVELS, { RAW(ON_BOTH(0)), RAW(ON_BOTH(1), .exclude_kernel = 1) }, 2 },
	{ "IV+", PCL_REASON_SPARC_GROUP_LEVELS,
	  { RAW(ON_BOTH(0), .exclude_user = 1), RAW(ON_BOTH(1), .exclude_kernel = 1) }, 2 },
	{ "II", PCL_REASON_SPARC_GROUP_LEVELS, { RAW(ON_BOTH(0)), RAW(ON_BOTH(1), .exclude_kernel = 1) }, 2 },
	{ "T1", PCL_REASON_SPARC_GROUP_NEVER_FITS, { RAW(ON_PIC0(2)), RAW(ON_PIC0(3)) }, 2 },
	{ "T1", PCL_REASON_SPARC_GROUP_NEVER_FITS, { RAW(ON_PIC1(0)), RAW(ON_PIC1(0)) }, 2 },
	{ "T2", PCL_REASON_SPARC_GROUP_LEVELS, { RAW(ON_BOTH(0x201)), RAW(ON_BOTH(0x201), .exclude_hv = 1) }, 2 },
	{ "T4", PCL_REASON_SPARC_GROUP_NEVER_FITS,
	  { RAW(ON_ALL(0xc1)), RAW(ON_ALL(0xc1)), RAW(ON_ALL(0xc1)), RAW(ON_ALL(0xc1)), RAW(ON_ALL(0xc1)) }, 5 },
};

/* Refused at open, for what is in this field */
static const struct {
	enum pcl_reason reason;
	int field;
	const char *chip;
	struct perf_event_attr attr;
} refused[] = {
	{ PCL_REASON_SPARC_BRANCH_STACK, AT(branch_sample_type), "III",
	  RAW(ON_BOTH(0), .sample_type = PERF_SAMPLE_BRANCH_STACK) },
	{ PCL_REASON_SPARC_PRECISE, AT_FLAGS, "III", RAW(ON_BOTH(0), .precise_ip = 1) },
	{ PCL_REASON_SPARC_GENERIC_UNKNOWN, AT(config), "III",
	  { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_MAX } },
	{ PCL_REASON_SPARC_GENERIC_UNKNOWN, AT(config), "III", { .type = PERF_TYPE_HARDWARE, .config = 1ULL << 32 } },
	{ PCL_REASON_SPARC_GENERIC_ABSENT, AT(config), "III", GENERIC_EVENT(BRANCH_MISSES) },
	{ PCL_REASON_SPARC_CACHE_UNIT, AT(config), "III",
	  { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_MAX } },
	{ PCL_REASON_SPARC_CACHE_OP, AT(config), "III",
	  { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_OP_MAX << 8 } },
	{ PCL_REASON_SPARC_CACHE_RESULT, AT(config), "III",
	  { .type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_RESULT_MAX << 16 } },
	{ PCL_REASON_SPARC_CACHE_SENSELESS, AT(config), "III", CACHE_EVENT(L1I, WRITE, ACCESS) },
	{ PCL_REASON_SPARC_CACHE_ABSENT, AT(config), "III",
	  CACHE_EVENT(LL, READ, ACCESS) },	/* EC_ref: writes, too */
	{ PCL_REASON_SPARC_CACHE_ABSENT, AT(config), "III", CACHE_EVENT(L1I, PREFETCH, ACCESS) },
	{ PCL_REASON_SPARC_CACHE_ABSENT, AT(config), "IV+", CACHE_EVENT(L1I, READ, MISS) },
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "III", RAW(ON_BOTH(0x40)) },
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "III", RAW(ON_BOTH(0) | 4) },
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "III", RAW(ON_BOTH(0) | 1ULL << 32) },
	{ PCL_REASON_SPARC_RAW_NO_COUNTER, AT(config), "III", RAW(1 << 16) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "III", RAW(ON_BOTH(0x09)) },		/* two events */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "III", RAW(ON_PIC0(0x27)) },		/* as libpfm4 has it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "III", RAW(ON_PIC0(0x19)) },		/* not before III+ */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "IIIi", RAW(ON_PIC1(0x24)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "IV+", RAW(ON_PIC0(0x34)) },
	{ PCL_REASON_SPARC_GENERIC_ABSENT, AT(config), "T1", GENERIC_EVENT(CPU_CYCLES) },
	{ PCL_REASON_SPARC_GENERIC_ABSENT, AT(config), "T2", GENERIC_EVENT(CPU_CYCLES) },
	{ PCL_REASON_SPARC_CACHE_ABSENT, AT(config), "T2", CACHE_EVENT(LL, WRITE, MISS) },
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "II", RAW(ON_BOTH(0x10)) },
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "T1", RAW(ON_PIC0(8)) },
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "T4", RAW(ON_PIC0(1)) },	/* no bits of counters */
	{ PCL_REASON_SPARC_RAW_BITS, AT(config), "T4", RAW(ON_ALL(0x800)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T1", RAW(ON_BOTH(0)) },		/* two events */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T1", RAW(ON_PIC1(1)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T2", RAW(ON_BOTH(0x200)) },		/* nothing of it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T2", RAW(ON_BOTH(0x304)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T2", RAW(ON_BOTH(0x540)) },		/* as libpfm4 has it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T2", RAW(ON_BOTH(0x680)) },		/* T3 has it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T2", RAW(ON_BOTH(0x740)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T3", RAW(ON_BOTH(0x600)) },		/* nothing of it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T3", RAW(ON_BOTH(0x540)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x001)) },	/* no selections 0, 12, 27, 31 */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x301)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x6c1)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x7ff)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x040)) },		/* nothing of it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x061)) },	/* a bit that the mask has not */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x2c4)) },		/* M7 has it */
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x408)) },
	{ PCL_REASON_SPARC_RAW_UNKNOWN, AT(config), "T4", RAW(ON_ALL(0x688)) },
	{ PCL_REASON_SPARC_WRAPS, AT(sample_period), "II", RAW(ON_BOTH(0), .sample_period = 1) },
	{ PCL_REASON_SPARC_WRAPS, AT(sample_period), "II", RAW(ON_BOTH(0), .sample_period = 1000) },
	{ PCL_REASON_SPARC_WRAPS, AT(sample_period), "II", { .type = PERF_TYPE_HARDWARE, .sample_period = 1000 } },
	{ PCL_REASON_SPARC_ERRATUM_108, AT(sample_period), "T2", RAW(ON_BOTH(0x320), .sample_period = 1) },
	{ PCL_REASON_SPARC_ERRATUM_108, AT(sample_period), "T2", RAW(ON_BOTH(0x320), .sample_period = 1000) },
	{ PCL_REASON_SPARC_ERRATUM_108, AT(sample_period), "T3", RAW(ON_PIC1(0x331), .sample_period = 1000) },
};

#endif
