// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a recording: what each asks for, opened, described.
 *
 * Concepts: each event is opened on each CPU for each task of the target. The
 * first one also tells of names, mappings and tasks. What the file says of an
 * event is made from what was opened.
 * Contexts: start and end of record.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"

enum { DEFAULT_FREQ_HZ = 4000 };

/* The rate of -F, or the default one, within what the kernel allows. */
static int settle_freq(struct record_opts *o)
{
	long max = file_read_long("/proc/sys/kernel/perf_event_max_sample_rate", 100000);

	if (o->period)
		return 0;
	if (o->freq_hz > (u64)max)
		return complain("-F: the kernel allows %ld samples a second; sysctl kernel.perf_event_max_sample_rate=%llu raises that",
				max, (unsigned long long)o->freq_hz);
	if (!o->freq_hz)
		o->freq_hz = max < DEFAULT_FREQ_HZ ? (u64)max : DEFAULT_FREQ_HZ;
	return 0;
}

static int default_event(struct record_opts *o)
{
	struct parse_error err;

	if (o->events.nr)
		return 0;
	if (core_pmu_present())
		return events_parse(&o->events, "cycles", &err);
	complain("note: no hardware PMU is visible here, so cpu-clock is sampled instead of cycles");
	return events_parse(&o->events, "cpu-clock", &err);
}

/* Fill in what the options left open. */
int record_settle(struct record_opts *o)
{
	int ret = settle_freq(o);

	return ret ? ret : default_event(o);
}

/* Does the kernel count for each event what did not fit into its ring? */
static bool kernel_counts_lost(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_LOST,
		.exclude_kernel = 1,
	};
	int fd = sys_perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void set_rate(const struct record_opts *o, struct perf_event_attr *a)
{
	if (o->period) {
		a->sample_period = o->period;
	} else if (!a->sample_period) {
		/* an event with a period of its own keeps it */
		a->freq = 1;
		a->sample_freq = o->freq_hz;
		/*
		 * Only here: with a fixed period that is asked for in samples,
		 * stock samples each software event instead of each Nth.
		 */
		a->sample_type |= PERF_SAMPLE_PERIOD;
	}
}

static void set_chains(const struct record_opts *o, struct perf_event_attr *a)
{
	if (o->chains == CHAINS_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	a->exclude_callchain_kernel = a->exclude_kernel;
	if (o->chains != CHAINS_LBR)
		return;
	/* the CPU's record of calls is of user space; the kernel's part comes by frames */
	a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
				PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_NO_FLAGS;
}

/* Each event of a group samples on its own; the leader starts all. */
static void set_attr(const struct recording *r, struct event *e, bool first)
{
	const struct record_opts *o = r->o;
	struct perf_event_attr *a = &e->attr;

	a->sample_type |= RECORD_SAMPLE_TYPE;
	set_rate(o, a);
	set_chains(o, a);
	if (a->type == PERF_TYPE_BREAKPOINT)
		a->sample_type |= PERF_SAMPLE_ADDR;
	a->read_format = PERF_FORMAT_ID | (r->knows_lost ? PERF_FORMAT_LOST : 0);
	a->sample_id_all = 1;
	a->use_clockid = o->settings.clock_given;
	a->clockid = o->settings.clock;
	a->inherit = o->target.inherit && !o->target.system_wide;
	a->disabled = e->leader == e;
	a->enable_on_exec = e->leader == e && o->target.by_command && !o->delay_ms;
	/* one event tells of names, mappings and tasks; it serves all */
	a->comm = a->comm_exec = a->mmap = a->mmap2 = a->task = first;
}

static int read_ids(struct event *e)
{
	unsigned int i, nr = e->nr_cpus * e->nr_tids;

	e->id = mem_zalloc(nr, sizeof(*e->id));
	for (i = 0; i < nr; i++)
		if (e->fd[i] >= 0 && ioctl(e->fd[i], PERF_EVENT_IOC_ID, &e->id[i]))
			return complain("event '%s' has no id: %s", e->name, strerror(errno));
	return 0;
}

/* The event as the file has it. */
static void describe_event(const struct recording *r, const struct event *e,
			   struct pd_out_event *out)
{
	const struct target *t = &r->o->target;
	unsigned int c, k;

	out->attr = e->attr;
	out->name = str_dup(e->name);
	out->unit = e->unit;
	out->scale = e->scale;
	out->nr_members = e->leader == e ? e->nr_members : 0;
	out->ids = mem_zalloc(t->cpus.nr * t->tids.nr, sizeof(*out->ids));
	for (c = 0; c < t->cpus.nr; c++)
		for (k = 0; k < t->tids.nr; k++) {
			unsigned int at = c * t->tids.nr + k;

			if (e->fd[at] >= 0)
				out->ids[out->nr_ids++] = (struct pd_out_id){
					e->id[at], c, t->cpus.v[c], t->tids.v[k],
				};
		}
}

/* Open all events, and describe them. */
int record_open_events(struct recording *r)
{
	struct event_list *l = &r->o->events;
	unsigned int i;

	r->knows_lost = kernel_counts_lost();
	for (i = 0; i < l->nr; i++)
		set_attr(r, l->v[i], !i);
	if (events_open_or_explain(l, &r->o->target))
		return -1;
	r->out_events.v = mem_zalloc(l->nr, sizeof(*r->out_events.v));
	for (i = 0; i < l->nr; i++) {
		struct event *e = l->v[i];

		if (e->status != EVENT_COUNTED)
			return complain("event '%s': %s", e->name, e->reason);
		if (read_ids(e))
			return -1;
		describe_event(r, e, &r->out_events.v[r->out_events.nr++]);
	}
	return 0;
}

void record_events_free(struct recording *r)
{
	unsigned int i;

	for (i = 0; i < r->out_events.nr + r->out_events.nr_spare; i++) {
		free(r->out_events.v[i].name);
		free(r->out_events.v[i].ids);
	}
	free(r->out_events.v);
}

void record_switch_events(struct recording *r, unsigned long request)
{
	const struct event_list *l = &r->o->events;
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (request == PERF_EVENT_IOC_DISABLE || l->v[i]->leader == l->v[i])
			event_ioctl(l->v[i], request, 0);
}

/*
 * A LOST record comes only with the next record that fits, which may be never;
 * so the counts of the events themselves have the last word.
 */
void record_describe_lost(struct recording *r)
{
	const struct event_list *l = &r->o->events;
	struct { u64 value, id, lost; } v;
	unsigned int i, k;

	for (i = 0; i < l->nr && r->knows_lost; i++) {
		struct event *e = l->v[i];

		for (k = 0; k < e->nr_cpus * e->nr_tids; k++)
			if (e->fd[k] >= 0 && read(e->fd[k], &v, sizeof(v)) == sizeof(v) && v.lost)
				synth_lost(&r->output.w, v.id, v.lost);
	}
}
