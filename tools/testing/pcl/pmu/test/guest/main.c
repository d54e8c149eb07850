// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: reads what to expect, runs the tests, prints TAP lines.
 *
 * The command line names what the PMU should be (name=hexadecimal number). The
 * lines have no numbers: the runner joins several guests into one report.
 */
#include "guest.h"

struct pmu pmu;
struct pmu_events events;

static const char *command_line;
static volatile bool second_may_run, second_done;
static volatile bool second_counts, second_interrupts;
static volatile bool second_came_back, second_finds_all;

const char *guest_options(void)
{
	return command_line;
}

void skip(const char *name, const char *why)
{
	put_string("ok - ");
	put_string(name);
	put_string(" # SKIP ");
	put_string(why);
	put_string("\n");
}

static void read_options(void)
{
	pmu.amd = option("amd", 0);
	pmu.version = option("version", 0);
	pmu.gp = option("gp", 0);
	pmu.fixed = option("fixed", 0);
	pmu.width = option("width", 0);
	pmu.full = option("full", 0);
	pmu.skid = option("skid", 0);
	pmu.stats = option("stats", 0);
	pmu.smp = option("smp", 1);

	events.insn = 0xc0;
	events.cycles = pmu.amd ? 0x76 : 0x3c;
	events.branches = pmu.amd ? 0xc2 : 0xc4;
	events.misses = pmu.amd ? 0xc3 : 0xc5;
	events.taken = option("taken", pmu.amd ? 0xc4 : 0);
	events.cond = option("cond", 0);
	events.calls = option("calls", 0);
	events.loads = option("loads", 0);
	events.stores = option("stores", 0);
	events.l1_loads = option("l1loads", 0);
	events.l1_refs = option("l1refs", 0);
	events.l1_misses = option("l1misses", 0);
}

static void absent_tests(void)
{
	u32 regs[4];

	cpuid(0xa, 0, regs);
	ok_equal(regs[0], 0, "no PMU: CPUID leaf 0xA is empty");
	rdpmc_faults(0);
	ok_equal(fault_vector, 6, "no PMU: RDPMC is undefined");
	cpuid(0x50434c00, 0, regs);
	ok(regs[3] != 0x004c4350, "no PMU: no statistics");
}

/* What pmu-dirty=on leaves is there, counts, and goes away when it is written to; everything else is as ever then. */
static void dirty_tests(void)
{
	u64 before;

	ok(rdmsr(select_msr(0)) & SEL_EN, "dirty: a counter was left on");
	before = rdmsr(counter_msr(0));
	ok(rdmsr(counter_msr(0)) > before, "dirty: it counts");
	wrmsr(select_msr(0), 0);
	before = rdmsr(counter_msr(0));
	ok_equal(rdmsr(counter_msr(0)), before, "dirty: until it is turned off");
	wrmsr(counter_msr(0), 0);
	wrmsr(select_msr(1), 0);
	wrmsr(counter_msr(1), 0);
	if (!pmu.amd) {
		ok_equal(rdmsr(MSR_DEBUGCTL), 3 << 11, "dirty: interrupts freeze");
		wrmsr(MSR_DEBUGCTL, 0);
	}
	if (pmu.version >= 2) {
		ok(rdmsr(pmu.amd ? MSR_V2_STATUS : MSR_GLOBAL_STATUS) & 2, "dirty: an overflow was left");
		wrmsr(pmu.amd ? MSR_V2_CLEAR : MSR_GLOBAL_RESET, rdmsr(pmu.amd ? MSR_V2_STATUS : MSR_GLOBAL_STATUS));
		ok_equal(rdmsr(pmu.amd ? MSR_V2_STATUS : MSR_GLOBAL_STATUS), 0, "dirty: until it is cleared");
	}
}

