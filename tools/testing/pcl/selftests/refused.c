// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: whom a security module refuses beside root and 64-bit programs: ordinary users, 32-bit programs, and who makes
 *	copies for others.
 *
 * Concepts: as in refusing.c. What the kernel refuses by itself it does not ask the module about.
 * Contexts: root, on a kernel with CONFIG_PCL_REFUSING_TEST.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "lib/member.h"
#include "lib/module.h"

static struct perf_event_attr attr;
static uint64_t count;

/* ---- ordinary users ---- */

/* What opening says to one: an errno, 0 if it is let in. */
static int open_as_user(void *unused)
{
	(void)unused;
	drop_privileges();
	return event_open(&attr, 0, -1, -1, 0) < 0 ? errno : 0;
}

static void an_ordinary_user_is_refused(long unused)
{
	(void)unused;
	module_begin();
	attr = event_attr(PAGE_FAULTS);
	refuse(1U << OPEN);
	CHECK_EQ(in_child(open_as_user, NULL), REFUSAL);
	refuse(1U << ALLOC);
	CHECK_EQ(in_child(open_as_user, NULL), REFUSAL);
	must_be_asked(OPEN, 2);
	refuse(0);
	CHECK_EQ(in_child(open_as_user, NULL), 0);
	must_be_as_before();
}

static void who_may_not_is_not_asked_about(long unused)
{
	(void)unused;
	module_begin();
	attr = event_attr(PAGE_FAULTS);
	attr.exclude_kernel = 0;
	sysctl_set("perf_event_paranoid", test_busted("refusing") ? 1 : 2);
	refuse(1U << KERNEL);
	CHECK_EQ(in_child(open_as_user, NULL), EACCES);
	must_be_asked(KERNEL, 0);
	sysctl_set("perf_event_paranoid", 1);
	CHECK_EQ(in_child(open_as_user, NULL), REFUSAL);
	must_be_asked(KERNEL, 1);
	sysctl_set("perf_event_paranoid", 2);
	must_be_as_before();
}

/* ---- 32-bit programs ---- */

static void a_32_bit_program_is_refused(long unused)
{
	int fd;

	(void)unused;
	module_begin();
	attr = event_attr(PAGE_FAULTS);
	refuse(1U << OPEN);
	MUST_REFUSE(call32(OPEN32, (uintptr_t)&attr, 0, -1, -1, 0));
	must_be_as_before();
	refuse(0);
	fd = call32(OPEN32, (uintptr_t)&attr, 0, -1, -1, 0);
	CHECK(fd >= 0);
	refuse(1U << READ);
	MUST_REFUSE(call32(READ32, fd, (uintptr_t)&count, sizeof(count), 0, 0));
	refuse(1U << WRITE);
	MUST_REFUSE(call32(IOCTL32, fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0));
	refuse(0);
	CHECK_EQ(call32(IOCTL32, fd, PERF_EVENT_IOC_ENABLE, 0, 0, 0), 0);
	touch_fresh_pages(10);
	CHECK_EQ(call32(READ32, fd, (uintptr_t)&count, sizeof(count), 0, 0), sizeof(count));
	CHECK(count >= 10);
}

/* ---- copies ---- */

/* Who opens on a member of a family has it leave the shared copies: what it would get instead is refused. */
static void a_member_that_must_leave_stays(long unused)
{
	struct perf_event_attr inherited = event_attr(INSTRUCTIONS);
	uint64_t before;
	struct member m;
	int fd, of_member;

	(void)unused;
	module_begin();
	attr = event_attr(PAGE_FAULTS);
	inherited.inherit = 1;
	inherited.disabled = 0;
	fd = must_open_self(&inherited);
	m = member_start();
	mark();
	refuse_after(1, 1U << ALLOC);
	MUST_REFUSE(event_open(&attr, m.pid, -1, -1, 0));
	must_be_asked(ALLOC, 2);
	must_be_as_before();
	refuse(0);
	before = event_read(fd);
	member_do(&m, MEMBER_LOOP);
	CHECK(event_read(fd) >= before + MEMBER_LOOP);
	of_member = must_open(&attr, m.pid, -1, -1);
	before = event_read(fd);
	member_do(&m, MEMBER_LOOP);
	CHECK(event_read(fd) >= before + MEMBER_LOOP);
	close(of_member);
	member_end(&m);
}

static const struct test tests[] = {
	TEST(an_ordinary_user_is_refused),
	TEST(who_may_not_is_not_asked_about),
	TEST(a_32_bit_program_is_refused),
	TEST(a_member_that_must_leave_stays),
};

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		member_serve();
	return TESTS_RUN(tests);
}
