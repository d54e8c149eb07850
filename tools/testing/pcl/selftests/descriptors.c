// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: an event's descriptor in other hands: copies of it, other processes, other ways to wait, and other pid
 *	name spaces.
 *
 * Concepts: page faults are made one by one, so each count is known. What is waited for is sure to come.
 * Contexts: root.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "lib/event.h"

#define NR	20

static struct record record;

/* A byte from one process to another, for the order of things. */
static void say(int fd)
{
	CHECK_EQ(write(fd, "", 1), 1);
}

static void hear(int fd)
{
	char byte;

	CHECK_EQ(read(fd, &byte, 1), 1);
}

static void send_descriptor(int through, int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(fd))] = {};
	struct iovec part = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	CHECK_EQ(sendmsg(through, &message, 0), 1);
}

static int receive_descriptor(int through)
{
	char byte, control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec part = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head;
	int fd;

	CHECK_EQ(recvmsg(through, &message, 0), 1);
	head = CMSG_FIRSTHDR(&message);
	CHECK(head && head->cmsg_type == SCM_RIGHTS);
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

/* Each page fault a sample. */
static struct perf_event_attr fault_attr(void)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);

	attr.sample_period = 1;
	attr.wakeup_events = 1;
	attr.sample_type = PERF_SAMPLE_TID;
	return attr;
}

static void a_copy_is_the_same_event(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int fd = must_open_self(&attr), copy = dup(fd);

	(void)unused;
	CHECK(copy >= 0);
	CHECK_EQ(event_id(copy), event_id(fd));
	touch_fresh_pages(1);
	event_enable(copy);
	event_reset(copy);
	touch_fresh_pages(NR);
	event_disable(fd);
	CHECK_EQ(event_read(fd), NR);
	CHECK_EQ(event_read(copy), NR);
	/* The event lives as long as one of them. */
	close(test_busted("copy") ? copy : fd);
	event_enable(copy);
	touch_fresh_pages(NR);
	event_disable(copy);
	CHECK_EQ(event_read(copy), 2 * NR);
}

static void a_group_is_joined_by_a_copy(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int fd = must_open_self(&attr), copy = dup(fd), member;

	(void)unused;
	attr.disabled = 0;
	member = must_open(&attr, 0, -1, copy);
	close(copy);
	touch_fresh_pages(1);
	event_enable(fd);
	must_ioctl(fd, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
	touch_fresh_pages(NR);
	event_disable(fd);
	CHECK_EQ(event_read(fd), NR);
	CHECK_EQ(event_read(member), NR);
}

/* A child counts itself, and hands its event to the parent, who goes on with it when the child is no more. */
static void a_descriptor_that_was_sent_outlives_its_opener(long unused)
{
	struct perf_event_attr attr = event_attr(PAGE_FAULTS);
	int ends[2], fd, status;
	pid_t pid;

	(void)unused;
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		fd = must_open_self(&attr);
		touch_fresh_pages(1);
		send_descriptor(ends[1], fd);
		close(fd);
		hear(ends[1]);
		touch_fresh_pages(NR);
		say(ends[1]);
		hear(ends[1]);
		_exit(0);
	}
	fd = receive_descriptor(ends[0]);
	event_enable(fd);
	event_reset(fd);
	say(ends[0]);
	hear(ends[0]);
	event_disable(fd);
	/* What the child's own words cost it is a fault at most. */
	CHECK_RANGE(event_read(fd), test_busted("sent") ? 2 * NR : NR, NR + 3);
	say(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	CHECK_RANGE(event_read(fd), NR, NR + 3);
	event_enable(fd);
	touch_fresh_pages(NR);
	CHECK_RANGE(event_read(fd), NR, NR + 3);
}

static int poll_for(int fd, int timeout)
{
	struct pollfd what = { .fd = fd, .events = POLLIN };

	return poll(&what, 1, timeout) ? what.revents : 0;
}

static void without_a_ring_there_is_nothing_to_wait_for(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr);

	(void)unused;
	CHECK_EQ(poll_for(fd, 0), POLLHUP);
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	CHECK_EQ(poll_for(fd, 0), 0);
}

