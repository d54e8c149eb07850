// SPDX-License-Identifier: GPL-2.0
/*
 * pcl stat: count events over a command, a task, a CPU or the whole machine.
 *
 * Concepts: options become struct stat_opts; then one run (run.c), several
 * runs of one command, or pairs of runs of two (vs.c) fill tables (table.c),
 * which go to one of the printers.
 * Contexts: one process, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "stat/stat.h"

static const struct command_options options = {
	.command = CMD_STAT,
	.runs_command = true,
	.column = 23,
	.usage =
"usage: pcl stat [options] [--] [command [argument...]]\n"
"Count events while a command runs, or on running tasks and CPUs.\n",
	.notes =
"Results go to standard error. With -a, -C, -p or -t a command only sets how long\n"
"to measure. Without events a default set is counted, and the table names it.\n"
"\n"
"Exit status: that of the command, 128 + N when signal N ended it; 124 a rule is\n"
"broken, 125 pcl failed, 126 the command cannot be run, 127 it was not found.\n",
};

static const char default_hardware[] =
	"task-clock,context-switches,cpu-migrations,page-faults,"
	"{cycles,instructions},{branches,branch-misses}";
static const char default_software[] =
	"task-clock,context-switches,cpu-migrations,page-faults,minor-faults,major-faults";
static const char note_software[] =
	"no hardware PMU is visible here, so only software events are counted";

static int parse_number(const char *opt, const char *text, unsigned int *v)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (end == text || *end || *text == '-' || !n || n > 100000000)
		return complain("%s: '%s' is not a number above zero", opt, text);
	*v = (unsigned int)n;
	return 0;
}

static int parse_seed(struct stat_opts *o, const char *text)
{
	char *end;

	o->seed = strtoull(text, &end, 10);
	o->seed_given = true;
	if (end == text || *end || *text == '-')
		return complain("--seed: '%s' is not a number", text);
	return 0;
}

static int parse_order(struct stat_opts *o, const char *text)
{
	static const char *const names[] = {
		[ORDER_RANDOM] = "random", [ORDER_ABBA] = "abba", [ORDER_AB] = "ab",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(text, names[i])) {
			o->order = i;
			o->order_given = true;
			return 0;
		}
	return complain("--order: '%s' is none of random, abba, ab", text);
}

static int parse_confidence(struct stat_opts *o, const char *text)
{
	if (!option_confidence(text, &o->confidence))
		return complain("--confidence: '%s' is not per cent from 50 to below 100", text);
	return 0;
}

static int parse_separator(struct stat_opts *o, const char *text)
{
	if (!strcmp(text, "\\t"))
		o->sep = '\t';
	else if (strlen(text) == 1 && *text != '"')
		o->sep = *text;
	else
		return complain("-x: the separator is one character");
	return 0;
}

static int parse_interval(struct stat_opts *o, const char *text)
{
	if (parse_number("-I", text, &o->interval_ms))
		return -1;
	if (o->interval_ms < 10)
		return complain("-I: at least 10 ms, or the tool measures itself");
	return 0;
}

static int parse_warmup(struct stat_opts *o, const char *text)
{
	unsigned int n = 0;

	if (strcmp(text, "0") && parse_number("--warmup", text, &n))
		return -1;
	o->warmup = (int)n;
	return 0;
}

/* Its confidence may come later on the command line, so it is parsed at the end. */
static int keep_rule(struct stat_opts *o, const char *text)
{
	o->rules = mem_resize(o->rules, o->nr_rules + 1, sizeof(*o->rules));
	o->rules[o->nr_rules++] = (struct rule){ .text = text };
	return 0;
}

static int parse_cold(struct stat_opts *o, const char *text)
{
	o->cold.wanted = true;
	o->cold.page_cache = text != NULL;
	if (text && strcmp(text, "all"))
		return complain("--cold: '%s' is not 'all'", text);
	return 0;
}

static int take_part(struct stat_opts *o, enum part_kind kind)
{
	if (o->per != PART_ALL && o->per != kind)
		return complain("one of --per-thread, --per-cpu, --per-core, --per-socket and --per-cgroup at a time");
	o->per = kind;
	return 0;
}

