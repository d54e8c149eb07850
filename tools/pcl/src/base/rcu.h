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

/*
 * ThreadSanitizer does not see that liburcu orders what is published: the barrier is assembly, and the load that follows a
 * pointer is a function of the library. For it, both are atomic, a release and an acquire. What takes an element out
 * is a release, too: it comes behind the barrier of all that were published before. The lists use these, and follow.
 */
#ifdef __SANITIZE_THREAD__
#undef rcu_dereference
#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_ACQUIRE)
#undef rcu_assign_pointer
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)
#undef CMM_STORE_SHARED
#define CMM_STORE_SHARED(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELEASE)
#endif
#include <urcu/rcuhlist.h>

/* rcu.c */
void rcu_thread(void);

#endif /* PCL_RCU_H */
