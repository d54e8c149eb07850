// SPDX-License-Identifier: GPL-2.0
/*
 * Program the counters of one CPU.
 *
 * Concepts: there is no switch for a counter, nor for all of them: what does not count at any privilege level stands
 * still. Up to T3 the two counters share the bits of the levels, so the PMU is paused by taking these away, and a
 * counter that nobody has beside one that counts is given an event that no compiler makes (struct sparc_pic, nop), or
 * goes on.
 *
 * Two counters in one register are written together: a load reads the other one, and writes it back. So nothing may
 * count meanwhile.
 *
 * Where registers have overflow bits, a write without them acknowledges the interrupt. Whether a counter has passed
 * zero is seen by its sign, which no chip gets wrong; the bits are looked at only where a counter interrupts before
 * that (struct sparc_layout, early).
 *
 * Contexts: on the owning CPU with IRQs off, and from the overflow interrupt, which comes between any two instructions
 * here: local_irq_disable() does not hold level 15 off. The interrupt calls sparc_hw_freeze() and sparc_hw_resume() if
 * the PMU is running, and sparc_hw_acknowledge() if not, which writes what control registers are to hold then anyhow.
 * So nothing that is done in a pause is disturbed, and who writes a control register decides again when what was
 * written is not what is wanted any more.
 *
 * Locks: none.
 */
#include "regs.h"

#include <linux/bitops.h>

const struct sparc_regs_ops *sparc_regs;

/* The control register of counter @idx */
static unsigned int pcr_of(const struct sparc_layout *layout, unsigned int idx)
{
	return sparc_layout_shared(layout) ? 0 : idx;
}

/* @code as the event of counter @idx */
static u64 event_bits(const struct sparc_layout *layout, unsigned int idx, u16 code)
{
	return (u64)(code & layout->pic[idx].field) << layout->pic[idx].shift;
}

/* What control register @nr shall hold */
static u64 pcr_wanted(const struct sparc_hw *hw, unsigned int nr)
{
	const struct sparc_layout *layout = hw->layout;
	u64 value = 0, levels = 0;
	unsigned int idx;

	for (idx = 0; idx < layout->pics; idx++) {
		if (pcr_of(layout, idx) != nr)
			continue;
		if (hw->active & BIT(idx)) {
			value |= hw->select[idx];
			levels |= hw->levels[idx];
		} else {
			value |= event_bits(layout, idx, layout->pic[idx].nop);
		}
	}
	if (!READ_ONCE(hw->running))
		return value | layout->guard;
	return value | levels | (hw->open ? 0 : layout->guard);
}

/* Bits that the hypervisor alone can write are set, and cleared again, by asking it. */
static bool pcr_write(struct sparc_hw *hw, unsigned int nr, u64 value)
{
	bool ask = value & hw->layout->hypervisor;

	if (!ask && !hw->asked)
		return sparc_regs->write_pcr(nr, value);
	hw->asked = true;
	if (sparc_regs->ask_pcr(nr, value)) {
		hw->asked = ask;
		return true;
	}
	return sparc_regs->write_pcr(nr, value & ~hw->layout->hypervisor);
}

static bool write_all(struct sparc_hw *hw)
{
	bool written = true;
	unsigned int nr;
	u64 value;

	for (nr = 0; nr < hw->layout->pcrs; nr++) {
		do {
			value = pcr_wanted(hw, nr);
			written &= pcr_write(hw, nr, value);
		} while (value != pcr_wanted(hw, nr));
	}
	return written;
}

/* All counters off, and nothing remembered of before. False: the registers cannot be written. */
bool sparc_hw_reset(struct sparc_hw *hw)
{
	unsigned int nr;

	hw->running = false;
	hw->active = 0;
	hw->silent = 0;
	hw->asked = hw->layout->hypervisor;	/* who ran before may have set them */
	if (!write_all(hw))
		return false;
	hw->asked = false;			/* if it refuses now, it lets none be set */
	for (nr = 0; nr < hw->layout->pcrs; nr++)
		sparc_regs->write_pic(nr, 0);
	return true;
}

