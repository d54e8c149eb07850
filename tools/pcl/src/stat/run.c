// SPDX-License-Identifier: GPL-2.0
/*
 * One run: open, let the command go, wait, read, close.
 *
 * Concepts: events of a command start at its exec; those of another target are
 * enabled by hand. What the kernel tells of the ended command (times, faults,
 * peak memory, switches) comes with its status, so it is of this run alone.
 * Contexts: stat; signals are taken synchronously.
 * Locks: none.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"
#include "stat/stat.h"

/* The run under way. */
struct running {
	struct child child;
	char **argv;		/* NULL: no command */
	u64 start_ns, end_ns;
	long held_kb;		/* the child's memory before its exec */
};

/* Hand a signal that only pcl got on to the command. */
static void pass_on(const struct child *child, const siginfo_t *info)
{
	if (info->si_code == SI_USER || info->si_code == SI_TKILL)
		kill(child->pid, info->si_signo);
}

static struct timespec until(u64 then_ns)
{
	u64 now_ns = clock_ns(), left_ns = then_ns > now_ns ? then_ns - now_ns : 0;

	return (struct timespec){ .tv_sec = (time_t)(left_ns / 1000000000),
				  .tv_nsec = (long)(left_ns % 1000000000) };
}

static double seconds(u64 from_ns, u64 to_ns)
{
	return (double)(to_ns - from_ns) / 1e9;
}

/* Has the command ended, or is the target gone? */
static bool run_over(struct counting *c, struct running *r)
{
	if (r->argv)
		return child_poll(&r->child);
	return !c->o->target.system_wide && !target_alive(&c->o->target);
}

/* Until the command ends, the target is gone, or a signal says stop. */
static void wait_for_end(struct counting *c, struct running *r)
{
	u64 step_ns = c->o->interval_ms * 1000000ull, next_ns = r->start_ns + step_ns;
	u64 last_ns = r->start_ns, now_ns;
	struct timespec ts;
	siginfo_t info;
	int sig;

	for (;;) {
		ts = until(step_ns ? next_ns : clock_ns() + 100000000);
		sig = sigtimedwait(&c->signals, &info, &ts);
		if (sig == SIGINT || sig == SIGTERM) {
			c->stop = true;
			if (!r->argv)
				break;
			pass_on(&r->child, &info);
		}
		if (run_over(c, r))
			break;
		now_ns = clock_ns();
		if (step_ns && now_ns >= next_ns) {
			interval_print(c, seconds(r->start_ns, now_ns), seconds(last_ns, now_ns));
			last_ns = now_ns;
			while (next_ns <= now_ns)
				next_ns += step_ns;
		}
	}
	r->end_ns = clock_ns();
	if (step_ns)
		interval_print(c, seconds(r->start_ns, r->end_ns), seconds(last_ns, r->end_ns));
}

static void fill_figures(const struct running *r, double *figure)
{
	const struct rusage *u = &r->child.usage;
	unsigned int i;

	for (i = 0; i < NR_FIGURES; i++)
		figure[i] = NAN;
	figure[FIGURE_ELAPSED] = seconds(r->start_ns, r->end_ns);
	if (!r->argv)
		return;
	figure[FIGURE_USER] = timeval_seconds(&u->ru_utime);
	figure[FIGURE_SYS] = timeval_seconds(&u->ru_stime);
	figure[FIGURE_SOFT_FAULTS] = (double)u->ru_minflt;
	figure[FIGURE_HARD_FAULTS] = (double)u->ru_majflt;
	figure[FIGURE_VOLUNTARY] = (double)u->ru_nvcsw;
	figure[FIGURE_INVOLUNTARY] = (double)u->ru_nivcsw;
	if (u->ru_maxrss > r->held_kb)
		figure[FIGURE_PEAK_RSS] = (double)u->ru_maxrss * 1024;
}

static void leaders_ioctl(struct counting *c, unsigned long request)
{
	struct event_list *l = &c->o->events;
	unsigned int i;

	/* those of a command start and end with it */
	for (i = 0; i < l->nr && !c->o->target.by_command; i++)
		if (l->v[i]->leader == l->v[i])
			event_ioctl(l->v[i], request, 0);
}

static void close_events(struct counting *c)
{
	unsigned int i;

	for (i = 0; i < c->o->events.nr; i++)
		event_close(c->o->events.v[i]);
}

