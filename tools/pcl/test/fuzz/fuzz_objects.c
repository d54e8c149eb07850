// SPDX-License-Identifier: GPL-2.0
/*
 * Objects for fuzz targets: ELF files around sections of any bytes, and what must
 * hold of all that was read of an object.
 *
 * Concepts: readers promise more than not to crash: tables are in order, and
 * numbers in them are those of things that there are.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MAX_SECTIONS = 32 };

static void put(u8 *to, size_t room, size_t *at, const void *p, size_t n)
{
	if (n > room - *at)
		abort();
	memcpy(to + *at, p, n);
	*at = (*at + n + 7) & ~(size_t)7;
}

/* An ELF file with these sections, and with a build id; its size. */
size_t fuzz_elf(u8 *to, size_t room, const struct fuzz_section *v, unsigned int nr)
{
	static const struct {
		Elf64_Nhdr head;
		char name[4];
		char id[8];
	} note = { { 4, 8, NT_GNU_BUILD_ID }, "GNU", FUZZ_BUILD_ID };
	Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(eh), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_phoff = sizeof(eh),
		.e_shentsize = sizeof(Elf64_Shdr),
	};
	const Elf64_Phdr ph = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 1 << 20, .p_memsz = 1 << 20 };
	Elf64_Shdr sh[MAX_SECTIONS] = {
		[1] = { .sh_type = SHT_NOTE, .sh_offset = sizeof(eh) + sizeof(ph), .sh_size = sizeof(note), .sh_addralign = 4 },
	};
	char names[MAX_SECTIONS * 32] = "";
	size_t at = sizeof(eh) + sizeof(ph), name_at = 1;
	unsigned int i, n = 2;

	put(to, room, &at, &note, sizeof(note));
	for (i = 0; i < nr && n < MAX_SECTIONS - 1; i++, n++) {
		sh[n] = (Elf64_Shdr){ .sh_name = (u32)name_at, .sh_type = v[i].type ? v[i].type : SHT_PROGBITS,
				      .sh_addr = v[i].addr, .sh_offset = at, .sh_size = v[i].size, .sh_addralign = 1 };
		name_at += (size_t)snprintf(names + name_at, 32, "%s", v[i].name) + 1;
		put(to, room, &at, v[i].bytes, v[i].size);
	}
	sh[n] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = name_at, .sh_addralign = 1 };
	put(to, room, &at, names, name_at);
	eh.e_shstrndx = (u16)n;
	eh.e_shnum = (u16)(n + 1);
	eh.e_shoff = at;
	put(to, room, &at, sh, sizeof(*sh) * eh.e_shnum);
	memcpy(to, &eh, sizeof(eh));
	memcpy(to + sizeof(eh), &ph, sizeof(ph));
	return at;
}

static void want(bool holds)
{
	if (!holds)
		abort();
}

/* In order, each with a name, and found where they are. */
void fuzz_check_symbols(const struct symbols *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		want(!i || t->v[i].start > t->v[i - 1].start);
		want(t->v[i].name && symbol_name(&t->v[i]));
		if (t->v[i].end > t->v[i].start)
			want(symbols_find(t, t->v[i].start) == &t->v[i]);
	}
}

static void check_spans(const struct span *v, u32 nr, u32 nr_nodes)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		want(!i || v[i].start > v[i - 1].start);
		want(v[i].node == NO_NODE || v[i].node < nr_nodes);
	}
}

static void check_unit(const struct unit_tables *t, u32 nr_texts)
{
	u32 i;

	check_spans(t->spans, t->nr_spans, t->nr_nodes);
	for (i = 0; i < t->nr_nodes; i++) {
		want(t->nodes[i].parent == NO_NODE || t->nodes[i].parent < i);
		want(t->nodes[i].name == NO_TEXT || t->nodes[i].name < nr_texts);
		want(t->nodes[i].call_file == NO_TEXT || t->nodes[i].call_file < nr_texts);
	}
	for (i = 0; i < t->nr_rows; i++) {
		want(!i || t->rows[i].addr > t->rows[i - 1].addr);
		want(t->rows[i].file == NO_TEXT || t->rows[i].file < nr_texts);
	}
}

/* All units that were read, and all texts. */
void fuzz_check_debug(struct debug_info *d)
{
	u32 i;

	check_spans(d->spans, d->nr_spans, d->nr_units);
	for (i = 0; i < d->texts.nr; i++)
		want(strlen(d->texts.v[i]) < 1 << 24);
	for (i = 0; i < d->nr_units; i++)
		check_unit(&d->units[i].t, d->texts.nr);
}

/* Ask for frames all over the object. */
void fuzz_use_object(struct object *o)
{
	struct debug_info *d = object_debug(o);
	struct frame f[64];
	unsigned int i, n;
	u32 k;

	for (i = 0; i < o->symbols.nr && i < 256; i++)
		object_frames(o, o->symbols.v[i].start, f, ARRAY_SIZE(f));
	for (i = 0; d && i < d->nr_units; i++) {
		struct unit *u = &d->units[i];

		unit_prepare(d, u);
		if (!u->ready)
			unit_read(d, u);
		for (k = 0; k < u->t.nr_spans && k < 64; k++) {
			n = object_frames(o, u->t.spans[k].start, f, ARRAY_SIZE(f));
			want(n <= ARRAY_SIZE(f));
		}
	}
	if (d)
		fuzz_check_debug(d);
	fuzz_check_symbols(&o->symbols);
}
