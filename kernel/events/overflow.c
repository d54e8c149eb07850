// SPDX-License-Identifier: GPL-2.0
/*
 * Overflow: a counter has passed its period. How often it may, and what it sets off.
 *
 * Concepts: each overflow of a sampling event is counted against the event's budget for the tick; an event that
 * exceeds it is throttled: the driver stops it, and the next tick starts it again, with records to tell the reader.
 * The budget comes from kernel.perf_event_max_sample_rate, which is lowered when drivers report that their interrupts
 * take more than kernel.perf_cpu_time_max_percent of the time (budget.c).
 *
 * In frequency mode the period is adjusted so that attr.sample_freq overflows come per second: at each overflow, from
 * the time since the one before, and at each tick, from the events counted in it.
 *
 * An overflow may wake readers, signal the owner, disable the event, or send its task SIGTRAP. None of it can be done
 * in NMI, so it only leaves a note in the event and queues the event's irq_work, the one way up (work.c).
 *
 * Contexts: overflow handlers with IRQs off or in NMI, on the CPU of the event; the tick.
 * Locks: the tick holds the locks of both contexts of this CPU. Handlers take none.
 */
#include <linux/hash.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <linux/tick.h>

#include "overflow.h"
#include "record.h"

static DEFINE_PER_CPU(u64, tick_seq);		/* counts ticks */
static DEFINE_PER_CPU(int, nr_throttled);	/* throttled since the last tick */

/* ---- frequency ---- */

/* The period that yields @hz overflows per second if @count events come in @ns. */
static u64 period_for(u64 hz, u64 ns, u64 count)
{
	u64 divisor = ns * hz;

	/* count * NSEC_PER_SEC / divisor, given up low bits rather than overflow */
	while (count > div_u64(U64_MAX, NSEC_PER_SEC)) {
		count >>= 1;
		divisor >>= 1;
	}
	return div64_u64(count * NSEC_PER_SEC, divisor ? divisor : 1);
}

/*
 * @count events came in @ns. The period moves an eighth of the way, so that one odd interval does little. A counter
 * that has still far more to go than the new period allows is restarted with it; others have it from their next
 * overflow on.
 */
static void period_adjust(struct perf_event *event, u64 ns, u64 count)
{
	struct hw_perf_event *hw = &event->hw;
	s64 now = READ_ONCE(hw->sample_period);
	s64 step = (s64)period_for(event->attr.sample_freq, ns, count) - now;

	step += step < 0 ? -7 : 7;	/* away from 0, so that a small difference is made up, too */
	now += step / 8;
	now = now ? now : 1;
	WRITE_ONCE(hw->sample_period, now);

	if (local64_read(&hw->period_left) <= 8 * now)
		return;
	event->pmu->stop(event, PERF_EF_UPDATE);
	local64_set(&hw->period_left, 0);
	event->pmu->start(event, PERF_EF_RELOAD);
}

static bool adjusts_period(struct perf_event *event)
{
	return event->attr.freq && event->attr.sample_freq;
}

/* @period events have come since the one before. After a pause of more than two ticks the interval says nothing. */
static void frequency_overflow(struct perf_event *event, u64 period)
{
	struct hw_perf_event *hw = &event->hw;
	u64 now = local_clock();
	s64 ns = now - hw->freq_time_stamp;

	hw->freq_time_stamp = now;
	if (ns > 0 && ns < 2 * TICK_NSEC)
		period_adjust(event, ns, period);
	/* The tick is part of the control loop: where ticks are stopped, this CPU needs the next one. */
	if (tick_nohz_full_enabled())
		tick_dep_set_cpu(smp_processor_id(), TICK_DEP_BIT_PERF_EVENTS);
}

/* At a tick: from what was counted since the last. The event runs, its PMU is disabled. */
static void frequency_tick(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 before = hw->freq_count_stamp;

	event->pmu->read(event);
	hw->freq_count_stamp = local64_read(&event->count);
	/* Not so after RESET. */
	if (hw->freq_count_stamp > before)
		period_adjust(event, TICK_NSEC, hw->freq_count_stamp - before);
}

/* ---- throttling ---- */

static bool throttle(struct perf_event *event)
{
	this_cpu_inc(nr_throttled);
	tick_dep_set_cpu(smp_processor_id(), TICK_DEP_BIT_PERF_EVENTS);
	WRITE_ONCE(event->hw.interrupts, PCL_THROTTLED);
	pcl_record_throttle(event, true);
	return true;
}

/* Count an overflow, the end of @period events. Returns true if the event must be stopped until the next tick. */
static bool account(struct perf_event *event, bool may_throttle, u64 period)
{
	struct hw_perf_event *hw = &event->hw;
	u64 seq = __this_cpu_read(tick_seq), nr = READ_ONCE(hw->interrupts);
	bool stop = false;

	/* Stopped already; the next tick starts it, whatever came in late. */
	if (unlikely(nr == PCL_THROTTLED))
		return true;
	if (hw->interrupts_seq != seq) {
		hw->interrupts_seq = seq;
		nr = 0;
	}
	WRITE_ONCE(hw->interrupts, ++nr);
	if (may_throttle && unlikely(nr >= pcl_budget_per_tick()))
		stop = throttle(event);
	if (event->attr.freq)
		frequency_overflow(event, period);
	return stop;
}

/* For drivers that are interrupted without a sample to write. Returns 1 if the event must be stopped. */
int perf_event_account_interrupt(struct perf_event *event)
{
	return account(event, true, event->hw.last_period);
}
EXPORT_SYMBOL_GPL(perf_event_account_interrupt);

