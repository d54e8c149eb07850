// SPDX-License-Identifier: GPL-2.0
/*
 * How the SPARC driver comes up, who has the counters, and whose an interrupt is: boot.c alone. What it calls of the driver,
 * of the watchdog and to be called by the kernel is noted in the order of the calls, each with the CPU it ran on.
 */
#include "../../../../arch/sparc/events/driver.h"
#include "harness.h"
#include "said.h"

struct sparc_machine sparc_machine;
DEFINE_PER_CPU(struct sparc_cpu_pmu, sparc_cpu_pmus);
static struct pt_regs interrupted;
bool shim_locked, shim_irqs_off;
char shim_second_cpu[65536] __attribute__((__aligned__(64)));
unsigned int shim_cpu;
struct task_struct *current;

/* The machine: what it has, and what it answers. */
enum ultra_tlb_layout tlb_type;
const struct pcr_ops *pcr_ops;
atomic_t nmi_active;
char *sparc_pmu_type;
static struct {
	bool unreachable, misfit, mute, claimed;
	int no_chain, no_pmu;
} machine;

static char noted[1024];
static int (*initcall)(void), (*name_pmu)(char *name), (*came)(unsigned int cpu);
static struct notifier_block *on_chain;

static void note(const char *what)
{
	size_t length = strlen(noted);

	snprintf(noted + length, sizeof(noted) - length, "%s%s %u", length ? ", " : "", what, shim_cpu);
}

/* What was called since the last look */
#define CHECK_NOTED(text) do {						\
	if (strcmp(noted, text))					\
		printf("# noted: %s\n", noted);				\
	CHECK(!strcmp(noted, text));					\
	*noted = 0;							\
} while (0)

/* ---- the kernel ------------------------------------------------------------------------------------------------- */

void shim_initcall(unsigned int level, int (*call)(void))
{
	if (level == SHIM_PURE)
		initcall = call;
}

void shim_setup(const char *text, int (*function)(char *))
{
	if (!strcmp(text, "sparc_pmu="))
		name_pmu = function;
}

int register_die_notifier(struct notifier_block *block)
{
	note("chain");
	on_chain = block;
	return machine.no_chain;
}

int cpuhp_setup_state_nocalls(int state, const char *name, int (*up)(unsigned int cpu), int (*down)(unsigned int cpu))
{
	CHECK(state == CPUHP_AP_ONLINE_DYN && up && !down);
	note("hotplug");
	came = up;
	return 0;
}

/*
 * The watchdog asks whether it may run when it starts: so it is told before it stops, and before it starts. It counts the
 * CPUs that it runs on.
 */
void stop_nmi_watchdog(void *unused)
{
	CHECK(sparc_counters_taken() && shim_locked);
	if (nmi_active.counter > 0)
		nmi_active.counter--;
	note("stop");
}

void start_nmi_watchdog(void *unused)
{
	CHECK(!sparc_counters_taken() && shim_locked);
	nmi_active.counter++;
	note("start");
}

int pcr_arch_init(void)
{
	note("pcr");
	return machine.unreachable ? -ENODEV : 0;
}

/* ---- the driver ------------------------------------------------------------------------------------------------- */

static const struct sparc_layout layout;
static const struct sparc_family families[] = {
	{ .name = "ultra3", .title = "UltraSPARC III", .layout = &layout },
	{ .name = "niagara", .title = "UltraSPARC T1", .layout = &layout },
};

bool sparc_detect(const char *name)
{
	unsigned int i;

	note("detect");
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		sparc_machine.family = &families[i];
		if (!strcmp(families[i].name, name))
			return true;
	}
	sparc_machine.family = NULL;
	return false;
}

bool sparc_hardware_fits(const struct sparc_layout *wanted)
{
	CHECK(wanted == &layout);
	note("fits");
	return !machine.misfit;
}

bool sparc_hardware_answers(void)
{
	note("answers");
	return !machine.mute;
}

void sparc_cpu_prepare(struct sparc_cpu_pmu *cpu)
{
	note(cpu == per_cpu_ptr(&sparc_cpu_pmus, 0) ? "prepare CPU 0 on" :
	     cpu == per_cpu_ptr(&sparc_cpu_pmus, 1) ? "prepare CPU 1 on" : "prepare none");
}

bool sparc_cpu_reset(void)
{
	CHECK(shim_irqs_off);
	note("reset");
	return true;
}

void sparc_sysfs_init(void)
{
	note("sysfs");
}

/* Its registers are tried: nobody else may have them meanwhile. */
int sparc_pmu_init(void)
{
	CHECK(sparc_counters_taken());
	note("pmu");
	return machine.no_pmu;
}

