// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what samples say of the memory behind an address: PHYS_ADDR, DATA_PAGE_SIZE, CODE_PAGE_SIZE.
 *
 * Concepts: a page fault is counted twice: as such when it happens, so that its page is not there yet, and as a minor fault
 *	when it was dealt with. /proc/self/pagemap tells in which frame of memory a page is; /proc/iomem and
 *	/proc/kallsyms, where the kernel's own variables are.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <linux/hw_breakpoint.h>

#include "lib/event.h"

#define NR		8
#define HUGE		(2UL << 20)
#define SIZE_TOLD	(ARCH_WALKS_PAGES ? PAGE : 0)
#define MINOR_FAULTS	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN
#define OF_MEMORY	(PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)

static struct sample samples[NR + 1];

static unsigned int take_samples(int fd, struct ring *ring, const struct perf_event_attr *attr)
{
	static struct record record;
	unsigned int nr = 0;

	event_disable(fd);
	while (nr <= NR && ring_take(ring, &record))
		sample_parse(&record, attr, &samples[nr++]);
	return nr;
}

static struct perf_event_attr fault_attr(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = event_attr(type, config);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR | OF_MEMORY;
	return attr;
}

/* The physical address of a byte of this program. */
static uint64_t physical(const volatile char *at)
{
	uint64_t entry;
	int fd = open("/proc/self/pagemap", O_RDONLY);

	CHECK(fd >= 0);
	CHECK(pread(fd, &entry, 8, (uintptr_t)at / PAGE * 8) == 8);
	close(fd);
	CHECK(entry >> 63);		/* it is there */
	entry &= (1ULL << 55) - 1;
	CHECK(entry);			/* and may be told */
	return (entry + test_busted("memory")) * PAGE + (uintptr_t)at % PAGE;
}

static void memory_of_a_fault_is_told(long with_addr)
{
	struct perf_event_attr attr = fault_attr(MINOR_FAULTS);
	char *pages = fresh_pages(NR), *at;
	struct ring ring;
	unsigned int i;
	int fd;

	if (!with_addr)
		attr.sample_type &= ~(uint64_t)PERF_SAMPLE_ADDR;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	/* Not at their first bytes */
	touch_pages(pages + 0x123, 0, NR);
	CHECK_EQ(take_samples(fd, &ring, &attr), NR);
	for (i = 0; i < NR; i++) {
		at = (char *)(((uintptr_t)pages + i * PAGE + 0x123) & ARCH_FAULT_BITS);
		if (with_addr)
			CHECK_EQ(samples[i].addr, (uintptr_t)at);
		CHECK_EQ(samples[i].phys_addr, ARCH_WALKS_PAGES || test_busted("memory") ? physical(at) : 0);
		CHECK_EQ(samples[i].data_page_size, SIZE_TOLD);
		CHECK_EQ(samples[i].code_page_size, SIZE_TOLD);
	}
}

/* It has no frame and no size while nothing maps it. */
static void memory_that_is_not_there_is_0(long unused)
{
	struct perf_event_attr attr = test_busted("memory") ? fault_attr(MINOR_FAULTS) : fault_attr(PAGE_FAULTS);
	char *pages = fresh_pages(NR);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	unsigned int i;

	(void)unused;
	event_enable(fd);
	touch_pages(pages, 0, NR);
	CHECK_EQ(take_samples(fd, &ring, &attr), NR);
	for (i = 0; i < NR; i++) {
		CHECK_EQ(samples[i].addr, (uintptr_t)pages + i * PAGE);
		CHECK_EQ(samples[i].phys_addr, 0);
		CHECK_EQ(samples[i].data_page_size, 0);
		CHECK_EQ(samples[i].code_page_size, SIZE_TOLD + test_busted("memory"));
	}
}

/* The PMU knows the place of an instruction, and no data. */
static void memory_of_an_instruction_is_told_in_an_nmi(long unused)
{
	struct perf_event_attr attr = fault_attr(INSTRUCTIONS);
	struct ring ring;
	unsigned int i;
	int fd;

	(void)unused;
	attr.sample_period = 10000;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(30500);
	CHECK_EQ(take_samples(fd, &ring, &attr), 6);
	for (i = 0; i < 6; i++) {
		CHECK_EQ(samples[i].addr, 0);
		CHECK_EQ(samples[i].phys_addr, 0);
		CHECK_EQ(samples[i].data_page_size, 0);
		CHECK_EQ(samples[i].code_page_size, PAGE << test_busted("memory"));
	}
}

