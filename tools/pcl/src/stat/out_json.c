// SPDX-License-Identifier: GPL-2.0
/*
 * The document that pcl stat -j prints; with -I one such document a line.
 *
 * Concepts: schema "pcl-stat-1", as schema/pcl-stat.schema.json has it.
 * "form" tells totals, intervals and comparisons apart. Numbers are numbers;
 * what was not counted is null, with "status" and "reason" beside it. Every
 * key of a form is always there.
 * Contexts: end of stat, or of each interval.
 * Locks: none.
 */
#include <math.h>

#include "internal.h"
#include "stat/stat.h"

static const char *const status_names[] = {
	[EVENT_COUNTED] = "counted",
	[EVENT_NOT_COUNTED] = "not counted",
	[EVENT_NOT_SUPPORTED] = "not supported",
};

static const char *const order_names[] = {
	[ORDER_RANDOM] = "random", [ORDER_ABBA] = "abba", [ORDER_AB] = "ab",
};

static const char *const kind_names[] = {
	[ROW_EVENT] = "event", [ROW_METRIC] = "metric", [ROW_FIGURE] = "figure",
};

static void put_number(struct json *j, const char *key, bool known, double v)
{
	if (known)
		json_number(j, key, v);
	else
		json_null(j, key);
}

static void put_command(struct json *j, const char *key, char **argv)
{
	unsigned int i;

	if (!argv) {
		json_null(j, key);
		return;
	}
	json_begin(j, key, '[');
	for (i = 0; argv[i]; i++)
		json_string(j, NULL, argv[i]);
	json_end(j, ']');
}

static void put_target(struct json *j, const struct target *t)
{
	json_string(j, "target", t->cgroups ? "cgroups" : t->system_wide ? "cpus" :
		    t->by_command ? "command" : "threads");
}

/* Of several runs; one has no spread. */
static void put_spread(struct json *j, const char *key, const struct stat_row *r, double confidence)
{
	const struct spread *s = &r->spread;
	double half = series_half_width(s, confidence);
	unsigned int i;

	json_begin(j, key, '{');
	json_u64(j, "runs", s->nr);
	put_number(j, "mean", s->nr, s->mean);
	put_number(j, "stddev", s->nr > 1, s->dev);
	put_number(j, "low", s->nr > 1, s->mean - half);
	put_number(j, "high", s->nr > 1, s->mean + half);
	put_number(j, "min", s->nr, s->min);
	put_number(j, "max", s->nr, s->max);
	put_number(j, "median", s->nr, s->median);
	json_u64(j, "outliers", s->outliers);
	json_begin(j, "values", '[');
	for (i = 0; i < r->runs.nr; i++)
		json_number(j, NULL, r->runs.v[i]);
	json_end(j, ']');
	json_end(j, '}');
}

static void put_times(struct json *j, const struct stat_row *r)
{
	json_u64(j, "enabled_ns", r->enabled_ns);
	json_u64(j, "running_ns", r->running_ns);
	put_number(j, "running_percent", r->enabled_ns,
		   100.0 * (double)r->running_ns / (double)(r->enabled_ns ? r->enabled_ns : 1));
}

/* The ratio or rate beside an event. */
static void put_metric(struct json *j, const struct stat_row *r)
{
	if (!r->has_metric) {
		json_null(j, "metric");
		return;
	}
	json_begin(j, "metric", '{');
	json_number(j, "value", r->metric);
	json_string(j, "unit", r->metric_text);
	json_end(j, '}');
}

static void put_row(struct json *j, const struct stat_doc *d, const struct stat_row *r)
{
	json_begin(j, NULL, '{');
	json_string(j, kind_names[r->kind], r->name);
	json_string(j, "status", status_names[r->status]);
	put_number(j, "value", r->status == EVENT_COUNTED, r->value);
	json_string(j, "unit", r->unit);
	json_string(j, "reason", r->reason);
	if (r->kind != ROW_FIGURE) {
		json_string(j, "part", r->part_name);
		put_times(j, r);
	}
	if (r->kind == ROW_EVENT) {
		const struct event *leader = r->event->leader;

		json_string(j, "group", leader->nr_members > 1 ? leader->name : NULL);
		put_metric(j, r);
	}
	if (r->kind == ROW_METRIC)
		json_string(j, "what", r->measured->def->what);
	if (d->t->runs > 1)
		put_spread(j, "spread", r, d->o->confidence);
	else
		json_null(j, "spread");
	json_end(j, '}');
}

static void put_rows(struct json *j, const char *key, const struct stat_doc *d, enum row_kind kind)
{
	unsigned int i;

	json_begin(j, key, '[');
	for (i = 0; i < d->t->nr; i++)
		if (d->t->v[i].kind == kind)
			put_row(j, d, &d->t->v[i]);
	json_end(j, ']');
}

