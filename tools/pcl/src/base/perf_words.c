// SPDX-License-Identifier: GPL-2.0
/*
 * What users of perf type, and where it is in pcl.
 *
 * Concepts: two tables of names that perf has and pcl has not, or has elsewhere.
 * They are looked into only when a name was refused, so that the refusal can say
 * more than that; nothing is taken for another.
 * Contexts: start of a command.
 * Locks: none.
 */
#include <string.h>

#include "base/base.h"

static const struct perf_option {
	const char *command;
	char letter;		/* 0: none */
	const char *name;	/* NULL: pcl has one of that name */
	const char *instead;
} options[] = {
	{ "report", 'q', "quiet", "notes are written to standard error: 2>/dev/null drops them" },
	{ "report", 'b', "branch-stack", "'pcl script -F +brstack' shows recorded branches" },
	{ "report", 0, "inline", "inlined functions are in chains by themselves; --no-inline leaves them out" },
	{ "report", 0, "header-only", "'pcl script --header-only' shows what a recording tells of itself" },
	{ "report", 0, "show-total-period", "'-F +period' has that column" },
	{ "report", 'T', "threads", "'-s tid' makes a line for each thread" },
	{ "report", 'c', NULL, "here it is --comm LIST" },
	{ "report", 'C', NULL, "here it is --cpu LIST" },
	{ "report", 'd', NULL, "here it is --object LIST (or --dso)" },
	{ "report", 'S', NULL, "here it is --symbol LIST" },
	{ "report", 'I', "show-info", "here it is --header" },
	{ "report", 'f', "force", "files of other users are read without it" },
	{ "report", 't', "field-separator", "--json is for machines" },
	{ "report", 'k', "vmlinux", "'pcl annotate --vmlinux FILE' takes one, for the kernel's code and lines" },
	{ "report", 'D', "dump-raw-trace", "'pcl script' shows samples, and with --show-... records of other kinds" },
	{ "report", 0, "max-stack", "chains are shown whole; -G leaves them out, -l those that are rare" },
	{ "report", 0, "percentage", "percentages are of all samples of the event" },
	{ "report", 0, "hierarchy", "lines are not nested; -s says what makes one, -g shows chains below it" },
	{ "report", 0, "itrace", "pcl does not decode hardware traces" },
	{ "script", 'c', NULL, "here it is --comm LIST" },
	{ "script", 'C', NULL, "here it is --cpu LIST" },
	{ "script", 'S', NULL, "here it is --symbol LIST" },
	{ "script", 'I', "show-info", "here it is --header" },
	{ "script", 'f', "force", "files of other users are read without it" },
	{ "script", 's', "script", "'pcl script -j' prints an object on a line for each sample, for any program to read" },
	{ "script", 'g', "gen-script", "'pcl script -j' prints an object on a line for each sample, for any program to read" },
	{ "script", 'k', "vmlinux", "'pcl annotate --vmlinux FILE' takes one, for the kernel's code and lines" },
	{ "script", 'D', "dump-raw-trace", "--show-task-events, --show-mmap-events and others show records" },
	{ "script", 0, "max-stack", "chains are shown whole; -G leaves them out" },
	{ "script", 0, "itrace", "pcl does not decode hardware traces" },
	{ "annotate", 'd', NULL, "here it is --object LIST (or --dso)" },
	{ "annotate", 'n', "show-nr-samples", "the number of samples is always shown" },
	{ "annotate", 'f', "force", "files of other users are read without it" },
	{ "annotate", 0, "tui", "annotate prints text; 'pcl report' on a terminal shows the same with the key a" },
	{ "annotate", 0, "objdump", "objdump is asked where libcapstone does not know an instruction; PATH finds it" },
	{ "annotate", 'P', "full-paths", "source files are named without their directories" },
	{ "top", 'K', "hide_kernel_symbols", "with :u behind its name, as in '-e cycles:u', an event is of user space only" },
	{ "top", 'U', "hide_user_symbols", "with :k behind its name, as in '-e cycles:k', an event is of the kernel only" },
	{ "top", 'E', "entries", "-l leaves out small lines" },
	{ "top", 'u', "uid", "-p takes processes: -p \"$(pgrep -d, -u USER)\"" },
	{ "top", 'k', "vmlinux", "'pcl annotate --vmlinux FILE' takes one, for the kernel's code and lines" },
	{ "top", 0, "children", "lines are of what was sampled in them; 'pcl report --children' has others" },
	{ "top", 0, "no-children", "lines are of what was sampled in them, always" },
	{ "diff", 'C', NULL, "here it is --comm LIST" },
	{ "diff", 'd', NULL, "here it is --object LIST (or --dso)" },
	{ "diff", 'S', NULL, "here it is --symbol LIST" },
	{ "diff", 0, "percentage", "shares are of all samples of the event" },
	{ "diff", 'q', "quiet", "--significant leaves out what is noise" },
	{ "diff", 0, "compute", "differences are in points of the share, and of the number of events" },
	{ "diff", 'o', "order", "the largest differences come first" },
	{ "list", 'v', "long-desc", "definitions are always shown" },
	{ "list", 'd', "desc", "definitions are always shown" },
	{ "list", 0, "no-desc", "definitions are always shown; --json is for machines" },
	{ "list", 0, "details", "definitions and codes are always shown" },
};

static const struct perf_command {
	const char *name;
	const char *instead;	/* NULL: nothing */
} commands[] = {
	{ "archive", NULL },
	{ "bench", NULL },
	{ "buildid-cache", NULL },
	{ "buildid-list", "'pcl report --header' shows the build ids of a recording" },
	{ "c2c", NULL },
	{ "config", NULL },
	{ "daemon", NULL },
	{ "data", NULL },
	{ "evlist", "'pcl report --header' shows the events of a recording" },
	{ "ftrace", NULL },
	{ "inject", NULL },
	{ "iostat", NULL },
	{ "kallsyms", NULL },
	{ "kmem", NULL },
	{ "kvm", NULL },
	{ "kwork", NULL },
	{ "lock", NULL },
	{ "mem", NULL },
	{ "probe", NULL },
	{ "sched", "'pcl record --off-cpu' shows where tasks wait" },
	{ "test", NULL },
	{ "timechart", NULL },
	{ "trace", "'pcl record -e raw_syscalls:sys_enter' and 'pcl script' show system calls" },
	{ "version", "'pcl --version' tells the version" },
};

/* What pcl has instead of this option of perf, of that command; name or letter. NULL: nothing is known. */
const char *perf_option_instead(const char *command, const char *name, char letter)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		const struct perf_option *o = &options[i];

		if (!strcmp(o->command, command) &&
		    (name ? o->name && !strcmp(o->name, name) : letter && o->letter == letter))
			return o->instead;
	}
	return NULL;
}

/* Has perf a command of this name that pcl has not? What pcl has instead, in *instead, or NULL. */
bool perf_has_command(const char *name, const char **instead)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(commands[i].name, name))
			continue;
		*instead = commands[i].instead;
		return true;
	}
	return false;
}
