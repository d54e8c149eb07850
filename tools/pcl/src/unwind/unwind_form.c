// SPDX-License-Identifier: GPL-2.0
/*
 * A sample with registers and stack, written again with its call chain.
 *
 * Concepts: the fields of a sample keep their order and their values; the chain
 * keeps the kernel's part and gets the user's, under PERF_CONTEXT_USER, as the
 * kernel itself writes it; REGS_USER and STACK_USER are left out.
 * Contexts: the thread of the unwinder.
 * Locks: none.
 */
#include <string.h>

#include "unwind/private.h"

/* Bytes being written; full: they did not fit. */
struct out_sample {
	u8 *at, *end;
	bool full;
};

static void put(struct out_sample *o, const void *data, size_t size)
{
	if (size > (size_t)(o->end - o->at)) {
		o->full = true;
		return;
	}
	memcpy(o->at, data, size);
	o->at += size;
}

/* Entries of the kernel's part: up to the user's marker, if it is there. */
static u64 kernel_entries(struct cursor chain)
{
	u64 nr = 0;

	while (cursor_left(&chain) && cursor_u64(&chain) != (u64)PERF_CONTEXT_USER)
		nr++;
	return nr;
}

/*
 * Give a sample the user's part of its chain, unwound from its registers and its
 * stack: s->chain leads to memory of the unwinder, until its next call. How
 * many frames were added; 0: there is nothing to unwind, or it cannot be, and the
 * chain is as it was.
 */
unsigned int unwind_complete(struct unwinder *u, struct pd_sample *s)
{
	unsigned int nr;
	u64 kernel, i;

	if (!s->regs_abi || !s->stack_room)
		return 0;
	kernel = kernel_entries(s->chain);
	if (kernel + 1 + UNWIND_MAX_FRAMES > u->chain_room) {
		u->chain_room = kernel + 1 + UNWIND_MAX_FRAMES;
		u->chain = mem_resize(u->chain, u->chain_room, sizeof(*u->chain));
	}
	nr = unwind_chain(u, s, u->chain + kernel + 1, UNWIND_MAX_FRAMES);
	if (!nr)
		return 0;
	for (i = 0; i < kernel; i++)
		u->chain[i] = cursor_u64(&s->chain);
	u->chain[kernel] = (u64)PERF_CONTEXT_USER;
	s->chain = cursor_of(u->chain, (kernel + 1 + nr) * sizeof(u64));
	return nr;
}

/*
 * Write the sample raw, of an event with this attr, to out. Returns its size;
 * 0: it cannot be unwound, or does not fit, and raw is to be kept. The attr must
 * ask for CALLCHAIN, REGS_USER and STACK_USER; that of what is written lacks the
 * latter two.
 */
size_t unwind_sample(struct unwinder *u, const struct perf_event_attr *attr,
		     const struct perf_event_header *raw, void *out, size_t room)
{
	struct cursor body = record_raw_body(raw), before;
	struct out_sample o = { .at = out, .end = (u8 *)out + (room < 0xffff ? room : 0xffff) };
	const u64 needed = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	struct perf_event_header h = *raw;
	struct pd_sample s;
	u64 nr;

	if ((attr->sample_type & needed) != needed || sample_decode(attr, raw, body, &s)) {
		u->stats.failed++;
		return 0;
	}
	before = s.chain;
	if (!s.regs_abi || !s.stack_room)
		u->stats.kernel_only++;
	else if (!unwind_complete(u, &s))
		return 0;
	nr = cursor_left(&s.chain) / sizeof(u64);
	put(&o, raw, (size_t)(before.p - sizeof(nr) - (const u8 *)raw));
	put(&o, &nr, sizeof(nr));
	put(&o, s.chain.p, cursor_left(&s.chain));
	put(&o, before.end, (size_t)(s.user - before.end));
	put(&o, s.user_end, (size_t)(body.end - s.user_end));
	if (o.full)
		return 0;
	h.size = (u16)(o.at - (u8 *)out);
	memcpy(out, &h, sizeof(h));
	return h.size;
}
