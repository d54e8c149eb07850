// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are truncated while they are read: what was asked for then is not
 * known, or was read before; the tool goes on.
 * Usage: unit_truncate FILE [OTHER...]   FILE has debug information, which the
 * others are parts of; all are truncated.
 *        unit_truncate -r RECORDING      which is mapped: the tool ends, and says so
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"
#include "symbol/debug.h"
#include "tap.h"

/* Of how many functions a line is known, among those from a number on. */
static unsigned int count_lines(struct object *o, unsigned int from, unsigned int to)
{
	unsigned int i, n = 0, line;
	const char *file;

	for (i = from; i < to; i++)
		n += object_line(o, o->symbols.v[i].start, &file, &line);
	return n;
}

/* Read at once what the first function needs: the other units are read when the files are empty. */
static void test_in_use(const char *path, char **files, int nr)
{
	struct object *o = mem_zalloc(1, sizeof(*o));
	unsigned int units = 0, late, i;
	struct frame f[64];
	struct code c;
	char *why = NULL;
	bool code;

	o->name = realpath(path, NULL);
	elf_symbols_load(o);
	tap_ok(o->symbols.nr > 10, "truncated: %u symbols before", o->symbols.nr);
	for (i = 0; i < o->symbols.nr && !units; i++) {
		object_frames(o, o->symbols.v[i].start, f, ARRAY_SIZE(f));
		units = o->debug && o->debug->nr_units ? o->debug->units[0].ready : 0;
	}
	tap_ok(o->debug && units && o->debug->nr_units > 1, "truncated: one of %u units is read before",
	       o->debug ? o->debug->nr_units : 0);
	for (late = i, i = 0; (int)i < nr; i++)
		if (truncate(files[i], 0))
			tap_ok(false, "truncated: %s", files[i]);
	tap_ok(true, "truncated: of %u functions the lines of %u are known after", o->symbols.nr - late,
	       count_lines(o, late, o->symbols.nr));
	code = object_code(o, o->symbols.v[0].start, o->symbols.v[0].start + 16, &c, &why);
	tap_ok(!code && why, "truncated: the code is not read: %s", why ? why : "it is");
	free(why);
	free(o->name);
	object_free(o);
}

static int ignore_record(struct pd_file *f, const struct perf_event_header *h, struct cursor body, void *arg)
{
	(void)f;
	(void)h;
	(void)body;
	(void)arg;
	return 0;
}

static void read_cut(const char *path)
{
	struct pd_file f;

	if (pd_open(&f, path) || truncate(path, 0))
		_exit(1);
	pd_walk(&f, ignore_record, NULL);
	_exit(2);
}

static void test_recording(const char *path)
{
	int pipes[2], status;
	char said[256] = "";
	pid_t pid;

	if (pipe(pipes))
		abort();
	pid = fork();
	if (!pid) {
		dup2(pipes[1], STDERR_FILENO);
		read_cut(path);
	}
	close(pipes[1]);
	if (read(pipes[0], said, sizeof(said) - 1) < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_PCL, "truncated: a recording ends the tool with %d (status %x)",
	       EXIT_PCL, status);
	tap_ok(strstr(said, "was cut while it was read") != NULL, "truncated: that is said");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (argc > 2 && !strcmp(argv[1], "-r")) {
		test_recording(argv[2]);
		return tap_end();
	}
	test_in_use(argv[1], argv + 1, argc - 1);
	return tap_end();
}
