// SPDX-License-Identifier: GPL-2.0
/*
 * How the IA-64 driver comes up, and how its interrupt comes to it: boot.c alone. What it asks of the processor, of the
 * kernel and of the driver is noted in order.
 */
#include "../../../../arch/ia64/events/driver.h"
#include <asm/intrinsics.h>
#include <asm/kregs.h>
#include "harness.h"

struct ia64_machine ia64_machine;
unsigned int shim_cpu;
char shim_second_cpu[65536] __attribute__((__aligned__(64)));
struct task_struct *current;

#define PMV_MASKED	(1ULL << 16)

static struct {
	u64 psr, pmv, cpuid[5];
	bool irqs_off, unknown;
	int no_pmu;
	struct pt_regs *regs;		/* of the interrupt, if it has some */
} machine;

static struct {
	u8 vector;
	irq_handler_t handler;
	unsigned long flags;
} interrupt;

static const struct ia64_family family;
static struct pt_regs interrupted;
static char noted[256];
static int (*initcall)(void);

static void note(const char *what)
{
	size_t length = strlen(noted);

	snprintf(noted + length, sizeof(noted) - length, "%s%s", length ? ", " : "", what);
}

/* What was called since the last look */
#define CHECK_NOTED(text) do {						\
	if (strcmp(noted, text))					\
		printf("# noted: %s\n", noted);				\
	CHECK(!strcmp(noted, text));					\
	*noted = 0;							\
} while (0)

/* ---- processor and kernel ---------------------------------------------------------------------------------------- */

u64 shim_insn(enum insn insn, u64 mask, u64 value)
{
	CHECK(insn == SSM || insn == SRLZ_D);
	if (insn == SSM)
		machine.psr |= mask;
	note(insn == SSM ? "ssm" : "srlz");
	return 0;
}

/* What is pending is taken when the vector is unmasked and IRQs are on: who has it must be known by then. */
void ia64_setreg(unsigned int reg, u64 value)
{
	CHECK_EQ(reg, 4096 + 73);
	CHECK(machine.irqs_off);
	machine.pmv = value;
	note("pmv");
}

u64 ia64_get_cpuid(unsigned int nr)
{
	return machine.cpuid[nr];
}

void register_percpu_irq(u8 vector, irq_handler_t handler, unsigned long flags, const char *name)
{
	CHECK(name && machine.pmv == PMV_MASKED);
	interrupt.vector = vector;
	interrupt.handler = handler;
	interrupt.flags = flags;
	note("irq");
}

struct pt_regs *get_irq_regs(void)
{
	return machine.regs;
}

void local_irq_disable(void)
{
	machine.irqs_off = true;
}

void local_irq_enable(void)
{
	machine.irqs_off = false;
}

/* Before any task but the first, and before the engine has devices for who is registered. */
void shim_initcall(unsigned int level, int (*call)(void))
{
	if (level == SHIM_EARLY)
		initcall = call;
}

/* ---- the driver -------------------------------------------------------------------------------------------------- */

int ia64_pmu_init(u64 cpuid3)
{
	CHECK_EQ(cpuid3, machine.cpuid[3]);
	note("init");
	if (!machine.unknown)
		ia64_machine.family = &family;
	return machine.no_pmu;
}

void ia64_cpu_prepare(void)
{
	CHECK(machine.irqs_off && ia64_machine.family);
	note("prepare");
}

void ia64_sysfs_init(void)
{
	CHECK(ia64_machine.family);
	note("sysfs");
}

bool ia64_irq_handle(struct pt_regs *regs)
{
	CHECK(regs == &interrupted);
	note("handle");
	return false;
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

/* As cpu_init() leaves the CPU that boots */
static void power_on(void)
{
	unsigned int i;

	memset(&machine, 0, sizeof(machine));
	memset(&interrupt, 0, sizeof(interrupt));
	for (i = 0; i < ARRAY_SIZE(machine.cpuid); i++)
		machine.cpuid[i] = random_u64();
	machine.pmv = PMV_MASKED;
	ia64_machine.family = NULL;
	*noted = 0;
	CHECK(initcall);
}

static void it_comes_up(void)
{
	power_on();
	CHECK_EQ(initcall(), 0);
	CHECK_NOTED("init, sysfs, irq, ssm, srlz, prepare, pmv, srlz");
	CHECK_EQ(machine.psr, 1ULL << 21);	/* pp */
	CHECK_EQ(machine.pmv, 0xee);		/* its vector, and not masked */
	CHECK_EQ(interrupt.vector, 0xee);
	CHECK_EQ(interrupt.flags, IRQF_PERCPU);
	CHECK(!machine.irqs_off);
}

/* On a machine that is not known nothing is set up, and the masked vector stays so. */
static void without_a_pmu_nothing_is_set_up(void)
{
	power_on();
	machine.unknown = true;
	CHECK_EQ(initcall(), 0);
	CHECK_NOTED("init");
	CHECK_EQ(machine.pmv, PMV_MASKED);
}

static void an_error_of_the_engine_is_told(void)
{
	power_on();
	machine.no_pmu = -ENOMEM;
	CHECK_EQ(initcall(), -ENOMEM);
	CHECK_NOTED("init");
	machine.irqs_off = true;
	ia64_pmu_cpu_init();		/* of a later CPU */
	CHECK_NOTED("ssm, srlz");
	CHECK_EQ(machine.pmv, PMV_MASKED);
}

/* Another CPU, which comes with IRQs off, and keeps them so; the gate is open also where there are no counters. */
static void each_cpu_is_set_up(void)
{
	power_on();
	machine.irqs_off = true;
	ia64_pmu_cpu_init();
	CHECK_NOTED("ssm, srlz");
	CHECK_EQ(machine.psr, 1ULL << 21);
	CHECK_EQ(machine.pmv, PMV_MASKED);
	ia64_machine.family = &family;
	machine.psr = 0;
	ia64_pmu_cpu_init();
	CHECK_NOTED("ssm, srlz, prepare, pmv, srlz");
	CHECK_EQ(machine.psr, 1ULL << 21);
	CHECK_EQ(machine.pmv, 0xee);
	CHECK(machine.irqs_off);
}

/* It is nobody else's; one that a CPU takes as it goes has no registers, and nothing is looked at. */
static void an_interrupt_is_ours(void)
{
	power_on();
	CHECK_EQ(initcall(), 0);
	*noted = 0;
	machine.regs = &interrupted;
	CHECK_EQ(interrupt.handler(0xee, NULL), IRQ_HANDLED);
	CHECK_NOTED("handle");
	machine.regs = NULL;
	CHECK_EQ(interrupt.handler(0xee, NULL), IRQ_HANDLED);
	CHECK_NOTED("");
}

CASES(CASE(it_comes_up), CASE(without_a_pmu_nothing_is_set_up), CASE(an_error_of_the_engine_is_told),
      CASE(each_cpu_is_set_up), CASE(an_interrupt_is_ours))
