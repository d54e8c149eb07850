// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the northbridge, which the cores of a node share (AMD K8 to family 12h).
 *
 * Concepts: such an event (event number 0xe0 and up) is counted by the node, and appears in the same counter of
 * each of its cores. Two cores that use counter n for different events of this kind disturb each other. So each
 * node keeps, for each counter, which event owns it; an event claims a counter before it is placed there, and keeps
 * it until it is taken off. A claim is a compare and exchange: no core waits for another. BKDG family 10h, section
 * 3.12.
 *
 * Contexts: claiming and releasing on the owning CPU with IRQs off; joining when a CPU starts.
 *
 * Locks: none.
 */
#include <linux/topology.h>

#include "driver.h"

#define NODE_COUNTERS	4

struct x86_node {
	struct perf_event *owner[NODE_COUNTERS];	/* [A] */
};

/* Each CPU's node; the object lies with the first CPU that joined it. */
static DEFINE_PER_CPU(struct x86_node, x86_own_node);
static DEFINE_PER_CPU(struct x86_node *, x86_node_of);

/* The counters on this CPU that @event may have: the one it has, or those that nobody on the node has. */
u64 x86_node_open(struct perf_event *event)
{
	struct x86_node *node = this_cpu_read(x86_node_of);
	u64 counters = event->hw.counters, open = 0;
	unsigned int i;

	if (!node)
		return counters;
	for (i = 0; i < NODE_COUNTERS; i++) {
		struct perf_event *owner = READ_ONCE(node->owner[i]);

		if (owner == event)
			return BIT_ULL(i);
		if (!owner)
			open |= BIT_ULL(i);
	}
	return open & counters;
}

/* False: another core was faster. */
bool x86_node_claim(struct perf_event *event, unsigned int counter)
{
	struct x86_node *node = this_cpu_read(x86_node_of);
	struct perf_event *owner;

	if (!node || counter >= NODE_COUNTERS)
		return true;
	owner = cmpxchg(&node->owner[counter], NULL, event);
	return !owner || owner == event;
}

void x86_node_release(struct perf_event *event)
{
	struct x86_node *node = this_cpu_read(x86_node_of);
	unsigned int i;

	if (!node || !x86_event_is_shared(event))
		return;
	for (i = 0; i < NODE_COUNTERS; i++)
		cmpxchg(&node->owner[i], event, NULL);
}

/* @cpu starts: it shares the node of a CPU of the same die that is online. */
void x86_node_join(unsigned int cpu)
{
	struct x86_node *node = per_cpu_ptr(&x86_own_node, cpu);
	unsigned int other;

	if (!(x86_machine.family->has & X86_NB_SHARED))
		return;
	for_each_online_cpu(other) {
		if (other != cpu && topology_die_id(other) == topology_die_id(cpu) && per_cpu(x86_node_of, other)) {
			node = per_cpu(x86_node_of, other);
			break;
		}
	}
	per_cpu(x86_node_of, cpu) = node;
}