static int take_option(struct stat_opts *o, int c)
{
	switch (c) {
	case OPT_EVENT:
		return events_parse_option(&o->events, optarg);
	case OPT_METRICS:
		return metrics_take(&o->metrics, &o->events, optarg);
	case OPT_ALL_CPUS:
	case OPT_CPU:
	case OPT_PID:
	case OPT_TID:
	case OPT_NO_INHERIT:
		return target_take_option(&o->target, c, optarg, &o->cpus);
	case OPT_REPEAT:
		return parse_number("-r", optarg, &o->repeat);
	case OPT_INTERVAL:
		return parse_interval(o, optarg);
	case OPT_CSV:
		return parse_separator(o, optarg);
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_OUTPUT:
		o->out_name = optarg;
		return 0;
	case OPT_OVERHEAD:
		o->overhead = true;
		return 0;
	case OPT_NO_GROUP:
		o->apart = true;
		return 0;
	case OPT_COLD:
		return parse_cold(o, optarg);
	case OPT_CGROUP:
		o->cgroups = optarg;
		return take_part(o, PART_CGROUP);
	case OPT_PER_THREAD:
		return take_part(o, PART_THREAD);
	case OPT_PER_CPU:
		return take_part(o, PART_CPU);
	case OPT_PER_CORE:
		return take_part(o, PART_CORE);
	case OPT_PER_SOCKET:
		return take_part(o, PART_SOCKET);
	case OPT_PER_CGROUP:
		return take_part(o, PART_CGROUP);
	case OPT_VS:
		return o->vs ? complain("--vs: one command to compare with") :
			vs_take_command(o, optarg);
	case OPT_FAIL_IF:
		return keep_rule(o, optarg);
	case OPT_ORDER:
		return parse_order(o, optarg);
	case OPT_SEED:
		return parse_seed(o, optarg);
	case OPT_WARMUP:
		return parse_warmup(o, optarg);
	case OPT_CONFIDENCE:
		return parse_confidence(o, optarg);
	default:
		return -1;
	}
}

static int check_options(struct stat_opts *o)
{
	const char *why = NULL;
	unsigned int i;

	if (o->json && o->sep)
		return complain("-j and -x: one output format at a time");
	if (o->repeat > 1 && (!o->argv || o->interval_ms))
		return complain("-r needs a command to repeat, and does not go with -I");
	if (o->warmup > 0 && (!o->argv || o->interval_ms))
		return complain("--warmup needs a command to run before, and does not go with -I");
	if (o->cold.wanted && !o->argv)
		return complain("--cold is about runs of a command");
	if (o->vs && (!o->argv || o->interval_ms))
		return complain("--vs compares with the command at the end of the line, and does not go with -I");
	if ((o->order_given || o->seed_given) && !o->vs)
		return complain("--%s is about the pairs of --vs", o->order_given ? "order" : "seed");
	if (o->nr_rules && !o->vs)
		return complain("--fail-if is about what --vs compares");
	for (i = 0; i < o->nr_rules; i++) {
		const char *text = o->rules[i].text;

		if (rule_parse(&o->rules[i], text, o->confidence, &why))
			return complain("--fail-if: '%s': %s", text, why);
	}
	if (o->vs && o->per != PART_ALL)
		return complain("--vs compares whole targets; it does not go with --per-... and --cgroup");
	return 0;
}

