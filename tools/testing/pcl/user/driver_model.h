/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU for driver_test.c: its counters' registers, its local APIC, and the kernel around the driver.
 *
 * It counts, overflows and interrupts as the manuals say, and it may be as slow as hardware is: a status bit or an
 * interrupt comes some steps after the overflow. A step passes at each register access, and at each microsecond that
 * the driver waits. NMIs are taken between steps. What the driver calls of the engine is answered here.
 *
 * Facts, and where they stand. Intel SDM volume 3B, chapter "Performance Monitoring": global control, status and its
 * clearing ("Architectural Performance Monitoring Version 2"), CTR_FRZ and FREEZE_PERFMON_ON_PMI ("... Version 4");
 * volume 3A, "Local Vector Table": the entry for the counters is masked when it is delivered, and what comes while it
 * is masked is lost. AMD APM volume 2, "Performance Monitoring Counters": each overflow interrupts, nothing is
 * masked; "Performance Monitoring Version 2": global registers as Intel's, with bits 58 and 59 that freeze.
 */
#ifndef PCL_USER_DRIVER_MODEL_H
#define PCL_USER_DRIVER_MODEL_H

#include <stdarg.h>

#include "../../../../arch/x86/events/driver.h"
#include "driver_refuse.h"
#include "harness.h"

#define GENERAL		8		/* counters that the model has at most */
#define FIXED		4		/* the fourth is of version 5 */
#define FLIGHTS		32

#define PEBS_ENABLE	0x3f1
#define IBS_FETCH	0xc0011030
#define IBS_OP		0xc0011033
#define TSX_FORCE_ABORT	0x10f
#define CTR_FRZ		BIT_ULL(59)
#define LBR_FRZ		BIT_ULL(58)
#define CONDITION	BIT_ULL(63)
#define FREEZE_ON_PMI	BIT_ULL(12)

/* ---- the machine ------------------------------------------------------------------------------------------------- */

/* An overflow whose status bit, or whose interrupt, is still to come */
struct flight {
	unsigned int steps;
	u64 status;
	bool interrupt, held;
};

static struct cpu_model {
	u64 select[GENERAL], count[X86_COUNTERS];
	u64 global, status, fixed, pebs, debugctl, tfa;
	u64 ibs_fetch, ibs_op;
	bool ibs_loud;			/* erratum 420: one was turned off while it had a maximum */
	u64 wrong;			/* counters that were written while they counted */
	struct flight flight[FLIGHTS];
	unsigned int late;		/* steps from an overflow to its status bit and interrupt */
	bool late_interrupt;		/* the status bit comes at once, only the interrupt is late */
	u64 held;			/* counters whose status bit lands right after ... */
	unsigned int land_after_read;	/* ... that many reads of the status */
	u64 stuck;			/* status bits that cannot be cleared */
	bool lost;			/* no interrupt ever comes */
	unsigned int per_access;	/* events in each step */
	u32 faulting;			/* a register that is not there */
	bool standstill;		/* each interrupt finds the same registers */
	bool zero;			/* every register reads as zero */
	bool deaf;			/* nothing that is written is kept */
	bool sleepy;			/* errata AAK100, AAP53, BD53: new events do not count until the counters were kicked */
	u64 asleep;			/* counters that do not */
	u64 awake[X86_KICKED], kicked[X86_KICKED];	/* selects that do; ... as the kick found them */
	bool masked;			/* the local vector table's entry */
	bool apic_asleep;
	u64 events;			/* that have happened */
	unsigned int pending;		/* an NMI waits: one at most */
	bool nmi;			/* one is being handled */
	u64 disturbed;			/* counters that the thread beside has made wrong */
	unsigned int nmis, unclaimed, waits, status_reads, reads, writes, complaints, early_apic;
} models[SHIM_CPUS];

/* That of the CPU that runs */
#define model (models[shim_cpu])

unsigned int shim_cpu, shim_siblings = BIT(0);
char shim_second_cpu[65536] __attribute__((__aligned__(64)));

/* Errata BJ122, BV98, HSD29: events 0xd0-0xd3 disturb the counter of the same number of the thread beside. */
static bool threads_disturb;

static struct {
	unsigned int samples;
	u64 periods;			/* sum of what the samples say */
	u64 last_period;
	u64 wrong_periods;		/* samples after which @periods was not what had happened */
	struct perf_event *throttle;	/* stopped at its next overflow */
} engine;

