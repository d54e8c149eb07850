// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a recording: their attrs, ids and names.
 *
 * Concepts: an attr may be shorter or longer than ours (its size grew with the
 * kernel's versions); what it lacks is 0, what we do not know is not read. A
 * sample names its event by an id.
 * Contexts: opening of a recording.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "data/read.h"

/* Widths of the members of struct perf_event_attr in bytes; 'f' is the bit field. */
static const char attr_shape[] = "44" "8888" "f" "44" "8888" "44" "8" "422" "44" "88";

/*
 * Bit fields begin at the other end of each byte on machines of the other byte
 * order, while the bytes stay where they are. So the fields are at their places
 * again, but the bits within a field are in reverse.
 */
static u8 reverse_bits(u8 v)
{
	u8 r = 0;
	int i;

	for (i = 0; i < 8; i++)
		r |= (u8)((v >> i & 1) << (7 - i));
	return r;
}

static void swap_bytes(u8 *p, unsigned int n)
{
	unsigned int i;
	u8 v;

	for (i = 0; i < n / 2; i++) {
		v = p[i];
		p[i] = p[n - 1 - i];
		p[n - 1 - i] = v;
	}
}

static void swap_attr(struct perf_event_attr *attr)
{
	u8 *p = (u8 *)attr, *end = p + sizeof(*attr);
	const char *s;
	unsigned int i, n;

	for (s = attr_shape; *s && p < end; s++, p += n) {
		n = *s == 'f' ? 8 : (unsigned int)(*s - '0');
		if (*s != 'f')
			swap_bytes(p, n);
		for (i = 0; *s == 'f' && i < n; i++)
			p[i] = reverse_bits(p[i]);
	}
	/* the one field of more than one bit */
	attr->precise_ip = attr->precise_ip >> 1 | (attr->precise_ip & 1) << 1;
}

/* One more event: the bytes of its attr, and its ids. */
void pd_take_attr(struct pd_file *f, struct cursor attr, struct cursor ids)
{
	size_t have = cursor_left(&attr), nr = cursor_left(&ids) / sizeof(u64);
	struct pd_event *e;

	f->events = mem_resize(f->events, f->nr_events + 1, sizeof(*f->events));
	e = &f->events[f->nr_events];
	memset(e, 0, sizeof(*e));
	cursor_bytes(&attr, &e->attr, have < sizeof(e->attr) ? have : sizeof(e->attr));
	if (f->swap)
		swap_attr(&e->attr);
	f->ids = mem_resize(f->ids, f->nr_ids + nr, sizeof(*f->ids));
	while (nr--)
		f->ids[f->nr_ids++] = (struct pd_id){ cursor_u64(&ids), f->nr_events };
	f->nr_events++;
}

static int cmp_id(const void *a, const void *b)
{
	const struct pd_id *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/*
 * The events must agree in where the id lies: with several, the place of the id
 * must be the same in all records.
 */
int pd_check_events(struct pd_file *f)
{
	const struct perf_event_attr *first = &f->events[0].attr, *a;
	u64 mask = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID;
	unsigned int i;

	if (f->nr_ids)
		qsort(f->ids, f->nr_ids, sizeof(*f->ids), cmp_id);
	for (i = 0; i < f->nr_events; i++) {
		a = &f->events[i].attr;
		if (a->sample_id_all != first->sample_id_all ||
		    (sample_trailer_size(a) != sample_trailer_size(first) &&
		     !(a->sample_type & first->sample_type & PERF_SAMPLE_IDENTIFIER)))
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

/* The event that an id belongs to, or -1. One event needs no id. */
int pd_event_of_id(const struct pd_file *f, u64 id)
{
	unsigned int lo = 0, hi = f->nr_ids, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (f->ids[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < f->nr_ids && f->ids[lo].id == id)
		return (int)f->ids[lo].event;
	return f->nr_events == 1 ? 0 : -1;
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
void pd_name_events(struct pd_file *f)
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
