// SPDX-License-Identifier: GPL-2.0
/*
 * The table that pcl stat prints for people.
 *
 * Concepts: value, unit, name, metric, and the part of the time the event held
 * a counter when that is not all of it. What was not counted says why below
 * the table.
 * Contexts: end of stat, or of each interval.
 * Locks: none.
 */
#include <math.h>
#include <string.h>

#include "internal.h"

static const char *status_text(enum event_status s)
{
	return s == EVENT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

static void print_target(const struct stat_doc *d)
{
	unsigned int i;

	if (d->argv) {
		for (i = 0; d->argv[i]; i++)
			fprintf(d->out, "%s%s", i ? " " : "'", d->argv[i]);
		fputc('\'', d->out);
	} else if (d->target->system_wide) {
		fprintf(d->out, "%u CPUs", d->target->cpus.nr);
	} else {
		fprintf(d->out, "%u thread%s", d->target->tids.nr,
			d->target->tids.nr == 1 ? "" : "s");
	}
	if (d->runs > 1)
		fprintf(d->out, " (mean of %u runs, +- standard deviation)", d->runs);
}

static void print_value(const struct stat_doc *d, const struct stat_row *r)
{
	char digits[32];

	if (r->status != EVENT_COUNTED)
		snprintf(digits, sizeof(digits), "%s", status_text(r->status));
	else if (r->event->unit)
		snprintf(digits, sizeof(digits), "%.2f", r->value);
	else
		format_thousands(digits, (u64)llround(r->value));
	fprintf(d->out, "%20s %-5s ", digits, r->event->unit ? r->event->unit : "");
}

static void print_row(const struct stat_doc *d, const struct stat_row *r)
{
	bool shared = r->status == EVENT_COUNTED && r->running_ns < r->enabled_ns;
	bool more = r->has_dev || shared;

	if (d->interval)
		fprintf(d->out, "%12.6f ", d->time_s);
	print_value(d, r);
	fprintf(d->out, r->has_metric || more ? "%-28s" : "%s", r->event->name);
	if (r->has_metric)
		fprintf(d->out, more ? " # %8.*f %-22s" : " # %8.*f %s", r->metric < 10 ? 3 : 2,
			r->metric, r->metric_text);
	else if (more)
		fprintf(d->out, " %33s", "");
	if (r->has_dev)
		fprintf(d->out, " ( +- %.2f%% )", r->value > 0 ? r->dev / r->value * 100 : 0);
	if (shared)
		fprintf(d->out, " (%.2f%%)",
			100.0 * (double)r->running_ns / (double)r->enabled_ns);
	fputc('\n', d->out);
}

static void print_reasons(const struct stat_doc *d)
{
	bool any = false;
	unsigned int i, k;

	for (i = 0; i < d->nr_rows; i++) {
		const char *why = d->rows[i].event->reason;

		if (d->rows[i].status == EVENT_COUNTED || !why)
			continue;
		/* events refused for one reason share its line */
		for (k = 0; k < i; k++)
			if (d->rows[k].status != EVENT_COUNTED && d->rows[k].event->reason &&
			    !strcmp(d->rows[k].event->reason, why))
				break;
		if (k < i)
			continue;
		fprintf(d->out, "%s %s", any ? "" : "\n", d->rows[i].event->name);
		for (k = i + 1; k < d->nr_rows; k++)
			if (d->rows[k].status != EVENT_COUNTED && d->rows[k].event->reason &&
			    !strcmp(d->rows[k].event->reason, why))
				fprintf(d->out, ", %s", d->rows[k].event->name);
		fprintf(d->out, ": %s\n", why);
		any = true;
	}
}

void out_text(const struct stat_doc *d)
{
	unsigned int i;

	if (!d->interval) {
		fprintf(d->out, "\n Performance counters of ");
		print_target(d);
		fprintf(d->out, ":\n\n");
		if (d->note)
			fprintf(d->out, " NOTE: %s\n\n", d->note);
	}
	for (i = 0; i < d->nr_rows; i++)
		print_row(d, &d->rows[i]);
	if (d->interval)
		return;
	print_reasons(d);
	fprintf(d->out, "\n%20.6f seconds elapsed", d->time_s);
	if (d->runs > 1)
		fprintf(d->out, " ( +- %.2f%% )",
			d->time_s > 0 ? d->elapsed_dev / d->time_s * 100 : 0);
	fputc('\n', d->out);
	if (d->argv && d->target->by_command)
		fprintf(d->out, "%20.6f seconds user\n%20.6f seconds sys\n", d->user_s, d->sys_s);
	fputc('\n', d->out);
}
