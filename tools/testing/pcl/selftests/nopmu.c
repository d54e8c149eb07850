// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: a machine whose PMU does not do what CPUID says: software events work, all others are refused.
 *
 * Contexts: root, in boots whose emulator has such a PMU (pmu-half).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

#include "lib/event.h"

static void hardware_events_are_not_there(long type)
{
	struct perf_event_attr attr = event_attr(type, 0);

	CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), ENOENT);
}

static void software_events_count(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	volatile char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = must_open_self(&attr);

	(void)unused;
	event_enable(fd);
	*page = 1;
	event_disable(fd);
	CHECK_RANGE(event_read(fd), 1, 10);
	close(fd);
}

static void no_pmu_is_shown(long unused)
{
	(void)unused;
	CHECK_ERRNO(access("/sys/bus/event_source/devices/cpu", F_OK), ENOENT);
	CHECK(!access("/sys/bus/event_source/devices/software", F_OK));
}

static void the_log_says_so(long unused)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	char line[1024];
	ssize_t size;

	(void)unused;
	CHECK(fd >= 0);
	while ((size = read(fd, line, sizeof(line) - 1)) > 0) {
		line[size] = 0;
		if (strcasestr(line, "broken PMU hardware detected"))
			return;
	}
	FAIL("nothing in the kernel's log");
}

static const struct test tests[] = {
	TEST_WITH(hardware_events_are_not_there, "(hardware)", PERF_TYPE_HARDWARE),
	TEST_WITH(hardware_events_are_not_there, "(cache)", PERF_TYPE_HW_CACHE),
	TEST_WITH(hardware_events_are_not_there, "(raw)", PERF_TYPE_RAW),
	TEST(software_events_count),
	TEST(no_pmu_is_shown),
	TEST(the_log_says_so),
};

int main(void)
{
	return TESTS_RUN(tests);
}
