// SPDX-License-Identifier: GPL-2.0
/*
 * pcl stat: count events over a command, a task, a CPU or the whole machine.
 *
 * Concepts: a run opens the events, lets the command go, waits, reads and
 * closes; -r does that several times. An interval is the difference of two
 * readings. The rows so gathered go to one of three printers.
 * Contexts: one process, one thread; signals are taken synchronously.
 * Locks: none.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "internal.h"

static const char help[] =
"usage: pcl stat [options] [--] [command [argument...]]\n"
"Count events while a command runs, or on running tasks and CPUs.\n"
"\n"
"  -e, --event LIST     events to count, see pcl-list(1); may be repeated\n"
"  -a, --all-cpus       the whole machine\n"
"  -C, --cpu LIST       these CPUs, such as 0-2,5\n"
"  -p, --pid LIST       all threads of these processes\n"
"  -t, --tid LIST       these threads\n"
"  -i, --no-inherit     leave out children and new threads\n"
"  -r, --repeat N       run N times; print mean and standard deviation\n"
"  -I, --interval MS    print what was counted every MS milliseconds\n"
"  -x, --csv SEP        lines of fields separated by SEP\n"
"  -j, --json           one JSON document; with -I one a line\n"
"  -o, --output FILE    write the result there (-: standard output)\n"
"  -h, --help           this text\n"
"\n"
"Results go to standard error. With -a, -C, -p or -t a command only sets how\n"
"long to measure. Without events, hardware events of the CPU are counted where\n"
"there is a PMU, software events elsewhere, and the table says so.\n"
"\n"
"Exit status: that of the command, 128 + N when signal N ended it; 125 when pcl\n"
"itself failed, 126 when the command cannot be run, 127 when it was not found.\n";

static const char default_hardware[] =
	"task-clock,context-switches,cpu-migrations,page-faults,"
	"{cycles,instructions},{branches,branch-misses}";
static const char default_software[] =
	"task-clock,context-switches,cpu-migrations,page-faults,minor-faults,major-faults";
static const char note_software[] =
	"no hardware PMU is visible here, so only software events are counted";

struct stat_opts {
	struct event_list events;
	struct target target;
	const char *cpus;
	char **argv;
	unsigned int repeat;
	unsigned int interval_ms;
	const char *out_name;
	bool json;
	char sep;		/* 0: no CSV */
	FILE *out;
	const char *note;
};

/* What the runs add up to. */
struct totals {
	struct tally *value;	/* one for each event */
	struct count *count;
	struct tally elapsed, user, sys;
	bool stop;		/* a signal asked for the end */
	int status;
};

static int parse_number(const char *opt, const char *text, unsigned int *v)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || !n || n > 100000000)
		return complain("%s: '%s' is not a number above zero", opt, text);
	*v = (unsigned int)n;
	return 0;
}

static int take_option(struct stat_opts *o, int c)
{
	switch (c) {
	case 'e':
		return events_parse_option(&o->events, optarg);
	case 'a':
	case 'C':
	case 'p':
	case 't':
	case 'i':
		return target_take_option(&o->target, c, optarg, &o->cpus);
	case 'r':
		return parse_number("-r", optarg, &o->repeat);
	case 'I':
		if (parse_number("-I", optarg, &o->interval_ms))
			return -1;
		if (o->interval_ms < 10)
			return complain("-I: at least 10 ms, or the tool measures itself");
		return 0;
	case 'x':
		if (!strcmp(optarg, "\\t"))
			o->sep = '\t';
		else if (strlen(optarg) == 1 && *optarg != '"')
			o->sep = *optarg;
		else
			return complain("-x: the separator is one character");
		return 0;
	case 'j':
		o->json = true;
		return 0;
	case 'o':
		o->out_name = optarg;
		return 0;
	default:
		return -1;
	}
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct stat_opts *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "event", required_argument, NULL, 'e' },
		TARGET_LONG_OPTIONS,
		{ "repeat", required_argument, NULL, 'r' },
		{ "interval", required_argument, NULL, 'I' },
		{ "csv", required_argument, NULL, 'x' },
		{ "json", no_argument, NULL, 'j' },
		{ "output", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "+e:aC:p:t:ir:I:x:jo:h", longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 1;
		}
		if (c == '?') {
			fputs("pcl: 'pcl stat --help' shows the options\n", stderr);
			return -1;
		}
		if (take_option(o, c))
			return -1;
	}
	o->argv = optind < argc ? argv + optind : NULL;
	if (o->json && o->sep)
		return complain("-j and -x: one output format at a time");
	if (o->repeat > 1 && (!o->argv || o->interval_ms))
		return complain("-r needs a command to repeat, and does not go with -I");
	return target_finish(&o->target, o->cpus, o->argv != NULL);
}

