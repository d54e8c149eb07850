// SPDX-License-Identifier: GPL-2.0
/*
 * What the tool itself took of the machine, for those who want to know what measuring cost.
 *
 * Concepts: the kernel counts the CPU time of the tool and all its threads, and
 * that of the measured command, alike; both are told, and their ratio.
 * Contexts: the main thread, when the command has ended.
 * Locks: none.
 */
#include <sys/resource.h>

#include "base/base.h"

double timeval_seconds(const struct timeval *tv)
{
	return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

/* "pcl stat: " and its like, then the CPU time of the tool; command_s: that of what was measured, 0: nobody knows. */
void own_cost_print(FILE *f, const char *head, double command_s)
{
	struct rusage u;
	double user, sys;

	if (getrusage(RUSAGE_SELF, &u))
		return;
	user = timeval_seconds(&u.ru_utime);
	sys = timeval_seconds(&u.ru_stime);
	fprintf(f, "%soverhead: pcl itself took %.3f s of CPU (%.3f user, %.3f sys)", head, user + sys, user, sys);
	if (command_s > 0)
		fprintf(f, ", %.2f%% of the command's %.3f s", 100 * (user + sys) / command_s, command_s);
	fprintf(f, "; peak memory %.1f MB\n", (double)u.ru_maxrss * 1024 / 1e6);
}
