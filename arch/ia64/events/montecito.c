// SPDX-License-Identifier: GPL-2.0
/*
 * Dual-Core Itanium 2: Montecito and Montvale.
 *
 * "Dual-Core Update to the Intel Itanium 2 Processor Reference Manual" (308065), chapters 3 (Performance Monitoring)
 * and 4 (Performance Monitor Events). Twelve counters of 47 bits for each of the core's two threads. Events of the
 * level 1 data cache come in sets of which one can be counted at a time, with an event of it on PMC5. Two sets of the
 * level 2 data cache can: that on PMC4 is also PMC5's and PMC8's, that on PMC6 also PMC7's and PMC9's, with its unit
 * mask; no other counter has them. (That unit masks are shared, and that PMC10 to PMC15 have no such event, is from
 * memory; it forbids more than libpfm4 does.) No manual was at hand. The events, with their counters, increments and
 * what can restrict them, are those that libpfm4 4.13 has, and tools/testing/pcl/user/tables/ia64 holds them against
 * it. Where the table departs from it, that is said there. All of it is unverified until somebody looks it up.
 */
#include <linux/kernel.h>

#include "family.h"

#define PMC4_9	0x03f0
#define PMC10	0x0400
#define PMC4_15	0xfff0

/* L2D_OZQ_CANCELS0 and 1 cannot be counted together. */
#define OZQ_CANCELS	BIT(0)

/* Power-up values, and what may be written: perfmon in Linux 5.9. Bit 25 of a counter's stays set. */
static const struct ia64_reg montecito_regs[] = {
#define COUNTER(nr)	REG(nr, 0x2000000, 0x7c7fff7f)
	COUNTER(4), COUNTER(5), COUNTER(6), COUNTER(7), COUNTER(8), COUNTER(9), COUNTER(10), COUNTER(11), COUNTER(12),
	COUNTER(13), COUNTER(14), COUNTER(15),
	REG(32, 0x30f01ffffffffffULL, 0x30f01ffffffffffULL),	/* opcode matchers */
	REG(33, 0, 0x1ffffffffffULL),
	REG(34, 0xf01ffffffffffULL, 0xf01ffffffffffULL),
	REG(35, 0, 0x1ffffffffffULL),
	REG(36, 0xfffffff0, 0xf),				/* which opcode matcher goes with which range */
	REG(37, 0, 0x3fff),					/* instruction event addresses */
	REG(38, 0xdb6, 0x2492),					/* instruction address ranges: none */
	REG(39, 0, 0xffcf),					/* execution trace buffer */
	REG(40, 0x2000000, 0xf01cf),				/* data event addresses */
	REG(41, 0x2078fefefefeULL, 0x1e00018181818ULL),		/* what restricts data accesses: nothing */
	REG(42, 0, 0x7ff4f),					/* instruction pointers */
	REG_END
};