static int default_events(struct stat_opts *o)
{
	struct parse_error err;

	if (o->events.nr)
		return 0;
	if (core_pmu_present())
		return events_parse(&o->events, default_hardware, &err);
	o->note = note_software;
	return events_parse(&o->events, default_software, &err);
}

static void set_attrs(struct stat_opts *o)
{
	unsigned int i;

	for (i = 0; i < o->events.nr; i++) {
		struct event *e = o->events.v[i];

		e->attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING;
		e->attr.sample_period = 0;
		e->attr.inherit = o->target.inherit && !o->target.system_wide;
		e->attr.disabled = e->leader == e;
		e->attr.enable_on_exec = e->leader == e && o->target.by_command;
	}
}

static void make_row(struct stat_row *r, struct event *e, const struct count *c)
{
	*r = (struct stat_row){
		.event = e,
		.status = e->status,
		.value = c->scaled * e->scale,
		.enabled_ns = c->enabled_ns,
		.running_ns = c->running_ns,
	};
	if (e->status == EVENT_NOT_SUPPORTED || c->running_ns)
		return;
	r->status = EVENT_NOT_COUNTED;
	free(e->reason);
	if (e->attr.pinned && !c->enabled_ns)
		e->reason = str_dup("it is pinned, and could not stay on a counter");
	else if (!c->enabled_ns)
		e->reason = str_dup("the target never ran while it was enabled");
	else
		e->reason = str_dup("it never held a counter: its group does not fit beside what else is counted; count fewer events at once");
}

static void print_rows(struct stat_opts *o, struct stat_row *rows, struct stat_doc *d)
{
	d->argv = o->argv;
	d->target = &o->target;
	d->runs = o->repeat;
	d->note = o->note;
	d->rows = rows;
	d->nr_rows = o->events.nr;
	d->sep = o->sep;
	d->out = o->out;
	if (o->json)
		out_json(d);
	else if (o->sep)
		out_csv(d);
	else
		out_text(d);
	fflush(o->out);
}

static void print_interval(struct stat_opts *o, double at_s, double length_s)
{
	struct stat_row *rows = mem_zalloc(o->events.nr, sizeof(*rows));
	struct stat_doc d = { .interval = true, .time_s = at_s };
	unsigned int i;

	for (i = 0; i < o->events.nr; i++) {
		struct event *e = o->events.v[i];
		struct count now, diff;

		event_read(e, &now);
		diff = count_diff(&now, &e->last);
		e->last = now;
		make_row(&rows[i], e, &diff);
		/* a target that slept through an interval counted nothing: 0 */
		if (e->status == EVENT_COUNTED && !diff.enabled_ns && now.running_ns)
			rows[i].status = EVENT_COUNTED;
	}
	/* rates are of the interval, the time shown is since the start */
	metrics_fill(rows, o->events.nr, length_s);
	print_rows(o, rows, &d);
	free(rows);
}

static bool target_alive(const struct target *t)
{
	unsigned int i;

	for (i = 0; i < t->tids.nr; i++)
		if (!kill(t->tids.v[i], 0) || errno == EPERM)
			return true;
	return false;
}

/* Hand a signal that only pcl got on to the command. */
static void pass_on(const struct child *child, const siginfo_t *info)
{
	if (info->si_code == SI_USER || info->si_code == SI_TKILL)
		kill(child->pid, info->si_signo);
}

/* Until the command ends, the target is gone, or a signal says stop. */
static void wait_for_end(struct stat_opts *o, struct child *child, const sigset_t *set,
			 u64 start_ns, struct totals *t)
{
	u64 step_ns = o->interval_ms * 1000000ull, next_ns = start_ns + step_ns;
	u64 last_ns = start_ns, now_ns, until_ns;
	struct timespec ts;
	siginfo_t info;
	int sig;

	for (;;) {
		now_ns = clock_ns();
		until_ns = step_ns ? next_ns : now_ns + 100000000;
		ts.tv_sec = until_ns > now_ns ? (time_t)((until_ns - now_ns) / 1000000000) : 0;
		ts.tv_nsec = until_ns > now_ns ? (long)((until_ns - now_ns) % 1000000000) : 0;
		sig = sigtimedwait(set, &info, &ts);
		if (sig == SIGINT || sig == SIGTERM) {
			t->stop = true;
			if (!o->argv)
				break;
			pass_on(child, &info);
		}
		if (o->argv ? child_poll(child) :
		    !o->target.system_wide && !target_alive(&o->target))
			break;
		now_ns = clock_ns();
		if (step_ns && now_ns >= next_ns) {
			print_interval(o, (double)(now_ns - start_ns) / 1e9,
				       (double)(now_ns - last_ns) / 1e9);
			last_ns = now_ns;
			while (next_ns <= now_ns)
				next_ns += step_ns;
		}
	}
	now_ns = clock_ns();
	if (step_ns)
		print_interval(o, (double)(now_ns - start_ns) / 1e9,
			       (double)(now_ns - last_ns) / 1e9);
}

