/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User code that reads counters, %pic: what the rest of the architecture tells their driver (arch/sparc/events/user.c).
 *
 * mm_context_t::pic_readers counts the control pages that are mapped of events whose counters user code may read.
 */
#ifndef _ASM_SPARC_PIC_H
#define _ASM_SPARC_PIC_H

#include <linux/types.h>

struct pt_regs;

#ifdef CONFIG_PERF_EVENTS
bool sparc_pic_trap(struct pt_regs *regs);
void sparc_pic_new_mm(void);
#else
static inline bool sparc_pic_trap(struct pt_regs *regs) { return false; }
static inline void sparc_pic_new_mm(void) { }
#endif

#endif
