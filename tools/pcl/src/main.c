// SPDX-License-Identifier: GPL-2.0
/*
 * pcl: the command line tool of Performance Counters for Linux.
 *
 * Concepts: one table of commands; each parses its own options. Whether what
 * they printed has arrived is asked once, here.
 * Contexts: start.
 * Locks: none.
 */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
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
	{ "annotate", cmd_annotate, "show where in a function the samples fell" },
	{ "script", cmd_script, "show every sample of a recording as text" },
	{ "diff", cmd_diff, "show where two recordings differ, and whether that is noise" },
	{ "top", cmd_top, "show where events happen now" },
	{ "list", cmd_list, "show the events, and which can be used here" },
	{ "doctor", cmd_doctor, "say what works here, what does not, and how to change that" },
};

static void print_help(FILE *f)
{
	size_t i;

	fputs("usage: pcl COMMAND [options]\n\n", f);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].what);
	fputs("\n'pcl COMMAND --help' shows its options; 'pcl --version' the version.\n", f);
}

/* A slip of one or two letters gets the command that was meant. */
static void complain_command(const char *name)
{
	struct nearest n = { .text = name, .under = strlen(name) < 4 ? 2 : 3 };
	const char *instead;
	size_t i;

	if (perf_has_command(name, &instead)) {
		complain("there is no command '%s' as perf has it; %s", name,
			 instead ? instead : "'pcl --help' names those of pcl");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		nearest_see(&n, commands[i].name);
	if (n.meant)
		complain("there is no command '%s'; did you mean '%s'?", name, n.meant);
	else
		complain("there is no command '%s'; 'pcl --help' names them all", name);
}

static const struct command *command_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

/* Text that did not get where it was to go is a failure, whatever the command found. */
static int finish(int status)
{
	bool bad = ferror(stdout);

	errno = 0;
	if (!fflush(stdout) && !bad)
		return status;
	complain("standard output: %s", errno ? strerror(errno) : "not all could be written");
	return EXIT_PCL;
}

/* "help" alone, or with the name of a command. */
static int help_command(int argc, char **argv)
{
	char *words[] = { "pcl", argv[1], "--help", NULL };
	const struct command *c;

	if (argc < 2) {
		print_help(stdout);
		return 0;
	}
	c = command_find(argv[1]);
	if (c)
		return c->run(2, words + 1);
	complain_command(argv[1]);
	return EXIT_PCL;
}

static int pcl_main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const struct command *c = command_find(name);

	if (c)
		return c->run(argc - 1, argv + 1);
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		puts("pcl " PCL_VERSION);
		return 0;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return help_command(argc - 1, argv + 1);
	if (!*name)
		print_help(stderr);
	else if (*name == '-')
		complain("there is no option '%s' before a command; options stand behind it: pcl COMMAND %s",
			 name, name);
	else
		complain_command(name);
	return EXIT_PCL;
}

int main(int argc, char **argv)
{
	/* characters as the user's terminal has them; numbers as in C, always */
	setlocale(LC_CTYPE, "");
	files_raise();
	/* large arrays that grow are moved by the kernel, not copied, and what is freed is given back */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	return finish(pcl_main(argc, argv));
}
