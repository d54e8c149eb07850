// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of samples, and the trailer of other records.
 *
 * Concepts: which fields there are, and so where each lies, follows from the
 * sample_type of the event (perf_event_open(2), "PERF_RECORD_SAMPLE"): the
 * fields stand in the order of one table, whatever their bits. With several
 * events the id comes first or at a place common to all.
 * Contexts: all readers of recordings.
 * Locks: none.
 */
#include <string.h>

#include "internal.h"
#include "data/read.h"

static void take_tid(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	(void)a;
	s->pid = (s32)cursor_u32(c);
	s->tid = (s32)cursor_u32(c);
}

static void take_cpu(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	(void)a;
	s->cpu = cursor_u32(c);
	cursor_skip(c, 4);
}

/* What read(2) would have given: see read_format. */
static void take_read(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	u64 times = !!(a->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(a->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 each = 1 + !!(a->read_format & PERF_FORMAT_ID) + !!(a->read_format & PERF_FORMAT_LOST);
	struct cursor at = *c;
	u64 nr = 1, words = times + each;

	if (a->read_format & PERF_FORMAT_GROUP) {
		nr = cursor_u64(&at);
		/* more values than bytes: the part will be refused */
		words = nr > cursor_left(&at) ? ~0ull / 8 : 1 + times + nr * each;
	}
	s->read = cursor_part(c, words * 8);
}

/* Words with their number before them. */
static struct cursor take_words(struct cursor *c, u64 nr, u64 word_size)
{
	if (nr > cursor_left(c) / word_size)
		nr = ~0ull / word_size;
	return cursor_part(c, nr * word_size);
}

static void take_chain(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	(void)a;
	s->chain = take_words(c, cursor_u64(c), 8);
}

static void take_raw(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	(void)a;
	s->raw = cursor_part(c, cursor_u32(c));
}

static void take_branches(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	u64 nr = cursor_u64(c);

	s->branch_hw_index = a->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX ?
		cursor_u64(c) : ~0ull;
	s->branches = take_words(c, nr, 24);
	if (a->branch_sample_type & PD_SAMPLE_BRANCH_COUNTERS)
		take_words(c, nr, 8);
}

static struct cursor take_regs(struct cursor *c, u64 mask, u64 *abi)
{
	*abi = cursor_u64(c);
	return *abi ? cursor_part(c, (u64)__builtin_popcountll(mask) * 8) : cursor_part(c, 0);
}

static void take_regs_user(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	s->user = c->p;
	s->regs = take_regs(c, a->sample_regs_user, &s->regs_abi);
	s->regs_mask = s->regs_abi ? a->sample_regs_user : 0;
	s->user_end = c->p;
}

/* As much as was asked for is there; how much of it is stack stands behind it. */
static void take_stack(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	u64 valid;

	if (!(a->sample_type & PERF_SAMPLE_REGS_USER))
		s->user = c->p;
	s->stack_room = cursor_u64(c);
	s->stack = cursor_part(c, s->stack_room);
	valid = s->stack_room ? cursor_u64(c) : 0;
	if (valid > cursor_left(&s->stack))
		c->bad = true;
	else
		s->stack.end = s->stack.p + valid;
	s->user_end = c->p;
}

static void take_regs_intr(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	s->intr_regs = take_regs(c, a->sample_regs_intr, &s->intr_regs_abi);
	s->intr_regs_mask = s->intr_regs_abi ? a->sample_regs_intr : 0;
}

static void take_aux(struct pd_sample *s, struct cursor *c, const struct perf_event_attr *a)
{
	(void)a;
	s->aux = cursor_part(c, cursor_u64(c));
}

#define PLAIN(bit, trailer, name, member) \
	{ PERF_SAMPLE_##bit, trailer, name, offsetof(struct pd_sample, member), NULL }
#define OTHER(bit, trailer, name, take) { PERF_SAMPLE_##bit, trailer, name, 0, take }

/* In the order in which they stand in a sample. */
const struct sample_field sample_fields[] = {
	PLAIN(IDENTIFIER, 6, "identifier", id),
	PLAIN(IP, 0, "ip", ip),
	OTHER(TID, 1, "tid", take_tid),
	PLAIN(TIME, 2, "time", time_ns),
	PLAIN(ADDR, 0, "addr", addr),
	PLAIN(ID, 3, "id", id),
	PLAIN(STREAM_ID, 4, "stream_id", stream_id),
	OTHER(CPU, 5, "cpu", take_cpu),
	PLAIN(PERIOD, 0, "period", period),
	OTHER(READ, 0, "read", take_read),
	OTHER(CALLCHAIN, 0, "callchain", take_chain),
	OTHER(RAW, 0, "raw", take_raw),
	OTHER(BRANCH_STACK, 0, "branch_stack", take_branches),
	OTHER(REGS_USER, 0, "regs_user", take_regs_user),
	OTHER(STACK_USER, 0, "stack_user", take_stack),
	PLAIN(WEIGHT_TYPE, 0, "weight", weight),
	PLAIN(DATA_SRC, 0, "data_src", data_src),
	PLAIN(TRANSACTION, 0, "transaction", transaction),
	OTHER(REGS_INTR, 0, "regs_intr", take_regs_intr),
	PLAIN(PHYS_ADDR, 0, "phys_addr", phys_addr),
	PLAIN(CGROUP, 0, "cgroup", cgroup),
	PLAIN(DATA_PAGE_SIZE, 0, "data_page_size", data_page_size),
	PLAIN(CODE_PAGE_SIZE, 0, "code_page_size", code_page_size),
	OTHER(AUX, 0, "aux", take_aux),
};
const unsigned int nr_sample_fields = ARRAY_SIZE(sample_fields);

static void take_field(const struct sample_field *f, struct pd_sample *s, struct cursor *c,
		       const struct perf_event_attr *attr)
{
	u64 v;

	if (f->take) {
		f->take(s, c, attr);
		return;
	}
	v = cursor_u64(c);
	memcpy((char *)s + f->member, &v, sizeof(v));
}

/*
 * Where the field of this bit lies in a sample of this type, when all before it
 * have eight bytes; -1 when the sample has no such field.
 */
int sample_field_offset(u64 sample_type, u64 bit)
{
	int at = 0;
	size_t i;

	if (!(sample_type & bit))
		return -1;
	for (i = 0; !(sample_fields[i].bit & bit); i++)
		at += sample_type & sample_fields[i].bit ? 8 : 0;
	return at;
}

unsigned int sample_trailer_size(const struct perf_event_attr *attr)
{
	unsigned int n = 0;
	size_t i;

	if (!attr->sample_id_all)
		return 0;
	for (i = 0; i < ARRAY_SIZE(sample_fields); i++)
		if (sample_fields[i].trailer && attr->sample_type & sample_fields[i].bit)
			n += 8;
	return n;
}

/* The trailer of a record that is no sample; false when it has none. */
bool sample_trailer(const struct perf_event_attr *attr, const struct perf_event_header *h,
		    struct cursor body, struct pd_sample *s)
{
	unsigned int size = sample_trailer_size(attr), place;
	size_t i;

	*s = (struct pd_sample){ .cpu = ~0u };
	/* the types from 64 on are written by tools, without a trailer */
	if (h->type >= PD_RECORD_USER_FIRST || !size || size > cursor_left(&body))
		return false;
	cursor_skip(&body, cursor_left(&body) - size);
	for (place = 1; place <= 6; place++)
		for (i = 0; i < ARRAY_SIZE(sample_fields); i++)
			if (sample_fields[i].trailer == place &&
			    attr->sample_type & sample_fields[i].bit)
				take_field(&sample_fields[i], s, &body, attr);
	return true;
}

/* The number at this offset from the start, or from the end when negative. */
static u64 number_at(struct cursor body, int at)
{
	size_t left = cursor_left(&body), from = at < 0 ? left + (size_t)at : (size_t)at;

	if (from > left || left - from < sizeof(u64))
		return 0;
	body.p += from;
	return cursor_u64(&body);
}

/* Where TIME lies in the trailer, from its end; 0 when it has none. */
static int trailer_time_at(const struct perf_event_attr *a)
{
	if (!a->sample_id_all || !(a->sample_type & PERF_SAMPLE_TIME))
		return 0;
	return (int)sample_trailer_size(a) - (a->sample_type & PERF_SAMPLE_TID ? 8 : 0);
}

/*
 * The attr that says what the trailer of this record has. Trailers that differ
 * end in an identifier; those that a tool wrote have 0 there, and are the first's.
 */
const struct perf_event_attr *trailer_attr(const struct pd_file *f, struct cursor body)
{
	int event = 0;

	if (f->trailer_time_at == PD_PLACE_DIFFERS)
		event = pd_event_of_id(f, number_at(body, -8));
	return &f->events[event < 0 ? 0 : event].attr;
}

/* The time of a record; 0, before everything, when it has none. */
u64 record_time(const struct pd_file *f, const struct perf_event_header *h, struct cursor body)
{
	int at, event;

	if (h->type == PERF_RECORD_SAMPLE) {
		at = f->sample_time_at;
		if (at == PD_PLACE_DIFFERS) {
			event = sample_event(f, body);
			at = event < 0 ? -1 :
				sample_field_offset(f->events[event].attr.sample_type,
						    PERF_SAMPLE_TIME);
		}
		return at < 0 ? 0 : number_at(body, at);
	}
	if (h->type >= PD_RECORD_USER_FIRST)
		return 0;
	at = f->trailer_time_at;
	if (at == PD_PLACE_DIFFERS)
		at = trailer_time_at(trailer_attr(f, body));
	return at ? number_at(body, -at) : 0;
}

/* Learn once where the times lie; the events have been checked. */
void samples_measure(struct pd_file *f)
{
	const struct perf_event_attr *a = &f->events[0].attr;
	unsigned int i;

	f->sample_time_at = sample_field_offset(a->sample_type, PERF_SAMPLE_TIME);
	for (i = 1; i < f->nr_events; i++)
		if (sample_field_offset(f->events[i].attr.sample_type, PERF_SAMPLE_TIME) !=
		    f->sample_time_at)
			f->sample_time_at = PD_PLACE_DIFFERS;
	f->sample_id_at = a->sample_type & PERF_SAMPLE_IDENTIFIER ? 0 :
		sample_field_offset(a->sample_type, PERF_SAMPLE_ID);
	f->trailer_time_at = trailer_time_at(a);
	for (i = 1; i < f->nr_events; i++)
		if (sample_trailer_size(&f->events[i].attr) != sample_trailer_size(a) ||
		    trailer_time_at(&f->events[i].attr) != f->trailer_time_at)
			f->trailer_time_at = PD_PLACE_DIFFERS;
}

/* Which event a sample is of, or -1. */
int sample_event(const struct pd_file *f, struct cursor body)
{
	if (f->nr_events == 1)
		return 0;
	return f->sample_id_at < 0 ? -1 : pd_event_of_id(f, number_at(body, f->sample_id_at));
}

/* 0, or -1 when the record is shorter than its fields. */
int sample_decode(const struct perf_event_attr *attr, const struct perf_event_header *h,
		  struct cursor c, struct pd_sample *s)
{
	u64 type = attr->sample_type;
	size_t i;

	memset(s, 0, sizeof(*s));
	s->cpumode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	s->period = attr->freq ? 1 : attr->sample_period;
	for (i = 0; i < ARRAY_SIZE(sample_fields); i++)
		if (type & sample_fields[i].bit)
			take_field(&sample_fields[i], s, &c, attr);
	/* fields that are newer than this table stand behind those it knows */
	return c.bad ? -1 : 0;
}

/* The cpumode of the addresses behind a marker (PERF_CONTEXT_*) in a chain. */
u16 chain_mode(u64 marker)
{
	switch ((s64)marker) {
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	default:
		return PERF_RECORD_MISC_GUEST_USER;
	}
}

/* The next address of a chain; markers among them change the level it is of. */
bool chain_next(struct cursor *chain, u16 *mode, u64 *ip)
{
	while (cursor_left(chain) >= sizeof(u64)) {
		*ip = cursor_u64(chain);
		if (*ip < (u64)PERF_CONTEXT_MAX)
			return true;
		*mode = chain_mode(*ip);
	}
	return false;
}
