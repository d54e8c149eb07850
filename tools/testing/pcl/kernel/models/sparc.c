// SPDX-License-Identifier: GPL-2.0
/*
 * The machine: on each CPU the registers of a SPARC's counters (sparc_model.h, which the tests in user space use, too),
 * and its interrupt.
 *
 * Concepts: a task says what its program does (sparc_task_run()), and each event of that is one step of the registers
 * of the CPU where the task happens to be, with IRQs off. Between two of them anything may come: another task, a move
 * to another CPU, the end of a slice. The engine, the scheduler and the timers are the real ones.
 *
 * The overflow interrupt, which local_irq_disable() does not hold off on SPARC, is an NMI here: this CPU's local APIC
 * is told to send it one. It comes where the model says, at an event or at an access of the driver to a register, whatever
 * the engine does there.
 *
 * The driver takes the place of the machine's PMU, "cpu", which x86 must have left free: the emulator runs without one.
 * CPUs do not go or come. Nobody else wants the counters, and tests open one event at a time.
 *
 * Contexts: as sparc.h says of each; NMI.
 *
 * Locks: none; what is of a CPU is used with IRQs off.
 */
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/smp.h>

#include <asm/apic.h>
#include <asm/nmi.h>

#include "sparc.h"

static DEFINE_PER_CPU(bool, summoned);

static void deliver_interrupt(void)
{
	this_cpu_write(summoned, true);
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	while (this_cpu_read(summoned))
		cpu_relax();
}

/* May the running task see @event's counter? No control page is mapped here, so it sees none. */
static bool is_its_own(const struct perf_event *event)
{
	return false;
}

#define pcl_shim_step()	do { } while (0)	/* a read within a read: only the test in user space has that */

#include "sparc_model.h"

/* ---- the interrupt ----------------------------------------------------------------------------------------------- */

static int nmi_came(unsigned int cmd, struct pt_regs *regs)
{
	if (!this_cpu_read(summoned))
		return NMI_DONE;
	interrupt(regs);
	this_cpu_write(summoned, false);
	return NMI_HANDLED;
}

static void hold_here(void *hold)
{
	model.skid = hold ? UINT_MAX : 0;
	take_interrupt();
}

