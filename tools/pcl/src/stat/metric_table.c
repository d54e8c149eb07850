// SPDX-License-Identifier: GPL-2.0
/*
 * The metrics that pcl stat -M knows by name.
 *
 * Concepts: a metric is one sum of events by another, all of one group, times
 * a factor. PMUs name their events differently, so a metric may have several
 * rows; the first whose events are here is taken, and when none is, the
 * refusal names what is missing. Rows with the same group share its events.
 *
 * Top-down, level 1, divides the slots in which a core could have issued
 * operations by what became of them (Yasin 2014); Intel's PMUs name the events
 * in sysfs, in two generations.
 * Contexts: start of stat, and for each run.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

#define SLOTS_OLD \
	"{topdown-total-slots,topdown-slots-issued,topdown-slots-retired," \
	"topdown-fetch-bubbles,topdown-recovery-bubbles}"
#define SLOTS_NEW \
	"{slots,topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound}"
#define SLOTS_ALL \
	"topdown-retiring + topdown-bad-spec + topdown-fe-bound + topdown-be-bound"

/* Clocks are in milliseconds, as everywhere in the tool. */
static const struct metric_def defs[] = {
	{ "ipc", "", 1, "{instructions,cycles}", "instructions", "cycles",
	  "instructions per cycle" },
	{ "cpi", "", 1, "{instructions,cycles}", "cycles", "instructions",
	  "cycles per instruction" },
	{ "ghz", "GHz", 1e-6, "{cycles,task-clock}", "cycles", "task-clock",
	  "frequency while running" },
	{ "branch-miss-rate", "%", 100, "{branches,branch-misses}", "branch-misses", "branches",
	  "branches predicted wrongly" },
	{ "branch-mpki", "", 1000, "{instructions,branch-misses}", "branch-misses",
	  "instructions", "branches predicted wrongly, per 1000 instructions" },
	{ "cache-miss-rate", "%", 100, "{cache-references,cache-misses}", "cache-misses",
	  "cache-references", "references to the last level cache that missed" },
	{ "cache-mpki", "", 1000, "{instructions,cache-misses}", "cache-misses", "instructions",
	  "misses of the last level cache, per 1000 instructions" },
	{ "l1d-miss-rate", "%", 100, "{L1-dcache-loads,L1-dcache-load-misses}",
	  "L1-dcache-load-misses", "L1-dcache-loads", "loads that missed the first level" },
	{ "llc-miss-rate", "%", 100, "{LLC-loads,LLC-load-misses}", "LLC-load-misses",
	  "LLC-loads", "loads that missed the last level" },
	{ "dtlb-miss-rate", "%", 100, "{dTLB-loads,dTLB-load-misses}", "dTLB-load-misses",
	  "dTLB-loads", "loads whose page was not in the data TLB" },
	{ "itlb-miss-rate", "%", 100, "{iTLB-loads,iTLB-load-misses}", "iTLB-load-misses",
	  "iTLB-loads", "fetches whose page was not in the instruction TLB" },
	{ "frontend-idle", "%", 100, "{cycles,stalled-cycles-frontend}",
	  "stalled-cycles-frontend", "cycles", "cycles in which no instruction was fetched" },
	{ "backend-idle", "%", 100, "{cycles,stalled-cycles-backend}", "stalled-cycles-backend",
	  "cycles", "cycles in which none could be issued" },
	{ "tma-retiring", "%", 100, SLOTS_NEW, "topdown-retiring", SLOTS_ALL,
	  "slots whose operation was of use" },
	{ "tma-retiring", "%", 100, SLOTS_OLD, "topdown-slots-retired", "topdown-total-slots",
	  "slots whose operation was of use" },
	{ "tma-bad-speculation", "%", 100, SLOTS_NEW, "topdown-bad-spec", SLOTS_ALL,
	  "slots lost to wrong predictions" },
	{ "tma-bad-speculation", "%", 100, SLOTS_OLD,
	  "topdown-slots-issued - topdown-slots-retired + topdown-recovery-bubbles",
	  "topdown-total-slots", "slots lost to wrong predictions" },
	{ "tma-frontend-bound", "%", 100, SLOTS_NEW, "topdown-fe-bound", SLOTS_ALL,
	  "slots for which no operation was fetched" },
	{ "tma-frontend-bound", "%", 100, SLOTS_OLD, "topdown-fetch-bubbles",
	  "topdown-total-slots", "slots for which no operation was fetched" },
	{ "tma-backend-bound", "%", 100, SLOTS_NEW, "topdown-be-bound", SLOTS_ALL,
	  "slots that waited for memory or a unit" },
	{ "tma-backend-bound", "%", 100, SLOTS_OLD,
	  "topdown-total-slots - topdown-fetch-bubbles - topdown-slots-issued - topdown-recovery-bubbles",
	  "topdown-total-slots", "slots that waited for memory or a unit" },
	{ "cpus", "", 1e-3, "{task-clock}", "task-clock", NULL, "CPUs kept busy" },
	{ "faults-per-sec", "/s", 1e3, "{task-clock,page-faults}", "page-faults", "task-clock",
	  "page faults, per second of CPU time" },
	{ "switches-per-sec", "/s", 1e3, "{task-clock,context-switches}", "context-switches",
	  "task-clock", "context switches, per second of CPU time" },
};

