// SPDX-License-Identifier: GPL-2.0
/*
 * Samples that read a whole group: one sample for each member.
 *
 * Concepts: with PERF_SAMPLE_READ the leader alone interrupts, and its sample
 * holds what all members have counted so far (perf's ":S"). Each member that
 * counted since the sample before has a sample of its own here, whose period is
 * that difference. Any other sample is its own only member.
 * Contexts: one pass over a recording.
 * Locks: none.
 */
#include "internal.h"
#include "data/read.h"

void members_begin(struct sample_members *m, struct pd_file *f, unsigned int event,
		   struct pd_sample *s)
{
	const struct perf_event_attr *a = &f->events[event].attr;

	*m = (struct sample_members){ .f = f, .event = event, .sample = s, .left = 1 };
	/* without ids it cannot be told which value is whose */
	m->reads = a->sample_type & PERF_SAMPLE_READ && a->read_format & PERF_FORMAT_ID;
	if (!m->reads)
		return;
	m->format = a->read_format;
	m->values = s->read;
	if (!(m->format & PERF_FORMAT_GROUP))
		return;
	m->left = cursor_u64(&m->values);
	if (m->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		cursor_u64(&m->values);
	if (m->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		cursor_u64(&m->values);
}

/* One value with its id; for a sample of one event the times lie between them. */
static u64 take_value(struct sample_members *m, u64 *id)
{
	u64 value = cursor_u64(&m->values);

	if (!(m->format & PERF_FORMAT_GROUP)) {
		if (m->format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			cursor_u64(&m->values);
		if (m->format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			cursor_u64(&m->values);
	}
	*id = cursor_u64(&m->values);
	if (m->format & PERF_FORMAT_LOST)
		cursor_u64(&m->values);
	return value;
}

/* On to the next member: m has its event, and the sample is made its own. False: that were all. */
bool members_next(struct sample_members *m)
{
	u64 id, value, before;
	int event;
	void **last;

	if (!m->reads)
		return m->left-- > 0;
	while (m->left && cursor_left(&m->values)) {
		m->left--;
		value = take_value(m, &id);
		event = pd_event_of_id(m->f, id);
		if (event < 0 || m->values.bad)
			continue;
		last = num_map_at(&m->f->last_values, id);
		before = *last ? (u64)(uintptr_t)*last - 1 : 0;
		/* kept plus one: a pointer that is there is not NULL */
		*last = (void *)(uintptr_t)(value + 1 ? value + 1 : 1);
		if (value == before)
			continue;
		m->event = (unsigned int)event;
		m->sample->id = id;
		m->sample->period = value - before;
		return true;
	}
	return false;
}

/* Call fn for the sample in this record, or for each of its members. */
void samples_take(struct pd_file *f, const struct perf_event_header *h, struct cursor body,
		  struct samples_left *left, pd_sample_fn *fn, void *arg)
{
	int event = sample_event(f, body);
	struct sample_members m;
	struct pd_sample sample;

	if (event < 0) {
		left->of_no_event++;
		return;
	}
	if (sample_decode(&f->events[event].attr, h, body, &sample)) {
		left->undecoded++;
		return;
	}
	members_begin(&m, f, (unsigned int)event, &sample);
	while (members_next(&m))
		fn(arg, m.event, &sample);
}

void samples_tell_left(const struct samples_left *left)
{
	if (left->undecoded || left->of_no_event)
		complain("note: left out: %llu samples too short, %llu of no event of this file",
			 (unsigned long long)left->undecoded,
			 (unsigned long long)left->of_no_event);
}
