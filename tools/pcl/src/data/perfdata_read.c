// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a perf.data file, ours or perf's.
 *
 * Concepts: the file is mapped whole; nothing in it is trusted, every offset
 * and size is held against the file's. Records are delivered in order of time,
 * because rings were written to the file one after the other.
 * Contexts: report.
 * Locks: none. A file that is cut while it is read ends the tool (SIGBUS).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "data/read.h"

/* One record, for sorting. */
struct record_ref {
	u64 time_ns;
	u64 offset;
};

static int damaged(const struct pd_file *f, const char *what)
{
	return complain("%s: %s; the file is damaged or was not written to its end", f->path,
			what);
}

static bool section_ok(const struct pd_file *f, const struct pd_section *s)
{
	return s->offset <= f->size && s->size <= f->size - s->offset;
}

static int check_header(struct pd_file *f)
{
	struct pd_header *h = &f->header;

	if (f->size < 16)
		return complain("%s: not a perf.data file (%llu bytes)", f->path,
				(unsigned long long)f->size);
	memcpy(h, f->map, f->size < sizeof(*h) ? f->size : sizeof(*h));
	if (!memcmp(h->magic, PD_MAGIC_SWAPPED, 8))
		return complain("%s: written on a machine of the other byte order; read it there",
				f->path);
	if (memcmp(h->magic, PD_MAGIC, 8))
		return complain("%s: not a perf.data file", f->path);
	if (h->size == 16)
		return complain("%s: written to a pipe (perf record -o -); that form is not read yet, 'perf inject -i FILE -o FILE2' converts it",
				f->path);
	if (h->size != PD_HEADER_SIZE || f->size < PD_HEADER_SIZE)
		return damaged(f, "the header has a wrong size");
	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct pd_section) ||
	    h->attr_size > 4096 || h->attr_size % 8)
		return damaged(f, "the attrs have a wrong size");
	if (!section_ok(f, &h->attrs) || !h->attrs.size || h->attrs.size % h->attr_size)
		return damaged(f, "the attrs section is wrong");
	if (h->data.offset > f->size)
		return damaged(f, "the data section lies behind the end");
	if (!h->data.size) {
		complain("note: %s: the recording was cut short; reading what is there", f->path);
		h->data.size = f->size - h->data.offset;
		memset(h->features, 0, sizeof(h->features));
	}
	if (!section_ok(f, &h->data))
		return damaged(f, "the data section is longer than the file");
	return 0;
}

static int cmp_id(const void *a, const void *b)
{
	const struct pd_id *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int read_event(struct pd_file *f, unsigned int i)
{
	u64 disk = f->header.attr_size - sizeof(struct pd_section), k;
	struct pd_event *e = &f->events[i];
	struct cursor c = cursor_of(f->map + f->header.attrs.offset + i * f->header.attr_size,
				    f->header.attr_size);
	struct pd_section ids;

	cursor_bytes(&c, &e->attr, disk < sizeof(e->attr) ? disk : sizeof(e->attr));
	if (disk > sizeof(e->attr))
		cursor_skip(&c, disk - sizeof(e->attr));
	cursor_bytes(&c, &ids, sizeof(ids));
	if (!section_ok(f, &ids) || ids.size % sizeof(u64))
		return damaged(f, "the ids of an event lie outside");
	c = cursor_of(f->map + ids.offset, ids.size);
	f->ids = mem_resize(f->ids, f->nr_ids + ids.size / 8, sizeof(*f->ids));
	for (k = 0; k < ids.size / 8; k++)
		f->ids[f->nr_ids++] = (struct pd_id){ cursor_u64(&c), i };
	return 0;
}

struct name_search {
	const struct perf_event_attr *attr;
	char name[64];
};

static void search_name(const struct event_name *n, void *arg)
{
	struct name_search *s = arg;

	if (!s->name[0] && n->type == s->attr->type && n->config == s->attr->config)
		snprintf(s->name, sizeof(s->name), "%s", n->name);
}

/* Names for the events that the file gives none. */
static void name_events(struct pd_file *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_events; i++) {
		struct name_search s = { .attr = &f->events[i].attr };

		if (f->events[i].name)
			continue;
		event_names_walk(search_name, &s);
		if (!s.name[0])
			snprintf(s.name, sizeof(s.name), "type %u config 0x%llx", s.attr->type,
				 (unsigned long long)s.attr->config);
		f->events[i].name = str_dup(s.name);
	}
}

/* With several events, the place of the id must be the same in all records. */
static int check_events(struct pd_file *f)
{
	const struct perf_event_attr *first = &f->events[0].attr, *a;
	u64 mask = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID;
	unsigned int i;

	for (i = 0; i < f->nr_events; i++) {
		a = &f->events[i].attr;
		if (a->sample_id_all != first->sample_id_all ||
		    sample_trailer_size(a) != sample_trailer_size(first))
			return complain("%s: its events differ in the trailer of records; that cannot be read",
					f->path);
		if (f->nr_events > 1 && (!(a->sample_type & mask) ||
		    (a->sample_type & mask) != (first->sample_type & mask)))
			return complain("%s: its samples do not say which event they are of",
					f->path);
		if (f->nr_events > 1 && !(a->sample_type & PERF_SAMPLE_IDENTIFIER) &&
		    a->sample_type != first->sample_type)
			return complain("%s: its events differ in the layout of samples, and samples carry no identifier",
					f->path);
	}
	return 0;
}

