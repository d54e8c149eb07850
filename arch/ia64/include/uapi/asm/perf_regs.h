/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Bits of perf_event_attr::sample_regs_user and sample_regs_intr.
 *
 * The registers that every interruption saves, then those that a system call does not: these read 0 in a sample of a
 * task that is in one. Stacked registers (r32 and up) are in memory, at and above bspstore.
 */
#ifndef _UAPI_ASM_IA64_PERF_REGS_H
#define _UAPI_ASM_IA64_PERF_REGS_H

enum perf_event_ia64_regs {
	PERF_REG_IA64_IP,		/* of the bundle, and the slot in bits 1:0 */
	PERF_REG_IA64_UM,		/* the user's part of the PSR */
	PERF_REG_IA64_IFS,
	PERF_REG_IA64_PR,
	PERF_REG_IA64_B0,
	PERF_REG_IA64_B6,
	PERF_REG_IA64_B7,
	PERF_REG_IA64_CSD,
	PERF_REG_IA64_SSD,
	PERF_REG_IA64_UNAT,
	PERF_REG_IA64_PFS,
	PERF_REG_IA64_RSC,
	PERF_REG_IA64_RNAT,
	PERF_REG_IA64_BSPSTORE,
	PERF_REG_IA64_FPSR,
	PERF_REG_IA64_R1,
	PERF_REG_IA64_R8,
	PERF_REG_IA64_R9,
	PERF_REG_IA64_R10,
	PERF_REG_IA64_R11,
	PERF_REG_IA64_R12,
	PERF_REG_IA64_R13,
	PERF_REG_IA64_R15,
	/* not saved by a system call */
	PERF_REG_IA64_CCV,
	PERF_REG_IA64_R2,
	PERF_REG_IA64_R3,
	PERF_REG_IA64_R14,
	PERF_REG_IA64_R16,
	PERF_REG_IA64_R17,
	PERF_REG_IA64_R18,
	PERF_REG_IA64_R19,
	PERF_REG_IA64_R20,
	PERF_REG_IA64_R21,
	PERF_REG_IA64_R22,
	PERF_REG_IA64_R23,
	PERF_REG_IA64_R24,
	PERF_REG_IA64_R25,
	PERF_REG_IA64_R26,
	PERF_REG_IA64_R27,
	PERF_REG_IA64_R28,
	PERF_REG_IA64_R29,
	PERF_REG_IA64_R30,
	PERF_REG_IA64_R31,
	PERF_REG_IA64_MAX
};

#endif
