// SPDX-License-Identifier: GPL-2.0
/*
 * A switch to a program tells IA-64's driver of it, as asm/switch_to.h of that architecture does.
 *
 * Concepts: where this kernel changes the address space, within a switch to a program, the events of the task that goes
 * are off, and those of the one that comes are not on yet: so it is on IA-64. There threads of the kernel are told of as
 * well, and the driver takes no notice; here those alone that use a program's address space, as KUnit's cases do.
 *
 * Contexts: begin and end in task context; the probe within the scheduler, IRQs off, and wherever else an address space
 * changes, which is for the task that runs, or for none.
 *
 * Locks: none.
 */
#include <linux/kprobes.h>

#include "ia64.h"

/* switch_mm_irqs_off(prev, next, task) */
static int task_comes(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *next = (struct task_struct *)regs->dx;

	if (next && next != current)
		ia64_user_switch(next);
	return 0;
}

static struct kprobe probe;

int ia64_switch_begin(void)
{
	probe = (struct kprobe){ .symbol_name = "switch_mm_irqs_off", .pre_handler = task_comes };
	return register_kprobe(&probe);
}

void ia64_switch_end(void)
{
	unregister_kprobe(&probe);
}
