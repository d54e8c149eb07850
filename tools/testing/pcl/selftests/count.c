// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: known instructions, branches and cycles are counted exactly, and sampled where they are.
 *
 * Concepts: a window around a loop of n iterations counts loop + constant. The constant (the calls that open and close
 *	the window) cancels out in the difference of two windows of different n, which so is exact. The same code runs
 *	between the borders of both windows.
 * Contexts: root; hardware events of user mode.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

#include "lib/event.h"

#define SMALL_N	20000UL
#define LARGE_N	1300000UL
#define PERIOD	10000

/* What one iteration of loop_run() adds to an event. */
struct counted {
	uint64_t config;
	unsigned int each;
};

static const struct counted counted[] = {
	{ PERF_COUNT_HW_INSTRUCTIONS, 2 },
	{ PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 1 },
	{ PERF_COUNT_HW_CPU_CYCLES, 3 },	/* the emulator's: a branch that is taken takes two */
};

enum { INSTRUCTION, BRANCH, CYCLE };

/* How often the large loop really runs: once more than it says when that fault is asked for. */
static unsigned long really(unsigned long n)
{
	return n + test_busted("loop");
}

/* Never specialised for a constant n: the windows must be the same code. */
__attribute__((noipa))
static uint64_t window_by_ioctl(int fd, unsigned long n)
{
	event_reset(fd);
	event_enable(fd);
	loop_run(n);
	event_disable(fd);
	return event_read(fd);
}

__attribute__((noipa))
static uint64_t window_by_read(int fd, unsigned long n)
{
	uint64_t before = event_read(fd);

	loop_run(n);
	return event_read(fd) - before;
}

static void check_windows(uint64_t (*window)(int fd, unsigned long n), int fd, unsigned int each)
{
	unsigned long n = really(LARGE_N);
	uint64_t small, large, again;

	window(fd, SMALL_N);	/* pages and lazy binding */
	small = window(fd, SMALL_N);
	large = window(fd, n);
	again = window(fd, SMALL_N);
	CHECK_EQ(large - small, each * (LARGE_N - SMALL_N));
	CHECK_EQ(again, small);
	/* The constant is a few calls. */
	CHECK_RANGE(small - each * SMALL_N, 0, 2000);
}

static void counts_between_enable_and_disable(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);

	check_windows(window_by_ioctl, must_open_self(&attr), counted[which].each);
}

static void counts_between_two_reads(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);
	int fd = must_open_self(&attr);

	event_enable(fd);
	check_windows(window_by_read, fd, counted[which].each);
}

static const volatile struct perf_event_mmap_page *control_page;

__attribute__((noipa))
static uint64_t window_by_rdpmc(int fd, unsigned long n)
{
	(void)fd;
	return event_loop_by_rdpmc(control_page, n);
}

static void counts_by_rdpmc(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);
	int fd = must_open_self(&attr);
	uint64_t by_rdpmc, by_read;

	control_page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	CHECK(control_page != MAP_FAILED);
	need_user_reads();
	event_enable(fd);
	CHECK(control_page->cap_user_rdpmc);
	check_windows(window_by_rdpmc, fd, counted[which].each);
	/* Both ways tell of the same count. */
	CHECK(event_rdpmc(control_page, &by_rdpmc));
	by_read = event_read(fd);
	CHECK_RANGE(by_read - by_rdpmc, 0, 200);
}

static void rdpmc_is_not_offered_when_disabled(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t count;

	(void)unused;
	control_page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	CHECK(control_page != MAP_FAILED);
	need_user_reads();
	CHECK(!event_rdpmc(control_page, &count));
	event_enable(fd);
	CHECK(event_rdpmc(control_page, &count));
	event_disable(fd);
	CHECK(!event_rdpmc(control_page, &count));
}

