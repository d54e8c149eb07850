// SPDX-License-Identifier: GPL-2.0
/*
 * The table of options: what each is called, who takes it, and what --help says of it.
 *
 * Concepts: a command's options, for getopt_long() and for --help, are the rows that have its bit, in this order. A
 * letter means one thing for all commands; what users of perf could not do without is listed, with its reason, by the
 * test of this table. Where commands have different words for an option, each has its own; option_joined puts it before
 * the next on one line, option_told is for what the text of another names.
 * Contexts: any.
 * Locks: none.
 */
#include "base/option.h"

enum {
	STAT = 1u << CMD_STAT,
	RECORD = 1u << CMD_RECORD,
	REPORT = 1u << CMD_REPORT,
	ANNOTATE = 1u << CMD_ANNOTATE,
	SCRIPT = 1u << CMD_SCRIPT,
	DIFF = 1u << CMD_DIFF,
	TOP = 1u << CMD_TOP,
	LIST = 1u << CMD_LIST,
	DOCTOR = 1u << CMD_DOCTOR,
	MEASURE = STAT | RECORD | TOP,
	SHOW = REPORT | ANNOTATE | SCRIPT | DIFF | TOP,
	ALL = (1u << NR_COMMANDS) - 1,
};

const char option_joined[] = "(joined)";
const char option_told[] = "(told)";
#define JOINED	option_joined
#define TOLD	option_told

