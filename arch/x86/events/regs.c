// SPDX-License-Identifier: GPL-2.0
/*
 * Program the counters of one CPU.
 *
 * Concepts: there are two kinds of machine. With global control (Intel from version 2 on, AMD from Perfmon v2 on)
 * one register starts and stops all counters: select registers are written when an event is armed, with the enable
 * bit, and left alone when it is disarmed; which counters run is decided by the global register. So an event that
 * comes back to its counter costs no select write. Plain machines (Intel version 1, AMD before) have select
 * registers alone: they are written when the PMU as a whole is paused and resumed. Either way nothing counts
 * between x86_hw_pause() and x86_hw_resume(), and arming, disarming and loading happen between the two.
 *
 * A counter that nobody needs any more may be left on: a register write less, and another when somebody wants it again
 * as it is. To leave and to take one x86_hw_hold() is enough, which writes no register.
 *
 * Contexts: on the owning CPU with IRQs off, and from its NMI handler, which may come between any two instructions
 * here. The handler calls x86_hw_freeze(), which trusts no remembered value; it may disarm; and it calls
 * x86_hw_resume() if the PMU was running. Code outside NMI therefore decides again after each write of a register
 * that starts counters, until what it wrote is still what is wanted.
 *
 * Locks: none.
 */
#include "regs.h"

#include <linux/bitops.h>

/* SDM, IA32_FIXED_CTR_CTRL: four bits per counter */
#define FIXED_OS	0x1
#define FIXED_USR	0x2
#define FIXED_ANY	0x4
#define FIXED_PMI	0x8

/*
 * SDM, IA32_DEBUGCTL: what concerns branch records, branch trace (LBR, TR, BTS, BTINT, BTS_OFF_OS, BTS_OFF_USR) and
 * freezing at an interrupt (FREEZE_LBRS_ON_PMI, FREEZE_PERFMON_ON_PMI). Single-stepping by branches and bus lock
 * detection are the kernel's, FREEZE_WHILE_SMM is smi.c's.
 */
#define DEBUGCTL_COUNTERS	0x1fc1

/* BIOS and Kernel Developer's Guides, MSRC001_1030 and MSRC001_1033 */
#define IBS_FETCH_ON	BIT_ULL(48)
#define IBS_OP_ON	BIT_ULL(17)

#define for_each_counter(idx, mask, rest) \
	for ((rest) = (mask); (rest) && ((idx) = __ffs64(rest), true); (rest) &= (rest) - 1)

static u32 select_reg(const struct x86_layout *layout, unsigned int idx)
{
	return layout->select + layout->stride * idx;
}

static u32 count_reg(const struct x86_layout *layout, unsigned int idx)
{
	if (idx >= X86_FIXED_FIRST)
		return layout->fixed_count + (idx - X86_FIXED_FIRST);
	return layout->count + layout->stride * idx;
}

static void select_write(struct x86_hw *hw, unsigned int idx, u64 value)
{
	x86_reg_write(select_reg(hw->layout, idx), value);
	WRITE_ONCE(hw->select[idx], value);
}

/* Nothing is known of what the registers hold but that they were cleared. */
static void forget(struct x86_hw *hw)
{
	unsigned int idx;

	hw->global = 0;
	hw->fixed = 0;
	for (idx = 0; idx < X86_FIXED_FIRST; idx++)
		hw->select[idx] = 0;
}

/*
 * Firmware, or the kernel before a kexec, may have left on what nothing here turns off again: PEBS writes records to
 * memory that is not its own, FREEZE_PERFMON_ON_PMI stops all counters at the first overflow (SDM, "Freezing LBR and
 * Performance Counters on PMI").
 */
static void reset_debug(const struct x86_layout *layout)
{
	u64 value;

	if (layout->pebs_enable)
		x86_reg_try_write(layout->pebs_enable, 0);
	if (layout->debugctl && !x86_reg_try_read(layout->debugctl, &value) && (value & DEBUGCTL_COUNTERS))
		x86_reg_try_write(layout->debugctl, value & ~(u64)DEBUGCTL_COUNTERS);
}