static int64_t widened(uint64_t value, unsigned int width)
{
	return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* How PAPI reads: it takes both RDPMC and what the page says for signed numbers of the counter's width. */
static int64_t read_as_papi(const volatile struct perf_event_mmap_page *page)
{
	unsigned int width = page->pmc_width;
	int64_t count;
	uint32_t lock;

	do {
		lock = page->lock;
		__asm__ volatile("" ::: "memory");
		CHECK(page->index);
		count = widened(page->offset, width - test_busted("loop")) + widened(rdpmc(page->index - 1), width);
		__asm__ volatile("" ::: "memory");
	} while (page->lock != lock);
	return count;
}

static void check_as_papi(int fd, const volatile struct perf_event_mmap_page *page)
{
	uint64_t before = event_read(fd);
	int64_t count = read_as_papi(page);

	/* A narrow counter's bits are all that it knows. */
	if (page->pmc_width <= 32)
		count = before + (uint32_t)(count - before);
	CHECK_RANGE(count, before, event_read(fd));
}

/* However often the event stops and others take its counter. */
static void counts_are_right_as_papi_reads_them(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr), other, i;

	(void)unused;
	control_page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	CHECK(control_page != MAP_FAILED);
	need_user_reads();
	if (control_page->pmc_width < 32)
		test_skip("so many do not fit in the counter");
	other = must_open_self(&attr);
	for (i = 0; i < 20; i++) {
		event_enable(fd);
		loop_run(SMALL_N);
		check_as_papi(fd, control_page);
		if (i % 2)
			event_enable(other);
		event_disable(fd);
		loop_run(SMALL_N);
		event_disable(other);
	}
	event_enable(fd);
	loop_run(SMALL_N);
	event_reset(fd);
	check_as_papi(fd, control_page);
}

__attribute__((noipa))
static void group_window(int leader, unsigned long n, uint64_t words[3])
{
	must_ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	event_enable(leader);
	loop_run(n);
	event_disable(leader);
	CHECK_EQ(event_read_words(leader, words, 3), 3);
}

static void group_is_read_at_once(long which)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned long n = really(LARGE_N);
	uint64_t small[3], large[3];
	int leader;

	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);
	attr.disabled = 0;
	must_open(&attr, 0, -1, leader);
	group_window(leader, SMALL_N, small);
	group_window(leader, SMALL_N, small);
	group_window(leader, n, large);
	CHECK_EQ(large[0], 2);
	CHECK_EQ(large[1] - small[1], 2 * (LARGE_N - SMALL_N));
	CHECK_EQ(large[2] - small[2], counted[which].each * (LARGE_N - SMALL_N));
}

static void each_cpu_counts(long which)
{
	unsigned int cpu;

	for (cpu = 0; cpu < cpus_online(); cpu++) {
		struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);
		int fd;

		pin_to_cpu(cpu);
		fd = must_open_self(&attr);
		check_windows(window_by_ioctl, fd, counted[which].each);
		close(fd);
	}
}

/* Half of the loop on each CPU; the moves are part of the constant. */
__attribute__((noipa))
static uint64_t window_with_move(int fd, unsigned long n)
{
	pin_to_cpu(0);
	event_reset(fd);
	event_enable(fd);
	loop_run(n / 2);
	pin_to_cpu(1);
	loop_run(n - n / 2);
	event_disable(fd);
	return event_read(fd);
}

static void the_count_moves_with_its_task(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);

	if (cpus_online() < 2)
		test_skip("one CPU");
	check_windows(window_with_move, must_open_self(&attr), counted[which].each);
}

static void *window_thread(void *argument)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);

	pin_to_cpu((long)argument);
	check_windows(window_by_ioctl, must_open_self(&attr), 2);
	return NULL;
}

