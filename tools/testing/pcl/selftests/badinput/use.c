// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows that misuse an open event: ioctls, reads, mappings.
 *
 * Contexts: root, in a child of its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <linux/hw_breakpoint.h>

#include "../lib/bpf.h"
#include "../lib/producer.h"
#include "rows.h"

/* No address of user memory; volatile, so that the compiler does not see it. */
static void *volatile NOWHERE = (void *)8;

static int watched;

static int sampling_event(void)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	attr.sample_period = 1000000;
	return must_open_self(&attr);
}

/* Not a clock: those turn a frequency into a period when they are opened. */
static int frequency_event(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.freq = 1;
	attr.sample_freq = 1000;
	return must_open_self(&attr);
}

static int inherited_event(uint64_t period)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	attr.inherit = 1;
	attr.sample_period = period;
	return must_open_self(&attr);
}

static int backward_event(void)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	attr.write_backward = 1;
	return must_open_self(&attr);
}

static int clocked_event(void)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return must_open_self(&attr);
}

static int breakpoint_event(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = (uintptr_t)&watched;
	attr.bp_len = HW_BREAKPOINT_LEN_4;
	return must_open_self(&attr);
}

static int tracepoint_event(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_TRACEPOINT, tracepoint_number("sched/sched_switch"));

	return must_open_self(&attr);
}

static long filter_twice(void)
{
	int fd = tracepoint_event();

	must_ioctl(fd, PERF_EVENT_IOC_SET_FILTER, (uintptr_t)"prev_pid == 1");
	return CALL(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "prev_pid == 2"));
}

static int mapped(int fd)
{
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	return fd;
}

static long map(int fd, size_t length, int prot, int flags, off_t offset)
{
	void *at;

	watch_refusals();
	at = mmap(NULL, length, prot, flags, fd, offset);
	return at == MAP_FAILED ? -1 : 0;
}

/* More than there is memory. */
static long map_huge(void)
{
	if (ARCH_VMALLOC_RINGS)
		test_skip("a kernel whose rings are of vmalloc() warns of one that is larger than its memory");
	return map(sampling_event(), (1UL << 40) + PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
}

static long period(int fd, uint64_t value)
{
	return CALL(ioctl(fd, PERF_EVENT_IOC_PERIOD, &value));
}

static long output(int fd, long to)
{
	return CALL(ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, to));
}

static long modify(int fd, uint32_t type, uint64_t address, uint64_t length)
{
	struct perf_event_attr attr = event_attr(type, 0);

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_addr = address;
	attr.bp_len = length;
	return CALL(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr));
}

static long modify_size(uint32_t size)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	int fd = breakpoint_event();

	attr.size = size;
	return CALL(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr));
}

static long read_bytes(uint64_t format, size_t length)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	char buffer[256];
	int fd;

	attr.read_format = format;
	fd = must_open_self(&attr);
	return CALL(read(fd, buffer, length));
}

static long read_group(size_t length)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	char buffer[256];
	int fd;

	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	fd = must_open_self(&attr);
	must_open(&attr, 0, -1, fd);
	return CALL(read(fd, buffer, length));
}

/* A pinned event that no counter can hold any more is in error: reads give the end of file. */
static long read_pinned_error(void)
{
	struct perf_event_attr attr = event_attr(ARCH_GENERAL);
	int fds[16], i;
	uint64_t count;

	attr.pinned = 1;
	attr.disabled = 0;
	for (i = 0; i < 16; i++)
		fds[i] = must_open_self(&attr);
	tell("last-of-16");
	return CALL(read(fds[15], &count, sizeof(count)));
}

static long map_as_user(unsigned int pages, long paranoid)
{
	struct rlimit none = { 0, 0 };
	int fd = sampling_event();

	watch_refusals();
	sysctl_set("perf_event_paranoid", paranoid);
	CHECK(!setrlimit(RLIMIT_MEMLOCK, &none));
	drop_privileges();
	return map(fd, (1 + pages) * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
}

static int good_reader(void)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	attr.sample_period = 1000000;
	return must_open_self(&attr);
}

static long map_twice(unsigned int first, unsigned int second)
{
	int fd = good_reader();

	ring_map(fd, first, PROT_READ | PROT_WRITE);
	return map(fd, (1 + second) * PAGE, PROT_READ, MAP_SHARED, 0);
}

static long map_redirected(void)
{
	int to = mapped(good_leader()), fd = good_leader();

	must_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, to);
	return map(fd, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
}

