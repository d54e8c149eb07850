// SPDX-License-Identifier: GPL-2.0
/*
 * The options of pcl record.
 *
 * Concepts: each option fills one field of record_opts; what goes together is
 * checked when all are known.
 * Contexts: start.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "record/record.h"
#include "unwind/unwind.h"

static const struct command_options options = {
	.command = CMD_RECORD,
	.runs_command = true,
	.column = 23,
	.usage =
"usage: pcl record [options] [--] [command [argument...]]\n"
"Sample where events happen, into a file that pcl report and perf can read.\n",
	.notes =
"Ends with the command, with the last task of -p or -t, or at ^C. The default\n"
"event is cycles; where there is no PMU it is cpu-clock, and that is said.\n"
"\n"
"Exit status: that of the command, 128 + N when signal N ended it or the\n"
"recording; 125 when pcl failed, 126 and 127 as for pcl stat.\n",
};

enum { DEFAULT_STACK_BYTES = 8192, MOST_STACK_BYTES = 65000 };

/* 0, or -1 where text is no number above zero. */
static int take_u64(const char *text, u64 *v)
{
	char *end;

	errno = 0;
	*v = strtoull(text, &end, 10);
	return end == text || *end || *text == '-' || errno || !*v ? -1 : 0;
}

static int parse_u64(const char *opt, const char *text, u64 *v)
{
	if (take_u64(text, v))
		return complain("%s: '%s' is not a number above zero", opt, text);
	return 0;
}

/* "128" pages, "512K", "8M"; rounded up to a power of two of pages. */
static int parse_ring_size(struct record_opts *o, const char *text)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE), want, bytes = page;
	char *end;

	errno = 0;
	want = strtoull(text, &end, 10);
	if (end == text || *text == '-' || errno || !want || want > 1u << 30)
		goto bad;
	if (!strcmp(end, "K"))
		want <<= 10;
	else if (!strcmp(end, "M"))
		want <<= 20;
	else if (!*end)
		want *= page;
	else
		goto bad;
	if (want > 1ull << 32)
		goto bad;
	while (bytes < want)
		bytes *= 2;
	if (bytes != want)
		complain("note: -m: the ring is a power of two of pages: %llu KiB",
			 (unsigned long long)bytes >> 10);
	o->ring_bytes = bytes;
	o->ring_given = true;
	return 0;
bad:
	return complain("-m: '%s' is not a number of pages, nor a size with K or M up to 4096M",
			text);
}

static int parse_chains(struct record_opts *o, const char *text)
{
	u64 bytes = DEFAULT_STACK_BYTES;

	if (!strcmp(text, "fp")) {
		o->chains = CHAINS_FP;
	} else if (!strcmp(text, "lbr")) {
		o->chains = CHAINS_LBR;
	} else if (!strcmp(text, "dwarf") || !strncmp(text, "dwarf,", 6)) {
		if (text[5] && (take_u64(text + 6, &bytes) || bytes > MOST_STACK_BYTES))
			return complain("--call-graph: dwarf: '%s' is not a number of bytes up to %d, to copy of each stack",
					text + 6, MOST_STACK_BYTES);
		if (!unwind_regs_mask()) {
			complain("note: --call-graph dwarf: the kernel copies no registers on this machine, so that stacks cannot be unwound; it follows frame pointers instead, as with fp");
			o->chains = CHAINS_FP;
			return 0;
		}
		o->chains = CHAINS_DWARF;
		/* the kernel takes multiples of eight */
		o->stack_bytes = (u32)((bytes + 7) & ~7ull);
	} else {
		return complain("--call-graph: '%s' is not fp, dwarf or lbr", text);
	}
	return 0;
}

static int parse_clock(struct record_opts *o, const char *text)
{
	static const struct {
		const char *name, *alias;
		int clock;
	} clocks[] = {
		{ "monotonic", "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", "raw", CLOCK_MONOTONIC_RAW },
		{ "boottime", "boot", CLOCK_BOOTTIME },
		{ "realtime", "real", CLOCK_REALTIME },
		{ "tai", "tai", CLOCK_TAI },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcmp(text, clocks[i].name) || !strcmp(text, clocks[i].alias)) {
			o->settings.clock_given = true;
			o->settings.clock = clocks[i].clock;
			return 0;
		}
	return complain("-k: there is no clock '%s'; monotonic, monotonic_raw, boottime, realtime or tai",
			text);
}

