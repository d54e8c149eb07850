// SPDX-License-Identifier: GPL-2.0
/*
 * What events ask of control registers that several counters look at: the opcode matchers.
 *
 * Concepts: an event that an opcode matcher can restrict is restricted by whatever that matcher holds. So each such
 * event has a claim on it, also if it wants all instructions: then on its power-up value, which lets all pass. Events
 * whose claims differ are not counted together. All other registers of that kind keep their power-up values: no range
 * of addresses restricts anything.
 *
 * IA64_INST_RETIRED has a unit mask per pair of matcher and address range; all other events look at the first matcher.
 * (libpfm4 says so of PMC9, where it encodes opcode matchers for Itanium 2.)
 *
 * Contexts: ia64_claims_write() on the owning CPU with IRQs off, the PMU paused; the others in task context, too.
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

static u64 reset_of(unsigned int nr)
{
	return ia64_family_reg(ia64_machine.family, nr)->reset;
}

static unsigned int opcode_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	const struct ia64_matcher *matcher = matcher_of(event);
	u64 config1 = event->attr.config1, config2 = event->attr.config2;

	claims[0] = (struct ia64_claim){ matcher->nr, reset_of(matcher->nr) };
	if (!matcher->wide) {
		if (config1)
			claims[0].value = config1 | (claims[0].value & IA64_MATCH_NARROW_ANYWHERE);
		return 1;
	}
	claims[1] = (struct ia64_claim){ matcher->nr + 1, reset_of(matcher->nr + 1) };
	if (config1 || config2) {
		claims[0].value = config2 | (config1 & IA64_MATCH_WIDE_TYPES) |
				  (claims[0].value & IA64_MATCH_ANYWHERE);
		claims[1].value = config1 & IA64_MATCH_WIDE;
	}
	return 2;
}

/* What @event claims: fills @claims, of IA64_CLAIMS_MOST; returns how many. */
unsigned int ia64_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	return ia64_row(event)->has & IA64_OPM ? opcode_claims(event, claims) : 0;
}

static bool two_agree(const struct perf_event *a, const struct perf_event *b)
{
	struct ia64_claim mine[IA64_CLAIMS_MOST], theirs[IA64_CLAIMS_MOST];
	unsigned int i, j, nr_mine = ia64_claims(a, mine), nr_theirs = ia64_claims(b, theirs);

	for (i = 0; i < nr_mine; i++) {
		for (j = 0; j < nr_theirs; j++) {
			if (mine[i].nr == theirs[j].nr && mine[i].value != theirs[j].value)
				return false;
		}
	}
	return true;
}

/* Can all of @events have what they claim? */
bool ia64_claims_agree(struct perf_event **events, unsigned int nr)
{
	unsigned int i, j;

	for (i = 1; i < nr; i++) {
		for (j = 0; j < i; j++) {
			if (!two_agree(events[i], events[j]))
				return false;
		}
	}
	return true;
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
