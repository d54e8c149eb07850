// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what programs of BPF do with events that are not their own: maps of events, which they read and write to; stacks.
 *
 * Concepts: the program runs at a system call that nobody else makes, so it runs as often as the test makes that call, and
 *	what its helpers answered is in cells that the test reads.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "lib/bpf.h"
#include "lib/trace.h"

#define NR		60
#define NR_EVENTS	4	/* in a map */
#define ALL		0xffffffff	/* BPF_F_CURRENT_CPU */

static struct record record;
static struct sample sample;
static volatile uint64_t *cells;

/* Runs @program at each call of ours. */
static void run_at_call(int program)
{
	struct perf_event_attr attr = trace_attr(CALL);
	int fd = must_open_self(&attr);

	program_set(fd, program);
	event_enable(fd);
}

static void call(int times)
{
	hit_with(PID, times);
}

static int map_of_events(void)
{
	return map_make(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, NR_EVENTS);
}

static void map_event(int map, uint32_t key, int fd)
{
	map_set(map, key, &fd);
}

/* ---- reading ---- */

/* Reads entry cells[1] of a map; the answers go to the cells from 2 on. */
static void read_at_call(int map, int events)
{
	const struct bpf_insn code[] = {
		CELLS(R6, map),
		MAP(R1, events), LOAD(R2, R6, 8), CALL_HELPER(perf_event_read), STORE(R6, 16, R0),
		MAP(R1, events), LOAD(R2, R6, 8), MOVE(R3, R6), ADD(R3, 32), SET(R4, 24),
		CALL_HELPER(perf_event_read_value), STORE(R6, 24, R0),
		SET(R2, 1), ADD_TO(R6, 0, R2), SET(R0, 0), END,
	};

	run_at_call(PROGRAM(AT_POINT, code));
}

/* What the program's two ways to read say of entry @key. */
static void check_read(uint64_t key, int64_t value, int err)
{
	cells[1] = key;
	call(1);
	CHECK_EQ(cells[3], err);
	CHECK_EQ(cells[2], err ? err : value);
	CHECK_EQ(cells[4], err ? 0 : value);
	if (err) {
		CHECK_EQ(cells[5], 0);
		CHECK_EQ(cells[6], 0);
	}
}

static void an_event_is_read(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), events = map_of_events(), fd;
	char *at = fresh_pages(NR);
	unsigned int i;

	(void)unused;
	fd = must_open_self(&attr);
	map_event(events, 1, fd);
	read_at_call(map, events);
	check_read(1, 0, 0);
	event_enable(fd);
	for (i = 0; i < NR; i++) {
		touch_pages(at, i, 1);
		check_read(1, i + 1, 0);
		CHECK(cells[5] && cells[5] == cells[6]);
	}
	event_disable(fd);
	check_read(1, NR, 0);
	CHECK_EQ(event_read(fd), NR);
}

/* Exactly: a counter is folded where it is read. */
static void a_counter_is_read(long unused)
{
	struct perf_event_attr attr = event_attr(INSTRUCTIONS);
	int map = cells_make(&cells), events = map_of_events(), fd = must_open_self(&attr);
	uint64_t before;

	(void)unused;
	map_event(events, 0, fd);
	read_at_call(map, events);
	event_enable(fd);
	call(1);
	before = cells[2];
	CHECK_EQ(cells[4], before);
	loop_run(100000);
	call(1);
	CHECK_RANGE(cells[2] - before, 200000, 900000);
	event_disable(fd);
	CHECK_RANGE(event_read(fd), cells[2], cells[2] + 10000);
}

/* A child that does nothing, and does so by now. */
static pid_t sleeper_start(void)
{
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	await_sleep(pid);
	return pid;
}

static void sleeper_end(pid_t pid)
{
	CHECK(!kill(pid, SIGKILL) && wait(NULL) == pid);
}