static int read_events(struct pd_file *f)
{
	unsigned int i;

	if (f->header.attrs.size / f->header.attr_size > 100000)
		return damaged(f, "there are too many events");
	f->nr_events = (unsigned int)(f->header.attrs.size / f->header.attr_size);
	f->events = mem_zalloc(f->nr_events, sizeof(*f->events));
	for (i = 0; i < f->nr_events; i++)
		if (read_event(f, i))
			return -1;
	if (f->nr_ids)
		qsort(f->ids, f->nr_ids, sizeof(*f->ids), cmp_id);
	return check_events(f);
}

/* Open and check; on error the file is closed again and the error told. */
int pd_open(struct pd_file *f, const char *path)
{
	struct stat st;
	void *p;
	int fd;

	memset(f, 0, sizeof(*f));
	f->path = path;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		complain("%s: %s%s", path, strerror(errno),
			 errno == ENOENT ? "; 'pcl record' writes one" : "");
		goto close_fd;
	}
	if (!S_ISREG(st.st_mode)) {
		complain("%s: not a file", path);
		goto close_fd;
	}
	f->size = (u64)st.st_size;
	p = f->size ? mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (p == MAP_FAILED) {
		complain("%s: %s", path, f->size ? strerror(errno) : "the file is empty");
		goto close_fd;
	}
	close(fd);
	f->map = p;
	if (check_header(f) || read_events(f)) {
		pd_close(f);
		return -1;
	}
	pd_read_features(f);
	name_events(f);
	return 0;

close_fd:
	if (fd >= 0)
		close(fd);
	return -1;
}

void pd_close(struct pd_file *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_events; i++)
		free(f->events[i].name);
	for (i = 0; i < f->nr_build_ids; i++)
		free(f->build_ids[i].name);
	free(f->events);
	free(f->ids);
	free(f->build_ids);
	free(f->hostname);
	free(f->osrelease);
	free(f->arch);
	free(f->cmdline);
	if (f->map)
		munmap((void *)f->map, f->size);
	memset(f, 0, sizeof(*f));
}

/* The event that an id belongs to, or -1. One event needs no id. */
int pd_event_of_id(const struct pd_file *f, u64 id)
{
	struct pd_id key = { .id = id }, *found = NULL;

	if (f->nr_ids)
		found = bsearch(&key, f->ids, f->nr_ids, sizeof(key), cmp_id);
	if (found)
		return (int)found->event;
	return f->nr_events == 1 ? 0 : -1;
}

static int cmp_ref(const void *a, const void *b)
{
	const struct record_ref *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Bytes that follow a record outside of its own size. */
static u64 bytes_behind(const struct pd_file *f, u64 at, const struct perf_event_header *h)
{
	struct cursor c = cursor_of(f->map + at + sizeof(*h), h->size - sizeof(*h));

	return h->type == PD_RECORD_AUXTRACE ? cursor_u64(&c) : 0;
}

static int index_records(struct pd_file *f, struct record_ref **refs, u64 *nr)
{
	u64 at = f->header.data.offset, end = at + f->header.data.size, room = 0, behind;
	struct perf_event_header h;

	for (; at < end; at += h.size + behind) {
		if (end - at < sizeof(h))
			return damaged(f, "the last record is cut");
		memcpy(&h, f->map + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > end - at)
			return damaged(f, "a record has an impossible size");
		if (h.type == PD_RECORD_COMPRESSED || h.type == PD_RECORD_COMPRESSED2)
			return complain("%s: it is compressed (perf record -z), which is not read yet",
					f->path);
		behind = bytes_behind(f, at, &h);
		if (behind > end - at - h.size)
			return damaged(f, "a trace reaches behind the end");
		if (*nr == room) {
			room = room ? room * 2 : 1024;
			*refs = mem_resize(*refs, room, sizeof(**refs));
		}
		(*refs)[(*nr)++] = (struct record_ref){
			.time_ns = record_time(f, &h, cursor_of(f->map + at + sizeof(h),
								h.size - sizeof(h))),
			.offset = at,
		};
	}
	return 0;
}

/* Call fn for each record in order of time, until it returns not 0. */
int pd_walk(struct pd_file *f,
	    int (*fn)(struct pd_file *f, const struct perf_event_header *h,
		      struct cursor body, void *arg), void *arg)
{
	struct record_ref *refs = NULL;
	struct perf_event_header h;
	u64 nr = 0, i;
	int ret;

	ret = index_records(f, &refs, &nr);
	if (!ret && nr)
		qsort(refs, nr, sizeof(*refs), cmp_ref);
	for (i = 0; i < nr && !ret; i++) {
		const u8 *p = f->map + refs[i].offset;

		if (!(i & 0xfff))
			progress_update("reading", i, nr);
		memcpy(&h, p, sizeof(h));
		ret = fn(f, &h, cursor_of(p + sizeof(h), h.size - sizeof(h)), arg);
	}
	progress_end();
	free(refs);
	return ret;
}
