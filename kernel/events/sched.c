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
 * A slot is resident: what it has ACTIVE stays so while its context is on no CPU, if none of it moves: event_moves().
 * The context's clock stands still, and the hooks of software events look at loaded contexts alone, so there is nothing
 * to do at a switch. Whoever then changes something in the context evicts first (remote.c).
 *
 * A task's context is loaded only while it has events: each of them keeps the scheduler's hooks alive (life.c), and
 * without the hooks nothing would unload it.
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

/* Where it is decides which programs may write to its ring: they ask event->oncpu. */
static bool is_bpf_output(struct perf_event *event)
{
	return event->attr.type == PERF_TYPE_SOFTWARE && event->attr.config == PERF_COUNT_SW_BPF_OUTPUT;
}

/*
 * Does it come off when its context does? Not one that counts by its context alone; but if it samples, is confined to a
 * CPU or has a control page, where it is and since when must be right at each switch.
 */
static bool event_moves(struct perf_event *event)
{
	return !(event->pmu->capabilities & PCL_PMU_CAP_RESIDENT) || is_sampling_event(event) || event->cpu >= 0 ||
	       event->attr.exclusive || rcu_access_pointer(event->rb) || is_bpf_output(event);
}

/* 0, or why the PMU cannot take it now. PMU disabled by the caller when it is the slot's. */
static int event_in(struct perf_event *event)
{
	struct pmu *pmu = event->pmu;
	int err;

	if (event->state != PERF_EVENT_STATE_INACTIVE)
		return 0;	/* a sibling that is disabled does not hinder its group */

	perf_pmu_disable(pmu);
	if (event->hw.interrupts == PCL_THROTTLED) {
		event->hw.interrupts = 0;
		pcl_record_throttle(event, false);
	}
	err = pmu->add(event, PERF_EF_START);
	if (!err) {
		event->moves = event_moves(event);
		/* From here to event_out() there is a counter, for which an NMI may ask: perf_event_read_local(). */
		WRITE_ONCE(event->oncpu, smp_processor_id());
		pcl_event_set_state(event, PERF_EVENT_STATE_ACTIVE);
		event->group_leader->slot->nr_active++;
		event->group_leader->slot->nr_moving += event->moves;
		if (event->attr.freq && event->attr.sample_freq)
			event->ctx->nr_freq++;
	}
	perf_pmu_enable(pmu);
	return err;
}

static void event_out(struct perf_event *event)
{
	struct pmu *pmu = event->pmu;

	if (event->state != PERF_EVENT_STATE_ACTIVE)
		return;

	perf_pmu_disable(pmu);
	WRITE_ONCE(event->oncpu, -1);
	barrier();	/* nobody on this CPU asks for the counter any more, then it is taken away */
	pmu->del(event, 0);
	pcl_event_set_state(event, PERF_EVENT_STATE_INACTIVE);
	event->group_leader->slot->nr_active--;
	event->group_leader->slot->nr_moving -= event->moves;
	if (event->attr.freq && event->attr.sample_freq)
		event->ctx->nr_freq--;
	if (READ_ONCE(event->pending_disable)) {	/* asked for in NMI, not yet done */
		WRITE_ONCE(event->pending_disable, 0);
		pcl_event_set_state(event, PERF_EVENT_STATE_OFF);
		pcl_queue_leader(event);
	}
	pcl_overflow_off(event);
	perf_pmu_enable(pmu);
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

/* The leader comes off, and the group is none of those that run. @all: or else its members stay if they can alone. */
static void group_end(struct perf_event *leader, bool all)
{
	struct pcl_slot *slot = leader->slot;
	struct pmu *pmu = slot->pmu;
	struct perf_event *sibling;

	if (leader->state != PERF_EVENT_STATE_ACTIVE)
		return;

	perf_pmu_disable(pmu);
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
		if (all || sibling->pmu != pmu || sibling->event_caps & PERF_EV_CAP_SIBLING)
			event_out(sibling);
	}
	perf_pmu_enable(pmu);
}

static void group_out(struct perf_event *leader)
{
	group_end(leader, true);
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
		group_out(pcl_leader_of(group));
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
	slot_out_flexible(slot);
	queue_out(&slot->pinned);
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
	group_out(leader);
}

/*
 * The leader goes, and its group with it. Members that belong to the same slot alone as well stay ACTIVE, and go on as
 * groups of their own: pcl_sched_group_stays().
 */
void pcl_sched_leader_out(struct perf_event *leader)
{
	group_end(leader, false);
}

/* @leader was a member until now and is ACTIVE. What is pinned or exclusive is no member. */
void pcl_sched_group_stays(struct perf_event *leader)
{
	WARN_ON_ONCE(leader->attr.pinned || leader->attr.exclusive);
	leader->slot->nr_flexible_active++;
	leader->run_stamp = leader->ctx->now;
}

bool pcl_sched_event_in(struct perf_event *event)
{
	return pcl_event_matches(event) && !event_in(event);
}

void pcl_sched_event_out(struct perf_event *event)
{
	event_out(event);
}

/* ---- a task's context comes and goes ---- */