/*
 * A unit of AMD's Instruction-Based Sampling that was left on raises an NMI that is nobody's. Erratum 420 (Revision
 * Guide for AMD Family 10h Processors): its maximum is cleared before it is turned off, or it may never be quiet again.
 */
static void reset_ibs(const struct x86_layout *layout, u32 reg, u64 on)
{
	u64 value;

	if (!reg || x86_reg_try_read(reg, &value) || !(value & on))
		return;
	if (layout->ibs_erratum_420)
		x86_reg_try_write(reg, on);
	x86_reg_try_write(reg, 0);
}

/* All counters off, and nothing remembered of before: a CPU comes up, or what the registers hold is not known. */
void x86_hw_reset(struct x86_hw *hw)
{
	const struct x86_layout *layout = hw->layout;
	unsigned int idx;
	u64 rest;

	if (layout->global_control)
		x86_reg_write(layout->global_control, 0);
	for_each_counter(idx, layout->shape.general, rest)
		x86_reg_write(select_reg(layout, idx), 0);
	if (layout->fixed_control)
		x86_reg_write(layout->fixed_control, 0);
	reset_debug(layout);
	reset_ibs(layout, layout->ibs_fetch, IBS_FETCH_ON);
	reset_ibs(layout, layout->ibs_op, IBS_OP_ON);
	if (layout->force_abort)
		x86_reg_write(layout->force_abort, 0);
	/* All that is set, not our counters alone: CTR_FRZ stops them too. */
	if (layout->global_ack)
		x86_reg_write(layout->global_ack, x86_reg_read(layout->global_status));
	hw->active = 0;
	hw->guest_only = 0;
	hw->host_only = 0;
	hw->left_on = 0;
	hw->running = false;
	hw->guest = false;
	hw->aborting = false;
	forget(hw);
}

static void fixed_arm(struct x86_hw *hw, unsigned int idx, u64 select)
{
	unsigned int shift = 4 * (idx - X86_FIXED_FIRST);
	u64 bits = 0, value;

	if (select & X86_SEL_INT)
		bits |= FIXED_PMI;
	if (select & X86_SEL_USR)
		bits |= FIXED_USR;
	if (select & X86_SEL_OS)
		bits |= FIXED_OS;
	if ((select & X86_SEL_ANY) && hw->layout->fixed_any)
		bits |= FIXED_ANY;
	value = (hw->fixed & ~(0xfULL << shift)) | bits << shift;
	if (value != hw->fixed) {
		x86_reg_write(hw->layout->fixed_control, value);
		hw->fixed = value;
	}
}

/* Counter @idx shall count what @select says, from the next resume on. PMU paused. */
void x86_hw_arm(struct x86_hw *hw, unsigned int idx, u64 select)
{
	u64 value = (select & ~hw->select_clear) | X86_SEL_ENABLE;

	hw->want[idx] = select;
	if (idx >= X86_FIXED_FIRST)
		fixed_arm(hw, idx, select);
	else if (hw->layout->global_control && hw->select[idx] != value)
		select_write(hw, idx, value);
	if (select & (X86_SEL_OS | X86_SEL_ANY))
		x86_mask_set(&hw->kernel, idx);
	else
		x86_mask_clear(&hw->kernel, idx);
	x86_mask_set(&hw->active, idx);
	x86_mask_clear(&hw->left_on, idx);
}

/* Counter @idx need not count any more. PMU paused, or frozen. */
void x86_hw_disarm(struct x86_hw *hw, unsigned int idx)
{
	x86_mask_clear(&hw->active, idx);
	x86_mask_clear(&hw->guest_only, idx);
	x86_mask_clear(&hw->host_only, idx);
}

/* Counter @idx, which is armed, counts for nobody from now on. Between x86_hw_hold() and x86_hw_resume(). */
void x86_hw_leave(struct x86_hw *hw, unsigned int idx)
{
	x86_mask_set(&hw->left_on, idx);	/* first, so that no NMI stops it for a moment */
	x86_hw_disarm(hw, idx);
}

