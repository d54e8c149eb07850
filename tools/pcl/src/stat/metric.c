// SPDX-License-Identifier: GPL-2.0
/*
 * Ratios and rates beside the counts.
 *
 * Concepts: a ratio joins two events that looked at the same instructions:
 * both of one group, or both counting all the time. Anything else would be a
 * guess, so it is left out.
 * Contexts: stat, before printing.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

#define HW(n)	PERF_TYPE_HARDWARE, PERF_COUNT_HW_##n
#define SW(n)	PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##n

/* {event, divided by event} and how to say it; factor 100 is per cent. */
static const struct ratio {
	u32 type;
	u64 config;
	u32 by_type;
	u64 by_config;
	double factor;
	const char *text;
} ratios[] = {
	{ HW(INSTRUCTIONS), HW(CPU_CYCLES), 1, "insn per cycle" },
	{ HW(BRANCH_MISSES), HW(BRANCH_INSTRUCTIONS), 100, "% of all branches" },
	{ HW(CACHE_MISSES), HW(CACHE_REFERENCES), 100, "% of all cache refs" },
	{ HW(STALLED_CYCLES_FRONTEND), HW(CPU_CYCLES), 100, "% frontend cycles idle" },
	{ HW(STALLED_CYCLES_BACKEND), HW(CPU_CYCLES), 100, "% backend cycles idle" },
	/* a clock counts nanoseconds, so cycles by clock are GHz */
	{ HW(CPU_CYCLES), SW(TASK_CLOCK), 1, "GHz" },
	{ HW(CPU_CYCLES), SW(CPU_CLOCK), 1, "GHz" },
};

static bool same_filter(const struct event *a, const struct event *b)
{
	return a->attr.exclude_user == b->attr.exclude_user &&
	       a->attr.exclude_kernel == b->attr.exclude_kernel &&
	       a->attr.exclude_guest == b->attr.exclude_guest &&
	       a->attr.exclude_host == b->attr.exclude_host;
}

/* May a be divided by b? Clocks run always and for every level. */
static bool comparable(const struct stat_row *a, const struct stat_row *b)
{
	if (a->status != EVENT_COUNTED || b->status != EVENT_COUNTED || !(b->value > 0))
		return false;
	if (b->event->attr.type != PERF_TYPE_SOFTWARE && !same_filter(a->event, b->event))
		return false;
	if (a->event->leader == b->event->leader)
		return true;
	return a->running_ns == a->enabled_ns && b->running_ns == b->enabled_ns;
}

/*
 * Would a by b be a ratio, if they were counted together? Ratios by a clock
 * need no group: a clock always runs.
 */
bool metric_divides(const struct event *a, const struct event *b)
{
	size_t i;

	if (!same_filter(a, b))
		return false;
	if (a->attr.type == PERF_TYPE_HW_CACHE && b->attr.type == PERF_TYPE_HW_CACHE)
		return a->attr.config >> 16 == PERF_COUNT_HW_CACHE_RESULT_MISS &&
		       b->attr.config == (a->attr.config & 0xffff);
	for (i = 0; i < ARRAY_SIZE(ratios); i++)
		if (ratios[i].by_type != PERF_TYPE_SOFTWARE && a->attr.type == ratios[i].type &&
		    a->attr.config == ratios[i].config && b->attr.type == ratios[i].by_type &&
		    b->attr.config == ratios[i].by_config)
			return true;
	return false;
}

static const struct stat_row *find_row(const struct stat_row *rows, unsigned int nr,
				       const struct stat_row *a, u32 type, u64 config)
{
	const struct stat_row *found = NULL;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct perf_event_attr *attr;

		if (!rows[i].event || rows[i].part != a->part)
			continue;
		attr = &rows[i].event->attr;
		if (attr->type != type || attr->config != config || !comparable(a, &rows[i]))
			continue;
		if (rows[i].event->leader == a->event->leader)
			return &rows[i];
		if (!found)
			found = &rows[i];
	}
	return found;
}

static void set_metric(struct stat_row *r, double v, const char *text)
{
	r->has_metric = true;
	r->metric = v;
	snprintf(r->metric_text, sizeof(r->metric_text), "%s", text);
}

static bool is_clock(const struct event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE &&
	       (e->attr.config == PERF_COUNT_SW_TASK_CLOCK ||
		e->attr.config == PERF_COUNT_SW_CPU_CLOCK);
}

static bool table_metric(struct stat_row *r, const struct stat_row *rows, unsigned int nr)
{
	const struct perf_event_attr *attr = &r->event->attr;
	const struct stat_row *by;
	double divisor;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ratios); i++) {
		if (attr->type != ratios[i].type || attr->config != ratios[i].config)
			continue;
		/* a part of the cycles by the whole of the time is no frequency */
		if (ratios[i].by_type == PERF_TYPE_SOFTWARE &&
		    (attr->exclude_user || attr->exclude_kernel))
			continue;
		by = find_row(rows, nr, r, ratios[i].by_type, ratios[i].by_config);
		if (!by)
			continue;
		/* values are in units; a ratio wants plain counts */
		divisor = by->value / by->event->scale;
		set_metric(r, r->value / divisor * ratios[i].factor, ratios[i].text);
		return true;
	}
	return false;
}

static bool cache_metric(struct stat_row *r, const struct stat_row *rows, unsigned int nr)
{
	const struct perf_event_attr *attr = &r->event->attr;
	char access[32], text[48];
	const struct stat_row *by;

	if (attr->type != PERF_TYPE_HW_CACHE ||
	    attr->config >> 16 != PERF_COUNT_HW_CACHE_RESULT_MISS)
		return false;
	by = find_row(rows, nr, r, PERF_TYPE_HW_CACHE, attr->config & 0xffff);
	if (!by)
		return false;
	cache_access_name(attr->config, access, sizeof(access));
	snprintf(text, sizeof(text), "%% of all %s", access);
	set_metric(r, r->value / by->value * 100, text);
	return true;
}

/* Events per second of the clock that was counted beside. */
static void rate_metric(struct stat_row *r, const struct stat_row *rows, unsigned int nr)
{
	static const struct { double at; double by; const char *text; } steps[] = {
		{ 1e9, 1e-9, "G/sec" }, { 1e6, 1e-6, "M/sec" }, { 1e3, 1e-3, "K/sec" },
		{ 0, 1, "/sec" },
	};
	const struct stat_row *by;
	double rate;
	size_t i;

	by = find_row(rows, nr, r, SW(TASK_CLOCK));
	if (!by)
		by = find_row(rows, nr, r, SW(CPU_CLOCK));
	if (!by || r->event->unit)
		return;
	rate = r->value / (by->value / by->event->scale) * 1e9;
	for (i = 0; rate < steps[i].at; i++)
		;
	set_metric(r, rate * steps[i].by, steps[i].text);
}

/* Give each row that deserves one its metric. */
void metrics_fill(struct stat_row *rows, unsigned int nr, double elapsed_s)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct stat_row *r = &rows[i];

		r->has_metric = false;
		if (!r->event || r->status != EVENT_COUNTED)
			continue;
		if (is_clock(r->event)) {
			if (elapsed_s > 0)
				set_metric(r, r->value / r->event->scale / 1e9 / elapsed_s,
					   "CPUs utilized");
			continue;
		}
		if (!table_metric(r, rows, nr) && !cache_metric(r, rows, nr))
			rate_metric(r, rows, nr);
	}
}
