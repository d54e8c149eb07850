// SPDX-License-Identifier: GPL-2.0
/*
 * A comparison as text, and as a JSON document.
 *
 * Concepts: shares are in per cent of all samples of a run, differences in
 * points of that. What is significant stands out; what is not has no mark.
 * Contexts: diff, at the end.
 * Locks: none.
 */
#include <math.h>
#include <string.h>

#include "internal.h"
#include "diff/diff.h"

static const char *const side_names[NR_SIDES] = { "A", "B" };

static void print_side(const struct diff *d, enum side side)
{
	const struct file_set *s = &d->o->files[side];
	unsigned int first = side == SIDE_A ? 0 : d->o->files[SIDE_A].nr, i;
	u64 samples = 0;

	for (i = first; i < first + s->nr; i++)
		samples += d->totals[i].samples;
	printf("# %s: %s", side_names[side], s->v[0]);
	if (s->nr > 1)
		printf(" and %u more", s->nr - 1);
	printf(": %llu samples, %.0f events%s\n", (unsigned long long)samples,
	       diff_period(d, NULL, side), s->nr > 1 ? " a run" : "");
}

/* A column of the table, if it is one here; the last one is not padded. How wide it became. */
static unsigned int print_key(const struct diff *d, enum sort_key key, const char *text)
{
	static const int widths[] = { [SORT_COMM] = 16, [SORT_OBJECT] = 20, [SORT_SYMBOL] = 0 };
	bool last = true;
	unsigned int k;

	if (!view_has_key(&d->o->view, key))
		return 0;
	for (k = key + 1; k <= SORT_SYMBOL; k++)
		last &= !view_has_key(&d->o->view, k);
	return (unsigned int)printf("  %-*s", last ? 0 : widths[key], visible(text));
}

static void print_head(const struct diff *d)
{
	double a = diff_period(d, NULL, SIDE_A), b = diff_period(d, NULL, SIDE_B);

	printf("# event '%s'\n", visible(d->event));
	print_side(d, SIDE_A);
	print_side(d, SIDE_B);
	if (a > 0)
		printf("# in all, B has %+.2f%% of the events of A\n", (b / a - 1) * 100);
	if (d->o->files[SIDE_A].nr < 2 || d->o->files[SIDE_B].nr < 2)
		printf("# p knows of the noise of sampling only; with two runs or more on each side\n# it knows how runs differ\n");
	printf("# * significant at %g%%, corrected for all lines; few samples have no p\n#\n",
	       d->o->confidence * 100);
	printf("# %7s %8s %9s %9s %9s", "A", "B", "points", "events", "p");
	print_key(d, SORT_COMM, "command");
	print_key(d, SORT_OBJECT, "object");
	print_key(d, SORT_SYMBOL, "symbol");
	printf("\n#\n");
}

/* How the number of events a run has of a line changed: what became slower or faster as such. */
static double events_change(const struct diff *d, const struct diff_line *l)
{
	double a = diff_period(d, l, SIDE_A);

	return a > 0 ? (diff_period(d, l, SIDE_B) / a - 1) * 100 : INFINITY;
}

static void print_change(double percent)
{
	if (isfinite(percent) && percent < 99999)
		printf(" %+8.1f%%", percent);
	else
		printf(" %9s", "new");
}

static void print_p(const struct effect *e)
{
	if (!e->tested)
		printf(" %9s", "");
	else if (e->p_adjusted < 0.0001)
		printf("  <0.0001%c", e->significant ? '*' : ' ');
	else
		printf("   %.4f%c", e->p_adjusted, e->significant ? '*' : ' ');
}

static const char *colour_of(const struct diff *d, const struct effect *e)
{
	if (!d->o->colour || !e->significant)
		return "";
	return e->difference > 0 ? "\033[31m" : "\033[32m";
}

static bool line_shown(const struct diff *d, const struct diff_line *l)
{
	return fabs(l->effect.difference) >= d->o->limit &&
	       (l->effect.significant || !d->o->only_significant);
}

