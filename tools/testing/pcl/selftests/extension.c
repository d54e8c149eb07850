// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the extended call: PCL_FLAG_OPEN and struct pcl_open, and what it says about refusals.
 *
 * Concepts: a stock kernel refuses the flag with EINVAL, which is all that is looked at there.
 * Contexts: root and, for what an ordinary user is told, nobody.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>

#include "lib/event.h"

static char text[128];

static struct pcl_open good_open(const struct perf_event_attr *attr)
{
	struct pcl_open open = {
		.size = sizeof(open),
		.attr = (uintptr_t)attr,
		.why_text = (uintptr_t)text,
		.why_text_size = sizeof(text),
		.why_reason = 12345,
		.why_field = 12345,
	};

	memset(text, '#', sizeof(text));
	return open;
}

static int extended_open(void *open)
{
	return event_open(open, 0, -1, -1, PCL_FLAG_OPEN);
}

static void need_pcl(void)
{
	if (!is_pcl())
		test_skip("this kernel has no PCL");
}

static void a_stock_kernel_refuses_the_flag(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	(void)unused;
	if (is_pcl())
		test_skip("this kernel has PCL");
	CHECK_ERRNO(extended_open(&open), EINVAL);
	CHECK_EQ(open.why_reason, 12345);
}

static void a_good_open_says_that_nothing_is_wrong(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);
	int fd;

	(void)unused;
	need_pcl();
	fd = extended_open(&open);
	CHECK(fd >= 0);
	CHECK_EQ(open.why_reason, PCL_REASON_NONE);
	CHECK_EQ(open.why_field, -1);
	event_enable(fd);
	loop_run(100000);
	CHECK(event_read(fd));
}

static void a_refusal_says_why_and_where(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	(void)unused;
	need_pcl();
	attr.sample_type = 1ULL << 40;
	CHECK_ERRNO(extended_open(&open), EINVAL);
	CHECK_EQ(open.why_reason, PCL_REASON_SAMPLE_TYPE_UNKNOWN);
	CHECK_EQ(open.why_field, offsetof(struct perf_event_attr, sample_type));
	CHECK(memchr(text, 0, sizeof(text)));
	CHECK(strlen(text) > 10);
	test_note("%s", text);
}

/* The text is cut to the buffer and ends with a zero; nothing behind it is touched. */
static void the_text_fits_its_buffer(long size)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	need_pcl();
	attr.sample_type = 1ULL << 40;
	open.why_text_size = size;
	CHECK_ERRNO(extended_open(&open), EINVAL);
	CHECK_EQ(open.why_reason, PCL_REASON_SAMPLE_TYPE_UNKNOWN);
	if (size)
		CHECK_EQ(text[size - 1], 0);
	CHECK_EQ(text[size], '#');
}

static void a_refusal_without_a_text_buffer_says_why(long unused)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, 99);
	struct pcl_open open = good_open(&attr);

	(void)unused;
	need_pcl();
	open.why_text = 0;
	CHECK_ERRNO(extended_open(&open), ENOENT);
	CHECK_EQ(open.why_reason, PCL_REASON_TYPE_UNKNOWN);
}

/* Success is told in advance, so a bad buffer is found before there is an event. */
static void a_bad_text_buffer_faults(long bad_attr)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	need_pcl();
	if (bad_attr)
		attr.sample_type = 1ULL << 40;
	if (!test_busted("reserved"))
		open.why_text = 8;
	CHECK_ERRNO(extended_open(&open), EFAULT);
}

static void an_ordinary_user_is_told_too(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	(void)unused;
	need_pcl();
	drop_privileges();
	attr.exclude_kernel = 0;
	CHECK_ERRNO(extended_open(&open), EACCES);
	CHECK(open.why_reason != PCL_REASON_NONE && open.why_reason != 12345);
	CHECK(strlen(text) > 10);
	test_note("%s", text);
}

