// SPDX-License-Identifier: GPL-2.0
/*
 * Opening files that others name: recordings, debug information, processes.
 *
 * Concepts: what a name leads to may be a device, which does things when it is
 * opened, or a pipe, where opening waits. So the place is opened first, without
 * the file (O_PATH), and looked at; only a regular file is opened, by its
 * descriptor, since the name may lead elsewhere by then.
 * Contexts: any.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

/* For reading, what this O_PATH descriptor stands for; that is closed. -1 with errno: ENXIO where it is no file. */
static int open_place(int place, struct stat *st)
{
	char self[32];
	int fd = -1, err;

	if (place < 0)
		return -1;
	if (fstat(place, st)) {
		err = errno;
	} else if (!S_ISREG(st->st_mode)) {
		err = ENXIO;
	} else {
		snprintf(self, sizeof(self), "/proc/self/fd/%d", place);
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		err = errno;
	}
	close(place);
	errno = err;
	return fd;
}

/* A file of this directory, or AT_FDCWD; flags: O_NOFOLLOW, or 0. The descriptor, or -1 with errno. */
int regular_file_open_at(int dir, const char *name, int flags, struct stat *st)
{
	return open_place(openat(dir, name, O_PATH | O_CLOEXEC | flags), st);
}

int regular_file_open(const char *path, struct stat *st)
{
	return regular_file_open_at(AT_FDCWD, path, 0, st);
}

/*
 * Where path leads for those whose root directory is this one: neither ".." nor a symbolic
 * link leads out of it (on kernels from 5.6 on).
 */
int regular_file_open_below(const char *root, const char *path, struct stat *st)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), place, err;

	if (dir < 0)
		return -1;
	place = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	err = errno;
	/* an older kernel follows links from our root; callers know by the file whether it is theirs */
	if (place < 0 && err == ENOSYS) {
		place = openat(dir, path + strspn(path, "/"), O_PATH | O_CLOEXEC);
		err = errno;
	}
	close(dir);
	errno = err;
	return open_place(place, st);
}
