/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of all commands: one table, from which each command has its own.
 */
#ifndef PCL_OPTION_H
#define PCL_OPTION_H

/* optarg, optind */
#include <getopt.h>

#include "types.h"

enum command_id {
	CMD_STAT, CMD_RECORD, CMD_REPORT, CMD_ANNOTATE, CMD_SCRIPT, CMD_DIFF, CMD_TOP, CMD_LIST, CMD_DOCTOR,
	NR_COMMANDS
};

/* What an option means. Above all letters, so that getopt_long() may return either. */
enum option_id {
	OPT_ALL_CPUS = 256, OPT_ASM, OPT_BASELINE, OPT_CALL_GRAPH, OPT_CGROUP, OPT_CHAINS, OPT_CHILDREN, OPT_CLOCK,
	OPT_COLD, OPT_COMM, OPT_COMPRESS, OPT_CONFIDENCE, OPT_CONTROL, OPT_COUNT, OPT_CPU, OPT_CSV, OPT_DELAY,
	OPT_EVENT, OPT_FAIL_IF, OPT_FIELDS, OPT_FORMAT, OPT_FREQ, OPT_GROUP, OPT_HEADER, OPT_HEADER_ONLY, OPT_HELP,
	OPT_HTML, OPT_INLINE, OPT_INPUT, OPT_INTERVAL, OPT_INVERTED, OPT_ITERATIONS, OPT_JSON, OPT_KALLSYMS,
	OPT_LIMIT, OPT_LINES, OPT_MAX_FILES, OPT_METRICS, OPT_MMAP, OPT_NO_CACHE, OPT_NO_CHAINS, OPT_NO_CHILDREN,
	OPT_NO_GROUP, OPT_NO_INHERIT, OPT_NO_INLINE, OPT_NR_SAMPLES, OPT_NS, OPT_OBJECT, OPT_OFF_CPU, OPT_ORDER,
	OPT_OUTPUT, OPT_OVERHEAD, OPT_PER_CGROUP, OPT_PER_CORE, OPT_PER_CPU, OPT_PER_SOCKET, OPT_PER_THREAD, OPT_PID,
	OPT_QUIET, OPT_RAW, OPT_REFRESH, OPT_REPEAT, OPT_SEED, OPT_SHOW_LOST, OPT_SHOW_MMAP, OPT_SHOW_SWITCH, OPT_SHOW_TASK,
	OPT_SIGNIFICANT, OPT_SNAPSHOT, OPT_SORT, OPT_SOURCE, OPT_STDIO, OPT_STYLE, OPT_SWITCH_OUTPUT, OPT_SYMBOL,
	OPT_THREADS, OPT_TID, OPT_TIME, OPT_TUI, OPT_VERBOSE, OPT_VMLINUX, OPT_VS, OPT_WARMUP, OPT_ZERO,
	OPT_BEYOND
};

/* No longer than this is the table. */
enum { MOST_OPTION_ROWS = 160 };

/* One way to write an option, for some commands. What it means may have several. */
struct option_row {
	enum option_id id;
	char letter;			/* 0: none */
	const char *name;		/* NULL: none */
	const char *argument;		/* NULL: it takes none; "[...": it may be left out */
	u32 commands;			/* a bit for each that takes it */
	const char *text;		/* of --help; see option_table.c */
	const char *own[NR_COMMANDS];	/* the text of one command; NULL: as above */
};

/* option_table.c */
extern const struct option_row option_rows[];
extern const unsigned int nr_option_rows;
extern const char option_joined[], option_told[];

bool option_is_of(const struct option_row *r, enum command_id command);
const char *option_text(const struct option_row *r, enum command_id command);

/* What a command says of itself; its options are in the table. */
struct command_options {
	enum command_id command;
	bool runs_command;		/* what is no option, and all behind it, is a command to run */
	unsigned int column;		/* where the texts of --help begin */
	const char *usage;		/* before the options */
	const char *notes;		/* behind them */
};

/* option.c */
enum { OPTION_END = -1, OPTION_HELP = -2, OPTION_BAD = -3 };

void option_print_help(FILE *f, const struct command_options *c);
int option_next(const struct command_options *c, int argc, char **argv);
int option_one_file(const char **input, int argc, char **argv);
bool option_number(const char *text, double least, double most, double *v);
bool option_confidence(const char *text, double *confidence);

#endif /* PCL_OPTION_H */
