// SPDX-License-Identifier: GPL-2.0
/*
 * The other files that debug information is in: those that dwz shared, and those
 * of split DWARF.
 *
 * Concepts: libdw would open both by itself, whatever they are, and map them: a
 * pipe would be waited for, and a file that is truncated would end the tool. So
 * they are opened here, as all files are that others name, and libdw is told. It
 * cannot be told of the file of a split unit: addresses there, which are numbers
 * of addresses in the main file, are looked up here (DWARF 5, 7.3.2; before, GNU's
 * extension of DWARF 4). Nor does it see to it that texts end where they are said
 * to be: that is done here, too.
 * Contexts: as dwarf_units.c.
 * Locks: none.
 */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/dwarf.h"

/*
 * Look up sections, which are bytes, or unpacked already by libdw; what is not there stays as it is. Of several with
 * the same name it is the first, which is libdw's choice, too; then false.
 */
bool sections_find(Elf *elf, const struct wanted_section *wanted, unsigned int nr)
{
	const char *name;
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	bool once = true;
	unsigned int i;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return true;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    (sh.sh_flags & SHF_COMPRESSED))
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		for (i = 0; name && i < nr; i++) {
			if (strcmp(name, wanted[i].name))
				continue;
			data = elf_rawdata(scn, NULL);
			if (!data || !data->d_buf)
				continue;
			once = once && !wanted[i].at->p;
			if (wanted[i].at->p)
				continue;
			*wanted[i].at = cursor_of(data->d_buf, data->d_size);
			wanted[i].at->swap = elf_is_swapped(elf);
		}
	}
	return once;
}

/* Is there one section of each kind of texts, which ends as texts do? See bounded_text() for those of entries. */
bool texts_end(Elf *elf)
{
	struct cursor found[3] = { 0 };
	const struct wanted_section wanted[] = {
		{ ".debug_str", &found[0] }, { ".debug_line_str", &found[1] }, { ".debug_str.dwo", &found[2] },
	};
	size_t i;

	if (!sections_find(elf, wanted, ARRAY_SIZE(wanted)))
		return false;
	for (i = 0; i < ARRAY_SIZE(found); i++)
		if (cursor_left(&found[i]) && found[i].end[-1])
			return false;
	return true;
}

/* The text of an entry's attribute; NULL: there is none, or it does not end. a may be NULL. */
const char *bounded_text(const struct entry_bytes *b, Dwarf_Attribute *a)
{
	const char *text = dwarf_formstring(a);
	const u8 *at = (const u8 *)text;
	size_t i;

	for (i = 0; text && i < ARRAY_SIZE(b->v); i++)
		if (at >= b->v[i].p && at < b->v[i].end && !memchr(at, 0, (size_t)(b->v[i].end - at)))
			return NULL;
	return text;
}

/* From the directory that the file lies in, where links have led to. To be freed. */
static char *path_beside(const char *file, const char *name)
{
	char *real, *path;

	if (name[0] == '/')
		return str_dup(name);
	real = realpath(file, NULL);
	path = str_printf("%s/%s", dirname(real ? real : (char[]){ "." }), name);
	free(real);
	return path;
}

/* ---- what dwz shared ---- */

/* An ELF file with as little debug information as libdw takes for some. */
static const struct {
	Elf64_Ehdr head;
	Elf64_Shdr sections[2];
	char names[32];
} no_debug = {
	.head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA_OWN, EV_CURRENT },
		.e_type = ET_REL, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 2, .e_shstrndx = 1,
	},
	/* the names, as the text that the name of their section is in, too */
	.sections[1] = {
		.sh_name = 1, .sh_type = SHT_STRTAB, .sh_size = sizeof(no_debug.names), .sh_addralign = 1,
		.sh_offset = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Shdr),
	},
	.names = "\0.debug_line",
};

static Elf *open_shared(const char *path, const void *id, size_t len, int *fd)
{
	const void *its;
	Elf *elf = path ? elf_open(path, fd) : NULL;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &its) : 0;

	if (elf && n > 0 && (size_t)n == len && !memcmp(its, id, len))
		return elf;
	if (elf) {
		elf_end(elf);
		close(*fd);
	}
	return NULL;
}

/* Open the file that dwz shared, where this one of a path refers to one. */
void shared_file_open(struct shared_file *s, Dwarf *dw, const char *path)
{
	const char *name;
	const void *id;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(dw, &name, &id);
	char *place;

	*s = (struct shared_file){ .fd = -1, .wanted = len > 0 };
	if (!s->wanted)
		return;
	place = debug_path_of_id(id, (size_t)len);
	s->elf = open_shared(place, id, (size_t)len, &s->fd);
	free(place);
	if (s->elf)
		return;
	place = path_beside(path, name);
	s->elf = open_shared(place, id, (size_t)len, &s->fd);
	free(place);
	if (!s->elf)
		s->fd = -1;
}

