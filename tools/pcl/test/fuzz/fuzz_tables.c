// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols as lines of text: what programs tell of the code that they made, and
 * what the kernel tells of itself.
 *
 * Concepts: the first byte says which of the two.
 * Contexts: fuzz targets.
 * Locks: none.
 */
#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char map[] = "/tmp/perf-7.map", kallsyms[] = "/kallsyms";
	struct object *o;

	if (!size)
		return 0;
	o = mem_zalloc(1, sizeof(*o));
	if (data[0] & 1) {
		o->name = kallsyms;
		fuzz_named_file(kallsyms, data + 1, size - 1);
		kallsyms_load(o, kallsyms, data[0] & 2 ? 0xffffffff81000000 : 0);
	} else {
		o->name = map;
		if (!jit_map_is(map))
			abort();
		fuzz_named_file(map, data + 1, size - 1);
		jit_map_load(o);
	}
	/* whatever the kernel's moved by, or a later line said, is not in order of what it was */
	fuzz_check_symbols(&o->symbols);
	object_free(o);
	return 0;
}
