// SPDX-License-Identifier: GPL-2.0
/*
 * From an attr to a control register: what the event is, and whether this machine can count it at all.
 *
 * Concepts: three ways to name an event: raw, generic (PERF_COUNT_HW_*) and cache (PERF_COUNT_HW_CACHE_*). A raw
 * config is laid out as the counter's control register is (family.h: IA64_PMC_EVENT ...), without the bits that are
 * the driver's: privilege levels, interrupt, gate. An event that the family's table does not have is refused.
 *
 * A threshold asks for the cycles in which an event happens more often than that. It is 0 or less than what the event
 * can do in a cycle; else it would count nothing.
 *
 * Events stand under psr.pp, which the kernel alone can change. With IA64_CONFIG_UP one stands under psr.up, which
 * the program itself sets and clears by one instruction, "sum 4" and "rum 4" (SDM volume 2, 7.2.1); that is for
 * events of a task, since on a CPU any program would decide.
 *
 * What event address registers and the execution trace buffer shall capture is in fields of config, too: recorder.h.
 *
 * config1 (and config2, family.h: struct ia64_matcher) restricts what is counted to instructions with some opcodes.
 * With irange or drange in config they are the ends of a range of addresses instead (range.c).
 *
 * Contexts: task context, while an event is opened.
 *
 * Locks: none.
 */
#include <linux/nospec.h>

#include "driver.h"

/* The privilege levels that are counted. There are no guests below this kernel. */
static u64 levels_of(const struct perf_event_attr *attr)
{
	u64 plm = 0;

	if (attr->exclude_host)
		return 0;
	if (!attr->exclude_user)
		plm |= IA64_PMC_USER;
	if (!attr->exclude_kernel)
		plm |= IA64_PMC_KERNEL;
	return plm;
}

static int config_generic(struct perf_event *event)
{
	u64 id = event->attr.config;
	u32 code;

	if (id >= PERF_COUNT_HW_MAX)
		return perf_event_refuse(event, PCL_REASON_IA64_GENERIC_UNKNOWN);
	code = ia64_family_generic(ia64_machine.family, array_index_nospec(id, PERF_COUNT_HW_MAX));
	if (code == IA64_ABSENT)
		return perf_event_refuse(event, PCL_REASON_IA64_GENERIC_ABSENT);
	event->hw.config = code;
	return 0;
}

static int config_cache(struct perf_event *event)
{
	unsigned int unit = event->attr.config & 0xff;
	unsigned int op = (event->attr.config >> 8) & 0xff;
	unsigned int result = (event->attr.config >> 16) & 0xff;
	u32 code;

	if (unit >= PERF_COUNT_HW_CACHE_MAX)
		return perf_event_refuse(event, PCL_REASON_IA64_CACHE_UNIT);
	if (op >= PERF_COUNT_HW_CACHE_OP_MAX)
		return perf_event_refuse(event, PCL_REASON_IA64_CACHE_OP);
	if (result >= PERF_COUNT_HW_CACHE_RESULT_MAX)
		return perf_event_refuse(event, PCL_REASON_IA64_CACHE_RESULT);
	if (ia64_cache_is_senseless(unit, op))
		return perf_event_refuse(event, PCL_REASON_IA64_CACHE_SENSELESS);
	code = ia64_family_cache(ia64_machine.family, unit, op, result == PERF_COUNT_HW_CACHE_RESULT_MISS);
	if (code == IA64_ABSENT)
		return perf_event_refuse(event, PCL_REASON_IA64_CACHE_ABSENT);
	event->hw.config = code;
	return 0;
}

static int config_raw(struct perf_event *event)
{
	u64 config = event->attr.config;
	u64 valid = IA64_PMC_EVENT | IA64_PMC_UMASK | IA64_PMC_THRESHOLD | IA64_PMC_ISM | IA64_CONFIG_UP |
		    IA64_CONFIG_EAR_MODE | IA64_CONFIG_EAR_UMASK | IA64_CONFIG_IP_EAR | IA64_CONFIG_RANGE;

	if (config & IA64_CONFIG_IP_EAR)
		valid |= IA64_CONFIG_IP_DELAY;
	if (ia64_machine.family->has & IA64_HAS_MESI)
		valid |= IA64_PMC_MESI | IA64_PMC_ALL;
	if (config & ~valid)
		return perf_event_refuse(event, PCL_REASON_IA64_RAW_BITS);
	if (config & IA64_PMC_ALL)
		return perf_event_refuse(event, PCL_REASON_IA64_BOTH_THREADS);
	if ((config & IA64_CONFIG_UP) && !(event->attach_state & PERF_ATTACH_TASK))
		return perf_event_refuse(event, PCL_REASON_IA64_UP_NO_TASK);
	event->hw.config = config;
	return 0;
}

static int config_code(struct perf_event *event)
{
	if (event->attr.type == event->pmu->type)
		return config_raw(event);
	if (event->attr.type == PERF_TYPE_HW_CACHE)
		return config_cache(event);
	return config_generic(event);
}

