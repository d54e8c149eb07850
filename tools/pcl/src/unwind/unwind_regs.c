// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of a sample, by their numbers in DWARF.
 *
 * Concepts: a sample has a word for each bit of its mask, in the kernel's
 * numbers (asm/perf_regs.h); call frame information uses those of the psABI
 * ("AMD64 Architecture Processor Supplement", figure 3.36). The one table is
 * x86-64's: its recordings are unwound on any machine, others on none, which is
 * up to who makes unwinders. A tool of another machine asks for no registers
 * when it records: the mask is 0.
 * Contexts: unwinders.
 * Locks: none.
 */
#include "unwind/private.h"

/* The kernel's numbers, as x86's asm/perf_regs.h has them, in the order of DWARF's. */
static const u8 kernel_reg[NR_REGS] = {
	0, 3, 2, 1,			/* ax, dx, cx, bx */
	4, 5, 6, 7,			/* si, di, bp, sp */
	16, 17, 18, 19, 20, 21, 22, 23,	/* r8 to r15 */
	8,				/* ip */
};

/* The registers to ask the kernel for; 0: this machine's stacks cannot be unwound. */
#ifdef __x86_64__
u64 unwind_regs_mask(void)
{
	u64 mask = 0;
	unsigned int i;

	for (i = 0; i < NR_REGS; i++)
		mask |= 1ull << kernel_reg[i];
	return mask;
}
#else
u64 unwind_regs_mask(void)
{
	return 0;
}
#endif

/* False when the sample lacks what every frame needs, or is of a 32 bit program. */
bool regs_of_sample(struct regs *r, const struct pd_sample *s)
{
	const u32 needed = 1u << REG_SP | 1u << REG_PC;
	unsigned int i;

	r->known = 0;
	if (s->regs_abi != PERF_SAMPLE_REGS_ABI_64)
		return false;
	for (i = 0; i < NR_REGS; i++) {
		u64 bit = 1ull << kernel_reg[i];
		struct cursor c = s->regs;

		if (!(s->regs_mask & bit))
			continue;
		cursor_skip(&c, 8 * (size_t)__builtin_popcountll(s->regs_mask & (bit - 1)));
		r->v[i] = cursor_u64(&c);
		r->known |= 1u << i;
	}
	return (r->known & needed) == needed;
}
