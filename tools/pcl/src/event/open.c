// SPDX-License-Identifier: GPL-2.0
/*
 * Opening events on a target, and closing them.
 *
 * Concepts: an event has one descriptor for each pair of CPU and thread; a
 * sibling is opened with the leader's descriptor of the same pair. What the
 * machine cannot count leaves the event "not supported" with its reason; what
 * the user may not do, or has no room for, is an error.
 * Contexts: start of a command; each run of stat -r.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

struct event_calls event_calls;

int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags)
{
	event_calls.open++;
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

/* Errors that say "not on this machine" rather than "not by you". */
bool errno_is_unsupported(int err)
{
	switch (err) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENXIO:
	case ENODEV:
	case EINVAL:
		return true;
	default:
		return false;
	}
}

static void event_refused(struct event *e, int err, char *reason)
{
	event_close(e);
	e->status = EVENT_NOT_SUPPORTED;
	e->open_errno = err;
	free(e->reason);
	e->reason = reason;
}

/* May the event be narrowed to user space, now that the kernel said err? */
static bool may_narrow(const struct event *e, int err)
{
	return err == EACCES && !e->level_given && !e->attr.exclude_kernel && !event_kernel_only(e);
}

/* Retry as user space only; the event's name says so from then on. */
static int open_narrowed(struct event *e, pid_t pid, int cpu, int group_fd)
{
	char *name;
	int fd;

	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = 1;
	fd = sys_perf_event_open(&e->attr, pid, cpu, group_fd,
				 e->open_flags | PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		int err = errno;

		e->attr.exclude_kernel = 0;
		e->attr.exclude_hv = 0;
		errno = err;
		return -1;
	}
	name = str_printf("%s%s", e->name, e->name[strlen(e->name) - 1] == '/' ? "u" : ":u");
	free(e->name);
	e->name = name;
	e->narrowed = true;
	return fd;
}

/* One descriptor, with the two retries that are allowed to change the attr. */
static int open_one(struct event *e, pid_t pid, int cpu, int group_fd, bool first)
{
	int fd, err;

	if (first && e->precise_max)
		e->attr.precise_ip = 3;
	for (;;) {
		fd = sys_perf_event_open(&e->attr, pid, cpu, group_fd,
					 e->open_flags | PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0 || !first)
			return fd;
		if (e->precise_max && e->attr.precise_ip && errno_is_unsupported(errno)) {
			e->attr.precise_ip--;
			continue;
		}
		break;
	}
	err = errno;
	if (may_narrow(e, err))
		return open_narrowed(e, pid, cpu, group_fd);
	errno = err;
	return -1;
}

/* Where user space alone was refused, too, the kernel level is not the reason. */
static char *refusal(struct event *e, pid_t pid, int cpu, int group_fd, int err)
{
	bool narrow = may_narrow(e, err);
	char *reason;

	e->attr.exclude_kernel |= narrow;
	reason = open_reason(e, pid, cpu, group_fd, err);
	if (narrow)
		e->attr.exclude_kernel = 0;
	return reason;
}

/* Is this CPU of the target one that the event's PMU is read on? */
static bool cpu_wanted(const struct event *e, const struct target *t, int cpu)
{
	return !t->system_wide || ((!e->pmu_cpus.nr || int_list_has(&e->pmu_cpus, cpu)) &&
				    (!e->core_cpus.nr || int_list_has(&e->core_cpus, cpu)));
}

static int open_pair(struct event *e, const struct target *t, unsigned int c, unsigned int i,
		     bool first)
{
	unsigned int at = c * t->tids.nr + i;
	int group_fd = -1, err, fd;
	pid_t pid = t->tids.v[i];
	int cpu = t->cpus.v[c];

	if (e->leader != e) {
		group_fd = e->leader->fd ? e->leader->fd[at] : -1;
		if (group_fd < 0 && e->leader->status == EVENT_NOT_SUPPORTED) {
			event_refused(e, e->leader->open_errno,
				      str_printf("the leader of its group, '%s', was refused",
						e->leader->name));
			return -e->open_errno;
		}
		if (group_fd < 0)
			return 0;
	}
	fd = open_one(e, pid, cpu, group_fd, first);
	if (fd >= 0) {
		e->fd[at] = fd;
		return 0;
	}
	err = errno;
	if (err == ESRCH && t->tids.nr > 1)
		return 0;	/* ended since it was listed */
	event_refused(e, err, refusal(e, pid, cpu, group_fd, err));
	/* others of the list may well be allowed, so this alone is no error */
	return err == EACCES && event_kernel_only(e) && pid != -1 ? -EOPNOTSUPP : -err;
}

/* Open the event on its whole target. 0, or -errno with status and reason. */
int event_open_all(struct event *e, const struct target *t)
{
	unsigned int nr = t->cpus.nr * t->tids.nr, c, i, opened = 0;
	int ret;

	e->open_flags = t->open_flags;
	e->nr_cpus = t->cpus.nr;
	e->nr_tids = t->tids.nr;
	e->fd = mem_zalloc(nr, sizeof(*e->fd));
	memset(e->fd, 0xff, nr * sizeof(*e->fd));
	e->status = EVENT_COUNTED;
	for (c = 0; c < t->cpus.nr; c++) {
		if (!cpu_wanted(e, t, t->cpus.v[c]))
			continue;
		for (i = 0; i < t->tids.nr; i++) {
			ret = open_pair(e, t, c, i, !opened);
			if (ret)
				return ret;
			opened += e->fd[c * t->tids.nr + i] >= 0;
		}
	}
	if (!opened) {
		event_refused(e, ESRCH, str_dup("every task of the target has ended"));
		return -ESRCH;
	}
	return 0;
}

/* Say once which events were narrowed; a later run of stat -r is silent. */
static void tell_narrowed(struct event_list *l)
{
	char *names = str_dup(""), *longer;
	unsigned int i;

	for (i = 0; i < l->nr; i++) {
		if (!l->v[i]->narrowed)
			continue;
		l->v[i]->narrowed = false;
		longer = str_printf("%s %s", names, l->v[i]->name);
		free(names);
		names = longer;
	}
	if (*names)
		complain("note: no permission to measure the kernel (kernel.perf_event_paranoid is %ld); user space only, and named so:%s",
			 file_read_long("/proc/sys/kernel/perf_event_paranoid", 2), names);
	free(names);
}

/*
 * Open all events. What this machine cannot count stays "not supported", and
 * is shown so; -1 when a refusal is the user's to solve (said here).
 */
int events_open_or_explain(struct event_list *l, const struct target *t)
{
	unsigned int i;
	int ret;

	for (i = 0; i < l->nr; i++) {
		ret = event_open_all(l->v[i], t);
		if (ret && !errno_is_unsupported(-ret))
			return complain("event '%s': %s", l->v[i]->name, l->v[i]->reason);
	}
	tell_narrowed(l);
	return 0;
}

void event_close(struct event *e)
{
	unsigned int i;

	if (!e->fd)
		return;
	for (i = 0; i < e->nr_cpus * e->nr_tids; i++)
		if (e->fd[i] >= 0)
			close(e->fd[i]);
	free(e->fd);
	free(e->id);
	e->fd = NULL;
	e->id = NULL;
}

/* The same ioctl on every descriptor of the event. */
void event_ioctl(struct event *e, unsigned long request, unsigned long arg)
{
	unsigned int i;

	if (!e->fd)
		return;
	for (i = 0; i < e->nr_cpus * e->nr_tids; i++)
		if (e->fd[i] >= 0) {
			event_calls.control++;
			ioctl(e->fd[i], request, arg);
		}
}
