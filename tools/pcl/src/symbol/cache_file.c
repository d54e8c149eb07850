// SPDX-License-Identifier: GPL-2.0
/*
 * Where the cache of symbols lies, and how a file of it is read and replaced.
 *
 * Concepts: one file for each build id below $PCL_CACHE_DIR, or else
 * $XDG_CACHE_HOME/pcl/symbols, or ~/.cache/pcl/symbols. Only a directory and
 * files that are the user's own, and that nobody else may write, are used. A
 * file is written whole under another name, then renamed. When all together are
 * larger than a bound, those that were written first go; a file that has not the
 * name and the first bytes of ours is neither counted nor removed, so that a
 * PCL_CACHE_DIR that holds other things loses none of them.
 * Contexts: report, when an object is first looked into and when it is freed.
 * Locks: none; two processes may write the same file, the last one wins.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/cache.h"

#define MAX_FILE	(256ull << 20)
#define MAX_ALL		(1024ull << 20)

static bool off;

/* For --no-cache: neither read nor written from here on. */
void symbol_cache_off(void)
{
	off = true;
}

/* For who runs another pcl. */
bool symbol_cache_is_off(void)
{
	return off;
}

static char *cache_path(void)
{
	const char *own = getenv("PCL_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (off)
		return NULL;
	if (own && own[0] == '/')
		return str_dup(own);
	if (xdg && xdg[0] == '/')
		return str_printf("%s/pcl/symbols", xdg);
	if (home && home[0] == '/')
		return str_printf("%s/.cache/pcl/symbols", home);
	return NULL;
}

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & 022);
}

static void make_dirs(char *path)
{
	char *p;

	for (p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	mkdir(path, 0700);
}

/* The directory, open, or -1. */
static int cache_dir(bool make)
{
	char *path = cache_path();
	struct stat st;
	int fd;

	if (!path)
		return -1;
	if (make)
		make_dirs(path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && is_ours(&st))
		return fd;
	close(fd);
	return -1;
}

/* Is there any use in making a file? */
bool cache_file_wanted(void)
{
	int dir = cache_dir(true);

	if (dir < 0)
		return false;
	close(dir);
	return true;
}

/* The whole file of this build id, to be freed; NULL when there is none. */
void *cache_file_read(const u8 *id, unsigned int len, size_t *size)
{
	char name[2 * PD_BUILD_ID_MAX + 1];
	int dir = cache_dir(false), fd;
	struct stat st;
	u8 *bytes = NULL;
	size_t done = 0;
	ssize_t n;

	if (dir < 0)
		return NULL;
	format_hex(name, id, len);
	fd = regular_file_open_at(dir, name, O_NOFOLLOW, &st);
	close(dir);
	if (fd < 0)
		return NULL;
	if (is_ours(&st) && (u64)st.st_size <= MAX_FILE) {
		*size = (size_t)st.st_size;
		bytes = mem_zalloc(*size, 1);
		while (done < *size && (n = read(fd, bytes + done, *size - done)) > 0)
			done += (size_t)n;
		if (done != *size) {
			free(bytes);
			bytes = NULL;
		}
	}
	close(fd);
	return bytes;
}

struct cached {
	char name[NAME_MAX + 1];
	u64 size;
	s64 when;
};

static int cmp_cached(const void *a, const void *b)
{
	const struct cached *x = a, *y = b;

	return x->when < y->when ? -1 : x->when > y->when;
}

/* A build id in hexadecimal; ".PID" behind it while the file is being written. */
static bool is_cache_name(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	if (!n || n % 2 || n > 2 * PD_BUILD_ID_MAX)
		return false;
	name += n;
	return !*name || (*name == '.' && name[1] && !name[1 + strspn(name + 1, "0123456789")]);
}

/* Does the file begin as those do that were written here? */
static bool begins_as_ours(int dir, const char *name)
{
	char magic[sizeof(CACHE_MAGIC) - 1];
	struct stat st;
	int fd = regular_file_open_at(dir, name, O_NOFOLLOW, &st);
	bool ours;

	if (fd < 0)
		return false;
	ours = read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	       !memcmp(magic, CACHE_MAGIC, sizeof(magic));
	close(fd);
	return ours;
}

/* Remove the oldest of our files while all of ours are larger than the bound. */
static void bound_all(int dir, u64 bound)
{
	int copy = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
	struct cached *v = NULL;
	unsigned int nr = 0, i;
	struct dirent *e;
	struct stat st;
	u64 all = 0;

	if (!d) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((e = readdir(d))) {
		if (!is_cache_name(e->d_name) ||
		    fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
		    !begins_as_ours(dir, e->d_name))
			continue;
		v = mem_resize(v, nr + 1, sizeof(*v));
		snprintf(v[nr].name, sizeof(v[nr].name), "%s", e->d_name);
		v[nr].size = (u64)st.st_size;
		v[nr++].when = (s64)st.st_mtim.tv_sec;
		all += (u64)st.st_size;
	}
	closedir(d);
	if (all > bound)
		qsort(v, nr, sizeof(*v), cmp_cached);
	for (i = 0; i < nr && all > bound; i++) {
		unlinkat(dir, v[i].name, 0);
		all -= v[i].size;
	}
	free(v);
}

/* Replace the file of this build id. A cache that cannot be written is none. */
void cache_file_write(const u8 *id, unsigned int len, const void *bytes, size_t size)
{
	char name[2 * PD_BUILD_ID_MAX + 1], part[sizeof(name) + 16];
	const char *max = getenv("PCL_CACHE_MAX");
	u64 bound = max ? strtoull(max, NULL, 10) << 20 : MAX_ALL;
	int dir = size <= MAX_FILE && size <= bound ? cache_dir(true) : -1, fd;
	bool good;

	if (dir < 0)
		return;
	format_hex(name, id, len);
	snprintf(part, sizeof(part), "%s.%d", name, (int)getpid());
	fd = openat(dir, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		good = !write_whole(fd, bytes, size);
		if (close(fd) || !good || renameat(dir, part, dir, name))
			unlinkat(dir, part, 0);
		else
			bound_all(dir, bound);
	}
	close(dir);
}
