// SPDX-License-Identifier: GPL-2.0
/*
 * An object of any bytes: its symbols, its stubs, its code, its debug information.
 *
 * Concepts: the whole way of a report with an ELF file.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>

#include "fuzz.h"

static void read_code(struct object *o)
{
	unsigned int i;

	for (i = 0; i < o->symbols.nr && i < 16; i++) {
		char *why = NULL;
		struct code c;

		if (object_code(o, o->symbols.v[i].start, o->symbols.v[i].end, &c, &why))
			free(c.bytes);
		free(why);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct object *o = mem_zalloc(1, sizeof(*o));
	char name[] = "/object";

	fuzz_named_file(name, data, size);
	o->name = name;
	elf_symbols_load(o);
	object_address(o, size);
	fuzz_use_object(o);
	read_code(o);
	object_free(o);
	return 0;
}
