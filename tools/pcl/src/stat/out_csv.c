// SPDX-License-Identifier: GPL-2.0
/*
 * The lines that pcl stat -x prints: one measure a line, fields in fixed order.
 *
 * Concepts: of events: [seconds,][part,]value,unit,event,[deviation %,]running
 * ns,running %,metric,metric unit. Of a comparison:
 * name,unit,mean A,deviation % A,mean B,deviation % B,effect %,low %,high
 * %,p,adjusted p,verdict. A value that is absent reads "<not counted>" or
 * "<not supported>"; another field, nothing. A field that holds the separator
 * is quoted.
 * Contexts: end of stat, or of each interval.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

static void put_text(const struct stat_opts *o, const char *s)
{
	if (!strchr(s, o->sep) && !strchr(s, '"')) {
		fputs(s, o->out);
		return;
	}
	fputc('"', o->out);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', o->out);
		fputc(*s, o->out);
	}
	fputc('"', o->out);
}

/* Values of a unit have a fraction; the mean of several runs, too. */
static void put_value(const struct stat_opts *o, const struct stat_row *r, bool fraction)
{
	if (r->status == EVENT_NOT_SUPPORTED)
		fputs("<not supported>", o->out);
	else if (r->status == EVENT_NOT_COUNTED)
		fputs("<not counted>", o->out);
	else
		fprintf(o->out, r->unit || fraction || r->kind == ROW_METRIC ? "%.6f" : "%.0f", r->value);
}

static double deviation_percent(const struct spread *s)
{
	return s->mean > 0 ? s->dev / s->mean * 100 : 0;
}

static void put_row(const struct stat_doc *d, const struct stat_row *r)
{
	const struct stat_opts *o = d->o;
	char sep = o->sep;

	if (d->interval)
		fprintf(o->out, "%.9f%c", d->time_s, sep);
	if (r->part_name) {
		put_text(o, visible(r->part_name));
		fputc(sep, o->out);
	}
	put_value(o, r, false);
	fprintf(o->out, "%c%s%c", sep, r->unit ? r->unit : "", sep);
	put_text(o, r->name);
	if (d->t->runs > 1)
		fprintf(o->out, "%c%.2f%%", sep, deviation_percent(&r->spread));
	fprintf(o->out, "%c%llu%c%.2f%c", sep, (unsigned long long)r->running_ns, sep,
		r->enabled_ns ? 100.0 * (double)r->running_ns / (double)r->enabled_ns : 0.0, sep);
	if (r->has_metric)
		fprintf(o->out, "%.6g%c%s", r->metric, sep, r->metric_text);
	else
		fputc(sep, o->out);
	fputc('\n', o->out);
}

static void put_effect(const struct stat_opts *o, const struct effect *e)
{
	char sep = o->sep;

	if (e->has_percent)
		fprintf(o->out, "%.4f", e->percent);
	if (e->has_percent && e->tested)
		fprintf(o->out, "%c%.4f%c%.4f%c", sep, e->low_percent, sep, e->high_percent, sep);
	else
		fprintf(o->out, "%c%c%c", sep, sep, sep);
	if (e->tested)
		fprintf(o->out, "%.6g%c%.6g%c%s", e->p, sep, e->p_adjusted, sep,
			!e->significant ? "~" : e->difference > 0 ? "more" : "less");
	else
		fprintf(o->out, "%c%c", sep, sep);
	fputc('\n', o->out);
}

static void put_pair(const struct stat_doc *d, unsigned int i)
{
	const struct stat_row *a = &d->vs->a->v[i], *b = &d->vs->b->v[i];
	const struct stat_opts *o = d->o;
	char sep = o->sep;

	put_text(o, a->name);
	fprintf(o->out, "%c%s%c", sep, a->unit ? a->unit : "", sep);
	put_value(o, a, true);
	fprintf(o->out, "%c%.4f%c", sep, deviation_percent(&a->spread), sep);
	put_value(o, b, true);
	fprintf(o->out, "%c%.4f%c", sep, deviation_percent(&b->spread), sep);
	put_effect(o, &d->vs->effect[i]);
}

void out_csv(const struct stat_doc *d)
{
	unsigned int i;

	for (i = 0; i < d->t->nr; i++) {
		if (d->vs)
			put_pair(d, i);
		else if (d->t->v[i].kind != ROW_FIGURE)
			put_row(d, &d->t->v[i]);
	}
}
