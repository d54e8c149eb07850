// SPDX-License-Identifier: GPL-2.0
/*
 * Which PMU this machine has: the one place that asks for vendor and model.
 *
 * Concepts: Intel describes its counters in CPUID leaf 0xa; the model selects the tables of events, and a model
 * that is not known has those that the architecture defines. AMD's registers follow from feature bits, the tables
 * from the family. The result is x86_machine. Registers are tried before they are trusted: trial.c.
 *
 * Contexts: boot, on the boot CPU.
 *
 * Locks: none.
 */
#include <asm/cpufeature.h>
#include <asm/hypervisor.h>
#include <asm/intel-family.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "driver.h"

struct model {
	u8 model;
	const struct x86_family *family;
};

/* Family 6 */
static const struct model intel_models[] __initconst = {
	{ INTEL_FAM6_CORE_YONAH, &x86_core },
	{ INTEL_FAM6_CORE2_MEROM, &x86_core2 }, { INTEL_FAM6_CORE2_MEROM_L, &x86_core2 },
	{ INTEL_FAM6_CORE2_PENRYN, &x86_core2 }, { INTEL_FAM6_CORE2_DUNNINGTON, &x86_core2 },
	{ INTEL_FAM6_NEHALEM, &x86_nehalem }, { INTEL_FAM6_NEHALEM_EP, &x86_nehalem },
	{ INTEL_FAM6_NEHALEM_EX, &x86_nehalem },
	{ INTEL_FAM6_WESTMERE, &x86_westmere }, { INTEL_FAM6_WESTMERE_EP, &x86_westmere },
	{ INTEL_FAM6_WESTMERE_EX, &x86_westmere },
	{ INTEL_FAM6_SANDYBRIDGE, &x86_sandybridge }, { INTEL_FAM6_SANDYBRIDGE_X, &x86_sandybridge_x },
	{ INTEL_FAM6_IVYBRIDGE, &x86_ivybridge }, { INTEL_FAM6_IVYBRIDGE_X, &x86_ivybridge_x },
	{ INTEL_FAM6_HASWELL, &x86_haswell }, { INTEL_FAM6_HASWELL_X, &x86_haswell },
	{ INTEL_FAM6_HASWELL_L, &x86_haswell }, { INTEL_FAM6_HASWELL_G, &x86_haswell },
	{ INTEL_FAM6_BROADWELL, &x86_broadwell }, { INTEL_FAM6_BROADWELL_D, &x86_broadwell },
	{ INTEL_FAM6_BROADWELL_G, &x86_broadwell }, { INTEL_FAM6_BROADWELL_X, &x86_broadwell },
	{ INTEL_FAM6_SKYLAKE, &x86_skylake }, { INTEL_FAM6_SKYLAKE_L, &x86_skylake },
	{ INTEL_FAM6_SKYLAKE_X, &x86_skylake },
	{ INTEL_FAM6_KABYLAKE, &x86_skylake }, { INTEL_FAM6_KABYLAKE_L, &x86_skylake },
	{ INTEL_FAM6_COMETLAKE, &x86_skylake }, { INTEL_FAM6_COMETLAKE_L, &x86_skylake },
	{ INTEL_FAM6_ICELAKE, &x86_icelake }, { INTEL_FAM6_ICELAKE_L, &x86_icelake },
	{ INTEL_FAM6_ICELAKE_X, &x86_icelake }, { INTEL_FAM6_ICELAKE_D, &x86_icelake },
	{ INTEL_FAM6_TIGERLAKE, &x86_icelake }, { INTEL_FAM6_TIGERLAKE_L, &x86_icelake },
	{ INTEL_FAM6_ROCKETLAKE, &x86_icelake },
	{ INTEL_FAM6_SAPPHIRERAPIDS_X, &x86_sapphirerapids }, { INTEL_FAM6_EMERALDRAPIDS_X, &x86_sapphirerapids },
	{ INTEL_FAM6_ATOM_BONNELL, &x86_bonnell }, { INTEL_FAM6_ATOM_BONNELL_MID, &x86_bonnell },
	{ INTEL_FAM6_ATOM_SALTWELL, &x86_bonnell }, { INTEL_FAM6_ATOM_SALTWELL_MID, &x86_bonnell },
	{ INTEL_FAM6_ATOM_SALTWELL_TABLET, &x86_bonnell },
	{ INTEL_FAM6_ATOM_SILVERMONT, &x86_silvermont }, { INTEL_FAM6_ATOM_SILVERMONT_D, &x86_silvermont },
	{ INTEL_FAM6_ATOM_SILVERMONT_MID, &x86_silvermont },
	{ INTEL_FAM6_ATOM_AIRMONT, &x86_silvermont }, { INTEL_FAM6_ATOM_AIRMONT_MID, &x86_silvermont },
	{ INTEL_FAM6_ATOM_GOLDMONT, &x86_goldmont }, { INTEL_FAM6_ATOM_GOLDMONT_D, &x86_goldmont },
	{ INTEL_FAM6_ATOM_GOLDMONT_PLUS, &x86_goldmont_plus },
	{ INTEL_FAM6_ATOM_TREMONT, &x86_tremont }, { INTEL_FAM6_ATOM_TREMONT_D, &x86_tremont },
	{ INTEL_FAM6_ATOM_TREMONT_L, &x86_tremont },
	{ INTEL_FAM6_ALDERLAKE_N, &x86_gracemont },
	{ INTEL_FAM6_XEON_PHI_KNL, &x86_knights }, { INTEL_FAM6_XEON_PHI_KNM, &x86_knights },
};

