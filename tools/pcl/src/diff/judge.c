// SPDX-License-Identifier: GPL-2.0
/*
 * Is a function's share different in B?
 *
 * Concepts: with two runs or more on each side, the shares of the runs are
 * numbers with a spread, and Welch's t test tells. With one
 * run on a side nothing is known of how runs differ; then samples are counted:
 * Fisher's exact test tells whether both sides could have been drawn from one
 * urn. That knows of the noise of sampling only. Many functions are looked at,
 * so p is Holm's.
 * Contexts: diff, after reading.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "diff/diff.h"

/*
 * A line with fewer samples on both sides together is not tested: it could
 * hardly show anything, and every test makes the others' correction stricter.
 * Which side the samples are on plays no part, so this does not bend p.
 */
enum { FEWEST = 10 };

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* One tail of the hypergeometric distribution: a hits in all_a of all, and beyond. */
static double tail(u64 a, u64 all_a, u64 hits, u64 all, int step)
{
	double k = (double)a, na = (double)all_a, h = (double)hits, n = (double)all;
	double most = fmin(na, h), least = fmax(0, na + h - n);
	double term = exp(log_choose(h, k) + log_choose(n - h, na - k) - log_choose(n, na));
	double sum = 0;

	while (k >= least && k <= most) {
		sum += term;
		if (term < sum * 1e-12)
			break;
		/* the ratio of neighbouring terms */
		if (step > 0)
			term *= (h - k) * (na - k) / ((k + 1) * (n - h - na + k + 1));
		else
			term *= k * (n - h - na + k) / ((h - k + 1) * (na - k + 1));
		k += step;
	}
	return sum;
}

/* Fisher's exact test, two sides: a of all_a samples here, b of all_b there. */
double counts_p(u64 a, u64 all_a, u64 b, u64 all_b)
{
	u64 hits = a + b, all = all_a + all_b;

	return fmin(1, 2 * fmin(tail(a, all_a, hits, all, 1), tail(a, all_a, hits, all, -1)));
}

/* The chance of such counts if B were just this many points above A (falls: below). One side. */
double counts_p_beyond(u64 a, u64 all_a, u64 b, u64 all_b, double points, bool falls)
{
	/* Agresti and Caffo 2000: with one hit and one miss more, small counts are judged well */
	double na = (double)all_a + 2, nb = (double)all_b + 2;
	double pa = ((double)a + 1) / na, pb = ((double)b + 1) / nb;
	double z = (pb - pa - points / 100) / sqrt(pa * (1 - pa) / na + pb * (1 - pb) / nb);

	return erfc((falls ? -z : z) / M_SQRT2) / 2;
}

static bool sides_single(const struct diff *d)
{
	return d->o->files[SIDE_A].nr < 2 || d->o->files[SIDE_B].nr < 2;
}

static struct series shares_of(const struct diff *d, const struct diff_line *l, enum side side)
{
	unsigned int first = side == SIDE_A ? 0 : d->o->files[SIDE_A].nr, i;
	struct series s = { 0 };

	for (i = first; i < first + d->o->files[side].nr; i++)
		series_add(&s, share_percent(l->v[i].period, d->totals[i].period));
	return s;
}

static struct portion sum_of(const struct diff *d, const struct portion *v, enum side side)
{
	unsigned int first = side == SIDE_A ? 0 : d->o->files[SIDE_A].nr, i;
	struct portion sum = { 0, 0 };

	for (i = first; i < first + d->o->files[side].nr; i++) {
		sum.samples += v[i].samples;
		sum.period += v[i].period;
	}
	return sum;
}

/* How many events a run has of a line (NULL: of all), on average. */
double diff_period(const struct diff *d, const struct diff_line *l, enum side side)
{
	return (double)sum_of(d, l ? l->v : d->totals, side).period /
	       (double)d->o->files[side].nr;
}

/*
 * The chance of such shares if B were just this many points above A (falls:
 * below). One side. Shares are compared as they are, not by their ratio: one
 * that was next to nothing has no ratio to speak of.
 */