/* Tell dw of it; what stands for it there, to be ended after dw. Where it is not to be had, nothing is found in it. */
struct shared_dwarf shared_file_tell(const struct shared_file *s, Dwarf *dw)
{
	struct shared_dwarf d = { 0 };

	if (!s->wanted)
		return d;
	d.dw = s->elf ? dwarf_begin_elf(s->elf, DWARF_C_READ, NULL) : NULL;
	if (d.dw && !texts_end(s->elf)) {
		dwarf_end(d.dw);
		d.dw = NULL;
	}
	if (!d.dw) {
		d.none = elf_memory((char *)&no_debug, sizeof(no_debug));
		d.dw = dwarf_begin_elf(d.none, DWARF_C_READ, NULL);
	}
	dwarf_setalt(dw, d.dw);
	return d;
}

void shared_dwarf_end(struct shared_dwarf *d)
{
	dwarf_end(d->dw);
	elf_end(d->none);
}

void shared_file_close(struct shared_file *s)
{
	elf_end(s->elf);
	if (s->fd >= 0)
		close(s->fd);
}

/* ---- units that were split ---- */

/* Is the unit with this id there? It is s->top, then. */
static bool find_unit(struct split_unit *s, u64 id)
{
	Dwarf_CU *cu = NULL;
	uint8_t kind;
	uint64_t its;

	while (!dwarf_get_units(s->dw, cu, &cu, &s->version, &kind, NULL, NULL))
		if (kind == DW_UT_split_compile &&
		    !dwarf_cu_info(cu, NULL, NULL, &s->top, NULL, &its, &s->address_size, &s->offset_size) &&
		    its == id)
			return true;
	return false;
}

static bool try_split(struct split_unit *s, char *path, u64 id)
{
	s->elf = elf_open(path, &s->fd);
	free(path);
	if (!s->elf)
		return false;
	s->dw = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
	if (s->dw && texts_end(s->elf) && find_unit(s, id))
		return true;
	split_unit_close(s);
	return false;
}

static u64 number_in(Dwarf_Die *die, unsigned int name, unsigned int gnu_name)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (!dwarf_formudata(dwarf_attr(die, name, &a), &v) || !dwarf_formudata(dwarf_attr(die, gnu_name, &a), &v))
		return v;
	return 0;
}

/* What is read by hand: of the main file, from where the skeleton says, and of its own. */
static void find_tables(struct split_unit *s, const struct split_sections *main, Dwarf_Die *skeleton)
{
	const struct wanted_section own[] = {
		{ ".debug_info.dwo", &s->info }, { ".debug_types.dwo", &s->entries.v[1] },
		{ ".debug_rnglists.dwo", &s->ranges },
	};
	Dwarf_Addr base;

	sections_find(s->elf, own, s->version < 5 ? 2 : ARRAY_SIZE(own));
	s->entries.v[0] = s->info;
	s->addresses = main->addr;
	cursor_skip(&s->addresses, number_in(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base));
	if (s->version < 5) {
		s->ranges = main->ranges;
		cursor_skip(&s->ranges, number_in(skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base));
	}
	s->base = dwarf_lowpc(skeleton, &base) ? 0 : base;
}

/*
 * Open the file that has the entries of this skeleton, beside the main file or where the
 * compiler ran. false: it is not there.
 */
bool split_unit_open(struct split_unit *s, const struct dwarf_file *main, Dwarf_Die *skeleton)
{
	const char *name, *dir;
	Dwarf_Attribute a;
	uint64_t id;
	bool found;
	char *below;

	*s = (struct split_unit){ .fd = -1 };
	if (dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL))
		return false;
	name = bounded_text(&main->entries, dwarf_attr(skeleton, DW_AT_dwo_name, &a));
	if (!name)
		name = bounded_text(&main->entries, dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &a));
	if (!name)
		return false;
	dir = bounded_text(&main->entries, dwarf_attr(skeleton, DW_AT_comp_dir, &a));
	found = try_split(s, path_beside(main->path, name), id);
	if (!found && dir && name[0] != '/') {
		below = str_printf("%s/%s", dir, name);
		found = try_split(s, path_beside(main->path, below), id);
		free(below);
	}
	if (found)
		find_tables(s, &main->split, skeleton);
	return found;
}

void split_unit_close(struct split_unit *s)
{
	dwarf_end(s->dw);
	elf_end(s->elf);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct split_unit){ .fd = -1 };
}

static u64 address_read(const struct split_unit *s, struct cursor *c)
{
	return s->address_size == 4 ? cursor_u32(c) : cursor_u64(c);
}

/* The address of this number. false: there is none. */
static bool address_at(const struct split_unit *s, u64 number, u64 *addr)
{
	struct cursor c = s->addresses;

	if (number >= cursor_left(&c) / s->address_size)
		return false;
	cursor_skip(&c, number * s->address_size);
	*addr = address_read(s, &c);
	return true;
}