bool sparc_irq_handle(struct pt_regs *regs)
{
	CHECK(regs == &interrupted);
	note("handle");
	return machine.claimed;
}

void sparc_hw_acknowledge(struct sparc_hw *hw)
{
	CHECK(hw == &this_cpu_ptr(&sparc_cpu_pmus)->hw);
	note("acknowledge");
}

void sparc_wrap_return(struct sparc_cpu_pmu *cpu)
{
	CHECK(cpu == this_cpu_ptr(&sparc_cpu_pmus));
	note("return");
}

/* ---- cases ------------------------------------------------------------------------------------------------------ */

static const struct pcr_ops { char none; } some_ops;

/* A III with a watchdog that does not run; nothing has been noted. */
static void power_on(void)
{
	memset(&machine, 0, sizeof(machine));
	memset(&sparc_cpu_pmus, 0, sizeof(sparc_cpu_pmus));
	memset(shim_second_cpu, 0, sizeof(shim_second_cpu));
	shim_cpu = 0;
	tlb_type = cheetah;
	pcr_ops = &some_ops;
	nmi_active.counter = 0;
	sparc_pmu_type = "ultra3";
	CHECK(!shim_locked && !shim_irqs_off);
	CHECK_EQ(name_pmu(""), 1);		/* taken */
	on_chain = NULL;
	came = NULL;
	*noted = 0;
	*said = 0;
}

static void it_comes_up(void)
{
	power_on();
	CHECK_EQ(initcall(), 0);
	CHECK_NOTED("pcr 0, detect 0, fits 0, answers 0, prepare CPU 0 on 0, prepare CPU 1 on 0, chain 0, hotplug 0, sysfs 0, "
		    "stop 0, reset 0, stop 1, reset 1, pmu 0");
	CHECK(sparc_machine.family == &families[0] && !*said && !sparc_counters_taken());
}

/* All but UltraSPARC I and II */
static void who_has_an_interrupt_asks_for_it(void)
{
	for (tlb_type = cheetah; tlb_type <= hypervisor; tlb_type++) {
		enum ultra_tlb_layout type = tlb_type;

		power_on();
		tlb_type = type;
		CHECK_EQ(initcall(), 0);
		CHECK(!strncmp(noted, "pcr 0, detect 0, ", 17));
	}
}

/* UltraSPARC I and II have no interrupt of counters, nor pcr_ops. */
static void without_an_interrupt_nobody_asks_for_one(void)
{
	power_on();
	tlb_type = spitfire;
	pcr_ops = NULL;
	machine.unreachable = true;
	CHECK_EQ(initcall(), 0);
	CHECK(!strncmp(noted, "detect 0, ", 10) && strstr(noted, "pmu 0"));
}

static void check_none(const char *noted_text, const char *why)
{
	CHECK_EQ(initcall(), 0);
	CHECK_NOTED(noted_text);
	if (why && !strstr(said, why))
		printf("# said: %s\n", said);
	CHECK((!why || strstr(said, why)) && !on_chain && !came && !sparc_machine.family);
}

static void without_counters_nothing_is_set_up(void)
{
	power_on();
	sparc_machine.family = NULL;
	machine.unreachable = true;
	check_none("pcr 0", "no access to the counters, or no interrupt");
	power_on();
	sparc_pmu_type = "sparc64-x";
	check_none("pcr 0, detect 0", NULL);		/* sparc_detect() says why. */
	power_on();
	machine.misfit = true;
	check_none("pcr 0, detect 0, fits 0", "other registers than UltraSPARC III");
	power_on();
	machine.mute = true;
	check_none("pcr 0, detect 0, fits 0, answers 0", "no counters");
}

static void an_error_of_the_engine_is_told(void)
{
	power_on();
	machine.no_chain = -EEXIST;
	CHECK_EQ(initcall(), -EEXIST);
	CHECK(strstr(noted, "chain 0") && !strstr(noted, "pmu"));
	power_on();
	nmi_active.counter = 1;
	machine.no_pmu = -ENOMEM;
	CHECK_EQ(initcall(), -ENOMEM);
	CHECK(strstr(noted, "pmu 0, start 0, start 1"));
	CHECK(!sparc_counters_taken());
}

static void a_parameter_names_the_pmu(void)
{
	power_on();
	name_pmu("niagara");
	CHECK_EQ(initcall(), 0);
	CHECK(sparc_machine.family == &families[1]);
	power_on();
	name_pmu("niagara7 and more than fits");
	CHECK_EQ(initcall(), 0);
	CHECK(!sparc_machine.family && !on_chain);
}

