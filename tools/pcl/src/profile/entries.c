// SPDX-License-Identifier: GPL-2.0
/*
 * The table of a view: rows that look alike add up to one entry.
 *
 * Concepts: an entry is found by all its key fields; those that the view is not
 * sorted by are zero in every key, so that they never tell entries apart. With
 * children a row counts for every function of its stack, for each once. The
 * rows below each entry are linked in a second pass, when chains are shown, and
 * only for entries that are large enough to be.
 * Contexts: one thread at a time.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "profile/profile.h"

/* The first of each name is the one to show. */
static const struct {
	const char *name;
	enum sort_key key;
} key_names[] = {
	{ "comm", SORT_COMM }, { "object", SORT_OBJECT }, { "dso", SORT_OBJECT },
	{ "symbol", SORT_SYMBOL }, { "sym", SORT_SYMBOL }, { "pid", SORT_PID },
	{ "tid", SORT_TID }, { "cpu", SORT_CPU }, { "srcline", SORT_SRCLINE },
	{ "srcfile", SORT_SRCFILE },
};

const char *sort_key_name(enum sort_key key)
{
	size_t i;

	for (i = 0; key_names[i].key != key; i++)
		;
	return key_names[i].name;
}

bool view_has_key(const struct view *v, enum sort_key key)
{
	unsigned int i;

	for (i = 0; i < v->nr_keys; i++)
		if (v->keys[i] == key)
			return true;
	return false;
}

/* Which key the word names, in *key; false: none. */
bool sort_key_find(const char *word, enum sort_key *key)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(key_names); i++)
		if (!strcmp(key_names[i].name, word)) {
			*key = key_names[i].key;
			return true;
		}
	return false;
}

/* "comm,dso,symbol" of this option. 0, or -1 and it is told. */
int view_parse_keys(struct view *v, const char *option, const char *text)
{
	char *copy = str_dup(text), *word, *save;
	enum sort_key key;
	int ret = 0;

	v->nr_keys = 0;
	for (word = strtok_r(copy, ",", &save); word && !ret;
	     word = strtok_r(NULL, ",", &save)) {
		if (!sort_key_find(word, &key))
			ret = complain("%s: there is no key '%s'; keys: " SORT_KEYS, option, word);
		else if (!view_has_key(v, key))
			v->keys[v->nr_keys++] = key;
	}
	if (!ret && !v->nr_keys)
		ret = complain("%s: no key is given", option);
	free(copy);
	return ret;
}

static void set_key(struct hist_entry *e, enum sort_key key, const struct row *r,
		    const struct func *f, const struct func *line_of)
{
	switch (key) {
	case SORT_COMM:
		e->comm = r->comm;
		break;
	case SORT_OBJECT:
		e->object = f->object;
		break;
	case SORT_SYMBOL:
		/* functions without a name are one for each object */
		e->symbol = f->symbol;
		e->object = f->symbol ? e->object : f->object;
		e->level = f->level;
		e->inlined = f->inlined;
		break;
	case SORT_PID:
		e->pid = r->pid;
		break;
	case SORT_TID:
		e->tid = r->tid;
		break;
	case SORT_CPU:
		e->cpu = r->cpu;
		break;
	case SORT_SRCLINE:
		e->line = line_of->line;
		break;
	case SORT_SRCFILE:
		e->line = e->line ? e->line : line_of->file;
		break;
	default:
		break;
	}
}

static bool same_entry(const void *array, u32 i, const void *key)
{
	const struct hist_entry *a = (const struct hist_entry *)array + i, *b = key;

	return a->symbol == b->symbol && a->comm == b->comm && a->object == b->object &&
	       a->line == b->line && a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu &&
	       a->level == b->level && a->inlined == b->inlined;
}

static u64 hash_entry(const struct hist_entry *e)
{
	u64 h = hash_mix((u64)(uintptr_t)e->comm, (u64)(uintptr_t)e->object);

	h = hash_mix(h, (u64)(uintptr_t)e->symbol);
	h = hash_mix(h, (u64)(uintptr_t)e->line);
	h = hash_mix(h, (u64)(u32)e->pid << 32 | (u32)e->tid);
	return hash_mix(h, (u64)e->cpu << 16 | (u64)(u8)e->level << 1 | e->inlined);
}

