// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rings: overwriting, backward writing, redirection, pausing, and how a reader is woken.
 *
 * Concepts: page faults make samples, one for each page touched, so the number of records is known without waiting.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "lib/event.h"

#define SAMPLE_BYTES	16	/* header and ADDR */

static struct record record;

/* Each page fault a sample with the page's address. */
static struct perf_event_attr fault_attr(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_ADDR;
	return attr;
}

/* Samples of @nr faults; the addresses must be those of consecutive pages beginning with @first. */
static void check_samples(struct ring *ring, const char *pages, unsigned long first, unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++) {
		if (!ring_take(ring, &record))
			FAIL("only %lu of %lu samples", i, nr);
		CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
		CHECK_EQ(record.body[0], (uintptr_t)pages + (first + i) * PAGE);
	}
	CHECK(!ring_take(ring, &record));
}

static void records_are_taken_in_order(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(1000);
	int fd = must_open_self(&attr), round;
	struct ring ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);

	(void)unused;
	event_enable(fd);
	/* Several times around the ring, taken each time before it is full. */
	for (round = 0; round < 5; round++) {
		touch_pages(pages, round * 200, 200);
		check_samples(&ring, pages, round * 200, 200);
	}
}

static sigjmp_buf bus_error;

static void on_bus_error(int number)
{
	siglongjmp(bus_error, number);
}

static bool can_be_written(volatile uint64_t *at)
{
	if (sigsetjmp(bus_error, 1))
		return false;
	*at = 0;
	return true;
}

/* The control page may be written, what the kernel writes may not: neither at once nor once it is mapped to be read. */
static void only_the_control_page_is_written(long reads_before)
{
	struct perf_event_attr attr = fault_attr();
	struct ring ring = ring_map(must_open_self(&attr), 2, PROT_READ | PROT_WRITE);
	volatile uint64_t *data = (uint64_t *)((char *)ring.page + (test_busted("page") ? 0 : 2 * PAGE));
	volatile uint64_t *tail = (uint64_t *)&ring.page->data_tail;

	signal(SIGBUS, on_bus_error);
	if (reads_before)
		CHECK_EQ(*data + *tail, 0);
	CHECK(can_be_written(tail));
	CHECK(!can_be_written(data));
}

/* Records of 24 bytes cross the ring's end. */
static void records_wrap_around(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(1000);
	unsigned int i, round;
	struct ring ring;
	int fd;

	(void)unused;
	attr.sample_type |= PERF_SAMPLE_TID;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	event_enable(fd);
	for (round = 0; round < 10; round++) {
		touch_pages(pages, round * 100, 100);
		for (i = 0; i < 100; i++) {
			CHECK(ring_take(&ring, &record));
			CHECK_EQ(record.header.size, 24);
			CHECK_EQ(half_of(record.body[0], 0), getpid());
			CHECK_EQ(record.body[1], (uintptr_t)pages + (round * 100 + i) * PAGE);
		}
	}
}

/* A ring mapped for reading alone keeps the newest, whoever reads. */
static void a_read_only_ring_overwrites(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(1000);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 1, test_busted("overwrite") ? PROT_READ | PROT_WRITE : PROT_READ);
	uint64_t head;

	(void)unused;
	event_enable(fd);
	touch_pages(pages, 0, 1000);
	event_disable(fd);
	head = ring.page->data_head;
	CHECK_EQ(head, 1000 * SAMPLE_BYTES);
	/* The last 256 samples fill the page. */
	ring.tail = head - PAGE;
	check_samples(&ring, pages, 1000 - PAGE / SAMPLE_BYTES, PAGE / SAMPLE_BYTES);
}

static void a_backward_ring_begins_with_the_newest(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(100);
	struct ring ring;
	unsigned int i;
	int fd;

	(void)unused;
	attr.write_backward = 1;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ);
	event_enable(fd);
	touch_pages(pages, 0, 100);
	must_ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	/* The head went down; records follow upwards, from new to old. */
	ring_rewind(&ring);
	CHECK_EQ(-ring.head, 100 * SAMPLE_BYTES);
	ring.page = NULL;
	for (i = 0; i < 100; i++) {
		const uint64_t *at = (const uint64_t *)(ring.data + ((ring.head + i * SAMPLE_BYTES) & (PAGE - 1)));

		CHECK_EQ(((const struct perf_event_header *)at)->size, SAMPLE_BYTES);
		CHECK_EQ(at[1], (uintptr_t)pages + (99 - i) * PAGE);
	}
}

