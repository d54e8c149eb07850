// SPDX-License-Identifier: GPL-2.0
/*
 * One sample of any type: the first bytes are the attr, the rest is the sample.
 *
 * Concepts: all parts that the decoder hands out must lie in the sample, which
 * is in memory of its exact size.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "fuzz.h"
#include "data/read.h"

static void hold(const struct cursor *part, const u8 *from, const u8 *to)
{
	if (part->p && (part->p < from || part->end > to || part->end < part->p))
		abort();
}

/* The same bytes as records that tell of tasks: names end within the record. */
static void decode_tasks(const struct perf_event_attr *attr, struct cursor body)
{
	struct perf_event_header h = { .type = PERF_RECORD_MMAP, .misc = (u16)attr->type };
	struct pd_mmap m;
	struct pd_comm c;
	struct pd_fork f;

	if (mmap_decode(&h, body, &m) && m.name + strlen(m.name) >= (const char *)body.end)
		abort();
	h.type = PERF_RECORD_MMAP2;
	if (mmap_decode(&h, body, &m) && m.name + strlen(m.name) >= (const char *)body.end)
		abort();
	if (m.end < m.start || m.build_id_len > sizeof(m.build_id))
		abort();
	if (comm_decode(&h, body, &c) && c.name + strlen(c.name) >= (const char *)body.end)
		abort();
	fork_decode(body, &f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_header h = { .type = PERF_RECORD_SAMPLE };
	struct perf_event_attr attr;
	struct pd_sample s;
	struct cursor body;
	u8 *exact;
	u64 ip;
	u16 mode = 0;

	if (size < sizeof(attr))
		return 0;
	memcpy(&attr, data, sizeof(attr));
	size -= sizeof(attr);
	exact = malloc(size ? size : 1);
	memcpy(exact, data + sizeof(attr), size);
	body = cursor_of(exact, size);
	body.swap = attr.size & 1;
	if (!sample_decode(&attr, &h, body, &s)) {
		hold(&s.read, exact, exact + size);
		hold(&s.chain, exact, exact + size);
		hold(&s.raw, exact, exact + size);
		hold(&s.branches, exact, exact + size);
		hold(&s.regs, exact, exact + size);
		hold(&s.stack, exact, exact + size);
		hold(&s.intr_regs, exact, exact + size);
		hold(&s.aux, exact, exact + size);
		while (chain_next(&s.chain, &mode, &ip))
			;
	}
	h.type = PERF_RECORD_MMAP;
	sample_trailer(&attr, &h, body, &s);
	decode_tasks(&attr, body);
	free(exact);
	return 0;
}
