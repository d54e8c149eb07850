// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: programs of BPF at overflows: when they run, what they see, what their answer does, whose they are.
 *
 * Concepts: a program counts in a cell that the test reads, and says whether the sample is written.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include "lib/bpf.h"

#define NR		60

static struct record record;
static struct sample sample;
static volatile uint64_t *cells;

static struct ring map_ring(int fd)
{
	return ring_map(fd, 32, PROT_READ | PROT_WRITE);
}

/* ---- at overflows ---- */

static void each_overflow_runs_it(long result)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr), map = cells_make(&cells);
	struct ring ring = map_ring(fd);
	char *at = fresh_pages(2 * NR);

	program_set(fd, program_counts(AT_EVENT, map, program_answer(result)));
	touch_pages(at, 0, NR / 2);
	CHECK_EQ(cells[0], 0);
	event_enable(fd);
	touch_pages(at, NR / 2, NR);
	event_disable(fd);
	touch_pages(at, NR / 2 + NR, NR / 2);
	CHECK_EQ(cells[0], NR);
	CHECK_EQ(event_read(fd), NR);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), result == KEEP ? NR : 0);
}

/* Of two events on the same, each has its own. */
static void each_event_has_its_own(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int none = must_open_self(&attr), keeps = must_open_self(&attr), drops = must_open_self(&attr);
	struct ring rings[3] = { map_ring(none), map_ring(keeps), map_ring(drops) };
	int map = cells_make(&cells);
	char *at = fresh_pages(NR);

	(void)unused;
	program_set(keeps, program_counts(AT_EVENT, map, program_answer(KEEP)));
	program_set(drops, program_counts(AT_EVENT, map, program_answer(DROP)));
	event_enable(none);
	event_enable(keeps);
	event_enable(drops);
	touch_pages(at, 0, NR);
	CHECK_EQ(cells[0], 2 * NR);
	CHECK_EQ(ring_count(&rings[0], PERF_RECORD_SAMPLE), NR);
	CHECK_EQ(ring_count(&rings[1], PERF_RECORD_SAMPLE), NR);
	CHECK_EQ(ring_count(&rings[2], PERF_RECORD_SAMPLE), 0);
}

/* What it answers is asked each time. */
static void some_samples_are_kept(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr), map = cells_make(&cells);
	struct ring ring = map_ring(fd);
	const struct bpf_insn code[] = {
		CELLS(R1, map), SET(R2, 1), ADD_TO(R1, 0, R2), LOAD(R0, R1, 0), AND(R0, program_answer(1)), END,
	};

	(void)unused;
	program_set(fd, PROGRAM(AT_EVENT, code));
	event_enable(fd);
	touch_fresh_pages(2 * NR);
	event_disable(fd);
	CHECK_EQ(cells[0], event_read(fd));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), (cells[0] + 1) / 2);
}

/* Hardware, clocks: as many runs as samples. */
static void other_overflows_run_it(long which)
{
	static const struct { uint32_t type; uint64_t config, period; } events[] = {
		{ INSTRUCTIONS, 100000 }, { CPU_CLOCK, 1000000 }, { TASK_CLOCK, 1000000 },
	};
	struct perf_event_attr attr = event_attr(events[which].type, events[which].config);
	int fd, map = cells_make(&cells);
	unsigned int samples;
	struct ring ring;

	attr.sample_period = events[which].period;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = must_open_self(&attr);
	ring = map_ring(fd);
	program_set(fd, program_counts(AT_EVENT, map, program_answer(KEEP)));
	event_enable(fd);
	do {
		loop_run(3000000);
		/* A clock's: however fast the machine is, and however late its timers. */
	} while (event_read(fd) < 6 * attr.sample_period || cells[0] < 3);
	event_disable(fd);
	samples = ring_count(&ring, PERF_RECORD_SAMPLE);
	CHECK(samples >= 3);
	CHECK_EQ(cells[0], samples);
	if (which == 0)
		CHECK_RANGE(cells[0], event_read(fd) / attr.sample_period - 1, event_read(fd) / attr.sample_period);
}

static volatile int watched;

static void a_breakpoint_runs_it(long result)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_BREAKPOINT, 0);
	int fd, map = cells_make(&cells), i;
	struct ring ring;

	attr.bp_type = 2;	/* written to */
	attr.bp_addr = (uintptr_t)&watched;
	attr.bp_len = 4;
	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	fd = must_open_self(&attr);
	ring = map_ring(fd);
	program_set(fd, program_counts(AT_EVENT, map, program_answer(result)));
	event_enable(fd);
	for (i = 0; i < NR; i++)
		watched = i;
	event_disable(fd);
	CHECK_EQ(cells[0], NR);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), result == KEEP ? NR : 0);
}

