// SPDX-License-Identifier: GPL-2.0
/*
 * Opening a perf.data file, ours or perf's, in any of its forms.
 *
 * Concepts: a file with sections (header, attrs, data, features); the form for
 * pipes, where all is records; a directory with a file of the first form named
 * data, and files data.N that hold records alone. All are mapped whole; nothing
 * in them is trusted, every offset and size is held against the file's.
 * Contexts: all readers of recordings.
 * Locks: none. A file that is cut while it is read ends the tool, which says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"

/* As many files as a directory may hold: one for each thread of the recorder. */
enum { MAX_PARTS = 4096, TOLD = -2 };

int pd_damaged(const struct pd_file *f, const char *what)
{
	return complain("%s: %s; the file is damaged or was not written to its end", f->path,
			what);
}

static bool section_ok(const struct pd_file *f, const struct pd_section *s)
{
	return s->offset <= f->size && s->size <= f->size - s->offset;
}

static struct cursor file_cursor(const struct pd_file *f, u64 offset, u64 size)
{
	struct cursor c = cursor_of(f->map + offset, size);

	c.swap = f->swap;
	return c;
}

/*
 * Writers of 32 bits kept the bitmap of features in words of 32 bits, whose order is then the other one. Nearly all files
 * have HOSTNAME, which tells; one without it may have other features, and those are where they seem to be.
 */
static void take_features(struct pd_header *h, struct cursor c)
{
	u64 *f = h->features;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(h->features); i++)
		f[i] = cursor_u64(&c);
	if (!c.swap || f[0] >> PD_HOSTNAME & 1 || !(f[0] >> 32 >> PD_HOSTNAME & 1))
		return;
	for (i = 0; i < ARRAY_SIZE(h->features); i++)
		f[i] = f[i] << 32 | f[i] >> 32;
}

static void take_header(struct pd_file *f)
{
	struct cursor c = file_cursor(f, 0, f->size < PD_HEADER_SIZE ? f->size : PD_HEADER_SIZE);
	struct pd_section *const sections[] = {
		&f->header.attrs, &f->header.data, &f->header.event_types,
	};
	size_t i;

	cursor_bytes(&c, f->header.magic, sizeof(f->header.magic));
	f->header.size = cursor_u64(&c);
	f->header.attr_size = cursor_u64(&c);
	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		sections[i]->offset = cursor_u64(&c);
		sections[i]->size = cursor_u64(&c);
	}
	take_features(&f->header, c);
}

static int check_sections(struct pd_file *f)
{
	struct pd_header *h = &f->header;

	if (h->size != PD_HEADER_SIZE || f->size < PD_HEADER_SIZE)
		return pd_damaged(f, "the header has a wrong size");
	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct pd_section) ||
	    h->attr_size > 4096 || h->attr_size % 8)
		return pd_damaged(f, "the attrs have a wrong size");
	if (!section_ok(f, &h->attrs) || !h->attrs.size || h->attrs.size % h->attr_size)
		return pd_damaged(f, "the attrs section is wrong");
	if (h->attrs.size / h->attr_size > PD_MAX_EVENTS)
		return pd_damaged(f, "there are too many events");
	if (h->data.offset > f->size)
		return pd_damaged(f, "the data section lies behind the end");
	if (!h->data.size && !(h->features[0] >> PD_DIR_FORMAT & 1)) {
		complain("note: %s: the recording was cut short; reading what is there", f->path);
		h->data.size = f->size - h->data.offset;
		memset(h->features, 0, sizeof(h->features));
	}
	if (!section_ok(f, &h->data))
		return pd_damaged(f, "the data section is longer than the file");
	return 0;
}

static int read_attrs(struct pd_file *f)
{
	u64 at = f->header.attrs.offset, end = at + f->header.attrs.size;
	struct pd_section ids;
	struct cursor c;

	for (; at < end; at += f->header.attr_size) {
		c = file_cursor(f, at + f->header.attr_size - sizeof(ids), sizeof(ids));
		ids.offset = cursor_u64(&c);
		ids.size = cursor_u64(&c);
		if (!section_ok(f, &ids) || ids.size % sizeof(u64))
			return pd_damaged(f, "the ids of an event lie outside");
		/* ids that several events share would let a small file take much memory */
		if (f->nr_ids + ids.size / sizeof(u64) > f->size / sizeof(u64))
			return pd_damaged(f, "there are more ids than the file has room for");
		pd_take_attr(f, file_cursor(f, at, f->header.attr_size - sizeof(ids)),
			     file_cursor(f, ids.offset, ids.size));
	}
	return pd_check_events(f);
}

static int read_sections(struct pd_file *f)
{
	if (check_sections(f) || read_attrs(f))
		return -1;
	f->parts[0].from = f->header.data.offset;
	f->parts[0].to = f->header.data.offset + f->header.data.size;
	pd_find_features(f);
	return 0;
}

