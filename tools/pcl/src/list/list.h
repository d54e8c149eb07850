/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of events: one row for each, tried and printed.
 */
#ifndef PCL_LIST_H
#define PCL_LIST_H

#include "base/base.h"
#include "event/event.h"

enum usable { USABLE, USABLE_USER, NOT_USABLE };

/* usable.c */
enum usable event_usable(struct event *e, char **reason);

/* What is known of an event before it is tried. */
struct list_row {
	const char *kind;
	const char *name;	/* as -e takes it */
	const char *alias;	/* or NULL */
	const char *what;	/* it counts, or NULL */
	const char *code;	/* terms of the core's PMU that stand for it, or NULL */
};

struct list_printer {
	bool as_json;
	struct json j;
	struct str_set reasons;
	const char *kind;	/* of the section under way */
	unsigned int printed;
};

/* list_print.c */
void list_begin(struct list_printer *p);
void list_print_row(struct list_printer *p, const struct list_row *row, enum usable u, const char *reason);
void list_print_note(struct list_printer *p, const char *kind, const char *note);
void list_end(struct list_printer *p);

#endif /* PCL_LIST_H */
