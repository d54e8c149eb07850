// SPDX-License-Identifier: GPL-2.0
/*
 * Placement: groups on and off the hardware of this CPU.
 *
 * Concepts: four kinds of group want this CPU's counters, in this order of rank:
 *
 *	1. the CPU's pinned groups      3. the CPU's flexible groups
 *	2. the task's pinned groups     4. the task's flexible groups
 *
 * Each PMU is filled by itself: what happens on one never disturbs another. A newcomer is first tried beside what runs;
 * only when it does not fit, and its rank is not the last, is the PMU emptied and filled again by rank. Flexible groups
 * that do not fit make their slot short of counters, which starts the multiplexing slice (rotate.c); within a slot
 * the group that ran least is tried first (group.c).
 *
 * A group is queued in its slot exactly while it wants to run (queue.c).
 *
 * What a slot has ACTIVE may stay so while its context is on no CPU (stay.c). Whoever then changes something in the
 * context evicts first (remote.c).
 *
 * Groups of a cgroup are queued while that runs on the CPU (cgroup_switch.c), and have the rank of its own.
 *
 * Contexts: all functions but pcl_sched_evict() run on the CPU they are about, all with IRQs off; an NMI of the PMU
 * may come at any moment outside perf_pmu_disable(), so an event is ACTIVE, with everything its handler looks at,
 * before the PMU is enabled again.
 *
 * Locks: the CPU context's lock, then the running task's; pcl_cpu_lock() takes both.
 */
#include <linux/sched/clock.h>

#include "internal.h"

/* Take this CPU's context lock and, nested in it, @task_ctx's if there is one: an operation begins. IRQs are off. */
struct pcl_cpu *pcl_cpu_lock(struct perf_event_context *task_ctx)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);

	lockdep_assert_irqs_disabled();
	raw_spin_lock(&cpu->ctx.lock);
	cpu->stamp = local_clock();
	pcl_context_set_now(&cpu->ctx, cpu->stamp);
	if (task_ctx) {
		raw_spin_lock_nested(&task_ctx->lock, SINGLE_DEPTH_NESTING);
		pcl_context_set_now(task_ctx, cpu->stamp);
	}
	return cpu;
}

void pcl_cpu_unlock(struct pcl_cpu *cpu, struct perf_event_context *task_ctx)
{
	if (task_ctx)
		raw_spin_unlock(&task_ctx->lock);
	raw_spin_unlock(&cpu->ctx.lock);
}

/* ---- one event ---- */

/* @event is ACTIVE, and one of those of @slot from now on; or no more. */
static void slot_count_in(struct pcl_slot *slot, struct perf_event *event)
{
	slot->nr_active++;
	slot->nr_moving += event->moves;
}

static void slot_count_out(struct pcl_slot *slot, struct perf_event *event)
{
	slot->nr_active--;
	slot->nr_moving -= event->moves;
}

/* The slot's PMU stands still already; that of a member may be another. */
static void member_disable(struct perf_event *event)
{
	struct pmu *slots = event->group_leader->slot->pmu;

	lockdep_assert(pcl_pmu_this_cpu(slots)->disable_depth);
	if (event->pmu != slots)
		perf_pmu_disable(event->pmu);
}

static void member_enable(struct perf_event *event)
{
	if (event->pmu != event->group_leader->slot->pmu)
		perf_pmu_enable(event->pmu);
}

/* A trace tells whose it is, until its driver says that it knows by itself. */
static void itrace_starts(struct perf_event *event)
{
	struct perf_event *origin = event->parent ? event->parent : event;

	if (!(origin->attach_state & PERF_ATTACH_ITRACE))
		pcl_record_itrace_start(event);
}

