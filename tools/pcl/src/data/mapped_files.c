// SPDX-License-Identifier: GPL-2.0
/*
 * The build ids of the files that are mapped, taken when their mappings appear.
 *
 * Concepts: the name that a mapping is told with is that of its process, which
 * may live among other mounts: the same name here may be another file. So a file
 * is opened through its process, as long as that lives, and is believed where it
 * has the device and inode that the mapping told. What cannot be found so has no
 * build id, rather than that of another file. Each file is looked at once.
 * What lies on FUSE is not looked at: whoever serves it may have stopped, and each
 * call on such a file waits for him, statfs() too. The mount table tells it.
 * Contexts: record's writer, and the main thread before and after it.
 * Locks: none.
 */
#include <inttypes.h>
#include <libelf.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"

/*
 * Is the open file the one that was mapped? A mapping of overlayfs tells the device
 * and inode below: a file has its number as well, with bits of its own above, but for
 * one that was copied up. Through the process the name alone must do then. To stat(),
 * each subvolume of btrfs is a device; a mapping tells that of the whole.
 */
static bool is_mapped_file(int fd, const struct stat *st, const struct pd_mmap *m, bool by_process)
{
	struct statfs fs;
	u64 other;

	/* MMAP, and the kernels of long ago, tell no inode */
	if (!m->inode)
		return true;
	if (fstatfs(fd, &fs))
		return false;
	other = st->st_ino ^ m->inode;
	if (fs.f_type == OVERLAYFS_SUPER_MAGIC)
		return by_process || !(other << 16);
	return !other && (fs.f_type == BTRFS_SUPER_MAGIC || st->st_dev == makedev(m->major, m->minor));
}

/* fd is open, and closed here, or negative. */
static bool try_file(struct mapped_file *f, const struct pd_mmap *m, int fd, const struct stat *st, bool by_process)
{
	Elf *elf;

	if (fd < 0)
		return false;
	elf = is_mapped_file(fd, st, m, by_process) ? elf_open_read(fd) : NULL;
	if (elf)
		f->len = build_id_of_elf(elf, f->id);
	elf_end(elf);
	close(fd);
	return f->len > 0;
}

/* Does this mount table (proc(5), mountinfo) have the device, as one of FUSE? */
static bool fuse_in(const char *table, const struct pd_mmap *m)
{
	unsigned int major, minor;
	const char *type;
	bool found = false;
	size_t size = 0;
	char *line = NULL;
	FILE *f;

	f = fopen(table, "re");
	while (f && !found && getline(&line, &size, f) > 0) {
		if (sscanf(line, "%*d %*d %u:%u", &major, &minor) != 2 || major != m->major || minor != m->minor)
			continue;
		type = strstr(line, " - ");
		found = type && !strncmp(type + 3, "fuse", 4);
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* Lies it on FUSE, as far as its process or we see that mount? */
static bool on_fuse(const struct pd_mmap *m)
{
	char table[32];

	snprintf(table, sizeof(table), "/proc/%d/mountinfo", m->pid);
	return m->inode && (fuse_in(table, m) || fuse_in("/proc/self/mountinfo", m));
}

static void take_build_id(struct mapped_file *f, const struct pd_mmap *m)
{
	struct stat st;
	char path[96];

	if (m->by_build_id) {
		f->len = m->build_id_len;
		memcpy(f->id, m->build_id, sizeof(f->id));
		return;
	}
	if (on_fuse(m))
		return;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, m->pid, m->start, m->end);
	if (try_file(f, m, regular_file_open(path, &st), &st, true))
		return;
	/* a link of another root directory is to be followed from there */
	snprintf(path, sizeof(path), "/proc/%d/root", m->pid);
	if (!try_file(f, m, regular_file_open_below(path, m->name, &st), &st, true))
		try_file(f, m, regular_file_open(m->name, &st), &st, false);
}

/* This mapping was told of: the number of its file. */
u32 mapped_file_add(struct mapped_files *files, const struct pd_mmap *m)
{
	u32 before = files->keys.nr, i = file_keys_add(&files->keys, m);

	if (i == before) {
		files->v = mem_resize(files->v, i + 1, sizeof(*files->v));
		files->v[i] = (struct mapped_file){ 0 };
		take_build_id(&files->v[i], m);
	}
	return i;
}

void mapped_files_free(struct mapped_files *files)
{
	file_keys_free(&files->keys);
	free(files->v);
	files->v = NULL;
}