/* A set that holds the event, and a set that holds that set. */
static void epoll_waits_for_a_record(long nested)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr), set = epoll_create1(0), outer = epoll_create1(0);
	struct epoll_event wanted = { .events = EPOLLIN, .data.fd = fd }, got;

	CHECK(set >= 0 && outer >= 0);
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	CHECK(!epoll_ctl(set, EPOLL_CTL_ADD, fd, &wanted));
	if (nested) {
		wanted.data.fd = set;
		CHECK(!epoll_ctl(outer, EPOLL_CTL_ADD, set, &wanted));
	}
	CHECK_EQ(epoll_wait(nested ? outer : set, &got, 1, 0), 0);
	event_enable(fd);
	if (!test_busted("epoll"))
		touch_fresh_pages(1);
	CHECK_EQ(epoll_wait(nested ? outer : set, &got, 1, 20000), 1);
	CHECK_EQ(got.data.fd, nested ? set : fd);
	CHECK_EQ(got.events, EPOLLIN);
}

static void select_waits_for_a_record(long unused)
{
	struct perf_event_attr attr = fault_attr();
	int fd = must_open_self(&attr);
	struct timeval none = {}, long_enough = { .tv_sec = 20 };
	fd_set set;

	(void)unused;
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	CHECK_EQ(select(fd + 1, &set, NULL, NULL, &none), 0);
	event_enable(fd);
	if (!test_busted("select"))
		touch_fresh_pages(1);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	CHECK_EQ(select(fd + 1, &set, NULL, NULL, &long_enough), 1);
	CHECK(FD_ISSET(fd, &set));
}

/* A reader that sleeps is woken by a copy's records, too, and by the end of the task that is observed. */
static void the_end_of_a_task_wakes_who_waits(long unused)
{
	struct perf_event_attr attr = fault_attr();
	struct epoll_event wanted = { .events = EPOLLIN }, got;
	int ends[2], fd, set = epoll_create1(0);
	pid_t pid;

	(void)unused;
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		hear(ends[1]);
		_exit(0);
	}
	fd = must_open(&attr, pid, -1, -1);
	ring_map(fd, 1, PROT_READ | PROT_WRITE);
	CHECK(!epoll_ctl(set, EPOLL_CTL_ADD, fd, &wanted));
	CHECK_EQ(epoll_wait(set, &got, 1, 0), 0);
	say(ends[0]);
	CHECK_EQ(epoll_wait(set, &got, 1, 20000), 1);
	CHECK_EQ(got.events, EPOLLHUP);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

/* The first sample of @fd's ring. */
static void first_sample(struct ring *ring, const struct perf_event_attr *attr, struct sample *sample)
{
	CHECK(ring_find(ring, PERF_RECORD_SAMPLE, &record));
	sample_parse(&record, attr, sample);
}

/* Who opens an event sees the numbers of his own name space: the first task of a new one is 1 to itself. */
static void a_sample_has_the_numbers_of_its_opener(long unused)
{
	struct perf_event_attr attr = fault_attr();
	struct sample sample;
	struct ring ring;
	int ends[2], status, fd;
	pid_t pid;

	(void)unused;
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	CHECK(!unshare(CLONE_NEWPID));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		CHECK_EQ(getpid(), 1);
		fd = must_open_self(&attr);
		ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
		hear(ends[1]);
		event_enable(fd);
		touch_fresh_pages(1);
		event_disable(fd);
		first_sample(&ring, &attr, &sample);
		CHECK_EQ(sample.pid, test_busted("namespace") ? getppid() + 2 : 1);
		CHECK_EQ(sample.tid, 1);
		_exit(0);
	}
	fd = must_open(&attr, pid, -1, -1);
	ring = ring_map(fd, 1, PROT_READ | PROT_WRITE);
	event_enable(fd);
	say(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
	first_sample(&ring, &attr, &sample);
	CHECK_EQ(sample.pid, pid);
	CHECK_EQ(sample.tid, pid);
}

/* A task outside the opener's name space has no number in it. */
static void a_task_outside_has_no_number(long unused)
{
	struct perf_event_attr attr = fault_attr();
	struct sample sample;
	struct ring ring;
	int ends[2], status, fd;
	pid_t pid;

	(void)unused;
	pin_to_cpu(0);
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	CHECK(!unshare(CLONE_NEWPID));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		fd = must_open(&attr, -1, 0, -1);
		ring = ring_map(fd, 4, PROT_READ | PROT_WRITE);
		event_enable(fd);
		say(ends[1]);
		hear(ends[1]);
		event_disable(fd);
		while (ring_take(&ring, &record)) {
			if (record.header.type != PERF_RECORD_SAMPLE)
				continue;
			sample_parse(&record, &attr, &sample);
			if (sample.pid == 0 && sample.tid == 0)
				_exit(0);
			CHECK_EQ(sample.pid, 1);
		}
		_exit(1);
	}
	hear(ends[0]);
	touch_fresh_pages(1);
	say(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_EQ(status, 0);
}

