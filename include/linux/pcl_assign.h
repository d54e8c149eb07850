/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The constraint solver: which event goes on which counter. Nothing but masks, so that the drivers of all architectures
 * use the same; kernel/events/assign.c has the concepts.
 */
#ifndef _LINUX_PCL_ASSIGN_H
#define _LINUX_PCL_ASSIGN_H

#include <linux/bits.h>
#include <linux/types.h>

#define PCL_ASSIGN_MOST	64	/* counters, and events */

/* One event in search of a counter. Bit n of a mask, and the number n, name the same counter. */
struct pcl_want {
	u64 counters;		/* that may count it */
	int had;		/* the one it would like to have again, or -1 */
	int got;		/* out: its counter, when all have one */
};

bool pcl_assign(struct pcl_want *wants, unsigned int nr, u64 favoured);

#endif
