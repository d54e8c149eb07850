// SPDX-License-Identifier: GPL-2.0
/*
 * Why the kernel refused an event, and the way out.
 *
 * Concepts: a PCL kernel tells its reason through the extension of the system
 * call; there the refused call is made once more with a buffer for the text.
 * On any kernel the errno, the event and a few files give a second sentence:
 * what to change.
 * Contexts: after a failed open.
 * Locks: none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

/* Does a PCL kernel run here? */
bool pcl_kernel(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/kernel/pcl/version", sysfs_root());
	return !access(path, R_OK);
}

/* The kernel's own reason for refusing this call; NULL when it gives none. */
static char *kernel_reason(const struct event *e, pid_t pid, int cpu, int group_fd)
{
	struct perf_event_attr attr = e->attr;
	char text[256] = "";
	struct pcl_open po = {
		.size = sizeof(po),
		.attr = (u64)(uintptr_t)&attr,
		.why_text = (u64)(uintptr_t)text,
		.why_text_size = sizeof(text),
	};
	long fd;

	fd = syscall(SYS_perf_event_open, &po, pid, cpu, group_fd,
		     PERF_FLAG_FD_CLOEXEC | PCL_FLAG_OPEN);
	if (fd >= 0)
		close((int)fd);
	text[sizeof(text) - 1] = '\0';
	return text[0] ? str_dup(text) : NULL;
}

static bool needs_core_pmu(const struct event *e)
{
	return e->attr.type == PERF_TYPE_HARDWARE || e->attr.type == PERF_TYPE_HW_CACHE ||
	       e->attr.type == PERF_TYPE_RAW;
}

/* Measuring less is often the quickest way. */
static const char *user_way_out(const struct event *e)
{
	if (e->attr.exclude_kernel || event_kernel_only(e))
		return "";
	return ", add :u to measure user space only";
}

static char *reason_permission(const struct event *e, pid_t pid)
{
	long paranoid = file_read_long("/proc/sys/kernel/perf_event_paranoid", -99);
	const char *what = "this event";

	if (pid == -1)
		what = "measuring whole CPUs";
	else if (e->attr.type == PERF_TYPE_TRACEPOINT)
		what = "a tracepoint";
	else if (event_kernel_only(e))
		what = "an event that happens in the kernel";
	else if (!e->attr.exclude_kernel)
		what = "measuring the kernel";
	else if (pid > 0)
		what = "measuring a task of another user";
	if (paranoid == -99)
		return str_printf("no permission for %s; run as root", what);
	return str_printf("no permission for %s (kernel.perf_event_paranoid is %ld); run as root or with CAP_PERFMON%s, or sysctl kernel.perf_event_paranoid=%d",
			 what, paranoid, user_way_out(e),
			 pid == -1 ? 0 : 1);
}

static char *reason_unsupported(const struct event *e, int err)
{
	if (needs_core_pmu(e) && !core_pmu_present())
		return str_printf("no hardware PMU is visible here (a virtual machine without one, or a disabled one); use software events, see 'pcl list software', or give the machine a PMU");
	if (err == ENOENT && e->attr.type == PERF_TYPE_HW_CACHE)
		return str_printf("this PMU has no such cache event; 'pcl list cache' shows those it has");
	if (err == ENOENT)
		return str_printf("this PMU has no such event; 'pcl list' shows those usable here");
	if (err == EOPNOTSUPP && e->attr.precise_ip)
		return str_printf("this PMU cannot be precise to degree %u here; use fewer p",
				 (unsigned int)e->attr.precise_ip);
	if (err == EOPNOTSUPP && e->attr.sample_period)
		return str_printf("this PMU cannot sample this event (no interrupt); count it with pcl stat");
	return str_printf("the PMU cannot count this: %s", strerror(err));
}

static bool opens_alone(const struct event *e, pid_t pid, int cpu)
{
	struct perf_event_attr attr = e->attr;
	int fd = sys_perf_event_open(&attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* NULL: nothing better than what the kernel says. */
static char *reason_invalid(const struct event *e, pid_t pid, int cpu, int group_fd)
{
	if (group_fd >= 0 && opens_alone(e, pid, cpu))
		return str_printf("its group is larger than the PMU can count at once; split the group");
	if (e->pmu_cpus.nr && pid != -1)
		return str_printf("this PMU counts for a whole package, not for a task; use -a");
	if (e->attr.precise_ip)
		return str_printf("the PMU cannot be precise for this event; drop the p modifier");
	if (e->attr.type == PERF_TYPE_BREAKPOINT)
		return str_printf("not a valid breakpoint: the address must be a multiple of the length, and execution breakpoints have length %zu",
				 sizeof(long));
	return NULL;
}

static char *reason_by_errno(const struct event *e, pid_t pid, int cpu, int group_fd, int err)
{
	struct rlimit rl = { 0 };

	switch (err) {
	case EACCES:
	case EPERM:
		return reason_permission(e, pid);
	case ENOENT:
	case EOPNOTSUPP:
	case ENXIO:
		return reason_unsupported(e, err);
	case ENODEV:
		return str_printf("the PMU is not there or CPU %d is offline; see 'pcl list pmu'", cpu);
	case EINVAL:
		return reason_invalid(e, pid, cpu, group_fd);
	case EMFILE:
		getrlimit(RLIMIT_NOFILE, &rl);
		return str_printf("too many open files (limit %llu, one is needed for each event, CPU and thread); ulimit -n %llu, or fewer events",
				 (unsigned long long)rl.rlim_cur,
				 (unsigned long long)rl.rlim_cur * 4);
	case ENFILE:
		return str_printf("the system is out of file structures; raise sysctl fs.file-max");
	case EBUSY:
		return str_printf("someone else holds the PMU exclusively; end the other tool (an NMI watchdog goes with sysctl kernel.nmi_watchdog=0)");
	case ENOSPC:
		return str_printf("all hardware breakpoints are taken; use fewer");
	case ESRCH:
		return str_printf("the task has ended");
	case ENOSYS:
		return str_printf("this kernel has no perf_event_open (CONFIG_PERF_EVENTS)");
	case E2BIG:
		return str_printf("this kernel is older than a field that the event uses");
	default:
		return str_printf("perf_event_open: %s", strerror(err));
	}
}

/*
 * One line: the kernel's reason when it gives one, and what can be done.
 * The caller frees it.
 */
char *open_reason(const struct event *e, pid_t pid, int cpu, int group_fd, int err)
{
	char *kernel = pcl_kernel() ? kernel_reason(e, pid, cpu, group_fd) : NULL;
	char *plain = reason_by_errno(e, pid, cpu, group_fd, err), *both;

	if (!kernel)
		return plain ? plain : str_printf("the kernel refused these attributes: %s",
						  strerror(err));
	both = str_printf(plain ? "the kernel says: %s; %s" : "the kernel says: %s", kernel,
			  plain);
	free(kernel);
	free(plain);
	return both;
}
