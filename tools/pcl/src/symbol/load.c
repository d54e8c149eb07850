// SPDX-License-Identifier: GPL-2.0
/*
 * Reading many objects at once.
 *
 * Concepts: reading symbols and debug information is most of a report's time,
 * and objects have nothing in common: each is read by one worker, from its
 * first byte to its last. The libraries below take one thread for each file,
 * and no more is asked of them.
 * Contexts: report, between two passes over the recording.
 * Locks: none.
 */
#include "internal.h"
#include "symbol/symbol.h"

static void read_one(u32 i, void *arg)
{
	struct object_work *w = (struct object_work *)arg + i;
	struct frame f;
	unsigned int k;

	if (!w->object->loaded && !w->object->kernel) {
		w->object->loaded = true;
		elf_symbols_load(w->object);
	}
	/* one address brings in the unit it is in */
	for (k = 0; k < w->nr_addrs; k++)
		object_frames(w->object, w->addrs[k], &f, 1);
}

/*
 * Read the symbols of these objects, and the debug information of the units
 * that the given addresses are in. No object may be in the list twice.
 */
void objects_read(struct object_work *v, unsigned int nr)
{
	parallel_for(nr, read_one, v);
}
