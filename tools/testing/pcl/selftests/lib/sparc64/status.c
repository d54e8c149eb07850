// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: which counters' overflows the PMU still tells of.
 *
 * Contexts: a test's child process.
 */
#include "../event.h"

/* Overflow bits, where there are some, are the kernel's to read. */
uint64_t overflows_standing(void)
{
	test_skip("this machine shows user code no status of overflows");
}
