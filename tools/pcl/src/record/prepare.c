// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a recording: what each asks for, opened, described.
 *
 * Concepts: each event is opened on each CPU for each task of the target. The
 * first one also tells of names, mappings and tasks, unless it may be off at
 * times: then an event that counts nothing does. What the file says of an event
 * is made from what was opened.
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
#include "unwind/unwind.h"

enum { DEFAULT_FREQ_HZ = 4000 };

/* The rate of -F, or the default one, within what the kernel allows. */
static int settle_freq(struct record_opts *o)
{
	long max = file_read_long("/proc/sys/kernel/perf_event_max_sample_rate", 100000);

	if (o->period)
		return 0;
	if (o->freq_hz == FREQ_MAX)
		o->freq_hz = (u64)max;
	if (o->freq_hz > (u64)max)
		return complain("-F: the kernel allows %ld samples a second; sysctl kernel.perf_event_max_sample_rate=%llu raises that",
				max, (unsigned long long)o->freq_hz);
	o->freq_given = o->freq_hz != 0;
	if (!o->freq_given)
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

/* What happens at a place of the program is sampled each time, unless a rate is named. */
static bool is_of_a_place(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_TRACEPOINT || a->type == PERF_TYPE_BREAKPOINT;
}

/*
 * PERF_SAMPLE_PERIOD comes with a frequency alone, and where each occurrence
 * counts: with it stock takes one sample of each, whatever the period, and
 * without it as many samples as an occurrence counts.
 */
static void set_rate(const struct record_opts *o, struct perf_event_attr *a)
{
	if (o->period) {
		a->sample_period = o->period;
	} else if (!a->sample_period || (o->freq_given && is_of_a_place(a))) {
		/* other events with a period of their own keep it */
		a->freq = 1;
		a->sample_freq = o->freq_hz;
	}
	if (a->freq || (a->sample_period == 1 && a->type == PERF_TYPE_TRACEPOINT))
		a->sample_type |= PERF_SAMPLE_PERIOD;
}

static void set_chains(const struct record_opts *o, struct perf_event_attr *a)
{
	if (o->chains == CHAINS_NONE)
		return;
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	a->exclude_callchain_kernel = a->exclude_kernel;
	if (o->chains == CHAINS_DWARF) {
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user = unwind_regs_mask();
		a->sample_stack_user = o->stack_bytes;
		a->exclude_callchain_user = 1;
	}
	if (o->chains != CHAINS_LBR)
		return;
	/* the CPU's record of calls is of user space; the kernel's part comes by frames */
	a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
	a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
				PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_NO_FLAGS;
}

/* One event tells of names, mappings and tasks; it serves all. */
static void set_telling(const struct record_opts *o, struct perf_event_attr *a, bool tells)
{
	a->comm = a->comm_exec = a->mmap = a->mmap2 = a->task = tells;
	/* perf unwinds raw stacks only with the mappings of data */
	a->mmap_data = tells && o->chains == CHAINS_DWARF;
}

/* Are the user's events off at times, or in rings that overwrite? */
static bool tells_apart(const struct record_opts *o)
{
	return o->snapshot || o->delay_ms || o->control;
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
	if (a->type == PERF_TYPE_TRACEPOINT)
		a->sample_type |= PERF_SAMPLE_RAW;
	a->read_format = PERF_FORMAT_ID | (r->knows_lost ? PERF_FORMAT_LOST : 0);
	a->sample_id_all = 1;
	a->use_clockid = o->settings.clock_given;
	a->clockid = o->settings.clock;
	a->inherit = o->target.inherit && !o->target.system_wide;
	a->disabled = e->leader == e;
	a->enable_on_exec = e->leader == e && o->target.by_command && !o->delay_ms;
	a->write_backward = o->snapshot;
	a->context_switch = first && o->off_cpu;
	set_telling(o, a, first && !tells_apart(o));
}

/* A sample of each, whatever the rate of the others. */
static void set_each(struct perf_event_attr *a)
{
	a->freq = 0;
	a->sample_period = 1;
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

/* Are stacks copied only to be unwound on the way to the file? */
static bool unwinds(const struct record_opts *o)
{
	return o->chains == CHAINS_DWARF && !o->raw;
}

/* What the file says of samples that the kernel writes so. */
static struct perf_event_attr attr_of_file(const struct record_opts *o,
					   const struct perf_event_attr *kernel)
{
	struct perf_event_attr a = *kernel;

	if (!unwinds(o))
		return a;
	a.sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	a.sample_regs_user = 0;
	a.sample_stack_user = 0;
	a.exclude_callchain_user = 0;
	return a;
}

/* The event as the file has it. */
static void describe_event(const struct recording *r, const struct event *e,
			   struct pd_out_event *out)
{
	const struct target *t = &r->o->target;
	unsigned int c, k;

	out->attr = attr_of_file(r->o, &e->attr);
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

/* offcpu-time has samples like those that its stacks come from, with a period. */
static struct perf_event_attr off_cpu_attr(const struct event *stacks)
{
	struct perf_event_attr a = stacks->attr;

	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_BPF_OUTPUT;
	a.freq = 0;
	a.sample_period = 1;
	a.sample_type |= PERF_SAMPLE_PERIOD;
	a.sample_type &= ~(u64)(PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW);
	a.comm = a.comm_exec = a.mmap = a.mmap2 = a.task = a.context_switch = 0;
	return a;
}

/* Whose stacks time off the CPU has. */
static const struct event *stacks_of(const struct recording *r)
{
	return r->switches ? r->switches : r->o->events.v[0];
}

static void describe_off_cpu(struct recording *r, struct pd_out_event *out)
{
	struct perf_event_attr a = off_cpu_attr(stacks_of(r));

	out->attr = attr_of_file(r->o, &a);
	out->name = str_dup(r->switches ? "offcpu-time" : "offcpu-time-approx");
	out->unit = "msec";
	out->scale = 1e-6;
	out->ids = mem_zalloc(1, sizeof(*out->ids));
	out->ids[out->nr_ids++] = (struct pd_out_id){ OFF_CPU_ID, 0, -1, -1 };
}

/* Behind the events, each that samples once more for samples whose stacks stay as they were copied. */
static void describe_spares(struct recording *r)
{
	struct pd_out_events *l = &r->out_events;
	unsigned int i, k;

	l->nr_deferred = l->nr - !!r->tracker;
	for (i = 0; i < l->nr_deferred; i++) {
		struct pd_out_event *raw = &l->v[l->nr + i];
		const struct event *e = i < r->o->events.nr ? r->o->events.v[i] : stacks_of(r);

		*raw = l->v[i];
		raw->attr = i < r->o->events.nr ? e->attr : off_cpu_attr(e);
		raw->name = str_printf("%s-raw", l->v[i].name);
		raw->nr_members = 0;
		raw->ids = mem_zalloc(raw->nr_ids, sizeof(*raw->ids));
		for (k = 0; k < raw->nr_ids; k++) {
			raw->ids[k] = l->v[i].ids[k];
			raw->ids[k].id |= RAW_ID_BIT;
		}
	}
}

/*
 * The event whose samples are the stacks with which tasks leave a CPU: where
 * neither may be had, the nearest sample stands for it, and that is said.
 */
static int open_switch_event(struct recording *r)
{
	static const char *const names[] = { "sched:sched_switch", "context-switches" };
	struct parse_error err;
	struct event *e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (events_parse(&r->own, names[i], &err)) {
			event_list_free(&r->own);
			continue;
		}
		e = r->own.v[0];
		set_attr(r, e, false);
		set_each(&e->attr);
		e->attr.sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
		e->attr.sample_type &= ~(u64)(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_RAW);
		e->attr.branch_sample_type = 0;
		if (!event_open_all(e, &r->o->target)) {
			r->switches = e;
			return read_ids(e);
		}
		if (i == ARRAY_SIZE(names) - 1)
			complain("note: --off-cpu: the stacks of tasks that leave a CPU are not to be had here (%s); that of the task's last sample stands for it, in the event offcpu-time-approx",
				 e->reason);
		event_list_free(&r->own);
	}
	return 0;
}

/* Who tells of tasks apart from the user's events runs from the start, and must not sample. */
static int open_telling_event(struct recording *r)
{
	struct perf_event_attr *a;
	struct parse_error err;
	struct event *e;

	if (events_parse(&r->own, "dummy:u", &err))
		return complain("dummy: %s", err.text);
	e = r->tracker = r->own.v[r->own.nr - 1];
	a = &e->attr;
	set_attr(r, e, false);
	set_each(a);
	a->enable_on_exec = r->o->target.by_command;
	a->write_backward = 0;
	/* it has no samples; what those of others hold it may not ask for everywhere */
	a->sample_type = RECORD_SAMPLE_TYPE;
	a->branch_sample_type = a->sample_regs_user = a->sample_stack_user = 0;
	set_telling(r->o, a, true);
	if (event_open_all(e, &r->o->target))
		return complain("event '%s': %s", e->name, e->reason);
	return read_ids(e);
}

static void list_add(struct event_list *l, const struct event_list *more)
{
	unsigned int i;

	l->v = mem_resize(l->v, l->nr + more->nr, sizeof(*l->v));
	for (i = 0; i < more->nr; i++)
		l->v[l->nr++] = more->v[i];
}

/* Open the user's events, until the processes of -p have no thread without them. */
static int open_settled(struct recording *r)
{
	struct event_list *l = &r->o->events;
	unsigned int i, k;

	for (i = 0; i < TARGET_TRIES; i++) {
		for (k = 0; k < l->nr; k++)
			event_close(l->v[k]);
		if (events_open_or_explain(l, &r->o->target))
			return -1;
		if (!target_grown(&r->o->target, i))
			return 0;
	}
	complain("note: -p: threads start faster than their events can be opened; some may be missed");
	return 0;
}

/* Open all events, and describe them. */
int record_open_events(struct recording *r)
{
	struct event_list *l = &r->o->events;
	unsigned int i;

	r->knows_lost = kernel_counts_lost();
	r->o->settings.data_maps = r->o->chains == CHAINS_DWARF;
	for (i = 0; i < l->nr; i++)
		set_attr(r, l->v[i], !i);
	if (open_settled(r))
		return -1;
	if ((r->o->off_cpu && open_switch_event(r)) || (tells_apart(r->o) && open_telling_event(r)))
		return -1;
	list_add(&r->all, l);
	list_add(&r->all, &r->own);
	/* offcpu-time is one more, and each may have one for its raw samples; then the one that tracks tasks */
	r->out_events.v = mem_zalloc(2 * (l->nr + 1) + 1, sizeof(*r->out_events.v));
	for (i = 0; i < l->nr; i++) {
		struct event *e = l->v[i];

		if (e->status != EVENT_COUNTED)
			return complain("event '%s': %s", e->name, e->reason);
		if (read_ids(e))
			return -1;
		describe_event(r, e, &r->out_events.v[r->out_events.nr++]);
	}
	if (r->o->off_cpu)
		describe_off_cpu(r, &r->out_events.v[r->out_events.nr++]);
	if (r->tracker)
		describe_event(r, r->tracker, &r->out_events.v[r->out_events.nr++]);
	if (unwinds(r->o))
		describe_spares(r);
	return 0;
}

static void add_sources(struct converter *s, const struct event_list *l, int kind)
{
	struct source src = { .kind = kind };
	unsigned int i, k;

	for (i = 0; i < l->nr; i++) {
		src.attr = l->v[i]->attr;
		for (k = 0; k < l->v[i]->nr_cpus * l->v[i]->nr_tids; k++)
			if (l->v[i]->fd[k] >= 0)
				converter_source(s, l->v[i]->id[k], &src);
	}
}

/* In a sample without stack, each field that a stack would fill is one word, 0. */
static unsigned int empty_words(u64 sample_type)
{
	return !!(sample_type & PERF_SAMPLE_CALLCHAIN) +
	       !!(sample_type & PERF_SAMPLE_BRANCH_STACK) +
	       !!(sample_type & PERF_SAMPLE_REGS_USER) +
	       !!(sample_type & PERF_SAMPLE_STACK_USER);
}

static void convert_off_cpu(struct recording *r, struct converter *s)
{
	struct source src = {
		.attr = off_cpu_attr(stacks_of(r)),
		.kind = SOURCE_OFF_CPU,
	};

	s->off_cpu = mem_zalloc(1, sizeof(*s->off_cpu));
	s->off_cpu->exact = r->switches != NULL;
	s->off_cpu->empty_words = empty_words(src.attr.sample_type);
	s->off_cpu->emit = converter_off_cpu;
	s->off_cpu->arg = s;
	converter_source(s, OFF_CPU_ID, &src);
}

/* What is to be made of the records on their way. The pipeline has its mailbox. */
int record_convert(struct recording *r)
{
	enum { CPUS_PER_UNWINDER = 4 };
	unsigned int nr = (r->o->target.cpus.nr + CPUS_PER_UNWINDER - 1) / CPUS_PER_UNWINDER;
	struct converter *s;

	if (!r->o->off_cpu && !unwinds(r->o))
		return 0;
	s = r->pipeline.converter = mem_zalloc(1, sizeof(*s));
	s->out = &r->output;
	add_sources(s, &r->o->events, SOURCE_EVENT);
	add_sources(s, &r->own, SOURCE_SWITCH);
	if (r->o->off_cpu)
		convert_off_cpu(r, s);
	if (!unwinds(r->o))
		return 0;
	s->unwinders = unwinders_new(&r->output, &r->pipeline.box,
				     r->o->readers > 0 ? (unsigned int)r->o->readers : nr);
	r->output.unwinders = s->unwinders;
	return unwinders_start(s->unwinders);
}

void record_events_free(struct recording *r)
{
	unsigned int i;

	for (i = 0; i < r->out_events.nr + r->out_events.nr_deferred; i++) {
		free(r->out_events.v[i].name);
		free(r->out_events.v[i].ids);
	}
	free(r->out_events.v);
	free(r->all.v);
	event_list_free(&r->own);
}

/* All but the one that tells of tasks. */
void record_switch_events(struct recording *r, unsigned long request)
{
	const struct event_list *l = &r->all;
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (l->v[i] != r->tracker &&
		    (request == PERF_EVENT_IOC_DISABLE || l->v[i]->leader == l->v[i]))
			event_ioctl(l->v[i], request, 0);
}

void record_switch_tracker(struct recording *r, unsigned long request)
{
	if (r->tracker)
		event_ioctl(r->tracker, request, 0);
}

/*
 * A LOST record comes only with the next record that fits, which may be never;
 * so the counts of the events themselves have the last word.
 */
void record_describe_lost(struct recording *r)
{
	const struct event_list *l = &r->all;
	struct { u64 value, id, lost; } v;
	unsigned int i, k;

	/* a snapshot has no losses, and no file is open behind the last */
	for (i = 0; i < l->nr && r->knows_lost && !r->o->snapshot; i++) {
		struct event *e = l->v[i];

		for (k = 0; k < e->nr_cpus * e->nr_tids; k++)
			if (e->fd[k] >= 0 && read(e->fd[k], &v, sizeof(v)) == sizeof(v) && v.lost)
				synth_lost(&r->output.w, e == r->switches ? OFF_CPU_ID : v.id,
					   v.lost);
	}
}