static void what_is_not_here_is_not_read(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS), pinned;
	int map = cells_make(&cells), events = map_of_events(), fd;
	pid_t pid;

	(void)unused;
	pin_to_cpu(0);
	pid = sleeper_start();
	read_at_call(map, events);
	map_event(events, 0, must_open(&attr, pid, -1, -1));
	check_read(0, 0, -EINVAL);		/* another's */
	map_event(events, 1, must_open(&attr, -1, 0, -1));
	check_read(1, 0, 0);
	if (cpus_online() > 1) {
		map_event(events, 1, must_open(&attr, -1, 1, -1));
		check_read(1, 0, -EINVAL);	/* another CPU's */
	}
	pinned = attr;
	pinned.pinned = 1;
	fd = must_open_self(&pinned);
	map_event(events, 2, fd);
	check_read(2, 0, -EBUSY);		/* off */
	event_enable(fd);
	check_read(2, event_read(fd), 0);
	check_read(3, 0, -ENOENT);
	check_read(NR_EVENTS, 0, -E2BIG);
	check_read(1ULL << 40, 0, -EINVAL);
	attr.inherit = 1;
	fd = must_open_self(&attr);
	CHECK_ERRNO(map_try(events, 3, &fd), EOPNOTSUPP);
	fd = open("/dev/null", O_RDONLY);
	CHECK_ERRNO(map_try(events, 3, &fd), EBADF);
	sleeper_end(pid);
}

/* At its own overflow, counts and times. */
static void a_program_reads_its_event(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), fd;
	const struct bpf_insn code[] = {
		CELLS(R6, map), MOVE(R2, R6), ADD(R2, 8), SET(R3, 24), CALL_HELPER(perf_prog_read_value),
		STORE(R6, 32, R0), SET(R2, 1), ADD_TO(R6, 0, R2), SET(R0, 1), END,
	};
	char *at = fresh_pages(NR);
	uint64_t words[3];
	unsigned int i;

	(void)unused;
	attr.sample_period = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = must_open_self(&attr);
	program_set(fd, PROGRAM(AT_EVENT, code));
	event_enable(fd);
	for (i = 0; i < NR; i++) {
		touch_pages(at, i, 1);
		CHECK_EQ(cells[0], i + 1);
		CHECK_EQ(cells[4], 0);
		CHECK_EQ(cells[1], i + 1);
		CHECK(cells[2] && cells[2] == cells[3]);
		CHECK_EQ(event_read_words(fd, words, 3), 3);
		CHECK(words[1] > cells[2]);
	}
}

/* ---- writing ---- */

/* Writes the first @size bytes behind cells[8] to entry cells[1] of a map; the answer goes to cells[2]. */
static int program_writes(uint32_t type, int map, int events, unsigned int size)
{
	const struct bpf_insn code[] = {
		CELLS(R6, map), MAP(R2, events), LOAD(R3, R6, 8), MOVE(R4, R6), ADD(R4, 64), SET(R5, size),
		CALL_HELPER(perf_event_output), STORE(R6, 16, R0), SET(R2, 1), ADD_TO(R6, 0, R2), SET(R0, 0), END,
	};

	return PROGRAM(type, code);
}

static struct perf_event_attr output_attr(void)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT);

	attr.exclude_kernel = 0;
	attr.exclude_hv = 0;
	attr.disabled = 0;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TID | PERF_SAMPLE_CPU | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	return attr;
}

static void fill_cells(void)
{
	volatile unsigned char *at = (void *)&cells[8];
	unsigned int i;

	for (i = 0; i < (NR_CELLS - 8) * 8; i++)
		at[i] = 3 * i + 1;
}

/* The next sample: @size bytes as fill_cells() left them, and what pads them. */
static void check_sample(struct ring *ring, const struct perf_event_attr *attr, unsigned int size)
{
	unsigned int i;

	CHECK(ring_find(ring, PERF_RECORD_SAMPLE, &record));
	sample_parse(&record, attr, &sample);
	CHECK_EQ(sample.pid, getpid());
	CHECK_EQ(sample.tid, gettid());
	CHECK_EQ(sample.raw_size, (size + 4 + 7) / 8 * 8 - 4);
	for (i = 0; i < size; i++)
		CHECK_EQ(sample.raw[i], (unsigned char)(3 * i + 1 + test_busted("bytes")));
}

static void what_is_written_comes(long size)
{
	struct perf_event_attr attr = output_attr();
	int map = cells_make(&cells), events = map_of_events(), fd, i;
	struct ring ring;

	pin_to_cpu(0);
	fd = must_open(&attr, -1, 0, -1);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	map_event(events, 0, fd);
	run_at_call(program_writes(AT_POINT, map, events, size));
	fill_cells();
	cells[1] = ALL;
	for (i = 0; i < NR; i++) {
		call(1);
		CHECK_EQ(cells[2], 0);
		check_sample(&ring, &attr, size);
		CHECK_EQ(sample.cpu, 0);
		CHECK(!ring_take(&ring, &record));
	}
	CHECK_EQ(cells[0], NR);
}

