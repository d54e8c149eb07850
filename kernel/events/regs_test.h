/* SPDX-License-Identifier: GPL-2.0 */
/* For KUnit: registers as a trap finds them, in user or kernel mode. What they look like is the architecture's. */
#ifndef _KERNEL_EVENTS_REGS_TEST_H
#define _KERNEL_EVENTS_REGS_TEST_H

#include <linux/ptrace.h>

#ifdef CONFIG_X86
static inline struct pt_regs pcl_test_regs(bool user, unsigned long sp)
{
	return (struct pt_regs){ .cs = user ? __USER_CS : __KERNEL_CS, .sp = sp };
}
#endif

#ifdef CONFIG_IA64
#include <asm/kregs.h>

static inline struct pt_regs pcl_test_regs(bool user, unsigned long sp)
{
	return (struct pt_regs){ .cr_ipsr = user ? IA64_PSR_CPL : 0, .r12 = sp };
}
#endif

#ifdef CONFIG_SPARC64
#include <asm/pstate.h>

static inline struct pt_regs pcl_test_regs(bool user, unsigned long sp)
{
	return (struct pt_regs){ .tstate = user ? 0 : TSTATE_PRIV, .u_regs[UREG_FP] = sp };
}
#endif

#endif
