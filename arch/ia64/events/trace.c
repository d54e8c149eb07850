// SPDX-License-Identifier: GPL-2.0
/*
 * The branch trace buffer, as branch stacks.
 *
 * Concepts: recorder.h. Each captured branch is an entry, its target another behind it. A target bundle that has a
 * captured branch itself may be one entry instead of two: the branch's, which then is the target of the one before as
 * well (245320, Branch Trace Buffer Registers). Entries are valid while the counters are frozen.
 *
 * What was captured before a pause and after does not belong together, so the buffer begins anew whenever the counters
 * go on (regs.c). A sample's stack therefore has what happened since, at most.
 *
 * BRANCH_EVENT counts what is captured: the buffer is on for it, whether anybody wants the branches or not. Without a
 * stack it then captures branches of each kind, taken or not (libpfm4, pfm_dispatch_btb and pfm_dispatch_etb: "default
 * setting is to capture all branches"), at the event's levels.
 *
 * For a stack only taken branches are captured, at the levels of branch_sample_type. From Itanium 2 on the buffer tells
 * returns, and indirect branches that are no returns, from the rest; calls nobody tells.
 *
 * On Montecito the buffer can have the addresses of what retired instead (IP-EAR). The newest is that of the bundle
 * that was last when the counters froze; it is the sample's, if it is whole.
 *
 * Contexts: configuration in task context; the rest on the owning CPU with IRQs off and the PMU frozen.
 *
 * Locks: none.
 */
#include "driver.h"

#define KINDS	(PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_IND_CALL | \
		 PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL)
#define NO_KIND	(PERF_SAMPLE_BRANCH_PLM_ALL | PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES | \
		 PERF_SAMPLE_BRANCH_TYPE_SAVE | PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_PRIV_SAVE)

static const struct ia64_trace *the_trace(void)
{
	return ia64_machine.family->trace;
}

bool ia64_trace_wanted(struct perf_event *event)
{
	return is_sampling_event(event) && has_branch_stack(event);
}

/* Which kind of branches: enum ia64_trace_kind, or less than 0: it cannot be had */
static int kind_of(const struct perf_event_attr *attr)
{
	u64 kinds = attr->branch_sample_type & ~(u64)NO_KIND;

	if ((kinds & PERF_SAMPLE_BRANCH_ANY) && !(kinds & ~(u64)(KINDS | PERF_SAMPLE_BRANCH_ANY)))
		return IA64_TRACE_ALL;
	if (!the_trace()->kinds)
		return -1;
	if (kinds == PERF_SAMPLE_BRANCH_ANY_RETURN)
		return IA64_TRACE_RETURN;
	if (kinds == (PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_IND_JUMP))
		return IA64_TRACE_INDIRECT;
	return -1;
}

static u64 levels_of(const struct perf_event *event)
{
	u64 type = event->attr.branch_sample_type, plm = 0;

	if (!(type & PERF_SAMPLE_BRANCH_PLM_ALL))
		return event->hw.config & IA64_PMC_PLM;
	if (type & PERF_SAMPLE_BRANCH_USER)
		plm |= IA64_PMC_USER;
	if (type & PERF_SAMPLE_BRANCH_KERNEL)
		plm |= IA64_PMC_KERNEL;
	return plm;
}

static void capture(struct perf_event *event, enum ia64_trace_kind kind, u64 taken, u64 levels)
{
	const struct ia64_trace *trace = the_trace();

	event->hw.branch_reg.reg = trace->pmc;
	event->hw.branch_reg.idx = kind;
	event->hw.branch_reg.config = ia64_reset_of(trace->pmc) | levels | trace->sources |
				      (event->hw.config & IA64_PMC_PRIVILEGED) | taken | IA64_TRACE_TARGETS |
				      IA64_TRACE_PATHS;
	if (trace->kinds)
		event->hw.branch_reg.config |= (u64)kind << trace->kinds;
}

static int config_branches(struct perf_event *event)
{
	int kind = kind_of(&event->attr);

	if (kind < 0)
		return perf_event_refuse(event, PCL_REASON_IA64_BRANCH_KIND);
	capture(event, kind, IA64_TRACE_TAKEN, levels_of(event));
	return 0;
}

static int config_addresses(struct perf_event *event, bool counts_branches)
{
	const struct ia64_trace *trace = the_trace();

	if (!trace->ip_pmc)
		return perf_event_refuse(event, PCL_REASON_IA64_IPEAR_CHIP);
	if (!is_sampling_event(event))
		return perf_event_refuse(event, PCL_REASON_IA64_IPEAR_COUNTS);
	if (has_branch_stack(event) || counts_branches)
		return perf_event_refuse(event, PCL_REASON_IA64_IPEAR_TRACE);
	event->hw.branch_reg.reg = trace->ip_pmc;
	event->hw.branch_reg.config = ia64_reset_of(trace->ip_pmc) | IA64_IP_MODE | IA64_IP_DELAY_OF(event->hw.config) |
				      (event->hw.config & (IA64_PMC_PLM | IA64_PMC_PRIVILEGED));
	return 0;
}

