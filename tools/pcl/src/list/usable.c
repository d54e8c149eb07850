// SPDX-License-Identifier: GPL-2.0
/*
 * Can an event be used here? It is opened and closed.
 *
 * Concepts: on this task or, for a PMU of a package, on its CPU; when the
 * kernel may not be measured, for user space only.
 * Contexts: list, one thread.
 * Locks: none.
 */
#include <errno.h>
#include <unistd.h>

#include "list/list.h"

/* Open once and close. 0, or the errno. */
static int try_open(struct event *e, pid_t pid, int cpu)
{
	int fd = sys_perf_event_open(&e->attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* *reason is to be freed; NULL when it can. */
enum usable event_usable(struct event *e, char **reason)
{
	pid_t pid = e->pmu_cpus.nr ? -1 : 0;
	int cpu = e->pmu_cpus.nr ? e->pmu_cpus.v[0] : -1, err;

	*reason = NULL;
	e->attr.disabled = 1;
	err = try_open(e, pid, cpu);
	if (!err)
		return USABLE;
	if (err == EINVAL && pid == 0) {
		/* some PMUs count for CPUs only, and do not say on which */
		if (!try_open(e, -1, 0))
			return USABLE;
	}
	if (err == EACCES && !e->attr.exclude_kernel && !event_kernel_only(e)) {
		e->attr.exclude_kernel = e->attr.exclude_hv = 1;
		if (!try_open(e, pid, cpu))
			return USABLE_USER;
		e->attr.exclude_kernel = e->attr.exclude_hv = 0;
	}
	*reason = open_reason(e, pid, cpu, -1, err);
	return NOT_USABLE;
}
