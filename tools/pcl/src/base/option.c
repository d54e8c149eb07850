// SPDX-License-Identifier: GPL-2.0
/*
 * The options of a command, one after the other, with one way to refuse them.
 *
 * Concepts: getopt_long() finds them, in what option_table.c has for the
 * command; what it does not know is told here, with the option that was meant,
 * if the slip is small, or what there is instead of an option of perf.
 * Contexts: start of a command.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/option.h"

/* A command's part of the table, as getopt_long() wants it. */
struct getopt_tables {
	char shorts[3 * MOST_OPTION_ROWS + 3];
	struct option longs[MOST_OPTION_ROWS + 1];
};

static int argument_kind(const struct option_row *r)
{
	if (!r->argument)
		return no_argument;
	return *r->argument == '[' ? optional_argument : required_argument;
}

static void tables_make(struct getopt_tables *t, const struct command_options *c)
{
	static const char *const marks[] = {
		[no_argument] = "", [required_argument] = ":", [optional_argument] = "::",
	};
	struct option *l = t->longs;
	char *s = t->shorts;
	unsigned int i;

	/* the colon tells a missing argument from an unknown option */
	s = stpcpy(s, c->runs_command ? "+:" : ":");
	for (i = 0; i < nr_option_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!option_is_of(r, c->command))
			continue;
		if (r->letter) {
			*s++ = r->letter;
			s = stpcpy(s, marks[argument_kind(r)]);
		}
		if (r->name)
			*l++ = (struct option){ r->name, argument_kind(r), NULL, r->id };
	}
	*l = (struct option){ 0 };
}

static int id_of_letter(const struct command_options *c, int letter)
{
	unsigned int i;

	for (i = 0; i < nr_option_rows; i++)
		if (option_rows[i].letter == letter && option_is_of(&option_rows[i], c->command))
			return (int)option_rows[i].id;
	return letter;
}

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

/* Is the argument of an option a number in this range? */
bool option_number(const char *text, double least, double most, double *v)
{
	char *end;

	*v = strtod(text, &end);
	return end != text && !*end && *v >= least && *v <= most;
}

/* "95" or "95%". */
bool option_confidence(const char *text, double *confidence)
{
	char *end;

	*confidence = strtod(text, &end) / 100;
	return end != text && (!*end || !strcmp(end, "%")) && *confidence >= 0.5 && *confidence < 1;
}

/* "-e, --event LIST", behind what stands on the line up to the column "at". Returns where it ends. */
static unsigned int print_name(FILE *f, const struct option_row *r, unsigned int at)
{
	enum { INDENT = 6, WIDTH = 79 };
	const char *argument = r->argument ? r->argument : "";
	const char *blank = r->argument && *argument != '[' ? " " : "";
	char *text;

	if (r->letter)
		text = str_printf("-%c%s%s%s%s", r->letter, r->name ? ", --" : "", r->name ? r->name : "",
				  blank, argument);
	else
		text = str_printf("--%s%s%s", r->name, blank, argument);
	if (!at)
		at = (unsigned int)fprintf(f, "%*s", r->letter ? 2 : INDENT, "");
	else if (at + strlen(text) + 3 > WIDTH)
		at = (unsigned int)fprintf(f, ",\n%*s", INDENT, "") - 2;
	else
		at += (unsigned int)fprintf(f, ", ");
	at += (unsigned int)fprintf(f, "%s", text);
	free(text);
	return at;
}

/* From a column on, line by line. */
static void print_text(FILE *f, const char *text, unsigned int at, unsigned int column)
{
	int pad = at < column ? (int)(column - at) : 2;
	size_t n;

	for (;; pad = (int)column) {
		n = strcspn(text, "\n");
		fprintf(f, "%*s%.*s\n", n ? pad : 0, "", (int)n, text);
		if (!text[n])
			return;
		text += n + 1;
	}
}

void option_print_help(FILE *f, const struct command_options *c)
{
	unsigned int i, at = 0;

	fprintf(f, "%s\n", c->usage);
	for (i = 0; i < nr_option_rows; i++) {
		const struct option_row *r = &option_rows[i];
		const char *text = option_text(r, c->command);

		if (!option_is_of(r, c->command) || text == option_told)
			continue;
		at = print_name(f, r, at);
		if (text == option_joined)
			continue;
		print_text(f, text, at, c->column);
		at = 0;
	}
	fprintf(f, "\n%s", c->notes);
}

/*
 * What the next option means, an option_id, its argument in optarg; or
 * OPTION_END, OPTION_HELP after help was printed, OPTION_BAD after the refusal
 * was told. argv[0] is the command's name.
 */
int option_next(const struct command_options *c, int argc, char **argv)
{
	struct getopt_tables t;
	int id;

	tables_make(&t, c);
	opterr = 0;
	id = getopt_long(argc, argv, t.shorts, t.longs, NULL);
	if (id == ':')
		return refuse_argument(argv, t.longs, true);
	/* above all letters: a long one that has a meaning, and an argument too much */
	if (id == '?')
		return optopt >= OPT_ALL_CPUS ? refuse_argument(argv, t.longs, false) : refuse_unknown(argv, t.longs);
	if (id > 0 && id < OPT_ALL_CPUS)
		id = id_of_letter(c, id);
	if (id != OPT_HELP)
		return id;
	option_print_help(stdout, c);
	return OPTION_HELP;
}
