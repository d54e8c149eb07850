// SPDX-License-Identifier: GPL-2.0
/*
 * Where a sample was taken: the chain of callers.
 *
 * Concepts: the kernel's unwinder (arch/ia64/kernel/unwind.c) begins where it is called, so the chain's first frames
 * are the engine's and the interrupt's own. They are left out: the frame of the interrupted code is the first with its
 * instruction pointer, also when the registers are of no trap but of code that called the engine.
 *
 * User code keeps no chain of frames: who called whom is in its unwind tables, which the kernel does not have. Of it
 * the interrupted instruction is shown alone; PERF_SAMPLE_STACK_USER and the registers are there for who has them.
 *
 * Contexts: any but NMI, which the architecture's PMU does not have; IRQs off.
 *
 * Locks: the unwinder's, taken with IRQs off. A probe in the unwinder must not ask for chains; nor can one elsewhere
 * that saves stack traces.
 */
#include <linux/perf_event.h>

#include <asm/ptrace.h>
#include <asm/unwind.h>

struct walk {
	struct perf_callchain_entry_ctx *entry;
	unsigned long from;		/* the frame with this instruction pointer is stored already */
};

static void walk_kernel(struct unw_frame_info *info, void *data)
{
	struct walk *walk = data;
	bool found = false;
	unsigned long ip;

	do {
		unw_get_ip(info, &ip);
		if (!ip || (found && perf_callchain_store(walk->entry, ip)))
			return;
		found = found || ip == walk->from;
	} while (unw_unwind(info) >= 0);
}

void perf_callchain_kernel(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	struct walk walk = { .entry = entry, .from = regs->cr_iip };

	if (perf_callchain_store(entry, instruction_pointer(regs)))
		return;
	unw_init_running(walk_kernel, &walk);
}

void perf_callchain_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs)
{
	perf_callchain_store(entry, instruction_pointer(regs));
}
