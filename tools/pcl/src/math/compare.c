// SPDX-License-Identifier: GPL-2.0
/*
 * Is B different from A? Two series of runs, one effect.
 *
 * Concepts: the effect is the ratio of the means. Its logarithm has, by the
 * delta method, the variance (s/m)^2/n of A plus that of B, and Welch's
 * degrees of freedom; interval and p come from the same Student's t, so that p
 * is below 1 - confidence exactly when the interval leaves 0 out. Where a mean
 * is not above zero there is no logarithm, and the plain difference is tested.
 * What is counted comes in steps, and numbers that are equal in every run are
 * known to half a step. Where there are no steps, and no run differs from
 * another, t has no value; p is then that of the exact permutation test, one
 * split of the runs out of all.
 *
 * Many measures are looked at in one comparison, and one in twenty would cross
 * 95 % by chance; Holm's correction holds the chance of even one false finding
 * at 1 - confidence. Intervals are not corrected.
 * Contexts: stat --vs, after the runs.
 * Locks: none.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/math.h"

/* The chance that the effect is found, for which "detectable" is told. */
static const double power = 0.9;

/* A difference d with its standard error, on the scale that suits the means. */
struct contrast {
	bool by_ratio;		/* d is log(B / A), else B - A */
	double d, se, df;
	double floor;		/* p of the permutation test at its least, one side */
};

/* One split of the runs into na and nb, out of all there are. */
static double permutation_floor(unsigned int na, unsigned int nb)
{
	return exp(lgamma(na + 1.0) + lgamma(nb + 1.0) - lgamma(na + nb + 1.0));
}

/*
 * The deviation is taken to be half a step at least, that of a number that is
 * now this, now the next. Else equal numbers would seem to be known exactly.
 */
static double variance_of_mean(const struct spread *s)
{
	double dev = fmax(s->dev, s->step / 2);

	return dev * dev / s->nr;
}

static void contrast_of(const struct spread *a, const struct spread *b, struct contrast *c)
{
	double va = variance_of_mean(a), vb = variance_of_mean(b);

	c->by_ratio = a->mean > 0 && b->mean > 0;
	c->d = b->mean - a->mean;
	if (c->by_ratio) {
		va /= a->mean * a->mean;
		vb /= b->mean * b->mean;
		c->d = log(b->mean / a->mean);
	}
	c->se = sqrt(va + vb);
	/* Welch and Satterthwaite */
	c->df = (va + vb) * (va + vb) / (va * va / (a->nr - 1) + vb * vb / (b->nr - 1));
	c->floor = permutation_floor(a->nr, b->nr);
}

/*
 * The chance that B lies as far above d0 as it does (falls: below), if d0 were
 * the truth. One side.
 */
static double p_beyond(const struct contrast *c, double d0, bool falls)
{
	double d = falls ? d0 - c->d : c->d - d0;

	/* what remains of equal numbers in their last bits is neither spread nor difference */
	if (c->se > 1e-12 * (1 + fabs(c->d)))
		return t_above(d / c->se, c->df);
	return d > 1e-12 * (1 + fabs(d0)) ? c->floor : 1;
}

static double percent_of(const struct contrast *c, const struct spread *a, double d)
{
	return c->by_ratio ? expm1(d) * 100 : d / a->mean * 100;
}

/* Compare two series; confidence is that of the interval, 0.95 for 95 %. */
struct effect effect_of(const struct series *a, const struct series *b, double confidence)
{
	struct effect e = { .a = series_spread(a), .b = series_spread(b) };
	struct contrast c;
	double half;

	e.difference = e.b.mean - e.a.mean;
	e.has_percent = a->nr && b->nr && e.a.mean > 0;
	if (e.has_percent)
		e.percent = (e.b.mean / e.a.mean - 1) * 100;
	e.tested = a->nr > 1 && b->nr > 1;
	if (!e.tested)
		return e;
	contrast_of(&e.a, &e.b, &c);
	e.p = fmin(1, 2 * fmin(p_beyond(&c, 0, false), p_beyond(&c, 0, true)));
	e.p_adjusted = e.p;
	half = c.se > 0 ? t_quantile_above((1 - confidence) / 2, c.df) * c.se : 0;
	if (e.has_percent) {
		e.low_percent = percent_of(&c, &e.a, c.d - half);
		e.high_percent = percent_of(&c, &e.a, c.d + half);
	}
	return e;
}

