/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions of IA-64 as calls of one function, the processor of who includes this: with the register's number, or
 * the mask, and the value.
 */
#ifndef PCL_SHIM_IA64_INTRINSICS_H
#define PCL_SHIM_IA64_INTRINSICS_H

enum insn {
	GET_PMC, SET_PMC, GET_PMD, SET_PMD, SET_IBR, SET_DBR,
	GET_PSR, SSM, RSM, SUM, RUM,
	SRLZ_D, SRLZ_I, STOP, DATA_IS_SERIALIZED,	/* the last: a word to the assembler */
};

u64 shim_insn(enum insn insn, u64 nr, u64 value);

#define ia64_get_pmc(nr)		shim_insn(GET_PMC, nr, 0)
#define ia64_set_pmc(nr, value)		shim_insn(SET_PMC, nr, value)
#define ia64_get_pmd(nr)		shim_insn(GET_PMD, nr, 0)
#define ia64_set_pmd(nr, value)		shim_insn(SET_PMD, nr, value)
#define ia64_set_ibr(nr, value)		shim_insn(SET_IBR, nr, value)
#define ia64_set_dbr(nr, value)		shim_insn(SET_DBR, nr, value)
#define ia64_getreg(reg)		shim_insn(reg, 0, 0)
#define _IA64_REG_PSR			GET_PSR
#define ia64_ssm(mask)			shim_insn(SSM, mask, 0)
#define ia64_rsm(mask)			shim_insn(RSM, mask, 0)
#define ia64_sum(mask)			shim_insn(SUM, mask, 0)
#define ia64_rum(mask)			shim_insn(RUM, mask, 0)
#define ia64_srlz_d()			shim_insn(SRLZ_D, 0, 0)
#define ia64_srlz_i()			shim_insn(SRLZ_I, 0, 0)
#define ia64_stop()			shim_insn(STOP, 0, 0)
#define ia64_dv_serialize_data()	shim_insn(DATA_IS_SERIALIZED, 0, 0)

#endif
