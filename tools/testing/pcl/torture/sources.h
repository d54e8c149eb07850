/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rounds of races.c in which what an event is of goes: its PMU, its cgroup, its AUX area, its program, its tracepoint's
 * module.
 */
#ifndef PCL_TORTURE_SOURCES_H
#define PCL_TORTURE_SOURCES_H

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "arena.h"
#include "../selftests/lib/bpf.h"
#include "../selftests/lib/cgroup.h"
#include "../selftests/lib/producer.h"
#include "../selftests/lib/trace.h"

static const char removable[] = "/sys/kernel/debug/pcl_removable";	/* a PMU that can be taken away */

/* ---- the PMU, the cgroup, the area ---- */

/* 1 makes the PMU known, 0 takes it away. */
static void set_removable(char known)
{
	int fd = open(removable, O_WRONLY);

	if (fd < 0 && !is_pcl())
		test_skip("this kernel has no PMU that can be taken away");
	if (fd < 0 || write(fd, &known, 1) != 1)
		FAIL("cannot write %c to %s: %s", known, removable, strerror(errno));
	close(fd);
}

static uint32_t removable_type(void)
{
	FILE *f = fopen(removable, "r");
	uint32_t type;

	CHECK(f && fscanf(f, "%u", &type) == 1 && type);
	fclose(f);
	return type;
}

static void *take_away(void *unused)
{
	(void)unused;
	pin_to_cpu(1);
	if (!test_busted("stays"))
		set_removable('0');
	return NULL;
}

/* While the PMU goes it may be there or not, and its events are read, moved to another ring and closed. */
static void use_meanwhile(struct perf_event_attr *attr)
{
	int late = event_open(attr, arena.target, 1, -1, 0);

	/* It is not there any more, or it went between two looks. */
	if (late < 0)
		CHECK(errno == ENOENT || errno == ENODEV);
	event_read(arena.sampler);
	event_enable(arena.redirected);
	wait_a_little();
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, roll(2) ? -1 : arena.sampler);
	if (late >= 0)
		close(late);
}

/* Of a task whose children have the events, on a CPU, and in a group. */
static void round_pmu_gone(void)
{
	struct perf_event_attr attr = overflowing(0);
	pthread_t thread;
	int on_cpu, member;

	set_removable('1');
	attr.type = removable_type();
	attr.sample_period = 1;
	attr.inherit = 1;
	arena.sampler = must_open(&attr, arena.target, 1, -1);
	arena.redirected = must_open(&attr, arena.target, 1, -1);
	arena.ring = map_ring(arena.sampler);
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, arena.sampler);
	member = must_open(&attr, arena.target, 1, arena.redirected);
	attr.inherit = 0;
	on_cpu = must_open(&attr, -1, 1, -1);
	/* Until it has samples, and a little more: 20,000 interrupts are not needed for one. */
	for (int tries = 0; tries < 20000 && !has_sample(arena.ring); tries++)
		wait_a_little();
	wait_a_little();
	CHECK(!pthread_create(&thread, NULL, take_away, NULL));
	wait_a_little();
	if (roll(2))
		use_meanwhile(&attr);
	if (roll(2)) {
		CHECK(!pthread_join(thread, NULL));
		CHECK_ERRNO(event_open(&attr, arena.target, 1, -1, 0), ENOENT);
		event_read(member);
		event_enable(on_cpu);
		close_both();
		unmap_ring();
	} else {
		unmap_ring();
		close_both();
		CHECK(!pthread_join(thread, NULL));
	}
	close(on_cpu);
	close(member);
}

