/* SPDX-License-Identifier: GPL-2.0 */
/* Bits of the PSR (SDM volume 2, 3.3.2) */
#ifndef PCL_SHIM_IA64_KREGS_H
#define PCL_SHIM_IA64_KREGS_H

#define IA64_PSR_UP	(1UL << 2)
#define IA64_PSR_SP	(1UL << 20)
#define IA64_PSR_PP	(1UL << 21)

#endif
