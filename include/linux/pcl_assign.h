/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The constraint solver: which event goes on which counter. Nothing but masks, so that the drivers of all architectures
 * use the same; kernel/events/assign.c has the concepts. What masks cannot say is in kernel/events/kin.c.
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

#define PCL_KIN_MOST	16	/* events with rules beyond masks */
#define PCL_WIRES_MOST	2	/* in a group */
#define PCL_GROUPS_MOST	4	/* that of 0 among them */

/*
 * What stands between an event and others, beside its counters; one for each struct pcl_want. Group 0 has no rules.
 */
struct pcl_kin {
	u8 group, set;		/* events of one group share wires, those of one set what comes over them */
	u8 mode;		/* what it asks the wire's unit for */
	bool cares;		/* the wire's anchor must have the same mode */
	u32 alone;		/* things of which there is one: no other event with one of these bits goes with it */
};

/* A wire carries one set to some counters. Who sits on one of them, the anchor, says which set, and in which mode. */
struct pcl_wire {
	u64 counters;		/* it leads to, the anchor among them */
	unsigned int anchor;	/* must have an event of the set, if any of the wire's counters has one of the group */
	bool governs;		/* the anchor's mode is that of the others too */
};

/* A group's wires: there are as many sets of it at a time, at most. No counter is on two wires of a group. */
struct pcl_wiring {
	unsigned int nr;
	struct pcl_wire wire[PCL_WIRES_MOST];
};

bool pcl_assign_kin(struct pcl_want *wants, const struct pcl_kin *kin, unsigned int nr, const struct pcl_wiring *groups,
		    unsigned int nr_groups);

#endif
