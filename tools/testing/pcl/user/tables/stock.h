/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What compare.c asks stock's tables. Tables are known by the names that stock gives them.
 */
#ifndef PCL_USER_TABLES_STOCK_H
#define PCL_USER_TABLES_STOCK_H

#ifndef PCL_SHIM_KERNEL_H
typedef uint32_t u32;
typedef uint64_t u64;
#endif

bool stock_has(const char *table);
u64 stock_counters(const char *table, u64 select, u64 general, u64 fixed);
u64 stock_extra(const char *table, u64 select, u32 *msr);
u64 stock_generic(const char *table, unsigned int id);
u64 stock_cache(const char *table, unsigned int unit, unsigned int op, unsigned int result);

#endif
