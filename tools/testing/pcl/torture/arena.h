/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rounds of races.c have in common: the observed task, two events on it, a ring.
 */
#ifndef PCL_TORTURE_ARENA_H
#define PCL_TORTURE_ARENA_H

#include <stdbool.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "../selftests/lib/event.h"

#define MAP_BYTES	(3 * PAGE)

/* What a round has: where the observed task is, and what is observed. */
static struct {
	unsigned int seed;
	unsigned long round;
	unsigned long overflows;	/* rounds with a sample in the ring: a race without interrupts does not count */
	unsigned long absent;		/* rounds in which CPU 1 was not there */
	pid_t target;
	int sampler, redirected;
	struct perf_event_mmap_page *ring;
} arena;

static unsigned int roll(unsigned int sides)
{
	arena.seed = arena.seed * 1103515245 + 12345;
	return (arena.seed >> 16) % sides;
}

/* Some time, from nothing to that of a few interrupts. */
static void wait_a_little(void)
{
	unsigned int loops = roll(8) ? roll(400) : roll(6000);

	if (loops)
		loop_run(loops);
}

static struct perf_event_attr overflowing(uint64_t config)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE, config);

	attr.disabled = 0;
	attr.exclude_kernel = 0;
	/* On a slow kernel an interrupt costs more than the program between two. */
	attr.sample_period = test_count(3000, 30000) + roll(500);
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	attr.wakeup_events = 1 + roll(3);
	return attr;
}

/* Is there a sample among the records? Nobody has taken any, so the first is at the start. */
static bool has_sample(const struct perf_event_mmap_page *page)
{
	const unsigned char *data = (const unsigned char *)page + page->data_offset;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = 0;

	while (at < head && at < page->data_size) {
		const struct perf_event_header *header = (const void *)(data + at);

		if (header->type == PERF_RECORD_SAMPLE)
			return true;
		CHECK(header->size);
		at += header->size;
	}
	return false;
}

static struct perf_event_mmap_page *map_ring(int fd)
{
	void *ring = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	CHECK(ring != MAP_FAILED);
	return ring;
}

/* Two events on @pid or @cpu; the first has a ring, and the second writes there, too. */
static void watch(pid_t pid, int cpu, bool inherit)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);

	attr.inherit = inherit;
	attr.mmap = attr.comm = attr.task = 1;
	arena.sampler = must_open(&attr, pid, cpu, -1);
	attr = overflowing(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	attr.inherit = inherit;
	arena.redirected = must_open(&attr, pid, cpu, -1);
	arena.ring = map_ring(arena.sampler);
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, arena.sampler);
}

static void close_both(void)
{
	close(arena.sampler);
	wait_a_little();
	close(arena.redirected);
}

static void unmap_ring(void)
{
	arena.overflows += has_sample(arena.ring);
	CHECK(!munmap(arena.ring, MAP_BYTES));
}

/* ---- who is observed ---- */

static void loop_for_ever(void)
{
	for (;;)
		loop_run(5000);
}

static void fork_for_ever(void)
{
	for (;;) {
		pid_t pid = fork();

		if (!pid) {
			loop_run(300);
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

static void start_target(void (*run)(void))
{
	arena.target = fork();
	CHECK(arena.target >= 0);
	if (!arena.target) {
		pin_to_cpu(1);
		run();
	}
}

/* A child that goes on when it is told: 0 in the child. */
static pid_t fork_waiting(int go[2])
{
	char byte;
	pid_t pid;

	CHECK(!pipe(go));
	pid = fork();
	CHECK(pid >= 0);
	if (pid)
		return pid;
	pin_to_cpu(1);
	if (read(go[0], &byte, 1) != 1)
		_exit(1);
	return 0;
}

static void tell(int go[2])
{
	CHECK_EQ(write(go[1], "", 1), 1);
}

static void reap(pid_t pid, int go[2])
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
	close(go[0]);
	close(go[1]);
}

#endif