static int parse_delay(struct record_opts *o, const char *text)
{
	char *end;

	errno = 0;
	o->delay_ms = strtol(text, &end, 10);
	if (end == text || *end || errno || o->delay_ms < -1 || o->delay_ms > 86400000)
		return complain("-D: '%s' is not a number of milliseconds up to a day, nor -1",
				text);
	return 0;
}

static int parse_level(struct record_opts *o, const char *text)
{
	u64 level = 1;

	/* "-z=3" is what the long form leads to */
	if (text && *text == '=')
		text++;
	if (text && (take_u64(text, &level) || level > 22))
		return complain("-z: '%s' is not a level from 1, fast, to 22, small", text);
	o->settings.level = (int)level;
	return 0;
}

static int parse_threads(struct record_opts *o, const char *text)
{
	u64 nr;

	if (!strcmp(text, "cpu")) {
		o->readers = -1;
		return 0;
	}
	if (take_u64(text, &nr) || nr > 4096)
		return complain("--threads: '%s' is neither a number of threads up to 4096, nor 'cpu'", text);
	o->readers = (int)nr;
	return 0;
}

/* "10M" bytes, "30s", or "signal". */
static int parse_rotation(struct record_opts *o, const char *text)
{
	static const struct {
		char unit;
		enum rotation kind;
		u64 factor;
	} units[] = {
		{ 'B', ROTATE_SIZE, 1 }, { 'K', ROTATE_SIZE, 1 << 10 },
		{ 'M', ROTATE_SIZE, 1 << 20 }, { 'G', ROTATE_SIZE, 1 << 30 },
		{ 's', ROTATE_TIME, 1000000000 }, { 'm', ROTATE_TIME, 60000000000 },
		{ 'h', ROTATE_TIME, 3600000000000 }, { 'd', ROTATE_TIME, 86400000000000 },
	};
	char *end;
	u64 n;
	size_t i;

	if (!strcmp(text, "signal")) {
		o->rotation = ROTATE_SIGNAL;
		return 0;
	}
	errno = 0;
	n = strtoull(text, &end, 10);
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (*text != '-' && n && n < 100000 && *end == units[i].unit && !end[1]) {
			o->rotation = units[i].kind;
			o->rotate_at = n * units[i].factor;
			return 0;
		}
	return complain("--switch-output: '%s' is neither a size (with B, K, M or G), nor a time (s, m, h, d), nor 'signal'",
			text);
}

static int parse_max_files(struct record_opts *o, const char *text)
{
	u64 nr;

	if (take_u64(text, &nr) || nr > 1000000)
		return complain("--max-files: '%s' is not a number of files up to a million", text);
	o->max_files = (unsigned int)nr;
	return 0;
}

static int take_option(struct record_opts *o, int c)
{
	switch (c) {
	case OPT_EVENT:
		return events_parse_option(&o->events, optarg);
	case OPT_FREQ:
		if (!strcmp(optarg, "max")) {
			o->freq_hz = FREQ_MAX;
			return 0;
		}
		return parse_u64("-F", optarg, &o->freq_hz);
	case OPT_COUNT:
		return parse_u64("-c", optarg, &o->period);
	case OPT_CHAINS:
		o->chains = CHAINS_FP;
		return 0;
	case OPT_ALL_CPUS:
	case OPT_CPU:
	case OPT_PID:
	case OPT_TID:
	case OPT_NO_INHERIT:
		return target_take_option(&o->target, c, optarg, &o->cpus);
	case OPT_CLOCK:
		return parse_clock(o, optarg);
	case OPT_DELAY:
		return parse_delay(o, optarg);
	case OPT_CALL_GRAPH:
		return parse_chains(o, optarg);
	case OPT_RAW:
		o->raw = true;
		return 0;
	case OPT_OFF_CPU:
		o->off_cpu = true;
		return 0;
	case OPT_CONTROL:
		o->control = optarg;
		return 0;
	case OPT_SNAPSHOT:
		o->snapshot = true;
		return 0;
	case OPT_SWITCH_OUTPUT:
		return parse_rotation(o, optarg);
	case OPT_MAX_FILES:
		return parse_max_files(o, optarg);
	case OPT_THREADS:
		return parse_threads(o, optarg);
	case OPT_MMAP:
		return parse_ring_size(o, optarg);
	case OPT_COMPRESS:
		return parse_level(o, optarg);
	case OPT_OUTPUT:
		o->out_name = optarg;
		return 0;
	case OPT_OVERHEAD:
		o->overhead = true;
		return 0;
	case OPT_QUIET:
		o->quiet = true;
		return 0;
	default:
		return -1;
	}
}