/* What tells apart the entry of this function, and of the line that another one has: an inlined one, perhaps. */
static struct hist_entry entry_key(const struct hist *h, const struct row *r, const struct func *f,
				   const struct func *line_of)
{
	struct hist_entry key = { 0 };
	unsigned int k;

	for (k = 0; k < h->view->nr_keys; k++)
		set_key(&key, h->view->keys[k], r, f, line_of);
	return key;
}

static u32 entry_at(struct hist *h, const struct hist_entry *key, u64 hash)
{
	u32 i = hash_index_at(&h->index, hash, same_entry, h->v, key);

	if (i < h->nr)
		return i;
	if (h->nr == h->room) {
		h->room = h->room ? h->room + h->room / 2 : 256;
		h->v = mem_resize(h->v, h->room, sizeof(*h->v));
		if (h->nr_events > 1)
			h->by_event = mem_resize(h->by_event, (size_t)h->room * h->nr_events,
						 sizeof(*h->by_event));
	}
	h->v[h->nr++] = *key;
	if (h->nr_events > 1)
		memset(&h->by_event[(size_t)i * h->nr_events], 0,
		       h->nr_events * sizeof(*h->by_event));
	return i;
}

/* How a row counts for an entry. */
struct entry_part {
	u32 depth;		/* of the entry's function in the row's stack */
	bool whole;		/* with what was called; once for a row */
	bool self;		/* it was sampled in the function itself */
};

typedef void (*part_fn)(struct hist *h, u32 entry, u32 row, struct entry_part part);

static void count_part(struct hist *h, u32 entry, u32 row, struct entry_part part)
{
	const struct row *r = &h->p->rows[row];
	struct hist_entry *e = &h->v[entry];
	struct total *t;

	if (part.self) {
		e->self.period += r->period;
		e->self.samples += r->samples;
	}
	if (!part.whole)
		return;
	e->nr_refs++;
	e->whole.period += r->period;
	e->whole.samples += r->samples;
	if (h->nr_events > 1) {
		t = &h->by_event[(size_t)entry * h->nr_events + (r->event - h->event)];
		t->period += r->period;
		t->samples += r->samples;
	}
}

static void link_part(struct hist *h, u32 entry, u32 row, struct entry_part part)
{
	struct hist_entry *e = &h->v[entry];

	if (part.whole && e->first_ref != ~0u)
		h->refs[e->first_ref + e->nr_refs++] = (struct row_ref){ row, part.depth };
}

/* Rows on the way to their entries: some at once, as there may be more of both than any cache holds. */
struct placing {
	struct hist *h;
	const u8 *passes;	/* of each function: is it wanted? */
	part_fn fn;
	u32 nr;
	struct {
		struct hist_entry key;
		u64 hash;
		u32 row;
		struct entry_part part;
	} v[ROWS_AT_ONCE];
};

static void end_placing(struct placing *p)
{
	u32 i;

	for (i = 0; i < p->nr; i++)
		hash_index_fetch_more(&p->h->index, p->v[i].hash, p->h->v, sizeof(*p->h->v));
	for (i = 0; i < p->nr; i++)
		p->fn(p->h, entry_at(p->h, &p->v[i].key, p->v[i].hash), p->v[i].row, p->v[i].part);
	p->nr = 0;
}

/* The entry of what was sampled, or of the outermost function that called it. */
static void place_row_once(struct placing *p, u32 row, const u32 *funcs, u32 n, u32 own)
{
	bool callees = p->h->view->mode == CHAIN_CALLEES;
	const struct func *all = p->h->p->funcs;
	u32 d = callees ? n - 1 : own, i = p->nr;

	/* what was sampled decides, also where the outermost function is shown */
	if (!p->passes[funcs[own]])
		return;
	p->v[i].key = entry_key(p->h, &p->h->p->rows[row], &all[funcs[d]], &all[funcs[d == own ? 0 : d]]);
	p->v[i].hash = hash_entry(&p->v[i].key);
	p->v[i].row = row;
	p->v[i].part = (struct entry_part){ d, true, d == own };
	hash_index_fetch(&p->h->index, p->v[i].hash);
	if (++p->nr == ROWS_AT_ONCE)
		end_placing(p);
}

