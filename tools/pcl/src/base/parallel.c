// SPDX-License-Identifier: GPL-2.0
/*
 * The same work on each of many things, by as many threads as there are CPUs.
 *
 * Concepts: each thread takes the next thing that nobody has; the caller's
 * thread is one of them. All is done when the call returns.
 * Contexts: any; the work must not touch what two things share.
 * Locks: none; the number of the next thing is atomic.
 */
#include <pthread.h>
#include <sched.h>

#include "base/base.h"

enum { MAX_THREADS = 16 };

struct work {
	u32 next, nr;
	void (*fn)(u32 i, void *arg);
	void *arg;
};

static void *run(void *arg)
{
	struct work *w = arg;
	u32 i;

	while ((i = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED)) < w->nr)
		w->fn(i, w->arg);
	return NULL;
}

/* fn for each number below nr. A thread that cannot be had is done without. */
void parallel_for(u32 nr, void (*fn)(u32 i, void *arg), void *arg)
{
	struct work w = { .nr = nr, .fn = fn, .arg = arg };
	pthread_t threads[MAX_THREADS];
	u32 want = 1, have = 0, i;
	cpu_set_t cpus;

	if (!sched_getaffinity(0, sizeof(cpus), &cpus))
		want = (u32)CPU_COUNT(&cpus);
	if (want > MAX_THREADS)
		want = MAX_THREADS;
	if (want > nr)
		want = nr;
	for (i = 1; i < want; i++)
		if (!pthread_create(&threads[have], NULL, run, &w))
			have++;
	run(&w);
	for (i = 0; i < have; i++)
		pthread_join(threads[i], NULL);
}