/* 0, or why the PMU cannot take it now. The slot's PMU is disabled. */
static int event_in(struct perf_event *event)
{
	struct pmu *pmu = event->pmu;
	int err;

	if (event->state != PERF_EVENT_STATE_INACTIVE)
		return 0;	/* a sibling that is disabled does not hinder its group */

	member_disable(event);
	if (event->hw.interrupts == PCL_THROTTLED) {
		event->hw.interrupts = 0;
		pcl_record_throttle(event, false);
	}
	if (unlikely(pmu->capabilities & PERF_PMU_CAP_ITRACE))
		itrace_starts(event);
	err = pmu->add(event, PERF_EF_START);
	if (!err) {
		event->moves = pcl_stay_moves(event);
		/* From here to event_out() there is a counter, for which an NMI may ask: perf_event_read_local(). */
		WRITE_ONCE(event->oncpu, smp_processor_id());
		pcl_event_set_state(event, PERF_EVENT_STATE_ACTIVE);
		slot_count_in(event->group_leader->slot, event);
		if (event->attr.freq && event->attr.sample_freq)
			event->ctx->nr_freq++;
	}
	member_enable(event);
	return err;
}

/* The slot's PMU is disabled. */
static void event_out(struct perf_event *event)
{
	struct pcl_slot *slot = event->group_leader->slot;

	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;

	member_disable(event);
	WRITE_ONCE(event->oncpu, -1);
	barrier();	/* nobody on this CPU asks for the counter any more, then it is taken away */
	if (!slot->is_away || !event->pmu->away)	/* else the PMU has let go of it */
		event->pmu->del(event, 0);
	pcl_event_set_state(event, PERF_EVENT_STATE_INACTIVE);
	slot_count_out(slot, event);
	if (event->attr.freq && event->attr.sample_freq)
		event->ctx->nr_freq--;
	if (READ_ONCE(event->pending_disable)) {	/* asked for in NMI, not yet done */
		WRITE_ONCE(event->pending_disable, 0);
		pcl_event_set_state(event, PERF_EVENT_STATE_OFF);
		pcl_queue_leader(event);
	}
	pcl_overflow_off(event);
	member_enable(event);
}

/* ---- one group ---- */

static void group_undo(struct perf_event *leader, struct perf_event *failed)
{
	struct perf_event *sibling;

	for_each_sibling_event(sibling, leader) {
		if (sibling == failed)
			break;
		event_out(sibling);
	}
	event_out(leader);
}

/* All of the group, or nothing. The slot's PMU is disabled. */
static bool group_add(struct perf_event *leader)
{
	struct pmu *pmu = leader->slot->pmu;
	struct perf_event *sibling, *failed = NULL;

	pmu->start_txn(pmu, PERF_PMU_TXN_ADD);
	if (event_in(leader)) {
		pmu->cancel_txn(pmu);
		return false;
	}
	for_each_sibling_event(sibling, leader) {
		if (event_in(sibling)) {
			failed = sibling;
			break;
		}
	}
	if (!failed && !pmu->commit_txn(pmu))
		return true;
	group_undo(leader, failed);
	pmu->cancel_txn(pmu);
	return false;
}

/*
 * While an exclusive group is on, no other joins it; and it joins no other of its own rank. Those of other ranks that
 * were on before it stay, as a task could else be kept from its counters by any event of the CPU. Software groups
 * always fit and do not count.
 */
static bool group_may_join(struct perf_event *leader, struct pcl_pmu_cpu *pc)
{
	struct pcl_slot *slot = leader->slot;

	if (leader->group_caps & PERF_EV_CAP_SOFTWARE)
		return true;
	if (pc->exclusive)
		return false;
	return !leader->attr.exclusive || !(leader->attr.pinned ? slot->nr_pinned_active : slot->nr_flexible_active);
}

static bool group_try(struct perf_event *leader, struct pcl_pmu_cpu *pc)
{
	if (!group_may_join(leader, pc) || !group_add(leader))
		return false;
	if (leader->attr.exclusive)
		pc->exclusive = true;
	if (leader->attr.pinned) {
		leader->slot->nr_pinned_active++;
	} else {
		leader->slot->nr_flexible_active++;
		leader->run_stamp = leader->ctx->now;
	}
	return true;
}

