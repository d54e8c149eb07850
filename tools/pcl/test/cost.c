// SPDX-License-Identifier: GPL-2.0
/*
 * Run a command and write what it cost: seconds of CPU time, and its peak memory in KiB.
 *
 * Usage: cost FILE COMMAND...
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct rusage u;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		return 2;
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid)
		return 2;
	f = fopen(argv[1], "w");
	if (!f)
		return 2;
	fprintf(f, "%.3f %ld\n", (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6, u.ru_maxrss);
	return fclose(f) || !WIFEXITED(status) ? 2 : WEXITSTATUS(status);
}
