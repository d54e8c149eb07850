/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pcl stat: the rows of its table, and who prints them.
 */
#ifndef PCL_STAT_H
#define PCL_STAT_H

#include <signal.h>

#include "event/event.h"
#include "math/math.h"

/* One row of the table of metrics. */
struct metric_def {
	const char *name;
	const char *unit;
	double factor;
	const char *group;	/* the events it needs, as -e takes them */
	const char *over;	/* "a + b - c": members of the group */
	const char *under;	/* NULL: the elapsed seconds */
	const char *what;
};

enum { METRIC_MEMBERS = 8 };

/* A metric bound to events. */
struct metric {
	const struct metric_def *def;
	unsigned int first, nr;	/* its group in the list of events */
	double over[METRIC_MEMBERS], under[METRIC_MEMBERS];
};

struct metric_list {
	struct metric *v;
	unsigned int nr;
};

enum row_kind {
	ROW_EVENT,		/* an event, on one part of the target */
	ROW_METRIC,		/* a ratio of -M, likewise */
	ROW_FIGURE,		/* what the kernel tells of an ended command */
};

/* One measure of the command, over all its runs; ready for any of the printers. */
struct stat_row {
	enum row_kind kind;
	const char *name;
	const char *unit;	/* NULL: a plain number */
	const struct event *event;	/* ROW_EVENT only */
	const struct metric *measured;	/* ROW_METRIC only */
	unsigned int part;
	const char *part_name;	/* NULL: the target is in one piece */
	enum event_status status;
	char *reason;		/* why there is no value; NULL when there is */
	struct series runs;	/* scaled, in units; of the runs that have a value */
	struct spread spread;
	double value;		/* the mean of the runs */
	u64 enabled_ns;		/* sums over the runs */
	u64 running_ns;
	bool has_metric;	/* the ratio or rate beside an event */
	double metric;
	char metric_text[48];
};

/* All measures of one command: events, then metrics, then figures. */
struct stat_table {
	struct stat_row *v;
	unsigned int nr;
	unsigned int runs;
	unsigned int failed;	/* runs that ended with another status than 0 */
	int failed_status;	/* of the first of them */
};

/* What the kernel and the clock tell of an ended command. */
enum figure {
	FIGURE_ELAPSED,
	FIGURE_USER,
	FIGURE_SYS,
	FIGURE_PEAK_RSS,
	FIGURE_SOFT_FAULTS,
	FIGURE_HARD_FAULTS,
	FIGURE_VOLUNTARY,
	FIGURE_INVOLUNTARY,
	NR_FIGURES
};

/* What one run gave. */
struct run {
	struct count *count;	/* [event * parts + part] */
	double figure[NR_FIGURES];	/* NAN: not known */
	int status;
};

enum order {
	ORDER_RANDOM,		/* who goes first in a pair is drawn */
	ORDER_ABBA,		/* by turns */
	ORDER_AB,		/* always A */
};

/* What gets rows of its own. */
enum part_kind {
	PART_ALL,		/* nothing: the target is in one piece */
	PART_THREAD,
	PART_CPU,
	PART_CORE,
	PART_SOCKET,
	PART_CGROUP,
};

struct parts {
	unsigned int nr;	/* 0: not known yet */
	unsigned int *of;	/* [cpu * threads + thread]; NULL: one part */
	struct str_set names;
};

/* The file of a command, out of the page cache. */
struct cold_file {
	char *path;
	bool tried;
	u64 pages, left;	/* left: that stayed, at the last run */
};

/* --cold */
struct cold {
	bool wanted;
	bool page_cache;	/* =all */
	bool guessed;		/* the sizes of the caches are not known */
	unsigned int cpus;
	size_t *walk;		/* bytes to walk over, for each CPU at hand */
	unsigned char *buffer;
	size_t size;
	struct cold_file file[2];	/* of A and of B */
};

