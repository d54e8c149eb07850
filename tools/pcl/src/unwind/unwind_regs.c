// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of a sample, by their numbers in DWARF.
 *
 * Concepts: a sample has a word for each bit of its mask, in the kernel's
 * numbers (asm/perf_regs.h); call frame information uses those of the psABI
 * ("AMD64 Architecture Processor Supplement", figure 3.36). One machine is one
 * table; where there is none, nothing can be unwound, and the mask is 0.
 * Contexts: unwinders.
 * Locks: none.
 */
#include "unwind/private.h"

#ifdef __x86_64__
#include <asm/perf_regs.h>

/* the kernel's number + 1 of each of DWARF's */
static const u8 kernel_reg[NR_REGS] = {
	PERF_REG_X86_AX + 1, PERF_REG_X86_DX + 1, PERF_REG_X86_CX + 1, PERF_REG_X86_BX + 1,
	PERF_REG_X86_SI + 1, PERF_REG_X86_DI + 1, PERF_REG_X86_BP + 1, PERF_REG_X86_SP + 1,
	PERF_REG_X86_R8 + 1, PERF_REG_X86_R9 + 1, PERF_REG_X86_R10 + 1, PERF_REG_X86_R11 + 1,
	PERF_REG_X86_R12 + 1, PERF_REG_X86_R13 + 1, PERF_REG_X86_R14 + 1, PERF_REG_X86_R15 + 1,
	PERF_REG_X86_IP + 1,
};
#else
static const u8 kernel_reg[NR_REGS];
#endif

/* The registers to ask the kernel for; 0: this machine's stacks cannot be unwound. */
u64 unwind_regs_mask(void)
{
	u64 mask = 0;
	unsigned int i;

	for (i = 0; i < NR_REGS; i++)
		if (kernel_reg[i])
			mask |= 1ull << (kernel_reg[i] - 1);
	return mask;
}

/* False when the sample lacks what every frame needs, or is of a 32 bit program. */
bool regs_of_sample(struct regs *r, const struct pd_sample *s)
{
	const u32 needed = 1u << REG_SP | 1u << REG_PC;
	unsigned int i;

	r->known = 0;
	if (s->regs_abi != PERF_SAMPLE_REGS_ABI_64)
		return false;
	for (i = 0; i < NR_REGS; i++) {
		u64 bit = kernel_reg[i] ? 1ull << (kernel_reg[i] - 1) : 0;
		struct cursor c = s->regs;

		if (!(s->regs_mask & bit))
			continue;
		cursor_skip(&c, 8 * (size_t)__builtin_popcountll(s->regs_mask & (bit - 1)));
		r->v[i] = cursor_u64(&c);
		r->known |= 1u << i;
	}
	return (r->known & needed) == needed;
}
