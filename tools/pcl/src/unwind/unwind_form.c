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
struct output {
	u8 *at, *end;
	bool full;
};

static void put(struct output *o, const void *data, size_t size)
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
 * Write the sample raw, of an event with this attr, to out. Returns its size;
 * 0: it cannot be unwound, or does not fit, and raw is to be kept. The attr must
 * ask for CALLCHAIN, REGS_USER and STACK_USER; that of what is written lacks the
 * latter two.
 */
size_t unwind_sample(struct unwinder *u, const struct perf_event_attr *attr,
		     const struct perf_event_header *raw, void *out, size_t room)
{
	struct cursor body = cursor_of(raw + 1, raw->size - sizeof(*raw));
	struct output o = { .at = out, .end = (u8 *)out + (room < 0xffff ? room : 0xffff) };
	const u64 user = (u64)PERF_CONTEXT_USER;
	const u64 needed = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	struct perf_event_header h = *raw;
	struct pd_sample s;
	unsigned int nr = 0;
	u64 kernel, all;

	if ((attr->sample_type & needed) != needed || sample_decode(attr, raw, body, &s)) {
		u->stats.failed++;
		return 0;
	}
	if (s.regs_abi) {
		nr = unwind_chain(u, &s, u->ips, UNWIND_MAX_FRAMES);
		if (!nr)
			return 0;
	} else {
		u->stats.kernel_only++;
	}
	kernel = kernel_entries(s.chain);
	all = kernel + (nr ? 1 + nr : 0);
	put(&o, raw, (size_t)(s.chain.p - 8 - (const u8 *)raw));
	put(&o, &all, sizeof(all));
	put(&o, s.chain.p, kernel * 8);
	if (nr) {
		put(&o, &user, sizeof(user));
		put(&o, u->ips, nr * sizeof(u64));
	}
	put(&o, s.chain.end, (size_t)(s.user - s.chain.end));
	put(&o, s.user_end, (size_t)(body.end - s.user_end));
	if (o.full)
		return 0;
	h.size = (u16)(o.at - (u8 *)out);
	memcpy(out, &h, sizeof(h));
	return h.size;
}
