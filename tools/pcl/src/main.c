// SPDX-License-Identifier: GPL-2.0
/*
 * pcl: the command line tool of Performance Counters for Linux.
 *
 * Concepts: one table of commands; each parses its own options.
 * Contexts: start.
 * Locks: none.
 */
#include <limits.h>
#include <locale.h>
#include <string.h>

#include "internal.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "stat", cmd_stat, "count events over a command, a task, a CPU or the machine" },
	{ "record", cmd_record, "sample where events happen, into a perf.data file" },
	{ "report", cmd_report, "show where the samples of a recording fell" },
	{ "top", cmd_top, "show where events happen now" },
	{ "annotate", cmd_annotate, "show where in a function the samples fell" },
	{ "script", cmd_script, "show every sample of a recording as text" },
	{ "doctor", cmd_doctor, "say what works here, what does not, and how to change that" },
	{ "diff", cmd_diff, "show where two recordings differ, and whether that is noise" },
	{ "list", cmd_list, "show the events, and which can be used here" },
};

static void print_help(FILE *f)
{
	size_t i;

	fputs("usage: pcl COMMAND [options]\n\n", f);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(f, "  %-8s %s\n", commands[i].name, commands[i].what);
	fputs("\n'pcl COMMAND --help' shows its options; 'pcl --version' the version.\n", f);
}

/* A slip of one or two letters gets the command that was meant. */
static void complain_command(const char *name)
{
	unsigned int best = UINT_MAX, d;
	const char *meant = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		d = edit_distance(name, commands[i].name);
		if (d < best) {
			best = d;
			meant = commands[i].name;
		}
	}
	if (best <= 2 && best < strlen(name))
		complain("there is no command '%s'; did you mean '%s'?", name, meant);
	else
		complain("there is no command '%s'; 'pcl --help' names them all", name);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t i;

	/* characters as the user's terminal has them; numbers as in C, always */
	setlocale(LC_CTYPE, "");
	if (!strcmp(name, "--version")) {
		puts("pcl " PCL_VERSION);
		return 0;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		print_help(stdout);
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (!*name)
		print_help(stderr);
	else
		complain_command(name);
	return EXIT_PCL;
}
