// SPDX-License-Identifier: GPL-2.0
/*
 * The lines that pcl stat -x prints: one event a line, fields in fixed order.
 *
 * Concepts: [seconds,]value,unit,event,[deviation %,]running ns,running %,
 * metric,metric unit. A value that is absent reads "<not counted>" or
 * "<not supported>". A field that holds the separator is quoted.
 * Contexts: end of stat, or of each interval.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"

static void put_text(const struct stat_doc *d, const char *s)
{
	if (!strchr(s, d->sep) && !strchr(s, '"')) {
		fputs(s, d->out);
		return;
	}
	fputc('"', d->out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', d->out);
		fputc(*s, d->out);
	}
	fputc('"', d->out);
}

static void put_row(const struct stat_doc *d, const struct stat_row *r)
{
	if (d->interval)
		fprintf(d->out, "%.9f%c", d->time_s, d->sep);
	if (r->status == EVENT_NOT_SUPPORTED)
		fputs("<not supported>", d->out);
	else if (r->status == EVENT_NOT_COUNTED)
		fputs("<not counted>", d->out);
	else
		fprintf(d->out, r->event->unit ? "%.6f" : "%.0f", r->value);
	fprintf(d->out, "%c%s%c", d->sep, r->event->unit ? r->event->unit : "", d->sep);
	put_text(d, r->event->name);
	if (d->runs > 1)
		fprintf(d->out, "%c%.2f%%", d->sep, r->value > 0 ? r->dev / r->value * 100 : 0);
	fprintf(d->out, "%c%llu%c%.2f%c", d->sep, (unsigned long long)r->running_ns, d->sep,
		r->enabled_ns ? 100.0 * (double)r->running_ns / (double)r->enabled_ns : 0.0,
		d->sep);
	if (r->has_metric)
		fprintf(d->out, "%.6g%c%s", r->metric, d->sep, r->metric_text);
	else
		fputc(d->sep, d->out);
	fputc('\n', d->out);
}

void out_csv(const struct stat_doc *d)
{
	unsigned int i;

	for (i = 0; i < d->nr_rows; i++)
		put_row(d, &d->rows[i]);
}
