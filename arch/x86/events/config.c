// SPDX-License-Identifier: GPL-2.0
/*
 * From an attr to a select register: what the event is, and whether this machine can count it at all.
 *
 * Concepts: three ways to name an event: raw (the bits of the select register), generic (PERF_COUNT_HW_*) and cache
 * (PERF_COUNT_HW_CACHE_*). The first is masked, the others are looked up in the family's tables. Each refusal has
 * its own reason; the order of the checks decides the errno that a doubtful attr gets.
 *
 * Contexts: task context, while an event is opened or its period is changed, but where said.
 *
 * Locks: none.
 */
#include <linux/nospec.h>
#include <linux/perf_regs.h>

#include "driver.h"

/* The code of a generic event on this machine; 0: none. Any context. */
u64 x86_generic_code(unsigned int id)
{
	if (x86_machine.absent_events & BIT_ULL(id))
		return 0;
	if (id == PERF_COUNT_HW_BRANCH_MISSES && x86_machine.branch_misses)
		return x86_machine.branch_misses;
	return x86_family_generic(x86_machine.family, x86_machine.generic, id);
}

/* What all events have: privilege levels, interrupt, raw bits. */
static u64 select_base(const struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	u64 select = X86_SEL_INT;

	if (!attr->exclude_user)
		select |= X86_SEL_USR;
	if (!attr->exclude_kernel)
		select |= X86_SEL_OS;
	if (attr->type == event->pmu->type)
		select |= attr->config & x86_machine.select_mask;
	return select;
}

/* APM volume 2: host-only and guest-only together count everywhere, which is not what excluding both means. */
static u64 select_virt(const struct perf_event_attr *attr, u64 select)
{
	if (!x86_machine.has_virt)
		return select;
	if (attr->exclude_host && attr->exclude_guest)
		return select & ~(X86_SEL_USR | X86_SEL_OS);
	if (attr->exclude_host)
		return select | X86_SEL_GUEST_ONLY;
	if (attr->exclude_guest)
		return select | X86_SEL_HOST_ONLY;
	return select;
}

static bool period_too_short(const struct perf_event *event, u64 select, u64 period)
{
	return x86_family_period(x86_machine.family, select, period) > (s64)period;
}