/* A short name for several. */
static const struct {
	const char *name;
	const char *list;
} sets[] = {
	{ "topdown", "tma-retiring,tma-bad-speculation,tma-frontend-bound,tma-backend-bound" },
};

/* Which member of the group is this? -1: none. */
static int member_of(const char *group, const char *name, size_t len)
{
	const char *p = group + 1;
	int i;

	for (i = 0; *p; i++) {
		size_t n = strcspn(p, ",}");

		if (n == len && !strncmp(p, name, n))
			return i;
		p += n + 1;
	}
	return -1;
}

/* "a + b - c" as a factor for each member of the group. False: not of the group. */
static bool sum_parse(const char *group, const char *sum, double *factor)
{
	double sign = 1;

	while (*sum) {
		size_t n = strcspn(sum, " ");
		int at = member_of(group, sum, n);

		if (at < 0 || at >= METRIC_MEMBERS)
			return false;
		factor[at] += sign;
		sum += n;
		if (*sum) {
			sign = sum[1] == '-' ? -1 : 1;
			sum += 3;
		}
	}
	return true;
}

/* Are all events of the group here, as far as names go? They are freed again. */
static bool group_here(const char *group)
{
	struct event_list l = { 0 };
	struct parse_error err;
	bool good = !events_parse(&l, group, &err);

	event_list_free(&l);
	return good;
}

/* The row to use; the last of that name when none is here; NULL: no such name. */
static const struct metric_def *find_def(const char *name, size_t len, bool *here)
{
	const struct metric_def *found = NULL;
	size_t i;

	*here = false;
	for (i = 0; i < ARRAY_SIZE(defs) && !*here; i++)
		if (strlen(defs[i].name) == len && !strncmp(defs[i].name, name, len)) {
			found = &defs[i];
			*here = group_here(found->group);
		}
	return found;
}

static int complain_unknown(const char *name, size_t len)
{
	char *text = str_ndup(name, len);
	struct nearest n = { .text = text, .under = (unsigned int)len / 3 + 2 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(defs); i++)
		nearest_see(&n, defs[i].name);
	if (n.meant)
		complain("-M: there is no metric '%s'; did you mean '%s'?", text, n.meant);
	else
		complain("-M: there is no metric '%s'; 'pcl stat -M list' shows them", text);
	free(text);
	return -1;
}

