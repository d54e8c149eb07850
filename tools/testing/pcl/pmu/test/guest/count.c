// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: counts of code whose events are known.
 */
#include "guest.h"
#include "../../stats.h"

u32 select_msr(u32 counter)
{
	if (!pmu.amd)
		return 0x186 + counter;
	return pmu.gp > 4 ? 0xc0010200u + 2 * counter : 0xc0010000u + counter;
}

u32 counter_msr(u32 counter)
{
	if (!pmu.amd)
		return 0xc1 + counter;
	return pmu.gp > 4 ? 0xc0010201u + 2 * counter : 0xc0010004u + counter;
}

/* An event code is (unit mask << 8 | code), AMD's high nibble at bit 16. */
u64 count_on(u32 counter, u32 select, void (*body)(void))
{
	wrmsr(select_msr(counter), 0);
	wrmsr(counter_msr(counter), 0);
	measure_msr = select_msr(counter);
	measure(select_msr(counter), select, 0, body);
	return rdmsr(counter_msr(counter));
}

static u64 count_fixed(u32 counter, void (*body)(void))
{
	wrmsr(MSR_FIXED_CTRL, 0);
	wrmsr(0x309 + counter, 0);
	wrmsr(MSR_GLOBAL_CTRL, (1ULL << 32) << counter);
	measure_msr = MSR_FIXED_CTRL;
	measure(MSR_FIXED_CTRL, 1 << (4 * counter), 0, body);
	wrmsr(MSR_GLOBAL_CTRL, (1ULL << pmu.gp) - 1);
	return rdmsr(0x309 + counter);
}

bool count_is_exact_here(void)
{
	/* body_loop() does not need measure_msr, which is shared. */
	wrmsr(select_msr(0), 0);
	wrmsr(counter_msr(0), 0);
	measure(select_msr(0), events.insn | SEL_ON, 0, body_loop);
	return rdmsr(counter_msr(0)) == 2001 + AROUND_INSN;
}

static void count_basic(void)
{
	u32 i, exact = 0;

	for (i = 0; i < pmu.gp; i++)
		exact += count_on(i, events.insn | SEL_ON, body_loop) == 2001 + AROUND_INSN;
	ok_equal(exact, pmu.gp, "instructions are exact on every counter");
	ok_equal(count_on(0, events.branches | SEL_ON, body_loop), 1000 + AROUND_BRANCH,
		 "branches are exact");
	ok_equal(count_on(0, events.cycles | SEL_ON, body_loop),
		 2001 + 999 + AROUND_INSN + AROUND_BRANCH,
		 "cycles: one an instruction and one more a taken branch");
	ok_equal(count_on(0, 0xfe | SEL_ON, body_loop), 0, "an unknown event counts nothing");
	ok_equal(count_on(0, events.insn | SEL_EN | SEL_USR, body_loop), 0,
		 "nothing of CPL 0 is counted with USR alone");
	ok_equal(count_on(0, events.insn | SEL_OS | SEL_USR, body_loop), 0,
		 "nothing is counted without EN");
	ok_equal(count_on(0, events.insn | SEL_ON, body_pause), 2 + AROUND_INSN,
		 "PAUSE counts once");
	ok_equal(count_on(0, events.insn | SEL_ON, body_calls), 12 + AROUND_INSN,
		 "instructions of calls and jumps are exact");
	ok_equal(count_on(0, events.branches | SEL_ON, body_calls), 10 + AROUND_BRANCH,
		 "branches of calls and jumps are exact");
}

static void count_string(void)
{
	ok_equal(count_on(0, events.insn | SEL_ON, body_string), 7 + AROUND_INSN,
		 "a repeated string instruction counts once");
	ok_equal(count_on(0, events.branches | SEL_ON, body_string), AROUND_BRANCH,
		 "and is not a branch");
}

/* An event of 0 is one that this CPU lacks: nothing to test. */
static void count_event(u32 event, void (*body)(void), u64 want, const char *name)
{
	if (event)
		ok_equal(count_on(0, event | SEL_ON, body), want, name);
}

