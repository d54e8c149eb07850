/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of IA-64's driver, unchanged, find around them in a kernel for x86. Stands before each of them.
 *
 * Boot comes as often as a test wants. A task's PSR is the machine's (ia64.c): its trap frame is x86's, and so are the
 * registers of a sample: they have no slot, and whether they are the user's is what they were copied from. What the
 * engine asks of the architecture is x86's as well, and led to the driver's by page.c for events of this PMU.
 */
#ifndef PCL_MODELS_AROUND_H
#define PCL_MODELS_AROUND_H

#define arch_perf_update_userpage	ia64_update_userpage
#define arch_perf_user_base		ia64_user_base
#define perf_callchain			ia64_callchain

#include <linux/cache.h>
#include <linux/init.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/perf_event.h>
#include <asm/ptrace.h>

#include "ia64_psr.h"

#define cr_iip				ip
#define cr_ipsr				flags
#define PERF_PSR_EXACT			PERF_EFLAGS_EXACT
#define ia64_is_debugged(task)		false

#undef __init
#define __init
#undef __ro_after_init
#define __ro_after_init

/* Of the task whose trap frame that is, if it has asked before, or runs; else nobody's, who may not read */
struct ia64_psr *ia64_psr(const struct pt_regs *regs);

#endif
