// SPDX-License-Identifier: GPL-2.0
/*
 * The options of a command, one after the other, with one way to refuse them.
 *
 * Concepts: getopt_long() finds them; what it does not know is told here, with
 * the option that was meant, if the slip is small, or what there is instead of
 * an option of perf.
 * Contexts: start of a command.
 * Locks: none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* The long option nearest to the text, which has no dashes; NULL: none is near. */
static const char *nearest(const char *text, const struct option *longs)
{
	struct nearest n = { .text = text, .under = 3 };

	for (; longs->name; longs++)
		nearest_see(&n, longs->name);
	return n.meant;
}

static bool is_begun(const char *text, const struct option *longs)
{
	for (; longs->name; longs++)
		if (!strncmp(text, longs->name, strlen(text)))
			return true;
	return false;
}

static int refuse_unknown(char **argv, const struct option *longs)
{
	const char *text = argv[optind - 1], *meant, *instead;
	char *name;

	if (optopt) {
		instead = perf_option_instead(argv[0], NULL, (char)optopt);
		if (instead)
			complain("there is no option '-%c'; %s", optopt, instead);
		else
			complain("there is no option '-%c'; 'pcl %s --help' shows them", optopt,
				 argv[0]);
		return OPTION_BAD;
	}
	name = str_ndup(text + 2, strcspn(text + 2, "="));
	meant = nearest(name, longs);
	instead = perf_option_instead(argv[0], name, 0);
	if (instead)
		complain("there is no option '--%s'; %s", name, instead);
	else if (is_begun(name, longs))
		complain("more than one option begins with '--%s'; 'pcl %s --help' shows them",
			 name, argv[0]);
	else if (meant)
		complain("there is no option '--%s'; did you mean '--%s'?", name, meant);
	else
		complain("there is no option '--%s'; 'pcl %s --help' shows them",
			 name, argv[0]);
	free(name);
	return OPTION_BAD;
}

/* A known option that wants an argument, or a long one that takes none. */
static int refuse_argument(char **argv, const struct option *longs, bool missing)
{
	const char *text = argv[optind - 1];

	for (; longs->name; longs++)
		if (longs->val == optopt)
			break;
	if (missing && strncmp(text, "--", 2))
		complain("-%c needs an argument; 'pcl %s --help' tells which", optopt, argv[0]);
	else if (missing)
		complain("%s needs an argument; 'pcl %s --help' tells which", text, argv[0]);
	else
		complain("--%s takes no argument", longs->name ? longs->name : text);
	return OPTION_BAD;
}

static bool is_long(const struct option *longs, int val)
{
	for (; longs->name; longs++)
		if (longs->val == val)
			return true;
	return false;
}

/* Behind the options: the one file that a command reads, if -i did not name it. */
int option_one_file(const char **input, int argc, char **argv)
{
	if (optind < argc && !*input)
		*input = argv[optind++];
	if (optind < argc)
		return complain("%s reads one file; '%s' is too much", argv[0], argv[optind]);
	if (!*input)
		*input = "perf.data";
	return 0;
}

/*
 * The next option's letter (or the val of a long one), its argument in optarg;
 * or OPTION_END, OPTION_HELP after help was printed, OPTION_BAD after the
 * refusal was told. argv[0] is the command's name.
 */
int option_next(int argc, char **argv, const char *shorts, const struct option *longs,
		const char *help)
{
	char known[128];
	bool plus = *shorts == '+';
	int c;

	snprintf(known, sizeof(known), "%s:%s", plus ? "+" : "", shorts + plus);
	opterr = 0;
	c = getopt_long(argc, argv, known, longs, NULL);
	if (c == 'h') {
		fputs(help, stdout);
		return OPTION_HELP;
	}
	if (c == ':')
		return refuse_argument(argv, longs, true);
	if (c == '?' && optopt && !strncmp(argv[optind - 1], "--", 2) && is_long(longs, optopt))
		return refuse_argument(argv, longs, false);
	return c == '?' ? refuse_unknown(argv, longs) : c;
}
