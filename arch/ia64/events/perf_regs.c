// SPDX-License-Identifier: GPL-2.0
/*
 * Registers in samples (PERF_SAMPLE_REGS_USER, PERF_SAMPLE_REGS_INTR).
 *
 * Concepts: a system call saves fewer registers than an interruption; bit 63 of cr_ifs tells the two frames apart.
 *
 * Contexts: any.
 *
 * Locks: none.
 */
#include <linux/perf_event.h>
#include <linux/perf_regs.h>
#include <linux/sched/task_stack.h>

#include <asm/perf_regs.h>
#include <asm/processor.h>

static const unsigned int offsets[PERF_REG_IA64_MAX] = {
	[PERF_REG_IA64_IP] = offsetof(struct pt_regs, cr_iip),
	[PERF_REG_IA64_UM] = offsetof(struct pt_regs, cr_ipsr),
	[PERF_REG_IA64_IFS] = offsetof(struct pt_regs, cr_ifs),
	[PERF_REG_IA64_PR] = offsetof(struct pt_regs, pr),
	[PERF_REG_IA64_B0] = offsetof(struct pt_regs, b0),
	[PERF_REG_IA64_B6] = offsetof(struct pt_regs, b6),
	[PERF_REG_IA64_B7] = offsetof(struct pt_regs, b7),
	[PERF_REG_IA64_CSD] = offsetof(struct pt_regs, ar_csd),
	[PERF_REG_IA64_SSD] = offsetof(struct pt_regs, ar_ssd),
	[PERF_REG_IA64_UNAT] = offsetof(struct pt_regs, ar_unat),
	[PERF_REG_IA64_PFS] = offsetof(struct pt_regs, ar_pfs),
	[PERF_REG_IA64_RSC] = offsetof(struct pt_regs, ar_rsc),
	[PERF_REG_IA64_RNAT] = offsetof(struct pt_regs, ar_rnat),
	[PERF_REG_IA64_BSPSTORE] = offsetof(struct pt_regs, ar_bspstore),
	[PERF_REG_IA64_FPSR] = offsetof(struct pt_regs, ar_fpsr),
	[PERF_REG_IA64_CCV] = offsetof(struct pt_regs, ar_ccv),
	[PERF_REG_IA64_R1] = offsetof(struct pt_regs, r1),
	[PERF_REG_IA64_R2] = offsetof(struct pt_regs, r2),
	[PERF_REG_IA64_R3] = offsetof(struct pt_regs, r3),
	[PERF_REG_IA64_R8] = offsetof(struct pt_regs, r8),
	[PERF_REG_IA64_R9] = offsetof(struct pt_regs, r9),
	[PERF_REG_IA64_R10] = offsetof(struct pt_regs, r10),
	[PERF_REG_IA64_R11] = offsetof(struct pt_regs, r11),
	[PERF_REG_IA64_R12] = offsetof(struct pt_regs, r12),
	[PERF_REG_IA64_R13] = offsetof(struct pt_regs, r13),
	[PERF_REG_IA64_R14] = offsetof(struct pt_regs, r14),
	[PERF_REG_IA64_R15] = offsetof(struct pt_regs, r15),
	[PERF_REG_IA64_R16] = offsetof(struct pt_regs, r16),
	[PERF_REG_IA64_R17] = offsetof(struct pt_regs, r17),
	[PERF_REG_IA64_R18] = offsetof(struct pt_regs, r18),
	[PERF_REG_IA64_R19] = offsetof(struct pt_regs, r19),
	[PERF_REG_IA64_R20] = offsetof(struct pt_regs, r20),
	[PERF_REG_IA64_R21] = offsetof(struct pt_regs, r21),
	[PERF_REG_IA64_R22] = offsetof(struct pt_regs, r22),
	[PERF_REG_IA64_R23] = offsetof(struct pt_regs, r23),
	[PERF_REG_IA64_R24] = offsetof(struct pt_regs, r24),
	[PERF_REG_IA64_R25] = offsetof(struct pt_regs, r25),
	[PERF_REG_IA64_R26] = offsetof(struct pt_regs, r26),
	[PERF_REG_IA64_R27] = offsetof(struct pt_regs, r27),
	[PERF_REG_IA64_R28] = offsetof(struct pt_regs, r28),
	[PERF_REG_IA64_R29] = offsetof(struct pt_regs, r29),
	[PERF_REG_IA64_R30] = offsetof(struct pt_regs, r30),
	[PERF_REG_IA64_R31] = offsetof(struct pt_regs, r31),
};

static bool is_saved(const struct pt_regs *regs, int idx)
{
	return idx < PERF_REG_IA64_CCV || (long)regs->cr_ifs < 0;
}

u64 perf_reg_value(struct pt_regs *regs, int idx)
{
	if (WARN_ON_ONCE((unsigned int)idx >= PERF_REG_IA64_MAX) || !is_saved(regs, idx))
		return 0;
	if (idx == PERF_REG_IA64_IP)
		return instruction_pointer(regs);
	if (idx == PERF_REG_IA64_UM)
		return regs->cr_ipsr & IA64_PSR_UM;
	return *(unsigned long *)((char *)regs + offsets[idx]);
}

int perf_reg_validate(u64 mask)
{
	if (!mask || mask >> PERF_REG_IA64_MAX)
		return -EINVAL;
	return 0;
}

u64 perf_reg_abi(struct task_struct *task)
{
	return PERF_SAMPLE_REGS_ABI_64;
}

void perf_get_regs_user(struct perf_regs *user, struct pt_regs *regs)
{
	user->regs = task_pt_regs(current);
	user->abi = perf_reg_abi(current);
}