/* For each entry that this row counts for, with the depth of its function. */
static void place_row(struct placing *p, u32 row)
{
	struct hist *h = p->h;
	const struct row *r = &h->p->rows[row];
	const struct func *all = h->p->funcs;
	u32 funcs[STACK_MAX], n, i, e, d, own;
	struct hist_entry key;

	n = profile_unwind(h->p, r->stack, funcs);
	/* inlined functions stand before the one that has their code, which is what was sampled */
	for (own = 0; own + 1 < n && all[funcs[own]].inlined; own++)
		;
	if (!h->view->children) {
		place_row_once(p, row, funcs, n, own);
		return;
	}
	/* of one that calls itself, callers are those of the innermost, callees of the outermost */
	for (i = 0; i < n; i++) {
		d = h->view->mode == CHAIN_CALLEES ? n - 1 - i : i;
		if (!p->passes[funcs[d]])
			continue;
		key = entry_key(h, r, &all[funcs[d]], &all[funcs[d]]);
		e = entry_at(h, &key, hash_entry(&key));
		p->fn(h, e, row, (struct entry_part){ d, h->v[e].seen != row + 1, d == own });
		h->v[e].seen = row + 1;
	}
}

static void place_rows(struct hist *h, const u8 *passes, part_fn fn)
{
	struct placing p = { .h = h, .passes = passes, .fn = fn };
	u32 i;

	for (i = 0; i < h->nr; i++)
		h->v[i].seen = 0;
	for (i = 0; i < h->p->nr_rows; i++) {
		const struct row *r = &h->p->rows[i];

		if (r->event - h->event >= h->nr_events || !filter_row(&h->view->filter, r))
			continue;
		if (fn == count_part) {
			h->shown.period += r->period;
			h->shown.samples += r->samples;
		}
		place_row(&p, i);
	}
	end_placing(&p);
}

/* An entry that is sorted, with what nearly always decides. */
struct by_period {
	u64 period;
	u32 entry;
};

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Put them in order of one digit of the period, largest first; those that are equal keep theirs. */
static void sort_by_digit(const struct by_period *from, struct by_period *to, u32 nr, unsigned int shift)
{
	u32 first[DIGITS] = { 0 }, at = 0, i, n;

	for (i = 0; i < nr; i++)
		first[from[i].period >> shift & (DIGITS - 1)]++;
	for (i = DIGITS; i--; at += n) {
		n = first[i];
		first[i] = at;
	}
	for (i = 0; i < nr; i++)
		to[first[from[i].period >> shift & (DIGITS - 1)]++] = from[i];
}

/* Largest period first, where there are many; those that are equal keep their order. What was sorted is in *v. */
static void sort_by_period(struct by_period **v, u32 nr)
{
	struct by_period *other = mem_zalloc(nr, sizeof(*other)), *swap;
	unsigned int shift;
	u64 all = 0;
	u32 i;

	for (i = 0; i < nr; i++)
		all |= (*v)[i].period;
	for (shift = 0; shift < 64 && all >> shift; shift += DIGIT_BITS) {
		sort_by_digit(*v, other, nr, shift);
		swap = *v;
		*v = other;
		other = swap;
	}
	free(other);
}

/* Largest first; then by what is shown, so that equal runs print equally. */
static int cmp_entry(const void *a, const void *b, void *arg)
{
	const struct by_period *i = a, *k = b;
	const struct hist_entry *v = arg, *x = &v[i->entry], *y = &v[k->entry];
	int d = 0;

	if (i->period != k->period)
		return i->period > k->period ? -1 : 1;
	if (x->self.period != y->self.period)
		return x->self.period > y->self.period ? -1 : 1;
	if (x->comm && y->comm)
		d = strcmp(x->comm, y->comm);
	if (!d && x->object && y->object)
		d = strcmp(x->object->name, y->object->name);
	if (!d && x->symbol && y->symbol)
		d = strcmp(x->symbol->name, y->symbol->name);
	if (!d && x->symbol && y->symbol)
		d = x->symbol->start < y->symbol->start ? -1 : x->symbol->start > y->symbol->start;
	if (!d && x->line && y->line)
		d = strcmp(x->line, y->line);
	/* these three are as the file has them: any number */
	if (!d)
		d = (x->pid > y->pid) - (x->pid < y->pid);
	if (!d)
		d = (x->tid > y->tid) - (x->tid < y->tid);
	return d ? d : (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void sort_entries(struct hist *h)
{
	double least = h->view->min_percent / 100 * (double)h->total.period;
	struct by_period *v = mem_zalloc(h->nr, sizeof(*v));
	u32 i, end, nr = 0;

	for (i = 0; i < h->nr; i++)
		if ((double)h->v[i].whole.period >= least)
			v[nr++] = (struct by_period){ h->v[i].whole.period, i };
	sort_by_period(&v, nr);
	/* those of one period by what is shown */
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && v[end].period == v[i].period; end++)
			;
		if (end - i > 1)
			qsort_r(v + i, end - i, sizeof(*v), cmp_entry, h->v);
	}
	h->order = mem_zalloc(nr, sizeof(*h->order));
	for (i = 0; i < nr; i++)
		h->order[i] = v[i].entry;
	h->nr_order = nr;
	free(v);
}

