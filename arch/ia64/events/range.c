// SPDX-License-Identifier: GPL-2.0
/*
 * Address ranges: events restricted to instructions, or to accesses, of some addresses.
 *
 * Concepts: family.h, struct ia64_ranges. One range restricts all events that can be restricted by its kind, on the
 * whole CPU. So each such event has a claim on it (claims.c), also if it wants none: then on the power-up values, with
 * which none restricts.
 *
 * A range is taken as it is asked for, or refused: a coarse one is a power of two in size and aligned to it, 2^56 at
 * most, since address bits 63:56 have no bits in the mask and must match (SDM volume 2, 7.1.1); a fine one has any
 * ends, at pairs of bundles, within a page. (libpfm4 rounds what does not fit, and says so to its user.)
 *
 * The debug registers are the tasks': a debugger sets them by ptrace, and a switch of tasks loads them. So ranges are
 * for events of tasks alone, and with registers that are set already such an event is refused. If the debugger comes
 * later it gets them, and the event waits as for any counter; ptrace has no way to say why not. What is inherited then
 * is not refused, though the child has its parent's thread flags while its events are made; it has none of them when it
 * runs (copy_thread()), and counts.
 * The breakpoint bits are clear in what is written here, so nothing traps.
 *
 * Contexts: configuration in task context; the rest on the owning CPU with IRQs off.
 *
 * Locks: none.
 */
#include <linux/sched.h>
#include <linux/string.h>

#include <asm/processor.h>

#include "driver.h"

/*
 * A debugger has given the task breakpoints, or looked for them: ptrace sets the flag for either, and an exec alone
 * clears it. A kernel without such registers says so by itself.
 */
#ifndef ia64_is_debugged
#define ia64_is_debugged(task)	((task)->thread.flags & IA64_THREAD_DBG_VALID)
#endif

static bool is_coarse(u64 start, u64 end)
{
	u64 size = end - start;

	return start < end && !(size & (size - 1)) && !(start & (size - 1)) && size <= IA64_DEBUG_MASK + 1;
}

static bool is_fine(const struct ia64_ranges *ranges, u64 start, u64 end)
{
	return ranges->is_fine && start < end && !((start | end) & (IA64_BUNDLES - 1)) &&
	       start >> ranges->page == (end - 1) >> ranges->page;
}

static int check_shape(struct perf_event *event, bool fetch)
{
	u64 start = event->attr.config1, end = event->attr.config2;

	if (is_coarse(start, end) && (!fetch || end - start >= 16))
		return 0;
	if (fetch && is_fine(ia64_machine.family->ranges, start, end))
		return 0;
	return perf_event_refuse(event, PCL_REASON_IA64_RANGE_SHAPE);
}

/* Does it look at the first pair? */
static bool is_elsewhere(const struct perf_event *event, const struct ia64_event *row)
{
	const u8 *code;

	if (row->code == IA64_INST_RETIRED)
		return ia64_machine.family->ranges->match && IA64_UMASK_OF(event->hw.config);
	for (code = ia64_machine.family->ranges->elsewhere; *code; code++) {
		if (*code == row->code)
			return true;
	}
	return false;
}

/**
 * ia64_range_config - fill in event->hw.config_base: IA64_CONFIG_IRANGE, IA64_CONFIG_DRANGE, or 0
 * @event: being opened; hw.config has these
 * @row: its row
 *
 * Returns 0 or a refusal.
 */
