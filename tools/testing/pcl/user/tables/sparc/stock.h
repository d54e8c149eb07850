/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What compare.c asks stock's tables. Chips are known by the names that stock gives their struct sparc_pmu.
 */
#ifndef PCL_USER_TABLES_SPARC_STOCK_H
#define PCL_USER_TABLES_SPARC_STOCK_H

/* A code, and the counters that may have it, PIC n as bit n; @none: 'u' it is not counted, 's' it makes no sense */
struct stock_code {
	unsigned int code, counters;
	char none;
};

/* What stock knows of the control register; of counters, first PIC0's */
struct stock_layout {
	unsigned int pics, pcrs;
	unsigned long user, system, hypervisor, interrupts;
	unsigned int field, shift[2], nop[2];
};

struct stock_code stock_generic(const char *chip, unsigned int id);
struct stock_code stock_cache(const char *chip, unsigned int unit, unsigned int op, unsigned int result);
struct stock_layout stock_layout(const char *chip);

#endif