static void count_kinds(void)
{
	u64 misses;

	count_event(events.taken, body_loop, 999 + AROUND_BRANCH, "taken branches");
	count_event(events.cond, body_loop, 1000, "conditional branches");
	count_event(events.calls, body_calls, 4 + 1, "calls");
	count_event(events.loads, body_memory, 200 + AROUND_LOADS, "loads");
	count_event(events.stores, body_memory, 200 + AROUND_STORES, "stores");
	count_event(events.loads, body_update, 2 + AROUND_LOADS,
		    "an update in memory is a load, locked or not");
	count_event(events.stores, body_update, 2 + AROUND_STORES, "and a store");
	count_event(events.loads, body_loop, AROUND_LOADS, "a loop on a register loads nothing");

	misses = count_on(0, events.misses | SEL_ON, body_loop);
	ok(misses >= 1 && misses <= 6, "mispredictions of a loop are few, and not none");
}

static void count_cache(void)
{
	u64 first, second;

	if (!events.l1_misses)
		return;
	first = count_on(0, events.l1_misses | SEL_ON, body_lines);
	second = count_on(0, events.l1_misses | SEL_ON, body_lines);
	ok(first >= 256 && first <= 258 && second <= 2,
	   "a first pass over 16 KB misses, a second does not");
	if (events.l1_loads)
		ok_equal(count_on(0, events.l1_loads | SEL_ON, body_lines), 512 + AROUND_LOADS,
			 "and both look the lines up");
	if (events.l1_refs)
		ok_equal(count_on(0, events.l1_refs | SEL_ON, body_lines),
			 512 + AROUND_LOADS + AROUND_STORES, "and both look the lines up");
	count_on(0, events.l1_misses | SEL_ON, body_wide);
	ok(count_on(0, events.l1_misses | SEL_ON, body_wide) >= 1024,
	   "64 KB never fit the first level");
}

static void count_thresholds(void)
{
	u32 insn = events.insn | SEL_ON, cycles = events.cycles | SEL_ON;
	u64 n = 2001 + AROUND_INSN, c = n + 999 + AROUND_BRANCH;

	ok_equal(count_on(0, insn | SEL_CMASK(1), body_loop), n, "cmask 1 counts busy cycles");
	ok_equal(count_on(0, insn | SEL_CMASK(2), body_loop), 0, "cmask 2 is never reached");
	ok_equal(count_on(0, insn | SEL_CMASK(1) | SEL_INV, body_loop), c - n,
		 "cmask 1 inverted counts idle cycles");
	ok_equal(count_on(0, insn | SEL_CMASK(16) | SEL_INV, body_loop), c,
		 "cmask 16 inverted counts every cycle");
	ok_equal(count_on(0, insn | SEL_INV, body_loop), n, "inv without cmask means nothing");
	ok_equal(count_on(0, insn | SEL_INV | SEL_EDGE, body_loop), 999 + AROUND_BRANCH + 1,
		 "nor with edge, which then counts the beginnings of busy spells");
	ok_equal(count_on(0, cycles | SEL_CMASK(1), body_loop), c, "clocks meet cmask 1");
	ok_equal(count_on(0, cycles | SEL_CMASK(2), body_loop), 0, "clocks do not meet cmask 2");
	/* A taken branch's second cycle is idle: one spell of idleness each. */
	ok_equal(count_on(0, insn | SEL_CMASK(1) | SEL_INV | SEL_EDGE, body_loop),
		 999 + AROUND_BRANCH, "edge counts the beginnings of idle spells");
	ok_equal(count_on(0, cycles | SEL_CMASK(1) | SEL_EDGE, body_loop), 1,
		 "edge counts a condition that never ends once");
}

