/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The TRACING_DATA of a recording, with one format, as perf writes it.
 */
#ifndef PCL_TEST_TRACE_FILE_H
#define PCL_TEST_TRACE_FILE_H

#include <string.h>

#include "types.h"

/* Write it to buf, which has room for 128 bytes and the format; its size. */
static inline size_t trace_file_of(char *buf, const char *format, size_t size)
{
	static const char head[] = "\027\010\104tracing0.6\0\0\010\0\020\0\0header_page\0\0\0\0\0\0\0\0\0"
				   "header_event\0\0\0\0\0\0\0\0";
	const u32 one = 1, none = 0;
	const u64 length = size;
	char *p = buf;

	memcpy(p, head, sizeof(head));
	p += sizeof(head);
	memcpy(p, &none, 4);	/* events of ftrace itself */
	memcpy(p + 4, &one, 4);	/* systems */
	memcpy(p + 8, "made", 5);
	memcpy(p + 13, &one, 4);
	memcpy(p + 17, &length, 8);
	memcpy(p + 25, format, size);
	return (size_t)(p - buf) + 25 + size;
}

#endif /* PCL_TEST_TRACE_FILE_H */
