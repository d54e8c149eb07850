// SPDX-License-Identifier: GPL-2.0
/*
 * The table of options: what a letter and a name mean, what getopt_long() is told, what --help lists, what the commands
 * do with each, and what they do with those of perf, which are in the file that is the argument.
 * With the argument "rows" it prints the table, a line for each command that takes a row, for help.sh.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "tap.h"

static const char *const command_names[] = {
	[CMD_STAT] = "stat", [CMD_RECORD] = "record", [CMD_REPORT] = "report", [CMD_ANNOTATE] = "annotate",
	[CMD_SCRIPT] = "script", [CMD_DIFF] = "diff", [CMD_TOP] = "top", [CMD_LIST] = "list", [CMD_DOCTOR] = "doctor",
};

static int (*const commands[])(int argc, char **argv) = {
	[CMD_STAT] = cmd_stat, [CMD_RECORD] = cmd_record, [CMD_REPORT] = cmd_report, [CMD_ANNOTATE] = cmd_annotate,
	[CMD_SCRIPT] = cmd_script, [CMD_DIFF] = cmd_diff, [CMD_TOP] = cmd_top, [CMD_LIST] = cmd_list,
	[CMD_DOCTOR] = cmd_doctor,
};

_Static_assert(ARRAY_SIZE(command_names) == NR_COMMANDS && ARRAY_SIZE(commands) == NR_COMMANDS, "all commands");

/* What has two meanings, and why. */
static const struct exception {
	char letter;		/* 0: it is the name */
	const char *name;
	enum option_id first, second;
	const char *why;
} exceptions[] = {
	{ 'F', NULL, OPT_FREQ, OPT_FIELDS, "record -F 99 and script -F ip are what users of perf type" },
	{ 'i', NULL, OPT_NO_INHERIT, OPT_INPUT, "stat -i and report -i FILE are what users of perf type" },
	{ 'M', NULL, OPT_METRICS, OPT_STYLE, "stat -M and annotate -M intel are what users of perf type" },
	{ 0, "delay", OPT_DELAY, OPT_REFRESH, "before the first sample, or between tables, as with perf" },
};

static bool is_exception(const struct exception *e, const struct option_row *a, const struct option_row *b)
{
	return ((a->id == e->first && b->id == e->second) || (a->id == e->second && b->id == e->first)) &&
	       (e->letter ? a->letter == e->letter && b->letter == e->letter :
		a->name && b->name && !strcmp(a->name, e->name) && !strcmp(b->name, e->name));
}

/* Have they a letter or a name in common, though they mean different things? */
static bool clash(const struct option_row *a, const struct option_row *b, bool used[])
{
	bool same_letter = a->letter && a->letter == b->letter;
	bool same_name = a->name && b->name && !strcmp(a->name, b->name);
	size_t i;

	if (a->id == b->id || (!same_letter && !same_name))
		return false;
	for (i = 0; i < ARRAY_SIZE(exceptions); i++)
		if (is_exception(&exceptions[i], a, b)) {
			used[i] = true;
			same_letter &= !exceptions[i].letter;
			same_name &= !exceptions[i].name;
		}
	return same_letter || same_name;
}

static bool failed;	/* something since the last verdict() */

