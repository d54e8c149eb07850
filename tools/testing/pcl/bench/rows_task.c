// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of what tasks do: fork, exec, map, change their names.
 *
 * Concepts: above the same before any event existed.
 * Contexts: root, one CPU.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "events.h"

/* ---- fork and exit ---- */

static void fork_and_wait(unsigned long nr)
{
	while (nr--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		CHECK(waitpid(pid, NULL, 0) == pid);
	}
}

static const struct work forking = { .prepare = open_events, .run = fork_and_wait, .finish = close_events };

/* ---- exec: of a copy in memory, by a child that waits for a byte, and has the events ---- */

#define EXECS	10

static long on_child;
static int image = -1, go[EXECS];
static pid_t child[EXECS];

static void copy_program(void)
{
	int from = open("/proc/self/exe", O_RDONLY);
	static char buffer[1 << 16];
	ssize_t length;

	image = memfd_create("program", MFD_CLOEXEC);
	CHECK(from >= 0 && image >= 0);
	while ((length = read(from, buffer, sizeof(buffer))) > 0)
		CHECK(write(image, buffer, length) == length);
	close(from);
}

static void prepare_exec(long argument)
{
	on_child = argument;
	copy_program();
}

static void wait_and_exec(int from)
{
	static char *arguments[] = { "bench", "nothing", NULL }, *nothing[] = { NULL };
	char byte;

	if (read(from, &byte, 1) == 1)
		fexecve(image, arguments, nothing);
	_exit(1);
}

/* All have the same events, each its own. */
static void start_children(void)
{
	int i, ends[2], nr = on_child & NUMBER, opened = 0;

	close_events();
	for (i = 0; i < EXECS; i++) {
		CHECK(!pipe2(ends, O_CLOEXEC));
		child[i] = fork();
		CHECK(child[i] >= 0);
		if (!child[i]) {
			close(ends[1]);
			wait_and_exec(ends[0]);
		}
		close(ends[0]);
		go[i] = ends[1];
	}
	usleep(1000);
	for (i = 0; i < EXECS; i++, opened += nr)
		open_more_events(child[i], on_child, opened);
}

static void exec_and_wait(unsigned long nr)
{
	unsigned long i;
	int status;

	for (i = 0; i < nr; i++) {
		CHECK(write(go[i], "x", 1) == 1);
		CHECK(waitpid(child[i], &status, 0) == child[i] && !status);
		close(go[i]);
	}
}

static void finish_exec(void)
{
	close_events();
	close(image);
}

static const struct work executing = {
	.prepare = prepare_exec, .ready = start_children, .run = exec_and_wait, .finish = finish_exec,
};

/* ---- memory, and names ---- */

static void map_and_unmap(unsigned long nr)
{
	while (nr--) {
		void *at = mmap(MAPPED, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		CHECK(at == MAPPED && !munmap(at, PAGE));
	}
}

static void set_name(unsigned long nr)
{
	while (nr--)
		CHECK(!prctl(PR_SET_NAME, "bench"));
}

static const struct work mapping = { .prepare = open_events, .run = map_and_unmap, .finish = close_events };
static const struct work naming = { .prepare = open_events, .run = set_name, .finish = close_events };

#define ROW(what, work_, argument_, nr_, ...)							\
	{ .name = what, .work = &work_, .floor = &work_, .argument = argument_, .nr = nr_, .per = 1, __VA_ARGS__ }

static const struct row table[] = {
	ROW("unused/fork+exit", forking, 0, 10, .unused = true),
	ROW("unused/exec", executing, 0, EXECS, .unused = true),
	ROW("unused/mmap", mapping, 0, 100, .unused = true),
	ROW("software/fork+exit-1", forking, INHERITED | 1, 10, .brief = STEADY_FORKS),
	ROW("software/fork+exit-4", forking, INHERITED | 4, 10),
	ROW("software/fork+exit-16", forking, INHERITED | 16, 10, .brief = STEADY_FORKS),
	ROW("software/fork+exit-64", forking, INHERITED | 64, 10),
	ROW("software/fork+exit-not-inherited", forking, 4, 10),
	ROW("software/exec-enable-1", executing, ON_EXEC | 1, EXECS),
	ROW("software/exec-enable-16", executing, ON_EXEC | 16, EXECS),
	ROW("software/mmap-recorded", mapping, SIDEBAND, 100),
	ROW("software/mmap-recorded-cpu-wide-64", mapping, SIDEBAND | CPU_WIDE | 64, 100),
	ROW("software/name-recorded", naming, SIDEBAND, 100),
	ROW("software/name-recorded-cpu-wide-64", naming, SIDEBAND | CPU_WIDE | 64, 100),
	ROW("hardware/fork+exit-" NAMED(FULL), forking, HARDWARE | INHERITED | FULL, 10),
	ROW("hardware/exec-enable-" NAMED(FULL), executing, HARDWARE | ON_EXEC | FULL, EXECS),
};

const struct rows rows_task = ROWS(table);
