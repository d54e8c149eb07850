// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: who pays for the pages of rings, and gets what back when: the user's allowance, and what is pinned of a process.
 *
 * Concepts: a user's allowance is a number of pages for each CPU that is online, and cannot be looked at. What it has no
 *	room for is pinned, as VmPin in /proc/self/status says, so that shows what was left. VmLck is mlock(2)'s, and has no
 *	part in it.
 * Contexts: root, who sets the allowance; callers are children of a test, each an ordinary user.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "lib/event.h"

#define USER		65534
#define OTHER_USER	65533
#define CPU_PAGES	16L		/* the allowance, for each CPU */
#define SMALL		9L		/* a ring and its control page */
#define LARGE		(CPU_PAGES * cpus_online() + 1)

static long mlock_kb, paranoid;

/* ---- a user's process, told what to do ---- */

enum order { MAP, UNMAP, CLOSE, FORK, MOVE, RUN, PINNED, LOCKED, END };

struct told {
	enum order what;
	long slot, pages;
};

struct caller {
	pid_t pid;
	int to, from;
};

#define SLOTS 8

/* All that callers map are events that the test opened: so one can be mapped by several. */
static int events[SLOTS];
static char *at[SLOTS];
static long size[SLOTS];

/* kB, of this process */
static long status_of(const char *field)
{
	char line[256];
	bool found = false;
	long value = 0;
	FILE *f = fopen("/proc/self/status", "r");

	CHECK(f);
	while (!found && fgets(line, sizeof(line), f)) {
		found = !strncmp(line, field, strlen(field)) && line[strlen(field)] == ':';
		if (found)
			value = strtoull(line + strlen(field) + 1, NULL, 10);
	}
	fclose(f);
	CHECK(found);
	return value;
}

static long map_slot(const struct told *told)
{
	at[told->slot] = mmap(NULL, told->pages * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, events[told->slot], 0);
	size[told->slot] = told->pages * PAGE;
	return at[told->slot] == MAP_FAILED ? -errno : 0;
}

static void *volatile touched;

/* A child that has no mapping: a look where its parent's is ends it. */
static long fork_child(long slot)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		if (status_of("VmPin"))
			_exit(1);
		touched = *(void *volatile *)at[slot];
		_exit(2);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static int told_by, answers_to;

/* This one, which says so and waits: main(). */
static long run_program(void)
{
	CHECK(dup2(told_by, STDIN_FILENO) >= 0 && dup2(answers_to, STDOUT_FILENO) >= 0);
	execl("/proc/self/exe", "allowance", "waits", NULL);
	return -errno;
}

static long obey(const struct told *told)
{
	switch (told->what) {
	case MAP:
		return map_slot(told);
	case UNMAP:
		return munmap(at[told->slot], size[told->slot]) ? -errno : 0;
	case CLOSE:
		return close(events[told->slot]) ? -errno : 0;
	case FORK:
		return fork_child(told->slot);
	case MOVE:
		at[told->slot] = mremap(at[told->slot], size[told->slot], size[told->slot], MREMAP_MAYMOVE | MREMAP_FIXED,
					at[told->slot] + (1L << 30));
		return at[told->slot] == MAP_FAILED ? -errno : 0;
	case RUN:
		return run_program();
	case PINNED:
		return status_of("VmPin") * 1024 / PAGE;
	case LOCKED:
		return status_of("VmLck") * 1024 / PAGE;
	default:
		return 0;
	}
}

static void serve(void)
{
	struct told told;
	long answer;

	while (read(told_by, &told, sizeof(told)) == sizeof(told) && told.what != END) {
		answer = obey(&told);
		if (write(answers_to, &answer, sizeof(answer)) != sizeof(answer))
			break;
	}
	_exit(0);
}

/* @limit: RLIMIT_MEMLOCK, in pages */
static struct caller caller_start(uid_t user, unsigned long limit)
{
	struct rlimit locked = { limit * PAGE, limit * PAGE };
	struct caller caller;
	int there[2], back[2];

