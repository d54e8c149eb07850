// SPDX-License-Identifier: GPL-2.0
/*
 * Which counter each event of this CPU shall have.
 *
 * Concepts: what can count an event at all was found when it was opened (hw.counters). What of that is to be had now
 * depends on others: the cores of a node, the thread beside, and who wants transactions not to abort. It is
 * looked up each time that places are found, so it may change at any time. Who comes back to counters that it had here,
 * and that are free, has them again; else pcl_assign() looks for places for all.
 *
 * Contexts: on the owning CPU with IRQs off, its PMU paused or held.
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

/* The counter that @event had on this CPU, or -1 */
static int had_here(const struct perf_event *event)
{
	return event->hw.last_cpu == smp_processor_id() ? event->hw.idx : -1;
}

/* Can all that are new have again what they had? Then that is their place. */
static bool places_as_before(struct x86_cpu_pmu *cpu)
{
	u64 taken = 0, counter;
	unsigned int i;

	for (i = 0; i < cpu->placed; i++)
		taken |= BIT_ULL(cpu->place[i]);
	for (; i < cpu->nr; i++) {
		struct perf_event *event = cpu->list[i];
		int had = had_here(event);

		if (had < 0)
			return false;
		counter = BIT_ULL(had);
		if (!(open_counters(event) & counter & ~taken))
			return false;
		taken |= counter;
		cpu->place[i] = had;
	}
	return true;
}

/* The same by moving others, if it must be. */
static bool places_anew(struct x86_cpu_pmu *cpu)
{
	unsigned int i;

	for (i = 0; i < cpu->nr; i++) {
		cpu->wants[i].counters = open_counters(cpu->list[i]);
		cpu->wants[i].had = i < cpu->settled ? cpu->list[i]->hw.idx : had_here(cpu->list[i]);
	}
	if (!pcl_assign(cpu->wants, cpu->nr, ~X86_GENERAL_MASK))
		return false;
	for (i = 0; i < cpu->nr; i++)
		cpu->found[i] = cpu->wants[i].got;
	return true;
}

/* What is shared with others is claimed. */
static enum x86_claim claim(struct x86_cpu_pmu *cpu, const int *place)
{
	unsigned int i;

	for (i = 0; i < cpu->nr; i++) {
		if (x86_event_is_shared(cpu->list[i]) && !x86_node_claim(cpu->list[i], place[i]))
			return X86_CLAIM_SLOWER;
	}
	return x86_siblings_claim(cpu, place);
}

/* Looks for places once. */
static enum x86_claim look(struct x86_cpu_pmu *cpu)
{
	enum x86_claim result;

	if (places_as_before(cpu))
		return claim(cpu, cpu->place);
	if (!places_anew(cpu))
		return X86_CLAIM_NONE;
	result = claim(cpu, cpu->found);
	if (result == X86_CLAIM_GOT)
		memcpy(cpu->place, cpu->found, cpu->nr * sizeof(*cpu->found));
	return result;
}

/* Another may be faster again; then the events wait for the next tick. */
#define LOOKS	4

/**
 * x86_places_find - find a counter for each event in the list
 * @cpu: this one's
 *
 * Returns false if there is none for one of them: all places are as before, only claims of the node may be left, which
 * their events give back when they leave.
 */
bool x86_places_find(struct x86_cpu_pmu *cpu)
{
	enum x86_claim result;
	unsigned int looks = 0;

	do {
		result = look(cpu);
	} while (result == X86_CLAIM_SLOWER && ++looks < LOOKS);
	if (result != X86_CLAIM_GOT)
		return false;
	cpu->placed = cpu->nr;
	return true;
}
