/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: what CPUID says, and registers that do not do what it says.
 */
#ifndef PCL_USER_DRIVER_DETECT_H
#define PCL_USER_DRIVER_DETECT_H

#include "driver_events.h"

#include <asm/processor.h>
#undef x86_detect

struct shim_processor boot_cpu_data;
static struct {
	union cpuid10_eax eax;
	unsigned int ebx, ecx;
	union cpuid10_edx edx;
} leaf_a;

void shim_cpuid(unsigned int leaf, unsigned int *eax, unsigned int *ebx, unsigned int *ecx, unsigned int *edx)
{
	*eax = *ebx = *ecx = *edx = 0;
	if (leaf == EXT_PERFMON_DEBUG_FEATURES)
		*ebx = 6;
	if (leaf != 10)
		return;
	*eax = leaf_a.eax.full;
	*ebx = leaf_a.ebx;
	*ecx = leaf_a.ecx;
	*edx = leaf_a.edx.full;
}

static const struct x86_machine no_machine;

static void be_intel(u8 number)
{
	reset();
	by_cpuid = true;
	features = BIT_ULL(X86_FEATURE_ARCH_PERFMON);
	boot_cpu_data = (struct shim_processor){ .x86 = 6, .x86_vendor = X86_VENDOR_INTEL, .x86_model = number };
	memset(&leaf_a, 0, sizeof(leaf_a));
	leaf_a.eax.split.version_id = 4;
	leaf_a.eax.split.num_counters = 4;
	leaf_a.eax.split.bit_width = 48;
	leaf_a.eax.split.mask_length = 7;
	leaf_a.edx.split.num_counters_fixed = 3;
	leaf_a.edx.split.bit_width_fixed = 48;
}

static void be_amd(u64 has)
{
	reset();
	by_cpuid = true;
	features = BIT_ULL(X86_FEATURE_PERFCTR_CORE) | has;
	boot_cpu_data = (struct shim_processor){ .x86 = 0x19, .x86_vendor = X86_VENDOR_AMD };
}

static int open_generic(unsigned int id, struct perf_event *event)
{
	memset(event, 0, sizeof(*event));
	event->pmu = &x86_core_pmu;
	event->group_leader = event;
	INIT_LIST_HEAD(&event->sibling_list);
	event->attr.type = PERF_TYPE_HARDWARE;
	event->attr.config = id;
	return x86_core_pmu.event_init(event);
}

/* CPUID leaf 0xa, EBX: SDM volume 2 says which bit is which event's. */
static void events_that_cpuid_denies_are_refused(void)
{
	static const u8 ids[] = {
		PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_BUS_CYCLES,
		PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		PERF_COUNT_HW_BRANCH_MISSES,
	};
	struct perf_event event;
	unsigned int bit, i;

	for (bit = 0; bit <= ARRAY_SIZE(ids); bit++) {
		be_intel(INTEL_FAM6_SKYLAKE);
		leaf_a.ebx = BIT(bit);
		boot(no_machine);
		CHECK_EQ(registered, 1);
		for (i = 0; i < ARRAY_SIZE(ids); i++) {
			CHECK_EQ(open_generic(ids[i], &event), i == bit ? -ENOENT : 0);
			CHECK(i != bit || event.refused == PCL_REASON_X86_GENERIC_ABSENT);
		}
		CHECK_EQ(!strstr(said, "is absent"), bit == ARRAY_SIZE(ids));
	}
	/* Erratum AAJ80 */
	be_intel(INTEL_FAM6_NEHALEM);
	leaf_a.ebx = BIT(6);
	boot(no_machine);
	CHECK_EQ(open_generic(PERF_COUNT_HW_BRANCH_MISSES, &event), 0);
	CHECK_EQ(event.hw.config & X86_SEL_CODE, 0x7f89);
}

static void no_pmu(u32 reg)
{
	const char *trouble = features & BIT_ULL(X86_FEATURE_HYPERVISOR) ? "PMU not available due to virtualization" :
									   "broken PMU hardware detected";
	char name[16] = "";

	nmi_handler = NULL;
	boot(no_machine);
	CHECK_EQ(registered, 0);
	CHECK(!nmi_handler);
	CHECK(!x86_machine.vendor);
	CHECK(strstr(said, trouble));
	CHECK(strstr(said, "software events only"));
	snprintf(name, sizeof(name), "MSR %x ", reg);
	CHECK(strstr(said, name));
}

/* Each of the registers in turn, on Intel and on AMD, below a hypervisor and without one */
static void a_register_that_faults_is_no_pmu(void)
{
	static const u32 intel[] = { 0x186, 0x187, 0x189, 0xc1, 0xc2, 0xc4, 0x38d, 0x38e, 0x38f, 0x309, 0x30b };
	static const u32 amd_regs[] = { 0xc0010200, 0xc001020a, 0xc0010201, 0xc001020b, 0xc0000300, 0xc0000301 };
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(intel); i++) {
		be_intel(INTEL_FAM6_SKYLAKE);
		features |= i & 1 ? BIT_ULL(X86_FEATURE_HYPERVISOR) : 0;
		model.faulting = intel[i / 2];
		no_pmu(model.faulting);
	}
	for (i = 0; i < ARRAY_SIZE(amd_regs); i++) {
		be_amd(BIT_ULL(X86_FEATURE_HYPERVISOR) | BIT_ULL(X86_FEATURE_PERFMON_V2));
		model.faulting = amd_regs[i];
		no_pmu(model.faulting);
	}
}

static void registers_that_keep_nothing_are_no_pmu(void)
{
	be_intel(INTEL_FAM6_HASWELL);
	features |= BIT_ULL(X86_FEATURE_HYPERVISOR);
	model.zero = true;
	no_pmu(0xc1);
	be_intel(INTEL_FAM6_HASWELL);
	model.deaf = true;
	model.count[0] = 0x1234;
	no_pmu(0xc1);
	be_intel(INTEL_FAM6_HASWELL);
	model.deaf = true;
	model.select[0] = model.select[1] = model.select[2] = model.select[3] = X86_SEL_ENABLE;
	no_pmu(0x186);
	be_amd(0);
	model.deaf = true;
	no_pmu(0xc0010201);
	be_amd(0);
	boot(no_machine);
	CHECK_EQ(registered, 1);
}

#endif
