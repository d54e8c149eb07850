// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of reading and control.
 *
 * Concepts: a read is above one of /dev/zero of the same size, an ioctl above one that is refused with ENOTTY, a poll
 *	above one of an eventfd.
 * Contexts: root, one CPU.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "events.h"

#define MAX_CHILDREN	1000

/* ---- the floors: a file that is no event, or that is none to ioctl() ---- */

static size_t read_size;

/* What read() of such events gives: a count, or number, two times, and count and id each. */
static void open_zero(long argument)
{
	read_size = 8 * (argument & GROUP ? 3 + 2 * (argument & NUMBER) : 1);
	CHECK((events[0] = open("/dev/zero", O_RDONLY)) >= 0);
	nr_events = 1;
}

static void open_eventfd(long argument)
{
	(void)argument;
	CHECK((events[0] = eventfd(0, 0)) >= 0);
	nr_events = 1;
}

static void read_zeroes(unsigned long nr)
{
	uint64_t words[256];

	while (nr--)
		CHECK(read(events[0], words, read_size) == (ssize_t)read_size);
}

static void refused_twice(unsigned long nr)
{
	for (nr *= 2; nr; nr--)
		ioctl(events[0], PERF_EVENT_IOC_ENABLE, 0);
}

static void refused_once(unsigned long nr)
{
	while (nr--)
		ioctl(events[0], PERF_EVENT_IOC_ENABLE, 0);
}

static const struct work zero_reading = { .prepare = open_zero, .run = read_zeroes, .finish = close_events };
static const struct work two_refusals = { .prepare = open_eventfd, .run = refused_twice, .finish = close_events };
static const struct work one_refusal = { .prepare = open_eventfd, .run = refused_once, .finish = close_events };

/* ---- reading ---- */

static void read_first(unsigned long nr)
{
	uint64_t words[256];

	while (nr--)
		if (read(events[0], words, sizeof(words)) <= 0)
			FAIL("read(): %s", strerror(errno));
}

static pid_t sleeper;

static void prepare_other(long argument)
{
	sleeper = sleeper_start();
	open_events_of(sleeper, argument);
}

static void finish_other(void)
{
	close_events();
	sleeper_stop(sleeper);
}

/* The number is of children: each has the event too, and sleeps. */
static pid_t children[MAX_CHILDREN];
static int nr_children, stay[2];

static void prepare_children(long argument)
{
	char byte;
	int i;

	open_events((argument & ~(long)NUMBER) | 1);
	CHECK(!pipe(stay));
	for (i = 0; i < (argument & NUMBER); i++) {
		children[i] = fork();
		CHECK(children[i] >= 0);
		if (!children[i]) {
			close(stay[1]);
			_exit(read(stay[0], &byte, 1) != 0);
		}
	}
	nr_children = i;
	usleep(1000);
}

static void finish_children(void)
{
	int i;

	close(stay[1]);
	for (i = 0; i < nr_children; i++)
		CHECK(waitpid(children[i], NULL, 0) == children[i]);
	close(stay[0]);
	close_events();
}

static const struct work reading = { .prepare = open_events, .run = read_first, .finish = close_events };
static const struct work reading_other = { .prepare = prepare_other, .run = read_first, .finish = finish_other };
static const struct work reading_children = {
	.prepare = prepare_children, .run = read_first, .finish = finish_children,
};

/* ---- without a system call ---- */

static volatile const struct perf_event_mmap_page *control;

static void prepare_rdpmc(long argument)
{
	open_events(argument);
	control = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, events[0], 0);
	CHECK(control != MAP_FAILED);
}

static void rdpmc_first(unsigned long nr)
{
	uint64_t count;

	while (nr--)
		CHECK(event_rdpmc(control, &count));
}

static void finish_rdpmc(void)
{
	munmap((void *)control, PAGE);
	close_events();
}

static const struct work user_reading = { .prepare = prepare_rdpmc, .run = rdpmc_first, .finish = finish_rdpmc };

/* ---- control ---- */

static void disable_and_enable(unsigned long nr)
{
	while (nr--) {
		event_disable(events[0]);
		event_enable(events[0]);
	}
}

