// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of profiles and their views: random stacks against a naive model.
 *
 * Concepts: a handful of functions that call each other and themselves; the
 * model keeps every sample as it was made, and counts by looking at all.
 * Contexts: a program of its own.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "profile/chain_set.h"
#include "profile/profile.h"
#include "random.h"
#include "tap.h"

enum { FUNCS = 5, DEEPEST = 6, SAMPLES = 3000 };

/* A sample: functions, innermost first; number 0 is inlined wherever it is. */
struct sample {
	unsigned int v[DEEPEST], nr;
	unsigned int event;
	u64 period;
};

static struct sample samples[SAMPLES];
static struct symbol symbols[FUNCS];
static struct object object = { .name = "/o", .short_name = "o" };
static u32 numbers[FUNCS];

static void fill(struct profile *p)
{
	unsigned int i, k;

	for (i = 0; i < FUNCS; i++) {
		struct func f = { .object = &object, .symbol = &symbols[i], .level = '.',
				  .inlined = !i };

		symbols[i].name = (const char *[]){ "f0", "f1", "f2", "f3", "f4" }[i];
		numbers[i] = profile_func(p, &f);
	}
	for (i = 0; i < SAMPLES; i++) {
		struct sample *s = &samples[i];
		struct row r = { .comm = "c", .samples = 1 };

		s->nr = 1 + (unsigned int)(next_random() % DEEPEST);
		for (k = 0; k < s->nr; k++)
			s->v[k] = (unsigned int)(next_random() % FUNCS);
		/* the outermost has code of its own */
		s->v[s->nr - 1] = 1 + s->v[s->nr - 1] % (FUNCS - 1);
		r.event = s->event = (unsigned int)(next_random() % 2);
		r.period = s->period = 1 + next_random() % 1000;
		for (k = s->nr; k; k--)
			r.stack = profile_stack(p, r.stack, numbers[s->v[k - 1]]);
		p->events[r.event].period += r.period;
		p->events[r.event].samples++;
		profile_rows(p, &r, 1);
	}
}

/* The function that was sampled: the innermost that has code. */
static unsigned int own_depth(const struct sample *s)
{
	unsigned int d = 0;

	while (!s->v[d])
		d++;
	return d;
}

static bool has(const struct sample *s, unsigned int func)
{
	unsigned int k;

	for (k = 0; k < s->nr; k++)
		if (s->v[k] == func)
			return true;
	return false;
}

static struct hist_entry *entry_of(struct hist *h, unsigned int func)
{
	u32 i;

	for (i = 0; i < h->nr; i++)
		if (h->v[i].symbol == &symbols[func])
			return &h->v[i];
	return NULL;
}

static bool check_entry(struct hist *h, unsigned int func, bool children, unsigned int first,
			unsigned int nr)
{
	struct hist_entry none = { 0 }, *e = entry_of(h, func);
	u64 self = 0, whole = 0, n = 0;
	unsigned int i;

	e = e ? e : &none;
	for (i = 0; i < SAMPLES; i++) {
		const struct sample *s = &samples[i];
		bool own = s->v[own_depth(s)] == func;

		if (s->event - first >= nr)
			continue;
		self += own ? s->period : 0;
		n += own;
		whole += (children ? has(s, func) : own) ? s->period : 0;
	}
	return e->self.period == self && e->self.samples == n && e->whole.period == whole;
}

static void test_flat(const struct profile *p, bool children, unsigned int first, unsigned int nr)
{
	struct view v = { .children = children };
	struct hist h;
	bool good = true;
	unsigned int i;

	view_parse_keys(&v, "-s", "symbol");
	hist_build(&h, p, &v, first, nr);
	for (i = 0; i < FUNCS; i++)
		good &= check_entry(&h, i, children, first, nr);
	tap_ok(good, "%s, %u events: self and whole as counted one by one",
	       children ? "children" : "lines", nr);
	good = true;
	for (i = 1; i < h.nr_order; i++)
		good &= h.v[h.order[i - 1]].whole.period >= h.v[h.order[i]].whole.period;
	tap_ok(good, "and the largest first");
	hist_free(&h);
}

