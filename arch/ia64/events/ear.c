// SPDX-License-Identifier: GPL-2.0
/*
 * The event address registers: what they shall capture, and what they have.
 *
 * Concepts: recorder.h. An event address register captures, while it counts, each miss that its mode and unit mask let
 * through, and an event happens for each: the counter that counts these overflows at one of them, and all freezes. So
 * what the register holds then is the miss that ended the period, with its address and, for data, its instruction. An
 * event that leaves its counter before the interrupt came has the sample later, at its next miss, and with that.
 *
 * Each such event claims the control register (claims.c), whether it is sampled or not: what is captured is what it
 * counts. Privilege levels, gate and instruction set are the event's own.
 *
 * Only what the register's own bits vouch for is reported. Latency is of the mode for caches; a latency that had more
 * cycles than the field is reported as the least that it can have been. Which level of the caches had the data no chip
 * says.
 *
 * Contexts: configuration in task context; the rest on the owning CPU with IRQs off and the PMU frozen.
 *
 * Locks: none.
 */
#include <linux/string.h>

#include "driver.h"

/* The register whose event that is, or NULL */
const struct ia64_ear *ia64_ear_of(const struct ia64_event *row)
{
	const struct ia64_ear *ears = ia64_machine.family->ears;
	unsigned int i;

	for (i = 0; i < IA64_EARS; i++) {
		if (ears[i].code == row->code)
			return &ears[i];
	}
	return NULL;
}

static bool bars_trace(const struct ia64_ear *ear, unsigned int mode)
{
	return ear->bars_trace && mode != IA64_EAR_CACHE;
}

static int check_mode(struct perf_event *event, const struct ia64_ear *ear)
{
	u64 config = event->hw.config;
	const struct ia64_ear_mode *mode = &ear->mode[IA64_EAR_MODE_OF(config)];

	if (!mode->nr)
		return perf_event_refuse(event, PCL_REASON_IA64_EAR_MODE);
	if (!memchr(mode->umasks, IA64_EAR_UMASK_OF(config), mode->nr))
		return perf_event_refuse(event, PCL_REASON_IA64_EAR_UMASK);
	if (ia64_trace_wanted(event) && bars_trace(ear, IA64_EAR_MODE_OF(config)))
		return perf_event_refuse(event, PCL_REASON_IA64_EAR_TRACE);
	return 0;
}

/* What the control register shall hold for the event */
static u64 select_of(const struct perf_event *event, const struct ia64_ear *ear)
{
	u64 config = event->hw.config, select = config & IA64_PMC_PLM;

	if (config & IA64_PMC_PRIVILEGED)
		select |= BIT_ULL(ear->pm);
	if (ear->ism)
		select |= IA64_ISM_OF(config) << ear->ism;
	return select | IA64_EAR_UMASK_OF(config) << ear->umask | ear->mode[IA64_EAR_MODE_OF(config)].select;
}

/**
 * ia64_ear_config - fill in event->hw.extra_reg: the control register (reg, 0: none), its value, and the mode (idx)
 * @event: being opened; hw.config has its levels and its gate
 * @row: its row
 *
 * Returns 0 or a refusal.
 */
int ia64_ear_config(struct perf_event *event, const struct ia64_event *row)
{
	const struct ia64_ear *ear = ia64_ear_of(row);
	struct hw_perf_event *hwc = &event->hw;
	int err;

	if (!ear) {
		if (hwc->config & (IA64_CONFIG_EAR_MODE | IA64_CONFIG_EAR_UMASK))
			return perf_event_refuse(event, PCL_REASON_IA64_EAR_EVENT);
		return 0;
	}
	err = check_mode(event, ear);
	if (err)
		return err;
	hwc->extra_reg.reg = ear->pmc;
	hwc->extra_reg.idx = IA64_EAR_MODE_OF(hwc->config);
	hwc->extra_reg.config = ia64_reset_of(ear->pmc) | select_of(event, ear);
	return 0;
}

/* To what degree precise_ip can be asked for: 2, the instruction itself; 1, the line it was in */
unsigned int ia64_ear_precise(const struct ia64_event *row)
{
	const struct ia64_ear *ear = ia64_ear_of(row);

	if (!ear)
		return 0;
	return ear->data ? 2 : 1;
}

/* What @event claims: fills @claims; returns how many. */
unsigned int ia64_ear_claims(const struct perf_event *event, struct ia64_claim *claims)
{
	const struct hw_perf_event *hwc = &event->hw;
	const struct ia64_trace *trace = ia64_machine.family->trace;

	if (!hwc->extra_reg.reg)
		return 0;
	claims[0] = (struct ia64_claim){ hwc->extra_reg.reg, hwc->extra_reg.config };
	if (!bars_trace(ia64_ear_of(ia64_row(event)), hwc->extra_reg.idx))
		return 1;
	claims[1] = (struct ia64_claim){ trace->pmc, ia64_reset_of(trace->pmc) };
	return 2;
}

static u64 data_source(const struct ia64_ear *ear, unsigned int mode)
{
	u64 source = PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA);
	u64 tlb = PERF_MEM_TLB_NA;

	if (mode == IA64_EAR_TLB)
		tlb = ear->tlb[ia64_field_get(ia64_hw_recorded(ear->source), ear->level)];
	if (!ear->data)
		source |= PERF_MEM_S(OP, EXEC);
	else if (mode == IA64_EAR_CACHE)
		source |= PERF_MEM_S(OP, LOAD);
	else
		source |= PERF_MEM_S(OP, NA);
	return source | tlb << PERF_MEM_TLB_SHIFT;
}

static u64 latency(const struct ia64_ear *ear)
{
	u64 value = ia64_hw_recorded(ear->latency);

	if (ear->wrapped && (value & BIT_ULL(ear->wrapped)))
		return BIT_ULL(ear->cycles.bits);
	return ia64_field_get(value, ear->cycles);
}

/* The instruction, or for fetches the line; 0: not known */
static u64 instruction(const struct ia64_ear *ear, u64 address)
{
	u64 where, slot;

	if (!ear->where)
		return address;
	where = ia64_hw_recorded(ear->where);
	slot = ia64_field_get(where, ear->slot);
	if (!(where & BIT_ULL(ear->vouched)) || slot > 2)
		return 0;
	return (where & ~0xfULL) + (ear->second && (where & BIT_ULL(ear->second)) ? 16 : 0) + slot;
}

/**
 * ia64_ear_sample - what was captured when the event's period ended
 * @event: whose counter overflowed
 * @data: of its sample; address, weight and data source are filled in, as far as they are known
 *
 * Returns the address of the instruction, its slot in the lowest bits, or 0: not known, or no event of such a register.
 */
u64 ia64_ear_sample(struct perf_event *event, struct perf_sample_data *data)
{
	const struct ia64_ear *ear = ia64_ear_of(ia64_row(event));
	unsigned int mode = event->hw.extra_reg.idx;
	u64 address;

	if (!ear || !ia64_field_get(ia64_hw_recorded(ear->status), ear->valid))
		return 0;
	address = ia64_hw_recorded(ear->address) & ~(BIT_ULL(ear->line) - 1);
	if (mode != IA64_EAR_ALAT) {
		data->addr = address;
		data->sample_flags |= PERF_SAMPLE_ADDR;
	}
	if (mode == IA64_EAR_CACHE) {
		data->weight.full = latency(ear);
		data->sample_flags |= PERF_SAMPLE_WEIGHT_TYPE;
	}
	data->data_src.val = data_source(ear, mode);
	data->sample_flags |= PERF_SAMPLE_DATA_SRC;
	return instruction(ear, address);
}
