// SPDX-License-Identifier: GPL-2.0
/*
 * An object as one unwinder has opened it: its segments, its call frame
 * information.
 *
 * Concepts: libdw may be used by one thread only, so each unwinder opens
 * objects for itself, once for all processes. What is needed is read at once,
 * not mapped, and the file is closed: it may be truncated under us, and there
 * may be thousands. While a recording runs, the file is reached through the
 * process that maps it, which finds files of other mount namespaces and deleted
 * ones; it must be the one that was mapped, by inode or build-id.
 * Contexts: unwinders, the first time that a frame lies in the object.
 * Locks: none.
 */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "unwind/private.h"

/* A process may be gone before its file was opened; another may have it still. */
enum { MAX_TRIES = 8 };

struct module *module_new(const struct mapped_object *o)
{
	struct module *m = mem_zalloc(1, sizeof(*m));

	m->object = o;
	return m;
}

void module_free(struct module *m)
{
	unsigned int i;

	if (!m)
		return;
	if (m->eh_frame)
		dwarf_cfi_end(m->eh_frame);
	if (m->dwarf)
		dwarf_end(m->dwarf);	/* takes debug_frame along */
	elf_end(m->elf);
	for (i = 0; i < m->nr_locations; i++)
		free((void *)m->locations[i].ops);
	free(m->locations);
	free(m->segments);
	free(m->rows);
	free(m);
}

static bool same_build(const struct mapped_object *o, Elf *elf)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	return !o->build_id_len || (len == o->build_id_len && !memcmp(id, o->build_id, (size_t)len));
}

/* Whether this file is the one that was mapped. */
static bool same_file(const struct mapped_object *o, int fd, const struct stat *st, bool live)
{
	struct statfs fs;

	/* a file of later may have been copied: then the build-id decides */
	if (!live || !o->has_ino || st->st_ino == o->ino)
		return true;
	/* records tell the inode of the layer below, which stat() does not show */
	return !fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

static void read_segments(struct module *m)
{
	size_t nr = 0, i;
	GElf_Ehdr eh;
	GElf_Phdr ph;

	if (gelf_getehdr(m->elf, &eh))
		m->entry = eh.e_entry;
	if (elf_getphdrnum(m->elf, &nr))
		return;
	for (i = 0; i < nr && i < 4096; i++) {
		if (!gelf_getphdr(m->elf, (int)i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		m->segments = mem_resize(m->segments, m->nr_segments + 1, sizeof(*m->segments));
		m->segments[m->nr_segments++] = (struct code_segment){
			.offset = ph.p_offset, .size = ph.p_filesz, .vaddr = ph.p_vaddr,
		};
	}
}

/* Registers are those of x86-64; a recording may come from another machine than its objects. */
static bool is_of_machine(Elf *elf)
{
	GElf_Ehdr eh;

	return gelf_getclass(elf) == ELFCLASS64 && gelf_getehdr(elf, &eh) && eh.e_machine == EM_X86_64;
}

/* Take in what is needed of an ELF image. */
static bool take_elf(struct module *m, Elf *elf)
{
	if (!elf)
		return false;
	if (!is_of_machine(elf) || !same_build(m->object, elf)) {
		elf_end(elf);
		return false;
	}
	m->elf = elf;
	read_segments(m);
	m->eh_frame = dwarf_getcfi_elf(elf);
	if (elf_has_section(elf, ".debug_frame") || elf_has_section(elf, ".zdebug_frame"))
		m->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (m->dwarf)
		m->debug_frame = dwarf_getcfi(m->dwarf);
	return true;
}

/* fd is open, and closed here, or negative. */
static bool try_file(struct module *m, int fd, const struct stat *st, bool live)
{
	bool ok;

	if (fd < 0)
		return false;
	ok = same_file(m->object, fd, st, live) && take_elf(m, elf_open_read(fd));
	if (ok)
		elf_cntl(m->elf, ELF_C_FDDONE);
	close(fd);
	return ok;
}

static bool try_vdso(struct module *m)
{
	size_t size;
	const u8 *image = vdso_image(&size);

	return image && take_elf(m, elf_memory((char *)image, size));
}

static bool try_open(struct module *m, s32 pid, const struct map *map, bool live)
{
	const char *name = m->object->name;
	struct stat st;
	char path[96];

	elf_version(EV_CURRENT);
	if (!strcmp(name, "[vdso]"))
		return try_vdso(m);
	if (name[0] != '/' || name[1] == '/')
		return false;	/* [heap], [stack], //anon: no file behind it */
	if (live) {
		/* a link of another root directory is to be followed from there */
		snprintf(path, sizeof(path), "/proc/%d/root", pid);
		if (try_file(m, regular_file_open_below(path, name, &st), &st, live))
			return true;
		snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid,
			 (unsigned long long)map->start, (unsigned long long)map->end);
		if (try_file(m, regular_file_open(path, &st), &st, live))
			return true;
	}
	return try_file(m, regular_file_open(name, &st), &st, live);
}

/* Whether the object is open; it is tried when it was not. */
bool module_ready(struct module *m, s32 pid, const struct map *map, bool live)
{
	if (!m->open && m->tries < MAX_TRIES) {
		m->tries++;
		m->open = try_open(m, pid, map, live);
	}
	return m->open;
}

/* The address that the object's own tables give to this place of the file. */
bool module_address(const struct module *m, u64 offset, u64 *addr)
{
	unsigned int i;

	for (i = 0; i < m->nr_segments; i++) {
		const struct code_segment *s = &m->segments[i];

		if (offset < s->offset || offset - s->offset >= s->size)
			continue;
		*addr = offset - s->offset + s->vaddr;
		return true;
	}
	return false;
}
