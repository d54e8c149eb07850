// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: address filters: how they are said, and where they are as a task's mappings change.
 *
 * Concepts: events of the module pcl_producer take two filters, and tell the ranges of addresses that they were given.
 *	A file's code is this program's own, or a file that a test makes and maps.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "lib/producer.h"

#define FILTER	2
#define START	1
/* No files of an overlay, where stock does not find what is mapped. */
#define CODE	"/dev/code"
#define OTHER	"/dev/other"
#define COPY	"/dev/copy"

/* On any CPU; stock follows mappings only while some event wants MMAP records. */
static int filtered_event(int inherit)
{
	struct perf_event_attr attr = producer_attr("producer");

	pin_to_cpu(0);
	attr.mmap = 1;
	attr.inherit = inherit;
	return must_open_self(&attr);
}

static int set_filter(int fd, const char *text)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text);
}

__attribute__((format(printf, 2, 3)))
static void must_filter(int fd, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (set_filter(fd, text))
		FAIL("SET_FILTER \"%s\": %s", text, strerror(errno));
}

static void check_range(unsigned int which, int action, uint64_t start, uint64_t size)
{
	struct producer_range ranges[2];

	CHECK(producer_ranges(ranges) > which);
	CHECK_EQ(ranges[which].action, action);
	CHECK_EQ(ranges[which].start, start + test_busted("range"));
	CHECK_EQ(ranges[which].size, size);
}

/* A file of @pages pages, and where it is mapped; executable, if the @prot says so. */
static char *map_code(const char *name, unsigned int pages, unsigned int first, int prot)
{
	int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0700);
	char *at;

	CHECK(fd >= 0 && !ftruncate(fd, 16 * PAGE));
	at = mmap(NULL, pages * PAGE, prot, MAP_PRIVATE, fd, first * PAGE);
	CHECK(at != MAP_FAILED);
	close(fd);
	return at;
}

/* ---- texts ---- */

static const struct {
	const char *text;
	int error;
} texts[] = {
	{ "", 0 }, { " ,\n ", 0 },
	{ "filter 0x1000/0x100", 0 }, { "filter 4096/256", 0 }, { "start 0x1000", 0 }, { "start 0x1000/8", 0 },
	{ "filter 0/1,start 0", 0 }, { "filter 0/1\nfilter 010/1\n", 0 },
	{ "filter", EINVAL }, { "filter 0x1000", EINVAL }, { "filter 0x1000/0", EINVAL }, { "start", EINVAL },
	{ "trace 0x1000/1", EINVAL }, { "filter filter 1/1", EINVAL }, { "0x1000/1", EINVAL },
	{ "filter x/1", EINVAL }, { "filter 1/x", EINVAL }, { "filter /1", EINVAL }, { "filter 1/", EINVAL },
	{ "filter -1/1", EINVAL }, { "filter +1/1", EINVAL }, { "filter 1/1/1", EINVAL }, { "filter 08/1", EINVAL },
	{ "filter 0x/1", EINVAL }, { "filter 1/1 2/2", EINVAL },
	{ "filter 0x10000000000000000/1", ERANGE }, { "filter 1/0x10000000000000000", ERANGE },
	{ "filter 0xffffffffffffffff/0xffffffffffffffff", 0 },
	{ "filter 0/1@/no/such/file", ENOENT }, { "filter 0/1@", EINVAL }, { "filter 0/1@/tmp", EINVAL },
	{ "filter 0/1@/dev/null", EINVAL }, { "filter 0@/proc/self/exe", EINVAL },
	{ "filter 0/1@/proc/self/exe", 0 }, { "start 0@/proc/self/exe", 0 },
	{ "stop 0x1000", EOPNOTSUPP }, { "filter 0/1 filter 1/1 filter 2/1", EOPNOTSUPP },
};

static void texts_are_understood(long unused)
{
	int fd = filtered_event(0);
	unsigned int i;

	(void)unused;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int error = set_filter(fd, texts[i].text) ? errno : 0;

		if (error != texts[i].error + test_busted("range"))
			FAIL("\"%s\": error %d, not %d", texts[i].text, error, texts[i].error);
	}
}

/* A text that is refused leaves what there was. */
static void what_is_refused_changes_nothing(long unused)
{
	int fd = filtered_event(0);

	(void)unused;
	must_filter(fd, "filter 0x1000/0x100");
	event_enable(fd);
	check_range(0, FILTER, 0x1000, 0x100);
	CHECK_ERRNO(set_filter(fd, "filter 0x2000/1 filter"), EINVAL);
	CHECK_ERRNO(set_filter(fd, "stop 0x2000/1"), EOPNOTSUPP);
	check_range(0, FILTER, 0x1000, 0x100);
}

