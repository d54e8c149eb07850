// SPDX-License-Identifier: GPL-2.0
/*
 * Itanium 2: McKinley and Madison.
 *
 * "Intel Itanium 2 Processor Reference Manual for Software Development and Optimization" (251110), chapters 10
 * (Performance Monitoring) and 11 (Performance Monitor Events). Four counters of 47 bits. Bit 23 of PMC4 turns all of
 * them on. Events of the level 1 data cache, and those of level 2, come in sets, of which one can be counted at a
 * time: an event of it must be on PMC5, or PMC4. That on PMC4 gives its unit mask to all of the set that have one,
 * but in sets 1 and 2. No manual was at hand. The events, with their counters, increments and what can restrict them,
 * are those that libpfm4 4.13 has, and tools/testing/pcl/user/tables/ia64 holds them against it. Where the table
 * departs from it, that is said there. All of it is unverified until somebody looks it up.
 */
#include <linux/kernel.h>

#include "family.h"

#define PMC4	0x0010
#define PMC4_7	0x00f0

/* L2_OZQ_CANCELS0, 1 and 2 cannot be counted together. */
#define OZQ_CANCELS	BIT(0)

/* Power-up values, and what may be written: the tables of perfmon in Linux 5.9. */
static const struct ia64_reg itanium2_regs[] = {
	REG(4, 0x800000, 0xfffff7f), REG(5, 0, 0xfffff7f), REG(6, 0, 0xfffff7f), REG(7, 0, 0xfffff7f),
	REG(8, 0xffffffff3fffffffULL, 0xffffffff3ffffffbULL),	/* opcode matchers */
	REG(9, 0xffffffff3ffffffcULL, 0xffffffff3ffffffbULL),
	REG(10, 0, 0xffff),					/* instruction event addresses */
	REG(11, 0, 0x30f01cf),					/* data event addresses */
	REG(12, 0, 0xffff),					/* branch trace buffer */
	REG(13, 0x2078fefefefeULL, 0x1e00018181818ULL),		/* what restricts data accesses: nothing */
	REG(14, 0x0db60db60db60db6ULL, 0x2492),			/* instruction address ranges: none */
	REG(15, 0xfffffff0, 0xf),				/* which opcode matcher goes with which range */
	REG_END
};