/* place, bad, good: an event on a counter that lacks it, and on one that has it. */
static void count_places(void)
{
	u32 event = option("place", 0), bad = option("bad", 0), good = option("good", 0);

	if (!event)
		return;
	ok_equal(count_on(bad, event | SEL_ON, body_wide), 0,
		 "an event on a wrong counter counts nothing");
	ok(count_on(good, event | SEL_ON, body_wide) != 0, "and counts on a right one");
}

static void run_user_nops(void) { user_run(user_nops); }
static void run_user_fault(void) { user_run(user_fault); }

static void count_privilege(void)
{
	u32 user = events.insn | SEL_EN | SEL_USR, os = events.insn | SEL_ON;
	u64 kernel;

	ok_equal(count_on(0, user, run_user_nops), 51, "CPL 3 alone: exact, INT included");
	ok_equal(count_on(0, user, run_user_fault), 10,
		 "an instruction that faults does not count");
	kernel = count_on(0, os, run_user_nops);
	ok(kernel > 20 && kernel < 60, "CPL 0 alone: only the way there and back");
	ok_equal(count_on(0, user | SEL_OS, run_user_nops), 51 + kernel,
		 "both: the sum");
}

static void count_fixed_counters(void)
{
	u64 insn = 2001 + AROUND_INSN, cycles = insn + 999 + AROUND_BRANCH;

	if (!pmu.fixed)
		return;
	ok_equal(count_fixed(0, body_loop), insn, "fixed 0: instructions");
	if (pmu.fixed > 1)
		ok_equal(count_fixed(1, body_loop), cycles, "fixed 1: cycles");
	if (pmu.fixed > 2)
		ok_equal(count_fixed(2, body_loop), cycles, "fixed 2: reference cycles");
	if (pmu.fixed > 3)
		ok_equal(count_fixed(3, body_loop), cycles * option("slots", 5), "fixed 3: slots");
}

/* AMD's guest and host bits, with EFER.SVME clear: either stops the counter. */
static void count_modes(void)
{
	u32 event = events.insn | SEL_ON;

	if (!pmu.amd || option("k7", 0))
		return;
	wrmsr(counter_msr(0), 0);
	measure(select_msr(0), event, 1u << 9, body_loop);
	ok_equal(rdmsr(counter_msr(0)), 0, "host only counts nothing without SVME");
	measure(select_msr(0), event, 1u << 8, body_loop);
	ok_equal(rdmsr(counter_msr(0)), 0, "guest only counts nothing without SVME");
	wrmsr(0xc0000080u, rdmsr(0xc0000080u) | 1 << 12);
	if (!(rdmsr(0xc0000080u) & 1 << 12)) {
		skip("host only counts with SVME", "this CPU has no SVM");
		return;
	}
	measure(select_msr(0), event, 1u << 9, body_loop);
	ok_equal(rdmsr(counter_msr(0)), 2001 + AROUND_INSN, "host only counts with SVME");
	wrmsr(counter_msr(0), 0);
	measure(select_msr(0), event, 1u << 8, body_loop);
	ok_equal(rdmsr(counter_msr(0)), 0, "guest only counts nothing outside a guest");
	wrmsr(0xc0000080u, rdmsr(0xc0000080u) & ~(1ull << 12));
}

static u64 stat(enum pmu_stat which)
{
	u64 value = 0;

	pmu_stat_read(PMU_STAT_HERE, which, &value);
	return value;
}

/* What an instruction's count hides: locks, repetitions, interrupts sent. */
static void count_hidden(void)
{
	u64 locked = stat(PMU_STAT_LOCKED), bytes = stat(PMU_STAT_REP_BYTES), ipis = stat(PMU_STAT_IPI);
	u32 memory = 0, other = 0;

	asm volatile("lock incl %0\n\tincl %0\n\txchgl %0, %1\n\txchgl %%eax, %1\n\txchgl %%eax, %1\n\tlock cmpxchgl %1, %0"
		     : "+m" (memory), "+r" (other) : : "eax", "cc");
	body_string();
	ipi_send_nowhere();
	ok_equal(stat(PMU_STAT_LOCKED) - locked, 3, "statistics: locked instructions");
	ok_equal(stat(PMU_STAT_REP_BYTES) - bytes, 100, "statistics: bytes of repeated string instructions");
	ok_equal(stat(PMU_STAT_IPI) - ipis, 1, "statistics: interrupts sent");
}

