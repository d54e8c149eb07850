// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: overflow, and where its interrupt arrives.
 *
 * The sled is 256 one-byte NOPs behind one CALL, so that the address at which
 * the NMI finds the CPU tells how many instructions had retired.
 */
#include "guest.h"

#define DEPTH 40		/* the NOP whose retirement overflows */

static u64 overflow_status(void)
{
	return rdmsr(pmu.amd ? MSR_V2_STATUS : MSR_GLOBAL_STATUS);
}

static void clear_status(void)
{
	if (pmu.version >= 2)
		wrmsr(pmu.amd ? MSR_V2_CLEAR : MSR_GLOBAL_RESET, (1u << pmu.gp) - 1);
}

/* Count so that the DEPTHth NOP overflows; returns how far the NMI got. */
static u32 run_sled(u32 counter, u32 select, u32 lvtpc)
{
	u32 cpu = cpu_number();

	nmi_count[cpu] = 0;
	nmi_eip[cpu] = 0;
	lvtpc_write(lvtpc);
	wrmsr(select_msr(counter), 0);
	wrmsr(counter_msr(counter), -(u64)(1 + DEPTH));
	measure(select_msr(counter), select, 0, body_sled);
	return nmi_eip[cpu] - (u32)sled;
}

bool irq_works_here(void)
{
	return run_sled(0, events.insn | SEL_ON | SEL_INT, LVTPC_NMI) == DEPTH + pmu.skid;
}

static void irq_basic(void)
{
	u32 select = events.insn | SEL_ON | SEL_INT, last = pmu.gp - 1;

	ok_equal(run_sled(0, select, LVTPC_NMI), DEPTH + pmu.skid,
		 "the NMI arrives skid instructions behind the overflow");
	ok_equal(nmi_count[0], 1, "once");
	ok_equal(lvtpc_read() & LVTPC_MASKED, pmu.amd ? 0 : LVTPC_MASKED,
		 "Intel has masked LVTPC, AMD has not");
	if (pmu.version >= 2)
		ok_equal(overflow_status(), 1, "the status names the counter");
	clear_status();
	ok_equal(run_sled(last, select, LVTPC_NMI), DEPTH + pmu.skid, "the last counter's too");
	if (pmu.version >= 2) {
		ok_equal(overflow_status(), 1u << last, "and its status");
		clear_status();
		ok_equal(overflow_status(), 0, "the status is cleared");
	}
}

static void irq_masked(void)
{
	u32 select = events.insn | SEL_ON | SEL_INT;

	run_sled(0, select, LVTPC_NMI | LVTPC_MASKED);
	ok_equal(nmi_count[0], 0, "no NMI while LVTPC is masked");
	if (pmu.version >= 2)
		ok_equal(overflow_status(), 1, "but the status is set");
	clear_status();
	run_sled(0, select & ~SEL_INT, LVTPC_NMI);
	ok_equal(nmi_count[0], 0, "no NMI without INT");
	if (pmu.version >= 2)
		ok_equal(overflow_status(), 1, "but the status is set here too");
	clear_status();
	run_sled(0, select & ~SEL_OS, LVTPC_NMI);
	ok_equal(nmi_count[0], 0, "no NMI from what is not counted");
}

static void irq_user(void)
{
	nmi_count[0] = 0;
	lvtpc_write(LVTPC_NMI);
	wrmsr(counter_msr(0), -(u64)DEPTH);
	wrmsr(select_msr(0), events.insn | SEL_EN | SEL_USR | SEL_INT);
	user_run(user_sled);
	wrmsr(select_msr(0), 0);
	ok_equal(nmi_eip[0] - (u32)user_sled, DEPTH + pmu.skid, "the same at CPL 3");
	ok_equal(nmi_count[0], 1, "and once");
	clear_status();
}

/* INT retires last at CPL 3: the skid goes on in the kernel's handler. */
static void irq_user_end(void)
{
	nmi_count[0] = 0;
	lvtpc_write(LVTPC_NMI);
	wrmsr(counter_msr(0), -51ull);
	wrmsr(select_msr(0), events.insn | SEL_EN | SEL_USR | SEL_INT);
	user_run(user_nops);
	wrmsr(select_msr(0), 0);
	ok_equal(nmi_count[0], 1, "an overflow at the INT interrupts");
	ok(nmi_eip[0] >= (u32)stub_user_end && nmi_eip[0] < (u32)stub_user_end + 64,
	   "in the handler, though only CPL 3 counts");
	clear_status();
}

static void irq_freeze(void)
{
	if (pmu.amd || pmu.version < 2)
		return;
	wrmsr(MSR_DEBUGCTL, 1 << 12);
	run_sled(0, events.insn | SEL_ON | SEL_INT, LVTPC_NMI);
	wrmsr(MSR_DEBUGCTL, 0);
	ok_equal(rdmsr(counter_msr(0)), pmu.skid, "the interrupt freezes the counter");
	if (pmu.version >= 4) {
		ok_equal(overflow_status(), 1ull << 59 | 1, "the status says so");
		wrmsr(MSR_GLOBAL_RESET, 1ull << 59);
	} else {
		ok_equal(rdmsr(MSR_GLOBAL_CTRL), 0, "global control is cleared");
		wrmsr(MSR_GLOBAL_CTRL, (1u << pmu.gp) - 1);
	}
	clear_status();
}

static void irq_fixed(void)
{
	if (!pmu.fixed)
		return;
	nmi_count[0] = 0;
	lvtpc_write(LVTPC_NMI);
	wrmsr(MSR_GLOBAL_CTRL, 1ull << 32);
	wrmsr(0x309, -(u64)(1 + DEPTH) & ((1ull << pmu.width) - 1));
	measure(MSR_FIXED_CTRL, 9, 0, body_sled);
	ok_equal(nmi_eip[0] - (u32)sled, DEPTH + pmu.skid, "a fixed counter interrupts");
	ok_equal(overflow_status(), 1ull << 32, "and its status is at bit 32");
	wrmsr(MSR_GLOBAL_RESET, 1ull << 32);
	wrmsr(MSR_GLOBAL_CTRL, (1u << pmu.gp) - 1);
}

void irq_tests(void)
{
	irq_basic();
	irq_masked();
	irq_user();
	irq_user_end();
	irq_freeze();
	irq_fixed();
}
