// SPDX-License-Identifier: GPL-2.0
/*
 * Opening ELF files: objects that code is mapped from, and their debug files.
 *
 * Concepts: names come out of recordings, so that what they lead to may be
 * anything. A file is read, never mapped: it may be truncated at any time, and
 * where it was mapped, SIGBUS would end the tool.
 * Contexts: any.
 * Locks: none.
 */
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "data/perfdata.h"

/* The ELF file that is open there, or NULL; to be closed after the Elf is. */
Elf *elf_open_read(int fd)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

/* The same of a path; the descriptor is to be closed after the Elf is. */
Elf *elf_open(const char *path, int *fd)
{
	struct stat st;
	Elf *elf;

	*fd = regular_file_open(path, &st);
	if (*fd < 0)
		return NULL;
	elf = elf_open_read(*fd);
	if (!elf)
		close(*fd);
	return elf;
}

/* Are its numbers in the other byte order than this machine's? */
bool elf_is_swapped(Elf *elf)
{
	const char *ident = elf_getident(elf, NULL);

	return ident && ident[EI_DATA] != ELFDATA_OWN;
}

/* Does the file have this section, with contents? */
bool elf_has_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;
	const char *its;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		its = elf_strptr(elf, names, sh.sh_name);
		if (its && !strcmp(its, name))
			return true;
	}
	return false;
}
