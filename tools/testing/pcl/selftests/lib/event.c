// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: opening, controlling and reading events.
 *
 * Concepts: must_*() and event_*() end the test when the kernel refuses; event_open() is the bare system call.
 * Contexts: a test's child process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "event.h"

struct perf_event_attr event_attr(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return attr;
}

int event_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group, unsigned long flags)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

/* Is it a generic event that this machine does not have? PCL has a file of each that there is. */
static bool is_absent(const struct perf_event_attr *attr)
{
	static const char * const names[] = {
		[PERF_COUNT_HW_CPU_CYCLES] = "cpu-cycles",
		[PERF_COUNT_HW_INSTRUCTIONS] = "instructions",
		[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = "branch-instructions",
	};
	char path[64];

	if (ARCH_ALL_EVENTS || attr->type != PERF_TYPE_HARDWARE || attr->config >= sizeof(names) / sizeof(*names) ||
	    !names[attr->config])
		return false;
	snprintf(path, sizeof(path), "cpu/events/%s", names[attr->config]);
	return !have_pmu_of(path);
}

/* Does the kernel's name of the machine's PMU begin so? */
static bool pmu_is(const char *name)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[256], found[64] = "";

	while (f && fgets(line, sizeof(line), f) && !sscanf(line, "pmu : %63s", found))
		;
	if (f)
		fclose(f);
	return !strncmp(found, name, strlen(name));
}

/*
 * Stock's driver of SPARC: T1, T2 and T3 have no cycles, and it counts instructions for them; III to IV+ and T1 have no
 * branches, of which it says EINVAL, where PCL has ENOENT.
 */
static bool stock_lacks(const struct perf_event_attr *attr, int err)
{
	if (ARCH_ALL_EVENTS || is_pcl() || attr->type != PERF_TYPE_HARDWARE)
		return false;
	return (attr->config == PERF_COUNT_HW_CPU_CYCLES && pmu_is("niagara") && !pmu_is("niagara4")) ||
	       (attr->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS && err == EINVAL && !pmu_is("niagara2") &&
		!pmu_is("niagara3") && !pmu_is("niagara4"));
}

void skip_absent(const struct perf_event_attr *attr, int err)
{
	if (stock_lacks(attr, err))
		test_skip("stock does not count that here");
	/* Where a PMU is known to be, its absence is a failure. */
	if (err == ENOENT && (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_RAW) && !have_pmu() && !getenv("PCL_NEED_PMU"))
		test_skip("this machine has no PMU");
	if (err == ENOENT && is_absent(attr))
		test_skip("this machine does not count that");
	if (err == ENOENT && attr->type == PERF_TYPE_BREAKPOINT && !have_pmu_of("breakpoint"))
		test_skip("this machine has no breakpoints");
}

int must_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd = event_open(attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
	int err = fd < 0 ? errno : 0;		/* before what is asked now changes it */

	skip_absent(attr, err);
	if (err)
		FAIL("type %u config %#llx pid %d cpu %d group %d is refused: %s", attr->type,
		     (unsigned long long)attr->config, pid, cpu, group, strerror(err));
	return fd;
}

void need_user_reads(void)
{
	if (!ARCH_USER_READS)
		test_skip("user code reads no counter here");
	if (!ARCH_STOCK_READS && !is_pcl())
		test_skip("stock lets user code read no counter here");
}

int must_open_self(const struct perf_event_attr *attr)
{
	return must_open(attr, 0, -1, -1);
}

void must_ioctl(int fd, unsigned long request, unsigned long argument)
{
	if (ioctl(fd, request, argument) < 0)
		FAIL("ioctl %#lx is refused: %s", request, strerror(errno));
}

void event_enable(int fd)
{
	must_ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void event_disable(int fd)
{
	must_ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

void event_reset(int fd)
{
	must_ioctl(fd, PERF_EVENT_IOC_RESET, 0);
}

uint64_t event_read(int fd)
{
	uint64_t count;
	ssize_t length = read(fd, &count, sizeof(count));

	if (length != sizeof(count))
		FAIL("read() of an event gives %zd: %s", length, length < 0 ? strerror(errno) : "too short");
	return count;
}

unsigned int event_read_words(int fd, uint64_t *words, unsigned int nr)
{
	ssize_t length = read(fd, words, nr * sizeof(*words));

	if (length < 0)
		FAIL("read() of an event: %s", strerror(errno));
	check_written(words, length / sizeof(*words), "what was read");
	return length / sizeof(*words);
}

int counters_alike(void)
{
	const char *said = getenv("PCL_ALIKE");

	return said ? atoi(said) : 4;
}

void need_counters(int nr)
{
	if (counters_alike() < nr)
		test_skip("%d of these events fit at once, not %d", counters_alike(), nr);
}

uint64_t event_id(int fd)
{
	uint64_t id;

	must_ioctl(fd, PERF_EVENT_IOC_ID, (unsigned long)&id);
	return id;
}

bool event_rdpmc(const volatile struct perf_event_mmap_page *page, uint64_t *count)
{
	uint32_t sequence, index;
	unsigned int width;
	int64_t offset, counted;

	do {
		sequence = page->lock;
		__asm__ volatile("" ::: "memory");
		index = page->index;
		offset = page->offset;
		width = page->pmc_width;
		if (!page->cap_user_rdpmc || !index)
			return false;
		counted = rdpmc(index - 1);
		counted = (int64_t)((uint64_t)counted << (64 - width)) >> (64 - width);
		__asm__ volatile("" ::: "memory");
	} while (page->lock != sequence);
	*count = offset + counted;
	return true;
}

__attribute__((noipa))
uint64_t event_loop_by_rdpmc(const volatile struct perf_event_mmap_page *page, unsigned long n)
{
	uint64_t before, after;
	uint32_t lock;

	do {
		CHECK(event_rdpmc(page, &before));
		loop_run(n);
		lock = page->lock;
		CHECK(event_rdpmc(page, &after));
	} while (page->lock != lock);
	return after - before;
}
