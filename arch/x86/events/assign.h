/* SPDX-License-Identifier: GPL-2.0 */
/* The constraint solver: which event goes on which counter. Nothing but masks; assign.c has the concepts. */
#ifndef _X86_EVENTS_ASSIGN_H
#define _X86_EVENTS_ASSIGN_H

#include <linux/bits.h>
#include <linux/types.h>

#define X86_COUNTERS	64

/* One event in search of a counter. Bit n of a mask, and the number n, name the same counter. */
struct x86_want {
	u64 counters;		/* that may count it */
	int had;		/* the one it would like to have again, or -1 */
	int got;		/* out: its counter, when all have one */
};

bool x86_assign(struct x86_want *wants, unsigned int nr, u64 favoured);

#endif
