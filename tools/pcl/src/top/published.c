// SPDX-License-Identifier: GPL-2.0
/*
 * The newest table, from the collector to who shows it.
 *
 * Concepts: a table is never changed once it is published, and lives until the
 * newest is another and nobody looks at it any more. So the collector never
 * waits for whoever prints, however long a terminal or pipe may stop that.
 * Contexts: the collector publishes; the main thread looks.
 * Locks: top.lock around the pointer and the counts of users; nothing is
 * printed or freed under it.
 */
#include "internal.h"
#include "top/top.h"

/* Look at the newest table, which stays until it is put; NULL: there is none yet. */
struct top_snapshot *top_get(struct top *t)
{
	struct top_snapshot *s;

	pthread_mutex_lock(&t->lock);
	s = t->snapshot;
	if (s)
		s->users++;
	pthread_mutex_unlock(&t->lock);
	return s;
}

/* Looked at. NULL is none. */
void top_put(struct top *t, struct top_snapshot *s)
{
	bool last;

	if (!s)
		return;
	pthread_mutex_lock(&t->lock);
	last = !--s->users;
	pthread_mutex_unlock(&t->lock);
	if (last)
		snapshot_free(s);
}

/* From now on this is the newest; NULL: there is none. */
void top_publish(struct top *t, struct top_snapshot *s)
{
	struct top_snapshot *old;

	if (s)
		s->users = 1;
	pthread_mutex_lock(&t->lock);
	old = t->snapshot;
	t->snapshot = s;
	pthread_mutex_unlock(&t->lock);
	top_put(t, old);
}
