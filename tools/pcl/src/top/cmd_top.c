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

static const struct command_options options = {
	.command = CMD_TOP,
	.column = 23,
	.usage =
"usage: pcl top [options]\n"
"Show where events happen now: a table that is refreshed, of the whole machine\n"
"unless -C, -p or -t say otherwise. On a terminal q leaves; elsewhere tables\n"
"follow each other.\n",
	.notes =
"Exit status: 0, also by q and signals; 125 when pcl failed.\n",
};

static int parse_number(const char *opt, const char *text, double least, double most, double *v)
{
	if (!option_number(text, least, most, v))
		return complain("%s: '%s' is no number from %g to %g", opt, text, least, most);
	return 0;
}

static int take_number(struct top_opts *o, int c)
{
	double v;

	switch (c) {
	case OPT_FREQ:
		o->record.freq_hz = FREQ_MAX;
		if (!strcmp(optarg, "max"))
			return 0;
		if (parse_number("-F", optarg, 1, 1e6, &v))
			return -1;
		o->record.freq_hz = (u64)v;
		return 0;
	case OPT_COUNT:
		if (parse_number("-c", optarg, 1, 1e15, &v))
			return -1;
		o->record.period = (u64)v;
		return 0;
	case OPT_LIMIT:
		return parse_number("-l", optarg, 0, 100, &o->view.min_percent);
	case OPT_REFRESH:
		if (parse_number("-d", optarg, 0.1, 3600, &v))
			return -1;
		o->delay_ns = (u64)(v * 1e9);
		return 0;
	case OPT_ITERATIONS:
		if (parse_number("--iterations", optarg, 1, 1e9, &v))
			return -1;
		o->iterations = (u64)v;
		return 0;
	default:
		return -1;
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
	case OPT_EVENT:
		return events_parse_option(&o->record.events, optarg);
	case OPT_ALL_CPUS:
	case OPT_CPU:
	case OPT_PID:
	case OPT_TID:
	case OPT_NO_INHERIT:
		return target_take_option(&o->record.target, c, optarg, &o->record.cpus);
	case OPT_CHAINS:
		o->record.chains = CHAINS_FP;
		o->view.mode = CHAIN_CALLERS;
		return 0;
	case OPT_CALL_GRAPH:
		return take_graph(o, argc, argv);
	case OPT_SORT:
		return view_parse_keys(&o->view, "-s", optarg);
	case OPT_ZERO:
		o->zero = true;
		return 0;
	case OPT_COMM:
	case OPT_OBJECT:
	case OPT_SYMBOL:
		return filter_take_option(&o->view.filter, c, optarg);
	case OPT_NO_CACHE:
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
	struct target *t = &o->record.target;
	int c;

	while ((c = option_next(&options, argc, argv)) > 0)
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
