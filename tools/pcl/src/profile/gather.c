// SPDX-License-Identifier: GPL-2.0
/*
 * From a file to a profile.
 *
 * Concepts: one pass in order of time; records that tell of tasks and mappings
 * go to the session, samples to the profile. Samples out of the wanted time are
 * left out, but what tells of tasks is always taken in.
 * Contexts: one thread at a time.
 * Locks: none.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "profile/profile.h"

static void add_sample(void *arg, unsigned int event, struct pd_sample *sample)
{
	struct gather *g = arg;

	if (sample->time_ns < g->time.from_ns || sample->time_ns > g->time.to_ns) {
		g->out_of_time++;
		return;
	}
	session_at(g->profile->s, sample->time_ns);
	if (g->profile->chains)
		session_unwind(g->profile->s, sample);
	batch_add(g->profile, event, sample);
}

/* No more records come. */
void gather_end(struct gather *g)
{
	if (g->profile->batch)
		batch_flush(g->profile);
}

/* Take in one record, in order of time. */
int gather_record(struct gather *g, struct pd_file *f, const struct perf_event_header *h,
		  struct cursor body)
{
	if (h->type == PERF_RECORD_SAMPLE)
		samples_take(f, h, body, &g->left, add_sample, g);
	else
		session_record(g->profile->s, h, body);
	return 0;
}

static int on_record(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		     void *arg)
{
	return gather_record(arg, f, h, body);
}

/* Take in a whole file; g has the profile, and which time is wanted. */
int gather_file(struct gather *g, struct pd_file *f)
{
	int ret = pd_walk(f, on_record, g);

	gather_end(g);
	return ret;
}

static int on_time(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		   void *arg)
{
	struct time_range *t = arg;
	u64 at;

	if (h->type != PERF_RECORD_SAMPLE)
		return 0;
	at = record_time(f, h, body);
	if (at < t->from_ns)
		t->from_ns = at;
	if (at > t->to_ns)
		t->to_ns = at;
	return 0;
}

/*
 * "12.000345": exact, which a double is not. Blanks may stand before it: script's and perf's columns of times have them
 * when the machine is up for a short time only, and times are copied from there.
 */
static bool take_seconds(const char **s, u64 *ns)
{
	u64 seconds, unit = 100000000;
	char *end;

	*s += strspn(*s, " \t");
	errno = 0;
	if (**s < '0' || **s > '9')
		return false;
	seconds = strtoull(*s, &end, 10);
	if (errno || seconds > 10000000000u)
		return false;
	*ns = seconds * 1000000000u;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
			*ns += (u64)(*end - '0') * unit;
	*s = end;
	return true;
}

/* "10%/2", the second tenth, or "20%-30%". */
static bool take_percent(const char *s, double *from, double *to)
{
	double a, b;
	char *end;

	a = strtod(s, &end);
	if (end == s || *end++ != '%' || !(a >= 0 && a <= 100))
		return false;
	if (*end == '/') {
		b = (double)strtoul(end + 1, &end, 10);
		*from = a * (b - 1);
		*to = a * b;
		return !*end && a > 0 && b >= 1 && *from < 100;
	}
	if (*end++ != '-')
		return false;
	b = strtod(end, &end);
	*from = a;
	*to = b;
	return *end == '%' && !end[1] && a < b && b <= 100;
}

/* "START,STOP" in seconds, either may be left out; or percentages of the file. */
int time_range_parse(struct time_range *t, const char *text, struct pd_file *f)
{
	struct time_range all = { .from_ns = ~0ull };
	const char *s = text;
	double from, to, span;

	*t = (struct time_range){ 0, ~0ull };
	if (strchr(text, '%')) {
		if (!take_percent(text, &from, &to))
			goto bad;
		if (pd_walk(f, on_time, &all))
			return -1;
		if (all.from_ns > all.to_ns)
			return 0;	/* no samples at all */
		span = (double)(all.to_ns - all.from_ns);
		t->from_ns = all.from_ns + (u64)(span * from / 100);
		/* each sample is in one of the slices */
		t->to_ns = to >= 100 ? ~0ull : all.from_ns + (u64)(span * to / 100) - 1;
		return 0;
	}
	if (*s != ',' && !take_seconds(&s, &t->from_ns))
		goto bad;
	if (*s++ != ',')
		goto bad;
	if (*s && (!take_seconds(&s, &t->to_ns) || *s))
		goto bad;
	if (t->from_ns > t->to_ns)
		goto bad;
	return 0;
bad:
	return complain("--time: '%s' is no 'START,STOP' in seconds, nor 'N%%/M' or 'A%%-B%%' of the recording",
			text);
}
