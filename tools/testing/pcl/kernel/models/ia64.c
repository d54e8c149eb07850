// SPDX-License-Identifier: GPL-2.0
/*
 * The machine: on each CPU the registers of an IA-64 performance monitor (ia64_model.h, which the tests in user space use,
 * too), and its interrupt.
 *
 * Concepts: time does not pass by itself. A task says what its program does (ia64_task_run()), and each cycle of that
 * is one step of the registers of the CPU where the task happens to be, with IRQs off. Between two cycles anything may
 * come: another task, a move to another CPU, the end of a slice. The engine and the scheduler are the real ones.
 *
 * The overflow interrupt is an interrupt of this kernel: an irq_work, which comes as soon as IRQs are on. What it finds
 * in the registers is where the program is that said so, if it was in user mode, and else where the kernel is. It can be
 * held back, so that other things come first, as on a processor where it waits while IRQs are off.
 *
 * Each task has a PSR of its own, found by where its trap frame lies: for the bits of the user mask.
 *
 * The driver takes the place of the machine's PMU, "cpu", which x86 must have left free: the emulator runs without one.
 * CPUs do not go or come.
 *
 * Contexts: as ia64.h says of each; the interrupt.
 *
 * Locks: what is of a CPU is used with IRQs off. psrs_lock, innermost.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "ia64.h"
#include "orders.h"

#define pcl_shim_step()	do { } while (0)	/* a read within a read: only the test in user space has that */

#include "ia64_model.h"

/* ---- tasks -------------------------------------------------------------------------------------------------------- */

#define PSRS_MOST 64

static DEFINE_RAW_SPINLOCK(psrs_lock);
static struct {
	const struct pt_regs *regs;
	struct ia64_psr psr;
} psrs[PSRS_MOST];
static unsigned int nr_psrs;

static void psr_begin(struct ia64_psr *psr)
{
	*psr = (struct ia64_psr){ .sp = 1 };
}

static DEFINE_PER_CPU(struct ia64_psr, of_nobody);

/* Without the lock, as the probe in a switch of tasks (switch.c) is an NMI: who is found here is all there. */
static unsigned int psr_of(const struct pt_regs *regs)
{
	unsigned int i, nr = smp_load_acquire(&nr_psrs);	/* pairs with that of psr_new() */

	for (i = 0; i < nr && psrs[i].regs != regs; i++)
		;
	return i < nr ? i : PSRS_MOST;
}

/* The task that runs asks for the first time. */
static unsigned int psr_new(const struct pt_regs *regs)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&psrs_lock, flags);
	i = psr_of(regs);		/* an interrupt may have asked meanwhile */
	if (i == PSRS_MOST && !WARN_ON_ONCE(nr_psrs == PSRS_MOST)) {
		i = nr_psrs;
		psrs[i].regs = regs;
		psr_begin(&psrs[i].psr);
		smp_store_release(&nr_psrs, i + 1);	/* pairs with that of psr_of() */
	}
	raw_spin_unlock_irqrestore(&psrs_lock, flags);
	return i;
}

/* Nobody's, as of who was never asked about: it may not read. */
static struct ia64_psr *psr_of_nobody(void)
{
	struct ia64_psr *psr = this_cpu_ptr(&of_nobody);

	psr->sp = 1;
	return psr;
}

/* A task's own is made when it first asks, and stays where it is until the next boot. */
struct ia64_psr *ia64_psr(const struct pt_regs *regs)
{
	unsigned int i = psr_of(regs);

	if (i == PSRS_MOST && regs == task_pt_regs(current))
		i = psr_new(regs);
	return i < PSRS_MOST ? &psrs[i].psr : psr_of_nobody();
}

void ia64_task_begin(void)
{
	psr_begin(ia64_psr(task_pt_regs(current)));
}

void ia64_task_exec(void)
{
	ia64_psr(task_pt_regs(current))->sp = 1;
	ia64_user_exec();
}

void ia64_task_return(bool up)
{
	ia64_psr(task_pt_regs(current))->up = up;
}

void ia64_task_set_up(bool up)
{
	struct ia64_psr *psr = ia64_psr(task_pt_regs(current));
	unsigned long flags;

	local_irq_save(flags);
	user_up(up);
	if (!psr->sp)
		psr->up = up;
	local_irq_restore(flags);
}

u64 ia64_task_read(unsigned int nr)
{
	unsigned long flags;
	u64 value;

	local_irq_save(flags);
	value = user_read(nr);
	local_irq_restore(flags);
	return value;
}

u64 ia64_task_peek(unsigned int nr)
{
	unsigned long flags;
	u64 value;

	local_irq_save(flags);
	value = model.pmd[nr];
	local_irq_restore(flags);
	return value;
}

/* ---- the interrupt ------------------------------------------------------------------------------------------------ */

static bool hold;
static DEFINE_PER_CPU(struct pt_regs, interrupted);

static void pmv_interrupt(struct irq_work *work)
{
	bool is_program = model.level == IA64_LEVEL_USER && !(current->flags & PF_KTHREAD);
	struct pt_regs *regs = this_cpu_ptr(&interrupted);

	if (!model.pending)
		return;
	perf_fetch_caller_regs(regs);
	model.pending = false;
	model.interrupts++;
	if (!ia64_irq_handle(is_program ? task_pt_regs(current) : regs))
		model.unclaimed++;
}

static DEFINE_PER_CPU(struct irq_work, pmv);

