// SPDX-License-Identifier: GPL-2.0
/*
 * Software events: what the kernel counts itself.
 *
 * Concepts: three PMUs share PERF_TYPE_SOFTWARE. "software" is for what happens at a call: each context has one list
 * per event number of the events that run in it, and a hook adds to all on those of the CPU's context and of the one
 * that is loaded. cpu-clock and task-clock are differences of the context's clock; to sample they use a timer.
 *
 * A hook costs a patched-out branch while nobody counts what it reports (perf_swevent_enabled).
 *
 * Sampling by number: @period_left runs from -period up to 0; at 0 or above a sample is due, and what it is above is
 * how much is owed.
 *
 * A hook that is hit while another is being counted on the same level (task, softirq, hardirq, NMI) would recurse
 * through the writing of records; each level may be entered once (perf_swevent_get_recursion_context()).
 *
 * Contexts: hooks come with preemption off, from task to NMI. PMU operations as the driver contract has them: IRQs
 * off on the event's CPU.
 *
 * Locks: a list is changed with ctx->lock, on the CPU that has the context if one has, and walked there alone, under
 * RCU, NMI included.
 */
#include <linux/hardirq.h>
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <asm/irq_regs.h>

#include "internal.h"

#define MIN_TIMER_PERIOD_NS (10 * NSEC_PER_USEC)

struct static_key perf_swevent_enabled[PERF_COUNT_SW_MAX];
EXPORT_SYMBOL_GPL(perf_swevent_enabled);

/* Registers of the caller of a hook in the scheduler, one set per level */
DEFINE_PER_CPU(struct pt_regs, __perf_regs[PERF_NR_CONTEXTS]);
EXPORT_PER_CPU_SYMBOL_GPL(__perf_regs);

/* ---- one at a time on each level ---- */

/* Preemption off. The level to give back, or -1: somebody below us on this level is counting already. */
int perf_swevent_get_recursion_context(void)
{
	int level = interrupt_context_level();
	int *busy = &this_cpu_ptr(&pcl_cpus)->recursion[level];

	if (*busy)
		return -1;
	*busy = 1;
	barrier();	/* busy before anything that could recurse */
	return level;
}
EXPORT_SYMBOL_GPL(perf_swevent_get_recursion_context);

void perf_swevent_put_recursion_context(int level)
{
	barrier();	/* what could recurse is over */
	this_cpu_ptr(&pcl_cpus)->recursion[level] = 0;
}

/* ---- counting and sampling ---- */

/**
 * perf_swevent_set_period - begin the next period
 * @event: one that samples
 *
 * On the event's CPU, any context. Return: how many whole periods have passed since the last sample.
 */
u64 perf_swevent_set_period(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 due, period = hw->last_period, next = hw->sample_period;
	s64 left, begin;

	/* An NMI between reading and writing has had its own turn: look again. */
	do {
		left = local64_read(&hw->period_left);
		if (left < 0)
			return 0;
		due = div64_u64(left, period);
		begin = left - (s64)(due * period) - (s64)next;
	} while (local64_cmpxchg(&hw->period_left, left, begin) != left);

	hw->last_period = next;
	return due + 1;
}

/* May the event count what happens in this mode? @regs: NULL if nobody knows. */
static bool sw_counts_here(struct perf_event *event, struct pt_regs *regs)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return false;
	if (!regs)
		return true;
	return user_mode(regs) ? !event->attr.exclude_user : !event->attr.exclude_kernel;
}

/* One sample for each period due, until throttled. */
static void sw_overflow(struct perf_event *event, u64 due, struct perf_sample_data *data, struct pt_regs *regs)
{
	int throttle = 0;

	if (event->hw.interrupts == PCL_THROTTLED)
		return;
	while (due-- && !pcl_overflow_sw(event, throttle, data, regs))
		throttle = 1;
}

/**
 * pcl_software_count - something that the kernel counts itself has happened
 * @event: who counts it
 * @nr: how often
 * @data: what is known of the sample; its period is filled in here
 * @regs: where it happened; NULL: nobody knows, so there is no sample
 *
 * Preemption off, any context; @event may be on its way off this CPU. Count first, then look whether a sample is due:
 * a sample shows the count with what caused it.
 */
void pcl_software_count(struct perf_event *event, u64 nr, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct hw_perf_event *hw = &event->hw;
	bool each, weighted;
	unsigned long flags;

	lockdep_assert_preemption_disabled();
	local64_add(nr, &event->count);
	if (!regs || !is_sampling_event(event))
		return;

	/* With a fixed period, a sample that shows the period is written for each call and shows its weight. */
	weighted = event->attr.sample_type & PERF_SAMPLE_PERIOD && !event->attr.freq;
	each = weighted || (nr == 1 && hw->sample_period == 1 && !event->attr.freq);
	data->period = weighted ? nr : hw->last_period;

	/* Taking the event off its CPU waits until this is over. */
	local_irq_save(flags);
	if (event->state == PERF_EVENT_STATE_ACTIVE) {
		if (each)
			sw_overflow(event, 1, data, regs);
		else if (!local64_add_negative(nr, &hw->period_left))
			sw_overflow(event, perf_swevent_set_period(event), data, regs);
	}
	local_irq_restore(flags);
}

