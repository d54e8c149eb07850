// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that user code reads by itself, "rd %pic", and the control page.
 *
 * Concepts: PCR.PRIV says whether %pic, both counters at once, is open to user code. It is clear only while the PMU
 * runs, and all that user code would see is the running task's: its mm has the control page of an event mapped
 * (mm_context_t::pic_readers), each event on a counter is bound to the task, and a counter that nobody has shows 0.
 * That one counts what no compiler makes (the family's file has the event); where there is no such event, it does not
 * stand still, and %pic is closed.
 *
 * Where it is closed, a read traps. For a task whose mm has such a page the trap reads in its stead and leaves out what
 * is not its own (trap.c), so what the page of an event of its own says holds either way. Any other task gets SIGILL.
 *
 * Inherited events are nobody's own: members of a set share them, and follow each other without the driver being told
 * (kernel/events/set.c). So are those of a CPU.
 *
 * The question is asked whenever the PMU resumes, and when the answer may change while it runs: the first page of an mm
 * comes or its last goes, and the task has another mm, by exec.
 *
 * T4's counters are not in %pic, and closed always.
 *
 * Contexts: sparc_user_resume() and sparc_user_visible() on the owning CPU with IRQs off, the former in NMI, too;
 * mapping and exec in task context.
 *
 * Locks: none.
 */
#include <linux/bitops.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <asm/pic.h>

#include "driver.h"

/* Can user code read the counter of @event? */
static bool is_readable(const struct perf_event *event)
{
	return sparc_event_is_ours(event) && sparc_layout_shared(sparc_machine.family->layout) &&
	       event->attach_state & PERF_ATTACH_TASK && !event->attr.inherit;
}

/* May the running task read its counters? */
bool sparc_user_may_read(void)
{
	struct mm_struct *mm = current->mm;

	return mm && atomic_read(&mm->context.pic_readers);
}

/* Counters that have events of the running task */
static u8 own_counters(const struct sparc_cpu_pmu *cpu)
{
	unsigned int idx;
	u8 own = 0;

	for (idx = 0; idx < cpu->hw.layout->pics; idx++) {
		const struct perf_event *event = READ_ONCE(cpu->on[idx]);

		if (event && is_readable(event))
			own |= BIT(idx);
	}
	return own;
}

/*
 * May it see all of %pic? What it shows of a counter that nobody has becomes 0. With none of its own events there it
 * may not: the next task may follow it without the PMU being told, while a CPU's event is there and stopped. PMU
 * paused.
 */
static bool may_see_all(const struct sparc_cpu_pmu *cpu)
{
	u8 others;
	unsigned int idx;

	if (!sparc_user_may_read())
		return false;
	others = sparc_layout_all(cpu->hw.layout) & ~own_counters(cpu);
	if (others == sparc_layout_all(cpu->hw.layout))
		return false;
	for (idx = 0; idx < cpu->hw.layout->pics; idx++) {
		if (!(others & BIT(idx)))
			continue;
		if (cpu->on[idx] || !cpu->hw.layout->pic[idx].nop)
			return false;
		if (sparc_hw_count(&cpu->hw, idx))
			sparc_hw_load(&cpu->hw, idx, 0);
	}
	return true;
}

/* The PMU goes on, for the task that runs now. PMU paused. */
void sparc_user_resume(struct sparc_cpu_pmu *cpu)
{
	cpu->hw.open = may_see_all(cpu);
	sparc_hw_resume(&cpu->hw);
}

/* What the running task reads where %pic is closed: its own counters. */
u64 sparc_user_visible(const struct sparc_cpu_pmu *cpu)
{
	u8 own = own_counters(cpu);
	unsigned int idx;
	u64 value = 0;

	for (idx = 0; idx < cpu->hw.layout->pics; idx++) {
		if (own & BIT(idx))
			value |= sparc_hw_count(&cpu->hw, idx) << 32 * idx;
	}
	return value;
}

/* Who may read has changed: tasks of @mm, or, if that is NULL, the one that runs. */
static void ask_again(void *mm)
{
	unsigned long flags;

	if (mm && current->mm != mm)	/* it was here once; who comes back is asked about then */
		return;
	local_irq_save(flags);
	sparc_cpu_refresh(this_cpu_ptr(&sparc_cpu_pmus));
	local_irq_restore(flags);
}

/* The running task has done an exec: its mm is new. */
void sparc_pic_new_mm(void)
{
	ask_again(NULL);
}

void sparc_event_mapped(struct perf_event *event, struct mm_struct *mm)
{
	if (is_readable(event) && atomic_inc_return(&mm->context.pic_readers) == 1)
		on_each_cpu_mask(mm_cpumask(mm), ask_again, mm, 1);
}

void sparc_event_unmapped(struct perf_event *event, struct mm_struct *mm)
{
	if (is_readable(event) && atomic_dec_and_test(&mm->context.pic_readers))
		on_each_cpu_mask(mm_cpumask(mm), ask_again, mm, 1);
}

/* perf_event_mmap_page::index: 1: the low half of %pic, 2: the high one; 0: not readable */
int sparc_event_idx(struct perf_event *event)
{
	return is_readable(event) ? event->hw.idx + 1 : 0;
}

/* What a program would have read when the counter was last folded: it extends the sign from pmc_width. */
s64 arch_perf_user_base(struct perf_event *event)
{
	return sign_extend64(local64_read(&event->hw.prev_count), SPARC_PIC_BITS - 1);
}

/**
 * arch_perf_update_userpage - what the control page says about this machine
 * @event: whose page it is
 * @page: its page; the engine keeps readers off while it changes
 * @now: the engine's clock, ns
 *
 * Time is not told: %tick may be closed to user code, and is another clock than sched_clock() on some machines.
 */
void arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *page, u64 now)
{
	page->cap_user_rdpmc = is_readable(event);
	page->pmc_width = sparc_machine.family ? SPARC_PIC_BITS : 0;
}