/* Whom events of a cgroup count is put in it and taken out again, and the cgroup removed. */
static void round_cgroup_removed(void)
{
	struct perf_event_attr attr = overflowing(PERF_COUNT_HW_INSTRUCTIONS);
	bool before = roll(2);

	CHECK(!mkdir(cgroup_path("race"), 0700));
	if (before)
		cgroup_put_in(arena.target, "race");
	arena.sampler = open_in(&attr, "race", 1, -1);
	arena.ring = map_ring(arena.sampler);
	attr = overflowing(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	arena.redirected = open_in(&attr, "race", 1, roll(2) ? arena.sampler : -1);
	must_ioctl(arena.redirected, PERF_EVENT_IOC_SET_OUTPUT, arena.sampler);
	if (!before)
		cgroup_put_in(arena.target, "race");
	wait_a_little();
	if (roll(2))
		close(open_in(&attr, "race", roll(2), -1));
	cgroup_put_in(arena.target, ".");
	if (roll(2)) {
		CHECK(!rmdir(cgroup_path("race")));
		event_read(arena.redirected);
		close_both();
		unmap_ring();
	} else {
		unmap_ring();
		close_both();
		CHECK(!rmdir(cgroup_path("race")));
	}
}

static void produce_for_ever(void)
{
	for (;;)
		produce(64);		/* in vain while there is no area */
}

/* The event whose area it is, or another that is redirected to it, fills it on CPU 1 while it goes. */
static void round_aux_unmapped(void)
{
	int prot = roll(2) ? PROT_READ : PROT_READ | PROT_WRITE, owner, filler;
	struct perf_event_attr attr = producer_attr("producer");
	struct ring ring;
	void *area;

	owner = must_open(&attr, arena.target, -1, -1);
	ring = ring_map(owner, 2, PROT_READ | PROT_WRITE);
	area = aux_map(owner, &ring, 2, prot);
	filler = roll(2) ? must_open(&attr, arena.target, -1, -1) : owner;
	if (filler != owner)
		must_ioctl(filler, PERF_EVENT_IOC_SET_OUTPUT, owner);
	event_enable(filler);
	/* Until there are some bytes, and a little more, as in round_pmu_gone(). */
	for (int tries = 0; tries < 20000 && !ring.page->aux_head; tries++)
		wait_a_little();
	wait_a_little();
	arena.overflows += ring.page->aux_head > 0;
	if (filler != owner && roll(2))
		must_ioctl(filler, PERF_EVENT_IOC_SET_OUTPUT, -1);
	if (filler != owner)
		close(filler);
	CHECK(!munmap(area, 2 * PAGE));
	CHECK_EQ(producer_areas(), 0);
	if (roll(2)) {
		area = aux_map(owner, &ring, 4, prot);
		wait_a_little();
		CHECK(!munmap(area, 4 * PAGE));
	}
	ring_unmap(&ring);
	close(owner);
}

/* ---- the program ---- */

static int programs[2];		/* one that keeps samples, one that drops them */

static void make_programs(void)
{
	const struct bpf_insn keep[] = { SET(R0, KEEP), END }, drop[] = { SET(R0, DROP), END };

	programs[0] = PROGRAM(AT_EVENT, keep);
	programs[1] = PROGRAM(AT_EVENT, drop);
}

/* A program's link is closed while children's overflows run it, another's comes, and outlives the descriptor. */
static void round_program_gone(void)
{
	int link;

	watch(arena.target, 1, true);
	link = link_make(programs[roll(2)], arena.sampler, 0);
	wait_a_little();
	close(link);
	wait_a_little();
	link = link_make(programs[roll(2)], roll(2) ? arena.sampler : arena.redirected, 0);
	wait_a_little();
	if (roll(2)) {
		close_both();
		wait_a_little();
		unmap_ring();
		close(link);
	} else {
		close(link);
		unmap_ring();
		close_both();
	}
}

/* ---- the tracepoint's module ---- */

/* Another hand takes the module away: now, or when nobody has an event of it any more. */
static void *unload(void *unused)
{
	int tries;

	(void)unused;
	pin_to_cpu(1);
	for (tries = 0; syscall(SYS_delete_module, "pcl_producer", O_NONBLOCK); tries++) {
		/* Somebody has it: an event, a write to its parameter, or one that only looked. */
		if (errno != EWOULDBLOCK && errno != EBUSY)
			FAIL("delete_module: %s", strerror(errno));
		if (tries == 1000000)
			FAIL("the module is held by nobody, and does not go");
		sched_yield();
	}
	return NULL;
}

/* It is hit, sampled, opened and closed while its module goes; the observed task overflows beside it. */
static void round_module_gone(void)
{
	struct perf_event_mmap_page *records;
	struct perf_event_attr attr;
	pthread_t thread;
	int fd;

	producer_attr("producer");	/* loads the module */
	attr = trace_attr("pcl_producer/pcl_produced");
	attr.sample_period = 1;
	attr.sample_type = OF_A_HIT;
	watch(arena.target, -1, false);
	fd = must_open(&attr, -1, 0, -1);
	records = map_ring(fd);
	event_enable(fd);
	produce(1);
	CHECK_EQ(event_read(fd), 1);
	CHECK(has_sample(records));
	CHECK(!pthread_create(&thread, NULL, unload, NULL));
	wait_a_little();
	close(fd);
	wait_a_little();
	CHECK(!munmap(records, MAP_BYTES));
	fd = event_open(&attr, -1, 0, -1, 0);
	if (fd < 0)
		CHECK_EQ(errno, EINVAL);
	wait_a_little();
	unmap_ring();
	close_both();
	if (fd >= 0)
		close(fd);
	CHECK(!pthread_join(thread, NULL));
	CHECK_ERRNO(event_open(&attr, -1, 0, -1, 0), EINVAL);
}

#endif