/* The bytes of an attribute and all that follow. */
static struct cursor bytes_of(const struct split_unit *s, const Dwarf_Attribute *a)
{
	struct cursor c = s->info;

	if (a->valp >= c.p && a->valp <= c.end)
		c.p = a->valp;
	else
		c.p = c.end;
	return c;
}

/* An attribute that is an address. */
static bool address_of(const struct split_unit *s, Dwarf_Attribute *a, u64 *addr)
{
	struct cursor c = bytes_of(s, a);
	Dwarf_Addr plain;
	u64 number;

	switch (a->form) {
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
		number = cursor_uleb(&c);
		break;
	case DW_FORM_addrx1:
		number = cursor_u8(&c);
		break;
	case DW_FORM_addrx2:
		number = cursor_u16(&c);
		break;
	case DW_FORM_addrx4:
		number = cursor_u32(&c);
		break;
	default:
		if (dwarf_formaddr(a, &plain))
			return false;
		*addr = plain;
		return true;
	}
	return !c.bad && address_at(s, number, addr);
}

/* Where code begins and ends, of an entry that has it in one piece. */
bool split_bounds(const struct split_unit *s, Dwarf_Attribute *low, Dwarf_Attribute *high, u64 *start, u64 *end)
{
	Dwarf_Word length;

	if (!address_of(s, low, start))
		return false;
	if (address_of(s, high, end))
		return true;
	if (dwarf_formudata(high, &length))
		return false;
	*end = *start + length;
	return true;
}

/* The list of this number, by the table behind the head of the section (DWARF 5, 7.28). */
static u64 offset_of_list(const struct split_unit *s, u64 number)
{
	struct cursor c = s->ranges;
	bool wide = cursor_u32(&c) == 0xffffffff;
	u64 base, size = wide ? 8 : 4;

	/* the length, the version, two sizes, and how many lists there are */
	cursor_skip(&c, (wide ? 8 : 0) + 4 + 4);
	base = (u64)(c.p - s->ranges.p);
	if (number >= cursor_left(&c) / size)
		return ~0ull;
	cursor_skip(&c, number * size);
	return base + (wide ? cursor_u64(&c) : cursor_u32(&c));
}

/* The ranges that this attribute stands for. */
struct split_list split_list_of(const struct split_unit *s, const Dwarf_Attribute *ranges)
{
	struct split_list l = { .left = s->ranges, .base = s->base };
	struct cursor c = bytes_of(s, ranges);

	if (ranges->form == DW_FORM_rnglistx)
		cursor_skip(&l.left, offset_of_list(s, cursor_uleb(&c)));
	else
		cursor_skip(&l.left, s->offset_size == 8 ? cursor_u64(&c) : cursor_u32(&c));
	return l;
}

/* The next of them, as versions before 5 have it: two addresses, of which the first may say that the base changes. */
static bool next_pair(const struct split_unit *s, struct split_list *l, u64 *start, u64 *end)
{
	u64 all_ones = s->address_size == 4 ? 0xffffffff : ~0ull;

	for (;;) {
		*start = address_read(s, &l->left);
		*end = address_read(s, &l->left);
		if (l->left.bad || (!*start && !*end))
			return false;
		if (*start != all_ones)
			break;
		l->base = *end;
	}
	*start += l->base;
	*end += l->base;
	return true;
}

/* One entry of version 5. false: no more, or not understood; *is_range: it is more than a new base. */
static bool take_entry(const struct split_unit *s, struct split_list *l, bool *is_range, u64 *start, u64 *end)
{
	struct cursor *c = &l->left;
	bool good = true;
	u8 kind = cursor_u8(c);

	*is_range = kind != DW_RLE_base_address && kind != DW_RLE_base_addressx;
	switch (kind) {
	case DW_RLE_base_addressx:
		good = address_at(s, cursor_uleb(c), &l->base);
		break;
	case DW_RLE_base_address:
		l->base = address_read(s, c);
		break;
	case DW_RLE_startx_endx:
		good = address_at(s, cursor_uleb(c), start);
		good = address_at(s, cursor_uleb(c), end) && good;
		break;
	case DW_RLE_startx_length:
		good = address_at(s, cursor_uleb(c), start);
		*end = *start + cursor_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*start = l->base + cursor_uleb(c);
		*end = l->base + cursor_uleb(c);
		break;
	case DW_RLE_start_end:
		*start = address_read(s, c);
		*end = address_read(s, c);
		break;
	case DW_RLE_start_length:
		*start = address_read(s, c);
		*end = *start + cursor_uleb(c);
		break;
	default:
		good = false;
	}
	return good && !c->bad;
}

/* The next of the ranges. false: there is none. */
bool split_list_next(const struct split_unit *s, struct split_list *l, u64 *start, u64 *end)
{
	bool is_range = false;

	if (s->version < 5)
		return next_pair(s, l, start, end);
	*start = *end = 0;
	while (!is_range)
		if (!take_entry(s, l, &is_range, start, end))
			return false;
	return true;
}
