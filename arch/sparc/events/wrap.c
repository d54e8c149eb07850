// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that wrap without an interrupt.
 *
 * Concepts: such a counter begins below zero, as all do. A timer looks at it, and one that has passed zero is folded
 * and begins anew, before its sign changes again: user code takes it for a signed number (user.c). A timer that is late
 * by more than is left of that is not provided for. The fastest event is that of instructions: UltraSPARC I and II
 * complete four in a cycle at most, and none has more than 650 MHz, so 31 bits last 0.8 seconds at least. The timer
 * goes on while an event of this CPU needs it, and ends by itself.
 *
 * Contexts: sparc_wrap_watch() on the owning CPU with IRQs off; the timer in hard interrupt; sparc_wrap_return() on a
 * CPU that comes up.
 *
 * Locks: none.
 */
#include <linux/bits.h>
#include <linux/ktime.h>

#include "driver.h"

#define LOOK_NS		(500 * NSEC_PER_MSEC)

static bool has_passed_zero(const struct sparc_cpu_pmu *cpu, const struct perf_event *event)
{
	return cpu->hw.running && !(event->hw.state & PERF_HES_STOPPED) &&
	       !(sparc_hw_count(&cpu->hw, event->hw.idx) & BIT_ULL(31));
}

static enum hrtimer_restart look(struct hrtimer *timer)
{
	struct sparc_cpu_pmu *cpu = container_of(timer, struct sparc_cpu_pmu, timer);
	bool needed = false;
	unsigned int i;

	/* It came here when its CPU went; that one starts it anew when it is back. */
	if (cpu != this_cpu_ptr(&sparc_cpu_pmus))
		return HRTIMER_NORESTART;
	for (i = 0; i < cpu->settled; i++) {
		if (!sparc_is_silent(cpu->list[i]))
			continue;
		needed = true;
		if (has_passed_zero(cpu, cpu->list[i]))
			sparc_counter_renew(cpu->list[i]);
	}
	cpu->watched = needed;
	if (!needed)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(LOOK_NS));
	return HRTIMER_RESTART;
}

void sparc_wrap_prepare(struct sparc_cpu_pmu *cpu)
{
	hrtimer_init(&cpu->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	cpu->timer.function = look;
}

/* This CPU has come up again: another one may have its timer. IRQs on. */
void sparc_wrap_return(struct sparc_cpu_pmu *cpu)
{
	unsigned long flags;

	hrtimer_cancel(&cpu->timer);
	local_irq_save(flags);
	cpu->watched = false;
	sparc_wrap_watch(cpu);
	local_irq_restore(flags);
}

/* Events have come to their counters: those that wrap are looked at from now on. */
void sparc_wrap_watch(struct sparc_cpu_pmu *cpu)
{
	unsigned int i;

	for (i = 0; i < cpu->settled && !cpu->watched; i++) {
		if (!sparc_is_silent(cpu->list[i]))
			continue;
		cpu->watched = true;
		hrtimer_start(&cpu->timer, ns_to_ktime(LOOK_NS), HRTIMER_MODE_REL_PINNED_HARD);
	}
}
