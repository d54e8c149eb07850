/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of repeated measurements.
 */
#ifndef PCL_MATH_H
#define PCL_MATH_H

#include "types.h"

/* One value for each run. */
struct series {
	double *v;
	unsigned int nr;
	double step;		/* the smallest difference there can be; 0: none */
};

/* What a series looks like. */
struct spread {
	unsigned int nr;
	double step;
	double mean, dev;	/* dev: standard deviation of the runs */
	double min, max, median;
	unsigned int outliers;
};

/* Mean and variance of what is added one by one. */
struct tally {
	unsigned int nr;
	double mean;
	double m2;		/* sum of the squares of differences from the mean */
};

/* stats.c */
void tally_add(struct tally *t, double v);
double tally_dev(const struct tally *t);
void series_add(struct series *s, double v);
void series_free(struct series *s);
struct spread series_spread(const struct series *s);
double series_half_width(const struct spread *s, double confidence);
double beta_incomplete(double a, double b, double x);
double t_above(double t, double df);
double t_quantile_above(double p, double df);

/* B beside A, for one measure. */
struct effect {
	struct spread a, b;
	double difference;	/* of the means, B - A */
	bool has_percent;	/* the mean of A is above zero */
	double percent, low_percent, high_percent;
	bool tested;		/* two runs of each, or more; else nothing below holds */
	double p;		/* two sides, this measure alone */
	double p_adjusted;	/* Holm, over all measures of the comparison */
	bool significant;
	double detectable_percent;	/* INFINITY: these runs could show none */
};

/* What --fail-if forbids. */
struct rule {
	const char *text;
	size_t name_len;	/* the measure's name is the start of text; 0: any */
	double bound_percent;	/* negative: B must not be further below A */
	bool falls;
	double confidence;
};

/* compare.c */
struct effect effect_of(const struct series *a, const struct series *b, double confidence);
double effect_detectable(const struct effect *e, double p);
unsigned int effects_correct(struct effect *e, unsigned int nr, double confidence);
void effects_adjust(struct effect *e, unsigned int nr, double confidence);
bool effect_breaks(const struct effect *e, const struct rule *r, double p);
int rule_parse(struct rule *r, const char *text, double confidence, const char **why);

#endif /* PCL_MATH_H */
