// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's calls: the counters as a struct pmu.
 *
 * Concepts: add() takes an event into sparc_cpu_pmu::list if all events there find counters (places.c); inside a
 * transaction the question is asked once, at commit. Nothing is programmed then. When the PMU is enabled again,
 * settle() takes events off counters that others shall have, and puts those on that have none yet.
 *
 * A counter that is stopped may go on (regs.c), so an event is folded whenever it stops, and its counter loaded
 * whenever it starts.
 *
 * Contexts: event_init() in task context; all others on the owning CPU with IRQs off and the PMU disabled, but for
 * start() and stop(), which the overflow interrupt's handler calls too, and read(). The interrupt may come at any time.
 *
 * Locks: the engine's, see struct pmu.
 */
#include <linux/bitops.h>

#include "driver.h"

DEFINE_PER_CPU(struct sparc_cpu_pmu, sparc_cpu_pmus);

struct sparc_machine sparc_machine __ro_after_init;

bool sparc_event_is_ours(const struct perf_event *event)
{
	return event->pmu == &sparc_pmu;
}

/*
 * Everything counts again. What had passed zero before the pause, when its interrupt came too late for the handler to
 * do anything, has its sample at the next event.
 */
static void go_on(struct sparc_cpu_pmu *cpu)
{
	u64 late;

	for (late = sparc_hw_overflowed(&cpu->hw); late; late &= late - 1) {
		struct perf_event *event = cpu->on[__ffs64(late)];

		sparc_counter_advance(event);
		sparc_counter_resume(event);
	}
	sparc_user_resume(cpu);
}

/* What who may read them depends on has changed. */
void sparc_cpu_refresh(struct sparc_cpu_pmu *cpu)
{
	if (!cpu->hw.running)
		return;
	sparc_hw_pause(&cpu->hw);
	go_on(cpu);
}

/* A counter that has passed zero in silence begins anew, before its sign changes again. */
void sparc_counter_renew(struct perf_event *event)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);

	sparc_hw_pause(&cpu->hw);
	sparc_counter_advance(event);
	sparc_counter_resume(event);
	go_on(cpu);
}

/* ---- one event on its counter ----------------------------------------------------------------------------------- */

static void sparc_start(struct perf_event *event, int flags)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	bool running = cpu->hw.running;

	if (WARN_ON_ONCE(hwc->idx < 0 || !(hwc->state & PERF_HES_STOPPED)))
		return;
	sparc_hw_pause(&cpu->hw);
	sparc_counter_resume(event);
	hwc->state = 0;
	cpu->on[hwc->idx] = event;
	sparc_hw_arm(&cpu->hw, hwc->idx, hwc->config, hwc->config_base, sparc_is_silent(event));
	if (running)
		go_on(cpu);
	perf_event_update_userpage(event);
}

void sparc_stop(struct perf_event *event, int flags)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	bool running = cpu->hw.running;

	if (hwc->state & PERF_HES_STOPPED)
		return;
	sparc_hw_pause(&cpu->hw);
	sparc_counter_advance(event);
	sparc_hw_disarm(&cpu->hw, hwc->idx);
	cpu->on[hwc->idx] = NULL;
	hwc->state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (running)
		go_on(cpu);
	/* User code reads 0 from the counter that it had, or what another has there. */
	perf_event_update_userpage(event);
}

/* An event that is on its way to a counter, or stopped, has nothing there to fold. */
static void sparc_read(struct perf_event *event)
{
	if (!(READ_ONCE(event->hw.state) & PERF_HES_UPTODATE))
		sparc_counter_fold(event);
}

/* ---- all events of this CPU ------------------------------------------------------------------------------------- */

/* Takes an event off a counter that is not its place any more. */
static void leave_counter(struct perf_event *event)
{
	/* Stopped by the engine, and to stay so. */
	if (event->hw.state & PERF_HES_STOPPED)
		event->hw.state |= PERF_HES_ARCH;
	sparc_stop(event, PERF_EF_UPDATE);
	event->hw.idx = -1;
}

static void enter_counter(struct perf_event *event, int idx)
{
	event->hw.idx = idx;
	event->hw.last_cpu = smp_processor_id();
	if (!(event->hw.state & PERF_HES_ARCH))
		sparc_start(event, PERF_EF_RELOAD);
}

/* Brings events to their places. */
static void settle(struct sparc_cpu_pmu *cpu)
{
	unsigned int i;

	for (i = 0; i < cpu->settled; i++) {
		if (cpu->list[i]->hw.idx != cpu->place[i])
			leave_counter(cpu->list[i]);
	}
	for (i = 0; i < cpu->nr; i++) {
		if (i >= cpu->settled || cpu->list[i]->hw.idx < 0)
			enter_counter(cpu->list[i], cpu->place[i]);
	}
	cpu->settled = cpu->nr;
	sparc_wrap_watch(cpu);
}

/* With no event here nothing counts. */
static void sparc_enable(struct pmu *pmu)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);

	if (cpu->settled < cpu->nr)
		settle(cpu);
	if (cpu->nr && !cpu->hw.running)
		go_on(cpu);
}

static void sparc_disable(struct pmu *pmu)
{
	sparc_hw_pause(&this_cpu_ptr(&sparc_cpu_pmus)->hw);
}

