/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The report of a recording: its options, and how it is printed.
 */
#ifndef PCL_REPORT_H
#define PCL_REPORT_H

#include "profile/profile.h"

/* What a line shows beside what it is of; the keys follow, in the numbers of enum sort_key. */
enum column { COL_SHARE = NR_SORT, COL_CHILDREN, COL_SELF, COL_SAMPLES, COL_PERIOD, NR_COLUMNS };

struct report_opts {
	const char *input;
	const char *kallsyms;
	const char *time;	/* text of --time */
	const char *more_fields; /* of -F +LIST */
	struct view view;
	bool mode_given;
	bool no_inline;
	bool header;
	bool json;
	const char *page;	/* file for --html, or NULL */
	enum { LOOK_AUTO, LOOK_STDIO, LOOK_TUI } look;
	unsigned int columns[NR_COLUMNS];
	unsigned int nr_columns;
	bool colour;
};

struct report {
	struct report_opts *o;
	struct session s;
	struct profile profile;
	struct gather gather;
};

/* options.c */
int report_options(struct report_opts *o, int argc, char **argv);
const char *column_title(unsigned int column);

/* print.c */
void report_print(const struct report *r);
void report_lines_note(const struct report *r);
void report_notes(const struct report *r);
const char *amount_text(char *buf, size_t size, const char *event, u64 period);
bool event_is_time(const char *event);
u64 report_lost(const struct report *r);

/* out_report_json.c */
void report_print_json(const struct report *r);

/* out_report_html.c */
int report_write_page(const struct report *r);

#endif /* PCL_REPORT_H */