static void a_paused_ring_loses_records(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(30);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);

	(void)unused;
	event_enable(fd);
	touch_pages(pages, 0, 10);
	must_ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, !test_busted("pause"));
	touch_pages(pages, 10, 10);
	must_ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
	check_samples(&ring, pages, 0, 10);
	touch_pages(pages, 20, 10);
	event_disable(fd);
	/* What was lost meanwhile is told first. */
	CHECK(ring_take(&ring, &record));
	CHECK_EQ(record.header.type, PERF_RECORD_LOST);
	CHECK_EQ(record.body[1], 10);
	check_samples(&ring, pages, 20, 10);
}

/* Two events in one ring: the ids tell them apart. */
static void output_goes_to_another_ring(long by_flag)
{
	struct perf_event_attr attr = fault_attr();
	int to, from, nr[2] = { 0 };
	char *pages = fresh_pages(8);
	struct sample sample;
	struct ring ring;

	attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	to = must_open_self(&attr);
	ring = ring_map(to, 1, PROT_READ | PROT_WRITE);
	from = event_open(&attr, 0, -1, by_flag ? to : -1, by_flag ? PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP : 0);
	CHECK(from >= 0);
	if (!by_flag && !test_busted("redirect"))
		must_ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, to);
	event_enable(to);
	event_enable(from);
	touch_pages(pages, 0, 8);
	event_disable(to);
	event_disable(from);
	while (ring_take(&ring, &record)) {
		sample_parse(&record, &attr, &sample);
		CHECK(sample.identifier == event_id(to) || sample.identifier == event_id(from));
		nr[sample.identifier == event_id(from)]++;
	}
	CHECK_RANGE(nr[0], 8, 9);
	CHECK_RANGE(nr[1], 8, 9);
}

/* ---- who writes where ---- */

/* Two children at once, which begin on one CPU and end on the other. */
static void children_that_end_elsewhere(char *pages)
{
	pid_t pids[2];
	int i, status;

	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		CHECK(pids[i] >= 0);
		if (!pids[i]) {
			pin_to_cpu(i);
			touch_pages(pages, 0, 8);
			pin_to_cpu(!i);
			_exit(0);
		}
	}
	for (i = 0; i < 2; i++)
		CHECK(waitpid(pids[i], &status, 0) == pids[i] && !status);
}

/* Takes all; each record must have been written by @cpu. Counts those of the type. */
static unsigned int take_all_of_cpu(struct ring *ring, const struct perf_event_attr *attr, unsigned int cpu,
				    uint32_t type)
{
	struct sample sample;
	unsigned int nr = 0;

	while (ring_take(ring, &record)) {
		CHECK(record.header.type != PERF_RECORD_LOST);
		if (record.header.type == PERF_RECORD_SAMPLE)
			sample_parse(&record, attr, &sample);
		else
			trailer_parse(&record, attr, &sample);
		CHECK_EQ(sample.cpu, cpu);
		nr += record.header.type == type;
	}
	return nr;
}

/*
 * A ring has one writer at a time: what a process leaves behind as it ends (READ, which stock 6.1 forgets) goes to the
 * ring of each CPU, and is written there. Were it written where the process ends, the ring could stand still for ever.
 */
