// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU comes up: on each CPU its registers and its interrupt, in the kernel the driver.
 *
 * Concepts: a CPU begins with psr.pp 0, and code of the kernel has what it got from whom it was switched to from, so
 * the gate is opened before the first switch (user.c).
 *
 * CR.PMV holds the vector of the overflow interrupt, and a bit that masks it. cpu_init() masks it, on the boot CPU
 * long before the PMU is known, on others right before ia64_pmu_cpu_init() unmasks it.
 *
 * Contexts: boot; CPUs that come up, with IRQs off; the interrupt.
 *
 * Locks: none.
 */
#include <linux/init.h>
#include <linux/interrupt.h>

#include <asm/hw_irq.h>
#include <asm/intrinsics.h>
#include <asm/irq_regs.h>
#include <asm/kregs.h>
#include <asm/perf_event.h>

#include "driver.h"
#include "../kernel/irq.h"

static irqreturn_t pmv_interrupt(int irq, void *data)
{
	struct pt_regs *regs = get_irq_regs();

	/* A CPU that goes takes what is pending without registers; nothing here counts any more. */
	if (regs)
		ia64_irq_handle(regs);
	return IRQ_HANDLED;
}

/* The kernel's gate is open on this CPU; its counters are off, and will interrupt. */
void ia64_pmu_cpu_init(void)
{
	ia64_ssm(IA64_PSR_PP);
	ia64_srlz_d();
	if (!ia64_machine.family)
		return;
	ia64_cpu_prepare();
	ia64_setreg(_IA64_REG_CR_PMV, IA64_PERFMON_VECTOR);
	ia64_srlz_d();
}

static int __init ia64_events_init(void)
{
	int err = ia64_pmu_init(ia64_get_cpuid(3));

	/* CPUs that come later must not be set up for a PMU that the engine has not. */
	if (err)
		ia64_machine.family = NULL;
	if (!ia64_machine.family)
		return err;
	ia64_sysfs_init();
	register_percpu_irq(IA64_PERFMON_VECTOR, pmv_interrupt, IRQF_PERCPU, "perfmon");
	local_irq_disable();
	ia64_pmu_cpu_init();
	local_irq_enable();
	return 0;
}
early_initcall(ia64_events_init);