/* Bind the definition to events: those of its group, or of an equal one before. */
static int metric_bind(struct metric_list *ml, struct event_list *l, const struct metric_def *def)
{
	struct metric *m;
	struct parse_error err;
	unsigned int i;

	ml->v = mem_resize(ml->v, ml->nr + 1, sizeof(*ml->v));
	m = &ml->v[ml->nr++];
	*m = (struct metric){ .def = def };
	for (i = 0; i + 1 < ml->nr; i++)
		if (!strcmp(ml->v[i].def->group, def->group))
			break;
	if (i + 1 < ml->nr) {
		m->first = ml->v[i].first;
	} else {
		m->first = l->nr;
		if (events_parse(l, def->group, &err))
			return complain("-M %s: %s", def->name, err.text);
	}
	m->nr = l->v[m->first]->nr_members;
	if (!sum_parse(def->group, def->over, m->over) ||
	    (def->under && !sum_parse(def->group, def->under, m->under)))
		return complain("-M %s: its definition is damaged", def->name);
	return 0;
}

static int take_one(struct metric_list *ml, struct event_list *l, const char *name, size_t len)
{
	const struct metric_def *def;
	bool here;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sets); i++)
		if (strlen(sets[i].name) == len && !strncmp(sets[i].name, name, len))
			return metrics_take(ml, l, sets[i].list);
	def = find_def(name, len, &here);
	if (!def)
		return complain_unknown(name, len);
	if (!here)
		return complain("-M %s: %s", def->name, core_pmu_present() ?
				"the PMU here names no such events in sysfs; 'pcl list pmu' shows those it has" :
				"it needs events of a hardware PMU, and none is visible here");
	return metric_bind(ml, l, def);
}

/* The list of -M: its metrics, and their events. 0, or -1 (said). */
int metrics_take(struct metric_list *ml, struct event_list *l, const char *text)
{
	const char *p = text;
	int ret = 0;

	while (!ret) {
		size_t n = strcspn(p, ",");

		ret = take_one(ml, l, p, n);
		p += n;
		if (!*p)
			break;
		p++;
	}
	return ret;
}

static void print_sum(FILE *f, const char *sum)
{
	fprintf(f, strchr(sum, ' ') ? "(%s)" : "%s", sum);
}

static void print_def(FILE *f, const struct metric_def *def, bool here)
{
	fprintf(f, "%-20s %s%s\n%21s= ", def->name, def->what, here ? "" : " (not here)", "");
	if (def->factor == 100 || def->factor == 1000)
		fprintf(f, "%g * ", def->factor);
	print_sum(f, def->over);
	fputs(" / ", f);
	print_sum(f, def->under ? def->under : "elapsed");
	fputc('\n', f);
}

/* pcl stat -M list: each name once, with the row that counts here. */
void metrics_print(FILE *f)
{
	bool here;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(defs); i++)
		if (!i || strcmp(defs[i].name, defs[i - 1].name)) {
			const struct metric_def *def;

			def = find_def(defs[i].name, strlen(defs[i].name), &here);
			print_def(f, def, here);
		}
	for (i = 0; i < ARRAY_SIZE(sets); i++)
		fprintf(f, "%-20s %s\n", sets[i].name, sets[i].list);
}

/* Every definition holds together; for the tests. NULL, or the name of a bad one. */
const char *metrics_check(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(defs); i++) {
		double factor[METRIC_MEMBERS] = { 0 };

		if (defs[i].group[0] != '{' || !sum_parse(defs[i].group, defs[i].over, factor) ||
		    (defs[i].under && !sum_parse(defs[i].group, defs[i].under, factor)))
			return defs[i].name;
	}
	return NULL;
}

/*
 * The metric of one run, or of one interval. values are those of its events,
 * in units. NAN: not to be had.
 */
double metric_value(const struct metric *m, const double *values, double elapsed_s)
{
	double over = 0, under = m->def->under ? 0 : elapsed_s;
	unsigned int i;

	for (i = 0; i < m->nr; i++) {
		over += m->over[i] * values[i];
		under += m->under[i] * values[i];
	}
	return under > 0 ? m->def->factor * over / under : NAN;
}
