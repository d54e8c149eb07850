// SPDX-License-Identifier: GPL-2.0
/*
 * The options of pcl report.
 *
 * Concepts: what a view is made of is in struct view, what only concerns
 * printing beside it.
 * Contexts: start.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "report/report.h"

static const char help[] =
"usage: pcl report [options] [FILE]\n"
"Show where the samples of a recording fell: a browser on a terminal, else text.\n"
"\n"
"  -i, --input FILE     the recording (perf.data), of pcl or of perf\n"
"  -s, --sort KEYS      what makes a line: comm, object (dso), symbol (sym), pid,\n"
"                       tid, cpu, srcline, srcfile (comm,object,symbol)\n"
"  -F, --fields LIST    columns: keys as in -s, and share, children, self,\n"
"                       samples, period\n"
"  -g, --callers, --call-graph[=callers|callees]\n"
"                       below each line, who called it, or whom it called\n"
"  -G, --no-callers     no chains, even where they were recorded\n"
"      --inverted       from the outermost functions down (as -g callees)\n"
"      --children       a line for every function of a chain (--no-children: not)\n"
"      --no-inline      without inlined functions in chains\n"
"  -l, --limit PERCENT  leave out lines and callers below this (0, callers 0.5)\n"
"                       (also --percent-limit)\n"
"      --group          the events of the file side by side\n"
"      --comm LIST, --object LIST (--dso), --symbol LIST, --cpu LIST,\n"
"      --pid LIST, --tid LIST   only these\n"
"      --time WHEN      START,STOP in seconds, N%/M or A%-B% of the recording\n"
"      --header         also how and where it was recorded\n"
"      --json           a document for machines\n"
"      --stdio, --tui   text, or the browser\n"
"      --kallsyms FILE  names of a kernel that does not run here\n"
"  -h, --help           this text\n"
"\n"
"Percentages are of all samples of the event, filtered ones included.\n"
"Exit status: 0; 125 when the file cannot be read or is damaged.\n";

enum {
	OPT_TIME = 256, OPT_KALLSYMS, OPT_GRAPH, OPT_INVERTED, OPT_CHILDREN, OPT_NO_CHILDREN, OPT_NO_INLINE, OPT_GROUP,
	OPT_HEADER, OPT_JSON, OPT_STDIO, OPT_TUI,
};

static const struct {
	const char *name;
	enum column column;
} column_names[] = {
	{ "share", COL_SHARE }, { "overhead", COL_SHARE }, { "children", COL_CHILDREN },
	{ "self", COL_SELF }, { "samples", COL_SAMPLES }, { "sample", COL_SAMPLES },
	{ "period", COL_PERIOD },
};

const char *column_title(unsigned int column)
{
	size_t i;

	if (column == SORT_COMM)
		return "command";
	if (column < NR_SORT)
		return sort_key_name(column);
	for (i = 0; column_names[i].column != column; i++)
		;
	return column_names[i].name;
}

/* Columns that are keys make lines, too. */
static int parse_fields(struct report_opts *o, const char *text)
{
	char *copy = str_dup(text), *word, *save;
	struct view key;
	int ret = 0;
	size_t i;

	o->nr_columns = 0;
	o->view.nr_keys = 0;
	for (word = strtok_r(copy, ",", &save); word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < ARRAY_SIZE(column_names); i++)
			if (!strcmp(column_names[i].name, word))
				break;
		if (o->nr_columns == NR_COLUMNS) {
			ret = complain("-F: a column is named twice");
		} else if (i < ARRAY_SIZE(column_names)) {
			o->columns[o->nr_columns++] = column_names[i].column;
		} else if (view_parse_keys(&key, "-F", word)) {
			ret = complain("-F: columns are the keys, and share, children, self, samples, period");
		} else if (!view_has_key(&o->view, key.keys[0])) {
			o->view.keys[o->view.nr_keys++] = key.keys[0];
			o->columns[o->nr_columns++] = key.keys[0];
		}
	}
	if (!ret && !o->view.nr_keys)
		ret = complain("-F: no column says what a line is of; keys: comm, object, symbol, pid, tid, cpu, srcline, srcfile");
	free(copy);
	return ret;
}

static int parse_limit(struct report_opts *o, const char *text)
{
	char *end;

	o->view.min_percent = strtod(text, &end);
	if (end == text || *end || !(o->view.min_percent >= 0 && o->view.min_percent <= 100))
		return complain("-l: '%s' is not a percentage", text);
	o->view.limit_given = true;
	return 0;
}

