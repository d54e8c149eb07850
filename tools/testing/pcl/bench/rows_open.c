// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of opening and closing.
 *
 * Concepts: above the same number of eventfds, which are files as cheap as files are.
 * Contexts: root, one CPU.
 */
#include <unistd.h>
#include <sys/eventfd.h>

#include "events.h"

/* ---- one or a group, with others active or none: the argument is of those opened ---- */

static struct perf_event_attr opened;
static int opened_nr;

static void prepare_open(long argument)
{
	opened = attr_of(argument & ~(long)NUMBER, 3);
	opened_nr = group_of(argument);
	/* Others are alone. */
	if (!(argument & GROUP))
		open_events(argument);
}

static void open_and_close(unsigned long nr)
{
	int fds[SOFTWARE_GROUP], i;

	while (nr--) {
		for (i = 0; i < opened_nr; i++)
			fds[i] = must_open(&opened, 0, -1, i ? fds[0] : -1);
		for (i = opened_nr - 1; i >= 0; i--)
			close(fds[i]);
	}
}

static const struct work opening = { .prepare = prepare_open, .run = open_and_close, .finish = close_events };

/* ---- many at once, on this task or, for they do not run, on one that sleeps ---- */

static long each;
static pid_t sleeper;

static void prepare_many(long argument)
{
	each = argument;
	if (argument & ELSEWHERE)
		sleeper = sleeper_start();
}

static void open_and_close_many(unsigned long nr)
{
	struct perf_event_attr attr = attr_of(each & ~ELSEWHERE, 0);
	unsigned long i;

	for (i = 0; i < nr; i++)
		events[i] = must_open(&attr, sleeper, -1, -1);
	nr_events = nr;
	close_events();
}

static void finish_many(void)
{
	if (sleeper)
		sleeper_stop(sleeper);
	sleeper = 0;
}

static void many_eventfds(unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++)
		CHECK((events[i] = eventfd(0, EFD_CLOEXEC)) >= 0);
	nr_events = nr;
	close_events();
}

static const struct work opening_many = {
	.prepare = prepare_many, .run = open_and_close_many, .finish = finish_many,
};
static const struct work eventfds_many = { .run = many_eventfds };

/* ---- a group whose leader goes first ---- */

static void prepare_group(long argument)
{
	each = argument;
}

static void open_group(void)
{
	close_events();
	open_events(each);
}

static void open_eventfds(void)
{
	close_events();
	CHECK((events[0] = eventfd(0, EFD_CLOEXEC)) >= 0);
	nr_events = 1;
}

static void close_leader(unsigned long nr)
{
	(void)nr;
	close(events[0]);
	events[0] = -1;
}

static const struct work leader_closing = {
	.prepare = prepare_group, .ready = open_group, .run = close_leader, .finish = close_events,
};
static const struct work eventfd_closing = { .ready = open_eventfds, .run = close_leader, .finish = close_events };

#define OPEN(what, argument_, nr_, ...)								\
	{ .name = what, .work = &opening, .floor = &eventfd_pairs, .argument = argument_, .nr = nr_, .per = 1, __VA_ARGS__ }
#define MANY(what, argument_, nr_, loops_)							\
	{ .name = what, .work = &opening_many, .floor = &eventfds_many, .argument = argument_, .nr = nr_, .per = 1,	\
	  .loops = loops_ }
#define LEADER(what, argument_)									\
	{ .name = what, .work = &leader_closing, .floor = &eventfd_closing, .argument = argument_, .nr = 1, .per = 1 }

static const struct row table[] = {
	OPEN("software/open+close", 0, 50, .brief = true),
	OPEN("software/open+close-inherit", INHERITED, 50),
	OPEN("software/open+close-group-4", GROUP, 20),
	OPEN("hardware/open+close", HARDWARE, 50, .brief = true),
	OPEN("hardware/open+close-" NAMED(NEARLY_FULL) "-active", HARDWARE | NEARLY_FULL, 50),
	OPEN("hardware/open+close-group-" NAMED(FULL), HARDWARE | GROUP, 20),
	OPEN("hardware/open+close-sampling", HARDWARE | SAMPLED, 50),
	MANY("software/open+close-each-of-1000", 0, 1000, 1),
	MANY("software/open+close-each-of-10000", ELSEWHERE, 10000, 1),
	LEADER("software/close-leader-16", GROUP | 16),
	LEADER("software/close-leader-64", GROUP | 64),
	LEADER("software/close-leader-256", GROUP | 256),
};

const struct rows rows_open = ROWS(table);
