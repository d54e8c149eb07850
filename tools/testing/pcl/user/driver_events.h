/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For driver_test.c: machines that the model of driver_model.h can be, how they boot, and events on them.
 */
#ifndef PCL_USER_DRIVER_EVENTS_H
#define PCL_USER_DRIVER_EVENTS_H

#include "driver_model.h"

/* ---- machines ---------------------------------------------------------------------------------------------------- */

static const struct x86_machine skylake = {
	.vendor = "Intel", .lvt_masked = true, .has_smm_freeze = true, .has_branch_trace = true, .version = 4, .family = &x86_skylake, .generic = x86_intel_generic,
	.select_mask = X86_SEL_CODE | X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK, .max_period = BIT_ULL(47) - 1,
	.has_any = true,
	.layout = {
		.select = 0x186, .count = 0x4c1, .stride = 1, .fixed_control = 0x38d, .fixed_count = 0x309,
		.pebs_enable = PEBS_ENABLE, .debugctl = MSR_IA32_DEBUGCTLMSR,
		.global_control = 0x38f, .global_status = 0x38e, .global_ack = 0x390, .width = 48, .fixed_any = true,
		.shape = { .general = 0xf, .fixed = 7ULL << X86_FIXED_FIRST },
	},
};

static const struct x86_machine amd = {
	.vendor = "AMD", .family = &x86_zen, .generic = x86_zen_generic, .max_period = BIT_ULL(47) - 1,
	.select_mask = X86_SEL_CODE | X86_SEL_EDGE | X86_SEL_INV | X86_SEL_CMASK | X86_SEL_AMD_EVENT_HIGH,
	.has_virt = true,
	.layout = {
		.select = 0xc0010200, .count = 0xc0010201, .stride = 2, .width = 48, .shape = { .general = 0x3f },
	},
};

static struct x86_machine of(const struct x86_machine *machine, const struct x86_family *family)
{
	struct x86_machine other = *machine;

	other.family = family;
	return other;
}

static struct x86_machine amd_v2(void)
{
	struct x86_machine machine = amd;

	machine.version = 2;
	machine.layout.global_control = 0xc0000301;
	machine.layout.global_status = 0xc0000300;
	machine.layout.global_ack = 0xc0000302;
	return machine;
}

static struct x86_machine booting;

static bool by_cpuid;			/* the machine is what CPUID says */
bool x86_detect_by_cpuid(void);

bool x86_detect(void)
{
	x86_machine = booting;		/* also what CPUID adds to: nothing of the machine before */
	return by_cpuid ? x86_detect_by_cpuid() : true;
}

static void nothing(void)
{
}

static int no_suspend(void)
{
	return 0;
}

static void apic_resume(void)
{
	model.apic_asleep = false;
	model.masked = true;	/* as it was saved, or not: the worse */
}

static struct syscore_ops apic_ops = { .suspend = no_suspend, .resume = apic_resume };

/* Boots @machine, with the registers as they are. */
static void boot(struct x86_machine machine)
{
	unsigned int level, i;

	memset(&engine, 0, sizeof(engine));
	CHECK(__stop_shim_percpu - __start_shim_percpu <= sizeof(shim_second_cpu));
	memset(__start_shim_percpu, 0, __stop_shim_percpu - __start_shim_percpu);
	memset(shim_second_cpu, 0, sizeof(shim_second_cpu));
	shim_siblings = BIT(0);
	memset(&page, 0, sizeof(page));
	nmi_hook = NULL;
	jiffies += 10000;
	nr_syscore = 0;
	booting = machine;
	for (level = 0; level < SHIM_LEVELS; level++) {
		if (level == SHIM_CORE)
			register_syscore_ops(&apic_ops);	/* arch/x86/kernel/apic: core_initcall */
		for (i = 0; initcalls[level][i]; i++)
			CHECK_EQ(initcalls[level][i](), 0);
	}
}