static void tick_event(struct perf_event *event)
{
	perf_pmu_disable(event->pmu);
	if (READ_ONCE(event->hw.interrupts) == PCL_THROTTLED) {
		WRITE_ONCE(event->hw.interrupts, 0);
		pcl_record_throttle(event, false);
		event->pmu->start(event, 0);
	}
	if (adjusts_period(event))
		frequency_tick(event);
	perf_pmu_enable(event->pmu);
}

/* On its CPU, IRQs off, where alone nr_freq changes while it is there. */
static bool context_wants_tick(struct perf_event_context *ctx, bool throttled)
{
	lockdep_assert_irqs_disabled();
	return ctx && ctx->nr_events && (ctx->nr_freq || throttled);
}

static void tick_context(struct perf_event_context *ctx, bool throttled)
{
	struct perf_event *event;

	if (!context_wants_tick(ctx, throttled))
		return;
	lockdep_assert_held(&ctx->lock);
	list_for_each_entry(event, &ctx->event_list, event_entry) {
		if (event->state == PERF_EVENT_STATE_ACTIVE && (throttled || adjusts_period(event)))
			tick_event(event);
	}
}

/* A tick: from now on overflows are counted anew. IRQs off. */
bool pcl_overflow_tick_begin(void)
{
	lockdep_assert_irqs_disabled();
	__this_cpu_inc(tick_seq);
	tick_dep_clear_cpu(smp_processor_id(), TICK_DEP_BIT_PERF_EVENTS);
	return this_cpu_xchg(nr_throttled, 0);
}

bool pcl_overflow_tick_wanted(struct pcl_cpu *cpu, bool throttled)
{
	return context_wants_tick(&cpu->ctx, throttled) || context_wants_tick(cpu->task_ctx, throttled);
}

/* Both contexts of this CPU are locked, IRQs off. */
void pcl_overflow_tick(struct pcl_cpu *cpu, bool throttled)
{
	lockdep_assert_held(&cpu->ctx.lock);
	tick_context(&cpu->ctx, throttled);
	tick_context(cpu->task_ctx, throttled);
}

/* ---- what an overflow sets off ---- */

/* With skid, an event that counts user code alone can overflow in the kernel: what is there is not the user's. */
static bool regs_are_allowed(struct perf_event *event, struct pt_regs *regs)
{
	return !event->attr.exclude_kernel || user_mode(regs);
}

/*
 * attr.sigtrap: the task shall be signalled before it goes on in user mode. Until then, further overflows of the event
 * add nothing, and without exclude_kernel they may well come. If it does count user code alone, a second one before the
 * signal would mean that user code ran on: only a source that overflows again at the same instruction, like a timer,
 * is excused.
 */
static void request_sigtrap(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	bool allowed = regs_are_allowed(event, regs);
	unsigned int place = regs ? hash32_ptr((void *)instruction_pointer(regs)) : 0;
	unsigned int before = READ_ONCE(event->pending_sigtrap);

	if (!place)
		place = 1;
	if (!before)
		WRITE_ONCE(event->pending_sigtrap, place);
	else
		WARN_ON_ONCE(event->attr.exclude_kernel && allowed && before != place);

	WRITE_ONCE(event->pending_addr, allowed && data->sample_flags & PERF_SAMPLE_ADDR ? data->addr : 0);
	irq_work_queue(&event->pending_irq);
}

/* REFRESH allows so many overflows. Was this the last of them? */
static bool limit_reached(struct perf_event *event)
{
	return atomic_read(&event->event_limit) && atomic_dec_and_test(&event->event_limit);
}

/**
 * pcl_overflow_sw - an event has passed its period
 * @event: the event, running on this CPU
 * @may_throttle: 0: the first of several overflows at once, which always counts
 * @data: what is known of the sample
 * @regs: where it happened
 *
 * Return: 1 if the event must be stopped.
 */
int pcl_overflow_sw(struct perf_event *event, int may_throttle, struct perf_sample_data *data, struct pt_regs *regs)
{
	bool throttled, last;
	u64 known;

	/* A counting event interrupts only because its counter is narrower than its count. */
	if (unlikely(!is_sampling_event(event)))
		return 0;

	throttled = account(event, may_throttle, data->period);
	last = limit_reached(event);
	WRITE_ONCE(event->pending_kill, last ? POLL_HUP : POLL_IN);
	if (last)
		perf_event_disable_inatomic(event);
	if (event->attr.sigtrap)
		request_sigtrap(event, data, regs);
	if (unlikely(event->attr.aux_pause))
		pcl_aux_pause(event, true);
	known = data->sample_flags & PERF_SAMPLE_CALLCHAIN;
	if (pcl_bpf_wants(event, data, regs))
		event->overflow_handler(event, data, regs);
	/* The chain that a program wanted is this event's, where the next has the same data. */
	data->sample_flags &= known | ~(u64)PERF_SAMPLE_CALLCHAIN;
	/* SIGIO comes with each overflow, where poll() waits for the ring's watermark. */
	if (*pcl_fasync_of(event) && READ_ONCE(event->pending_kill))
		pcl_output_wakeup(event);
	if (unlikely(event->attr.aux_resume))
		pcl_aux_pause(event, false);
	return throttled || last;
}

/* For drivers: as pcl_overflow_sw(), from an interrupt, IRQs off or NMI. 1: the driver must stop the event. */
int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	pcl_assert_irqs_off_or_nmi();
	return pcl_overflow_sw(event, 1, data, regs);
}
EXPORT_SYMBOL_GPL(perf_event_overflow);
