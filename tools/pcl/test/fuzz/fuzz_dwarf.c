// SPDX-License-Identifier: GPL-2.0
/*
 * Debug information of any bytes in a sound ELF file: units, entries, lines.
 *
 * Concepts: the input is pieces: a byte that says which section of which file, a
 * length, bytes. There are three files: the object, that of its split units,
 * and the one that it shares with others.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { OBJECT, SPLIT, SHARED, NR_FILES, NR_SECTIONS = 16 };

static const char *const section_names[NR_SECTIONS] = {
	".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str", ".debug_str", ".debug_str_offsets",
	".debug_addr", ".debug_rnglists", ".debug_ranges", ".debug_aranges", ".debug_types", ".debug_loc",
	".debug_loclists", ".debug_macro", ".debug_names", ".debug_cu_index",
};

static const char *const file_names[NR_FILES] = { "/object", "*.dwo", "/shared" };

struct pieces {
	struct fuzz_section v[NR_SECTIONS + 1];
	char names[NR_SECTIONS][32];
	unsigned int nr;
};

static void take_pieces(struct cursor *c, struct pieces *files)
{
	while (cursor_left(c) > 3) {
		u8 which = cursor_u8(c);
		struct pieces *p = &files[(which >> 4) % NR_FILES];
		struct cursor part = cursor_part(c, cursor_u16(c));

		if (p->nr == NR_SECTIONS)
			continue;
		snprintf(p->names[p->nr], sizeof(p->names[0]), "%s%s", section_names[which % NR_SECTIONS],
			 p == &files[SPLIT] ? ".dwo" : "");
		p->v[p->nr] = (struct fuzz_section){ p->names[p->nr], part.p, cursor_left(&part), 0 };
		p->nr++;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const u8 link[] = "/shared\0" FUZZ_BUILD_ID;
	static u8 elf[1 << 18];
	struct object *o = mem_zalloc(1, sizeof(*o));
	struct pieces files[NR_FILES] = { 0 };
	struct cursor c = cursor_of(data, size);
	unsigned int i;

	if (size > 1 << 16) {
		free(o);
		return 0;
	}
	take_pieces(&c, files);
	if (files[SHARED].nr)
		files[OBJECT].v[files[OBJECT].nr++] =
			(struct fuzz_section){ ".gnu_debugaltlink", link, sizeof(link) - 1, 0 };
	for (i = 0; i < NR_FILES; i++) {
		if (files[i].nr)
			fuzz_named_file(file_names[i], elf, fuzz_elf(elf, sizeof(elf), files[i].v, files[i].nr));
		else
			fuzz_no_file(file_names[i]);
	}
	o->name = str_dup("/object");
	o->debug_tried = true;
	o->debug = debug_info_open(o->name, &o->debug_note);
	if (o->debug)
		fuzz_use_object(o);
	free(o->name);
	object_free(o);
	return 0;
}
