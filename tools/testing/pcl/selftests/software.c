// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the twelve software events, and breakpoints.
 *
 * Concepts: what the test does itself is counted exactly: page faults, switches, migrations, hits of a breakpoint.
 *	Clocks are held against other clocks, from both sides.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/hw_breakpoint.h>

#include "lib/event.h"

#define NR	50

static int kernel_too(uint64_t config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, config);

	attr.exclude_kernel = 0;
	return must_open_self(&attr);
}

static void each_of_the_twelve_opens_and_reads(long unused)
{
	unsigned int config;

	(void)unused;
	for (config = 0; config < PERF_COUNT_SW_MAX; config++) {
		int fd = kernel_too(config);

		event_enable(fd);
		event_disable(fd);
		event_read(fd);
		close(fd);
	}
	CHECK_EQ(config, 12);
}

static void page_faults_are_counted_exactly(long config)
{
	int fd = kernel_too(config);

	touch_fresh_pages(1);
	event_enable(fd);
	event_reset(fd);
	touch_fresh_pages(test_busted("faults") ? NR - 1 : NR);
	event_disable(fd);
	CHECK_EQ(event_read(fd), NR);
}

static void fresh_memory_is_no_major_fault(long unused)
{
	int major = kernel_too(PERF_COUNT_SW_PAGE_FAULTS_MAJ);

	(void)unused;
	event_enable(major);
	touch_fresh_pages(NR);
	event_disable(major);
	CHECK_EQ(event_read(major), 0);
}

/* Pages of a file that memory does not hold: the kernel's own account of the task's faults is the oracle. */
static void major_faults_are_counted_exactly(long unused)
{
	int major = kernel_too(PERF_COUNT_SW_PAGE_FAULTS_MAJ), all = kernel_too(PERF_COUNT_SW_PAGE_FAULTS);
	int file = open("/usr/bin/perf", O_RDONLY);
	struct rusage before, after;
	volatile const char *at;
	unsigned int i, sum = 0;

	(void)unused;
	CHECK(file >= 0);
	CHECK(!posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED));
	at = mmap(NULL, NR * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	CHECK(at != MAP_FAILED);
	CHECK(!madvise((void *)at, NR * PAGE, MADV_RANDOM));
	CHECK(!getrusage(RUSAGE_SELF, &before));
	event_enable(major);
	event_enable(all);
	for (i = 0; i < NR && !test_busted("faults"); i++)
		sum += at[i * PAGE];
	event_disable(all);
	event_disable(major);
	CHECK(!getrusage(RUSAGE_SELF, &after));
	CHECK(after.ru_majflt > before.ru_majflt);
	CHECK_EQ(event_read(major), after.ru_majflt - before.ru_majflt);
	CHECK(event_read(all) >= event_read(major));
	test_note("%llu major faults, bytes add up to %u", (unsigned long long)event_read(major), sum);
}

static void context_switches_are_counted(long unused)
{
	int fd = kernel_too(PERF_COUNT_SW_CONTEXT_SWITCHES);
	uint64_t before = switches();

	(void)unused;
	event_enable(fd);
	switch_away(NR);
	event_disable(fd);
	/* Others may take the CPU now and then: the scheduler's own account has those, too. */
	CHECK_RANGE(event_read(fd), NR, test_busted("switches") ? NR - 1 : switches() - before);
}

static void context_switches_need_the_kernel(long unused)
{
	struct perf_event_attr attr = event_attr(SWITCHES);
	int fd = must_open_self(&attr);

	(void)unused;
	event_enable(fd);
	switch_away(NR);
	event_disable(fd);
	/* A switch happens in the kernel, which this event excludes. */
	CHECK_EQ(event_read(fd), 0);
}

