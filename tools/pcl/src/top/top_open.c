// SPDX-License-Identifier: GPL-2.0
/*
 * Opening the events of top, and what there was before.
 *
 * Concepts: everything is as for a recording, up to the file with what already
 * runs and is mapped; it lies in memory, is read like any other, and tells how
 * the records of the rings are laid out.
 * Contexts: start and end.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "top/top.h"

/* Write what there is, as a recording without samples, and read it. */
static int take_past(struct top *t)
{
	int fd = memfd_create("pcl-top", MFD_CLOEXEC), ret;
	struct output *out = &t->r.output;
	char path[64];

	if (fd < 0)
		return complain("no memory file: %s", strerror(errno));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	t->o->record.out_name = path;
	out->o = &t->o->record;
	out->events = &t->r.out_events;
	ret = output_open(out);
	if (output_close(out) || ret)
		ret = -1;
	output_free(out);
	if (!ret)
		ret = pd_open(&t->file, path);
	close(fd);
	t->file.path = "top";
	t->o->record.out_name = "";
	return ret;
}

static void begin_profile(struct top *t)
{
	const struct view *v = &t->o->view;
	struct profile *p = &t->profile;
	unsigned int i;

	session_init(&t->session, &t->file, NULL, true);
	profile_init(p, &t->session, t->file.nr_events);
	for (i = 0; i < v->nr_keys; i++)
		p->keep[v->keys[i]] = true;
	p->keep[SORT_COMM] |= v->filter.comms.text != NULL;
	p->lines = p->keep[SORT_SRCLINE] || p->keep[SORT_SRCFILE];
	p->chains = v->mode != CHAIN_NONE;
	p->inlines = true;
	t->gather = (struct gather){ .profile = p, .time = { 0, ~0ull } };
}

/* 0, or -1 and it is told. */
int top_open(struct top *t)
{
	struct target *target = &t->o->record.target;

	t->r.o = &t->o->record;
	t->r.wake = -1;
	/* an inherited event has a ring only when it is bound to a CPU */
	if (target->cpus.nr == 1 && target->cpus.v[0] == -1) {
		target->cpus.nr = 0;
		cpus_online(&target->cpus);
	}
	if (record_settle(&t->o->record) || record_open_events(&t->r) || record_map_rings(&t->r))
		return -1;
	/* what is mapped from now on is in the rings, what was before in the file */
	record_switch_events(&t->r, PERF_EVENT_IOC_ENABLE);
	if (take_past(t))
		return -1;
	begin_profile(t);
	return gather_file(&t->gather, &t->file);
}

void top_close(struct top *t)
{
	if (t->profile.s) {
		profile_free(&t->profile);
		session_free(&t->session);
	}
	if (t->file.nr_events)
		pd_close(&t->file);
	record_unmap_rings(&t->r);
	record_events_free(&t->r);
}
