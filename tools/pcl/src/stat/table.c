// SPDX-License-Identifier: GPL-2.0
/*
 * The table of pcl stat: a row for each measure, a value for each run.
 *
 * Concepts: a measure is an event on a part of the target, or a figure that the
 * kernel or the clock tells of an ended command. Runs are added one by one; a
 * run in which an event was not counted adds no value, and when no run did the
 * row has a status and a reason instead.
 * Contexts: stat, between runs and before printing.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static const struct figure_info {
	const char *name;
	const char *unit;
} figures[NR_FIGURES] = {
	[FIGURE_ELAPSED] = { "elapsed", "s" },
	[FIGURE_USER] = { "user", "s" },
	[FIGURE_SYS] = { "sys", "s" },
	[FIGURE_PEAK_RSS] = { "peak-rss", "bytes" },
	[FIGURE_SOFT_FAULTS] = { "soft-faults", NULL },
	[FIGURE_HARD_FAULTS] = { "hard-faults", NULL },
	[FIGURE_VOLUNTARY] = { "voluntary-switches", NULL },
	[FIGURE_INVOLUNTARY] = { "involuntary-switches", NULL },
};

/* Rows for all events, and for the figures of an ended command. */
void table_init(struct stat_table *t, const struct counting *c, bool want_figures)
{
	const struct event_list *l = &c->o->events;
	unsigned int i, part;

	*t = (struct stat_table){ 0 };
	t->v = mem_zalloc(l->nr * c->nr_parts + NR_FIGURES, sizeof(*t->v));
	for (i = 0; i < l->nr; i++)
		for (part = 0; part < c->nr_parts; part++)
			t->v[t->nr++] = (struct stat_row){
				.kind = ROW_EVENT,
				.event = l->v[i],
				.unit = l->v[i]->unit,
				.part = part,
			};
	for (i = 0; want_figures && i < NR_FIGURES; i++)
		t->v[t->nr++] = (struct stat_row){
			.kind = ROW_FIGURE,
			.name = figures[i].name,
			.unit = figures[i].unit,
		};
}

static const char *why_not_counted(const struct event *e, const struct count *c)
{
	if (e->attr.pinned && !c->enabled_ns)
		return "it is pinned, and could not stay on a counter";
	if (!c->enabled_ns)
		return "the target never ran while it was enabled";
	return "it never held a counter: its group does not fit beside what else is counted; count fewer events at once";
}

static void add_event(struct stat_row *r, const struct count *c)
{
	const struct event *e = r->event;

	r->enabled_ns += c->enabled_ns;
	r->running_ns += c->running_ns;
	if (e->status == EVENT_COUNTED && c->running_ns) {
		series_add(&r->runs, c->scaled * e->scale);
		return;
	}
	r->status = e->status == EVENT_COUNTED ? EVENT_NOT_COUNTED : e->status;
	free(r->reason);
	r->reason = str_dup(e->status == EVENT_COUNTED ? why_not_counted(e, c) :
			    e->reason ? e->reason : "it could not be opened");
}

static void add_figure(struct stat_row *r, double v)
{
	if (!isnan(v)) {
		series_add(&r->runs, v);
		return;
	}
	r->status = EVENT_NOT_COUNTED;
	free(r->reason);
	r->reason = str_dup("the kernel's peak includes what pcl held before the exec, and is not above that");
}

/* Take in what one run gave. */
void table_add(struct stat_table *t, const struct counting *c, const struct run *r)
{
	unsigned int nr_events = c->o->events.nr * c->nr_parts, i;

	for (i = 0; i < t->nr; i++)
		if (t->v[i].kind == ROW_EVENT)
			add_event(&t->v[i], &r->count[i]);
		else
			add_figure(&t->v[i], r->figure[i - nr_events]);
	t->runs++;
	if (r->status && !t->failed++)
		t->failed_status = r->status;
}

/* After the last run: means, spreads, and the ratios beside the events. */
void table_finish(struct stat_table *t, double elapsed_s)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		struct stat_row *r = &t->v[i];

		/* narrowing may have changed it since */
		if (r->kind == ROW_EVENT)
			r->name = r->event->name;
		r->spread = series_spread(&r->runs);
		r->value = r->spread.mean;
		if (!r->runs.nr)
			continue;
		r->status = EVENT_COUNTED;
		free(r->reason);
		r->reason = NULL;
	}
	metrics_fill(t->v, t->nr, elapsed_s);
}

/* NULL when the table has no figures. */
const struct stat_row *table_figure(const struct stat_table *t, enum figure f)
{
	if (t->nr < NR_FIGURES || t->v[t->nr - 1].kind != ROW_FIGURE)
		return NULL;
	return &t->v[t->nr - NR_FIGURES + f];
}

void table_free(struct stat_table *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		series_free(&t->v[i].runs);
		free(t->v[i].reason);
	}
	free(t->v);
	*t = (struct stat_table){ 0 };
}
