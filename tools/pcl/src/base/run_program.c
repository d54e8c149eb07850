// SPDX-License-Identifier: GPL-2.0
/*
 * Another program's output, as a stream.
 *
 * Concepts: no shell is between; the program is found by PATH. What it says on
 * stderr is dropped: its status tells whether its output is believed.
 * Contexts: any; the caller waits for it.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

extern char **environ;

/* Start it; it gets pass_fd as its descriptor 3, unless that is -1. */
bool program_start(struct program *p, char *const *argv, int pass_fd)
{
	posix_spawn_file_actions_t a;
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_addopen(&a, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&a, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&a, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (pass_fd >= 0)
		posix_spawn_file_actions_adddup2(&a, pass_fd, 3);
	err = posix_spawnp(&p->pid, argv[0], &a, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&a);
	close(ends[1]);
	p->out = err ? NULL : fdopen(ends[0], "r");
	if (p->out)
		return true;
	close(ends[0]);
	return false;
}

/* Its exit status, or -1. */
int program_end(struct program *p)
{
	int status;

	fclose(p->out);
	while (waitpid(p->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
