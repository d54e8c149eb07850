// SPDX-License-Identifier: GPL-2.0
/*
 * Names for the stubs through which an object calls others: name@plt.
 *
 * Concepts: a stub jumps to where a word of the global offset table points, and
 * a relocation says for which symbol the linker fills that word in. On x86 the
 * word is read from the jump itself, so it does not matter how many kinds of
 * stubs there are and in which order; on arm64 stubs come in the order of the
 * relocations, behind a head of two.
 * Contexts: report, when an object is first looked into.
 * Locks: none.
 */
#include <gelf.h>
#include <limits.h>
#include <string.h>

#include "internal.h"
#include "symbol/debug.h"

enum { STUB = 16 };

/* The names of the words, by their addresses; texts are the file's. */
struct got {
	struct num_map at;
	Elf *elf;
};

static const char *symbol_of(Elf *elf, Elf_Scn *symbols, size_t i)
{
	Elf_Data *data = elf_getdata(symbols, NULL);
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || i > INT_MAX || !gelf_getshdr(symbols, &sh) || !gelf_getsym(data, (int)i, &sym))
		return NULL;
	return elf_strptr(elf, sh.sh_link, sym.st_name);
}

static void read_relocations(struct got *g, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *symbols = elf_getscn(g->elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Rela r;
	size_t i;

	if (!symbols || !data || !sh->sh_entsize)
		return;
	for (i = 0; i < data->d_size / sh->sh_entsize && i < INT_MAX; i++) {
		if (!gelf_getrela(data, (int)i, &r) || !GELF_R_SYM(r.r_info))
			continue;
		name = symbol_of(g->elf, symbols, GELF_R_SYM(r.r_info));
		if (name && *name)
			*num_map_at(&g->at, r.r_offset) = (void *)name;
	}
}

/* Where the word is that this stub jumps to by; 0: it does not look like one. */
static u64 word_of_stub(const u8 *code, u64 addr)
{
	unsigned int i;
	u32 distance;

	/* jmp *distance(%rip), perhaps behind endbr64 and a bnd prefix */
	for (i = 0; i + 6 <= STUB; i++) {
		if (code[i] != 0xff || code[i + 1] != 0x25)
			continue;
		distance = code[i + 2] | code[i + 3] << 8 | code[i + 4] << 16 | (u32)code[i + 5] << 24;
		return addr + i + 6 + (u64)(s64)(s32)distance;
	}
	return 0;
}

static void name_stub(struct object *o, u64 addr, u64 size, const char *target)
{
	char name[512];

	snprintf(name, sizeof(name), "%s@plt", target);
	symbols_add(&o->symbols, addr, size, name);
}

static void x86_stubs(struct object *o, struct got *g, Elf_Data *data, const GElf_Shdr *sh)
{
	/* .plt.got and some others have stubs of half the size */
	u64 step = sh->sh_entsize == 8 || sh->sh_entsize == 16 ? sh->sh_entsize : STUB, at;
	u8 code[STUB];
	void **name;

	for (at = 0; at + step <= data->d_size; at += step) {
		memset(code, 0, sizeof(code));
		memcpy(code, (const u8 *)data->d_buf + at, step);
		name = num_map_get(&g->at, word_of_stub(code, sh->sh_addr + at));
		if (name)
			name_stub(o, sh->sh_addr + at, step, *name);
	}
}

static void arm64_stubs(struct object *o, Elf *elf, Elf_Scn *plt, const GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL, *symbols;
	Elf_Data *data;
	GElf_Shdr rsh;
	GElf_Rela r;
	const char *name;
	size_t i;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &rsh) || rsh.sh_type != SHT_RELA || !rsh.sh_entsize ||
		    rsh.sh_info != elf_ndxscn(plt))
			continue;
		data = elf_getdata(scn, NULL);
		symbols = elf_getscn(elf, rsh.sh_link);
		for (i = 0; data && symbols && i < data->d_size / rsh.sh_entsize && i < INT_MAX; i++) {
			if ((i + 3) * STUB > sh->sh_size || !gelf_getrela(data, (int)i, &r))
				break;
			name = symbol_of(elf, symbols, GELF_R_SYM(r.r_info));
			if (name && *name)
				name_stub(o, sh->sh_addr + (i + 2) * STUB, STUB, name);
		}
	}
}

/* Add a symbol for each stub that can be told. */
void plt_add(struct object *o, Elf *elf)
{
	struct got g = { .elf = elf };
	Elf_Scn *scn = NULL;
	size_t names;
	Elf_Data *data;
	const char *name;
	GElf_Ehdr eh;
	GElf_Shdr sh;

	if (!gelf_getehdr(elf, &eh) || elf_getshdrstrndx(elf, &names))
		return;
	while (eh.e_machine == EM_X86_64 && (scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && (sh.sh_flags & SHF_ALLOC))
			read_relocations(&g, scn, &sh);
	scn = NULL;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		if (!name || strncmp(name, ".plt", 4))
			continue;
		data = elf_getdata(scn, NULL);
		if (eh.e_machine == EM_AARCH64 && !strcmp(name, ".plt"))
			arm64_stubs(o, elf, scn, &sh);
		else if (eh.e_machine == EM_X86_64 && data && data->d_buf)
			x86_stubs(o, &g, data, &sh);
	}
	num_map_free(&g.at, NULL);
}