static void link_rows(struct hist *h, const u8 *passes)
{
	u32 i, nr = 0;

	for (i = 0; i < h->nr; i++)
		h->v[i].first_ref = ~0u;
	for (i = 0; i < h->nr_order; i++) {
		struct hist_entry *e = &h->v[h->order[i]];

		e->first_ref = nr;
		nr += e->nr_refs;
		e->nr_refs = 0;
	}
	h->refs = mem_zalloc(nr, sizeof(*h->refs));
	place_rows(h, passes, link_part);
}

/* The table of nr_events events from this one on; the view must outlive it. */
void hist_build(struct hist *h, const struct profile *p, const struct view *v, unsigned int event,
		unsigned int nr_events)
{
	u8 *passes = mem_zalloc(p->nr_funcs, 1);
	unsigned int k;
	u32 i;

	*h = (struct hist){ .p = p, .view = v, .event = event, .nr_events = nr_events };
	for (k = 0; k < nr_events; k++) {
		h->total.period += p->events[event + k].period;
		h->total.samples += p->events[event + k].samples;
	}
	for (i = 0; i < p->nr_funcs; i++)
		passes[i] = filter_func(&v->filter, &p->funcs[i]);
	place_rows(h, passes, count_part);
	sort_entries(h);
	if (v->mode != CHAIN_NONE)
		link_rows(h, passes);
	free(passes);
}

/* What of an entry is of one event of a grouped table. */
const struct total *hist_event(const struct hist *h, u32 entry, unsigned int event)
{
	return h->nr_events > 1 ? &h->by_event[(size_t)entry * h->nr_events + event] :
	       &h->v[entry].whole;
}

/* What an entry is of, by one key; buf is for numbers. */
const char *entry_text(const struct hist_entry *e, enum sort_key key, char *buf, size_t size)
{
	switch (key) {
	case SORT_COMM:
		return e->comm;
	case SORT_OBJECT:
		return e->object->short_name;
	case SORT_SYMBOL:
		return symbol_name(e->symbol);
	case SORT_PID:
		snprintf(buf, size, "%d", e->pid);
		return buf;
	case SORT_TID:
		snprintf(buf, size, "%d", e->tid);
		return buf;
	case SORT_CPU:
		snprintf(buf, size, "%u", e->cpu);
		return buf;
	default:
		return e->line ? e->line : "[unknown]";
	}
}

/* How wide a column of this key must be: as the widest shown, within reason. */
int hist_width(const struct hist *h, enum sort_key key)
{
	static const struct {
		int least, most;
	} bounds[NR_SORT] = {
		[SORT_COMM] = { 7, 16 }, [SORT_OBJECT] = { 6, 32 }, [SORT_SYMBOL] = { 10, 48 },
		[SORT_PID] = { 7, 10 }, [SORT_TID] = { 7, 10 }, [SORT_CPU] = { 4, 6 },
		[SORT_SRCLINE] = { 7, 48 }, [SORT_SRCFILE] = { 7, 48 },
	};
	int width = bounds[key].least, n;
	const struct hist_entry *e;
	char buf[32];
	u32 i;

	for (i = 0; i < h->nr_order && width < bounds[key].most; i++) {
		/* where all are shown, in the order in which they lie in memory */
		e = &h->v[h->nr_order == h->nr ? i : h->order[i]];
		n = (int)strlen(entry_text(e, key, buf, sizeof(buf)));
		if (n > width)
			width = n < bounds[key].most ? n : bounds[key].most;
	}
	return width;
}

/* In words, why there is no line in the table; NULL when there is one. */
const char *hist_why_empty(const struct hist *h)
{
	if (h->nr_order)
		return NULL;
	if (!h->total.samples)
		return "no samples";
	return h->nr ? "no line has as large a share as is asked for" : "no sample is of what is asked for";
}

void hist_free(struct hist *h)
{
	free(h->v);
	free(h->by_event);
	free(h->order);
	free(h->refs);
	hash_index_free(&h->index);
	*h = (struct hist){ 0 };
}