static void each_ring_moves_on_while_children_end_elsewhere(long unused)
{
	unsigned long i, nr_rounds = test_count(200, 40);
	struct perf_event_attr attr = fault_attr();
	unsigned int nr_reads[2] = { 0 };
	char *pages = fresh_pages(10);
	struct ring rings[2];
	int fds[2], cpu;

	(void)unused;
	if (cpus_online() < 2)
		test_skip("one CPU");
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_CPU;
	attr.sample_id_all = 1;
	attr.inherit = 1;
	attr.inherit_stat = !test_busted("redirect");
	attr.task = 1;
	for (cpu = 0; cpu < 2; cpu++) {
		fds[cpu] = must_open(&attr, 0, cpu, -1);
		rings[cpu] = ring_map(fds[cpu], 64, PROT_READ | PROT_WRITE);
		event_enable(fds[cpu]);
	}
	for (i = 0; i < nr_rounds; i++) {
		children_that_end_elsewhere(pages);
		for (cpu = 0; cpu < 2; cpu++)
			nr_reads[cpu] += take_all_of_cpu(&rings[cpu], &attr, cpu, PERF_RECORD_READ);
	}
	for (cpu = 0; cpu < 2; cpu++) {
		CHECK_EQ(nr_reads[cpu], is_pcl() ? 2 * nr_rounds : 0);
		pin_to_cpu(cpu);
		touch_pages(pages, 8 + cpu, 1);
		CHECK(take_all_of_cpu(&rings[cpu], &attr, cpu, PERF_RECORD_SAMPLE) >= 1);
	}
}

/* A ring of this task alone: what its child does at the same time elsewhere is not written, but told as lost. */
static void children_do_not_write_their_parents_ring(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(9);
	unsigned int nr = 0;
	uint64_t lost = 0;
	struct ring ring;
	int to, from;
	pid_t pid;

	(void)unused;
	if (!is_pcl())
		test_skip("stock lets two CPUs write one ring here");
	attr.sample_type |= PERF_SAMPLE_TID;
	to = must_open_self(&attr);
	ring = ring_map(to, 8, PROT_READ | PROT_WRITE);
	attr.inherit = 1;
	from = must_open_self(&attr);
	if (!test_busted("redirect"))
		must_ioctl(from, PERF_EVENT_IOC_SET_OUTPUT, to);
	event_enable(from);
	pid = fork();
	if (!pid) {
		touch_pages(pages, 0, 8);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	touch_pages(pages, 8, 1);
	event_disable(from);
	while (ring_take(&ring, &record)) {
		if (record.header.type == PERF_RECORD_LOST) {
			lost += record.body[1];
			continue;
		}
		CHECK_EQ(record.header.type, PERF_RECORD_SAMPLE);
		CHECK_EQ(half_of(record.body[0], 0), getpid());
		nr++;
	}
	CHECK(nr);
	CHECK(lost >= 8);
}

/* ---- waking ---- */

static int poll_now(int fd)
{
	struct pollfd entry = { .fd = fd, .events = POLLIN };

	CHECK(poll(&entry, 1, 0) >= 0);
	return entry.revents;
}

/* Waits for a wakeup that is under way; it comes through an interrupt. */
static int poll_soon(int fd)
{
	struct pollfd entry = { .fd = fd, .events = POLLIN };

	CHECK(poll(&entry, 1, 20000) >= 0);
	return entry.revents;
}

static void poll_wakes_after_so_many_events(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(20);
	struct ring ring;
	int fd;

	(void)unused;
	attr.wakeup_events = test_busted("wakeup") ? 3 : 4;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	event_enable(fd);
	CHECK_EQ(poll_now(fd), 0);
	touch_pages(pages, 0, 3);
	CHECK_EQ(poll_now(fd), 0);
	touch_pages(pages, 3, 1);
	CHECK_EQ(poll_soon(fd), POLLIN);
	CHECK_EQ(poll_now(fd), 0);
	check_samples(&ring, pages, 0, 4);
}

static void poll_wakes_after_so_many_bytes(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(100);
	struct ring ring;
	int fd;

	(void)unused;
	attr.watermark = 1;
	attr.wakeup_watermark = 10 * SAMPLE_BYTES;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	event_enable(fd);
	touch_pages(pages, 0, 9);
	CHECK_EQ(poll_now(fd), 0);
	touch_pages(pages, 9, 2);
	CHECK_EQ(poll_soon(fd), POLLIN);
	check_samples(&ring, pages, 0, 11);
}

/* The signal comes through an interrupt; bounded by the test's own alarm. */
static void await_signals(int nr)
{
	while (nr_signals < nr)
		getppid();
}

static void a_signal_comes_with_the_descriptor(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(4);
	int fd = must_open_self(&attr);

	(void)unused;
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	want_signals(fd, SIGRTMIN + 1);
	event_enable(fd);
	touch_pages(pages, 0, 1);
	await_signals(1);
	CHECK_EQ(last_signal.si_fd, fd);
	touch_pages(pages, 1, 1);
	await_signals(2);
}

static void refresh_disables_after_so_many(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(20);
	int fd = must_open_self(&attr);
	struct ring ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);

	(void)unused;
	want_signals(fd, SIGRTMIN + 1);
	must_ioctl(fd, PERF_EVENT_IOC_REFRESH, test_busted("refresh") ? 4 : 3);
	touch_pages(pages, 0, 2);
	await_signals(2);
	/* The third disables the event through an interrupt, which the signal tells of. */
	touch_pages(pages, 2, 1);
	await_signals(3);
	touch_pages(pages, 3, 5);
	CHECK_EQ(event_read(fd), 3);
	check_samples(&ring, pages, 0, 3);
	must_ioctl(fd, PERF_EVENT_IOC_REFRESH, 2);
	touch_pages(pages, 10, 1);
	await_signals(4);
	touch_pages(pages, 11, 1);
	await_signals(5);
	touch_pages(pages, 12, 5);
	CHECK_EQ(event_read(fd), 5);
}