static int parse_mode(struct report_opts *o, const char *text)
{
	enum chain_view mode = CHAIN_NONE;

	if (!text || !strcmp(text, "caller") || !strcmp(text, "callers"))
		mode = CHAIN_CALLERS;
	else if (!strcmp(text, "callee") || !strcmp(text, "callees"))
		mode = CHAIN_CALLEES;
	else if (strcmp(text, "none"))
		return complain("--call-graph: '%s' is none of callers, callees, none", text);
	if (o->mode_given && mode != o->view.mode)
		return complain("-g and -G: callers, callees or none of them");
	o->view.mode = mode;
	o->mode_given = true;
	return 0;
}

static int take_look(struct report_opts *o, int c)
{
	switch (c) {
	case OPT_HEADER:
		o->header = true;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_STDIO:
		o->look = LOOK_STDIO;
		return 0;
	case OPT_TUI:
		o->look = LOOK_TUI;
		return 0;
	case OPT_NO_INLINE:
		o->no_inline = true;
		return 0;
	default:
		return filter_take_option(&o->view.filter, c, optarg);
	}
}

/* The word behind -g, when it is one that -g takes. */
static const char *mode_word(char **argv, int argc)
{
	static const char *const words[] = { "caller", "callers", "callee", "callees", "none" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words) && optind < argc; i++)
		if (!strcmp(argv[optind], words[i]))
			return argv[optind++];
	return NULL;
}

static int take_option(struct report_opts *o, int c, int argc, char **argv)
{
	switch (c) {
	case 'i':
		o->input = optarg;
		return 0;
	case 's':
		return view_parse_keys(&o->view, "-s", optarg);
	case 'F':
		return parse_fields(o, optarg);
	case 'g':
		return parse_mode(o, mode_word(argv, argc));
	case OPT_GRAPH:
		return parse_mode(o, optarg);
	case OPT_INVERTED:
		return parse_mode(o, "callees");
	case 'G':
		return parse_mode(o, "none");
	case 'l':
		return parse_limit(o, optarg);
	case OPT_CHILDREN:
	case OPT_NO_CHILDREN:
		o->view.children = c == OPT_CHILDREN;
		return 0;
	case OPT_GROUP:
		o->view.grouped = true;
		return 0;
	case OPT_TIME:
		o->time = optarg;
		return 0;
	case OPT_KALLSYMS:
		o->kallsyms = optarg;
		return file_check("--kallsyms", optarg);
	default:
		return take_look(o, c);
	}
}

static void add_column(struct report_opts *o, unsigned int column)
{
	o->columns[o->nr_columns++] = column;
}

/* What was not said. */
static int settle(struct report_opts *o)
{
	unsigned int i;

	if (!o->view.nr_keys)
		view_parse_keys(&o->view, "-s", "comm,object,symbol");
	if (o->nr_columns)
		return 0;
	add_column(o, o->view.children ? COL_CHILDREN : COL_SHARE);
	if (o->view.children)
		add_column(o, COL_SELF);
	add_column(o, COL_SAMPLES);
	for (i = 0; i < o->view.nr_keys; i++)
		add_column(o, o->view.keys[i]);
	return 0;
}

/* 0: go on. 1: help was printed. -1: refused. */
int report_options(struct report_opts *o, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "input", required_argument, NULL, 'i' },
		{ "sort", required_argument, NULL, 's' },
		{ "fields", required_argument, NULL, 'F' },
		{ "callers", no_argument, NULL, 'g' },
		{ "call-graph", optional_argument, NULL, OPT_GRAPH },
		{ "no-callers", no_argument, NULL, 'G' },
		{ "inverted", no_argument, NULL, OPT_INVERTED },
		{ "children", no_argument, NULL, OPT_CHILDREN },
		{ "no-children", no_argument, NULL, OPT_NO_CHILDREN },
		{ "no-inline", no_argument, NULL, OPT_NO_INLINE },
		{ "limit", required_argument, NULL, 'l' },
		{ "percent-limit", required_argument, NULL, 'l' },
		{ "group", no_argument, NULL, OPT_GROUP },
		FILTER_NAME_OPTIONS,
		FILTER_NUMBER_OPTIONS,
		{ "time", required_argument, NULL, OPT_TIME },
		{ "header", no_argument, NULL, OPT_HEADER },
		{ "json", no_argument, NULL, OPT_JSON },
		{ "stdio", no_argument, NULL, OPT_STDIO },
		{ "tui", no_argument, NULL, OPT_TUI },
		{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = option_next(argc, argv, "i:s:F:gGl:h", longs, help)) > 0)
		if (take_option(o, c, argc, argv))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	return option_one_file(&o->input, argc, argv) ? -1 : settle(o);
}
