// SPDX-License-Identifier: GPL-2.0
/*
 * Records in order of time, made into what the file has.
 *
 * Concepts: here records of all rings meet in the order of their times. What
 * only helps is taken in: switches, and the stacks of tasks that leave a CPU.
 * What is for the file goes on, through the unwinders where stacks were copied.
 * Contexts: record's writer.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "record/record.h"

/* Samples of this id are so. Before the first record comes. */
void converter_source(struct converter *s, u64 id, const struct source *what)
{
	struct source *copy = mem_zalloc(1, sizeof(*copy));

	*copy = *what;
	*num_map_at(&s->sources, id) = copy;
	if (what->kind == SOURCE_EVENT && !s->first_id)
		s->first_id = id;
}

static const struct source *source_of(struct converter *s, u64 id)
{
	void **at = num_map_get(&s->sources, id);

	return at ? *at : NULL;
}

static void pass_on(struct converter *s, struct chunk *c, const struct perf_event_header *h)
{
	if (s->unwinders) {
		unwinders_pass(s->unwinders, c, h);
		return;
	}
	if (pd_records(&s->out->w, h, h->size))
		s->failed = true;
	chunk_put(c);
}

static void sample_on(struct converter *s, struct chunk *c, const struct perf_event_header *h)
{
	const struct source *what = source_of(s, *(const u64 *)(h + 1));

	if (what && s->off_cpu && what->kind ==
	    (s->off_cpu->exact ? SOURCE_SWITCH : SOURCE_EVENT))
		off_cpu_stack(s->off_cpu, what, h);
	if (what && what->kind == SOURCE_SWITCH)
		chunk_put(c);
	else if (what && s->unwinders && what->attr.sample_type & PERF_SAMPLE_STACK_USER)
		unwinders_sample(s->unwinders, what, c, h);
	else
		pass_on(s, c, h);
}

static void take_record(void *arg, struct chunk *c, const struct perf_event_header *h,
			u64 time_ns)
{
	const struct source *what;
	struct converter *s = arg;

	if (h->type == PERF_RECORD_SAMPLE) {
		sample_on(s, c, h);
		return;
	}
	if (s->off_cpu) {
		off_cpu_record(s->off_cpu, h, time_ns);
		if (h->type == PERF_RECORD_SWITCH || h->type == PERF_RECORD_SWITCH_CPU_WIDE) {
			chunk_put(c);
			return;
		}
	}
	/* a record of an event that the file does not have is one of the first event */
	what = h->size >= sizeof(*h) + RECORD_TRAILER ? source_of(s, *record_trailer_id(h)) : NULL;
	if (what && what->kind == SOURCE_SWITCH)
		*record_trailer_id(h) = s->first_id;
	if (s->unwinders)
		unwinders_tell(s->unwinders, h);
	pass_on(s, c, h);
}

/* Time off the CPU has become a sample. */
void converter_off_cpu(void *arg, struct chunk *c)
{
	sample_on(arg, c, (const struct perf_event_header *)c->records);
}

/* All records of a pass are there: bring on its way what is in order now. */
int converter_pass_end(struct converter *s, bool last)
{
	timeline_take(&s->timeline, last, take_record, s);
	if (last && s->off_cpu)
		off_cpu_end(s->off_cpu);
	if (s->unwinders && last)
		s->failed |= unwinders_finish(s->unwinders) != 0;
	else if (s->unwinders)
		unwinders_flush(s->unwinders);
	return s->failed ? -1 : 0;
}

void converter_free(struct converter *s)
{
	timeline_free(&s->timeline);
	num_map_free(&s->sources, free);
	if (s->off_cpu)
		off_cpu_free(s->off_cpu);
	free(s->off_cpu);
	if (s->unwinders)
		unwinders_free(s->unwinders);
	free(s);
}
