// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: generic events that CPUID denies are refused, and not shown; the others count, and so do raw codes.
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

static bool is_denied(long bit)
{
	return (denied() & 1u << bit) && !(bit == 6 && is_nehalem());
}

__attribute__((noipa))
static uint64_t count_of(int fd, unsigned long n)
{
	event_reset(fd);
	event_enable(fd);
	loop_run(n);
	event_disable(fd);
	return event_read(fd);
}

/* How much more a loop counts that is longer by N. */
static uint64_t difference(const struct perf_event_attr *attr)
{
	int fd = must_open_self(attr);
	uint64_t small, large;

	count_of(fd, N);
	small = count_of(fd, N);
	large = count_of(fd, 2 * N);
	close(fd);
	return large - small;
}

/* Whatever else it is, of an event that is there it can be told how often it happens in the loop. */
static void check_counts(const struct perf_event_attr *attr, unsigned int id)
{
	uint64_t more = difference(attr);

	if (id == PERF_COUNT_HW_INSTRUCTIONS)
		CHECK_EQ(more, 2 * N);
	else if (id == PERF_COUNT_HW_BRANCH_INSTRUCTIONS)
		CHECK_EQ(more, N);
	else if (id == PERF_COUNT_HW_CPU_CYCLES)
		CHECK(more > N / 4);
}

static void denied_events_are_refused(long bit)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, events[bit].id);
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/cpu/events/%s", events[bit].file);
	if (!is_denied(bit)) {
		check_counts(&attr, events[bit].id);
		CHECK(!access(path, F_OK));
		return;
	}
	CHECK_ERRNO(access(path, F_OK), ENOENT);
	/* Whoever asks, and however. */
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), ENOENT);
	CHECK_ERRNO(event_open(&attr, -1, 0, -1, 0), ENOENT);
	attr.pinned = 1;
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), ENOENT);
	attr.pinned = 0;
	attr.sample_period = 100000;
	attr.sample_type = PERF_SAMPLE_IP;
	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), ENOENT);
}

/* In a group of others it is refused alone. */
static void a_group_goes_on_without_the_denied(long unused)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_RAW, 0xc0);
	int leader = must_open_self(&attr);
	unsigned int bit;

	(void)unused;
	for (bit = 0; bit < sizeof(events) / sizeof(events[0]); bit++) {
		struct perf_event_attr member = event_attr(PERF_TYPE_HARDWARE, events[bit].id);

		if (is_denied(bit))
			CHECK_ERRNO(event_open(&member, 0, -1, leader, 0), ENOENT);
	}
	CHECK_RANGE(count_of(leader, N), 2 * N, 2 * N + 1000);
}

/* CPUID denies names; what a code counts is up to who gives it. */
static void raw_codes_count(long which)
{
	static const struct {
		unsigned int id, code;
	} codes[] = {
		{ PERF_COUNT_HW_CPU_CYCLES, 0x3c },
		{ PERF_COUNT_HW_INSTRUCTIONS, 0xc0 },
		{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0xc4 },
	};
	struct perf_event_attr attr = event_attr(PERF_TYPE_RAW, codes[which].code);

	check_counts(&attr, codes[which].id);
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
	TEST(a_group_goes_on_without_the_denied),
	TEST_WITH(raw_codes_count, "(cycles)", 0),
	TEST_WITH(raw_codes_count, "(instructions)", 1),
	TEST_WITH(raw_codes_count, "(branches)", 2),
};

int main(void)
{
	return TESTS_RUN(tests);
}