static void sizes_follow_the_rule(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct {
		struct pcl_open open;
		uint64_t more[4];
	} larger = { .open = good_open(&attr) };

	(void)unused;
	need_pcl();
	/* A newer program that does not use what is new. */
	larger.open.size = sizeof(larger);
	CHECK(extended_open(&larger) >= 0);
	/* One that does. */
	larger.more[3] = 1;
	CHECK_ERRNO(extended_open(&larger), E2BIG);
	CHECK_EQ(larger.open.size, sizeof(struct pcl_open));
	/* Smaller than any that ever was. */
	larger.open.size = PCL_OPEN_SIZE_VER0 - 8;
	CHECK_ERRNO(extended_open(&larger), E2BIG);
	CHECK_EQ(larger.open.size, sizeof(struct pcl_open));
	larger.open.size = 0;
	CHECK_ERRNO(extended_open(&larger), E2BIG);
	larger.open.size = 1 << 20;
	CHECK_ERRNO(extended_open(&larger), E2BIG);
}

static void reserved_fields_must_be_zero(long which)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	need_pcl();
	if (which)
		open.reserved[2] = !test_busted("reserved");
	else
		open.flags = !test_busted("reserved");
	CHECK_ERRNO(extended_open(&open), EINVAL);
	CHECK_EQ(open.why_reason, which ? PCL_REASON_OPEN_RESERVED : PCL_REASON_OPEN_FLAGS);
}

static void bad_addresses_fault(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	(void)unused;
	need_pcl();
	CHECK_ERRNO(extended_open((void *)8), EFAULT);
	open.attr = 8;
	CHECK_ERRNO(extended_open(&open), EFAULT);
	open.attr = 0;
	CHECK_ERRNO(extended_open(&open), EFAULT);
}

/* The attr's own size protocol works through the extension. */
static void the_attrs_size_is_written_back(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	struct pcl_open open = good_open(&attr);

	(void)unused;
	need_pcl();
	attr.size = 8;
	CHECK_ERRNO(extended_open(&open), E2BIG);
	CHECK(attr.size >= PERF_ATTR_SIZE_VER7);
	CHECK_EQ(open.why_reason, PCL_REASON_ATTR_SIZE_SMALL);
}

static void set_cpu1(bool online)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	CHECK(fd >= 0);
	CHECK(write(fd, online ? "1" : "0", 1) == 1);
	close(fd);
}

/*
 * The CPU of a group went: neither its leader nor its sibling, which leads itself now, counts again, and nothing can be
 * counted with them. Stock opens an event that counts nothing.
 */
static void a_group_that_counts_no_more_takes_no_member(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	struct pcl_open open = good_open(&attr);
	int group[2], i;

	(void)unused;
	need_pcl();
	if (cpus_online() < 2)
		test_skip("one CPU");
	group[0] = must_open(&attr, -1, 1, -1);
	group[1] = must_open(&attr, -1, 1, group[0]);
	set_cpu1(false);
	set_cpu1(true);
	attr = event_attr(CPU_CLOCK);
	for (i = 0; i < 2; i++) {
		CHECK_ERRNO(event_open((void *)&open, -1, 1, group[i], PCL_FLAG_OPEN), EINVAL);
		CHECK_EQ(open.why_reason, PCL_REASON_GROUP_TARGET);
	}
}

static const struct test tests[] = {
	TEST(a_stock_kernel_refuses_the_flag),
	TEST(a_good_open_says_that_nothing_is_wrong),
	TEST(a_refusal_says_why_and_where),
	TEST_WITH(the_text_fits_its_buffer, "(0 bytes)", 0),
	TEST_WITH(the_text_fits_its_buffer, "(1 byte)", 1),
	TEST_WITH(the_text_fits_its_buffer, "(8 bytes)", 8),
	TEST(a_refusal_without_a_text_buffer_says_why),
	TEST_WITH(a_bad_text_buffer_faults, "(good attr)", 0),
	TEST_WITH(a_bad_text_buffer_faults, "(bad attr)", 1),
	TEST(an_ordinary_user_is_told_too),
	TEST(sizes_follow_the_rule),
	TEST_WITH(reserved_fields_must_be_zero, "(flags)", 0),
	TEST_WITH(reserved_fields_must_be_zero, "(reserved)", 1),
	TEST(bad_addresses_fault),
	TEST(the_attrs_size_is_written_back),
	TEST(a_group_that_counts_no_more_takes_no_member),
};

int main(void)
{
	return TESTS_RUN(tests);
}