static long map_redirected_other_size(void)
{
	int to = mapped(good_leader()), fd = good_leader();

	must_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, to);
	return map(fd, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
}

static long redirect_to_redirected(void)
{
	int to = mapped(good_leader()), between = good_leader(), fd = good_leader();

	must_ioctl(between, PERF_EVENT_IOC_SET_OUTPUT, to);
	return output(fd, between);
}

static long map_aux(void)
{
	struct ring ring;
	int fd = good_reader();

	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	ring.page->aux_offset = 4 * PAGE;
	ring.page->aux_size = 4 * PAGE;
	return map(fd, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 4 * PAGE);
}

/* What is announced is another place than that of the mapping, or of the area that is there. */
static long map_aux_elsewhere(bool after_another)
{
	struct perf_event_attr attr = producer_attr("producer");
	int fd = must_open_self(&attr);
	struct ring ring;

	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	if (after_another) {
		aux_map(fd, &ring, 2, PROT_READ);
		ring.page->aux_offset = 16 * PAGE;
	}
	ring.page->aux_size = 4 * PAGE;
	return map(fd, 4 * PAGE, PROT_READ, MAP_SHARED, 16 * PAGE);
}

static long filter_address(pid_t pid, const char *text)
{
	struct perf_event_attr attr = producer_attr("producer");
	int fd = must_open(&attr, pid, pid < 0 ? 0 : -1, -1);

	return CALL(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text));
}

/* An echo joins the group of an event of @leaders, and wants something of its AUX area. */
static long aux_member(const char *leaders, bool outputs, unsigned int bytes, unsigned int action)
{
	struct perf_event_attr attr = producer_attr("producer_echo"), leader = producer_attr(leaders);

	attr.aux_output = outputs;
	attr.aux_sample_size = bytes;
	attr.aux_action = action;
	return CALL(event_open(&attr, 0, -1, must_open_self(&leader), 0));
}

/* A PMU that takes one event at a time has one, of this task. */
static long open_beside_exclusive(pid_t pid, int cpu)
{
	struct perf_event_attr attr = producer_attr("producer_alone");

	must_open_self(&attr);
	return CALL(event_open(&attr, pid, cpu, -1, 0));
}

/* A sibling that came after the fork is not in the child's group. */
static long read_group_of_different_child(void)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);
	uint64_t words[16];
	int leader;

	attr.inherit = 1;
	attr.read_format = PERF_FORMAT_GROUP;
	leader = must_open_self(&attr);
	living_child();
	must_open(&attr, 0, -1, leader);
	return CALL(read(leader, words, sizeof(words)));
}

static int event_of_child(void)
{
	struct perf_event_attr attr = event_attr(CPU_CLOCK);

	return must_open(&attr, living_child(), -1, -1);
}

static long output_to_itself(void)
{
	int fd = mapped(good_leader());

	return output(fd, fd);
}

static int branch_sampler(void)
{
	struct perf_event_attr attr = event_attr(BRANCHES);

	attr.sample_period = 100000;
	return must_open_self(&attr);
}

static long redirect_and_back(void)
{
	int to = mapped(good_leader()), fd = good_leader();

	must_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, to);
	return output(fd, -1);
}

static long poll_without_ring(void)
{
	struct pollfd entry = { .fd = good_event(CPU_CLOCK), .events = POLLIN };
	long result = CALL(poll(&entry, 1, 0));

	tell("revents=%#x", entry.revents);
	return result;
}

static long refresh(int fd, int nr)
{
	return CALL(ioctl(fd, PERF_EVENT_IOC_REFRESH, nr));
}

static long query_bpf(void)
{
	struct perf_event_query_bpf query = { 0 };

	return CALL(ioctl(good_leader(), PERF_EVENT_IOC_QUERY_BPF, &query));
}

/* ---- programs of BPF ---- */

static int kprobe_event(void)
{
	struct perf_event_attr attr = event_attr(pmu_type("kprobe"), 0);

	attr.exclude_kernel = 0;
	attr.kprobe_func = (uintptr_t)ARCH_CALL_PREFIX "getpgid";
	return must_open_self(&attr);
}

static int a_program(uint32_t type)
{
	const struct bpf_insn code[] = { SET(R0, 1), END };

	return PROGRAM(type, code);
}

static long set_bpf(int fd, int program)
{
	return CALL(ioctl(fd, PERF_EVENT_IOC_SET_BPF, program));
}

