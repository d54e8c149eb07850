// SPDX-License-Identifier: GPL-2.0
/*
 * UltraSPARC III, III+ and IV, IIIi.
 *
 * "UltraSPARC III Cu User's Manual" and "UltraSPARC IIIi Processor User's Manual", the chapters "Performance
 * Instrumentation"; JPS1, "SPARC Joint Programming Specification", 5.2 (PCR, PIC, SOFTINT). No manual was at hand. The
 * events are those that libpfm4 4.13 and Solaris's driver of these counters (us234_pcbe, looked at for codes alone)
 * agree on; where they do not, that is said there, and Solaris's was taken: its authors had the chips.
 */
#include "family.h"

/*
 * PRIV 0, ST 1, UT 2, SL 9:4, SU 16:11. SW_count_0 and SW_count_1 count one kind of no-operation that no compiler
 * makes, "sethi %hi(0xfc000), %g0".
 */
const struct sparc_layout sparc_ultra3_layout = {
	.pics = 2, .pcrs = 1,
	.guard = BIT(0), .system = BIT(1), .user = BIT(2),
	.pic = {
		{ .shift = 4, .field = 0x3f, .nop = 0x14 },
		{ .shift = 11, .field = 0x3f, .nop = 0x1c },
	},
};

/* All of the three */
static const struct sparc_event ultra3_events[] = {
	EV(0x00, PIC_BOTH, "Cycle_cnt"),
	EV(0x01, PIC_BOTH, "Instr_cnt"),
	EV(0x02, PIC0, "Dispatch0_IC_miss"),
	EV(0x03, PIC0, "Dispatch0_br_target"),
	EV(0x04, PIC0, "Dispatch0_2nd_br"),
	EV(0x05, PIC0, "Rstall_storeQ"),
	EV(0x06, PIC0, "Rstall_IU_use"),
	EV(0x08, PIC0, "IC_ref"),
	EV(0x09, PIC0, "DC_rd"),
	EV(0x0a, PIC0, "DC_wr"),
	EV(0x0c, PIC0, "EC_ref"),
	EV(0x0d, PIC0, "EC_write_hit_RTO"),
	EV(0x0e, PIC0, "EC_snoop_inv"),
	EV(0x0f, PIC0, "EC_rd_miss"),
	EV(0x10, PIC0, "PC_port0_rd"),
	EV(0x11, PIC0, "SI_snoop"),
	EV(0x12, PIC0, "SI_ciq_flow"),
	EV(0x13, PIC0, "SI_owned"),
	EV(0x14, PIC0, "SW_count_0"),
	EV(0x15, PIC0, "IU_Stat_Br_miss_taken"),
	EV(0x16, PIC0, "IU_Stat_Br_count_taken"),
	EV(0x17, PIC0, "Dispatch_rs_mispred"),	/* libpfm4 has it as 0x04 of PIC1 */
	EV(0x18, PIC0, "FA_pipe_completion"),
	EV(0x02, PIC1, "Dispatch0_mispred"),
	EV(0x03, PIC1, "IC_miss_cancelled"),
	EV(0x05, PIC1, "Re_FPU_bypass"),
	EV(0x06, PIC1, "Re_DC_miss"),
	EV(0x07, PIC1, "Re_EC_miss"),
	EV(0x08, PIC1, "IC_miss"),
	EV(0x09, PIC1, "DC_rd_miss"),
	EV(0x0a, PIC1, "DC_wr_miss"),
	EV(0x0b, PIC1, "Rstall_FP_use"),
	EV(0x0c, PIC1, "EC_misses"),
	EV(0x0d, PIC1, "EC_wb"),
	EV(0x0e, PIC1, "EC_snoop_cb"),
	EV(0x0f, PIC1, "EC_ic_miss"),
	EV(0x10, PIC1, "Re_PC_miss"),
	EV(0x11, PIC1, "ITLB_miss"),
	EV(0x12, PIC1, "DTLB_miss"),
	EV(0x13, PIC1, "WC_miss"),
	EV(0x14, PIC1, "WC_snoop_cb"),
	EV(0x15, PIC1, "WC_scrubbed"),
	EV(0x16, PIC1, "WC_wb_wo_read"),
	EV(0x18, PIC1, "PC_soft_hit"),
	EV(0x19, PIC1, "PC_snoop_inv"),
	EV(0x1a, PIC1, "PC_hard_hit"),
	EV(0x1b, PIC1, "PC_port1_rd"),
	EV(0x1c, PIC1, "SW_count_1"),
	EV(0x1d, PIC1, "IU_Stat_Br_miss_untaken"),
	EV(0x1e, PIC1, "IU_Stat_Br_count_untaken"),
	EV(0x1f, PIC1, "PC_MS_misses"),
	EV(0x26, PIC1, "Re_RAW_miss"),
	EV(0x27, PIC1, "FM_pipe_completion"),	/* libpfm4 has it on PIC0 */
	EV_END
};

