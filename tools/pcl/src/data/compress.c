// SPDX-License-Identifier: GPL-2.0
/*
 * The records of a file, compressed on their way.
 *
 * Concepts: one zstd stream for the whole file, cut into COMPRESSED records of
 * at most 64 KiB. Bytes gather until there are PD_ZIP_BYTES, or a flush; after
 * either, all that went in can be read back from what came out.
 * Contexts: record's writer.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "internal.h"
#include "data/perfdata.h"

struct compressor {
	ZSTD_CStream *stream;
	u64 in_bytes;		/* all that was compressed so far */
	u64 out_bytes;
	size_t used;
	u8 in[PD_ZIP_BYTES];
	struct {
		struct perf_event_header h;
		u8 body[65535 - sizeof(struct perf_event_header)];
	} out;
};

struct compressor *zip_new(int level)
{
	struct compressor *z = mem_zalloc(1, sizeof(*z));

	z->stream = ZSTD_createCStream();
	if (!z->stream || ZSTD_isError(ZSTD_initCStream(z->stream, level))) {
		complain("zstd does not compress at level %d", level);
		zip_free(z);
		return NULL;
	}
	return z;
}

void zip_free(struct compressor *z)
{
	if (!z)
		return;
	ZSTD_freeCStream(z->stream);
	free(z);
}

/* Compress what has gathered, and put it out as COMPRESSED records. */
int zip_flush(struct compressor *z, int (*put)(void *arg, const void *data, size_t size),
	      void *arg)
{
	ZSTD_inBuffer in = { z->in, z->used, 0 };
	size_t left = z->used ? 1 : 0;

	z->in_bytes += z->used;
	z->used = 0;
	while (left) {
		ZSTD_outBuffer out = { z->out.body, sizeof(z->out.body), 0 };

		left = ZSTD_compressStream2(z->stream, &out, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return complain("zstd: %s", ZSTD_getErrorName(left));
		if (!out.pos)
			continue;
		z->out.h = (struct perf_event_header){
			.type = PD_RECORD_COMPRESSED,
			.size = (u16)(sizeof(z->out.h) + out.pos),
		};
		z->out_bytes += out.pos;
		if (put(arg, &z->out, z->out.h.size))
			return -1;
	}
	return 0;
}

int zip_append(struct compressor *z, const void *data, size_t size,
	       int (*put)(void *arg, const void *data, size_t size), void *arg)
{
	const u8 *p = data;
	size_t n;

	while (size) {
		n = size < sizeof(z->in) - z->used ? size : sizeof(z->in) - z->used;
		memcpy(z->in + z->used, p, n);
		z->used += n;
		p += n;
		size -= n;
		if (z->used == sizeof(z->in) && zip_flush(z, put, arg))
			return -1;
	}
	return 0;
}

/* How many times smaller the data became, rounded. */
u32 zip_ratio(const struct compressor *z)
{
	return z->out_bytes ? (u32)((z->in_bytes + z->out_bytes / 2) / z->out_bytes) : 1;
}
