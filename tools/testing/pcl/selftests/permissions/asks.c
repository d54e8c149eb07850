// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what is asked: events that are opened, and what is done with events that root opened and passed.
 *
 * Concepts: a refused open is repeated with PCL_FLAG_OPEN on PCL, which tells the reason. With the fault "privilege"
 *	what nobody may is not asked for.
 * Contexts: prepared as root; asked in a child that has become somebody else.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <linux/hw_breakpoint.h>

#include "../lib/bpf.h"
#include "../lib/cgroup.h"
#include "../lib/trace.h"
#include "permissions.h"

#define ANY_THREAD	0x2000c0		/* instructions of both hyper-threads */
#define SOME_PROGRAM	"/bin/sh"		/* which everybody may read */
#define SOME_OFFSET	0x1000
#define MUX_INTERVAL	"/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms"
#define REFUSE_ENABLE	"/sys/kernel/tracing/events/pcl/refuse/enable"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define ALLOWANCE_KB	64			/* for each CPU */

enum { SELF, SELF_ON_CPU, SAME_USER, UNDUMPABLE, SETUID, OTHER_USER, A_CPU, A_CGROUP };

static bool pcl;
static long mlock_kb, paranoid;		/* as they were */
static uint64_t call_number, switch_number;
static uint32_t kprobe_type, uprobe_type;

static pid_t target;		/* the task that is to be counted */
static int cgroup;		/* the directory of one */
static int passed, program;	/* an event and a program of root's */

static bool within_limits(void)
{
	return test_busted("privilege");
}

void asks_begin(void)
{
	pcl = is_pcl();
	mlock_kb = sysctl_get("perf_event_mlock_kb");
	paranoid = sysctl_get("perf_event_paranoid");
	sysctl_set("perf_event_mlock_kb", ALLOWANCE_KB);
	call_number = tracepoint_number(CALL);
	switch_number = tracepoint_number(SWITCH);
	kprobe_type = pmu_type("kprobe");
	uprobe_type = pmu_type("uprobe");
	cgroups_begin(FIRST);
	trace_refusals();
}

void asks_end(void)
{
	cgroups_end();
	sysctl_set("perf_event_mlock_kb", mlock_kb);
	sysctl_set("perf_event_paranoid", paranoid);
}

/* ---- events ---- */

static struct perf_event_attr counting(void)
{
	return event_attr(CPU_CLOCK);
}

static struct perf_event_attr with_kernel(void)
{
	struct perf_event_attr attr = counting();

	attr.exclude_kernel = 0;
	return attr;
}

static struct perf_event_attr sigtrap(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sigtrap = 1;
	attr.remove_on_exec = 1;
	return attr;
}

static struct perf_event_attr any_thread(void)
{
	return event_attr(PERF_TYPE_RAW, ANY_THREAD);
}

static struct perf_event_attr sampling(uint64_t sample_type)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = sample_type;
	return attr;
}

static struct perf_event_attr tracepoint(uint64_t number, uint64_t sample_type)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_TRACEPOINT, number);

	attr.sample_period = !!sample_type;
	attr.sample_type = sample_type;
	return attr;
}

static struct perf_event_attr trace(void)
{
	return tracepoint(switch_number, 0);
}

static struct perf_event_attr trace_data(void)
{
	return tracepoint(switch_number, PERF_SAMPLE_RAW);
}

static struct perf_event_attr call(void)
{
	return tracepoint(call_number, 0);
}

static struct perf_event_attr call_data(void)
{
	return tracepoint(call_number, PERF_SAMPLE_RAW);
}

static struct perf_event_attr kprobe(void)
{
	struct perf_event_attr attr = event_attr(kprobe_type, 0);

	attr.kprobe_func = (uintptr_t)CALL_FUNCTION;
	return attr;
}

static struct perf_event_attr uprobe(void)
{
	struct perf_event_attr attr = event_attr(uprobe_type, 0);

	attr.uprobe_path = (uintptr_t)SOME_PROGRAM;
	attr.probe_offset = SOME_OFFSET;
	return attr;
}