/*
 * The leader comes off, and the group is none of those that run. @all: or else its members stay if they can alone. The
 * slot's PMU is disabled.
 */
static void group_end(struct perf_event *leader, bool all)
{
	struct pcl_slot *slot = leader->slot;
	struct pmu *pmu = slot->pmu;
	struct perf_event *sibling;

	if (leader->state != PERF_EVENT_STATE_ACTIVE)
		return;

	if (leader->attr.exclusive)
		pcl_pmu_this_cpu(pmu)->exclusive = false;
	if (leader->attr.pinned) {
		slot->nr_pinned_active--;
	} else {
		slot->nr_flexible_active--;
		/* Only while counters are scarce does it matter who ran how long. */
		if (slot->short_of_counters)
			pcl_group_charge(&slot->flexible, &leader->group, leader->ctx->now - leader->run_stamp);
	}
	event_out(leader);
	for_each_sibling_event(sibling, leader) {
		if (all || pcl_event_needs_leader(sibling))
			event_out(sibling);
	}
}

/* The same from outside. */
static void group_end_alone(struct perf_event *leader, bool all)
{
	struct pmu *pmu;

	if (leader->state != PERF_EVENT_STATE_ACTIVE)
		return;
	pmu = leader->slot->pmu;
	perf_pmu_disable(pmu);
	group_end(leader, all);
	perf_pmu_enable(pmu);
}

/* A pinned group that does not fit will never silently count less than it should: it stops with an error. */
static void group_error(struct perf_event *leader)
{
	pcl_event_set_state(leader, PERF_EVENT_STATE_ERROR);
	pcl_queue_leader(leader);
}

/* ---- one slot ---- */

static void slice_arm(struct pcl_pmu_cpu *pc)
{
	if (pc->slice_armed)
		return;
	pc->slice_armed = true;
	hrtimer_start(&pc->slice, ms_to_ktime(pc->pmu->slice_ms), HRTIMER_MODE_REL_PINNED_HARD);
}

/* From here on it matters who runs how long: those who run begin at the same line. */
static void slot_becomes_short(struct pcl_slot *slot, struct pcl_pmu_cpu *pc)
{
	struct pcl_group *group;

	if (!slot->short_of_counters) {
		slot->short_of_counters = true;
		slot->flexible.chosen = slot->ctx->now;
		pcl_group_for_each(group, &slot->flexible)
			pcl_leader_of(group)->run_stamp = slot->ctx->now;
	}
	slice_arm(pc);
}

static void slot_fill_pinned(struct pcl_slot *slot, struct pcl_pmu_cpu *pc)
{
	struct pcl_group *group, *next;

	pcl_group_for_each_safe(group, next, &slot->pinned) {
		struct perf_event *leader = pcl_leader_of(group);

		if (leader->state != PERF_EVENT_STATE_INACTIVE || !pcl_event_matches(leader) || group_try(leader, pc))
			continue;
		if (leader->state == PERF_EVENT_STATE_INACTIVE)	/* trying can disable it: see below */
			group_error(leader);
	}
}

static void slot_fill_flexible(struct pcl_slot *slot, struct pcl_pmu_cpu *pc)
{
	struct pcl_group *group, *next;
	struct pcl_choice choice;

	/* Only while counters are scarce does a turn count, used or not. */
	if (!slot->short_of_counters)
		slot->flexible.chosen = slot->ctx->now;
	pcl_choice_begin(&choice, &slot->flexible, slot->ctx->now);
	pcl_group_for_each_safe(group, next, &slot->flexible) {
		struct perf_event *leader = pcl_leader_of(group);

		if (!pcl_event_matches(leader))
			continue;
		pcl_choice_meet(&choice, group);
		if (leader->state != PERF_EVENT_STATE_INACTIVE || group_try(leader, pc))
			continue;
		/* An overflow while it was tried, the last that REFRESH allowed, disables it: it is in no queue. */
		if (list_empty(&group->entry))
			continue;
		slot_becomes_short(slot, pc);
		if (!pcl_choice_miss(&choice, group, !slot->nr_flexible_active))
			break;
	}
	pcl_choice_end(&choice);
	if (!choice.misses)
		slot->short_of_counters = false;
}

