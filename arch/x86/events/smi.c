// SPDX-License-Identifier: GPL-2.0
/*
 * Keep system management mode out of the counts, where the processor can.
 *
 * Concepts: firmware's code in SMM runs at all privilege levels, so it would be counted, and be seen, by events
 * that count user code alone. IA32_DEBUGCTL.FREEZE_WHILE_SMM stops the counters meanwhile; it is on by default, and
 * the sysfs file freeze_on_smi turns it off for who wants to see SMM. SDM volume 3B, "Freezing Counters While in
 * SMM".
 *
 * Contexts: each CPU when it starts; a write to sysfs.
 *
 * Locks: freeze_mutex for the choice.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/smp.h>

#include <asm/msr.h>

#include "driver.h"

static DEFINE_MUTEX(freeze_mutex);
static bool freeze = true;

bool x86_smi_frozen(void)
{
	return freeze;
}

/* On the CPU concerned. */
void x86_smi_freeze_cpu(void *unused)
{
	if (!x86_machine.has_smm_freeze)
		return;
	if (freeze)
		msr_set_bit(MSR_IA32_DEBUGCTLMSR, DEBUGCTLMSR_FREEZE_IN_SMM_BIT);
	else
		msr_clear_bit(MSR_IA32_DEBUGCTLMSR, DEBUGCTLMSR_FREEZE_IN_SMM_BIT);
}

void x86_smi_set(bool on)
{
	mutex_lock(&freeze_mutex);
	if (freeze != on) {
		freeze = on;
		cpus_read_lock();
		on_each_cpu(x86_smi_freeze_cpu, NULL, 1);
		cpus_read_unlock();
	}
	mutex_unlock(&freeze_mutex);
}
