// SPDX-License-Identifier: GPL-2.0
/*
 * A file's units: which addresses each has, and its tables when one is asked for.
 *
 * Concepts: a unit's own entry lists the addresses of its code; .debug_aranges
 * helps where it does not. Units whose code lies elsewhere (link time
 * optimisation, partial units of dwz) are never walked. A unit whose entries
 * are in a file of its own (split DWARF) has its addresses and lines here.
 * libdw takes one thread for each Dwarf: there is one for each thread that reads,
 * all of the same Elf, whose sections the first one unpacks.
 * Contexts: report, when an object is first looked into; unit_read() also in
 * threads of parallel_for(), each with units of its own.
 * Locks: that of struct dwarf_file, and within texts_add() that of the texts.
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

static struct unit_files files_of(const struct entry_bytes *entries, Dwarf_Die *top)
{
	struct unit_files f = { 0 };
	Dwarf_Attribute a;

	if (dwarf_getsrcfiles(top, &f.files, &f.nr))
		f.nr = 0;
	f.directory = bounded_text(entries, dwarf_attr(top, DW_AT_comp_dir, &a));
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
		struct line_row r = { .file = NO_TEXT };
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

	f.directory = bounded_text(&d->file->entries, dwarf_attr(top, DW_AT_comp_dir, &a));
	if (!dwarf_formudata(dwarf_attr(top, DW_AT_stmt_list, &a), &offset) &&
	    line_program_read(d, &d->file->lines, offset, &f, t))
		return f;
	files_free(&f);
	f = files_of(&d->file->entries, top);
	rows_of_libdw(d, t, top, &f);
	return f;
}

static void handle_close(struct dwarf_handle *h)
{
	dwarf_end(h->dw);
	shared_dwarf_end(&h->shared);
	num_map_free(&h->names, NULL);
	free(h);
}

static struct dwarf_handle *handle_open(struct dwarf_file *f)
{
	struct dwarf_handle *h;
	Dwarf *dw = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);

	if (!dw)
		return NULL;
	h = mem_zalloc(1, sizeof(*h));
	h->dw = dw;
	h->shared = shared_file_tell(&f->shared, dw);
	return h;
}

/* One that no other thread has; NULL: there can be none. */
static struct dwarf_handle *handle_take(struct dwarf_file *f)
{
	struct dwarf_handle *h;

	pthread_mutex_lock(&f->lock);
	h = f->idle;
	if (h)
		f->idle = h->next;
	else
		h = handle_open(f);
	pthread_mutex_unlock(&f->lock);
	return h;
}

static void handle_give(struct dwarf_file *f, struct dwarf_handle *h)
{
	pthread_mutex_lock(&f->lock);
	h->next = f->idle;
	f->idle = h;
	pthread_mutex_unlock(&f->lock);
}

