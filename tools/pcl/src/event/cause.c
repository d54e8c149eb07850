// SPDX-License-Identifier: GPL-2.0
/*
 * The causes of a refusal: one table.
 *
 * Concepts: each row has a name, the test that tells it from the others, what
 * is wrong, and what to do; words in braces are filled in by reason.c. The
 * first row that applies is the cause, so the order goes from what forbids
 * everything to what concerns one field, and the last row applies always. Rows
 * look only at the refused call and at the rights, so a test can walk them all.
 * Contexts: after a failed open.
 * Locks: none.
 */
#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "internal.h"

/* What is known of a refusal when its cause is looked for. */
struct question {
	const struct refused *c;
	const struct rights *r;
	const struct perf_event_attr *a;
	bool denied;		/* EACCES or EPERM */
	bool absent;		/* ENOENT, EOPNOTSUPP, ENXIO */
};

static bool has_sample(const struct question *q, u64 bit)
{
	return q->a->sample_type & bit;
}

static bool needs_core_pmu(const struct question *q)
{
	return q->a->type == PERF_TYPE_HARDWARE || q->a->type == PERF_TYPE_HW_CACHE ||
	       q->a->type == PERF_TYPE_RAW;
}

static bool kernel_only(const struct question *q)
{
	struct event e = { .attr = *q->a };

	return event_kernel_only(&e);
}

static bool sees_kernel(const struct question *q)
{
	return !q->a->exclude_kernel || has_sample(q, PERF_SAMPLE_PHYS_ADDR) ||
	       (has_sample(q, PERF_SAMPLE_BRANCH_STACK) &&
		(q->a->branch_sample_type & (PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)));
}

static bool is_probe(const struct question *q)
{
	u32 type;

	return (pmu_type("kprobe", &type) && type == q->a->type) ||
	       (pmu_type("uprobe", &type) && type == q->a->type);
}

/* Refused for want of a right that capabilities or the sysctl would give. */
static bool unprivileged(const struct question *q)
{
	return q->denied && !rights_perfmon(q->r);
}

static bool above(const struct question *q, long level)
{
	return q->r->paranoid == PARANOID_UNKNOWN || q->r->paranoid > level;
}

static bool by_seccomp(const struct question *q)
{
	return q->r->filter_errno && q->r->seccomp;
}

static bool by_no_perf_events(const struct question *q)
{
	return q->r->filter_errno == ENOSYS;
}

static bool by_sandbox(const struct question *q)
{
	return q->r->filter_errno;
}

static bool by_not_built(const struct question *q)
{
	return q->c->kernel && strstr(q->c->kernel, "not built yet");
}

static bool by_paranoid_any(const struct question *q)
{
	return q->r->least_errno == EACCES && unprivileged(q) && above(q, 2);
}

static bool by_module(const struct question *q)
{
	return (q->r->least_errno == EACCES || q->r->least_errno == EPERM) && q->denied;
}

static bool by_lockdown(const struct question *q)
{
	return q->denied && q->r->lockdown && has_sample(q, PERF_SAMPLE_REGS_INTR);
}

static bool by_userns(const struct question *q)
{
	return unprivileged(q) && !q->r->first_userns &&
	       (q->r->caps >> CAP_PERFMON & 1 || q->r->caps >> CAP_SYS_ADMIN & 1) &&
	       q->c->pid <= 0;
}

static bool by_probe(const struct question *q)
{
	return unprivileged(q) && is_probe(q);
}

static bool by_namespaces(const struct question *q)
{
	return unprivileged(q) && q->a->namespaces;
}

static bool by_kernel_breakpoint(const struct question *q)
{
	return q->denied && q->a->type == PERF_TYPE_BREAKPOINT && (s64)q->a->bp_addr < 0;
}

static bool of_cgroup(const struct question *q)
{
	return q->c->flags & PERF_FLAG_PID_CGROUP;
}

static bool by_cgroup(const struct question *q)
{
	return of_cgroup(q) && (q->c->err == EINVAL || q->c->err == EBADF);
}

static bool by_paranoid_cpu(const struct question *q)
{
	return unprivileged(q) && q->c->pid == -1 && above(q, 0);
}

static bool by_paranoid_cgroup(const struct question *q)
{
	return by_paranoid_cpu(q) || (unprivileged(q) && of_cgroup(q) && above(q, 0));
}

static bool by_paranoid_tracepoint(const struct question *q)
{
	return unprivileged(q) && q->a->type == PERF_TYPE_TRACEPOINT && above(q, -1) &&
	       (q->c->err == EPERM || !above(q, 1));
}

static bool by_paranoid_switch(const struct question *q)
{
	return unprivileged(q) && kernel_only(q) && above(q, 1);
}

