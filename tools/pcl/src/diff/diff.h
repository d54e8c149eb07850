/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two recordings, or two sets of them, side by side.
 */
#ifndef PCL_DIFF_H
#define PCL_DIFF_H

#include "profile/profile.h"
#include "math/math.h"

enum side { SIDE_A, SIDE_B, NR_SIDES };

/* The files of one side. */
struct file_set {
	char **v;
	unsigned int nr;
};

struct diff_opts {
	struct file_set files[NR_SIDES];
	const char *kallsyms;
	const char *event;	/* NULL: the first one of the first file */
	struct view view;
	double limit;		/* lines with a smaller difference are left out, in points */
	double confidence;
	bool only_significant;
	bool json;
	bool colour;
	struct rule *rules;
	unsigned int nr_rules;
};

/* One file's part of a line. */
struct portion {
	u64 samples, period;
};

struct diff_line {
	char *comm, *object, *symbol;	/* NULL: not compared by it */
	struct portion *v;		/* one for each file, those of A first */
	struct effect effect;		/* of the shares in per cent; of counts when sides are single */
};

struct diff {
	const struct diff_opts *o;
	char *event;
	unsigned int nr_files;
	struct portion *totals;		/* one for each file */
	struct diff_line *lines;
	u32 nr_lines, room_lines;
	struct hash_index index;
	u32 *order;			/* largest difference first */
};

/* diff_files.c */
int file_set_add(struct file_set *s, const char *text);
void file_set_free(struct file_set *s);
int diff_gather(struct diff *d);
void diff_free(struct diff *d);

/* judge.c */
double counts_p(u64 a, u64 all_a, u64 b, u64 all_b);
double counts_p_beyond(u64 a, u64 all_a, u64 b, u64 all_b, double points, bool falls);
void diff_judge(struct diff *d);
const char *line_name(const struct diff_line *l);
bool rule_names(const struct rule *r, const struct diff_line *l);
bool diff_breaks(const struct diff *d, const struct rule *r, u32 *line);
double diff_period(const struct diff *d, const struct diff_line *l, enum side side);

/* out_diff.c */
void diff_print(const struct diff *d);
void diff_print_json(const struct diff *d);

#endif /* PCL_DIFF_H */
