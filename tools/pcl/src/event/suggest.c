// SPDX-License-Identifier: GPL-2.0
/*
 * What was meant by a name that nobody knows: the nearest one.
 *
 * Concepts: names are compared by the number of letters to change; a name cut
 * short is near, however much is missing. Too far is no suggestion: then the
 * hint tells where the names are shown.
 * Contexts: after a failed parse.
 * Locks: none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

struct suggestion {
	const char *text;
	char best[96];
	unsigned int distance;
};

static struct suggestion suggestion_of(const char *text)
{
	return (struct suggestion){ .text = text, .distance = (unsigned int)strlen(text) / 3 + 2 };
}

static void suggest_one(struct suggestion *s, const char *name)
{
	unsigned int d = edit_distance(s->text, name);
	size_t n = strlen(s->text);

	if (n >= 3 && !strncasecmp(s->text, name, n))
		d = 1;	/* a name cut short */
	if (d < s->distance) {
		s->distance = d;
		snprintf(s->best, sizeof(s->best), "%s", name);
	}
}

static void see_name(const struct event_name *n, void *arg)
{
	suggest_one(arg, n->name);
	if (n->alias)
		suggest_one(arg, n->alias);
}

static void see_pmu_event(const char *pmu, const char *name, void *arg)
{
	(void)pmu;
	suggest_one(arg, name);
}

static void see_vendor_name(const char *name, const char *what, void *arg)
{
	struct suggestion *s = arg;
	char *event = str_ndup(name, strcspn(name, ":"));

	(void)what;
	suggest_one(s, strchr(s->text, ':') ? name : event);
	free(event);
}

static void see_pmu(const char *pmu, void *arg)
{
	suggest_one(arg, pmu);
}

static void see_core_pmu(const char *pmu, void *arg)
{
	pmu_events_walk(pmu, see_pmu_event, arg);
}

static void see_tracepoint(const char *sys, const char *name, void *arg)
{
	char *text = str_printf("%s:%s", sys, name);

	suggest_one(arg, text);
	free(text);
}

static void hint_or(struct parse_error *err, const struct suggestion *s, const char *otherwise)
{
	if (s->best[0])
		snprintf(err->hint, sizeof(err->hint), "did you mean '%s'?", s->best);
	else
		snprintf(err->hint, sizeof(err->hint), "%s", otherwise);
}

/* For a name that stands alone; a vendor's one may have masks. */
void suggest_event(struct parse_error *err, const char *text)
{
	struct suggestion s = suggestion_of(text);

	event_names_walk(see_name, &s);
	core_pmus_walk(see_core_pmu, &s);
	vendor_names_walk(see_vendor_name, &s);
	hint_or(err, &s, "'pcl list' shows the names known here");
}

void suggest_pmu(struct parse_error *err, const char *text)
{
	struct suggestion s = suggestion_of(text);

	pmus_walk(see_pmu, &s);
	hint_or(err, &s, "'pcl list pmu' shows the PMUs here");
}

/* For a term, or an event, of a PMU; all its terms are told, too. */
void suggest_term(struct parse_error *err, const char *pmu, const char *text)
{
	struct suggestion s = suggestion_of(text);
	char terms[160], *rest = terms, *one;
	size_t used;

	pmu_terms(pmu, terms, sizeof(terms));
	used = (size_t)snprintf(err->hint, sizeof(err->hint), *terms ? "terms of %.30s:%s" : "", pmu, terms);
	while ((one = strsep(&rest, " ")) != NULL)
		if (*one)
			suggest_one(&s, one);
	pmu_events_walk(pmu, see_pmu_event, &s);
	if (s.best[0] && used + strlen(s.best) + 20 < sizeof(err->hint))
		snprintf(err->hint + used, sizeof(err->hint) - used, "%sdid you mean '%s'?",
			 used ? "; " : "", s.best);
}

void suggest_tracepoint(struct parse_error *err, const char *sys, const char *name)
{
	char *text = str_printf("%s:%s", sys, name);
	struct suggestion s = suggestion_of(text);

	tracepoints_walk(see_tracepoint, &s);
	vendor_names_walk(see_vendor_name, &s);
	hint_or(err, &s, "'pcl list tracepoint' shows those of this kernel");
	free(text);
}