__attribute__((format(printf, 1, 2)))
static void fail(const char *fmt, ...)
{
	va_list ap;

	failed = true;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* One line for many rows, each of which may have failed. */
static void verdict(const char *what, const char *command)
{
	tap_ok(!failed, "%s%s%s", command ? command : "", command ? ": " : "", what);
	failed = false;
}

static void test_meanings(void)
{
	bool used[ARRAY_SIZE(exceptions)] = { false };
	unsigned int i, k;

	for (i = 0; i < nr_option_rows; i++)
		for (k = 0; k < i; k++) {
			const struct option_row *a = &option_rows[i], *b = &option_rows[k];

			if (clash(a, b, used))
				fail("-%c, --%s and -%c, --%s", a->letter ? a->letter : '-', a->name ? a->name : "",
				     b->letter ? b->letter : '-', b->name ? b->name : "");
		}
	verdict("a letter, and a name, means one thing for all commands", NULL);
	for (i = 0; i < ARRAY_SIZE(exceptions); i++)
		tap_ok(used[i], "-%c%s has two meanings: %s", exceptions[i].letter ? exceptions[i].letter : '-',
		       exceptions[i].name ? exceptions[i].name : "", exceptions[i].why);
}

static void test_rows(void)
{
	unsigned int i, k;
	int id;

	for (i = 0; i < nr_option_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!r->commands || r->commands >> NR_COMMANDS)
			fail("row %u has no commands", i);
		if ((!r->letter && !r->name) || !r->text)
			fail("row %u has no name, or no words", i);
		for (k = 0; k < NR_COMMANDS; k++)
			if (r->own[k] && !option_is_of(r, k))
				fail("row %u has words for pcl %s, which does not take it", i, command_names[k]);
	}
	verdict("each row is of some command, and has words for no other", NULL);
	for (id = OPT_ALL_CPUS; id < OPT_BEYOND; id++) {
		for (i = 0; i < nr_option_rows && (int)option_rows[i].id != id; i++)
			;
		if (i == nr_option_rows)
			fail("%d has none", id);
	}
	verdict("each meaning has a row", NULL);
}

/* As a user would type it. */
static void try_option(const struct command_options *c, const struct option_row *r, bool as_letter, bool with_argument)
{
	char name[] = "command", last[] = "last", *text;
	const char *mark = with_argument ? "1" : "";
	char *argv[4] = { name, NULL, last, NULL };
	int id;

	text = as_letter ? str_printf("-%c%s", r->letter, mark) :
		str_printf("--%s%s%s", r->name, with_argument ? "=" : "", mark);
	argv[1] = text;
	optind = 0;
	optarg = NULL;
	id = option_next(c, 3, argv);
	if (id != (int)r->id || (with_argument ? !optarg || strcmp(optarg, "1") : optarg != NULL) || optind != 2)
		fail("pcl %s %s", command_names[c->command], text);
	free(text);
}

static void test_getopt(void)
{
	unsigned int i, k;

	for (k = 0; k < NR_COMMANDS; k++) {
		struct command_options c = { .command = k, .runs_command = true, .usage = "", .notes = "" };

		for (i = 0; i < nr_option_rows; i++) {
			const struct option_row *r = &option_rows[i];
			bool required = r->argument && *r->argument != '[';

			if (!option_is_of(r, k) || r->id == OPT_HELP)
				continue;
			if (r->letter && !required)
				try_option(&c, r, true, false);
			if (r->letter && r->argument)
				try_option(&c, r, true, true);
			if (r->name && !required)
				try_option(&c, r, false, false);
			if (r->name && r->argument)
				try_option(&c, r, false, true);
		}
		verdict("each option is understood, with and without an argument", command_names[k]);
	}
}

/* Does the text have the option, and not only the beginning of another? */
static bool names_option(const char *text, const char *option)
{
	size_t n = strlen(option);
	const char *p;

	for (p = strstr(text, option); p; p = strstr(p + 1, option))
		if ((p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '-')) &&
		    !(isalnum((unsigned char)p[n]) || p[n] == '-'))
			return true;
	return false;
}

static bool takes(unsigned int command, const char *word, size_t n)
{
	unsigned int i;

	for (i = 0; i < nr_option_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!option_is_of(r, command))
			continue;
		if (n == 2 && word[1] == r->letter)
			return true;
		if (n > 2 && r->name && strlen(r->name) == n - 2 && !strncmp(r->name, word + 2, n - 2))
			return true;
	}
	return false;
}

/* The first word of the text that looks like an option, and is none of this command; NULL: none. */
static const char *foreign_option(unsigned int command, const char *text)
{
	const char *p, *q;

	for (p = strchr(text, '-'); p; p = strchr(q, '-')) {
		for (q = p + 1; isalnum((unsigned char)*q) || *q == '-'; q++)
			;
		/* "A%-B%" is none */
		if (p > text && !strchr(" (,\n", p[-1]))
			continue;
		if ((q - p == 2 && isalpha((unsigned char)p[1])) || (q - p > 3 && p[1] == '-' && q[-1] != '-'))
			if (!takes(command, p, (size_t)(q - p)))
				return p;
	}
	return NULL;
}

