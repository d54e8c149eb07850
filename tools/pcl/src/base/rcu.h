/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU for the tool's threads: liburcu in its memb flavour, whose readers may
 * block, and need not say when they are idle.
 */
#ifndef PCL_RCU_H
#define PCL_RCU_H

/* keep the short names, rcu_read_lock() and so on, for this flavour */
#define URCU_API_MAP
#include <urcu/urcu-memb.h>
#include <urcu/rculfhash.h>

/* rcu.c */
void rcu_thread(void);

#endif /* PCL_RCU_H */
