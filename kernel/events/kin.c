// SPDX-License-Identifier: GPL-2.0
/*
 * Give each event a counter of its own where events stand in each other's way by more than the counter they take.
 *
 * Concepts: a processor may lead many events to its counters over few wires. Events then come in groups (what shares
 * wires) and sets (what one wire can carry at a time). Each wire has an anchor, a counter whose event says which set
 * the wire carries, and perhaps in which mode, for all counters on the wire; with no event there nothing of the group
 * can be counted on it. Some events cannot be there together at all. Itanium 2 and Montecito are like that. A driver of
 * x86 could use the last of these for what its threads and cores have once, beside the masks that it narrows itself.
 *
 * Once it is known which set each wire carries, and which event sits on each anchor, all of this is masks again, and
 * pcl_assign() has the answer. So those few choices are tried one after the other, which is exact: every arrangement
 * that obeys the rules belongs to one of them. Events of one set that have the same counters and mode are tried once.
 *
 * Contexts: IRQs off, when groups are put on; task context, when a group is validated at open. No allocation. Also
 * built in user space and held against an exhaustive matcher.
 *
 * Locks: none; the caller owns the arrays.
 */
#include <linux/pcl_assign.h>

#include <linux/string.h>

/* Nothing of the group comes over this wire. */
#define UNUSED	-1

/* The question, and how far the choices are made */
struct search {
	struct pcl_want *wants;
	const struct pcl_kin *kin;
	unsigned int nr;
	const struct pcl_wiring *groups;
	unsigned int nr_groups;
	u64 counters[PCL_KIN_MOST];			/* as the caller had them */
	int sets[PCL_GROUPS_MOST][PCL_WIRES_MOST];	/* on each wire, or UNUSED */
	int anchored[PCL_GROUPS_MOST][PCL_WIRES_MOST];	/* the event on its anchor */
};

/* Two events need the same thing, of which there is one. */
static bool anyone_collides(const struct pcl_kin *kin, unsigned int nr)
{
	u32 taken = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (taken & kin[i].alone)
			return true;
		taken |= kin[i].alone;
	}
	return false;
}

/* Can @event, which is on no anchor, be counted over wire @w of its group? */
static bool wire_serves(const struct search *search, unsigned int event, unsigned int w)
{
	const struct pcl_kin *kin = &search->kin[event];
	int anchored = search->anchored[kin->group][w];

	if (search->sets[kin->group][w] != kin->set)
		return false;
	return !(search->groups[kin->group].wire[w].governs && kin->cares && kin->mode != search->kin[anchored].mode);
}

/* The counters that are left to @event, now that all choices are made */
static u64 counters_left(const struct search *search, unsigned int event)
{
	const struct pcl_kin *kin = &search->kin[event];
	const struct pcl_wiring *rule = &search->groups[kin->group];
	u64 open = 0;
	unsigned int w;

	if (!kin->group)
		return search->counters[event];
	for (w = 0; w < rule->nr; w++) {
		if (search->anchored[kin->group][w] == (int)event)
			return search->counters[event] & BIT_ULL(rule->wire[w].anchor);
		if (wire_serves(search, event, w))
			open |= rule->wire[w].counters & ~BIT_ULL(rule->wire[w].anchor);
	}
	return search->counters[event] & open;
}

static bool sat_at(const struct search *search, unsigned int event, unsigned int anchor)
{
	return search->wants[event].had == (int)anchor;
}

/* Is the choice of @event for the anchor @had the same as that of one before it? */
static bool tried_before(const struct search *search, unsigned int event, unsigned int had)
{
	const struct pcl_kin *a = &search->kin[event], *b;
	unsigned int i;

	for (i = 0; i < event; i++) {
		b = &search->kin[i];
		if (a->group == b->group && a->set == b->set && a->mode == b->mode && a->cares == b->cares &&
		    search->counters[i] == search->counters[event] &&
		    sat_at(search, i, had) == sat_at(search, event, had))
			return true;
	}
	return false;
}

/* May @event sit on the anchor of wire @w of @group, as things stand? */
static bool may_sit(const struct search *search, unsigned int group, unsigned int w, unsigned int event)
{
	const struct pcl_kin *kin = &search->kin[event];
	unsigned int anchor = search->groups[group].wire[w].anchor;
	bool same = w && search->sets[group][0] == search->sets[group][w];

	if (kin->group != group || kin->set != search->sets[group][w] || !(search->counters[event] & BIT_ULL(anchor)))
		return false;
	if (same && search->anchored[group][0] == (int)event)
		return false;
	return same || !tried_before(search, event, anchor);
}

