/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h and the kernel around the IA-64 driver: beside what driver_common.h has, the
 * task that runs and its trap frame, files of sysfs. The machine around the driver is the test: one CPU and its registers. The headers named in
 * shim/ia64/headers all lead here.
 */
#ifndef PCL_SHIM_IA64_PERF_EVENT_H
#define PCL_SHIM_IA64_PERF_EVENT_H

#include <driver_common.h>

#undef sched_clock
u64 sched_clock(void);

struct pt_regs {
	unsigned long cr_iip, cr_ipsr;
};

#include "ia64_psr.h"

#define PF_KTHREAD	0x00200000

struct task_struct {
	struct mm_struct *mm;
	unsigned int flags;
	struct pt_regs regs;
	struct { unsigned long flags; } thread;
};

#define IA64_THREAD_DBG_VALID	(1UL << 1)

extern struct task_struct *current;

s64 arch_perf_user_base(struct perf_event *event);
void arch_perf_update_userpage(struct perf_event *event, struct perf_event_mmap_page *page, u64 now);

#define task_pt_regs(task)	(&(task)->regs)
#define ia64_psr(regs)		((struct ia64_psr *)&(regs)->cr_ipsr)
#define user_mode(regs)		(ia64_psr(regs)->cpl != 0)
#define PERF_PSR_EXACT		(1UL << 63)

#include <files_shim.h>

#endif