static void disable_and_enable_group(unsigned long nr)
{
	while (nr--) {
		must_ioctl(events[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
		must_ioctl(events[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	}
}

static void reset_first(unsigned long nr)
{
	while (nr--)
		event_reset(events[0]);
}

/* Nothing is ready. */
static void poll_first(unsigned long nr)
{
	struct pollfd polled = { .fd = events[0], .events = POLLIN };

	while (nr--)
		CHECK(poll(&polled, 1, 0) == 0);
}

static const struct work toggling = { .prepare = open_events, .run = disable_and_enable, .finish = close_events };
static const struct work toggling_group = {
	.prepare = open_events, .run = disable_and_enable_group, .finish = close_events,
};
static const struct work resetting = { .prepare = open_events, .run = reset_first, .finish = close_events };
static const struct work polling = { .prepare = open_events, .run = poll_first, .finish = close_events };
static const struct work polling_eventfd = { .prepare = open_eventfd, .run = poll_first, .finish = close_events };

#define READ(what, work_, argument_, nr_, ...)							\
	{ .name = what, .work = &work_, .floor = &zero_reading, .argument = argument_, .nr = nr_, .per = 1, __VA_ARGS__ }
#define CONTROL(what, work_, floor_, argument_, nr_, ...)					\
	{ .name = what, .work = &work_, .floor = &floor_, .argument = argument_, .nr = nr_, .per = 1, __VA_ARGS__ }
#define TOGGLE(what, argument_, nr_, ...) CONTROL(what, toggling, two_refusals, argument_, nr_, __VA_ARGS__)

static const struct row table[] = {
	READ("software/read-1", reading, 1, 200, .brief = true),
	READ("software/read-group-1", reading, GROUP | 1, 200),
	READ("software/read-group-4", reading, GROUP | 4, 200),
	READ("software/read-group-16", reading, GROUP | 16, 100, .brief = true),
	READ("software/read-group-64", reading, GROUP | 64, 50),
	READ("software/read-inherit", reading, INHERITED | 1, 200, .brief = true),
	READ("software/read-children-10", reading_children, INHERITED | 10, 100),
	READ("software/read-children-100", reading_children, INHERITED | 100, 20),
	READ("software/read-children-1000", reading_children, INHERITED | 1000, 2),
	READ("software/read-other-task", reading_other, 1, 200),
	READ("hardware/read-1", reading, HARDWARE | 1, 200, .reads = 1),
	READ("hardware/read-fixed", reading, HARDWARE | FIXED | 1, 200, .reads = 1, .absent = !HAS_FIXED),
	READ("hardware/read-inherit", reading, HARDWARE | INHERITED | 1, 200, .reads = 1),
	READ("hardware/read-group-" NAMED(FULL), reading, HARDWARE | GROUP | FULL, 200, .reads = READS_OF(FULL),
	     .brief = true),
	READ("hardware/read-other-task", reading_other, HARDWARE | 1, 200),
	{ .name = "hardware/rdpmc", .work = &user_reading, .argument = HARDWARE | 1, .nr = 200, .per = 1,
	  .reads = 1, .absent = !ARCH_STOCK_READS },
	TOGGLE("software/disable+enable", 1, 100, .brief = true),
	TOGGLE("software/disable+enable-inherit", INHERITED | 1, 100),
	CONTROL("software/flag-group-disable+enable-4", toggling_group, two_refusals, GROUP | 4, 50),
	CONTROL("software/flag-group-disable+enable-16", toggling_group, two_refusals, GROUP | 16, 50),
	CONTROL("software/poll", polling, polling_eventfd, COUNTED | SAMPLED | 1, 100),
	TOGGLE("hardware/disable+enable-1", HARDWARE | 1, 100),
	TOGGLE("hardware/disable+enable-fixed", HARDWARE | FIXED | 1, 100, .absent = !HAS_FIXED),
	TOGGLE("hardware/disable+enable-group-" NAMED(FULL), HARDWARE | GROUP | FULL, 50, .brief = true),
	CONTROL("hardware/flag-group-disable+enable-" NAMED(FULL), toggling_group, two_refusals,
		HARDWARE | GROUP | FULL, 50),
	CONTROL("hardware/reset", resetting, one_refusal, HARDWARE | 1, 200, .brief = true),
};

const struct rows rows_read = ROWS(table);
