// SPDX-License-Identifier: GPL-2.0
/*
 * What the fields of tracepoints are, as the recording tells, and samples in that form.
 *
 * Concepts: the TRACING_DATA of a recording is what trace-cmd calls a tracing
 * file: copies of the format files of tracefs, each with its size before it.
 * libtraceevent understands those; where the copies lie is read here. Names of
 * functions and of printk's formats follow, which few events need; they are
 * left out, as libtraceevent reads them without regard to where they end. Formats
 * that trace_check.c does not find sound are left out as well, and that is told.
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
	unsigned int unsound;	/* formats that were left out */
	size_t used;		/* bytes of room that are not zero */
	char *room;		/* TRACE_ROOM bytes, for the sample at hand */
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

static void take_format(struct trace_formats *t, struct cursor *c, const char *system)
{
	u64 size = cursor_u64(c);
	char *text = take_copy(c, size), *whole;
	const char *print;

	if (!*text) {
		free(text);
		return;
	}
	if (!trace_format_sound(text, &print)) {
		t->unsound++;
	} else {
		/* without what it says of printing, samples are shown field by field */
		whole = trace_print_sound(text, print) ? str_dup(text) :
			str_printf("%.*s \"\"\n", (int)(print - text), text);
		tep_parse_event(t->tep, whole, strlen(whole), system);
		free(whole);
	}
	free(text);
}

static void take_systems(struct trace_formats *t, struct cursor *c)
{
	u32 systems, events, i, k;
	const char *system;

	/* those of ftrace itself come first, and have no name */
	events = cursor_u32(c);
	for (k = 0; k < events && !c->bad; k++)
		take_format(t, c, "ftrace");
	systems = cursor_u32(c);
	for (i = 0; i < systems && !c->bad; i++) {
		system = take_text(c);
		events = cursor_u32(c);
		for (k = 0; k < events && !c->bad; k++)
			take_format(t, c, system);
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

/* Damage is told by us. The library of static builds was made silent. */
#ifdef PCL_STATIC
static void silence(void)
{
}
#else
static void silence(void)
{
	tep_set_loglevel(TEP_LOG_NONE);
}
#endif

/* NULL when there is nothing that can be used; that has been told. */
struct trace_formats *trace_formats_new(struct cursor c)
{
	struct trace_formats *t;

	if (!cursor_left(&c))
		return NULL;
	t = mem_zalloc(1, sizeof(*t));
	silence();
	t->tep = tep_alloc();
	if (t->tep && take_head(t->tep, &c)) {
		take_systems(t, &c);
		if (t->unsound)
			complain("note: %u formats of tracepoints in the file are damaged; their fields are not shown",
				 t->unsound);
		t->room = mem_zalloc(1, TRACE_ROOM);
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
	free(t->room);
	free(t);
}

/* The sample's bytes, with zeros behind them: texts in it may lack their end. */
static void fill_room(struct trace_formats *t, struct cursor raw)
{
	size_t size = cursor_left(&raw);

	if (size < t->used)
		memset(t->room + size, 0, t->used - size);
	cursor_bytes(&raw, t->room, size);
	t->used = size;
}

/* The fields of a tracepoint's sample, without a newline. */
void trace_print(struct trace_formats *t, FILE *out, const struct pd_sample *s)
{
	struct tep_record rec = { .cpu = (int)s->cpu, .ts = s->time_ns };
	size_t size = cursor_left(&s->raw);
	struct tep_event *event;
	struct trace_seq seq;
	enum trace_way way;

	if (!t || !size || size > TRACE_ROOM / 4)
		return;
	fill_room(t, s->raw);
	rec.data = t->room;
	rec.size = (int)size;
	trace_seq_init(&seq);
	event = tep_find_event_by_record(t->tep, &rec);
	way = event ? trace_sample_way(event, t->room, size) : TRACE_NOT;
	if (!event || way == TRACE_AS_TOLD)
		tep_print_event(t->tep, &seq, &rec, "%s", TEP_PRINT_INFO);
	else if (way == TRACE_FIELDS)
		tep_print_fields(&seq, t->room, (int)size, event);
	else
		trace_seq_puts(&seq, "[the sample is shorter than its format]");
	trace_seq_terminate(&seq);
	/* the library puts a space before each field */
	fputs(visible_line(seq.buffer + (way == TRACE_FIELDS && *seq.buffer == ' ')), out);
	trace_seq_destroy(&seq);
}
