// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: system calls that are made otherwise on each architecture.
 *
 * Contexts: a test's child process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "../event.h"

long clone_bare(unsigned long flags, int *parent_tid)
{
	return syscall(SYS_clone, flags, NULL, parent_tid, NULL, NULL);
}

long call32(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a" (result)
			 : "a" (number), "b" ((uint32_t)a), "c" ((uint32_t)b), "d" ((uint32_t)c), "S" ((uint32_t)d),
			   "D" ((uint32_t)e)
			 : "memory", "r8", "r9", "r10", "r11");
	result = (int32_t)result;
	if (result < 0 && result > -4096) {
		errno = -result;
		return -1;
	}
	return result;
}
