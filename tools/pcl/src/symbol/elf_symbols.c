// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of ELF objects: the mapped file, or its separate debug file.
 *
 * Concepts: code is mapped by file offset; symbols are by virtual address; the
 * load segments join the two. A full table (.symtab) of the file or of the
 * debug file named by build id or debug link is better than .dynsym.
 * Contexts: report, when an object is first looked into.
 * Locks: none.
 */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/cache.h"

static void read_segments(struct object *o, Elf *elf)
{
	size_t nr = 0, i;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && i < 4096; i++) {
		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_LOAD)
			continue;
		o->segments = mem_resize(o->segments, o->nr_segments + 1, sizeof(*o->segments));
		o->segments[o->nr_segments++] = (struct segment){
			.offset = ph.p_offset, .size = ph.p_filesz, .vaddr = ph.p_vaddr,
		};
	}
}

/* The address that the object's symbols give to this place of the file. */
u64 object_address(const struct object *o, u64 file_offset)
{
	unsigned int i;

	for (i = 0; i < o->nr_segments; i++)
		if (file_offset >= o->segments[i].offset &&
		    file_offset - o->segments[i].offset < o->segments[i].size)
			return file_offset - o->segments[i].offset + o->segments[i].vaddr;
	return file_offset;
}

static unsigned int binding_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_WEAK:
		return SYMBOL_WEAK;
	case STB_LOCAL:
		return SYMBOL_LOCAL;
	default:
		return SYMBOL_GLOBAL;
	}
}

static bool is_code(Elf *elf, unsigned int section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_EXECINSTR;
}

/* Functions, and labels in code that assembly gave neither type nor size. */
static bool is_function(Elf *elf, const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		return GELF_ST_BIND(sym->st_info) == STB_GLOBAL ||
		       (!sym->st_size && sym->st_shndx < SHN_LORESERVE &&
			is_code(elf, sym->st_shndx));
	}
	return false;
}

/* Labels of compilers and their plugins, of which people know nothing. */
static bool is_internal(const char *name)
{
	return *name == '.' || *name == '$';
}

/* Add the functions of each symbol table of this kind; how many there were. */
static unsigned int read_table(struct object *o, Elf *elf, GElf_Word kind)
{
	unsigned int before = o->symbols.nr;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;
	Elf_Data *data;
	const char *name;
	size_t i;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != kind || !sh.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; data && i < data->d_size / sh.sh_entsize && i < INT_MAX; i++) {
			if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF)
				continue;
			if (!is_function(elf, &sym))
				continue;
			name = elf_strptr(elf, sh.sh_link, sym.st_name);
			if (!name || !*name || is_internal(name))
				continue;
			symbols_add(&o->symbols, sym.st_value, sym.st_size, name);
			symbols_bind(&o->symbols, binding_of(&sym));
		}
	}
	return o->symbols.nr - before;
}

/* The full table of the separate debug file. */
static unsigned int read_debug_file(struct object *o, Elf *elf)
{
	char *path = debug_file_find(o->name, elf);
	unsigned int n = 0;
	Elf *debug;
	int fd;

	debug = path ? elf_open(path, &fd) : NULL;
	if (debug) {
		n = read_table(o, debug, SHT_SYMTAB);
		elf_end(debug);
		close(fd);
	}
	if (n)
		o->symbols_path = path;
	else
		free(path);
	return n;
}

static void load_vdso(struct object *o)
{
	size_t size;
	const u8 *image = vdso_image(&size);
	Elf *elf = image ? elf_memory((char *)image, size) : NULL;

	if (!elf) {
		o->note = str_dup("no vdso here");
		return;
	}
	read_segments(o, elf);
	read_table(o, elf, SHT_DYNSYM);
	elf_end(elf);
}

static bool is_the_recorded_build(struct object *o)
{
	u8 id[PD_BUILD_ID_MAX];
	int len;

	if (!o->build_id_len)
		return true;
	len = build_id_of_file(o->name, id);
	if (len == o->build_id_len && !memcmp(id, o->build_id, (size_t)len))
		return true;
	o->distrusted = true;
	o->note = str_dup(len ? "the file is of another build than when it was recorded" :
			  "the file is not there any more");
	return false;
}

/* What the cache is keyed by. */
static void note_id(struct object *o, Elf *elf)
{
	const void *bits;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &bits);

	if (len < 8 || len > PD_BUILD_ID_MAX)
		return;
	memcpy(o->file_id, bits, (size_t)len);
	o->file_id_len = (u8)len;
}

static void read_symbols(struct object *o, Elf *elf)
{
	if (read_table(o, elf, SHT_SYMTAB)) {
		o->symbols_path = str_dup(o->name);
	} else if (!read_debug_file(o, elf)) {
		read_table(o, elf, SHT_DYNSYM);
		eh_frame_add(&o->symbols, elf);
		o->note = str_dup("stripped, and no debug file is installed; functions without a name are shown by their address");
	}
	plt_add(o, elf);
	o->symbols_new = true;
	symbols_settle(&o->symbols);
}

/* Load what symbols the object has; o->note says why when there are none. */
void elf_symbols_load(struct object *o)
{
	Elf *elf;
	int fd;

	elf_version(EV_CURRENT);
	if (!strcmp(o->name, "[vdso]")) {
		if (o->foreign)
			o->note = str_dup("it is another machine's vdso");
		else
			load_vdso(o);
		symbols_settle(&o->symbols);
		return;
	}
	if (o->name[0] != '/' || o->name[1] == '/')
		return;		/* [heap], [stack], //anon: no file behind it */
	if (!is_the_recorded_build(o))
		return;
	elf = elf_open(o->name, &fd);
	if (!elf) {
		o->note = str_dup("the file cannot be read as ELF");
		return;
	}
	read_segments(o, elf);
	note_id(o, elf);
	if (!symbol_cache_load(o, elf))
		read_symbols(o, elf);
	elf_end(elf);
	close(fd);
}