static void the_first_event_takes_and_the_last_gives(void)
{
	unsigned int round;

	power_on();
	for (round = 0; round < 2; round++) {
		nmi_active.counter = 2;
		sparc_counters_take();
		CHECK(sparc_counters_taken() && !shim_locked);
		CHECK_NOTED("stop 0, reset 0, stop 1, reset 1");
		CHECK_EQ(nmi_active.counter, 0);
		sparc_counters_take();
		sparc_counters_take();
		sparc_counters_give();
		sparc_counters_give();
		CHECK(sparc_counters_taken());
		CHECK_NOTED("");
		sparc_counters_give();
		CHECK(!sparc_counters_taken());
		CHECK_NOTED("start 0, start 1");
		CHECK_EQ(nmi_active.counter, 2);
	}
}

static void take_before(void)
{
	pcl_shim_interrupt = NULL;
	sparc_counters_take();
}

/* Who waits for another that is the first has nothing to take, and stops no event of that one. */
static void one_of_two_first_ones_takes(void)
{
	power_on();
	pcl_shim_interrupt = take_before;
	sparc_counters_take();
	CHECK_NOTED("stop 0, reset 0, stop 1, reset 1");
	sparc_counters_give();
	CHECK(sparc_counters_taken());
	sparc_counters_give();
	CHECK(!sparc_counters_taken());
}

/* One that does not run (nmi_watchdog=0), or that could not (-1), does not start. */
static void a_watchdog_that_was_off_stays_off(void)
{
	int active;

	for (active = -1; active <= 0; active++) {
		power_on();
		nmi_active.counter = 2;
		sparc_counters_take();
		sparc_counters_give();
		*noted = 0;
		nmi_active.counter = active;
		sparc_counters_take();
		CHECK_NOTED("stop 0, reset 0, stop 1, reset 1");
		sparc_counters_give();
		CHECK_NOTED("");
	}
}

/* Its counters hold anything: unless the watchdog has them, or events that came before this call. */
static void a_cpu_that_comes_is_set_up(void)
{
	power_on();
	CHECK_EQ(initcall(), 0);
	*noted = 0;
	shim_cpu = 1;
	CHECK_EQ(came(1), 0);
	CHECK_NOTED("return 1");
	sparc_counters_take();
	*noted = 0;
	CHECK_EQ(came(1), 0);
	CHECK_NOTED("reset 1, return 1");
	this_cpu_ptr(&sparc_cpu_pmus)->nr = 1;
	CHECK_EQ(came(1), 0);
	CHECK_NOTED("return 1");
	sparc_counters_give();
}

static int interrupt_of(unsigned long reason)
{
	struct die_args args = { .regs = &interrupted };

	return on_chain->notifier_call(on_chain, reason, &args);
}

static void an_interrupt_is_its_owner_s(void)
{
	power_on();
	CHECK_EQ(initcall(), 0);
	*noted = 0;
	CHECK_EQ(interrupt_of(DIE_NMI + 1), NOTIFY_DONE);
	CHECK_NOTED("");
	/* No event is there: the watchdog's. */
	CHECK_EQ(interrupt_of(DIE_NMI), NOTIFY_DONE);
	CHECK_NOTED("handle 0");
	machine.claimed = true;
	CHECK_EQ(interrupt_of(DIE_NMI), NOTIFY_STOP);
	CHECK_NOTED("handle 0");
	/* Events have the counters, none of them here any more: one that was late */
	machine.claimed = false;
	shim_cpu = 1;
	sparc_counters_take();
	*noted = 0;
	CHECK_EQ(interrupt_of(DIE_NMI), NOTIFY_STOP);
	CHECK_NOTED("handle 1, acknowledge 1");
	sparc_counters_give();
	/* Where there is no watchdog, it is nobody else's. */
	pcr_ops = NULL;
	CHECK_EQ(interrupt_of(DIE_NMI), NOTIFY_STOP);
	CHECK_NOTED("handle 1, acknowledge 1");
}

CASES(CASE(it_comes_up), CASE(who_has_an_interrupt_asks_for_it), CASE(without_an_interrupt_nobody_asks_for_one), CASE(without_counters_nothing_is_set_up),
      CASE(an_error_of_the_engine_is_told), CASE(a_parameter_names_the_pmu),
      CASE(the_first_event_takes_and_the_last_gives), CASE(one_of_two_first_ones_takes),
      CASE(a_watchdog_that_was_off_stays_off),
      CASE(a_cpu_that_comes_is_set_up), CASE(an_interrupt_is_its_owner_s))
