// SPDX-License-Identifier: GPL-2.0
/*
 * How far long work has come: one line on standard error, on a terminal only.
 *
 * Concepts: nothing is shown during the first second; then the line is
 * rewritten ten times a second at most, and cleared at the end.
 * Contexts: report.
 * Locks: none.
 */
#include <unistd.h>

#include "base/base.h"

enum { QUIET_NS = 1000000000, STEP_NS = 100000000 };

static u64 start_ns, last_ns;

void progress_update(const char *what, u64 done, u64 all)
{
	u64 now_ns = clock_ns();

	if (!start_ns)
		start_ns = now_ns;
	if (now_ns - start_ns < QUIET_NS || now_ns - last_ns < STEP_NS || !all ||
	    !isatty(STDERR_FILENO))
		return;
	last_ns = now_ns;
	fprintf(stderr, "\r%s: %3.0f %%", what, 100.0 * (double)done / (double)all);
}

void progress_end(void)
{
	if (last_ns)
		fputs("\r\033[K", stderr);
	start_ns = last_ns = 0;
}
