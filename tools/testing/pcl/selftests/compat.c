// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the calls of a 32-bit program: the same ABI, but for the numbers of ioctls that hold the size of a pointer.
 *
 * Concepts: int $0x80 enters the kernel as a 32-bit program does, from 64-bit code, too: system calls have the numbers
 *	of i386, and pointers 32 bits. What they point to is static, and lies below 4 GiB, as this program is linked to
 *	fixed addresses. What the 64-bit call says of the same event is what the 32-bit call must say.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/hw_breakpoint.h>

#include "lib/event.h"

#define NR	50

#define MMAP32		90	/* i386's number; its arguments are in memory */

/* The number that a 32-bit program knows for an ioctl that takes a pointer to something. */
#define WITH_POINTER(command)	(((command) & ~(_IOC_SIZEMASK << _IOC_SIZESHIFT)) | \
				 (test_busted("compat") ? 2U : 4U) << _IOC_SIZESHIFT)

/* What calls point to. */
static struct perf_event_attr attr;
static uint64_t words[8];
static volatile long watched[2];

static int open32(int group)
{
	return call32(OPEN32, (uintptr_t)&attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

static long ioctl32(int fd, unsigned int command, unsigned long argument)
{
	return call32(IOCTL32, fd, command, argument, 0, 0);
}

static long read32(int fd, unsigned long size)
{
	return call32(READ32, fd, (uintptr_t)words, size, 0, 0);
}

static int must_open32(int group)
{
	int fd = open32(group);

	if (fd < 0)
		FAIL("perf_event_open(2) by its 32-bit number is refused: %s", strerror(errno));
	return fd;
}

static int open_faults(void)
{
	attr = event_attr(PAGE_FAULTS);
	return must_open32(-1);
}

static void an_event_is_opened_and_counts(long unused)
{
	int fd = open_faults();

	(void)unused;
	CHECK_EQ(ioctl32(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	touch_fresh_pages(NR - test_busted("compat"));
	CHECK_EQ(ioctl32(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	CHECK_EQ(read32(fd, 8), 8);
	CHECK_EQ(words[0], NR);
	CHECK_EQ(event_read(fd), NR);
	CHECK_EQ(ioctl32(fd, PERF_EVENT_IOC_RESET, 0), 0);
	CHECK_EQ(event_read(fd), 0);
}

static void a_group_is_opened_and_read(long unused)
{
	uint64_t expected[8] = {};
	int leader;

	(void)unused;
	attr = event_attr(PAGE_FAULTS);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
	leader = must_open32(-1);
	attr.disabled = 0;
	must_open32(test_busted("compat") ? -1 : leader);
	CHECK_EQ(ioctl32(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP), 0);
	touch_fresh_pages(NR);
	CHECK_EQ(ioctl32(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP), 0);
	CHECK_EQ(read32(leader, sizeof(words)), 6 * 8);
	CHECK_EQ(event_read_words(leader, expected, 8), 6);
	CHECK(!memcmp(words, expected, 6 * 8));
	CHECK_EQ(words[2], NR);
	CHECK_EQ(words[4], NR);
	CHECK_ERRNO(read32(leader, 5 * 8), ENOSPC);
}

static void pointers_are_looked_at(long unused)
{
	int fd = open_faults(), nowhere = 8;

	(void)unused;
	CHECK_ERRNO(call32(OPEN32, nowhere, 0, -1, -1, 0), EFAULT);
	CHECK_ERRNO(call32(READ32, fd, nowhere, 8, 0, 0), EFAULT);
	CHECK_ERRNO(ioctl32(fd, WITH_POINTER(PERF_EVENT_IOC_ID), nowhere), EFAULT);
}

/* An attr that is too long is refused, and told what is known. */
static void an_attr_from_the_future_is_refused(long unused)
{
	static struct {
		struct perf_event_attr attr;
		uint64_t more;
	} long_attr;

	(void)unused;
	long_attr.attr = event_attr(PAGE_FAULTS);
	long_attr.attr.size = sizeof(long_attr);
	long_attr.more = !test_busted("compat");
	CHECK_ERRNO(call32(OPEN32, (uintptr_t)&long_attr, 0, -1, -1, 0), E2BIG);
	CHECK_EQ(long_attr.attr.size, is_pcl() ? sizeof(struct perf_event_attr) : PERF_ATTR_SIZE_VER7);
}

static void the_id_is_told(long unused)
{
	int fd = open_faults();

	(void)unused;
	CHECK_EQ(ioctl32(fd, WITH_POINTER(PERF_EVENT_IOC_ID), (uintptr_t)words), 0);
	CHECK_EQ(words[0], event_id(fd));
}

static void a_period_is_set(long unused)
{
	static struct record record;
	unsigned int nr = 0;
	struct ring ring;
	int fd;

	(void)unused;
	attr = event_attr(PAGE_FAULTS);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open32(-1);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	words[0] = 5 + test_busted("compat");
	CHECK_EQ(ioctl32(fd, PERF_EVENT_IOC_PERIOD, (uintptr_t)words), 0);
	CHECK_EQ(ioctl32(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	touch_fresh_pages(NR);
	CHECK_EQ(ioctl32(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	while (ring_take(&ring, &record))
		nr += record.header.type == PERF_RECORD_SAMPLE;
	CHECK_EQ(nr, NR / 5);
}

static void a_breakpoint_is_moved(long unused)
{
	int fd;

	(void)unused;
	attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)&watched[0];
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	attr.disabled = 0;
	fd = must_open32(-1);
	watched[0] = 1;
	attr.bp_addr = (uintptr_t)&watched[1];
	CHECK_EQ(ioctl32(fd, WITH_POINTER(PERF_EVENT_IOC_MODIFY_ATTRIBUTES), (uintptr_t)&attr), 0);
	watched[0] = 2;
	watched[1] = 2;
	watched[1] = 3;
	CHECK_EQ(event_read(fd), 3);
}

/* No event of software has a filter; the number is known all the same. */
static void a_filter_is_refused(long unused)
{
	static const char filter[] = "filter";
	int fd = open_faults();

	(void)unused;
	CHECK_ERRNO(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter), EINVAL);
	CHECK_ERRNO(ioctl32(fd, WITH_POINTER(PERF_EVENT_IOC_SET_FILTER), (uintptr_t)filter), EINVAL);
}

static void programs_are_asked_for(long unused)
{
	int fd = open_faults(), expected;

	(void)unused;
	CHECK(ioctl(fd, PERF_EVENT_IOC_QUERY_BPF, words) < 0);
	expected = errno;
	CHECK(expected != ENOTTY);
	CHECK_ERRNO(ioctl32(fd, WITH_POINTER(PERF_EVENT_IOC_QUERY_BPF), (uintptr_t)words), expected);
}

/* The size of a pointer is part of those numbers alone that have one. */
static void other_numbers_are_unknown(long unused)
{
	int fd = open_faults();
	unsigned int odd = test_busted("compat") ? 4 : 2;

	(void)unused;
	CHECK_ERRNO(ioctl32(fd, _IOC(_IOC_READ, '$', _IOC_NR(PERF_EVENT_IOC_ID), odd), (uintptr_t)words), ENOTTY);
	CHECK_ERRNO(ioctl32(fd, _IOC(_IOC_WRITE, '$', _IOC_NR(PERF_EVENT_IOC_PERIOD), 4), (uintptr_t)words), ENOTTY);
	CHECK_ERRNO(ioctl32(fd, _IOC(_IOC_WRITE, '$', 99, 4), (uintptr_t)words), ENOTTY);
}

static void a_ring_is_mapped(long unused)
{
	static struct {
		uint32_t address, length, prot, flags, fd, offset;
	} map;
	struct perf_event_mmap_page *page;
	uint64_t count;

	(void)unused;
	attr = event_attr(PAGE_FAULTS);
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR;
	map.fd = must_open32(-1);
	map.length = 2 * PAGE + (test_busted("compat") ? PAGE : 0);
	map.prot = PROT_READ | PROT_WRITE;
	map.flags = MAP_SHARED;
	page = (void *)(uintptr_t)(uint32_t)call32(MMAP32, (uintptr_t)&map, 0, 0, 0, 0);
	CHECK((uintptr_t)page < -4096U);
	CHECK_EQ(page->data_size, PAGE);
	CHECK_EQ(ioctl32(map.fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	touch_fresh_pages(NR);
	CHECK_EQ(ioctl32(map.fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	count = page->data_head;
	CHECK_EQ(count, NR * (sizeof(struct perf_event_header) + 8));
}

static const struct test tests[] = {
	TEST(an_event_is_opened_and_counts),
	TEST(a_group_is_opened_and_read),
	TEST(pointers_are_looked_at),
	TEST(an_attr_from_the_future_is_refused),
	TEST(the_id_is_told),
	TEST(a_period_is_set),
	TEST(a_breakpoint_is_moved),
	TEST(a_filter_is_refused),
	TEST(programs_are_asked_for),
	TEST(other_numbers_are_unknown),
	TEST(a_ring_is_mapped),
};

int main(void)
{
	return TESTS_RUN(tests);
}
