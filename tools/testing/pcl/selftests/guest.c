// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: runs in the VM: the programs named, one after the other, each between two lines that `run` looks for.
 *
 * Concepts: no shell is there for every architecture.
 * Contexts: the runner's command.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

/* The status as a shell tells it. */
static int run(char *program)
{
	char *argv[] = { program, NULL };
	pid_t pid = fork();
	int status;

	if (!pid) {
		execv(program, argv);
		fprintf(stderr, "guest: cannot run %s: %s\n", program, strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("guest");
		return 126;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
		int status;

		printf("# begin %s\n", name);
		fflush(stdout);
		status = run(argv[i]);
		printf("# end %s %d\n", name, status);
		fflush(stdout);
	}
	return 0;
}
