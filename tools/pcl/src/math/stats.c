// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of repeated runs: spread, quantiles of Student's t, outliers.
 *
 * Concepts: a series holds one value for each run. Its mean is known to within
 * t * s / sqrt(n) (Student's interval). An outlier is a value whose modified
 * z-score, 0.6745 |x - median| / MAD, is above 3.5 (Iglewicz and Hoaglin 1993);
 * it is counted and shown, never left out of anything.
 * Contexts: stat, after the runs.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "math/math.h"

/* Mean and variance in one pass (Welford 1962). */
void tally_add(struct tally *t, double v)
{
	double delta = v - t->mean;

	t->nr++;
	t->mean += delta / t->nr;
	t->m2 += delta * (v - t->mean);
}

/* Standard deviation of the sample of runs. */
double tally_dev(const struct tally *t)
{
	return t->nr > 1 ? sqrt(t->m2 / (t->nr - 1)) : 0;
}

void series_add(struct series *s, double v)
{
	s->v = mem_resize(s->v, s->nr + 1, sizeof(*s->v));
	s->v[s->nr++] = v;
}

void series_free(struct series *s)
{
	free(s->v);
	s->v = NULL;
	s->nr = 0;
}

/*
 * The continued fraction of the incomplete beta function, by Lentz's method;
 * it converges fast for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f, step;
	int m;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 + even * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + even / c;
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		d = 1 + odd * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + odd / c;
		c = fabs(c) < tiny ? tiny : c;
		step = c * d;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* The regularized incomplete beta function I_x(a, b). */
double beta_incomplete(double a, double b, double x)
{
	double front;

	if (!(x > 0))
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* The chance that Student's t with df degrees of freedom is above t. */
double t_above(double t, double df)
{
	double tail = beta_incomplete(df / 2, 0.5, df / (df + t * t)) / 2;

	return t < 0 ? 1 - tail : tail;
}

/* The t that is exceeded with chance p, 0 < p < 1. */
double t_quantile_above(double p, double df)
{
	double low = -1, high = 1, mid;
	int i;

	while (t_above(high, df) > p && high < 1e300)
		high *= 2;
	while (t_above(low, df) < p && low > -1e300)
		low *= 2;
	for (i = 0; i < 200; i++) {
		mid = low + (high - low) / 2;
		if (mid <= low || mid >= high)
			break;
		if (t_above(mid, df) > p)
			low = mid;
		else
			high = mid;
	}
	return low + (high - low) / 2;
}

static int cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* v is sorted */
static double middle(const double *v, unsigned int nr)
{
	return nr % 2 ? v[nr / 2] : (v[nr / 2 - 1] + v[nr / 2]) / 2;
}

/*
 * How far a value may lie from the median before it is an outlier. Where more
 * than half of the values are equal the MAD is 0, and the mean deviation
 * stands in for it.
 */
static double outlier_distance(const struct series *s, double median, double *sorted)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		sorted[i] = fabs(s->v[i] - median);
		sum += sorted[i];
	}
	qsort(sorted, s->nr, sizeof(*sorted), cmp_double);
	if (middle(sorted, s->nr) > 0)
		return 3.5 * middle(sorted, s->nr) / 0.6745;
	return 3.5 * 1.253314 * sum / s->nr;
}

/* Half the width of the mean's interval at this confidence (0.95: 95 %). */
double series_half_width(const struct spread *s, double confidence)
{
	if (s->nr < 2)
		return INFINITY;
	return t_quantile_above((1 - confidence) / 2, s->nr - 1) * s->dev / sqrt(s->nr);
}

struct spread series_spread(const struct series *s)
{
	struct spread r = { .nr = s->nr, .step = s->step };
	struct tally t = { 0 };
	double *sorted, far;
	unsigned int i;

	if (!s->nr)
		return r;
	for (i = 0; i < s->nr; i++)
		tally_add(&t, s->v[i]);
	sorted = mem_zalloc(s->nr, sizeof(*sorted));
	memcpy(sorted, s->v, s->nr * sizeof(*sorted));
	qsort(sorted, s->nr, sizeof(*sorted), cmp_double);
	r.mean = t.mean;
	r.dev = tally_dev(&t);
	r.min = sorted[0];
	r.max = sorted[s->nr - 1];
	r.median = middle(sorted, s->nr);
	far = outlier_distance(s, r.median, sorted);
	for (i = 0; i < s->nr; i++)
		r.outliers += fabs(s->v[i] - r.median) > far;
	free(sorted);
	return r;
}