static void put_effect(struct json *j, const struct effect *e)
{
	bool percent = e->tested && e->has_percent;

	if (!e->a.nr || !e->b.nr) {
		json_null(j, "effect");
		return;
	}
	json_begin(j, "effect", '{');
	json_number(j, "difference", e->difference);
	put_number(j, "percent", e->has_percent, e->percent);
	put_number(j, "low_percent", percent, e->low_percent);
	put_number(j, "high_percent", percent, e->high_percent);
	put_number(j, "p", e->tested, e->p);
	put_number(j, "p_adjusted", e->tested, e->p_adjusted);
	if (e->tested)
		json_bool(j, "significant", e->significant);
	else
		json_null(j, "significant");
	put_number(j, "detectable_percent", percent, e->detectable_percent);
	json_end(j, '}');
}

static void put_measures(struct json *j, const struct stat_doc *d)
{
	const struct comparison *vs = d->vs;
	unsigned int i;

	json_begin(j, "measures", '[');
	for (i = 0; i < vs->a->nr; i++) {
		const struct stat_row *a = &vs->a->v[i], *b = &vs->b->v[i];
		const struct stat_row *worse = a->status == EVENT_COUNTED ? b : a;

		json_begin(j, NULL, '{');
		json_string(j, "name", a->name);
		json_string(j, "kind", kind_names[a->kind]);
		json_string(j, "unit", a->unit);
		json_string(j, "status", status_names[worse->status]);
		json_string(j, "reason", worse->reason);
		put_spread(j, "a", a, d->o->confidence);
		put_spread(j, "b", b, d->o->confidence);
		put_number(j, "running_percent_a", a->enabled_ns,
			   100.0 * (double)a->running_ns / (double)(a->enabled_ns ? a->enabled_ns : 1));
		put_number(j, "running_percent_b", b->enabled_ns,
			   100.0 * (double)b->running_ns / (double)(b->enabled_ns ? b->enabled_ns : 1));
		put_effect(j, &vs->effect[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_cold(struct json *j, const struct cold *d)
{
	unsigned int i;
	u64 bytes = 0;

	if (!d->wanted) {
		json_null(j, "cold");
		return;
	}
	for (i = 0; i < d->cpus; i++)
		bytes += d->walk[i];
	json_begin(j, "cold", '{');
	json_u64(j, "cpus", d->cpus);
	json_u64(j, "walked_bytes", bytes);
	json_bool(j, "sizes_known", !d->guessed);
	json_bool(j, "page_cache_dropped", d->page_cache);
	json_begin(j, "files", '[');
	for (i = 0; i < ARRAY_SIZE(d->file); i++) {
		const struct cold_file *c = &d->file[i];

		if (!c->path)
			continue;
		json_begin(j, NULL, '{');
		json_string(j, "file", c->path);
		put_number(j, "pages", c->tried, (double)c->pages);
		put_number(j, "pages_left", c->tried, (double)c->left);
		json_end(j, '}');
	}
	json_end(j, ']');
	json_end(j, '}');
}

static void put_comparison(struct json *j, const struct stat_doc *d)
{
	const struct stat_opts *o = d->o;
	unsigned int i;

	put_command(j, "command_a", o->argv);
	put_command(j, "command_b", o->vs);
	put_target(j, &o->target);
	json_string(j, "note", o->note);
	json_u64(j, "pairs", d->t->runs);
	json_u64(j, "warmup", (u64)o->warmup);
	json_string(j, "order", order_names[o->order]);
	if (o->order == ORDER_RANDOM)
		json_u64(j, "seed", o->seed);
	else
		json_null(j, "seed");
	json_number(j, "confidence_percent", o->confidence * 100);
	json_string(j, "correction", "holm");
	put_cold(j, &o->cold);
	json_u64(j, "failed_a", d->vs->a->failed);
	json_u64(j, "failed_b", d->vs->b->failed);
	put_measures(j, d);
	json_begin(j, "rules", '[');
	for (i = 0; i < o->nr_rules; i++) {
		json_begin(j, NULL, '{');
		json_string(j, "rule", o->rules[i].text);
		json_number(j, "bound_percent", o->rules[i].bound_percent);
		json_number(j, "confidence_percent", o->rules[i].confidence * 100);
		json_bool(j, "broken", d->vs->broken[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_totals(struct json *j, const struct stat_doc *d)
{
	put_command(j, "command", d->o->argv);
	put_target(j, &d->o->target);
	json_string(j, "note", d->o->note);
	if (d->interval) {
		json_number(j, "time_s", d->time_s);
	} else {
		json_u64(j, "runs", d->t->runs);
		json_u64(j, "failed", d->t->failed);
		json_number(j, "confidence_percent", d->o->confidence * 100);
		put_cold(j, &d->o->cold);
	}
	put_rows(j, "events", d, ROW_EVENT);
	put_rows(j, "metrics", d, ROW_METRIC);
	if (!d->interval)
		put_rows(j, "figures", d, ROW_FIGURE);
}

void out_json(const struct stat_doc *d)
{
	struct json j = { .f = d->o->out };

	json_begin(&j, NULL, '{');
	json_string(&j, "schema", "pcl-stat-1");
	json_string(&j, "form", d->vs ? "comparison" : d->interval ? "interval" : "totals");
	if (d->vs)
		put_comparison(&j, d);
	else
		put_totals(&j, d);
	json_end(&j, '}');
}