static int read_events(struct counting *c, struct run *r)
{
	int err;

	r->count = mem_zalloc(c->o->events.nr * c->parts.nr, sizeof(*r->count));
	err = events_read(&c->o->events, c->parts.of, c->parts.nr, r->count);
	close_events(c);
	return err ? complain("reading the events: %s", strerror(-err)) : 0;
}

static void set_attrs(struct stat_opts *o)
{
	unsigned int i;

	for (i = 0; i < o->events.nr; i++) {
		struct event *e = o->events.v[i];

		e->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING;
		if (e->leader->nr_members > 1)
			e->attr.read_format |= PERF_FORMAT_GROUP | PERF_FORMAT_ID;
		e->attr.sample_period = 0;
		e->attr.inherit = o->target.inherit && !o->target.system_wide;
		e->attr.disabled = e->leader == e;
		e->attr.enable_on_exec = e->leader == e && o->target.by_command;
	}
}

/* Until no group that was made here has a refused member. 0, or -1 (said). */
static int open_events(struct counting *c)
{
	do {
		close_events(c);
		set_attrs(c->o);
		if (events_open_or_explain(&c->o->events, &c->o->target))
			return -1;
	} while (events_ungroup(&c->o->events));
	return 0;
}

/*
 * The same, until no thread started meanwhile; then the parts of the target
 * are known, too. Later runs keep to what the first one found.
 */
static int open_settled(struct counting *c)
{
	struct target *t = &c->o->target;
	bool grown = false;
	unsigned int i;

	if (open_events(c))
		return -1;
	if (c->parts.nr)
		return 0;
	for (i = 0; i < TARGET_TRIES && (grown = target_grown(t, i)); i++)
		if (open_events(c))
			return -1;
	if (grown)
		complain("note: -p: threads start faster than their events can be opened; some may be missed");
	parts_make(&c->parts, c->o->per, t);
	c->last = mem_zalloc(c->o->events.nr * c->parts.nr, sizeof(*c->last));
	return 0;
}

/* Start the command, held, and open the events. 0, or -1 (said). */
static int run_prepare(struct counting *c, struct running *r)
{
	struct target *t = &c->o->target;

	if (r->argv && child_prepare(&r->child, r->argv))
		return -1;
	if (t->by_command) {
		t->tids.nr = 0;
		int_list_add(&t->tids, r->child.pid);
	}
	if (!open_settled(c))
		return 0;
	close_events(c);
	if (r->argv)
		child_abandon(&r->child);
	return -1;
}

/*
 * Run argv (NULL: wait for the target) and count. 0: *out is filled, to be
 * freed by run_free. -1: there is no result; said.
 */
int run_once(struct counting *c, char **argv, struct run *out)
{
	struct running r = { .argv = argv };

	*out = (struct run){ 0 };
	if (run_prepare(c, &r))
		return -1;
	if (argv)
		r.held_kb = child_rss_kb(&r.child);
	if (argv && cold_evict(&c->o->cold, argv[0], argv == c->o->vs)) {
		close_events(c);
		child_abandon(&r.child);
		return -1;
	}
	leaders_ioctl(c, PERF_EVENT_IOC_ENABLE);
	r.start_ns = clock_ns();
	if (argv && child_go(&r.child)) {
		c->status = child_exit_status(&r.child);
		close_events(c);
		return -1;
	}
	wait_for_end(c, &r);
	leaders_ioctl(c, PERF_EVENT_IOC_DISABLE);
	fill_figures(&r, out->figure);
	if (argv)
		c->command_s += out->figure[FIGURE_USER] + out->figure[FIGURE_SYS];
	out->status = argv ? child_exit_status(&r.child) : 0;
	if (out->status && !c->status)
		c->status = out->status;
	return read_events(c, out);
}

void run_free(struct run *r)
{
	free(r->count);
	r->count = NULL;
}

void counting_begin(struct counting *c, struct stat_opts *o)
{
	*c = (struct counting){ .o = o };
	sigemptyset(&c->signals);
	sigaddset(&c->signals, SIGINT);
	sigaddset(&c->signals, SIGTERM);
	sigaddset(&c->signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &c->signals, NULL);
}

void counting_end(struct counting *c)
{
	unsigned int i;

	for (i = 0; i < c->nr_history; i++)
		series_free(&c->history[i]);
	free(c->history);
	parts_free(&c->parts);
	free(c->last);
	c->last = NULL;
}