/* A task's: wherever it runs. Its descriptor may be closed, as long as the ring is mapped or the map has it. */
static void a_task_s_output_comes(long unused)
{
	struct perf_event_attr attr = output_attr();
	int map = cells_make(&cells), events = map_of_events(), fd = must_open_self(&attr), i;
	struct ring ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);

	(void)unused;
	map_event(events, 1, fd);
	close(fd);
	run_at_call(program_writes(AT_POINT, map, events, 13));
	fill_cells();
	cells[1] = 1;
	for (i = 0; i < NR; i++) {
		if (cpus_online() > 1)
			pin_to_cpu(i & 1);
		switch_with(1, NULL);
		call(1);
		CHECK_EQ(cells[2], 0);
		check_sample(&ring, &attr, 13);
	}
	ring_unmap(&ring);
	call(1);
	CHECK_EQ(cells[2], -ENOSPC);
}

static void check_write(uint64_t key, int err)
{
	cells[1] = key;
	call(1);
	CHECK_EQ(cells[2], err);
}

static void where_it_may_not_write(long unused)
{
	struct perf_event_attr attr = output_attr(), other = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), events = map_of_events(), fd, i;
	struct ring ring;
	pid_t pid;

	(void)unused;
	pin_to_cpu(0);
	pid = sleeper_start();
	run_at_call(program_writes(AT_POINT, map, events, 8));
	map_event(events, 0, must_open_self(&other));
	check_write(0, -EINVAL);		/* no event for output */
	fd = must_open(&attr, pid, -1, -1);
	ring = ring_map(fd, 2, PROT_READ | PROT_WRITE);
	map_event(events, 1, fd);
	check_write(1, -EOPNOTSUPP);		/* its task does not run */
	CHECK(!ring_take(&ring, &record));
	fd = must_open_self(&attr);
	map_event(events, 2, fd);
	check_write(2, -ENOSPC);		/* no ring */
	event_disable(fd);
	check_write(2, -EOPNOTSUPP);		/* off */
	check_write(3, -ENOENT);
	check_write(NR_EVENTS, -E2BIG);
	check_write(1ULL << 32, -EINVAL);
	/* A full ring loses, and tells. */
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	map_event(events, 3, fd);
	cells[1] = 3;
	cells[2] = 0;
	for (i = 0; !cells[2] && i < 1000; i++)
		call(1);
	CHECK_EQ(cells[2], -ENOSPC);
	CHECK(ring_count(&ring, PERF_RECORD_SAMPLE));
	check_write(3, 0);
	CHECK(ring_take(&ring, &record));
	CHECK_EQ(record.header.type, PERF_RECORD_LOST);
	sleeper_end(pid);
}

/* At an overflow, of the event that overflows or another. */
static void an_overflow_writes(long unused)
{
	struct perf_event_attr attr = output_attr(), faults = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), events = map_of_events(), fd = must_open_self(&attr), of_faults, i;
	struct ring ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	char *at = fresh_pages(NR);

	(void)unused;
	faults.sample_period = 1;
	of_faults = must_open_self(&faults);
	map_event(events, 0, fd);
	program_set(of_faults, program_writes(AT_EVENT, map, events, 21));
	fill_cells();
	event_enable(of_faults);
	for (i = 0; i < NR; i++) {
		touch_pages(at, i, 1);
		CHECK_EQ(cells[0], i + 1);
		CHECK_EQ(cells[2], 0);
		check_sample(&ring, &attr, 21);
	}
}

/* From a packet: what the program says, and behind it bytes of the packet, which a helper of the net copies. */
static void a_packet_is_written(long of_packet)
{
	struct perf_event_attr attr = output_attr();
	int map = cells_make(&cells), events = map_of_events(), fd, program, i;
	static unsigned char packet[256];
	union bpf_attr run = {
		.test.data_in = (uintptr_t)packet, .test.data_size_in = sizeof(packet), .test.repeat = 1,
	};
	struct ring ring;

	pin_to_cpu(0);
	fd = must_open(&attr, -1, 0, -1);
	ring = ring_map(fd, 16, PROT_READ | PROT_WRITE);
	map_event(events, 0, fd);
	for (i = 0; i < (int)sizeof(packet); i++)
		packet[i] = 200 - i;
	program = program_writes(BPF_PROG_TYPE_SCHED_CLS, map, events, 13);
	run.test.prog_fd = program;
	fill_cells();
	for (i = 0; i < NR; i++) {
		unsigned int at;

		cells[1] = (uint64_t)of_packet << 32 | ALL;
		if (bpf_call(BPF_PROG_TEST_RUN, &run))
			FAIL("the program cannot be run: %s", strerror(errno));
		CHECK_EQ(cells[2], 0);
		CHECK(ring_find(&ring, PERF_RECORD_SAMPLE, &record));
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(sample.raw_size, (13 + of_packet + 4 + 7) / 8 * 8 - 4);
		for (at = 0; at < 13; at++)
			CHECK_EQ(sample.raw[at], (unsigned char)(3 * at + 1));
		for (; at < 13 + of_packet; at++)
			CHECK_EQ(sample.raw[at], packet[at - 13 + test_busted("bytes")]);
	}
	cells[1] = 1000ULL << 32 | ALL;	/* longer than the packet */
	CHECK(!bpf_call(BPF_PROG_TEST_RUN, &run));
	CHECK_EQ(cells[2], -EFAULT);
}