/* ---- the page's clock ---- */

/* As the header says it: cycles * mult >> shift, without overflow. */
static uint64_t in_ns(const volatile struct perf_event_mmap_page *page, uint64_t cycles)
{
	uint64_t quotient = cycles >> page->time_shift;
	uint64_t rest = cycles & ((1ULL << page->time_shift) - 1);

	return quotient * page->time_mult + ((rest * page->time_mult) >> page->time_shift);
}

static uint64_t page_time(const volatile struct perf_event_mmap_page *page, uint64_t cycles)
{
	return page->time_zero + in_ns(page, cycles);
}

/* A sample's time lies between two looks at the cycle counter, if the page says how to turn them into times. */
static void the_pages_clock_is_that_of_samples(long unused)
{
	struct perf_event_attr attr = fault_attr();
	uint64_t before, after, last = 0;
	struct sample sample;
	struct ring ring;
	int fd, i;

	(void)unused;
	pin_to_cpu(0);
	attr.sample_type |= PERF_SAMPLE_TIME;
	fd = must_open_self(&attr);
	ring = ring_map(fd, 4, PROT_READ | PROT_WRITE);
	if (!ring.page->cap_user_time_zero)
		test_skip("this machine's cycle counter is no clock");
	event_enable(fd);
	for (i = 0; i < NR; i++) {
		before = cycles_now();
		touch_fresh_pages(1);
		after = cycles_now();
		first_sample(&ring, &attr, &sample);
		/* Conversions round: a microsecond for that. */
		CHECK(sample.time + 1000 >= page_time(ring.page, before));
		CHECK(sample.time <= page_time(ring.page, after) + 1000);
		CHECK(sample.time >= last);
		last = sample.time;
		ring_count(&ring, PERF_RECORD_SAMPLE);
	}
}

/* time_enabled, made up to now as the header says it. */
static uint64_t enabled_by_page(const volatile struct perf_event_mmap_page *page)
{
	uint64_t enabled;
	uint32_t lock;

	do {
		lock = page->lock;
		__asm__ volatile("" ::: "memory");
		enabled = page->time_enabled + page->time_offset + in_ns(page, cycles_now());
		__asm__ volatile("" ::: "memory");
	} while (page->lock != lock);
	return enabled;
}

/* What the page says of an event's times lies between two reads of it. */
static void the_page_tells_the_time_enabled(long unused)
{
	struct perf_event_attr attr = event_attr(TASK_CLOCK);
	volatile struct perf_event_mmap_page *page;
	uint64_t before[2], after[2], enabled;
	int fd, i;

	(void)unused;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	fd = must_open_self(&attr);
	page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	CHECK(page != MAP_FAILED);
	if (!page->cap_user_time)
		test_skip("this machine's cycle counter is no clock");
	event_enable(fd);
	for (i = 0; i < NR; i++) {
		CHECK_EQ(event_read_words(fd, before, 2), 2);
		enabled = enabled_by_page(page);
		CHECK_EQ(event_read_words(fd, after, 2), 2);
		if (test_busted("page"))
			enabled = after[1] + 2000;
		CHECK_RANGE(enabled, before[1] - 1000, after[1] + 1000);
	}
}

static const struct test tests[] = {
	TEST(a_copy_is_the_same_event),
	TEST(a_group_is_joined_by_a_copy),
	TEST(a_descriptor_that_was_sent_outlives_its_opener),
	TEST(without_a_ring_there_is_nothing_to_wait_for),
	TEST_WITH(epoll_waits_for_a_record, "(a set)", false),
	TEST_WITH(epoll_waits_for_a_record, "(a set in a set)", true),
	TEST(select_waits_for_a_record),
	TEST(the_end_of_a_task_wakes_who_waits),
	TEST(a_sample_has_the_numbers_of_its_opener),
	TEST(a_task_outside_has_no_number),
	TEST(the_pages_clock_is_that_of_samples),
	TEST(the_page_tells_the_time_enabled),
};

int main(void)
{
	return TESTS_RUN(tests);
}
