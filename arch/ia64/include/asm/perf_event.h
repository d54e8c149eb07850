/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the engine asks of the architecture, in the form of macros.
 */
#ifndef _ASM_IA64_PERF_EVENT_H
#define _ASM_IA64_PERF_EVENT_H

#include <linux/bits.h>

#include <asm/intrinsics.h>
#include <asm/ptrace.h>

/*
 * Registers as those of a trap would be that the kernel's own code took here: for events that no interrupt reports. The
 * unwinder starts from where it runs and not from these (arch/ia64/events/callchain.c).
 */
#define perf_arch_fetch_caller_regs(regs, ip_) do {					\
	(regs)->cr_ipsr = 0;			/* privilege level 0 */			\
	(regs)->cr_iip = (ip_);								\
	(regs)->r12 = ia64_getreg(_IA64_REG_SP);					\
} while (0)

/*
 * Registers that were made for a sample: their instruction is the one where the event happened. The bit is reserved in
 * the PSR (SDM volume 2, 3.3.2), so no interrupted code has it.
 */
#define PERF_PSR_EXACT		BIT(63)

#define perf_instruction_pointer(regs)	instruction_pointer(regs)
#define perf_misc_flags(regs)								\
	((user_mode(regs) ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) |		\
	 ((regs)->cr_ipsr & PERF_PSR_EXACT ? PERF_RECORD_MISC_EXACT_IP : 0))

/* A CPU has come up, and has masked its overflow interrupt (arch/ia64/events/boot.c). */
#ifdef CONFIG_PERF_EVENTS
void ia64_pmu_cpu_init(void);
#else
static inline void ia64_pmu_cpu_init(void) { }
#endif

#endif
