/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program tells /dev/pcl_ia64 that it does, as a task of a machine with IA-64's performance monitor: it writes a
 * struct ia64_order at a time, and reads what it would see in all PMDs, as 64 u64. Who opens the file begins as a new task.
 */
#ifndef PCL_MODELS_ORDERS_H
#define PCL_MODELS_ORDERS_H

#include <linux/types.h>

#define IA64_ORDER_USER		0	/* @n cycles in user mode with an event each of the kind @what */
#define IA64_ORDER_KERNEL	1	/* the same in the kernel */
#define IA64_ORDER_UP		2	/* sum 4 or, if @n is 0, rum 4 */
#define IA64_ORDER_BEGIN	3	/* as a new task begins */
#define IA64_ORDER_DATA		4	/* an access of @address by @ip missed a cache, TLB or the ALAT (@what) for @n cycles */
#define IA64_ORDER_FETCH	5	/* a fetch of @address missed a cache or TLB for @n cycles */
#define IA64_ORDER_BRANCH	6	/* from @ip to @address, @what: 1 relative, 2 return, 3 other indirect ones, ... */
#define IA64_NOT_TAKEN		0x80	/* ... and this, in its @what: it was not taken */
#define IA64_ORDER_BUNDLE	7	/* that at @ip retires, @n cycles after the one before */
#define IA64_ORDER_EXEC		8	/* an exec of the task's ends: the frame of the new program is made */
#define IA64_ORDER_RETURN	9	/* a signal's handler returns, and psr.up is @n in the mask of the signal's frame */

#define IA64_ORDER_PMDS		64

struct ia64_order {
	__u32 order;
	__u32 what;	/* code of the event 15:8, unit mask 19:16 */
	__u64 n;
	__u64 address, ip;
	__u64 level;	/* of a miss of a TLB: where the page was, 1 the second level, 2 the walker's table, 3 the system */
};

#endif
