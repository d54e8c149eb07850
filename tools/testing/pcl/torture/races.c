// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: each way an event can end, raced thousands of times against overflow, wake-ups and each other on two CPUs.
 *
 * Concepts: a row of Documentation/events/lifetimes.rst is a function that is one round of it. This task, on CPU 0,
 *	opens what the row is about, lets a time pass that differs from round to round, and ends it; the one who is
 *	observed runs on CPU 1 and overflows there all the while, in NMI, into a mapped ring and into one that is
 *	redirected. Two rows do without NMIs: pmu-gone's events overflow in a timer's interrupt, aux-unmapped's fill an
 *	area. Nothing is timed: rounds are counted, and printed. What is asserted: each call succeeds, or fails as the
 *	race allows; an observed loop was counted; the kernel is silent (the runner looks at its log); nothing is left.
 *	PCL_RACE_ROUNDS sets the rounds, PCL_SEED the times that pass. PCL_RACE_SECONDS bounds all rows together: a row
 *	that has used its part of them does no more rounds.
 * Contexts: root, two CPUs.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
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

#include "arena.h"
#include "sources.h"

#define ROW_SECONDS	5400		/* a bound on hanging, never a measure */

static const char setuid_program[] = "/tmp/races-setuid";

/* ---- the rows ---- */

static void round_close(void)
{
	watch(arena.target, -1, false);
	wait_a_little();
	close(arena.redirected);
	wait_a_little();
	unmap_ring();
	close(arena.sampler);
}

static void round_close_while_mapped(void)
{
	watch(arena.target, -1, false);
	close_both();
	wait_a_little();
	unmap_ring();
}

static void round_last_munmap(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	int late;

	watch(arena.target, -1, false);
	late = must_open(&attr, arena.target, -1, -1);
	wait_a_little();
	must_ioctl(late, PERF_EVENT_IOC_SET_OUTPUT, arena.sampler);
	unmap_ring();
	wait_a_little();
	/* It is nobody's ring any more; a new one can be had, and lost. */
	CHECK_ERRNO(ioctl(late, PERF_EVENT_IOC_SET_OUTPUT, arena.sampler), EINVAL);
	arena.ring = map_ring(late);
	wait_a_little();
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, late);
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, -1);
	close_both();
	unmap_ring();
	close(late);
}

static void round_leader_gone(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	int siblings[2], i;

	watch(arena.target, -1, false);
	for (i = 0; i < 2; i++)
		siblings[i] = must_open(&attr, arena.target, -1, arena.sampler);
	must_ioctl(siblings[0], PERF_EVENT_IOC_SET_OUTPUT, arena.redirected);
	wait_a_little();
	unmap_ring();
	close(arena.sampler);
	wait_a_little();
	event_read(siblings[0]);
	event_disable(siblings[1]);
	close(siblings[roll(2)]);
	close(arena.redirected);
	/* One of the two is closed already; the other shall be. */
	close(siblings[0]);
	close(siblings[1]);
}

/* Children of the observed task come and go while their original is opened and closed. */
static void round_close_inherited(void)
{
	watch(arena.target, 1, true);
	wait_a_little();
	close_both();
	unmap_ring();
}

static void round_exit_child(void)
{
	/* The original stays for a while, and is used while children leave. */
	if (arena.round % 64 == 0)
		watch(arena.target, 1, true);
	event_read(arena.sampler);
	event_disable(arena.redirected);
	wait_a_little();
	event_enable(arena.redirected);
	if (arena.round % 64 == 63) {
		unmap_ring();
		close_both();
	}
}

static void round_exit(void)
{
	int go[2];
	pid_t pid = fork_waiting(go);

	if (!pid) {
		loop_run(arena.round % 500 + 1);
		_exit(0);
	}
	watch(pid, -1, false);
	tell(go);
	wait_a_little();
	if (roll(2))
		event_read(arena.redirected);
	if (roll(2)) {
		unmap_ring();
		close_both();
		reap(pid, go);
	} else {
		reap(pid, go);
		close_both();
		unmap_ring();
	}
}

static void round_exec_of(const char *program, bool removed)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	int go[2], other;
	pid_t pid = fork_waiting(go);

	if (!pid) {
		if (!removed)
			drop_privileges();
		execl(program, "races", "leave", NULL);
		_exit(1);
	}
	watch(pid, -1, false);
	attr.remove_on_exec = removed;
	other = must_open(&attr, pid, -1, roll(2) ? arena.sampler : -1);
	tell(go);
	wait_a_little();
	event_read(other);
	if (roll(2)) {
		close(other);
		unmap_ring();
		close_both();
		reap(pid, go);
	} else {
		reap(pid, go);
		close_both();
		unmap_ring();
		close(other);
	}
}

static void round_exec(void)
{
	round_exec_of("/proc/self/exe", true);
}

static void round_exec_credentials(void)
{
	round_exec_of(setuid_program, false);
}

static void *open_and_leave(void *fd)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);

	__atomic_store_n((int *)fd, must_open(&attr, arena.target, -1, -1), __ATOMIC_RELEASE);
	return NULL;
}