static void must_be_a_page_size_of_the_kernel(uint64_t size)
{
	if (size != PAGE && size != HUGE)
		FAIL("the kernel has pages of %llu bytes", (unsigned long long)size);
}

/* The kernel's addresses are told in hexadecimal, at the start of a line that has a word. */
static uint64_t address_from(const char *path, const char *word)
{
	char line[256];
	uint64_t address = 0;
	FILE *f = fopen(path, "r");

	CHECK(f);
	while (!address && fgets(line, sizeof(line), f))
		if (strstr(line, word))
			address = strtoull(line, NULL, 16);
	fclose(f);
	if (!address)
		FAIL("%s does not tell of %s", path, word);
	return address;
}

/* Its image lies in memory in one piece. Each fork adds to the number of all forks. */
static void memory_of_the_kernel_is_told(long unused)
{
	uint64_t counter, text, code;
	struct perf_event_attr attr = fault_attr(PERF_TYPE_BREAKPOINT, 0);
	struct ring ring;
	int fd;

	(void)unused;
	if (!have_pmu_of("breakpoint"))
		test_skip("this machine has no breakpoints");
	counter = address_from("/proc/kallsyms", " total_forks\n");
	text = address_from("/proc/kallsyms", " _text\n");
	code = address_from("/proc/iomem", "Kernel code");
	attr.exclude_kernel = 0;
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = counter;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	fork_bare();
	CHECK_EQ(take_samples(fd, &ring, &attr), 1);
	CHECK_EQ(samples[0].addr, counter);
	CHECK_EQ(samples[0].phys_addr, counter - text + code + test_busted("memory"));
	must_be_a_page_size_of_the_kernel(samples[0].data_page_size);
	must_be_a_page_size_of_the_kernel(samples[0].code_page_size);
}

static void size_of_a_huge_page_is_told(long unused)
{
	struct perf_event_attr attr = fault_attr(MINOR_FAULTS);
	char *at = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *huge = (char *)(((uintptr_t)at + HUGE - 1) / HUGE * HUGE);
	struct ring ring;
	int fd;

	(void)unused;
	CHECK(at != MAP_FAILED);
	if (madvise(huge, HUGE, MADV_HUGEPAGE))
		test_skip("this kernel has no huge pages");
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	huge[5 * PAGE] = 1;
	CHECK_EQ(take_samples(fd, &ring, &attr), 1);
	CHECK_EQ(samples[0].data_page_size, HUGE);
	CHECK_EQ(samples[0].phys_addr, physical(huge + 5 * PAGE));
	CHECK_EQ(samples[0].phys_addr % HUGE, 5 * PAGE);
}

/* Physical addresses are for who may profile the kernel, sizes are for all. */
static int open_as_a_user(void *fields)
{
	struct perf_event_attr attr = fault_attr(MINOR_FAULTS);

	drop_privileges();
	attr.sample_type = *(uint64_t *)fields;
	return event_open(&attr, 0, -1, -1, 0) < 0 ? errno : 0;
}

static void physical_addresses_need_a_privilege(long unused)
{
	uint64_t others = PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE, phys = PERF_SAMPLE_PHYS_ADDR;
	long before = sysctl_get("perf_event_paranoid");
	int by_all, refused, allowed;

	(void)unused;
	sysctl_set("perf_event_paranoid", test_busted("memory") ? 1 : 2);
	by_all = in_child(open_as_a_user, &others);
	refused = in_child(open_as_a_user, &phys);
	sysctl_set("perf_event_paranoid", 1);
	allowed = in_child(open_as_a_user, &phys);
	sysctl_set("perf_event_paranoid", before);
	CHECK_EQ(by_all, 0);
	CHECK_EQ(refused, EACCES);
	CHECK_EQ(allowed, 0);
}

static const struct test tests[] = {
	TEST_WITH(memory_of_a_fault_is_told, "(with its address)", 1),
	TEST_WITH(memory_of_a_fault_is_told, "(alone)", 0),
	TEST(memory_that_is_not_there_is_0),
	TEST(memory_of_an_instruction_is_told_in_an_nmi),
	TEST(memory_of_the_kernel_is_told),
	TEST(size_of_a_huge_page_is_told),
	TEST(physical_addresses_need_a_privilege),
};

int main(void)
{
	return TESTS_RUN(tests);
}
