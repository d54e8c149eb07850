// SPDX-License-Identifier: GPL-2.0
/*
 * Program the counters of one CPU.
 *
 * Concepts: PMC[0] has a bit that freezes all counters; that is how the PMU is paused. The processor sets it too,
 * when a counter overflows whose register says so (oi), together with that counter's bit in PMC[0], and raises the
 * overflow interrupt (SDM volume 2, 7.2.2). While IRQs are off the interrupt waits, and the counters stand still.
 *
 * PMC[0] is an ordinary register: who sets the freeze bit by writing it could clear the bit of a counter that
 * overflows at this very moment. So the gates in the PSR are shut meanwhile, which stops the counters without a write
 * to it.
 *
 * A counter whose bit is set in PMC[0] has an interrupt on its way. ia64_hw_resume() then leaves the PMU frozen: the
 * interrupt's handler will thaw it, and if it did not find the bit, the sample would be lost until the counter has
 * gone round.
 *
 * What was written holds after srlz.d, the freeze bit after srlz.i (insn.h), for reads too: who writes a register that
 * may be read before the PMU goes on serializes.
 *
 * Of each PMC only what the family allows is written; reserved bits keep their power-up values (struct ia64_reg). One
 * that holds already what it shall is not written.
 *
 * What event address registers and the branch trace buffer had recorded is wiped out when an event that wanted it
 * leaves: of them it is not known that user code cannot read them. If others want it still, an event of the CPU's that
 * has overflowed may have a sample coming of what is recorded. All is frozen until that was taken, and IRQs are on
 * before any program runs; so it is wiped out when the counters go on.
 *
 * A counter that shall not count has privilege level mask 0, and user code cannot read it: its gate is psr.pp, and of
 * such a PMD mov gives user code 0 (SDM volume 2, 7.2.1), so that nothing is seen of what an event that has left
 * counted. It keeps its event: that on an anchor says what others can count (kernel/events/kin.c), also while it is
 * stopped itself, or has left. That it does so with this mask is an assumption; the manuals, as far as known, speak of
 * the event alone.
 *
 * Contexts: on the owning CPU with IRQs off.
 *
 * Locks: none.
 */
#include "regs.h"

#include <linux/bitops.h>

#ifndef CONFIG_IA64
const struct ia64_regs_ops *ia64_regs;
#endif

/*
 * Debug register @nr, IA64_IBR() or IA64_DBR(), holds @value. It is written in any case: of a task that was here since
 * the last time, it may hold what a debugger wanted.
 */
static void ia64_hw_debug(struct ia64_hw *hw, unsigned int nr, u64 value)
{
	if (nr < IA64_DBR(0))
		ia64_ibr_write(nr - IA64_IBR(0), value);
	else
		ia64_dbr_write(nr - IA64_DBR(0), value);
	hw->written[nr] = value;
}

static u64 reset_of(const struct ia64_family *family, unsigned int nr)
{
	return nr < IA64_REGS ? ia64_family_reg(family, nr)->reset : 0;
}

/* What PMC @nr holds when the bits that may be written are those of @value */
static u64 with_reserved(const struct ia64_reg *reg, u64 value)
{
	return (value & reg->writable) | (reg->reset & ~reg->writable);
}

static void pmc_write(struct ia64_hw *hw, const struct ia64_reg *reg, u64 value)
{
	value = with_reserved(reg, value);
	if (hw->written[reg->nr] == value)
		return;
	ia64_pmc_write(reg->nr, value);
	hw->written[reg->nr] = value;
}

static void counter_write(struct ia64_hw *hw, unsigned int idx, u64 select)
{
	const struct ia64_reg *reg = ia64_family_reg(hw->family, idx);

	/* What turns all counters on, or is a fixed instruction set, is in the power-up value of some. */
	pmc_write(hw, reg, select | reg->reset);
}

static void ia64_hw_empty_ear(const struct ia64_ear *ear)
{
	ia64_pmd_write(ear->address, 0);
	ia64_pmd_write(ear->latency, 0);
	if (ear->where)
		ia64_pmd_write(ear->where, 0);
}

static void ia64_hw_empty_trace(const struct ia64_trace *trace)
{
	unsigned int i;

	ia64_pmd_write(trace->index, 0);
	for (i = 0; i < trace->nr; i++)
		ia64_pmd_write(trace->first + i, 0);
	if (trace->more && trace->more != trace->index)
		ia64_pmd_write(trace->more, 0);
}

/* Nothing is left of what PMC @nr had recorded. PMU paused; a resume serializes, and so does the way to user code. */
static void ia64_hw_empty(const struct ia64_family *family, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < IA64_EARS; i++) {
		if (family->ears[i].pmc == nr)
			ia64_hw_empty_ear(&family->ears[i]);
	}
	if (family->trace->pmc == nr || family->trace->ip_pmc == nr)
		ia64_hw_empty_trace(family->trace);
}

/* Is PMC @nr, or that debug register, in use? Those are that are not as after power-up. */
bool ia64_hw_used(const struct ia64_hw *hw, unsigned int nr)
{
	return nr && hw->written[nr] != reset_of(hw->family, nr);
}