/* Both instruction sets, or one; the chips without IA-32 know one. */
static int check_instruction_set(struct perf_event *event)
{
	unsigned int ism = IA64_ISM_OF(event->hw.config);

	if (ism == IA64_ISM_BOTH || ism == IA64_ISM_IA64)
		return 0;
	if (ism == 3)
		return perf_event_refuse(event, PCL_REASON_IA64_ISM_NONE);
	if (!(ia64_machine.family->has & IA64_HAS_IA32))
		return perf_event_refuse(event, PCL_REASON_IA64_ISM_IA32);
	return 0;
}

/* Line states: those that are named, or all. */
static int check_states(struct perf_event *event, const struct ia64_event *row)
{
	if (row->has & IA64_MESI) {
		if (!(event->hw.config & IA64_PMC_MESI))
			event->hw.config |= IA64_PMC_MESI;
		return 0;
	}
	if (event->hw.config & IA64_PMC_MESI)
		return perf_event_refuse(event, PCL_REASON_IA64_STATES);
	return 0;
}

static int check_row(struct perf_event *event, const struct ia64_event *row)
{
	int err;

	if (!row)
		return perf_event_refuse(event, PCL_REASON_IA64_RAW_UNKNOWN);
	if (IA64_THRESHOLD_OF(event->hw.config) >= row->incr)
		return perf_event_refuse(event, PCL_REASON_IA64_THRESHOLD);
	err = check_instruction_set(event);
	return err ?: check_states(event, row);
}

/* How well is the place of a sample known? */
static int check_precise(struct perf_event *event, const struct ia64_event *row)
{
	unsigned int known = ia64_ear_precise(row);

	if (!known && (event->hw.config & IA64_CONFIG_IP_EAR))
		known = 1;
	if (event->attr.precise_ip && !known)
		return perf_event_refuse(event, PCL_REASON_IA64_PRECISE);
	if (event->attr.precise_ip > known)
		return perf_event_refuse(event, PCL_REASON_IA64_PRECISE_DEGREE);
	return 0;
}

/* Would the event be restricted by an opcode matcher? */
static bool is_matched(const struct perf_event *event, const struct ia64_event *row)
{
	if (row->code == IA64_INST_RETIRED && (ia64_machine.family->untagged & BIT(IA64_UMASK_OF(event->hw.config))))
		return false;
	return row->has & IA64_OPM;
}

/* Which instructions: config1, and config2 where matchers are wide; 0: all. */
static int check_opcodes(struct perf_event *event, const struct ia64_event *row)
{
	bool wide = ia64_machine.family->matcher[0].wide;
	u64 types = wide ? IA64_MATCH_WIDE_TYPES : IA64_MATCH_TYPES;
	u64 valid = wide ? IA64_MATCH_WIDE | types : IA64_MATCH_NARROW;
	u64 config1 = event->attr.config1, config2 = event->attr.config2;

	if ((config1 & ~valid) || (config2 & ~(wide ? IA64_MATCH_WIDE : 0)))
		return perf_event_refuse(event, PCL_REASON_IA64_OPCODE_BITS);
	if (!config1 && !config2)
		return 0;
	if (!is_matched(event, row))
		return perf_event_refuse(event, PCL_REASON_IA64_OPCODE_EVENT);
	if (!(config1 & types))
		return perf_event_refuse(event, PCL_REASON_IA64_OPCODE_TYPES);
	return 0;
}

/**
 * ia64_event_config - fill in event->hw from event->attr
 * @event: being opened
 *
 * Returns 0 or a refusal.
 */
int ia64_event_config(struct perf_event *event)
{
	struct hw_perf_event *hwc = &event->hw;
	const struct ia64_event *row;
	int err;

	err = config_code(event);
	if (err)
		return err;
	row = ia64_family_event(ia64_machine.family, hwc->config);
	err = check_row(event, row);
	if (!err && !(hwc->config & IA64_CONFIG_RANGE))
		err = check_opcodes(event, row);
	if (!err)
		err = ia64_range_config(event, row);
	if (!err)
		err = check_precise(event, row);
	if (err)
		return err;

	if (!(hwc->config & IA64_CONFIG_UP))
		hwc->config |= IA64_PMC_PRIVILEGED;
	hwc->config |= levels_of(&event->attr) | IA64_PMC_INTERRUPT;
	err = ia64_ear_config(event, row);
	if (!err)
		err = ia64_trace_config(event, row);
	if (err)
		return err;
	/*
	 * Each task has its own psr.up and psr.sp (user.c), its own debug registers (range.c), and what a recorder
	 * (ear.c, trace.c) has is of the task that it was when the interrupt did not come yet.
	 */
	if (hwc->config & (IA64_CONFIG_UP | IA64_CONFIG_RANGE) || hwc->extra_reg.reg || hwc->branch_reg.reg)
		event->event_caps |= PERF_EV_CAP_TASK;
	hwc->config &= ~(IA64_CONFIG_UP | IA64_CONFIG_RECORD | IA64_CONFIG_RANGE);
	hwc->event_base = (unsigned long)row;
	hwc->counters = row->counters;
	return 0;
}