static void reset(void)
{
	shim_cpu = 0;
	by_cpuid = false;
	registered = 0;
	threads_disturb = false;
	features = 0;
	user_may_look = false;
	said[0] = 0;
	memset(models, 0, sizeof(models));
}

/* A machine fresh from reset */
static void begin(struct x86_machine machine)
{
	reset();
	boot(machine);
	model.writes = 0;
}

/* CPU 1 comes, or comes again. CPU 0 goes on. */
static void second_thread(void)
{
	shim_siblings = BIT(0) | BIT(1);
	shim_cpu = 1;
	CHECK_EQ(cpu_starting(1), 0);
	shim_cpu = 0;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

#define NR_EVENTS 16
static struct perf_event events[NR_EVENTS];
static unsigned int nr_events;
static bool exclude_kernel, exclude_guest, aux_output, precise;	/* of the events that are made */

static int make_at(struct perf_event *event, u64 config, u64 period)
{
	memset(event, 0, sizeof(*event));
	event->pmu = &x86_core_pmu;
	event->group_leader = event;
	INIT_LIST_HEAD(&event->sibling_list);
	event->attr.type = PERF_TYPE_RAW;
	event->attr.config = config;
	event->attr.sample_period = period;
	event->attr.exclude_kernel = exclude_kernel;
	event->attr.exclude_guest = exclude_guest;
	event->attr.aux_output = aux_output;
	event->attr.precise_ip = precise;
	event->hw.sample_period = period;
	event->hw.last_period = period;
	local64_set(&event->hw.period_left, period);
	return x86_core_pmu.event_init(event);
}

static struct perf_event *make(u64 config, u64 period, int *err)
{
	struct perf_event *event = &events[nr_events++ % NR_EVENTS];

	*err = make_at(event, config, period);
	return event;
}

static struct perf_event *open_event(u64 config, u64 period)
{
	int err;
	struct perf_event *event = make(config, period, &err);

	CHECK_EQ(err, 0);
	return event;
}

static int try_add(struct perf_event *event)
{
	int err;

	x86_core_pmu.pmu_disable(&x86_core_pmu);
	err = x86_core_pmu.add(event, PERF_EF_START);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
	return err;
}

static void add(struct perf_event *event)
{
	CHECK_EQ(try_add(event), 0);
}

/* As one group: both or none */
static int try_add_two(struct perf_event *a, struct perf_event *b)
{
	int err;

	x86_core_pmu.pmu_disable(&x86_core_pmu);
	x86_core_pmu.start_txn(&x86_core_pmu, PERF_PMU_TXN_ADD);
	CHECK_EQ(x86_core_pmu.add(a, PERF_EF_START), 0);
	CHECK_EQ(x86_core_pmu.add(b, PERF_EF_START), 0);
	err = x86_core_pmu.commit_txn(&x86_core_pmu);
	if (err) {
		x86_core_pmu.del(b, 0);
		x86_core_pmu.del(a, 0);
		x86_core_pmu.cancel_txn(&x86_core_pmu);
	}
	x86_core_pmu.pmu_enable(&x86_core_pmu);
	return err;
}

static void del(struct perf_event *event)
{
	x86_core_pmu.pmu_disable(&x86_core_pmu);
	x86_core_pmu.del(event, 0);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
}

/* Its context leaves the CPU, ... */
static void away(struct perf_event *event)
{
	x86_core_pmu.pmu_disable(&x86_core_pmu);
	x86_core_pmu.away(event);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
}

/* ... and is loaded again. */
static bool back(struct perf_event *event)
{
	bool done;

	x86_core_pmu.pmu_disable(&x86_core_pmu);
	done = x86_core_pmu.back(event);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
	return done;
}

static void unthrottle(struct perf_event *event)
{
	x86_core_pmu.pmu_disable(&x86_core_pmu);
	x86_core_pmu.start(event, 0);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
}

static u64 count_of(struct perf_event *event)
{
	x86_core_pmu.read(event);
	return local64_read(&event->count);
}

#define EVENT	0x00c2		/* on every machine here a general counter's, and no fixed one's */

#endif
