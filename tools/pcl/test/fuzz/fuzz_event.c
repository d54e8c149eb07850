// SPDX-License-Identifier: GPL-2.0
/*
 * Any text given to -e.
 *
 * Concepts: the text is parsed to events or to an error whose place lies in it.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = str_ndup((const char *)data, size);
	struct event_list l = { 0 };
	struct parse_error err = { 0 };

	if (events_parse(&l, text, &err) && err.pos > strlen(text))
		abort();
	event_list_free(&l);
	free(text);
	return 0;
}