static int read_head(struct pd_file *f)
{
	if (f->size < 16)
		return complain("%s: not a perf.data file (%llu bytes)", f->path,
				(unsigned long long)f->size);
	f->swap = !memcmp(f->map, PD_MAGIC_SWAPPED, 8);
	if (!f->swap && memcmp(f->map, PD_MAGIC, 8))
		return complain("%s: not a perf.data file", f->path);
	take_header(f);
	f->pipe = f->header.size == PD_PIPE_HEADER_SIZE;
	if (f->pipe ? pd_scan_pipe(f) : read_sections(f))
		return -1;
	pd_read_features(f);
	pd_name_events(f);
	samples_measure(f);
	return 0;
}

/* Nothing else is mapped from a file that others may cut. */
static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	static const char text[] = "pcl: a recording was cut while it was read\n";
	ssize_t said;

	(void)context;
	if (info->si_code == BUS_ADRERR) {
		said = write(STDERR_FILENO, text, sizeof(text) - 1);
		(void)said;
		_exit(EXIT_PCL);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_for_cuts(void)
{
	struct sigaction a = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	sigemptyset(&a.sa_mask);
	sigaction(SIGBUS, &a, NULL);
}

/* Map the file of this descriptor, which is closed, as a further part. */
static int add_part(struct pd_file *f, int fd, const char *name)
{
	struct pd_part *part;
	struct stat st;
	void *map;

	if (fd < 0 || fstat(fd, &st)) {
		complain("%s: %s%s", name, strerror(errno),
			 errno == ENOENT && !f->nr_parts ? "; 'pcl record' writes one" : "");
		goto close_fd;
	}
	map = st.st_size ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	if (map == MAP_FAILED) {
		complain("%s: %s", name, strerror(errno));
		goto close_fd;
	}
	close(fd);
	watch_for_cuts();
	f->parts = mem_resize(f->parts, f->nr_parts + 1, sizeof(*f->parts));
	part = &f->parts[f->nr_parts++];
	*part = (struct pd_part){ .map = map, .size = (u64)st.st_size, .to = (u64)st.st_size };
	return 0;

close_fd:
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The files data.0, data.1 ... beside the file data of a directory. */
static int add_directory_parts(struct pd_file *f, int dir)
{
	char name[32];
	unsigned int i;
	struct stat st;
	int fd;

	for (i = 0; i < MAX_PARTS; i++) {
		snprintf(name, sizeof(name), "data.%u", i);
		fd = regular_file_open_at(dir, name, 0, &st);
		if (fd < 0)
			return errno == ENOENT ? 0 : complain("%s/%s: %s", f->path, name, errno == ENXIO ?
							      "not a file" : strerror(errno));
		if (add_part(f, fd, name))
			return -1;
	}
	return complain("%s: more than %d files of data", f->path, MAX_PARTS);
}

/* A descriptor of a regular file to map; -1 with errno, or TOLD with the error told. */
static int open_input(struct pd_file *f, int *dir)
{
	bool standard = !strcmp(f->path, "-");
	int fd = standard ? dup(STDIN_FILENO) : open(f->path, O_RDONLY | O_CLOEXEC), file;
	struct stat st;

	if (standard)
		f->path = "standard input";
	if (fd < 0 || fstat(fd, &st))
		return fd;	/* add_part() says why */
	if (S_ISREG(st.st_mode))
		return fd;
	if (S_ISDIR(st.st_mode)) {
		*dir = fd;
		file = regular_file_open_at(fd, "data", 0, &st);
		if (file < 0 && (errno == ENOENT || errno == ENXIO)) {
			complain("%s: a directory without the file 'data' of a recording", f->path);
			return TOLD;
		}
		return file;
	}
	if (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode)) {
		complain("%s: not a file", f->path);
		close(fd);
		return TOLD;
	}
	file = pd_spool(f, fd);
	close(fd);
	return file < 0 ? TOLD : file;
}

static int open_parts(struct pd_file *f)
{
	int dir = -1, fd = open_input(f, &dir);
	int ret = fd == TOLD ? -1 : add_part(f, fd, f->path);

	if (!ret && !f->parts[0].size)
		ret = complain("%s: the file is empty", f->path);
	if (!ret && dir >= 0)
		ret = add_directory_parts(f, dir);
	if (dir >= 0)
		close(dir);
	return ret;
}

/* Open and check; on error the file is closed again and the error told. */
int pd_open(struct pd_file *f, const char *path)
{
	memset(f, 0, sizeof(*f));
	f->path = path;
	if (!open_parts(f)) {
		f->map = f->parts[0].map;
		f->size = f->parts[0].size;
		if (!read_head(f))
			return 0;
	}
	pd_close(f);
	return -1;
}

void pd_close(struct pd_file *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_events; i++)
		free(f->events[i].name);
	for (i = 0; i < f->nr_build_ids; i++)
		free(f->build_ids[i].name);
	for (i = 0; i < f->nr_parts; i++)
		if (f->parts[i].map)
			munmap((void *)f->parts[i].map, f->parts[i].size);
	free(f->parts);
	num_map_free(&f->last_values, NULL);
	free(f->events);
	free(f->ids);
	free(f->build_ids);
	free(f->by_name);
	free(f->hostname);
	free(f->osrelease);
	free(f->arch);
	free(f->cmdline);
	memset(f, 0, sizeof(*f));
}