static void migrations_are_counted_exactly(long unused)
{
	int fd, i;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	pin_to_cpu(0);
	fd = kernel_too(PERF_COUNT_SW_CPU_MIGRATIONS);
	event_enable(fd);
	for (i = 1; i <= NR; i++)
		pin_to_cpu(i % 2);
	event_disable(fd);
	CHECK_EQ(event_read(fd), NR);
}

/*
 * A window inside and a window outside enclose it: the CPU time that the task had is a lower bound, the time that passed an
 * upper one. CPU time is not, as interrupts take some that is not the task's by that clock, and much on a slow machine.
 * Clocks may differ by their granularity.
 */
static void a_clock_counts_time(long config)
{
	uint64_t outer, inner, counted;
	int fd = kernel_too(config);

	outer = clock_ns(CLOCK_MONOTONIC);
	event_enable(fd);
	inner = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	loop_run(3000000);
	inner = clock_ns(CLOCK_THREAD_CPUTIME_ID) - inner;
	event_disable(fd);
	outer = clock_ns(CLOCK_MONOTONIC) - outer;
	counted = event_read(fd);
	if (test_busted("clock"))
		counted /= 2;
	CHECK(inner);
	CHECK_RANGE(counted, inner - inner / 20, outer + outer / 20);
}

/* What a clock counts is what the event's own times say, to the nanosecond, however often its task came and went. */
static void a_clock_agrees_with_its_times(long config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, config);
	uint64_t words[3];
	int fd, round;

	if (config == PERF_COUNT_SW_CPU_CLOCK && !is_pcl())
		test_skip("stock's cpu-clock reads the clock by itself");
	attr.exclude_kernel = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = must_open_self(&attr);
	for (round = 0; round < 5; round++) {
		event_enable(fd);
		switch_away(NR);
		event_disable(fd);
		CHECK_EQ(event_read_words(fd, words, 3), 3);
		CHECK_EQ(words[0] + test_busted("clock"), words[2]);
		CHECK_EQ(words[1], words[2]);
	}
}

/* All that is read of a group is of one moment, while time goes on. */
static void clocks_of_a_group_agree(long config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, config);
	int fds[3], i, round;
	uint64_t words[6];

	if (!is_pcl())
		test_skip("stock reads the clock anew for each");
	attr.exclude_kernel = 0;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	for (i = 0; i < 3; i++) {
		fds[i] = must_open(&attr, 0, -1, i ? fds[0] : -1);
		if (i)
			event_enable(fds[i]);	/* with the leader, then */
	}
	event_enable(fds[0]);
	for (round = 0; round < 5; round++) {
		switch_away(NR);
		CHECK_EQ(event_read_words(fds[0], words, 6), 6);
		CHECK(words[2]);
		for (i = 0; i < 3; i++)
			CHECK_EQ(words[3 + i] + test_busted("clock"), words[2]);
	}
}

