// SPDX-License-Identifier: GPL-2.0
/*
 * The build ids of the files that are mapped, taken when their mappings appear.
 *
 * Concepts: the name that a mapping is told with is that of its process, which
 * may live among other mounts: the same name here may be another file. So a file
 * is opened through its process, as long as that lives, and is believed where it
 * has the inode that the mapping told. What cannot be found so has no build id,
 * rather than that of another file. Each file is looked at once.
 * Contexts: record's writer, and the main thread before and after it.
 * Locks: none.
 */
#include <inttypes.h>
#include <libelf.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"

/* A file: what its mappings tell apart. */
static char *file_key(const struct pd_mmap *m)
{
	char hex[2 * PD_BUILD_ID_MAX + 1];

	if (m->by_build_id)
		return str_printf("%s %s", format_hex(hex, m->build_id, m->build_id_len), m->name);
	return str_printf("%x:%x:%" PRIx64 ":%" PRIx64 " %s", m->major, m->minor, m->inode,
			  m->generation, m->name);
}

/* Its name, by the key. */
const char *mapped_file_name(const char *key)
{
	return strchr(key, ' ') + 1;
}

/*
 * Is the open file the one that was mapped? A mapping of overlayfs tells the inode
 * below: a file has its number as well, with bits of its own above, but for one
 * that was copied up. Through the process the name alone must do then.
 */
static bool is_mapped_file(int fd, const struct pd_mmap *m, bool by_process)
{
	struct statfs fs;
	struct stat st;
	u64 other;

	/* MMAP, and the kernels of long ago, tell no inode */
	if (!m->inode)
		return true;
	if (fstat(fd, &st) || fstatfs(fd, &fs))
		return false;
	other = st.st_ino ^ m->inode;
	if (fs.f_type == OVERLAYFS_SUPER_MAGIC)
		return by_process || !(other << 16);
	return !other;
}

static bool try_path(struct mapped_file *f, const struct pd_mmap *m, const char *path, bool by_process)
{
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd);
	if (!elf)
		return false;
	if (is_mapped_file(fd, m, by_process))
		f->len = build_id_of_elf(elf, f->id);
	elf_end(elf);
	close(fd);
	return f->len > 0;
}

static void take_build_id(struct mapped_file *f, const struct pd_mmap *m)
{
	char *path;
	bool found;

	if (m->by_build_id) {
		f->len = m->build_id_len;
		memcpy(f->id, m->build_id, sizeof(f->id));
		return;
	}
	path = str_printf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, m->pid, m->start, m->end);
	found = try_path(f, m, path, true);
	free(path);
	if (found)
		return;
	path = str_printf("/proc/%d/root%s", m->pid, m->name);
	found = try_path(f, m, path, true);
	free(path);
	if (!found)
		try_path(f, m, m->name, false);
}

/* This mapping was told of: the key of its file, which lives as long as the files do. */
const char *mapped_file_add(struct mapped_files *files, const struct pd_mmap *m)
{
	unsigned int before = files->keys.nr, i;
	char *key = file_key(m);

	i = str_set_add(&files->keys, key);
	free(key);
	if (i == before) {
		files->v = mem_resize(files->v, i + 1, sizeof(*files->v));
		files->v[i] = (struct mapped_file){ 0 };
		take_build_id(&files->v[i], m);
	}
	return files->keys.v[i];
}

/* The file of a key that was added. */
const struct mapped_file *mapped_file_of(struct mapped_files *files, const char *key)
{
	return &files->v[str_set_add(&files->keys, key)];
}

void mapped_files_free(struct mapped_files *files)
{
	str_set_free(&files->keys);
	free(files->v);
	files->v = NULL;
}