/* Does the hypervisor let itself be counted? PMU paused. */
bool sparc_hw_counts_hypervisor(struct sparc_hw *hw)
{
	const struct sparc_layout *layout = hw->layout;

	if (!layout->hypervisor || !sparc_regs->ask_pcr(0, layout->guard | layout->hypervisor))
		return false;
	hw->asked = true;
	write_all(hw);
	return true;
}

/* Counter @idx shall count @code at @levels, from the next resume on. PMU paused. */
void sparc_hw_arm(struct sparc_hw *hw, unsigned int idx, u16 code, u64 levels, bool silent)
{
	hw->select[idx] = event_bits(hw->layout, idx, code);
	hw->levels[idx] = levels;
	if (silent) {
		hw->silent |= BIT(idx);
	} else {
		hw->select[idx] |= hw->layout->pic[idx].trap;
		hw->silent &= ~BIT(idx);
	}
	hw->active |= BIT(idx);
}

/* Counter @idx is nobody's any more. PMU paused. */
void sparc_hw_disarm(struct sparc_hw *hw, unsigned int idx)
{
	hw->active &= ~BIT(idx);
}

/* Counter @idx goes on from @value. PMU paused. */
void sparc_hw_load(const struct sparc_hw *hw, unsigned int idx, u64 value)
{
	unsigned int shift = 32 * idx;
	u64 both;

	value &= SPARC_PIC_MASK;
	if (!sparc_layout_shared(hw->layout)) {
		sparc_regs->write_pic(idx, value);
		return;
	}
	both = sparc_regs->read_pic(0) & ~(SPARC_PIC_MASK << shift);
	sparc_regs->write_pic(0, both | value << shift);
}

u64 sparc_hw_count(const struct sparc_hw *hw, unsigned int idx)
{
	u64 value;

	if (!sparc_layout_shared(hw->layout))
		value = sparc_regs->read_pic(idx);
	else
		value = sparc_regs->read_pic(0) >> 32 * idx;
	return value & SPARC_PIC_MASK;
}

/* Nothing counts after this, and the overflow interrupt leaves all as it is. */
void sparc_hw_pause(struct sparc_hw *hw)
{
	if (!hw->running)
		return;
	WRITE_ONCE(hw->running, false);
	write_all(hw);
}

/* Every active counter counts after this. */
void sparc_hw_resume(struct sparc_hw *hw)
{
	WRITE_ONCE(hw->running, true);
	write_all(hw);
}

/* The overflow interrupt came while the PMU is paused, or is about to be: it does not come again for the same. */
void sparc_hw_acknowledge(struct sparc_hw *hw)
{
	write_all(hw);
}

/* Active counters that say that they have overflowed, or are about to */
static u8 reported(const struct sparc_hw *hw)
{
	const struct sparc_layout *layout = hw->layout;
	unsigned int idx;
	u8 found = 0;

	for (idx = 0; idx < layout->pics; idx++) {
		if (sparc_regs->read_pcr(pcr_of(layout, idx)) & layout->overflow[idx])
			found |= BIT(idx);
	}
	return found & hw->active & ~hw->silent;
}

/* Active counters that have passed zero since they were loaded, but for those that do so silently */
u8 sparc_hw_overflowed(const struct sparc_hw *hw)
{
	unsigned int idx;
	u8 found = 0;

	for (idx = 0; idx < hw->layout->pics; idx++) {
		if ((hw->active & ~hw->silent & BIT(idx)) && !(sparc_hw_count(hw, idx) & BIT_ULL(31)))
			found |= BIT(idx);
	}
	return found;
}

/* The overflow interrupt came: nothing counts after this. Returns the counters that it may be for. */
u8 sparc_hw_freeze(struct sparc_hw *hw)
{
	u8 found = hw->layout->early ? reported(hw) : 0;

	sparc_hw_pause(hw);
	return found | sparc_hw_overflowed(hw);
}