/* A counting event takes one, too, and never runs it. */
static void what_only_counts_runs_none(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int fd = must_open_self(&attr), map = cells_make(&cells);

	(void)unused;
	must_ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_counts(AT_EVENT, map, KEEP));
	event_enable(fd);
	touch_fresh_pages(NR);
	CHECK(event_read(fd) >= NR);
	CHECK_EQ(cells[0], 0);
}

/* Dropped samples are overflows all the same. */
static void refresh_counts_what_is_dropped(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr), map = cells_make(&cells);
	struct ring ring = map_ring(fd);

	(void)unused;
	program_set(fd, program_counts(AT_EVENT, map, program_answer(DROP)));
	must_ioctl(fd, PERF_EVENT_IOC_REFRESH, 3);
	touch_fresh_pages(NR);
	CHECK_EQ(cells[0], 3);
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), 0);
}

/* ---- what a program sees ---- */

static int program_looks(int map, int result)
{
	const struct bpf_insn code[] = {
		CELLS(R6, map), LOAD(R2, R1, SEEN_PERIOD), STORE(R6, 8, R2), LOAD(R2, R1, SEEN_ADDR), STORE(R6, 16, R2),
		LOAD(R2, R1, SEEN_IP), STORE(R6, 24, R2), SET(R2, 1), ADD_TO(R6, 0, R2), SET(R0, result), END,
	};

	return PROGRAM(AT_EVENT, code);
}

static void it_sees_the_sample(long period)
{
	struct perf_event_attr attr = fault_attr();
	int fd, map = cells_make(&cells);
	char *at = fresh_pages(NR);
	struct ring ring;
	unsigned int i;

	attr.sample_period = period;
	fd = must_open_self(&attr);
	ring = map_ring(fd);
	program_set(fd, program_looks(map, KEEP));
	event_enable(fd);
	for (i = 0; i < NR; i += period) {
		touch_pages(at, i, period);
		CHECK(ring_find(&ring, PERF_RECORD_SAMPLE, &record));
		sample_parse(&record, &attr, &sample);
		CHECK_EQ(cells[0], i / period + 1);
		CHECK_EQ(cells[1], period);
		CHECK_EQ(sample.addr, (uintptr_t)at + (i + period - 1) * PAGE);
		CHECK_EQ(cells[2], sample.addr);
		CHECK_EQ(cells[3], sample.ip);
	}
}

/* A clock's overflow has no address. On stock the program sees what lay on the stack. */
static void what_is_not_known_is_0(long unused)
{
	struct perf_event_attr attr = event_attr(TASK_CLOCK);
	int fd, map = cells_make(&cells), i;

	(void)unused;
	if (!is_pcl())
		test_skip("stock shows what lay there");
	attr.sample_period = 1000000;
	fd = must_open_self(&attr);
	program_set(fd, program_looks(map, KEEP));
	cells[2] = 1;
	event_enable(fd);
	for (i = 0; !cells[0] && i < 1000; i++)
		loop_run(1000000);
	event_disable(fd);
	CHECK_EQ(cells[2], 0);
}

/* ---- families ---- */

static int touch(void *unused)
{
	(void)unused;
	touch_fresh_pages(NR);
	return 0;
}

/* A child has its parent's program as it was at the fork, and a grandchild as well. */
static int touch_with_child(void *unused)
{
	touch(unused);
	return in_child(touch, NULL);
}

static void children_run_it(long result)
{
	struct perf_event_attr attr = fault_attr();
	int fd, map = cells_make(&cells);
	struct ring ring;

	pin_to_cpu(0);
	attr.inherit = !test_busted("inherit");
	fd = must_open(&attr, 0, 0, -1);
	ring = ring_map(fd, 128, PROT_READ | PROT_WRITE);
	program_set(fd, program_counts(AT_EVENT, map, program_answer(result)));
	event_enable(fd);
	CHECK_EQ(in_child(touch_with_child, NULL), 0);
	event_disable(fd);
	CHECK(cells[0] >= 2 * NR);
	CHECK_EQ(cells[0], event_read(fd));
	CHECK_EQ(ring_count(&ring, PERF_RECORD_SAMPLE), result == KEEP ? cells[0] : 0);
}

struct meeting {
	int go[2], done[2];
};

static int touch_when_told(void *arg)
{
	struct meeting *meeting = arg;
	char byte;

	while (read(meeting->go[0], &byte, 1) == 1 && byte) {
		touch_fresh_pages(NR);
		CHECK(write(meeting->done[1], &byte, 1) == 1);
	}
	return 0;
}

static void tell(struct meeting *meeting, char byte)
{
	CHECK(write(meeting->go[1], &byte, 1) == 1);
	if (byte)
		CHECK(read(meeting->done[0], &byte, 1) == 1);
}

