// SPDX-License-Identifier: GPL-2.0
/*
 * Reading many objects at once.
 *
 * Concepts: reading symbols and debug information is most of a report's time,
 * and objects have nothing in common: each is read by one worker, from its
 * first byte to its last. The libraries below take one thread for each file,
 * and no more is asked of them.
 * Contexts: report, between two passes over the recording.
 * Locks: none; the workers share the number of the next object, atomically.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"
#include "symbol/symbol.h"

/* More would only wait for the disk. */
enum { MAX_WORKERS = 16 };

struct pool {
	struct object_work *v;
	unsigned int nr;
	unsigned int next;
};

static void read_one(struct object_work *w)
{
	struct frame f;
	unsigned int i;

	if (!w->object->loaded && !w->object->kernel) {
		w->object->loaded = true;
		elf_symbols_load(w->object);
	}
	/* one address brings in the unit it is in */
	for (i = 0; i < w->nr_addrs; i++)
		object_frames(w->object, w->addrs[i], &f, 1);
}

static void *work(void *arg)
{
	struct pool *p = arg;
	unsigned int i;

	while ((i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED)) < p->nr)
		read_one(&p->v[i]);
	return NULL;
}

/*
 * Read the symbols of these objects, and the debug information of the units
 * that the given addresses are in. No object may be in the list twice.
 */
void objects_read(struct object_work *v, unsigned int nr)
{
	struct pool p = { .v = v, .nr = nr };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MAX_WORKERS];
	unsigned int started = 0;

	while (started + 1 < nr && started + 1 < cpus && started < MAX_WORKERS &&
	       !pthread_create(&threads[started], NULL, work, &p))
		started++;
	work(&p);
	while (started--)
		pthread_join(threads[started], NULL);
}