static void queue_out(struct pcl_group_queue *queue)
{
	struct pcl_group *group, *next;

	pcl_group_for_each_safe(group, next, queue)
		group_end(pcl_leader_of(group), true);
}

static void slot_out_flexible(struct pcl_slot *slot)
{
	if (slot && slot->nr_flexible_active)
		queue_out(&slot->flexible);
}

static void slot_out(struct pcl_slot *slot)
{
	if (!slot || !slot->nr_active)
		return;
	if (slot->nr_flexible_active)
		queue_out(&slot->flexible);
	if (slot->nr_pinned_active)
		queue_out(&slot->pinned);
	slot->is_away = false;
}

/* All groups that want to run do. */
static bool slot_is_full(const struct pcl_slot *slot)
{
	return slot->pinned.nr == slot->nr_pinned_active && slot->flexible.nr == slot->nr_flexible_active;
}

/* ---- one PMU on this CPU ---- */

/* Give the free counters to whoever waits, by rank. PMU disabled. */
static void pmu_fill(struct pcl_pmu_cpu *pc)
{
	struct pcl_slot *own = &pc->slot, *task = pc->task_slot;

	slot_fill_pinned(own, pc);
	if (task)
		slot_fill_pinned(task, pc);
	slot_fill_flexible(own, pc);
	if (task)
		slot_fill_flexible(task, pc);
}

void pcl_sched_again(struct pmu *pmu)
{
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(pmu);

	perf_pmu_disable(pmu);
	slot_out(pc->task_slot);
	slot_out(&pc->slot);
	pmu_fill(pc);
	perf_pmu_enable(pmu);
}

/*
 * The slice is over. Flexible groups of the slots that are short give up their counters, and who ran least takes
 * them. The task's make way for the CPU's, which stand above them.
 */
bool pcl_sched_share(struct pcl_pmu_cpu *pc)
{
	bool own = pc->slot.short_of_counters;

	if (!own && !(pc->task_slot && pc->task_slot->short_of_counters))
		return false;

	perf_pmu_disable(pc->pmu);
	slot_out_flexible(pc->task_slot);
	if (own)
		slot_out_flexible(&pc->slot);
	pmu_fill(pc);
	perf_pmu_enable(pc->pmu);
	return pc->slot.short_of_counters || (pc->task_slot && pc->task_slot->short_of_counters);
}

/* ---- for bind.c and control.c ---- */

void pcl_sched_group_in(struct perf_event *leader)
{
	struct pcl_slot *slot = leader->slot;
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);
	bool last;

	if (!slot->ctx->is_active)
		return;
	if (slot->ctx->cpu < 0)
		pc->task_slot = slot;	/* it may have been made while its context was loaded */
	last = slot == pc->task_slot && !leader->attr.pinned;
	if (leader->state != PERF_EVENT_STATE_INACTIVE || !pcl_event_matches(leader))
		return;

	perf_pmu_disable(slot->pmu);
	/* Whom an exclusive group keeps off is a matter of rank, too. */
	if ((leader->attr.exclusive && !last) || !group_try(leader, pc)) {
		if (last)
			slot_becomes_short(slot, pc);	/* the last rank displaces nobody */
		else
			pcl_sched_again(slot->pmu);
	}
	perf_pmu_enable(slot->pmu);
}

void pcl_sched_group_out(struct perf_event *leader)
{
	group_end_alone(leader, true);
}