	CHECK(!pipe(there) && !pipe(back));
	caller = (struct caller){ .pid = fork(), .to = there[1], .from = back[0] };
	CHECK(caller.pid >= 0);
	if (!caller.pid) {
		close(there[1]);
		close(back[0]);
		if (setrlimit(RLIMIT_MEMLOCK, &locked) || setgroups(0, NULL) || setgid(user) || setuid(user))
			_exit(1);
		told_by = there[0];
		answers_to = back[1];
		serve();
	}
	close(there[0]);
	close(back[1]);
	return caller;
}

static long tell(const struct caller *caller, enum order what, long slot, long pages)
{
	struct told told = { what, slot, pages };
	long answer;

	CHECK(write(caller->to, &told, sizeof(told)) == sizeof(told));
	CHECK(read(caller->from, &answer, sizeof(answer)) == sizeof(answer));
	return answer;
}

/* Nothing is asked of it any more; what it had is gone when this returns. */
static void caller_end(struct caller *caller)
{
	const struct told told = { .what = END };
	int status;

	CHECK(write(caller->to, &told, sizeof(told)) == sizeof(told));
	close(caller->to);
	close(caller->from);
	CHECK(waitpid(caller->pid, &status, 0) == caller->pid);
	CHECK_EQ(status, 0);
}

static long pinned(const struct caller *caller)
{
	return tell(caller, PINNED, 0, 0);
}

static void must_map(const struct caller *caller, long slot, long pages)
{
	CHECK_EQ(tell(caller, MAP, slot, pages), 0);
}

static void must_unmap(const struct caller *caller, long slot)
{
	CHECK_EQ(tell(caller, UNMAP, slot, 0), 0);
}

/* ---- what a user has left ---- */

static long allowance(void)
{
	return CPU_PAGES * cpus_online();
}

/* So many pages of the allowance a process of @user finds: it maps more than there are, and the rest is pinned. */
static long left_to(uid_t user)
{
	long rest, pages = 2 * allowance() + 1;
	struct caller caller = caller_start(user, pages);

	must_map(&caller, SLOTS - 1, pages);
	rest = pages - pinned(&caller);
	caller_end(&caller);
	return rest;
}

static void must_be_left(long pages)
{
	CHECK_EQ(left_to(USER), test_busted("pages") ? pages - 1 : pages);
}

static void begin(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);
	int i;

	for (i = 0; i < SLOTS; i++)
		events[i] = must_open_self(&attr);
	CHECK_EQ(left_to(USER), allowance());
}

/* ---- tests ---- */

static void the_allowance_comes_first(long unused)
{
	struct caller caller;
	long i, pages = 0;

	(void)unused;
	begin();
	caller = caller_start(USER, 1000);
	for (i = 0; pages + SMALL <= allowance(); i++, pages += SMALL) {
		must_map(&caller, i, SMALL);
		CHECK_EQ(pinned(&caller), 0);
	}
	must_be_left(allowance() - pages);
	/* One that is paid for by both. */
	must_map(&caller, i, SMALL);
	CHECK_EQ(pinned(&caller), SMALL - (allowance() - pages));
	must_be_left(0);
	CHECK_EQ(tell(&caller, LOCKED, 0, 0), 0);
	caller_end(&caller);
	must_be_left(allowance());
}

/* RLIMIT_MEMLOCK is for what is pinned alone, and a page more is refused. */
static void the_limit_is_for_what_is_pinned(long unused)
{
	struct caller caller;

	(void)unused;
	begin();
	caller = caller_start(USER, SMALL);
	must_map(&caller, 0, LARGE);
	CHECK_EQ(pinned(&caller), 1);
	CHECK_EQ(tell(&caller, MAP, 1, SMALL), -EPERM);
	CHECK_EQ(pinned(&caller), 1);
	must_map(&caller, 1, SMALL - 4);
	must_map(&caller, 2, 3);
	CHECK_EQ(pinned(&caller), SMALL);
	CHECK_EQ(tell(&caller, MAP, 3, 1), -EPERM);
	must_unmap(&caller, 2);
	must_map(&caller, 2, 3);
	caller_end(&caller);
	must_be_left(allowance());
}