static bool by_paranoid_kernel(const struct question *q)
{
	return unprivileged(q) && sees_kernel(q) && above(q, 1);
}

static bool by_other_task(const struct question *q)
{
	return unprivileged(q) && q->c->pid > 0 && !of_cgroup(q);
}

static bool by_denial(const struct question *q)
{
	return q->denied;
}

static bool by_no_pmu(const struct question *q)
{
	return (q->absent || q->c->err == ENODEV) && needs_core_pmu(q) && !q->r->core_pmu;
}

static bool by_no_pmu_vm(const struct question *q)
{
	return by_no_pmu(q) && q->r->virtual_machine;
}

static bool by_no_tracing(const struct question *q)
{
	return q->c->err == ENOENT && q->a->type == PERF_TYPE_TRACEPOINT;
}

static bool by_software_branches(const struct question *q)
{
	return q->c->err == EOPNOTSUPP && has_sample(q, PERF_SAMPLE_BRANCH_STACK) &&
	       !needs_core_pmu(q);
}

static bool by_branches(const struct question *q)
{
	return (q->absent || q->c->err == EINVAL) && has_sample(q, PERF_SAMPLE_BRANCH_STACK);
}

static bool by_aux(const struct question *q)
{
	return (q->absent || q->c->err == EINVAL) &&
	       (has_sample(q, PERF_SAMPLE_AUX) || q->a->aux_output);
}

static bool by_cache_event(const struct question *q)
{
	return q->c->err == ENOENT && q->a->type == PERF_TYPE_HW_CACHE;
}

static bool by_event(const struct question *q)
{
	return q->c->err == ENOENT;
}

static bool by_precise(const struct question *q)
{
	return q->c->err == EOPNOTSUPP && q->a->precise_ip;
}

static bool by_no_interrupt(const struct question *q)
{
	return q->c->err == EOPNOTSUPP && q->a->sample_period;
}

static bool by_absence(const struct question *q)
{
	return q->absent;
}

static bool by_device(const struct question *q)
{
	return q->c->err == ENODEV;
}

static bool by_rate(const struct question *q)
{
	return q->c->err == EINVAL && q->a->freq && q->r->max_rate > 0 &&
	       q->a->sample_freq > (u64)q->r->max_rate;
}

static bool by_group_size(const struct question *q)
{
	return q->c->err == EINVAL && q->c->opens_alone;
}

static bool by_package(const struct question *q)
{
	return q->c->err == EINVAL && q->c->of_package && q->c->pid != -1;
}

static bool by_precise_event(const struct question *q)
{
	return q->c->err == EINVAL && q->a->precise_ip;
}

static bool by_breakpoint(const struct question *q)
{
	return q->c->err == EINVAL && q->a->type == PERF_TYPE_BREAKPOINT;
}

static bool by_inherit_read(const struct question *q)
{
	return q->c->err == EINVAL && q->a->inherit && has_sample(q, PERF_SAMPLE_READ);
}

/* The kernel's words say it all. */
static bool by_told(const struct question *q)
{
	return q->c->kernel;
}

/* Causes that the errno alone tells; the row has it. */
static bool by_errno(const struct question *q)
{
	(void)q;
	return true;
}

/* Whoever may run a program with a capability has it, so it is for a group; chgrp would take it off again. */
#define ROOT_OR_CAP	"run as root or with CAP_PERFMON, which shows all that programs and the kernel do " \
			"(for one group alone: sudo chgrp GROUP {pcl}; sudo chmod 750 {pcl}; " \
			"sudo setcap cap_perfmon+ep {pcl})"

