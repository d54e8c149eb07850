// SPDX-License-Identifier: GPL-2.0
/*
 * The world of a fuzz target: a few files, and silence.
 *
 * Concepts: the tool's open(), openat(), fopen() and stat() are renamed to those here, so
 * that what is crafted names no file of the machine; messages go nowhere, and
 * work for several threads is done by one, so that a run does not depend on the
 * machine. The tool's own functions for both are made weak.
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

#include "internal.h"
#include "fuzz.h"

/* The files that there are; "*END" is the name of all that end so. */
static struct world_file {
	char name[64];
	char path[32];		/* of its descriptor, which is open for ever */
	int fd;
	bool there;
} files[8];

static bool is_named(const struct world_file *f, const char *name)
{
	size_t end = strlen(f->name) - 1, n = strlen(name);

	if (f->name[0] == '*')
		return n >= end && !strcmp(name + n - end, f->name + 1);
	return !strcmp(name, f->name);
}

/* What the name leads to; by its descriptor a file is opened that was opened before, by one of these. */
static const char *place_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i].there && is_named(&files[i], name))
			return files[i].path;
	if (!strncmp(name, "/proc/self/fd/", 14))
		return name;
	errno = ENOENT;
	return NULL;
}

/* A directory is a file here like others, in which names are looked up as everywhere. */
int fuzz_open(const char *name, int flags, ...)
{
	const char *place = flags & O_CREAT ? NULL : place_of(name);

	return place ? open(place, flags & ~(O_NOFOLLOW | O_DIRECTORY)) : -1;
}

int fuzz_openat(int dir, const char *name, int flags, ...)
{
	(void)dir;
	return fuzz_open(name, flags);
}

FILE *fuzz_fopen(const char *name, const char *mode)
{
	const char *place = *mode == 'r' ? place_of(name) : NULL;

	return place ? fopen(place, mode) : NULL;
}

int fuzz_stat(const char *name, struct stat *st)
{
	const char *place = place_of(name);

	return place ? stat(place, st) : -1;
}

/* Formatted all the same: a bad argument is a finding. */
int complain(const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return -1;
}

void parallel_for(u32 nr, void (*fn)(u32 i, void *arg), void *arg)
{
	u32 i;

	for (i = 0; i < nr; i++)
		fn(i, arg);
}

/* Libraries that lose memory when what they parse is damaged. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\nleak:libdw\nleak:libelf\n";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	if (!freopen("/dev/null", "w", stdout))
		abort();
	/* what the machine has must not matter */
	setenv("PCL_SYSFS", "/nonexistent", 1);
	setenv("PCL_TRACEFS", "/nonexistent", 1);
	return 0;
}

/* A file of this name has these bytes until the next call. */
void fuzz_named_file(const char *name, const void *bytes, size_t size)
{
	struct world_file *f = files;

	while (f->name[0] && strcmp(f->name, name))
		f++;
	if (!f->name[0]) {
		snprintf(f->name, sizeof(f->name), "%s", name);
		f->fd = memfd_create("file", MFD_CLOEXEC);
		snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
		if (f->fd < 0 || fchmod(f->fd, 0600))
			abort();
	}
	if (ftruncate(f->fd, 0) || pwrite(f->fd, bytes, size, 0) != (ssize_t)size)
		abort();
	f->there = true;
}

/* The name of a file with these bytes; the next call gives it others. */
const char *fuzz_file(const void *bytes, size_t size)
{
	fuzz_named_file("/recording", bytes, size);
	return "/recording";
}

/* There is no file of this name any more. */
void fuzz_no_file(const char *name)
{
	struct world_file *f;

	for (f = files; f < files + ARRAY_SIZE(files); f++)
		if (!strcmp(f->name, name))
			f->there = false;
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