static void a_user_s_processes_share_it(long unused)
{
	long quarter = allowance() / 4;
	struct caller first, second;

	(void)unused;
	begin();
	first = caller_start(USER, 1000);
	second = caller_start(USER, 1000);
	must_map(&first, 0, allowance() / 2 + 1);
	must_map(&first, 1, quarter + 1);
	must_be_left(quarter - 2);
	must_map(&second, 2, quarter + 1);
	CHECK_EQ(pinned(&first), 0);
	CHECK_EQ(pinned(&second), 3);
	caller_end(&first);
	/* What is pinned stays so, though there is room now. */
	CHECK_EQ(pinned(&second), 3);
	must_be_left(allowance() - (quarter - 2));
	caller_end(&second);
	must_be_left(allowance());
}

static void another_user_has_another(long unused)
{
	struct caller caller;

	(void)unused;
	begin();
	caller = caller_start(USER, 1000);
	must_map(&caller, 0, LARGE);
	must_be_left(0);
	CHECK_EQ(left_to(OTHER_USER), allowance());
	caller_end(&caller);
}

static void in_whatever_order_it_is_given_back(long last_first)
{
	struct caller caller;

	begin();
	caller = caller_start(USER, 1000);
	must_map(&caller, 0, LARGE);		/* all of the allowance and a page */
	must_map(&caller, 1, SMALL);		/* pinned */
	must_map(&caller, 2, 2);		/* pinned */
	CHECK_EQ(pinned(&caller), 1 + SMALL + 2);
	if (last_first) {
		must_unmap(&caller, 2);
		CHECK_EQ(pinned(&caller), 1 + SMALL);
		must_unmap(&caller, 1);
		CHECK_EQ(pinned(&caller), 1);
		must_be_left(0);
		must_unmap(&caller, 0);
	} else {
		must_unmap(&caller, 0);
		CHECK_EQ(pinned(&caller), SMALL + 2);
		must_be_left(allowance());
		must_map(&caller, 3, SMALL);
		CHECK_EQ(pinned(&caller), SMALL + 2);
		must_unmap(&caller, 1);
		CHECK_EQ(pinned(&caller), 2);
		must_be_left(allowance() - SMALL);
		must_unmap(&caller, 2);
		must_unmap(&caller, 3);
	}
	CHECK_EQ(pinned(&caller), 0);
	must_be_left(allowance());
	caller_end(&caller);
}

/* The mapping is not copied, nor its charge; and the child's end gives nothing back. */
static void a_child_has_neither_mapping_nor_charge(long unused)
{
	struct caller caller;

	(void)unused;
	begin();
	caller = caller_start(USER, 1000);
	must_map(&caller, 0, LARGE);
	CHECK_EQ(tell(&caller, FORK, 0, 0), SIGSEGV);
	CHECK_EQ(pinned(&caller), 1);
	must_be_left(0);
	caller_end(&caller);
	must_be_left(allowance());
}

static void a_mapping_outlives_its_descriptor(long unused)
{
	struct caller caller;

	(void)unused;
	begin();
	caller = caller_start(USER, 1000);
	close(events[0]);
	must_map(&caller, 0, LARGE);
	CHECK_EQ(tell(&caller, CLOSE, 0, 0), 0);
	CHECK_EQ(pinned(&caller), 1);
	must_be_left(0);
	must_unmap(&caller, 0);
	CHECK_EQ(pinned(&caller), 0);
	must_be_left(allowance());
	caller_end(&caller);
}

static void one_that_moves_keeps_its_charge(long unused)
{
	struct caller caller;

	(void)unused;
	begin();
	caller = caller_start(USER, 1000);
	must_map(&caller, 0, LARGE);
	CHECK_EQ(tell(&caller, MOVE, 0, 0), 0);
	CHECK_EQ(pinned(&caller), 1);
	must_be_left(0);
	must_unmap(&caller, 0);
	CHECK_EQ(pinned(&caller), 0);
	must_be_left(allowance());
	caller_end(&caller);
}