static void test_help(void)
{
	unsigned int i, k;

	for (k = 0; k < NR_COMMANDS; k++) {
		struct command_options c = { .command = k, .column = 23, .usage = "", .notes = "" };
		const char *last = NULL, *foreign;
		char *help = NULL, word[32];
		size_t size;
		FILE *f = open_memstream(&help, &size);

		option_print_help(f, &c);
		fclose(f);
		for (i = 0; i < nr_option_rows; i++) {
			const struct option_row *r = &option_rows[i];

			if (!option_is_of(r, k))
				continue;
			last = option_text(r, k);
			snprintf(word, sizeof(word), "-%c", r->letter);
			if (r->letter && !names_option(help, word))
				fail("not %s", word);
			snprintf(word, sizeof(word), "--%s", r->name ? r->name : "");
			if (r->name && !names_option(help, word))
				fail("not %s", word);
		}
		if (!last || last == option_joined)
			fail("the last option waits for one to be joined with");
		foreign = foreign_option(k, help);
		if (foreign)
			fail("it names %.12s", foreign);
		verdict("--help names each of its options, and no others", command_names[k]);
		free(help);
	}
}

/* What a command has printed, and said. */
struct outcome {
	int status;
	char *printed, *said;
};

/* A command with an option, its argument or NULL, and then --help: when the option is taken, help is seen. */
static struct outcome run(unsigned int command, const char *option, const char *argument)
{
	/* commands look back at the name of the program */
	char *argv[] = { str_dup("pcl"), str_dup(command_names[command]), str_dup(option),
			 str_dup(argument ? argument : "--help"), argument ? str_dup("--help") : NULL, NULL };
	FILE *out = stdout, *err = stderr;
	struct outcome o;
	size_t size;
	unsigned int i;

	stdout = open_memstream(&o.printed, &size);
	stderr = open_memstream(&o.said, &size);
	optind = 0;
	o.status = commands[command](argument ? 4 : 3, argv + 1);
	fclose(stdout);
	fclose(stderr);
	stdout = out;
	stderr = err;
	for (i = 0; i < ARRAY_SIZE(argv); i++)
		free(argv[i]);
	return o;
}

/* What was run did not do what it should. */
static void judge(bool good, unsigned int command, const char *option, const char *argument, struct outcome *o)
{
	if (!good)
		fail("pcl %s %s %s: status %d, '%s'", command_names[command], option, argument ? argument : "", o->status, o->said);
	free(o->printed);
	free(o->said);
}

static void expect_taken(unsigned int command, const char *option, const char *argument)
{
	struct outcome o = run(command, option, argument);

	judge(!o.status && !*o.said && !strncmp(o.printed, "usage: pcl ", 11), command, option, argument, &o);
}

/* Refused with a line of words that begins so, and that leads somewhere else than to --help. */
static void expect_hint(unsigned int command, const char *option, const char *argument, const char *begin)
{
	struct outcome o = run(command, option, argument);

	judge(o.status == EXIT_PCL && !*o.printed && !strncmp(o.said, begin, strlen(begin)) && strchr(o.said, ';') &&
	      !strstr(o.said, "did you mean") && !strstr(o.said, "--help'"), command, option, argument, &o);
}

/* Its command knows of it: it is taken, or refused with a word on its argument. */
static void try_row(unsigned int command, const struct option_row *r, const char *option)
{
	const char *argument = r->argument && *r->argument != '[' ? "1" : NULL;
	struct outcome o = run(command, option, argument);

	judge(o.status ? o.status == EXIT_PCL && !strncmp(o.said, "pcl: ", 5) : *o.printed, command, option, argument, &o);
}

static void test_rows_taken(void)
{
	unsigned int i, k;
	char option[32];

	for (k = 0; k < NR_COMMANDS; k++) {
		for (i = 0; i < nr_option_rows; i++) {
			const struct option_row *r = &option_rows[i];

			if (!option_is_of(r, k))
				continue;
			snprintf(option, sizeof(option), "-%c", r->letter);
			if (r->letter)
				try_row(k, r, option);
			snprintf(option, sizeof(option), "--%s", r->name ? r->name : "");
			if (r->name)
				try_row(k, r, option);
		}
		verdict("each option is taken, or refused with a word", command_names[k]);
	}
}