/* A branch event with a period of one is how branch tracing (BTS) is asked for. */
static bool is_branch_trace(const struct perf_event *event, u64 select, u64 period)
{
	return x86_machine.has_branch_trace && !event->attr.freq && period == 1 && !event->attr.exclude_host &&
	       (select & X86_SEL_CODE) == x86_generic_code(PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
}

/* The register beside the select register, if the code needs one. */
static int check_extra(struct perf_event *event, u64 select)
{
	const struct x86_extra *extra = x86_family_extra(x86_machine.family, select);

	if (!extra)
		return 0;
	if (event->attr.config1 & ~extra->valid)
		return perf_event_refuse(event, PCL_REASON_X86_EXTRA_BITS);
	return perf_event_refuse(event, PCL_REASON_UNBUILT_EXTRA_REG);
}

static int select_generic(struct perf_event *event, u64 *select)
{
	u64 id = event->attr.config, code;

	if (id >= PERF_COUNT_HW_MAX)
		return perf_event_refuse(event, PCL_REASON_X86_GENERIC_UNKNOWN);
	code = x86_generic_code(array_index_nospec(id, PERF_COUNT_HW_MAX));
	if (!code)
		return perf_event_refuse(event, PCL_REASON_X86_GENERIC_ABSENT);
	*select |= code;
	return 0;
}

static int select_cache(struct perf_event *event, u64 *select)
{
	unsigned int unit = event->attr.config & 0xff;
	unsigned int op = (event->attr.config >> 8) & 0xff;
	unsigned int result = (event->attr.config >> 16) & 0xff;
	const struct x86_cache *row;
	u64 code = X86_ABSENT;

	if (unit >= PERF_COUNT_HW_CACHE_MAX)
		return perf_event_refuse(event, PCL_REASON_X86_CACHE_UNIT);
	if (op >= PERF_COUNT_HW_CACHE_OP_MAX)
		return perf_event_refuse(event, PCL_REASON_X86_CACHE_OP);
	if (result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return perf_event_refuse(event, PCL_REASON_X86_CACHE_RESULT);

	row = x86_family_cache(x86_machine.family, unit, op);
	if (row)
		code = result == PERF_COUNT_HW_CACHE_RESULT_ACCESS ? row->access : row->miss;
	if (code == X86_ABSENT)
		return perf_event_refuse(event, PCL_REASON_X86_CACHE_ABSENT);
	if (code == X86_SENSELESS)
		return perf_event_refuse(event, PCL_REASON_X86_CACHE_SENSELESS);
	*select |= code;
	event->attr.config1 = result == PERF_COUNT_HW_CACHE_RESULT_ACCESS ? row->access_extra : row->miss_extra;
	return check_extra(event, *select);
}

/* The event itself, or why there is none. */
static int select_code(struct perf_event *event, u64 *select)
{
	if (event->attr.type == event->pmu->type)
		return check_extra(event, *select);
	if (event->attr.type == PERF_TYPE_HW_CACHE)
		return select_cache(event, select);
	return select_generic(event, select);
}

/* SDM, "Performance Metrics": pseudo-events 0x8000-0x8700 beside the slots counter */
static bool is_topdown_metric(u64 select)
{
	return (x86_machine.layout.shape.fixed & X86_FIXED(3)) && !(select & X86_SEL_EVENT) &&
	       (select & X86_SEL_UMASK) >= 0x8000 && (select & X86_SEL_UMASK) <= 0x8700;
}

/* PPR family 17h: Retired SSE and AVX FLOPs needs two counters, merged. */
static bool is_large_increment(u64 select)
{
	return (x86_machine.family->has & X86_NEEDS_PAIR) &&
	       (select & (X86_SEL_EVENT | X86_SEL_AMD_EVENT_HIGH)) == 0x003;
}

/* SDM, "AnyThread": the hyper-thread beside is counted too, so who may look at the whole CPU may. */
static int check_any(struct perf_event *event, u64 *select)
{
	int err;

	if (event->attr.type != event->pmu->type || !(event->attr.config & X86_SEL_ANY))
		return 0;
	if (x86_machine.select_refused & X86_SEL_ANY)
		return perf_event_refuse(event, PCL_REASON_X86_ANY_ABSENT);
	if (!x86_machine.has_any)
		return 0;
	err = perf_event_allow_cpu(event, PCL_REASON_X86_ANY_PRIVILEGE);
	if (err)
		return err;
	*select |= X86_SEL_ANY;
	return 0;
}

/* SDM, "Intel TSX": what may not be combined with counting in transactions. */
static int check_tx(struct perf_event *event, u64 *select)
{
	u64 tx = event->attr.config & (X86_SEL_IN_TX | X86_SEL_IN_TX_CP);

	if (!x86_machine.has_tx || event->attr.type != event->pmu->type || !tx)
		return 0;
	*select |= tx;
	if (*select & X86_SEL_ANY)
		return perf_event_refuse(event, PCL_REASON_X86_TX_ANY);
	/* An overflow would abort the transaction, which puts the counter back, and so forth. */
	if ((tx & X86_SEL_IN_TX_CP) && event->attr.sample_period && event->attr.sample_period < 0x7fffffff)
		return perf_event_refuse(event, PCL_REASON_X86_TX_SAMPLING);
	return 0;
}

/* Things that no event here may ask for, whatever it counts. */
static int check_attr(struct perf_event *event, u64 select)
{
	struct perf_event_attr *attr = &event->attr;

	if (attr->precise_ip)
		return perf_event_refuse(event, PCL_REASON_UNBUILT_PRECISE);
	if (is_sampling_event(event) && !attr->freq && period_too_short(event, select, attr->sample_period))
		return perf_event_refuse(event, PCL_REASON_X86_PERIOD_SHORT);
	if (attr->sample_regs_user & PERF_REG_EXTENDED_MASK)
		return perf_event_refuse(event, PCL_REASON_X86_XMM_USER);
	if (attr->sample_regs_intr & PERF_REG_EXTENDED_MASK)
		return perf_event_refuse(event, PCL_REASON_X86_XMM_INTR);
	return 0;
}

/**
 * x86_event_config - fill in event->hw from event->attr
 * @event: being opened
 *
 * Returns 0 or a refusal; -ENOENT if the machine has no such event, so that another PMU may be asked.
 */
int x86_event_config(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	u64 select = select_base(event);
	int err;

	err = check_attr(event, select);
	if (err)
		return err;

	if (!is_sampling_event(event)) {
		hwc->sample_period = x86_machine.max_period;
		hwc->last_period = hwc->sample_period;
		local64_set(&hwc->period_left, hwc->sample_period);
	}

	err = select_code(event, &select);
	if (err)
		return err;
	if (is_branch_trace(event, select, hwc->sample_period))
		return perf_event_refuse(event, PCL_REASON_UNBUILT_BTS);
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_UNBUILT_BRANCH_STACK);
	/* Precise it is not: check_attr() */
	if (x86_machine.has_precise_aux && event->attr.aux_output)
		return perf_event_refuse(event, PCL_REASON_X86_AUX_OUTPUT_IMPRECISE);
	if (is_topdown_metric(select))
		return perf_event_refuse(event, PCL_REASON_UNBUILT_TOPDOWN);
	if (is_large_increment(select))
		return perf_event_refuse(event, PCL_REASON_UNBUILT_PAIR);
	err = check_any(event, &select);
	if (err)
		return err;
	err = check_tx(event, &select);
	if (err)
		return err;

	hwc->config = select_virt(&event->attr, select);
	hwc->counters = x86_family_counters(x86_machine.family, &x86_machine.layout.shape, hwc->config);
	if (!hwc->counters)
		return perf_event_refuse(event, PCL_REASON_X86_NO_COUNTER);
	return 0;
}

/* May the period of an event become @value? */
int x86_event_check_period(struct perf_event *event, u64 value)
{
	if (is_branch_trace(event, event->hw.config, value))
		return perf_event_refuse(event, PCL_REASON_X86_PERIOD_TO_ONE);
	if (value && period_too_short(event, event->hw.config, value))
		return perf_event_refuse(event, PCL_REASON_X86_PERIOD_TO_SHORT);
	return 0;
}