/*
 * The smallest difference, in per cent, that these runs would have shown with
 * a chance of 90 %, if the effect must pass at this p. INFINITY: none.
 */
double effect_detectable(const struct effect *e, double p)
{
	struct contrast c;

	if (!e->tested || !e->has_percent)
		return INFINITY;
	contrast_of(&e->a, &e->b, &c);
	if (!(c.se > 0))
		return p > 2 * c.floor ? 0 : INFINITY;
	return percent_of(&c, &e->a, (t_quantile_above(p / 2, c.df) +
				      t_quantile_above(1 - power, c.df)) * c.se);
}

struct ranked {
	struct effect *e;
	unsigned int at;
};

static int cmp_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->e->p != y->e->p)
		return x->e->p < y->e->p ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Holm 1979: the k-th smallest of m p-values counts m - k + 1 times. Returns m. */
unsigned int effects_correct(struct effect *e, unsigned int nr, double confidence)
{
	struct ranked *r = mem_zalloc(nr, sizeof(*r));
	unsigned int i, m = 0;
	double least = 0;

	for (i = 0; i < nr; i++)
		if (e[i].tested)
			r[m++] = (struct ranked){ &e[i], i };
	qsort(r, m, sizeof(*r), cmp_ranked);
	for (i = 0; i < m; i++) {
		least = fmax(least, fmin(1, r[i].e->p * (m - i)));
		r[i].e->p_adjusted = least;
		r[i].e->significant = least < 1 - confidence;
	}
	free(r);
	return m;
}

/* The same, and what could have been shown. */
void effects_adjust(struct effect *e, unsigned int nr, double confidence)
{
	unsigned int i, m = effects_correct(e, nr, confidence);

	for (i = 0; i < nr; i++)
		if (e[i].tested)
			e[i].detectable_percent = effect_detectable(&e[i], (1 - confidence) / m);
}

/*
 * Is the effect beyond the rule's bound (+3: B more than 3 % above A; -3: more
 * than 3 % below), with a chance of error below p?
 */
bool effect_breaks(const struct effect *e, const struct rule *r, double p)
{
	struct contrast c;
	double d0;

	if (!e->tested)
		return false;
	contrast_of(&e->a, &e->b, &c);
	d0 = c.by_ratio ? log1p(r->bound_percent / 100) : e->a.mean * r->bound_percent / 100;
	return p_beyond(&c, d0, r->falls) < p;
}

/*
 * A rule of --fail-if: [NAME](+|-)NUMBER%[@NUMBER%]. Without a name it is for
 * each measure. 0, or -EINVAL with what is wrong in *why.
 */
int rule_parse(struct rule *r, const char *text, double confidence, const char **why)
{
	const char *at = strrchr(text, '@'), *end = at ? at : text + strlen(text), *p;
	char *stop;

	*r = (struct rule){ .text = text, .confidence = confidence };
	if (at) {
		r->confidence = strtod(at + 1, &stop) / 100;
		*why = "what follows the @ is a confidence, such as 99%";
		if (stop == at + 1 || strcmp(stop, "%") || !(r->confidence >= 0.5 && r->confidence < 1))
			return -EINVAL;
	}
	*why = "a rule is a name, + or -, and per cent, such as NAME+3% or NAME-5%@99%";
	if (end == text || end[-1] != '%')
		return -EINVAL;
	for (p = end - 1; p > text && strchr("0123456789.", p[-1]); p--)
		;
	if (p == text || (p[-1] != '+' && p[-1] != '-') || p == end - 1)
		return -EINVAL;
	r->bound_percent = strtod(p, &stop);
	if (stop != end - 1)
		return -EINVAL;
	*why = "nothing falls by 100 % or more";
	if (p[-1] == '-' && r->bound_percent >= 100)
		return -EINVAL;
	/* -0% is a rule, too: any fall at all */
	r->falls = p[-1] == '-';
	if (r->falls)
		r->bound_percent = -r->bound_percent;
	r->name_len = (size_t)(p - 1 - text);
	return 0;
}