/* Counter @idx, which was left on, is armed as it is. Between the same two. */
void x86_hw_take(struct x86_hw *hw, unsigned int idx)
{
	x86_mask_set(&hw->active, idx);
	x86_mask_clear(&hw->left_on, idx);
}

static u64 host_counters(const struct x86_hw *hw)
{
	return (hw->active & ~hw->guest_only) | hw->left_on;
}

/*
 * The NMI handler does not start what it stopped, until x86_hw_resume(). Where nothing samples that is enough for
 * events to come and go which find their counters on, or leave them so. Not from NMI.
 */
void x86_hw_hold(struct x86_hw *hw)
{
	WRITE_ONCE(hw->running, false);
	barrier();
}

/* Nothing counts after this. Not from NMI. */
void x86_hw_pause(struct x86_hw *hw)
{
	unsigned int idx;
	u64 rest, select;

	if (hw->paused)
		return;
	x86_hw_hold(hw);
	if (!hw->layout->global_control) {
		for_each_counter(idx, hw->layout->shape.general, rest) {
			select = READ_ONCE(hw->select[idx]);
			if (select & X86_SEL_ENABLE)
				select_write(hw, idx, select & ~X86_SEL_ENABLE);
		}
	} else if (READ_ONCE(hw->global) || hw->guest) {
		x86_reg_write(hw->layout->global_control, 0);
		WRITE_ONCE(hw->global, 0);
		WRITE_ONCE(hw->guest, false);
	}
	hw->paused = true;
}

/*
 * The same from NMI, as far as the kernel is counted, of which the handler is part, or the thread beside: what counts
 * this thread's user code alone stands still anyway. What is remembered may lag behind what was written. Leaves
 * @running alone.
 */
void x86_hw_freeze(struct x86_hw *hw)
{
	unsigned int idx;
	u64 rest, select;

	if (!(hw->active & hw->kernel))
		return;
	if (hw->layout->global_control) {
		x86_reg_write(hw->layout->global_control, 0);
		WRITE_ONCE(hw->global, 0);
		return;
	}
	for_each_counter(idx, hw->layout->shape.general, rest) {
		select = READ_ONCE(hw->select[idx]);
		if ((select & X86_SEL_ENABLE) || (hw->active & BIT_ULL(idx)))
			select_write(hw, idx, select & ~X86_SEL_ENABLE);
	}
}

static void resume_global(struct x86_hw *hw)
{
	u64 value;

	while ((value = host_counters(hw)) != READ_ONCE(hw->global)) {
		x86_reg_write(hw->layout->global_control, value);
		WRITE_ONCE(hw->global, value);
		barrier();
	}
}

static void resume_plain(struct x86_hw *hw)
{
	bool again;
	unsigned int idx;
	u64 rest, value, held;

	do {
		again = false;
		for_each_counter(idx, hw->layout->shape.general, rest) {
			held = READ_ONCE(hw->select[idx]);
			value = held & ~X86_SEL_ENABLE;
			if (host_counters(hw) & BIT_ULL(idx))
				value = (hw->want[idx] & ~hw->select_clear) | X86_SEL_ENABLE;
			if (value == held)
				continue;
			select_write(hw, idx, value);
			barrier();
			again = true;
		}
	} while (again);
}

/* Every armed counter counts after this. */
void x86_hw_resume(struct x86_hw *hw)
{
	hw->paused = false;
	WRITE_ONCE(hw->running, true);
	barrier();
	if (hw->layout->global_control)
		resume_global(hw);
	else
		resume_plain(hw);
}

/* No counter is on from now on but those that are armed. Not from NMI. */
void x86_hw_let_go(struct x86_hw *hw)
{
	bool running = hw->running;

	if (!hw->left_on)
		return;
	x86_hw_pause(hw);
	hw->left_on = 0;
	if (running)
		x86_hw_resume(hw);
}

/* @select_clear has changed: bring the select registers of armed counters up to date. Not from NMI. */
void x86_hw_rewrite(struct x86_hw *hw)
{
	bool running = hw->running;
	unsigned int idx;
	u64 rest;

	x86_hw_pause(hw);
	if (hw->layout->global_control) {
		for_each_counter(idx, hw->active & X86_GENERAL_MASK, rest)
			x86_hw_arm(hw, idx, hw->want[idx]);
	}
	if (running)
		x86_hw_resume(hw);
}

