// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that are left on when their event leaves, and taken as they are when it comes back.
 *
 * Concepts: at a switch, stopping a counter, writing its value and starting it again are what costs. An event that only
 * counts needs none of it: what the counter showed when the event came, and what it shows when the event goes, is
 * all (decision 4). So its counter goes on for nobody (x86_hw::left_on), and an event that had it, and still wants the
 * same of it, takes it as it is. Nothing points to the event that left: it may go to another CPU, or end.
 *
 * A counter that is left on is stopped
 *	when another event is put on it: places.c looks at none but events that are here;
 *	before a task that may use RDPMC runs, and zeroed: perf_clear_dirty_counters();
 *	when it passes zero, which the NMI handler claims;
 *	with the last event of the machine, when its CPU goes offline or sleeps, and when AMD's SVM comes or goes.
 *
 * Where user code may use RDPMC none is left on: a thread of the kernel may run next, on the same address space,
 * and then the same task again, without a switch between address spaces that would stop it.
 *
 * A counter that is taken is far from zero, since it interrupts there as if it had been loaded: no overflow can
 * fall between the look at its value and the moment when the NMI handler knows whose it is.
 *
 * Contexts: on the owning CPU with IRQs off; to leave and to take, between x86_hw_hold() and x86_hw_resume().
 * x86_event_leaves_on() and x86_left_stop_everywhere(): task context.
 *
 * Locks: none.
 */
#include <linux/smp.h>

#include "driver.h"

static bool any_left_on;	/* on some CPU, at some time */

/* May the counter of @event go on without it, and start with any value? For who opens it. */
bool x86_event_leaves_on(const struct perf_event *event)
{
	if (is_sampling_event((struct perf_event *)event) || event->attr.exclude_host)
		return false;
	/*
	 * What is decided while these have a counter must not hold for long after. And a counter that goes on takes
	 * counts from the thread beside, where memory events mix up what is the same counter of both (siblings.c).
	 */
	if (x86_event_is_shared(event) || x86_machine.layout.force_abort)
		return false;
	if (x86_machine.family->has & X86_DISTURBS_SIBLING)
		return false;
	return !(x86_machine.has_tx && (event->hw.config & X86_SEL_IN_TX_CP));
}

/*
 * Of @counters, which are not their events' any more, one may have passed zero, with its interrupt still on the way.
 * Where the status tells whose it is, to look there is enough.
 */
static void expect_overflow(struct x86_cpu_pmu *cpu, u64 counters)
{
	if (x86_machine.lvt_masked || x86_hw_overflowed(&cpu->hw, counters))
		x86_irq_expect(cpu);
}

/* @event leaves its counter. False: the counter must be stopped. */
bool x86_left_leave(struct x86_cpu_pmu *cpu, struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;

	hwc->flags &= ~X86_EVENT_BEGINS_PAUSED;
	if (!(hwc->flags & X86_EVENT_LEAVES_ON) || hwc->state || x86_user_may_look())
		return false;
	if (!READ_ONCE(any_left_on))
		WRITE_ONCE(any_left_on, true);
	WRITE_ONCE(cpu->on[hwc->idx], NULL);
	x86_hw_leave(&cpu->hw, hwc->idx);
	x86_mask_set(&cpu->dirty, hwc->idx);
	x86_counter_fold(event);
	if (cpu->hw.paused)
		hwc->flags |= X86_EVENT_BEGINS_PAUSED;
	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	return true;
}

/* Is the counter that @event had left on, as it needs it? It may have had it on another CPU. */
bool x86_left_is_there(const struct x86_cpu_pmu *cpu, const struct perf_event *event)
{
	const struct hw_perf_event *hwc = &event->hw;

	return (hwc->flags & X86_EVENT_LEAVES_ON) && (cpu->hw.left_on & BIT_ULL(hwc->idx)) &&
	       cpu->hw.want[hwc->idx] == hwc->config;
}

/* Then it does so. False: the counter must be loaded. */
bool x86_left_take(struct x86_cpu_pmu *cpu, struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;

	if ((hwc->flags & X86_EVENT_BEGINS_PAUSED) && (hwc->config & (X86_SEL_OS | X86_SEL_ANY)))
		x86_hw_pause(&cpu->hw);
	if (!x86_counter_begin(event))
		return false;
	x86_hw_take(&cpu->hw, hwc->idx);
	hwc->last_cpu = smp_processor_id();
	hwc->state = 0;
	x86_show(cpu, event);
	return true;
}

/* Counter @idx is about to be loaded. PMU paused. */
void x86_left_end(struct x86_cpu_pmu *cpu, unsigned int idx)
{
	if (!(cpu->hw.left_on & BIT_ULL(idx)))
		return;
	expect_overflow(cpu, BIT_ULL(idx));
	x86_mask_clear(&cpu->hw.left_on, idx);
}

/* None is left on, on this CPU. IRQs off. */
void x86_left_stop(void)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	u64 counters = cpu->hw.left_on;

	lockdep_assert_irqs_disabled();
	if (!counters)
		return;
	WRITE_ONCE(cpu->stopping, true);
	barrier();
	x86_hw_let_go(&cpu->hw);
	expect_overflow(cpu, counters);
	barrier();
	WRITE_ONCE(cpu->stopping, false);
}

static void stop_here(void *unused)
{
	x86_left_stop();
}

/* The last event goes: nobody would take them, and their interrupts would be nobody's. */
void x86_left_stop_everywhere(void)
{
	unsigned int cpu;

	if (!READ_ONCE(any_left_on))
		return;
	for_each_online_cpu(cpu) {
		/* One that goes offline meanwhile has stopped its own. */
		if (READ_ONCE(per_cpu_ptr(&x86_cpu_pmus, cpu)->hw.left_on))
			smp_call_function_single(cpu, stop_here, NULL, true);
	}
}