static void count_statistics(void)
{
	u64 value, reads, writes, rdpmcs, lvtpc;

	if (!pmu.stats) {
		ok(!pmu_stat_read(PMU_STAT_HERE, PMU_STAT_RDMSR, &value),
		   "no statistics unless asked for");
		return;
	}
	ok(pmu_stat_read(0, PMU_STAT_RDMSR, &value), "statistics: the leaf answers");
	ok(!pmu_stat_read(0, PMU_STAT_COUNT, &value), "statistics: none past the last");
	ok(!pmu_stat_read(99, PMU_STAT_RDMSR, &value), "statistics: no CPU 99");
	reads = stat(PMU_STAT_RDMSR);
	writes = stat(PMU_STAT_WRMSR);
	rdpmcs = stat(PMU_STAT_RDPMC);
	lvtpc = stat(PMU_STAT_LVTPC);
	rdmsr(select_msr(0));
	rdmsr(counter_msr(0));
	wrmsr(counter_msr(0), 0);
	rdpmc(0);
	rdpmc(0);
	rdpmc(0);
	lvtpc_write(LVTPC_NMI | LVTPC_MASKED);
	ok_equal(stat(PMU_STAT_RDMSR) - reads, 2, "statistics: RDMSRs");
	ok_equal(stat(PMU_STAT_WRMSR) - writes, 1, "statistics: WRMSRs");
	ok_equal(stat(PMU_STAT_RDPMC) - rdpmcs, 3, "statistics: RDPMCs");
	ok_equal(stat(PMU_STAT_LVTPC) - lvtpc, 1, "statistics: LVTPC writes");

	value = stat(PMU_STAT_INSN_USER);
	run_user_nops();
	ok_equal(stat(PMU_STAT_INSN_USER) - value, 51,
		 "statistics: user instructions, with no counter on");
	value = stat(PMU_STAT_INSN_KERNEL);
	body_loop();
	value = stat(PMU_STAT_INSN_KERNEL) - value;
	ok(value > 2002 && value < 2060, "statistics: kernel instructions");
	count_hidden();
}

static u64 rdtsc(void)
{
	u64 tsc;

	asm volatile("rdtsc" : "=A" (tsc));
	return tsc;
}

/* Instructions retired in @body by the statistics, less by QEMU's own clock. */
static u64 beyond_clock(void (*body)(void))
{
	u64 insn = stat(PMU_STAT_INSN_USER) + stat(PMU_STAT_INSN_KERNEL);
	u64 tsc = rdtsc();

	body();
	tsc = rdtsc() - tsc;
	return stat(PMU_STAT_INSN_USER) + stat(PMU_STAT_INSN_KERNEL) - insn - tsc;
}

/*
 * Under icount QEMU counts instructions by itself, for its virtual time: the
 * two must differ by the same few instructions around every body. (A repeated
 * string instruction is more than one to icount, so none is among them.)
 */
static void count_against_clock(void)
{
	static void (*const bodies[])(void) = {
		body_loop, body_memory, body_update, body_calls, body_lines,
		body_wide, body_sled, run_user_nops,
	};
	u64 around = beyond_clock(body_sled);
	bool equal = true;
	u32 i;

	if (!option("clock", 0))
		return;
	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		equal &= beyond_clock(bodies[i]) == around;
	ok(equal && around < 100, "instructions agree with the emulator's own clock");
}

void count_tests(void)
{
	count_basic();
	count_string();
	count_kinds();
	count_cache();
	count_thresholds();
	count_places();
	count_privilege();
	count_fixed_counters();
	count_modes();
	count_statistics();
	count_against_clock();
}