unsigned long jiffies = 1000;
static int (*nmi_handler)(unsigned int cmd, struct pt_regs *regs);
static bool user_may_look;		/* by RDPMC */
static struct pt_regs interrupted = { .ip = 0x1000 };
static void (*nmi_hook)(void);		/* run when the driver has returned from the NMI */

static const struct x86_layout *layout(void)
{
	return &x86_machine.layout;
}

static bool frozen(void)
{
	return model.status & CTR_FRZ;
}

static bool counts(unsigned int idx)
{
	if ((model.asleep & BIT_ULL(idx)) || frozen() || (layout()->global_control && !(model.global & BIT_ULL(idx))))
		return false;
	if (idx < X86_FIXED_FIRST)
		return model.select[idx] & X86_SEL_ENABLE;
	return (model.fixed >> 4 * (idx - X86_FIXED_FIRST)) & 3;
}

static bool interrupts(unsigned int idx)
{
	if (idx < X86_FIXED_FIRST)
		return model.select[idx] & X86_SEL_INT;
	return (model.fixed >> 4 * (idx - X86_FIXED_FIRST)) & 8;
}

static void take_nmis(void)
{
	while (model.pending && !model.nmi) {
		model.pending = 0;
		model.nmi = true;
		model.nmis++;
		interrupted.ip += !model.standstill;
		if (!nmi_handler(NMI_LOCAL, &interrupted))
			model.unclaimed++;
		model.nmi = false;
		if (nmi_hook)
			nmi_hook();
	}
}

static void interrupt(void)
{
	if (model.lost || model.masked)
		return;
	if (x86_machine.lvt_masked) {
		model.masked = true;
		if (model.debugctl & FREEZE_ON_PMI)
			model.status |= CTR_FRZ;
	}
	model.pending = 1;
}

static void land(struct flight *flight)
{
	model.status |= flight->status;
	if (flight->interrupt)
		interrupt();
	*flight = (struct flight){ };
}

static void fly(struct flight takeoff)
{
	struct flight *flight = model.flight;

	while (flight->status || flight->interrupt)
		flight++;
	CHECK(flight < model.flight + FLIGHTS);
	*flight = takeoff;
	if (!takeoff.steps && !takeoff.held)
		land(flight);
}

static void overflow(unsigned int idx)
{
	u64 status = layout()->global_status ? BIT_ULL(idx) : 0;
	bool irq = interrupts(idx);

	if (model.late_interrupt) {
		model.status |= status;
		status = 0;
	}
	if (status || irq)
		fly((struct flight){ model.late, status, irq, .held = model.held & BIT_ULL(idx) });
}

/* Counter @idx has counted: what does that do to the thread beside? */
static void disturb(unsigned int idx)
{
	u64 number = idx < GENERAL ? model.select[idx] & X86_SEL_EVENT : 0;

	if (!threads_disturb || number < 0xd0 || number > 0xd3)
		return;
	shim_cpu ^= 1;
	if (counts(idx)) {
		model.disturbed |= BIT_ULL(idx) & this_cpu_ptr(&x86_cpu_pmus)->hw.active;	/* else nobody minds */
		model.count[idx] += 7;
	}
	shim_cpu ^= 1;
}

/* @n events happen to every counter that counts. */
static void happen(u64 n)
{
	u64 full = x86_layout_mask(layout()), counting = 0, rest;
	unsigned int i;

	model.events += n;
	for (i = 0; i < X86_COUNTERS; i++) {
		if ((i < GENERAL || (i >= X86_FIXED_FIRST && i < X86_FIXED_FIRST + FIXED)) && counts(i))
			counting |= BIT_ULL(i);
	}
	for (rest = counting; rest; rest &= rest - 1) {
		i = __builtin_ctzll(rest);
		disturb(i);
		model.count[i] = (model.count[i] + n) & full;
		if (model.count[i] < n)
			overflow(i);
	}
}

static void step(void)
{
	unsigned int i;

	for (i = 0; i < FLIGHTS; i++) {
		if (model.flight[i].steps && !--model.flight[i].steps)
			land(&model.flight[i]);
	}
	if (model.per_access)
		happen(model.per_access);
	take_nmis();
}

/* The program runs: @n events, one at a time. */
static void run(u64 n)
{
	while (n--) {
		happen(1);
		step();
	}
}

/* ---- its registers ----------------------------------------------------------------------------------------------- */

static bool is_select(u32 reg, unsigned int *idx)
{
	*idx = (reg - layout()->select) / layout()->stride;
	return reg >= layout()->select && !((reg - layout()->select) % layout()->stride) && *idx < GENERAL;
}

