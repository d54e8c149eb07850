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
#include <unistd.h>

#include "internal.h"
#include "report/report.h"

static const struct command_options options = {
	.command = CMD_REPORT,
	.column = 23,
	.usage =
"usage: pcl report [options] [FILE]\n"
"Show where the samples of a recording fell: a browser on a terminal, else text.\n",
	.notes =
"Percentages are of all samples of the event, filtered ones included.\n"
"Exit status: 0; 125 when the file cannot be read or is damaged.\n",
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

/* What a line is made of without -s, and then what is shown of it. */
#define DEFAULT_KEYS "comm,object,symbol"

static bool column_find(const char *word, enum column *column)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(column_names); i++)
		if (!strcmp(column_names[i].name, word)) {
			*column = column_names[i].column;
			return true;
		}
	return false;
}

/* Each is shown once. */
static void add_column(struct report_opts *o, unsigned int column)
{
	unsigned int i;

	for (i = 0; i < o->nr_columns; i++)
		if (o->columns[i] == column)
			return;
	o->columns[o->nr_columns++] = column;
}

/* Columns that are keys make lines, too. */
static int add_field(struct report_opts *o, const char *word)
{
	enum column column;
	enum sort_key key;

	if (column_find(word, &column)) {
		add_column(o, column);
		return 0;
	}
	if (!sort_key_find(word, &key))
		return complain("-F: there is no column '%s'; columns: share, children, self, samples, period, and the keys "
				SORT_KEYS, word);
	if (!view_has_key(&o->view, key))
		o->view.keys[o->view.nr_keys++] = key;
	add_column(o, key);
	return 0;
}

static int add_fields(struct report_opts *o, const char *text)
{
	char *copy = str_dup(text), *word, *save;
	int ret = 0;

	for (word = strtok_r(copy, ",", &save); word && !ret; word = strtok_r(NULL, ",", &save))
		ret = add_field(o, word);
	free(copy);
	return ret;
}

/* "share,symbol": these columns; "+period": these too. */
static int parse_fields(struct report_opts *o, const char *text)
{
	o->nr_columns = 0;
	o->more_fields = NULL;
	if (*text == '+') {
		o->more_fields = text + 1;
		return 0;
	}
	o->view.nr_keys = 0;
	if (add_fields(o, text))
		return -1;
	return o->view.nr_keys ? 0 :
	       complain("-F: no column says what a line is of; keys: " SORT_KEYS);
}

/* "object,symbol", or "+srcline": that, too. */
static int parse_sort(struct report_opts *o, const char *text)
{
	char *keys = *text == '+' ? str_printf(DEFAULT_KEYS ",%s", text + 1) : str_dup(text);
	size_t n = strcspn(keys, ",");
	char *first = str_ndup(keys, n);
	enum column column;
	int ret;

	/* perf takes its first column, which is always there, for a key */
	if (column_find(first, &column))
		ret = complain("-s: '%s' is a column, and not what makes a line; -F takes columns and keys", first);
	else
		ret = view_parse_keys(&o->view, "-s", keys);
	free(first);
	free(keys);
	return ret;
}

static int parse_limit(struct report_opts *o, const char *text)
{
	if (!option_number(text, 0, 100, &o->view.min_percent))
		return complain("-l: '%s' is not a percentage", text);
	o->view.limit_given = true;
	return 0;
}

/*
 * What perf takes for callers are callees here: there the word says who is on top. So its words are not taken,
 * but explained.
 */
static const char *const perf_modes[] = {
	"caller", "callee", "graph", "flat", "fractal", "folded",
};

static bool is_perf_mode(const char *text)
{
	size_t i, n = strcspn(text, ",");

	for (i = 0; i < ARRAY_SIZE(perf_modes); i++)
		if (strlen(perf_modes[i]) == n && !strncmp(perf_modes[i], text, n))
			return true;
	return false;
}

static int parse_mode(struct report_opts *o, const char *text)
{
	enum chain_view mode = CHAIN_NONE;

	if (!text || !strcmp(text, "callers"))
		mode = CHAIN_CALLERS;
	else if (!strcmp(text, "callees"))
		mode = CHAIN_CALLEES;
	else if (is_perf_mode(text))
		return complain("-g: '%s' is as perf has it; here: callers (who called, perf's callee), callees (whom it called, perf's caller), none; -l has the limit",
				text);
	else if (strcmp(text, "none"))
		return complain("--call-graph: '%s' is none of callers, callees, none", text);
	if (o->mode_given && mode != o->view.mode)
		return complain("-g and --no-callers: callers, callees or none of them");
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
	case OPT_HTML:
		o->page = optarg;
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

/* The word behind -g or --call-graph, when it is one that they take, or would in perf. */
static const char *mode_word(char **argv, int argc)
{
	static const char *const words[] = { "callers", "callees", "none" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words) && optind < argc; i++)
		if (!strcmp(argv[optind], words[i]))
			return argv[optind++];
	if (optind < argc && is_perf_mode(argv[optind]) && access(argv[optind], F_OK))
		return argv[optind++];
	return NULL;
}

static int take_option(struct report_opts *o, int c, int argc, char **argv)
{
	switch (c) {
	case OPT_INPUT:
		o->input = optarg;
		return 0;
	case OPT_SORT:
		return parse_sort(o, optarg);
	case OPT_FIELDS:
		return parse_fields(o, optarg);
	case OPT_CHAINS:
	case OPT_CALL_GRAPH:
		return parse_mode(o, optarg ? optarg : mode_word(argv, argc));
	case OPT_INVERTED:
		return parse_mode(o, "callees");
	case OPT_NO_CHAINS:
		return parse_mode(o, "none");
	case OPT_LIMIT:
		return parse_limit(o, optarg);
	case OPT_NR_SAMPLES:
		return 0;
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
	case OPT_NO_CACHE:
	case OPT_KALLSYMS:
		return symbol_take_option(c, optarg, &o->kallsyms);
	default:
		return take_look(o, c);
	}
}

/* The page has all views in it; options that choose one would be without effect. */
static int check_page(const struct report_opts *o)
{
	const struct view *v = &o->view;

	if (o->json || o->look != LOOK_AUTO)
		return complain("--html: --json, --stdio and --tui are other forms; one at a time");
	if (v->nr_keys || o->mode_given || v->children || v->grouped || v->limit_given || o->header)
		return complain("--html: the page has all views; -s, -F, -g, --no-callers, -l, --children, --group and --header do not go with it");
	return 0;
}

/* What was not said. */
static int settle(struct report_opts *o)
{
	unsigned int i;

	if (o->page && check_page(o))
		return -1;
	if (!o->view.nr_keys)
		view_parse_keys(&o->view, "-s", DEFAULT_KEYS);
	if (o->nr_columns)
		return 0;
	add_column(o, o->view.children ? COL_CHILDREN : COL_SHARE);
	if (o->view.children)
		add_column(o, COL_SELF);
	add_column(o, COL_SAMPLES);
	for (i = 0; i < o->view.nr_keys; i++)
		add_column(o, o->view.keys[i]);
	return o->more_fields ? add_fields(o, o->more_fields) : 0;
}

/* 0: go on. 1: help was printed. -1: refused. */
int report_options(struct report_opts *o, int argc, char **argv)
{
	int c;

	while ((c = option_next(&options, argc, argv)) > 0)
		if (take_option(o, c, argc, argv))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	return option_one_file(&o->input, argc, argv) ? -1 : settle(o);
}
