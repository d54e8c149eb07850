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

/* SysRq p: what this CPU's counters hold. */
void perf_event_print_debug(void)
{
	const struct x86_layout *layout = &x86_machine.layout;
	struct x86_cpu_pmu *cpu;
	unsigned long flags;
	u64 rest;

	if (!x86_machine.vendor)
		return;
	local_irq_save(flags);
	cpu = this_cpu_ptr(&x86_cpu_pmus);
	pr_info("PMU of CPU %d: %s, active %016llx, left on %016llx, sampling %016llx, %u events\n", smp_processor_id(),
		cpu->hw.running ? "running" : "paused", cpu->hw.active, cpu->hw.left_on, cpu->sampling, cpu->nr);
	if (layout->global_control)
		pr_info("global control %016llx status %016llx\n", x86_reg_read(layout->global_control),
			x86_hw_status(&cpu->hw));
	for (rest = layout->shape.general | layout->shape.fixed; rest; rest &= rest - 1) {
		unsigned int idx = __ffs64(rest);

		pr_info("counter %u: select %016llx count %016llx\n", idx,
			idx < X86_FIXED_FIRST ? cpu->hw.select[idx] : cpu->hw.fixed, x86_hw_count(idx));
	}
	local_irq_restore(flags);
}
