// SPDX-License-Identifier: GPL-2.0
/*
 * What the rest of the tree asks of features that are not built: debug store, branch records, processor trace.
 *
 * Concepts: the answer is that the machine has none, which every caller knows how to take.
 *
 * Contexts: said at each function.
 *
 * Locks: none.
 */
#include <linux/export.h>

#include "perf_event.h"

#include <asm/intel_pt.h>

/* Mapped into the entry area of each CPU, whether anything uses it or not. */
DEFINE_PER_CPU_PAGE_ALIGNED(struct debug_store, cpu_debug_store);

/* Resume from suspend. There is no debug store to set up again. */
void perf_restore_debug_store(void)
{
}

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
