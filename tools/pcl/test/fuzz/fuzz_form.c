// SPDX-License-Identifier: GPL-2.0
/*
 * Records of any bytes in a sound file: the attrs and the form are chosen by the first bytes.
 *
 * Concepts: what random bytes seldom are: several events that agree, a zstd
 * stream, the form for pipes. The first bytes are two attrs' worth of choices,
 * the rest are records.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "internal.h"
#include "fuzz.h"
#include "data/read.h"

struct choice {
	u8 form;		/* 1 compressed, 2 for a pipe, 4 newer kind of compression */
	u8 nr_events;
	u16 cut;		/* bytes of each compressed part */
	u32 flags;
	u64 sample_type, read_format, branch_type, regs_user, regs_intr;
};

static u8 out[1 << 18];
static size_t at;

static void put(const void *p, size_t n)
{
	if (n > sizeof(out) - at)
		n = sizeof(out) - at;
	memcpy(out + at, p, n);
	at += n;
}

static void put_compressed(const struct choice *c, const u8 *p, size_t size)
{
	static u8 packed[1 << 16];
	static ZSTD_CStream *z;
	u64 room = 0;
	size_t n;

	if (!z)
		z = ZSTD_createCStream();
	ZSTD_initCStream(z, 1);
	for (; size; p += n, size -= n) {
		struct perf_event_header h = { .type = PD_RECORD_COMPRESSED };
		ZSTD_outBuffer o = { packed, sizeof(packed) - 64, 0 };
		ZSTD_inBuffer in = { p, 0, 0 };

		n = in.size = size < 1u + c->cut ? size : 1u + c->cut;
		ZSTD_compressStream(z, &o, &in);
		ZSTD_flushStream(z, &o);
		h.size = (u16)(sizeof(h) + o.pos);
		if (c->form & 4) {
			h.type = PD_RECORD_COMPRESSED2;
			h.size += 8;
		}
		put(&h, sizeof(h));
		room = o.pos;
		if (c->form & 4)
			put(&room, sizeof(room));
		put(packed, o.pos);
	}
}

static void put_attr(const struct choice *c, unsigned int i)
{
	struct perf_event_attr a = {
		.type = i, .size = PD_ATTR_SIZE, .config = i, .sample_period = 1,
		.sample_type = c->sample_type | PERF_SAMPLE_IDENTIFIER,
		.read_format = c->read_format, .branch_sample_type = c->branch_type,
		.sample_regs_user = c->regs_user, .sample_regs_intr = c->regs_intr,
		.sample_id_all = c->flags & 1, .freq = c->flags >> 1 & 1,
	};

	put(&a, PD_ATTR_SIZE);
}

static void put_pipe(const struct choice *c, const u8 *p, size_t size)
{
	struct perf_event_header h = { .type = PD_RECORD_HEADER_ATTR, .size = 8 + PD_ATTR_SIZE + 8 };
	u64 head = PD_PIPE_HEADER_SIZE, i;

	put(PD_MAGIC, 8);
	put(&head, 8);
	for (i = 0; i < c->nr_events; i++) {
		put(&h, sizeof(h));
		put_attr(c, (unsigned int)i);
		put(&i, 8);
	}
	if (c->form & 1)
		put_compressed(c, p, size);
	else
		put(p, size);
}

static void put_file(const struct choice *c, const u8 *p, size_t size)
{
	struct pd_header h = { .size = PD_HEADER_SIZE, .attr_size = PD_ATTR_SIZE + 16 };
	struct pd_section ids = { .size = 8 };
	u64 i;

	memcpy(h.magic, PD_MAGIC, 8);
	h.attrs.offset = PD_HEADER_SIZE + 8 * c->nr_events;
	h.attrs.size = h.attr_size * c->nr_events;
	h.data.offset = h.attrs.offset + h.attrs.size;
	put(&h, sizeof(h));
	for (i = 0; i < c->nr_events; i++)
		put(&i, sizeof(i));
	for (i = 0; i < c->nr_events; i++) {
		put_attr(c, (unsigned int)i);
		ids.offset = PD_HEADER_SIZE + 8 * i;
		put(&ids, sizeof(ids));
	}
	if (c->form & 1)
		put_compressed(c, p, size);
	else
		put(p, size);
	h.data.size = at - h.data.offset;
	memcpy(out, &h, sizeof(h));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct choice c;
	const char *args[] = { "script", "-i", NULL, "-F", "+pid,+addr,+iregs,+uregs", NULL };
	const char *report[] = { "report", "-i", NULL, "-g", NULL };

	if (size < sizeof(c) || size > 1 << 16)
		return 0;
	memcpy(&c, data, sizeof(c));
	c.nr_events = 1 + c.nr_events % 3;
	at = 0;
	if (c.form & 2)
		put_pipe(&c, data + sizeof(c), size - sizeof(c));
	else
		put_file(&c, data + sizeof(c), size - sizeof(c));
	args[2] = report[2] = fuzz_file(out, at);
	if (c.form & 8)
		fuzz_command(cmd_report, report);
	else
		fuzz_command(cmd_script, args);
	return 0;
}