/* All counters off, and nothing remembered of before. */
void ia64_hw_reset(struct ia64_hw *hw)
{
	const struct ia64_reg *reg;
	unsigned int idx;

	ia64_pmc_write(0, IA64_FREEZE);
	ia64_serialize_freeze();
	hw->running = false;
	hw->active = 0;
	hw->stale = 0;
	for (reg = hw->family->regs; reg->nr; reg++) {
		ia64_pmc_write(reg->nr, reg->reset);
		hw->written[reg->nr] = reg->reset;
		ia64_hw_empty(hw->family, reg->nr);
	}
	for (idx = 0; idx < IA64_DEBUG_REGS; idx++) {
		ia64_ibr_write(idx, 0);
		ia64_dbr_write(idx, 0);
		hw->written[IA64_IBR(idx)] = 0;
		hw->written[IA64_DBR(idx)] = 0;
	}
	for (idx = IA64_FIRST_COUNTER; idx < IA64_COUNTERS; idx++) {
		if (hw->family->counters & BIT(idx))
			ia64_pmd_write(idx, 0);
	}
	ia64_serialize();
}

/* Counter @idx shall count what @select says, from the next resume on. PMU paused, or frozen. */
void ia64_hw_arm(struct ia64_hw *hw, unsigned int idx, u64 select)
{
	counter_write(hw, idx, select);
	hw->active |= BIT_ULL(idx);
}

/* Counter @idx counts nothing, but has the event of @select: it may be the anchor of others. PMU paused, or frozen. */
void ia64_hw_hold(struct ia64_hw *hw, unsigned int idx, u64 select)
{
	counter_write(hw, idx, (select & ~IA64_PMC_PLM) | IA64_PMC_PRIVILEGED);
}

/* The overflow of counter @idx is forgotten. PMU paused, or frozen. */
static void forget_overflow(unsigned int idx)
{
	u64 status = ia64_pmc_read(0);

	if (status & BIT_ULL(idx))
		ia64_pmc_write(0, (status & ~BIT_ULL(idx)) | IA64_FREEZE);
}

/* Counter @idx shall not count any more, and its overflow is forgotten. PMU paused, or frozen. */
void ia64_hw_disarm(struct ia64_hw *hw, unsigned int idx)
{
	ia64_hw_hold(hw, idx, hw->written[idx]);
	forget_overflow(idx);
	ia64_serialize();
	hw->active &= ~BIT_ULL(idx);
}

/* PMC @nr, which several counters look at, or that debug register, holds @value. PMU paused. */
void ia64_hw_share(struct ia64_hw *hw, unsigned int nr, u64 value)
{
	if (nr < IA64_REGS)
		pmc_write(hw, ia64_family_reg(hw->family, nr), value);
	else
		ia64_hw_debug(hw, nr, value);
}

/* Nobody wants PMC @nr, or that debug register, any more, and nobody sees what it had. PMU paused. */
void ia64_hw_forget(struct ia64_hw *hw, unsigned int nr)
{
	ia64_hw_share(hw, nr, reset_of(hw->family, nr));
	ia64_hw_empty(hw->family, nr);
	if (nr < IA64_REGS)
		hw->stale &= ~BIT_ULL(nr);
}

/* What PMC @nr had recorded is nobody's once an overflow that waits has been handled; it goes on recording. */
void ia64_hw_wipe_later(struct ia64_hw *hw, unsigned int nr)
{
	if (ia64_hw_used(hw, nr))
		hw->stale |= BIT_ULL(nr);
}

static void wipe(struct ia64_hw *hw)
{
	for (; hw->stale; hw->stale &= hw->stale - 1)
		ia64_hw_empty(hw->family, __ffs64(hw->stale));
}

/* Nothing counts after this. */
void ia64_hw_pause(struct ia64_hw *hw)
{
	unsigned int open;
	u64 status;

	if (!hw->running)
		return;
	hw->running = false;
	open = ia64_gates_shut();
	status = ia64_pmc_read(0);
	if (!(status & IA64_FREEZE)) {
		ia64_pmc_write(0, status | IA64_FREEZE);
		ia64_serialize_freeze();
	}
	ia64_gates_open(open);
}

/* Every armed counter counts after this, at once or when the interrupt that is on its way has been handled. */
void ia64_hw_resume(struct ia64_hw *hw)
{
	hw->running = true;
	if (ia64_hw_overflowed() & hw->active)
		return;
	wipe(hw);
	if (ia64_hw_used(hw, hw->family->trace->pmc) || ia64_hw_used(hw, hw->family->trace->ip_pmc))
		ia64_pmd_write(hw->family->trace->index, 0);	/* what was before does not join on (trace.c) */
	ia64_serialize();
	ia64_pmc_write(0, 0);
	ia64_serialize_freeze();
}

/* No armed counter has overflowed; if all are frozen nevertheless, they go on. */
void ia64_hw_thaw(struct ia64_hw *hw)
{
	if (ia64_pmc_read(0) & IA64_FREEZE)
		ia64_hw_resume(hw);
}

/* Counters that PMC[0] says have overflowed */
u64 ia64_hw_overflowed(void)
{
	return ia64_pmc_read(0) & ~(BIT_ULL(IA64_FIRST_COUNTER) - 1);
}

/* What was recorded in PMD @nr. All frozen: it is not valid else. */
u64 ia64_hw_recorded(unsigned int nr)
{
	return ia64_pmd_read(nr);
}

/* Counter @idx goes on from @value, and has not overflowed. PMU paused or frozen. */
void ia64_hw_load(const struct ia64_hw *hw, unsigned int idx, u64 value)
{
	ia64_pmd_write(idx, value & ia64_count_mask(hw->family));
	forget_overflow(idx);
	ia64_serialize();
}

/* Bits above the counter's own are its sign again, or say that it overflowed; chips differ in that. */
u64 ia64_hw_count(const struct ia64_hw *hw, unsigned int idx)
{
	return ia64_pmd_read(idx) & ia64_count_mask(hw->family);
}
