/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel around the IA-64 driver, for ia64_test.c: its interrupts, two tasks, and what the engine does with the
 * driver. The registers are ia64_model.h's.
 */
#ifndef PCL_USER_IA64_KERNEL_H
#define PCL_USER_IA64_KERNEL_H

#include <ctype.h>
#include <stdarg.h>

#include "../../../../arch/ia64/events/driver.h"
#include "driver_refuse.h"
#include "harness.h"
#include "said.h"
#include "ia64_model.h"
#include "chips.h"

static struct {
	unsigned int samples;
	u64 periods;			/* sum of what the samples say */
	struct perf_event *sampled;	/* the last one */
	struct perf_event *throttle;	/* stopped at its next overflow */
	bool adjust;			/* the period begins anew at each overflow */
	u64 ip;
	struct perf_sample_data data;	/* of the last sample, with its registers and branches */
	struct pt_regs regs;
	struct { u64 nr, index; struct perf_branch_entry entry[16]; } branches;
	struct pt_regs *chain;		/* whose chain of callers was asked for by the driver */
} engine;

unsigned int shim_cpu;
char shim_second_cpu[65536] __attribute__((__aligned__(64)));
unsigned long jiffies;
static struct pt_regs interrupted = { .cr_iip = 0x1000 };

static void take_interrupts(void)
{
	while (model.pending && model.irqs_on) {
		model.pending = false;
		model.irqs_on = false;
		model.interrupts++;
		interrupted.cr_iip += 16;
		ia64_psr(&interrupted)->cpl = model.level;
		if (!ia64_irq_handle(&interrupted))
			model.unclaimed++;
		model.irqs_on = true;
	}
}

/* The program runs: @n cycles, with one event each. */
static void run(u32 what, u64 n)
{
	while (n--) {
		go_on(what);
		take_interrupts();
	}
}

static struct task_struct *task_of(unsigned int nr)
{
	static struct task_struct tasks[2];

	return &tasks[nr];
}

struct task_struct *current;

/* As asm/switch_to.h has it. The events of the task before are off, those of @task are not on yet. */
static void go_to(struct task_struct *task)
{
	ia64_user_switch(task);
	current = task;
}

/* Into the kernel: the user mask is kept for the way back, and stays. */
static void enter_kernel(void)
{
	ia64_psr(task_pt_regs(current))->up = model.up;
	model.irqs_on = false;
}

/* And back, perhaps as another task. */
static void return_to_user(void)
{
	model.up = ia64_psr(task_pt_regs(current))->up;
	model.irqs_on = true;
	take_interrupts();
}

void shim_initcall(unsigned int level, int (*call)(void))
{
}

static unsigned int registered;

int perf_pmu_register(struct pmu *pmu, const char *name, int type)
{
	registered++;
	pmu->type = type;
	return 0;
}

/*
 * ---- what the engine does with the driver ------------------------------------------------------------------------
 */

/* A machine that was booted: its registers hold anything before. */
static void begin(const struct chip *chip)
{
	unsigned int i;

	memset(&model, 0, sizeof(model));
	memset(&engine, 0, sizeof(engine));
	memset(&ia64_cpu_pmus, 0, sizeof(ia64_cpu_pmus));
	model.chip = chip;
	for (i = 0; i < IA64_REGS; i++) {
		model.pmc[i] = random_u64();
		model.pmd[i] = is_recorder(i) ? random_u64() : random_u64() & full();
	}
	for (i = 0; i < 8; i++) {
		model.ibr[i] = random_u64();
		model.dbr[i] = random_u64();
	}
	model.pmc[0] = 0;
	model.irqs_on = true;
	model.level = 3;
	for (i = 0; i < 2; i++) {
		*task_of(i) = (struct task_struct){ .mm = (struct mm_struct *)&model };
		ia64_psr(task_pt_regs(task_of(i)))->sp = 1;
	}
	current = task_of(0);
	ia64_regs = &ops;
	CHECK_EQ(ia64_pmu_init(chip->cpuid3), 0);
	CHECK(ia64_machine.family);
	CHECK_EQ(ia64_machine.family->width, chip->width);
	model.irqs_on = false;
	ia64_cpu_prepare();
	model.irqs_on = true;
	model.wrote_counting = 0;
	model.pp = true;
}

