// SPDX-License-Identifier: GPL-2.0
/*
 * The sections of a file that debug information is in, unpacked where they are
 * compressed.
 *
 * Concepts: only those that are needed here, which is a half of all; each is
 * unpacked for itself, so by a thread of its own.
 * Contexts: report, when an object is first looked into.
 * Locks: none; each thread has a section.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "internal.h"
#include "symbol/info.h"

static const char *const names[NR_SECTIONS] = {
	[SECTION_INFO] = ".debug_info", [SECTION_ABBREV] = ".debug_abbrev",
	[SECTION_LINE] = ".debug_line", [SECTION_STR] = ".debug_str",
	[SECTION_LINE_STR] = ".debug_line_str", [SECTION_STR_OFFSETS] = ".debug_str_offsets",
	[SECTION_ADDR] = ".debug_addr", [SECTION_RANGES] = ".debug_ranges",
	[SECTION_RNGLISTS] = ".debug_rnglists", [SECTION_ARANGES] = ".debug_aranges",
};

/* Work that is still to be done. */
struct packing {
	struct sections *s;
	struct {
		enum section which;
		struct cursor bytes;
		size_t size;	/* when it is unpacked */
		bool bad;
	} v[NR_SECTIONS];
	u32 nr;
};

static void unpack(u32 i, void *arg)
{
	struct packing *p = arg;
	struct cursor *c = &p->v[i].bytes;
	uLongf size = p->v[i].size;
	void *to = malloc(size ? size : 1);

	if (!to || uncompress(to, &size, c->p, cursor_left(c)) != Z_OK || size != p->v[i].size) {
		p->v[i].bad = true;
		free(to);
		return;
	}
	p->s->unpacked[p->v[i].which] = to;
	p->s->at[p->v[i].which].p = to;
	p->s->at[p->v[i].which].end = (u8 *)to + size;
}

/* A compressed section. false: not a way that is known here. */
static bool put_aside(struct packing *p, Elf *elf, Elf_Scn *scn, enum section which,
		      struct cursor bytes)
{
	/* zlib makes nothing smaller than by this */
	enum { MOST_RATIO = 1032 };
	GElf_Chdr ch;
	u32 i;

	for (i = 0; i < p->nr; i++)
		if (p->v[i].which == which)
			return false;
	if (!gelf_getchdr(scn, &ch) || ch.ch_type != ELFCOMPRESS_ZLIB)
		return false;
	cursor_skip(&bytes, gelf_fsize(elf, ELF_T_CHDR, 1, EV_CURRENT));
	if (bytes.bad || ch.ch_size / MOST_RATIO > cursor_left(&bytes))
		return false;
	p->v[p->nr].which = which;
	p->v[p->nr].bytes = bytes;
	p->v[p->nr++].size = ch.ch_size;
	return true;
}

static bool take_section(struct packing *p, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	struct cursor *at, bytes;
	Elf_Data *data;
	u32 i;

	for (i = 0; i < NR_SECTIONS && strcmp(name, names[i]); i++)
		;
	if (i == NR_SECTIONS)
		return true;
	at = &p->s->at[i];
	data = elf_rawdata(scn, NULL);
	if (data && !data->d_size)
		return true;
	if (at->p || !data || !data->d_buf)
		return false;
	bytes = *at;
	bytes.p = data->d_buf;
	bytes.end = bytes.p + data->d_size;
	if (sh->sh_flags & SHF_COMPRESSED)
		return put_aside(p, elf, scn, (enum section)i, bytes);
	*at = bytes;
	return true;
}

/* All of them; sections_close() in any case. false: there is one that cannot be read here. */
bool sections_open(struct sections *s, Elf *elf)
{
	const char *ident = elf_getident(elf, NULL), *name;
	struct packing p = { .s = s };
	Elf_Scn *scn = NULL;
	bool good = true;
	const u16 one = 1;
	size_t texts;
	GElf_Shdr sh;
	u32 i;

	if (!ident || elf_getshdrstrndx(elf, &texts))
		return false;
	for (i = 0; i < NR_SECTIONS; i++)
		s->at[i].swap = (ident[EI_DATA] == ELFDATA2LSB) != *(const u8 *)&one;
	while (good && (scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, texts, sh.sh_name);
		good = !name || take_section(&p, elf, scn, &sh, name);
	}
	if (!good)
		return false;
	parallel_for(p.nr, unpack, &p);
	for (i = 0; i < p.nr; i++)
		good = good && !p.v[i].bad;
	return good;
}

void sections_close(struct sections *s)
{
	u32 i;

	for (i = 0; i < NR_SECTIONS; i++)
		free(s->unpacked[i]);
	*s = (struct sections){ 0 };
}

/* The bytes of a section from this offset on; bad when it is not in there. */
struct cursor section_from(const struct sections *s, enum section which, u64 offset)
{
	struct cursor c = s->at[which];

	cursor_skip(&c, offset);
	return c;
}

/* "" when it is not there. */
const char *section_text(const struct sections *s, enum section which, u64 offset)
{
	struct cursor c = section_from(s, which, offset);

	return cursor_string(&c);
}
