/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pcl stat: the rows of its table, and who prints them.
 */
#ifndef PCL_STAT_H
#define PCL_STAT_H

#include "types.h"

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