/* The command line. */
struct stat_opts {
	struct event_list events;
	struct metric_list metrics;
	bool apart;		/* --no-group */
	struct target target;
	const char *cpus;
	struct cold cold;
	enum part_kind per;
	const char *cgroups;
	char **argv;		/* NULL: no command */
	char **vs;		/* command B; NULL: no comparison */
	unsigned int repeat;
	int warmup;		/* runs that are not measured; -1: not said */
	enum order order;
	u64 seed;
	bool seed_given;
	bool order_given;
	double confidence;
	struct rule *rules;
	unsigned int nr_rules;
	unsigned int interval_ms;
	const char *out_name;
	bool json;
	char sep;		/* 0: no CSV */
	bool overhead;		/* tell what measuring cost */
	FILE *out;
	const char *note;	/* loud remark on the set of events */
};

/* The measurement under way. */
struct counting {
	struct stat_opts *o;
	struct parts parts;
	sigset_t signals;
	struct count *last;	/* -I: the previous reading, [event * parts + part] */
	struct series *history;	/* -I: of each row, the intervals until now */
	unsigned int nr_history;
	double command_s;	/* CPU time of all runs, warm-ups too */
	bool stop;		/* a signal asked for the end */
	int status;		/* of the first run that failed */
};

/* How a comparison was made, and what it came to. */
struct comparison {
	const struct stat_table *a, *b;
	struct effect *effect;	/* one for each row */
	bool *broken;		/* one for each rule */
};

struct stat_doc {
	const struct stat_opts *o;
	const struct stat_table *t;
	const struct comparison *vs;	/* NULL: one command; t is A's */
	bool interval;
	double time_s;		/* end of the interval */
	const struct series *history;	/* of each row; NULL: no intervals */
	unsigned int nr_history;
};

/* metric_table.c */
int metrics_take(struct metric_list *ml, struct event_list *l, const char *text);
void metrics_print(FILE *f);
const char *metrics_check(void);
double metric_value(const struct metric *m, const double *values, double elapsed_s);

/* metric.c */
bool metric_divides(const struct event *a, const struct event *b);
void metrics_fill(struct stat_row *rows, unsigned int nr, double elapsed_s);

/* group.c */
void events_group(struct event_list *l);
bool events_ungroup(struct event_list *l);

/* cold.c */
size_t cold_cache_bytes(int cpu, const struct int_list *cpus);
int cold_begin(struct cold *d);
int cold_evict(struct cold *d, const char *command, bool b);
void cold_print(const struct cold *d, FILE *f);
void cold_end(struct cold *d);

/* parts.c */
int parts_check(enum part_kind kind, const struct target *t);
void parts_make(struct parts *p, enum part_kind kind, const struct target *t);
const char *parts_name(const struct parts *p, unsigned int part);
void parts_free(struct parts *p);

/* table.c */
void table_init(struct stat_table *t, const struct counting *c, bool figures);
void table_add(struct stat_table *t, const struct counting *c, const struct run *r);
void table_finish(struct stat_table *t, double elapsed_s);
const struct stat_row *table_figure(const struct stat_table *t, enum figure f);
void table_free(struct stat_table *t);

/* run.c */
void counting_begin(struct counting *c, struct stat_opts *o);
void counting_end(struct counting *c);
int run_once(struct counting *c, char **argv, struct run *r);
void run_free(struct run *r);

/* interval.c */
void interval_print(struct counting *c, double at_s, double length_s);

/* spark.c */
enum { SPARK_CELLS = 32 };
void spark_text(char *buf, const double *v, unsigned int nr, unsigned int cells, bool utf8);

/* vs.c */
int vs_take_command(struct stat_opts *o, const char *text);
int vs_main(struct counting *c);

/* out_text.c, out_runs.c, out_vs.c, out_csv.c, out_json.c */
const char *value_text(char *buf, size_t size, double v, const char *unit);
void out_heading(const struct stat_doc *d);
void out_reasons(const struct stat_doc *d);
void out_text(const struct stat_doc *d);
void out_runs(const struct stat_doc *d);
void out_vs(const struct stat_doc *d);
void out_csv(const struct stat_doc *d);
void out_json(const struct stat_doc *d);
void out_doc(const struct stat_doc *d);

#endif /* PCL_STAT_H */