static int sparc_add(struct perf_event *event, int flags)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);

	if (cpu->nr == sparc_machine.family->layout->pics)
		return -EAGAIN;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		event->hw.state |= PERF_HES_ARCH;
	cpu->list[cpu->nr++] = event;
	if (cpu->in_txn || sparc_places_find(cpu))
		return 0;
	cpu->nr--;
	return -EAGAIN;
}

static void sparc_del(struct perf_event *event, int flags)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	unsigned int i = 0;

	while (i < cpu->nr && cpu->list[i] != event)
		i++;
	if (WARN_ON_ONCE(i == cpu->nr))
		return;
	/* An event that never came to its counter has nothing there. */
	if (i < cpu->settled) {
		sparc_stop(event, PERF_EF_UPDATE);
		cpu->settled--;
	}
	cpu->nr--;
	for (; i < cpu->nr; i++) {
		cpu->list[i] = cpu->list[i + 1];
		cpu->place[i] = cpu->place[i + 1];
	}
	perf_event_update_userpage(event);
}

static void sparc_start_txn(struct pmu *pmu, unsigned int flags)
{
	this_cpu_ptr(&sparc_cpu_pmus)->in_txn = flags & PERF_PMU_TXN_ADD;
}

static int sparc_commit_txn(struct pmu *pmu)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);

	if (cpu->in_txn && !sparc_places_find(cpu))
		return -EAGAIN;
	cpu->in_txn = false;
	return 0;
}

static void sparc_cancel_txn(struct pmu *pmu)
{
	this_cpu_ptr(&sparc_cpu_pmus)->in_txn = false;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Members of the group that would be on the counters beside @event, itself first; 0: more than there are counters. */
static unsigned int members(struct perf_event *event, struct perf_event **found)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int nr = 0, most = sparc_machine.family->layout->pics;

	found[nr++] = event;
	if (leader != event && sparc_event_is_ours(leader))
		found[nr++] = leader;
	for_each_sibling_event(sibling, leader) {
		if (!sparc_event_is_ours(sibling) || sibling->state <= PERF_EVENT_STATE_OFF)
			continue;
		if (nr == most)
			return 0;
		found[nr++] = sibling;
	}
	return nr;
}

/* Could the whole group be on the counters at once, were they all free? */
static int check_group(struct perf_event *event)
{
	struct perf_event *found[SPARC_PICS];
	unsigned int nr = members(event, found);

	if (nr && !sparc_levels_agree(found, nr))
		return perf_event_refuse(event, PCL_REASON_SPARC_GROUP_LEVELS);
	if (!nr || !sparc_group_fits(found, nr))
		return perf_event_refuse(event, PCL_REASON_SPARC_GROUP_NEVER_FITS);
	return 0;
}

static void sparc_event_destroy(struct perf_event *event)
{
	sparc_counters_give();
}

static int sparc_event_init(struct perf_event *event)
{
	u32 type = event->attr.type;
	int err;

	if (type != event->pmu->type && type != PERF_TYPE_HARDWARE && type != PERF_TYPE_HW_CACHE)
		return -ENOENT;

	event->hw.idx = -1;
	event->hw.last_cpu = -1;
	err = sparc_event_config(event);
	if (!err)
		err = check_group(event);
	if (err)
		return err;
	sparc_counters_take();
	event->destroy = sparc_event_destroy;
	return 0;
}

struct pmu sparc_pmu = {
	.task_ctx_nr	= perf_hw_context,
	.attr_groups	= sparc_attr_groups,
	.event_init	= sparc_event_init,
	.pmu_disable	= sparc_disable,
	.pmu_enable	= sparc_enable,
	.start_txn	= sparc_start_txn,
	.commit_txn	= sparc_commit_txn,
	.cancel_txn	= sparc_cancel_txn,
	.add		= sparc_add,
	.del		= sparc_del,
	.start		= sparc_start,
	.stop		= sparc_stop,
	.read		= sparc_read,
	.event_mapped	= sparc_event_mapped,
	.event_unmapped	= sparc_event_unmapped,
	.event_idx	= sparc_event_idx,
};

/* ---- boot ------------------------------------------------------------------------------------------------------- */

/* A CPU's part of the driver. Once, before anything is there. */
void sparc_cpu_prepare(struct sparc_cpu_pmu *cpu)
{
	cpu->hw.layout = sparc_machine.family->layout;
	sparc_wrap_prepare(cpu);
}

/* This CPU's counters are off, and no event is there. False: they cannot be had. */
bool sparc_cpu_reset(void)
{
	return sparc_hw_reset(&this_cpu_ptr(&sparc_cpu_pmus)->hw);
}

/* The PMU is detected, its CPUs are prepared, and nobody else has the counters. */
int __init sparc_pmu_init(void)
{
	const struct sparc_family *family = sparc_machine.family;
	unsigned long flags;
	bool usable;

	local_irq_save(flags);
	usable = sparc_cpu_reset();
	if (usable)
		sparc_machine.hypervisor = sparc_hw_counts_hypervisor(&this_cpu_ptr(&sparc_cpu_pmus)->hw);
	local_irq_restore(flags);
	if (!usable) {
		pr_info("Performance events: the hypervisor denies the counters, software events only\n");
		sparc_machine.family = NULL;
		return 0;
	}
	pr_info("Performance events: %s, %u counters%s\n", family->title, family->layout->pics,
		sparc_machine.hypervisor ? ", also of the hypervisor" : "");
	return perf_pmu_register(&sparc_pmu, "cpu", PERF_TYPE_RAW);
}