/* An exec unmaps: the program that comes is charged nothing. */
static void an_exec_gives_it_back(long unused)
{
	struct told told = { .what = RUN };
	struct caller caller;
	char byte;

	(void)unused;
	begin();
	caller = caller_start(USER, 1000);
	must_map(&caller, 0, LARGE);
	must_be_left(0);
	CHECK(write(caller.to, &told, sizeof(told)) == sizeof(told));
	CHECK(read(caller.from, &byte, 1) == 1);
	must_be_left(allowance());
	caller_end(&caller);
}

/* A second mapping of a ring costs nothing, and the charge ends with the last. */
static void a_ring_is_paid_for_once(long unused)
{
	struct caller caller;

	(void)unused;
	begin();
	dup2(events[0], events[1]);
	caller = caller_start(USER, 1000);
	must_map(&caller, 0, LARGE);
	must_map(&caller, 1, LARGE);
	CHECK_EQ(pinned(&caller), 1);
	must_unmap(&caller, 0);
	CHECK_EQ(pinned(&caller), 1);
	must_be_left(0);
	must_unmap(&caller, 1);
	CHECK_EQ(pinned(&caller), 0);
	must_be_left(allowance());
	caller_end(&caller);
}

/* Another process, of another user, maps it as well, and unmaps it last: who was charged gets it back. */
static void it_goes_back_to_who_was_charged(long gone)
{
	struct caller first, second;

	begin();
	first = caller_start(USER, 1000);
	second = caller_start(OTHER_USER, 1000);
	must_map(&first, 0, LARGE);
	must_map(&second, 0, LARGE);
	CHECK_EQ(pinned(&first), 1);
	CHECK_EQ(pinned(&second), 0);
	if (gone)
		caller_end(&first);
	else
		must_unmap(&first, 0);
	must_be_left(0);
	must_unmap(&second, 0);
	if (!is_pcl() && pinned(&second))
		test_skip("stock takes it from who unmaps last, which has %ld pages pinned then", pinned(&second));
	CHECK_EQ(pinned(&second), 0);
	must_be_left(allowance());
	CHECK_EQ(left_to(OTHER_USER), allowance());
	if (!gone) {
		CHECK_EQ(pinned(&first), 0);
		caller_end(&first);
	}
	caller_end(&second);
}

static const struct test tests[] = {
	TEST(the_allowance_comes_first),
	TEST(the_limit_is_for_what_is_pinned),
	TEST(a_user_s_processes_share_it),
	TEST(another_user_has_another),
	TEST_WITH(in_whatever_order_it_is_given_back, "(last first)", 1),
	TEST_WITH(in_whatever_order_it_is_given_back, "(first first)", 0),
	TEST(a_child_has_neither_mapping_nor_charge),
	TEST(a_mapping_outlives_its_descriptor),
	TEST(one_that_moves_keeps_its_charge),
	TEST(an_exec_gives_it_back),
	TEST(a_ring_is_paid_for_once),
	TEST_WITH(it_goes_back_to_who_was_charged, "(it lives)", 0),
	TEST_WITH(it_goes_back_to_who_was_charged, "(it is gone)", 1),
};

int main(int argc, char **argv)
{
	int status;

	(void)argv;
	if (argc > 1) {
		char byte;

		return write(STDOUT_FILENO, "", 1) != 1 || read(STDIN_FILENO, &byte, 1) != 1;
	}
	mlock_kb = sysctl_get("perf_event_mlock_kb");
	paranoid = sysctl_get("perf_event_paranoid");
	sysctl_set("perf_event_mlock_kb", CPU_PAGES * PAGE / 1024);
	sysctl_set("perf_event_paranoid", 2);
	status = TESTS_RUN(tests);
	sysctl_set("perf_event_mlock_kb", mlock_kb);
	sysctl_set("perf_event_paranoid", paranoid);
	return status;
}
