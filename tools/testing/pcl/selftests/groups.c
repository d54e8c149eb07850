// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what becomes of a group when some of its members end with an exec (attr.remove_on_exec), and of a member whose
 *	leader is closed.
 *
 * Concepts: who has the bit leaves the group for good; the others go on, and a reading of the group shows who is in it.
 *	The group counts a child that runs this program again.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/hw_breakpoint.h>
#include <sys/wait.h>

#include "lib/event.h"

#define NR_MEMBERS	3

static const struct {
	uint32_t type;
	uint64_t config;
} kinds[NR_MEMBERS] = { { INSTRUCTIONS }, { BRANCHES }, { PAGE_FAULTS } };

/* Opens the group on @pid; the members whose bit is set in @removed have the attr's. The first leads. */
static void open_group(int fds[NR_MEMBERS], pid_t pid, unsigned int removed)
{
	int i;

	for (i = 0; i < NR_MEMBERS; i++) {
		struct perf_event_attr attr = event_attr(kinds[i].type, kinds[i].config);

		attr.disabled = 0;
		attr.exclude_kernel = 0;
		attr.remove_on_exec = removed >> i & !test_busted("exec");
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
		fds[i] = must_open(&attr, pid, -1, i ? fds[0] : -1);
	}
}

/* A reading of this member's group has these members (a bit for each of @fds) and no other, each with a count. */
static void check_members(int fd, const int fds[NR_MEMBERS], unsigned int members)
{
	uint64_t words[1 + 2 * NR_MEMBERS];
	unsigned int nr = __builtin_popcount(members), at = 1, i;

	CHECK_EQ(event_read_words(fd, words, 1 + 2 * NR_MEMBERS), 1 + 2 * nr);
	CHECK_EQ(words[0], nr);
	for (i = 0; i < NR_MEMBERS; i++) {
		if (!(members >> i & 1))
			continue;
		CHECK(words[at]);
		CHECK_EQ(words[at + 1], event_id(fds[i]));
		at += 2;
	}
}

static uint64_t count_of(int fd)
{
	uint64_t words[1 + 2 * NR_MEMBERS], id = event_id(fd);
	unsigned int nr = event_read_words(fd, words, 1 + 2 * NR_MEMBERS), at;

	for (at = 1; at + 1 < nr; at += 2)
		if (words[at + 1] == id)
			return words[at];
	FAIL("a reading of event %llu's group lacks the event", (unsigned long long)id);
}

/*
 * The child says when it is behind its exec, waits, and then does something for each member to count.
 *
 * @removed: a bit for each member that has the attr's. Without its leader a group is none any more.
 */
static void members_end_with_an_exec(long removed)
{
	unsigned int all = (1 << NR_MEMBERS) - 1, left = removed & 1 ? 0 : all & ~removed, i;
	int go[2], there[2], fds[NR_MEMBERS], status;
	uint64_t before[NR_MEMBERS];
	char byte = 0, fd_go[16], fd_there[16];
	pid_t pid;

	CHECK(!pipe(go) && !pipe(there));
	snprintf(fd_go, sizeof(fd_go), "%d", go[0]);
	snprintf(fd_there, sizeof(fd_there), "%d", there[1]);
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &byte, 1) == 1);
		execl("/proc/self/exe", "groups", fd_go, fd_there, NULL);
		_exit(1);
	}
	open_group(fds, pid, removed);
	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(read(there[0], &byte, 1) == 1);
	for (i = 0; i < NR_MEMBERS; i++)
		before[i] = count_of(fds[i]);

	CHECK(write(go[1], &byte, 1) == 1);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	for (i = 0; i < NR_MEMBERS; i++) {
		check_members(fds[i], fds, left >> i & 1 ? left : 1U << i);
		if (removed >> i & 1)
			CHECK_EQ(count_of(fds[i]), before[i]);
		else
			CHECK(count_of(fds[i]) > before[i]);
	}
}

/* A member whose leader was closed needs its CPU's debug registers, and those of the next one its task is on. */
static void who_is_left_alone_goes_along(long by_hardware)
{
	static volatile long watched;
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	struct perf_event_attr leads = by_hardware ? event_attr(INSTRUCTIONS) : event_attr(DUMMY);
	int leader, fd, cpu;

	if (!have_pmu_of("breakpoint"))
		test_skip("this machine has no breakpoints");
	if (cpus_online() < 2)
		test_skip("one CPU");
	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)&watched;
	attr.bp_len = sizeof(watched);
	attr.disabled = test_busted("alone");
	leads.disabled = 0;
	pin_to_cpu(0);
	leader = must_open_self(&leads);
	fd = must_open(&attr, 0, -1, leader);
	watched = 1;
	CHECK(!close(leader));
	watched = 2;
	for (cpu = 1; cpu >= 0; cpu--) {
		pin_to_cpu(cpu);
		watched = 3;
		CHECK_EQ(event_read(fd), 4 - cpu);
	}
}

/* The program that the child runs next. */
static int behind_exec(int go, int there)
{
	char byte = 0;

	if (write(there, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		return 1;
	switch_away(2);		/* who was put off its counter by what left is on it again */
	loop_run(100000);
	memset(malloc(1 << 20), 1, 1 << 20);
	return 0;
}

static const struct test tests[] = {
	TEST_WITH(members_end_with_an_exec, "(none)", 0),
	TEST_WITH(members_end_with_an_exec, "(the leader)", 1),
	TEST_WITH(members_end_with_an_exec, "(a sibling)", 2),
	TEST_WITH(members_end_with_an_exec, "(both siblings)", 6),
	TEST_WITH(members_end_with_an_exec, "(the leader and a sibling)", 5),
	TEST_WITH(members_end_with_an_exec, "(all)", 7),
	TEST_WITH(who_is_left_alone_goes_along, "(its leader counted by software)", 0),
	TEST_WITH(who_is_left_alone_goes_along, "(its leader counted by hardware)", 1),
};

int main(int argc, char **argv)
{
	if (argc > 2)
		return behind_exec(atoi(argv[1]), atoi(argv[2]));
	return TESTS_RUN(tests);
}
