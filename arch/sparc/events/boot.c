// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU comes up, its interrupt, and who has the counters: events or the kernel's watchdog.
 *
 * Concepts: the watchdog (arch/sparc/kernel/nmi.c) counts by the same registers (pcr_ops). The first event that is
 * opened takes the counters from it, on all CPUs, and it does not start while they are taken; the last that is closed
 * gives them back if it had them. UltraSPARC I and II, which interrupt for no counter, have no watchdog, nor pcr_ops.
 *
 * The interrupt of level 15 is perfctr_irq(), which asks who is on the chain of die notifiers, and takes what nobody
 * claims for the watchdog's.
 *
 * sparc_pmu=NAME names the PMU in place of the kernel: an emulator may have another than its processor has.
 *
 * Contexts: boot; opening and closing of events in task context; CPUs that come up; NMI.
 *
 * Locks: counters_lock, a mutex, around the change of hands.
 */
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/smp.h>

#include <asm/nmi.h>
#include <asm/pcr.h>
#include <asm/spitfire.h>

#include "driver.h"
#include "../kernel/kernel.h"

static DEFINE_MUTEX(counters_lock);
static atomic_t users;			/* events; 0 to 1 and back: [counters_lock] */
static bool taken;			/* [counters_lock]; read by all */
static bool from_watchdog;		/* [counters_lock] */

/* ---- who has the counters --------------------------------------------------------------------------------------- */

/* The watchdog asks, before it starts on a CPU. */
bool sparc_counters_taken(void)
{
	return READ_ONCE(taken);
}

static void take_here(void *unused)
{
	stop_nmi_watchdog(NULL);
	sparc_cpu_reset();
}

/* An event is about to be there. */
void sparc_counters_take(void)
{
	if (atomic_inc_not_zero(&users))
		return;
	mutex_lock(&counters_lock);
	if (!atomic_read(&users)) {
		from_watchdog = atomic_read(&nmi_active) > 0;
		WRITE_ONCE(taken, true);
		on_each_cpu(take_here, NULL, 1);
	}
	atomic_inc(&users);
	mutex_unlock(&counters_lock);
}

/* An event is gone. */
void sparc_counters_give(void)
{
	if (!atomic_dec_and_mutex_lock(&users, &counters_lock))
		return;
	WRITE_ONCE(taken, false);
	if (from_watchdog)
		on_each_cpu(start_nmi_watchdog, NULL, 1);
	mutex_unlock(&counters_lock);
}

/* Runs on a CPU that came up. Events may be there already. */
static int cpu_came(unsigned int cpu)
{
	struct sparc_cpu_pmu *pmu = this_cpu_ptr(&sparc_cpu_pmus);
	unsigned long flags;

	local_irq_save(flags);
	if (sparc_counters_taken() && !pmu->nr)
		sparc_cpu_reset();
	local_irq_restore(flags);
	sparc_wrap_return(pmu);
	return 0;
}

/* ---- the interrupt ---------------------------------------------------------------------------------------------- */

static int handle_nmi(struct notifier_block *self, unsigned long reason, void *data)
{
	const struct die_args *args = data;

	if (reason != DIE_NMI)
		return NOTIFY_DONE;
	if (sparc_irq_handle(args->regs))
		return NOTIFY_STOP;
	if (!sparc_counters_taken() && pcr_ops)
		return NOTIFY_DONE;
	/* One that was late: the last event here is gone. */
	sparc_hw_acknowledge(&this_cpu_ptr(&sparc_cpu_pmus)->hw);
	return NOTIFY_STOP;
}

NOKPROBE_SYMBOL(handle_nmi);

static struct notifier_block nmi_notifier = {
	.notifier_call = handle_nmi,
};

/* ---- boot ------------------------------------------------------------------------------------------------------- */

static char forced[16] __initdata;

static int __init force(char *name)
{
	strscpy(forced, name, sizeof(forced));
	return 1;
}
__setup("sparc_pmu=", force);

/* The PMU, by its name, and its registers. */
static bool __init find(void)
{
	if (!sparc_detect(forced[0] ? forced : sparc_pmu_type))
		return false;
	if (!sparc_hardware_fits(sparc_machine.family->layout))
		pr_info("Performance events: this machine has other registers than %s, software events only\n",
			sparc_machine.family->title);
	else if (!sparc_hardware_answers())
		pr_info("Performance events: this machine has no counters, software events only\n");
	else
		return true;
	sparc_machine.family = NULL;
	return false;
}

static int __init sparc_events_init(void)
{
	unsigned int cpu;
	int err;

	/* The hypervisor's services, and the watchdog, which finds out whether the interrupt comes. */
	if (tlb_type != spitfire && pcr_arch_init()) {
		pr_info("Performance events: no access to the counters, or no interrupt; software events only\n");
		return 0;
	}
	if (!find())
		return 0;
	for_each_possible_cpu(cpu)
		sparc_cpu_prepare(per_cpu_ptr(&sparc_cpu_pmus, cpu));
	err = register_die_notifier(&nmi_notifier);
	if (err)
		return err;
	cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "perf/sparc:online", cpu_came, NULL);
	sparc_sysfs_init();
	sparc_counters_take();
	err = sparc_pmu_init();
	sparc_counters_give();
	return err;
}
pure_initcall(sparc_events_init);