static void sched_callback(struct pcl_pmu_cpu *pc, struct perf_event_context *ctx, bool in)
{
	if (pc->sched_cb && pc->pmu->sched_task)
		pc->pmu->sched_task(ctx, in);
}

static void slot_load(struct pcl_slot *slot)
{
	struct pcl_pmu_cpu *pc = pcl_pmu_this_cpu(slot->pmu);

	pc->task_slot = slot;
	if (slot_is_full(slot)) {	/* it is empty, or all have stayed */
		slot->short_of_counters = false;
		return;
	}

	perf_pmu_disable(slot->pmu);
	sched_callback(pc, slot->ctx, true);
	if (slot->pinned.nr) {
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

		if (slot->nr_moving) {
			perf_pmu_disable(slot->pmu);
			sched_callback(pc, ctx, false);
			slot_out(slot);
			perf_pmu_enable(slot->pmu);
		}
		pc->task_slot = NULL;
	}
	pcl_clock_stop(&ctx->clock, cpu->stamp);
	ctx->is_active = false;
	WRITE_ONCE(ctx->loaded_on, -1);
	cpu->task_ctx = NULL;
}

/* A context that is on no CPU, ctx->lock held: also what has stayed comes off, before something is done to it. */
void pcl_sched_evict(struct perf_event_context *ctx)
{
	struct pcl_slot *slot;

	lockdep_assert_held(&ctx->lock);
	WARN_ON_ONCE(ctx->is_active);
	list_for_each_entry(slot, &ctx->slots, entry)
		slot_out(slot);
}

/* @event has a control page from now on. Where it is on, or on no CPU with ctx->lock. */
void pcl_sched_event_moves(struct perf_event *event)
{
	lockdep_assert_held(&event->ctx->lock);
	if (event->state != PERF_EVENT_STATE_ACTIVE || event->moves)
		return;
	WRITE_ONCE(event->oncpu, smp_processor_id());	/* where it began to count is another story */
	WRITE_ONCE(event->moves, true);
	event->group_leader->slot->nr_moving++;
}

/* ---- the scheduler's hooks ---- */

static void unload(struct pcl_cpu *cpu, struct perf_event_context *ctx)
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
static bool load(struct pcl_cpu *cpu, struct perf_event_context *ctx)
{
	pcl_cpu_lock(ctx);
	if (ctx->nr_events)
		pcl_sched_load(cpu, ctx);
	pcl_cpu_unlock(cpu, ctx);
	return cpu->task_ctx;
}

static void load_of_set(struct pcl_cpu *cpu, struct pcl_set *set, struct perf_event_context *own)
{
	struct perf_event_context *ctx = pcl_context_take(set, own);

	if (ctx && !load(cpu, ctx))
		pcl_context_give(set, ctx);
}

void pcl_sched_follow(struct task_struct *task)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct pcl_set *set = rcu_access_pointer(task->perf_event_set);
	struct perf_event_context *own = rcu_access_pointer(task->perf_event_ctxp), *ctx = cpu->task_ctx;

	lockdep_assert_irqs_disabled();
	if (ctx && (set ? READ_ONCE(ctx->set) == set : ctx == own))
		return;
	if (ctx)
		unload(cpu, ctx);
	if (set)
		load_of_set(cpu, set, own);
	else if (own)
		load(cpu, own);
}

/* Is @ctx an instance of the set that @next is of? */
static bool goes_on_with(struct task_struct *next, struct perf_event_context *ctx)
{
	struct pcl_set *set = READ_ONCE(ctx->set);

	return set && set == rcu_access_pointer(next->perf_event_set);
}

/* Before the switch from @task to @next, IRQs off. A member of the same set goes on with what is loaded. */
void __perf_event_task_sched_out(struct task_struct *task, struct task_struct *next)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct perf_event_context *ctx = cpu->task_ctx;

	lockdep_assert_irqs_disabled();
	pcl_record_switch(task, next, false);
	if (ctx && !goes_on_with(next, ctx))
		unload(cpu, ctx);
}

/*
 * After the switch from @prev to @task, IRQs off. Whoever gives a task its first event, or takes it out of its set,
 * either is seen here or sees that the task runs, and sends an IPI.
 */
void __perf_event_task_sched_in(struct task_struct *prev, struct task_struct *task)
{
	lockdep_assert_irqs_disabled();
	/*
	 * The runqueue says that @task runs, then we look: sched.in A, pairs with remote.look B for its first event;
	 * and sched.in A, pairs with set.leave B for its set.
	 */
	smp_mb();
	pcl_sched_follow(task);
	pcl_record_switch(task, prev, true);
}

/* The timer tick, IRQs off. Without an event that wants it no lock is taken. */
void perf_event_task_tick(void)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct perf_event_context *ctx = cpu->task_ctx;
	bool throttled = pcl_overflow_tick_begin();

	if (!pcl_overflow_tick_wanted(cpu, throttled))
		return;
	pcl_cpu_lock(ctx);
	pcl_overflow_tick(cpu, throttled);
	pcl_cpu_unlock(cpu, ctx);
}

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
