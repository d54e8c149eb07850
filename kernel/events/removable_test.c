// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: a PMU that programs can take away, for races of its end with what programs do (tools/testing/pcl/torture).
 *
 * Concepts: /sys/kernel/debug/pcl_removable holds its type while it is registered, else 0. To write 1 there registers
 *	it, 0 takes it away, under all events that it has. It has room for any number, and counts its interrupts, which
 *	a timer makes, one for each event.
 * Contexts: process context for the file, the operations as perf calls them, hard interrupts for the timer.
 * Locks: removable_lock is for the file's writers.
 */
#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <asm/irq_regs.h>

#define TICK_NS (50 * NSEC_PER_USEC)

static struct pmu removable_pmu;
static bool removable_registered;
static DEFINE_MUTEX(removable_lock);

static enum hrtimer_restart removable_tick(struct hrtimer *timer)
{
	struct perf_event *event = container_of(timer, struct perf_event, hw.hrtimer);
	struct pt_regs *regs = get_irq_regs();
	struct perf_sample_data data;

	if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE)
		return HRTIMER_NORESTART;
	local64_inc(&event->count);
	perf_sample_data_init(&data, 0, event->hw.last_period);
	if (regs && is_sampling_event(event) && perf_event_overflow(event, &data, regs))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(TICK_NS));
	return HRTIMER_RESTART;
}

static void removable_start(struct perf_event *event, int flags)
{
	hrtimer_start(&event->hw.hrtimer, ns_to_ktime(TICK_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

/* Its own handler may be who stops the event. */
static void removable_stop(struct perf_event *event, int flags)
{
	hrtimer_try_to_cancel(&event->hw.hrtimer);
}

static int removable_add(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_START)
		removable_start(event, flags);
	return 0;
}

static void removable_del(struct perf_event *event, int flags)
{
	removable_stop(event, flags);
}

static void removable_read(struct perf_event *event)
{
}

static int removable_init(struct perf_event *event)
{
	if (event->attr.type != removable_pmu.type)
		return -ENOENT;
	hrtimer_init(&event->hw.hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	event->hw.hrtimer.function = removable_tick;
	return 0;
}

static int removable_get(void *unused, u64 *type)
{
	mutex_lock(&removable_lock);
	*type = removable_registered ? removable_pmu.type : 0;
	mutex_unlock(&removable_lock);
	return 0;
}

static int removable_register(void)
{
	removable_pmu = (struct pmu) {
		.task_ctx_nr	= perf_hw_context,
		.event_init	= removable_init,
		.add		= removable_add,
		.del		= removable_del,
		.start		= removable_start,
		.stop		= removable_stop,
		.read		= removable_read,
	};
	return perf_pmu_register(&removable_pmu, "pcl_removable", -1);
}

static int removable_set(void *unused, u64 wanted)
{
	int err = 0;

	mutex_lock(&removable_lock);
	if (wanted && !removable_registered) {
		err = removable_register();
		removable_registered = !err;
	} else if (!wanted && removable_registered) {
		perf_pmu_unregister(&removable_pmu);
		removable_registered = false;
	}
	mutex_unlock(&removable_lock);
	return err;
}

DEFINE_DEBUGFS_ATTRIBUTE(removable_fops, removable_get, removable_set, "%llu\n");

static int __init removable_begin(void)
{
	debugfs_create_file_unsafe("pcl_removable", 0600, NULL, NULL, &removable_fops);
	return 0;
}
late_initcall(removable_begin);
