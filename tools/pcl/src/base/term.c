// SPDX-License-Identifier: GPL-2.0
/*
 * What the terminal can show, and the pager before it.
 *
 * Concepts: a stream that is no terminal has no width, and gets whole lines, no
 * colour and plain characters. Long text on a terminal goes through a pager,
 * which runs as a child; pcl ends after it.
 * Contexts: any command; signal handlers only while there is a pager.
 * Locks: none.
 */
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

static pid_t pager;
static int terminal, held = -1;	/* standard error as it was, and what it is beside a pager */

bool term_is(FILE *f)
{
	return isatty(fileno(f)) == 1 || (f == stdout && pager);
}

/* Columns of the terminal; 0: f is none, so lines may be of any length. */
unsigned int term_width(FILE *f)
{
	long columns = 0;
	struct winsize w;
	const char *env;

	if (!term_is(f))
		return 0;
	if (!ioctl(fileno(f), TIOCGWINSZ, &w) || !ioctl(STDERR_FILENO, TIOCGWINSZ, &w))
		columns = w.ws_col;
	env = getenv("COLUMNS");
	if (columns <= 0 && env)
		columns = strtol(env, NULL, 10);
	return columns < 20 ? 80 : columns > 10000 ? 10000 : (unsigned int)columns;
}

/*
 * Print text from column at on, wrapped between words at width (0: never), further
 * lines indented; at == indent begins one. Returns the column where it ends.
 */
unsigned int words_print_to(FILE *f, const char *text, unsigned int at, unsigned int indent,
			    unsigned int width)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		if (width && at > indent && at + 1 + n > width) {
			fprintf(f, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			fputc(' ', f);
			at++;
		}
		fprintf(f, "%.*s", (int)n, text);
		at += (unsigned int)n;
		text += n + (text[n] == ' ');
	}
	return at;
}

unsigned int words_print(const char *text, unsigned int at, unsigned int indent, unsigned int width)
{
	return words_print_to(stdout, text, at, indent, width);
}

/* Does this terminal show more than ASCII? main() has set LC_CTYPE. */
bool term_utf8(FILE *f)
{
	return term_is(f) && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* May colours be used on this stream? no-color.org. */
bool colour_ok(FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no && *no)
		return false;
	if (!term || !strcmp(term, "dumb"))
		return false;
	return term_is(f);
}

/* What is said while the pager has the terminal would be drawn over: it is held until then. */
static void hold_messages(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	held = terminal < 0 ? -1 : memfd_create("messages", MFD_CLOEXEC);
	if (held >= 0)
		dup2(held, STDERR_FILENO);
}

/* Also in signal handlers. */
static void tell_messages(void)
{
	char buf[4096];
	ssize_t n;

	if (held < 0)
		return;
	dup2(terminal, STDERR_FILENO);
	lseek(held, 0, SEEK_SET);
	while ((n = read(held, buf, sizeof(buf))) > 0)
		if (write(STDERR_FILENO, buf, (size_t)n) != n)
			break;
	close(held);
	held = -1;
}

/* The reader has left the pager: there is nobody to write for. */
static void on_pipe(int sig)
{
	(void)sig;
	close(STDOUT_FILENO);
	waitpid(pager, NULL, 0);
	tell_messages();
	_exit(0);
}

/* The pager still has the terminal; it ends when its input does. */
static void on_interrupt(int sig)
{
	close(STDOUT_FILENO);
	waitpid(pager, NULL, 0);
	tell_messages();
	_exit(128 + sig);
}

static void pager_end(void)
{
	fflush(stdout);
	close(STDOUT_FILENO);
	waitpid(pager, NULL, 0);
	tell_messages();
}

static const char *pager_command(void)
{
	static const char *const variables[] = { "PCL_PAGER", "PAGER" };
	const char *command;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(variables); i++) {
		command = getenv(variables[i]);
		if (command)
			return *command && strcmp(command, "cat") ? command : NULL;
	}
	return access("/usr/bin/less", X_OK) ? NULL : "less";
}

/*
 * From here on standard output goes through the user's pager, when it is a
 * terminal. To be called once, before anything is printed.
 */
void pager_begin(void)
{
	const char *command = pager_command(), *term = getenv("TERM");
	int fd[2];

	if (pager || !command || !isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb"))
		return;
	if (pipe(fd))
		return;
	fflush(stdout);
	pager = fork();
	if (pager <= 0) {
		if (pager == 0) {
			dup2(fd[0], STDIN_FILENO);
			close(fd[0]);
			close(fd[1]);
			/* end at once when all fits, show colours, leave the text there */
			setenv("LESS", "FRX", 0);
			files_restore();
			execl("/bin/sh", "sh", "-c", command, NULL);
			_exit(127);
		}
		pager = 0;
		close(fd[0]);
		close(fd[1]);
		return;
	}
	dup2(fd[1], STDOUT_FILENO);
	close(fd[0]);
	close(fd[1]);
	hold_messages();
	signal(SIGPIPE, on_pipe);
	signal(SIGINT, on_interrupt);
	signal(SIGTERM, on_interrupt);
	atexit(pager_end);
}
