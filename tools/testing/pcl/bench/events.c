// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: the events of a row, and tasks that have some.
 *
 * Contexts: root, one CPU.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "events.h"

int events[MAX_EVENTS], nr_events;
struct ring ring;

static int sideband = -1;
static struct ring sideband_ring;

static const uint64_t raw_events[OVERFULL] = RAW_EVENTS, never_events[FULL] = NEVER_EVENTS;

static struct perf_event_attr kind_of(long argument, int which)
{
	if (argument & FREQUENCY)
		return event_attr(PERF_TYPE_RAW, never_events[which % FULL]);
	if (argument & FIXED)
		return event_attr(INSTRUCTIONS);
	if (argument & HARDWARE)
		return event_attr(PERF_TYPE_RAW, raw_events[which % OVERFULL]);
	if (argument & (COUNTED | SAMPLED))
		return event_attr(PAGE_FAULTS);
	return event_attr(TASK_CLOCK);
}

struct perf_event_attr attr_of(long argument, int which)
{
	struct perf_event_attr attr = kind_of(argument, which);

	attr.disabled = attr.enable_on_exec = !!(argument & ON_EXEC);
	attr.inherit = !!(argument & INHERITED);
	attr.exclude_kernel = !(argument & KERNEL);
	if (argument & GROUP)
		attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (argument & (SAMPLED | FREQUENCY))
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	if (argument & SAMPLED)
		attr.sample_period = argument & HARDWARE ? LOOP_COUNT : 1;
	if (argument & FIXED && argument & SAMPLED)
		attr.sample_period = 20000;
	if (argument & FREQUENCY) {
		attr.freq = 1;
		attr.sample_freq = 1000;
	}
	if (argument & CALLCHAIN)
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (argument & WAKEUP)
		attr.wakeup_events = 1;
	return attr;
}

int group_of(long argument)
{
	if (!(argument & GROUP))
		return 1;
	return argument & HARDWARE ? FULL : SOFTWARE_GROUP;
}

static void on_sigio(int signal_number)
{
	(void)signal_number;
}

static void ask_for_sigio(int fd)
{
	CHECK(signal(SIGIO, on_sigio) != SIG_ERR);
	CHECK(!fcntl(fd, F_SETOWN, getpid()) && !fcntl(fd, F_SETFL, O_ASYNC));
}

static void open_sideband(void)
{
	struct perf_event_attr attr = event_attr(DUMMY);

	attr.disabled = 0;
	attr.context_switch = attr.mmap = attr.comm = attr.task = 1;
	attr.sample_id_all = 1;
	attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	sideband = must_open(&attr, 0, -1, -1);
	sideband_ring = ring_map(sideband, 64, PROT_READ);
}

void open_more_events(pid_t pid, long argument, int from)
{
	int i, nr = argument & NUMBER, cpu = argument & ELSEWHERE ? 1 : argument & CPU_WIDE ? 0 : -1;

	for (i = 0; i < nr; i++) {
		struct perf_event_attr attr = attr_of(argument, i);

		events[from + i] = must_open(&attr, argument & CPU_WIDE ? -1 : pid, cpu,
					     argument & GROUP && i ? events[from] : -1);
	}
	nr_events = from + nr;
}

void open_events_of(pid_t pid, long argument)
{
	int nr = argument & NUMBER;

	open_more_events(pid, argument, 0);
	/* Read only, so that the ring is never full. */
	if (nr && argument & SAMPLED)
		ring = ring_map(events[0], 64, argument & CONSUMED ? PROT_READ | PROT_WRITE : PROT_READ);
	if (nr && argument & SIGNALLED)
		ask_for_sigio(events[0]);
	if (argument & SIDEBAND)
		open_sideband();
}

void open_events(long argument)
{
	open_events_of(0, argument);
}

void close_events(void)
{
	int i;

	if (ring.page)
		ring_unmap(&ring);
	ring.page = NULL;
	for (i = nr_events - 1; i >= 0; i--)
		close(events[i]);
	nr_events = 0;
	if (sideband >= 0) {
		ring_unmap(&sideband_ring);
		close(sideband);
		sideband = -1;
	}
}

/* ---- a task that sleeps ---- */

static int tell[2];

pid_t sleeper_start(void)
{
	char byte;
	pid_t pid;

	CHECK(!pipe(tell));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		close(tell[1]);
		_exit(read(tell[0], &byte, 1) != 0);
	}
	close(tell[0]);
	/* It has the CPU till it sleeps. */
	usleep(1000);
	return pid;
}

void sleeper_stop(pid_t pid)
{
	close(tell[1]);
	CHECK(waitpid(pid, NULL, 0) == pid);
}

/* ---- eventfds: what opening a file costs ---- */

static int pairs;

static void prepare_pairs(long argument)
{
	pairs = group_of(argument);
}

static void open_and_close_eventfds(unsigned long nr)
{
	int fds[SOFTWARE_GROUP], i;

	while (nr--) {
		for (i = 0; i < pairs; i++)
			CHECK((fds[i] = eventfd(0, EFD_CLOEXEC)) >= 0);
		for (i = pairs - 1; i >= 0; i--)
			close(fds[i]);
	}
}

const struct work eventfd_pairs = { .prepare = prepare_pairs, .run = open_and_close_eventfds };
