// SPDX-License-Identifier: GPL-2.0
/*
 * The table of pcl stat -r: what several runs have in common, and how they
 * differ.
 *
 * Concepts: a line for each measure: mean, interval of the mean, deviation of
 * the runs, least, most, outliers; the ratio of the means beside.
 * Contexts: end of stat.
 * Locks: none.
 */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

/* Where 80 columns must do, deviation and ratio are left to -j. */
static bool narrow(const struct stat_doc *d)
{
	unsigned int width = term_width(d->o->out);

	return width && width < 120;
}

static void print_more(const struct stat_doc *d, const struct stat_row *r)
{
	const struct spread *s = &r->spread;
	bool metric = r->has_metric && !narrow(d);
	FILE *f = d->o->out;

	if (s->outliers)
		fprintf(f, " %3u", s->outliers);
	else if (metric || s->nr < d->t->runs || r->running_ns < r->enabled_ns)
		fprintf(f, "    ");
	if (metric)
		fprintf(f, "  # %.*f %s", r->metric < 10 ? 3 : 2, r->metric, r->metric_text);
	if (r->running_ns < r->enabled_ns)
		fprintf(f, " (%.2f%%)", 100.0 * (double)r->running_ns / (double)r->enabled_ns);
	if (s->nr < d->t->runs)
		fprintf(f, " (in %u of %u runs)", s->nr, d->t->runs);
	fputc('\n', f);
}

static void print_row(const struct stat_doc *d, const struct stat_row *r)
{
	const struct spread *s = &r->spread;
	char mean[48], least[48], most[48];
	FILE *f = d->o->out;

	if (d->t->v[0].part_name)
		fprintf(f, " %-18s", r->part_name ? visible(r->part_name) : "");
	fprintf(f, " %-20s", r->name);
	if (r->status != EVENT_COUNTED) {
		fprintf(f, " %s\n", r->status == EVENT_NOT_SUPPORTED ? "<not supported>" :
			"<not counted>");
		return;
	}
	fprintf(f, " %13s", value_text(mean, sizeof(mean), s->mean, r->unit));
	if (s->mean != 0 && s->nr > 1)
		fprintf(f, " +-%7.2f%%",
			series_half_width(s, d->o->confidence) / fabs(s->mean) * 100);
	else
		fprintf(f, " %10s", "");
	if (s->mean != 0 && s->nr > 1 && !narrow(d))
		fprintf(f, " %7.2f%%", s->dev / fabs(s->mean) * 100);
	else if (!narrow(d))
		fprintf(f, " %8s", "");
	fprintf(f, " %13s %13s", value_text(least, sizeof(least), s->min, r->unit),
		value_text(most, sizeof(most), s->max, r->unit));
	print_more(d, r);
}

void out_runs(const struct stat_doc *d)
{
	const struct stat_opts *o = d->o;
	unsigned int i;
	char at[32];

	out_heading(d);
	snprintf(at, sizeof(at), "at %g%%", o->confidence * 100);
	if (d->t->v[0].part_name)
		fprintf(o->out, " %-18s", "");
	fprintf(o->out, " %-20s %13s %10s", "", "mean", at);
	if (!narrow(d))
		fprintf(o->out, " %8s", "dev");
	fprintf(o->out, " %13s %13s %3s\n", "least", "most", "out");
	for (i = 0; i < d->t->nr; i++)
		if (d->t->v[i].kind != ROW_FIGURE || o->target.by_command || i + NR_FIGURES == d->t->nr)
			print_row(d, &d->t->v[i]);
	out_reasons(d);
	if (d->t->failed)
		fprintf(o->out, "\n %u of %u runs ended with a status that is not 0 (the first: %d)\n",
			d->t->failed, d->t->runs, d->t->failed_status);
	cold_print(&o->cold, o->out);
	fputc('\n', o->out);
}
