// SPDX-License-Identifier: GPL-2.0
/*
 * Deferred: the user's part of a call chain, taken on the way back to user mode.
 *
 * Concepts: while a task is in the kernel its user stack stands still, so the many samples of one stay there have one
 * chain of user code in common. An event with attr.defer_callchain has a *cookie* in its chains instead (callchain.c),
 * and the task's return to user mode is met here, where memory can be paged in: the chain is walked once and told, with
 * the cookie, to all events with attr.defer_output.
 *
 * The cookie stays the task's until the record is written: samples of the walk itself belong to it. An exec takes it
 * away, since the stack is another one then; a task that exits is told of like one that returns. Before a signal's
 * handler is made ready it is told as well, for the handler is where the task returns to then.
 *
 * Contexts: process context of the task concerned, may sleep.
 *
 * Locks: none.
 */
#include <linux/sched.h>
#include <linux/slab.h>

#include <asm/processor.h>
#include <asm/ptrace.h>

#include "record.h"

/* Addresses at most: room for them and a head in the 64 KiB of a record. */
#define DEEPEST 8000

static struct perf_callchain_entry *walk(void)
{
	u32 max_stack = min(READ_ONCE(sysctl_perf_event_max_stack), DEEPEST);
	struct perf_callchain_entry_ctx walk = { .max_stack = max_stack };

	/* One word more than stock's buffers: a walker may store the instruction pointer unasked. */
	walk.entry = kmalloc(struct_size(walk.entry, ip, max_stack + 2), GFP_KERNEL);
	if (!walk.entry)
		return NULL;
	walk.entry->nr = 0;
	walk.entry->ip[walk.entry->nr++] = PERF_CONTEXT_USER;
	perf_callchain_user_faulting(&walk, current_pt_regs());
	return walk.entry;
}

static void tell(u64 cookie)
{
	struct pcl_record what = { .kind = PCL_RECORD_CALLCHAIN_DEFERRED, .misc = PERF_RECORD_MISC_USER };
	struct perf_callchain_entry *chain = current->mm ? walk() : NULL;
	u64 words[2] = { cookie, chain ? chain->nr : 0 };

	pcl_record_add(&what, words, sizeof(words));
	if (chain)
		pcl_record_add(&what, chain->ip, chain->nr * sizeof(u64));
	pcl_record_send(&what, NULL);
	kfree(chain);
}

/* The running task leaves the kernel for user mode, or for good; samples that it had there wait for this. */
void perf_event_tell_chain(void)
{
	unsigned long cookie = READ_ONCE(current->perf_chain_cookie);

	if (!cookie)
		return;
	if (pcl_record_wanted(PCL_RECORD_CALLCHAIN_DEFERRED))
		tell(cookie);
	WRITE_ONCE(current->perf_chain_cookie, 0);
}
