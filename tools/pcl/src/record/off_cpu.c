// SPDX-License-Identifier: GPL-2.0
/*
 * Time off the CPU, made into samples.
 *
 * Concepts: SWITCH records say when a task leaves a CPU and when it is back.
 * The time between becomes one sample of the event offcpu-time: its period is
 * the nanoseconds, its time that of the return, its stack that with which the
 * task left, where the kernel may tell it; else that of the last sample of the
 * task, which is only near. A task is off the CPU while it sleeps, and also
 * while it waits for its turn.
 * Contexts: record's writer; records come in order of time.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "record/record.h"

/* The words of a sample, by RECORD_SAMPLE_TYPE. */
enum { WORD_ID, WORD_IP, WORD_TASK, WORD_TIME, WORD_CPU, WORDS_FIXED };

struct off_task {
	u64 since_ns;			/* 0: it is on a CPU, as far as is known */
	bool gone;			/* has ended; what still comes is its last switch */
	u64 task, cpu;			/* as samples have them */
	struct chunk *stack;		/* a sample to be; NULL: no stack is known */
};

static struct off_task *task_of(struct off_cpu *o, u32 tid)
{
	void **at = num_map_at(&o->tasks, tid);

	if (!*at)
		*at = mem_zalloc(1, sizeof(struct off_task));
	return *at;
}

static struct perf_event_header *header_of(struct chunk *c)
{
	return (struct perf_event_header *)c->records;
}

/* A sample of offcpu-time without its values, of so many words behind the period. */
static struct chunk *sample_new(size_t behind)
{
	size_t size = sizeof(struct perf_event_header) + (WORDS_FIXED + 1 + behind) * sizeof(u64);
	struct chunk *c = mem_zalloc(1, sizeof(*c) + size);
	struct perf_event_header *h = header_of(c);

	h->type = PERF_RECORD_SAMPLE;
	h->size = (u16)size;
	c->size = size;
	return c;
}

/* Remember the stack of this sample, by which its task may leave the CPU. */
void off_cpu_stack(struct off_cpu *o, const struct source *s, const struct perf_event_header *h)
{
	const u64 *body = (const u64 *)(h + 1);
	size_t words = (h->size - sizeof(*h)) / sizeof(u64), at = WORDS_FIXED;
	struct off_task *t;
	u64 *to;

	/* an address or the fields of a tracepoint would lie between; their events are no good source */
	if (s->attr.sample_type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW) || words < WORDS_FIXED)
		return;
	at += !!(s->attr.sample_type & PERF_SAMPLE_PERIOD);
	if (words < at || words - at + WORDS_FIXED + 1 > 65528 / sizeof(u64) - 1)
		return;
	t = task_of(o, task_word_tid(&body[WORD_TASK]));
	if (t->stack && t->stack->size != h->size + (WORDS_FIXED + 1 - at) * sizeof(u64)) {
		free(t->stack);
		t->stack = NULL;
	}
	if (!t->stack)
		t->stack = sample_new(words - at);
	header_of(t->stack)->misc = h->misc;
	to = (u64 *)(header_of(t->stack) + 1);
	memcpy(to, body, WORDS_FIXED * sizeof(u64));
	memcpy(to + WORDS_FIXED + 1, body + at, (words - at) * sizeof(u64));
}

/* The time is over: a sample of it. */
static void emit(struct off_cpu *o, struct off_task *t, u64 now_ns)
{
	struct chunk *c = t->stack;
	u64 *body;

	if (now_ns <= t->since_ns)
		return;
	if (!c)
		c = sample_new(o->empty_words);
	else if (!o->exact)
		/* until the next sample it is the nearest */
		c = memcpy(mem_zalloc(1, sizeof(*c) + c->size), c, sizeof(*c) + c->size);
	else
		t->stack = NULL;
	body = (u64 *)(header_of(c) + 1);
	body[WORD_ID] = OFF_CPU_ID;
	body[WORD_TASK] = t->task;
	body[WORD_TIME] = now_ns;
	body[WORD_CPU] = t->cpu;
	body[WORDS_FIXED] = now_ns - t->since_ns;
	t->since_ns = 0;
	c->users = 1;
	o->emit(o->arg, c);
}

static void on_switch(struct off_cpu *o, const struct perf_event_header *h, u64 now_ns)
{
	const u64 *trailer = (const u64 *)((const u8 *)h + h->size - RECORD_TRAILER);
	struct off_task *t;

	/* task 0 is the idle one of each CPU */
	if (h->size < sizeof(*h) + RECORD_TRAILER || !task_word_tid(&trailer[0]))
		return;
	t = task_of(o, task_word_tid(&trailer[0]));
	if (h->misc & PERF_RECORD_MISC_SWITCH_OUT) {
		t->task = trailer[0];
		t->cpu = trailer[2];
		t->since_ns = t->gone ? 0 : now_ns;
	} else if (t->since_ns) {
		t->cpu = trailer[2];
		emit(o, t, now_ns);
	}
}

/* FORK and EXIT begin with pid, ppid, tid, ptid. */
static void on_life(struct off_cpu *o, const struct perf_event_header *h)
{
	const u32 *ids = (const u32 *)(h + 1);
	struct off_task *t = task_of(o, ids[2]);

	t->gone = h->type == PERF_RECORD_EXIT;
	t->since_ns = 0;
}

/* Take in a record that is no sample. */
void off_cpu_record(struct off_cpu *o, const struct perf_event_header *h, u64 time_ns)
{
	if (time_ns > o->last_ns)
		o->last_ns = time_ns;
	switch (h->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		on_switch(o, h, time_ns);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		on_life(o, h);
		break;
	}
}

/* The recording is over: who is off a CPU now was until now. */
void off_cpu_end(struct off_cpu *o)
{
	unsigned int i;

	for (i = 0; i < o->tasks.size; i++) {
		struct off_task *t = o->tasks.v[i].value;

		if (t && t->since_ns)
			emit(o, t, o->last_ns);
	}
}

static void task_free(void *p)
{
	struct off_task *t = p;

	free(t->stack);
	free(t);
}

void off_cpu_free(struct off_cpu *o)
{
	num_map_free(&o->tasks, task_free);
}
