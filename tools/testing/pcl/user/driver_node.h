/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: two cores of a node, which share counters for the node's events (AMD K8 to family 12h).
 */
#ifndef PCL_USER_DRIVER_NODE_H
#define PCL_USER_DRIVER_NODE_H

#include "driver_siblings.h"

#define NODES	0x1fe0		/* DRAM accesses: the node counts them */

static void begin_cores(const struct x86_family *family)
{
	struct x86_machine machine = of(&amd, family);

	machine.layout.shape.general = 0xf;
	begin(machine);
	second_thread();
}

static void cores_of_a_node_share_its_counters(void)
{
	struct perf_event *here[4], *there[4];
	unsigned int i, k;

	begin_cores(&x86_k7);
	CHECK_EQ(fill(here, NODES), 4);
	on_cpu(1);
	CHECK_EQ(fill(there, NODES), 0);
	/* A core's own events have nothing to do with it. */
	CHECK_EQ(fill(there, EVENT), 4);
	empty(there, 4);
	on_cpu(0);
	empty(here, 2);
	on_cpu(1);
	CHECK_EQ(fill(there, NODES), 2);
	for (i = 0; i < 2; i++) {
		for (k = 2; k < 4; k++)
			CHECK(there[i]->hw.idx != here[k]->hw.idx);
	}
	empty(there, 2);
	on_cpu(0);
	empty(here + 2, 2);
	CHECK_EQ(fill(here, NODES), 4);
	empty(here, 4);
}

/* Where events are the cores' own alone, none is kept from the other. */
static void without_shared_counters_each_core_has_all(void)
{
	struct perf_event *here[4], *there[4];

	begin_cores(&x86_zen);
	CHECK_EQ(fill(here, NODES), 4);
	on_cpu(1);
	CHECK_EQ(fill(there, NODES), 4);
	empty(there, 4);
	on_cpu(0);
	empty(here, 4);
}

/* Both cores see the same counter free. One gets it, the other finds another at once. */
static void claims_of_two_cores_race(void)
{
	struct perf_event *event;

	begin_cores(&x86_k7);
	event = open_event(NODES, 0);
	late_event = open_event(NODES, 0);
	pcl_shim_interrupt = other_thread_claims;
	add(event);
	CHECK(!pcl_shim_interrupt);
	CHECK(event->hw.idx != late_event->hw.idx);
	del(event);
	on_cpu(1);
	del(late_event);
}

#endif