static const struct x86_family *__init intel_family(int version)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(intel_models) && boot_cpu_data.x86 == 6; i++) {
		if (intel_models[i].model == boot_cpu_data.x86_model)
			return intel_models[i].family;
	}
	if (version < 2)
		return &x86_intel_v1;
	return version < 5 ? &x86_intel_arch : &x86_intel_arch_v5;
}

/* CPUID 0xa EBX: a set bit says that the event is not there. */
static u64 __init intel_absent_events(unsigned int ebx)
{
	static const u8 events[] = {
		PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BUS_CYCLES,
		PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES,
		PERF_COUNT_HW_BRANCH_INSTRUCTIONS, PERF_COUNT_HW_BRANCH_MISSES,
	};
	u64 absent = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		if (ebx & BIT(i))
			absent |= BIT_ULL(events[i]);
	}
	return absent;
}

/* SDM, "Architectural Performance Monitoring": versions 1 to 5 */
static void __init intel_layout(struct x86_layout *layout, union cpuid10_eax eax, u32 fixed, union cpuid10_edx edx)
{
	int version = eax.split.version_id;
	unsigned int nr = min_t(unsigned int, eax.split.num_counters, X86_FIXED_FIRST);

	layout->select = MSR_ARCH_PERFMON_EVENTSEL0;
	layout->count = MSR_ARCH_PERFMON_PERFCTR0;
	layout->stride = 1;
	layout->width = eax.split.bit_width;
	layout->shape.general = BIT_ULL(nr) - 1;
	if (version < 2)
		return;

	layout->global_control = MSR_CORE_PERF_GLOBAL_CTRL;
	layout->global_status = MSR_CORE_PERF_GLOBAL_STATUS;
	layout->global_ack = MSR_CORE_PERF_GLOBAL_OVF_CTRL;
	layout->fixed_control = MSR_ARCH_PERFMON_FIXED_CTR_CTRL;
	layout->fixed_count = MSR_ARCH_PERFMON_FIXED_CTR0;
	layout->fixed_any = version > 2;
	layout->debugctl = MSR_IA32_DEBUGCTLMSR;
	layout->pebs_enable = boot_cpu_has(X86_FEATURE_PEBS) ? MSR_IA32_PEBS_ENABLE : 0;
	/* Before version 5 their number counts; bare processors of version 2 may say none and have three. */
	if (version < 5) {
		nr = edx.split.num_counters_fixed;
		if (nr < 3 && !boot_cpu_has(X86_FEATURE_HYPERVISOR))
			nr = 3;
		fixed = BIT(nr) - 1;
	}
	layout->shape.fixed = (u64)(fixed & 0xffff) << X86_FIXED_FIRST;
}

/* Counters that may be written at full width, at addresses of their own. SDM, IA32_PERF_CAPABILITIES.FW_WRITE */
static bool __init intel_full_width(void)
{
	u64 capabilities;

	return boot_cpu_has(X86_FEATURE_PDCM) && !rdmsrl_safe(MSR_IA32_PERF_CAPABILITIES, &capabilities) &&
	       (capabilities & BIT(13));
}

/* Erratum AAJ80: branch misses are said to be absent; BR_MISP_EXEC.ANY (7f89) comes near. See x86_generic_code(). */
static void __init intel_branch_misses(struct x86_machine *machine)
{
	if (!(machine->family->has & X86_BRANCH_MISS_BROKEN) || !(machine->cpuid_ebx & BIT(6)))
		return;
	machine->cpuid_ebx &= ~BIT(6);
	machine->absent_events &= ~BIT_ULL(PERF_COUNT_HW_BRANCH_MISSES);
	machine->branch_misses = 0x7f89;
	pr_info("CPU erratum AAJ80 worked around\n");
}