static const struct ia64_event itanium2_events[] = {
	/* BACK_END_BUBBLE */
	EV(0x00, 0x0007, PMC4_7, 1, 0),
	/* BE_RSE_BUBBLE */
	EV(0x01, 0x003f, PMC4_7, 1, 0),
	/* BE_EXE_BUBBLE */
	EV(0x02, 0x01ff, PMC4_7, 1, 0),
	/* FP_TRUE_SIRSTALL */
	EV(0x03, 0x0001, PMC4_7, 1, IA64_IAR),
	/* BE_FLUSH_BUBBLE */
	EV(0x04, 0x0007, PMC4_7, 1, 0),
	/* FP_FALSE_SIRSTALL */
	EV(0x05, 0x0001, PMC4_7, 1, IA64_IAR),
	/* FP_FAILED_FCHKF */
	EV(0x06, 0x0001, PMC4_7, 1, IA64_IAR),
	/* IA32_ISA_TRANSITIONS */
	EV(0x07, 0x0001, PMC4_7, 1, 0),
	/* IA64_INST_RETIRED */
	EV(0x08, 0x000f, PMC4_7, 6, IA64_IAR | IA64_OPM),
	/* FP_OPS_RETIRED */
	EV(0x09, 0x0001, PMC4_7, 4, IA64_IAR),
	/* FP_FLUSH_TO_ZERO */
	EV(0x0b, 0x0001, PMC4_7, 2, IA64_IAR),
	/* BRANCH_EVENT */
	EV(0x11, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* CPU_CYCLES */
	EV(0x12, 0x0001, PMC4_7, 1, 0),
	/* CPU_CPL_CHANGES */
	EV(0x13, 0x0001, PMC4_7, 1, 0),
	/* RSE_REFERENCES_RETIRED */
	EV(0x20, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* RSE_DIRTY_REGS_6 */
	EV(0x24, 0x0001, PMC4_7, 1, 0),
	/* RSE_CURRENT_REGS_6 */
	EV(0x26, 0x0001, PMC4_7, 1, 0),
	/* RSE_DIRTY_REGS_5_TO_3 */
	EV(0x28, 0x0001, PMC4_7, 7, 0),
	/* RSE_DIRTY_REGS_2_TO_0 */
	EV(0x29, 0x0001, PMC4_7, 7, 0),
	/* RSE_CURRENT_REGS_5_TO_3 */
	EV(0x2a, 0x0001, PMC4_7, 7, 0),
	/* RSE_CURRENT_REGS_2_TO_0 */
	EV(0x2b, 0x0001, PMC4_7, 7, 0),
	/* DTLB_INSERTS_HPW_RETIRED */
	EV(0x2c, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR),
	/* HPW_DATA_REFERENCES */
	EV(0x2d, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR),
	/* RSE_EVENT_RETIRED */
	EV(0x32, 0x0001, PMC4_7, 1, 0),
	/* L1I_READS */
	EV(0x40, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_FILLS */
	EV(0x41, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L2_INST_DEMAND_READS */
	EV(0x42, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_EAR_EVENTS */
	EV(0x43, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_PREFETCHES */
	EV(0x44, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L2_INST_PREFETCHES */
	EV(0x45, 0x0001, PMC4_7, 1, IA64_IAR),
	/* ISB_BUNPAIRS_IN */
	EV(0x46, 0x0001, PMC4_7, 1, IA64_IAR),
	/* ITLB_MISSES_FETCH */
	EV(0x47, 0x000e, PMC4_7, 1, IA64_IAR),
	/* L1ITLB_INSERTS_HPW */
	EV(0x48, 0x0001, PMC4_7, 1, IA64_IAR),
	/* DISP_STALLED */
	EV(0x49, 0x0001, PMC4_7, 1, 0),
	/* L1I_SNOOP */
	EV(0x4a, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1I_PURGE */
	EV(0x4b, 0x0001, PMC4_7, 1, IA64_IAR),
	/* INST_DISPERSED */
	EV(0x4d, 0x0001, PMC4_7, 6, IA64_IAR),
	/* SYLL_NOT_DISPERSED */
	EV(0x4e, 0xfffe, PMC4_7, 5, IA64_IAR),
	/* SYLL_OVERCOUNT */
	EV(0x4f, 0x000e, PMC4_7, 2, IA64_IAR),
	/* NOPS_RETIRED */
	EV(0x50, 0x0001, PMC4_7, 6, IA64_IAR | IA64_OPM),
	/* PREDICATE_SQUASHED_RETIRED */
	EV(0x51, 0x0001, PMC4_7, 6, IA64_IAR | IA64_OPM),
	/* DATA_DEBUG_REGISTER_FAULT */
	EV(0x52, 0x0001, PMC4_7, 1, 0),
	/* SERIALIZATION_EVENTS */
	EV(0x53, 0x0001, PMC4_7, 1, 0),
	/* BR_PATH_PRED */
	EV(0x54, 0xffff, PMC4_7, 3, IA64_IAR | IA64_OPM),
	/* INST_FAILED_CHKS_RETIRED */
	EV(0x55, 0x000e, PMC4_7, 1, 0),
	/* INST_CHKA_LDC_ALAT */
	EV(0x56, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* INST_FAILED_CHKA_LDC_ALAT */
	EV(0x57, 0x000e, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* ALAT_CAPACITY_MISS */
	EV(0x58, 0x000e, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR),
	/* IA32_INST_RETIRED */
	EV(0x59, 0x0001, PMC4_7, 2, 0),
	/* BR_MISPRED_DETAIL */
	EV(0x5b, 0xffff, PMC4_7, 3, IA64_IAR | IA64_OPM),
	/* L1I_STRM_PREFETCHES */
	EV(0x5f, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_RAB_FULL */
	EV(0x60, 0x0001, PMC4_7, 1, 0),
	/* BE_BR_MISPRED_DETAIL */
	EV(0x61, 0x000f, PMC4_7, 1, IA64_IAR | IA64_OPM),
	/* ENCBR_MISPRED_DETAIL */
	EV(0x63, 0xff0f, PMC4_7, 3, IA64_IAR | IA64_OPM),
	/* L1I_RAB_ALMOST_FULL */
	EV(0x64, 0x0001, PMC4_7, 1, 0),
	/* L1I_FETCH_RAB_HIT */
	EV(0x65, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_FETCH_ISB_HIT */
	EV(0x66, 0x0001, PMC4_7, 1, IA64_IAR),
	/* L1I_PREFETCH_STALL */
	EV(0x67, 0x000c, PMC4_7, 1, 0),
	/* BR_MISPRED_DETAIL2 */
	EV(0x68, 0x7777, PMC4_7, 2, IA64_IAR | IA64_OPM),
	/* L1I_PVAB_OVERFLOW */
	EV(0x69, 0x0001, PMC4_7, 1, 0),
	/* BR_PATH_PRED2 */
	EV(0x6a, 0x3333, PMC4_7, 2, IA64_IAR | IA64_OPM),
	/* FE_LOST_BW */
	EV(0x70, 0x3ff3, PMC4_7, 2, 0),
	/* FE_BUBBLE */
	EV(0x71, 0x3ffb, PMC4_7, 1, 0),
	/* BE_LOST_BW_DUE_TO_FE */
	EV(0x72, 0x3ff3, PMC4_7, 2, 0),
	/* IDEAL_BE_LOST_BW_DUE_TO_FE */
	EV(0x73, 0x3ff3, PMC4_7, 2, 0),
	/* BUS_RD_HIT */
	EV(0x80, 0x0001, PMC4_7, 1, 0),
	/* BUS_RD_HITM */
	EV(0x81, 0x0001, PMC4_7, 1, 0),
	/* BUS_RD_INVAL_HITM */
	EV(0x82, 0x0001, PMC4_7, 1, 0),
	/* BUS_RD_INVAL_ALL_HITM */
	EV(0x83, 0x0001, PMC4_7, 1, 0),
	/* BUS_HITM */
	EV(0x84, 0x0001, PMC4_7, 1, 0),
	/* BUS_SNOOPS_HITM */
	EV(0x85, 0x000c, PMC4_7, 1, 0),
	/* BUS_SNOOPS */
	EV(0x86, 0x000e, PMC4_7, 1, 0),
	/* BUS_ALL */
	EV(0x87, 0x000e, PMC4_7, 1, 0),
	/* BUS_DATA_CYCLE */
	EV(0x88, 0x0001, PMC4_7, 1, 0),
	/* MEM_READ_CURRENT */
	EV(0x89, 0x000a, PMC4_7, 1, 0),
	/* BUS_MEMORY */
	EV(0x8a, 0xeee0, PMC4_7, 1, 0),
	/* BUS_MEM_READ */
	EV(0x8b, 0xeeee, PMC4_7, 1, 0),
	/* BUS_RD_DATA */
	EV(0x8c, 0x000e, PMC4_7, 1, 0),
	/* BUS_RD_PRTL */
	EV(0x8d, 0x000e, PMC4_7, 1, 0),
	/* BUS_BACKSNP_REQ_THIS */
	EV(0x8e, 0x0002, PMC4_7, 1, 0),
	/* BUS_SNOOP_STALL_CYCLES */
	EV(0x8f, 0x000c, PMC4_7, 1, 0),
	/* BUS_IO */
	EV(0x90, 0x000e, PMC4_7, 1, 0),
	/* BUS_RD_IO */
	EV(0x91, 0x000e, PMC4_7, 1, 0),
	/* BUS_WR_WB */
	EV(0x92, 0xece0, PMC4_7, 1, 0),
	/* BUS_LOCK */
	EV(0x93, 0x000c, PMC4_7, 1, 0),
	/* BUS_MEM_READ_OUT_HI */
	EV(0x94, 0x0001, PMC4_7, 2, 0),
	/* BUS_MEM_READ_OUT_LO */
	EV(0x95, 0x0001, PMC4_7, 7, 0),
	/* BUS_SNOOPQ_REQ */
	EV(0x96, 0x0001, PMC4_7, 7, 0),
	/* BUS_IOQ_LIVE_REQ_LO */
	EV(0x97, 0x0001, PMC4_7, 3, 0),
	/* BUS_IOQ_LIVE_REQ_HI */
	EV(0x98, 0x0001, PMC4_7, 2, 0),
	/* BUS_OOQ_LIVE_REQ_LO */
	EV(0x99, 0x0001, PMC4_7, 7, 0),
	/* BUS_OOQ_LIVE_REQ_HI */
	EV(0x9a, 0x0001, PMC4_7, 2, 0),
	/* BUS_BRQ_LIVE_REQ_LO */
	EV(0x9b, 0x0001, PMC4_7, 7, 0),
	/* BUS_BRQ_LIVE_REQ_HI */
	EV(0x9c, 0x0001, PMC4_7, 2, 0),
	/* BUS_BRQ_REQ_INSERTED */
	EV(0x9d, 0x0001, PMC4_7, 1, 0),
	/* EXTERN_DP_PINS_0_TO_3 */
	EV(0x9e, 0xfffe, PMC4_7, 1, 0),
	/* EXTERN_DP_PINS_4_TO_5 */
	EV(0x9f, 0x000e, PMC4_7, 1, 0),
	/* L2_OZQ_CANCELS0 */
	EV_SET(0xa0, 0x001f, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 0, .alone = OZQ_CANCELS),
	/* L2_IFET_CANCELS */
	EV_SET(0xa1, 0x31f5, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 0),
	/* L2_OZQ_ACQUIRE */
	EV_SET(0xa2, 0x0001, PMC4_7, 1, 0, IA64_L2, 0),
	/* L2_OZQ_RELEASE */
	EV_SET(0xa3, 0x0001, PMC4_7, 1, 0, IA64_L2, 0),
	/* L2_OZQ_CANCELS2 */
	EV_SET(0xa8, 0xb77f, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 0, .alone = OZQ_CANCELS),
	/* L2_OZQ_CANCELS1 */
	EV_SET(0xac, 0xfff7, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 0, .alone = OZQ_CANCELS),
	/* L2_L3ACCESS_CANCEL */
	EV_SET(0xb0, 0x0f66, PMC4, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 1, .any_umask = true),
	/* L2_REFERENCES */
	EV_SET(0xb1, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 1, .any_umask = true),
	/* L2_DATA_REFERENCES_L2 */
	EV_SET(0xb2, 0x000e, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 1, .any_umask = true),
	/* L2_FORCE_RECIRC */
	EV_SET(0xb4, 0x7f77, PMC4, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 2, .any_umask = true),
	/* L2_ISSUED_RECIRC_OZQ_ACC */
	EV_SET(0xb5, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 2, .any_umask = true),
	/* L2_GOT_RECIRC_OZQ_ACC */
	EV_SET(0xb6, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 2, .any_umask = true),
	/* L2_SYNTH_PROBE */
	EV_SET(0xb7, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 2, .any_umask = true),
	/* L2_BYPASS */
	EV_SET(0xb8, 0x0077, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 3),
	/* L2_OPS_ISSUED */
	EV_SET(0xb8, 0x1f00, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 4),
	/* L2_BAD_LINES_SELECTED_ANY */
	EV_SET(0xb9, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 3),
	/* L2_ISSUED_RECIRC_IFETCH_ANY */
	EV_SET(0xb9, 0x0100, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 4),
	/* L2_STORE_HIT_SHARED_ANY */
	EV_SET(0xba, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 3),
	/* L2_GOT_RECIRC_IFETCH_ANY */
	EV_SET(0xba, 0x0100, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L2, 4),
	/* L2_OZQ_FULL_THIS */
	EV_SET(0xbc, 0x0001, PMC4_7, 1, 0, IA64_L2, 5),
	/* L2_OZDB_FULL_THIS */
	EV_SET(0xbd, 0x0001, PMC4_7, 1, 0, IA64_L2, 5),
	/* L2_VICTIMB_FULL_THIS */
	EV_SET(0xbe, 0x0001, PMC4_7, 1, 0, IA64_L2, 5),
	/* L2_FILLB_FULL_THIS */
	EV_SET(0xbf, 0x0001, PMC4_7, 1, 0, IA64_L2, 5),
	/* L1DTLB_TRANSFER */
	EV_SET(0xc0, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* L2DTLB_MISSES */
	EV_SET(0xc1, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* L1D_READS_SET0 */
	EV_SET(0xc2, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* DATA_REFERENCES_SET0 */
	EV_SET(0xc3, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 0),
	/* L1D_READS_SET1 */
	EV_SET(0xc4, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 1),
	/* DATA_REFERENCES_SET1 */
	EV_SET(0xc5, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 1),
	/* DATA_DEBUG_REGISTER_MATCHES */
	EV(0xc6, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L1D_READ_MISSES */
	EV_SET(0xc7, 0x0003, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 1),
	/* DATA_EAR_EVENTS */
	EV(0xc8, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* DTLB_INSERTS_HPW */
	EV(0xc9, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR),
	/* BE_L1D_FPU_BUBBLE */
	EV_SET(0xca, 0xffbf, PMC4_7, 1, 0, IA64_L1D, 2),
	/* L2_MISSES */
	EV(0xcb, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* LOADS_RETIRED */
	EV_SET(0xcd, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 3),
	/* MISALIGNED_LOADS_RETIRED */
	EV_SET(0xce, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 3),
	/* UC_LOADS_RETIRED */
	EV_SET(0xcf, 0x0001, PMC4_7, 4, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 3),
	/* UC_STORES_RETIRED */
	EV_SET(0xd0, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 4),
	/* STORES_RETIRED */
	EV_SET(0xd1, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 4),
	/* MISALIGNED_STORES_RETIRED */
	EV_SET(0xd2, 0x0001, PMC4_7, 2, IA64_IAR | IA64_OPM | IA64_DAR, IA64_L1D, 4),
	/* L3_REFERENCES */
	EV(0xdb, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_MISSES */
	EV(0xdc, 0x0001, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_READS */
	EV(0xdd, 0xeeee, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_WRITES */
	EV(0xde, 0xeee0, PMC4_7, 1, IA64_IAR | IA64_OPM | IA64_DAR),
	/* L3_LINES_REPLACED */
	EV(0xdf, 0x0001, PMC4_7, 1, 0),
	EV_END
};

/*
 * What is recorded: layouts from libpfm4's pfmlib_ia64_priv (pmc10_ita2_cache_reg and the like), what levels
 * mean from pfmon (detailed_itanium2), unit masks from libpfm4's events DATA_EAR_* and L1I_EAR_*. That TLB and ALAT
 * bar the branch trace buffer libpfm4 has from the manual (pfm_dispatch_btb).
 */
const u8 ia64_itanium2_latencies[IA64_EAR_LATENCIES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xa };
const u8 ia64_itanium2_levels[IA64_EAR_LEVELS] = { 2, 4, 6, 8, 0xa, 0xc, 0xe };
const u8 ia64_itanium2_fetches[IA64_EAR_FETCHES] = { 0, 0x40, 0x80, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc, 0xfe, 0xff };
const u8 ia64_itanium2_fetch_levels[IA64_EAR_FETCH_LEVELS] = { 1, 2, 3, 4, 5, 6, 7 };
static const u8 itanium2_alat[] = { 0 };

/* By the number that status registers have: nothing, the second level, the walker, neither */
const u8 ia64_tlb_sources[4] = {
	PERF_MEM_TLB_NA, PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT, PERF_MEM_TLB_WK | PERF_MEM_TLB_HIT,
	PERF_MEM_TLB_OS | PERF_MEM_TLB_MISS,
};

static const struct ia64_ear itanium2_ears[IA64_EARS] = {
	[IA64_IEAR] = {
		.code = 0x43, .pmc = 10, .pm = 4, .umask = 5, .ism = 14,
		.address = 0, .line = 5, .latency = 1, .cycles = { 0, 12 }, .wrapped = 12,
		.status = 0, .valid = { 0, 2 }, .source = 0, .level = { 0, 2 }, .tlb = ia64_tlb_sources,
		.mode = {
			[IA64_EAR_CACHE] = EAR_MODE(BIT(13), ia64_itanium2_fetches),
			[IA64_EAR_TLB] = EAR_MODE(0, ia64_itanium2_fetch_levels),
		},
	},
	[IA64_DEAR] = {
		.code = 0xc8, .data = true, .bars_trace = true, .pmc = 11, .pm = 6, .umask = 16, .ism = 24,
		.address = 2, .latency = 3, .cycles = { 0, 13 }, .wrapped = 13,
		.where = 17, .vouched = 3, .second = 2, .slot = { 0, 2 },
		.status = 3, .valid = { 14, 2 }, .source = 3, .level = { 14, 2 }, .tlb = ia64_tlb_sources,
		.mode = {
			[IA64_EAR_CACHE] = EAR_MODE(0, ia64_itanium2_latencies),
			[IA64_EAR_TLB] = EAR_MODE(BIT(7), ia64_itanium2_levels),
			[IA64_EAR_ALAT] = EAR_MODE(BIT(8), itanium2_alat),
		},
	},
};

static const u8 itanium2_more_at[] = { 4, 8, 12, 16, 20, 24, 28, 32 };

static const struct ia64_trace itanium2_trace = {
	.pmc = 12, .kinds = 14, .first = 8, .nr = 8, .index = 16, .next = { 0, 3 }, .full = 3,
	.more = 16, .more_at = itanium2_more_at,
};

/*
 * Address ranges: libpfm4's pfm_dispatch_irange, pfm_dispatch_drange and compute_fine_rr. The mask of a fine range has
 * 32 bits there; here it has all, since the range is within its page. L1I_PREFETCHES, L2_INST_PREFETCHES and
 * L1I_STRM_PREFETCHES look at the second pair.
 */
static const u8 itanium2_elsewhere[] = { 0x44, 0x45, 0x5f, 0 };

static const struct ia64_ranges itanium2_ranges = {
	.fetch = 14, .coarse = BIT(1), .fine = BIT(1) | BIT(7), .is_fine = BIT(13), .page = 12,
	.tags = 13, .tag_fetch = BIT(4), .tag_data = BIT(3),		/* cfg_dbrp0: 1, 2; it is 3, for none */
	.match = 8, .matched = BIT(0) | BIT(1),				/* ig_ad, inv */
	.elsewhere = itanium2_elsewhere,
};

static const struct pcl_wiring itanium2_groups[IA64_GROUPS] = {
	[IA64_L1D] = { .nr = 1, .wire = { { .counters = PMC4_7, .anchor = 5 } } },
	[IA64_L2] = { .nr = 1, .wire = { { .counters = PMC4_7, .anchor = 4, .governs = true } } },
};

/* Montecito has the same under the same codes, and these names but CPU_OP_CYCLES_ALL for the first. */
const struct ia64_generic ia64_itanium2_generic[] = {
	GENERIC(CPU_CYCLES, 0x12, 0),
	GENERIC(INSTRUCTIONS, 0x08, 0),		/* IA64_INST_RETIRED_THIS */
	GENERIC(CACHE_REFERENCES, 0xdb, 0),	/* L3_REFERENCES */
	GENERIC(CACHE_MISSES, 0xdc, 0),		/* L3_MISSES */
	GENERIC(BRANCH_INSTRUCTIONS, 0x5b, 0),	/* BR_MISPRED_DETAIL_ALL_ALL_PRED */
	GENERIC(STALLED_CYCLES_BACKEND, 0x00, 0), /* BACK_END_BUBBLE_ALL */
	GENERIC_END
};

const struct ia64_cache ia64_itanium2_cache[] = {
	CACHE(L1D, READ, CODE(0xc4, 0), CODE(0xc7, 0)),	/* L1D_READS_SET1, L1D_READ_MISSES_ALL */
	CACHE(L1I, READ, CODE(0x40, 0), IA64_ABSENT),	/* L1I_READS */
	CACHE(LL, READ, CODE(0xdd, 0xb), CODE(0xdd, 0xa)),	/* L3_READS_DATA_READ_ALL, ..._MISS */
	CACHE(LL, WRITE, CODE(0xde, 0x7), CODE(0xde, 0x6)),	/* L3_WRITES_DATA_WRITE_ALL, ..._MISS */
	CACHE(DTLB, READ, IA64_ABSENT, CODE(0xc1, 0)),	/* L2DTLB_MISSES */
	CACHE(ITLB, READ, IA64_ABSENT, CODE(0x47, 3)),	/* ITLB_MISSES_FETCH_ALL */
	CACHE_END
};

#define ITANIUM2(title_)				\
	{						\
		.name = "itanium2",			\
		.title = (title_),			\
		.width = 47,				\
		.counters = PMC4_7,			\
		.has = IA64_HAS_IA32,			\
		.matcher = { { 8 }, { 9 } },		\
		.second_matcher = BIT(1) | BIT(3),	\
		.regs = itanium2_regs,			\
		.ears = itanium2_ears,			\
		.trace = &itanium2_trace,		\
		.ranges = &itanium2_ranges,		\
		.events = itanium2_events,		\
		.generic = ia64_itanium2_generic,	\
		.cache = ia64_itanium2_cache,		\
		.groups = itanium2_groups,		\
	}

const struct ia64_family ia64_mckinley = ITANIUM2("Itanium 2 (McKinley)");
const struct ia64_family ia64_madison = ITANIUM2("Itanium 2 (Madison)");