static void two_tasks_count_apart(long unused)
{
	unsigned int nr = cpus_online();
	pthread_t threads[4];
	unsigned long i;

	(void)unused;
	for (i = 0; i < 4; i++)
		CHECK(!pthread_create(&threads[i], NULL, window_thread, (void *)(i % nr)));
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* What a loop adds to an event of instructions that leaves out what @attr says. */
static uint64_t count_of(struct perf_event_attr attr)
{
	int fd = must_open_self(&attr);
	uint64_t count;

	event_enable(fd);
	loop_run(really(LARGE_N));
	event_disable(fd);
	count = event_read(fd);
	close(fd);
	return count;
}

static int later(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* The middle one of several loops: a slow host makes the kernel busy beside some. */
static uint64_t usual_count_of(struct perf_event_attr attr)
{
	uint64_t counts[9];
	unsigned int i;

	for (i = 0; i < 9; i++)
		counts[i] = count_of(attr);
	qsort(counts, 9, sizeof(counts[0]), later);
	return counts[4];
}

/* Where no three events of different levels are counted at once: the kernel's part is small, the user's is known. */
static void levels_in_turn(void)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t all, user, kernel;

	user = count_of(attr);
	attr.exclude_kernel = 0;
	all = usual_count_of(attr);
	attr.exclude_user = !test_busted("exclude");
	kernel = usual_count_of(attr);
	CHECK_RANGE(user, 2 * LARGE_N, 2 * LARGE_N + 1000);
	CHECK_RANGE(kernel, 100, 2 * LARGE_N - 1);
	CHECK_RANGE(all, user + 100, 4 * LARGE_N);
}

/*
 * How much the kernel does meanwhile depends on the host. That what is counted of it and of the program make up the
 * whole does not, but for what runs while the group's members go on and off one by one: at each switch, and a slow host
 * makes many.
 */
static void kernel_only_leaves_user_out(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t all, user, kernel, apart;
	int leader, fd_user, fd_kernel;

	(void)unused;
	if (counters_alike() < 3) {
		levels_in_turn();
		return;
	}
	attr.exclude_kernel = 0;
	leader = must_open_self(&attr);
	attr.disabled = 0;
	attr.exclude_user = !test_busted("exclude");
	fd_kernel = must_open(&attr, 0, -1, leader);
	attr.exclude_user = 0;
	attr.exclude_kernel = 1;
	fd_user = must_open(&attr, 0, -1, leader);
	apart = switches();
	event_enable(leader);
	loop_run(really(LARGE_N));
	event_disable(leader);
	apart = 10000 + 2000 * (switches() - apart);
	all = event_read(leader);
	user = event_read(fd_user);
	kernel = event_read(fd_kernel);
	CHECK_RANGE(user, 2 * LARGE_N, 2 * LARGE_N + 1000);
	CHECK(kernel > 0);
	CHECK_RANGE(user + kernel, all - apart, all + apart);
}

/* Samples of a loop that ends half a period after the last overflow. */
struct sampled {
	unsigned int nr, outside, late, lost, other;
};

static struct sampled sample_loop(uint64_t config, unsigned int each, unsigned long nr_wanted)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, config);
	unsigned long n = (nr_wanted * PERIOD + PERIOD / 2) / each;
	struct sampled result = { 0 };
	static struct record record;
	struct ring ring;
	int fd;

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	if (test_busted("loop"))
		n /= 2;
	loop_run(1);
	event_enable(fd);
	loop_run(n);
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		if (record.header.type == PERF_RECORD_SAMPLE) {
			result.nr++;
			if ((record.header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
				result.late++;
			else
				result.outside += record.body[0] < (uintptr_t)loop_begin ||
						  record.body[0] >= (uintptr_t)loop_end;
		} else if (record.header.type == PERF_RECORD_LOST) {
			result.lost += record.body[1];
		} else {
			result.other++;
		}
	}
	return result;
}

/* Where a counter that overflows tells nobody, as on a machine of which that is known. */
static bool is_silent(void)
{
	return getenv("PCL_SILENT");
}

static void need_overflows(void)
{
	if (is_silent())
		test_skip("this machine's counters wrap in silence");
}

static void what_wraps_in_silence_is_not_sampled(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);

	close(must_open_self(&attr));
	if (!test_busted("loop"))
		attr.sample_period = PERIOD;
	if (is_silent())
		CHECK_ERRNO(event_open(&attr, 0, -1, -1, 0), EOPNOTSUPP);
	else
		close(must_open_self(&attr));
}

static void samples_land_in_the_loop(long which)
{
	unsigned long wanted = test_count(1000, 100);
	struct sampled sampled;

	need_overflows();
	sampled = sample_loop(counted[which].config, counted[which].each, wanted);
	CHECK_RANGE(sampled.nr, wanted - 1, wanted + 1);
	CHECK_EQ(sampled.outside, 0);
	/* With a skid, an interrupt may be taken between the overflow and its delivery, which then hits the kernel. */
	CHECK_RANGE(sampled.late, 0, getenv("PCL_SKID") ? wanted / 10 : 0);
	CHECK_EQ(sampled.lost, 0);
	CHECK_EQ(sampled.other, 0);
}

/* Who was told of an overflow says so to the counters: a status bit that stays would hide the next one's. */
static void no_overflow_is_left_standing(long which)
{
	need_overflows();
	pin_to_cpu(0);
	sample_loop(counted[which].config, counted[which].each, 100);
	CHECK_EQ(overflows_standing(), 0);
}

/* An overflow sets the counter back, and what it had counted is not lost. */
static void the_count_is_exact_across_overflows(long which)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);

	need_overflows();
	attr.sample_period = PERIOD;
	check_windows(window_by_ioctl, must_open_self(&attr), counted[which].each);
}

