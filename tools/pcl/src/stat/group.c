// SPDX-License-Identifier: GPL-2.0
/*
 * Events that a ratio joins are counted together.
 *
 * Concepts: a ratio of events that were on their counters at different times
 * is a guess. So lone events that metric.c would divide one by the other
 * become a group, led by the first of them, unless the user grouped events or
 * says --no-group. A member that is refused is taken out again, and when that
 * is for want of room in the group, it is told.
 * Contexts: stat, before the first run, and after a refused open.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "stat/stat.h"

/* One that the user left alone, or that was grouped here. */
static bool free_to_join(const struct event *e)
{
	return (e->leader->nr_members == 1 || e->leader->grouped) && !e->attr.pinned &&
	       !e->attr.exclusive;
}

/* Both groups become one, led by what comes first in the list: it is opened first. */
static void join(struct event_list *l, struct event *a, struct event *b)
{
	struct event *one = a->leader, *other = b->leader, *lead = NULL;
	unsigned int nr = one->nr_members + other->nr_members, i;

	for (i = 0; i < l->nr; i++) {
		struct event *e = l->v[i];

		if (e->leader != one && e->leader != other)
			continue;
		lead = lead ? lead : e;
		e->leader = lead;
		e->nr_members = 1;
	}
	lead->nr_members = nr;
	lead->grouped = true;
}

void events_group(struct event_list *l)
{
	unsigned int i, k;

	for (i = 0; i < l->nr; i++)
		for (k = i + 1; k < l->nr; k++) {
			struct event *a = l->v[i], *b = l->v[k];

			if (a->leader == b->leader || !free_to_join(a) || !free_to_join(b))
				continue;
			if (metric_divides(a, b) || metric_divides(b, a))
				join(l, a, b);
		}
}

/* The leader goes out of its group, and the next member leads. */
static void depose(struct event_list *l, struct event *old)
{
	struct event *heir = NULL;
	unsigned int i;

	for (i = 0; i < l->nr; i++) {
		struct event *e = l->v[i];

		if (e == old || e->leader != old)
			continue;
		heir = heir ? heir : e;
		e->leader = heir;
	}
	heir->nr_members = old->nr_members - 1;
	heir->grouped = true;
	old->nr_members = 1;
	old->grouped = false;
}

/*
 * After an open: does a group made here hold a member that was refused? It is
 * on its own from now on, and the events are to be opened again. At most one
 * at a time, the last.
 */
bool events_ungroup(struct event_list *l)
{
	unsigned int i = l->nr;

	while (i--) {
		struct event *e = l->v[i], *leader = e->leader;

		if (e->status != EVENT_NOT_SUPPORTED || !leader->grouped || leader->nr_members == 1)
			continue;
		if (e == leader) {
			/* its reason stands beside it; the others need not suffer */
			depose(l, e);
			return true;
		}
		if (leader->status != EVENT_COUNTED || e->open_errno != EINVAL)
			continue;
		e->leader = e;
		leader->nr_members--;
		complain("note: '%s' is counted apart from '%s', the PMU has no room for both in one group; there is no ratio of the two unless both always hold a counter",
			 e->name, leader->name);
		return true;
	}
	return false;
}
