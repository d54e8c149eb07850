/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pcl stat: the rows of its table, and who prints them.
 */
#ifndef PCL_STAT_H
#define PCL_STAT_H

#include "types.h"

/* One value for each run. */
struct series {
	double *v;
	unsigned int nr;
};

/* What a series looks like. */
struct spread {
	unsigned int nr;
	double mean, dev;	/* dev: standard deviation of the runs */
	double min, max, median;
	unsigned int outliers;
};

/* stats.c */
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
void effects_adjust(struct effect *e, unsigned int nr, double confidence);
bool effect_breaks(const struct effect *e, const struct rule *r, double p);
int rule_parse(struct rule *r, const char *text, double confidence, const char **why);

/* One line of pcl stat, ready for any of the printers. */
struct stat_row {
	const struct event *event;
	enum event_status status;
	double value;		/* scaled, in units of the event */
	u64 enabled_ns;
	u64 running_ns;
	bool has_metric;
	double metric;
	char metric_text[48];
	bool has_dev;		/* -r: standard deviation of the runs */
	double dev;
};

struct stat_doc {
	char **argv;		/* NULL: no command */
	const struct target *target;
	unsigned int runs;
	double time_s;		/* interval end, or elapsed mean */
	double elapsed_dev;
	double user_s;
	double sys_s;
	bool interval;
	const char *note;	/* loud remark on a substituted event set */
	struct stat_row *rows;
	unsigned int nr_rows;
	char sep;
	FILE *out;
};

/* metric.c */
void metrics_fill(struct stat_row *rows, unsigned int nr, double elapsed_s);

/* out_text.c, out_csv.c, out_json.c */
void out_text(const struct stat_doc *d);
void out_csv(const struct stat_doc *d);
void out_json(const struct stat_doc *d);

#endif /* PCL_STAT_H */