static const struct cause causes[] = {
	{ "seccomp", 0, by_seccomp,
	  "a seccomp filter refuses perf_event_open ({filter}), as the default ones of container runtimes do",
	  "docker run --cap-add PERFMON ... (or --security-opt seccomp=FILE with a profile that allows perf_event_open); in a systemd unit: SystemCallFilter=perf_event_open" },
	{ "no-perf-events", 0, by_no_perf_events,
	  "this kernel has no perf_event_open (CONFIG_PERF_EVENTS)",
	  "boot a kernel that was built with CONFIG_PERF_EVENTS=y" },
	{ "sandbox", 0, by_sandbox,
	  "perf_event_open is refused ({filter}) before any event is looked at, and not by a seccomp filter of this task",
	  "run outside the sandbox" },
	{ "not-built", 0, by_not_built,
	  "this PCL does not have that yet",
	  "do without it, or boot a stock kernel for it" },
	{ "paranoid-any", 0, by_paranoid_any,
	  "no permission for any event (kernel.perf_event_paranoid is {paranoid}; above 2 only root may use events)",
	  "sudo sysctl kernel.perf_event_paranoid=2, or run as root" },
	{ "security-module", 0, by_module,
	  "a security module{modules} forbids perf_event_open to this process",
	  "see its denials (sudo journalctl -k -g denied; sudo ausearch -m avc -ts recent), and allow this domain the class perf_event" },
	{ "lockdown", 0, by_lockdown,
	  "the kernel is locked down and keeps the registers of an interrupt to itself",
	  "record without them, or boot without lockdown (cat /sys/kernel/security/lockdown)" },
	{ "probe-capability", 0, by_probe,
	  "no permission to place probes; no sysctl lifts that",
	  ROOT_OR_CAP },
	{ "namespaces-capability", 0, by_namespaces,
	  "no permission to record namespaces; no sysctl lifts that",
	  ROOT_OR_CAP },
	{ "kernel-breakpoint", 0, by_kernel_breakpoint,
	  "no permission for a breakpoint in the kernel",
	  "run as root" },
	{ "user-namespace", 0, by_userns,
	  "no permission for {what}: the capabilities of a user namespace do not count (kernel.perf_event_paranoid is {paranoid})",
	  "outside the container: sudo sysctl kernel.perf_event_paranoid={level}, or run as root there" },
	{ "paranoid-cpu", 0, by_paranoid_cgroup,
	  "no permission for measuring whole CPUs (kernel.perf_event_paranoid is {paranoid})",
	  ROOT_OR_CAP ", or sudo sysctl kernel.perf_event_paranoid=0" },
	{ "paranoid-tracepoint", 0, by_paranoid_tracepoint,
	  "no permission for a tracepoint (kernel.perf_event_paranoid is {paranoid})",
	  ROOT_OR_CAP ", or sudo sysctl kernel.perf_event_paranoid=-1" },
	{ "paranoid-switch", 0, by_paranoid_switch,
	  "no permission for an event that happens in the kernel (kernel.perf_event_paranoid is {paranoid})",
	  ROOT_OR_CAP ", or sudo sysctl kernel.perf_event_paranoid=1" },
	{ "paranoid-kernel", 0, by_paranoid_kernel,
	  "no permission for measuring the kernel (kernel.perf_event_paranoid is {paranoid})",
	  "add :u to measure user space only, " ROOT_OR_CAP ", or sudo sysctl kernel.perf_event_paranoid=1" },
	{ "other-task", 0, by_other_task,
	  "no permission for measuring task {pid}: it belongs to another user, or may not be traced",
	  "run as that user, or " ROOT_OR_CAP },
	{ "denied", 0, by_denial,
	  "no permission for {what} ({errno}), though the sysctl and the capabilities would allow it: a security module{modules}, or a rule of the event's PMU",
	  "see the denials (sudo journalctl -k -g denied)" },
	{ "cgroup", 0, by_cgroup,
	  "this kernel has no events of cgroups (CONFIG_CGROUP_PERF), or another hierarchy has perf_event",
	  "see which one: grep perf_event /proc/cgroups /proc/mounts" },
	{ "no-pmu-vm", 0, by_no_pmu_vm,
	  "no hardware PMU is visible here: a virtual machine that was given none",
	  "use software events (pcl list software), or give the guest a PMU (qemu: -cpu host,pmu=on; libvirt: <pmu state='on'/>; clouds: a metal instance)" },
	{ "no-pmu", 0, by_no_pmu,
	  "no hardware PMU is visible here (no driver for this processor, or it is disabled)",
	  "use software events (pcl list software); sudo dmesg | grep -i pmu tells what the kernel found" },
	{ "no-tracepoint", 0, by_no_tracing,
	  "this kernel has no such tracepoint, or no tracepoints for events",
	  "pcl list tracepoint shows those it has" },
	{ "branch-stack-software", 0, by_software_branches,
	  "only events of the hardware have a branch stack",
	  "use cycles or another hardware event" },
	{ "branch-stack", 0, by_branches,
	  "this PMU has no branch stack of this kind (virtual machines seldom have one)",
	  "use frame pointers or dwarf for call chains" },
	{ "aux", 0, by_aux,
	  "AUX data come from a PMU that traces (intel_pt, cs_etm, arm_spe), and none leads this event's group",
	  "lead the group with an event of such a PMU; pcl list pmu shows those here" },
	{ "no-cache-event", 0, by_cache_event,
	  "this PMU has no such cache event",
	  "pcl list cache shows those it has" },
	{ "no-event", 0, by_event,
	  "this PMU has no such event",
	  "pcl list shows those usable here" },
	{ "precise", 0, by_precise,
	  "this PMU cannot be precise to degree {precise} here",
	  "use fewer p" },
	{ "no-interrupt", 0, by_no_interrupt,
	  "this PMU cannot sample this event (no interrupt)",
	  "count it with pcl stat" },
	{ "unsupported", 0, by_absence,
	  "the PMU cannot count this ({errno})",
	  "pcl list shows the events usable here" },
	{ "no-device", 0, by_device,
	  "the PMU is not there or CPU {cpu} is offline",
	  "pcl list pmu shows the PMUs; cat /sys/devices/system/cpu/online the CPUs" },
	{ "rate", 0, by_rate,
	  "{rate} samples a second are more than allowed (kernel.perf_event_max_sample_rate is {max-rate})",
	  "use -F {max-rate} or less, or sudo sysctl kernel.perf_event_max_sample_rate={rate}" },
	{ "group-size", 0, by_group_size,
	  "its group is larger than the PMU can count at once",
	  "split the group" },
	{ "package", 0, by_package,
	  "this PMU counts for a whole package, not for a task",
	  "use -a" },
	{ "precise-event", 0, by_precise_event,
	  "the PMU cannot be precise for this event",
	  "drop the p modifier" },
	{ "breakpoint", 0, by_breakpoint,
	  "not a valid breakpoint: the address must be a multiple of the length, and execution breakpoints have the length of a long",
	  "round the address down, or shorten the length" },
	{ "inherit-read", 0, by_inherit_read,
	  "this kernel does not sample the values of a group in inherited tasks",
	  "use --no-inherit" },
	{ "file-limit", EMFILE, by_errno,
	  "too many open files (limit {files}, one is needed for each event, CPU and thread)",
	  "fewer events; or as root: prlimit --pid $$ --nofile={files-more}" },
	{ "files", ENFILE, by_errno,
	  "the system is out of file structures",
	  "raise sysctl fs.file-max" },
	{ "busy", EBUSY, by_errno,
	  "someone else holds the PMU exclusively",
	  "end the other tool (an NMI watchdog goes with sudo sysctl kernel.nmi_watchdog=0)" },
	{ "breakpoints", ENOSPC, by_errno,
	  "all hardware breakpoints are taken",
	  "use fewer" },
	{ "task-ended", ESRCH, by_errno,
	  "the task has ended",
	  "measure one that runs" },
	{ "old-kernel", E2BIG, by_errno,
	  "this kernel is older than a field that the event uses",
	  "boot a newer kernel" },
	{ "memory", ENOMEM, by_errno,
	  "the kernel is out of memory for events",
	  "fewer events, or free some memory" },
	{ "stack-dump", ENOSYS, by_errno,
	  "this architecture cannot copy user stacks into samples",
	  "use frame pointers for call chains" },
	{ "max-stack", EOVERFLOW, by_errno,
	  "the call chains are longer than kernel.perf_event_max_stack allows",
	  "ask for shorter ones, or raise that sysctl" },
	{ "told", EINVAL, by_told,
	  "",
	  "change that, and try again" },
	{ "attributes", EINVAL, by_errno,
	  "the kernel refused these attributes ({errno})",
	  "use fewer modifiers and options (a PCL kernel names the one, where it can)" },
	{ "other", 0, by_errno,
	  "perf_event_open: {errno}",
	  "" },
};

