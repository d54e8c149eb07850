// SPDX-License-Identifier: GPL-2.0
/*
 * The command under measurement: forked, held, let go, reaped.
 *
 * Concepts: the child waits on a pipe until its events are open, then execs;
 * events opened with enable_on_exec start there, so that nothing of the tool
 * is counted. A second pipe, closed by a successful exec, carries the errno of
 * a failed one.
 * Contexts: stat and record.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

static void child_run(int go, int err, char **argv)
{
	sigset_t none;
	char byte;
	ssize_t n;
	int e;

	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(EXIT_PCL);	/* the tool gave up */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	files_restore();
	execvp(argv[0], argv);
	e = errno;
	n = write(err, &e, sizeof(e));
	_exit(e == ENOENT ? EXIT_NOCMD : EXIT_NOEXEC);
}

int child_prepare(struct child *c, char **argv)
{
	int go[2], err[2];

	memset(c, 0, sizeof(*c));
	c->argv = argv;
	if (pipe2(go, O_CLOEXEC))
		return complain("pipe: %s", strerror(errno));
	if (pipe2(err, O_CLOEXEC)) {
		complain("pipe: %s", strerror(errno));
		goto close_go;
	}
	fflush(NULL);
	c->pid = fork();
	if (c->pid < 0) {
		complain("fork: %s", strerror(errno));
		goto close_err;
	}
	if (!c->pid) {
		close(go[1]);
		close(err[0]);
		child_run(go[0], err[1], argv);
	}
	close(go[0]);
	close(err[1]);
	c->go_fd = go[1];
	c->err_fd = err[0];
	return 0;

close_err:
	close(err[0]);
	close(err[1]);
close_go:
	close(go[0]);
	close(go[1]);
	return -1;
}

/* Let it exec. 0, or -1 when the exec failed (said, and reaped). */
int child_go(struct child *c)
{
	ssize_t n;
	int e = 0;

	do
		n = write(c->go_fd, "", 1);
	while (n < 0 && errno == EINTR);
	close(c->go_fd);
	do
		n = read(c->err_fd, &e, sizeof(e));
	while (n < 0 && errno == EINTR);
	close(c->err_fd);
	if (n != sizeof(e))
		return 0;
	child_wait(c);
	return complain("cannot run '%s': %s", c->argv[0], strerror(e));
}

/* Has it ended? Does not wait. */
bool child_poll(struct child *c)
{
	if (!c->reaped && wait4(c->pid, &c->status, WNOHANG, &c->usage) == c->pid)
		c->reaped = true;
	return c->reaped;
}

void child_wait(struct child *c)
{
	while (!c->reaped)
		if (wait4(c->pid, &c->status, 0, &c->usage) == c->pid || errno != EINTR)
			c->reaped = true;
}

/*
 * What the held child has in memory before its exec. The kernel's peak includes
 * it, so a peak that is not above it says nothing of the command. 0: unknown.
 */
long child_rss_kb(const struct child *c)
{
	char path[64], *text, *line;
	long kb = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)c->pid);
	text = file_read_text(path);
	line = text ? strstr(text, "\nVmHWM:") : NULL;
	if (line)
		kb = strtol(line + strlen("\nVmHWM:"), NULL, 10);
	free(text);
	return kb;
}

/* Give up before child_go: the closed pipe ends the child. */
void child_abandon(struct child *c)
{
	close(c->go_fd);
	close(c->err_fd);
	child_wait(c);
}

/* As a shell would report it: 128 + signal when a signal ended it. */
int child_exit_status(const struct child *c)
{
	if (WIFSIGNALED(c->status))
		return 128 + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}
