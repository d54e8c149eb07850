// SPDX-License-Identifier: GPL-2.0
/*
 * Where a sample was taken: instruction pointer, mode, and the chain of callers.
 *
 * Concepts: kernel stacks are walked by the kernel's unwinder, user stacks by frame pointers: each frame holds the
 * address of the caller's frame and the return address. User memory is read with page faults disabled, so a page that
 * is not there ends the walk, unless the walk was put off until it may fault. Segment bases are added where a task uses
 * other than flat segments (32-bit code).
 *
 * Contexts: any, NMI included.
 *
 * Locks: none.
 */
#include <linux/compat.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include <asm/desc.h>
#include <asm/ibt.h>
#include <asm/ldt.h>
#include <asm/mmu_context.h>
#include <asm/stacktrace.h>
#include <asm/tlbflush.h>
#include <asm/unwind.h>

#include "driver.h"

/* Registers made by perf_arch_fetch_caller_regs() have no flags; real ones always have the bit that is always set. */
static bool regs_are_real(const struct pt_regs *regs)
{
	return regs->flags & X86_EFLAGS_FIXED;
}

void perf_callchain_kernel(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	struct unwind_state state;
	unsigned long ip;

	if (perf_guest_state())
		return;

	if (regs_are_real(regs)) {
		if (perf_callchain_store(entry, regs->ip))
			return;
		unwind_start(&state, current, regs, NULL);
	} else {
		unwind_start(&state, current, NULL, (void *)regs->sp);
	}

	while (!unwind_done(&state)) {
		ip = unwind_get_return_address(&state);
		if (!ip || perf_callchain_store(entry, ip))
			break;
		unwind_next_frame(&state);
	}
}

#ifdef CONFIG_MODIFY_LDT_SYSCALL
static const struct desc_struct *ldt_entry(unsigned int nr)
{
	/* IRQs are off, so who replaces the table waits for us before freeing it. */
	struct ldt_struct *ldt = READ_ONCE(current->active_mm->context.ldt);

	return ldt && nr < ldt->nr_entries ? ldt->entries + nr : NULL;
}
#else
static const struct desc_struct *ldt_entry(unsigned int nr)
{
	return NULL;
}
#endif

static const struct desc_struct *gdt_entry(unsigned int nr)
{
	return nr < GDT_ENTRIES ? raw_cpu_ptr(gdt_page.gdt) + nr : NULL;
}

/* The linear address at which a segment of the current task begins. */
static unsigned long segment_base(unsigned int selector)
{
	const struct desc_struct *desc;

	desc = (selector & SEGMENT_TI_MASK) == SEGMENT_LDT ? ldt_entry(selector >> 3) : gdt_entry(selector >> 3);
	return desc ? get_desc_base(desc) : 0;
}

#ifdef CONFIG_UPROBES
/* A probe at the first instruction of a function: its frame is not there yet, the return address is on top. */
static bool frame_is_missing(struct pt_regs *regs)
{
	const struct arch_uprobe *probe = current->utask ? current->utask->auprobe : NULL;

	if (!probe)
		return false;
	return probe->insn[0] == 0x55 ||	/* push %rbp */
	       (user_64bit_mode(regs) && is_endbr(*(u32 *)probe->insn));
}
#else
static bool frame_is_missing(struct pt_regs *regs)
{
	return false;
}
#endif

/* One word of the user's memory, 4 or 8 bytes wide. */
static bool user_word(unsigned long at, unsigned int width, unsigned long *word)
{
	u32 half;

	if (!__access_ok((void __user *)at, width))
		return false;
	if (width == sizeof(unsigned long))
		return !__get_user(*word, (unsigned long __user *)at);
	if (__get_user(half, (u32 __user *)at))
		return false;
	*word = half;
	return true;
}

/* A stack whose words are @width bytes; code and stack segment begin at @code and @stack. */
static void walk_user_frames(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs, unsigned int width,
			     unsigned long code, unsigned long stack)
{
	unsigned long frame = regs->bp, caller;

	if (frame_is_missing(regs) && user_word(stack + regs->sp, width, &caller))
		perf_callchain_store(entry, code + caller);

	while (entry->nr < entry->max_stack) {
		unsigned long at = stack + frame;

		if (!user_word(at, width, &frame) || !user_word(at + width, width, &caller) ||
		    perf_callchain_store(entry, code + caller))
			break;
	}
}

static void walk_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	unsigned long code, stack, flags;

	if (user_64bit_mode(regs) || IS_ENABLED(CONFIG_X86_32)) {
		walk_user_frames(entry, regs, sizeof(unsigned long), 0, 0);
		return;
	}
	local_irq_save(flags);
	code = segment_base(regs->cs);
	stack = segment_base(regs->ss);
	local_irq_restore(flags);
	walk_user_frames(entry, regs, sizeof(u32), code, stack);
}

static bool is_walkable(struct pt_regs *regs)
{
	return !perf_guest_state() && !(regs->flags & (X86_VM_MASK | PERF_EFLAGS_VM));
}

void perf_callchain_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	if (!is_walkable(regs))
		return;
	perf_callchain_store(entry, regs->ip);
	if (!nmi_uaccess_okay())
		return;
	pagefault_disable();
	walk_user(entry, regs);
	pagefault_enable();
}

void perf_callchain_user_faulting(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	might_sleep();
	if (!is_walkable(regs))
		return;
	perf_callchain_store(entry, regs->ip);
	walk_user(entry, regs);
}

#ifdef CONFIG_X86_32
static unsigned long code_base(struct pt_regs *regs)
{
	if (regs->flags & X86_VM_MASK)
		return 16 * (unsigned long)regs->cs;
	if (user_mode(regs) && regs->cs != __USER_CS)
		return segment_base(regs->cs);
	return 0;
}
#else
static unsigned long code_base(struct pt_regs *regs)
{
	if (!user_mode(regs) || user_64bit_mode(regs) || regs->cs == __USER32_CS)
		return 0;
	return segment_base(regs->cs);
}
#endif

/* The linear address of the interrupted instruction, in the guest if one ran. */
unsigned long perf_instruction_pointer(struct pt_regs *regs)
{
	if (perf_guest_state())
		return perf_guest_get_ip();
	return code_base(regs) + regs->ip;
}

/* PERF_RECORD_MISC_* for a sample with these registers. */
unsigned long perf_misc_flags(struct pt_regs *regs)
{
	unsigned int guest = perf_guest_state();
	unsigned long misc;

	if (guest)
		misc = guest & PERF_GUEST_USER ? PERF_RECORD_MISC_GUEST_USER : PERF_RECORD_MISC_GUEST_KERNEL;
	else
		misc = user_mode(regs) ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL;
	return regs->flags & PERF_EFLAGS_EXACT ? misc | PERF_RECORD_MISC_EXACT_IP : misc;
}