/* ---- hooks ---- */

static __always_inline void add_to_all(struct hlist_head *events, u64 nr, struct perf_sample_data *data,
				       struct pt_regs *regs)
{
	struct perf_event *event;

	hlist_for_each_entry_rcu(event, events, hlist_entry) {
		if (sw_counts_here(event, regs))
			pcl_software_count(event, nr, data, regs);
	}
}

/* Preemption off, and nothing on this level can nest. */
void ___perf_sw_event(u32 event_id, u64 nr, struct pt_regs *regs, u64 addr)
{
	struct pcl_cpu *cpu = this_cpu_ptr(&pcl_cpus);
	struct perf_event_context *ctx;
	struct perf_sample_data data;

	if (WARN_ON_ONCE(!regs || event_id >= PERF_COUNT_SW_MAX))
		return;

	perf_sample_data_init(&data, addr, 0);
	rcu_read_lock();
	if (!hlist_empty(&cpu->ctx.running[event_id]))
		add_to_all(&cpu->ctx.running[event_id], nr, &data, regs);
	ctx = READ_ONCE(cpu->task_ctx);
	if (ctx && !hlist_empty(&ctx->running[event_id]))
		add_to_all(&ctx->running[event_id], nr, &data, regs);
	rcu_read_unlock();
}

void __perf_sw_event(u32 event_id, u64 nr, struct pt_regs *regs, u64 addr)
{
	int level;

	preempt_disable_notrace();
	level = perf_swevent_get_recursion_context();
	if (level >= 0) {
		___perf_sw_event(event_id, nr, regs, addr);
		perf_swevent_put_recursion_context(level);
	}
	preempt_enable_notrace();
}
EXPORT_SYMBOL_GPL(__perf_sw_event);

/* A breakpoint was hit: from its handler, IRQs off. @data: the registers. */
void perf_bp_event(struct perf_event *event, void *data)
{
	struct pt_regs *regs = data;
	struct perf_sample_data sample;

	lockdep_assert_irqs_disabled();
	perf_sample_data_init(&sample, event->attr.bp_addr, 0);
	if (!event->hw.state && sw_counts_here(event, regs))
		pcl_software_count(event, 1, &sample, regs);
}

/* ---- the PMU "software" ---- */

/* cpu-clock and task-clock have PMUs of their own. */
static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK;
}

static void sw_destroy(struct perf_event *event)
{
	static_key_slow_dec(&perf_swevent_enabled[event->attr.config]);
}

static int sw_event_init(struct perf_event *event)
{
	if (event->attr.type != PERF_TYPE_SOFTWARE || is_clock(&event->attr) ||
	    event->attr.config >= PERF_COUNT_SW_MAX)
		return -ENOENT;
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_SW_BRANCH_STACK);

	/* A child's key is its parent's, which outlives it. */
	if (!event->parent) {
		static_key_slow_inc(&perf_swevent_enabled[event->attr.config]);
		event->destroy = sw_destroy;
	}
	return 0;
}

static int sw_add_event(struct perf_event *event, int flags)
{
	struct hw_perf_event *hw = &event->hw;

	if (is_sampling_event(event))
		perf_swevent_set_period(event);
	hw->state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED;
	hlist_add_head_rcu(&event->hlist_entry, &event->ctx->running[event->attr.config]);
	perf_event_update_userpage(event);
	return 0;
}

static void sw_del_event(struct perf_event *event, int flags)
{
	hlist_del_rcu(&event->hlist_entry);
}

/* These three for all that is counted as it happens, tracepoints included. */
void pcl_software_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
}

void pcl_software_stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
}

/* The count is always up to date. */
void pcl_software_read(struct perf_event *event)
{
}

static struct pmu sw_pmu = {
	.task_ctx_nr	= perf_sw_context,
	.capabilities	= PERF_PMU_CAP_NO_NMI | PCL_PMU_CAP_RESIDENT,
	.event_init	= sw_event_init,
	.add		= sw_add_event,
	.del		= sw_del_event,
	.start		= pcl_software_start,
	.stop		= pcl_software_stop,
	.read		= pcl_software_read,
};

/* ---- cpu-clock and task-clock ---- */

/*
 * ns: both count the time that passes while the event's context is on its CPU. What starts or stops them asks for
 * ctx->now, the moment of the operation under way: what they count is then what their times say, to the nanosecond.
 */
static u64 clock_now(struct perf_event *event)
{
	return pcl_context_time(event->ctx);
}

/* Up to @now, which a sample in between may have passed: then what it added is taken back. */
static void clock_fold(struct perf_event *event, u64 now)
{
	local64_add(now - local64_xchg(&event->hw.prev_count, now), &event->count);
}

