// SPDX-License-Identifier: GPL-2.0
/*
 * What events ask of registers that several counters look at: opcode matchers, address ranges, event address registers,
 * the branch trace buffer.
 *
 * Concepts: an event that an opcode matcher can restrict is restricted by whatever that matcher holds. So each such
 * event has a claim on it, also if it wants all instructions: then on its power-up value, which lets all pass. Events
 * whose claims differ are not counted together. The same is true of address ranges (range.c).
 *
 * IA64_INST_RETIRED has a unit mask per pair of matcher and address range; all other events look at the first matcher.
 * (libpfm4 says so of PMC9, where it encodes opcode matchers for Itanium 2.)
 *
 * What the branch trace buffer captures is restricted by the first matcher and by ranges as well, so who has it on
 * claims them, too: all of them, or as the event itself is restricted.
 *
 * Event address registers and the branch trace buffer are claimed by who is told by them, or counts what they capture
 * (ear.c, trace.c). They are back at their power-up values, and record nothing, when nobody claims them. While somebody
 * does, an event of the CPU's, what they have is wiped out where a task's event leaves that claims them, too, and for a
 * program that may read (user.c).
 *
 * Contexts: ia64_claims_write() and ia64_claims_release() on the owning CPU with IRQs off, the PMU paused;
 * ia64_claims_hide() there, with IRQs off; the others in task context, too.
 *
 * Locks: none.
 */
#include "driver.h"

/* The matcher that @event looks at */
static const struct ia64_matcher *matcher_of(const struct perf_event *event)
{
	const struct ia64_family *family = ia64_machine.family;
	bool second = ia64_row(event)->code == IA64_INST_RETIRED &&
		      (family->second_matcher & BIT(IA64_UMASK_OF(event->hw.config)));

	return &family->matcher[second];
}

/* All registers of @matcher, as after power-up: then it lets every instruction pass. */
static unsigned int open_claims(const struct ia64_matcher *matcher, struct ia64_claim *claims)
{
	unsigned int nr = matcher->wide ? 2 : 1, i;

	for (i = 0; i < nr; i++)
		claims[i] = (struct ia64_claim){ matcher->nr + i, ia64_reset_of(matcher->nr + i) };
	return nr;
}

static unsigned int opcode_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	const struct ia64_matcher *matcher = matcher_of(event);
	/* The ends of a range are no opcodes. */
	u64 config1 = event->hw.config_base ? 0 : event->attr.config1;
	u64 config2 = event->hw.config_base ? 0 : event->attr.config2;
	unsigned int nr = open_claims(matcher, claims);

	if (!matcher->wide) {
		if (config1)
			claims[0].value = config1 | (claims[0].value & IA64_MATCH_NARROW_ANYWHERE);
		return nr;
	}
	if (config1 || config2) {
		claims[0].value = config2 | (config1 & IA64_MATCH_WIDE_TYPES) |
				  (claims[0].value & IA64_MATCH_ANYWHERE);
		claims[1].value = config1 & IA64_MATCH_WIDE;
	}
	return nr;
}

/* Where a range of instructions needs the matcher, it has claimed that by itself. */
static bool has_matcher(const struct perf_event *event)
{
	return event->hw.config_base == IA64_CONFIG_IRANGE && ia64_machine.family->ranges->match;
}

/* The first matcher lets all branches pass, unless it is the event's own that it restricts. */
static unsigned int branch_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	const struct ia64_matcher *first = &ia64_machine.family->matcher[0];

	if (!ia64_has_branches(event) || has_matcher(event) ||
	    ((ia64_row(event)->has & IA64_OPM) && matcher_of(event) == first))
		return 0;
	return open_claims(first, claims);
}

/* What @event claims: fills @claims, of IA64_CLAIMS_MOST; returns how many. */
unsigned int ia64_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	unsigned int nr = 0;

	nr += ia64_range_claims(event, claims);
	if ((ia64_row(event)->has & IA64_OPM) && !has_matcher(event))
		nr += opcode_claims(event, claims + nr);
	nr += branch_claims(event, claims + nr);
	nr += ia64_ear_claims(event, claims + nr);
	nr += ia64_trace_claims(event, claims + nr);
	return nr;
}

/* Control register @nr cannot hold both values: why */
static enum pcl_reason clash_of(unsigned int nr, u64 mine, u64 theirs)
{
	const struct ia64_family *family = ia64_machine.family;

