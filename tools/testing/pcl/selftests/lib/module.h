/* SPDX-License-Identifier: GPL-2.0 */
/* The security module of the debug kernel (kernel/events/refusing_test.c): what it shall refuse, what it was asked. */
#ifndef PCL_TEST_MODULE_H
#define PCL_TEST_MODULE_H

#include "event.h"

#define REFUSAL		EKEYREJECTED	/* what the module says */

/* Its hooks, by their bits in its mask. */
enum { OPEN, CPU, KERNEL, TRACEPOINT, ALLOC, READ, WRITE, LOCKDOWN, NR_HOOKS };

/* Before anything else: of a test that was ended, the module may still have its orders. Marks. */
void module_begin(void);
/* From here on the hooks of the mask refuse. */
void refuse(unsigned int mask);
/* The same, when so many were let in. */
void refuse_after(int first, unsigned int mask);
/* From here on it is counted, how often hooks are asked. */
void mark(void);
/* Since then. */
long asked_for(unsigned int hook);
void must_be_asked(unsigned int hook, long times);
/* So many events there are, some grace periods later, and the module has let in those and no others. */
void must_hold(long nr);
/* All objects are as they were at the mark. */
void must_be_as_before(void);

/* @call is the module's refusal. */
void must_refuse(long result, int error);
#define MUST_REFUSE(call)						\
	do {								\
		long result_;						\
									\
		watch_refusals();					\
		errno = 0;						\
		result_ = (call);					\
		must_refuse(result_, errno);				\
	} while (0)

#endif
