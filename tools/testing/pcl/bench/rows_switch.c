// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of switching: a byte goes to a child and comes back.
 *
 * Concepts: above the same round trip before any event existed.
 * Contexts: root, one CPU.
 */
#include <unistd.h>
#include <sys/wait.h>

#include "events.h"

/* The scheduler's hooks stay a second after the last event that needed them; those of the row before shall be gone. */
#define HOOKS_GONE_US	1500000

static int there[2], back[2];
static pid_t partner;

static void answer(void)
{
	char byte;
	int i;

	for (i = 0; i < nr_events; i++)
		close(events[i]);
	close(there[1]);
	close(back[0]);
	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static void prepare_switch(long argument)
{
	if (argument & CPU_WIDE)
		usleep(HOOKS_GONE_US);
	CHECK(!pipe(there) && !pipe(back));
	/* Inherited events are on both sides. */
	if (argument & INHERITED)
		open_events(argument);
	partner = fork();
	CHECK(partner >= 0);
	if (!partner)
		answer();
	close(there[0]);
	close(back[1]);
	if (!(argument & INHERITED))
		open_events(argument);
}

static void round_trips(unsigned long nr)
{
	char byte = 0;

	while (nr--)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			FAIL("the partner is gone");
}

static void finish_switch(void)
{
	close(there[1]);
	close(back[0]);
	CHECK(waitpid(partner, NULL, 0) == partner);
	close_events();
}

static const struct work switching = { .prepare = prepare_switch, .run = round_trips, .finish = finish_switch };

/* Events that were, and are closed when the switches come. */
static void prepare_closed(long argument)
{
	if (argument) {
		open_events(argument);
		close_events();
	}
	prepare_switch(0);
}

static const struct work switching_closed = { .prepare = prepare_closed, .run = round_trips, .finish = finish_switch };

#define ROW(what, work_, argument_, per_, ...)							\
	{ .name = what, .work = &work_, .floor = &work_, .argument = argument_, .nr = 100, .per = per_, __VA_ARGS__ }
#define SWITCH(what, argument, ...)	ROW(what, switching, argument, 2, __VA_ARGS__)
#define ROUND_TRIP(what, argument, ...)	ROW(what, switching, argument, 1, __VA_ARGS__)

static const struct row table[] = {
	SWITCH("unused/switch", 0, .unused = true, .brief = true),
	ROW("software/switch-all-closed", switching_closed, 1, 2),
	SWITCH("software/switch-one-side-1", 1, .brief = true),
	SWITCH("software/switch-one-side-4", 4),
	SWITCH("software/switch-one-side-16", 16, .brief = true),
	SWITCH("software/switch-one-side-64", 64),
	SWITCH("software/switch-one-side-256", 256),
	SWITCH("software/switch-inherited-1", INHERITED | 1, .brief = true),
	SWITCH("software/switch-inherited-4", INHERITED | 4),
	SWITCH("software/switch-inherited-16", INHERITED | 16, .brief = true),
	SWITCH("software/switch-inherited-64", INHERITED | 64),
	SWITCH("software/switch-elsewhere-1", ELSEWHERE | 1, .absent = !HAS_OTHER_CPU),
	SWITCH("software/switch-elsewhere-16", ELSEWHERE | 16, .absent = !HAS_OTHER_CPU),
	SWITCH("software/switch-elsewhere-64", ELSEWHERE | 64, .absent = !HAS_OTHER_CPU),
	SWITCH("software/switch-cpu-wide-64", CPU_WIDE | 64, .absent = !WAITS_LONG),
	SWITCH("software/switch-recorded", SIDEBAND),
	SWITCH("software/switch-recorded-cpu-wide-64", SIDEBAND | CPU_WIDE | 64, .absent = !WAITS_LONG),
	ROUND_TRIP("hardware/round-trip-one-side-1", HARDWARE | 1, .brief = true),
	ROUND_TRIP("hardware/round-trip-one-side-" NAMED(FULL), HARDWARE | FULL),
	ROUND_TRIP("hardware/round-trip-one-side-" NAMED(OVERFULL), HARDWARE | OVERFULL),
	ROUND_TRIP("hardware/round-trip-one-side-fixed", HARDWARE | FIXED | 1, .absent = !HAS_FIXED),
	ROUND_TRIP("hardware/round-trip-one-side-sampling", HARDWARE | SAMPLED | 1),
	ROUND_TRIP("hardware/round-trip-inherited-1", HARDWARE | INHERITED | 1, .brief = true),
	ROUND_TRIP("hardware/round-trip-inherited-" NAMED(FULL), HARDWARE | INHERITED | FULL),
};

const struct rows rows_switch = ROWS(table);
