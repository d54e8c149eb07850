// SPDX-License-Identifier: GPL-2.0
/*
 * A line number program of any bytes.
 *
 * Concepts: the first four bytes are the lengths of the program and of the first
 * section of texts; the second one is the rest. Each is in memory of its exact
 * size.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "symbol/dwarf.h"

static struct cursor exact(struct cursor from)
{
	size_t n = cursor_left(&from);
	u8 *copy = malloc(n ? n : 1);

	memcpy(copy, from.p, n);
	return cursor_of(copy, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_of(data, size);
	u16 line = cursor_u16(&c), line_str = cursor_u16(&c);
	struct line_sections s = {
		.line = exact(cursor_part(&c, line)),
		.line_str = exact(cursor_part(&c, line_str)),
		.str = exact(c),
	};
	struct debug_info *d = debug_info_new("/object");
	struct unit_files f = { .directory = "/directory" };
	struct unit u = { 0 };
	u64 i;

	s.line.swap = s.line_str.swap = s.str.swap = line & 1;
	if (line_program_read(d, &s, 0, &f, &u.t)) {
		for (i = 0; i < f.nr; i++)
			unit_file(d, &f, i);
		d->units = &u;
		d->nr_units = 1;
		fuzz_check_debug(d);
		d->units = NULL;
		d->nr_units = 0;
	}
	free(u.t.rows);
	free(f.text);
	free(f.own);
	free(f.dirs);
	free((void *)s.line.p);
	free((void *)s.line_str.p);
	free((void *)s.str.p);
	debug_info_free(d);
	return 0;
}
