// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's calls: the counters as a struct pmu.
 *
 * Concepts: add() takes an event into ia64_cpu_pmu::list if all events there find counters (places.c); inside a
 * transaction the question is asked once, at commit. Nothing is programmed then. When the PMU is enabled again,
 * settle() takes events off counters that others shall have, and puts those on that have none yet.
 *
 * Contexts: event_init() and event_mapped() in task context; all others on the owning CPU with IRQs off and the PMU
 * disabled, but for start() and stop(), which the overflow interrupt's handler calls too, with all counters frozen,
 * read() and event_idx().
 *
 * Locks: the engine's, see struct pmu.
 */
#include <linux/bitops.h>

#include "driver.h"

DEFINE_PER_CPU(struct ia64_cpu_pmu, ia64_cpu_pmus);

struct ia64_machine ia64_machine __ro_after_init;

bool ia64_event_is_ours(const struct perf_event *event)
{
	return event->pmu == &ia64_pmu;
}

/* ---- one event on its counter ----------------------------------------------------------------------------------- */

static void ia64_event_start(struct perf_event *event, int flags)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	bool running = cpu->hw.running;

	if (WARN_ON_ONCE(hwc->idx < 0 || !(hwc->state & PERF_HES_STOPPED)))
		return;
	ia64_hw_pause(&cpu->hw);
	if (flags & PERF_EF_RELOAD)
		ia64_counter_resume(event);
	hwc->state = 0;
	cpu->on[hwc->idx] = event;
	ia64_hw_arm(&cpu->hw, hwc->idx, hwc->config);
	if (running)
		ia64_hw_resume(&cpu->hw);
	perf_event_update_userpage(event);
}

void ia64_event_stop(struct perf_event *event, int flags)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	struct hw_perf_event *hwc = &event->hw;
	bool running = cpu->hw.running;

	if (!(hwc->state & PERF_HES_STOPPED)) {
		ia64_hw_pause(&cpu->hw);
		ia64_hw_disarm(&cpu->hw, hwc->idx);
		cpu->on[hwc->idx] = NULL;
		hwc->state |= PERF_HES_STOPPED;
		if (running)
			ia64_hw_resume(&cpu->hw);
	}
	if ((flags & PERF_EF_UPDATE) && !(hwc->state & PERF_HES_UPTODATE)) {
		ia64_counter_advance(event);
		hwc->state |= PERF_HES_UPTODATE;
	}
	/* From the counter that it had user code reads 0 (regs.c). */
	perf_event_update_userpage(event);
}

/* An event that is on its way to a counter, or stopped, has nothing there to fold. */
static void ia64_read(struct perf_event *event)
{
	if (!(READ_ONCE(event->hw.state) & PERF_HES_UPTODATE))
		ia64_counter_fold(event);
}

/* ---- all events of this CPU ------------------------------------------------------------------------------------- */

/* Takes an event off a counter that is not its place any more. */
static void leave_counter(struct perf_event *event)
{
	/* Stopped by the engine, and to stay so. */
	if (event->hw.state & PERF_HES_STOPPED)
		event->hw.state |= PERF_HES_ARCH;
	ia64_event_stop(event, PERF_EF_UPDATE);
	event->hw.idx = -1;
}

static void enter_counter(struct ia64_cpu_pmu *cpu, struct perf_event *event, int idx)
{
	struct hw_perf_event *hwc = &event->hw;

	hwc->idx = idx;
	hwc->last_cpu = smp_processor_id();
	if (hwc->state & PERF_HES_ARCH) {
		ia64_hw_hold(&cpu->hw, idx, hwc->config);
		ia64_counter_resume(event);	/* who starts it need not reload */
	} else {
		ia64_event_start(event, PERF_EF_RELOAD);
	}
}

/* Brings events to their places. */
static void settle(struct ia64_cpu_pmu *cpu)
{
	unsigned int i;

	for (i = 0; i < cpu->settled; i++) {
		if (cpu->list[i]->hw.idx != cpu->place[i])
			leave_counter(cpu->list[i]);
	}
	for (i = 0; i < cpu->nr; i++) {
		if (i >= cpu->settled || cpu->list[i]->hw.idx < 0)
			enter_counter(cpu, cpu->list[i], cpu->place[i]);
	}
	ia64_claims_write(cpu);
	cpu->settled = cpu->nr;
}

/* With no event here all stay frozen. */
static void ia64_enable(struct pmu *pmu)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);

	if (cpu->settled < cpu->nr)
		settle(cpu);
	ia64_user_enter(cpu);
	if (cpu->nr && !cpu->hw.running)
		ia64_hw_resume(&cpu->hw);
}

static void ia64_disable(struct pmu *pmu)
{
	ia64_hw_pause(&this_cpu_ptr(&ia64_cpu_pmus)->hw);
}

static int ia64_add(struct perf_event *event, int flags)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);

	if (cpu->nr == hweight32(ia64_machine.family->counters) || ia64_range_waits(event))
		return -EAGAIN;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		event->hw.state |= PERF_HES_ARCH;
	cpu->list[cpu->nr++] = event;
	if (cpu->in_txn || ia64_places_find(cpu))
		return 0;
	cpu->nr--;
	return -EAGAIN;
}

