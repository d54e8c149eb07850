// SPDX-License-Identifier: GPL-2.0
/*
 * The table that pcl stat prints for people, of one run or one interval.
 *
 * Concepts: value, unit, name, metric, and the part of the time the event held
 * a counter when that is not all of it. What was not counted says why below
 * the table.
 * Contexts: end of stat, or of each interval.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

/* How many intervals the curve beside a running count shows. */
enum { COURSE_CELLS = 12 };

/* The column behind value, name and ratio. */
enum { METRIC_END = 82 };

static const char *status_text(enum event_status s)
{
	return s == EVENT_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

/* A value with its unit, as short as people like it: 12.30 msec, 1.25 MiB, 1,234. */
const char *value_text(char *buf, size_t size, double v, const char *unit)
{
	static const struct step {
		const char *unit;
		double at, by;
		const char *text;
	} steps[] = {
		{ "s", 1, 1, "s" }, { "s", 1e-3, 1e3, "ms" }, { "s", 0, 1e6, "us" },
		{ "bytes", 1 << 30, 1.0 / (1 << 30), "GiB" },
		{ "bytes", 1 << 20, 1.0 / (1 << 20), "MiB" },
		{ "bytes", 0, 1.0 / 1024, "KiB" },
	};
	bool whole = fabs(v - round(v)) < 1e-9 * (1 + fabs(v));
	char digits[32];
	size_t i;

	for (i = 0; unit && i < ARRAY_SIZE(steps); i++)
		if (!strcmp(unit, steps[i].unit) && fabs(v) >= steps[i].at) {
			snprintf(buf, size, "%.2f %s", v * steps[i].by, steps[i].text);
			return buf;
		}
	if (unit)
		snprintf(buf, size, "%.2f %s", v, unit);
	else if (v < 0 || (v < 1000 && !whole))
		snprintf(buf, size, fabs(v) < 10 ? "%.3f" : "%.2f", v);
	else
		snprintf(buf, size, "%s", format_thousands(digits, (u64)llround(v)));
	return buf;
}

static void print_command(FILE *f, char **argv)
{
	unsigned int i;

	for (i = 0; argv[i]; i++)
		fprintf(f, "%s%s", i ? " " : "'", argv[i]);
	fputc('\'', f);
}

/* What was measured, and a remark on the set of events. */
void out_heading(const struct stat_doc *d)
{
	const struct stat_opts *o = d->o;

	fprintf(o->out, "\n Performance counters of ");
	if (o->argv)
		print_command(o->out, o->argv);
	else if (o->target.cgroups)
		fprintf(o->out, "%u cgroup%s", o->target.tids.nr,
			o->target.tids.nr == 1 ? "" : "s");
	else if (o->target.system_wide)
		fprintf(o->out, "%u CPUs", o->target.cpus.nr);
	else
		fprintf(o->out, "%u thread%s", o->target.tids.nr,
			o->target.tids.nr == 1 ? "" : "s");
	if (d->vs) {
		fprintf(o->out, " (A)\n and of ");
		print_command(o->out, o->vs);
		fprintf(o->out, " (B)");
	}
	if (d->t->runs > 1)
		fprintf(o->out, ", %u runs%s", d->t->runs, d->vs ? " of each" : "");
	fprintf(o->out, ":\n\n");
	if (o->note)
		fprintf(o->out, " NOTE: %s\n\n", o->note);
}

/* Is the terminal too narrow for ratio and curve? Then running counts go without the ratio. */
static bool narrow(const struct stat_doc *d)
{
	return d->interval && d->history && term_is(d->o->out) &&
	       term_width(d->o->out) < METRIC_END + COURSE_CELLS + 15;
}

/* The room for a curve at the end of a line; 0: there is none. */
static unsigned int course_cells(const struct stat_doc *d)
{
	unsigned int width;

	if (!d->history || !term_is(d->o->out))
		return 0;
	if (d->interval)
		return COURSE_CELLS;
	width = term_width(d->o->out);
	return width < METRIC_END + 2 + COURSE_CELLS ? 0 : width - METRIC_END - 2;
}

/* The course of the intervals until now, or of all at the end. */
static void print_course(const struct stat_doc *d, unsigned int i, unsigned int cells)
{
	const struct series *s = &d->history[i];
	unsigned int last = d->interval && s->nr > cells ? s->nr - cells : 0;
	char text[3 * SPARK_CELLS + 1];

	spark_text(text, s->v + last, s->nr - last, cells, term_utf8(d->o->out));
	fprintf(d->o->out, "  %s", text);
}

static void print_metric(const struct stat_doc *d, const struct stat_row *r, bool more)
{
	FILE *f = d->o->out;

	if (r->has_metric)
		fprintf(f, more ? " # %7.*f %-22s" : " # %7.*f %s", r->metric < 10 ? 3 : 2,
			r->metric, r->metric_text);
	else if (r->measured)
		fprintf(f, more ? " = %-30s" : " = %s", r->measured->def->what);
	else if (more)
		fprintf(f, " %32s", "");
}

static void print_row(const struct stat_doc *d, unsigned int nth)
{
	const struct stat_row *r = &d->t->v[nth];
	bool shared = r->status == EVENT_COUNTED && r->running_ns < r->enabled_ns;
	unsigned int cells = nth < d->nr_history ? course_cells(d) : 0;
	FILE *f = d->o->out;
	char digits[48];

	if (d->interval)
		fprintf(f, "%12.6f ", d->time_s);
	if (r->part_name)
		fprintf(f, " %-18s", visible(r->part_name));
	if (r->status != EVENT_COUNTED)
		snprintf(digits, sizeof(digits), "%s", status_text(r->status));
	else if (r->unit || r->kind == ROW_METRIC)
		snprintf(digits, sizeof(digits), r->unit ? "%.2f" : "%.3f", r->value);
	else
		format_thousands(digits, (u64)llround(r->value));
	fprintf(f, "%18s %-5s ", digits, r->unit ? r->unit : "");
	if (narrow(d)) {
		fprintf(f, "%-20s", r->name);
	} else {
		fprintf(f, r->has_metric || shared || cells || r->measured ? "%-24s" : "%s", r->name);
		print_metric(d, r, shared || cells);
	}
	if (shared)
		fprintf(f, " (%.2f%%)", 100.0 * (double)r->running_ns / (double)r->enabled_ns);
	if (cells)
		print_course(d, nth, cells);
	fputc('\n', f);
}

static bool same_reason(const struct stat_row *a, const struct stat_row *b)
{
	return a->reason && b->reason && !strcmp(a->reason, b->reason);
}

/* Figures of a command that there is none of are no gap in the table. */
static bool is_explained(const struct stat_doc *d, const struct stat_row *r)
{
	return r->reason && (r->kind != ROW_FIGURE || d->o->argv);
}

/* " names: reason", between words where the terminal ends. */
static void print_reason(FILE *f, const char *names, const char *reason)
{
	char *text = str_printf("%s: %s", names, reason);

	fputc(' ', f);
	words_print_to(f, text, 1, 1, term_width(f));
	fputc('\n', f);
	free(text);
}

/* Why some rows have no value; rows with one reason share its line. */
void out_reasons(const struct stat_doc *d)
{
	const struct stat_table *t = d->t;
	FILE *f = d->o->out;
	char *names, *longer;
	bool any = false;
	unsigned int i, k;

	for (i = 0; i < t->nr; i++) {
		if (!is_explained(d, &t->v[i]))
			continue;
		for (k = 0; k < i && !same_reason(&t->v[k], &t->v[i]); k++)
			;
		if (k < i)
			continue;
		fputs(any ? "" : "\n", f);
		names = str_dup(t->v[i].name);
		for (k = i + 1; k < t->nr; k++)
			if (same_reason(&t->v[k], &t->v[i]) && strcmp(t->v[k].name, t->v[k - 1].name)) {
				longer = str_printf("%s, %s", names, t->v[k].name);
				free(names);
				names = longer;
			}
		print_reason(f, names, t->v[i].reason);
		free(names);
		any = true;
	}
}

static void print_figures(const struct stat_doc *d)
{
	const struct stat_row *r = table_figure(d->t, FIGURE_ELAPSED);
	FILE *f = d->o->out;

	fprintf(f, "\n%18.6f seconds elapsed\n", r[FIGURE_ELAPSED].value);
	if (!d->o->argv || !d->o->target.by_command)
		return;
	fprintf(f, "%18.6f seconds user\n%18.6f seconds sys\n", r[FIGURE_USER].value,
		r[FIGURE_SYS].value);
	if (r[FIGURE_PEAK_RSS].status == EVENT_COUNTED)
		fprintf(f, "%18.2f MiB of memory at most, ", r[FIGURE_PEAK_RSS].value / (1 << 20));
	else
		fprintf(f, "%18s memory at most, ", "<not counted>");
	fprintf(f, "%.0f soft and %.0f hard faults\n", r[FIGURE_SOFT_FAULTS].value,
		r[FIGURE_HARD_FAULTS].value);
	fprintf(f, "%18.0f voluntary and %.0f involuntary switches\n", r[FIGURE_VOLUNTARY].value,
		r[FIGURE_INVOLUNTARY].value);
}

void out_text(const struct stat_doc *d)
{
	unsigned int i;

	if (!d->interval)
		out_heading(d);
	for (i = 0; i < d->t->nr; i++)
		if (d->t->v[i].kind != ROW_FIGURE)
			print_row(d, i);
	if (d->interval)
		return;
	out_reasons(d);
	print_figures(d);
	cold_print(&d->o->cold, d->o->out);
	fputc('\n', d->o->out);
}

/* In the form that was asked for. */
void out_doc(const struct stat_doc *d)
{
	if (d->o->json)
		out_json(d);
	else if (d->o->sep)
		out_csv(d);
	else if (d->vs)
		out_vs(d);
	else if (d->t->runs > 1)
		out_runs(d);
	else
		out_text(d);
	fflush(d->o->out);
}
