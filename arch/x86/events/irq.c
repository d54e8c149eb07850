// SPDX-License-Identifier: GPL-2.0
/*
 * The overflow interrupt, which is an NMI.
 *
 * Concepts: the counters of the CPU stand still from the moment the handler knows that it is meant until it
 * returns, on every machine: on those with global control by one write, on the others by their select registers. So
 * the handler itself is never counted, all overflows are seen at once, and a period shorter than the handler cannot
 * keep it busy. What remains is the way back to the interrupted code, which is counted if the event counts the
 * kernel: with a period shorter than that way, nothing would ever run but the handler. That is noticed, since the
 * interrupted registers are then the same each time, and the period of such events is made longer until the
 * interrupted code advances.
 *
 * A late NMI, of an event that has been taken off meanwhile, must be claimed, or it is reported as one of unknown
 * reason. Where the hardware has a status register, the overflow is still in it. Where it has not (AMD before
 * Perfmon v2), any NMI within LATE_WINDOW of the last one handled, and of the last sampling event stopped, is
 * claimed.
 *
 * A foreign NMI costs no register access while nothing is on the counters, and one read while nothing samples.
 *
 * Contexts: NMI. x86_irq_init() at boot.
 *
 * Locks: none. See regs.c and counter.c for how the handler and the code it interrupts get along.
 */
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/sched/clock.h>

#include <asm/apic.h>
#include <asm/hardirq.h>
#include <asm/nmi.h>

#include "driver.h"

#define LATE_WINDOW	msecs_to_jiffies(100)

/* Events with a period below this are watched for standstill; floors start at ... and double up to it. */
#define SHORT_PERIOD	4096
#define FIRST_FLOOR	256

struct x86_pmu x86_pmu;
atomic_t x86_nr_events;

static DEFINE_STATIC_KEY_FALSE(has_pmu);

/* Intel masks the entry when it delivers the interrupt (SDM volume 3A, "Local Vector Table"). */
void x86_irq_unmask(void)
{
	apic_write(APIC_LVTPC, APIC_DM_NMI);
}

/* Called for each CPU by the APIC code. */
void perf_events_lapic_init(void)
{
	if (static_branch_likely(&has_pmu) && x86_machine.has_apic)
		x86_irq_unmask();
}

/* Has the interrupted code moved since the last time? See the top of the file. */
static void watch_progress(struct x86_cpu_pmu *cpu, const struct pt_regs *regs)
{
	if (memcmp(regs, &cpu->last_regs, sizeof(*regs))) {
		cpu->last_regs = *regs;
		cpu->floor = 0;
		return;
	}
	cpu->floor = clamp(cpu->floor * 2, (s64)FIRST_FLOOR, (s64)SHORT_PERIOD);
}

/* Counters stand still. Returns how many overflows there were, of events already gone too. */
static int handle_overflows(struct x86_cpu_pmu *cpu, u64 overflowed, struct pt_regs *regs)
{
	struct perf_sample_data data;
	bool watched = false;
	int handled = 0;

	for (; overflowed; overflowed &= overflowed - 1) {
		struct perf_event *event = cpu->on[__ffs64(overflowed)];
		s64 floor = 0;

		handled++;
		if (!event)
			continue;
		if (event->hw.sample_period < SHORT_PERIOD) {
			if (!watched)
				watch_progress(cpu, regs);
			watched = true;
			floor = cpu->floor;
		}
		x86_counter_fold(event);
		if (!x86_counter_reload(event, floor))
			continue;
		perf_sample_data_init(&data, 0, event->hw.last_period);
		if (perf_event_overflow(event, &data, regs))
			x86_stop(event, 0);
	}
	return handled;
}

static bool may_be_late(const struct x86_cpu_pmu *cpu)
{
	return time_before(jiffies, cpu->late_until);
}

/* Machines with global control and status */
static int handle_global(struct x86_cpu_pmu *cpu, struct pt_regs *regs)
{
	struct x86_hw *hw = &cpu->hw;
	bool running = hw->running;
	int handled = 0;
	u64 status;

	if (!cpu->sampling) {
		if (!hw->active && !may_be_late(cpu))
			return 0;
		if (!x86_hw_status(hw))
			goto unmask;
	}
	x86_hw_freeze(hw);
	status = x86_hw_status(hw);
	if (status) {
		handled = handle_overflows(cpu, status, regs);
		x86_hw_ack(hw, status);
	}
	/* After the counters were set anew, before they run: no overflow is missed, none is seen twice. */
	if (x86_machine.intel)
		x86_irq_unmask();
	if (running)
		x86_hw_resume(hw);
	return handled;

unmask:
	if (x86_machine.intel)
		x86_irq_unmask();
	return 0;
}

/* Machines without: only the sign of the active counters tells. */
static int handle_plain(struct x86_cpu_pmu *cpu, struct pt_regs *regs)
{
	struct x86_hw *hw = &cpu->hw;
	bool running = hw->running;
	int handled = 0;

	if (x86_hw_overflowed(hw)) {
		x86_hw_freeze(hw);
		handled = handle_overflows(cpu, x86_hw_overflowed(hw), regs);
		x86_irq_unmask();
		if (running)
			x86_hw_resume(hw);
		cpu->late_until = jiffies + LATE_WINDOW;
		return handled;
	}
	if (!may_be_late(cpu))
		return 0;
	x86_irq_unmask();
	return 1;
}

static int handle_irq(struct pt_regs *regs)
{
	struct x86_cpu_pmu *cpu = this_cpu_ptr(&x86_cpu_pmus);
	int handled;

	if (x86_machine.layout.global_control)
		handled = handle_global(cpu, regs);
	else
		handled = handle_plain(cpu, regs);
	if (handled)
		inc_irq_stat(apic_perf_irqs);
	return handled;
}

/* The number of overflows lets the NMI code tell back-to-back NMIs from unknown ones. */
static int handle_nmi(unsigned int cmd, struct pt_regs *regs)
{
	u64 begin;
	int handled;

	if (!atomic_read(&x86_nr_events))
		return NMI_DONE;
	begin = sched_clock();
	handled = handle_irq(regs);
	if (handled)
		perf_sample_event_took(sched_clock() - begin);
	return handled;
}

NOKPROBE_SYMBOL(handle_nmi);

int __init x86_irq_init(void)
{
	int err = register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "PMI");

	if (err)
		return err;
	x86_pmu.handle_irq = handle_irq;
	static_branch_enable(&has_pmu);
	return 0;
}