static void clock_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		clock_fold(event, clock_now(event));
}

static void clock_read_at(struct perf_event *event, u64 stamp)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		clock_fold(event, pcl_clock_read(&event->ctx->clock, stamp));
}

static enum hrtimer_restart clock_tick(struct hrtimer *timer)
{
	struct perf_event *event = container_of(timer, struct perf_event, hw.hrtimer);
	struct pt_regs *regs = get_irq_regs();
	struct perf_sample_data data;

	if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE || READ_ONCE(event->hw.state) & PERF_HES_STOPPED)
		return HRTIMER_NORESTART;

	event->pmu->read(event);
	perf_sample_data_init(&data, 0, event->hw.last_period);
	if (regs && sw_counts_here(event, regs) && !(event->attr.exclude_idle && is_idle_task(current)) &&
	    pcl_overflow_sw(event, 1, &data, regs))
		return HRTIMER_NORESTART;	/* throttled, or disabled */

	event->hw.last_period = event->hw.sample_period;
	hrtimer_forward_now(timer, ns_to_ktime(max_t(u64, MIN_TIMER_PERIOD_NS, event->hw.sample_period)));
	return HRTIMER_RESTART;
}

/* What was left of the period when the event was stopped, or a whole one. */
static void clock_timer_start(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	s64 left;

	if (!is_sampling_event(event))
		return;
	left = local64_xchg(&hw->period_left, 0);
	if (!left) {
		left = hw->sample_period;
		hw->last_period = hw->sample_period;
	}
	hrtimer_start(&hw->hrtimer, ns_to_ktime(max_t(s64, MIN_TIMER_PERIOD_NS, left)),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static void clock_timer_stop(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;

	if (!is_sampling_event(event))
		return;
	local64_set(&hw->period_left, ktime_to_ns(hrtimer_get_remaining(&hw->hrtimer)));
	hrtimer_try_to_cancel(&hw->hrtimer);	/* its own handler may be who stops the event */
}

/* After throttling an event is started that was never stopped: it has counted on. */
static void clock_start(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED) {
		local64_set(&event->hw.prev_count, event->ctx->now);
		event->hw.state = 0;
	}
	clock_timer_start(event);
}

static void clock_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	clock_timer_stop(event);
	clock_fold(event, event->ctx->now);
	event->hw.state = PERF_HES_STOPPED;
}

static int clock_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
	if (flags & PERF_EF_START)
		clock_start(event, flags);
	perf_event_update_userpage(event);
	return 0;
}

static void clock_del(struct perf_event *event, int flags)
{
	clock_stop(event, PERF_EF_UPDATE);
}

/* A timer keeps a frequency by itself: it becomes a period, once and for all. */
static void clock_init_timer(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;

	if (!is_sampling_event(event))
		return;
	hrtimer_init(&hw->hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hw->hrtimer.function = clock_tick;
	if (event->attr.freq) {
		event->attr.sample_period = max_t(u64, 1, div64_u64(NSEC_PER_SEC, event->attr.sample_freq));
		event->attr.freq = 0;
		hw->sample_period = event->attr.sample_period;
		hw->last_period = hw->sample_period;
		local64_set(&hw->period_left, hw->sample_period);
	}
}

static int clock_event_init(struct perf_event *event, u64 config)
{
	if (event->attr.type != PERF_TYPE_SOFTWARE || event->attr.config != config)
		return -ENOENT;
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_CLOCK_BRANCH_STACK);
	clock_init_timer(event);
	return 0;
}

static int cpu_clock_init(struct perf_event *event)
{
	return clock_event_init(event, PERF_COUNT_SW_CPU_CLOCK);
}

static int task_clock_init(struct perf_event *event)
{
	return clock_event_init(event, PERF_COUNT_SW_TASK_CLOCK);
}

#define CLOCK_PMU(init) {						\
	.task_ctx_nr	= perf_sw_context,				\
	.capabilities	= PERF_PMU_CAP_NO_NMI | PCL_PMU_CAP_RESIDENT,	\
	.event_init	= init,						\
	.add		= clock_add,					\
	.del		= clock_del,					\
	.start		= clock_start,					\
	.stop		= clock_stop,					\
	.read		= clock_read,					\
	.read_at	= clock_read_at,				\
}

static struct pmu cpu_clock_pmu = CLOCK_PMU(cpu_clock_init);
static struct pmu task_clock_pmu = CLOCK_PMU(task_clock_init);

/* At boot, before the first event. */
int __init pcl_software_init(void)
{
	int err;

	err = perf_pmu_register(&sw_pmu, "software", PERF_TYPE_SOFTWARE);
	if (!err)
		err = perf_pmu_register(&cpu_clock_pmu, NULL, -1);
	if (!err)
		err = perf_pmu_register(&task_clock_pmu, NULL, -1);
	return err;
}