/*
 * The leader goes, and its group with it. Members that can count alone stay ACTIVE, and go on as groups of their own:
 * pcl_sched_group_stays().
 */
void pcl_sched_leader_out(struct perf_event *leader)
{
	group_end_alone(leader, false);
}

/* @leader was a member until now, of a group of @from, and is ACTIVE. What is pinned or exclusive is no member. */
void pcl_sched_group_stays(struct perf_event *leader, struct pcl_slot *from)
{
	struct pcl_slot *slot = leader->slot;

	WARN_ON_ONCE(leader->attr.pinned || leader->attr.exclusive);
	if (slot->ctx->cpu < 0)
		pcl_pmu_this_cpu(slot->pmu)->task_slot = slot;	/* see pcl_sched_group_in() */
	slot_count_out(from, leader);
	slot_count_in(slot, leader);
	slot->nr_flexible_active++;
	leader->run_stamp = leader->ctx->now;
}

bool pcl_sched_event_in(struct perf_event *event)
{
	struct pmu *pmu = event->group_leader->slot->pmu;
	bool in;

	perf_pmu_disable(pmu);
	in = pcl_event_matches(event) && !event_in(event);
	perf_pmu_enable(pmu);
	return in;
}

void pcl_sched_event_out(struct perf_event *event)
{
	struct pmu *pmu;

	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;
	pmu = event->group_leader->slot->pmu;
	perf_pmu_disable(pmu);
	event_out(event);
	perf_pmu_enable(pmu);
}

/**
 * pcl_sched_settle - give a slot's counters to those that want them now
 * @slot: this CPU's own, of which groups have left the queues, or come back to them
 *
 * The slot's PMU is disabled. While counters are scarce all are chosen anew: who came might else be gone before the
 * slice is over, each time, and who ran until now is charged for it. So it is, too, when it first turns out that they
 * are.
 */
void pcl_sched_settle(struct pcl_slot *slot)
{
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);
	struct pcl_slot *task = pc->task_slot;
	bool scarce = slot->short_of_counters;

	if (slot_is_full(slot) && !scarce && !(task && task->short_of_counters))
		return;
	if (task && task->nr_active) {		/* its task was moved while it ran, or its set goes on */
		pcl_sched_again(slot->pmu);
		return;
	}
	if (scarce || slot->pinned.nr != slot->nr_pinned_active)
		slot_out_flexible(slot);
	pmu_fill(pc);
	if (!scarce && slot->short_of_counters) {
		slot_out_flexible(slot);
		pmu_fill(pc);
	}
}

/* ---- a task's context comes and goes ---- */

static void sched_callback(struct pcl_pmu_cpu *pc, struct perf_event_context *ctx, bool in)
{
	if (pc->sched_cb && pc->pmu->sched_task)
		pc->pmu->sched_task(ctx, in);
}

/* What stayed ACTIVE goes on, if it can, until its turn is over. Returns whether that is all. PMU disabled. */
static bool slot_goes_on(struct pcl_slot *slot, struct pcl_pmu_cpu *pc)
{
	/* Whom a pinned group would displace stays off for it. */
	if (pc->exclusive || slot->pinned.nr != slot->nr_pinned_active || !pcl_stay_back(slot)) {
		slot_out(slot);
		return false;
	}
	if (slot_is_full(slot)) {
		slot->short_of_counters = false;
		return true;
	}
	if (!slot->short_of_counters)
		return false;
	if (slot->ctx->now - slot->flexible.chosen < (u64)pc->pmu->slice_ms * NSEC_PER_MSEC) {
		slice_arm(pc);
		return true;
	}
	slot_out_flexible(slot);
	return false;
}

