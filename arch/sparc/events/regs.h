/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of one CPU as registers; regs.c has the concepts.
 *
 * Registers are touched through a table of operations alone: in user space a model of the registers stands in for the
 * hardware.
 */
#ifndef _SPARC_EVENTS_REGS_H
#define _SPARC_EVENTS_REGS_H

#include <linux/types.h>

#include "family.h"

/**
 * struct sparc_regs_ops - how the registers are reached
 * @read_pcr, @write_pcr: control register @nr; the write may be refused where it is the hypervisor that does it
 * @ask_pcr: the hypervisor is asked to write it, with bits that it alone can write; false: it refuses. NULL where no
 *	chip of the kind has such bits
 * @read_pic, @write_pic: counter register @nr, which holds two counters where they share one
 *
 * One for the machine. Called on the CPU whose registers are meant, with IRQs off, and by the overflow interrupt.
 */
struct sparc_regs_ops {
	u64 (*read_pcr)(unsigned int nr);
	bool (*write_pcr)(unsigned int nr, u64 value);
	bool (*ask_pcr)(unsigned int nr, u64 value);
	u64 (*read_pic)(unsigned int nr);
	void (*write_pic)(unsigned int nr, u64 value);
};

extern const struct sparc_regs_ops *sparc_regs;

/*
 * The counters of one CPU. Written on that CPU with IRQs off; the overflow interrupt comes all the same, and leaves
 * them alone unless @running.
 */
struct sparc_hw {
	const struct sparc_layout *layout;
	bool running;			/* [L] the PMU as a whole is on */
	bool open;			/* [L] while it is, user code can read them */
	bool asked;			/* [L] a PCR may have bits that the hypervisor alone can write */
	u8 active;			/* [L] counters that shall count */
	u8 silent;			/* [L] of these, those that do not interrupt */
	u64 select[SPARC_PICS];		/* [L] event of an active counter, in its place in the PCR, and its trap bit */
	u64 levels[SPARC_PICS];		/* [L] privilege levels of an active counter */
};

bool sparc_hw_reset(struct sparc_hw *hw);
bool sparc_hw_counts_hypervisor(struct sparc_hw *hw);
void sparc_hw_arm(struct sparc_hw *hw, unsigned int idx, u16 code, u64 levels, bool silent);
void sparc_hw_disarm(struct sparc_hw *hw, unsigned int idx);
void sparc_hw_load(const struct sparc_hw *hw, unsigned int idx, u64 value);
u64 sparc_hw_count(const struct sparc_hw *hw, unsigned int idx);
void sparc_hw_pause(struct sparc_hw *hw);
void sparc_hw_resume(struct sparc_hw *hw);
void sparc_hw_acknowledge(struct sparc_hw *hw);
u8 sparc_hw_freeze(struct sparc_hw *hw);
u8 sparc_hw_overflowed(const struct sparc_hw *hw);

#endif
