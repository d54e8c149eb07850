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

/* ---- what boot.c needs beside ---- */

/* Told to the test of that: the mutex is held, IRQs are off. */
extern bool shim_locked, shim_irqs_off;
#undef local_irq_save
#undef local_irq_restore
#define local_irq_save(flags)	((flags) = shim_irqs_off, shim_irqs_off = true)
#define local_irq_restore(flags) (shim_irqs_off = (flags))

#define __initdata
#define __setup(text, function) \
	static void __attribute__((__constructor__)) shim_setup_##function(void) { shim_setup(text, function); } \
	struct pcl_shim_export
void shim_setup(const char *text, int (*function)(char *));

#define strscpy(to, from, size)	snprintf(to, size, "%s", from)
#define atomic_inc_not_zero(a)	atomic_add_unless(a, 1, 0)
#define atomic_dec_and_mutex_lock(a, m) (atomic_dec_and_test(a) && (shim_locked = true))

/* Somebody else may have had it right before. */
#undef mutex_lock
#undef mutex_unlock
#define mutex_lock(m)		((void)(m), pcl_shim_step(), (void)(shim_locked = true))
#define mutex_unlock(m)		((void)(m), (void)(shim_locked = false))

#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < SHIM_CPUS; (cpu)++)
#undef on_each_cpu
#define on_each_cpu(function, data, wait) do {					\
	unsigned int was_here_ = shim_cpu;					\
	bool irqs_were_ = shim_irqs_off;					\
										\
	_Static_assert(wait, "who is behind it must find it done");		\
	shim_irqs_off = true;							\
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)			\
		(function)(data);						\
	shim_irqs_off = irqs_were_;						\
	shim_cpu = was_here_;							\
} while (0)

enum { CPUHP_AP_ONLINE_DYN = 7 };
int cpuhp_setup_state_nocalls(int state, const char *name, int (*up)(unsigned int cpu), int (*down)(unsigned int cpu));

enum { NOTIFY_DONE, NOTIFY_STOP = 0x8001, DIE_NMI = 8 };

struct notifier_block {
	int (*notifier_call)(struct notifier_block *self, unsigned long reason, void *data);
};

struct die_args {
	struct pt_regs *regs;
};

int register_die_notifier(struct notifier_block *block);

enum ultra_tlb_layout { spitfire, cheetah, cheetah_plus, hypervisor };
extern enum ultra_tlb_layout tlb_type;
extern const struct pcr_ops *pcr_ops;
extern char *sparc_pmu_type;
int pcr_arch_init(void);

extern atomic_t nmi_active;
bool sparc_counters_taken(void);
void stop_nmi_watchdog(void *unused);
void start_nmi_watchdog(void *unused);

#include <files_shim.h>

#endif