/* A thread opens and ends; its event is mapped and closed by another meanwhile. */
static void round_owner_gone(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	pthread_t thread;
	int fd = -1;

	CHECK(!pthread_create(&thread, NULL, open_and_leave, &fd));
	while (__atomic_load_n(&fd, __ATOMIC_ACQUIRE) < 0)
		sched_yield();
	arena.sampler = fd;
	arena.ring = map_ring(fd);
	arena.redirected = must_open(&attr, arena.target, -1, -1);
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, fd);
	wait_a_little();
	close_both();
	unmap_ring();
	CHECK(!pthread_join(thread, NULL));
}

/* The observed task's forks fail when its children have their events, which are closed at that moment. */
static void fork_in_vain(void)
{
	for (;;)
		/* CLONE_PIDFD with an address that cannot be written to. */
		if (clone_bare(0x1000 | SIGCHLD, (void *)8) >= 0)
			_exit(1);
}

static void round_fork_failed(void)
{
	watch(arena.target, 1, true);
	wait_a_little();
	close_both();
	unmap_ring();
}

/* CPU 1 goes and comes by another hand; what it may refuse is that it is not there. */
static void toggle_for_ever(void)
{
	pin_to_cpu(0);
	for (;;) {
		cpu1_set(false);
		cpu1_set(true);
	}
}

static void round_cpu_offline(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	int fd = event_open(&attr, -1, 1, -1, 0), other;
	uint64_t count;

	if (fd < 0) {
		CHECK_EQ(errno, ENODEV);
		arena.absent++;
		return;
	}
	arena.ring = map_ring(fd);
	other = event_open(&attr, -1, 1, -1, 0);
	if (other >= 0)
		must_ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, fd);
	else
		CHECK_EQ(errno, ENODEV);
	wait_a_little();
	CHECK(read(fd, &count, sizeof(count)) >= 0);
	close(fd);
	if (other >= 0)
		close(other);
	unmap_ring();
}

/* ---- a family that shares its events: its pids, the one that was opened first ---- */

#define FAMILY 4

static pid_t family[FAMILY];	/* 0: who was killed before the others */
static int family_all = -1;	/* an event that counts it on any CPU */

static void family_runs(int out)
{
	int i;

	for (i = 1; i < FAMILY; i++) {
		family[i] = fork();
		CHECK(family[i] >= 0);
		if (family[i])
			continue;
		/* The last forks, and leaves nobody behind. */
		pin_to_cpu(i % 2);
		if (i == FAMILY - 1)
			fork_for_ever();
		loop_for_ever();
	}
	CHECK(write(out, family, sizeof(family)) == sizeof(family));
	loop_for_ever();
}

static void family_start(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_CPU_CYCLES);
	int go[2], pids[2];
	pid_t pid;

	CHECK(!pipe(pids));
	pid = fork_waiting(go);
	if (!pid)
		family_runs(pids[1]);
	watch(pid, 1, true);
	attr.inherit = 1;
	family_all = must_open(&attr, pid, -1, -1);
	tell(go);
	CHECK(read(pids[0], family, sizeof(family)) == sizeof(family));
	family[0] = pid;
	close(pids[0]);
	close(pids[1]);
	close(go[0]);
	close(go[1]);
}

static void family_kill(void)
{
	int i, first = roll(FAMILY);

	for (i = 0; i < FAMILY; i++) {
		pid_t member = family[(first + i) % FAMILY];

		/* Once their parent is gone, whose number is looked for may be reaped. */
		if (member)
			CHECK(!kill(member, SIGKILL));
		wait_a_little();
	}
	CHECK(waitpid(family[0], NULL, 0) == family[0]);
}

static void family_close(void)
{
	close(family_all);
	close_both();
	unmap_ring();
}

/* One member after the other gets an event that is its alone, while all of them run. */
static void round_set_leave(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	int fd;

	if (arena.round % 8 == 0)
		family_start();
	attr.inherit = roll(2);
	fd = must_open(&attr, family[roll(FAMILY)], -1, -1);
	wait_a_little();
	event_disable(family_all);
	event_read(arena.sampler);
	event_enable(family_all);
	wait_a_little();
	if (roll(2))
		must_ioctl(family_all, PERF_EVENT_IOC_PERIOD, (unsigned long)&attr.sample_period);
	close(fd);
	event_read(family_all);
	if (arena.round % 8 == 7) {
		family_kill();
		family_close();
	}
}

/* All members go while somebody opens on them, reads and closes. */
static void round_set_end(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	int fd;

	family_start();
	wait_a_little();
	if (roll(2)) {
		family_kill();
		event_read(family_all);
		family_close();
		return;
	}
	CHECK(!kill(family[1], SIGKILL));
	fd = event_open(&attr, family[1], -1, -1, 0);
	family[1] = 0;
	if (fd < 0)
		CHECK_EQ(errno, ESRCH);
	else
		close(fd);
	family_close();
	family_kill();
}

/* ---- running them ---- */

