// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: which counters' overflows the PMU still tells of.
 *
 * Contexts: a test's child process, on CPU 0.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fcntl.h>
#include <unistd.h>

#include "../event.h"

#define EFER	0xc0000080	/* an MSR that is not 0 */

/* The MSR that says which counters have overflowed; 0: this machine has none. */
static uint32_t status_msr(void)
{
	uint32_t a, b, c, d;

	if (__get_cpuid_max(0, &b) < 0xa)
		return 0;
	__cpuid(0, a, b, c, d);
	if (b == signature_INTEL_ebx) {
		/* Intel SDM volume 3B, "Architectural Performance Monitoring": from version 2 on */
		__cpuid(0xa, a, b, c, d);
		return (a & 0xff) >= 2 ? 0x38e : 0;
	}
	/* AMD64 APM volume 2, "Performance Monitoring Version 2" */
	if (__get_cpuid_max(0x80000000, NULL) < 0x80000022)
		return 0;
	__cpuid(0x80000022, a, b, c, d);
	return a & 1 ? 0xc0000300 : 0;
}

uint64_t overflows_standing(void)
{
	uint32_t msr = status_msr();
	uint64_t status = ~0ULL;
	int fd;

	if (!msr)
		test_skip("this machine has no status of overflows");
	fd = open("/dev/cpu/0/msr", O_RDONLY);
	CHECK(fd >= 0);
	CHECK_EQ(pread(fd, &status, sizeof(status), test_busted("loop") ? EFER : msr), sizeof(status));
	close(fd);
	return status;
}
