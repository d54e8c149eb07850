/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of one CPU as registers; regs.c has the concepts.
 *
 * Registers are touched by the operations below alone. On IA-64 they are instructions (insn.h); elsewhere, in tests, a
 * model of the registers stands in for the hardware.
 */
#ifndef _IA64_EVENTS_REGS_H
#define _IA64_EVENTS_REGS_H

#include <linux/types.h>

#include "family.h"

#define IA64_GATE_PRIVILEGED	BIT(0)	/* psr.pp */
#define IA64_GATE_USER		BIT(1)	/* psr.up */

#ifdef CONFIG_IA64
#include "insn.h"
#else
#include "model.h"
#endif

/* The counters of one CPU. Written on that CPU with IRQs off; the overflow interrupt comes with IRQs on alone. */
struct ia64_hw {
	const struct ia64_family *family;
	bool running;				/* [L] the PMU as a whole is on */
	u64 active;				/* [L] counters that shall count */
	u64 stale;				/* [L] PMCs in use, of which what was recorded is not the next task's */
	u64 written[IA64_ALL_REGS];		/* [L] to each PMC, which holds it, and each debug register */
};

void ia64_hw_reset(struct ia64_hw *hw);
void ia64_hw_arm(struct ia64_hw *hw, unsigned int idx, u64 select);
void ia64_hw_hold(struct ia64_hw *hw, unsigned int idx, u64 select);
void ia64_hw_disarm(struct ia64_hw *hw, unsigned int idx);
void ia64_hw_share(struct ia64_hw *hw, unsigned int nr, u64 value);
bool ia64_hw_used(const struct ia64_hw *hw, unsigned int nr);
void ia64_hw_forget(struct ia64_hw *hw, unsigned int nr);
void ia64_hw_wipe_later(struct ia64_hw *hw, unsigned int nr);
void ia64_hw_pause(struct ia64_hw *hw);
void ia64_hw_resume(struct ia64_hw *hw);
void ia64_hw_thaw(struct ia64_hw *hw);
u64 ia64_hw_overflowed(void);
u64 ia64_hw_recorded(unsigned int nr);
void ia64_hw_load(const struct ia64_hw *hw, unsigned int idx, u64 value);
u64 ia64_hw_count(const struct ia64_hw *hw, unsigned int idx);

static inline u64 ia64_count_mask(const struct ia64_family *family)
{
	return BIT_ULL(family->width) - 1;
}

#endif
