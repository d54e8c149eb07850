/* SPDX-License-Identifier: GPL-2.0 */
/* What tests must know of SPARC V9 in 64 bits. */
#ifndef PCL_TEST_ARCH_H
#define PCL_TEST_ARCH_H

#include <stdint.h>

#define PAGE	8192UL

/* Samples have no registers here, in stock neither. */
#define ARCH_FIELDS	0
#define ARCH_IP		0
#define ARCH_SP_AND_IP	0

/*
 * Does user code read counters, on stock, too; the signal that who may not gets, has a file of sysfs a say in it; has
 * each machine instructions, cycles and branches: T1 has the first alone
 */
#define ARCH_USER_READS	1
#define ARCH_STOCK_READS 0
#define ARCH_FORBIDDEN	SIGILL
#define ARCH_READ_MODES	0
#define ARCH_ALL_EVENTS	0

/* An event that each machine's counters have, and what one iteration of loop_memory() adds to it */
#define ARCH_GENERAL		INSTRUCTIONS
#define ARCH_GENERAL_EACH	5
/* One of PERF_TYPE_RAW: Instr_cnt of UltraSPARC III, on either counter */
#define ARCH_RAW_INSTRUCTIONS	0x10003

/* Members of struct pt_regs */
#define ARCH_REGS_IP		tpc
#define ARCH_REGS_ARGUMENT	u_regs[8]	/* %o0 */

/*
 * What the kernel calls the function of a system call; are its arguments in registers whose address is its only one; how
 * many of the kernel's functions are on the stack at least, itself among them: the code at the trap's entry calls it
 */
#define ARCH_CALL_PREFIX	"sys_"
#define ARCH_CALL_POINTS	0
#define ARCH_CALL_FRAMES	1

/*
 * Of a breakpoint of kprobes and uprobes, the first byte; do kprobes tell of the text and the pages they write; how far
 * behind the instruction of a kprobe a sample may be
 */
#define ARCH_BREAKPOINT		0x91
#define ARCH_KPROBES_TELL	0
#define ARCH_PROBE_SKID		0

/* Are rings one piece for the kernel, whose caches have colours */
#define ARCH_VMALLOC_RINGS	1

/* Has a machine events of both hyper-threads */
#define ARCH_ANY_THREAD		0

/* What the kernel is told of the address of a fault; can it look for the page behind one in an interrupt */
#define ARCH_FAULT_BITS		(~(PAGE - 1))
#define ARCH_WALKS_PAGES	0

/* Where the kernel lies, and where user memory cannot */
#define ARCH_KERNEL_ADDRESS	0x400000UL
#define ARCH_DIRECT_ADDRESS	0xfffff80000000000UL

/* A counter by its number: two share %pic, which is %asr17, the first has its low half. Who may not gets SIGILL. */
static inline uint64_t rdpmc(uint32_t counter)
{
	uint64_t pic;

	__asm__ volatile("rd %%asr17, %0" : "=r" (pic));
	return pic >> (counter ? 32 : 0) & 0xffffffff;
}

/* The cycle counter that user code may read. No control page is made from it. */
static inline uint64_t cycles_now(void)
{
	uint64_t tick;

	__asm__ volatile("rd %%tick, %0" : "=r" (tick) :: "memory");
	return tick;
}

#endif