static void slot_load(struct pcl_slot *slot)
{
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);

	pc->task_slot = slot;
	if (!slot->is_away && slot_is_full(slot)) {	/* it is empty, or all have stayed */
		slot->short_of_counters = false;
		return;
	}

	perf_pmu_disable(slot->pmu);
	sched_callback(pc, slot->ctx, true);
	if (slot->is_away && slot_goes_on(slot, pc)) {
		/* nothing to choose */
	} else if (slot->pinned.nr) {
		slot_out_flexible(&pc->slot);	/* the task's pinned groups stand above these */
		pmu_fill(pc);
	} else {
		slot_fill_flexible(slot, pc);
	}
	perf_pmu_enable(slot->pmu);
}

void pcl_sched_load(struct pcl_cpu *cpu, struct perf_event_context *ctx)
{
	struct pcl_slot *slot;

	WARN_ON_ONCE(cpu->task_ctx);
	ctx->is_active = true;
	WRITE_ONCE(ctx->loaded_on, smp_processor_id());
	pcl_queue_for(ctx, smp_processor_id());
	pcl_clock_start(&ctx->clock, cpu->stamp);
	cpu->task_ctx = ctx;
	list_for_each_entry(slot, &ctx->slots, entry)
		slot_load(slot);
}

void pcl_sched_unload(struct pcl_cpu *cpu, struct perf_event_context *ctx)
{
	struct pcl_slot *slot;

	list_for_each_entry(slot, &ctx->slots, entry) {
		struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);

		if (slot->nr_moving || (slot->nr_active && slot->pmu->away)) {
			perf_pmu_disable(slot->pmu);
			sched_callback(pc, ctx, false);
			if (slot->nr_moving)
				slot_out(slot);
			else
				pcl_stay_away(slot);
			perf_pmu_enable(slot->pmu);
		}
		pc->task_slot = NULL;
	}
	pcl_clock_stop(&ctx->clock, cpu->stamp);
	ctx->is_active = false;
	WRITE_ONCE(ctx->loaded_on, -1);
	cpu->task_ctx = NULL;
}

void pcl_sched_depart(struct pcl_cpu *cpu, struct perf_event_context *ctx)
{
	struct pcl_set *set;

	pcl_cpu_lock(ctx);
	pcl_sched_unload(cpu, ctx);
	set = ctx->set;		/* once given back, it may end */
	pcl_cpu_unlock(cpu, ctx);
	if (set)
		pcl_context_give(set, ctx);
}

/* False: it is empty. */
bool pcl_sched_arrive(struct pcl_cpu *cpu, struct perf_event_context *ctx)
{
	pcl_cpu_lock(ctx);
	if (ctx->nr_events)
		pcl_sched_load(cpu, ctx);
	pcl_cpu_unlock(cpu, ctx);
	return cpu->task_ctx;
}

/* A context that is on no CPU, ctx->lock held: also what has stayed comes off, before something is done to it. */
void pcl_sched_evict(struct perf_event_context *ctx)
{
	struct pcl_slot *slot;

	lockdep_assert_held(&ctx->lock);
	WARN_ON_ONCE(ctx->is_active);
	list_for_each_entry(slot, &ctx->slots, entry) {
		if (!slot->nr_active)
			continue;
		perf_pmu_disable(slot->pmu);
		slot_out(slot);
		perf_pmu_enable(slot->pmu);
	}
}

/* ---- for drivers ---- */

/* Drivers whose constraints changed: place this CPU's groups anew. Any context but NMI. */
void perf_pmu_resched(struct pmu *pmu)
{
	struct perf_event_context *ctx;
	struct pcl_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	cpu = pcl_cpu_lock(ctx);
	pcl_sched_again(pmu);
	pcl_cpu_unlock(cpu, ctx);
	local_irq_restore(flags);
}

/* A driver wants sched_task() on this CPU as long as one of its events that needs it is here. IRQs off. */
void perf_sched_cb_inc(struct pmu *pmu)
{
	lockdep_assert_irqs_disabled();
	this_cpu_inc(pmu->cpus->sched_cb);
}

void perf_sched_cb_dec(struct pmu *pmu)
{
	this_cpu_dec(pmu->cpus->sched_cb);
}