	if (nr >= IA64_REGS || nr == family->ranges->fetch || nr == family->ranges->tags)
		return PCL_REASON_IA64_GROUP_RANGE;
	if (nr == family->ears[IA64_IEAR].pmc)
		return PCL_REASON_IA64_GROUP_IEAR;
	if (nr == family->ears[IA64_DEAR].pmc)
		return PCL_REASON_IA64_GROUP_DEAR;
	if (nr == family->trace->ip_pmc)
		return PCL_REASON_IA64_GROUP_IPEAR;
	if (nr != family->trace->pmc)
		return PCL_REASON_IA64_GROUP_OPCODES;
	if (mine == ia64_reset_of(nr) || theirs == ia64_reset_of(nr))
		return PCL_REASON_IA64_GROUP_EAR_TRACE;
	return PCL_REASON_IA64_GROUP_TRACE;
}

static enum pcl_reason two_clash(const struct perf_event *a, const struct perf_event *b)
{
	struct ia64_claim mine[IA64_CLAIMS_MOST], theirs[IA64_CLAIMS_MOST];
	unsigned int i, j, nr_mine = ia64_claims(a, mine), nr_theirs = ia64_claims(b, theirs);

	for (i = 0; i < nr_mine; i++) {
		for (j = 0; j < nr_theirs; j++) {
			if (mine[i].nr == theirs[j].nr && mine[i].value != theirs[j].value)
				return clash_of(mine[i].nr, mine[i].value, theirs[j].value);
		}
	}
	return PCL_REASON_NONE;
}

/* Can all of @events have what they claim? PCL_REASON_NONE, or why not. */
enum pcl_reason ia64_claims_clash(struct perf_event **events, unsigned int nr)
{
	enum pcl_reason reason;
	unsigned int i, j;

	for (i = 1; i < nr; i++) {
		for (j = 0; j < i; j++) {
			reason = two_clash(events[i], events[j]);
			if (reason)
				return reason;
		}
	}
	return PCL_REASON_NONE;
}

/* The registers hold what this CPU's events claim. */
void ia64_claims_write(struct ia64_cpu_pmu *cpu)
{
	struct ia64_claim claims[IA64_CLAIMS_MOST];
	unsigned int i, c, nr;

	for (i = 0; i < cpu->nr; i++) {
		nr = ia64_claims(cpu->list[i], claims);
		for (c = 0; c < nr; c++)
			ia64_hw_share(&cpu->hw, claims[c].nr, claims[c].value);
	}
}

static bool is_claimed(const struct ia64_cpu_pmu *cpu, unsigned int nr)
{
	struct ia64_claim claims[IA64_CLAIMS_MOST];
	unsigned int i, c, claimed;

	for (i = 0; i < cpu->nr; i++) {
		claimed = ia64_claims(cpu->list[i], claims);
		for (c = 0; c < claimed; c++) {
			if (claims[c].nr == nr)
				return true;
		}
	}
	return false;
}

static void release(struct ia64_cpu_pmu *cpu, unsigned int nr)
{
	if (ia64_hw_used(&cpu->hw, nr) && !is_claimed(cpu, nr))
		ia64_hw_forget(&cpu->hw, nr);
}

/* An event has left: what records, and nobody claims any more, is off and empty. */
void ia64_claims_release(struct ia64_cpu_pmu *cpu)
{
	const struct ia64_family *family = ia64_machine.family;
	unsigned int i;

	for (i = 0; i < IA64_EARS; i++)
		release(cpu, family->ears[i].pmc);
	for (i = IA64_REGS; i < IA64_ALL_REGS; i++)
		release(cpu, i);
	release(cpu, family->ranges->fetch);
	release(cpu, family->ranges->tags);
	release(cpu, family->ranges->match);
	release(cpu, family->trace->pmc);
	release(cpu, family->trace->ip_pmc);
}

/* What was recorded until now is not for the program that runs next. */
void ia64_claims_hide(struct ia64_cpu_pmu *cpu)
{
	const struct ia64_family *family = ia64_machine.family;
	unsigned int i;

	for (i = 0; i < IA64_EARS; i++)
		ia64_hw_wipe_later(&cpu->hw, family->ears[i].pmc);
	ia64_hw_wipe_later(&cpu->hw, family->trace->pmc);
	ia64_hw_wipe_later(&cpu->hw, family->trace->ip_pmc);
}
