// SPDX-License-Identifier: GPL-2.0
/*
 * pcl diff: where two recordings, or two sets of them, differ.
 *
 * Concepts: A is before, B is after. Each side is one file, or several runs of
 * the same.
 * Contexts: one process; symbols are loaded by threads.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "diff/diff.h"

static const struct command_options options = {
	.command = CMD_DIFF,
	.column = 23,
	.usage =
"usage: pcl diff [options] A B\n"
"       pcl diff [options] A1 A2 A3 : B1 B2 B3\n"
"Show where two recordings, or two sets, differ, and whether that is noise.\n"
"A and B are files, files separated by commas, or directories of them; without\n"
"any they are perf.data.old and perf.data.\n",
	.notes =
"Two runs or more on each side: Welch's t test on the shares. One: Fisher's exact\n"
"test on the samples, which knows of sampling noise only. Corrected by Holm.\n"
"\n"
"Exit status: 0; 124 when a rule is broken; 125 when a file cannot be read.\n",
};

static int parse_confidence(struct diff_opts *o, const char *text)
{
	if (!option_confidence(text, &o->confidence))
		return complain("--confidence: '%s' is no confidence, such as 95%%", text);
	return 0;
}

static int parse_limit(struct diff_opts *o, const char *text)
{
	if (!option_number(text, 0, 100, &o->limit))
		return complain("-l: '%s' is no number of points", text);
	return 0;
}

static int parse_keys(struct diff_opts *o, const char *text)
{
	unsigned int i;

	if (view_parse_keys(&o->view, "-s", text))
		return -1;
	for (i = 0; i < o->view.nr_keys; i++)
		if (o->view.keys[i] > SORT_SYMBOL)
			return complain("-s: runs are compared by comm, object, symbol; '%s' differs in each run",
					sort_key_name(o->view.keys[i]));
	return 0;
}

static int parse_rule(struct diff_opts *o, const char *text)
{
	const char *why;

	o->rules = mem_resize(o->rules, o->nr_rules + 1, sizeof(*o->rules));
	if (rule_parse(&o->rules[o->nr_rules], text, o->confidence, &why))
		return complain("--fail-if: '%s': %s", text, why);
	o->nr_rules++;
	return 0;
}

static int take_option(struct diff_opts *o, int c)
{
	switch (c) {
	case OPT_BASELINE:
		return file_set_add(&o->files[SIDE_A], optarg);
	case OPT_SORT:
		return parse_keys(o, optarg);
	case OPT_EVENT:
		o->event = optarg;
		return 0;
	case OPT_LIMIT:
		return parse_limit(o, optarg);
	case OPT_CONFIDENCE:
		return parse_confidence(o, optarg);
	case OPT_COMM:
	case OPT_OBJECT:
	case OPT_SYMBOL:
		return filter_take_option(&o->view.filter, c, optarg);
	case OPT_FAIL_IF:
		return parse_rule(o, optarg);
	case OPT_SIGNIFICANT:
		o->only_significant = true;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_NO_CACHE:
	case OPT_KALLSYMS:
		return symbol_take_option(c, optarg, &o->kallsyms);
	default:
		return -1;
	}
}

/* Which of the arguments is A, and which B. */
static int take_files(struct diff_opts *o, int argc, char **argv)
{
	enum side side = o->files[SIDE_A].nr ? SIDE_B : SIDE_A;
	bool given = side == SIDE_B, colon = false;
	int i;

	for (i = 0; i < argc; i++)
		colon |= !strcmp(argv[i], ":");
	if (given && colon)
		return complain("--baseline and ':' both say which files are A");
	if (!given && !colon && argc && argc != 2)
		return complain("diff compares two: A B, or with more files A1 A2 : B1 B2");
	if (!argc && !given && file_set_add(&o->files[SIDE_A], "perf.data.old"))
		return -1;
	if (!argc)
		return file_set_add(&o->files[SIDE_B], "perf.data");
	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], ":"))
			side = SIDE_B;
		else if (file_set_add(&o->files[given ? SIDE_B : colon ? side : (enum side)i],
				      argv[i]))
			return -1;
	}
	if (!o->files[SIDE_A].nr || !o->files[SIDE_B].nr)
		return complain("there are files on one side of the ':' only");
	return 0;
}

/* 0: go on. 1: help was printed. -1: refused. */
static int parse_options(struct diff_opts *o, int argc, char **argv)
{
	int c;

	while ((c = option_next(&options, argc, argv)) > 0)
		if (take_option(o, c))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	if (!o->view.nr_keys)
		view_parse_keys(&o->view, "-s", "object,symbol");
	return take_files(o, argc - optind, argv + optind);
}

/* A rule whose function neither side has never breaks: that may be a slip. */
static void tell_unknown(const struct diff *d, const struct rule *r)
{
	u32 i;

	for (i = 0; i < d->nr_lines; i++)
		if (rule_names(r, &d->lines[i]))
			return;
	complain("note: --fail-if %s: neither side has samples of this name", r->text);
}

/* EXIT_RULE when one is broken, and each that is, is told. */
static int check_rules(const struct diff *d)
{
	unsigned int i;
	int ret = 0;
	u32 line;

	for (i = 0; i < d->o->nr_rules; i++) {
		const struct rule *r = &d->o->rules[i];
		const struct diff_line *l;

		tell_unknown(d, r);
		if (!diff_breaks(d, r, &line))
			continue;
		l = &d->lines[line];
		complain("--fail-if %s: the share of '%s' is %.2f%%, and was %.2f%%", r->text,
			 line_name(l), l->effect.b.mean,
			 l->effect.a.mean);
		ret = EXIT_RULE;
	}
	return ret;
}

static int diff_run(struct diff_opts *o)
{
	struct diff d = { .o = o };
	int ret = diff_gather(&d);

	if (!ret) {
		diff_judge(&d);
		if (!o->json)
			pager_begin();
		o->colour = colour_ok(stdout);
		if (o->json)
			diff_print_json(&d);
		else
			diff_print(&d);
		ret = fflush(stdout) || ferror(stdout) ? -1 : check_rules(&d);
	}
	diff_free(&d);
	return ret;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_opts o = { .limit = 0.01, .confidence = 0.95 };
	int ret = parse_options(&o, argc, argv);

	ret = ret > 0 ? 0 : ret ? ret : diff_run(&o);
	file_set_free(&o.files[SIDE_A]);
	file_set_free(&o.files[SIDE_B]);
	free(o.rules);
	return ret < 0 ? EXIT_PCL : ret;
}