int ia64_range_config(struct perf_event *event, const struct ia64_event *row)
{
	u64 kind = event->hw.config & IA64_CONFIG_RANGE;

	if (!kind)
		return 0;
	if (kind == IA64_CONFIG_RANGE)
		return perf_event_refuse(event, PCL_REASON_IA64_RANGE_BOTH);
	if (kind == IA64_CONFIG_DRANGE && !ia64_machine.family->ranges->tags)
		return perf_event_refuse(event, PCL_REASON_IA64_RANGE_CHIP);
	if (!(row->has & (kind == IA64_CONFIG_IRANGE ? IA64_IAR : IA64_DAR)))
		return perf_event_refuse(event, PCL_REASON_IA64_RANGE_EVENT);
	if (kind == IA64_CONFIG_IRANGE && is_elsewhere(event, row))
		return perf_event_refuse(event, PCL_REASON_IA64_RANGE_PAIR);
	if (!(event->attach_state & PERF_ATTACH_TASK))
		return perf_event_refuse(event, PCL_REASON_IA64_RANGE_NO_TASK);
	if (event->hw.target && !event->parent && ia64_is_debugged(event->hw.target))
		return perf_event_refuse(event, PCL_REASON_IA64_RANGE_PTRACE);
	event->hw.config_base = kind;
	return check_shape(event, kind == IA64_CONFIG_IRANGE);
}

/* Has a debugger taken the registers that the event's range would be in? */
bool ia64_range_waits(const struct perf_event *event)
{
	return event->hw.config_base && ia64_is_debugged(current);
}

static void claim(struct ia64_claim *claims, unsigned int *nr, u8 reg, u64 value)
{
	claims[(*nr)++] = (struct ia64_claim){ reg, value };
}

/* A pair: the address, and which bits of it matter at which privilege levels */
static void claim_pair(const struct perf_event *event, struct ia64_claim *claims, unsigned int *nr, u8 first,
		       u64 address, u64 mask)
{
	claim(claims, nr, first, address);
	claim(claims, nr, first + 1, (mask & IA64_DEBUG_MASK) | (event->hw.config & IA64_PMC_PLM) << IA64_DEBUG_PLM);
}

static void claim_fetches(const struct perf_event *event, struct ia64_claim *claims, unsigned int *nr)
{
	const struct ia64_ranges *ranges = ia64_machine.family->ranges;
	u64 start = event->attr.config1, end = event->attr.config2;

	if (is_coarse(start, end)) {
		claim(claims, nr, ranges->fetch, ia64_reset_of(ranges->fetch) & ~ranges->coarse);
		claim_pair(event, claims, nr, IA64_IBR(0), start, ~(end - start - 1));
	} else {
		u64 mask = ~(BIT_ULL(ranges->page) - 1);

		claim(claims, nr, ranges->fetch, (ia64_reset_of(ranges->fetch) & ~ranges->fine) | ranges->is_fine);
		claim_pair(event, claims, nr, IA64_IBR(0), start, mask);
		claim_pair(event, claims, nr, IA64_IBR(4), end - 16, mask);
	}
	if (ranges->match)
		claim(claims, nr, ranges->match, ia64_reset_of(ranges->match) & ~ranges->matched);
}

/* What @event claims: fills @claims; returns how many. */
unsigned int ia64_range_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	const struct ia64_ranges *ranges = ia64_machine.family->ranges;
	u64 kind = event->hw.config_base;
	unsigned int has = ia64_row(event)->has, nr = 0;

	if (kind == IA64_CONFIG_IRANGE)
		claim_fetches(event, claims, &nr);
	else if ((has & IA64_IAR) || ia64_has_branches(event))
		claim(claims, &nr, ranges->fetch, ia64_reset_of(ranges->fetch));
	if (!ranges->tags)
		return nr;
	if (kind == IA64_CONFIG_IRANGE) {
		claim(claims, &nr, ranges->tags, ia64_reset_of(ranges->tags) & ~ranges->tag_fetch);
	} else if (kind == IA64_CONFIG_DRANGE) {
		claim(claims, &nr, ranges->tags, ia64_reset_of(ranges->tags) & ~ranges->tag_data);
		claim_pair(event, claims, &nr, IA64_DBR(0), event->attr.config1,
			   ~(event->attr.config2 - event->attr.config1 - 1));
	} else if (has & IA64_DAR) {
		claim(claims, &nr, ranges->tags, ia64_reset_of(ranges->tags));
	}
	return nr;
}
