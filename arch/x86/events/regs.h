/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of one CPU as registers; regs.c has the concepts.
 *
 * In the kernel the accessors are single instructions. In user space they go through a table, so that a model of the
 * registers stands in for the hardware.
 */
#ifndef _X86_EVENTS_REGS_H
#define _X86_EVENTS_REGS_H

#include <linux/pcl_assign.h>
#include <linux/types.h>

#include "family.h"

/* Counters that a mask can name, fixed ones included */
#define X86_COUNTERS	PCL_ASSIGN_MOST

#ifdef __KERNEL__
#include <asm/msr.h>
#include <linux/bitops.h>

/* Single instructions, so that an NMI that changes another bit of the mask does no harm. KCSAN is not told of them. */
static inline void x86_mask_set(u64 *mask, unsigned int idx)
{
	arch___set_bit(idx, (unsigned long *)mask);
}

static inline void x86_mask_clear(u64 *mask, unsigned int idx)
{
	arch___clear_bit(idx, (unsigned long *)mask);
}

static inline u64 x86_reg_read(u32 reg)
{
	u64 value;

	rdmsrl(reg, value);
	return value;
}

static inline void x86_reg_write(u32 reg, u64 value)
{
	wrmsrl(reg, value);
}

/* The same where the register may not be there; 0, or an errno */
static inline int x86_reg_try_read(u32 reg, u64 *value)
{
	return rdmsrl_safe(reg, value);
}

static inline int x86_reg_try_write(u32 reg, u64 value)
{
	return wrmsrl_safe(reg, value);
}

/* RDPMC: the counter as user space would read it */
static inline u64 x86_reg_count(u32 number)
{
	u64 value;

	rdpmcl(number, value);
	return value;
}
#else
struct x86_regs_ops {
	u64 (*read)(u32 reg);
	void (*write)(u32 reg, u64 value);
	u64 (*count)(u32 number);
	bool (*faults)(u32 reg);	/* trial.c alone asks */
};

extern const struct x86_regs_ops *x86_regs_ops;

static inline void x86_mask_set(u64 *mask, unsigned int idx)
{
	*mask |= BIT_ULL(idx);
}

static inline void x86_mask_clear(u64 *mask, unsigned int idx)
{
	*mask &= ~BIT_ULL(idx);
}

#define x86_reg_read(reg)		x86_regs_ops->read(reg)
#define x86_reg_write(reg, value)	x86_regs_ops->write(reg, value)
#define x86_reg_count(number)		x86_regs_ops->count(number)
#define x86_reg_try_read(reg, value)	(x86_regs_ops->faults(reg) ? -EIO : (*(value) = x86_reg_read(reg), 0))
#define x86_reg_try_write(reg, value)	(x86_regs_ops->faults(reg) ? -EIO : (x86_reg_write(reg, value), 0))
#endif

/* Where the registers are. One per machine, immutable after detection. */
struct x86_layout {
	u32 select;		/* select register of general counter 0, and ... */
	u32 count;		/* its counter; counter n's lie @stride * n further */
	u32 stride;
	u32 fixed_control;	/* 0: no fixed counters */
	u32 fixed_count;
	u32 global_control;	/* 0: counters are started and stopped by their select registers alone */
	u32 global_status;
	u32 global_ack;
	u32 pebs_enable;	/* 0: none */
	u32 debugctl;		/* 0: none */
	u32 ibs_fetch, ibs_op;	/* Instruction-Based Sampling; 0: none */
	u32 force_abort;	/* 0: counter 3 is like the others; see x86_hw_force_abort() */
	unsigned int width;	/* bits of a counter */
	struct x86_shape shape;
	bool fixed_any;		/* fixed counters know the "any thread" bit */
	bool ibs_erratum_420;	/* its maximum must be cleared before it is turned off */
};

/*
 * The counters of one CPU. Written on that CPU with IRQs off; its NMI handler uses them too, see regs.c.
 *
 * @select and @global are what the registers hold, so that nothing is written twice. The NMI handler leaves the
 * registers as it found them, but for events that it stopped.
 */
struct x86_hw {
	const struct x86_layout *layout;
	bool running;		/* [L] the PMU as a whole is on, or about to be */
	bool paused;		/* [L] nothing counts: x86_hw_pause() */
	u64 active;		/* [L] counters that shall count */
	u64 guest_only;		/* [L] of these: not while the host runs (Intel) */
	u64 host_only;		/* [L] of these: not while a guest runs (Intel) */
	u64 left_on;		/* [L] counters that go on for nobody: left.c */
	u64 kernel;		/* [L] counters that count the kernel, or any thread, if they are active */
	u64 select_clear;	/* [L] bits to leave out of select registers (AMD: host-only while SVM is off) */
	u64 global;		/* [L] global control */
	u64 fixed;		/* [L] fixed control */
	bool aborting;		/* [L] transactions abort, so that counter 3 can be used */
	bool guest;		/* [L] a guest may have run since the last pause: x86_hw_guest() */
	u64 want[X86_COUNTERS];		/* [L] what their events ask for, or asked for last */
	u64 select[X86_FIXED_FIRST];	/* [L] what the select registers hold */
};

#define X86_KICKED	4	/* general counters that x86_hw_kick() uses */

void x86_hw_reset(struct x86_hw *hw);
void x86_hw_arm(struct x86_hw *hw, unsigned int idx, u64 select);
void x86_hw_disarm(struct x86_hw *hw, unsigned int idx);
void x86_hw_leave(struct x86_hw *hw, unsigned int idx);
void x86_hw_take(struct x86_hw *hw, unsigned int idx);
void x86_hw_let_go(struct x86_hw *hw);
void x86_hw_hold(struct x86_hw *hw);
void x86_hw_pause(struct x86_hw *hw);
void x86_hw_freeze(struct x86_hw *hw);
void x86_hw_resume(struct x86_hw *hw);
void x86_hw_rewrite(struct x86_hw *hw);
void x86_hw_force_abort(struct x86_hw *hw, bool on);
void x86_hw_guest(struct x86_hw *hw);
void x86_hw_silence(struct x86_hw *hw, unsigned int idx);
u64 x86_hw_status(struct x86_hw *hw);
u64 x86_hw_overflowed(const struct x86_hw *hw, u64 counters);
void x86_hw_ack(struct x86_hw *hw, u64 counters);
void x86_hw_load(struct x86_hw *hw, unsigned int idx, u64 value);
void x86_hw_kick(struct x86_hw *hw);

/* The number by which RDPMC knows a counter. SDM, RDPMC: bit 30 selects the fixed ones. */
static inline u32 x86_rdpmc_number(unsigned int idx)
{
	return idx < X86_FIXED_FIRST ? idx : (1u << 30) | (idx - X86_FIXED_FIRST);
}

static inline u64 x86_hw_count(unsigned int idx)
{
	return x86_reg_count(x86_rdpmc_number(idx));
}

static inline u64 x86_layout_mask(const struct x86_layout *layout)
{
	return BIT_ULL(layout->width) - 1;
}

#endif
