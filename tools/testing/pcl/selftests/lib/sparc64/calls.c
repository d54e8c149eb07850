// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: system calls that are made otherwise on each architecture.
 *
 * Concepts: who is the child a second register says, which syscall(3) does not show (arch/sparc/kernel/process.c). An
 *	error is a carry, and its number is positive.
 * Contexts: a test's child process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "../event.h"

long clone_bare(unsigned long flags, int *parent_tid)
{
	register unsigned long number __asm__("g1") = SYS_clone;
	register unsigned long result __asm__("o0") = flags;
	register unsigned long is_child __asm__("o1") = 0;	/* the stack: the caller's */
	register unsigned long third __asm__("o2") = (unsigned long)parent_tid;
	register unsigned long fourth __asm__("o3") = 0;
	register unsigned long fifth __asm__("o4") = 0;

	__asm__ volatile("ta	0x6d\n"
			 "	bcs,a,pn %%xcc, 1f\n"
			 "	 sub	%%g0, %0, %0\n"
			 "1:"
			 : "+r" (result), "+r" (is_child)
			 : "r" (number), "r" (third), "r" (fourth), "r" (fifth)
			 : "memory", "cc");
	if ((long)result < 0 && (long)result > -4096) {
		errno = -(long)result;
		return -1;
	}
	return is_child ? 0 : (long)result;
}

long call32(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e)
{
	(void)number, (void)a, (void)b, (void)c, (void)d, (void)e;
	test_skip("this kernel takes no calls of 32-bit programs");
}
