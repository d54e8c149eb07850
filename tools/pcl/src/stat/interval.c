// SPDX-License-Identifier: GPL-2.0
/*
 * What was counted in one interval of -I.
 *
 * Concepts: an interval is the difference of two readings; a table of one run
 * holds it, and the printers show it as they show the whole. The values are
 * kept for the curves that a terminal shows.
 * Contexts: stat, while the command runs.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

/* Keep the values, for the curves of the intervals until now. */
static void keep_history(struct counting *c, const struct stat_table *t)
{
	unsigned int i;

	if (!c->history) {
		c->history = mem_zalloc(t->nr, sizeof(*c->history));
		c->nr_history = t->nr;
	}
	for (i = 0; i < c->nr_history; i++)
		series_add(&c->history[i],
			   t->v[i].status == EVENT_COUNTED ? t->v[i].value : NAN);
}

/* at_s: since the start; length_s: since the interval before, for rates. */
void interval_print(struct counting *c, double at_s, double length_s)
{
	unsigned int nr = c->o->events.nr * c->parts.nr, i;
	struct count *now = mem_zalloc(nr, sizeof(*now));
	struct run r = { .count = mem_zalloc(nr, sizeof(*r.count)) };
	struct stat_table t;
	struct stat_doc d = { .o = c->o, .t = &t, .interval = true, .time_s = at_s };

	events_read(&c->o->events, c->parts.of, c->parts.nr, now);
	for (i = 0; i < nr; i++)
		r.count[i] = count_diff(&now[i], &c->last[i]);
	table_init(&t, c, false);
	r.figure[FIGURE_ELAPSED] = length_s;
	table_add(&t, c, &r);
	/* a target that slept through an interval counted nothing: 0 */
	for (i = 0; i < nr; i++)
		if (!t.v[i].runs.nr && t.v[i].event->status == EVENT_COUNTED &&
		    !r.count[i].enabled_ns && now[i].running_ns)
			series_add(&t.v[i].runs, 0);
	table_finish(&t, length_s);
	keep_history(c, &t);
	d.history = c->history;
	d.nr_history = c->nr_history;
	out_doc(&d);
	table_free(&t);
	run_free(&r);
	memcpy(c->last, now, nr * sizeof(*now));
	free(now);
}
