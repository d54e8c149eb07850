// SPDX-License-Identifier: GPL-2.0
/*
 * The feature sections of a perf.data file, read.
 *
 * Concepts: features only help (names, build ids, where it was recorded); one
 * that is damaged is left out and the rest goes on.
 * Contexts: report.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "internal.h"
#include "data/read.h"

/* u32 length, then that many bytes with a zero among them. */
static const char *read_string(struct cursor *c)
{
	u32 n = cursor_u32(c);

	return cursor_text(c, n);
}

static void keep_string(char **to, struct cursor *c)
{
	const char *s = read_string(c);

	if (!c->bad && !*to)
		*to = str_dup(s);
}

static void read_hostname(struct pd_file *f, struct cursor c)
{
	keep_string(&f->hostname, &c);
}

static void read_osrelease(struct pd_file *f, struct cursor c)
{
	keep_string(&f->osrelease, &c);
}

static void read_arch(struct pd_file *f, struct cursor c)
{
	keep_string(&f->arch, &c);
}

static void read_cmdline(struct pd_file *f, struct cursor c)
{
	char *text = str_dup(""), *longer;
	u32 nr = cursor_u32(&c), i;

	for (i = 0; i < nr && !c.bad && i < 64; i++) {
		longer = str_printf("%s%s%s", text, i ? " " : "", read_string(&c));
		free(text);
		text = longer;
	}
	free(f->cmdline);
	f->cmdline = text;
}

/* Was it recorded on such a machine? Where the file does not tell, yes. */
bool pd_is_of_arch(const struct pd_file *f, const char *arch)
{
	return !f->arch || !strcmp(f->arch, arch);
}

/* On one like this? If not, what the kernel here shows of itself is not what was recorded. */
bool pd_is_of_own_arch(const struct pd_file *f)
{
	struct utsname u;

	return uname(&u) || pd_is_of_arch(f, u.machine);
}

/* Are callers in chains the addresses of calls? SPARC's are, which has those in %i7; elsewhere they are those behind. */
bool pd_chains_hold_calls(const struct pd_file *f)
{
	static const char family[] = "sparc";
	struct utsname u;
	const char *arch = f->arch;

	if (!arch)
		arch = uname(&u) ? "" : u.machine;
	return !strncmp(arch, family, sizeof(family) - 1);
}

/* The section of build ids, or one record of that form. */
void pd_read_build_ids(struct pd_file *f, struct cursor c)
{
	enum { HEADER_SIZE = 8, SIZE_AND_PAD = 4 };
	struct pd_build_id b;
	struct cursor rec;
	const char *name;
	u16 misc, size;

	while (cursor_left(&c) >= HEADER_SIZE) {
		cursor_u32(&c);
		misc = cursor_u16(&c);
		size = cursor_u16(&c);
		if (size < HEADER_SIZE)
			return;
		rec = cursor_part(&c, size - HEADER_SIZE);
		cursor_u32(&rec);
		cursor_bytes(&rec, b.id, sizeof(b.id));
		b.len = cursor_u8(&rec);
		cursor_skip(&rec, SIZE_AND_PAD - 1);
		name = cursor_text(&rec, cursor_left(&rec));
		if (!(misc & PD_MISC_BUILD_ID_SIZE))
			b.len = PD_BUILD_ID_MAX;
		if (rec.bad || !b.len || b.len > PD_BUILD_ID_MAX)
			continue;
		b.name = str_dup(name);
		f->build_ids = mem_resize(f->build_ids, f->nr_build_ids + 1, sizeof(b));
		f->build_ids[f->nr_build_ids++] = b;
	}
}

/* Of equal names the first of the file comes first. */
static int cmp_by_name(const void *a, const void *b)
{
	const struct pd_build_id *x = *(const struct pd_build_id *const *)a;
	const struct pd_build_id *y = *(const struct pd_build_id *const *)b;
	int d = strcmp(x->name, y->name);

	return d ? d : (x > y) - (x < y);
}

/* All are read, and stay where they are. */
static void sort_build_ids(struct pd_file *f)
{
	unsigned int i;

	f->by_name = mem_zalloc(f->nr_build_ids, sizeof(*f->by_name));
	for (i = 0; i < f->nr_build_ids; i++)
		f->by_name[i] = &f->build_ids[i];
	qsort(f->by_name, f->nr_build_ids, sizeof(*f->by_name), cmp_by_name);
}

static bool same_id(const struct pd_build_id *a, const struct pd_build_id *b)
{
	return a->len == b->len && !memcmp(a->id, b->id, a->len);
}

/* Is it one that another entry of this name had before? */
static bool id_was_told(const struct pd_file *f, unsigned int first, unsigned int at)
{
	unsigned int i;

	for (i = first; i < at; i++)
		if (same_id(f->by_name[i], f->by_name[at]))
			return true;
	return false;
}

/*
 * What the file tells of an object of this name; NULL: nothing. Where several files had the name, their build ids are in
 * the order in which their mappings appeared: number is how many of the name appeared before this one.
 */
const struct pd_build_id *pd_build_id_of(const struct pd_file *f, const char *name, unsigned int number)
{
	unsigned int lo = 0, hi = f->nr_build_ids, mid, i, nr = 0;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (strcmp(f->by_name[mid]->name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (i = lo; i < f->nr_build_ids && !strcmp(f->by_name[i]->name, name); i++)
		if (!id_was_told(f, lo, i) && nr++ == number)
			return f->by_name[i];
	return nr == 1 ? f->by_name[lo] : NULL;
}

static void read_event_desc(struct pd_file *f, struct cursor c)
{
	u32 nr = cursor_u32(&c), attr_size = cursor_u32(&c), ids, i;
	const char *name;

	if (nr != f->nr_events)
		return;
	for (i = 0; i < nr; i++) {
		cursor_skip(&c, attr_size);
		ids = cursor_u32(&c);
		name = read_string(&c);
		cursor_skip(&c, (u64)ids * sizeof(u64));
		if (c.bad)
			return;
		free(f->events[i].name);
		f->events[i].name = str_dup(name);
	}
}

static void (*const readers[PD_NR_FEATURES])(struct pd_file *f, struct cursor c) = {
	[PD_BUILD_ID] = pd_read_build_ids,
	[PD_HOSTNAME] = read_hostname,
	[PD_OSRELEASE] = read_osrelease,
	[PD_ARCH] = read_arch,
	[PD_CMDLINE] = read_cmdline,
	[PD_EVENT_DESC] = read_event_desc,
};

/* The table behind the data: where each feature lies. */
void pd_find_features(struct pd_file *f)
{
	u64 at = f->header.data.offset + f->header.data.size;
	struct cursor table = cursor_of(f->map + at, f->size - at);
	struct pd_section s;
	unsigned int i;

	table.swap = f->swap;
	for (i = 0; i < PD_NR_FEATURES; i++) {
		if (!(f->header.features[i / 64] >> i % 64 & 1))
			continue;
		s.offset = cursor_u64(&table);
		s.size = cursor_u64(&table);
		if (table.bad)
			return;
		if (s.offset > f->size || s.size > f->size - s.offset)
			continue;
		f->features[i] = cursor_of(f->map + s.offset, s.size);
		f->features[i].swap = f->swap;
	}
}

void pd_read_features(struct pd_file *f)
{
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURES; i++)
		if (readers[i] && f->features[i].p)
			readers[i](f, f->features[i]);
	sort_build_ids(f);
}