/* A task clock stands still while its task does not run. */
static void task_clock_counts_only_running(long unused)
{
	struct perf_event_attr attr = event_attr(TASK_CLOCK);
	uint64_t first, second;
	char byte;
	pid_t pid;
	int ends[2], fd;

	(void)unused;
	pin_to_cpu(0);
	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	attr.disabled = 0;
	attr.exclude_kernel = 0;
	fd = must_open(&attr, pid, -1, -1);
	await_sleep(pid);
	first = event_read(fd);
	loop_run(3000000);
	second = event_read(fd);
	CHECK_EQ(second - first, 0);
	close(ends[1]);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

/* Those that other architectures have, and those that count nothing by themselves. */
static void it_never_counts_here(long config)
{
	int fd = kernel_too(test_busted("faults") ? PERF_COUNT_SW_PAGE_FAULTS : config);
	static char bytes[64] __attribute__((aligned(64)));
	volatile uint64_t *across = (volatile uint64_t *)(bytes + 3);

	event_enable(fd);
	touch_fresh_pages(NR);
	*across += 1;
	switch_away(NR);
	event_disable(fd);
	CHECK_EQ(event_read(fd), 0);
}

/* ---- cgroup-switches ---- */

static const char hierarchy[] = "/tmp/software-cgroup", group[] = "/tmp/software-cgroup/group";

static void enter_group(void)
{
	cgroup_enter(group, 0);
}

/* Other tasks of the hierarchy's top, which would come between and make it less, have to wait. */
static void cgroup_switches_are_counted(long unused)
{
	int fd = kernel_too(PERF_COUNT_SW_CGROUP_SWITCHES);
	struct sched_param first = { .sched_priority = 1 }, usual = { 0 };
	uint64_t apart;

	(void)unused;
	cgroup_mount(hierarchy, group);
	event_enable(fd);
	switch_away(NR);
	event_disable(fd);
	CHECK_EQ(event_read(fd), 0);
	CHECK(!sched_setscheduler(0, SCHED_FIFO, &first));
	event_enable(fd);
	switch_with(NR, test_busted("switches") ? NULL : enter_group);
	event_disable(fd);
	CHECK(!sched_setscheduler(0, SCHED_OTHER, &usual));
	apart = event_read(fd);
	cgroup_unmount(hierarchy, group);
	CHECK_RANGE(apart, NR - 5, 2 * NR + 5);
}

/* ---- breakpoints ---- */

static volatile long watched[2];

__attribute__((noipa)) static void called(void)
{
	__asm__ volatile("");
}

static struct perf_event_attr breakpoint_attr(uint32_t type, const volatile void *at, uint64_t length)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_type = type;
	attr.bp_addr = (uintptr_t)at;
	attr.bp_len = length;
	return attr;
}

static void a_breakpoint_counts_writes(long unused)
{
	struct perf_event_attr attr = breakpoint_attr(HW_BREAKPOINT_W, &watched[0], HW_BREAKPOINT_LEN_8);
	int fd = must_open_self(&attr), i;
	long sum = 0;

	(void)unused;
	event_enable(fd);
	for (i = 0; i < NR; i++) {
		watched[test_busted("breakpoint")] = i;
		watched[1] = i;
		sum += watched[0];
	}
	event_disable(fd);
	watched[0] = sum;
	CHECK_EQ(event_read(fd), NR);
}

static void a_breakpoint_counts_reads_and_writes(long unused)
{
	struct perf_event_attr attr = breakpoint_attr(HW_BREAKPOINT_RW, &watched[0], HW_BREAKPOINT_LEN_8);
	int fd = must_open_self(&attr), i;
	long sum = 0;

	(void)unused;
	event_enable(fd);
	for (i = 0; i < NR; i++) {
		watched[0] = i;
		sum += watched[0];
	}
	event_disable(fd);
	watched[1] = sum;
	CHECK_EQ(event_read(fd), 2 * NR);
}

static void a_breakpoint_counts_calls(long unused)
{
	struct perf_event_attr attr = breakpoint_attr(HW_BREAKPOINT_X, (void *)called, sizeof(long));
	int fd = must_open_self(&attr), i;

	(void)unused;
	event_enable(fd);
	for (i = 0; i < NR; i++)
		called();
	event_disable(fd);
	CHECK_EQ(event_read(fd), NR);
}

static void a_breakpoint_samples(long unused)
{
	struct perf_event_attr attr = breakpoint_attr(HW_BREAKPOINT_X, (void *)called, sizeof(long));
	static struct record record;
	unsigned int nr = 0;
	struct ring ring;
	int fd, i;

	(void)unused;
	attr.sample_period = 5;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (i = 0; i < NR; i++)
		called();
	event_disable(fd);
	while (ring_take(&ring, &record)) {
		CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
		CHECK_EQ(record.body[0], (uintptr_t)called);
		nr++;
	}
	CHECK_EQ(nr, NR / 5);
}

