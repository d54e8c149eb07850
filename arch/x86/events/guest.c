// SPDX-License-Identifier: GPL-2.0
/*
 * Guests: what KVM asks about the counters, and says about its guests.
 *
 * Concepts: a guest's own counters are events that KVM opens. What counts in the host alone, or in guests alone, is
 * told apart by global control, which the processor switches (Intel), or by bits of the select registers (AMD).
 *
 * Contexts: said at each function.
 *
 * Locks: none.
 */
#include <linux/export.h>
#include <linux/nospec.h>

#include "driver.h"

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
	if (x86_machine.has_virt || !x86_machine.layout.global_control)
		return NULL;
	x86_hw_guest(hw);
	msr->msr = x86_machine.layout.global_control;
	msr->host = (hw->active & ~hw->guest_only) | hw->left_on;
	msr->guest = (hw->active & ~hw->host_only) | hw->left_on;	/* so that nothing is switched for these */
	*nr = 1;
	return msr;
}
EXPORT_SYMBOL_GPL(perf_guest_get_msrs);

#ifdef CONFIG_CPU_SUP_AMD
/* APM: the host-only and guest-only bits of select registers are for when SVM is on; else such events count nothing. */
static void set_virt(u64 clear)
{
	struct x86_hw *hw = &this_cpu_ptr(&x86_cpu_pmus)->hw;
	unsigned long flags;

	if (!x86_machine.has_virt)
		return;
	local_irq_save(flags);
	x86_left_stop();
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
