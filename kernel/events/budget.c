// SPDX-License-Identifier: GPL-2.0
/*
 * Budget: how many samples an event may have in a tick, and who may change that.
 *
 * Concepts: kernel.perf_event_max_sample_rate, in samples per second and event, is also the limit for attr.sample_freq.
 * kernel.perf_cpu_time_max_percent says how much of a CPU's time the interrupts of drivers may take. Drivers report
 * how long each took; when the average exceeds what rate and percentage allow, the rate is lowered until it fits. 0 or
 * 100 percent turn the control off.
 *
 * Contexts: sysctl handlers in process context; perf_sample_event_took() in NMI.
 * Locks: none. Numbers are written one by one; a reader may see an old one beside a new one, for one sample.
 */
#include <linux/irq_work.h>
#include <linux/sysctl.h>

#include "overflow.h"

#define RATE_HZ		100000
#define PERCENT		25
#define AVERAGED	128		/* samples that the running average remembers */

int sysctl_perf_event_sample_rate __read_mostly = RATE_HZ;
int sysctl_perf_cpu_time_max_percent __read_mostly = PERCENT;

static unsigned int samples_per_tick __read_mostly = DIV_ROUND_UP(RATE_HZ, HZ);
static u64 allowed_ns __read_mostly = NSEC_PER_SEC / RATE_HZ * PERCENT / 100;	/* per sample; 0: no control */

/* AVERAGED times the average length of an interrupt here, ns. */
static DEFINE_PER_CPU(u64, length_sum);

unsigned int pcl_budget_per_tick(void)
{
	return READ_ONCE(samples_per_tick);
}

static bool control_is_off(int percent)
{
	return percent == 0 || percent == 100;
}

/* What one sample may take if @hz of them come in a second. */
static u64 ns_for_rate(int hz, int percent)
{
	u64 ns = NSEC_PER_SEC / hz * percent;

	return max_t(u64, div_u64(ns, 100), 1);
}

int perf_proc_update_handler(struct ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	int percent = sysctl_perf_cpu_time_max_percent;
	int err, rate;

	if (write && control_is_off(percent))
		return -EINVAL;
	err = proc_dointvec_minmax(table, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	rate = READ_ONCE(sysctl_perf_event_sample_rate);
	WRITE_ONCE(samples_per_tick, DIV_ROUND_UP(rate, HZ));
	WRITE_ONCE(allowed_ns, ns_for_rate(rate, percent));
	return 0;
}

int perf_cpu_time_max_percent_handler(struct ctl_table *table, int write, void *buffer, size_t *lenp, loff_t *ppos)
{
	int err = proc_dointvec_minmax(table, write, buffer, lenp, ppos);
	int percent = sysctl_perf_cpu_time_max_percent;

	if (err || !write)
		return err;
	if (control_is_off(percent)) {
		pr_warn("perf: interrupt time is not limited any more, sampling can hang this system\n");
		WRITE_ONCE(allowed_ns, 0);
	} else {
		WRITE_ONCE(allowed_ns, ns_for_rate(READ_ONCE(sysctl_perf_event_sample_rate), percent));
	}
	return 0;
}

/* What was measured when the rate was last lowered, for the message. */
static u64 told_average_ns, told_allowed_ns;

/* The words are stock's: people look for them. */
static void tell(struct irq_work *work)
{
	pr_info_ratelimited("perf: interrupt took too long (%llu > %llu), lowering kernel.perf_event_max_sample_rate to %d\n",
			    READ_ONCE(told_average_ns), READ_ONCE(told_allowed_ns),
			    READ_ONCE(sysctl_perf_event_sample_rate));
}

static DEFINE_IRQ_WORK(tell_work, tell);

/* Make a rate of interrupts of @average ns fit into the percentage, with a quarter to spare. */
static void lower_rate(u64 average)
{
	u64 tick_ns = (u64)TICK_NSEC / 100 * sysctl_perf_cpu_time_max_percent;
	unsigned int per_tick;

	average += average / 4;
	per_tick = max_t(u64, div64_u64(tick_ns, average), 1);
	WRITE_ONCE(allowed_ns, average);
	WRITE_ONCE(samples_per_tick, per_tick);
	WRITE_ONCE(sysctl_perf_event_sample_rate, per_tick * HZ);
	irq_work_queue(&tell_work);
}

/* For drivers: an interrupt of @sample_len_ns has ended on this CPU. NMI. */
void perf_sample_event_took(u64 sample_len_ns)
{
	u64 allowed = READ_ONCE(allowed_ns);
	u64 sum, average;

	if (!allowed)
		return;
	sum = __this_cpu_read(length_sum);
	sum += sample_len_ns - sum / AVERAGED;
	__this_cpu_write(length_sum, sum);

	/* Too low until AVERAGED samples have come: what is rare may be slow. */
	average = sum / AVERAGED;
	if (average <= allowed)
		return;
	WRITE_ONCE(told_average_ns, average);
	WRITE_ONCE(told_allowed_ns, allowed);
	lower_rate(average);
}
EXPORT_SYMBOL_GPL(perf_sample_event_took);
