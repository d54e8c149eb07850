// SPDX-License-Identifier: GPL-2.0
/*
 * A file's units: which addresses each has, and its tables when one is asked for.
 *
 * Concepts: a unit's own entry lists the addresses of its code; .debug_aranges
 * helps where it does not. Units whose code lies elsewhere (link time
 * optimisation, partial units of dwz) are never walked. Most files and units
 * are read by our own reader (info.c, info_walk.c), at a fraction of the cost
 * and by many threads. What it does not know is read by libdw: a unit whose
 * entries are in a file of its own (split DWARF) has its addresses and lines
 * here; what dwz moved into a file that others share; odd and damaged files.
 * Contexts: report, when an object is first looked into; unit_read_early() also
 * in threads of parallel_for().
 * Locks: none; libdw takes one thread for each file.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/cache.h"
#include "symbol/dwarf.h"

static char *join_path(const char *dir, const char *path)
{
	return path[0] == '/' || !dir || !*dir ? str_dup(path) : str_printf("%s/%s", dir, path);
}

/* The path of a file, to be freed; NULL: there is no such file. */
static char *path_of_file(const struct unit_files *f, u64 index)
{
	const char *path, *dir;
	char *below, *whole;

	if (!f->own) {
		path = dwarf_filesrc(f->files, (size_t)index, NULL, NULL);
		return path ? join_path(f->directory, path) : NULL;
	}
	path = f->own[index].name;
	if (!path)
		return NULL;
	dir = f->own[index].dir < f->nr_dirs ? f->dirs[f->own[index].dir] : "";
	below = join_path(f->own[index].dir ? dir : "", path);
	whole = join_path(f->directory, below);
	free(below);
	return whole;
}

/* The number of a source file's path, or NO_TEXT. */
u32 unit_file(struct debug_info *d, struct unit_files *f, u64 index)
{
	char *path;

	if (index >= f->nr)
		return NO_TEXT;
	if (f->text[index])
		return f->text[index] - 1;
	path = path_of_file(f, index);
	if (path)
		f->text[index] = texts_add(&d->texts, path) + 1;
	free(path);
	return f->text[index] - 1;
}

static struct unit_files files_of(Dwarf_Die *top)
{
	struct unit_files f = { 0 };
	Dwarf_Attribute a;

	if (dwarf_getsrcfiles(top, &f.files, &f.nr))
		f.nr = 0;
	f.directory = dwarf_formstring(dwarf_attr(top, DW_AT_comp_dir, &a));
	f.text = mem_zalloc(f.nr, sizeof(*f.text));
	return f;
}

static void files_free(struct unit_files *f)
{
	free(f->text);
	free(f->own);
	free(f->dirs);
	*f = (struct unit_files){ 0 };
}

/* The rows as libdw has them, sorted by address. */
static void rows_of_libdw(struct debug_info *d, struct unit_tables *t, Dwarf_Die *top,
			  struct unit_files *f)
{
	Dwarf_Lines *lines;
	size_t nr, i, index;
	Dwarf_Files *files;

	if (dwarf_getsrclines(top, &lines, &nr))
		nr = 0;
	t->rows = mem_zalloc(nr, sizeof(*t->rows));
	for (i = 0; i < nr; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		struct row r = { .file = NO_TEXT };
		bool end = false;
		int line = 0, column = 0;
		Dwarf_Addr addr;

		if (dwarf_lineaddr(l, &addr))
			continue;
		r.addr = addr;
		dwarf_lineendsequence(l, &end);
		if (!end && !dwarf_line_file(l, &files, &index)) {
			dwarf_lineno(l, &line);
			dwarf_linecol(l, &column);
			r.file = unit_file(d, f, index);
			r.line = (u32)line;
			r.column = (u32)column;
		}
		if (t->nr_rows && t->rows[t->nr_rows - 1].addr == r.addr)
			t->nr_rows--;
		t->rows[t->nr_rows++] = r;
	}
	t->rows = mem_resize(t->rows, t->nr_rows, sizeof(*t->rows));
}

/* A row for each change of line, and the files they are in. */
static struct unit_files read_rows(struct debug_info *d, struct unit_tables *t, Dwarf_Die *top)
{
	struct unit_files f = { 0 };
	Dwarf_Attribute a;
	Dwarf_Word offset;

	f.directory = dwarf_formstring(dwarf_attr(top, DW_AT_comp_dir, &a));
	if (!dwarf_formudata(dwarf_attr(top, DW_AT_stmt_list, &a), &offset) &&
	    line_program_read(d, &d->file->info.sections, offset, &f, t))
		return f;
	files_free(&f);
	f = files_of(top);
	rows_of_libdw(d, t, top, &f);
	return f;
}

