// SPDX-License-Identifier: GPL-2.0
/*
 * UltraSPARC IV+.
 *
 * "UltraSPARC IV+ Processor User's Manual Supplement", the chapter Performance Instrumentation. No manual was at hand.
 * The events are those that libpfm4 4.13 and Solaris (us234_pcbe, looked at for codes alone) agree on; they name one,
 * 0x16 of PIC0, differently. The control register is III's. Stock 6.1 takes the chip for an UltraSPARC III; many codes
 * are other events here.
 */
#include "family.h"

static const struct sparc_event ultra4plus_events[] = {
	EV(0x00, PIC_BOTH, "Cycle_cnt"),
	EV(0x01, PIC_BOTH, "Instr_cnt"),
	EV(0x02, PIC0, "Dispatch0_IC_miss"),
	EV(0x03, PIC0, "IU_stat_jmp_correct_pred"),
	EV(0x04, PIC0, "Dispatch0_2nd_br"),
	EV(0x05, PIC0, "Rstall_storeQ"),
	EV(0x06, PIC0, "Rstall_IU_use"),
	EV(0x07, PIC0, "IU_stat_ret_correct_pred"),
	EV(0x08, PIC0, "IC_ref"),
	EV(0x09, PIC0, "DC_rd"),
	EV(0x0a, PIC0, "Rstall_FP_use"),
	EV(0x0b, PIC0, "SW_pf_instr"),
	EV(0x0c, PIC0, "L2_ref"),
	EV(0x0d, PIC0, "L2_write_hit_RTO"),
	EV(0x0e, PIC0, "L2_snoop_inv_sh"),
	EV(0x0f, PIC0, "L2_rd_miss"),
	EV(0x10, PIC0, "PC_rd"),
	EV(0x11, PIC0, "SI_snoop_sh"),
	EV(0x12, PIC0, "SI_ciq_flow_sh"),
	EV(0x13, PIC0, "Re_DC_miss"),
	EV(0x14, PIC0, "SW_count_NOP"),
	EV(0x15, PIC0, "IU_stat_br_miss_taken"),
	EV(0x16, PIC0, "IU_stat_br_count_untaken"),	/* so Solaris; libpfm4 has it as ..._taken */
	EV(0x17, PIC0, "HW_pf_exec"),
	EV(0x18, PIC0, "FA_pipe_completion"),
	EV(0x19, PIC0, "SSM_L3_wb_remote"),
	EV(0x1a, PIC0, "SSM_L3_miss_local"),
	EV(0x1b, PIC0, "SSM_L3_miss_mtag_remote"),
	EV(0x1c, PIC0, "SW_pf_str_trapped"),
	EV(0x1d, PIC0, "SW_pf_PC_installed"),
	EV(0x1e, PIC0, "IPB_to_IC_fill"),
	EV(0x1f, PIC0, "L2_write_miss"),
	EV(0x20, PIC0, "MC_reads_0_sh"),
	EV(0x21, PIC0, "MC_reads_1_sh"),
	EV(0x22, PIC0, "MC_reads_2_sh"),
	EV(0x23, PIC0, "MC_reads_3_sh"),
	EV(0x24, PIC0, "MC_stalls_0_sh"),
	EV(0x25, PIC0, "MC_stalls_2_sh"),
	EV(0x26, PIC0, "L2_hit_other_half"),
	EV(0x28, PIC0, "L3_rd_miss"),
	EV(0x29, PIC0, "Re_L2_miss"),
	EV(0x2a, PIC0, "IC_miss_cancelled"),
	EV(0x2b, PIC0, "DC_wr_miss"),
	EV(0x2c, PIC0, "L3_hit_I_state_sh"),
	EV(0x2d, PIC0, "SI_RTS_src_data"),
	EV(0x2e, PIC0, "L2_IC_miss"),
	EV(0x2f, PIC0, "SSM_new_transaction_sh"),
	EV(0x30, PIC0, "L2_SW_pf_miss"),
	EV(0x31, PIC0, "L2_wb"),
	EV(0x32, PIC0, "L2_wb_sh"),
	EV(0x33, PIC0, "L2_snoop_cb_sh"),
	EV(0x02, PIC1, "Dispatch0_other"),
	EV(0x03, PIC1, "DC_wr"),
	EV(0x04, PIC1, "Re_DC_missovhd"),
	EV(0x05, PIC1, "Re_FPU_bypass"),
	EV(0x06, PIC1, "L3_write_hit_RTO"),
	EV(0x07, PIC1, "L2L3_snoop_inv_sh"),
	EV(0x08, PIC1, "IC_L2_req"),
	EV(0x09, PIC1, "DC_rd_miss"),
	EV(0x0a, PIC1, "L2_hit_I_state_sh"),
	EV(0x0b, PIC1, "L3_write_miss_RTO"),
	EV(0x0c, PIC1, "L2_miss"),
	EV(0x0d, PIC1, "SI_owned_sh"),
	EV(0x0e, PIC1, "SI_RTO_src_data"),
	EV(0x0f, PIC1, "SW_pf_duplicate"),
	EV(0x10, PIC1, "IU_stat_jmp_mispred"),
	EV(0x11, PIC1, "ITLB_miss"),
	EV(0x12, PIC1, "DTLB_miss"),
	EV(0x13, PIC1, "WC_miss"),
	EV(0x14, PIC1, "IC_fill"),
	EV(0x15, PIC1, "IU_stat_ret_mispred"),
	EV(0x16, PIC1, "Re_L3_miss"),
	EV(0x17, PIC1, "Re_PFQ_full"),
	EV(0x18, PIC1, "PC_soft_hit"),
	EV(0x19, PIC1, "PC_inv"),
	EV(0x1a, PIC1, "PC_hard_hit"),
	EV(0x1b, PIC1, "IC_pf"),
	EV(0x1c, PIC1, "SW_count_NOP"),
	EV(0x1d, PIC1, "IU_stat_br_miss_untaken"),
	EV(0x1e, PIC1, "IU_stat_br_count_taken"),
	EV(0x1f, PIC1, "PC_miss"),
	EV(0x20, PIC1, "MC_writes_0_sh"),
	EV(0x21, PIC1, "MC_writes_1_sh"),
	EV(0x22, PIC1, "MC_writes_2_sh"),
	EV(0x23, PIC1, "MC_writes_3_sh"),
	EV(0x24, PIC1, "MC_stalls_1_sh"),
	EV(0x25, PIC1, "MC_stalls_3_sh"),
	EV(0x26, PIC1, "Re_RAW_miss"),
	EV(0x27, PIC1, "FM_pipe_completion"),
	EV(0x28, PIC1, "SSM_L3_miss_mtag_remote"),
	EV(0x29, PIC1, "SSM_L3_miss_remote"),
	EV(0x2a, PIC1, "SW_pf_exec"),
	EV(0x2b, PIC1, "SW_pf_str_exec"),
	EV(0x2c, PIC1, "SW_pf_dropped"),
	EV(0x2d, PIC1, "SW_pf_L2_installed"),
	EV(0x2f, PIC1, "L2_HW_pf_miss"),
	EV(0x31, PIC1, "L3_miss"),
	EV(0x32, PIC1, "L3_IC_miss"),
	EV(0x33, PIC1, "L3_SW_pf_miss"),
	EV(0x34, PIC1, "L3_hit_other_half"),
	EV(0x35, PIC1, "L3_wb"),
	EV(0x36, PIC1, "L3_wb_sh"),
	EV(0x37, PIC1, "L2L3_snoop_cb_sh"),
	EV_END
};

