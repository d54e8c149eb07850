// SPDX-License-Identifier: GPL-2.0
/*
 * What user code does by itself: starting and stopping its counters, and reading them.
 *
 * Concepts: three bits of the PSR (SDM volume 2, 7.2.1).
 *
 *   - psr.pp, the gate of counters with pm, is 1 always: each CPU begins with it (boot.c), each task
 *     (asm/kregs.h), and each interruption (dcr.pp). PMC[0] alone starts and stops them. Nothing here touches it.
 *   - psr.up, the gate of the others, belongs to the program: sum and rum change it at once. An interruption leaves it
 *     as it is, so the kernel works for a task with the task's own. A switch of tasks leaves it too: then the next
 *     one's is taken from its trap frame, when the PMU is enabled for it; threads of the kernel have an empty one
 *     (copy_thread()), and the gate is closed. Where the PMU was not enabled at the switch, since the task had no
 *     event that was on, and an interrupt brings one while the task is in the kernel, it keeps what it has until it is
 *     back in user mode: what the interrupt makes of the bit goes when it returns.
 *   - psr.sp, if set, makes user code read 0 from every PMD, and lets it not change psr.up (volume 3, mov psr.um).
 *     The kernel does, when it returns from a signal's handler, or a debugger writes the mask: after a handler psr.up
 *     is what the mask in the signal's frame says, which is what it was before the signal unless the handler wrote
 *     there.
 *     A task begins with psr.sp set, and so does a program, by exec. It is clear, until the task's next exec, once
 *     the PMU was enabled for the task with an event under psr.up, or the task has mapped the page of one: the program
 *     may start and stop it also while others have its counter. Counters with pm still read 0, and so do those that
 *     hold no event (regs.c).
 *
 * Both wait for the PMU to be enabled, which it is at each switch to a task with such an event that may run here and is
 * not off: no set of a family's tasks shares it (PERF_EV_CAP_TASK). An exec makes the trap frame when the events that
 * it enables (enable_on_exec) are there already, and asks once more then (start_thread()).
 *
 * Recorded registers have no gate (regs.c). A program that may read finds them empty when it comes to the CPU, and when
 * it may for the first time.
 *
 * The control page names a counter of the second kind alone; "mov r=pmd[index - 1]" reads it.
 *
 * The frame's PSR is written with IRQs off: psr.dfh, which a switch of tasks writes, is in the same word. Where stock
 * writes that word with IRQs on (a signal's return, faults), and an interrupt brings the first event under psr.up just
 * then, psr.sp stays set until the PMU is enabled again.
 *
 * Contexts: the owning CPU with IRQs off; mapping, and an exec, in task context.
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

/*
 * The program may use its counters, if an event under psr.up is here: it is the task's that runs. Returns whether that
 * is new.
 */
static bool let_use(const struct ia64_cpu_pmu *cpu, struct ia64_psr *psr)
{
	unsigned int i = 0;

	while (i < cpu->nr && !is_users(cpu->list[i]))
		i++;
	if (i == cpu->nr || !psr->sp)
		return false;
	psr->sp = 0;
	return true;
}

/*
 * The PMU is about to count for the task that runs. If its program may read from now on, what was recorded is not for
 * it.
 */
void ia64_user_enter(struct ia64_cpu_pmu *cpu)
{
	struct ia64_psr *psr = ia64_psr(task_pt_regs(current));

	/* Also without an event under it that has a counter: an interrupt may bring one, and returns to what was. */
	ia64_gate_user(psr->up);
	if (let_use(cpu, psr))
		ia64_claims_hide(cpu);
}

/*
 * A program that may read is about to run here, or may read from now on: what was recorded of others is not for it. The
 * engine does not have the PMU disabled. What stood still after a storm (irq.c) may go on by it.
 */
static noinline void user_comes(void)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);

	if (!cpu->nr)
		return;
	ia64_claims_hide(cpu);
	if (!cpu->hw.stale)
		return;
	ia64_hw_pause(&cpu->hw);
	ia64_hw_resume(&cpu->hw);
}

/*
 * In each switch to @next, as the task before, whether @next has events or not. A thread of the kernel has no program;
 * an idle one has no trap frame either that would tell.
 */
void ia64_user_switch(struct task_struct *next)
{
	if (!(next->flags & PF_KTHREAD) && !ia64_psr(task_pt_regs(next))->sp)
		user_comes();
}

/*
 * An exec has made the trap frame of the task that runs, as that of a new program: what was recorded of the old one is
 * not for it. IRQs on.
 */
void ia64_user_exec(void)
{
	unsigned long flags;

	local_irq_save(flags);
	if (let_use(this_cpu_ptr(&ia64_cpu_pmus), ia64_psr(task_pt_regs(current))))
		user_comes();
	local_irq_restore(flags);
}

/*
 * The event's own program may set psr.up from now on, and read, whether the event has been on a counter or not. Who
 * maps another task's may not, nor would that one be asked here.
 */
void ia64_event_mapped(struct perf_event *event, struct mm_struct *mm)
{
	struct ia64_psr *psr = ia64_psr(task_pt_regs(current));
	unsigned long flags;

	if (!is_users(event) || event->hw.target != current)
		return;
	local_irq_save(flags);
	if (psr->sp) {
		psr->sp = 0;
		user_comes();
	}
	local_irq_restore(flags);
}

/*
 * perf_event_mmap_page::index: one more than the number of the PMD, which is -1 before there was one; 0: not readable.
 * Of an event that has left its counter the engine does not ask.
 */
int ia64_event_idx(struct perf_event *event)
{
	return is_users(event) ? event->hw.idx + 1 : 0;
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