static bool is_count(u32 reg, unsigned int *idx)
{
	*idx = (reg - layout()->count) / layout()->stride;
	if (reg >= layout()->count && !((reg - layout()->count) % layout()->stride) && *idx < GENERAL)
		return true;
	*idx = X86_FIXED_FIRST + reg - layout()->fixed_count;
	return layout()->fixed_count && reg >= layout()->fixed_count && reg < layout()->fixed_count + FIXED;
}

static u64 *control(u32 reg)
{
	return reg == layout()->global_control ? &model.global : reg == layout()->fixed_control ? &model.fixed :
	       reg == PEBS_ENABLE ? &model.pebs : reg == MSR_IA32_DEBUGCTLMSR ? &model.debugctl :
	       reg == TSX_FORCE_ABORT ? &model.tfa : reg == IBS_FETCH ? &model.ibs_fetch :
	       reg == IBS_OP ? &model.ibs_op : NULL;
}

/* What the kick programs: BD53 */
static const u64 magic[X86_KICKED] = { 0xb5, 0xd2, 0xb1, 0xb1 };

static bool is_magic(unsigned int idx, u64 select)
{
	return (select & (X86_SEL_CODE | X86_SEL_ENABLE)) == (magic[idx] | X86_SEL_ENABLE);
}

static void select_changes(unsigned int idx, u64 value)
{
	if (!model.sleepy || idx >= X86_KICKED)
		return;
	if (is_magic(idx, value))
		model.kicked[idx] = model.select[idx];
	else if (value != model.awake[idx])
		model.asleep |= BIT_ULL(idx);
	else
		model.asleep &= ~BIT_ULL(idx);
}

static void global_changes(u64 value)
{
	unsigned int idx = 0;

	while (idx < X86_KICKED && is_magic(idx, model.select[idx]))
		idx++;
	if (model.sleepy && idx == X86_KICKED && (value & 0xf) == 0xf)
		memcpy(model.awake, model.kicked, sizeof(model.awake));
}

static void write_reg(u32 reg, u64 value)
{
	unsigned int idx;

	step();
	model.writes++;
	if (model.deaf)
		return;
	if (reg && reg == layout()->global_control)
		global_changes(value);
	if (is_select(reg, &idx))
		select_changes(idx, value);
	if (reg == layout()->global_ack) {
		model.status &= ~value;
	} else if (control(reg)) {
		model.ibs_loud |= (reg == IBS_FETCH || reg == IBS_OP) && (*control(reg) & 0xffff) && !value;
		*control(reg) = value;
	} else if (is_select(reg, &idx)) {
		model.select[idx] = value;
	} else {
		CHECK(is_count(reg, &idx));
		model.wrong |= counts(idx) ? BIT_ULL(idx) : 0;
		model.count[idx] = value & x86_layout_mask(layout());
	}
	step();
}

static u64 read_status(void)
{
	u64 value = model.status | model.stuck;
	unsigned int i;

	model.status_reads++;
	for (i = 0; i < FLIGHTS && model.status_reads == model.land_after_read; i++) {
		if (model.flight[i].held)
			land(&model.flight[i]);
	}
	return value;
}

static u64 read_reg(u32 reg)
{
	unsigned int idx;
	u64 value;

	step();
	model.reads++;
	if (model.zero)
		value = 0;
	else if (reg && reg == layout()->global_status)
		value = read_status();
	else if (control(reg))
		value = *control(reg);
	else if (is_select(reg, &idx))
		value = model.select[idx];
	else {
		CHECK(is_count(reg, &idx));
		value = model.count[idx];
	}
	step();
	return value;
}

static u64 read_count(u32 number)
{
	u64 value;

	step();
	model.reads++;
	pcl_shim_step();
	value = model.count[number & (1u << 30) ? X86_FIXED_FIRST + (number & 0xff) : number];
	pcl_shim_step();
	step();
	return value;
}

static bool reg_faults(u32 reg)
{
	return reg == model.faulting;
}

static char said[4096];			/* to the kernel's log */

void shim_say(const char *format, ...)
{
	size_t used = strlen(said);
	va_list args;

	va_start(args, format);
	vsnprintf(said + used, sizeof(said) - used, format, args);
	va_end(args);
}

static const struct x86_regs_ops ops = { .read = read_reg, .write = write_reg, .count = read_count, .faults = reg_faults };
const struct x86_regs_ops *x86_regs_ops = &ops;