struct row {
	void (*round)(void);
	void (*target)(void);
	unsigned int share;	/* makes of ten thousand rounds so many; an exec and a grace period are slow */
	unsigned int whole;	/* so many rounds belong together; 0 is 1 */
};

static const struct row rows[] = {
	{ round_close,			loop_for_ever,	 10000 },
	{ round_close_while_mapped,	loop_for_ever,	 10000 },
	{ round_last_munmap,		loop_for_ever,	 2000 },
	{ round_leader_gone,		loop_for_ever,	 10000 },
	{ round_close_inherited,	fork_for_ever,	 10000 },
	{ round_exit_child,		fork_for_ever,	 10000, 64 },
	{ round_exit,			NULL,		 2000 },
	{ round_exec,			NULL,		 400 },
	{ round_exec_credentials,	NULL,		 400 },
	{ round_owner_gone,		loop_for_ever,	 2000 },
	{ round_fork_failed,		fork_in_vain,	 10000 },
	{ round_cpu_offline,		toggle_for_ever, 2000 },
	{ round_set_leave,		NULL,		 2000, 8 },
	{ round_set_end,		NULL,		 500 },
	{ round_pmu_gone,		fork_for_ever,	 1000 },
	{ round_cgroup_removed,		loop_for_ever,	 1000 },
	{ round_aux_unmapped,		produce_for_ever, 2000 },
	{ round_program_gone,		fork_for_ever,	 2000 },
	{ round_module_gone,		loop_for_ever,	 500 },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static unsigned long row_rounds(const struct row *row)
{
	const char *wanted = getenv("PCL_RACE_ROUNDS");
	unsigned long rounds = wanted ? strtoul(wanted, NULL, 0) : test_count(10000, 500);

	rounds = rounds * row->share / 10000 ?: 1;
	return row->whole ? rounds + row->whole - rounds % row->whole : rounds;
}

static time_t now(void)
{
	struct timespec at;

	CHECK(!clock_gettime(CLOCK_MONOTONIC, &at));
	return at.tv_sec;
}

/* Returns how many there were. */
static unsigned long row_run(const struct row *row, unsigned long rounds)
{
	const char *seconds = getenv("PCL_RACE_SECONDS");
	time_t last = now() + (seconds ? strtoul(seconds, NULL, 0) / NR_ROWS : ROW_SECONDS);

	for (arena.round = 0; arena.round < rounds; arena.round++) {
		if (arena.round % (row->whole ?: 1) == 0 && now() >= last)
			break;
		row->round();
	}
	return arena.round;
}

static void race(long which)
{
	const struct row *row = &rows[which];
	unsigned long rounds = row_rounds(row), done;
	const char *seed = getenv("PCL_SEED");

	if (cpus_online() < 2)
		test_skip("one CPU");
	alarm(ROW_SECONDS);
	arena.seed = seed ? strtoul(seed, NULL, 0) : (unsigned int)time(NULL);
	test_note("PCL_SEED=%u", arena.seed);
	lift_throttling();
	pin_to_cpu(0);
	if (row->round == round_exec_credentials)
		setuid_copy(setuid_program);
	if (row->round == round_cgroup_removed)
		cgroups_begin(FIRST);
	if (row->round == round_aux_unmapped)
		producer_attr("producer");	/* loads the module */
	if (row->round == round_program_gone)
		make_programs();
	if (row->target)
		start_target(row->target);
	done = row_run(row, rounds);
	if (row->target) {
		CHECK(!kill(arena.target, SIGKILL));
		CHECK(waitpid(arena.target, NULL, 0) == arena.target);
		/* It may have been killed between the two halves. */
		if (row->round == round_cpu_offline && cpus_online() < 2)
			CHECK(cpu1_set(true));
	}
	if (row->round == round_cgroup_removed)
		cgroups_end();
	if (row->round == round_exec_credentials)
		unlink(setuid_program);
	test_note("%lu rounds of %lu, %lu with overflows, %lu without the CPU", done, rounds, arena.overflows,
		  arena.absent);
	/* Where no interrupt came there was no race. */
	CHECK(arena.overflows > 0);
	if (row->round == round_cpu_offline)
		CHECK(arena.absent > 0);
}

static const struct test tests[] = {
	{ "close races", race, 0 },
	{ "close-while-mapped races", race, 1 },
	{ "last-munmap races", race, 2 },
	{ "leader-gone races", race, 3 },
	{ "close-inherited races", race, 4 },
	{ "exit-child races", race, 5 },
	{ "exit races", race, 6 },
	{ "exec races", race, 7 },
	{ "exec-credentials races", race, 8 },
	{ "owner-gone races", race, 9 },
	{ "fork-failed races", race, 10 },
	{ "cpu-offline races", race, 11 },
	{ "set-leave races", race, 12 },
	{ "set-end races", race, 13 },
	{ "pmu-gone races", race, 14 },
	{ "cgroup-removed races", race, 15 },
	{ "aux-unmapped races", race, 16 },
	{ "program-gone races", race, 17 },
	{ "module-gone races", race, 18 },
};

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? 0 : TESTS_RUN(tests);
}