/* The map has the event, whoever closes its file; it goes with the map. */
static void a_map_holds_its_events(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), events = map_of_events(), fd = must_open_self(&attr);
	uint32_t key = 1;
	union bpf_attr forget = { .map_fd = events, .key = (uintptr_t)&key };

	(void)unused;
	map_event(events, 1, fd);
	read_at_call(map, events);
	event_enable(fd);
	close(fd);
	touch_fresh_pages(NR);
	cells[1] = 1;
	call(1);
	CHECK_RANGE(cells[2], NR, 2 * NR);
	CHECK(!bpf_call(BPF_MAP_DELETE_ELEM, &forget));
	check_read(1, 0, -ENOENT);
}

/* ---- stacks ---- */

enum { NO_CHAIN, CHAIN, DEFERRED };

/* The user's stack at each fault goes to a map of stacks, its number to cells[1]; bpf_get_stack() to cells[8]. */
static int program_takes_stacks(int map, int stacks)
{
	const struct bpf_insn code[] = {
		CELLS(R6, map), MOVE(R7, R1), MAP(R2, stacks), SET(R3, BPF_F_USER_STACK), CALL_HELPER(get_stackid),
		STORE(R6, 8, R0), MOVE(R1, R7), MOVE(R2, R6), ADD(R2, 64), SET(R3, 128), SET(R4, BPF_F_USER_STACK),
		CALL_HELPER(get_stack), STORE(R6, 16, R0), SET(R2, 1), ADD_TO(R6, 0, R2), SET(R0, 1), END,
	};

	return PROGRAM(AT_EVENT, code);
}

static void stacks_are_taken(long chain)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), stacks = map_make(BPF_MAP_TYPE_STACK_TRACE, 16 * 8, 256), fd;
	uint64_t found[16];
	unsigned int i, nr;
	struct ring ring;

	attr.sample_period = 1;
	if (chain == DEFERRED) {	/* for the program it is walked at once all the same */
		if (!is_pcl())
			test_skip("stock has deferred call chains since 6.19");
		attr.defer_callchain = 1;
		chain = CHAIN;
	}
	attr.sample_type = PERF_SAMPLE_IP | (chain == CHAIN ? PERF_SAMPLE_CALLCHAIN : 0);
	fd = must_open_self(&attr);
	ring = ring_map(fd, 8, PROT_READ | PROT_WRITE);
	program_set(fd, program_takes_stacks(map, stacks));
	event_enable(fd);
	touch_fresh_pages(1);
	event_disable(fd);
	CHECK(cells[0] >= 1);
	while (ring_find(&ring, PERF_RECORD_SAMPLE, &record))
		sample_parse(&record, &attr, &sample);
	CHECK_RANGE((int64_t)cells[1], 0, 255);
	CHECK(map_get(stacks, cells[1], found));
	nr = cells[2] / 8;
	CHECK_RANGE(nr, 2, 16);
	/* Of a chain the first entry is the mark of the user's part. */
	i = chain == CHAIN;
	if (chain == CHAIN)
		CHECK_EQ(found[0], PERF_CONTEXT_USER);
	CHECK_EQ(found[i], sample.ip);
	CHECK(!memcmp((const void *)&cells[8], found, nr * 8));
	if (chain == CHAIN) {
		CHECK_RANGE(sample.nr_chain, 3, 512);
		CHECK(!memcmp(sample.chain, found, 8 * (sample.nr_chain < 16 ? sample.nr_chain : 16)));
	}
}

