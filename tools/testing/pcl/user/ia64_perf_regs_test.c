// SPDX-License-Identifier: GPL-2.0
/*
 * Registers in samples, on IA-64: perf_regs.c alone, on trap frames whose words all differ.
 */
#include <linux/perf_event.h>
#include <linux/perf_regs.h>

#include <asm/perf_regs.h>

#include "harness.h"

struct task_struct *current;
static unsigned int warned;

bool shim_warn(bool condition)
{
	warned += condition;
	return condition;
}

/* What each interruption saves; and what a system call does not */
#define ROW(name, field)	{ PERF_REG_IA64_##name, offsetof(struct pt_regs, field), true }
#define NOT_BY_CALLS(name, field) { PERF_REG_IA64_##name, offsetof(struct pt_regs, field), false }
static const struct row {
	unsigned int idx;
	size_t offset;
	bool by_calls;
} rows[] = {
	ROW(IP, cr_iip), ROW(UM, cr_ipsr), ROW(IFS, cr_ifs), ROW(PR, pr), ROW(B0, b0), ROW(B6, b6), ROW(B7, b7),
	ROW(CSD, ar_csd), ROW(SSD, ar_ssd), ROW(UNAT, ar_unat), ROW(PFS, ar_pfs), ROW(RSC, ar_rsc), ROW(RNAT, ar_rnat),
	ROW(BSPSTORE, ar_bspstore), ROW(FPSR, ar_fpsr), ROW(R1, r1), ROW(R8, r8), ROW(R9, r9), ROW(R10, r10),
	ROW(R11, r11), ROW(R12, r12), ROW(R13, r13), ROW(R15, r15),
	NOT_BY_CALLS(CCV, ar_ccv), NOT_BY_CALLS(R2, r2), NOT_BY_CALLS(R3, r3), NOT_BY_CALLS(R14, r14),
	NOT_BY_CALLS(R16, r16), NOT_BY_CALLS(R17, r17), NOT_BY_CALLS(R18, r18), NOT_BY_CALLS(R19, r19),
	NOT_BY_CALLS(R20, r20), NOT_BY_CALLS(R21, r21), NOT_BY_CALLS(R22, r22), NOT_BY_CALLS(R23, r23),
	NOT_BY_CALLS(R24, r24), NOT_BY_CALLS(R25, r25), NOT_BY_CALLS(R26, r26), NOT_BY_CALLS(R27, r27),
	NOT_BY_CALLS(R28, r28), NOT_BY_CALLS(R29, r29), NOT_BY_CALLS(R30, r30), NOT_BY_CALLS(R31, r31),
};

static struct pt_regs random_regs(bool of_call)
{
	struct pt_regs regs;
	u64 word;
	size_t i;

	for (i = 0; i < sizeof(regs); i += sizeof(word)) {
		word = random_u64();
		memcpy((char *)&regs + i, &word, sizeof(word));
	}
	regs.cr_iip &= ~0xfULL;
	ia64_psr(&regs)->ri = 2;
	regs.cr_ifs = of_call ? regs.cr_ifs & ~(1ULL << 63) : regs.cr_ifs | 1ULL << 63;
	return regs;
}

static u64 expected(const struct pt_regs *regs, const struct row *row, bool of_call)
{
	u64 word;

	memcpy(&word, (const char *)regs + row->offset, sizeof(word));
	if (row->idx == PERF_REG_IA64_IP)
		return word + 2;		/* the slot */
	if (row->idx == PERF_REG_IA64_UM)
		return word & 0x3e;		/* SDM volume 2, 3.3.2: be, up, ac, mfl, mfh */
	return of_call && !row->by_calls ? 0 : word;
}

static void check_frames(bool of_call)
{
	struct pt_regs regs = random_regs(of_call);
	u64 seen = 0;
	unsigned int i;

	warned = 0;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		CHECK_EQ(perf_reg_value(&regs, rows[i].idx), expected(&regs, &rows[i], of_call));
		seen |= BIT_ULL(rows[i].idx);
	}
	CHECK_EQ(seen, BIT_ULL(PERF_REG_IA64_MAX) - 1);
	CHECK(!warned);
}

static void an_interruption_saves_all(void)
{
	check_frames(false);
}

static void a_system_call_saves_some(void)
{
	check_frames(true);
}

static void what_is_no_register_reads_0(void)
{
	struct pt_regs regs = random_regs(false);

	warned = 0;
	CHECK_EQ(perf_reg_value(&regs, PERF_REG_IA64_MAX), 0);
	CHECK_EQ(perf_reg_value(&regs, -1), 0);
	CHECK_EQ(warned, 2);
}

static void a_mask_has_registers_alone(void)
{
	unsigned int bit;

	CHECK_EQ(perf_reg_validate(0), -EINVAL);
	for (bit = 0; bit < 64; bit++) {
		CHECK_EQ(perf_reg_validate(BIT_ULL(bit)), bit < PERF_REG_IA64_MAX ? 0 : -EINVAL);
		CHECK_EQ(perf_reg_validate(BIT_ULL(bit) | 1), bit < PERF_REG_IA64_MAX ? 0 : -EINVAL);
	}
	CHECK_EQ(perf_reg_validate(BIT_ULL(PERF_REG_IA64_MAX) - 1), 0);
}

/* Also when an interrupt came to the kernel: its registers are not the user's. */
static void user_registers_are_the_tasks(void)
{
	struct task_struct task = { .flags = 0 };
	struct pt_regs interrupted = random_regs(false);
	struct perf_regs user = { };

	current = &task;
	perf_get_regs_user(&user, &interrupted);
	CHECK(user.regs == task_pt_regs(&task));
	CHECK_EQ(user.abi, PERF_SAMPLE_REGS_ABI_64);
	CHECK_EQ(perf_reg_abi(&task), PERF_SAMPLE_REGS_ABI_64);
}

CASES(CASE(an_interruption_saves_all), CASE(a_system_call_saves_some), CASE(what_is_no_register_reads_0),
      CASE(a_mask_has_registers_alone), CASE(user_registers_are_the_tasks))
