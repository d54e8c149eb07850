// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: rows of memory: bytes for one event, one context, one ring.
 *
 * Concepts: an event is above an eventfd; a ring is the pages asked for and what the kernel adds.
 * Contexts: root, one CPU.
 */
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "events.h"

#define CONTEXTS	512
#define RINGS		64
#define RING_PAGES	8

static long each;
static pid_t tasks[CONTEXTS];
static int stay[2];

/* ---- events of a task that sleeps ---- */

static pid_t sleeper;

static void prepare_sleeper(long argument)
{
	each = argument;
	sleeper = sleeper_start();
}

static void take_events(unsigned long nr)
{
	struct perf_event_attr attr = attr_of(each, 0);
	unsigned long i;

	for (i = 0; i < nr; i++)
		events[i] = must_open(&attr, sleeper, -1, -1);
	nr_events = nr;
}

static void take_eventfds(unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++)
		CHECK((events[i] = eventfd(0, EFD_CLOEXEC)) >= 0);
	nr_events = nr;
}

/* Grace periods, after which memory is free. */
static void give_back(void)
{
	close_events();
	sleeper_stop(sleeper);
	usleep(100000);
}

static const struct work event_memory = { .prepare = prepare_sleeper, .run = take_events, .finish = give_back };
static const struct work eventfd_memory = { .prepare = prepare_sleeper, .run = take_eventfds, .finish = give_back };

/* ---- contexts: one event on each of many tasks, above an event on one ---- */

static void prepare_tasks(long argument)
{
	unsigned int i;
	char byte;

	each = argument;
	CHECK(!pipe(stay));
	for (i = 0; i < CONTEXTS; i++) {
		tasks[i] = fork();
		CHECK(tasks[i] >= 0);
		if (!tasks[i]) {
			close(stay[1]);
			_exit(read(stay[0], &byte, 1) != 0);
		}
	}
	usleep(1000);
}

static void take_contexts(unsigned long nr)
{
	struct perf_event_attr attr = attr_of(each, 0);
	unsigned long i;

	for (i = 0; i < nr; i++)
		events[i] = must_open(&attr, tasks[i], -1, -1);
	nr_events = nr;
}

static void end_tasks(void)
{
	unsigned int i;

	close_events();
	close(stay[1]);
	for (i = 0; i < CONTEXTS; i++)
		CHECK(waitpid(tasks[i], NULL, 0) == tasks[i]);
	close(stay[0]);
	usleep(100000);
}

static const struct work context_memory = { .prepare = prepare_tasks, .run = take_contexts, .finish = end_tasks };
static const struct work contextless_memory = { .prepare = prepare_tasks, .run = take_eventfds, .finish = end_tasks };

/* ---- rings: eight pages of data ---- */

static struct ring rings[RINGS];

static void prepare_rings(long argument)
{
	open_events(argument);
}

static void take_rings(unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++)
		rings[i] = ring_map(events[i], RING_PAGES, PROT_READ | PROT_WRITE);
}

static void end_rings(void)
{
	unsigned int i;

	for (i = 0; i < RINGS; i++)
		ring_unmap(&rings[i]);
	close_events();
	usleep(100000);
}

static const struct work ring_memory = { .prepare = prepare_rings, .run = take_rings, .finish = end_rings };

#define BYTES(what, work_, floor_, argument_, nr_)						\
	{ .name = what, .work = &work_, .floor = floor_, .argument = argument_, .nr = nr_, .per = 1, .bytes = true }

static const struct row table[] = {
	BYTES("memory/event-software", event_memory, &eventfd_memory, 0, 10000),
	BYTES("memory/event-hardware", event_memory, &eventfd_memory, HARDWARE, 10000),
	BYTES("memory/event-sampling", event_memory, &eventfd_memory, HARDWARE | SAMPLED, 10000),
	BYTES("memory/event+context-software", context_memory, &contextless_memory, 0, CONTEXTS),
	BYTES("memory/event+context-hardware", context_memory, &contextless_memory, HARDWARE, CONTEXTS),
	BYTES("memory/ring-8-pages", ring_memory, NULL, RINGS, RINGS),
};

const struct rows rows_memory = ROWS(table);