const struct cause *causes_table(size_t *nr)
{
	*nr = ARRAY_SIZE(causes);
	return causes;
}

/* Does a kernel that gives its own reason say as much as this row? */
bool cause_retold(const struct cause *cause)
{
	static const char *const retold[] = {
		"not-built", "no-event", "no-cache-event", "inherit-read",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(retold); i++)
		if (!strcmp(retold[i], cause->name))
			return true;
	return false;
}

/* The row of the table that tells why; never NULL. */
const struct cause *cause_find(const struct refused *c, const struct rights *r)
{
	struct question q = {
		.c = c, .r = r, .a = c->attr,
		.denied = c->err == EACCES || c->err == EPERM,
		.absent = c->err == ENOENT || c->err == EOPNOTSUPP || c->err == ENXIO,
	};
	size_t i;

	for (i = 0; i + 1 < ARRAY_SIZE(causes); i++)
		if ((!causes[i].err || causes[i].err == c->err) && causes[i].applies(&q))
			break;
	return &causes[i];
}

/* What was to be measured, for "no permission for ...". */
const char *refused_what(const struct refused *c)
{
	struct question q = { .c = c, .a = c->attr };

	if (c->pid == -1)
		return "measuring whole CPUs";
	if (c->attr->type == PERF_TYPE_TRACEPOINT)
		return "a tracepoint";
	if (kernel_only(&q))
		return "an event that happens in the kernel";
	return sees_kernel(&q) ? "measuring the kernel" : "this event";
}

/* The greatest kernel.perf_event_paranoid that would allow it. */
int refused_level(const struct refused *c)
{
	if (c->pid == -1)
		return 0;
	return c->attr->type == PERF_TYPE_TRACEPOINT && c->err == EPERM ? -1 : 1;
}
