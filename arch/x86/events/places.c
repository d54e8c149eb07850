// SPDX-License-Identifier: GPL-2.0
/*
 * Which counter each event of this CPU shall have.
 *
 * Concepts: what can count an event at all was found when it was opened (hw.counters). What of that is to be had now
 * depends on others: the cores of a node, the thread beside, and who wants transactions not to abort. It is
 * looked up each time that places are found, so it may change at any time. x86_assign() does the rest.
 *
 * Contexts: on the owning CPU with IRQs off, its PMU paused.
 *
 * Locks: none.
 */
#include "driver.h"

/* The counters that @event may have now. */
static u64 open_counters(struct perf_event *event)
{
	u64 counters = x86_event_is_shared(event) ? x86_node_open(event) : event->hw.counters;

	return counters & ~x86_siblings_closed(event) & ~x86_tfa_closed();
}

/**
 * x86_places_find - find a counter for each event in the list
 * @cpu: this one's
 *
 * Returns false if there is none for one of them: all places are as before, only claims of the node may be left, which
 * their events give back when they leave.
 */
bool x86_places_find(struct x86_cpu_pmu *cpu)
{
	struct x86_want wants[X86_COUNTERS];
	int place[X86_COUNTERS];
	unsigned int i;

	for (i = 0; i < cpu->nr; i++) {
		struct perf_event *event = cpu->list[i];

		wants[i].counters = open_counters(event);
		wants[i].had = i < cpu->settled || event->hw.last_cpu == smp_processor_id() ? event->hw.idx : -1;
	}
	if (!x86_assign(wants, cpu->nr, ~X86_GENERAL_MASK))
		return false;

	for (i = 0; i < cpu->nr; i++) {
		place[i] = wants[i].got;
		if (x86_event_is_shared(cpu->list[i]) && !x86_node_claim(cpu->list[i], place[i]))
			return false;
	}
	if (!x86_siblings_claim(cpu, place))
		return false;
	memcpy(cpu->place, place, cpu->nr * sizeof(*place));
	cpu->placed = cpu->nr;
	return true;
}
