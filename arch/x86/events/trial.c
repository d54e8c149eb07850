// SPDX-License-Identifier: GPL-2.0
/*
 * Try the registers before they are trusted, at boot.
 *
 * Concepts: hypervisors often say more than they do: a register faults, reads as zero, or does not keep what is
 * written. And the registers are as who ran before left them: firmware that counts for itself, or a kernel that was
 * left by kexec with its counters on.
 *
 * Contexts: boot, on the boot CPU.
 *
 * Locks: none.
 */
#include <linux/bitops.h>
#include <linux/printk.h>

#include "driver.h"

/* A counter that is off, since one that counts keeps nothing that is written. Where all are on, one is turned off. */
static int __init find_idle(const struct x86_layout *layout)
{
	int first = -1;
	u64 rest, value;
	u32 reg;

	for (rest = layout->shape.general; rest; rest &= rest - 1) {
		unsigned int idx = __ffs64(rest);

		if (x86_reg_try_read(layout->select + layout->stride * idx, &value))
			return -1;
		if (!(value & X86_SEL_ENABLE))
			return idx;
		if (first < 0)
			first = idx;
	}
	if (first < 0)
		return -1;
	reg = layout->select + layout->stride * first;
	if (x86_reg_try_write(reg, 0) || x86_reg_try_read(reg, &value) || (value & X86_SEL_ENABLE))
		return -1;
	return first;
}

/* A counter keeps what is written to it: some hypervisors answer all reads with zero. */
bool __init x86_counters_work(const struct x86_layout *layout)
{
	int idx = find_idle(layout);
	u32 reg = layout->count + layout->stride * idx;
	u64 before, after;

	if (idx < 0 || x86_reg_try_read(reg, &before))
		return false;
	before ^= 0xffff;
	return !x86_reg_try_write(reg, before) && !x86_reg_try_read(reg, &after) && after == before;
}

/* Counters that were left on: firmware uses them itself, behind our back, unless a kernel before this one did. */
void __init x86_check_firmware(const struct x86_layout *layout)
{
	u64 rest, value;

	for (rest = layout->shape.general; rest; rest &= rest - 1) {
		u32 reg = layout->select + layout->stride * __ffs64(rest);

		if (!x86_reg_try_read(reg, &value) && (value & X86_SEL_ENABLE))
			pr_err(FW_BUG "the firmware uses a performance counter (MSR %x is %llx)\n", reg, value);
	}
	if (layout->fixed_control && !x86_reg_try_read(layout->fixed_control, &value) &&
	    (value & 0x3333333333333333ULL))
		pr_err(FW_BUG "the firmware uses a performance counter (MSR %x is %llx)\n", layout->fixed_control,
		       value);
}
