// SPDX-License-Identifier: GPL-2.0
/*
 * The bytes of an object's code.
 *
 * Concepts: code of a file lies in its load segments. The running kernel shows
 * itself in /proc/kcore, an ELF file whose segments are its memory; alternatives
 * are patched in there as they run. The vdso is in our own memory.
 * Contexts: annotate.
 * Locks: none.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/debug.h"

/* No function is larger; what says it is, is damaged. */
#define MAX_CODE (16u << 20)

/* Where in the file this piece of memory is; false: nowhere as a whole. */
static bool segment_of(Elf *elf, u64 addr, u64 size, u64 *offset)
{
	size_t nr = 0, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr && i < 4096; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (addr >= ph.p_vaddr && addr - ph.p_vaddr < ph.p_filesz &&
		    size <= ph.p_filesz - (addr - ph.p_vaddr)) {
			*offset = ph.p_offset + (addr - ph.p_vaddr);
			return true;
		}
	}
	return false;
}

static bool read_all(int fd, u8 *to, u64 size, u64 offset)
{
	ssize_t n;

	while (size) {
		n = pread(fd, to, size, (off_t)offset);
		if (n <= 0)
			return false;
		to += n;
		offset += (u64)n;
		size -= (u64)n;
	}
	return true;
}

static bool read_file(struct code *c, const char *path, u64 addr, char **why_not)
{
	GElf_Ehdr eh;
	u64 offset;
	bool good;
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd);
	if (!elf) {
		*why_not = str_printf("%s cannot be read as ELF", path);
		return false;
	}
	good = gelf_getehdr(elf, &eh) && segment_of(elf, addr, c->size, &offset) &&
	       read_all(fd, c->bytes, c->size, offset);
	if (good)
		c->machine = eh.e_machine;
	else
		*why_not = str_printf("%s does not hold that code", path);
	elf_end(elf);
	close(fd);
	return good;
}

/* Too large to be mapped, and it has no sections: read by hand. */
static bool read_kcore(struct code *c, u64 addr, char **why_not)
{
	static const char path[] = "/proc/kcore";
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	bool found = false;
	unsigned int i;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		*why_not = errno == ENOENT ?
			str_printf("this kernel has no %s (CONFIG_PROC_KCORE); give its file with --vmlinux FILE",
				   path) :
			str_printf("%s: %s; run as root, or give the kernel's file with --vmlinux FILE",
				   path, strerror(errno));
		return false;
	}
	if (read_all(fd, (u8 *)&eh, sizeof(eh), 0)) {
		c->machine = eh.e_machine;
		for (i = 0; i < eh.e_phnum && !found; i++)
			found = read_all(fd, (u8 *)&ph, sizeof(ph), eh.e_phoff + i * sizeof(ph)) &&
				ph.p_type == PT_LOAD && addr >= ph.p_vaddr &&
				addr - ph.p_vaddr < ph.p_memsz &&
				c->size <= ph.p_memsz - (addr - ph.p_vaddr) &&
				read_all(fd, c->bytes, c->size, ph.p_offset + (addr - ph.p_vaddr));
	}
	close(fd);
	if (!found)
		*why_not = str_printf("%s does not show that code (the kernel may be locked down); give the kernel's file with --vmlinux FILE",
				      path);
	return found;
}

static bool read_vdso(struct code *c, u64 addr, char **why_not)
{
	size_t room;
	const u8 *image = vdso_image(&room);

	if (!image || addr >= room || c->size > room - addr) {
		*why_not = str_dup("no vdso here");
		return false;
	}
	memcpy(c->bytes, image + addr, c->size);
	c->machine = ((const Elf64_Ehdr *)image)->e_machine;
	return true;
}

static bool refuse(char **why_not, const char *why)
{
	*why_not = str_dup(why);
	return false;
}

/* The code at [start, end) of the object; false, and why, when there is none to be had. */
bool object_code(struct object *o, u64 start, u64 end, struct code *c, char **why_not)
{
	bool good;

	*c = (struct code){ .start = start, .size = end - start };
	if (end <= start || end - start > MAX_CODE) {
		*why_not = str_dup("its size is not known");
		return false;
	}
	c->bytes = mem_zalloc(c->size, 1);
	if (o->image)
		good = read_file(c, o->image, start - o->image_shift, why_not);
	else if (o->foreign && o->kernel)
		good = refuse(why_not, "another machine's kernel was recorded; give its file with --vmlinux FILE");
	else if (o->kernel)
		good = read_kcore(c, start, why_not);
	else if (o->foreign && !strcmp(o->name, "[vdso]"))
		good = refuse(why_not, "it is another machine's vdso");
	else if (!strcmp(o->name, "[vdso]"))
		good = read_vdso(c, start, why_not);
	else if (o->name[0] == '/' && o->name[1] != '/' && !o->distrusted)
		good = read_file(c, o->name, start, why_not);
	else
		good = false;
	if (!good && !*why_not)
		*why_not = str_dup(o->note ? o->note : "there is no file with its code");
	if (!good) {
		free(c->bytes);
		c->bytes = NULL;
	}
	return good;
}

/* The kernel's file: its code and lines are taken from there. */
int object_set_image(struct object *o, const char *path, u64 recorded_text)
{
	struct object file = { .name = (char *)path };
	unsigned int i;
	u64 text = 0;
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd);
	if (!elf)
		return complain("%s: not an ELF file that can be read", path);
	elf_end(elf);
	close(fd);
	elf_symbols_load(&file);
	for (i = 0; i < file.symbols.nr && !text; i++)
		if (!strcmp(file.symbols.v[i].name, "_text") || !strcmp(file.symbols.v[i].name, "_stext"))
			text = file.symbols.v[i].start;
	symbols_free(&file.symbols);
	debug_info_free(file.debug);
	free(file.symbols_path);
	free(file.segments);
	free(file.note);
	if (!text)
		return complain("%s: it has no symbol _text, so it is not an uncompressed kernel with symbols (vmlinux)", path);
	o->image = str_dup(path);
	o->image_shift = recorded_text ? recorded_text - text : 0;
	return 0;
}