static void of_a_cpu_are_no_files(long unused)
{
	struct perf_event_attr attr = producer_attr("producer");
	int fd = must_open(&attr, -1, 0, -1);

	(void)unused;
	pin_to_cpu(0);
	CHECK_ERRNO(set_filter(fd, "filter 0/1@/proc/self/exe"), test_busted("range") ? 0 : EOPNOTSUPP);
	must_filter(fd, "filter 0x5000/1");
	event_enable(fd);
	check_range(0, FILTER, 0x5000, 1);
}

static void others_have_no_filters(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS), other = producer_attr("producer_one");

	(void)unused;
	CHECK_ERRNO(set_filter(must_open_self(&attr), "filter 0/1"), test_busted("range") ? 0 : EINVAL);
	CHECK_ERRNO(set_filter(must_open_self(&other), "filter 0/1"), EINVAL);
}

/* ---- ranges ---- */

/* Those that come while the event runs are taken over at once. */
static void new_ones_take_the_place_of_old(long running)
{
	struct producer_range none[2];
	int fd = filtered_event(0);

	if (running)
		event_enable(fd);
	must_filter(fd, "filter 0x1000/0x100, start 0x2000");
	event_enable(fd);
	check_range(0, FILTER, 0x1000, 0x100);
	check_range(1, START, 0x2000, 0);
	if (!running)
		event_disable(fd);
	must_filter(fd, "start 0x3000/8");
	event_enable(fd);
	check_range(0, START, 0x3000, 8);
	CHECK_EQ(producer_ranges(none), 1);
	must_filter(fd, "%s", "");
	CHECK_EQ(producer_ranges(none), 0);
}

static void a_mapping_that_is_there(long unused)
{
	char *at = map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	int fd = filtered_event(0);

	(void)unused;
	event_enable(fd);
	must_filter(fd, "filter %#lx/0x100@" CODE ", start %#lx@" CODE, 5 * PAGE, 4 * PAGE + 8);
	check_range(0, FILTER, (uint64_t)at + PAGE, 0x100);
	check_range(1, START, (uint64_t)at + 8, 0);
	must_filter(fd, "filter %#lx/%#lx@" CODE ", filter %#lx/%#lx@" CODE, PAGE, 4 * PAGE, 11 * PAGE,
		    9 * PAGE);					/* what of it is mapped */
	check_range(0, FILTER, (uint64_t)at, PAGE);
	check_range(1, FILTER, (uint64_t)at + 7 * PAGE, PAGE);
	must_filter(fd, "filter %#lx/%#lx@" CODE ", filter %#lx/0xffffffffffffffff@" CODE, PAGE, PAGE, 5 * PAGE);
	check_range(0, FILTER, 0, 0);
	if (is_pcl())		/* stock adds offset and size up, which wraps */
		check_range(1, FILTER, (uint64_t)at + PAGE, 7 * PAGE);
}

static void a_mapping_that_comes(long unused)
{
	int fd = filtered_event(0);
	char *at;

	(void)unused;
	close(open(CODE, O_CREAT | O_RDWR, 0700));
	event_enable(fd);
	must_filter(fd, "filter %#lx/0x100@" CODE ", filter 0x7000/1", 5 * PAGE);
	check_range(0, FILTER, 0, 0);
	check_range(1, FILTER, 0x7000, 1);
	map_code(CODE, 8, 4, PROT_READ);			/* data is none */
	check_range(0, FILTER, 0, 0);
	map_code(CODE, 2, 0, PROT_READ | PROT_EXEC);		/* nor is another part */
	check_range(0, FILTER, 0, 0);
	map_code(OTHER, 8, 4, PROT_READ | PROT_EXEC);		/* nor another file */
	check_range(0, FILTER, 0, 0);
	at = map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	check_range(0, FILTER, (uint64_t)at + PAGE, 0x100);
	check_range(1, FILTER, 0x7000, 1);
	CHECK(!munmap(at, 8 * PAGE));				/* that tells nobody */
	check_range(0, FILTER, (uint64_t)at + PAGE, 0x100);
	at = map_code(CODE, 8, 4, PROT_READ);
	CHECK(!mprotect(at, 8 * PAGE, PROT_READ | PROT_EXEC));
	check_range(0, FILTER, (uint64_t)at + PAGE, 0x100);
}

static void an_event_that_is_off_follows(long unused)
{
	int fd = filtered_event(0);
	char *at;

	(void)unused;
	close(open(CODE, O_CREAT | O_RDWR, 0700));
	must_filter(fd, "filter %#lx/0x100@" CODE, 5 * PAGE);
	at = map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	event_enable(fd);
	check_range(0, FILTER, (uint64_t)at + PAGE, 0x100);
}

/* ---- families ---- */

