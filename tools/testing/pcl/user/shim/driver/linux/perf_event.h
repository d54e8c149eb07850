/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h and the kernel around the x86 driver: what the core PMU's files include and
 * call; driver_common.h has what is no architecture's own. The machine around them is the test: one CPU, its local APIC,
 * its clock. The headers named in shim/driver/headers all lead here.
 */
#ifndef PCL_SHIM_DRIVER_PERF_EVENT_H
#define PCL_SHIM_DRIVER_PERF_EVENT_H

#include <driver_common.h>

#define CONFIG_CPU_SUP_AMD	1

#define FW_BUG			"[Firmware Bug]: "
#define BITS_TO_LONGS(n)	(((n) + 63) / 64)
#define HWEIGHT(n)		__builtin_popcountll(n)
#define fls64(x)		((x) ? 64 - __builtin_clzll(x) : 0)
#define max3(a, b, c)		max(max((__typeof__(a))(a), (__typeof__(a))(b)), (__typeof__(a))(c))

#define topology_die_id(cpu)	((void)(cpu), 0)
#define topology_sibling_cpumask(cpu) ((void)(cpu), shim_siblings)
extern unsigned int shim_siblings;	/* CPUs that are online, as a mask */
#define for_each_cpu(cpu, mask)	for ((cpu) = 0; (cpu) < SHIM_CPUS; (cpu)++) if ((mask) & BIT(cpu))
#define for_each_online_cpu(cpu) for_each_cpu(cpu, shim_siblings)

typedef struct { bool on; } static_key_t;
#define DEFINE_STATIC_KEY_FALSE(name)	static_key_t name
#define static_branch_likely(key)	((key)->on)
#define static_branch_enable(key)	((key)->on = true)

/* The local APIC */
#define APIC_LVTPC		0x340
#define APIC_DM_NMI		0x400
#define inc_irq_stat(name)	do { } while (0)
void apic_write(u32 reg, u32 value);

/* Processor */
enum {
	X86_FEATURE_APIC, X86_FEATURE_HYPERVISOR, X86_FEATURE_ARCH_PERFMON, X86_FEATURE_HYBRID_CPU, X86_FEATURE_PEBS,
	X86_FEATURE_PDCM, X86_FEATURE_TSX_FORCE_ABORT, X86_FEATURE_RTM_ALWAYS_ABORT, X86_FEATURE_RTM, X86_FEATURE_HLE,
	X86_FEATURE_PERFCTR_CORE, X86_FEATURE_PERFMON_V2, X86_FEATURE_IBS,
};
bool boot_cpu_has(int feature);

#define PERF_REG_EXTENDED_MASK		0xffffffff00000000ULL	/* vector registers */
#define X86_PMC_IDX_MAX			64
#define MSR_IA32_DEBUGCTLMSR		0x1d9
#define DEBUGCTLMSR_FREEZE_IN_SMM_BIT	14
int msr_set_bit(u32 msr, u8 bit);
int msr_clear_bit(u32 msr, u8 bit);

struct pt_regs {
	unsigned long ip, flags, sp;
	bool user;
};

struct debug_store { char none; };
struct perf_guest_switch_msr { unsigned int msr; u64 host, guest; };
struct x86_pmu_capability {
	int version, num_counters_gp, num_counters_fixed, bit_width_gp, bit_width_fixed;
	unsigned int events_mask;
	int events_mask_len;
};

#define NMI_DONE	0
#define NMI_HANDLED	1
#define NMI_LOCAL	0
int register_nmi_handler(unsigned int type, int (*handler)(unsigned int cmd, struct pt_regs *regs), unsigned long flags,
			 const char *name);

struct syscore_ops {
	int (*suspend)(void);
	void (*resume)(void);
};
void register_syscore_ops(struct syscore_ops *ops);

#define CPUHP_AP_PERF_X86_STARTING	0

void perf_events_lapic_init(void);
s64 arch_perf_user_base(struct perf_event *event);
struct perf_guest_switch_msr *perf_guest_get_msrs(int *nr, void *data);

#endif
