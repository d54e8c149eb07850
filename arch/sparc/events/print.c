// SPDX-License-Identifier: GPL-2.0
/*
 * The state of a CPU's counters in the kernel's log, for who debugs.
 *
 * Contexts: SysRq p: any but NMI.
 *
 * Locks: none; IRQs are off meanwhile.
 */
#include <linux/printk.h>

#include "driver.h"

/* SysRq p: what this CPU's control registers and counters hold. */
void perf_event_print_debug(void)
{
	const struct sparc_layout *layout;
	struct sparc_cpu_pmu *cpu;
	unsigned long flags;
	unsigned int nr;

	if (!sparc_machine.family)
		return;
	layout = sparc_machine.family->layout;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&sparc_cpu_pmus);
	pr_info("PMU of CPU %d: %s, active %x, %u events\n", smp_processor_id(), cpu->hw.running ? "running" : "paused",
		cpu->hw.active, cpu->nr);
	for (nr = 0; nr < layout->pcrs; nr++)
		pr_info("PCR %u: %016llx PIC %016llx\n", nr, sparc_regs->read_pcr(nr), sparc_regs->read_pic(nr));
	local_irq_restore(flags);
}
