// SPDX-License-Identifier: GPL-2.0
/*
 * A function's instructions, each with its samples and its place in the source.
 *
 * Concepts: samples are counted by address while the recording is read; a
 * function is taken apart when it is to be shown. A sample that is not at the
 * start of an instruction belongs to the one it is within.
 * Contexts: annotate.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "annotate/annotate.h"

enum { MAX_FRAMES = 128 };

void hits_add(struct hits *h, u64 addr, u64 period)
{
	void **at = num_map_at(&h->at, addr);
	struct hit *hit = *at;

	if (!hit) {
		hit = mem_zalloc(1, sizeof(*hit));
		hit->addr = addr;
		*at = hit;
	}
	hit->period += period;
	hit->samples++;
	h->period += period;
	h->samples++;
}

void hits_free(struct hits *h)
{
	num_map_free(&h->at, free);
}

/* "hot+0x12" for an address of the object; NULL when it is in no function. */
static char *name_of_target(struct object *o, u64 target)
{
	struct symbol *s = symbols_find(&o->symbols, target);

	if (!s)
		return NULL;
	if (target == s->start)
		return str_dup(symbol_name(s));
	return str_printf("%s+0x%llx", symbol_name(s), (unsigned long long)(target - s->start));
}

static void take_place(struct code_line *l, struct object *o)
{
	struct frame f[MAX_FRAMES];
	unsigned int n = object_frames(o, l->insn.addr, f, MAX_FRAMES);

	if (!n || !f[0].file || !f[0].line)
		return;
	l->file = f[0].file;
	l->line = f[0].line;
	l->function = f[0].function;
	l->depth = n - 1;
}

/* The instruction that the address is in; NULL: none. */
static struct code_line *line_at(struct annotation *a, u64 addr)
{
	unsigned int lo = 0, hi = a->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (a->v[mid].insn.addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr - a->v[lo - 1].insn.addr < a->v[lo - 1].insn.size ? &a->v[lo - 1] : NULL;
}

static void spread_hits(struct annotation *a, const struct hits *h)
{
	struct code_line *l;
	unsigned int i;

	for (i = 0; i < h->at.size; i++) {
		const struct hit *hit = h->at.v[i].value;

		l = hit ? line_at(a, hit->addr) : NULL;
		if (!l)
			continue;
		l->period += hit->period;
		l->samples += hit->samples;
	}
}

/* Build it from the function's samples; false, and why, when its code cannot be had. */
bool annotation_build(struct annotation *a, const struct hits *h, bool intel, char **why_not)
{
	struct insn_list l = { 0 };
	struct code c;
	unsigned int i;

	*a = (struct annotation){
		.object = h->object, .symbol = h->symbol,
		.period = h->period, .samples = h->samples,
	};
	if (!object_code(h->object, h->symbol->start, h->symbol->end, &c, why_not))
		return false;
	disassemble(&l, &c, intel);
	free(c.bytes);
	if (!l.nr) {
		*why_not = l.note ? l.note : str_dup("it has no instructions");
		return false;
	}
	a->note = l.note;
	a->nr = l.nr;
	a->v = mem_zalloc(l.nr, sizeof(*a->v));
	for (i = 0; i < l.nr; i++) {
		a->v[i].insn = l.v[i];
		if (l.v[i].target)
			a->v[i].target_name = name_of_target(h->object, l.v[i].target);
		take_place(&a->v[i], h->object);
		a->has_lines |= a->v[i].file != NULL;
	}
	free(l.v);
	spread_hits(a, h);
	return true;
}

void annotation_free(struct annotation *a)
{
	unsigned int i;

	for (i = 0; i < a->nr; i++) {
		free(a->v[i].insn.text);
		free(a->v[i].target_name);
	}
	free(a->v);
	free(a->note);
	*a = (struct annotation){ 0 };
}
