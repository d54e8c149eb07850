/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: two threads of a core, whose counters disturb each other.
 */
#ifndef PCL_USER_DRIVER_SIBLINGS_H
#define PCL_USER_DRIVER_SIBLINGS_H

#include "driver_events.h"

#define LOUD	0x81d0		/* MEM_UOPS_RETIRED.ALL_LOADS, which disturbs the thread beside */

static void begin_threads(const struct x86_family *family)
{
	begin(of(&skylake, family));
	second_thread();
	threads_disturb = true;
}

static void on_cpu(unsigned int cpu)
{
	shim_cpu = cpu;
}

static const struct x86_family *const disturbing[] = {
	&x86_sandybridge, &x86_sandybridge_x, &x86_ivybridge, &x86_ivybridge_x, &x86_haswell,
};

static void check_undisturbed(void)
{
	CHECK_EQ(models[0].disturbed, 0);
	CHECK_EQ(models[1].disturbed, 0);
}

/* Each of two threads counts, one of them a loud event; whoever comes first, the second looks for another counter. */
static void threads_do_not_disturb_each_other_one(const struct x86_family *family, unsigned int cpu, bool loud_first)
{
	struct perf_event *loud, *quiet;

	begin_threads(family);
	loud = open_event(LOUD, 0);
	quiet = open_event(EVENT, 0);
	on_cpu(cpu ^ !loud_first);
	add(loud_first ? loud : quiet);
	on_cpu(cpu ^ loud_first);
	add(loud_first ? quiet : loud);
	on_cpu(cpu);
	run(100);
	del(loud);
	on_cpu(!cpu);
	run(50);
	del(quiet);
	check_undisturbed();
	CHECK_EQ(local64_read(&loud->count), 100);
	CHECK_EQ(local64_read(&quiet->count), 50);
}

static void threads_do_not_disturb_each_other(void)
{
	unsigned int i;

	for (i = 0; i < 4 * ARRAY_SIZE(disturbing); i++)
		threads_do_not_disturb_each_other_one(disturbing[i / 4], i & 1, i & 2);
}

/* How many of four events of a kind fit on a CPU */
static unsigned int fill(struct perf_event **event, u64 config)
{
	unsigned int nr = 0;

	while (nr < 4) {
		event[nr] = open_event(config, 0);
		if (try_add(event[nr]))
			break;
		nr++;
	}
	return nr;
}

static void empty(struct perf_event **event, unsigned int nr)
{
	while (nr--)
		del(event[nr]);
}

/* Neither thread keeps all counters from the other, and what is given back is free again. */
static void loud_events_leave_half_of_the_counters(void)
{
	struct perf_event *here[4], *there[4];

	begin_threads(&x86_ivybridge);
	CHECK_EQ(fill(here, LOUD), 2);
	on_cpu(1);
	CHECK_EQ(fill(there, EVENT), 2);
	on_cpu(0);
	empty(here, 2);
	on_cpu(1);
	empty(there, 2);
	CHECK_EQ(fill(there, EVENT), 4);
	on_cpu(0);
	CHECK_EQ(fill(here, EVENT), 4);
	empty(here, 4);
	on_cpu(1);
	empty(there, 4);
	check_undisturbed();
}

/* ... and a thread that has the core for itself has all of them; so it is where the processor has no such erratum. */
static void a_lone_thread_has_all_counters(void)
{
	struct perf_event *here[4], *there[4];

	begin(of(&skylake, &x86_haswell));
	CHECK_EQ(fill(here, LOUD), 4);
	second_thread();
	threads_disturb = true;
	on_cpu(1);
	CHECK_EQ(fill(there, EVENT), 0);
	on_cpu(0);
	empty(here, 4);
	begin_threads(&x86_skylake);
	threads_disturb = false;
	CHECK_EQ(fill(here, LOUD), 4);
	on_cpu(1);
	CHECK_EQ(fill(there, LOUD), 4);
	empty(there, 4);
	on_cpu(0);
	empty(here, 4);
}

static struct perf_event *late_event;

/* The other thread is faster. */
static void other_thread_claims(void)
{
	pcl_shim_interrupt = NULL;
	shim_cpu ^= 1;
	add(late_event);
	shim_cpu ^= 1;
}

/* Both threads want the same counter, and see it free. One gets it, the other finds another at once. */
static void claims_of_two_threads_race_one(u64 first, u64 second)
{
	struct perf_event *event;

	begin_threads(&x86_haswell);
	event = open_event(first, 0);
	late_event = open_event(second, 0);
	pcl_shim_interrupt = other_thread_claims;
	add(event);
	CHECK(!pcl_shim_interrupt);
	run(100);
	on_cpu(1);
	run(100);
	check_undisturbed();
	del(late_event);
	on_cpu(0);
	del(event);
	CHECK_EQ(local64_read(&event->count), 100);
	CHECK_EQ(local64_read(&late_event->count), 100);
}

static void claims_of_two_threads_race(void)
{
	claims_of_two_threads_race_one(LOUD, EVENT);
	claims_of_two_threads_race_one(EVENT, LOUD);
	claims_of_two_threads_race_one(LOUD, LOUD);
}

/* What comes and goes at random on a thread */
struct thread_load {
	struct perf_event event[4];
	bool on[4];
	u64 counted[4];
};

static void choose(struct thread_load *load, unsigned int k)
{
	load->counted[k] = 0;
	CHECK_EQ(make_at(&load->event[k], random_below(2) ? LOUD : EVENT, 0), 0);
}

/* An event goes, or comes, or two come as a group. */
static void change(struct thread_load *load)
{
	unsigned int k = random_below(4), second = random_below(4);

	if (load->on[k]) {
		del(&load->event[k]);
		CHECK_EQ(local64_read(&load->event[k].count), load->counted[k]);
		load->on[k] = false;
		return;
	}
	choose(load, k);
	if (load->on[second] || second == k) {
		load->on[k] = !try_add(&load->event[k]);
		return;
	}
	choose(load, second);
	load->on[k] = load->on[second] = !try_add_two(&load->event[k], &load->event[second]);
}

static void threads_change_at_random(void)
{
	static struct thread_load load[2];
	struct perf_event *event[4];
	unsigned int i, k, n;

	memset(load, 0, sizeof(load));
	begin_threads(&x86_haswell);
	for (i = 0; i < 20000; i++) {
		on_cpu(random_below(2));
		change(&load[shim_cpu]);
		n = random_below(20);
		run(n);
		for (k = 0; k < 4; k++)
			load[shim_cpu].counted[k] += n;
		check_undisturbed();
	}
	for (i = 0; i < 2; i++) {
		on_cpu(i);
		for (k = 0; k < 4; k++) {
			if (load[i].on[k])
				del(&load[i].event[k]);
		}
	}
	CHECK_EQ(fill(event, EVENT), 4);
	empty(event, 4);
	on_cpu(0);
	CHECK_EQ(fill(event, EVENT), 4);
	empty(event, 4);
}

#endif
