/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The operations of insn.h, where there is no such processor: through a table, behind which a test has its model.
 */
#ifndef _IA64_EVENTS_MODEL_H
#define _IA64_EVENTS_MODEL_H

#include <linux/types.h>

/**
 * struct ia64_regs_ops - how the registers are reached
 * @read_pmc, @write_pmc, @read_pmd, @write_pmd: mov to and from PMC[nr] and PMD[nr]
 * @write_ibr, @write_dbr: mov to IBR[nr] and DBR[nr]
 * @serialize: srlz.d: what was written before holds for what comes after
 * @serialize_freeze: srlz.i: the same, and the freeze bit holds, too
 * @gate: psr.pp and psr.up of the code that runs, as a pair of bits (IA64_GATE_*): sets them, returns what they were.
 *	srlz.d included
 *
 * One for the machine. Called on the CPU whose registers are meant, with IRQs off.
 */
struct ia64_regs_ops {
	u64 (*read_pmc)(unsigned int nr);
	void (*write_pmc)(unsigned int nr, u64 value);
	u64 (*read_pmd)(unsigned int nr);
	void (*write_pmd)(unsigned int nr, u64 value);
	void (*write_ibr)(unsigned int nr, u64 value);
	void (*write_dbr)(unsigned int nr, u64 value);
	void (*serialize)(void);
	void (*serialize_freeze)(void);
	unsigned int (*gate)(unsigned int open);
};

extern const struct ia64_regs_ops *ia64_regs;

static inline u64 ia64_pmc_read(unsigned int nr)
{
	return ia64_regs->read_pmc(nr);
}

static inline void ia64_pmc_write(unsigned int nr, u64 value)
{
	ia64_regs->write_pmc(nr, value);
}

static inline u64 ia64_pmd_read(unsigned int nr)
{
	return ia64_regs->read_pmd(nr);
}

static inline void ia64_pmd_write(unsigned int nr, u64 value)
{
	ia64_regs->write_pmd(nr, value);
}

static inline void ia64_ibr_write(unsigned int nr, u64 value)
{
	ia64_regs->write_ibr(nr, value);
}

static inline void ia64_dbr_write(unsigned int nr, u64 value)
{
	ia64_regs->write_dbr(nr, value);
}

static inline void ia64_serialize(void)
{
	ia64_regs->serialize();
}

static inline void ia64_serialize_freeze(void)
{
	ia64_regs->serialize_freeze();
}

static inline unsigned int ia64_gates_shut(void)
{
	return ia64_regs->gate(0);
}

static inline void ia64_gates_open(unsigned int open)
{
	ia64_regs->gate(open);
}

static inline void ia64_gate_user(bool open)
{
	unsigned int others = ia64_regs->gate(0) & ~IA64_GATE_USER;

	ia64_regs->gate(open ? others | IA64_GATE_USER : others);
}

#endif
