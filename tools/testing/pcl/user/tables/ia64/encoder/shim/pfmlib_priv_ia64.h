/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for libpfm3's header of this name. How registers are laid out libpfm4 still says, under another name, and
 * that is what its encoders are compiled with: no layout is ours.
 */
#ifndef PCL_ENCODER_PFMLIB_PRIV_IA64_H
#define PCL_ENCODER_PFMLIB_PRIV_IA64_H

/* CPUID[3] of the chip whose encoder is asked: family in bits 31:24 (SDM volume 1, 3.1.11) */
unsigned long ia64_get_cpuid(unsigned int nr);

/*
 * getf.exp: sign and exponent of a floating point register, with the bias that those have, 0xffff (SDM volume 1, 5.1).
 * Those of a double, in memory, have 1023 (IEEE 754).
 */
static inline long ia64_getf(double value)
{
	union { double value; unsigned long bits; } in = { .value = value };

	return (long)(in.bits >> 52 & 0x7ff) - 1023 + 0xffff;
}

#include "pfmlib_ia64_priv.h"

typedef pfm_gen_ia64_pmc_reg_t pfm_ita_pmc_reg_t, pfm_ita2_pmc_reg_t, pfm_mont_pmc_reg_t;

#endif
