// SPDX-License-Identifier: GPL-2.0
/*
 * The document that pcl stat -j prints; with -I one such document a line.
 *
 * Concepts: schema "pcl-stat-1". Numbers are numbers; what was not counted is
 * null, with "status" and "reason" beside it.
 * Contexts: end of stat, or of each interval.
 * Locks: none.
 */
#include "internal.h"

static const char *const status_names[] = {
	[EVENT_COUNTED] = "counted",
	[EVENT_NOT_COUNTED] = "not counted",
	[EVENT_NOT_SUPPORTED] = "not supported",
};

static void put_row(struct json *j, const struct stat_doc *d, const struct stat_row *r)
{
	const struct event *e = r->event;
	bool counted = r->status == EVENT_COUNTED;

	json_begin(j, NULL, '{');
	json_string(j, "event", e->name);
	json_string(j, "status", status_names[r->status]);
	if (counted)
		json_number(j, "value", r->value);
	else
		json_null(j, "value");
	json_string(j, "unit", e->unit);
	json_string(j, "reason", counted ? NULL : e->reason);
	json_u64(j, "enabled_ns", r->enabled_ns);
	json_u64(j, "running_ns", r->running_ns);
	if (r->enabled_ns)
		json_number(j, "running_percent",
			    100.0 * (double)r->running_ns / (double)r->enabled_ns);
	else
		json_null(j, "running_percent");
	json_string(j, "group", e->leader->nr_members > 1 ? e->leader->name : NULL);
	if (d->runs > 1)
		json_number(j, "stddev", r->dev);
	if (r->has_metric) {
		json_begin(j, "metric", '{');
		json_number(j, "value", r->metric);
		json_string(j, "unit", r->metric_text);
		json_end(j, '}');
	} else {
		json_null(j, "metric");
	}
	json_end(j, '}');
}

void out_json(const struct stat_doc *d)
{
	struct json j = { .f = d->out };
	unsigned int i;

	json_begin(&j, NULL, '{');
	json_string(&j, "schema", "pcl-stat-1");
	if (d->argv) {
		json_begin(&j, "command", '[');
		for (i = 0; d->argv[i]; i++)
			json_string(&j, NULL, d->argv[i]);
		json_end(&j, ']');
	} else {
		json_null(&j, "command");
	}
	json_string(&j, "note", d->note);
	json_number(&j, d->interval ? "time_s" : "elapsed_s", d->time_s);
	if (!d->interval) {
		json_u64(&j, "runs", d->runs);
		if (d->runs > 1)
			json_number(&j, "elapsed_stddev_s", d->elapsed_dev);
		if (d->argv) {
			json_number(&j, "user_s", d->user_s);
			json_number(&j, "sys_s", d->sys_s);
		}
	}
	json_begin(&j, "events", '[');
	for (i = 0; i < d->nr_rows; i++)
		put_row(&j, d, &d->rows[i]);
	json_end(&j, ']');
	json_end(&j, '}');
}
