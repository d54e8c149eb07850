// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: runs a table of tests, each in a child process, and prints the results in TAP.
 *
 * Concepts: a child, leader of its own process group, tells by its status what became of its test: passed, failed or
 *	skipped; anything else is a crash.
 *	What it prints begins with "# " and so is a comment in TAP. After each test on PCL, no object of the engine may
 *	be left; what is freed by RCU is awaited with membarrier(2).
 * Contexts: one thread; a test may make more, in its child.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <linux/membarrier.h>

#include "event.h"
#include "tap.h"

enum { STATUS_PASSED = 0, STATUS_FAILED = 17, STATUS_SKIPPED = TEST_SKIPPED };

#define TEST_SECONDS	300	/* a bound on hanging, never a measure */
#define SLOW_FACTOR	4	/* of the kernels that PCL_SMALL is for */

static const char *const object_files[OBJECT_KINDS] = {
	"/sys/kernel/pcl/objects/events",
	"/sys/kernel/pcl/objects/contexts",
	"/sys/kernel/pcl/objects/rings",
};

/* The child tells the reason of a skip through this pipe. */
static int reason_pipe = -1;

void test_fail(const char *file, int line, const char *format, ...)
{
	const char *base = strrchr(file, '/');
	va_list arguments;

	printf("# %s:%d: ", base ? base + 1 : file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
	_exit(STATUS_FAILED);
}

void test_skip(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vdprintf(reason_pipe, format, arguments);
	va_end(arguments);
	fflush(stdout);
	_exit(STATUS_SKIPPED);
}

void test_skips_to(int fd)
{
	reason_pipe = fd;
}

void test_note(const char *format, ...)
{
	va_list arguments;

	printf("# ");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	fflush(stdout);
}

unsigned long test_count(unsigned long normal, unsigned long small)
{
	return getenv("PCL_SMALL") ? small : normal;
}

bool test_busted(const char *fault)
{
	const char *at = getenv("PCL_BUST");
	size_t length = strlen(fault);

	for (; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && !strncmp(at, fault, length))
			return true;
	return false;
}

/* The number in a file, or -1. */
static long number_in(const char *path)
{
	long value = -1;
	FILE *f = fopen(path, "r");

	if (!f)
		return -1;
	if (fscanf(f, "%ld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

void test_objects_get(struct test_objects *objects)
{
	unsigned int i;

	for (i = 0; i < OBJECT_KINDS; i++)
		objects->nr[i] = number_in(object_files[i]);
}

void test_wait_for_frees(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	usleep(10000);	/* of one CPU alone the call waits for no grace period */
}

const char *test_objects_changed(const struct test_objects *before, long *nr)
{
	struct test_objects now;
	unsigned int i = 0, periods;

	for (periods = 0; periods < 300; periods++) {
		test_objects_get(&now);
		for (i = 0; i < OBJECT_KINDS && now.nr[i] == before->nr[i]; i++)
			;
		if (i == OBJECT_KINDS)
			return NULL;
		test_wait_for_frees();
	}
	*nr = now.nr[i];
	return object_files[i];
}

const char *test_object_left(long *nr)
{
	static const struct test_objects none;
	struct test_objects now;

	test_objects_get(&now);
	/* Stock has no such files. */
	return now.nr[0] < 0 && !is_pcl() ? NULL : test_objects_changed(&none, nr);
}

static void child(const struct test *test)
{
	setpgid(0, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(TEST_SECONDS * test_count(1, SLOW_FACTOR));
	/* What is mapped now shall fault no more: faults are counted. Locking maps it, and unlocking leaves it so. */
	mlockall(MCL_CURRENT);
	munlockall();
	/* Where interrupts take long the kernel lowers what it allows: for the next test as well. */
	lift_throttling();
	test->run(test->argument);
	fflush(stdout);
	_exit(STATUS_PASSED);
}

static void report(unsigned int number, const char *name, int status, const char *reason)
{
	const char *left;
	long nr;

	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SKIPPED) {
		printf("ok %u - %s # SKIP %s\n", number, name, reason);
		return;
	}
	if (WIFSIGNALED(status))
		printf("# ended by signal %d%s\n", WTERMSIG(status),
		       WTERMSIG(status) == SIGALRM ? " (no end within the bound)" : "");
	left = test_object_left(&nr);
	if (left)
		printf("# %s is %ld after the test\n", left, nr);
	printf("%sok %u - %s\n", status || left ? "not " : "", number, name);
}

/* Returns whether the test did not fail. */
static bool test_run(const struct test *test, unsigned int number)
{
	char reason[256] = "";
	int pipes[2], status;
	ssize_t length;
	pid_t pid;

	fflush(stdout);
	if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK)) {
		perror("pipe");
		exit(2);
	}
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(2);
	}
	if (!pid) {
		close(pipes[0]);
		reason_pipe = pipes[1];
		child(test);
	}
	close(pipes[1]);
	setpgid(pid, pid);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* What a failed test left running. */
	kill(-pid, SIGKILL);
	length = read(pipes[0], reason, sizeof(reason) - 1);
	if (length < 0)
		length = 0;
	reason[length] = '\0';
	close(pipes[0]);
	report(number, test->name, status, reason);
	return !status || (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SKIPPED);
}

int tests_run(const struct test *tests, unsigned int nr)
{
	unsigned int i, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", nr);
	for (i = 0; i < nr; i++)
		failed += !test_run(&tests[i], i + 1);
	return failed ? 1 : 0;
}
