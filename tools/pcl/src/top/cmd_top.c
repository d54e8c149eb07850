// SPDX-License-Identifier: GPL-2.0
/*
 * pcl top: where the machine spends its time now.
 *
 * Concepts: a collector and who shows what it found; see top.h.
 * Contexts: start and end.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "top/top.h"
#include "ui/ui.h"

static const char help[] =
"usage: pcl top [options]\n"
"Show where events happen now: a table that is refreshed, of the whole machine\n"
"unless -C, -p or -t say otherwise. On a terminal q leaves; elsewhere tables\n"
"follow each other.\n"
"\n"
"  -e, --event LIST     the events to sample (cycles, cpu-clock without a PMU)\n"
"  -F, --freq HZ        samples a second and CPU (4000), or max\n"
"  -c, --count N        a sample each N events\n"
"  -a, --all-cpus       the whole machine\n"
"  -C, --cpu LIST       these CPUs\n"
"  -p, --pid LIST       these processes\n"
"  -t, --tid LIST       these threads\n"
"  -i, --no-inherit     not the children of these\n"
"  -g, --call-graph[=fp]  who called, below each line\n"
"  -s, --sort KEYS      what makes a line: comm, object (dso), symbol, pid, tid,\n"
"                       cpu, srcline, srcfile (object,symbol)\n"
"      --comm LIST, --object LIST (--dso), --symbol LIST   only these\n"
"                       (also --comms, --dsos, --symbols)\n"
"  -l, --limit PERCENT  leave out lines below this (0.1; also --percent-limit)\n"
"  -d, --delay SECONDS  between refreshes (2)\n"
"  -z, --zero           each table is of its own interval alone; by default older\n"
"                       samples count half as much with every refresh\n"
"  -n, --iterations N   end after N tables\n"
"      --no-cache       read symbols and debug information anew, and keep nothing\n"
"      --stdio          tables as text, on a terminal too\n"
"  -h, --help           this text\n"
"\n"
"Exit status: 0, also by q and signals; 125 when pcl failed.\n";

enum { OPT_STDIO = 256, OPT_GRAPH };

static int parse_number(const char *opt, const char *text, double least, double most, double *v)
{
	char *end;

	*v = strtod(text, &end);
	if (end == text || *end || !(*v >= least && *v <= most))
		return complain("%s: '%s' is no number from %g to %g", opt, text, least, most);
	return 0;
}

static int take_number(struct top_opts *o, int c)
{
	double v;

	switch (c) {
	case 'F':
		o->record.freq_hz = FREQ_MAX;
		if (!strcmp(optarg, "max"))
			return 0;
		if (parse_number("-F", optarg, 1, 1e6, &v))
			return -1;
		o->record.freq_hz = (u64)v;
		return 0;
	case 'c':
		if (parse_number("-c", optarg, 1, 1e15, &v))
			return -1;
		o->record.period = (u64)v;
		return 0;
	case 'l':
		return parse_number("-l", optarg, 0, 100, &o->view.min_percent);
	case 'd':
		if (parse_number("-d", optarg, 0.1, 3600, &v))
			return -1;
		o->delay_ns = (u64)(v * 1e9);
		return 0;
	default:
		if (parse_number("-n", optarg, 1, 1e9, &v))
			return -1;
		o->iterations = (u64)v;
		return 0;
	}
}

/* The argument of --call-graph may also be a word of its own, as perf's users write it. */
static int take_graph(struct top_opts *o, int argc, char **argv)
{
	const char *mode = optarg;

	if (!mode && optind < argc && argv[optind][0] != '-')
		mode = argv[optind++];
	if (mode && strcmp(mode, "fp"))
		return complain("--call-graph: top follows frame pointers (fp); 'pcl record --call-graph %s' and 'pcl report' have others",
				mode);
	o->record.chains = CHAINS_FP;
	o->view.mode = CHAIN_CALLERS;
	return 0;
}

static int take_option(struct top_opts *o, int c, int argc, char **argv)
{
	switch (c) {
	case 'e':
		return events_parse_option(&o->record.events, optarg);
	case 'a':
	case 'C':
	case 'p':
	case 't':
	case 'i':
		return target_take_option(&o->record.target, c, optarg, &o->record.cpus);
	case 'g':
		o->record.chains = CHAINS_FP;
		o->view.mode = CHAIN_CALLERS;
		return 0;
	case OPT_GRAPH:
		return take_graph(o, argc, argv);
	case 's':
		return view_parse_keys(&o->view, "-s", optarg);
	case 'z':
		o->zero = true;
		return 0;
	case FILTER_COMM:
	case FILTER_OBJECT:
	case FILTER_SYMBOL:
		return filter_take_option(&o->view.filter, c, optarg);
	case SYMBOL_NO_CACHE:
		symbol_cache_off();
		return 0;
	case OPT_STDIO:
		o->stdio = true;
		return 0;
	default:
		return take_number(o, c);
	}
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct top_opts *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "freq", required_argument, NULL, 'F' },
		{ "count", required_argument, NULL, 'c' },
		TARGET_LONG_OPTIONS,
		{ "call-graph", optional_argument, NULL, OPT_GRAPH },
		{ "sort", required_argument, NULL, 's' },
		FILTER_NAME_OPTIONS,
		{ "limit", required_argument, NULL, 'l' },
		{ "percent-limit", required_argument, NULL, 'l' },
		{ "delay", required_argument, NULL, 'd' },
		{ "zero", no_argument, NULL, 'z' },
		{ "iterations", required_argument, NULL, 'n' },
		SYMBOL_OPTIONS,
		{ "stdio", no_argument, NULL, OPT_STDIO },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct target *t = &o->record.target;
	int c;

	while ((c = option_next(argc, argv, "e:F:c:aC:p:t:igs:l:d:zn:h", longs, help)) > 0)
		if (take_option(o, c, argc, argv))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	if (optind < argc)
		return complain("top runs no command; '%s' is too much", argv[optind]);
	if (o->record.freq_hz && o->record.period)
		return complain("-F and -c: a rate or a period, not both");
	if (!o->view.nr_keys)
		view_parse_keys(&o->view, "-s", "object,symbol");
	if (!t->tids.nr && !o->record.cpus)
		t->system_wide = true;
	return target_finish(t, o->record.cpus, false);
}

static int top_run(struct top_opts *o)
{
	struct top t = { .o = o, .lock = PTHREAD_MUTEX_INITIALIZER };
	int ret;

	t.news = wakeup_new();
	if (t.news < 0)
		return -1;
	ret = top_open(&t);
	if (!ret && !collector_start(&t)) {
		ret = o->stdio || !ui_possible() ? top_show_text(&t) : top_show_screen(&t);
		if (__atomic_load_n(&t.ended, __ATOMIC_ACQUIRE))
			complain("note: what was looked at has ended");
		collector_stop(&t);
		if (t.profile.lines)
			tell_no_lines(t.session.objects, t.session.nr_objects);
	}
	top_close(&t);
	close(t.news);
	return ret;
}

int cmd_top(int argc, char **argv)
{
	struct top_opts o = {
		.record = { .target.inherit = true, .out_name = "", .settings.argv = argv - 1 },
		.delay_ns = 2000000000,
		.view.min_percent = 0.1,
	};
	int ret = parse_options(&o, argc, argv);

	ret = ret > 0 ? 0 : ret ? ret : top_run(&o);
	event_list_free(&o.record.events);
	target_free(&o.record.target);
	return ret ? EXIT_PCL : 0;
}