/* By an event that is not inherited the task's are not alike its children's, and stock exchanges none at a switch. */
static void set_apart(long apart)
{
	struct perf_event_attr attr = dummy_attr();

	if (apart)
		must_open_self(&attr);
}

enum { ALIKE, APART };

/* Who was there before it came does not run it; who came by then goes on when it is gone. */
static void who_was_there_before_has_none(long apart)
{
	struct perf_event_attr attr = fault_attr();
	struct meeting before, after;
	int fd, map = cells_make(&cells), link;
	uint64_t seen;

	if (apart == ALIKE && !is_pcl())
		test_skip("stock exchanges events with their programs");
	CHECK(!pipe(before.go) && !pipe(before.done) && !pipe(after.go) && !pipe(after.done));
	attr.inherit = 1;
	fd = must_open_self(&attr);
	event_enable(fd);
	set_apart(apart);
	if (!fork())
		_exit(touch_when_told(&before));
	tell(&before, 1);
	link = link_make(program_counts(AT_EVENT, map, KEEP), fd, 0);
	CHECK_RANGE(cells[0], 0, NR / 2);
	tell(&before, 1);
	CHECK_RANGE(cells[0], 0, NR / 2);	/* the parent's own */
	seen = cells[0];
	touch_fresh_pages(NR);
	CHECK_RANGE(cells[0], seen + NR, seen + NR + NR / 2);
	if (!fork()) {
		close(link);
		_exit(touch_when_told(&after));
	}
	seen = cells[0];
	tell(&after, 1);
	CHECK(cells[0] >= seen + NR);
	close(link);
	seen = cells[0];
	touch_fresh_pages(NR);
	CHECK_RANGE(cells[0], seen, seen + NR / 2);
	seen = cells[0];
	tell(&after, 1);
	CHECK(cells[0] >= seen + NR);
	tell(&before, 0);
	tell(&after, 0);
	while (wait(NULL) > 0)
		;
	CHECK(event_read(fd) >= 6 * NR);
}

/* ---- while it runs ---- */

static volatile bool is_over;

static void *touches(void *unused)
{
	(void)unused;
	while (!is_over)
		touch_fresh_pages(8);
	return NULL;
}

/* Programs come and go, with links and with events, under a task that runs them. */
static void it_comes_and_goes_while_it_runs(long with_event)
{
	struct perf_event_attr attr = fault_attr();
	int map = cells_make(&cells), fd, link = -1, program, rounds = test_count(200, 40), i;
	pthread_t thread;

	attr.inherit = 1;
	fd = must_open_self(&attr);
	event_enable(fd);
	CHECK(!pthread_create(&thread, NULL, touches, NULL));
	for (i = 0; i < rounds; i++) {
		int of_thread = fd;

		if (with_event) {
			of_thread = must_open(&attr, 0, -1, -1);
			event_enable(of_thread);
		}
		program = program_counts(AT_EVENT, map, i & 1);
		link = link_make(program, of_thread, i);
		close(program);
		/* stock may have exchanged the two threads' events: then it is the other's pages that run it */
		do
			touch_fresh_pages(1);
		while (!cells[0] && !with_event && !is_pcl());
		CHECK(cells[0]);
		cells[0] = 0;
		if (with_event)
			close(of_thread);
		close(link);
	}
	is_over = true;
	CHECK(!pthread_join(thread, NULL));
}

static const struct test tests[] = {
	TEST_WITH(each_overflow_runs_it, "(keeps)", KEEP),
	TEST_WITH(each_overflow_runs_it, "(drops)", DROP),
	TEST(each_event_has_its_own),
	TEST(some_samples_are_kept),
	TEST_WITH(other_overflows_run_it, "(instructions)", 0),
	TEST_WITH(other_overflows_run_it, "(cpu-clock)", 1),
	TEST_WITH(other_overflows_run_it, "(task-clock)", 2),
	TEST_WITH(a_breakpoint_runs_it, "(keeps)", KEEP),
	TEST_WITH(a_breakpoint_runs_it, "(drops)", DROP),
	TEST(what_only_counts_runs_none),
	TEST(refresh_counts_what_is_dropped),
	TEST_WITH(it_sees_the_sample, "(each fault)", 1),
	TEST_WITH(it_sees_the_sample, "(each third)", 3),
	TEST(what_is_not_known_is_0),
	TEST_WITH(children_run_it, "(keeps)", KEEP),
	TEST_WITH(children_run_it, "(drops)", DROP),
	TEST_WITH(who_was_there_before_has_none, "(of one set)", ALIKE),
	TEST_WITH(who_was_there_before_has_none, "(apart)", APART),
	TEST_WITH(it_comes_and_goes_while_it_runs, "(links)", 0),
	TEST_WITH(it_comes_and_goes_while_it_runs, "(events)", 1),
};

int main(void)
{
	return TESTS_RUN(tests);
}
