// SPDX-License-Identifier: GPL-2.0
/*
 * What user code does by itself: starting and stopping its counters, and reading them.
 *
 * Concepts: three bits of the PSR (SDM volume 2, 7.2.1).
 *
 *   - psr.pp, the gate of counters with pm, is 1 always: each task begins with it (asm/kregs.h), and each
 *     interruption (dcr.pp). PMC[0] alone starts and stops them. Nothing here touches it.
 *   - psr.up, the gate of the others, belongs to the program: sum and rum change it at once. An interruption leaves it
 *     as it is, so the kernel works for a task with the task's own. A switch of tasks leaves it too: then the next
 *     one's is taken from its trap frame. A task that is in the kernel when its first event of the kind comes, by an
 *     interrupt from elsewhere, keeps what it has until it is back in user mode.
 *   - psr.sp, if set, makes user code read 0 from every PMD. A task begins with it set. It is clear while an event
 *     under psr.up is on this CPU for the task: counters with pm still read 0, and so do those that hold no event
 *     (regs.c).
 *
 * The control page names a counter of the second kind alone; "mov r=pmd[index - 1]" reads it.
 *
 * Contexts: the owning CPU with IRQs off, but for mapping, in task context.
 *
 * Locks: none.
 */
#include <linux/bitops.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <asm/processor.h>

#include "driver.h"

static bool is_users(const struct perf_event *event)
{
	return ia64_event_is_ours(event) && !(event->hw.config & IA64_PMC_PRIVILEGED);
}

/* The PMU is about to count for the task that runs. */
void ia64_user_enter(const struct ia64_cpu_pmu *cpu)
{
	struct pt_regs *regs = task_pt_regs(current);
	bool any = false;
	unsigned int i;

	if (!current->mm)
		return;
	for (i = 0; i < cpu->nr; i++)
		any |= is_users(cpu->list[i]);
	ia64_psr(regs)->sp = !any;
	if (any)
		ia64_gate_user(ia64_psr(regs)->up);
}

/* exec sets psr.sp again, while events stay where they are; nobody reads counters before the page that names them. */
void ia64_event_mapped(struct perf_event *event, struct mm_struct *mm)
{
	unsigned long flags;

	if (!is_users(event))
		return;
	local_irq_save(flags);
	ia64_user_enter(this_cpu_ptr(&ia64_cpu_pmus));
	local_irq_restore(flags);
}

/* perf_event_mmap_page::index: one more than the number of the PMD, 0: not readable */
int ia64_event_idx(struct perf_event *event)
{
	if (!is_users(event) || event->hw.idx < 0)
		return 0;
	return event->hw.idx + 1;
}

/* What a program would have read when the counter was last folded: it extends the sign from pmc_width. */
s64 arch_perf_user_base(struct perf_event *event)
{
	return sign_extend64(local64_read(&event->hw.prev_count), ia64_machine.family->width - 1);
}

/**
 * arch_perf_update_userpage - what the control page says about this machine
 * @event: whose page it is
 * @page: its page; the engine keeps readers off while it changes
 * @now: the engine's clock, ns
 *
 * Time is not told: the interval timers of several CPUs need not agree.
 */
void arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *page, u64 now)
{
	page->cap_user_rdpmc = is_users(event);
	page->pmc_width = ia64_machine.family ? ia64_machine.family->width : 0;
}
