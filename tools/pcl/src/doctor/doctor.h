/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What works here: things that are tried, and what came of each.
 */
#ifndef PCL_DOCTOR_H
#define PCL_DOCTOR_H

#include "base/base.h"
#include "event/event.h"

enum verdict {
	WORKS,
	PARTLY,			/* with less than it could */
	FAILS,
};

/* One thing that was tried. */
struct finding {
	const char *topic;
	char *name;
	enum verdict verdict;
	bool needed;		/* pcl stat and pcl record cannot do without it */
	char *detail;		/* how far it goes; or NULL */
	struct explanation x;	/* why not, unless it works; fields may be NULL */
};

struct findings {
	struct finding *v;
	unsigned int nr;
	const char *topic;	/* of those to come */
	bool chosen;		/* by words of the command line, so all is needed */
	struct rights rights;	/* of this process, for what no event tells */
};

/* findings.c */
struct finding *finding_add(struct findings *l, const char *name, enum verdict verdict);
void finding_explain(struct finding *f, const char *cause, const char *why, const char *fix);
void finding_detail(struct finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void findings_free(struct findings *l);
struct perf_event_attr attr_user(u32 type, u64 config);
struct perf_event_attr attr_sampling(void);
struct trial {			/* where an event is tried */
	pid_t pid;
	int cpu;
	int group_fd;
	unsigned long flags;
};
#define TRIAL_SELF	((struct trial){ .pid = 0, .cpu = -1, .group_fd = -1 })
int trial_open(const struct perf_event_attr *attr, const struct trial *t);
struct finding *finding_try(struct findings *l, const char *name,
			    const struct perf_event_attr *attr, const struct trial *t);

/* one topic each: try_targets.c, try_events.c, try_samples.c, try_rings.c, try_symbols.c */
void try_targets(struct findings *l);
void try_events(struct findings *l);
void try_samples(struct findings *l);
void try_records(struct findings *l);
void try_rings(struct findings *l);
void try_symbols(struct findings *l);

/* show.c */
char *sentences_join(const struct str_set *s);
void findings_print(const struct findings *l, bool all);
void findings_json(const struct findings *l);

#endif /* PCL_DOCTOR_H */