/* An event of @group has left: if it was the last one, no counter keeps one of these that is an anchor to nobody. */
static void release_anchors(struct ia64_cpu_pmu *cpu, unsigned int group)
{
	const struct ia64_family *family = ia64_machine.family;
	const struct ia64_event *row;
	unsigned int i;

	for (i = 0; i < cpu->nr; i++) {
		if (ia64_row(cpu->list[i])->group == group)
			return;
	}
	for (i = IA64_FIRST_COUNTER; i < IA64_COUNTERS; i++) {
		row = family->counters & BIT(i) ? ia64_family_event(family, cpu->hw.written[i]) : NULL;
		if (row && row->group == group)
			ia64_hw_hold(&cpu->hw, i, 0);
	}
}

static void ia64_del(struct perf_event *event, int flags)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);
	unsigned int i = 0;

	while (i < cpu->nr && cpu->list[i] != event)
		i++;
	if (WARN_ON_ONCE(i == cpu->nr))
		return;
	/* An event that never came to its counter has nothing there. */
	if (i < cpu->settled) {
		ia64_event_stop(event, PERF_EF_UPDATE);
		cpu->settled--;
	}
	cpu->nr--;
	for (; i < cpu->nr; i++) {
		cpu->list[i] = cpu->list[i + 1];
		cpu->place[i] = cpu->place[i + 1];
	}
	if (ia64_row(event)->group)
		release_anchors(cpu, ia64_row(event)->group);
	ia64_claims_release(cpu);
	ia64_hw_wipe_later(&cpu->hw, event->hw.extra_reg.reg);
	ia64_hw_wipe_later(&cpu->hw, event->hw.branch_reg.reg);
	perf_event_update_userpage(event);
}

static void ia64_start_txn(struct pmu *pmu, unsigned int flags)
{
	this_cpu_ptr(&ia64_cpu_pmus)->in_txn = flags & PERF_PMU_TXN_ADD;
}

static int ia64_commit_txn(struct pmu *pmu)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);

	if (cpu->in_txn && !ia64_places_find(cpu))
		return -EAGAIN;
	cpu->in_txn = false;
	return 0;
}

static void ia64_cancel_txn(struct pmu *pmu)
{
	this_cpu_ptr(&ia64_cpu_pmus)->in_txn = false;
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* Members of the group that would be on the counters beside @event, itself first; 0: more than there are counters. */
static unsigned int members(struct perf_event *event, struct perf_event **found)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int nr = 0, most = hweight32(ia64_machine.family->counters);

	found[nr++] = event;
	if (leader != event && ia64_event_is_ours(leader))
		found[nr++] = leader;
	for_each_sibling_event(sibling, leader) {
		if (!ia64_event_is_ours(sibling) || sibling->state <= PERF_EVENT_STATE_OFF)
			continue;
		if (nr == most)
			return 0;
		found[nr++] = sibling;
	}
	return nr;
}

/*
 * Could the whole group be on the counters at once, were they all free? If not, the rule is named without which it
 * could.
 */
static int check_group(struct perf_event *event)
{
	unsigned int lifted = IA64_RULE_CANCELS;
	struct perf_event *found[PCL_KIN_MOST];
	unsigned int nr = members(event, found);
	enum pcl_reason clash = ia64_claims_clash(found, nr);

	if (clash)
		return perf_event_refuse(event, clash);
	if (nr && ia64_group_fits(found, nr, 0))
		return 0;
	if (nr && ia64_group_fits(found, nr, lifted))
		return perf_event_refuse(event, PCL_REASON_IA64_GROUP_CANCELS);
	lifted |= IA64_RULE_UMASK;
	if (nr && ia64_group_fits(found, nr, lifted))
		return perf_event_refuse(event, PCL_REASON_IA64_GROUP_UMASK);
	lifted |= IA64_RULE_SETS;
	if (nr && ia64_group_fits(found, nr, lifted))
		return perf_event_refuse(event, PCL_REASON_IA64_GROUP_SETS);
	return perf_event_refuse(event, PCL_REASON_IA64_GROUP_NEVER_FITS);
}

static int ia64_event_init(struct perf_event *event)
{
	u32 type = event->attr.type;
	int err;

	if (type != event->pmu->type && type != PERF_TYPE_HARDWARE && type != PERF_TYPE_HW_CACHE)
		return -ENOENT;

	event->hw.idx = -1;
	err = ia64_event_config(event);
	return err ?: check_group(event);
}

struct pmu ia64_pmu = {
	.task_ctx_nr	= perf_hw_context,
	.event_init	= ia64_event_init,
	.pmu_disable	= ia64_disable,
	.pmu_enable	= ia64_enable,
	.start_txn	= ia64_start_txn,
	.commit_txn	= ia64_commit_txn,
	.cancel_txn	= ia64_cancel_txn,
	.add		= ia64_add,
	.del		= ia64_del,
	.start		= ia64_event_start,
	.stop		= ia64_event_stop,
	.read		= ia64_read,
	.event_mapped	= ia64_event_mapped,
	.event_idx	= ia64_event_idx,
	.attr_groups	= ia64_attr_groups,
};

/* ---- boot ------------------------------------------------------------------------------------------------------- */

/* This CPU's counters are off, and its registers as after power-up. */
void ia64_cpu_prepare(void)
{
	struct ia64_cpu_pmu *cpu = this_cpu_ptr(&ia64_cpu_pmus);

	cpu->hw.family = ia64_machine.family;
	ia64_hw_reset(&cpu->hw);
}

/* The PMU that this machine has, by its CPUID register 3 */
int __init ia64_pmu_init(u64 cpuid3)
{
	if (!ia64_detect(cpuid3))
		return 0;
	pr_info("Performance events: %s, %u counters\n", ia64_machine.family->title,
		hweight32(ia64_machine.family->counters));
	return perf_pmu_register(&ia64_pmu, "cpu", PERF_TYPE_RAW);
}
