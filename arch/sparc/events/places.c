// SPDX-License-Identifier: GPL-2.0
/*
 * Which counter each event of this CPU shall have.
 *
 * Concepts: what can count an event at all was found when it was opened (hw.counters). Where the counters share a
 * control register, they also share the privilege levels at which they count, so events that want different ones are
 * not counted together.
 *
 * Contexts: on the owning CPU with IRQs off; sparc_levels_agree() and sparc_group_fits() in task context, too.
 *
 * Locks: none.
 */
#include "driver.h"

/* Can all of @events count at the levels that they want? */
bool sparc_levels_agree(struct perf_event **events, unsigned int nr)
{
	unsigned int i;

	if (!sparc_layout_shared(sparc_machine.family->layout))
		return true;
	for (i = 1; i < nr; i++) {
		if (events[i]->hw.config_base != events[0]->hw.config_base)
			return false;
	}
	return true;
}

/**
 * sparc_group_fits - could all of @events be on the counters at once, were they all free?
 * @events: these
 * @nr: how many, not more than there are counters; their levels agree
 */
bool sparc_group_fits(struct perf_event **events, unsigned int nr)
{
	struct pcl_want wants[SPARC_PICS];
	unsigned int i;

	for (i = 0; i < nr; i++)
		wants[i] = (struct pcl_want){ .counters = events[i]->hw.counters, .had = -1 };
	return pcl_assign(wants, nr, 0);
}

static int had_here(const struct perf_event *event)
{
	return event->hw.last_cpu == smp_processor_id() ? event->hw.idx : -1;
}

/**
 * sparc_places_find - find a counter for each event in the list
 * @cpu: this one's
 *
 * Returns false if there is none for one of them; all places are as before then.
 */
bool sparc_places_find(struct sparc_cpu_pmu *cpu)
{
	struct pcl_want wants[SPARC_PICS];
	unsigned int i;

	if (!sparc_levels_agree(cpu->list, cpu->nr))
		return false;
	for (i = 0; i < cpu->nr; i++) {
		wants[i].counters = cpu->list[i]->hw.counters;
		wants[i].had = i < cpu->settled ? cpu->list[i]->hw.idx : had_here(cpu->list[i]);
	}
	if (!pcl_assign(wants, cpu->nr, 0))
		return false;
	for (i = 0; i < cpu->nr; i++)
		cpu->place[i] = wants[i].got;
	return true;
}