static int check_series(const struct record_opts *o)
{
	if (o->max_files && !o->snapshot && !o->rotation)
		return complain("--max-files: there is only one file without --switch-output or --snapshot");
	if ((o->snapshot || o->rotation) && o->out_is_pipe)
		return complain("-o %s: %s makes several files; name them with -o FILE",
				o->out_name, o->snapshot ? "--snapshot" : "--switch-output");
	if (o->snapshot && o->rotation)
		return complain("--snapshot and --switch-output: the newest samples at times, or all in several files, not both");
	if (o->snapshot && o->off_cpu)
		return complain("--snapshot: time off the CPU needs all switches, and the rings hold only the newest");
	if (o->snapshot && o->chains == CHAINS_DWARF && !o->raw)
		return complain("--snapshot: stacks stay in the rings as they are copied; add --raw, or use --call-graph fp");
	return 0;
}

/*
 * Standard output by a name, as /dev/stdout: what is there already is not this recording's to move or to cut off. A file's
 * own name is but the beginning of those of a series.
 */
static bool is_standard_output(const char *name, const struct stat *st, bool series)
{
	struct stat ours, itself;

	if (fstat(STDOUT_FILENO, &ours) || st->st_dev != ours.st_dev || st->st_ino != ours.st_ino)
		return false;
	if (S_ISREG(st->st_mode))
		return !series || (!lstat(name, &itself) && !S_ISREG(itself.st_mode));
	return S_ISFIFO(st->st_mode);
}

/* What -o names: a file, whether it is there or not, or what can only be written from front to back. */
static int look_at_output(struct record_opts *o)
{
	bool series = o->snapshot || o->rotation;
	struct stat st;

	if (strcmp(o->out_name, "-") && stat(o->out_name, &st))
		return 0;
	if (!strcmp(o->out_name, "-") || is_standard_output(o->out_name, &st, series)) {
		o->out_name = "-";
		o->out_is_pipe = true;
		return 0;
	}
	if (S_ISREG(st.st_mode))
		return 0;
	if (S_ISDIR(st.st_mode))
		return series ? 0 : complain("-o %s: this is a directory; name a file", o->out_name);
	if (!S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode))
		return complain("-o %s: this is a %s; name a file, a FIFO or a character device", o->out_name,
				S_ISBLK(st.st_mode) ? "block device" : "socket");
	o->out_is_pipe = true;
	return 0;
}

/* What does not go together. */
static int check_options(const struct record_opts *o)
{
	if (o->freq_hz && o->period)
		return complain("-F and -c: a rate or a period, not both");
	if (!strcmp(o->out_name, "-") && isatty(STDOUT_FILENO))
		return complain("-o -: standard output is a terminal; send it through a pipe or into a file");
	if (o->raw && o->chains != CHAINS_DWARF)
		return complain("--raw: only --call-graph dwarf copies stacks");
	if (o->delay_ms < 0 && !o->control)
		return complain("-D -1: nothing would ever begin; it needs --control, for its 'enable'");
	return check_series(o);
}

/* 0: go on. 1: help was printed. -1: refused. */
int record_parse_options(struct record_opts *o, int argc, char **argv)
{
	int c;

	while ((c = option_next(&options, argc, argv)) > 0)
		if (take_option(o, c))
			return -1;
	if (c != OPTION_END)
		return c == OPTION_HELP ? 1 : -1;
	o->argv = optind < argc ? argv + optind : NULL;
	if (look_at_output(o) || check_options(o))
		return -1;
	return target_finish(&o->target, o->cpus, o->argv != NULL);
}