/* What the model has below an entry, on this path of functions. */
static u64 path_period(unsigned int func, bool children, enum chain_view mode,
		       const unsigned int *path, unsigned int len)
{
	unsigned int i, k, at;
	u64 sum = 0;

	for (i = 0; i < SAMPLES; i++) {
		const struct sample *s = &samples[i];

		if (s->event)
			continue;
		/* where the entry's function is: innermost for callers, outermost for callees */
		at = mode == CHAIN_CALLEES ? s->nr - 1 : own_depth(s);
		if (children && has(s, func))
			for (at = mode == CHAIN_CALLEES ? s->nr - 1 : 0; s->v[at] != func; )
				at += mode == CHAIN_CALLEES ? -1 : 1;
		if (s->v[at] != func)
			continue;
		for (k = 0; k < len; k++) {
			unsigned int d = mode == CHAIN_CALLEES ? at - k - 1 : at + k + 1;

			if (d >= s->nr || s->v[d] != path[k])
				break;
		}
		sum += k == len ? s->period : 0;
	}
	return sum;
}

static unsigned int func_number(const struct profile *p, u32 func)
{
	return (unsigned int)(p->funcs[func].symbol - symbols);
}

static void test_trees(const struct profile *p, enum chain_view mode, bool children)
{
	struct view v = { .mode = mode, .children = children };
	unsigned int path[DEEPEST], len, bad = 0;
	struct tree t = { 0 };
	struct hist h;
	u32 i, k, at;
	u64 below;

	view_parse_keys(&v, "-s", "symbol");
	hist_build(&h, p, &v, 0, 1);
	for (i = 0; i < h.nr_order; i++) {
		unsigned int func = (unsigned int)(h.v[h.order[i]].symbol - symbols);

		tree_build(&t, &h, h.order[i]);
		bad += t.v[0].period != h.v[h.order[i]].whole.period;
		for (k = 1; k < t.nr; k++) {
			for (len = 0, at = k; at; at = t.v[at].parent)
				len++;
			for (at = k, below = len; at; at = t.v[at].parent)
				path[--below] = func_number(p, t.v[at].func);
			bad += t.v[k].period != path_period(func, children, mode, path, len);
			for (below = 0, at = t.v[k].child; at; at = t.v[at].sibling) {
				below += t.v[at].period;
				bad += t.v[at].sibling &&
				       t.v[t.v[at].sibling].period > t.v[at].period;
			}
			bad += below > t.v[k].period;
		}
	}
	tap_ok(!bad, "%s%s: every path as counted one by one",
	       mode == CHAIN_CALLEES ? "callees" : "callers", children ? " of all functions" : "");
	tree_free(&t);
	hist_free(&h);
}

static void test_filter(const struct profile *p)
{
	struct view v = { .filter = { .symbols = { "f2,f4" } } };
	u64 want = 0;
	struct hist h;
	unsigned int i;

	for (i = 0; i < SAMPLES; i++) {
		unsigned int own = samples[i].v[own_depth(&samples[i])];

		want += !samples[i].event && (own == 2 || own == 4) ? samples[i].period : 0;
	}
	view_parse_keys(&v, "-s", "object");
	hist_build(&h, p, &v, 0, 1);
	tap_ok(h.nr == 1 && h.v[0].whole.period == want, "a filter by function, lines by object");
	hist_free(&h);
	v.filter.part = "F4";
	view_parse_keys(&v, "-s", "symbol");
	hist_build(&h, p, &v, 0, 1);
	tap_ok(h.nr == 1 && h.v[0].symbol == &symbols[4], "a part of a name, of any case");
	hist_free(&h);
}

static void test_fade(struct profile *p)
{
	u64 before = p->events[0].samples + p->events[1].samples, rows = p->nr_rows, ones = 0, sum = 0;
	u32 i;

	for (i = 0; i < p->nr_rows; i++) {
		ones += p->rows[i].samples == 1;
		sum += p->rows[i].samples / 2;
	}
	profile_fade(p, false);
	tap_ok(p->nr_rows == rows - ones && p->events[0].samples + p->events[1].samples == sum &&
	       sum <= before / 2, "fading halves every row, and single samples go");
	profile_fade(p, true);
	tap_ok(!p->nr_rows && !p->events[0].samples && p->nr_stacks == 1, "forgetting leaves nothing");
	fill(p);
	tap_ok(p->events[0].samples + p->events[1].samples == SAMPLES, "and it can be filled again");
}

static bool same_number(const void *array, u32 i, const void *key)
{
	return ((const u64 *)array)[i] == *(const u64 *)key;
}

