// SPDX-License-Identifier: GPL-2.0
/*
 * The table of pcl stat: a row for each measure, a value for each run.
 *
 * Concepts: a measure is an event on a part of the target, a metric of such, or
 * a figure that the kernel or the clock tells of an ended command. Runs are added one by one; a
 * run in which an event was not counted adds no value, and when no run did the
 * row has a status and a reason instead.
 * Contexts: stat, between runs and before printing.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

static const struct figure_info {
	const char *name;
	const char *unit;
	double step;		/* as the kernel gives it */
} figures[NR_FIGURES] = {
	[FIGURE_ELAPSED] = { "elapsed", "s", 1e-9 },
	[FIGURE_USER] = { "user", "s", 1e-6 },
	[FIGURE_SYS] = { "sys", "s", 1e-6 },
	[FIGURE_PEAK_RSS] = { "peak-rss", "bytes", 4096 },
	[FIGURE_SOFT_FAULTS] = { "soft-faults", NULL, 1 },
	[FIGURE_HARD_FAULTS] = { "hard-faults", NULL, 1 },
	[FIGURE_VOLUNTARY] = { "voluntary-switches", NULL, 1 },
	[FIGURE_INVOLUNTARY] = { "involuntary-switches", NULL, 1 },
};

/* Rows for all events and metrics, and for the figures of an ended command. */
void table_init(struct stat_table *t, const struct counting *c, bool want_figures)
{
	const struct metric_list *ml = &c->o->metrics;
	const struct event_list *l = &c->o->events;
	unsigned int i, part;

	*t = (struct stat_table){ 0 };
	t->v = mem_zalloc((l->nr + ml->nr) * c->parts.nr + NR_FIGURES, sizeof(*t->v));
	for (i = 0; i < l->nr; i++)
		for (part = 0; part < c->parts.nr; part++)
			t->v[t->nr++] = (struct stat_row){
				.kind = ROW_EVENT,
				.event = l->v[i],
				.unit = l->v[i]->unit,
				.runs.step = l->v[i]->scale,
				.part = part,
				.part_name = parts_name(&c->parts, part),
			};
	for (i = 0; i < ml->nr; i++)
		for (part = 0; part < c->parts.nr; part++)
			t->v[t->nr++] = (struct stat_row){
				.kind = ROW_METRIC,
				.name = ml->v[i].def->name,
				.unit = *ml->v[i].def->unit ? ml->v[i].def->unit : NULL,
				.measured = &ml->v[i],
				.part = part,
				.part_name = parts_name(&c->parts, part),
			};
	for (i = 0; want_figures && i < NR_FIGURES; i++)
		t->v[t->nr++] = (struct stat_row){
			.kind = ROW_FIGURE,
			.name = figures[i].name,
			.unit = figures[i].unit,
			.runs.step = figures[i].step,
		};
}

static const char *why_not_counted(const struct event *e, const struct count *c)
{
	if (e->attr.pinned && !c->enabled_ns)
		return "it is pinned, and could not stay on a counter";
	if (!c->enabled_ns && e->pmu_cpus.nr)
		return "its PMU is read on other CPUs";
	if (!c->enabled_ns)
		return "the target never ran while it was enabled";
	if (e->leader->grouped && e->leader->nr_members > 1)
		return "it never held a counter: pcl grouped it for its ratio, and the group does not fit beside what else is counted; try --no-group, or count fewer events at once";
	return "it never held a counter: its group does not fit beside what else is counted; count fewer events at once";
}

static bool counted(const struct event *e, const struct count *c)
{
	return e->status == EVENT_COUNTED && c->running_ns;
}

static void add_event(struct stat_row *r, const struct count *c)
{
	const struct event *e = r->event;

	r->enabled_ns += c->enabled_ns;
	r->running_ns += c->running_ns;
	if (counted(e, c)) {
		series_add(&r->runs, c->scaled * e->scale);
		return;
	}
	r->status = e->status == EVENT_COUNTED ? EVENT_NOT_COUNTED : e->status;
	free(r->reason);
	r->reason = str_dup(e->status == EVENT_COUNTED ? why_not_counted(e, c) :
			    e->reason ? e->reason : "it could not be opened");
}

static void add_figure(struct stat_row *r, const struct counting *c, double v)
{
	if (!isnan(v)) {
		series_add(&r->runs, v);
		return;
	}
	r->status = EVENT_NOT_COUNTED;
	free(r->reason);
	r->reason = str_dup(c->o->argv ?
			    "the kernel's peak includes what pcl held before the exec, and is not above that" :
			    "no command was run");
}

/* All that it needs must have been counted in this run. */
static void add_metric(struct stat_row *r, const struct counting *c, const struct run *run)
{
	const struct metric *m = r->measured;
	double values[METRIC_MEMBERS], v;
	unsigned int i;

	for (i = 0; i < m->nr; i++) {
		const struct event *e = c->o->events.v[m->first + i];
		const struct count *n = &run->count[(m->first + i) * c->parts.nr + r->part];

		values[i] = n->scaled * e->scale;
		if (counted(e, n))
			continue;
		r->status = e->status == EVENT_COUNTED ? EVENT_NOT_COUNTED : e->status;
		free(r->reason);
		r->reason = str_printf("it needs '%s': %s", e->name,
				       e->status == EVENT_COUNTED ? why_not_counted(e, n) : e->reason);
		return;
	}
	v = metric_value(m, values, run->figure[FIGURE_ELAPSED]);
	r->enabled_ns += run->count[m->first * c->parts.nr + r->part].enabled_ns;
	r->running_ns += run->count[m->first * c->parts.nr + r->part].running_ns;
	if (!isnan(v)) {
		series_add(&r->runs, v);
		return;
	}
	r->status = EVENT_NOT_COUNTED;
	free(r->reason);
	r->reason = str_dup("there is nothing to divide by: that count is 0");
}

/* Take in what one run gave. */
void table_add(struct stat_table *t, const struct counting *c, const struct run *r)
{
	unsigned int i, figure = 0;

	for (i = 0; i < t->nr; i++)
		switch (t->v[i].kind) {
		case ROW_EVENT:
			add_event(&t->v[i], &r->count[i]);
			break;
		case ROW_METRIC:
			add_metric(&t->v[i], c, r);
			break;
		case ROW_FIGURE:
			add_figure(&t->v[i], c, r->figure[figure++]);
			break;
		}
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
