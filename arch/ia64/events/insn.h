/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers of the performance monitor, and the gates in the PSR, as instructions. (SDM volume 3: mov indirect,
 * srlz, rsm, ssm)
 *
 * Writes to PMCs and PMDs hold for what comes after srlz.d, reads of the same register included (SDM volume 2, 7.2.1).
 * The same is true of psr.pp, and of psr.up as rsm and ssm change it; rum and sum would leave it as it is while psr.sp
 * is set (volume 3, mov psr.um), which the kernel has of the user's in a system call by epc. The freeze bit takes
 * srlz.i, which does all that srlz.d does (volume 2, 7.2.2: "instruction serialization"); perfmon in Linux 5.9 had
 * srlz.d there. The manual, revision 2.3, is followed.
 *
 * Called on the CPU whose registers are meant, with IRQs off.
 */
#ifndef _IA64_EVENTS_INSN_H
#define _IA64_EVENTS_INSN_H

#include <linux/types.h>

#include <asm/intrinsics.h>
#include <asm/kregs.h>
#include <asm/processor.h>

static inline u64 ia64_pmc_read(unsigned int nr)
{
	return ia64_get_pmc(nr);
}

static inline void ia64_pmc_write(unsigned int nr, u64 value)
{
	ia64_set_pmc(nr, value);
}

static inline u64 ia64_pmd_read(unsigned int nr)
{
	return ia64_get_pmd(nr);
}

static inline void ia64_pmd_write(unsigned int nr, u64 value)
{
	ia64_set_pmd(nr, value);
}

/*
 * Debug registers: bits 63 of IBRs, and 63 and 62 of DBRs, which let them trap, are the caller's to keep clear. So no
 * access to memory depends on a DBR before the caller serializes, and the assembler is told that it need not ask.
 */
static inline void ia64_ibr_write(unsigned int nr, u64 value)
{
	ia64_set_ibr(nr, value);
}

static inline void ia64_dbr_write(unsigned int nr, u64 value)
{
	ia64_set_dbr(nr, value);
	ia64_dv_serialize_data();
}

static inline void ia64_serialize(void)
{
	ia64_srlz_d();
}

/* After a change of the freeze bit, and of others before */
static inline void ia64_serialize_freeze(void)
{
	ia64_srlz_i();
}

/* Shuts both gates; returns those that were open. */
static inline unsigned int ia64_gates_shut(void)
{
	u64 psr;

	ia64_stop();
	psr = ia64_getreg(_IA64_REG_PSR);
	ia64_stop();
	ia64_rsm(IA64_PSR_PP | IA64_PSR_UP);
	ia64_srlz_d();
	return (psr & IA64_PSR_PP ? IA64_GATE_PRIVILEGED : 0) | (psr & IA64_PSR_UP ? IA64_GATE_USER : 0);
}

/* Opens those of @open. */
static inline void ia64_gates_open(unsigned int open)
{
	if (open & IA64_GATE_PRIVILEGED)
		ia64_ssm(IA64_PSR_PP);
	if (open & IA64_GATE_USER)
		ia64_ssm(IA64_PSR_UP);
	ia64_srlz_d();
}

/* The user's gate alone: psr.up of the code that runs */
static inline void ia64_gate_user(bool open)
{
	if (open)
		ia64_ssm(IA64_PSR_UP);
	else
		ia64_rsm(IA64_PSR_UP);
	ia64_srlz_d();
}

#endif
