/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens now: samples of the moment, as a table that is always fresh.
 *
 * A collector takes samples out of the rings and adds them up; with each
 * refresh it publishes a table that is never changed again. Neither it nor who
 * shows the newest one waits for the other.
 */
#ifndef PCL_TOP_H
#define PCL_TOP_H

#include <pthread.h>

#include "profile/profile.h"
#include "record/record.h"

struct top_opts {
	struct record_opts record;
	struct view view;
	u64 delay_ns;
	u64 iterations;		/* 0: until told to stop */
	bool zero;		/* each table is of its own interval alone */
	bool stdio;
};

/* A line of a table. */
struct top_line {
	char *text;
	double percent;
};

/* The table of one event. */
struct top_table {
	char *title;		/* the event, how many samples, what was lost */
	char *heads;		/* over the columns */
	struct top_line *lines;
	unsigned int nr;
};

/* Immutable once published; freed by the last who used it. */
struct top_snapshot {
	u64 number;		/* counts from 1 */
	struct top_table *tables; /* one for each event */
	unsigned int nr;
	unsigned int users;	/* [M] top.lock */
};

struct top {
	struct top_opts *o;
	struct recording r;
	struct pd_file file;	/* what there was before, and how records are laid out */
	struct session session;
	struct profile profile;
	struct gather gather;
	u64 interval_samples;	/* since the last refresh */
	pthread_t thread;
	bool stop;		/* [A] */
	bool ended;		/* [A] what was looked at has gone */
	int news;		/* eventfd: there is a new table */
	pthread_mutex_t lock;
	struct top_snapshot *snapshot;	/* [M] the newest; NULL: none yet */
};

/* top_open.c */
int top_open(struct top *t);
void top_close(struct top *t);

/* top_table.c */
struct top_snapshot *snapshot_make(const struct top *t, u64 number, double seconds);
void snapshot_free(struct top_snapshot *s);

/* published.c */
struct top_snapshot *top_get(struct top *t);
void top_put(struct top *t, struct top_snapshot *s);
void top_publish(struct top *t, struct top_snapshot *s);

/* collector.c */
int collector_start(struct top *t);
void collector_stop(struct top *t);

/* top_show.c */
int top_show_text(struct top *t);
int top_show_screen(struct top *t);

#endif /* PCL_TOP_H */