/* All choices are made. */
static bool assign(struct search *search)
{
	unsigned int i;

	for (i = 0; i < search->nr; i++)
		search->wants[i].counters = counters_left(search, i);
	return pcl_assign(search->wants, search->nr, 0);
}

/*
 * Chooses who sits on the anchor of wire @w of @group, and goes on from there. Who sat there before is asked first. As
 * deep as there are wires.
 */
static bool choose_anchors(struct search *search, unsigned int group, unsigned int w)
{
	const struct pcl_wire *wire;
	unsigned int i, again;

	if (group == search->nr_groups)
		return assign(search);
	if (w == search->groups[group].nr)
		return choose_anchors(search, group + 1, 0);
	search->anchored[group][w] = UNUSED;
	if (search->sets[group][w] == UNUSED)
		return choose_anchors(search, group, w + 1);
	wire = &search->groups[group].wire[w];
	for (again = 0; again < 2; again++) {
		for (i = 0; i < search->nr; i++) {
			if (sat_at(search, i, wire->anchor) == again || !may_sit(search, group, w, i))
				continue;
			search->anchored[group][w] = i;
			if (choose_anchors(search, group, w + 1))
				return true;
		}
	}
	return false;
}

/* The sets of @group that are asked for; returns how many, at most one more than there are wires */
static unsigned int sets_of(const struct search *search, unsigned int group, int *sets)
{
	unsigned int i, s, nr = 0;

	for (i = 0; i < search->nr && nr <= search->groups[group].nr; i++) {
		if (search->kin[i].group != group)
			continue;
		for (s = 0; s < nr && sets[s] != search->kin[i].set; s++)
			;
		if (s == nr)
			sets[nr++] = search->kin[i].set;
	}
	return nr;
}

/* Does each wire of @group whose anchor had an event of it carry that one's set again? */
static bool as_they_were(const struct search *search, unsigned int group, const int *sets)
{
	unsigned int i, w;

	for (i = 0; i < search->nr; i++) {
		for (w = 0; search->kin[i].group == group && w < search->groups[group].nr; w++) {
			if (sat_at(search, i, search->groups[group].wire[w].anchor) && sets[w] != search->kin[i].set)
				return false;
		}
	}
	return true;
}

/*
 * Chooses which wire carries which set, for @group and those after it. What they carried is tried first, or events
 * would move that need not. As deep as there are groups.
 */
static bool choose_sets(struct search *search, unsigned int group)
{
	int sets[PCL_WIRES_MOST + 1] = { UNUSED, UNUSED, UNUSED }, choices[3][2];
	unsigned int nr, i, again, nr_choices;

	if (group == search->nr_groups)
		return choose_anchors(search, 1, 0);
	nr = sets_of(search, group, sets);
	if (nr > search->groups[group].nr)
		return false;

	memcpy(choices[0], sets, sizeof(choices[0]));	/* one on each wire, ... */
	choices[1][0] = sets[1];			/* ... or the other way round, */
	choices[1][1] = sets[0];
	choices[2][0] = sets[0];			/* or one on both */
	choices[2][1] = sets[0];
	nr_choices = !nr || search->groups[group].nr < 2 ? 1 : nr == 1 ? 3 : 2;
	for (again = 0; again < 2; again++) {
		for (i = 0; i < nr_choices; i++) {
			if (as_they_were(search, group, choices[i]) == again)
				continue;
			memcpy(search->sets[group], choices[i], sizeof(choices[i]));
			if (choose_sets(search, group + 1))
				return true;
		}
	}
	return false;
}

/**
 * pcl_assign_kin - give each event a counter, where events have rules among each other
 * @wants: the events; @got is valid in all of them after success, in none after failure
 * @kin: the rules that each is under
 * @nr: how many, PCL_KIN_MOST at most
 * @groups: the groups' wires, by number; that of 0 is not looked at
 * @nr_groups: how many, PCL_GROUPS_MOST at most
 *
 * Returns false if there is no assignment. If all events had counters by the rules, they have the same again.
 */
bool pcl_assign_kin(struct pcl_want *wants, const struct pcl_kin *kin, unsigned int nr, const struct pcl_wiring *groups,
		    unsigned int nr_groups)
{
	struct search search = {
		.wants = wants, .kin = kin, .nr = nr, .groups = groups, .nr_groups = nr_groups,
	};
	unsigned int i;
	bool found;

	if (nr > PCL_KIN_MOST || nr_groups > PCL_GROUPS_MOST || anyone_collides(kin, nr))
		return false;
	for (i = 0; i < nr; i++)
		search.counters[i] = wants[i].counters;
	found = choose_sets(&search, 1);
	for (i = 0; i < nr; i++)
		wants[i].counters = search.counters[i];
	return found;
}
