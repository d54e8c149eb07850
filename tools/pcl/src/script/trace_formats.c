// SPDX-License-Identifier: GPL-2.0
/*
 * What the fields of tracepoints are, as the recording tells, and samples in that form.
 *
 * Concepts: the TRACING_DATA of a recording is what trace-cmd calls a tracing
 * file: copies of the format files of tracefs, each with its size before it.
 * libtraceevent understands those; where the copies lie is read here. Names of
 * functions and of printk's formats follow, which few events need; they are
 * left out, as libtraceevent reads them without regard to where they end.
 * Contexts: script.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "internal.h"
#include "script/script.h"

struct trace_formats {
	struct tep_handle *tep;
};

/* Text up to a zero. */
static const char *take_text(struct cursor *c)
{
	return cursor_text(c, strnlen((const char *)c->p, cursor_left(c)) + 1);
}

/* A copy of bytes with a zero behind them, for parsers of text. */
static char *take_copy(struct cursor *c, u64 size)
{
	struct cursor part = cursor_part(c, size);

	return str_ndup((const char *)part.p, cursor_left(&part));
}

static void take_format(struct tep_handle *tep, struct cursor *c, const char *system)
{
	u64 size = cursor_u64(c);
	char *text = take_copy(c, size);

	if (*text)
		tep_parse_event(tep, text, strlen(text), system);
	free(text);
}

static void take_systems(struct tep_handle *tep, struct cursor *c)
{
	u32 systems, events, i, k;
	const char *system;

	/* those of ftrace itself come first, and have no name */
	events = cursor_u32(c);
	for (k = 0; k < events && !c->bad; k++)
		take_format(tep, c, "ftrace");
	systems = cursor_u32(c);
	for (i = 0; i < systems && !c->bad; i++) {
		system = take_text(c);
		events = cursor_u32(c);
		for (k = 0; k < events && !c->bad; k++)
			take_format(tep, c, system);
	}
}

static bool take_head(struct tep_handle *tep, struct cursor *c)
{
	static const char magic[10] = "\027\010\104tracing";
	char got[sizeof(magic)];
	bool big;

	cursor_bytes(c, got, sizeof(got));
	if (memcmp(got, magic, sizeof(magic)))
		return false;
	take_text(c);		/* its version */
	big = cursor_u8(c);
	tep_set_file_bigendian(tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? TEP_BIG_ENDIAN :
				TEP_LITTLE_ENDIAN);
	c->swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	tep_set_long_size(tep, cursor_u8(c));
	tep_set_page_size(tep, (int)cursor_u32(c));
	take_text(c);		/* "header_page", and what it is */
	cursor_skip(c, cursor_u64(c));
	take_text(c);		/* "header_event" */
	cursor_skip(c, cursor_u64(c));
	return !c->bad;
}

/* NULL when there is nothing that can be used; that has been told. */
struct trace_formats *trace_formats_new(struct cursor c)
{
	struct trace_formats *t;

	if (!cursor_left(&c))
		return NULL;
	t = mem_zalloc(1, sizeof(*t));
	tep_set_loglevel(TEP_LOG_NONE);
	t->tep = tep_alloc();
	if (t->tep && take_head(t->tep, &c)) {
		take_systems(t->tep, &c);
		return t;
	}
	complain("note: the formats of tracepoints in the file are damaged; their fields are not shown");
	trace_formats_free(t);
	return NULL;
}

void trace_formats_free(struct trace_formats *t)
{
	if (!t)
		return;
	tep_free(t->tep);
	free(t);
}

/* The fields of a tracepoint's sample, without a newline. */
void trace_print(struct trace_formats *t, FILE *out, const struct pd_sample *s)
{
	struct cursor raw = s->raw;
	struct tep_record rec = { .cpu = (int)s->cpu, .ts = s->time_ns };
	struct trace_seq seq;
	size_t size = cursor_left(&raw);
	char *copy;

	if (!t || !size)
		return;
	/* with zeros behind it: texts in it may lack their end */
	copy = mem_zalloc(1, size + 16);
	cursor_bytes(&raw, copy, size);
	rec.data = copy;
	rec.size = (int)size;
	trace_seq_init(&seq);
	tep_print_event(t->tep, &seq, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	fputs(seq.buffer, out);
	trace_seq_destroy(&seq);
	free(copy);
}
