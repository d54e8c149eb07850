// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: groups, enabling and disabling, periods, pinned and exclusive groups, times, permissions.
 *
 * Contexts: root; tests of permissions drop it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <linux/hw_breakpoint.h>

#include "lib/event.h"

#define TIMES	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)
#define N	10000UL

static int open_enabled(uint32_t type, uint64_t config, int group)
{
	struct perf_event_attr attr = event_attr(type, config);

	attr.disabled = 0;
	return must_open(&attr, 0, -1, group);
}

static void what_is_disabled_does_not_count(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd = must_open_self(&attr);
	uint64_t count;

	(void)unused;
	loop_run(N);
	CHECK_EQ(event_read(fd), 0);
	event_enable(fd);
	loop_run(N);
	event_disable(fd);
	count = event_read(fd);
	CHECK(count > 2 * N);
	loop_run(N);
	CHECK_EQ(event_read(fd), count);
	/* Twice is as good as once. */
	event_disable(fd);
	event_enable(fd);
	event_enable(fd);
	loop_run(N);
	CHECK(event_read(fd) >= count + 2 * N);
}

static void a_sibling_waits_for_its_leader(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), sibling = open_enabled(BRANCHES, leader);

	(void)unused;
	loop_run(N);
	CHECK_EQ(event_read(sibling), 0);
	event_enable(leader);
	loop_run(N);
	event_disable(leader);
	CHECK(event_read(sibling) >= N);
	CHECK(event_read(leader) >= 2 * N);
}

/* A disabled sibling leaves the others counting. */
static void a_sibling_can_be_disabled_alone(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), sibling = open_enabled(BRANCHES, leader);
	uint64_t count, before;

	(void)unused;
	event_enable(leader);
	loop_run(N);
	event_disable(sibling);
	count = event_read(sibling);
	before = event_read(leader);
	loop_run(N);
	CHECK_EQ(event_read(sibling), count);
	CHECK(event_read(leader) >= before + 2 * N);
}

static void a_group_is_controlled_at_once(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), sibling;

	(void)unused;
	attr = event_attr(BRANCHES);
	sibling = must_open(&attr, 0, -1, leader);
	must_ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	loop_run(N);
	must_ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	CHECK(event_read(leader) >= 2 * N && event_read(sibling) >= N);
	must_ioctl(sibling, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	CHECK_EQ(event_read(leader), 0);
	CHECK_EQ(event_read(sibling), 0);
}

static void group_read_has_every_part(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t words[16];
	int leader, sibling;

	(void)unused;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST | TIMES;
	leader = must_open_self(&attr);
	attr.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	attr.disabled = 0;
	sibling = must_open(&attr, 0, -1, leader);
	event_enable(leader);
	loop_run(N);
	event_disable(leader);
	CHECK_EQ(event_read_words(leader, words, 16), 9);
	CHECK_EQ(words[0], 2);
	CHECK(words[1] && words[2] == words[1]);
	CHECK(words[3] >= 2 * N);
	CHECK_EQ(words[4], event_id(leader));
	CHECK_EQ(words[5], 0);
	CHECK(words[6] >= N && words[6] < 2 * N);
	CHECK_EQ(words[7], event_id(sibling));
	CHECK_EQ(words[8], 0);
	CHECK(event_id(leader) != event_id(sibling));
	/* Whichever of its members is read, the group is given, leader first. */
	CHECK_EQ(event_read_words(sibling, words, 16), 9);
	CHECK_EQ(words[0], 2);
	CHECK_EQ(words[4], event_id(leader));
}

static void times_stand_still_when_disabled(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t first[3], second[3], third[3];
	int fd;

	(void)unused;
	attr.read_format = TIMES;
	fd = must_open_self(&attr);
	event_enable(fd);
	loop_run(N);
	event_disable(fd);
	event_read_words(fd, first, 3);
	loop_run(N);
	event_read_words(fd, second, 3);
	CHECK(first[1] && first[1] == first[2]);
	CHECK(first[1] == second[1] && first[2] == second[2]);
	event_enable(fd);
	loop_run(N);
	event_read_words(fd, third, 3);
	CHECK(third[1] > second[1] && third[2] > second[2]);
}

