/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What samples add up to, and the tables that are made of it.
 *
 * Samples that are equal in event, task, CPU and stack are one row. Rows keep
 * all that a view needs, so that a table can be filtered, regrouped and turned
 * around without reading the file again.
 */
#ifndef PCL_PROFILE_H
#define PCL_PROFILE_H

#include "session/session.h"

/* ---- samples, added up ---- */

/* Longer stacks are cut: they are recursion, or a damaged file. */
#define STACK_MAX 1024

/* What a line can be of; also what is kept of a sample. */
enum sort_key {
	SORT_COMM, SORT_OBJECT, SORT_SYMBOL, SORT_PID, SORT_TID, SORT_CPU, SORT_SRCLINE,
	SORT_SRCFILE, NR_SORT
};

/* A function in a stack, or a line of it when lines are wanted. They are few and numbered. */
struct func {
	struct object *object;
	struct symbol *symbol;	/* NULL: unknown */
	const char *line, *file; /* "file:line" and its file, interned; NULL: not known or not wanted */
	char level;
	bool inlined;		/* has no code of its own here */
};

/* A function and who called it. Number 0 is nobody, the end of every stack. */
struct stack {
	u32 caller;
	u32 func;
};

/* So many are added to a profile by one call, at most. */
enum { ROWS_AT_ONCE = 32 };

struct row {
	const char *comm;
	s32 pid, tid;
	u32 cpu;
	u32 event;
	u32 stack;		/* of the sampled function */
	u64 period;
	u64 samples;
};

struct total {
	u64 period;
	u64 samples;
};

struct profile {
	struct session *s;
	bool keep[NR_SORT];	/* what of a sample rows tell apart */
	bool chains;		/* callers are kept */
	bool lines;		/* functions are told apart by line */
	bool inlines;		/* inlined functions are in chains */
	struct func *funcs;
	u32 nr_funcs, room_funcs;
	struct hash_index func_index;
	struct num_map symbols;	/* of functions that have none in their object */
	struct str_set texts;	/* files and lines */
	struct stack *stacks;
	u32 nr_stacks, room_stacks;
	struct hash_index stack_index;
	struct row *rows;
	u32 nr_rows, room_rows;
	struct hash_index row_index;
	unsigned int nr_events;
	struct total *events;	/* of all samples, one for each event of the file */
	struct sample_batch *batch;	/* samples whose names are still to be found */
};

/* profile.c */
void profile_init(struct profile *p, struct session *s, unsigned int nr_events);
void profile_free(struct profile *p);
u32 profile_func(struct profile *p, const struct func *f);
struct symbol *profile_symbol(struct profile *p, const struct object *o, const char *name);
void profile_line(struct profile *p, struct func *f, const struct frame *level);
u32 profile_stack(struct profile *p, u32 caller, u32 func);
void profile_rows(struct profile *p, const struct row *v, u32 nr);
void profile_fade(struct profile *p, bool forget);
u32 profile_unwind(const struct profile *p, u32 stack, u32 funcs[STACK_MAX]);
const char *func_name(const struct func *f);

/* batch.c */
void batch_add(struct profile *p, unsigned int event, const struct pd_sample *sample);
void batch_flush(struct profile *p);
void batch_forget_stacks(struct sample_batch *b);
void batch_free(struct sample_batch *b);

/* gather.c */
/* Which samples of a file are taken. */
struct time_range {
	u64 from_ns, to_ns;	/* both included */
};

struct gather {
	struct profile *profile;
	struct time_range time;
	u64 out_of_time;	/* left out for their time */
	struct samples_left left;
};

void gather_end(struct gather *g);
int gather_record(struct gather *g, struct pd_file *f, const struct perf_event_header *h,
		  struct cursor body);
int gather_file(struct gather *g, struct pd_file *f);
int time_range_parse(struct time_range *t, const char *text, struct pd_file *f);

/* ---- a view of them ---- */

/* Words separated by commas; matches everything when there are none. */
struct word_list {
	const char *text;
};

struct filter {
	struct word_list comms, objects, symbols;
	const char *part;	/* what names of functions must contain; NULL: nothing */
	struct int_list cpus, pids, tids;	/* none: all */
};

enum chain_view {
	CHAIN_NONE,
	CHAIN_CALLERS,		/* below a line, who called it */
	CHAIN_CALLEES,		/* below a line, whom it called; lines are the outermost functions */
};

struct view {
	enum sort_key keys[NR_SORT];
	unsigned int nr_keys;
	enum chain_view mode;
	bool children;		/* a line for every function of a chain */
	bool grouped;		/* events side by side in one table */
	double min_percent;	/* lines below are left out */
	bool limit_given;	/* which then holds for callers, too */
	struct filter filter;
};

struct hist_entry {
	const char *comm;
	struct object *object;
	struct symbol *symbol;
	const char *line;	/* or file */
	s32 pid, tid;
	u32 cpu;
	char level;
	bool inlined;
	u32 seen;		/* row + 1 that was added last */
	u32 first_ref, nr_refs;	/* the rows below it; in refs of the table */
	struct total self;	/* sampled here */
	struct total whole;	/* and in what it called; below callees, all of the chain */
};

/* A row below an entry, and where in its stack the entry's function is. */
struct row_ref {
	u32 row;
	u32 depth;
};

struct hist {
	const struct profile *p;
	const struct view *view;
	unsigned int event;	/* the first one when grouped */
	unsigned int nr_events;
	struct hist_entry *v;
	u32 nr, room;
	struct hash_index index;
	struct total *by_event;	/* [entry * nr_events + event], when grouped */
	u32 *order;		/* largest first */
	u32 nr_order;		/* those that are not too small */
	struct row_ref *refs;
	struct total total;	/* of all samples of the event, filtered or not */
	struct total shown;	/* of those that passed the filter */
};

/* filter.c */
bool word_list_has(const struct word_list *l, const char *word);
int filter_take_option(struct filter *f, int option, const char *text);
void filter_free(struct filter *f);
bool filter_task(const struct filter *f, const char *comm, u32 cpu, s32 pid, s32 tid);
bool filter_row(const struct filter *f, const struct row *r);
bool filter_func(const struct filter *f, const struct func *fr);

/* entries.c */
#define SORT_KEYS "comm, object, symbol, pid, tid, cpu, srcline, srcfile"
bool sort_key_find(const char *word, enum sort_key *key);
int view_parse_keys(struct view *v, const char *option, const char *text);
bool view_has_key(const struct view *v, enum sort_key key);
const char *sort_key_name(enum sort_key key);
void hist_build(struct hist *h, const struct profile *p, const struct view *v, unsigned int event,
		unsigned int nr_events);
const struct total *hist_event(const struct hist *h, u32 entry, unsigned int event);
const char *entry_text(const struct hist_entry *e, enum sort_key key, char *buf, size_t size);
int hist_width(const struct hist *h, enum sort_key key);
const char *hist_why_empty(const struct hist *h);
void hist_free(struct hist *h);

/* tree.c */
/* Callers or callees of an entry: a node for each function. Number 0 is the entry. */
struct tree_node {
	u32 func;
	u32 parent;
	u32 child, sibling;	/* 0: none */
	u64 period;		/* of all stacks through here */
};

struct tree {
	struct tree_node *v;
	u32 nr, room;
	struct hash_index index;
};

void tree_build(struct tree *t, const struct hist *h, u32 entry);
void tree_free(struct tree *t);

#endif /* PCL_PROFILE_H */
