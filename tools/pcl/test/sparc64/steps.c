// SPDX-License-Identifier: GPL-2.0
/*
 * Run commands one after another, where there is no shell.
 *
 *	steps FILE
 *
 * Each line of FILE is one command: a name, then its words, with single spaces between them. Its output becomes NAME.out
 * and NAME.err in the directory of FILE, which is its current directory, and its status NAME.status. The name "put" is
 * not a command's: the word behind it is a file, which gets the next word.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 64 };

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Standard output or error of this process goes to NAME.SUFFIX. */
static void send_to(int fd, const char *name, const char *suffix)
{
	char path[PATH_MAX];
	int file;

	snprintf(path, sizeof(path), "%s.%s", name, suffix);
	file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (file < 0 || dup2(file, fd) < 0)
		fail(path);
	close(file);
}

static void put_status(const char *name, int status)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%s.status", name);
	f = fopen(path, "we");
	if (!f || fprintf(f, "%d\n", status) < 0 || fclose(f))
		fail(path);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(path);
	close(fd);
}

static void run(char *line)
{
	char *words[MOST_WORDS + 1], *name = strtok(line, " \n");
	int status, nr = 0;
	pid_t child;

	while (nr < MOST_WORDS && (words[nr] = strtok(NULL, " \n")) != NULL)
		nr++;
	words[nr] = NULL;
	if (!nr)
		return;
	if (!strcmp(name, "put") && nr == 2) {
		put(words[0], words[1]);
		return;
	}
	child = fork();
	if (child < 0)
		fail("fork");
	if (!child) {
		send_to(1, name, "out");
		send_to(2, name, "err");
		execv(words[0], words);
		fail(words[0]);
	}
	if (waitpid(child, &status, 0) != child)
		fail("waitpid");
	put_status(name, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "re") : NULL;
	char line[4096], *slash;

	if (!f)
		fail("steps");
	slash = strrchr(argv[1], '/');
	if (slash)
		*slash = '\0';
	if (slash && chdir(argv[1]))
		fail(argv[1]);
	while (fgets(line, sizeof(line), f))
		run(line);
	return 0;
}