static void a_software_event_joins_a_hardware_group(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int leader = must_open_self(&attr), sibling = open_enabled(TASK_CLOCK, leader);

	(void)unused;
	event_enable(leader);
	loop_run(N);
	event_disable(leader);
	CHECK(event_read(leader) >= 2 * N && event_read(sibling));
}

static void a_hardware_event_joins_a_software_group(long unused)
{
	struct perf_event_attr attr = event_attr(TASK_CLOCK);
	int leader = must_open_self(&attr), software = open_enabled(PAGE_FAULTS, leader);
	int hardware = open_enabled(INSTRUCTIONS, leader);

	(void)unused;
	event_enable(leader);
	loop_run(N);
	event_disable(leader);
	CHECK(event_read(leader) && event_read(hardware) >= 2 * N);
	event_read(software);
}

static void prctl_controls_all_own_events(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int one = must_open_self(&attr), two = must_open_self(&attr);
	uint64_t count;

	(void)unused;
	CHECK(!prctl(PR_TASK_PERF_EVENTS_ENABLE));
	loop_run(N);
	CHECK(!prctl(PR_TASK_PERF_EVENTS_DISABLE));
	count = event_read(one);
	CHECK(count >= 2 * N && event_read(two) >= 2 * N);
	loop_run(N);
	CHECK_EQ(event_read(one), count);
}

/* A breakpoint is moved by others while its task switches all that it opened: neither waits for the other for ever. */
static void prctl_while_a_breakpoint_moves(long unused)
{
	static long watched[2];
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	unsigned long i, rounds = test_count(3000, 1000);
	int fd, status;
	pid_t pid;

	(void)unused;
	if (!is_pcl())
		test_skip("stock takes the two mutexes in both orders");
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (unsigned long)&watched[0];
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	fd = must_open_self(&attr);
	pid = fork();
	if (!pid) {
		pin_to_cpu(cpus_online() - 1);
		for (i = 0; i < rounds; i++) {
			attr.bp_type = i & 1 ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW;
			attr.bp_addr = (unsigned long)&watched[i & 1];
			must_ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (unsigned long)&attr);
		}
		_exit(0);
	}
	pin_to_cpu(0);
	while (waitpid(pid, &status, WNOHANG) != pid) {
		CHECK(!prctl(PR_TASK_PERF_EVENTS_ENABLE));
		CHECK(!prctl(PR_TASK_PERF_EVENTS_DISABLE));
	}
	CHECK_EQ(status, 0);
}

static void a_new_period_holds_at_once(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t period = test_busted("period") ? 20000 : 10000;
	struct ring ring;
	int fd;

	(void)unused;
	attr.sample_period = 100000000;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	event_enable(fd);
	loop_run(52500);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), 0);
	must_ioctl(fd, PERF_EVENT_IOC_PERIOD, (unsigned long)&period);
	loop_run(52500);
	event_disable(fd);
	CHECK_RANGE(ring_count(&ring, PERF_RECORD_SAMPLE), 10, 11);
}

/* Counters all taken by pinned events: one more is in error, and its reads end. */
static void a_pinned_event_without_counter_is_in_error(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fds[12], i, in_error = 0;
	uint64_t count;

	(void)unused;
	if (!have_pmu())
		test_skip("this machine has no PMU");
	attr.pinned = !test_busted("pinned");
	attr.disabled = 0;
	for (i = 0; i < 12; i++)
		fds[i] = must_open_self(&attr);
	loop_run(N);
	for (i = 0; i < 12; i++)
		in_error += read(fds[i], &count, sizeof(count)) == 0;
	CHECK(in_error > 0 && in_error < 12);
	/* Room is made, and enabling brings it back. */
	for (i = 0; i < 11; i++)
		close(fds[i]);
	event_enable(fds[11]);
	loop_run(N);
	CHECK(event_read(fds[11]) >= N);
}

