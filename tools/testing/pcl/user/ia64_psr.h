/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processor status register, as far as the driver looks at it in a task's trap frame: where there is no such
 * processor.
 */
#ifndef PCL_USER_IA64_PSR_H
#define PCL_USER_IA64_PSR_H

/* Bits of pt_regs::cr_ipsr (SDM volume 2, 3.3.2) */
struct ia64_psr {
	u64 reserved0 : 2;
	u64 up : 1;
	u64 reserved1 : 17;
	u64 sp : 1;
	u64 pp : 1;
	u64 reserved2 : 10;
	u64 cpl : 2;
	u64 reserved3 : 7;
	u64 ri : 2;
	u64 reserved4 : 21;
};

#endif