static struct perf_event_attr breakpoint(unsigned long address)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = address;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	return attr;
}

static struct perf_event_attr watch_user(void)
{
	static long watched;

	return breakpoint((unsigned long)&watched);
}

static struct perf_event_attr watch_kernel(void)
{
	struct perf_event_attr attr = breakpoint(ARCH_KERNEL_ADDRESS);

	attr.exclude_kernel = 0;
	return attr;
}

static struct perf_event_attr branches_kernel(void)
{
	struct perf_event_attr attr = sampling(within_limits() ? 0 : PERF_SAMPLE_BRANCH_STACK);

	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL;
	return attr;
}

static struct perf_event_attr phys_addr(void)
{
	return sampling(PERF_SAMPLE_PHYS_ADDR);
}

static struct perf_event_attr regs_intr(void)
{
	struct perf_event_attr attr = sampling(PERF_SAMPLE_REGS_INTR);

	attr.sample_regs_intr = ARCH_IP;
	return attr;
}

static struct perf_event_attr text_poke(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.text_poke = 1;
	return attr;
}

static struct perf_event_attr ksymbol(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.ksymbol = 1;
	attr.bpf_event = 1;
	return attr;
}

static struct perf_event_attr namespaces(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.namespaces = 1;
	return attr;
}

static uint64_t too_frequent(void)
{
	return within_limits() ? 1 : sysctl_get("perf_event_max_sample_rate") + 1;
}

static struct perf_event_attr frequency(void)
{
	struct perf_event_attr attr = counting();

	attr.freq = 1;
	attr.sample_freq = too_frequent();
	return attr;
}

static struct perf_event_attr max_stack(void)
{
	struct perf_event_attr attr = sampling(PERF_SAMPLE_CALLCHAIN);

	attr.sample_max_stack = sysctl_get("perf_event_max_stack") + !within_limits();
	return attr;
}

/* ---- tasks ---- */

