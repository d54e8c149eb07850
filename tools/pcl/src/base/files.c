// SPDX-License-Identifier: GPL-2.0
/*
 * How many files this process may have open.
 *
 * Concepts: each event takes a descriptor for each CPU and thread, so the tool
 * goes as far as it may. The command and the pager get back the limit that it was
 * started with: programs that wait by select() rely on a small one.
 * Contexts: the start of the tool, and of a command in its own process.
 * Locks: none.
 */
#include <sys/resource.h>

#include "base/base.h"

static struct rlimit at_start;
static bool raised;

/* Up to the hard limit. Where that cannot be, the limit stays. */
void files_raise(void)
{
	struct rlimit all;

	if (getrlimit(RLIMIT_NOFILE, &at_start) || at_start.rlim_cur == at_start.rlim_max)
		return;
	all = at_start;
	all.rlim_cur = all.rlim_max;
	raised = !setrlimit(RLIMIT_NOFILE, &all);
}

/* As it was when the tool was started. */
void files_restore(void)
{
	if (raised)
		setrlimit(RLIMIT_NOFILE, &at_start);
}
