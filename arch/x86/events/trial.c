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

static bool __init complain(u32 reg, const char *what)
{
	pr_info("performance counters: MSR %x %s\n", reg, what);
	return false;
}

/* Can be read; a layout has 0 where it has no such register. */
static bool __init is_there(u32 reg)
{
	u64 value;

	return !reg || !x86_reg_try_read(reg, &value) || complain(reg, "is not there");
}

/* All registers that will be used without a further look. */
static bool __init all_are_there(const struct x86_layout *layout)
{
	bool there = is_there(layout->fixed_control) && is_there(layout->global_control) &&
		     is_there(layout->global_status);
	u64 rest;

	for (rest = layout->shape.general; there && rest; rest &= rest - 1) {
		u32 offset = layout->stride * __ffs64(rest);

		there = is_there(layout->select + offset) && is_there(layout->count + offset);
	}
	for (rest = layout->shape.fixed >> X86_FIXED_FIRST; there && rest; rest &= rest - 1)
		there = is_there(layout->fixed_count + __ffs64(rest));
	return there;
}

static bool __init keeps(u32 reg, u64 value)
{
	u64 after;

	return (!x86_reg_try_write(reg, value) && !x86_reg_try_read(reg, &after) && after == value) ||
	       complain(reg, "does not keep what is written to it");
}

/* A counter that is off, since one that counts keeps nothing that is written. Where all are on, one is turned off. */
static int __init find_idle(const struct x86_layout *layout)
{
	u64 rest, value;
	int first;

	for (rest = layout->shape.general; rest; rest &= rest - 1) {
		unsigned int idx = __ffs64(rest);

		if (!x86_reg_try_read(layout->select + layout->stride * idx, &value) && !(value & X86_SEL_ENABLE))
			return idx;
	}
	first = __ffs64(layout->shape.general);
	return keeps(layout->select + layout->stride * first, 0) ? first : -1;
}

/* Says which register it is that does not work. */
bool __init x86_counters_work(const struct x86_layout *layout)
{
	u64 value;
	u32 reg;
	int idx;

	if (!layout->shape.general || !all_are_there(layout))
		return false;
	idx = find_idle(layout);
	if (idx < 0)
		return false;
	reg = layout->count + layout->stride * idx;
	return !x86_reg_try_read(reg, &value) && keeps(reg, value ^ 0xffff);
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