const struct option_row option_rows[] = {
	/* the recordings, and the events */
	{ OPT_INPUT, 'i', "input", "FILE", REPORT | ANNOTATE | SCRIPT, .text = "the recording (perf.data)", .own = {
		[CMD_REPORT] = "the recording (perf.data), of pcl or of perf",
		[CMD_SCRIPT] = "the recording (perf.data); '-' is standard input",
	} },
	{ OPT_BASELINE, 0, "baseline", "A", DIFF, .text = "the files before; those that are named are then all after" },
	{ OPT_EVENT, 'e', "event", "LIST", MEASURE,
		.text = "events to count, see pcl-list(1); may be repeated", .own = {
		[CMD_RECORD] = "events to sample, see pcl-list(1); may be repeated",
		[CMD_TOP] = "the events to sample (cycles, cpu-clock without a PMU)",
	} },
	{ OPT_METRICS, 'M', "metrics", "LIST", STAT,
		.text = "ratios, with the events they need; list: shows them all" },
	{ OPT_NO_GROUP, 0, "no-group", NULL, STAT, .text = "do not group events whose ratio is shown" },
	{ OPT_FREQ, 'F', "freq", "HZ|max", RECORD, .text = "samples a second for each event (4000; tracepoints: all)" },
	{ OPT_FREQ, 'F', "freq", "HZ", TOP, .text = "samples a second and CPU (4000), or max" },
	{ OPT_COUNT, 'c', "count", "N", RECORD | TOP, .text = "a sample every N events" },
	{ OPT_CHAINS, 'g', NULL, NULL, RECORD, .text = "with call chains, as --call-graph fp" },
	{ OPT_CALL_GRAPH, 0, "call-graph", "HOW", RECORD,
		.text = "chains by fp (frame pointers), lbr (the CPU), or\n"
		"dwarf[,BYTES] (unwinding stacks; --raw: copying them)" },
	{ OPT_RAW, 0, "raw", NULL, RECORD, .text = TOLD },
	{ OPT_OFF_CPU, 0, "off-cpu", NULL, RECORD, .text = "time off the CPU, too, as event offcpu-time" },

	/* the target */
	{ OPT_ALL_CPUS, 'a', "all-cpus", NULL, MEASURE, .text = "the whole machine", .own = {
		[CMD_RECORD] = "the whole machine; -C, --cpu LIST: these CPUs",
	} },
	{ OPT_CPU, 'C', "cpu", "LIST", MEASURE, .text = "these CPUs", .own = {
		[CMD_STAT] = "these CPUs, such as 0-2,5",
		[CMD_RECORD] = TOLD,
	} },
	{ OPT_PID, 'p', "pid", "LIST", MEASURE, .text = "all threads of these processes", .own = {
		[CMD_TOP] = "these processes",
	} },
	{ OPT_TID, 't', "tid", "LIST", MEASURE, .text = "these threads" },
	{ OPT_CGROUP, 0, "cgroup", "LIST", STAT, .text = "the tasks of these cgroups, a line for each" },
	{ OPT_PER_THREAD, 0, "per-thread", NULL, STAT, .text = JOINED },
	{ OPT_PER_CPU, 0, "per-cpu", NULL, STAT, .text = JOINED },
	{ OPT_PER_CORE, 0, "per-core", NULL, STAT, .text = JOINED },
	{ OPT_PER_SOCKET, 0, "per-socket", NULL, STAT, .text = JOINED },
	{ OPT_PER_CGROUP, 0, "per-cgroup", NULL, STAT, .text = "\na line for each of them" },
	{ OPT_NO_INHERIT, 'i', "no-inherit", NULL, MEASURE, .text = "leave out children and new threads", .own = {
		[CMD_TOP] = "not the children of these",
	} },
	{ OPT_CHAINS, 'g', NULL, NULL, TOP, .text = JOINED },
	{ OPT_CALL_GRAPH, 0, "call-graph", "[=fp]", TOP, .text = "who called, below each line" },

	/* runs of a command */
	{ OPT_REPEAT, 'r', "repeat", "N", STAT, .text = "run N times: mean, its interval, deviation, outliers" },
	{ OPT_VS, 0, "vs", "COMMAND", STAT, .text = "compare with COMMAND in -r pairs of runs (10)" },
	{ OPT_FAIL_IF, 0, "fail-if", "RULE", STAT, .text = "with --vs, NAME+3%[@99%]: status 124 when it is so" },
	{ OPT_ORDER, 0, "order", "ORDER", STAT, .text = "of a pair: random (with --seed N), abba or ab" },
	{ OPT_SEED, 0, "seed", "N", STAT, .text = TOLD },
	{ OPT_WARMUP, 0, "warmup", "N", STAT, .text = "runs of each that are not measured (1 with --vs)" },
	{ OPT_CONFIDENCE, 0, "confidence", "PCT", STAT, .text = "of intervals and verdicts (95)" },
	{ OPT_COLD, 0, "cold", "[=all]", STAT, .text = "empty CPU caches before each run; all: files, too" },
	{ OPT_INTERVAL, 'I', "interval", "MS", STAT, .text = "print what was counted every MS milliseconds" },

	/* what makes a line, and what of it is shown */
	{ OPT_SYMBOL, 0, "symbol", "NAME", ANNOTATE, .text = "the function (the same as SYMBOL)" },
	{ OPT_OBJECT, 0, "object", "LIST", ANNOTATE, .text = "only functions of these objects (or --dso, --dsos)" },
	{ OPT_SORT, 's', "sort", "KEYS", REPORT | DIFF | TOP,
		.text = "what makes a line: comm, object (dso), symbol (sym), pid,\n"
		"tid, cpu, srcline, srcfile (comm,object,symbol)", .own = {
		[CMD_DIFF] = "by what: comm, object (dso), symbol (object,symbol)",
		[CMD_TOP] = "what makes a line: comm, object (dso), symbol, pid, tid,\n"
			    "cpu, srcline, srcfile (object,symbol)",
	} },
	{ OPT_EVENT, 'e', "event", "NAME", ANNOTATE | DIFF, .text = "only this event", .own = {
		[CMD_DIFF] = "the event to compare (the first one)",
	} },
	{ OPT_FIELDS, 'F', "fields", "LIST", REPORT | SCRIPT,
		.text = "columns: keys as in -s, and share, children, self,\n"
		"samples, period; +LIST: these too (so does -s +KEYS)", .own = {
		[CMD_SCRIPT] = "comm,tid,pid,time,cpu,event,trace,ip,sym,dso,addr,\n"
			       "symoff,srcline,period ...; or +FIELD,-FIELD to change\n"
			       "what is shown by itself",
	} },
	{ OPT_NR_SAMPLES, 'n', "show-nr-samples", NULL, REPORT,
		.text = "nothing: the number of samples is always shown" },
	{ OPT_CHAINS, 'g', "callers", NULL, REPORT, .text = JOINED },
	{ OPT_CALL_GRAPH, 0, "call-graph", "[=callers|callees]", REPORT,
		.text = "\nbelow each line, who called it, or whom it called" },
	{ OPT_NO_CHAINS, 0, "no-callers", NULL, REPORT, .text = "no chains, even where they were recorded" },
	{ OPT_NO_CHAINS, 'G', "hide-call-graph", NULL, SCRIPT, .text = "no chains" },
	{ OPT_INVERTED, 0, "inverted", NULL, REPORT, .text = "from the outermost functions down (as -g callees)" },
	{ OPT_CHILDREN, 0, "children", NULL, REPORT,
		.text = "a line for every function of a chain (--no-children: not)" },
	{ OPT_NO_CHILDREN, 0, "no-children", NULL, REPORT, .text = TOLD },
	{ OPT_INLINE, 0, "inline", NULL, SCRIPT, .text = "frames for what was inlined, too (--no-inline: not)" },
	{ OPT_NO_INLINE, 0, "no-inline", NULL, REPORT | SCRIPT, .text = "without inlined functions in chains", .own = {
		[CMD_SCRIPT] = TOLD,
	} },
	{ OPT_LIMIT, 'l', "limit", "PERCENT", REPORT,
		.text = "leave out lines and callers below this (0, callers 0.5)\n"
		"(also --percent-limit)" },
	{ OPT_LIMIT, 0, "percent-limit", "PERCENT", REPORT | ANNOTATE | TOP, .text = TOLD },
	{ OPT_GROUP, 0, "group", NULL, REPORT, .text = "the events of the file side by side" },
	{ OPT_LINES, 0, "lines", NULL, ANNOTATE, .text = "lines of the source only" },
	{ OPT_ASM, 0, "asm", NULL, ANNOTATE, .text = "instructions only (also --no-source)" },
	{ OPT_ASM, 0, "no-source", NULL, ANNOTATE, .text = TOLD },
	{ OPT_STYLE, 'M', "disassembler-style", "STYLE", ANNOTATE, .text = "\natt or intel (att)" },
	{ OPT_LIMIT, 0, "limit", "PERCENT", ANNOTATE,
		.text = "without SYMBOL: functions with at least this share (5)\n"
		"(also --percent-limit)" },

	/* only a part of the samples */
	{ OPT_COMM, 0, "comm", "LIST", REPORT | SCRIPT | DIFF | TOP, .text = JOINED },
	{ OPT_OBJECT, 0, "object", "LIST (--dso)", REPORT | SCRIPT | DIFF | TOP, .text = JOINED },
	{ OPT_SYMBOL, 0, "symbol", "LIST", REPORT | SCRIPT | DIFF | TOP,
		.text = "only these\n(also --comms, --dsos, --symbols)", .own = {
		[CMD_REPORT] = JOINED,
		[CMD_SCRIPT] = "\nonly of these commands, in these files, functions\n"
			       "(also --comms, --dsos, --symbols)",
	} },
	{ OPT_COMM, 0, "comms", "LIST", REPORT | SCRIPT | DIFF | TOP, .text = TOLD },
	{ OPT_OBJECT, 0, "dso", "LIST", REPORT | ANNOTATE | SCRIPT | DIFF | TOP, .text = TOLD },
	{ OPT_OBJECT, 0, "dsos", "LIST", REPORT | ANNOTATE | SCRIPT | DIFF | TOP, .text = TOLD },
	{ OPT_SYMBOL, 0, "symbols", "LIST", REPORT | SCRIPT | DIFF | TOP, .text = TOLD },
	{ OPT_CPU, 0, "cpu", "LIST", REPORT | SCRIPT, .text = JOINED },
	{ OPT_PID, 0, "pid", "LIST", REPORT | SCRIPT, .text = JOINED },
	{ OPT_TID, 0, "tid", "LIST", REPORT | SCRIPT, .text = "only these (also --comms, --dsos, --symbols)", .own = {
		[CMD_SCRIPT] = "\nonly of these CPUs, processes, threads",
	} },
	{ OPT_TIME, 0, "time", "WHEN", REPORT, .text = "START,STOP in seconds, N%/M or A%-B% of the recording" },
	{ OPT_TIME, 0, "time", "FROM,TO", SCRIPT, .text = "only of this time, in seconds; or 10%/2, 10%-50%" },
	{ OPT_LIMIT, 'l', "limit", "POINTS", DIFF, .text = "leave out lines that differ by less (0.01)" },
	{ OPT_LIMIT, 'l', "limit", "PERCENT", TOP, .text = "leave out lines below this (0.1; also --percent-limit)" },

	/* judgement */
	{ OPT_SIGNIFICANT, 0, "significant", NULL, DIFF, .text = "only lines whose difference is not noise" },
	{ OPT_CONFIDENCE, 0, "confidence", "N%", DIFF, .text = "of what counts as significant (95%)" },
	{ OPT_FAIL_IF, 0, "fail-if", "RULE", DIFF,
		.text = "[NAME]+1%[@99%]: status 124 if that function's share (or\n"
		"any's) is surely more than 1 point higher; - for lower" },

	/* when, and how the rings are read */
	{ OPT_CLOCK, 'k', "clockid", "CLOCK", RECORD, .text = "monotonic, monotonic_raw, boottime, realtime or tai" },
	{ OPT_DELAY, 'D', "delay", "MS", RECORD, .text = "begin so late; -1: when the control says so" },
	{ OPT_CONTROL, 0, "control", "WHERE", RECORD, .text = "take commands from fd:N[,ACK] or fifo:PATH[,ACK]" },
	{ OPT_SNAPSHOT, 0, "snapshot", NULL, RECORD, .text = "only the newest samples; a file at SIGUSR2 and the end" },
	{ OPT_SWITCH_OUTPUT, 0, "switch-output", "WHEN", RECORD,
		.text = "a new file each SIZE, each TIME, or at a 'signal'" },
	{ OPT_MAX_FILES, 0, "max-files", "N", RECORD, .text = "of these files, keep the last N" },
	{ OPT_THREADS, 0, "threads", "N", RECORD, .text = "so many threads read the rings; cpu: one for each CPU" },
	{ OPT_MMAP, 'm', "mmap", "N[K|M]", RECORD, .text = "size of the ring of a CPU (by the rate)" },
	{ OPT_COMPRESS, 'z', "compression-level", "[=N]", RECORD, .text = "compress the file with zstd (level 1)" },
	{ OPT_REFRESH, 'd', "delay", "SECONDS", TOP, .text = "between refreshes (2)" },
	{ OPT_ZERO, 0, "zero", NULL, TOP,
		.text = "each table is of its own interval alone; by default older\n"
		"samples count half as much with every refresh" },
	{ OPT_ITERATIONS, 0, "iterations", "N", TOP, .text = "end after N tables" },

	/* the form of what is printed */
	{ OPT_NS, 0, "ns", NULL, SCRIPT, .text = "times in nanoseconds" },
	{ OPT_SHOW_TASK, 0, "show-task-events", NULL, SCRIPT, .text = JOINED },
	{ OPT_SHOW_MMAP, 0, "show-mmap-events", NULL, SCRIPT, .text = JOINED },
	{ OPT_SHOW_SWITCH, 0, "show-switch-events", NULL, SCRIPT, .text = JOINED },
	{ OPT_SHOW_LOST, 0, "show-lost-events", NULL, SCRIPT, .text = "\nrecords of these kinds, too" },
	{ OPT_HEADER, 0, "header", NULL, REPORT | SCRIPT, .text = "also how and where it was recorded", .own = {
		[CMD_SCRIPT] = "what the recording tells of itself, before the samples",
	} },
	{ OPT_HEADER_ONLY, 0, "header-only", NULL, SCRIPT, .text = "and nothing else" },
	{ OPT_FORMAT, 0, "format", "FORM", SCRIPT,
		.text = "text; folded: 'stack;of;functions N', for flame graphs;\n"
		"json (or -j, --json): an object on a line for each" },
	{ OPT_CSV, 'x', "csv", "SEP", STAT, .text = "lines of fields separated by SEP" },
	{ OPT_VERBOSE, 'v', "verbose", NULL, DOCTOR, .text = "every thing on a line of its own, with how far it goes" },
	{ OPT_JSON, 'j', "json", NULL, STAT | SCRIPT | LIST | DOCTOR, .text = "one JSON document", .own = {
		[CMD_STAT] = "one JSON document; with -I one a line",
		[CMD_SCRIPT] = TOLD,
	} },
	{ OPT_JSON, 0, "json", NULL, REPORT | DIFF, .text = "a document for machines" },
	{ OPT_HTML, 0, "html", "FILE", REPORT, .text = "a page with flame graph and tables, all in one file" },
	{ OPT_STDIO, 0, "stdio", NULL, REPORT, .text = JOINED },
	{ OPT_TUI, 0, "tui", NULL, REPORT, .text = "text, or the browser" },
	{ OPT_OUTPUT, 'o', "output", "FILE", STAT | RECORD,
		.text = "write the result there (-: stdout); --overhead: its cost", .own = {
		[CMD_RECORD] = "file to write (perf.data), - for standard output",
	} },
	{ OPT_OVERHEAD, 0, "overhead", NULL, STAT | RECORD, .text = TOLD },
	{ OPT_QUIET, 'q', "quiet", NULL, RECORD, .text = "say nothing but of losses; --overhead: what it all cost" },

	/* where code and names come from */
	{ OPT_SOURCE, 0, "source", "DIR", ANNOTATE, .text = "look for source files here too" },
	{ OPT_VMLINUX, 0, "vmlinux", "FILE", ANNOTATE, .text = "the kernel's code and lines are in this file" },
	{ OPT_KALLSYMS, 0, "kallsyms", "FILE", SHOW & ~TOP, .text = "names of a kernel that does not run here" },
	{ OPT_NO_CACHE, 0, "no-cache", NULL, SHOW,
		.text = "read symbols and debug information anew, and keep nothing", .own = {
		[CMD_SCRIPT] = "read symbols and debug information anew, keep nothing",
	} },
	{ OPT_STDIO, 0, "stdio", NULL, ANNOTATE | TOP, .text = "as text, which is the only form", .own = {
		[CMD_TOP] = "tables as text, on a terminal too",
	} },

	{ OPT_HELP, 'h', "help", NULL, ALL, .text = "this text" },
};

const unsigned int nr_option_rows = ARRAY_SIZE(option_rows);
_Static_assert(ARRAY_SIZE(option_rows) <= MOST_OPTION_ROWS, "the table of options has outgrown those who copy it");

bool option_is_of(const struct option_row *r, enum command_id command)
{
	return r->commands & 1u << command;
}

const char *option_text(const struct option_row *r, enum command_id command)
{
	return r->own[command] ? r->own[command] : r->text;
}
