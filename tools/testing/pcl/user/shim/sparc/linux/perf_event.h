/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h and the kernel around the SPARC driver: beside what driver_common.h has, the
 * trap frame, timers, and the task that runs. The machine around the driver is the test: one CPU and its registers. The
 * headers named in shim/sparc/headers all lead here.
 */
#ifndef PCL_SHIM_SPARC_PERF_EVENT_H
#define PCL_SHIM_SPARC_PERF_EVENT_H

#include <driver_common.h>

#undef sched_clock
u64 sched_clock(void);

/* Some cases bring one about. */
#undef WARN_ON_ONCE
#define WARN_ON_ONCE(condition)	shim_warn(condition, #condition)
bool shim_warn(bool condition, const char *text);

struct pt_regs {
	unsigned long tpc;
};

struct mm_struct {
	struct { atomic_t pic_readers; } context;
};

struct task_struct {
	struct mm_struct *mm;
};

extern struct task_struct *current;

/* One CPU runs. */
#define mm_cpumask(mm)		NULL
#define on_each_cpu_mask(mask, function, data, wait) (function)(data)

static inline int atomic_inc_return(atomic_t *a)
{
	return ++a->counter;
}

static inline bool atomic_dec_and_test(atomic_t *a)
{
	return --a->counter == 0;
}

void sparc_pic_new_mm(void);
s64 arch_perf_user_base(struct perf_event *event);
void arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *page, u64 now);

typedef s64 ktime_t;
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
enum hrtimer_mode { HRTIMER_MODE_REL, HRTIMER_MODE_REL_PINNED, HRTIMER_MODE_REL_HARD, HRTIMER_MODE_REL_PINNED_HARD };

#define NSEC_PER_MSEC		1000000LL
#ifndef CLOCK_REALTIME
#define CLOCK_REALTIME		0
#endif
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