static int finish_target(struct stat_opts *o)
{
	struct target *t = &o->target;

	if (o->per == PART_CGROUP && t->tids.nr)
		return complain("--cgroup counts all tasks of a cgroup; it does not go with -p or -t");
	/* cgroups are counted CPU by CPU */
	if (o->per == PART_CGROUP && !o->cpus)
		t->system_wide = true;
	if (target_finish(t, o->cpus, o->argv != NULL) || parts_check(o->per, t))
		return -1;
	return o->per == PART_CGROUP ? target_take_cgroups(t, o->cgroups) : 0;
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct stat_opts *o, int argc, char **argv)
{
	int c;

	while ((c = option_next(&options, argc, argv)) > 0) {
		if (c == OPT_METRICS && !strcmp(optarg, "list")) {
			metrics_print(stdout);
			return 1;
		}
		if (take_option(o, c))
			return -1;
	}
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	o->argv = optind < argc ? argv + optind : NULL;
	if (check_options(o))
		return -1;
	return finish_target(o);
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

/* Runs of one command, or of none; the printed result. Returns the exit status. */
static int single_main(struct counting *c)
{
	struct stat_opts *o = c->o;
	unsigned int repeat = o->repeat ? o->repeat : 1, i;
	struct stat_table t = { 0 };
	struct stat_doc d = { .o = o, .t = &t };
	struct run run = { 0 };
	int ret = 0, w;

	for (w = 0; w < o->warmup && !ret && !c->stop; w++) {
		ret = run_once(c, o->argv, &run);
		run_free(&run);
	}
	for (i = 0; i < repeat && !c->stop && !ret; i++) {
		ret = run_once(c, o->argv, &run);
		/* the parts of the target are known now */
		if (!ret && !t.v)
			table_init(&t, c, true);
		/* a run that was cut short is not like the others */
		if (!ret && (!c->stop || repeat == 1))
			table_add(&t, c, &run);
		run_free(&run);
		if (repeat > 1)
			progress_update("runs", i + 1, repeat);
	}
	progress_end();
	if (t.runs && t.runs < repeat)
		complain("stopped: %u of %u runs are whole", t.runs, repeat);
	/* of intervals in fields, the sum is the reader's */
	if (t.runs && !(o->interval_ms && o->sep)) {
		table_finish(&t, t.runs ? series_spread(&t.v[t.nr - NR_FIGURES].runs).mean : 0);
		d.history = c->history;
		d.nr_history = c->nr_history;
		out_doc(&d);
	}
	table_free(&t);
	if (ret && !c->status)
		return EXIT_PCL;
	return c->status;
}

static int open_output(struct stat_opts *o)
{
	if (!o->out_name)
		return 0;
	o->out = strcmp(o->out_name, "-") ? fopen(o->out_name, "we") : stdout;
	return o->out ? 0 : complain("-o: %s: %s", o->out_name, strerror(errno));
}

static int close_output(const struct stat_opts *o)
{
	bool bad = o->out && ferror(o->out);

	/* main() looks after standard output */
	if (!o->out_name || !o->out || o->out == stdout)
		return 0;
	if (fclose(o->out) || bad)
		return complain("-o: %s: %s", o->out_name, strerror(errno));
	return 0;
}

static void opts_free(struct stat_opts *o)
{
	unsigned int i;

	event_list_free(&o->events);
	target_free(&o->target);
	for (i = 0; o->vs && o->vs[i]; i++)
		free(o->vs[i]);
	free(o->vs);
	free(o->rules);
	free(o->metrics.v);
	cold_end(&o->cold);
}

/* On standard error, whatever the form of the result: it is about the tool, not the target. */
static void print_overhead(const struct counting *c)
{
	const struct event_calls *calls = &event_calls;

	own_cost_print(stderr, "pcl stat: ", c->command_s);
	fprintf(stderr, "pcl stat: overhead: the events took %llu call%s to open, %llu to read, %llu to control\n",
		(unsigned long long)calls->open, calls->open == 1 ? "" : "s",
		(unsigned long long)calls->read, (unsigned long long)calls->control);
}

int cmd_stat(int argc, char **argv)
{
	struct stat_opts o = {
		.target.inherit = true, .out = stderr, .warmup = -1, .confidence = 0.95,
	};
	struct counting c;
	int ret = parse_options(&o, argc, argv);

	if (!ret)
		ret = default_events(&o);
	if (!ret)
		ret = open_output(&o);
	if (!ret && o.cold.wanted)
		ret = cold_begin(&o.cold);
	if (ret) {
		opts_free(&o);
		return ret > 0 ? 0 : EXIT_PCL;
	}
	if (!o.apart)
		events_group(&o.events);
	counting_begin(&c, &o);
	ret = o.vs ? vs_main(&c) : single_main(&c);
	if (o.overhead)
		print_overhead(&c);
	counting_end(&c);
	if (close_output(&o))
		ret = EXIT_PCL;
	opts_free(&o);
	return ret;
}