static void dwarf_file_close(struct dwarf_file *f)
{
	if (!f)
		return;
	dwarf_end(f->dw);
	info_close(&f->info);
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

static struct dwarf_file *dwarf_file_open(const char *path)
{
	struct dwarf_file *f = mem_zalloc(1, sizeof(*f));

	f->elf = elf_open(path, &f->fd);
	if (!f->elf)
		f->fd = -1;
	else
		f->ours = info_open(&f->info, f->elf);
	return f;
}

/* The file as libdw has it, opened when it is first needed; NULL: it cannot be. */
static Dwarf *file_of_libdw(struct dwarf_file *f)
{
	if (!f->dw && f->elf)
		f->dw = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	return f->dw;
}

/* Get ready for unit_read_early(), by one thread; how much there will be to read. */
u64 unit_prepare(struct debug_info *d, const struct unit *u)
{
	const struct info_unit *own;

	if (u->kept)
		return (u64)u->kept->nr_rows + u->kept->nr_nodes;
	if (!d->file)
		d->file = dwarf_file_open(d->path);
	own = d->file->ours ? info_unit_at(&d->file->info, u->offset) : NULL;
	return own ? own->end - own->offset : 0;
}

/*
 * Fill the unit's tables, if that can be done without libdw; threads may do so
 * with different units of a file at the same time.
 */
bool unit_read_early(struct debug_info *d, struct unit *u)
{
	const struct info_unit *own = NULL;
	struct unit_files f = { 0 };
	bool good;

	if (cached_unit_read(d, u))
		return u->ready = true;
	if (d->file && d->file->ours)
		own = info_unit_at(&d->file->info, u->offset);
	if (!own || own->entry != u->offset)
		return false;
	f.directory = own->directory;
	good = (!own->has_lines ||
		line_program_read(d, &d->file->info.sections, own->lines, &f, &u->t)) &&
	       info_walk(d, &d->file->info, own, &f, &u->t);
	files_free(&f);
	if (!good) {
		free(u->t.rows);
		u->t = (struct unit_tables){ 0 };
		return false;
	}
	__atomic_store_n(&d->units_new, true, __ATOMIC_RELAXED);
	return u->ready = true;
}

/* Fill the unit's tables. */
void unit_read(struct debug_info *d, struct unit *u)
{
	struct unit_files f;
	Dwarf_Die top, split;
	uint8_t kind;

	u->ready = cached_unit_read(d, u);
	if (u->ready)
		return;
	unit_prepare(d, u);
	if (unit_read_early(d, u))
		return;
	u->ready = true;
	d->units_new = true;
	if (!file_of_libdw(d->file) || !dwarf_offdie(d->file->dw, u->offset, &top))
		return;
	f = read_rows(d, &u->t, &top);
	split = top;
	if (!dwarf_cu_info(top.cu, NULL, &kind, NULL, &split, NULL, NULL, NULL) &&
	    kind == DW_UT_skeleton && split.addr) {
		/* entries there number files of their own */
		top = split;
		files_free(&f);
		f = files_of(&top);
	}
	unit_walk(d, &u->t, &top, &f);
	files_free(&f);
}

/* Addresses that .debug_aranges gives to units that list none themselves. */
static void ranges_of_aranges(struct debug_info *d, struct range_list *l, const bool *has)
{
	Dwarf_Aranges *all;
	Dwarf_Off offset;
	Dwarf_Word length;
	Dwarf_Addr start;
	struct num_map bare = { 0 };	/* offset of such a unit -> its number + 1 */
	void **at;
	size_t nr, i;
	u32 k;

	for (k = 0; k < d->nr_units; k++)
		if (!has[k])
			*num_map_at(&bare, d->units[k].offset) = (void *)(uintptr_t)(k + 1);
	if (!bare.nr || dwarf_getaranges(d->file->dw, &all, &nr))
		nr = 0;
	for (i = 0; i < nr; i++) {
		if (dwarf_getarangeinfo(dwarf_onearange(all, i), &start, &length, &offset))
			continue;
		at = num_map_get(&bare, offset);
		if (at)
			ranges_add(l, start, start + length, (u32)((uintptr_t)*at - 1), 0);
	}
	num_map_free(&bare, NULL);
}

/* All units that have code, and the table from addresses to them. */
static void list_units(struct debug_info *d)
{
	struct range_list l = { 0 };
	Dwarf_CU *cu = NULL;
	Dwarf_Die top;
	Dwarf_Half version;
	uint8_t kind;
	u32 room = 0;
	bool *has = NULL;

	while (!dwarf_get_units(d->file->dw, cu, &cu, &version, &kind, &top, NULL)) {
		Dwarf_Addr base, start, end;
		ptrdiff_t next = 0;

		if (kind == DW_UT_type || kind == DW_UT_split_type)
			continue;
		if (d->nr_units == room) {
			room = room ? room * 2 : 64;
			d->units = mem_resize(d->units, room, sizeof(*d->units));
			has = mem_resize(has, room, sizeof(*has));
		}
		has[d->nr_units] = false;
		while ((next = dwarf_ranges(&top, next, &base, &start, &end)) > 0) {
			ranges_add(&l, start, end, d->nr_units, 0);
			has[d->nr_units] = true;
		}
		d->units[d->nr_units++] = (struct unit){ .offset = dwarf_dieoffset(&top) };
	}
	ranges_of_aranges(d, &l, has);
	free(has);
	d->spans = ranges_flatten(&l, &d->nr_spans);
}

void debug_info_free(struct debug_info *d)
{
	u32 i;

	if (!d)
		return;
	for (i = 0; i < d->nr_units; i++) {
		if (d->units[i].t.borrowed)
			continue;
		free(d->units[i].t.spans);
		free(d->units[i].t.nodes);
		free(d->units[i].t.rows);
	}
	for (i = 0; i < d->nr_shown; i++)
		free(d->shown[i]);
	free(d->shown);
	free(d->units);
	free(d->spans);
	texts_free(&d->texts);
	num_map_free(&d->names, NULL);
	dwarf_file_close(d->file);
	free(d->path);
	free(d);
}

/* The debug information in this file; NULL, and why, when there is none. */
struct debug_info *debug_info_open(const char *path, char **why_not)
{
	struct debug_info *d = mem_zalloc(1, sizeof(*d));

	d->path = str_dup(path);
	d->file = dwarf_file_open(path);
	if (d->file->ours && info_list_units(d, &d->file->info))
		return d;
	d->file->ours = false;
	if (file_of_libdw(d->file)) {
		list_units(d);
		return d;
	}
	*why_not = str_printf("%s: %s", path, dwarf_errmsg(-1));
	debug_info_free(d);
	return NULL;
}
