/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for include/linux/perf_regs.h: which registers an architecture has is the test's affair.
 */
#ifndef PCL_SHIM_PERF_REGS_H
#define PCL_SHIM_PERF_REGS_H

int perf_reg_validate(u64 mask);

#endif
