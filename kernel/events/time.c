// SPDX-License-Identifier: GPL-2.0
/*
 * Time: clocks that stop, and enabled and running times derived from an event's state.
 *
 * Concepts: a context's clock (struct pcl_clock) runs while the context is on a CPU, so its time is the time that the
 * context's target was there to be counted. An event's times (struct pcl_times) follow from its state and that clock
 * alone: the span between two looks belongs to the state the event was in meanwhile.
 *
 *	state		enabled grows	running grows
 *	ACTIVE		yes		yes
 *	INACTIVE	yes		no
 *	OFF and below	no		no
 *
 * Hence whoever changes the state first advances the times in the old one; nothing else is kept by hand.
 *
 * Contexts: any, NMI included, which may read a clock that is just being changed. CPU clocks may disagree by a little,
 * so a @now before the last stamp counts as no time.
 * Locks: none; what holds a clock or times still is the caller's affair (ctx->lock for those that change it).
 */
#include "internal.h"

/* Length of the span from @from to @to; 0 when the clocks of two CPUs make it seem to run backwards. */
static u64 span(u64 from, u64 to)
{
	s64 ns = (s64)(to - from);

	return ns > 0 ? (u64)ns : 0;
}

void pcl_clock_start(struct pcl_clock *clock, u64 now)
{
	if (clock->running)
		return;
	clock->stamp = now;
	clock->offset = clock->time - now;
	barrier();	/* an NMI that finds it running finds when it began */
	WRITE_ONCE(clock->running, true);
}

void pcl_clock_advance(struct pcl_clock *clock, u64 now)
{
	u64 ns;

	if (!clock->running)
		return;
	ns = span(clock->stamp, now);
	clock->time += ns;
	clock->stamp += ns;	/* never backwards, or a span would count twice */
}

void pcl_clock_stop(struct pcl_clock *clock, u64 now)
{
	pcl_clock_advance(clock, now);
	barrier();	/* an NMI that finds it stopped finds all that it ran */
	WRITE_ONCE(clock->running, false);
}

/* What pcl_clock_advance() would make of it, leaving the clock alone. It may have interrupted one of the above. */
u64 pcl_clock_read(const struct pcl_clock *clock, u64 now)
{
	u64 time = READ_ONCE(clock->time);

	return READ_ONCE(clock->running) ? time + span(time, clock->offset + now) : time;
}

/* @now: time of the context's clock, as are all stamps here. */
void pcl_times_peek(const struct pcl_times *times, enum perf_event_state state, u64 now, u64 *enabled, u64 *running)
{
	u64 ns = span(times->stamp, now);

	*enabled = times->enabled + (state >= PERF_EVENT_STATE_INACTIVE ? ns : 0);
	*running = times->running + (state >= PERF_EVENT_STATE_ACTIVE ? ns : 0);
}

void pcl_times_advance(struct pcl_times *times, enum perf_event_state state, u64 now)
{
	pcl_times_peek(times, state, now, &times->enabled, &times->running);
	times->stamp += span(times->stamp, now);
}
