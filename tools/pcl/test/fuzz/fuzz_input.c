// SPDX-License-Identifier: GPL-2.0
/*
 * The world of a fuzz target: one file, and silence.
 *
 * Concepts: the tool's open(), openat(), fopen() and stat() are renamed to those here, so
 * that a crafted recording names no file of the machine; messages go nowhere,
 * and work for several threads is done by one, so that a run does not depend on
 * the machine (--wrap).
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static int file = -1;
static char path[64];

/* By its descriptor a file is opened that was opened before, by one of these. */
static bool is_there(const char *name)
{
	return !strcmp(name, path) || !strncmp(name, "/proc/self/fd/", 14);
}

int fuzz_open(const char *name, int flags, ...)
{
	if (is_there(name))
		return open(name, flags);
	errno = ENOENT;
	return -1;
}

int fuzz_openat(int dir, const char *name, int flags, ...)
{
	if (is_there(name))
		return openat(dir, name, flags);
	errno = ENOENT;
	return -1;
}

FILE *fuzz_fopen(const char *name, const char *mode)
{
	(void)name;
	(void)mode;
	errno = ENOENT;
	return NULL;
}

int fuzz_stat(const char *name, struct stat *st)
{
	(void)name;
	(void)st;
	errno = ENOENT;
	return -1;
}

/* Formatted all the same: a bad argument is a finding. */
int __wrap_complain(const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return -1;
}

void __wrap_parallel_for(u32 nr, void (*fn)(u32 i, void *arg), void *arg)
{
	u32 i;

	for (i = 0; i < nr; i++)
		fn(i, arg);
}

/* The parser of libtraceevent loses memory when a format is damaged. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	file = memfd_create("recording", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	if (file < 0 || !freopen("/dev/null", "w", stdout))
		abort();
	/* what the machine has must not matter */
	setenv("PCL_SYSFS", "/nonexistent", 1);
	setenv("PCL_TRACEFS", "/nonexistent", 1);
	return 0;
}

/* The name of a file with these bytes; the next call gives it others. */
const char *fuzz_file(const void *bytes, size_t size)
{
	if (ftruncate(file, 0) || pwrite(file, bytes, size, 0) != (ssize_t)size)
		abort();
	return path;
}

/* Run a command with these arguments, the last followed by NULL. */
void fuzz_command(int (*command)(int argc, char **argv), const char *const *args)
{
	char *argv[32];
	int argc = 0, ret;

	for (; args[argc] && argc < 31; argc++)
		argv[argc] = (char *)args[argc];
	argv[argc] = NULL;
	optind = 0;
	ret = command(argc, argv);
	/* nothing but the documented statuses */
	if (ret && ret != EXIT_PCL)
		abort();
}