/* One that waits until its test is over. */
static pid_t task_start(uid_t real, uid_t effective, bool dumpable)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	CHECK(!pipe(ready));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		if (setgroups(0, NULL) || setresgid(real, effective, effective) ||
		    setresuid(real, effective, effective) || prctl(PR_SET_DUMPABLE, dumpable) ||
		    write(ready[1], &byte, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	return pid;
}

static void target_start(int what)
{
	target = 0;
	if (what == SAME_USER)
		target = task_start(ORDINARY_USER, ORDINARY_USER, true);
	if (what == UNDUMPABLE)
		target = task_start(ORDINARY_USER, ORDINARY_USER, false);
	if (what == SETUID)
		target = task_start(ORDINARY_USER, 0, false);
	if (what == OTHER_USER)
		target = task_start(ANOTHER_USER, ANOTHER_USER, true);
	if (what == A_CGROUP)
		cgroup = cgroup_open("a");
}

static int open_as(const struct ask *ask, const void *attr, unsigned long flags)
{
	if (ask->target == A_CGROUP)
		return event_open(attr, cgroup, 0, -1, flags | PERF_FLAG_PID_CGROUP);
	if (ask->target == A_CPU)
		return event_open(attr, -1, 0, -1, flags);
	return event_open(attr, target, ask->target == SELF_ON_CPU ? 0 : -1, -1, flags);
}

static void open_event(const struct ask *ask, struct answer *answer)
{
	struct perf_event_attr attr = ask->attr();
	struct pcl_open open = { .size = sizeof(open), .attr = (uintptr_t)&attr };
	int fd = open_as(ask, &attr, 0);

	if (fd >= 0)
		return;
	answer->error = errno;
	if (!pcl)
		return;
	fd = open_as(ask, &open, PCL_FLAG_OPEN);
	if (fd >= 0 || errno != answer->error)
		FAIL("errno is %d, and by PCL_FLAG_OPEN %d", answer->error, fd >= 0 ? 0 : errno);
	answer->told = true;
	answer->reason = open.why_reason;
}

/* ---- what root opened ---- */

static void pass_dummy(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	passed = must_open_self(&attr);
}

static void pass_cpu(void)
{
	struct perf_event_attr attr = with_kernel();

	passed = must_open(&attr, -1, 0, -1);
}

/* Not of a clock, which makes a period of it. */
static void pass_frequency(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.freq = 1;
	attr.sample_freq = 1;
	passed = must_open_self(&attr);
}

static void pass_program(void)
{
	const struct bpf_insn code[] = { SET(R0, DROP), END };
	struct perf_event_attr attr = fault_attr();

	passed = must_open_self(&attr);
	program = PROGRAM(AT_EVENT, code);
}

static void limit_locked(unsigned long pages)
{
	struct rlimit limit = { pages * PAGE, pages * PAGE };

	CHECK(!setrlimit(RLIMIT_MEMLOCK, &limit));
	pass_dummy();
}

#define SMALL_RING	(32 * 1024 / PAGE)	/* pages of data: with the control page within the allowance */
#define LARGE_RING	(512 * 1024 / PAGE)

static void forbid_to_lock(void)
{
	limit_locked(0);
}

static void allow_to_lock(void)
{
	limit_locked(LARGE_RING);
}

static int map(unsigned long pages)
{
	return mmap(NULL, (pages + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, passed, 0) == MAP_FAILED ? -1 : 0;
}

static int map_small(void)
{
	return map(SMALL_RING);
}

static int map_large(void)
{
	return map(LARGE_RING);
}

static int set_frequency(void)
{
	uint64_t value = too_frequent();

	return ioctl(passed, PERF_EVENT_IOC_PERIOD, &value);
}

static int load_program(void)
{
	const struct bpf_insn code[] = { SET(R0, DROP), END };

	return program_try(AT_EVENT, code, 2);
}

static int attach_program(void)
{
	return ioctl(passed, PERF_EVENT_IOC_SET_BPF, program);
}

static int read_passed(void)
{
	uint64_t count;

	return read(passed, &count, sizeof(count)) == sizeof(count) ? 0 : -1;
}

static int control_passed(void)
{
	int err = ioctl(passed, PERF_EVENT_IOC_ENABLE, 0);

	return err ? err : ioctl(passed, PERF_EVENT_IOC_DISABLE, 0);
}

/* ---- files ---- */

static int read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t length;

	if (fd < 0)
		return -1;
	length = read(fd, text, size - 1);
	text[length > 0 ? length : 0] = '\0';
	close(fd);
	return length > 0 ? 0 : -1;
}

/* What it holds already. */
static int write_file(const char *path)
{
	char text[64];
	ssize_t length;
	int fd;

	if (read_file(path, text, sizeof(text)))
		FAIL("cannot read %s: %s", path, strerror(errno));
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -1;
	length = write(fd, text, strlen(text));
	close(fd);
	return length > 0 ? 0 : -1;
}

static int read_sysfs(void)
{
	static const char *const files[] = {
		"version", "objects/events", "objects/contexts", "objects/rings",
	};
	char path[64], text[64];
	unsigned int i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/pcl/%s", files[i]);
		if (read_file(path, text, sizeof(text)))
			return -1;
	}
	return 0;
}

static int write_sysfs(void)
{
	return write_file(MUX_INTERVAL);
}

static int write_sysctl(void)
{
	return write_file(PARANOID);
}

/* It is on already: trace_refusals(). */
static int write_tracefs(void)
{
	int fd = open(REFUSE_ENABLE, O_WRONLY);
	ssize_t length;

	if (fd < 0)
		return -1;
	length = write(fd, "1", 1);
	close(fd);
	return length == 1 ? 0 : -1;
}

static int open_extended(void)
{
	struct perf_event_attr attr = counting();
	struct pcl_open open = { .size = sizeof(open), .attr = (uintptr_t)&attr };

	return event_open((void *)&open, 0, -1, -1, PCL_FLAG_OPEN);
}

/* ---- what a machine may lack ---- */

