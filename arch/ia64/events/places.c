// SPDX-License-Identifier: GPL-2.0
/*
 * Which counter each event of this CPU shall have.
 *
 * Concepts: what can count an event at all was found when it was opened (hw.counters), and its row in the family's
 * table says which wires it uses. From that follows what the solver needs to know (kernel/events/kin.c).
 *
 * The unit mask of an event that has but one is no wish: the anchor's may differ.
 *
 * Contexts: on the owning CPU with IRQs off; ia64_group_fits() in task context.
 *
 * Locks: none.
 */
#include <linux/bitops.h>

#include "driver.h"

static int had_here(const struct perf_event *event)
{
	return event->hw.last_cpu == smp_processor_id() ? event->hw.idx : -1;
}

static struct pcl_kin kin_of(const struct perf_event *event)
{
	const struct ia64_event *row = ia64_row(event);

	return (struct pcl_kin){
		.group = row->group,
		.set = row->set,
		.mode = IA64_UMASK_OF(event->hw.config),
		.cares = !row->any_umask && hweight32(row->umasks) > 1,
		.alone = row->alone,
	};
}

static bool assign(struct pcl_want *wants, const struct pcl_kin *kin, unsigned int nr)
{
	const struct pcl_wiring *groups = ia64_machine.family->groups;

	return groups ? pcl_assign_kin(wants, kin, nr, groups, IA64_GROUPS) : pcl_assign(wants, nr, 0);
}

/**
 * ia64_group_fits - could all of @events be on the counters at once, were they all free?
 * @events: these
 * @nr: how many
 * @lifted: rules to leave out: IA64_RULE_CANCELS ...
 */
bool ia64_group_fits(struct perf_event **events, unsigned int nr, unsigned int lifted)
{
	struct pcl_want wants[PCL_KIN_MOST];
	struct pcl_kin kin[PCL_KIN_MOST];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		wants[i] = (struct pcl_want){ .counters = events[i]->hw.counters, .had = -1 };
		kin[i] = kin_of(events[i]);
		if (lifted & IA64_RULE_CANCELS)
			kin[i].alone = 0;
		if (lifted & IA64_RULE_UMASK)
			kin[i].cares = false;
		if (lifted & IA64_RULE_SETS)
			kin[i].group = IA64_FREE;
	}
	return assign(wants, kin, nr);
}

/**
 * ia64_places_find - find a counter for each event in the list
 * @cpu: this one's
 *
 * Returns false if there is none for one of them; all places are as before then.
 */
bool ia64_places_find(struct ia64_cpu_pmu *cpu)
{
	struct pcl_want wants[PCL_KIN_MOST];
	struct pcl_kin kin[PCL_KIN_MOST];
	unsigned int i;
	u64 taken = 0;

	if (ia64_claims_clash(cpu->list, cpu->nr))
		return false;
	for (i = 0; i < cpu->nr; i++) {
		int had = i < cpu->settled ? cpu->list[i]->hw.idx : had_here(cpu->list[i]);

		/* What a settled event has, or another that comes had, is no reason to move anybody. */
		if (had >= 0 && (taken & BIT_ULL(had)))
			had = -1;
		if (had >= 0)
			taken |= BIT_ULL(had);
		wants[i].counters = cpu->list[i]->hw.counters;
		wants[i].had = had;
		kin[i] = kin_of(cpu->list[i]);
	}
	if (!assign(wants, kin, cpu->nr))
		return false;
	for (i = 0; i < cpu->nr; i++)
		cpu->place[i] = wants[i].got;
	return true;
}