static void check_machine(void)
{
	CHECK_EQ(model.wrote_counting, 0);
	CHECK_EQ(model.reserved, 0);
	CHECK_EQ(model.illegal, 0);
	CHECK_EQ(model.unserialized_thaw, 0);
	CHECK_EQ(model.unserialized_count, 0);
	CHECK_EQ(model.unserialized_read, 0);
	CHECK_EQ(model.unserialized_freeze, 0);
	CHECK_EQ(model.read_live, 0);
}

static struct perf_event pool[64];
static unsigned int pooled;

static struct task_struct *made_for;	/* whose event it is to be, if not of the task that runs */

static struct perf_event *make_from(const struct perf_event_attr *attr, struct perf_event *leader,
				    struct perf_event *parent, bool of_task, int *err)
{
	struct perf_event *event = &pool[pooled++ % ARRAY_SIZE(pool)];

	*event = (struct perf_event){ .attr = *attr, .pmu = &ia64_pmu, .state = PERF_EVENT_STATE_INACTIVE };
	event->parent = parent;
	event->attach_state = of_task ? PERF_ATTACH_TASK : ~PERF_ATTACH_TASK;
	event->group_leader = leader ?: event;
	INIT_LIST_HEAD(&event->sibling_list);
	event->hw.sample_period = attr->sample_period;
	event->hw.last_period = attr->sample_period;
	event->hw.target = of_task ? made_for ?: current : NULL;
	local64_set(&event->hw.period_left, attr->sample_period);
	*err = ia64_pmu.event_init(event);
	if (!*err && leader)
		list_add_tail(&event->sibling_list, &leader->sibling_list);
	return event;
}

static struct perf_event *make(const struct perf_event_attr *attr, struct perf_event *leader, bool of_task, int *err)
{
	return make_from(attr, leader, NULL, of_task, err);
}

/* What a child of the task that runs inherits; it is not anywhere yet, and has that one's thread flags until then. */
static struct perf_event *inherit(struct perf_event *parent, int *err)
{
	return make_from(&parent->attr, NULL, parent, true, err);
}

static struct perf_event *open_attr(struct perf_event_attr attr)
{
	struct perf_event *event;
	int err;

	event = make(&attr, NULL, true, &err);
	if (err)
		printf("# %s: refused by %d\n", model.chip->name, event->refused);
	CHECK_EQ(err, 0);
	return event;
}

static struct perf_event *open_event(u64 config, u64 period)
{
	return open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = config, .sample_period = period });
}

static int try_add(struct perf_event *event)
{
	int err;

	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	err = ia64_pmu.add(event, PERF_EF_START);
	ia64_pmu.pmu_enable(&ia64_pmu);
	return_to_user();
	return err;
}

static void add(struct perf_event *event)
{
	CHECK_EQ(try_add(event), 0);
}

static void del(struct perf_event *event)
{
	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	ia64_pmu.del(event, 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	return_to_user();
}

/* From one task, with the event it has, to another, which has one or none. */
static void switch_tasks(struct perf_event *from, struct task_struct *task, struct perf_event *to)
{
	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	ia64_pmu.del(from, 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	go_to(task);
	if (to) {
		ia64_pmu.pmu_disable(&ia64_pmu);
		ia64_pmu.add(to, PERF_EF_START);
		ia64_pmu.pmu_enable(&ia64_pmu);
	}
}

static void stop(struct perf_event *event)
{
	enter_kernel();
	ia64_pmu.stop(event, PERF_EF_UPDATE);
	return_to_user();
}

static void start(struct perf_event *event)
{
	enter_kernel();
	ia64_pmu.start(event, PERF_EF_RELOAD);
	return_to_user();
}

static u64 count_of(struct perf_event *event)
{
	bool on = model.irqs_on;

	model.irqs_on = false;
	ia64_pmu.read(event);
	model.irqs_on = on;
	return local64_read(&event->count);
}

#endif