/* An exclusive group has the PMU for itself: others wait. */
static void an_exclusive_group_is_alone(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t alone[3], other[3];
	int first, second;

	(void)unused;
	attr.read_format = TIMES;
	attr.exclusive = !test_busted("exclusive");
	attr.pinned = 1;
	attr.disabled = 0;
	first = must_open_self(&attr);
	attr.exclusive = 0;
	attr.pinned = 0;
	second = must_open_self(&attr);
	loop_run(N);
	event_read_words(first, alone, 3);
	event_read_words(second, other, 3);
	CHECK_EQ(alone[1], alone[2]);
	CHECK(other[1]);
	CHECK_EQ(other[2], 0);
}

/* What its CPU counts in the same rank, for itself or for a watchdog, keeps no task's group from its counters. */
static void an_exclusive_group_runs_beside_a_cpus_event(long pinned)
{
	struct perf_event_attr attr = event_attr(BRANCHES);
	uint64_t words[3], before;
	int cpu, fd;

	pin_to_cpu(0);
	attr.pinned = pinned;
	cpu = must_open(&attr, -1, 0, -1);
	event_enable(cpu);
	attr = event_attr(INSTRUCTIONS);
	attr.read_format = TIMES;
	attr.exclusive = 1;
	attr.pinned = pinned;
	attr.disabled = 0;
	fd = must_open_self(&attr);
	before = event_read(cpu);
	loop_run(N);
	CHECK_EQ(event_read_words(fd, words, 3), 3);
	CHECK(words[0] >= 2 * N);
	CHECK_EQ(words[2], words[1]);
	CHECK(event_read(cpu) >= before + N);
}

/* It is its leader that says so, whatever that counts itself. */
static void an_exclusive_group_with_a_software_leader_is_alone(long unused)
{
	struct perf_event_attr attr = event_attr(TASK_CLOCK);
	uint64_t alone[3], other[3];
	int leader, member, second;

	(void)unused;
	attr.exclusive = !test_busted("exclusive");
	attr.pinned = 1;
	leader = must_open_self(&attr);
	attr = event_attr(INSTRUCTIONS);
	attr.read_format = TIMES;
	attr.disabled = 0;
	member = must_open(&attr, 0, -1, leader);
	second = must_open_self(&attr);
	event_enable(leader);
	CHECK_EQ(event_read_words(second, other, 3), 3);
	loop_run(N);
	CHECK_EQ(event_read_words(member, alone, 3), 3);
	CHECK(alone[0] >= 2 * N);
	CHECK_EQ(alone[1], alone[2]);
	CHECK_EQ(event_read_words(second, alone, 3), 3);
	CHECK(alone[1] > other[1]);
	CHECK_EQ(alone[2], other[2]);
}

/* Within its own context it takes turns with others of its rank, and never runs beside them. */
static void an_exclusive_group_takes_turns(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	uint64_t exclusive[3], other[3];
	int first, second;

	(void)unused;
	attr.read_format = TIMES;
	attr.exclusive = !test_busted("exclusive");
	first = must_open_self(&attr);
	attr.exclusive = 0;
	second = must_open_self(&attr);
	event_enable(first);
	event_enable(second);
	do {
		loop_run(N);
		CHECK_EQ(event_read_words(first, exclusive, 3), 3);
		CHECK_EQ(event_read_words(second, other, 3), 3);
	} while (!exclusive[2] || !other[2]);
	event_disable(second);
	event_disable(first);
	CHECK_EQ(event_read_words(first, exclusive, 3), 3);
	CHECK_EQ(event_read_words(second, other, 3), 3);
	CHECK(exclusive[2] + other[2] <= exclusive[1]);
}