/**
 * ia64_trace_config - fill in event->hw.branch_reg: the control register (reg, 0: none), its value, the kind (idx)
 * @event: being opened; hw.config has its levels and its gate
 * @row: its row
 *
 * Returns 0 or a refusal.
 */
int ia64_trace_config(struct perf_event *event, const struct ia64_event *row)
{
	bool counts_branches = row->code == IA64_BRANCH_EVENT;

	if (event->hw.config & IA64_CONFIG_IP_EAR)
		return config_addresses(event, counts_branches);
	if (ia64_trace_wanted(event))
		return config_branches(event);
	if (counts_branches)
		capture(event, IA64_TRACE_ALL, IA64_TRACE_EITHER, event->hw.config & IA64_PMC_PLM);
	return 0;
}

/* What @event claims: fills @claims; returns how many. The one use of the buffer rules out the other. */
unsigned int ia64_trace_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	const struct ia64_trace *trace = the_trace();
	const struct hw_perf_event *hwc = &event->hw;
	unsigned int nr = 0;

	if (!hwc->branch_reg.reg)
		return 0;
	if (trace->ip_pmc) {
		claims[nr].nr = trace->ip_pmc;
		claims[nr++].value = hwc->branch_reg.reg == trace->ip_pmc ? hwc->branch_reg.config :
									    ia64_reset_of(trace->ip_pmc);
	}
	claims[nr].nr = trace->pmc;
	claims[nr++].value = hwc->branch_reg.reg == trace->pmc ? hwc->branch_reg.config : ia64_reset_of(trace->pmc);
	return nr;
}

/* How many entries there are, and where the next would go */
static unsigned int entries(const struct ia64_trace *trace, unsigned int *next)
{
	u64 index = ia64_hw_recorded(trace->index);

	*next = ia64_field_get(index, trace->next);
	return index & BIT_ULL(trace->full) ? trace->nr : *next;
}

/* What more there is of entry @i */
static unsigned int more_of(const struct ia64_trace *trace, u64 more, unsigned int i)
{
	return trace->more ? more >> trace->more_at[i] & 0xf : 0;
}

static void store(const struct perf_event *event, struct perf_branch_stack *stack, u64 from, u64 to, bool mispredicted)
{
	struct perf_branch_entry *entry = &stack->entries[stack->nr++];

	entry->from = from;
	entry->to = to;
	perf_clear_branch_entry_bitfields(entry);
	if (!(event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_NO_FLAGS)) {
		entry->mispred = mispredicted;
		entry->predicted = !mispredicted;
	}
	if ((event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_TYPE_SAVE) &&
	    event->hw.branch_reg.idx == IA64_TRACE_RETURN)
		entry->type = PERF_BR_RET;
}

/**
 * ia64_trace_branches - the captured branches that have a target, newest first
 * @event: whose counter overflowed; it wants a branch stack
 * @stack: room for IA64_TRACE_MOST
 */
void ia64_trace_branches(struct perf_event *event, struct perf_branch_stack *stack)
{
	const struct ia64_trace *trace = the_trace();
	unsigned int next, nr = entries(trace, &next), more_bits;
	u64 more = trace->more ? ia64_hw_recorded(trace->more) : 0;
	u64 entry, from, to = 0;
	bool has_target = false;

	stack->nr = 0;
	stack->hw_idx = -1ULL;
	while (nr--) {
		next = (next + trace->nr - 1) % trace->nr;
		entry = ia64_hw_recorded(trace->first + next);
		from = entry & IA64_TRACE_ADDRESS;
		more_bits = more_of(trace, more, next);
		if (entry & IA64_TRACE_BRANCH) {
			if (more_bits & IA64_TRACE_SECOND)
				from += 16;
			if (IA64_TRACE_SLOT_OF(entry) != IA64_TRACE_NOT_TAKEN && has_target)
				store(event, stack, from + IA64_TRACE_SLOT_OF(entry), to,
				      (entry & IA64_TRACE_MISPREDICT) || (more_bits & IA64_TRACE_FLUSH));
		}
		to = from;
		has_target = entry & (IA64_TRACE_BRANCH | IA64_TRACE_MISPREDICT);
	}
}

/* The address of the bundle that retired last, if the event has asked for it and the buffer has it whole; else 0 */
u64 ia64_trace_address(const struct perf_event *event)
{
	const struct ia64_trace *trace = the_trace();
	unsigned int next, last;

	if (!trace->ip_pmc || event->hw.branch_reg.reg != trace->ip_pmc || !entries(trace, &next))
		return 0;
	last = (next + trace->nr - 1) % trace->nr;
	if (more_of(trace, ia64_hw_recorded(trace->more), last) & IA64_IP_EARLY)
		return 0;
	return ia64_hw_recorded(trace->first + last) << 4;
}