static int child_maps(void *argument)
{
	uint64_t *parents = argument;
	char *at;

	check_range(0, FILTER, *parents, 0x100);	/* as it was forked */
	CHECK(!munmap((void *)(*parents - PAGE), 8 * PAGE));
	map_code(OTHER, 2, 0, PROT_READ | PROT_EXEC);
	at = map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	check_range(0, FILTER, (uint64_t)at + PAGE, 0x100);
	return 0;
}

static void a_child_has_ranges_of_its_own(long unused)
{
	char *at = map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	uint64_t parents = (uint64_t)at + PAGE;
	int fd = filtered_event(1);

	(void)unused;
	event_enable(fd);
	must_filter(fd, "filter %#lx/0x100@" CODE, 5 * PAGE);
	CHECK_EQ(in_child(child_maps, &parents), 0);
	check_range(0, FILTER, parents, 0x100);
}

/* Tells what its event was given, when asked through one pipe, by another. */
static void serve(int from, int to)
{
	struct producer_range ranges[2] = {};
	char c;

	while (read(from, &c, 1) == 1) {
		producer_ranges(ranges);
		CHECK_EQ(write(to, ranges, sizeof(ranges)), sizeof(ranges));
	}
	_exit(0);
}

static void filters_reach_children(long unused)
{
	char *at = map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	struct producer_range ranges[2];
	int fd = filtered_event(1), ask[2], answer[2];
	pid_t pid;

	(void)unused;
	CHECK(!pipe(ask) && !pipe(answer));
	event_enable(fd);
	pid = fork();
	if (!pid) {
		close(ask[1]);
		serve(ask[0], answer[1]);
	}
	CHECK(pid > 0);
	await_sleep(pid);
	must_filter(fd, "filter %#lx/0x100@" CODE ", start 0x77", 5 * PAGE);
	CHECK_EQ(write(ask[1], "", 1), 1);
	CHECK_EQ(read(answer[0], ranges, sizeof(ranges)), sizeof(ranges));
	CHECK_EQ(ranges[0].start, (uint64_t)at + PAGE);
	CHECK_EQ(ranges[1].start, 0x77 + test_busted("range"));
}

/* Another program: its files are where it maps them. */
static void an_exec_maps_anew(long unused)
{
	struct producer_range ranges[2] = {};
	int fd = filtered_event(1), answer[2], status;
	char number[16];
	pid_t pid;

	(void)unused;
	CHECK(!pipe(answer));
	setuid_copy(COPY);
	map_code(CODE, 8, 4, PROT_READ | PROT_EXEC);
	event_enable(fd);
	must_filter(fd, "filter %#lx/0x100@" CODE ", filter 0/0x1000000@" COPY, 5 * PAGE);
	CHECK_EQ(producer_ranges(ranges), 2);
	CHECK(ranges[0].start && !ranges[1].start);
	pid = fork();
	if (!pid) {
		snprintf(number, sizeof(number), "%d", answer[1]);
		execl(COPY, COPY, test_busted("range") ? "nothing" : "ranges", number, NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK_EQ(read(answer[0], &ranges[0], sizeof(ranges)), sizeof(ranges));
	CHECK_EQ(ranges[0].start, 0);
	CHECK_EQ(ranges[0].size, 0);
	CHECK(ranges[1].start && ranges[1].size);
}

/* What is mapped of an overlay's file is another file below it. */
static void an_overlay_s_file_is_found(long unused)
{
	struct producer_range ranges[2];
	int fd = filtered_event(0);

	(void)unused;
	if (!is_pcl())
		test_skip("stock compares the overlay's file with that below it");
	event_enable(fd);
	must_filter(fd, "filter 0/0x1000000@/proc/self/exe");
	CHECK_EQ(producer_ranges(ranges), 1 + test_busted("range"));
	CHECK(ranges[0].start <= (uint64_t)loop_begin && (uint64_t)loop_begin - ranges[0].start < ranges[0].size);
}

static const struct test tests[] = {
	TEST(texts_are_understood),
	TEST(what_is_refused_changes_nothing),
	TEST(of_a_cpu_are_no_files),
	TEST(others_have_no_filters),
	TEST_WITH(new_ones_take_the_place_of_old, "(off)", false),
	TEST_WITH(new_ones_take_the_place_of_old, "(running)", true),
	TEST(a_mapping_that_is_there),
	TEST(a_mapping_that_comes),
	TEST(an_event_that_is_off_follows),
	TEST(a_child_has_ranges_of_its_own),
	TEST(filters_reach_children),
	TEST(an_exec_maps_anew),
	TEST(an_overlay_s_file_is_found),
};

int main(int argc, char **argv)
{
	struct producer_range ranges[2] = {};

	if (argc != 3)
		return TESTS_RUN(tests);
	producer_ranges(ranges);
	ranges[0].start += !!strcmp(argv[1], "ranges");
	return write(atoi(argv[2]), ranges, sizeof(ranges)) != sizeof(ranges);
}