/* An event that comes back to its CPU gets the counter that it had, though a lower one is free by now. */
static void the_last_counter_is_reused(long unused)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_RAW, 0xc4);
	const volatile struct perf_event_mmap_page *page;
	uint32_t index;
	int fds[3], i;

	(void)unused;
	if (!have_pmu())
		test_skip("this machine has no PMU");
	need_counters(3);
	pin_to_cpu(0);
	for (i = 0; i < 3; i++)
		fds[i] = must_open_self(&attr);
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fds[2], 0);
	CHECK(page != MAP_FAILED);
	for (i = 0; i < 3; i++)
		event_enable(fds[i]);
	index = page->index;
	CHECK(index > 1);
	event_disable(fds[0]);
	if (test_busted("counter"))
		event_disable(fds[2]);
	switch_away(10);
	CHECK_EQ(page->index, index);
}

static void ids_are_all_different(long unused)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	uint64_t ids[20];
	int i, k;

	(void)unused;
	for (i = 0; i < 20; i++) {
		ids[i] = event_id(must_open_self(&attr));
		CHECK(ids[i]);
		for (k = 0; k < i; k++)
			CHECK(ids[k] != ids[i]);
	}
}

static void another_task_is_observed(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int go[2], fd, status;
	char byte = 0;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &byte, 1) == 1);
		loop_run(100 * N);
		_exit(0);
	}
	attr.disabled = 0;
	fd = must_open(&attr, pid, -1, -1);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK_RANGE(event_read(fd), 200 * N, 200 * N + 5000);
}

/* A CPU's event counts whoever runs there. */
static void a_cpu_is_observed(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	unsigned int cpu;

	(void)unused;
	for (cpu = 0; cpu < cpus_online(); cpu++) {
		int fd = must_open(&attr, -1, cpu, -1);
		uint64_t here;

		event_enable(fd);
		pin_to_cpu(cpu);
		loop_run(100 * N);
		pin_to_cpu((cpu + 1) % cpus_online());
		event_disable(fd);
		here = event_read(fd);
		CHECK(here >= 200 * N);
		close(fd);
	}
}

/* A task's event on one CPU counts there alone. */
static void a_task_is_observed_on_one_cpu(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int fd;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	pin_to_cpu(0);
	fd = must_open(&attr, 0, 1, -1);
	event_enable(fd);
	loop_run(100 * N);
	CHECK_RANGE(event_read(fd), 0, 5000);
	pin_to_cpu(1);
	loop_run(100 * N);
	pin_to_cpu(0);
	loop_run(100 * N);
	event_disable(fd);
	CHECK_RANGE(event_read(fd), 200 * N, 200 * N + 5000);
}

/* ---- permissions ---- */

struct permission {
	const char *name;
	long paranoid;
	bool user_mode, kernel_mode, cpu_wide;	/* what an ordinary user may */
};

static const struct permission permissions[] = {
	{ "paranoid 3", 3, false, false, false },
	{ "paranoid 2", 2, true, false, false },
	{ "paranoid 1", 1, true, true, false },
	{ "paranoid 0", 0, true, true, true },
	{ "paranoid -1", -1, true, true, true },
};

static void check_may(const char *what, bool may, const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = event_open(attr, pid, cpu, -1, 0);

	if ((fd >= 0) != may || (fd < 0 && errno != EACCES))
		FAIL("%s: %s", what, fd < 0 ? strerror(errno) : "accepted");
}

static int as_ordinary_user(void *argument)
{
	const struct permission *permission = argument;
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	drop_privileges();
	check_may("own task, user mode", permission->user_mode, &attr, 0, -1);
	check_may("a CPU", permission->cpu_wide, &attr, -1, 0);
	attr.exclude_kernel = 0;
	check_may("own task, kernel mode", permission->kernel_mode, &attr, 0, -1);
	attr.exclude_kernel = 1;
	check_may("another user's task", false, &attr, getppid(), -1);
	return 0;
}

