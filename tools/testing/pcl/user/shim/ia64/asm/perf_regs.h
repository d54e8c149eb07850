/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The real one, for perf_regs.c and its test; a case asks for registers that are not there.
 */
#include "../../../../../../../arch/ia64/include/uapi/asm/perf_regs.h"

#undef WARN_ON_ONCE
#define WARN_ON_ONCE(condition)	shim_warn(condition)
bool shim_warn(bool condition);
