// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of samples, and the trailer of other records.
 *
 * Concepts: which fields there are, and so where each lies, follows from the
 * sample_type of the event (perf_event_open(2), "PERF_RECORD_SAMPLE"). With
 * several events the id comes first or at a place common to all.
 * Contexts: report.
 * Locks: none.
 */
#include "internal.h"
#include "data/read.h"

/* The fields of the trailer, in their order; each takes eight bytes. */
static const u64 trailer_fields[] = {
	PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER,
};

unsigned int sample_trailer_size(const struct perf_event_attr *attr)
{
	unsigned int n = 0;
	size_t i;

	if (!attr->sample_id_all)
		return 0;
	for (i = 0; i < ARRAY_SIZE(trailer_fields); i++)
		n += attr->sample_type & trailer_fields[i] ? 8 : 0;
	return n;
}

/* The fields before TIME in a sample. */
static void skip_to_time(struct cursor *c, u64 type)
{
	static const u64 before[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(before); i++)
		if (type & before[i])
			cursor_skip(c, 8);
}

/* The time of a record; 0, before everything, when it has none. */
u64 record_time(const struct pd_file *f, const struct perf_event_header *h, struct cursor body)
{
	const struct perf_event_attr *attr = &f->events[0].attr;
	unsigned int trailer;
	int event;

	if (h->type == PERF_RECORD_SAMPLE) {
		event = sample_event(f, body);
		if (event >= 0)
			attr = &f->events[event].attr;
		if (!(attr->sample_type & PERF_SAMPLE_TIME))
			return 0;
		skip_to_time(&body, attr->sample_type);
		return cursor_u64(&body);
	}
	trailer = sample_trailer_size(attr);
	/* the types from 64 on are written by tools, without a trailer */
	if (h->type >= 64 || !(attr->sample_type & PERF_SAMPLE_TIME) ||
	    trailer > cursor_left(&body) || !trailer)
		return 0;
	cursor_skip(&body, cursor_left(&body) - trailer);
	if (attr->sample_type & PERF_SAMPLE_TID)
		cursor_skip(&body, 8);
	return cursor_u64(&body);
}

/* Which event a sample is of, or -1. */
int sample_event(const struct pd_file *f, struct cursor body)
{
	u64 type = f->events[0].attr.sample_type;

	if (f->nr_events == 1)
		return 0;
	if (!(type & PERF_SAMPLE_IDENTIFIER)) {
		skip_to_time(&body, type);
		if (type & PERF_SAMPLE_TIME)
			cursor_skip(&body, 8);
		if (type & PERF_SAMPLE_ADDR)
			cursor_skip(&body, 8);
	}
	return pd_event_of_id(f, cursor_u64(&body));
}

static void skip_read_format(struct cursor *c, u64 format)
{
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	u64 nr = 1;

	if (format & PERF_FORMAT_GROUP)
		nr = cursor_u64(c);
	if (nr > cursor_left(c) / 8)
		nr = cursor_left(c);	/* too many: the skip marks it bad */
	cursor_skip(c, (times + nr * each) * 8);
}

/* A part of n bytes, which the cursor moves over. */
static struct cursor take_part(struct cursor *c, u64 n)
{
	const u8 *at = c->p;

	cursor_skip(c, n);
	return cursor_of(at, c->bad ? 0 : n);
}

static void skip_branches(struct cursor *c, const struct perf_event_attr *attr)
{
	u64 nr = cursor_u64(c);

	if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor_skip(c, 8);
	if (nr > cursor_left(c) / 24)
		c->bad = true;
	else
		cursor_skip(c, nr * 24);
}

/* Registers and stack of the user, and what lies before them. */
static void decode_user(const struct perf_event_attr *attr, struct cursor *c, struct pd_sample *s)
{
	u64 type = attr->sample_type, valid;

	if (type & PERF_SAMPLE_RAW)
		cursor_skip(c, cursor_u32(c));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(c, attr);
	s->user = c->p;
	if (type & PERF_SAMPLE_REGS_USER)
		s->regs_abi = cursor_u64(c);
	if (s->regs_abi) {
		s->regs_mask = attr->sample_regs_user;
		s->regs = take_part(c, 8 * (u64)__builtin_popcountll(s->regs_mask));
	}
	if (type & PERF_SAMPLE_STACK_USER)
		s->stack_room = cursor_u64(c);
	if (s->stack_room) {
		s->stack = take_part(c, s->stack_room);
		valid = cursor_u64(c);
		if (valid > cursor_left(&s->stack))
			c->bad = true;
		else
			s->stack.end = s->stack.p + valid;
	}
	s->user_end = c->p;
}

/* 0, or -1 when the record is shorter than its fields. */
int sample_decode(const struct perf_event_attr *attr, const struct perf_event_header *h,
		  struct cursor c, struct pd_sample *s)
{
	u64 type = attr->sample_type, nr;

	*s = (struct pd_sample){ .cpumode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK };
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor_u64(&c);
	if (type & PERF_SAMPLE_TID) {
		s->pid = (s32)cursor_u32(&c);
		s->tid = (s32)cursor_u32(&c);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time_ns = cursor_u64(&c);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = cursor_u64(&c);
	if (type & PERF_SAMPLE_ID)
		s->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_skip(&c, 8);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = cursor_u32(&c);
		cursor_skip(&c, 4);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor_u64(&c);
	else
		s->period = attr->freq ? 1 : attr->sample_period;
	if (type & PERF_SAMPLE_READ)
		skip_read_format(&c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		nr = cursor_u64(&c);
		if (nr > cursor_left(&c) / 8)
			return -1;
		s->chain = take_part(&c, nr * 8);
	}
	decode_user(attr, &c, s);
	return c.bad ? -1 : 0;
}
