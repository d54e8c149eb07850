// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: what real processors do wrong, and NMIs that are nobody's.
 */
#include "guest.h"

static volatile bool second_runs, second_may_stop, second_stopped;
static volatile u32 second_stray, second_later;

/* What the errata's text prescribes: four events, on four counters, for a moment. */
static void kick(void)
{
	static const u32 magic[] = { 0xb5, 0xd2, 0xb1, 0xb1 };
	u32 i;

	wrmsr(MSR_GLOBAL_CTRL, 0);
	for (i = 0; i < 4; i++) {
		wrmsr(select_msr(i), magic[i] | SEL_ON | SEL_USR);
		wrmsr(counter_msr(i), 0);
	}
	wrmsr(MSR_GLOBAL_CTRL, 0xf);
	wrmsr(MSR_GLOBAL_CTRL, 0);
	for (i = 0; i < 4; i++)
		wrmsr(select_msr(i), 0);
	wrmsr(MSR_GLOBAL_CTRL, 0xf);
}

static bool counts_exactly(u32 counter)
{
	return count_on(counter, events.insn | SEL_ON, body_loop) == 2001 + AROUND_INSN;
}

void kick_tests(void)
{
	ok_equal(count_on(0, events.insn | SEL_ON, body_loop), 0, "kick: without one nothing counts");
	kick();
	ok(counts_exactly(0), "kick: after one, what is added counts");
	ok(counts_exactly(0), "kick: and goes on when it is stopped and started");
	ok_equal(count_on(0, events.branches | SEL_ON, body_loop), 0, "kick: another event needs another");
	ok(!counts_exactly(0), "kick: and nothing else counts until then");
	kick();
	ok(counts_exactly(0), "kick: then it does");
	ok(!counts_exactly(1), "kick: another counter needs another");
	kick();
	ok(counts_exactly(1), "kick: then it does");
	wrmsr(select_msr(3), 0xc0 | SEL_ON);
	kick();
	wrmsr(counter_msr(0), 1);
	ok(counts_exactly(0), "kick: whatever the counters held before");
}

/* The second CPU: a counter is on, for a level at which nothing runs here; then it counts what never happens. */
void leak_second(void)
{
	wrmsr(counter_msr(0), 0);
	wrmsr(counter_msr(1), 0);
	wrmsr(select_msr(0), 0xfe | SEL_EN | SEL_USR);
	second_runs = true;
	while (!second_may_stop)
		asm volatile("pause");
	wrmsr(select_msr(0), 0);
	second_stray = rdmsr(counter_msr(0)) | rdmsr(counter_msr(1)) << 16;
	wrmsr(counter_msr(0), 0);
	wrmsr(select_msr(0), 0xfe | SEL_ON);
	asm volatile("pause");
	wrmsr(select_msr(0), 0);
	second_later = rdmsr(counter_msr(0));
	second_stopped = true;
}

void leak_tests(void)
{
	u64 loads = 100 * 2 + AROUND_LOADS;

	ok_equal(count_on(0, events.loads | SEL_ON, body_memory), loads, "leak: alone, a thread counts loads");
	machine_start_second();
	while (!second_runs)
		asm volatile("pause");
	ok_equal(count_on(0, events.insn | SEL_ON, body_loop), 2001 + AROUND_INSN, "leak: other events stay");
	ok_equal(count_on(1, events.loads | SEL_ON, body_memory), loads, "leak: beside a counter that is off, loads stay");
	ok_equal(count_on(0, events.loads | SEL_ON, body_memory), 0, "leak: beside one that is on, they go");
	second_may_stop = true;
	while (!second_stopped)
		asm volatile("pause");
	ok_equal(second_stray, loads, "leak: the other thread has them, on that counter alone");
	ok_equal(second_later, 0, "leak: and what counts there next has none of them");
	ok_equal(count_on(0, events.loads | SEL_ON, body_memory), loads, "leak: beside one that was on, loads stay");
}

static void run_user_nops(void) { user_run(user_nops); }

/* foreign=N: 51 instructions are counted. */
void foreign_tests(void)
{
	u32 every = option("foreign", 0);

	lvtpc_write(LVTPC_NMI);
	nmi_count[0] = 0;
	ok_equal(count_on(0, events.insn | SEL_EN | SEL_USR, run_user_nops), 51, "foreign: the count is exact");
	ok_equal(nmi_count[0], 51 / every, "foreign: and so many NMIs came");
	if (!pmu.amd)
		ok(!(lvtpc_read() & LVTPC_MASKED), "foreign: not through LVTPC");
	if (pmu.version >= 2)
		ok_equal(rdmsr(pmu.amd ? MSR_V2_STATUS : MSR_GLOBAL_STATUS), 0, "foreign: and the status is clear");
}