void ia64_machine_hold(bool held)
{
	WRITE_ONCE(hold, held);
}

/* IRQs off */
static void raise(void)
{
	if (model.pending)
		irq_work_queue(this_cpu_ptr(&pmv));
}

static void take_interrupts(void)
{
	if (!READ_ONCE(hold))
		raise();
}

void ia64_machine_interrupt(void)
{
	struct irq_work *work;

	migrate_disable();
	local_irq_disable();
	work = this_cpu_ptr(&pmv);
	raise();
	local_irq_enable();
	irq_work_sync(work);
	migrate_enable();
}

/* ---- the program -------------------------------------------------------------------------------------------------- */

void ia64_task_run(u32 what, u64 n, unsigned int level)
{
	struct ia64_psr *psr = ia64_psr(task_pt_regs(current));
	unsigned long flags;

	for (; n; n--) {
		local_irq_save(flags);
		if (level == IA64_LEVEL_USER)
			model.up = psr->up;	/* back from the kernel */
		model.level = level;
		go_on(what);
		take_interrupts();
		local_irq_restore(flags);
		if (!(n % 16))
			cond_resched();
	}
}

void ia64_task_burst(u32 what, u64 n)
{
	unsigned long flags;

	local_irq_save(flags);
	model.level = IA64_LEVEL_USER;
	cycle(what, n);
	raise();
	local_irq_restore(flags);
}

bool ia64_task_miss(bool data, unsigned int what, u64 address, u64 ip, unsigned int cycles, unsigned int level)
{
	struct miss miss = {
		.data = data, .what = what, .address = address, .ip = ip, .cycles = cycles, .level = level,
	};
	unsigned long flags;
	bool captured;

	local_irq_save(flags);
	model.level = IA64_LEVEL_USER;
	captured = happens(&miss);
	local_irq_restore(flags);
	return captured;
}

bool ia64_task_branch(u64 from, u64 to, unsigned int what)
{
	struct branch branch = {
		.from = from, .to = to, .kind = what & ~IA64_NOT_TAKEN, .taken = !(what & IA64_NOT_TAKEN),
	};
	unsigned long flags;
	bool captured;

	local_irq_save(flags);
	model.level = IA64_LEVEL_USER;
	captured = retires(&branch);
	local_irq_restore(flags);
	return captured;
}

void ia64_task_bundle(u64 address, unsigned int cycles)
{
	unsigned long flags;

	local_irq_save(flags);
	model.level = IA64_LEVEL_USER;
	bundle_retires(address, cycles, false);
	local_irq_restore(flags);
}

/* ---- it comes and goes -------------------------------------------------------------------------------------------- */

const char *ia64_chip(unsigned int nr)
{
	return nr < ARRAY_SIZE(chips) ? chips[nr].name : NULL;
}

/* On each CPU. Its registers hold anything. */
static void cpu_power_up(void *chip)
{
	unsigned int i;

	*this_cpu_ptr(&pmv) = IRQ_WORK_INIT_HARD(pmv_interrupt);	/* a module's own such data has no pointers */
	memset(&model, 0, sizeof(model));
	model.chip = chip;
	model.pp = true;
	memset(this_cpu_ptr(&ia64_cpu_pmus), 0, sizeof(struct ia64_cpu_pmu));
	for (i = 0; i < IA64_REGS; i++) {
		model.pmc[i] = get_random_u64();
		model.pmd[i] = is_recorder(i) ? get_random_u64() : get_random_u64() & full();
	}
	model.pmc[0] = 0;
	ia64_cpu_prepare();
	model.wrote_counting = 0;
}

static struct pmu as_built;

int ia64_machine_boot(const char *name, bool with_sysfs)
{
	const struct chip *chip = chips;

	while (chip < chips + ARRAY_SIZE(chips) && strcmp(chip->name, name))
		chip++;
	if (chip == chips + ARRAY_SIZE(chips) || !ia64_detect(chip->cpuid3))
		return -ENODEV;
	if (!as_built.event_init)
		as_built = ia64_pmu;
	ia64_pmu = as_built;
	ia64_pmu.module = THIS_MODULE;
	ia64_regs = &ops;
	nr_psrs = 0;
	hold = false;
	on_each_cpu(cpu_power_up, (void *)chip, 1);
	if (with_sysfs)
		ia64_sysfs_init();
	return ia64_pmu_init(chip->cpuid3);
}

void ia64_machine_halt(void)
{
	perf_pmu_unregister(&ia64_pmu);
}

static unsigned int faults_of(const struct machine *m)
{
	return m->wrote_counting + m->reserved + m->illegal + m->unserialized_thaw + m->unserialized_count +
	       m->unserialized_read + m->unserialized_freeze + m->read_live;
}

static unsigned int interrupts_of(const struct machine *m)
{
	return m->interrupts;
}

static unsigned int unclaimed_of(const struct machine *m)
{
	return m->unclaimed;
}

static unsigned int sum_of(unsigned int (*of)(const struct machine *m))
{
	unsigned int cpu, sum = 0;

	for_each_online_cpu(cpu)
		sum += of(per_cpu_ptr(&machines, cpu));
	return sum;
}

unsigned int ia64_machine_faults(void)
{
	return sum_of(faults_of);
}

unsigned int ia64_machine_interrupts(void)
{
	return sum_of(interrupts_of);
}

unsigned int ia64_machine_unclaimed(void)
{
	return sum_of(unclaimed_of);
}