static void poll_tells_that_the_target_is_gone(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int ends[2], fd;
	char byte;
	pid_t pid;

	(void)unused;
	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) != 0);
	}
	fd = must_open(&attr, pid, -1, -1);
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	CHECK_EQ(poll_now(fd) & POLLHUP, 0);
	close(ends[1]);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK_EQ(poll_soon(fd) & POLLHUP, POLLHUP);
}

static void a_ring_can_be_mapped_twice(long unused)
{
	struct perf_event_attr attr = fault_attr();
	char *pages = fresh_pages(4);
	int fd = must_open_self(&attr);
	struct ring one = ring_map(fd, 1, PROT_READ | PROT_WRITE), two = ring_map(fd, 1, PROT_READ | PROT_WRITE);

	(void)unused;
	event_enable(fd);
	touch_pages(pages, 0, 2);
	ring_unmap(&one);
	touch_pages(pages, 2, 2);
	check_samples(&two, pages, 0, 4);
	event_disable(fd);
	ring_unmap(&two);
	two = ring_map(fd, 2, PROT_READ | PROT_WRITE);
	CHECK(!ring_take(&two, &record));
}

/* All of a mapping, or nothing: a part cannot go, or be protected otherwise. */
static void a_mapping_is_not_split(long unused)
{
	struct perf_event_attr attr = dummy_attr();
	struct ring ring;
	char *at;
	int fd;

	(void)unused;
	ring = ring_open(&attr, &fd);
	at = (char *)ring.page;
	CHECK_ERRNO(munmap(at, test_busted("split") ? PAGE + ring.size : PAGE), EINVAL);
	CHECK_ERRNO(munmap(at + ring.size, PAGE), EINVAL);
	CHECK_ERRNO(mprotect(at + ring.size, PAGE, PROT_READ), EINVAL);
	CHECK(ring.page->data_size == ring.size);
	CHECK(!munmap(at, PAGE + ring.size));
}

static const struct test tests[] = {
	TEST_WITH(only_the_control_page_is_written, "(at once)", false),
	TEST_WITH(only_the_control_page_is_written, "(after a read)", true),
	TEST(records_are_taken_in_order),
	TEST(records_wrap_around),
	TEST(a_read_only_ring_overwrites),
	TEST(a_backward_ring_begins_with_the_newest),
	TEST(a_paused_ring_loses_records),
	TEST_WITH(output_goes_to_another_ring, "(ioctl)", 0),
	TEST_WITH(output_goes_to_another_ring, "(flag)", 1),
	TEST(each_ring_moves_on_while_children_end_elsewhere),
	TEST(children_do_not_write_their_parents_ring),
	TEST(poll_wakes_after_so_many_events),
	TEST(poll_wakes_after_so_many_bytes),
	TEST(a_signal_comes_with_the_descriptor),
	TEST(refresh_disables_after_so_many),
	TEST(poll_tells_that_the_target_is_gone),
	TEST(a_ring_can_be_mapped_twice),
	TEST(a_mapping_is_not_split),
};

int main(void)
{
	return TESTS_RUN(tests);
}