static const struct sparc_generic ultra4plus_generic[] = {
	GENERIC(CPU_CYCLES, 0x00, PIC_BOTH),
	GENERIC(INSTRUCTIONS, 0x01, PIC_BOTH),
	GENERIC(CACHE_REFERENCES, 0x09, PIC0),		/* DC_rd */
	GENERIC(CACHE_MISSES, 0x09, PIC1),		/* DC_rd_miss */
	GENERIC_END
};

/* What misses the instruction cache has no event of its own: IC_L2_req asks for prefetches, too. */
static const struct sparc_cache ultra4plus_cache[] = {
	CACHE(L1D, READ, ACCESS(0x09, PIC0), MISS(0x09, PIC1)),		/* DC_rd, DC_rd_miss */
	CACHE(L1D, WRITE, ACCESS(0x03, PIC1), MISS(0x2b, PIC0)),	/* DC_wr, DC_wr_miss */
	CACHE(L1I, READ, ACCESS(0x08, PIC0)),				/* IC_ref */
	CACHE(LL, READ, MISS(0x28, PIC0)),				/* L3_rd_miss */
	CACHE(DTLB, READ, MISS(0x12, PIC1)),				/* DTLB_miss */
	CACHE(ITLB, READ, MISS(0x11, PIC1)),				/* ITLB_miss */
	CACHE_END
};

const struct sparc_family sparc_ultra4plus = {
	.name = "ultra4+",
	.title = "UltraSPARC IV+",
	.layout = &sparc_ultra3_layout,
	.events = { ultra4plus_events },
	.generic = ultra4plus_generic,
	.cache = ultra4plus_cache,
};
