// SPDX-License-Identifier: GPL-2.0
/*
 * Build ids: the hash that the linker left in an object.
 *
 * Concepts: a GNU note (ELF notes, type NT_GNU_BUILD_ID) in a file, or in
 * /sys/kernel/notes for the running kernel.
 * Contexts: record's writer; report.
 * Locks: none.
 */
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

/* The id's length, or 0 when there is none. */
int build_id_of_elf(Elf *elf, u8 id[PD_BUILD_ID_MAX])
{
	const void *bits;
	ssize_t n;

	n = dwelf_elf_gnu_build_id(elf, &bits);
	if (n > PD_BUILD_ID_MAX)
		n = PD_BUILD_ID_MAX;
	if (n > 0)
		memcpy(id, bits, (size_t)n);
	return n > 0 ? (int)n : 0;
}

/* The same of a file; 0 also where it cannot be read. */
int build_id_of_file(const char *path, u8 id[PD_BUILD_ID_MAX])
{
	Elf *elf;
	int fd, n;

	elf = elf_open(path, &fd);
	if (!elf)
		return 0;
	n = build_id_of_elf(elf, id);
	elf_end(elf);
	close(fd);
	return n;
}

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

int build_id_of_kernel(u8 id[PD_BUILD_ID_MAX])
{
	u8 buf[4096];
	size_t at = 0, len, name, desc;
	ssize_t n;
	int fd;

	fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, buf, sizeof(buf));
	close(fd);
	for (len = n > 0 ? (size_t)n : 0; at + sizeof(Elf64_Nhdr) <= len; at = desc) {
		Elf64_Nhdr nh;

		memcpy(&nh, buf + at, sizeof(nh));
		name = at + sizeof(nh);
		if (nh.n_namesz > len || nh.n_descsz > len)
			return 0;
		desc = name + align4(nh.n_namesz);
		if (desc + nh.n_descsz > len)
			return 0;
		if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == 4 &&
		    !memcmp(buf + name, "GNU", 4) && nh.n_descsz <= PD_BUILD_ID_MAX) {
			memcpy(id, buf + desc, nh.n_descsz);
			return (int)nh.n_descsz;
		}
		desc += align4(nh.n_descsz);
	}
	return 0;
}
