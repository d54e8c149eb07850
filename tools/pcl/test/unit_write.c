// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of writing: the file can be read whenever the writer is killed.
 *
 * Concepts: pwrite() is replaced by one that looks at the file behind each
 * write, as one would find it had the writer been killed then: from the end of
 * the first round on it has the samples of a whole round, and either the
 * features that lie before the data, or none.
 * Usage: unit_write SCRATCH-DIRECTORY
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"
#include "random.h"
#include "tap.h"

enum { ROUNDS = 200, NOT_LOOKING = -1 };

static struct {
	const char *path;
	long before, now;	/* samples up to the round before, and to this one */
	unsigned long looks, unreadable, wrong_count, wrong_name, unnamed;
} killed = { .before = NOT_LOOKING };

static int count_sample(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
			void *arg)
{
	(void)f;
	(void)body;
	*(long *)arg += h->type == PERF_RECORD_SAMPLE;
	return 0;
}

/* The file as it is: whether it is named as the features say. */
static bool look(void)
{
	struct pd_file f;
	bool named;
	long nr = 0;

	killed.looks++;
	if (pd_open(&f, killed.path)) {
		killed.unreadable++;
		return false;
	}
	killed.unreadable += pd_walk(&f, count_sample, &nr) != 0;
	killed.wrong_count += nr != killed.before && nr != killed.now;
	named = !strcmp(f.events[0].name, "mine");
	killed.wrong_name += !named && strcmp(f.events[0].name, "faults") &&
			     strcmp(f.events[0].name, "page-faults");
	killed.unnamed += !named;
	pd_close(&f);
	return named;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
	ssize_t ret = syscall(SYS_pwrite64, fd, data, size, at);

	if (killed.before != NOT_LOOKING)
		look();
	return ret;
}

static void add_records(struct pd_writer *w, unsigned int nr)
{
	struct {
		struct perf_event_header h;
		u64 id, ip, task, time_ns, cpu;
	} s = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) }, 5, 0x1000, 1, 0, 0 };
	/* shorter than the table of features */
	struct perf_event_header mark = { PD_RECORD_FINISHED_INIT, 0, sizeof(mark) };

	while (nr--) {
		if (next_random() & 1)
			pd_append(w, &mark, sizeof(mark));
		s.time_ns++;
		killed.now++;
		pd_records(w, &s, sizeof(s));
	}
}

static void test_killed(const char *path, int level)
{
	static char *argv[] = { "test", NULL };
	struct pd_settings settings = { .argv = argv, .level = level };
	struct pd_out_id id = { .id = 5, .cpu = -1, .tid = -1 };
	struct pd_out_event event = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS,
			  .sample_type = RECORD_SAMPLE_TYPE, .sample_id_all = 1 },
		.name = "mine", .ids = &id, .nr_ids = 1,
	};
	struct pd_out_events events = { .v = &event, .nr = 1 };
	struct pd_writer w = { .fd = -1 };
	unsigned int i, unnamed = 0;

	memset(&killed, 0, sizeof(killed));
	killed.path = path;
	killed.before = NOT_LOOKING;
	tap_ok(!pd_create(&w, path, &events, &settings), "level %d: is begun", level);
	add_records(&w, 1);
	pd_round(&w);
	for (i = 0; i < ROUNDS; i++) {
		killed.before = killed.now;
		add_records(&w, next_random() % 4);
		/* most of the time it is so: a round is over, and the next not yet */
		unnamed += !look();
		pd_round(&w);
	}
	tap_ok(!unnamed, "level %d: the features are there from round to round (%u times not)", level,
	       unnamed);
	killed.before = killed.now;
	tap_ok(!pd_finish(&w), "level %d: is ended", level);
	tap_ok(!killed.unreadable && !killed.wrong_count && !killed.wrong_name,
	       "level %d: readable behind each of %lu writes (%lu not, %lu other samples, %lu other names, %lu without features)",
	       level, killed.looks, killed.unreadable, killed.wrong_count, killed.wrong_name,
	       killed.unnamed);
	tap_ok(look(), "level %d: and at the end", level);
	killed.before = NOT_LOOKING;
}

/* A pipe is full, and nobody reads it: what was insisted on ends the wait. */
static void test_full_pipe(void)
{
	struct pd_end end = { eventfd(0, 0), eventfd(0, 0) };
	u64 one = 1, nr = 0;
	u8 page[PIPE_BUF];
	int ends[2];
	ssize_t n;

	if (end.asked < 0 || end.insisted < 0 || pipe(ends))
		exit(2);
	if (write(end.insisted, &one, sizeof(one)) != sizeof(one))
		exit(2);
	memset(page, 1, sizeof(page));
	/* a wait that knows no end ends here */
	alarm(60);
	while ((n = pipe_write(ends[1], page, sizeof(page), &end)) > 0)
		nr += (u64)n;
	alarm(0);
	tap_ok(n < 0 && errno == ETIMEDOUT && nr == (u64)fcntl(ends[1], F_GETPIPE_SZ),
	       "a full pipe: all that it has room for is taken (%llu bytes), then the wait ends",
	       (unsigned long long)nr);
	if (read(ends[0], page, sizeof(page)) != sizeof(page))
		exit(2);
	tap_ok(pipe_write(ends[1], page, sizeof(page), &end) == sizeof(page),
	       "a full pipe: where it has room again, it is written to");
	close(ends[0]);
	tap_ok(pipe_write(ends[1], page, sizeof(page), &end) == -1 && errno == EPIPE,
	       "a full pipe: that its reader has gone is told as such");
	close(ends[1]);
	close(end.asked);
	close(end.insisted);
}

int main(int argc, char **argv)
{
	char *path;

	if (argc < 2)
		return 2;
	path = str_printf("%s/killed.data", argv[1]);
	test_killed(path, 0);
	test_killed(path, 1);
	free(path);
	signal(SIGPIPE, SIG_IGN);
	test_full_pipe();
	return tap_end();
}