/* The chain that a program wanted is its event's alone: another with the same fault has its own. */
static void a_chain_is_its_event_s_alone(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), stacks = map_make(BPF_MAP_TYPE_STACK_TRACE, 16 * 8, 256), plain, fd;
	struct ring ring;
	unsigned int nr = 0;

	(void)unused;
	if (!is_pcl())
		test_skip("stock lets the chain of one event stand in the samples of the next");
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	plain = must_open_self(&attr);
	ring = ring_map(plain, 8, PROT_READ | PROT_WRITE);
	event_enable(plain);
	event_disable(plain);
	attr.sample_max_stack = 1;
	fd = must_open_self(&attr);
	program_set(fd, program_takes_stacks(map, stacks));
	event_enable(plain);
	event_enable(fd);		/* comes first at a fault */
	touch_fresh_pages(2);
	event_disable(fd);
	event_disable(plain);
	CHECK(cells[0] >= 2);
	while (ring_take(&ring, &record)) {
		if (record.header.type != PERF_RECORD_SAMPLE)
			continue;
		sample_parse(&record, &attr, &sample);
		nr++;
		if (sample.ip < (uintptr_t)touch_fresh_pages)
			continue;
		CHECK_RANGE(sample.nr_chain, test_busted("bytes") ? 513 : 3, 512);
	}
	CHECK(nr >= 2);
}

/* The kernel's stack at a system call. */
static void the_kernel_s_stack_is_taken(long unused)
{
	int map = cells_make(&cells);
	const struct bpf_insn code[] = {
		CELLS(R6, map), MOVE(R2, R6), ADD(R2, 64), SET(R3, 128), SET(R4, 0), CALL_HELPER(get_stack),
		STORE(R6, 16, R0), SET(R2, 1), ADD_TO(R6, 0, R2), SET(R0, 1), END,
	};
	struct perf_event_attr attr = kprobe_attr(0);
	int fd = must_open_self(&attr), i;

	(void)unused;
	program_set(fd, PROGRAM(BPF_PROG_TYPE_KPROBE, code));
	event_enable(fd);
	call(1);
	CHECK_EQ(cells[0], 1);
	CHECK_RANGE((int64_t)cells[2], 8 * ARCH_CALL_FRAMES, 128);
	for (i = 0; i < (int)cells[2] / 8; i++)
		CHECK(cells[8 + i] >= ARCH_KERNEL_ADDRESS);
}

/* There are no branches here. */
static void branches_are_not_there(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int map = cells_make(&cells), fd;
	const struct bpf_insn code[] = {
		CELLS(R6, map), MOVE(R2, R6), ADD(R2, 64), SET(R3, 24), SET(R4, 0), CALL_HELPER(read_branch_records),
		STORE(R6, 8, R0), MOVE(R1, R6), ADD(R1, 64), SET(R2, 24), SET(R3, 0), CALL_HELPER(get_branch_snapshot),
		STORE(R6, 16, R0), SET(R0, 1), END,
	};

	(void)unused;
	attr.sample_period = 1;
	fd = must_open_self(&attr);
	program_set(fd, PROGRAM(AT_EVENT, code));
	event_enable(fd);
	touch_fresh_pages(1);
	CHECK_EQ(cells[1], -ENOENT);
	/* Stock's driver takes the emulator for a machine that has them. */
	if (is_pcl())
		CHECK_EQ(cells[2], -ENOENT);
}

static const struct test tests[] = {
	TEST(an_event_is_read),
	TEST(a_counter_is_read),
	TEST(what_is_not_here_is_not_read),
	TEST(a_program_reads_its_event),
	TEST_WITH(what_is_written_comes, "(1 byte)", 1),
	TEST_WITH(what_is_written_comes, "(12 bytes)", 12),
	TEST_WITH(what_is_written_comes, "(13 bytes)", 13),
	TEST_WITH(what_is_written_comes, "(440 bytes)", 440),
	TEST(a_task_s_output_comes),
	TEST(where_it_may_not_write),
	TEST(an_overflow_writes),
	TEST_WITH(a_packet_is_written, "(nothing of it)", 0),
	TEST_WITH(a_packet_is_written, "(8 bytes)", 8),
	TEST_WITH(a_packet_is_written, "(200 bytes)", 200),
	TEST(a_map_holds_its_events),
	TEST(a_chain_is_its_event_s_alone),
	TEST_WITH(stacks_are_taken, "(deferred)", DEFERRED),
	TEST_WITH(stacks_are_taken, "(without call chains)", NO_CHAIN),
	TEST_WITH(stacks_are_taken, "(of call chains)", CHAIN),
	TEST(the_kernel_s_stack_is_taken),
	TEST(branches_are_not_there),
};

int main(void)
{
	return TESTS_RUN(tests);
}
