// SPDX-License-Identifier: GPL-2.0
/*
 * Where a recording goes: a file, or a pipe.
 *
 * Concepts: opening a file also describes what existed before: events, kernel,
 * processes.
 * Contexts: record's main thread before the pipeline starts and after it ends.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "record/record.h"

static bool samples_kernel(const struct pd_out_events *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (!l->v[i].attr.exclude_kernel)
			return true;
	return false;
}

static void describe_past(struct output *out)
{
	const struct target *t = &out->o->target;
	struct pd_writer *w = &out->w;
	unsigned int i;

	synth_events(w);
	if (samples_kernel(out->events))
		synth_kernel(w);
	if (t->system_wide)
		synth_all_processes(w);
	else if (t->by_command)
		synth_task(w, t->tids.v[0], "pcl-exec");
	else
		for (i = 0; i < t->tids.nr; i++)
			synth_process(w, t->tids.v[i]);
	synth_init_end(w);
}

static void tell_unwinders(void *arg, const struct perf_event_header *h)
{
	unwinders_tell(arg, h);
}

int output_open(struct output *out)
{
	out->path = str_dup(out->o->out_name);
	out->w.fd = out->pipe_fd;
	if (pd_create(&out->w, out->path, out->events, &out->o->settings))
		return -1;
	out->w.seen = out->unwinders ? tell_unwinders : NULL;
	out->w.seen_arg = out->unwinders;
	describe_past(out);
	out->w.seen = NULL;
	return out->w.failed ? -1 : 0;
}

int output_close(struct output *out)
{
	return pd_finish(&out->w);
}
