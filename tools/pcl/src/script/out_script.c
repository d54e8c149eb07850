// SPDX-License-Identifier: GPL-2.0
/*
 * Samples for other programs: a JSON object on a line for each, or folded stacks.
 *
 * Concepts: JSON has what the sample has, numbers as numbers; addresses are
 * texts, as JSON's numbers lose bits of them. A folded stack is a line
 * "command;outermost;...;sampled N", N the sum of the periods.
 * Contexts: script.
 * Locks: none.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "script/script.h"

static void json_hex(struct json *j, const char *key, u64 v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	json_string(j, key, text);
}

static void json_frame(struct json *j, const struct script_frame *f)
{
	const struct place *p = &f->place;

	json_begin(j, NULL, '{');
	json_hex(j, "ip", f->ip);
	json_string(j, "symbol", f->inlined ? f->name : p->symbol ? symbol_name(p->symbol) : NULL);
	if (f->inlined)
		json_u64(j, "inlined", 1);
	else if (p->symbol)
		json_u64(j, "offset", p->addr - p->symbol->start);
	json_string(j, "object", p->object->name);
	if (f->file) {
		json_string(j, "file", f->file);
		json_u64(j, "line", f->line);
	}
	json_end(j, '}');
}

static void json_trace(struct script *sc, struct json *j, const struct pd_sample *s)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	trace_print(sc->traces, f, s);
	fclose(f);
	json_string(j, "trace", text);
	free(text);
}

void json_sample(struct script *sc, unsigned int event, const struct pd_sample *s)
{
	const struct pd_event *e = &sc->file.events[event];
	struct json j = { .f = stdout };
	unsigned int i;

	json_begin(&j, NULL, '{');
	json_string(&j, "event", e->name);
	json_string(&j, "comm", session_comm(&sc->s, s->tid));
	json_number(&j, "pid", s->pid);
	json_number(&j, "tid", s->tid);
	if (e->attr.sample_type & PERF_SAMPLE_CPU)
		json_u64(&j, "cpu", s->cpu);
	if (e->attr.sample_type & PERF_SAMPLE_TIME)
		json_u64(&j, "time_ns", s->time_ns);
	json_u64(&j, "period", s->period);
	if (e->attr.sample_type & PERF_SAMPLE_ADDR)
		json_hex(&j, "addr", s->addr);
	if (sc->shown[event] & FIELD(TRACE) && sc->traces)
		json_trace(sc, &j, s);
	json_begin(&j, "frames", '[');
	for (i = 0; i < sc->nr_frames; i++)
		json_frame(&j, &sc->frames[i]);
	json_end(&j, ']');
	json_end(&j, '}');
}

/* ---- folded ---- */

struct folded {
	struct str_set stacks;
	u64 *sums;
};

/* A name without what ends it in this form. */
static void put_name(FILE *f, const char *name)
{
	for (name = visible(name); *name; name++)
		fputc(*name == ';' ? ':' : *name, f);
}

void folded_add(struct script *sc, const struct pd_sample *s)
{
	unsigned int before, i, at;
	struct folded *fold;
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	put_name(f, session_comm(&sc->s, s->tid));
	for (i = sc->nr_frames; i-- > 0; ) {
		const struct script_frame *fr = &sc->frames[i];

		fputc(';', f);
		if (!fr->inlined && !fr->place.symbol && fr->place.object != sc->s.unknown)
			fprintf(f, "[%s]", visible(fr->place.object->short_name));
		else
			put_name(f, frame_symbol(fr));
	}
	fclose(f);
	if (!sc->folded)
		sc->folded = mem_zalloc(1, sizeof(*sc->folded));
	fold = sc->folded;
	before = fold->stacks.nr;
	at = str_set_add(&fold->stacks, text);
	if (at == before) {
		fold->sums = mem_resize(fold->sums, at + 1, sizeof(*fold->sums));
		fold->sums[at] = 0;
	}
	fold->sums[at] += s->period;
	free(text);
}

void folded_print(struct script *sc)
{
	struct folded *fold = sc->folded;
	unsigned int i;

	if (!fold)
		return;
	for (i = 0; i < fold->stacks.nr; i++)
		printf("%s %" PRIu64 "\n", fold->stacks.v[i], fold->sums[i]);
	str_set_free(&fold->stacks);
	free(fold->sums);
	free(fold);
	sc->folded = NULL;
}