static void dwarf_file_close(struct dwarf_file *f)
{
	struct dwarf_handle *h;

	if (!f)
		return;
	while ((h = f->idle) != NULL) {
		f->idle = h->next;
		handle_close(h);
	}
	shared_file_close(&f->shared);
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* What is read by hand; libdw has unpacked it. */
static void find_sections(struct dwarf_file *f)
{
	const struct wanted_section wanted[] = {
		{ ".debug_line", &f->lines.line }, { ".debug_line_str", &f->lines.line_str },
		{ ".debug_str", &f->lines.str }, { ".debug_addr", &f->split.addr },
		{ ".debug_ranges", &f->split.ranges },
		{ ".debug_info", &f->entries.v[0] }, { ".debug_types", &f->entries.v[1] },
	};
	const struct wanted_section shared[] = {
		{ ".debug_info", &f->entries.v[2] }, { ".debug_types", &f->entries.v[3] },
	};

	sections_find(f->elf, wanted, ARRAY_SIZE(wanted));
	if (f->shared.elf)
		sections_find(f->shared.elf, shared, ARRAY_SIZE(shared));
}

/* The path is to live as long as the file. */
static struct dwarf_file *dwarf_file_open(const char *path)
{
	struct dwarf_file *f = mem_zalloc(1, sizeof(*f));

	f->path = path;
	f->shared.fd = -1;
	pthread_mutex_init(&f->lock, NULL);
	f->elf = elf_open(path, &f->fd);
	if (!f->elf)
		f->fd = -1;
	else
		f->idle = handle_open(f);
	if (f->idle && texts_end(f->elf)) {
		shared_file_open(&f->shared, f->idle->dw, path);
		f->idle->shared = shared_file_tell(&f->shared, f->idle->dw);
		find_sections(f);
		return f;
	}
	dwarf_file_close(f);
	return NULL;
}

/* Get ready for unit_read() in many threads; about how much there will be to read. */
u64 unit_prepare(struct debug_info *d, const struct unit *u)
{
	if (u->kept)
		return (u64)u->kept->nr_rows + u->kept->nr_nodes;
	if (!d->file)
		d->file = dwarf_file_open(d->path);
	return u + 1 < d->units + d->nr_units ? u[1].offset - u->offset : 0;
}

/* Entries there number files of their own, where they have any. */
static void walk_split(struct debug_info *d, struct unit_tables *t, struct split_unit *split,
		       struct unit_files *skeletons)
{
	struct unit_files f = files_of(&split->entries, &split->top);
	/* its own: places in memory are of this file, which is closed then */
	struct num_map names = { 0 };

	if (!f.directory)
		f.directory = skeletons->directory;
	unit_walk(d, &names, t, &split->top, f.nr ? &f : skeletons, split);
	num_map_free(&names, NULL);
	files_free(&f);
}

static void unit_of_file(struct debug_info *d, struct dwarf_handle *h, struct unit *u)
{
	struct split_unit split;
	struct unit_files f;
	Dwarf_Die top;
	uint8_t kind;

	if (!dwarf_offdie(h->dw, u->offset, &top))
		return;
	f = read_rows(d, &u->t, &top);
	if (!dwarf_cu_info(top.cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL) && kind == DW_UT_skeleton &&
	    split_unit_open(&split, d->file, &top)) {
		walk_split(d, &u->t, &split, &f);
		split_unit_close(&split);
	} else {
		unit_walk(d, &h->names, &u->t, &top, &f, NULL);
	}
	files_free(&f);
}

/*
 * Fill the unit's tables; after unit_prepare(), threads may do so with different
 * units. One whose tables in the cache are damaged may have to be prepared anew.
 */
void unit_read(struct debug_info *d, struct unit *u)
{
	struct dwarf_handle *h;

	u->ready = cached_unit_read(d, u);
	if (u->ready || !d->file)
		return;
	__atomic_store_n(&d->units_new, true, __ATOMIC_RELAXED);
	h = handle_take(d->file);
	if (!h)
		return;
	unit_of_file(d, h, u);
	u->ready = true;
	handle_give(d->file, h);
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
	if (!bare.nr || dwarf_getaranges(d->file->idle->dw, &all, &nr))
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

	while (!dwarf_get_units(d->file->idle->dw, cu, &cu, &version, &kind, &top, NULL)) {
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

/* With nothing in it, of this file. */
struct debug_info *debug_info_new(const char *path)
{
	struct debug_info *d = mem_zalloc(1, sizeof(*d));

	texts_init(&d->texts);
	d->path = str_dup(path);
	return d;
}

/* The debug information in this file; NULL, and why, when there is none. */
struct debug_info *debug_info_open(const char *path, char **why_not)
{
	struct debug_info *d = debug_info_new(path);
	const char *why;

	d->file = dwarf_file_open(d->path);
	if (!d->file) {
		why = dwarf_errmsg(-1);
		*why_not = str_printf("%s: %s", path, why ? why : "its debug information is damaged");
		debug_info_free(d);
		return NULL;
	}
	list_units(d);
	return d;
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
	dwarf_file_close(d->file);
	free(d->path);
	free(d);
}
