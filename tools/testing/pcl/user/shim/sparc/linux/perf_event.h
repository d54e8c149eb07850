/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h and the kernel around the SPARC driver: beside what driver_common.h has, the
 * trap frame, and timers. The machine around the driver is the test: one CPU and its registers. The headers named in
 * shim/sparc/headers all lead here.
 */
#ifndef PCL_SHIM_SPARC_PERF_EVENT_H
#define PCL_SHIM_SPARC_PERF_EVENT_H

#include <driver_common.h>

#undef sched_clock
u64 sched_clock(void);

struct pt_regs {
	unsigned long tpc;
};

typedef s64 ktime_t;
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_REL_PINNED_HARD };

#define NSEC_PER_MSEC		1000000LL
#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC		1
#endif
#define ns_to_ktime(ns)		((ktime_t)(ns))
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

void hrtimer_init(struct hrtimer *timer, int clock, enum hrtimer_mode mode);
void hrtimer_start(struct hrtimer *timer, ktime_t time, enum hrtimer_mode mode);
int hrtimer_cancel(struct hrtimer *timer);
u64 hrtimer_forward_now(struct hrtimer *timer, ktime_t interval);

#endif
