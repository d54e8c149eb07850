// SPDX-License-Identifier: GPL-2.0
/*
 * The overflow interrupt, which is an NMI.
 *
 * Concepts: the counters of the CPU stand still from the moment the handler knows that it is meant until it
 * returns, on every machine: on those with global control by one write, on the others by their select registers; and
 * by themselves where none of them counts the kernel, or the thread beside. So the handler itself is never counted,
 * all overflows are seen at once, and a period shorter than the handler cannot keep it busy. What remains is the way
 * back to the interrupted code, which is counted if the event counts the kernel: with a period shorter than that way,
 * nothing would ever run but the handler. That is noticed, since the interrupted registers are then the same each time,
 * and the period of events that count the kernel is made longer until the interrupted code advances.
 *
 * A late NMI must be claimed, or it is reported as one of unknown reason. On Intel the overflow is still in the status
 * register then, whosever it was. On AMD each overflow interrupts, and nothing is masked meanwhile, so an NMI may find
 * that the one before has done its work: with Perfmon v2 when that one handled more than one overflow, without it
 * always. Such NMIs, and those of a counter that passed zero before its event was taken off, are claimed for
 * LATE_WINDOW.
 *
 * AMD's sampled counters that passed zero before a pause are waited for (x86_irq_wait()): once their events are off,
 * nothing can take the sample any more.
 *
 * A foreign NMI costs no register access while no counter is on, and while nothing samples one read: of the
 * status, or, where there is none, of each counter that counts.
 *
 * Contexts: NMI. x86_irq_init() at boot.
 *
 * Locks: none. See regs.c and counter.c for how the handler and the code it interrupts get along.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/sched/clock.h>

#include <asm/apic.h>
#include <asm/hardirq.h>
#include <asm/nmi.h>

#include "driver.h"

#define LATE_WINDOW	msecs_to_jiffies(100)

/* How often the status is read in one interrupt, at most; it is clear after two looks unless something is broken. */
#define MOST_LOOKS	16

/* How long a pause waits for an interrupt in flight, in microseconds. It takes less than one. */
#define MOST_WAIT_US	50

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

/* An interrupt of ours may still be on the way, and will find nothing to do. */
void x86_irq_expect(struct x86_cpu_pmu *cpu)
{
	WRITE_ONCE(cpu->late_until, jiffies + LATE_WINDOW);
}

/* AMD: the PMU is paused; the interrupts of sampled counters that passed zero before are handled on return. Not NMI. */
void x86_irq_wait(struct x86_cpu_pmu *cpu)
{
	unsigned int us;

	if (x86_machine.lvt_masked || !x86_machine.has_apic || in_nmi())
		return;
	for (us = 0; us < MOST_WAIT_US && x86_hw_overflowed(&cpu->hw, READ_ONCE(cpu->sampling)); us++)
		udelay(1);
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
		struct perf_event *event = READ_ONCE(cpu->on[__ffs64(overflowed)]);
		s64 floor = 0;
		u64 period;

		handled++;
		if (!event) {	/* if it was left on, that is over: on a plain machine it would look due at each NMI */
			x86_mask_clear(&cpu->hw.left_on, __ffs64(overflowed));
			x86_hw_silence(&cpu->hw, __ffs64(overflowed));
			continue;
		}
		if (READ_ONCE(event->hw.sample_period) < SHORT_PERIOD && (event->hw.config & X86_SEL_OS)) {
			if (!watched)
				watch_progress(cpu, regs);
			watched = true;
			floor = cpu->floor;
		}
		x86_counter_advance(event);
		period = x86_counter_reload(event, floor);
		if (!period)
			continue;
		perf_sample_data_init(&data, 0, period);
		if (perf_event_overflow(event, &data, regs)) {
			x86_stop(event, 0);
			x86_hw_silence(&cpu->hw, event->hw.idx);
		}
	}
	return handled;
}

static bool may_be_late(const struct x86_cpu_pmu *cpu)
{
	return READ_ONCE(cpu->stopping) || time_before(jiffies, READ_ONCE(cpu->late_until));
}

/*
 * Reads the status until nothing is in it: where the entry is masked, a bit that lands after the look would bring no
 * interrupt, and its counter would go on without one for its whole width.
 *
 * Counters with in_tx_cp are looked at each time: the abort that an interrupt causes puts them, and the status, back
 * to before their overflow. SDM, "Intel Transactional Synchronization Extensions", IN_TXCP.
 */
static int handle_status(struct x86_cpu_pmu *cpu, struct pt_regs *regs)
{
	unsigned int looks;
	int handled = 0;
	u64 status;

	for (looks = 0; looks < MOST_LOOKS; looks++) {
		status = x86_hw_status(&cpu->hw);
		if (!status)
			break;
		handled += handle_overflows(cpu, status | cpu->checkpointed, regs);
		x86_hw_ack(&cpu->hw, status);
	}
	return handled;
}

/* AMD Perfmon v2: see the top of the file. */
static int claim_late(struct x86_cpu_pmu *cpu, int handled)
{
	if (handled > 1)
		x86_irq_expect(cpu);
	return !handled && may_be_late(cpu) ? 1 : handled;
}

/* Machines with global control and status */
static int handle_global(struct x86_cpu_pmu *cpu, struct pt_regs *regs)
{
	struct x86_hw *hw = &cpu->hw;
	bool running = READ_ONCE(hw->running);
	int handled = 0;

	if (!cpu->sampling && !(hw->active | hw->left_on) && !may_be_late(cpu))
		return 0;
	if (cpu->sampling || x86_hw_status(hw)) {
		x86_hw_freeze(hw);
		handled = handle_status(cpu, regs);
		/* After the counters were set anew, before they run: no overflow is missed, none is seen twice. */
		if (x86_machine.lvt_masked)
			x86_irq_unmask();
		if (running)
			x86_hw_resume(hw);
	} else if (x86_machine.lvt_masked) {
		x86_irq_unmask();
	}
	return x86_machine.lvt_masked ? handled : claim_late(cpu, handled);
}

/* Machines without: only the sign of the active counters tells. */
static int handle_plain(struct x86_cpu_pmu *cpu, struct pt_regs *regs)
{
	struct x86_hw *hw = &cpu->hw;
	bool running = READ_ONCE(hw->running);
	u64 on = hw->active | hw->left_on;
	int handled = 0;

	if (x86_hw_overflowed(hw, on)) {
		x86_hw_freeze(hw);
		handled = handle_overflows(cpu, x86_hw_overflowed(hw, on), regs);
		x86_irq_unmask();
		if (running)
			x86_hw_resume(hw);
		x86_irq_expect(cpu);
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
