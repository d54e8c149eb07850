// SPDX-License-Identifier: GPL-2.0
/*
 * Counters and clocks that user space reads by itself: RDPMC, and the control page.
 *
 * Concepts: CR4.PCE allows RDPMC. By default (mode 1) it is set while a task runs whose mm has the control page of
 * an event mapped; mm_context_t::perf_rdpmc_allowed counts those. Mode 0 and 2, never and always, are static keys
 * that the address space switch looks at.
 *
 * Contexts: mapping calls in task context; arch_perf_update_userpage() with IRQs off or in NMI.
 *
 * Locks: mmap_lock, held for writing by who maps and at least for reading by who unmaps, so that the two do not race.
 * rdpmc_mutex for the mode.
 */
#include <linux/export.h>
#include <linux/mm_types.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include <asm/mmu_context.h>
#include <asm/timer.h>
#include <asm/tlbflush.h>

#include "driver.h"

DEFINE_STATIC_KEY_FALSE(rdpmc_never_available_key);
DEFINE_STATIC_KEY_FALSE(rdpmc_always_available_key);

/* RDPMC: 0 for nobody, 1 for tasks that mapped an event, 2 for all. Written under rdpmc_mutex. */
int x86_rdpmc_mode __read_mostly = 1;
static DEFINE_MUTEX(rdpmc_mutex);

/* Of another PMU's event the flags are no flags: what lies there is that PMU's. */
static bool user_may_count(const struct perf_event *event)
{
	return event->hw.flags & PERF_EVENT_FLAG_USER_READ_CNT;
}

void x86_event_mapped(struct perf_event *event, struct mm_struct *mm)
{
	if (!user_may_count(event))
		return;
	mmap_assert_write_locked(mm);
	if (atomic_inc_return(&mm->context.perf_rdpmc_allowed) == 1)
		on_each_cpu_mask(mm_cpumask(mm), cr4_update_pce, NULL, 1);
}

void x86_event_unmapped(struct perf_event *event, struct mm_struct *mm)
{
	if (user_may_count(event) && atomic_dec_and_test(&mm->context.perf_rdpmc_allowed))
		on_each_cpu_mask(mm_cpumask(mm), cr4_update_pce, NULL, 1);
}

/* perf_event_mmap_page::index: one more than the number that RDPMC takes, 0: not readable */
int x86_event_idx(struct perf_event *event)
{
	if (!user_may_count(event) || event->hw.idx < 0)
		return 0;
	return event->hw.event_base_rdpmc + 1;
}

/*
 * For who reads a counter with RDPMC in the kernel, for an event it opened itself. IRQs off, after
 * perf_event_read_local() has said that the event is on a counter.
 */
int x86_perf_rdpmc_index(struct perf_event *event)
{
	lockdep_assert_irqs_disabled();
	return event->hw.event_base_rdpmc;
}

/* Can user code that runs here, now or after threads of the kernel, read counters? IRQs off. */
bool x86_user_may_look(void)
{
	struct mm_struct *mm = this_cpu_read(cpu_tlbstate.loaded_mm);	/* that is what is asked when it changes */
	int mode = READ_ONCE(x86_rdpmc_mode);

	lockdep_assert_irqs_disabled();
	return mode && (mode == 2 || mm == LOADED_MM_SWITCHING || atomic_read(&mm->context.perf_rdpmc_allowed));
}

/* Written to the sysfs file rdpmc */
int x86_rdpmc_set(unsigned long mode)
{
	if (mode > 2)
		return -EINVAL;

	mutex_lock(&rdpmc_mutex);
	if (mode != x86_rdpmc_mode) {
		/* Who may look more is known before the CPUs are told, who may look less when they have been. */
		if (mode > x86_rdpmc_mode)
			WRITE_ONCE(x86_rdpmc_mode, mode);
		if (mode == 0)
			static_branch_enable(&rdpmc_never_available_key);
		else
			static_branch_disable(&rdpmc_never_available_key);
		if (mode == 2)
			static_branch_enable(&rdpmc_always_available_key);
		else
			static_branch_disable(&rdpmc_always_available_key);
		on_each_cpu(cr4_update_pce, NULL, 1);
		WRITE_ONCE(x86_rdpmc_mode, mode);
	}
	mutex_unlock(&rdpmc_mutex);
	return 0;
}

/**
 * arch_perf_update_userpage - what the control page says about this machine
 * @event: whose page it is
 * @page: its page; the engine keeps readers off while it changes
 * @now: the engine's clock, ns
 *
 * The conversion of TSC to time is that of sched_clock(), if that is what it uses.
 */
void arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *page, u64 now)
{
	struct cyc2ns_data tsc;
	u64 zero;

	page->pmc_width = x86_machine.layout.width;
	page->cap_user_rdpmc = event->pmu == &x86_core_pmu && user_may_count(event);
	page->cap_user_time = 0;
	page->cap_user_time_zero = 0;
	if (!using_native_sched_clock() || !sched_clock_stable())
		return;

	cyc2ns_read_begin(&tsc);
	zero = tsc.cyc2ns_offset + __sched_clock_offset;
	page->time_shift = tsc.cyc2ns_shift;
	page->time_mult = tsc.cyc2ns_mul;
	page->time_offset = zero - now;
	page->cap_user_time = 1;
	/* The records' times are of another clock with use_clockid. */
	if (!event->attr.use_clockid) {
		page->time_zero = zero;
		page->cap_user_time_zero = 1;
	}
	cyc2ns_read_end();
}