/* T2's interrupt comes as soon as a counter is within so many of its overflow, and then is the sample taken. */
#define EARLY	16

/* A sample tells of the group what had been counted when it was taken: these count the program alone. */
static void a_sample_tells_its_group(long which)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned int each = counted[which].each, nr = 0;
	uint64_t due, member, last = 0;
	unsigned long n = (100 * PERIOD + PERIOD / 2) / 2;
	static struct record record;
	uint64_t first[2] = { 0 };
	struct ring ring;
	int leader;

	need_overflows();
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	ring = ring_map(leader, 16, PROT_READ | PROT_WRITE);
	attr = event_attr(PERF_TYPE_HARDWARE, counted[which].config);
	attr.disabled = 0;
	must_open(&attr, 0, -1, leader);
	event_enable(leader);
	loop_run(test_busted("loop") ? n / 2 : n);
	event_disable(leader);
	while (ring_take(&ring, &record)) {
		const uint64_t *told = record.body;

		CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
		CHECK_EQ(told[0], 2);
		nr++;
		CHECK_RANGE(told[1], nr * PERIOD - EARLY, nr * PERIOD + 100);
		member = test_busted("member") ? last : told[2];	/* as one that was not read again */
		last = told[2];
		if (!first[0])
			memcpy(first, told + 1, sizeof(first));
		/* Of two instructions for each iteration, one of which may have begun, or have ended, a part before. */
		due = each * (told[1] - first[0]) / 2;
		CHECK_RANGE(member - first[1] + each, due, due + 2 * each);
	}
	CHECK_EQ(nr, 100);
}

static const struct test tests[] = {
	TEST_WITH(counts_between_enable_and_disable, "(instructions)", INSTRUCTION),
	TEST_WITH(counts_between_enable_and_disable, "(branches)", BRANCH),
	TEST_WITH(counts_between_enable_and_disable, "(cycles)", CYCLE),
	TEST_WITH(counts_between_two_reads, "(instructions)", INSTRUCTION),
	TEST_WITH(counts_between_two_reads, "(branches)", BRANCH),
	TEST_WITH(counts_between_two_reads, "(cycles)", CYCLE),
	TEST_WITH(counts_by_rdpmc, "(instructions)", INSTRUCTION),
	TEST_WITH(counts_by_rdpmc, "(branches)", BRANCH),
	TEST_WITH(counts_by_rdpmc, "(cycles)", CYCLE),
	TEST(rdpmc_is_not_offered_when_disabled),
	TEST(counts_are_right_as_papi_reads_them),
	TEST_WITH(group_is_read_at_once, "(and branches)", BRANCH),
	TEST_WITH(group_is_read_at_once, "(and cycles)", CYCLE),
	TEST_WITH(each_cpu_counts, "(instructions)", INSTRUCTION),
	TEST_WITH(each_cpu_counts, "(branches)", BRANCH),
	TEST_WITH(each_cpu_counts, "(cycles)", CYCLE),
	TEST_WITH(the_count_moves_with_its_task, "(instructions)", INSTRUCTION),
	TEST_WITH(the_count_moves_with_its_task, "(branches)", BRANCH),
	TEST_WITH(the_count_moves_with_its_task, "(cycles)", CYCLE),
	TEST(two_tasks_count_apart),
	TEST(kernel_only_leaves_user_out),
	TEST_WITH(what_wraps_in_silence_is_not_sampled, "(instructions)", INSTRUCTION),
	TEST_WITH(the_count_is_exact_across_overflows, "(instructions)", INSTRUCTION),
	TEST_WITH(the_count_is_exact_across_overflows, "(branches)", BRANCH),
	TEST_WITH(the_count_is_exact_across_overflows, "(cycles)", CYCLE),
	TEST_WITH(samples_land_in_the_loop, "(instructions)", INSTRUCTION),
	TEST_WITH(samples_land_in_the_loop, "(branches)", BRANCH),
	TEST_WITH(samples_land_in_the_loop, "(cycles)", CYCLE),
	TEST_WITH(no_overflow_is_left_standing, "(instructions)", INSTRUCTION),
	TEST_WITH(no_overflow_is_left_standing, "(branches)", BRANCH),
	TEST_WITH(a_sample_tells_its_group, "(and branches)", BRANCH),
	TEST_WITH(a_sample_tells_its_group, "(and cycles)", CYCLE),
};

int main(void)
{
	return TESTS_RUN(tests);
}
