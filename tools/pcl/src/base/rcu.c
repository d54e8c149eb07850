// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that use RCU.
 *
 * Concepts: a thread must be known to RCU before it reads under it. Here a
 * thread says so as often as it likes, and is forgotten when it ends, so that
 * chapters need not agree on who says it.
 * Contexts: any thread.
 * Locks: none.
 */
#include <pthread.h>
#include <stdbool.h>

#include "base/rcu.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_thread_end;
static __thread bool known;

static void forget_thread(void *unused)
{
	(void)unused;
	rcu_unregister_thread();
}

static void make_key(void)
{
	pthread_key_create(&at_thread_end, forget_thread);
}

/* Make the calling thread known to RCU until it ends. */
void rcu_thread(void)
{
	if (known)
		return;
	known = true;
	rcu_register_thread();
	pthread_once(&once, make_key);
	pthread_setspecific(at_thread_end, &known);
}
