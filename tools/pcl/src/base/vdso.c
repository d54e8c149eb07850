// SPDX-License-Identifier: GPL-2.0
/*
 * The code that the kernel maps into every process.
 *
 * Concepts: the vdso of this process is that of every process of this boot. It
 * is an ELF file in memory; nothing lies behind its section headers.
 * Contexts: any.
 * Locks: none.
 */
#include <elf.h>
#include <sys/auxv.h>

#include "base/base.h"

/* The file in memory; NULL: there is none. */
const u8 *vdso_image(size_t *size)
{
	const u8 *image = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)image;

	*size = image ? eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize : 0;
	return image;
}