/* ibs=1: both of AMD's sampling units were left on; each raises one NMI, in a quarter of a million instructions. */
static void ibs_tests(void)
{
	static const u32 units[] = { MSR_IBS_FETCH, MSR_IBS_OP };
	static const u64 on[] = { 1ULL << 48, 1ULL << 17 };	/* and the valid bit above it */
	u32 regs[4], i;

	cpuid(0x80000001, 0, regs);
	ok(regs[2] & 1 << 10, "ibs: CPUID tells of it");
	lvtpc_write(LVTPC_NMI);
	for (i = 0; i < 2; i++)
		ok_equal(rdmsr(units[i]), on[i] | 0x4000, "ibs: it was left on");
	nmi_count[0] = 0;
	for (i = 0; i < 200000; i++)
		asm volatile("");
	ok_equal(nmi_count[0], 1, "ibs: one NMI for both, who began together");
	for (i = 0; i < 2; i++)
		ok(rdmsr(units[i]) & on[i] << 1, "ibs: it says that it has a sample");
	for (i = 0; i < 200000; i++)
		asm volatile("");
	ok_equal(nmi_count[0], 1, "ibs: and waits");
	wrmsr(MSR_IBS_OP, on[1] | 0x10);
	for (i = 0; i < 1000; i++)
		asm volatile("");
	ok_equal(nmi_count[0], 2, "ibs: until it is told to go on");
	wrmsr(MSR_IBS_OP, on[1] | 0x10);
	wrmsr(MSR_IBS_OP, 0);
	wrmsr(MSR_IBS_FETCH, 0);
	for (i = 0; i < 200000; i++)
		asm volatile("");
	ok_equal(nmi_count[0], 2, "ibs: what is off raises none");
}

/* What pmu-half makes of the registers: 1, they read as zero; 2, they keep nothing; 3, they fault. */
static void half_tests(u64 half)
{
	u32 control = pmu.amd ? select_msr(0) : MSR_GLOBAL_CTRL;

	if (half == 3) {
		ok(rdmsr_faults(counter_msr(0)) && rdmsr_faults(select_msr(1)), "half: reads fault");
		ok(wrmsr_faults(counter_msr(0), 0) && wrmsr_faults(control, 0), "half: writes fault");
		return;
	}
	wrmsr(counter_msr(0), 0x1234);
	ok_equal(rdmsr(counter_msr(0)), 0, "half: a counter keeps nothing");
	wrmsr(control, 1);
	ok_equal(rdmsr(control), half == 2 && !pmu.amd ? (1 << pmu.gp) - 1 : 0, "half: a control neither");
}

/* What an INIT must leave as it is. */
static void leave_registers(void)
{
	wrmsr(counter_msr(1), 0x1234);
	wrmsr(select_msr(1), events.insn | SEL_OS | SEL_INT);
	if (!pmu.amd && pmu.version >= 2)
		wrmsr(MSR_GLOBAL_CTRL, 2);
}

static bool registers_are_as_left(void)
{
	return rdmsr(counter_msr(1)) == 0x1234 && rdmsr(select_msr(1)) == (events.insn | SEL_OS | SEL_INT) &&
	       (pmu.amd || pmu.version < 2 || rdmsr(MSR_GLOBAL_CTRL) == 2);
}

/* The second CPU: counts and interrupts of its own, while the first counts too; then it is started once more. */
void guest_second(void)
{
	machine_init_local();
	if (option("leak", 0)) {
		leak_second();
		return;
	}
	if (second_done) {
		second_finds_all = registers_are_as_left();
		second_came_back = true;
		return;
	}
	while (!second_may_run)
		asm volatile("pause");
	second_counts = count_is_exact_here();
	second_interrupts = irq_works_here();
	leave_registers();
	second_done = true;
}

static void second_tests(void)
{
	bool exact = true;
	int i;

	if (pmu.smp < 2)
		return;
	machine_start_second();
	second_may_run = true;
	for (i = 0; i < 20 || !second_done; i++)
		exact &= count_is_exact_here();
	ok(exact, "the first CPU counts exactly while the second counts");
	ok(second_counts, "the second CPU counts exactly");
	ok(second_interrupts, "the second CPU gets its own interrupt");
	ok_equal(nmi_count[1], 1, "and gets it once");

	machine_start_second();
	while (!second_came_back)
		asm volatile("pause");
	ok(second_finds_all, "started anew, it finds its registers as it left them");
}

void guest_main(const char *arguments)
{
	command_line = arguments;
	machine_init();
	read_options();
	if (!option("pmu", 0)) {
		absent_tests();
	} else if (option("half", 0)) {
		half_tests(option("half", 0));
	} else if (option("kick", 0)) {
		kick_tests();
	} else if (option("leak", 0)) {
		leak_tests();
	} else if (option("foreign", 0)) {
		foreign_tests();
	} else {
		if (option("dirty", 0))
			dirty_tests();
		if (option("ibs", 0))
			ibs_tests();
		regs_tests();
		count_tests();
		irq_tests();
		second_tests();
	}
	put_string("END\n");
	machine_exit(0);
}