static void a_breakpoint_can_be_moved(long unused)
{
	struct perf_event_attr attr = breakpoint_attr(HW_BREAKPOINT_W, &watched[0], HW_BREAKPOINT_LEN_8);
	int fd = must_open_self(&attr);

	(void)unused;
	event_enable(fd);
	watched[0] = 1;
	watched[1] = 1;
	attr.bp_addr = (uintptr_t)&watched[1];
	attr.disabled = 0;
	must_ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (unsigned long)&attr);
	watched[0] = 2;
	watched[1] = 2;
	watched[1] = 3;
	event_disable(fd);
	CHECK_EQ(event_read(fd), 3);
}

/* With sigtrap the event's own task gets a signal at once, at the place. */
static void sigtrap_comes_at_the_place(long unused)
{
	struct perf_event_attr attr = breakpoint_attr(HW_BREAKPOINT_W, &watched[0], HW_BREAKPOINT_LEN_8);
	int fd, i;

	(void)unused;
	catch_signal(SIGTRAP);
	attr.sample_period = 1;
	attr.sigtrap = !test_busted("sigtrap");
	attr.remove_on_exec = 1;
	attr.sig_data = 0x1234567890;
	fd = must_open_self(&attr);
	event_enable(fd);
	for (i = 0; i < 10; i++) {
		watched[0] = i;
		CHECK_EQ(nr_signals, i + 1);
	}
	event_disable(fd);
	check_sigtrap(PERF_TYPE_BREAKPOINT, 0x1234567890);
	CHECK_EQ((uintptr_t)last_signal.si_addr, (uintptr_t)&watched[0]);
}

static const struct test tests[] = {
	TEST(each_of_the_twelve_opens_and_reads),
	TEST_WITH(page_faults_are_counted_exactly, "(all)", PERF_COUNT_SW_PAGE_FAULTS),
	TEST_WITH(page_faults_are_counted_exactly, "(minor)", PERF_COUNT_SW_PAGE_FAULTS_MIN),
	TEST(fresh_memory_is_no_major_fault),
	TEST(major_faults_are_counted_exactly),
	TEST(context_switches_are_counted),
	TEST(context_switches_need_the_kernel),
	TEST(migrations_are_counted_exactly),
	TEST_WITH(a_clock_counts_time, "(cpu-clock)", PERF_COUNT_SW_CPU_CLOCK),
	TEST_WITH(a_clock_counts_time, "(task-clock)", PERF_COUNT_SW_TASK_CLOCK),
	TEST_WITH(a_clock_agrees_with_its_times, "(cpu-clock)", PERF_COUNT_SW_CPU_CLOCK),
	TEST_WITH(a_clock_agrees_with_its_times, "(task-clock)", PERF_COUNT_SW_TASK_CLOCK),
	TEST_WITH(clocks_of_a_group_agree, "(cpu-clock)", PERF_COUNT_SW_CPU_CLOCK),
	TEST_WITH(clocks_of_a_group_agree, "(task-clock)", PERF_COUNT_SW_TASK_CLOCK),
	TEST(task_clock_counts_only_running),
	TEST_WITH(it_never_counts_here, "(dummy)", PERF_COUNT_SW_DUMMY),
	TEST_WITH(it_never_counts_here, "(alignment-faults)", PERF_COUNT_SW_ALIGNMENT_FAULTS),
	TEST_WITH(it_never_counts_here, "(emulation-faults)", PERF_COUNT_SW_EMULATION_FAULTS),
	TEST_WITH(it_never_counts_here, "(bpf-output)", PERF_COUNT_SW_BPF_OUTPUT),
	TEST(cgroup_switches_are_counted),
	TEST(a_breakpoint_counts_writes),
	TEST(a_breakpoint_counts_reads_and_writes),
	TEST(a_breakpoint_counts_calls),
	TEST(a_breakpoint_samples),
	TEST(a_breakpoint_can_be_moved),
	TEST(sigtrap_comes_at_the_place),
};

int main(void)
{
	return TESTS_RUN(tests);
}