static double tv_s(const struct timeval *tv)
{
	return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

static void gather(struct stat_opts *o, struct totals *t)
{
	unsigned int i;

	for (i = 0; i < o->events.nr; i++) {
		struct event *e = o->events.v[i];
		struct count c;

		event_read(e, &c);
		t->count[i].enabled_ns += c.enabled_ns;
		t->count[i].running_ns += c.running_ns;
		if (c.running_ns)
			tally_add(&t->value[i], c.scaled);
		event_close(e);
	}
}

static int run_once(struct stat_opts *o, const sigset_t *set, struct totals *t)
{
	struct rusage before, after;
	struct child child = { 0 };
	u64 start_ns;
	unsigned int i;

	getrusage(RUSAGE_CHILDREN, &before);
	if (o->argv && child_prepare(&child, o->argv))
		return -1;
	if (o->target.by_command) {
		o->target.tids.nr = 0;
		int_list_add(&o->target.tids, child.pid);
	}
	if (events_open_or_explain(&o->events, &o->target)) {
		if (o->argv)
			child_abandon(&child);
		return -1;
	}
	for (i = 0; i < o->events.nr && !o->target.by_command; i++)
		if (o->events.v[i]->leader == o->events.v[i])
			event_ioctl(o->events.v[i], PERF_EVENT_IOC_ENABLE, 0);
	start_ns = clock_ns();
	if (o->argv && child_go(&child)) {
		t->status = child_exit_status(&child);
		return -1;
	}
	wait_for_end(o, &child, set, start_ns, t);
	tally_add(&t->elapsed, (double)(clock_ns() - start_ns) / 1e9);
	for (i = 0; i < o->events.nr && !o->target.by_command; i++)
		if (o->events.v[i]->leader == o->events.v[i])
			event_ioctl(o->events.v[i], PERF_EVENT_IOC_DISABLE, 0);
	getrusage(RUSAGE_CHILDREN, &after);
	tally_add(&t->user, tv_s(&after.ru_utime) - tv_s(&before.ru_utime));
	tally_add(&t->sys, tv_s(&after.ru_stime) - tv_s(&before.ru_stime));
	gather(o, t);
	if (o->argv && child_exit_status(&child) && !t->status)
		t->status = child_exit_status(&child);
	return 0;
}

static void print_totals(struct stat_opts *o, const struct totals *t)
{
	struct stat_row *rows = mem_zalloc(o->events.nr, sizeof(*rows));
	struct stat_doc d = {
		.time_s = t->elapsed.mean,
		.elapsed_dev = tally_dev(&t->elapsed),
		.user_s = t->user.mean,
		.sys_s = t->sys.mean,
	};
	unsigned int i;

	o->repeat = t->elapsed.nr;	/* fewer when a signal cut it short */
	for (i = 0; i < o->events.nr; i++) {
		struct count c = t->count[i];

		c.scaled = t->value[i].mean;
		make_row(&rows[i], o->events.v[i], &c);
		rows[i].has_dev = o->repeat > 1 && rows[i].status == EVENT_COUNTED;
		rows[i].dev = tally_dev(&t->value[i]) * o->events.v[i]->scale;
	}
	metrics_fill(rows, o->events.nr, d.time_s);
	print_rows(o, rows, &d);
	free(rows);
}

static int stat_main(struct stat_opts *o)
{
	struct totals t = {
		.value = mem_zalloc(o->events.nr, sizeof(*t.value)),
		.count = mem_zalloc(o->events.nr, sizeof(*t.count)),
	};
	unsigned int i;
	sigset_t set;
	int ret = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < o->repeat && !t.stop && !ret; i++)
		ret = run_once(o, &set, &t);
	if (t.elapsed.nr && !o->interval_ms)
		print_totals(o, &t);
	free(t.value);
	free(t.count);
	if (ret && !t.status)
		return EXIT_PCL;
	return t.status;
}

int cmd_stat(int argc, char **argv)
{
	struct stat_opts o = { .repeat = 1, .target.inherit = true, .out = stderr };
	int ret = parse_options(&o, argc, argv);

	if (!ret)
		ret = default_events(&o);
	if (!ret && o.out_name) {
		o.out = strcmp(o.out_name, "-") ? fopen(o.out_name, "we") : stdout;
		if (!o.out)
			ret = complain("-o: %s: %s", o.out_name, strerror(errno));
	}
	if (ret) {
		ret = ret > 0 ? 0 : EXIT_PCL;
		goto out;
	}
	set_attrs(&o);
	ret = stat_main(&o);
	if (o.out != stderr && o.out != stdout && fclose(o.out)) {
		complain("-o: %s: %s", o.out_name, strerror(errno));
		ret = EXIT_PCL;
	}
out:
	event_list_free(&o.events);
	int_list_free(&o.target.cpus);
	int_list_free(&o.target.tids);
	return ret;
}
