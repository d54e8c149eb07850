// SPDX-License-Identifier: GPL-2.0
/*
 * Where a recording goes: a file, a pipe or device, or one file after the other.
 *
 * Concepts: opening a file also describes what existed before: events, kernel,
 * processes, so that each file can be read alone; a later file is told all that
 * the files before it were told of tasks. Files of a series have the time of
 * their beginning in the name; of those, only so many are kept.
 * Contexts: record's main thread before the pipeline starts and after it ends,
 * the writer between.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"
#include "record/record.h"
#include "tasks/tasks.h"

enum {
	PAST_MOST = 16 * 1024 * 1024,	/* bytes */
	READER_MS = 20,			/* how often to look for the reader of a FIFO */
	READER_LATE = 50,		/* so many looks, and it is told that one is waited for */
};

static bool is_series(const struct record_opts *o)
{
	return o->rotation != ROTATE_NEVER || o->snapshot;
}

static bool samples_kernel(const struct pd_out_events *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (!l->v[i].attr.exclude_kernel)
			return true;
	return false;
}

/* Forget the older half. */
static void forget(struct output *out)
{
	struct blob *past = &out->past;
	struct perf_event_header h;
	size_t at = 0;

	if (!out->forgot)
		complain("note: so many tasks came and went that the oldest are forgotten; samples of them in later files have no names");
	out->forgot = true;
	while (at < past->nr / 2) {
		memcpy(&h, past->v + at, sizeof(h));
		at += h.size;
	}
	memmove(past->v, past->v + at, past->nr - at);
	past->nr -= at;
}

/* A record that files to come need, too. */
void output_note(struct output *out, const struct perf_event_header *h)
{
	if (!record_is_of_tasks(h->type))
		return;
	if (out->past.nr + h->size > PAST_MOST)
		forget(out);
	blob_put(&out->past, h, h->size);
	/* who lives, for when the past has become too long */
	if (!out->tasks)
		out->tasks = tasks_new(NULL, TASKS_ENDLESS | TASKS_NO_MAPS);
	tasks_take(out->tasks, h, record_raw_body(h), record_time_ns(h));
}

static void on_record(void *arg, const struct perf_event_header *h)
{
	struct output *out = arg;

	/* the unwinders hear of later records in order of time, by another way */
	if (out->unwinders && !out->nr_files)
		unwinders_tell(out->unwinders, h);
	if (is_series(out->o))
		output_note(out, h);
}

static void tell_process(void *arg, s32 pid)
{
	synth_process(arg, pid, NULL);
}

/* What the first file was told, and what came since. */
static void repeat_past(struct output *out)
{
	if (out->forgot) {
		if (samples_kernel(out->events))
			synth_kernel(&out->w);
		tasks_each_process(out->tasks, tell_process, &out->w);
	}
	pd_records(&out->w, out->past.v, out->past.nr);
}

static void tell_past(struct output *out)
{
	const struct target *t = &out->o->target;
	struct pd_writer *w = &out->w;

	if (samples_kernel(out->events))
		synth_kernel(w);
	if (t->system_wide)
		synth_all_processes(w);
	else if (t->by_command)
		/* still this program: the first samples are of its call of execve() */
		synth_process(w, t->tids.v[0], "pcl-exec");
	else
		synth_processes(w, &t->tids);
}

static void describe_past(struct output *out)
{
	synth_events(&out->w);
	if (out->past.nr)
		repeat_past(out);
	out->w.seen = on_record;
	out->w.seen_arg = out;
	if (!out->past.nr)
		tell_past(out);
	if (!is_series(out->o) || out->o->snapshot)
		out->w.seen = NULL;
	synth_init_end(&out->w);
}

/* What the command prints is not for who reads the recording. */
static int leave_stdout(void)
{
	return dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? complain("standard output: %s", strerror(errno)) : 0;
}

/*
 * open() of a FIFO that nobody reads waits, or fails; a signal that ends the recording does not end the waiting. So it
 * is tried again and again. -1 with errno; ENXIO of a FIFO: the end came first.
 */
static int open_for_reader(const char *name, bool fifo, const struct pd_end *end)
{
	struct pollfd asked = { .fd = end->asked, .events = POLLIN };
	unsigned int looks = 0;
	int fd;

	while ((fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) < 0 && errno == ENXIO && fifo) {
		if (++looks == READER_LATE)
			complain("note: %s: waiting for its reader", name);
		if (poll(&asked, 1, READER_MS) > 0) {
			errno = ENXIO;
			break;
		}
	}
	return fd;
}

static int claim_named(struct output *out)
{
	const char *name = out->o->out_name;
	struct stat st;
	bool fifo = !stat(name, &st) && S_ISFIFO(st.st_mode);

	out->pipe_fd = open_for_reader(name, fifo, out->o->settings.end);
	if (out->pipe_fd < 0 && fifo && errno == ENXIO)
		return complain("%s: nobody reads it", name);
	if (out->pipe_fd < 0 || fcntl(out->pipe_fd, F_SETFL, 0))
		return complain("%s: %s", name, strerror(errno));
	if (isatty(out->pipe_fd))
		return complain("-o %s: this is a terminal; name a file, a FIFO or another device", name);
	return 0;
}

