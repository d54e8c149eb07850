// SPDX-License-Identifier: GPL-2.0
/*
 * From an attr to a code: what the event is, on which counters, and whether this machine can count it at all.
 *
 * Concepts: three ways to name an event: raw, generic (PERF_COUNT_HW_*) and cache (PERF_COUNT_HW_CACHE_*). A raw config
 * is as in stock 6.1: family.h, SPARC_CONFIG_*. The same code can be two events, one on each counter, so a raw config
 * says which counters it means, and an event that the family's table does not have there is refused.
 *
 * What the hypervisor does is counted where it lets itself be, unless exclude_hv says no; elsewhere it never is, and
 * exclude_hv makes no difference.
 *
 * Contexts: task context, while an event is opened.
 *
 * Locks: none.
 */
#include <linux/nospec.h>

#include "driver.h"

/* The privilege levels that are counted, as bits of the control register. There are no guests below this kernel. */
static u64 levels_of(const struct perf_event_attr *attr)
{
	const struct sparc_layout *layout = sparc_machine.family->layout;
	u64 levels = 0;

	if (attr->exclude_host)
		return 0;
	if (!attr->exclude_user)
		levels |= layout->user;
	if (!attr->exclude_kernel)
		levels |= layout->system;
	if (!attr->exclude_hv && sparc_machine.hypervisor)
		levels |= layout->hypervisor;
	return levels;
}

static int config_generic(struct perf_event *event, struct sparc_code *code)
{
	u64 id = event->attr.config;

	if (id >= PERF_COUNT_HW_MAX)
		return perf_event_refuse(event, PCL_REASON_SPARC_GENERIC_UNKNOWN);
	*code = sparc_family_generic(sparc_machine.family, array_index_nospec(id, PERF_COUNT_HW_MAX));
	if (!code->counters)
		return perf_event_refuse(event, PCL_REASON_SPARC_GENERIC_ABSENT);
	return 0;
}

static int config_cache(struct perf_event *event, struct sparc_code *code)
{
	unsigned int unit = event->attr.config & 0xff;
	unsigned int op = (event->attr.config >> 8) & 0xff;
	unsigned int result = (event->attr.config >> 16) & 0xff;

	if (unit >= PERF_COUNT_HW_CACHE_MAX)
		return perf_event_refuse(event, PCL_REASON_SPARC_CACHE_UNIT);
	if (op >= PERF_COUNT_HW_CACHE_OP_MAX)
		return perf_event_refuse(event, PCL_REASON_SPARC_CACHE_OP);
	if (result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return perf_event_refuse(event, PCL_REASON_SPARC_CACHE_RESULT);
	if (sparc_cache_is_senseless(unit, op))
		return perf_event_refuse(event, PCL_REASON_SPARC_CACHE_SENSELESS);
	*code = sparc_family_cache(sparc_machine.family, unit, op, result == PERF_COUNT_HW_CACHE_RESULT_MISS);
	if (!code->counters)
		return perf_event_refuse(event, PCL_REASON_SPARC_CACHE_ABSENT);
	return 0;
}

/* Which counters a raw config means */
static u8 raw_counters(u64 config, const struct sparc_layout *layout)
{
	u8 counters = 0;

	if (!sparc_layout_shared(layout))
		return sparc_layout_all(layout);
	if (config & SPARC_CONFIG_PIC0)
		counters |= PIC0;
	if (config & SPARC_CONFIG_PIC1)
		counters |= PIC1;
	return counters;
}

static int config_raw(struct perf_event *event, struct sparc_code *code)
{
	const struct sparc_layout *layout = sparc_machine.family->layout;
	u64 config = event->attr.config, valid = (u64)layout->pic[0].field << SPARC_CONFIG_SHIFT;

	if (sparc_layout_shared(layout))
		valid |= SPARC_CONFIG_PIC0 | SPARC_CONFIG_PIC1;
	if (config & ~valid)
		return perf_event_refuse(event, PCL_REASON_SPARC_RAW_BITS);
	code->code = config >> SPARC_CONFIG_SHIFT;
	code->counters = raw_counters(config, layout);
	if (!code->counters)
		return perf_event_refuse(event, PCL_REASON_SPARC_RAW_NO_COUNTER);
	return 0;
}

static int config_code(struct perf_event *event, struct sparc_code *code)
{
	if (event->attr.type == event->pmu->type)
		return config_raw(event, code);
	if (event->attr.type == PERF_TYPE_HW_CACHE)
		return config_cache(event, code);
	return config_generic(event, code);
}

/* What this driver does not do */
static int check_attr(struct perf_event *event)
{
	if (has_branch_stack(event))
		return perf_event_refuse(event, PCL_REASON_SPARC_BRANCH_STACK);
	if (event->attr.precise_ip)
		return perf_event_refuse(event, PCL_REASON_SPARC_PRECISE);
	return 0;
}

/* A counter that does not interrupt can be read, and nothing else. */
static int check_silent(struct perf_event *event, const struct sparc_event *row)
{
	event->hw.event_base = 0;
	if (sparc_machine.family->has & SPARC_WRAPS) {
		if (is_sampling_event(event))
			return perf_event_refuse(event, PCL_REASON_SPARC_WRAPS);
		event->hw.event_base |= SPARC_EVENT_SILENT;
	}
	if (row->silent & event->hw.config) {
		if (is_sampling_event(event))
			return perf_event_refuse(event, PCL_REASON_SPARC_ERRATUM_108);
		event->hw.event_base |= SPARC_EVENT_SILENT;
	}
	return 0;
}

/**
 * sparc_event_config - fill in event->hw from event->attr
 * @event: being opened
 *
 * Returns 0 or a refusal.
 */
int sparc_event_config(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	const struct sparc_event *row;
	struct sparc_code code;
	int err;

	err = check_attr(event);
	if (!err)
		err = config_code(event, &code);
	if (err)
		return err;
	row = sparc_family_event(sparc_machine.family, code.code, code.counters);
	if (!row)
		return perf_event_refuse(event, PCL_REASON_SPARC_RAW_UNKNOWN);
	hwc->config = code.code;
	err = check_silent(event, row);
	if (err)
		return err;

	hwc->counters = code.counters;
	hwc->config_base = levels_of(&event->attr);
	if (!is_sampling_event(event)) {
		hwc->sample_period = SPARC_MAX_PERIOD;
		hwc->last_period = hwc->sample_period;
		local64_set(&hwc->period_left, hwc->sample_period);
	}
	return 0;
}