/* The memory controller of III, III+ and IV */
static const struct sparc_event ultra3_memory_events[] = {
	EV(0x20, PIC0, "MC_reads_0"),
	EV(0x21, PIC0, "MC_reads_1"),
	EV(0x22, PIC0, "MC_reads_2"),
	EV(0x23, PIC0, "MC_reads_3"),
	EV(0x24, PIC0, "MC_stalls_0"),
	EV(0x25, PIC0, "MC_stalls_2"),
	EV(0x20, PIC1, "MC_writes_0"),
	EV(0x21, PIC1, "MC_writes_1"),
	EV(0x22, PIC1, "MC_writes_2"),
	EV(0x23, PIC1, "MC_writes_3"),
	EV(0x24, PIC1, "MC_stalls_1"),
	EV(0x25, PIC1, "MC_stalls_3"),
	EV_END
};

/* What of the two is III's alone, and what that of III+ and IV */
static const struct sparc_event ultra3_own_events[] = {
	EV(0x04, PIC1, "Re_endian_miss"),
	EV_END
};

static const struct sparc_event ultra3plus_own_events[] = {
	EV(0x04, PIC1, "Re_DC_missovhd"),
	EV(0x19, PIC0, "EC_wb_remote"),
	EV(0x1a, PIC0, "EC_miss_local"),
	EV(0x1b, PIC0, "EC_miss_mtag_remote"),
	EV(0x28, PIC1, "EC_miss_mtag_remote"),
	EV(0x29, PIC1, "EC_miss_remote"),
	EV_END
};

/* libpfm4 has the three of PIC1 after the first one number lower, and not the first. */
static const struct sparc_event ultra3i_own_events[] = {
	EV(0x04, PIC1, "Re_DC_missovhd"),
	EV(0x20, PIC0, "MC_read_dispatched"),
	EV(0x21, PIC0, "MC_write_dispatched"),
	EV(0x22, PIC0, "MC_read_returned_to_JBU"),
	EV(0x23, PIC0, "MC_msl_busy_stall"),
	EV(0x24, PIC0, "MC_mdb_overflow_stall"),
	EV(0x25, PIC0, "MC_miu_spec_request"),
	EV(0x20, PIC1, "MC_open_bank_cmds"),
	EV(0x21, PIC1, "MC_reads"),
	EV(0x22, PIC1, "MC_writes"),
	EV(0x23, PIC1, "MC_page_close_stall"),
	EV_END
};

static const struct sparc_generic ultra3_generic[] = {
	GENERIC(CPU_CYCLES, 0x00, PIC_BOTH),
	GENERIC(INSTRUCTIONS, 0x01, PIC_BOTH),
	GENERIC(CACHE_REFERENCES, 0x09, PIC0),		/* DC_rd */
	GENERIC(CACHE_MISSES, 0x09, PIC1),		/* DC_rd_miss */
	GENERIC_END
};

/* EC_ref and EC_misses are of reads and writes together, so neither is an access of one kind. */
static const struct sparc_cache ultra3_cache[] = {
	CACHE(L1D, READ, ACCESS(0x09, PIC0), MISS(0x09, PIC1)),		/* DC_rd, DC_rd_miss */
	CACHE(L1D, WRITE, ACCESS(0x0a, PIC0), MISS(0x0a, PIC1)),	/* DC_wr, DC_wr_miss */
	CACHE(L1I, READ, ACCESS(0x08, PIC0), MISS(0x08, PIC1)),		/* IC_ref, IC_miss */
	CACHE(LL, READ, MISS(0x0f, PIC0)),				/* EC_rd_miss */
	CACHE(DTLB, READ, MISS(0x12, PIC1)),				/* DTLB_miss */
	CACHE(ITLB, READ, MISS(0x11, PIC1)),				/* ITLB_miss */
	CACHE_END
};

const struct sparc_family sparc_ultra3 = {
	.name = "ultra3",
	.title = "UltraSPARC III",
	.layout = &sparc_ultra3_layout,
	.events = { ultra3_events, ultra3_memory_events, ultra3_own_events },
	.generic = ultra3_generic,
	.cache = ultra3_cache,
};

const struct sparc_family sparc_ultra3plus = {
	.name = "ultra3+",
	.title = "UltraSPARC III+ or IV",
	.layout = &sparc_ultra3_layout,
	.events = { ultra3_events, ultra3_memory_events, ultra3plus_own_events },
	.generic = ultra3_generic,
	.cache = ultra3_cache,
};

const struct sparc_family sparc_ultra3i = {
	.name = "ultra3i",
	.title = "UltraSPARC IIIi",
	.layout = &sparc_ultra3_layout,
	.events = { ultra3_events, ultra3i_own_events },
	.generic = ultra3_generic,
	.cache = ultra3_cache,
};
