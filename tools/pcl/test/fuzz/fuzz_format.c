// SPDX-License-Identifier: GPL-2.0
/*
 * A tracepoint's format of any bytes, and a sample of it.
 *
 * Concepts: the first byte says how long the sample is, which is what follows;
 * all behind it is the text of the format. The two are shown as script does.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>

#include "internal.h"
#include "fuzz.h"
#include "script/script.h"
#include "../trace_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length = size ? data[0] : 0;
	struct pd_sample s = { 0 };
	struct trace_formats *t;
	u8 *sample;
	char *file;

	if (size < length + 1)
		return 0;
	/* in memory of their exact sizes */
	sample = malloc(length ? length : 1);
	memcpy(sample, data + 1, length);
	s.raw = cursor_of(sample, length);
	file = malloc(size + 128);
	t = trace_formats_new(cursor_of(file, trace_file_of(file, (const char *)data + 1 + length,
							    size - 1 - length)));
	trace_print(t, stdout, &s);
	trace_formats_free(t);
	free(sample);
	free(file);
	return 0;
}
