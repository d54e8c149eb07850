/* SPDX-License-Identifier: GPL-2.0 */
/* What tests must know of x86-64. */
#ifndef PCL_TEST_ARCH_H
#define PCL_TEST_ARCH_H

#include <stdint.h>

#include <asm/perf_regs.h>

#define PAGE	4096UL

/* The fields of a sample that not every architecture has, and the registers that tests ask for: the last is IP. */
#define ARCH_FIELDS	(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_STACK_USER)
#define ARCH_IP		(1ULL << PERF_REG_X86_IP)
#define ARCH_SP_AND_IP	(1ULL << PERF_REG_X86_SP | ARCH_IP)

/*
 * Does user code read counters, the signal that who may not gets, has a file of sysfs a say in it; has each machine
 * instructions, cycles and branches
 */
#define ARCH_USER_READS	1
#define ARCH_STOCK_READS 1
#define ARCH_FORBIDDEN	SIGSEGV
#define ARCH_READ_MODES	1
#define ARCH_ALL_EVENTS	1

/* An event that each machine's general counters have, and they alone; what one iteration of loop_memory() adds to it */
#define ARCH_GENERAL		BRANCHES
#define ARCH_GENERAL_EACH	1
/* One of PERF_TYPE_RAW: INST_RETIRED.ANY_P, or AMD's retired instructions */
#define ARCH_RAW_INSTRUCTIONS	0xc0

/* Members of struct pt_regs */
#define ARCH_REGS_IP		rip
#define ARCH_REGS_ARGUMENT	rdi	/* the first of a function */

/*
 * What the kernel calls the function of a system call; are its arguments in registers whose address is its only one; how
 * many of the kernel's functions are on the stack at least, itself among them
 */
#define ARCH_CALL_PREFIX	"__x64_sys_"
#define ARCH_CALL_POINTS	1
#define ARCH_CALL_FRAMES	2

/*
 * Of a breakpoint of kprobes and uprobes, the first byte; do kprobes tell of the text and the pages they write; how far
 * behind the instruction of a kprobe a sample may be
 */
#define ARCH_BREAKPOINT		0xcc
#define ARCH_KPROBES_TELL	1
#define ARCH_PROBE_SKID		1	/* the address that an int3 leaves */

/* Are rings one piece for the kernel, whose caches have colours */
#define ARCH_VMALLOC_RINGS	0

/* Has a machine events of both hyper-threads */
#define ARCH_ANY_THREAD		1

/* What the kernel is told of the address of a fault; can it look for the page behind one in an interrupt */
#define ARCH_FAULT_BITS		(~0UL)
#define ARCH_WALKS_PAGES	1

/* Where the kernel lies, and where user memory cannot */
#define ARCH_KERNEL_ADDRESS	0xffffffff81000000UL
#define ARCH_DIRECT_ADDRESS	0xffff888000000000UL

/* A counter by its number, as the control page has it less one: who may not gets SIGSEGV. */
static inline uint64_t rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return low | (uint64_t)high << 32;
}

/* The cycle counter that the control page's times are made from */
static inline uint64_t cycles_now(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc; lfence" : "=a" (low), "=d" (high) :: "memory");
	return low | (uint64_t)high << 32;
}

#endif