/* Take hold of what is no file, before anything is begun: of a FIFO the reader is waited for, or the end. */
int output_claim(struct output *out)
{
	if (!out->o->out_is_pipe)
		return 0;
	if (strcmp(out->o->out_name, "-"))
		return claim_named(out);
	out->pipe_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (out->pipe_fd < 0)
		return complain("-o -: %s", strerror(errno));
	return leave_stdout();
}

/* For snapshots, which have no file at first: remember what the first would be told. */
int output_learn(struct output *out)
{
	struct pd_writer none = { .fd = open("/dev/null", O_WRONLY | O_CLOEXEC), .pipe = true };
	int ret;

	if (none.fd < 0)
		return complain("/dev/null: %s", strerror(errno));
	ret = pd_create(&none, "-", out->events, &out->o->settings);
	out->w = none;
	if (!ret)
		describe_past(out);
	pd_finish(&out->w);
	memset(&out->w, 0, sizeof(out->w));
	return ret;
}

/* NAME and the time, to a hundredth of a second, as perf names them. */
static char *series_path(const char *name)
{
	struct timeval now;
	char text[32];
	unsigned int cs;
	struct tm tm;
	char *path;

	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &tm);
	strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm);
	for (cs = (unsigned int)now.tv_usec / 10000;; cs++) {
		path = str_printf("%s.%s%02u", name, text, cs);
		if (access(path, F_OK))
			return path;
		free(path);
	}
}

static void keep_path(struct output *out, char *path)
{
	if (out->o->max_files && out->nr_paths == out->o->max_files) {
		if (unlink(out->paths[0]))
			complain("note: %s could not be removed: %s", out->paths[0],
				 strerror(errno));
		free(out->paths[0]);
		memmove(out->paths, out->paths + 1, --out->nr_paths * sizeof(*out->paths));
	}
	out->paths = mem_resize(out->paths, out->nr_paths + 1, sizeof(*out->paths));
	out->paths[out->nr_paths++] = path;
}

int output_open(struct output *out)
{
	const char *name = out->o->out_name;

	keep_path(out, is_series(out->o) ? series_path(name) : str_dup(name));
	out->open = true;
	out->opened_ns = clock_ns();
	out->w.fd = out->pipe_fd;
	out->w.pipe = out->o->out_is_pipe;
	if (pd_create(&out->w, output_path(out), out->events, &out->o->settings))
		return -1;
	describe_past(out);
	out->nr_files++;
	return out->w.failed ? -1 : 0;
}

static struct pd_totals totals_sum(const struct pd_totals *a, const struct pd_totals *b)
{
	return (struct pd_totals){
		.records = a->records + b->records,
		.samples = a->samples + b->samples,
		.lost = a->lost + b->lost,
		.lost_samples = a->lost_samples + b->lost_samples,
		.unwritten = a->unwritten + b->unwritten,
		.throttled = a->throttled + b->throttled,
	};
}

int output_close(struct output *out)
{
	int ret;

	if (!out->open)
		return 0;
	ret = pd_finish(&out->w);
	out->open = false;
	out->before = totals_sum(&out->before, &out->w.totals);
	out->bytes_before += pd_file_size(&out->w);
	if (is_series(out->o) && !out->o->quiet)
		fprintf(stderr, "pcl record: %llu samples in %s\n",
			(unsigned long long)out->w.totals.samples, output_path(out));
	return ret;
}

/* Close this file and begin the next of the series. */
int output_next(struct output *out)
{
	return output_close(out) || output_open(out) ? -1 : 0;
}

/* Has this file reached its size or age? */
bool output_is_over(const struct output *out)
{
	switch (out->o->rotation) {
	case ROTATE_SIZE:
		return pd_file_size(&out->w) >= out->o->rotate_at;
	case ROTATE_TIME:
		return clock_ns() - out->opened_ns >= out->o->rotate_at;
	default:
		return false;
	}
}

/* The file written last. */
const char *output_path(const struct output *out)
{
	return out->nr_paths ? out->paths[out->nr_paths - 1] : out->o->out_name;
}

/* Of all files, when the last is closed. */
struct pd_totals output_totals(const struct output *out)
{
	return out->before;
}

u64 output_bytes(const struct output *out)
{
	return out->bytes_before;
}

void output_free(struct output *out)
{
	unsigned int i;

	for (i = 0; i < out->nr_paths; i++)
		free(out->paths[i]);
	free(out->paths);
	out->paths = NULL;
	out->nr_paths = 0;
	free(out->past.v);
	out->past = (struct blob){ 0 };
	tasks_free(out->tasks);
	out->tasks = NULL;
}
