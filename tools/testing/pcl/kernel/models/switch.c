// SPDX-License-Identifier: GPL-2.0
/*
 * A switch of tasks tells IA-64's driver of it, as asm/switch_to.h of that architecture does.
 *
 * Concepts: this kernel's switch has a tracepoint. It comes before the events of the task that goes are off, where the
 * real one comes behind that: the driver must not mind.
 *
 * Contexts: begin and end in task context; the tracepoint within the scheduler, IRQs off.
 *
 * Locks: none.
 */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "ia64.h"

static struct tracepoint *tracepoint;

static void task_comes(void *unused, bool preempt, struct task_struct *prev, struct task_struct *next,
		       unsigned int prev_state)
{
	ia64_user_switch(next);
}

static void look_at(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		tracepoint = tp;
}

int ia64_switch_begin(void)
{
	for_each_kernel_tracepoint(look_at, NULL);
	return tracepoint ? tracepoint_probe_register(tracepoint, task_comes, NULL) : -ENOENT;
}

void ia64_switch_end(void)
{
	tracepoint_probe_unregister(tracepoint, task_comes, NULL);
	tracepoint_synchronize_unregister();
}
