// SPDX-License-Identifier: GPL-2.0
/*
 * The table of pcl stat --vs: A, B, and what B is to A.
 *
 * Concepts: a line for each measure: both means with the deviation of the
 * runs, the difference with its interval, and a verdict: more, less, or "~"
 * when the runs do not show any. Colour is for verdicts only.
 * Contexts: end of stat.
 * Locks: none.
 */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

#define GREEN	"\033[32m"
#define RED	"\033[31m"
#define PLAIN	"\033[0m"

/* Where 80 columns must do, deviations and outliers are left to -j. */
static bool narrow(const struct stat_doc *d)
{
	unsigned int width = term_width(d->o->out);

	return width && width < 120;
}

static void print_side(const struct stat_doc *d, const struct stat_row *r, const struct spread *s)
{
	FILE *f = d->o->out;
	char mean[48];

	if (!s->nr)
		fprintf(f, " %13s", r->status == EVENT_NOT_SUPPORTED ? "not supported" :
			"not counted");
	else
		fprintf(f, " %13s", value_text(mean, sizeof(mean), s->mean, r->unit));
	if (narrow(d))
		return;
	if (s->nr && s->mean != 0)
		fprintf(f, " %6.2f%%", s->dev / fabs(s->mean) * 100);
	else
		fprintf(f, " %7s", "");
}

/* "+1.25%"; the large ones, which mean little, without a fraction. */
static const char *percent_text(char *buf, size_t size, double v, int decimals)
{
	if (fabs(v) < 1e6)
		snprintf(buf, size, "%+.*f%%", fabs(v) < 1000 ? decimals : 0, v);
	else
		snprintf(buf, size, v > 0 ? ">+1e6%%" : "<-1e6%%");
	return buf;
}

static void print_effect(const struct stat_doc *d, const struct effect *e, const char *unit)
{
	const char *verdict = e->significant ? e->difference > 0 ? "more" : "less" : "~";
	bool colour = e->significant && colour_ok(d->o->out);
	int decimals = narrow(d) ? 1 : 2, width = decimals + 6;
	char text[48], low[16] = "", high[16] = "";
	FILE *f = d->o->out;

	if (e->has_percent && e->tested) {
		percent_text(low, sizeof(low), e->low_percent, decimals);
		percent_text(high, sizeof(high), e->high_percent, decimals);
	}
	if (e->has_percent)
		percent_text(text, sizeof(text), e->percent, 2);
	else
		value_text(text, sizeof(text), e->difference, unit);
	if (colour)
		fputs(e->difference > 0 ? RED : GREEN, f);
	fprintf(f, " %8s %*s%s%*s %s", text, width, low, *low ? ".." : "  ", width, high,
		e->tested ? verdict : "?");
	if (colour)
		fputs(PLAIN, f);
}

static void print_row(const struct stat_doc *d, unsigned int i)
{
	const struct stat_row *a = &d->vs->a->v[i], *b = &d->vs->b->v[i];
	const struct effect *e = &d->vs->effect[i];
	u64 enabled_ns = a->enabled_ns + b->enabled_ns, running_ns = a->running_ns + b->running_ns;
	FILE *f = d->o->out;

	fprintf(f, " %-20s", a->name);
	print_side(d, a, &e->a);
	print_side(d, b, &e->b);
	if (e->a.nr && e->b.nr)
		print_effect(d, e, a->unit);
	if ((e->a.outliers || e->b.outliers) && !narrow(d))
		fprintf(f, "  out: %u, %u", e->a.outliers, e->b.outliers);
	if (running_ns < enabled_ns)
		fprintf(f, " (%.2f%%)", 100.0 * (double)running_ns / (double)enabled_ns);
	if ((e->a.nr || e->b.nr) && (e->a.nr < d->t->runs || e->b.nr < d->t->runs))
		fprintf(f, " (in %u and %u runs)", e->a.nr, e->b.nr);
	fputc('\n', f);
}

static void print_failed(FILE *f, char name, const struct stat_table *t)
{
	if (t->failed)
		fprintf(f, " %u of %u runs of %c ended with a status that is not 0 (the first: %d); what they did may not be what they should\n",
			t->failed, t->runs, name, t->failed_status);
}

/* What the verdicts mean, and how small a difference could have been seen. */
static void print_power(const struct stat_doc *d)
{
	static const char *const orders[] = {
		[ORDER_RANDOM] = "in random order", [ORDER_ABBA] = "each first by turns",
		[ORDER_AB] = "A always first",
	};
	const struct stat_opts *o = d->o;
	const struct effect *e = &d->vs->effect[d->t->nr - NR_FIGURES + FIGURE_ELAPSED];
	unsigned int i, tests = 0;

	for (i = 0; i < d->t->nr; i++)
		tests += d->vs->effect[i].tested;
	fprintf(o->out, "\n %u pairs of runs, %s", d->t->runs, orders[o->order]);
	if (o->order == ORDER_RANDOM)
		fprintf(o->out, " (--seed %llu)", (unsigned long long)o->seed);
	if (o->warmup)
		fprintf(o->out, ", after %d of each not measured", o->warmup);
	fprintf(o->out, "\n");
	if (!tests) {
		fprintf(o->out, " one pair shows no significance; give more with -r\n");
		return;
	}
	fprintf(o->out, " more, less: with %g%% confidence over all %u measures (Welch, Holm);\n ~: no difference shown\n",
		o->confidence * 100, tests);
	/* tenfold and more is no figure to plan with */
	if (e->detectable_percent < 1000)
		fprintf(o->out, " a difference of %.3g%% in elapsed would have been found with a chance of 90%%\n",
			e->detectable_percent);
	else
		fprintf(o->out, " so few runs could show hardly any difference; give more with -r\n");
}

static void print_rules(const struct stat_doc *d)
{
	unsigned int i;

	for (i = 0; i < d->o->nr_rules; i++)
		fprintf(d->o->out, " --fail-if %s: %s at %g%% confidence\n", d->o->rules[i].text,
			d->vs->broken[i] ? "BROKEN" : "not broken", d->o->rules[i].confidence * 100);
}

void out_vs(const struct stat_doc *d)
{
	FILE *f = d->o->out;
	char interval[32];
	unsigned int i;

	out_heading(d);
	snprintf(interval, sizeof(interval), "%g%% interval", d->o->confidence * 100);
	if (narrow(d))
		fprintf(f, " %-20s %13s %13s %8s %16s\n", "", "A", "B", "B to A", interval);
	else
		fprintf(f, " %-20s %13s %7s %13s %7s %8s %18s\n", "", "A", "dev", "B", "dev",
			"B to A", interval);
	for (i = 0; i < d->t->nr; i++)
		print_row(d, i);
	out_reasons(d);
	print_power(d);
	cold_print(&d->o->cold, f);
	print_failed(f, 'A', d->vs->a);
	print_failed(f, 'B', d->vs->b);
	print_rules(d);
	fputc('\n', f);
}
