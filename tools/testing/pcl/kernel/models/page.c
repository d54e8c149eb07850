// SPDX-License-Identifier: GPL-2.0
/*
 * Where the engine and IA-64's driver meet otherwise than in a module: control pages, and chains of callers.
 *
 * What the engine asks of the architecture for a control page is answered by IA-64's driver if the event is of its PMU.
 *
 * Concepts: arch_perf_user_base() and arch_perf_update_userpage() are functions of the architecture, of which a kernel has
 * one. A kprobe stands at the beginning of each of x86's. For an event of ours it calls the driver's in its place, and
 * goes back to the caller.
 *
 * Contexts: the engine's, IRQs off; begin and end in task context.
 *
 * Locks: none.
 */
#include <linux/kprobes.h>

#include "ia64.h"

static struct perf_callchain_entry *(*callchain)(struct perf_event *event, struct pt_regs *regs);

/* perf_callchain() is for drivers that are in the kernel. */
struct perf_callchain_entry *ia64_callchain(struct perf_event *event, struct pt_regs *regs)
{
	return callchain(event, regs);
}

static bool is_ours(const struct pt_regs *regs)
{
	return ((struct perf_event *)regs->di)->pmu == &ia64_pmu;
}

/* As if the probed function, which has just begun, had done its work. */
static int go_back(struct pt_regs *regs)
{
	regs->ip = *(unsigned long *)regs->sp;
	regs->sp += sizeof(unsigned long);
	return 1;
}

static int base_called(struct kprobe *probe, struct pt_regs *regs)
{
	if (!is_ours(regs))
		return 0;
	regs->ax = ia64_user_base((struct perf_event *)regs->di);
	return go_back(regs);
}

static int update_called(struct kprobe *probe, struct pt_regs *regs)
{
	if (!is_ours(regs))
		return 0;
	ia64_update_userpage((struct perf_event *)regs->di, (struct perf_event_mmap_page *)regs->si, regs->dx);
	return go_back(regs);
}

/* With one of these a probe is not made a jump, which could not go back. */
static void nothing_more(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probes[] = {
	{ .symbol_name = "arch_perf_user_base", .pre_handler = base_called, .post_handler = nothing_more },
	{ .symbol_name = "arch_perf_update_userpage", .pre_handler = update_called, .post_handler = nothing_more },
};

static int pages_begin(void)
{
	struct kprobe finder = { .symbol_name = "perf_callchain" }, *list[] = { &probes[0], &probes[1] };
	int err;

	err = register_kprobe(&finder);
	if (err)
		return err;
	callchain = (void *)finder.addr;
	unregister_kprobe(&finder);
	return register_kprobes(list, ARRAY_SIZE(list));
}

static void pages_end(void)
{
	struct kprobe *list[] = { &probes[0], &probes[1] };
	unsigned int i;

	unregister_kprobes(list, ARRAY_SIZE(list));
	/* They may begin again, by name. */
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		probes[i].addr = NULL;
		probes[i].flags = 0;
	}
}

int ia64_around_begin(void)
{
	int err;

	err = pages_begin();
	if (err)
		return err;
	err = ia64_switch_begin();
	if (err)
		pages_end();
	return err;
}

void ia64_around_end(void)
{
	ia64_switch_end();
	pages_end();
}