/*
 * Erratum: microcode uses counter 3 for transactions, unless these are made to abort (MSR_TSX_FORCE_ABORT,
 * RTM_FORCE_ABORT). Intel, "Performance Monitoring Impact of Intel Transactional Synchronization Extension Memory
 * Ordering Issue". Transactions abort while an event needs that counter, and no longer. PMU paused.
 */
void x86_hw_force_abort(struct x86_hw *hw, bool on)
{
	if (!hw->layout->force_abort || hw->aborting == on)
		return;
	if (!on && hw->select[3])
		select_write(hw, 3, 0);
	x86_reg_write(hw->layout->force_abort, on);
	hw->aborting = on;
}

/*
 * A guest is about to run, and when it exits the processor will load global control with what is right now. An NMI
 * before the entry may write something else, which then is lost: so what the register holds is not known until the
 * next pause, and who stops a counter until then must do so in its select register. Not from NMI.
 */
void x86_hw_guest(struct x86_hw *hw)
{
	WRITE_ONCE(hw->guest, true);
}

/* From NMI: counter @idx, which was disarmed, does not count whatever global control will say. */
void x86_hw_silence(struct x86_hw *hw, unsigned int idx)
{
	unsigned int shift = 4 * (idx - X86_FIXED_FIRST);

	if (!READ_ONCE(hw->guest))
		return;
	if (idx < X86_FIXED_FIRST) {
		select_write(hw, idx, READ_ONCE(hw->select[idx]) & ~X86_SEL_ENABLE);
		return;
	}
	hw->fixed &= ~(0xfULL << shift);
	x86_reg_write(hw->layout->fixed_control, hw->fixed);
}

/* Global status, as far as it is about our counters; not on plain machines. */
u64 x86_hw_status(struct x86_hw *hw)
{
	const struct x86_layout *layout = hw->layout;

	return x86_reg_read(layout->global_status) & (layout->shape.general | layout->shape.fixed);
}

/* Which of @counters have passed zero: all count upwards from a negative value to zero, so the sign bit tells. */
u64 x86_hw_overflowed(const struct x86_hw *hw, u64 counters)
{
	u64 sign = BIT_ULL(hw->layout->width - 1), overflowed = 0, rest;
	unsigned int idx;

	for_each_counter(idx, counters, rest) {
		if (!(x86_hw_count(idx) & sign))
			overflowed |= BIT_ULL(idx);
	}
	return overflowed;
}

/* These overflows have been seen. */
void x86_hw_ack(struct x86_hw *hw, u64 counters)
{
	x86_reg_write(hw->layout->global_ack, counters);
}

/* Counter @idx goes on from @value. PMU paused or frozen. */
void x86_hw_load(struct x86_hw *hw, unsigned int idx, u64 value)
{
	x86_reg_write(count_reg(hw->layout, idx), value & x86_layout_mask(hw->layout));
}

/*
 * Errata AAK100 (Nehalem EP), AAP53 (Lynnfield) and BD53 (Westmere): after events were added, counters may not
 * count until these events have been programmed, and run for a moment, on the four general counters. PMU paused;
 * counters lose their values, so the caller folds and loads them.
 */
void x86_hw_kick(struct x86_hw *hw)
{
	static const u64 magic[X86_KICKED] = { 0xb5, 0xd2, 0xb1, 0xb1 };
	const struct x86_layout *layout = hw->layout;
	unsigned int idx;

	for (idx = 0; idx < ARRAY_SIZE(magic); idx++) {
		x86_reg_write(select_reg(layout, idx), magic[idx] | X86_SEL_USR | X86_SEL_OS | X86_SEL_ENABLE);
		x86_reg_write(count_reg(layout, idx), 0);
	}
	x86_reg_write(layout->global_control, 0xf);
	x86_reg_write(layout->global_control, 0);
	for (idx = 0; idx < ARRAY_SIZE(magic); idx++)
		x86_reg_write(select_reg(layout, idx), hw->select[idx]);
}
