// SPDX-License-Identifier: GPL-2.0
/*
 * The overflow interrupt.
 *
 * Concepts: a counter that passes zero sets bit 15 of SOFTINT, an interrupt of level 15. local_irq_disable() stops at
 * level 14, so it comes as an NMI does. Nothing says which counter it was, and both may have passed zero, so all are
 * looked at, and stand still meanwhile.
 *
 * If it comes while the PMU is paused it leaves the counters alone: the code that it interrupts may be between reading
 * and writing a register that two of them share. That code sees what has overflowed when it resumes (core.c). But it is
 * acknowledged: on T2 and later it would come again for ever otherwise.
 *
 * An interrupt that finds nothing is one that was late, or of a counter that nobody has and that goes on (regs.c). It
 * is claimed while there are events, since the kernel takes one that nobody claims for its watchdog's, and stops the
 * counters.
 *
 * Contexts: NMI.
 *
 * Locks: none.
 */
#include <linux/bitops.h>
#include <linux/sched/clock.h>

#include "driver.h"

static void handle_overflow(struct perf_event *event, struct pt_regs *regs)
{
	struct perf_sample_data data;
	u64 period;

	sparc_counter_advance(event);
	period = sparc_counter_reload(event);
	if (!period)
		return;
	perf_sample_data_init(&data, 0, period);
	if (perf_event_overflow(event, &data, regs))
		sparc_stop(event, 0);
}

/* Returns whether it may have been a counter of ours. */
bool sparc_irq_handle(struct pt_regs *regs)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	u64 overflowed, begin;

	if (!READ_ONCE(cpu->nr))
		return false;
	if (!READ_ONCE(cpu->hw.running)) {
		sparc_hw_acknowledge(&cpu->hw);
		return true;
	}
	begin = sched_clock();
	for (overflowed = sparc_hw_freeze(&cpu->hw); overflowed; overflowed &= overflowed - 1)
		handle_overflow(cpu->on[__ffs64(overflowed)], regs);
	sparc_user_resume(cpu);
	perf_sample_event_took(sched_clock() - begin);
	return true;
}
