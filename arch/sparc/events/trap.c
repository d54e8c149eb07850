// SPDX-License-Identifier: GPL-2.0
/*
 * A read of %pic that traps, since the register is closed to user code (user.c).
 *
 * Concepts: the instruction is "rd %asr17, rd" (The SPARC Architecture Manual, version 9, A.44): bits 31:30 are 2, the
 * destination 29:25, 24:19 0x28, 18:14 17, bit 13 is 0. A register from 16 on is one of the window, which is on the
 * user's stack once windows are flushed, and comes back from there. A stack that cannot take it makes the read SIGILL.
 *
 * Contexts: a trap of user code, which may sleep.
 *
 * Locks: none.
 */
#include <linux/context_tracking.h>
#include <linux/uaccess.h>

#include <asm/pic.h>
#include <asm/ptrace.h>
#include <asm/switch_to.h>
#include <asm/thread_info.h>

#include "driver.h"

#define RD_PIC_MASK	0xc1ffe000
#define RD_PIC		0x81444000

static bool is_read(const struct pt_regs *regs, u32 *code)
{
	unsigned long pc = regs->tpc;

	if (test_thread_flag(TIF_32BIT))
		pc &= U32_MAX;
	return !get_user(*code, (u32 __user *)pc) && (*code & RD_PIC_MASK) == RD_PIC;
}

static bool put_window_register(const struct pt_regs *regs, unsigned int nr, u64 value)
{
	unsigned long sp = regs->u_regs[UREG_FP];

	synchronize_user_stack();
	if (test_thread_flag(TIF_32BIT))
		sp &= U32_MAX;
	if (test_thread_64bit_stack(sp))
		return !put_user(value, (u64 __user *)(sp + STACK_BIAS) + nr);
	return !put_user((u32)value, (u32 __user *)sp + nr);
}

static bool put_register(struct pt_regs *regs, unsigned int nr, u64 value)
{
	if (nr >= 16)
		return put_window_register(regs, nr - 16, value);
	if (nr)
		regs->u_regs[nr] = value;
	return true;
}

static void pass_over(struct pt_regs *regs)
{
	regs->tpc = regs->tnpc;
	regs->tnpc += 4;
	if (test_thread_flag(TIF_32BIT)) {
		regs->tpc &= U32_MAX;
		regs->tnpc &= U32_MAX;
	}
}

static bool read_instead(struct pt_regs *regs)
{
	unsigned long flags;
	u32 code;
	u64 value;

	if (!sparc_user_may_read() || !is_read(regs, &code))
		return false;
	local_irq_save(flags);
	value = sparc_user_visible(this_cpu_ptr(&sparc_cpu_pmus));
	local_irq_restore(flags);
	if (!put_register(regs, code >> 25 & 0x1f, value))
		return false;
	pass_over(regs);
	return true;
}

/* User code has done what needs a privilege. True: it was a read of its counters, and has been done. */
bool sparc_pic_trap(struct pt_regs *regs)
{
	enum ctx_state before = exception_enter();
	bool done = user_mode(regs) && read_instead(regs);

	exception_exit(before);
	return done;
}