static void test_index(void)
{
	struct hash_index x = { 0 };
	u64 v[4096], key;
	u32 nr = 0, at, i, k;
	bool good = true;

	for (i = 0; i < 20000; i++) {
		key = next_random() % 4096;
		/* a poor hash: many keys of one slot */
		at = hash_index_at(&x, key % 64, same_number, v, &key);
		for (k = 0; k < nr && v[k] != key; k++)
			;
		good &= at == k;
		if (at == nr)
			v[nr++] = key;
	}
	tap_ok(good && nr == x.nr, "an index finds what a search of all finds");
	hash_index_free(&x);
}

/* Chains are told apart by words, by what they are looked up in, and by where they begin; also unaligned ones. */
static void test_chain_set(void)
{
	struct chain_set s = { 0 };
	struct chain made[64], key;
	unsigned int i, nr = 0, at, k;
	u64 words[64][4];
	u8 bytes[33];
	bool good = true;

	for (i = 0; i < 2000; i++) {
		u64 w[4] = { next_random() % 2, next_random() % 2, 0, 0 };

		key = (struct chain){
			.user_layout = next_random() % 2, .kernel_layout = next_random() % 2,
			.mode = (u16)(next_random() % 2), .exact = next_random() % 2,
		};
		memcpy(bytes + 1, w, sizeof(w));
		for (k = 0; k < nr && (memcmp(words[k], w, sizeof(w)) || made[k].user_layout != key.user_layout ||
				       made[k].kernel_layout != key.kernel_layout || made[k].mode != key.mode ||
				       made[k].exact != key.exact); k++)
			;
		at = chain_set_at(&s, &key, cursor_of(bytes + 1, sizeof(w)));
		good &= at == k;
		if (k < nr)
			continue;
		made[nr] = key;
		memcpy(words[nr++], w, sizeof(w));
	}
	tap_ok(good && nr == 64 && s.nr == nr, "each chain is kept once");
	key = (struct chain){ 0 };
	tap_ok(chain_set_at(&s, &key, cursor_of(bytes + 1, 16)) == nr, "a shorter chain is another one");
	chain_set_clear(&s);
	tap_ok(!chain_set_at(&s, &key, cursor_of(bytes + 1, 16)), "a set that was cleared begins anew");
	chain_set_free(&s);
}

/* Lines go by period, of any size, and those of one period by name. */
static void test_order(void)
{
	struct view v = { .mode = CHAIN_NONE };
	enum { NR = 3000 };
	static struct symbol names[NR];
	struct profile p;
	struct hist h;
	bool good = true;
	u32 i;

	profile_init(&p, NULL, 1);
	for (i = 0; i < NR; i++) {
		struct func f = { .object = &object, .symbol = &names[i], .level = '.' };
		struct row r = { .comm = "c", .samples = 1, .period = next_random() >> (next_random() % 5 * 13 + 11) };

		names[i].name = str_printf("f%04u", (unsigned int)(i * 7919u % NR));
		r.stack = profile_stack(&p, 0, profile_func(&p, &f));
		p.events[0].period += r.period;
		profile_rows(&p, &r, 1);
	}
	view_parse_keys(&v, "-s", "symbol");
	hist_build(&h, &p, &v, 0, 1);
	for (i = 1; i < h.nr_order; i++) {
		const struct hist_entry *a = &h.v[h.order[i - 1]], *b = &h.v[h.order[i]];

		good &= a->whole.period > b->whole.period ||
			(a->whole.period == b->whole.period && strcmp(a->symbol->name, b->symbol->name) < 0);
	}
	tap_ok(good && h.nr_order == NR, "lines are in order of their periods, then of names");
	hist_free(&h);
	profile_free(&p);
	for (i = 0; i < NR; i++)
		free((char *)names[i].name);
}

static void add_one(u32 i, void *arg)
{
	__atomic_fetch_add((u64 *)arg, i, __ATOMIC_RELAXED);
}

int main(void)
{
	struct profile p;
	u64 sum = 0;
	unsigned int i;

	test_index();
	test_chain_set();
	test_order();
	parallel_for(10000, add_one, &sum);
	tap_ok(sum == 10000ull * 9999 / 2, "work in parallel: each number once");
	profile_init(&p, NULL, 2);
	p.chains = true;
	fill(&p);
	for (i = 0; i < 2; i++) {
		test_flat(&p, i, 0, 1);
		test_flat(&p, i, 0, 2);
		test_trees(&p, CHAIN_CALLERS, i);
		test_trees(&p, CHAIN_CALLEES, i);
	}
	test_filter(&p);
	test_fade(&p);
	profile_free(&p);
	for (i = 0; i < FUNCS; i++)
		free(symbols[i].shown);
	return tap_end();
}
