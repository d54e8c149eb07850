/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table that samples add up to, and the callers below its lines.
 */
#ifndef PCL_REPORT_H
#define PCL_REPORT_H

#include "session/session.h"

/* ---- the table ---- */

enum sort_key { SORT_COMM, SORT_OBJECT, SORT_SYMBOL, SORT_PID, SORT_TID, SORT_CPU, NR_SORT };

/* Callers of an entry: a node for each frame, children are its callers. */
struct chain_node {
	struct object *object;
	struct symbol *symbol;
	u64 period;		/* of all chains through here */
	struct chain_node *child, *sibling;
};

struct hist_entry {
	const char *comm;
	struct object *object;
	struct symbol *symbol;
	s32 pid, tid;
	u32 cpu;
	char level;
	u64 period;
	u64 samples;
	struct chain_node callers;
};

struct hist {
	struct hist_entry **v;
	unsigned int nr;
	unsigned int *hash;
	unsigned int hash_size;
	u64 period;		/* of all samples of the event */
	u64 samples;
};

/* hist.c */
struct hist_entry *hist_add(struct hist *h, const struct hist_entry *key, u64 period);
void hist_sort(struct hist *h);
void hist_free(struct hist *h);

/* callchain.c */
void callers_add(struct session *s, struct hist_entry *e, const struct pd_sample *sample,
		 bool skip_first);
void callers_sort(struct chain_node *n);
void callers_print(const struct hist_entry *e, double min_percent);
void callers_free(struct chain_node *n);

#endif /* PCL_REPORT_H */
