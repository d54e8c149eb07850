/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device made up for the small driver (tally_test.c). Each CPU has one, with two counters of 16 bits. A counter
 * that runs counts strokes, or the strong ones alone, up from what was written to it. As it passes zero its bit of
 * TALLY_OVERFLOWED is set, and the device interrupts as soon as IRQs are on. That a counter stops, and one that is
 * written, leaves the bit; who writes a bit clears it.
 */
#ifndef _KERNEL_EVENTS_TALLY_TEST_H
#define _KERNEL_EVENTS_TALLY_TEST_H

#include <linux/perf_event.h>

#define TALLY_COUNTERS		2
#define TALLY_MASK		0xffffU		/* what a counter can hold */

enum tally_register {
	TALLY_OVERFLOWED,
	TALLY_VALUE,				/* TALLY_VALUE + n: counter n */
	TALLY_CONTROL = TALLY_VALUE + TALLY_COUNTERS,
	TALLY_REGISTERS = TALLY_CONTROL + TALLY_COUNTERS,
};

/* TALLY_CONTROL + n */
#define TALLY_RUNS		BIT(0)
#define TALLY_STRONG_ALONE	BIT(1)

/* This CPU's device. IRQs off, or NMI. */
u32 tally_read(unsigned int nr);
void tally_write(unsigned int nr, u32 value);

/* The driver's: its PMU, and what the device calls when it interrupts. */
extern struct pmu tally_pmu;
void tally_interrupt(void);

#endif
