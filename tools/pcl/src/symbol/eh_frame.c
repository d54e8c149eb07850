// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of stripped objects, from the table of unwind information.
 *
 * Concepts: the segment PT_GNU_EH_FRAME has a sorted table with the start of
 * each function that can be unwound (Linux Standard Base, Core, "Exception
 * Frames", .eh_frame_hdr). It stays when symbols are stripped, so functions
 * can be told apart, and are named by their addresses.
 * Contexts: report, when an object without a full symbol table is loaded.
 * Locks: none.
 */
#include <gelf.h>
#include <limits.h>

#include "internal.h"
#include "symbol/symbol.h"

/* Pointer encodings of the DWARF exception header, the two that linkers write. */
enum { PE_UDATA4 = 0x03, PE_DATAREL_SDATA4 = 0x3b };

static bool find_segment(Elf *elf, GElf_Phdr *ph)
{
	size_t nr = 0, i;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr && i < INT_MAX; i++)
		if (gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

/* Size of the pointer to .eh_frame that precedes the count; 0: not understood. */
static size_t frame_pointer_size(u8 encoding)
{
	switch (encoding & 0x0f) {
	case 0x03:	/* udata4 */
	case 0x0b:	/* sdata4 */
		return 4;
	case 0x04:	/* udata8 */
	case 0x0c:	/* sdata8 */
		return 8;
	default:
		return 0;
	}
}

/* Add a symbol "func@ADDRESS" for each function of the table. */
void eh_frame_add(struct symbols *t, Elf *elf)
{
	Elf_Data *data;
	GElf_Phdr ph;
	struct cursor c;
	u8 head[4];
	char name[32];
	u32 nr, i;

	if (!find_segment(elf, &ph))
		return;
	data = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return;
	c = cursor_of(data->d_buf, data->d_size);
	c.swap = elf_is_swapped(elf);
	cursor_bytes(&c, head, sizeof(head));
	if (head[0] != 1 || !frame_pointer_size(head[1]) || head[2] != PE_UDATA4 ||
	    head[3] != PE_DATAREL_SDATA4)
		return;
	cursor_skip(&c, frame_pointer_size(head[1]));
	nr = cursor_u32(&c);
	for (i = 0; i < nr && cursor_left(&c) >= 8; i++) {
		u64 start = ph.p_vaddr + (u64)(s64)(s32)cursor_u32(&c);

		cursor_u32(&c);		/* where its unwind description is */
		snprintf(name, sizeof(name), "func@0x%llx", (unsigned long long)start);
		symbols_add(t, start, 0, name);
	}
}