static bool __init detect_intel(struct x86_machine *machine)
{
	union cpuid10_eax eax;
	union cpuid10_edx edx;
	unsigned int ebx, fixed;

	/* Two kinds of core, two PMUs: not built. */
	if (!boot_cpu_has(X86_FEATURE_ARCH_PERFMON) || boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return false;
	cpuid(10, &eax.full, &ebx, &fixed, &edx.full);
	if (!eax.split.version_id || eax.split.mask_length < ARCH_PERFMON_EVENTS_COUNT)
		return false;

	machine->vendor = "Intel";
	machine->version = eax.split.version_id;
	machine->family = intel_family(machine->version);
	machine->pmu_name = machine->family->name;
	machine->generic = x86_intel_generic;
	machine->cpuid_ebx = ebx;
	machine->cpuid_events = eax.split.mask_length;
	machine->absent_events = intel_absent_events(ebx);
	intel_layout(&machine->layout, eax, fixed, edx);
	if (boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT) && !boot_cpu_has(X86_FEATURE_RTM_ALWAYS_ABORT))
		machine->layout.force_abort = MSR_TSX_FORCE_ABORT;
	machine->select_mask = X86_SEL_CODE | X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK;
	machine->has_any = machine->version >= 3 && !(machine->version >= 5 && edx.split.anythread_deprecated);
	machine->select_refused = machine->has_any ? 0 : X86_SEL_ANY;
	machine->has_pin = true;
	machine->has_branch_trace = true;
	machine->has_precise_aux = machine->version >= 2;
	machine->has_smm_freeze = machine->version >= 2;
	machine->lvt_masked = true;
	machine->has_tx = (machine->family->has & X86_HAS_TX) &&
			  (boot_cpu_has(X86_FEATURE_RTM) || boot_cpu_has(X86_FEATURE_HLE));

	/* A write to the old addresses sets the low 32 bits and sign-extends them. */
	machine->max_period = BIT_ULL(31) - 1;
	if (intel_full_width()) {
		machine->layout.count = MSR_IA32_PMC0;
		machine->max_period = x86_layout_mask(&machine->layout) >> 1;
		machine->notes = "full-width counters, ";
	}
	return true;
}

/* APM volume 2, "Performance-Monitoring Counters": four counters, six where there are core extensions, Perfmon v2 */
static bool __init detect_amd(struct x86_machine *machine)
{
	struct x86_layout *layout = &machine->layout;
	unsigned int nr = AMD64_NUM_COUNTERS, family = boot_cpu_data.x86;

	if (family < 6)
		return false;
	machine->vendor = boot_cpu_data.x86_vendor == X86_VENDOR_HYGON ? "HYGON" : "AMD";
	machine->family = &x86_k7;
	machine->generic = family >= 0x17 ? x86_zen_generic : x86_amd_generic;
	machine->select_mask = X86_SEL_CODE | X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK | X86_SEL_AMD_EVENT_HIGH;
	machine->max_period = BIT_ULL(47) - 1;
	machine->has_virt = true;
	if (boot_cpu_has(X86_FEATURE_IBS)) {
		layout->ibs_fetch = MSR_AMD64_IBSFETCHCTL;
		layout->ibs_op = MSR_AMD64_IBSOPCTL;
		layout->ibs_erratum_420 = family == 0x10;
	}
	layout->width = 48;
	layout->select = MSR_K7_EVNTSEL0;
	layout->count = MSR_K7_PERFCTR0;
	layout->stride = 1;

	if (boot_cpu_has(X86_FEATURE_PERFCTR_CORE)) {
		layout->select = MSR_F15H_PERF_CTL;
		layout->count = MSR_F15H_PERF_CTR;
		layout->stride = 2;
		nr = AMD64_NUM_COUNTERS_CORE;
		machine->family = family >= 0x17 ? &x86_zen : family == 0x15 ? &x86_fam15h : &x86_fam16h;
		machine->notes = "core perfctr, ";
	} else if (family >= 0x17) {
		machine->family = &x86_zen;
	}
	if (boot_cpu_has(X86_FEATURE_PERFCTR_CORE) && boot_cpu_has(X86_FEATURE_PERFMON_V2)) {
		union cpuid_0x80000022_ebx ebx = { .full = cpuid_ebx(EXT_PERFMON_DEBUG_FEATURES) };

		nr = ebx.split.num_core_pmc;
		machine->version = 2;
		layout->global_control = MSR_AMD64_PERF_CNTR_GLOBAL_CTL;
		layout->global_status = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS;
		layout->global_ack = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR;
	}
	layout->shape.general = BIT_ULL(nr) - 1;
	return true;
}

static void __init say_what_is_absent(const struct x86_machine *machine)
{
	u64 rest;

	for (rest = machine->absent_events; rest; rest &= rest - 1)
		pr_info("CPUID says that generic event %u is absent\n", (unsigned int)__ffs64(rest));
}

/* Fills x86_machine; false: no PMU that we know and that works. */
bool __init x86_detect(void)
{
	const char *trouble = "no PMU driver";
	bool found = false;

	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		found = detect_intel(&x86_machine);
		break;
	case X86_VENDOR_AMD:
	case X86_VENDOR_HYGON:
		found = detect_amd(&x86_machine);
		break;
	}
	if (found && !x86_counters_work(&x86_machine.layout)) {
		trouble = boot_cpu_has(X86_FEATURE_HYPERVISOR) ? "PMU not available due to virtualization" :
								 "broken PMU hardware detected";
		found = false;
	}
	if (!found) {
		x86_machine = (struct x86_machine){ };
		pr_info("Performance Events: %s, software events only.\n", trouble);
		return false;
	}
	pr_info("Performance Events: %s%s%s PMU driver.\n", x86_machine.family->title, x86_machine.notes ?: "",
		x86_machine.vendor);
	x86_check_firmware(&x86_machine.layout);
	intel_branch_misses(&x86_machine);
	say_what_is_absent(&x86_machine);
	return true;
}
