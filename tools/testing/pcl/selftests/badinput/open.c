// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows that open one event with bad arguments.
 *
 * Concepts: each row starts from a call that is accepted (a cpu-clock event of this task, user mode only) and changes
 *	what its name says.
 * Contexts: root, in a child of its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <linux/hw_breakpoint.h>

#include "rows.h"

#define UNKNOWN_TYPE	4242

static int watched;

/* A copy of the attr at the start of @pages pages, with a size of its own. */
static char *attr_in_pages(struct call *call, unsigned int pages, uint32_t size)
{
	char *at = mmap(NULL, (pages + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(at != MAP_FAILED);
	CHECK(!munmap(at + pages * PAGE, PAGE));
	call->attr.size = size;
	memcpy(at, &call->attr, sizeof(call->attr));
	call->attr_at = at;
	return at;
}

static void set_event(struct call *call, uint32_t type, uint64_t config)
{
	call->attr.type = type;
	call->attr.config = config;
}

static void set_breakpoint(struct call *call, uint32_t type, uint64_t address, uint64_t length)
{
	set_event(call, PERF_TYPE_BREAKPOINT, 0);
	call->attr.bp_type = type;
	call->attr.bp_addr = address;
	call->attr.bp_len = length;
}

static void set_tracepoint(struct call *call, const char *name)
{
	set_event(call, PERF_TYPE_TRACEPOINT, tracepoint_here(name));
}

/* At the beginning of a function of the kernel, or of a file. */
static void set_probe(struct call *call, const char *pmu, const char *name)
{
	set_event(call, pmu_type(pmu), 0);
	call->attr.config1 = (uintptr_t)name;
}

static const char *long_name(void)
{
	static char name[2 * PAGE];

	memset(name, 'x', sizeof(name) - 1);
	return name;
}

static void set_hardware(struct call *call)
{
	set_event(call, INSTRUCTIONS);
}

static void set_sampling(struct call *call, uint64_t sample_type)
{
	call->attr.sample_period = 100000;
	call->attr.sample_type = sample_type;
}

static void set_user(long paranoid)
{
	sysctl_set("perf_event_paranoid", paranoid);
	drop_privileges();
}

/* A process that ended and was reaped. */
static pid_t gone(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void take_all_breakpoints(struct call *call)
{
	int i;

	set_breakpoint(call, HW_BREAKPOINT_W, (uintptr_t)&watched, HW_BREAKPOINT_LEN_4);
	for (i = 0; i < 4; i++)
		must_open_self(&call->attr);
}

static void fill_counters(struct call *call)
{
	int leader, i;

	set_event(call, ARCH_GENERAL);
	leader = must_open_self(&call->attr);
	call->attr.disabled = 0;	/* what is disabled takes no counter */
	for (i = 0; i < 20; i++)
		if (event_open(&call->attr, 0, -1, leader, 0) < 0)
			break;
	call->group = leader;
}

/* So many members that a group read is larger than a record may be. */
static void fill_group(struct call *call)
{
	int i;

	set_event(call, DUMMY);
	call->attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST;
	call->group = must_open_self(&call->attr);
	for (i = 0; i < 1000; i++)
		if (event_open(&call->attr, 0, -1, call->group, 0) < 0)
			break;
}

/* A child that ended and was not reaped. */
static pid_t zombie(void)
{
	siginfo_t info;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	CHECK(!waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	return pid;
}

/* The caller of the rows brings it back. */
static void take_cpu1_off(void)
{
	int fd;

	need_two_cpus();
	fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);
	CHECK(fd >= 0 && write(fd, "0", 1) == 1);
	close(fd);
}

/* Requests in the memory controller's queue, an event of CPUs alone. */
static void set_uncore(struct call *call)
{
	set_event(call, pmu_here("uncore_arb"), 0x0180);
	call->attr.exclude_kernel = 0;
	call->attr.exclude_hv = 0;
}

/* An event of what @fd is, on CPU 0. */
static void set_cgroup(struct call *call, int fd)
{
	call->flags = PERF_FLAG_PID_CGROUP;
	call->pid = fd;
	call->cpu = 0;
}

/* A cgroup that is made here; the hierarchy is seen by this row alone, and stays. */
static int cgroup_made(const char *type, const char *options, const char *name)
{
	static const char at[] = "/tmp";
	char path[64];

	CHECK(!unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	if (mount(type, at, type, 0, options))
		FAIL("cannot mount a hierarchy of %s: %s", type, strerror(errno));
	snprintf(path, sizeof(path), "%s/%s", at, name);
	CHECK(!mkdir(path, 0700) || errno == EEXIST);
	return open(path, O_RDONLY);
}

static int good_cgroup(void)
{
	return cgroup_made("cgroup", "perf_event", "badinput");
}

static int removed_cgroup(void)
{
	int fd = cgroup_made("cgroup", "perf_event", "badinput-removed");

	CHECK(!rmdir("/tmp/badinput-removed"));
	return fd;
}

/* A file in the directory of a cgroup. */
static int cgroup_file(void)
{
	return openat(good_cgroup(), "cgroup.procs", O_RDONLY);
}

/* In the group of an event of a cgroup. @other: of the one above; else of none. */
static void set_group_of_cgroup(struct call *call, bool other)
{
	int fd = good_cgroup();

	if (other)
		set_cgroup(call, open("/tmp", O_RDONLY));
	else
		call->pid = -1;
	call->cpu = 0;
	call->group = event_open(&call->attr, fd, 0, -1, PERF_FLAG_PID_CGROUP);
}

static void group_with(struct call *call, struct perf_event_attr leader, pid_t pid, int cpu)
{
	call->group = must_open(&leader, pid, cpu, -1);
}

static struct perf_event_attr clock_leader(void)
{
	return event_attr(CPU_CLOCK);
}

/* Each row: its name and what it changes in the call c. */
#define ROWS(X) \
	X(good_call, (void)0) \
	X(flag_unknown, c->flags = 1UL << 20) \
	X(flags_all, c->flags = ~0UL & ~PCL_FLAG_OPEN) \
	X(attr_null, c->attr_at = (void *)0x8) \
	X(attr_kernel_address, c->attr_at = (void *)ARCH_DIRECT_ADDRESS) \
	X(attr_ends_in_unmapped, attr_in_pages(c, 1, sizeof(c->attr)); \
		c->attr_at = (char *)memcpy((char *)c->attr_at + PAGE - 64, &c->attr, 64)) \
	X(size_0, c->attr.size = 0) \
	X(size_1, c->attr.size = 1) \
	X(size_63, c->attr.size = PERF_ATTR_SIZE_VER0 - 1) \
	X(size_ver0, c->attr.size = PERF_ATTR_SIZE_VER0) \
	X(size_ver0_and_1, c->attr.size = PERF_ATTR_SIZE_VER0 + 1) \
	X(size_ver7, c->attr.size = PERF_ATTR_SIZE_VER7) \
	X(size_larger_zero, attr_in_pages(c, 1, sizeof(c->attr) + 8)) \
	X(size_larger_not_zero, attr_in_pages(c, 1, sizeof(c->attr) + 8)[sizeof(c->attr)] = 1) \
	X(size_page, attr_in_pages(c, 2, PAGE)) \
	X(size_page_and_1, attr_in_pages(c, 2, PAGE + 1)) \
	X(size_huge, c->attr.size = ~0U) \
	X(reserved_flag, c->attr.__reserved_1 = 1) \
	X(reserved_2, c->attr.__reserved_2 = 1) \
	X(reserved_3, c->attr.__reserved_3 = 1) \
	X(sample_type_unknown, c->attr.sample_type = 1ULL << 40) \
	X(sample_type_top, c->attr.sample_type = 1ULL << 63) \
	X(read_format_unknown, c->attr.read_format = 1ULL << 20) \
	X(branch_none, set_sampling(c, PERF_SAMPLE_BRANCH_STACK)) \
	X(branch_no_kind, set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER) \
	X(branch_unknown, set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = 1ULL << 50) \
	X(branch_on_software, set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(branch_on_dummy, set_event(c, DUMMY); set_sampling(c, PERF_SAMPLE_BRANCH_STACK); \
		c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(branch_on_task_clock, set_event(c, TASK_CLOCK); set_sampling(c, PERF_SAMPLE_BRANCH_STACK); \
		c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(branch_on_breakpoint, set_breakpoint(c, HW_BREAKPOINT_W, (uintptr_t)&watched, 4); \
		set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(branch_on_hardware, set_hardware(c); set_sampling(c, PERF_SAMPLE_BRANCH_STACK); \
		c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(branch_counting, set_hardware(c); c->attr.sample_type = PERF_SAMPLE_BRANCH_STACK; \
		c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(branch_type_alone, set_hardware(c); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(regs_user_empty, set_sampling(c, PERF_SAMPLE_REGS_USER)) \
	X(regs_user_unknown, set_sampling(c, PERF_SAMPLE_REGS_USER); c->attr.sample_regs_user = 1ULL << 50) \
	X(regs_user_good, set_sampling(c, PERF_SAMPLE_REGS_USER); c->attr.sample_regs_user = 1) \
	X(regs_user_xmm, set_sampling(c, PERF_SAMPLE_REGS_USER); c->attr.sample_regs_user = 1ULL << 32) \
	X(regs_user_xmm_hardware, set_hardware(c); set_sampling(c, PERF_SAMPLE_REGS_USER); \
		c->attr.sample_regs_user = 1ULL << 32) \
	X(regs_user_xmm_alone, set_hardware(c); c->attr.sample_regs_user = 1ULL << 32) \
	X(regs_intr_xmm, set_sampling(c, PERF_SAMPLE_REGS_INTR); c->attr.sample_regs_intr = 1ULL << 32) \
	X(regs_intr_xmm_hardware, set_hardware(c); set_sampling(c, PERF_SAMPLE_REGS_INTR); \
		c->attr.sample_regs_intr = 1ULL << 32) \
	X(regs_intr_empty, set_sampling(c, PERF_SAMPLE_REGS_INTR)) \
	X(regs_intr_unknown, set_sampling(c, PERF_SAMPLE_REGS_INTR); c->attr.sample_regs_intr = 1ULL << 24) \
	X(regs_intr_good, set_sampling(c, PERF_SAMPLE_REGS_INTR); c->attr.sample_regs_intr = 1) \
	X(stack_user_large, set_sampling(c, PERF_SAMPLE_STACK_USER); c->attr.sample_stack_user = 65535) \
	X(stack_user_odd, set_sampling(c, PERF_SAMPLE_STACK_USER); c->attr.sample_stack_user = 12) \
	X(stack_user_largest, set_sampling(c, PERF_SAMPLE_STACK_USER); c->attr.sample_stack_user = 65528) \
	X(stack_user_0, set_sampling(c, PERF_SAMPLE_STACK_USER)) \
	X(stack_user_good, set_sampling(c, PERF_SAMPLE_STACK_USER); c->attr.sample_stack_user = 64) \
	X(weight_twice, set_sampling(c, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) \
	X(sample_weight, set_sampling(c, PERF_SAMPLE_WEIGHT)) \
	X(sample_data_src, set_sampling(c, PERF_SAMPLE_DATA_SRC)) \
	X(sample_transaction, set_sampling(c, PERF_SAMPLE_TRANSACTION)) \
	X(sample_raw, set_sampling(c, PERF_SAMPLE_RAW)) \
	X(sample_phys_addr, set_sampling(c, PERF_SAMPLE_PHYS_ADDR)) \
	X(sample_cgroup, set_sampling(c, PERF_SAMPLE_CGROUP)) \
	X(sample_data_page_size, set_sampling(c, PERF_SAMPLE_DATA_PAGE_SIZE)) \
	X(sample_code_page_size, set_sampling(c, PERF_SAMPLE_CODE_PAGE_SIZE)) \
	X(sample_aux, set_sampling(c, PERF_SAMPLE_AUX); c->attr.aux_sample_size = 4096) \
	X(aux_sample_alone, c->attr.aux_sample_size = 4096) \
	X(aux_output_alone, c->attr.aux_output = 1) \
	X(aux_output_hardware, set_event(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS); c->attr.aux_output = 1) \
	X(aux_output_stalled, \
		set_event(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND); c->attr.aux_output = 1) \
	X(aux_output_each_branch, set_sampling(c, 0); c->attr.sample_period = 1; c->attr.exclude_kernel = 1; \
		set_event(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS); c->attr.aux_output = 1) \
	X(aux_output_branches, set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY; \
		set_event(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS); c->attr.aux_output = 1) \
	X(inherit_thread_alone, c->attr.inherit_thread = 1) \
	X(exec_remove_and_enable, c->attr.remove_on_exec = 1; c->attr.enable_on_exec = 1) \
	X(sigtrap_stays, c->attr.sigtrap = 1) \
	X(sigtrap_on_cpu, c->attr.sigtrap = 1; c->attr.remove_on_exec = 1; c->pid = -1; c->cpu = 0) \
	X(sig_data_alone, c->attr.sig_data = 1) \
	X(namespaces, c->attr.namespaces = 1) \
	X(cgroup_records, c->attr.cgroup = 1) \
	X(text_poke, c->attr.text_poke = 1) \
	X(build_id, c->attr.build_id = 1; c->attr.mmap2 = 1) \
	X(ksymbol, c->attr.ksymbol = 1) \
	X(bpf_event, c->attr.bpf_event = 1) \
	X(period_top_bit, c->attr.sample_period = 1ULL << 63) \
	X(frequency_above_limit, c->attr.freq = 1; c->attr.sample_freq = 1ULL << 40) \
	X(frequency_0, c->attr.freq = 1) \
	X(clock_unknown, c->attr.use_clockid = 1; c->attr.clockid = 77) \
	X(clock_negative, c->attr.use_clockid = 1; c->attr.clockid = -1) \
	X(clock_process, c->attr.use_clockid = 1; c->attr.clockid = CLOCK_PROCESS_CPUTIME_ID) \
	X(clock_tai_hardware, set_hardware(c); c->attr.use_clockid = 1; c->attr.clockid = CLOCK_TAI) \
	X(clock_raw_hardware, set_hardware(c); c->attr.use_clockid = 1; c->attr.clockid = CLOCK_MONOTONIC_RAW) \
	X(clock_boot_software, c->attr.use_clockid = 1; c->attr.clockid = CLOCK_BOOTTIME) \
	X(clock_not_used, c->attr.clockid = 77) \
	X(inherit_sample_read, c->attr.inherit = 1; set_sampling(c, PERF_SAMPLE_READ)) \
	X(inherit_group_format, c->attr.inherit = 1; c->attr.read_format = PERF_FORMAT_GROUP) \
	X(max_stack_large, set_sampling(c, PERF_SAMPLE_CALLCHAIN); c->attr.sample_max_stack = 65535) \
	X(max_stack_above_sysctl, set_sampling(c, PERF_SAMPLE_CALLCHAIN); c->attr.sample_max_stack = 128) \
	X(chain_excludes_all, set_sampling(c, PERF_SAMPLE_CALLCHAIN); c->attr.exclude_callchain_kernel = 1; \
		c->attr.exclude_callchain_user = 1) \
	X(watermark_large, c->attr.watermark = 1; c->attr.wakeup_watermark = ~0U) \
	X(precise_4_impossible, c->attr.precise_ip = 3) \
	X(precise_hardware, set_hardware(c); set_sampling(c, 0); c->attr.precise_ip = 3) \
	X(pid_negative, c->pid = -2) \
	X(pid_gone, c->pid = gone()) \
	X(pid_zombie, c->pid = zombie()) \
	X(pid_huge, c->pid = 0x7fffffff) \
	X(no_target, c->pid = -1) \
	X(cpu_negative, c->cpu = -2) \
	X(cpu_not_possible, c->cpu = 4096; c->pid = -1) \
	X(cpu_not_possible_task, c->cpu = 4096) \
	X(cpu_first_impossible, c->cpu = sysconf(_SC_NPROCESSORS_CONF); c->pid = -1) \
	X(cpu_offline, take_cpu1_off(); c->pid = -1; c->cpu = 1) \
	X(cgroup_no_cpu, c->flags = PERF_FLAG_PID_CGROUP) \
	X(cgroup_no_pid, c->flags = PERF_FLAG_PID_CGROUP; c->pid = -1; c->cpu = 0) \
	X(cgroup_not_open, set_cgroup(c, 999)) \
	X(cgroup_negative, set_cgroup(c, -2)) \
	X(cgroup_no_directory, set_cgroup(c, open("/dev/null", O_RDONLY))) \
	X(cgroup_directory_of_files, set_cgroup(c, open("/run", O_RDONLY))) \
	X(cgroup_file, set_cgroup(c, cgroup_file())) \
	X(cgroup_removed, set_cgroup(c, removed_cgroup())) \
	X(cgroup_of_other_controllers, set_cgroup(c, cgroup_made("cgroup2", NULL, "badinput"))) \
	X(cgroup_good, set_cgroup(c, good_cgroup())) \
	X(cgroup_inherit, set_cgroup(c, good_cgroup()); c->attr.inherit = 1) \
	X(cgroup_enable_on_exec, set_cgroup(c, good_cgroup()); c->attr.enable_on_exec = 1) \
	X(cgroup_sigtrap, set_cgroup(c, good_cgroup()); c->attr.sigtrap = 1; c->attr.remove_on_exec = 1) \
	X(cgroup_cpu_not_possible, set_cgroup(c, good_cgroup()); c->cpu = 4096) \
	X(cgroup_cpu_negative, set_cgroup(c, good_cgroup()); c->cpu = -2) \
	X(cgroup_cpu_offline, take_cpu1_off(); set_cgroup(c, good_cgroup()); c->cpu = 1) \
	X(cgroup_of_uncore, set_cgroup(c, 999); set_uncore(c)) \
	X(cgroup_type_unknown, set_cgroup(c, 999); set_event(c, UNKNOWN_TYPE, 0)) \
	X(cgroup_not_open_deep_chain, set_cgroup(c, 999); set_sampling(c, PERF_SAMPLE_CALLCHAIN); \
		c->attr.sample_max_stack = 2000) \
	X(cgroup_user_not_open, set_cgroup(c, 999); set_user(1)) \
	X(cgroup_user, set_cgroup(c, good_cgroup()); set_user(1)) \
	X(cgroup_user_allowed, set_cgroup(c, good_cgroup()); set_user(0)) \
	X(group_other_cgroup, set_group_of_cgroup(c, true)) \
	X(group_of_cgroup_from_none, set_group_of_cgroup(c, false)) \
	X(group_from_cgroup, set_cgroup(c, good_cgroup()); c->group = good_on_cpu(0)) \
	X(group_from_cgroup_other_clock, set_cgroup(c, good_cgroup()); c->group = good_on_cpu(0); \
		c->attr.use_clockid = 1; c->attr.clockid = CLOCK_MONOTONIC) \
	X(group_not_open, c->group = 999) \
	X(group_negative, c->group = -2) \
	X(group_not_event, c->group = open("/dev/null", O_RDONLY)) \
	X(group_is_sibling, group_with(c, clock_leader(), 0, -1); c->group = must_open(&c->attr, 0, -1, c->group)) \
	X(group_other_cpu, group_with(c, clock_leader(), -1, 0); c->pid = -1; c->cpu = cpus_online() - 1) \
	X(group_task_and_cpu, group_with(c, clock_leader(), -1, 0)) \
	X(group_other_task, group_with(c, clock_leader(), living_child(), -1)) \
	X(group_inherit_differs, group_with(c, clock_leader(), 0, -1); c->attr.inherit = 1) \
	X(group_clock_differs, group_with(c, clock_leader(), 0, -1); c->attr.use_clockid = 1; \
		c->attr.clockid = CLOCK_MONOTONIC) \
	X(sibling_pinned, group_with(c, clock_leader(), 0, -1); c->attr.pinned = 1) \
	X(sibling_exclusive, group_with(c, clock_leader(), 0, -1); c->attr.exclusive = 1) \
	X(leader_pinned_exclusive, c->attr.exclusive = 1; c->attr.pinned = 1) \
	X(sibling_hardware, group_with(c, clock_leader(), 0, -1); set_hardware(c)) \
	X(sibling_software, group_with(c, event_attr(INSTRUCTIONS), 0, -1)) \
	X(group_too_large, fill_counters(c)) \
	X(group_other_pmu, group_with(c, event_attr(INSTRUCTIONS), -1, 0); c->pid = -1; c->cpu = 0; set_uncore(c)) \
	X(group_read_large, fill_group(c)) \
	X(output_no_ring, c->group = good_leader(); c->flags = PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP) \
	X(output_other_cpu, c->group = good_on_cpu(0); c->flags = PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP) \
	X(output_no_event, c->flags = PERF_FLAG_FD_OUTPUT) \
	X(no_group_flag, c->group = good_leader(); c->flags = PERF_FLAG_FD_NO_GROUP) \
	X(type_unknown, set_event(c, UNKNOWN_TYPE, 0)) \
	X(type_top, set_event(c, ~0U, 0)) \
	X(hardware_unknown, set_event(c, PERF_TYPE_HARDWARE, 99)) \
	X(hardware_stalled, set_event(c, PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND)) \
	X(hardware_of_unknown_pmu, set_event(c, PERF_TYPE_HARDWARE, (uint64_t)UNKNOWN_TYPE << 32)) \
	X(hardware_of_software_pmu, set_event(c, PERF_TYPE_HARDWARE, (uint64_t)PERF_TYPE_SOFTWARE << 32)) \
	X(hardware_of_cpu_pmu, set_event(c, PERF_TYPE_HARDWARE, (uint64_t)pmu_here("cpu") << 32)) \
	X(cache_unknown, set_event(c, PERF_TYPE_HW_CACHE, 99)) \
	X(cache_operation_unknown, set_event(c, PERF_TYPE_HW_CACHE, 99 << 8)) \
	X(cache_result_unknown, set_event(c, PERF_TYPE_HW_CACHE, 99 << 16)) \
	X(cache_bpu_prefetch, set_event(c, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_BPU | \
		PERF_COUNT_HW_CACHE_OP_PREFETCH << 8)) \
	X(cache_itlb_write, set_event(c, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_ITLB | PERF_COUNT_HW_CACHE_OP_WRITE << 8)) \
	X(raw_reserved, set_event(c, PERF_TYPE_RAW, 1ULL << 40)) \
	X(raw_any_thread, set_event(c, PERF_TYPE_RAW, 0x2000c0)) \
	X(cache_absent, set_event(c, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1I)) \
	X(raw_extra_bits, set_event(c, PERF_TYPE_RAW, 0x01b7); c->attr.config1 = ~0ULL) \
	X(raw_extra_register, set_event(c, PERF_TYPE_RAW, 0x01b7); c->attr.config1 = 1) \
	X(branches_period_1, set_event(c, BRANCHES); c->attr.sample_period = 1) \
	X(raw_good, set_event(c, PERF_TYPE_RAW, ARCH_RAW_INSTRUCTIONS)) \
	X(hardware_config1, set_hardware(c); c->attr.config1 = 1) \
	X(hardware_user_excluded, set_hardware(c); c->attr.exclude_user = 1) \
	X(hardware_period_1, set_hardware(c); c->attr.sample_period = 1) \
	X(software_unknown, set_event(c, PERF_TYPE_SOFTWARE, 99)) \
	X(software_max, set_event(c, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_MAX)) \
	X(software_top, set_event(c, PERF_TYPE_SOFTWARE, 1ULL << 63)) \
	X(breakpoint_execute_long, set_breakpoint(c, HW_BREAKPOINT_X, (uintptr_t)loop_run, 4)) \
	X(breakpoint_type_0, set_breakpoint(c, 0, (uintptr_t)&watched, 4)) \
	X(breakpoint_type_unknown, set_breakpoint(c, 99, (uintptr_t)&watched, 4)) \
	X(breakpoint_read, set_breakpoint(c, HW_BREAKPOINT_R, (uintptr_t)&watched, 4)) \
	X(breakpoint_length_3, set_breakpoint(c, HW_BREAKPOINT_W, (uintptr_t)&watched, 3)) \
	X(breakpoint_unaligned, set_breakpoint(c, HW_BREAKPOINT_W, (uintptr_t)&watched + 1, 4)) \
	X(breakpoint_kernel_address, set_breakpoint(c, HW_BREAKPOINT_W, ARCH_KERNEL_ADDRESS, 8)) \
	X(breakpoint_noncanonical, set_breakpoint(c, HW_BREAKPOINT_W, 0x0900000000000000, 8)) \
	X(breakpoint_fifth, take_all_breakpoints(c)) \
	X(tracepoint_unknown, set_event(c, PERF_TYPE_TRACEPOINT, 65000)) \
	X(tracepoint_0, set_event(c, PERF_TYPE_TRACEPOINT, 0)) \
	X(tracepoint_top, set_event(c, PERF_TYPE_TRACEPOINT, ~0ULL)) \
	X(tracepoint_good, set_tracepoint(c, "sched/sched_switch")) \
	X(tracepoint_branches, set_tracepoint(c, "sched/sched_switch"); set_sampling(c, PERF_SAMPLE_BRANCH_STACK); \
		c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(tracepoint_raw, set_tracepoint(c, "sched/sched_switch"); set_sampling(c, PERF_SAMPLE_RAW)) \
	X(tracepoint_counts_only, set_tracepoint(c, "irq_vectors/irq_work_exit"); set_sampling(c, PERF_SAMPLE_IP)) \
	X(tracepoint_inherit_read, set_tracepoint(c, "sched/sched_switch"); set_sampling(c, PERF_SAMPLE_READ); \
		c->attr.inherit = 1) \
	X(kprobe_nowhere, set_event(c, pmu_type("kprobe"), 0)) \
	X(kprobe_unknown, set_probe(c, "kprobe", "no_such_function")) \
	X(kprobe_fault, set_event(c, pmu_type("kprobe"), 0); c->attr.kprobe_func = 8) \
	X(kprobe_long, set_probe(c, "kprobe", long_name())) \
	X(kprobe_user_address, set_event(c, pmu_type("kprobe"), 0); c->attr.kprobe_addr = (uintptr_t)loop_run) \
	X(kprobe_in_the_midst, set_probe(c, "kprobe", "do_nanosleep"); c->attr.probe_offset = 1 << 20) \
	X(kprobe_good, set_probe(c, "kprobe", "do_nanosleep")) \
	X(kprobe_branches, set_probe(c, "kprobe", "do_nanosleep"); \
		set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(uprobe_nowhere, set_event(c, pmu_type("uprobe"), 0)) \
	X(uprobe_empty, set_probe(c, "uprobe", "")) \
	X(uprobe_no_file, set_probe(c, "uprobe", "/no/such/file")) \
	X(uprobe_fault, set_event(c, pmu_type("uprobe"), 0); c->attr.uprobe_path = 8) \
	X(uprobe_directory, set_probe(c, "uprobe", "/tmp")) \
	X(uprobe_good, set_probe(c, "uprobe", "/proc/self/exe"); c->attr.probe_offset = 0x1000) \
	X(uprobe_branches, set_probe(c, "uprobe", "/proc/self/exe"); c->attr.probe_offset = 0x1000; \
		set_sampling(c, PERF_SAMPLE_BRANCH_STACK); c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY) \
	X(msr_excludes, set_event(c, pmu_here("msr"), 0)) \
	X(msr_sampling, set_event(c, pmu_here("msr"), 0); c->attr.exclude_kernel = 0; c->attr.exclude_hv = 0; \
		c->attr.sample_period = 1000) \
	X(msr_unknown, set_event(c, pmu_here("msr"), 99); c->attr.exclude_kernel = 0; c->attr.exclude_hv = 0) \
	X(uncore_on_task, set_uncore(c); c->cpu = 0) \
	X(uncore_unknown, set_uncore(c); c->attr.config = 1ULL << 60; c->pid = -1; c->cpu = 0) \
	X(user_any_thread, set_event(c, PERF_TYPE_RAW, 0x2000c0); set_user(2)) \
	X(user_cpu_wide, c->pid = -1; c->cpu = 0; set_user(2)) \
	X(user_cpu_wide_paranoid_1, c->pid = -1; c->cpu = 0; set_user(1)) \
	X(user_cpu_wide_paranoid_0, c->pid = -1; c->cpu = 0; set_user(0)) \
	X(user_kernel_mode, c->attr.exclude_kernel = 0; set_user(2)) \
	X(user_kernel_mode_paranoid_1, c->attr.exclude_kernel = 0; set_user(1)) \
	X(user_own_task, set_user(2)) \
	X(user_own_task_paranoid_3, set_user(3)) \
	X(user_other_task, c->pid = getppid(); set_user(-1)) \
	X(user_namespaces, c->attr.namespaces = 1; set_user(-1)) \
	X(user_text_poke, c->attr.text_poke = 1; set_user(2)) \
	X(user_phys_addr, set_sampling(c, PERF_SAMPLE_PHYS_ADDR); set_user(2)) \
	X(user_phys_addr_paranoid_1, set_sampling(c, PERF_SAMPLE_PHYS_ADDR); set_user(1)) \
	X(user_phys_addr_bad_period, set_sampling(c, PERF_SAMPLE_PHYS_ADDR); c->attr.sample_period = 1ULL << 63; \
		set_user(2)) \
	X(user_phys_addr_bad_cgroup, set_sampling(c, PERF_SAMPLE_PHYS_ADDR); c->flags = PERF_FLAG_PID_CGROUP; \
		set_user(2)) \
	X(user_regs_and_stack, set_sampling(c, PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR | \
		PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CGROUP); c->attr.sample_regs_user = 1; \
		c->attr.sample_regs_intr = 1; c->attr.sample_stack_user = 64; set_user(2)) \
	X(user_branch_kernel, set_hardware(c); set_sampling(c, PERF_SAMPLE_BRANCH_STACK); \
		c->attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL; set_user(2)) \
	X(user_tracepoint, set_tracepoint(c, "sched/sched_switch"); set_user(2)) \
	X(user_tracepoint_raw, set_tracepoint(c, "sched/sched_switch"); set_sampling(c, PERF_SAMPLE_RAW); set_user(0)) \
	X(user_tracepoint_raw_paranoid_minus_1, set_tracepoint(c, "sched/sched_switch"); \
		set_sampling(c, PERF_SAMPLE_RAW); set_user(-1)) \
	X(user_kprobe, set_probe(c, "kprobe", "do_nanosleep"); set_user(-1)) \
	X(user_uprobe, set_probe(c, "uprobe", "/proc/self/exe"); set_user(-1)) \
	X(user_kernel_breakpoint, set_breakpoint(c, HW_BREAKPOINT_W, ARCH_KERNEL_ADDRESS, 8); \
		c->attr.exclude_kernel = 0; set_user(-1))

#define FUNCTION(name, ...) static void open_##name(struct call *c) { (void)c; __VA_ARGS__; }
ROWS(FUNCTION)

#define ROW(name, ...) { "open_" #name, open_##name },
const struct open_row open_rows[] = { ROWS(ROW) { NULL, NULL } };