static long set_bpf_twice(int fd, uint32_t type)
{
	int program = a_program(type);

	must_ioctl(fd, PERF_EVENT_IOC_SET_BPF, program);
	return set_bpf(fd, a_program(type));
}

/* It reads what is not in the tracepoint's record. */
static long set_bpf_far(void)
{
	const struct bpf_insn code[] = { LOAD(R0, R1, 1024), SET(R0, 1), END };

	return set_bpf(tracepoint_event(), PROGRAM(AT_POINT, code));
}

static long set_bpf_that_sleeps(void)
{
	const struct bpf_insn code[] = { SET(R0, 1), END };
	union bpf_attr attr = {
		.prog_type = AT_PROBE, .insns = (uintptr_t)code, .insn_cnt = 2, .license = (uintptr_t)"GPL",
		.prog_flags = BPF_F_SLEEPABLE,
	};
	int program = bpf_call(BPF_PROG_LOAD, &attr);

	CHECK(program >= 0);
	return set_bpf(kprobe_event(), program);
}

static long set_bpf_where_64_are(void)
{
	int i;

	for (i = 0; i < 64; i++)
		must_ioctl(tracepoint_event(), PERF_EVENT_IOC_SET_BPF, a_program(AT_POINT));
	return set_bpf(tracepoint_event(), a_program(AT_POINT));
}

static long link_bpf(int fd, uint32_t type)
{
	int program = a_program(type);

	return CALL(link_try(program, fd, 0)) < 0 ? -1 : 0;
}

#define SAMPLER	sampling_event()
#define COUNTER	good_leader()
#define RW	(PROT_READ | PROT_WRITE)