static void need_any_thread(void)
{
	if (!ARCH_ANY_THREAD)
		test_skip("no event is of both hyper-threads here");
}

static void need_breakpoints(void)
{
	if (!have_pmu_of("breakpoint"))
		test_skip("this machine has no breakpoints");
}

static void need_registers(void)
{
	if (!(ARCH_FIELDS & PERF_SAMPLE_REGS_INTR))
		test_skip("samples have no registers here");
}

static void need_mux_interval(void)
{
	if (!have_pmu() && !getenv("PCL_NEED_PMU"))
		test_skip("this machine has no PMU");
}

/* ---- all ---- */

const struct ask asks[] = {
	{ "own-user", counting, SELF },
	{ "own-kernel", with_kernel, SELF },
	{ "own-one-cpu", counting, SELF_ON_CPU },
	{ "same-user", counting, SAME_USER },
	{ "undumpable", counting, UNDUMPABLE },
	{ "setuid", counting, SETUID },
	{ "other-user", counting, OTHER_USER },
	{ "other-kernel", with_kernel, OTHER_USER },
	{ "same-sigtrap", sigtrap, SAME_USER },
	{ "other-sigtrap", sigtrap, OTHER_USER },
	{ "cpu", counting, A_CPU },
	{ "cpu-kernel", with_kernel, A_CPU },
	{ "cgroup", counting, A_CGROUP },
	{ "any-thread", any_thread, SELF, .need = need_any_thread },
	{ "trace", trace, SELF },
	{ "trace-data", trace_data, SELF },
	{ "call-data", call_data, SELF },
	{ "call-cpu", call, A_CPU },
	{ "call-cpu-data", call_data, A_CPU },
	{ "kprobe", kprobe, SELF },
	{ "uprobe", uprobe, SELF },
	{ "watch-user", watch_user, SELF, .need = need_breakpoints },
	{ "watch-kernel", watch_kernel, SELF, .need = need_breakpoints },
	{ "branches-kernel", branches_kernel, SELF },
	{ "phys-addr", phys_addr, SELF },
	{ "regs-intr", regs_intr, SELF, .need = need_registers },
	{ "text-poke", text_poke, SELF },
	{ "ksymbol", ksymbol, SELF },
	{ "namespaces", namespaces, SELF },
	{ "frequency", frequency, SELF },
	{ "max-stack", max_stack, SELF },
	{ "new-frequency", .prepare = pass_frequency, .use = set_frequency },
	{ "ring-free", .prepare = forbid_to_lock, .use = map_small },
	{ "ring-limit", .prepare = allow_to_lock, .use = map_large },
	{ "ring-beyond", .prepare = forbid_to_lock, .use = map_large },
	{ "bpf-load", .use = load_program },
	{ "bpf-attach", .prepare = pass_program, .use = attach_program },
	{ "passed-read", .prepare = pass_cpu, .use = read_passed },
	{ "passed-control", .prepare = pass_cpu, .use = control_passed },
	{ "extension", .use = open_extended, .pcl_only = true },
	{ "sysfs-read", .use = read_sysfs, .pcl_only = true },
	{ "sysfs-write", .use = write_sysfs, .need = need_mux_interval },
	{ "tracefs-write", .use = write_tracefs, .pcl_only = true },
	{ "sysctl-write", .use = write_sysctl },
};

const unsigned int nr_asks = sizeof(asks) / sizeof(asks[0]);

const struct ask *ask_called(const char *name)
{
	unsigned int i;

	for (i = 0; i < nr_asks; i++)
		if (!strcmp(asks[i].name, name))
			return &asks[i];
	return NULL;
}

void ask_prepare(const struct ask *ask)
{
	if (ask->need)
		ask->need();
	if (ask->attr)
		target_start(ask->target);
	if (ask->prepare)
		ask->prepare();
}

void ask_make(const struct ask *ask, struct answer *answer)
{
	if (ask->attr)
		open_event(ask, answer);
	else if (ask->use() < 0)
		answer->error = errno;
}