static const struct ia64_event montecito_events[] = {
	/* BACK_END_BUBBLE */
	EV(0x00, 0x0007, PMC4_15, 1, 0),
	/* BE_RSE_BUBBLE */
	EV(0x01, 0x003f, PMC4_15, 1, 0),
	/* BE_EXE_BUBBLE */
	EV(0x02, 0x01ff, PMC4_15, 1, 0),
	/* FP_TRUE_SIRSTALL */
	EV(0x03, 0x0001, PMC4_15, 1, IA64_IAR),
	/* BE_FLUSH_BUBBLE */
	EV(0x04, 0x0007, PMC4_15, 1, 0),
	/* FP_FALSE_SIRSTALL */
	EV(0x05, 0x0001, PMC4_15, 1, IA64_IAR),
	/* FP_FAILED_FCHKF */
	EV(0x06, 0x0001, PMC4_15, 1, IA64_IAR),
	/* IA64_INST_RETIRED */
	EV(0x08, 0x000f, PMC4_15, 6, IA64_IAR | IA64_OPM),
	/* FP_OPS_RETIRED */
	EV(0x09, 0x0001, PMC4_15, 6, IA64_IAR),
	/* FP_FLUSH_TO_ZERO_FTZ */
	EV(0x0b, 0x0003, PMC4_15, 2, IA64_IAR),
	/* THREAD_SWITCH_EVENTS */
	EV(0x0c, 0x00bf, PMC4_15, 1, 0),
	/* THREAD_SWITCH_GATED */
	EV(0x0d, 0x00b2, PMC4_15, 1, 0),
	/* THREAD_SWITCH_CYCLE */
	EV(0x0e, 0x00de, PMC4_15, 1, 0),
	/* THREAD_SWITCH_STALL_GTE */
	EV(0x0f, 0x07ff, PMC4_15, 1, 0),
	/* BRANCH_EVENT */
	EV(0x11, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM),
	/* CPU_OP_CYCLES_ALL */
	EV(0x12, 0x0001, PMC4_15, 1, 0),
	/* CPU_OP_CYCLES_QUAL */
	EV(0x12, 0x0002, PMC4_15, 1, IA64_IAR | IA64_OPM),
	/* CPU_CPL_CHANGES */
	EV(0x13, 0x8116, PMC4_15, 1, 0),
	/* CPU_OP_CYCLES_HALTED */
	EV(0x18, 0x0001, PMC10, 7, 0),
	/* RSE_REFERENCES_RETIRED */
	EV(0x20, 0x000e, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* RSE_DIRTY_REGS_6 */
	EV(0x24, 0x0001, PMC4_15, 1, 0),
	/* RSE_CURRENT_REGS_6 */
	EV(0x26, 0x0001, PMC4_15, 1, 0),
	/* RSE_DIRTY_REGS_5_TO_3 */
	EV(0x28, 0x0001, PMC4_15, 7, 0),
	/* RSE_DIRTY_REGS_2_TO_0 */
	EV(0x29, 0x0001, PMC4_15, 7, 0),
	/* RSE_CURRENT_REGS_5_TO_3 */
	EV(0x2a, 0x0001, PMC4_15, 7, 0),
	/* RSE_CURRENT_REGS_2_TO_0 */
	EV(0x2b, 0x0001, PMC4_15, 7, 0),
	/* HPW_DATA_REFERENCES */
	EV(0x2d, 0x0001, PMC4_15, 4, 0),
	/* RSE_EVENT_RETIRED */
	EV(0x32, 0x0001, PMC4_15, 1, 0),
	/* L1I_READS */
	EV(0x40, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L1I_FILLS */
	EV(0x41, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L2I_DEMAND_READS */
	EV(0x42, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L1I_EAR_EVENTS */
	EV(0x43, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L1I_PREFETCHES */
	EV(0x44, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L2I_PREFETCHES */
	EV(0x45, 0x0001, PMC4_15, 1, IA64_IAR),
	/* ISB_BUNPAIRS_IN */
	EV(0x46, 0x0001, PMC4_15, 1, IA64_IAR),
	/* ITLB_MISSES_FETCH */
	EV(0x47, 0x000e, PMC4_15, 1, IA64_IAR),
	/* L1ITLB_INSERTS_HPW */
	EV(0x48, 0x0001, PMC4_15, 1, IA64_IAR),
	/* DISP_STALLED */
	EV(0x49, 0x0001, PMC4_15, 1, 0),
	/* L1I_SNOOP */
	EV(0x4a, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1I_PURGE */
	EV(0x4b, 0x0001, PMC4_15, 1, IA64_IAR),
	/* INST_DISPERSED */
	EV(0x4d, 0x0001, PMC4_15, 6, IA64_IAR),
	/* SYLL_NOT_DISPERSED */
	EV(0x4e, 0xfffe, PMC4_15, 5, IA64_IAR),
	/* SYLL_OVERCOUNT */
	EV(0x4f, 0x000e, PMC4_15, 2, IA64_IAR),
	/* NOPS_RETIRED */
	EV(0x50, 0x0001, PMC4_15, 6, IA64_IAR | IA64_OPM),
	/* PREDICATE_SQUASHED_RETIRED */
	EV(0x51, 0x0001, PMC4_15, 6, IA64_IAR | IA64_OPM),
	/* DATA_DEBUG_REGISTER_FAULT */
	EV(0x52, 0x0001, PMC4_15, 1, 0),
	/* SERIALIZATION_EVENTS */
	EV(0x53, 0x0001, PMC4_15, 1, 0),
	/* BR_PATH_PRED */
	EV(0x54, 0xffff, PMC4_15, 3, IA64_IAR | IA64_OPM),
	/* INST_FAILED_CHKS_RETIRED */
	EV(0x55, 0x000e, PMC4_15, 1, 0),
	/* INST_CHKA_LDC_ALAT */
	EV(0x56, 0x000e, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* INST_FAILED_CHKA_LDC_ALAT */
	EV(0x57, 0x000e, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* ALAT_CAPACITY_MISS */
	EV(0x58, 0x000e, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* BR_MISPRED_DETAIL */
	EV(0x5b, 0xffff, PMC4_15, 3, IA64_IAR | IA64_OPM),
	/* L1I_STRM_PREFETCHES */
	EV(0x5f, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L1I_RAB_FULL */
	EV(0x60, 0x0001, PMC4_15, 1, 0),
	/* BE_BR_MISPRED_DETAIL */
	EV(0x61, 0x000f, PMC4_15, 1, IA64_IAR | IA64_OPM),
	/* ENCBR_MISPRED_DETAIL */
	EV(0x63, 0xff0f, PMC4_15, 3, IA64_IAR | IA64_OPM),
	/* L1I_RAB_ALMOST_FULL */
	EV(0x64, 0x0001, PMC4_15, 1, 0),
	/* L1I_FETCH_RAB_HIT */
	EV(0x65, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L1I_FETCH_ISB_HIT */
	EV(0x66, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L1I_PREFETCH_STALL */
	EV(0x67, 0x000c, PMC4_15, 1, 0),
	/* BR_MISPRED_DETAIL2 */
	EV(0x68, 0x7777, PMC4_15, 2, IA64_IAR | IA64_OPM),
	/* L1I_PVAB_OVERFLOW */
	EV(0x69, 0x0001, PMC4_15, 1, 0),
	/* BR_PATH_PRED2 */
	EV(0x6a, 0x3333, PMC4_15, 2, IA64_IAR | IA64_OPM),
	/* FE_LOST_BW */
	EV(0x70, 0x3ff3, PMC4_15, 2, 0),
	/* FE_BUBBLE */
	EV(0x71, 0x3ffb, PMC4_15, 1, 0),
	/* BE_LOST_BW_DUE_TO_FE */
	EV(0x72, 0x3ff3, PMC4_15, 2, 0),
	/* IDEAL_BE_LOST_BW_DUE_TO_FE */
	EV(0x73, 0x3ff3, PMC4_15, 2, 0),
	/* L2I_READS */
	EV(0x78, 0xeee0, PMC4_15, 1, IA64_IAR),
	/* L2I_UC_READS */
	EV(0x79, 0xeee0, PMC4_15, 1, IA64_IAR),
	/* L2I_VICTIMIZATION */
	EV(0x7a, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L2I_RECIRCULATES */
	EV(0x7b, 0xeee0, PMC4_15, 1, IA64_IAR),
	/* L2I_L3_REJECTS */
	EV(0x7c, 0xeee0, PMC4_15, 1, IA64_IAR),
	/* L2I_HIT_CONFLICTS */
	EV(0x7d, 0xeee0, PMC4_15, 1, IA64_IAR),
	/* L2I_SPEC_ABORTS */
	EV(0x7e, 0x0001, PMC4_15, 1, IA64_IAR),
	/* L2I_SNOOP_HITS */
	EV(0x7f, 0x0001, PMC4_15, 1, 0),
	/* BUS_RD_HIT */
	EV(0x80, 0x000f, PMC4_9, 1, 0),
	/* BUS_RD_HITM */
	EV(0x81, 0x000f, PMC4_9, 1, 0),
	/* BUS_RD_INVAL_HITM */
	EV(0x82, 0x000f, PMC4_9, 1, 0),
	/* BUS_RD_INVAL_BST_HITM */
	EV(0x83, 0x000f, PMC4_9, 1, 0),
	/* BUS_HITM */
	EV(0x84, 0x000f, PMC4_9, 1, 0),
	/* BUS_ALL */
	EV(0x87, 0x000f, PMC4_9, 1, 0),
	/* BUS_DATA_CYCLE */
	EV(0x88, 0x000f, PMC4_9, 1, 0),
	/* MEM_READ_CURRENT */
	EV(0x89, 0x000a, PMC4_15, 1, 0),
	/* BUS_MEMORY */
	EV(0x8a, 0xfff0, PMC4_9, 1, 0),
	/* BUS_MEM_READ */
	EV(0x8b, 0xffff, PMC4_9, 1, 0),
	/* BUS_RD_DATA */
	EV(0x8c, 0x000f, PMC4_9, 1, 0),
	/* BUS_RD_PRTL */
	EV(0x8d, 0x000f, PMC4_9, 1, 0),
	/* SI_CYCLES */
	EV(0x8e, 0x0001, PMC4_15, 1, 0),
	/* BUS_SNOOP_STALL_CYCLES */
	EV(0x8f, 0x000d, PMC4_9, 1, 0),
	/* BUS_IO */
	EV(0x90, 0x000f, PMC4_9, 1, 0),
	/* BUS_RD_IO */
	EV(0x91, 0x000f, PMC4_9, 1, 0),
	/* BUS_WR_WB */
	EV(0x92, 0xece0, PMC4_9, 1, 0),
	/* BUS_B2B_DATA_CYCLES */
	EV(0x93, 0x000f, PMC4_9, 1, 0),
	/* SI_IOQ_LIVE_REQ_LO */
	EV(0x97, 0x0001, PMC4_15, 3, 0),
	/* SI_IOQ_LIVE_REQ_HI */
	EV(0x98, 0x0001, PMC4_15, 2, 0),
	/* SI_RQ_INSERTS */
	EV(0x9e, 0x0003, PMC4_15, 2, 0),
	/* SI_RQ_LIVE_REQ_LO */
	EV(0x9f, 0x0003, PMC4_15, 7, 0),
	/* SI_RQ_LIVE_REQ_HI */
	EV(0xa0, 0x0003, PMC4_15, 1, 0),
	/* SI_WRITEQ_INSERTS */
	EV(0xa1, 0xffff, PMC4_15, 2, 0),
	/* SI_WRITEQ_LIVE_REQ_LO */
	EV(0xa2, 0x0003, PMC4_15, 7, 0),
	/* SI_WRITEQ_LIVE_REQ_HI */
	EV(0xa3, 0x0003, PMC4_15, 1, 0),
	/* SI_WAQ_COLLISIONS */
	EV(0xa4, 0x0003, PMC4_15, 1, 0),
	/* SI_CCQ_INSERTS */
	EV(0xa5, 0x0003, PMC4_15, 2, 0),
	/* SI_CCQ_LIVE_REQ_LO */
	EV(0xa6, 0x0003, PMC4_15, 7, 0),
	/* SI_CCQ_LIVE_REQ_HI */
	EV(0xa7, 0x0003, PMC4_15, 1, 0),
	/* SI_CCQ_COLLISIONS */
	EV(0xa8, 0x0003, PMC4_15, 2, 0),
	/* SI_IOQ_COLLISIONS */
	EV(0xaa, 0x0001, PMC4_15, 2, 0),
	/* SI_SCB_INSERTS */
	EV(0xab, 0x3333, PMC4_15, 4, 0),
	/* SI_SCB_LIVE_REQ_LO */
	EV(0xac, 0x0003, PMC4_15, 7, 0),
	/* SI_SCB_LIVE_REQ_HI */
	EV(0xad, 0x0003, PMC4_15, 1, 0),
	/* SI_SCB_SIGNOFFS */
	EV(0xae, 0x1111, PMC4_15, 1, 0),
	/* SI_WDQ_ECC_ERRORS */
	EV(0xaf, 0x0333, PMC4_15, 2, 0),
	/* L2D_INSERT_MISSES */
	EV(0xb0, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L2D_INSERT_HITS */
	EV(0xb1, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR),
	/* ER_MEM_READ_OUT_HI */
	EV(0xb4, 0x0001, PMC4_9, 2, 0),
	/* ER_MEM_READ_OUT_LO */
	EV(0xb5, 0x0001, PMC4_9, 7, 0),
	/* ER_SNOOPQ_REQ_HI */
	EV(0xb6, 0x0001, PMC4_9, 2, 0),
	/* ER_SNOOPQ_REQ_LO */
	EV(0xb7, 0x0001, PMC4_9, 7, 0),
	/* ER_BRQ_LIVE_REQ_HI */
	EV(0xb8, 0x0001, PMC4_9, 2, 0),
	/* ER_BRQ_LIVE_REQ_LO */
	EV(0xb9, 0x0001, PMC4_9, 7, 0),
	/* ER_BRQ_REQ_INSERTED */
	EV(0xba, 0x0001, PMC4_9, 1, 0),
	/* ER_BKSNP_ME_ACCEPTED */
	EV(0xbb, 0x0001, PMC4_9, 2, 0),
	/* L2D_OZQ_FULL_THIS; libpfm4 has ER_REJECT_ALL_L1_REQ under this number, too */
	EV_SET(0xbc, 0x0001, PMC4_9, 1, 0, IA64_L2, 10),
	/* ER_REJECT_ALL_L1D_REQ */
	EV(0xbd, 0x0001, PMC4_9, 1, 0),
	/* ER_REJECT_ALL_L1I_REQ */
	EV(0xbe, 0x0001, PMC4_9, 1, 0),
	/* L1DTLB_TRANSFER */
	EV_SET(0xc0, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* L2DTLB_MISSES */
	EV_SET(0xc1, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* L1D_READS_SET0 */
	EV_SET(0xc2, 0x0001, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* DATA_REFERENCES_SET0 */
	EV_SET(0xc3, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* L1D_READS_SET1 */
	EV_SET(0xc4, 0x0001, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 2),
	/* DATA_REFERENCES_SET1 */
	EV_SET(0xc5, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 2),
	/* DATA_DEBUG_REGISTER_MATCHES */
	EV(0xc6, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1D_READ_MISSES */
	EV_SET(0xc7, 0x0003, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 2),
	/* DATA_EAR_EVENTS */
	EV(0xc8, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* DTLB_INSERTS_HPW */
	EV(0xc9, 0x0001, PMC4_15, 4, 0),
	/* BE_L1D_FPU_BUBBLE */
	EV_SET(0xca, 0xffbf, PMC4_15, 1, 0, IA64_L1D, 4),
	/* L2D_MISSES */
	EV(0xcb, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* LOADS_RETIRED */
	EV_SET(0xcd, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 6),
	/* MISALIGNED_LOADS_RETIRED */
	EV_SET(0xce, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 6),
	/* UC_LOADS_RETIRED */
	EV_SET(0xcf, 0x0001, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 6),
	/* UC_STORES_RETIRED */
	EV_SET(0xd0, 0x0001, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 8),
	/* STORES_RETIRED */
	EV_SET(0xd1, 0x0001, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 8),
	/* MISALIGNED_STORES_RETIRED */
	EV_SET(0xd2, 0x0001, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 8),
	/* LOADS_RETIRED_INTG */
	EV_SET(0xd8, 0x0001, PMC4_15, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 12),
	/* SPEC_LOADS_NATTED */
	EV(0xd9, 0x003f, PMC4_15, 2, IA64_IAR | IA64_DAR),
	/* L3_INSERTS */
	EV(0xda, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR | IA64_MESI),
	/* L3_REFERENCES */
	EV(0xdb, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_MISSES */
	EV(0xdc, 0x0001, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_READS */
	EV(0xdd, 0xeeee, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR | IA64_MESI),
	/* L3_WRITES */
	EV(0xde, 0xeee0, PMC4_15, 1, IA64_IAR | IA64_OPM | IA64_DAR | IA64_MESI),
	/* L3_LINES_REPLACED */
	EV(0xdf, 0x0001, PMC4_15, 1, IA64_MESI),
	/* L2D_OZQ_CANCELS0 */
	EV_SET(0xe0, 0xffff, PMC4_9, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 0, .alone = OZQ_CANCELS),
	/* L2D_OZQ_CANCELS1 */
	EV_SET(0xe2, 0x000f, PMC4_9, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 0, .alone = OZQ_CANCELS),
	/* L2D_BYPASS */
	EV_SET(0xe4, 0x0007, PMC4_9, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 2),
	/* L2D_OZQ_RELEASE */
	EV_SET(0xe5, 0x0001, PMC4_9, 1, 0, IA64_L2, 2),
	/* L2D_REFERENCES */
	EV_SET(0xe6, 0x000e, PMC4_9, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 4),
	/* L2D_L3ACCESS_CANCEL */
	EV_SET(0xe8, 0x00ff, PMC4_9, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 6),
	/* L2D_OZDB_FULL_THIS */
	EV_SET(0xe9, 0x0001, PMC4_9, 1, 0, IA64_L2, 6),
	/* L2D_FORCE_RECIRC */
	EV_SET(0xea, 0xfff3, PMC4_9, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 8),
	/* L2D_ISSUED_RECIRC_OZQ_ACC */
	EV_SET(0xeb, 0x0001, PMC4_9, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 8),
	/* L2D_BAD_LINES_SELECTED_ANY */
	EV_SET(0xec, 0x0001, PMC4_9, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 10),
	/* L2D_STORE_HIT_SHARED_ANY */
	EV_SET(0xed, 0x0001, PMC4_9, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 10),
	/* L2D_OZQ_ACQUIRE */
	EV_SET(0xef, 0x0001, PMC4_9, 1, 0, IA64_L2, 12),
	/* L2D_OPS_ISSUED */
	EV(0xf0, 0x003f, PMC4_15, 4, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L2D_FILLB_FULL_THIS */
	EV_SET(0xf1, 0x0001, PMC4_9, 1, 0, IA64_L2, 14),
	/* L2D_FILL_MESI_STATE */
	EV_SET(0xf2, 0x001f, PMC4_9, 1, 0, IA64_L2, 0),
	/* L2D_VICTIMB_FULL_THIS */
	EV_SET(0xf3, 0x0001, PMC4_9, 1, 0, IA64_L2, 0),
	EV_END
};

/*
 * What is recorded: layouts from libpfm4's pfmlib_ia64_priv (pmc37_mont_cache_reg and the like), what levels
 * mean from pfmon (detailed_montecito), unit masks from libpfm4's events DATA_EAR_* and L1I_EAR_*: as Itanium 2's, in
 * other registers. PMD39 has four bits more of each entry, of the first eight in its even nibbles, of the others in its
 * odd ones.
 */
static const u8 montecito_alat[] = { 0 };

static const struct ia64_ear montecito_ears[IA64_EARS] = {
	[IA64_IEAR] = {
		.code = 0x43, .pmc = 37, .pm = 4, .umask = 5,
		.address = 34, .line = 5, .latency = 35, .cycles = { 0, 12 }, .wrapped = 12,
		.status = 34, .valid = { 0, 2 }, .source = 34, .level = { 0, 2 }, .tlb = ia64_tlb_sources,
		.mode = {
			[IA64_EAR_CACHE] = EAR_MODE(BIT(13), ia64_itanium2_fetches),
			[IA64_EAR_TLB] = EAR_MODE(0, ia64_itanium2_fetch_levels),
		},
	},
	[IA64_DEAR] = {
		.code = 0xc8, .data = true, .bars_trace = true, .pmc = 40, .pm = 6, .umask = 16,
		.address = 32, .latency = 33, .cycles = { 0, 13 }, .wrapped = 13,
		.where = 36, .vouched = 3, .second = 2, .slot = { 0, 2 },
		.status = 33, .valid = { 14, 2 }, .source = 33, .level = { 14, 2 }, .tlb = ia64_tlb_sources,
		.mode = {
			[IA64_EAR_CACHE] = EAR_MODE(0, ia64_itanium2_latencies),
			[IA64_EAR_TLB] = EAR_MODE(BIT(7), ia64_itanium2_levels),
			[IA64_EAR_ALAT] = EAR_MODE(BIT(8), montecito_alat),
		},
	},
};

static const u8 montecito_more_at[] = { 0, 8, 16, 24, 32, 40, 48, 56, 4, 12, 20, 28, 36, 44, 52, 60 };

static const struct ia64_trace montecito_trace = {
	.pmc = 39, .kinds = 14, .first = 48, .nr = 16, .index = 38, .next = { 0, 4 }, .full = 5,
	.more = 39, .more_at = montecito_more_at, .ip_pmc = 42,
};

/*
 * Address ranges: as Itanium 2's (itanium2.c). Beside prefetches, ISB_BUNPAIRS_IN, L1I_FETCH_RAB_HIT, L1I_FETCH_ISB_HIT
 * and L1I_FILLS look at the first pair or the second, by what they are of (libpfm4: check_prefetch_events).
 */
static const u8 montecito_elsewhere[] = { 0x41, 0x44, 0x45, 0x46, 0x5f, 0x65, 0x66, 0 };

static const struct ia64_ranges montecito_ranges = {
	.fetch = 38, .coarse = BIT(1), .fine = BIT(1) | BIT(7), .is_fine = BIT(13), .page = 16,
	.tags = 41, .tag_fetch = BIT(4), .tag_data = BIT(3),
	.match = 32, .matched = BIT_ULL(57) | BIT_ULL(56),
	.elsewhere = montecito_elsewhere,
};

static const struct pcl_wiring montecito_groups[IA64_GROUPS] = {
	[IA64_L1D] = { .nr = 1, .wire = { { .counters = PMC4_15, .anchor = 5 } } },
	[IA64_L2] = { .nr = 2, .wire = { { .counters = BIT(4) | BIT(5) | BIT(8), .anchor = 4, .governs = true },
					 { .counters = BIT(6) | BIT(7) | BIT(9), .anchor = 6, .governs = true } } },
};

#define MONTECITO(title_)				\
	{						\
		.name = "montecito",			\
		.title = (title_),			\
		.width = 47,				\
		.counters = PMC4_15,			\
		.has = IA64_HAS_MESI,			\
		.matcher = { { 32, true }, { 34, true } }, \
		.second_matcher = BIT(1) | BIT(3),	\
		.regs = montecito_regs,			\
		.ears = montecito_ears,			\
		.trace = &montecito_trace,		\
		.ranges = &montecito_ranges,		\
		.events = montecito_events,		\
		.generic = ia64_itanium2_generic,	\
		.cache = ia64_itanium2_cache,		\
		.groups = montecito_groups,		\
	}

const struct ia64_family ia64_montecito = MONTECITO("Itanium 2 (Montecito)");

/* Its manual (308065, with Montvale's update) changes nothing of the counters as far as is known: unverified. */
const struct ia64_family ia64_montvale = MONTECITO("Itanium 2 (Montvale)");