/* Each row: its name and an expression that makes the call. */
#define ROWS(X) \
	X(ioctl_unknown, CALL(ioctl(COUNTER, _IO('$', 99), 0))) \
	X(ioctl_other_type, CALL(ioctl(COUNTER, _IO('x', 0), 0))) \
	X(ioctl_enable, CALL(ioctl(COUNTER, PERF_EVENT_IOC_ENABLE, 0))) \
	X(ioctl_enable_group, CALL(ioctl(COUNTER, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP))) \
	X(ioctl_enable_strange, CALL(ioctl(COUNTER, PERF_EVENT_IOC_ENABLE, 0xfe))) \
	X(ioctl_closed, CALL(ioctl(999, PERF_EVENT_IOC_ENABLE, 0))) \
	X(ioctl_on_null, CALL(ioctl(open("/dev/null", O_RDONLY), PERF_EVENT_IOC_ENABLE, 0))) \
	X(refresh_counter, refresh(COUNTER, 1)) \
	X(refresh_inherited, refresh(inherited_event(1000000), 1)) \
	X(refresh_sampler, refresh(SAMPLER, 1)) \
	X(refresh_0, refresh(SAMPLER, 0)) \
	X(refresh_negative, refresh(SAMPLER, -1)) \
	X(period_0, period(SAMPLER, 0)) \
	X(period_top_bit, period(SAMPLER, 1ULL << 63)) \
	X(period_counter, period(COUNTER, 1000)) \
	X(period_frequency_high, period(frequency_event(), 1ULL << 40)) \
	X(period_frequency, period(frequency_event(), 100)) \
	X(period_branches_to_1, period(branch_sampler(), 1)) \
	X(period_good, period(SAMPLER, 5000000)) \
	X(period_fault, CALL(ioctl(SAMPLER, PERF_EVENT_IOC_PERIOD, NOWHERE))) \
	X(id_fault, CALL(ioctl(COUNTER, PERF_EVENT_IOC_ID, NOWHERE))) \
	X(output_not_open, output(COUNTER, 999)) \
	X(output_not_event, output(COUNTER, open("/dev/null", O_RDONLY))) \
	X(output_no_ring, output(COUNTER, COUNTER)) \
	X(output_none, output(COUNTER, -1)) \
	X(output_negative, output(COUNTER, -2)) \
	X(output_other_cpu, output(COUNTER, mapped(good_on_cpu(0)))) \
	X(output_cpu_to_task, output(good_on_cpu(0), mapped(COUNTER))) \
	X(output_other_clock, output(clocked_event(), mapped(COUNTER))) \
	X(output_other_direction, output(backward_event(), mapped(COUNTER))) \
	X(output_itself, output_to_itself()) \
	X(output_other_task, output(event_of_child(), mapped(COUNTER))) \
	X(output_of_mapped, output(mapped(COUNTER), mapped(COUNTER))) \
	X(output_none_of_mapped, output(mapped(COUNTER), -1)) \
	X(output_chain, redirect_to_redirected()) \
	X(output_back, redirect_and_back()) \
	X(pause_no_ring, CALL(ioctl(COUNTER, PERF_EVENT_IOC_PAUSE_OUTPUT, 1))) \
	X(pause_ring, CALL(ioctl(mapped(COUNTER), PERF_EVENT_IOC_PAUSE_OUTPUT, 1))) \
	X(filter_software, CALL(ioctl(COUNTER, PERF_EVENT_IOC_SET_FILTER, "x"))) \
	X(filter_fault, CALL(ioctl(COUNTER, PERF_EVENT_IOC_SET_FILTER, NOWHERE))) \
	X(filter_tracepoint, CALL(ioctl(tracepoint_event(), PERF_EVENT_IOC_SET_FILTER, "prev_pid == 1"))) \
	X(filter_text, CALL(ioctl(tracepoint_event(), PERF_EVENT_IOC_SET_FILTER, "no_such_field == 1"))) \
	X(filter_empty, CALL(ioctl(tracepoint_event(), PERF_EVENT_IOC_SET_FILTER, ""))) \
	X(filter_twice, filter_twice()) \
	X(filter_address, filter_address(0, "filter 0x1000/0x100")) \
	X(filter_address_word, filter_address(0, "look 0x1000/0x100")) \
	X(filter_address_half, filter_address(0, "filter")) \
	X(filter_address_number, filter_address(0, "filter 0x10000000000000000/1")) \
	X(filter_address_size, filter_address(0, "filter 0x1000")) \
	X(filter_address_cpu, filter_address(-1, "filter 0/1@/proc/self/exe")) \
	X(filter_address_file, filter_address(0, "filter 0/1@/no/such/file")) \
	X(filter_address_directory, filter_address(0, "filter 0/1@/tmp")) \
	X(filter_address_many, filter_address(0, "filter 0/1 filter 1/1 filter 2/1")) \
	X(filter_address_stop, filter_address(0, "stop 0/1")) \
	X(bpf_not_open, CALL(ioctl(COUNTER, PERF_EVENT_IOC_SET_BPF, 999))) \
	X(bpf_no_program, set_bpf(COUNTER, open("/dev/null", O_RDONLY))) \
	X(bpf_at_sampler, set_bpf(SAMPLER, a_program(AT_EVENT))) \
	X(bpf_at_counter, set_bpf(COUNTER, a_program(AT_EVENT))) \
	X(bpf_at_tracepoint, set_bpf(tracepoint_event(), a_program(AT_POINT))) \
	X(bpf_at_kprobe, set_bpf(kprobe_event(), a_program(AT_PROBE))) \
	X(bpf_twice, set_bpf_twice(SAMPLER, AT_EVENT)) \
	X(bpf_twice_at_tracepoint, set_bpf_twice(tracepoint_event(), AT_POINT)) \
	X(bpf_other_type, set_bpf(SAMPLER, a_program(AT_POINT))) \
	X(bpf_other_type_at_tracepoint, set_bpf(tracepoint_event(), a_program(AT_EVENT))) \
	X(bpf_other_type_at_kprobe, set_bpf(kprobe_event(), a_program(AT_POINT))) \
	X(bpf_reads_too_far, set_bpf_far()) \
	X(bpf_that_sleeps, set_bpf_that_sleeps()) \
	X(bpf_where_64_are, set_bpf_where_64_are()) \
	X(bpf_link, link_bpf(SAMPLER, AT_EVENT)) \
	X(bpf_link_other_type, link_bpf(SAMPLER, AT_POINT)) \
	X(bpf_query_software, query_bpf()) \
	X(modify_software, modify(COUNTER, PERF_TYPE_SOFTWARE, 0, 0)) \
	X(modify_software_to_breakpoint, modify(COUNTER, PERF_TYPE_BREAKPOINT, (uintptr_t)&watched, 4)) \
	X(modify_breakpoint_to_software, modify(breakpoint_event(), PERF_TYPE_SOFTWARE, 0, 0)) \
	X(modify_breakpoint, modify(breakpoint_event(), PERF_TYPE_BREAKPOINT, (uintptr_t)&watched, 2)) \
	X(modify_breakpoint_length, modify(breakpoint_event(), PERF_TYPE_BREAKPOINT, (uintptr_t)&watched, 3)) \
	X(modify_breakpoint_kernel, modify(breakpoint_event(), PERF_TYPE_BREAKPOINT, ARCH_KERNEL_ADDRESS, 4)) \
	X(modify_fault, CALL(ioctl(breakpoint_event(), PERF_EVENT_IOC_MODIFY_ATTRIBUTES, NOWHERE))) \
	X(modify_size_small, modify_size(8)) \
	X(modify_size_large, modify_size(1 << 20)) \
	X(read_0, read_bytes(0, 0)) \
	X(read_7, read_bytes(0, 7)) \
	X(read_8, read_bytes(0, 8)) \
	X(read_9, read_bytes(0, 9)) \
	X(read_small_for_times, read_bytes(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING, 16)) \
	X(read_small_for_lost, read_bytes(PERF_FORMAT_ID | PERF_FORMAT_LOST, 16)) \
	X(read_group_small, read_group(32)) \
	X(read_group_fits, read_group(40)) \
	X(read_group_differs, read_group_of_different_child()) \
	X(read_fault, CALL(read(COUNTER, NOWHERE, 8))) \
	X(read_pinned_error, read_pinned_error()) \
	X(pread, CALL(pread(COUNTER, &(uint64_t){ 0 }, 8, 0))) \
	X(write, CALL(write(COUNTER, "12345678", 8))) \
	X(lseek, CALL(lseek(COUNTER, 0, SEEK_SET))) \
	X(poll_without_ring, poll_without_ring()) \
	X(mmap_private, map(SAMPLER, 2 * PAGE, RW, MAP_PRIVATE, 0)) \
	X(mmap_page_alone, map(SAMPLER, PAGE, PROT_READ, MAP_SHARED, 0)) \
	X(mmap_3_pages, map(SAMPLER, 4 * PAGE, RW, MAP_SHARED, 0)) \
	X(mmap_2_pages, map(SAMPLER, 3 * PAGE, RW, MAP_SHARED, 0)) \
	X(mmap_half_page, map(SAMPLER, PAGE / 2, RW, MAP_SHARED, 0)) \
	X(mmap_offset, map(SAMPLER, 2 * PAGE, RW, MAP_SHARED, PAGE)) \
	X(mmap_offset_odd, map(SAMPLER, 2 * PAGE, RW, MAP_SHARED, 12)) \
	X(mmap_aux_without_aux, map_aux()) \
	X(mmap_aux_unannounced, map_aux_elsewhere(false)) \
	X(mmap_aux_elsewhere, map_aux_elsewhere(true)) \
	X(aux_output_and_sample, aux_member("producer", true, 64, 0)) \
	X(aux_output_elsewhere, aux_member("producer_one", true, 0, 0)) \
	X(aux_sample_unsampled, aux_member("producer_alone", false, 64, 0)) \
	X(aux_pause_and_resume, aux_member("producer", false, 0, 6)) \
	X(aux_pause_elsewhere, aux_member("producer_one", false, 0, 2)) \
	X(aux_resume_elsewhere, aux_member("producer_one", false, 0, 4)) \
	X(exclusive_twice, open_beside_exclusive(0, -1)) \
	X(exclusive_of_a_cpu, open_beside_exclusive(-1, 0)) \
	X(mmap_again, map_twice(4, 4)) \
	X(mmap_again_other_size, map_twice(4, 2)) \
	X(mmap_inherited, map(inherited_event(0), 2 * PAGE, RW, MAP_SHARED, 0)) \
	X(mmap_read_only, map(SAMPLER, 2 * PAGE, PROT_READ, MAP_SHARED, 0)) \
	X(mmap_write_only, map(SAMPLER, 2 * PAGE, PROT_WRITE, MAP_SHARED, 0)) \
	X(mmap_execute, map(SAMPLER, 2 * PAGE, RW | PROT_EXEC, MAP_SHARED, 0)) \
	X(mmap_redirected, map_redirected()) \
	X(mmap_redirected_other_size, map_redirected_other_size()) \
	X(mmap_huge, map_huge()) \
	X(user_mmap_within_limit, map_as_user(64, 2)) \
	X(user_mmap_above_limit, map_as_user(1024, 2)) \
	X(user_mmap_above_limit_paranoid_minus_1, map_as_user(1024, -1))

#define FUNCTION(name, expression) static long use_##name(void) { return (expression); }
ROWS(FUNCTION)

#define ROW(name, expression) { "use_" #name, use_##name },
const struct use_row use_rows[] = { ROWS(ROW) { NULL, NULL } };