static double shares_p_beyond(const struct spread *a, const struct spread *b, double points,
			      bool falls)
{
	double va = a->dev * a->dev / a->nr, vb = b->dev * b->dev / b->nr;
	double d = (b->mean - a->mean - points) * (falls ? -1 : 1), df;

	/* no run differs from another of its side: the permutation test, one split out of all */
	if (!(va + vb > 0))
		return d > 0 ? exp(-log_choose(a->nr + b->nr, a->nr)) : 1;
	/* Welch and Satterthwaite */
	df = (va + vb) * (va + vb) / (va * va / (a->nr - 1) + vb * vb / (b->nr - 1));
	return t_above(d / sqrt(va + vb), df);
}

static struct effect judge_line(const struct diff *d, const struct diff_line *l)
{
	struct series a = shares_of(d, l, SIDE_A), b = shares_of(d, l, SIDE_B);
	struct effect e = { .a = series_spread(&a), .b = series_spread(&b) };
	struct portion in_a = sum_of(d, l->v, SIDE_A), in_b = sum_of(d, l->v, SIDE_B);

	e.difference = e.b.mean - e.a.mean;
	e.tested = in_a.samples + in_b.samples >= FEWEST;
	if (e.tested && sides_single(d))
		e.p = counts_p(in_a.samples, sum_of(d, d->totals, SIDE_A).samples,
			       in_b.samples, sum_of(d, d->totals, SIDE_B).samples);
	else if (e.tested)
		e.p = fmin(1, 2 * fmin(shares_p_beyond(&e.a, &e.b, 0, false),
				       shares_p_beyond(&e.a, &e.b, 0, true)));
	series_free(&a);
	series_free(&b);
	return e;
}

static int cmp_line(const void *a, const void *b, void *arg)
{
	const struct diff_line *v = arg, *x = &v[*(const u32 *)a], *y = &v[*(const u32 *)b];
	double dx = fabs(x->effect.difference), dy = fabs(y->effect.difference);
	int c = 0;

	if (dx != dy)
		return dx > dy ? -1 : 1;
	if (x->symbol && y->symbol)
		c = strcmp(x->symbol, y->symbol);
	if (!c && x->object && y->object)
		c = strcmp(x->object, y->object);
	return c || !x->comm ? c : strcmp(x->comm, y->comm);
}

/* What of each line is to be believed; and the order of lines. */
void diff_judge(struct diff *d)
{
	struct effect *all = mem_zalloc(d->nr_lines, sizeof(*all));
	u32 i;

	for (i = 0; i < d->nr_lines; i++)
		all[i] = judge_line(d, &d->lines[i]);
	effects_correct(all, d->nr_lines, d->o->confidence);
	for (i = 0; i < d->nr_lines; i++)
		d->lines[i].effect = all[i];
	free(all);
	d->order = mem_zalloc(d->nr_lines, sizeof(*d->order));
	for (i = 0; i < d->nr_lines; i++)
		d->order[i] = i;
	qsort_r(d->order, d->nr_lines, sizeof(*d->order), cmp_line, d->lines);
}

static double p_beyond_rule(const struct diff *d, const struct diff_line *l, const struct rule *r)
{
	if (!sides_single(d))
		return shares_p_beyond(&l->effect.a, &l->effect.b, r->bound_percent, r->falls);
	return counts_p_beyond(sum_of(d, l->v, SIDE_A).samples, sum_of(d, d->totals, SIDE_A).samples,
			       sum_of(d, l->v, SIDE_B).samples, sum_of(d, d->totals, SIDE_B).samples,
			       r->bound_percent, r->falls);
}

/* What a rule calls this line. */
const char *line_name(const struct diff_line *l)
{
	return l->symbol ? l->symbol : l->object ? l->object : l->comm;
}

/* A rule without a name is of every line. */
bool rule_names(const struct rule *r, const struct diff_line *l)
{
	const char *name = line_name(l);

	return !r->name_len || (strlen(name) == r->name_len && !strncmp(name, r->text, r->name_len));
}

/*
 * Is a share more points above (falls: below) what it was than the rule allows,
 * beyond doubt? A rule without a name is about each line, which is corrected for.
 */
bool diff_breaks(const struct diff *d, const struct rule *r, u32 *line)
{
	double p = 1 - r->confidence;
	u32 i;

	if (!r->name_len)
		p /= d->nr_lines;
	for (i = 0; i < d->nr_lines; i++) {
		const struct diff_line *l = &d->lines[d->order[i]];

		if (!rule_names(r, l))
			continue;
		*line = d->order[i];
		if (p_beyond_rule(d, l, r) < p)
			return true;
	}
	return false;
}
