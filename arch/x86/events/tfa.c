// SPDX-License-Identifier: GPL-2.0
/*
 * Whether counter 3 may be had at the cost of transactions: see x86_hw_force_abort() for why they exclude each other.
 *
 * Concepts: by default transactions abort while an event is on counter 3. The sysfs file allow_tsx_force_abort turns
 * that off for who needs transactions more than the fourth counter: then no event gets that counter.
 *
 * Contexts: x86_tfa_closed() any; a write to sysfs.
 *
 * Locks: tfa_mutex for the choice.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/smp.h>

#include "driver.h"

static DEFINE_MUTEX(tfa_mutex);
static bool allowed = true;

bool x86_tfa_allowed(void)
{
	return READ_ONCE(allowed);
}

/* Counters that no event may have now. */
u64 x86_tfa_closed(void)
{
	return x86_machine.layout.force_abort && !x86_tfa_allowed() ? BIT_ULL(3) : 0;
}

/* On the CPU concerned: what is on a closed counter looks for another one. */
static void leave_closed(void *unused)
{
	if (this_cpu_ptr(&x86_cpu_pmus)->hw.active & x86_tfa_closed())
		perf_pmu_resched(&x86_core_pmu);
}

void x86_tfa_set(bool on)
{
	mutex_lock(&tfa_mutex);
	if (allowed != on) {
		WRITE_ONCE(allowed, on);
		cpus_read_lock();
		on_each_cpu(leave_closed, NULL, 1);
		cpus_read_unlock();
	}
	mutex_unlock(&tfa_mutex);
}
