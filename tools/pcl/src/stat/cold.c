// SPDX-License-Identifier: GPL-2.0
/*
 * pcl stat --cold: empty the caches before each run.
 *
 * Concepts: a cache is emptied by walking over twice as much memory as it
 * holds, on a CPU that it serves; sysfs tells sizes and sharing, so each cache
 * is walked once. First-level instruction caches and TLBs are not reached this
 * way. The command's file is taken out of the page cache, and mincore(2) tells
 * what stayed, because another process has it mapped; --cold=all has the
 * kernel drop the page cache altogether. What was done is reported.
 * Contexts: stat, before the command is let go.
 * Locks: none.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "stat/stat.h"

static const char drop_caches[] = "/proc/sys/vm/drop_caches";

enum { LINE = 64, DEFAULT_BYTES = 64 << 20 };

static char *cache_file(int cpu, const char *index, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/cache/%s/%s", sysfs_root(), cpu,
		 index, name);
	return file_read_text(path);
}

/* "32768K" */
static size_t parse_size(const char *text)
{
	char *end;
	size_t v = strtoul(text, &end, 10);

	return *end == 'K' ? v << 10 : *end == 'M' ? v << 20 : v;
}

/* Is this the first of the CPUs at hand that share the cache? */
static bool first_sharer(int cpu, const char *index, const struct int_list *cpus)
{
	struct int_list sharers = { 0 };
	char *text = cache_file(cpu, index, "shared_cpu_list");
	bool first = true;
	unsigned int i;

	if (text && !int_list_parse(&sharers, text))
		for (i = 0; i < sharers.nr && sharers.v[i] < cpu; i++)
			if (int_list_has(cpus, sharers.v[i]))
				first = false;
	int_list_free(&sharers);
	free(text);
	return first;
}

/* The largest cache that this CPU has to empty; 0: sysfs knows none. */
size_t cold_cache_bytes(int cpu, const struct int_list *cpus)
{
	char path[PATH_MAX];
	struct dirent **names;
	size_t most = 0, size;
	int i, n;

	snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%d/cache", sysfs_root(), cpu);
	n = scandir(path, &names, NULL, alphasort);
	for (i = 0; i < n; i++) {
		char *text = cache_file(cpu, names[i]->d_name, "size");

		size = text ? parse_size(text) : 0;
		if (size > most && first_sharer(cpu, names[i]->d_name, cpus))
			most = size;
		free(text);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return most;
}

static void cpus_allowed(const cpu_set_t *set, struct int_list *cpus)
{
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set))
			int_list_add(cpus, cpu);
}

