// SPDX-License-Identifier: GPL-2.0
/*
 * What the rest of the tree calls in this directory: KVM, uncore drivers, resctrl, suspend, the debug store's
 * mapping.
 *
 * Concepts: where a feature is not built (debug store, branch records, processor trace), the answer here is that the
 * machine has none, which every caller knows how to take.
 *
 * Contexts: said at each function.
 *
 * Locks: none.
 */
#include <linux/export.h>
#include <linux/nospec.h>

#include "driver.h"

#include <asm/intel_pt.h>

/* Mapped into the entry area of each CPU, whether anything uses it or not. */
DEFINE_PER_CPU_PAGE_ALIGNED(struct debug_store, cpu_debug_store);

/* Resume from suspend. There is no debug store to set up again. */
void perf_restore_debug_store(void)
{
}

/* ---- uncore ----------------------------------------------------------------------------------------------------- */

/*
 * @wmin, @wmax and @gpmax would bound the search; all arrangements are tried anyway, among what the masks allow.
 * IRQs off or task context.
 */
int perf_assign_events(struct event_constraint **constraints, int n, int wmin, int wmax, int gpmax, int *assign)
{
	struct x86_want wants[X86_COUNTERS];
	int i;

	if (n > X86_COUNTERS)
		return n - X86_COUNTERS;
	for (i = 0; i < n; i++)
		wants[i] = (struct x86_want){ .counters = constraints[i]->idxmsk64, .had = -1 };
	if (!x86_assign(wants, n, ~X86_GENERAL_MASK))
		return 1;
	for (i = 0; assign && i < n; i++)
		assign[i] = wants[i].got;
	return 0;
}
EXPORT_SYMBOL_GPL(perf_assign_events);

/* ---- KVM -------------------------------------------------------------------------------------------------------- */

/* What a guest's PMU can be made of. Task context. */
void perf_get_x86_pmu_capability(struct x86_pmu_capability *cap)
{
	const struct x86_layout *layout = &x86_machine.layout;

	*cap = (struct x86_pmu_capability){ };
	if (!x86_machine.vendor)
		return;
	cap->version = x86_machine.version;
	cap->num_counters_gp = hweight64(layout->shape.general);
	cap->bit_width_gp = layout->width;
	cap->num_counters_fixed = fls64(layout->shape.fixed) ? fls64(layout->shape.fixed) - X86_FIXED_FIRST : 0;
	cap->bit_width_fixed = layout->width;
	cap->events_mask = x86_machine.cpuid_ebx;
	cap->events_mask_len = x86_machine.cpuid_events;
}
EXPORT_SYMBOL_GPL(perf_get_x86_pmu_capability);

/* The code of a generic event, 0 if there is none. Any context. */
u64 perf_get_hw_event_config(int hw_event)
{
	if (hw_event < 0 || hw_event >= PERF_COUNT_HW_MAX || !x86_machine.vendor)
		return 0;
	return x86_generic_code(array_index_nospec(hw_event, PERF_COUNT_HW_MAX));
}
EXPORT_SYMBOL_GPL(perf_get_hw_event_config);

/* The registers that hold something else while a guest runs. IRQs off, before the guest is entered. */
struct perf_guest_switch_msr *perf_guest_get_msrs(int *nr, void *data)
{
	static DEFINE_PER_CPU(struct perf_guest_switch_msr, global_switch);
	struct perf_guest_switch_msr *msr = this_cpu_ptr(&global_switch);
	struct x86_hw *hw = &this_cpu_ptr(&x86_cpu_pmus)->hw;

	lockdep_assert_irqs_disabled();
	*nr = 0;
	if (!x86_machine.vendor || !x86_machine.intel || !x86_machine.layout.global_control)
		return NULL;
	x86_hw_guest(hw);
	msr->msr = x86_machine.layout.global_control;
	msr->host = hw->active & ~hw->guest_only;
	msr->guest = hw->active & ~hw->host_only;
	*nr = 1;
	return msr;
}
EXPORT_SYMBOL_GPL(perf_guest_get_msrs);

#ifdef CONFIG_CPU_SUP_INTEL
/* Branch records: none. */
void x86_perf_get_lbr(struct x86_pmu_lbr *lbr)
{
	*lbr = (struct x86_pmu_lbr){ };
}
EXPORT_SYMBOL_GPL(x86_perf_get_lbr);

/* Processor trace: none. */
u32 intel_pt_validate_cap(u32 *caps, enum pt_capabilities cap)
{
	return 0;
}
EXPORT_SYMBOL_GPL(intel_pt_validate_cap);

u32 intel_pt_validate_hw_cap(enum pt_capabilities cap)
{
	return 0;
}
EXPORT_SYMBOL_GPL(intel_pt_validate_hw_cap);

int is_intel_pt_event(struct perf_event *event)
{
	return 0;
}

void intel_pt_handle_vmx(int on)
{
}
EXPORT_SYMBOL_GPL(intel_pt_handle_vmx);

void cpu_emergency_stop_pt(void)
{
}
#endif

#ifdef CONFIG_CPU_SUP_AMD
/* APM: the host-only and guest-only bits of select registers are for when SVM is on; else such events count nothing. */
static void set_virt(u64 clear)
{
	struct x86_hw *hw = &this_cpu_ptr(&x86_cpu_pmus)->hw;
	unsigned long flags;

	if (!x86_machine.vendor || x86_machine.intel)
		return;
	local_irq_save(flags);
	hw->select_clear = clear;
	x86_hw_rewrite(hw);
	local_irq_restore(flags);
}

/* SVM has been enabled on this CPU. */
void amd_pmu_enable_virt(void)
{
	set_virt(0);
}
EXPORT_SYMBOL_GPL(amd_pmu_enable_virt);

/* SVM is about to be disabled on this CPU. */
void amd_pmu_disable_virt(void)
{
	set_virt(X86_SEL_HOST_ONLY);
}
EXPORT_SYMBOL_GPL(amd_pmu_disable_virt);
#endif

/* ---- diagnosis -------------------------------------------------------------------------------------------------- */

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
	pr_info("PMU of CPU %d: %s, active %016llx, sampling %016llx, %u events\n", smp_processor_id(),
		cpu->hw.running ? "running" : "paused", cpu->hw.active, cpu->sampling, cpu->nr);
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