void sparc_machine_hold(bool hold)
{
	on_each_cpu(hold_here, (void *)hold, 1);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

bool sparc_machine_look(void)
{
	struct hrtimer *timer = &this_cpu_ptr(&sparc_cpu_pmus)->timer;
	ktime_t at = 0;
	bool armed;

	local_irq_disable();
	armed = hrtimer_is_queued(timer);
	if (armed) {
		hrtimer_start(timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
		at = hrtimer_get_expires(timer);
	}
	local_irq_enable();
	/* It has come when it waits for another time, or for none. */
	while (armed && hrtimer_active(timer) && READ_ONCE(timer->node.expires) == at)
		cpu_relax();
	return armed;
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

void sparc_task_run(u64 what, u64 n, unsigned int level)
{
	unsigned long flags;

	for (; n; n--) {
		local_irq_save(flags);
		model.level = level;
		run(what, 1);
		local_irq_restore(flags);
		if (!(n % 16))
			cond_resched();
	}
}

void sparc_task_burst(u64 what, u64 n)
{
	unsigned long flags;

	local_irq_save(flags);
	model.level = USER;
	cycle(what, n);
	take_interrupt();
	local_irq_restore(flags);
}

void sparc_task_both(u64 what, u64 other)
{
	unsigned long flags;

	local_irq_save(flags);
	model.level = USER;
	cycle(what, 1);
	cycle(other, 1);
	take_interrupt();
	local_irq_restore(flags);
}

/* ---- who has the counters ---------------------------------------------------------------------------------------- */

static atomic_t users;

static void take_here(void *unused)
{
	sparc_cpu_reset();
}

void sparc_counters_take(void)
{
	if (atomic_inc_return(&users) == 1)
		on_each_cpu(take_here, NULL, 1);
}

void sparc_counters_give(void)
{
	atomic_dec(&users);
}

/* ---- it comes and goes ------------------------------------------------------------------------------------------- */

bool sparc_chip(unsigned int nr, struct sparc_chip *found)
{
	const struct chip *chip = &chips[nr];

	if (nr >= ARRAY_SIZE(chips))
		return false;
	*found = (struct sparc_chip){
		.name = chip->name, .a = chip->a, .b = chip->b, .pics = chip->pics,
		.early = chip->kind == T2 ? 16 : 0, .interrupts = chip->kind != ULTRA12, .hypervisor = chip->kind == T2,
	};
	return true;
}

/* On each CPU. Its registers hold anything. */
static void cpu_power_up(void *chip)
{
	unsigned int i;

	memset(&model, 0, sizeof(model));
	model.chip = chip;
	for (i = 0; i < ARRAY_SIZE(model.pcr); i++) {
		model.pcr[i] = get_random_u64() & bits[model.chip->kind].writable;
		model.pic[i] = get_random_u64() & SPARC_PIC_MASK;
	}
	memset(this_cpu_ptr(&sparc_cpu_pmus), 0, sizeof(struct sparc_cpu_pmu));
	sparc_cpu_prepare(this_cpu_ptr(&sparc_cpu_pmus));
}

static struct pmu as_built;

/* As the driver's boot.c does it */
static int boot(const char *name)
{
	const struct chip *chip = chips;
	int err;

	while (chip < chips + ARRAY_SIZE(chips) && strcmp(chip->name, name))
		chip++;
	if (chip == chips + ARRAY_SIZE(chips) || !sparc_detect(chip->pmu))
		return -ENODEV;
	if (!as_built.event_init)
		as_built = sparc_pmu;
	sparc_pmu = as_built;
	sparc_pmu.module = THIS_MODULE;
	sparc_regs = &ops;
	on_each_cpu(cpu_power_up, (void *)chip, 1);
	sparc_counters_take();
	err = sparc_pmu_init();
	sparc_counters_give();
	return err;
}

void sparc_test_begin(struct kunit *test, const char *chip)
{
	KUNIT_ASSERT_EQ_MSG(test, boot(chip), 0, "%s: is there another PMU?", chip);
	KUNIT_ASSERT_NOT_NULL(test, sparc_machine.family);
	sparc_pmu.slice_ms = 1;
}

static unsigned int faults_of(const struct machine *m)
{
	return m->wrote_counting + m->reserved + m->shown + m->trapped_108 + m->unacknowledged;
}

void sparc_test_end(struct kunit *test, const char *chip)
{
	unsigned int cpu;

	perf_pmu_unregister(&sparc_pmu);
	KUNIT_EXPECT_EQ_MSG(test, atomic_read(&users), 0, "%s", chip);
	for_each_online_cpu(cpu) {
		hrtimer_cancel(&per_cpu_ptr(&sparc_cpu_pmus, cpu)->timer);
		KUNIT_EXPECT_EQ_MSG(test, faults_of(per_cpu_ptr(&machines, cpu)), 0U, "%s", chip);
		KUNIT_EXPECT_EQ_MSG(test, per_cpu_ptr(&machines, cpu)->unclaimed, 0U, "%s", chip);
	}
}

unsigned int sparc_machine_interrupts(void)
{
	unsigned int cpu, sum = 0;

	for_each_online_cpu(cpu)
		sum += per_cpu_ptr(&machines, cpu)->interrupts;
	return sum;
}

int sparc_tests_init(struct kunit_suite *suite)
{
	return register_nmi_handler(NMI_LOCAL, nmi_came, 0, "pcl_sparc");
}

void sparc_tests_exit(struct kunit_suite *suite)
{
	unregister_nmi_handler(NMI_LOCAL, "pcl_sparc");
}

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("The performance counters of SPARC, for tests");