void apic_write(u32 reg, u32 value)
{
	CHECK(reg == APIC_LVTPC && value == APIC_DM_NMI);
	if (model.apic_asleep)
		model.early_apic++;
	model.masked = model.apic_asleep;
}

void udelay(unsigned long us)
{
	CHECK(us == 1);
	model.waits++;
	step();
}

bool in_nmi(void)
{
	return model.nmi;
}

int msr_set_bit(u32 msr, u8 bit)
{
	CHECK(msr == MSR_IA32_DEBUGCTLMSR);
	model.debugctl |= BIT_ULL(bit);
	return 0;
}

int msr_clear_bit(u32 msr, u8 bit)
{
	CHECK(msr == MSR_IA32_DEBUGCTLMSR);
	model.debugctl &= ~BIT_ULL(bit);
	return 0;
}

void shim_complain(const char *format, ...)
{
	model.complaints++;
}

/* ---- the kernel around it ---------------------------------------------------------------------------------------- */

static int (*initcalls[SHIM_LEVELS][4])(void);
static struct syscore_ops *syscore[4];
static unsigned int nr_syscore;

void shim_initcall(unsigned int level, int (*call)(void))
{
	unsigned int i = 0;

	while (initcalls[level][i])
		i++;
	initcalls[level][i] = call;
}

void register_syscore_ops(struct syscore_ops *sys_ops)
{
	CHECK(nr_syscore < ARRAY_SIZE(syscore));
	syscore[nr_syscore++] = sys_ops;
}

static int (*cpu_starting)(unsigned int cpu), (*cpu_dying)(unsigned int cpu);

int cpuhp_setup_state(int state, const char *name, int (*up)(unsigned int cpu), int (*down)(unsigned int cpu))
{
	cpu_starting = up;
	cpu_dying = down;
	return up(0);
}

int register_nmi_handler(unsigned int type, int (*handler)(unsigned int cmd, struct pt_regs *regs), unsigned long flags,
			 const char *name)
{
	nmi_handler = handler;
	return 0;
}

static unsigned int registered;		/* PMUs */

int perf_pmu_register(struct pmu *pmu, const char *name, int type)
{
	registered++;
	pmu->type = type;
	return 0;
}

static u64 features;			/* BIT(X86_FEATURE_*), beside the APIC */

bool boot_cpu_has(int feature)
{
	return feature == X86_FEATURE_APIC || (features & BIT_ULL(feature));
}

int perf_event_allow_cpu(struct perf_event *event, enum pcl_reason reason)
{
	return 0;
}

int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	if (!event->attr.sample_period)
		return 0;
	engine.samples++;
	engine.periods += data->period;
	engine.last_period = data->period;
	engine.wrong_periods += engine.periods != model.events;
	if (engine.throttle != event)
		return 0;
	engine.throttle = NULL;
	return 1;
}

/* The control page of one event: what user code adds to the counter that it reads, sign-extended */
static struct {
	struct perf_event *event;
	s64 offset;
} page;

void perf_event_update_userpage(struct perf_event *event)
{
	if (event == page.event && event->hw.idx >= 0)
		page.offset = local64_read(&event->count) - arch_perf_user_base(event);
}

void perf_event_update_usercounter(struct perf_event *event)
{
	perf_event_update_userpage(event);
}

static u64 user_count_of(struct perf_event *event)
{
	CHECK(event == page.event);
	return page.offset + sign_extend64(model.count[event->hw.idx], layout()->width - 1);
}

void perf_sample_event_took(u64 ns)
{
}

/* All events go, and come again as far as they fit. */
void perf_pmu_resched(struct pmu *pmu)
{
	struct x86_cpu_pmu before = *this_cpu_ptr(&x86_cpu_pmus);
	unsigned int i;

	pmu->pmu_disable(pmu);
	for (i = 0; i < before.nr; i++)
		pmu->del(before.list[i], 0);
	for (i = 0; i < before.nr; i++)
		pmu->add(before.list[i], PERF_EF_START);
	pmu->pmu_enable(pmu);
}

const struct attribute_group *x86_attr_groups[] = { NULL };

int x86_sysfs_init(void)
{
	return 0;
}

int x86_rdpmc_mode = 1;

void x86_event_mapped(struct perf_event *event, struct mm_struct *mm)
{
}

void x86_event_unmapped(struct perf_event *event, struct mm_struct *mm)
{
}

int x86_event_idx(struct perf_event *event)
{
	return 0;
}

bool x86_user_may_look(void)
{
	return user_may_look;
}

#endif
