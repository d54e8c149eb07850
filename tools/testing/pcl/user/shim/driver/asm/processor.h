/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for what arch/x86/events/detect.c knows of processors: CPUID, models, numbers of registers.
 */
#ifndef PCL_SHIM_DRIVER_PROCESSOR_H
#define PCL_SHIM_DRIVER_PROCESSOR_H

#include <linux/perf_event.h>

/* The test chooses a machine for the driver; what CPUID makes of one goes by another name. */
#define x86_detect	x86_detect_by_cpuid

enum { X86_VENDOR_INTEL, X86_VENDOR_AMD = 2, X86_VENDOR_HYGON = 9, X86_VENDOR_OTHER = 1 };

struct shim_processor {
	u8 x86, x86_vendor, x86_model;
};

extern struct shim_processor boot_cpu_data;
void shim_cpuid(unsigned int leaf, unsigned int *eax, unsigned int *ebx, unsigned int *ecx, unsigned int *edx);
#define cpuid(leaf, a, b, c, d)		shim_cpuid(leaf, a, b, c, d)

static inline unsigned int cpuid_ebx(unsigned int leaf)
{
	unsigned int eax, ebx, ecx, edx;

	shim_cpuid(leaf, &eax, &ebx, &ecx, &edx);
	return ebx;
}

/* SDM volume 2, CPUID leaf 0xa */
union cpuid10_eax {
	struct {
		unsigned int version_id : 8, num_counters : 8, bit_width : 8, mask_length : 8;
	} split;
	unsigned int full;
};

union cpuid10_edx {
	struct {
		unsigned int num_counters_fixed : 5, bit_width_fixed : 8, reserved1 : 2, anythread_deprecated : 1,
			     reserved2 : 16;
	} split;
	unsigned int full;
};

/* PPR, CPUID leaf 0x80000022 */
union cpuid_0x80000022_ebx {
	struct {
		unsigned int num_core_pmc : 4, reserved : 28;
	} split;
	unsigned int full;
};

#define ARCH_PERFMON_EVENTS_COUNT	7
#define EXT_PERFMON_DEBUG_FEATURES	0x80000022
#define AMD64_NUM_COUNTERS		4
#define AMD64_NUM_COUNTERS_CORE		6

#define MSR_ARCH_PERFMON_PERFCTR0	0xc1
#define MSR_TSX_FORCE_ABORT		0x10f
#define MSR_ARCH_PERFMON_EVENTSEL0	0x186
#define MSR_ARCH_PERFMON_FIXED_CTR0	0x309
#define MSR_IA32_PERF_CAPABILITIES	0x345
#define MSR_ARCH_PERFMON_FIXED_CTR_CTRL	0x38d
#define MSR_CORE_PERF_GLOBAL_STATUS	0x38e
#define MSR_CORE_PERF_GLOBAL_CTRL	0x38f
#define MSR_CORE_PERF_GLOBAL_OVF_CTRL	0x390
#define MSR_IA32_PEBS_ENABLE		0x3f1
#define MSR_IA32_PMC0			0x4c1
#define MSR_K7_EVNTSEL0			0xc0010000
#define MSR_K7_PERFCTR0			0xc0010004
#define MSR_F15H_PERF_CTL		0xc0010200
#define MSR_F15H_PERF_CTR		0xc0010201
#define MSR_AMD64_IBSFETCHCTL		0xc0011030
#define MSR_AMD64_IBSOPCTL		0xc0011033
#define MSR_AMD64_PERF_CNTR_GLOBAL_STATUS	0xc0000300
#define MSR_AMD64_PERF_CNTR_GLOBAL_CTL		0xc0000301
#define MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR	0xc0000302

static inline int rdmsrl_safe(u32 reg, u64 *value)
{
	*value = 0;
	return -EIO;
}