/* The row of a command's option as it is written; NULL: there is none. */
static const struct option_row *row_of(unsigned int command, const char *option)
{
	unsigned int i;

	for (i = 0; i < nr_option_rows; i++) {
		const struct option_row *r = &option_rows[i];

		if (!option_is_of(r, command))
			continue;
		if (option[1] == '-' ? r->name && !strcmp(r->name, option + 2) : r->letter == option[1])
			return r;
	}
	return NULL;
}

/* A line of the list: the ways to write one option of perf. */
struct perf_line {
	unsigned int command;
	enum option_id id;		/* what was taken so far; 0: nothing */
	bool letter_taken, name_refused, other_name;
};

static unsigned int nr_ways, nr_taken;

static void see_meaning(struct perf_line *l, const char *option)
{
	const struct option_row *r = row_of(l->command, option);

	if (!r || (l->id && r->id != l->id))
		fail("pcl %s: %s is not what the other ways to write it are", command_names[l->command], option);
	l->id = r ? r->id : 0;
}

/* One way to write an option: "-a", "-C=0", "-z[=3]", "!-G", "~-g=graph". */
static void try_way(struct perf_line *l, char *way)
{
	char kind = *way == '!' || *way == '~' ? *way++ : 0, *argument = strpbrk(way, "[="), begin[80];
	bool optional = argument && *argument == '[';

	if (argument) {
		*argument = 0;
		argument += 1 + optional;
		argument[strcspn(argument, "]")] = 0;
	}
	nr_ways++;
	snprintf(begin, sizeof(begin), kind == '!' ? "pcl: there is no option '%s'; " : "pcl: -", way);
	if (kind) {
		expect_hint(l->command, way, kind == '~' ? argument : NULL, begin);
		l->name_refused |= kind == '!' && way[1] == '-';
		return;
	}
	nr_taken++;
	l->letter_taken |= way[1] != '-';
	see_meaning(l, way);
	expect_taken(l->command, way, optional ? NULL : argument);
	if (optional) {
		snprintf(begin, sizeof(begin), "%s%s%s", way, way[1] == '-' ? "=" : "", argument);
		expect_taken(l->command, begin, NULL);
	}
}

static void try_line(unsigned int command, char *words)
{
	struct perf_line l = { .command = command };
	char *word, *save;

	for (word = strtok_r(words, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
		if (l.other_name)
			see_meaning(&l, word);
		else if (!strcmp(word, "as"))
			l.other_name = true;
		else
			try_way(&l, word);
	}
	if (l.letter_taken && l.name_refused && !l.other_name)
		fail("pcl %s: a letter of perf is taken, its name is not, and \"as\" does not say what it is",
		     command_names[command]);
}

static void test_perf(const char *path)
{
	char *line = NULL;
	size_t room = 0, n;
	FILE *f = fopen(path, "r");
	unsigned int k, lines;

	for (k = 0; f && k < NR_COMMANDS; k++) {
		n = strlen(command_names[k]);
		rewind(f);
		for (lines = 0; getline(&line, &room, f) >= 0;)
			if (!strncmp(line, command_names[k], n) && line[n] == ' ') {
				try_line(k, line + n);
				lines++;
			}
		if (lines)
			verdict("each option of perf works as there, or leads to what there is instead", command_names[k]);
	}
	free(line);
	if (f)
		fclose(f);
	tap_ok(nr_ways > 550 && nr_taken > 100, "options of perf: %u ways to write one, %u work", nr_ways, nr_taken);
}

/* "COMMAND ID LETTER NAME ARGUMENT", with - for what there is not; the argument is one that must be there. */
static int print_rows(void)
{
	unsigned int i, k;

	for (k = 0; k < NR_COMMANDS; k++)
		for (i = 0; i < nr_option_rows; i++) {
			const struct option_row *r = &option_rows[i];

			if (option_is_of(r, k))
				printf("%s %d %c %s %s\n", command_names[k], (int)r->id, r->letter ? r->letter : '-',
				       r->name ? r->name : "-", r->argument && *r->argument != '[' ? "1" : "-");
		}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "rows"))
		return print_rows();
	test_rows();
	test_meanings();
	test_getopt();
	test_help();
	test_rows_taken();
	test_perf(argc > 1 ? argv[1] : "perf_options");
	return tap_end();
}