static void print_line(const struct diff *d, const struct diff_line *l)
{
	const struct effect *e = &l->effect;
	const char *colour = colour_of(d, e);
	unsigned int screen = term_width(stdout), used = 49;

	printf("%s%8.2f%% %7.2f%% %+9.2f", colour, e->a.mean, e->b.mean, e->difference);
	print_change(events_change(d, l));
	print_p(e);
	if (l->comm)
		used += print_key(d, SORT_COMM, l->comm);
	if (l->object)
		used += print_key(d, SORT_OBJECT, l->object);
	if (l->symbol)
		printf("  %.*s", screen > used + 2 ? (int)(screen - used - 2) : screen ? 0 : -1,
		       visible(l->symbol));
	printf("%s\n", *colour ? "\033[0m" : "");
}

void diff_print(const struct diff *d)
{
	u32 i, shown = 0;

	print_head(d);
	for (i = 0; i < d->nr_lines; i++) {
		if (!line_shown(d, &d->lines[d->order[i]]))
			continue;
		print_line(d, &d->lines[d->order[i]]);
		shown++;
	}
	if (!d->nr_lines)
		printf("# no sample is of what is asked for\n");
	else if (!shown)
		printf("# none of %u line%s differs %s\n", d->nr_lines, d->nr_lines == 1 ? "" : "s",
		       d->o->only_significant ? "by more than noise" : "enough to be shown");
}

static void put_side(struct json *j, const struct diff *d, enum side side)
{
	unsigned int first = side == SIDE_A ? 0 : d->o->files[SIDE_A].nr, i;

	json_begin(j, side_names[side], '[');
	for (i = first; i < first + d->o->files[side].nr; i++) {
		json_begin(j, NULL, '{');
		json_string(j, "file", d->o->files[side].v[i - first]);
		json_u64(j, "samples", d->totals[i].samples);
		json_u64(j, "period", d->totals[i].period);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_line(struct json *j, const struct diff *d, const struct diff_line *l)
{
	const struct effect *e = &l->effect;
	double events = events_change(d, l);

	json_begin(j, NULL, '{');
	if (view_has_key(&d->o->view, SORT_COMM))
		json_string(j, "comm", l->comm);
	json_string(j, "object", l->object);
	json_string(j, "symbol", l->symbol);
	json_number(j, "share_a_percent", e->a.mean);
	json_number(j, "share_b_percent", e->b.mean);
	json_number(j, "difference_points", e->difference);
	json_number(j, "events_a", diff_period(d, l, SIDE_A));
	json_number(j, "events_b", diff_period(d, l, SIDE_B));
	if (isfinite(events))
		json_number(j, "events_change_percent", events);
	else
		json_null(j, "events_change_percent");
	if (e->tested) {
		json_number(j, "p", e->p);
		json_number(j, "p_adjusted", e->p_adjusted);
	} else {
		json_null(j, "p");
		json_null(j, "p_adjusted");
	}
	json_bool(j, "significant", e->tested && e->significant);
	json_end(j, '}');
}

void diff_print_json(const struct diff *d)
{
	struct json j = { .f = stdout };
	u32 i;

	json_begin(&j, NULL, '{');
	json_string(&j, "schema", "pcl-diff");
	json_u64(&j, "version", 1);
	json_string(&j, "event", d->event);
	json_number(&j, "confidence", d->o->confidence);
	json_string(&j, "noise", d->o->files[SIDE_A].nr < 2 || d->o->files[SIDE_B].nr < 2 ?
		    "sampling" : "runs");
	put_side(&j, d, SIDE_A);
	put_side(&j, d, SIDE_B);
	json_begin(&j, "lines", '[');
	for (i = 0; i < d->nr_lines; i++)
		if (line_shown(d, &d->lines[d->order[i]]))
			put_line(&j, d, &d->lines[d->order[i]]);
	json_end(&j, ']');
	json_end(&j, '}');
}
