// SPDX-License-Identifier: GPL-2.0
/*
 * The overflow interrupt.
 *
 * Concepts: its vector is in CR.PMV, and it is an ordinary interrupt: with IRQs off it waits. A counter that
 * overflows freezes all of them, so what interrupts is what the counters held, and the handler is not counted. PMC[0]
 * names those that overflowed; two can in one cycle. An interrupt that finds none was that of a counter whose event
 * has left since: its period is over, and the sample is taken when the event counts again (counter.c). One that finds
 * the counters frozen for nobody, by a counter that no event has, lets them go on; if such come without end, all stay
 * off until the PMU is enabled the next time, or what was recorded is wiped (user.c).
 *
 * Code that runs with IRQs off cannot be sampled: its samples land where IRQs go on. What the chip recorded (sample.c)
 * tells where the event happened all the same.
 *
 * Contexts: hard interrupt.
 *
 * Locks: none.
 */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/sched/clock.h>

#include "driver.h"

static void handle_overflow(struct perf_event *event, struct pt_regs *regs)
{
	struct ia64_sample sample;
	u64 period;

	ia64_counter_advance(event);
	period = ia64_counter_reload(event);
	if (!period)
		return;
	perf_sample_data_init(&sample.data, 0, period);
	if (perf_event_overflow(event, &sample.data, ia64_sample_fill(event, &sample, regs)))
		ia64_event_stop(event, 0);
}

/*
 * Interrupts that find nothing, within one tick, at most: they are of events that left with their overflow on the way,
 * which does not happen at each switch of tasks, or of a counter that no event has.
 */
#define MOST_EMPTY	1000

static void handle_nothing(struct ia64_cpu_pmu *cpu)
{
	unsigned long now = jiffies;

	if (cpu->empty_at != now) {
		cpu->empty_at = now;
		cpu->empty = 0;
	}
	if (!cpu->hw.running)
		return;
	if (++cpu->empty > MOST_EMPTY) {
		pr_warn_once("Performance events: interrupts without a counter's overflow; counters are off meanwhile\n");
		ia64_hw_pause(&cpu->hw);
	} else {
		ia64_hw_thaw(&cpu->hw);
	}
}

/* Returns whether a counter of ours had overflowed. */
bool ia64_irq_handle(struct pt_regs *regs)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	u64 overflowed = ia64_hw_overflowed() & cpu->hw.active, rest;
	bool running = cpu->hw.running;
	u64 begin;

	if (!overflowed) {
		handle_nothing(cpu);
		return false;
	}
	begin = sched_clock();
	cpu->hw.running = false;		/* frozen by the hardware */
	for (rest = overflowed; rest; rest &= rest - 1)
		handle_overflow(cpu->on[__ffs64(rest)], regs);
	if (running)
		ia64_hw_resume(&cpu->hw);
	perf_sample_event_took(sched_clock() - begin);
	return true;
}
