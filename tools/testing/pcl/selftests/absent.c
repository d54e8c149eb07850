// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: generic events that CPUID denies are refused, and not shown; the others count.
 *
 * Contexts: root, in boots whose emulator denies some (pmu-absent).
 */
#include <cpuid.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/event.h"

#define N	10000UL

/* The bits of CPUID leaf 0xA EBX, and the events that perf's users know by other numbers */
static const struct {
	unsigned int id;
	const char *file;
} events[] = {
	{ PERF_COUNT_HW_CPU_CYCLES, "cpu-cycles" },
	{ PERF_COUNT_HW_INSTRUCTIONS, "instructions" },
	{ PERF_COUNT_HW_BUS_CYCLES, "bus-cycles" },
	{ PERF_COUNT_HW_CACHE_REFERENCES, "cache-references" },
	{ PERF_COUNT_HW_CACHE_MISSES, "cache-misses" },
	{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branch-instructions" },
	{ PERF_COUNT_HW_BRANCH_MISSES, "branch-misses" },
};

static unsigned int denied(void)
{
	unsigned int eax, ebx, ecx, edx;

	CHECK(__get_cpuid_count(0xa, 0, &eax, &ebx, &ecx, &edx));
	return ebx;
}

/* Erratum AAJ80: Nehalem's processors deny branch misses, which have another code. */
static bool is_nehalem(void)
{
	unsigned int eax, ebx, ecx, edx;

	CHECK(__get_cpuid(1, &eax, &ebx, &ecx, &edx));
	return (eax >> 4 & 0xf) == 0xa && (eax >> 16 & 0xf) == 1;
}

static void denied_events_are_refused(long bit)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, events[bit].id);
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/cpu/events/%s", events[bit].file);
	if ((denied() & 1u << bit) && !(bit == 6 && is_nehalem())) {
		CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), ENOENT);
		CHECK_ERRNO(access(path, F_OK), ENOENT);
		return;
	}
	fd = must_open_self(&attr);
	event_enable(fd);
	loop_run(N);
	event_disable(fd);
	if (events[bit].id == PERF_COUNT_HW_INSTRUCTIONS || events[bit].id == PERF_COUNT_HW_CPU_CYCLES)
		CHECK(event_read(fd) > N);
	close(fd);
	CHECK(!access(path, F_OK));
}

static void something_is_denied(long unused)
{
	(void)unused;
	CHECK(denied());
}

static const struct test tests[] = {
	TEST(something_is_denied),
	TEST_WITH(denied_events_are_refused, "(cycles)", 0),
	TEST_WITH(denied_events_are_refused, "(instructions)", 1),
	TEST_WITH(denied_events_are_refused, "(bus cycles)", 2),
	TEST_WITH(denied_events_are_refused, "(cache references)", 3),
	TEST_WITH(denied_events_are_refused, "(cache misses)", 4),
	TEST_WITH(denied_events_are_refused, "(branches)", 5),
	TEST_WITH(denied_events_are_refused, "(branch misses)", 6),
};

int main(void)
{
	return TESTS_RUN(tests);
}
