/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_event.h and the kernel around the IA-64 driver: beside what driver_common.h has, the
 * task that runs and its trap frame, files of sysfs, what brings a CPU up, the unwinder. The machine around the driver
 * is the test: one CPU and its registers. The headers named in shim/ia64/headers all lead here.
 */
#ifndef PCL_SHIM_IA64_PERF_EVENT_H
#define PCL_SHIM_IA64_PERF_EVENT_H

#include <driver_common.h>

#undef sched_clock
u64 sched_clock(void);

/* As stock's, without floating point registers */
struct pt_regs {
	unsigned long b6, b7, ar_csd, ar_ssd, r8, r9, r10, r11, cr_ipsr, cr_iip, cr_ifs, ar_unat, ar_pfs, ar_rsc, ar_rnat,
		      ar_bspstore, pr, b0, loadrs, r1, r12, r13, ar_fpsr, r15, r14, r2, r3, r16, r17, r18, r19, r20, r21,
		      r22, r23, r24, r25, r26, r27, r28, r29, r30, r31, ar_ccv;
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
#define instruction_pointer(regs) ((regs)->cr_iip + ia64_psr(regs)->ri)
#define PERF_PSR_EXACT		(1UL << 63)

/* ---- for boot.c: values as the SDM has them, or as stock has chosen them ---- */

#define IA64_PSR_UM		0x3eUL		/* be, up, ac, mfl, mfh */
#define _IA64_REG_CR_PMV	(4096 + 73)
#define IA64_PERFMON_VECTOR	0xee
#define IRQF_PERCPU		0x00000400

typedef enum { IRQ_NONE, IRQ_HANDLED } irqreturn_t;
typedef irqreturn_t (*irq_handler_t)(int irq, void *data);

void ia64_setreg(unsigned int reg, u64 value);
u64 ia64_get_cpuid(unsigned int nr);
void register_percpu_irq(u8 vector, irq_handler_t handler, unsigned long flags, const char *name);
struct pt_regs *get_irq_regs(void);
void local_irq_disable(void);
void local_irq_enable(void);
void ia64_pmu_cpu_init(void);

/* ---- for callchain.c and perf_regs.c ---- */

struct unw_frame_info;

void unw_init_running(void (*callback)(struct unw_frame_info *info, void *data), void *data);
int unw_unwind(struct unw_frame_info *info);
void unw_get_ip(struct unw_frame_info *info, unsigned long *ip);

struct perf_callchain_entry_ctx;

int perf_callchain_store(struct perf_callchain_entry_ctx *ctx, u64 ip);
void perf_callchain_kernel(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs);
void perf_callchain_user(struct perf_callchain_entry_ctx *entry, struct pt_regs *regs);
u64 perf_reg_value(struct pt_regs *regs, int idx);
u64 perf_reg_abi(struct task_struct *task);
void perf_get_regs_user(struct perf_regs *user, struct pt_regs *regs);

#include <files_shim.h>

#endif
