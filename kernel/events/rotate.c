// SPDX-License-Identifier: GPL-2.0
/*
 * Sharing counters over time: the multiplexing slice.
 *
 * Concepts: while some slot on a CPU is short of counters, its PMU's slice timer runs on that CPU. Each time it fires,
 * the groups that ran least get the counters (sched.c: pcl_sched_share()). When nobody waits any more the timer
 * stops by itself; sched.c starts it again with the next group that does not fit.
 *
 * Contexts: a hard-interrupt timer, pinned to its CPU; IRQs off.
 *
 * Locks: takes the CPU context's lock and the running task's. The timer is started and stopped under them.
 */
#include "internal.h"

static enum hrtimer_restart rotate_slice_over(struct hrtimer *timer)
{
	struct pcl_pmu_cpu *pc = container_of(timer, struct pcl_pmu_cpu, slice);
	struct perf_event_context *ctx = this_cpu_ptr(&pcl_cpus)->task_ctx;
	struct pcl_cpu *cpu;
	bool again;

	if (pc != pcl_pmu_this_cpu(pc->pmu)) {
		pc->slice_armed = false;	/* its CPU died, and left the timer to us */
		return HRTIMER_NORESTART;
	}
	cpu = pcl_cpu_lock(ctx);
	again = pcl_sched_share(pc);
	pc->slice_armed = again;
	pcl_cpu_unlock(cpu, ctx);

	if (!again)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ms_to_ktime(pc->pmu->slice_ms));
	return HRTIMER_RESTART;
}

void pcl_rotate_init(struct pcl_pmu_cpu *pc)
{
	hrtimer_init(&pc->slice, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	pc->slice.function = rotate_slice_over;
}