/* The sizes are learnt once. 0, or -1 (said). */
int cold_begin(struct cold *d)
{
	struct int_list cpus = { 0 };
	cpu_set_t set;
	unsigned int i;

	if (d->page_cache && access(drop_caches, W_OK))
		return complain("--cold=all: %s: %s; run as root, or use --cold for the CPU caches and the command's file",
				drop_caches, strerror(errno));
	if (sched_getaffinity(0, sizeof(set), &set))
		return complain("--cold: sched_getaffinity: %s", strerror(errno));
	cpus_allowed(&set, &cpus);
	d->cpus = cpus.nr;
	d->walk = mem_zalloc(cpus.nr, sizeof(*d->walk));
	for (i = 0; i < cpus.nr; i++) {
		size_t bytes = cold_cache_bytes(cpus.v[i], &cpus);

		if (!i && !bytes) {
			bytes = DEFAULT_BYTES / 2;
			d->guessed = true;
		}
		d->walk[i] = 2 * bytes;
		if (d->walk[i] > d->size)
			d->size = d->walk[i];
	}
	int_list_free(&cpus);
	d->buffer = mmap(NULL, d->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (d->buffer == MAP_FAILED) {
		d->buffer = NULL;
		return complain("--cold: no memory to walk over (%zu MiB)", d->size >> 20);
	}
	/* the command's peak of memory begins with what its fork inherits */
	madvise(d->buffer, d->size, MADV_DONTFORK);
	return 0;
}

static void walk_caches(struct cold *d)
{
	cpu_set_t before, one;
	unsigned int i = 0;
	size_t at;
	int cpu;

	if (sched_getaffinity(0, sizeof(before), &before))
		return;
	for (cpu = 0; cpu < CPU_SETSIZE && i < d->cpus; cpu++) {
		if (!CPU_ISSET(cpu, &before))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		for (at = 0; at < d->walk[i]; at += LINE)
			d->buffer[at]++;
		i++;
	}
	sched_setaffinity(0, sizeof(before), &before);
}

/* Where execvp finds the command; NULL: nowhere. The caller frees it. */
static char *command_path(const char *name)
{
	const char *path = getenv("PATH"), *p;
	char *file;
	size_t n;

	if (strchr(name, '/'))
		return str_dup(name);
	for (p = path ? path : "/bin:/usr/bin"; *p; p += n + (p[n] == ':')) {
		n = strcspn(p, ":");
		file = n ? str_printf("%.*s/%s", (int)n, p, name) : str_dup(name);
		if (!access(file, X_OK))
			return file;
		free(file);
	}
	return NULL;
}

static u64 pages_in_memory(int fd, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), nr = (size + page - 1) / page, i;
	unsigned char *in = mem_zalloc(nr, 1);
	u64 found = 0;
	void *p = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (p != MAP_FAILED && !mincore(p, size, in))
		for (i = 0; i < nr; i++)
			found += in[i] & 1;
	if (p != MAP_FAILED)
		munmap(p, size);
	free(in);
	return found;
}

static void drop_file(struct cold_file *f, const char *name)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct stat st;
	int fd;

	free(f->path);
	f->path = command_path(name);
	fd = f->path ? open(f->path, O_RDONLY | O_CLOEXEC) : -1;
	f->tried = fd >= 0 && !fstat(fd, &st) && st.st_size > 0;
	if (f->tried) {
		/* a file just built is not on disk yet, and would stay */
		fdatasync(fd);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		f->pages = ((u64)st.st_size + page - 1) / page;
		f->left = pages_in_memory(fd, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
}

/* Before the run of this command; b: it is the one of --vs. 0, or -1 (said). */
int cold_evict(struct cold *d, const char *command, bool b)
{
	if (!d->wanted)
		return 0;
	if (d->page_cache) {
		int fd = open(drop_caches, O_WRONLY | O_CLOEXEC);
		bool bad;

		sync();
		bad = fd < 0 || write(fd, "1", 1) != 1;
		if (fd >= 0)
			close(fd);
		if (bad)
			return complain("--cold=all: %s: %s", drop_caches, strerror(errno));
	}
	drop_file(&d->file[b], command);
	walk_caches(d);
	return 0;
}

/* What was done, for people. */
void cold_print(const struct cold *d, FILE *f)
{
	u64 bytes = 0;
	unsigned int i;

	if (!d->wanted)
		return;
	for (i = 0; i < d->cpus; i++)
		bytes += d->walk[i];
	fprintf(f, " cold: before each run %.1f MiB were walked over on %u CPU%s%s%s\n",
		(double)bytes / (1 << 20), d->cpus, d->cpus == 1 ? "" : "s",
		d->guessed ? " (a guess: sysfs does not tell the sizes of the caches)" : "",
		d->page_cache ? ", and the page cache was dropped" : "");
	for (i = 0; i < ARRAY_SIZE(d->file); i++) {
		const struct cold_file *c = &d->file[i];

		if (c->path && c->tried)
			fprintf(f, "       %s: %llu of %llu pages stayed in memory\n", c->path,
				(unsigned long long)c->left, (unsigned long long)c->pages);
		else if (c->path)
			fprintf(f, "       %s: cannot be read, its pages stayed in memory\n", c->path);
	}
}

void cold_end(struct cold *d)
{
	if (d->buffer)
		munmap(d->buffer, d->size);
	free(d->walk);
	free(d->file[0].path);
	free(d->file[1].path);
}