static void an_ordinary_user_may(long which)
{
	struct permission permission = permissions[which];
	long before = sysctl_get("perf_event_paranoid");
	int status;

	if (test_busted("paranoid"))
		permission.cpu_wide = !permission.cpu_wide;
	sysctl_set("perf_event_paranoid", permission.paranoid);
	status = in_child(as_ordinary_user, &permission);
	sysctl_set("perf_event_paranoid", before);
	CHECK_EQ(status, 0);
}

static void a_file_descriptor_keeps_its_right(long unused)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	int fd;

	(void)unused;
	fd = must_open(&attr, -1, 0, -1);
	drop_privileges();
	event_enable(fd);
	event_disable(fd);
	event_read(fd);
}

/* ---- locked memory ---- */

static int map_until_refused(void *argument)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	struct rlimit none = { 0, 0 };
	unsigned int pages = 0;

	(void)argument;
	CHECK(!setrlimit(RLIMIT_MEMLOCK, &none));
	drop_privileges();
	for (;;) {
		int fd = event_open(&attr, 0, -1, -1, 0);

		CHECK(fd >= 0);
		if (mmap(NULL, 9 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
			break;
		pages += 9;
		CHECK(pages < 10000);
	}
	CHECK_EQ(errno, EPERM);
	/* What the sysctl grants a user for each CPU. */
	CHECK_RANGE(pages, sysctl_get("perf_event_mlock_kb") * 1024 / PAGE * cpus_online() - 9,
		    sysctl_get("perf_event_mlock_kb") * 1024 / PAGE * cpus_online());
	return 0;
}

/* Twice: the first user's end gives all of it back. */
static void locked_memory_is_accounted_and_given_back(long unused)
{
	long before = sysctl_get("perf_event_paranoid");
	int first, second;

	(void)unused;
	sysctl_set("perf_event_paranoid", 2);
	first = in_child(map_until_refused, NULL);
	second = in_child(map_until_refused, NULL);
	sysctl_set("perf_event_paranoid", before);
	CHECK_EQ(first, 0);
	CHECK_EQ(second, 0);
}

static const struct test tests[] = {
	TEST(what_is_disabled_does_not_count),
	TEST(a_sibling_waits_for_its_leader),
	TEST(a_sibling_can_be_disabled_alone),
	TEST(a_group_is_controlled_at_once),
	TEST(group_read_has_every_part),
	TEST(times_stand_still_when_disabled),
	TEST(a_software_event_joins_a_hardware_group),
	TEST(a_hardware_event_joins_a_software_group),
	TEST(prctl_controls_all_own_events),
	TEST(a_new_period_holds_at_once),
	TEST(a_pinned_event_without_counter_is_in_error),
	TEST(an_exclusive_group_is_alone),
	TEST_WITH(an_exclusive_group_runs_beside_a_cpus_event, "(flexible)", 0),
	TEST_WITH(an_exclusive_group_runs_beside_a_cpus_event, "(pinned)", 1),
	TEST(an_exclusive_group_with_a_software_leader_is_alone),
	TEST(an_exclusive_group_takes_turns),
	TEST(the_last_counter_is_reused),
	TEST(ids_are_all_different),
	TEST(another_task_is_observed),
	TEST(a_cpu_is_observed),
	TEST(a_task_is_observed_on_one_cpu),
	TEST_WITH(an_ordinary_user_may, "(paranoid 3)", 0),
	TEST_WITH(an_ordinary_user_may, "(paranoid 2)", 1),
	TEST_WITH(an_ordinary_user_may, "(paranoid 1)", 2),
	TEST_WITH(an_ordinary_user_may, "(paranoid 0)", 3),
	TEST_WITH(an_ordinary_user_may, "(paranoid -1)", 4),
	TEST(a_file_descriptor_keeps_its_right),
	TEST(locked_memory_is_accounted_and_given_back),
	TEST(prctl_while_a_breakpoint_moves),
};

int main(void)
{
	return TESTS_RUN(tests);
}