/* SDM volume 4, "CPUID Signature Values": models of family 6 */
#define INTEL_FAM6_CORE_YONAH			0x0e
#define INTEL_FAM6_CORE2_MEROM			0x0f
#define INTEL_FAM6_CORE2_MEROM_L		0x16
#define INTEL_FAM6_CORE2_PENRYN			0x17
#define INTEL_FAM6_CORE2_DUNNINGTON		0x1d
#define INTEL_FAM6_NEHALEM			0x1e
#define INTEL_FAM6_NEHALEM_EP			0x1a
#define INTEL_FAM6_NEHALEM_EX			0x2e
#define INTEL_FAM6_WESTMERE			0x25
#define INTEL_FAM6_WESTMERE_EP			0x2c
#define INTEL_FAM6_WESTMERE_EX			0x2f
#define INTEL_FAM6_SANDYBRIDGE			0x2a
#define INTEL_FAM6_SANDYBRIDGE_X		0x2d
#define INTEL_FAM6_IVYBRIDGE			0x3a
#define INTEL_FAM6_IVYBRIDGE_X			0x3e
#define INTEL_FAM6_HASWELL			0x3c
#define INTEL_FAM6_HASWELL_X			0x3f
#define INTEL_FAM6_HASWELL_L			0x45
#define INTEL_FAM6_HASWELL_G			0x46
#define INTEL_FAM6_BROADWELL			0x3d
#define INTEL_FAM6_BROADWELL_G			0x47
#define INTEL_FAM6_BROADWELL_X			0x4f
#define INTEL_FAM6_BROADWELL_D			0x56
#define INTEL_FAM6_SKYLAKE_L			0x4e
#define INTEL_FAM6_SKYLAKE			0x5e
#define INTEL_FAM6_SKYLAKE_X			0x55
#define INTEL_FAM6_KABYLAKE_L			0x8e
#define INTEL_FAM6_KABYLAKE			0x9e
#define INTEL_FAM6_COMETLAKE			0xa5
#define INTEL_FAM6_COMETLAKE_L			0xa6
#define INTEL_FAM6_ICELAKE_X			0x6a
#define INTEL_FAM6_ICELAKE_D			0x6c
#define INTEL_FAM6_ICELAKE			0x7d
#define INTEL_FAM6_ICELAKE_L			0x7e
#define INTEL_FAM6_ROCKETLAKE			0xa7
#define INTEL_FAM6_TIGERLAKE_L			0x8c
#define INTEL_FAM6_TIGERLAKE			0x8d
#define INTEL_FAM6_SAPPHIRERAPIDS_X		0x8f
#define INTEL_FAM6_EMERALDRAPIDS_X		0xcf
#define INTEL_FAM6_ATOM_BONNELL			0x1c
#define INTEL_FAM6_ATOM_BONNELL_MID		0x26
#define INTEL_FAM6_ATOM_SALTWELL		0x36
#define INTEL_FAM6_ATOM_SALTWELL_MID		0x27
#define INTEL_FAM6_ATOM_SALTWELL_TABLET		0x35
#define INTEL_FAM6_ATOM_SILVERMONT		0x37
#define INTEL_FAM6_ATOM_SILVERMONT_D		0x4d
#define INTEL_FAM6_ATOM_SILVERMONT_MID		0x4a
#define INTEL_FAM6_ATOM_AIRMONT			0x4c
#define INTEL_FAM6_ATOM_AIRMONT_MID		0x5a
#define INTEL_FAM6_ATOM_GOLDMONT		0x5c
#define INTEL_FAM6_ATOM_GOLDMONT_D		0x5f
#define INTEL_FAM6_ATOM_GOLDMONT_PLUS		0x7a
#define INTEL_FAM6_ATOM_TREMONT_D		0x86
#define INTEL_FAM6_ATOM_TREMONT			0x96
#define INTEL_FAM6_ATOM_TREMONT_L		0x9c
#define INTEL_FAM6_ALDERLAKE_N			0xbe
#define INTEL_FAM6_XEON_PHI_KNL			0x57
#define INTEL_FAM6_XEON_PHI_KNM			0x85

#endif
