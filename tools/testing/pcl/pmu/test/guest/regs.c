// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: registers, their widths, and what faults.
 */
#include "guest.h"

static u64 width_mask(void)
{
	return (1ull << pmu.width) - 1;
}

static void regs_cpuid_intel(void)
{
	u32 regs[4];

	cpuid(0xa, 0, regs);
	ok_equal(regs[0] & 0xff, pmu.version, "CPUID: version");
	ok_equal(regs[0] >> 8 & 0xff, pmu.gp, "CPUID: general counters");
	ok_equal(regs[0] >> 16 & 0xff, pmu.width, "CPUID: their width");
	ok_equal(regs[3] & 0x1f, pmu.fixed, "CPUID: fixed counters");
	if (pmu.version >= 2)
		ok_equal(regs[3] >> 5 & 0xff, pmu.width, "CPUID: their width too");
	ok_equal(regs[1], option("absent", 0), "CPUID: events that are denied");
	ok_equal(regs[2], pmu.version >= 5 ? (1u << pmu.fixed) - 1 : 0,
		 "CPUID: bitmap of fixed counters, version 5 alone");
	cpuid(1, 0, regs);
	ok(regs[2] & 1 << 15, "CPUID: PDCM");
	ok_equal(rdmsr(0x345) >> 13 & 1, pmu.full, "full-width writes as they should be");
}

static void regs_cpuid_amd(void)
{
	u32 regs[4];

	cpuid(0x80000001u, 0, regs);
	ok_equal(regs[2] >> 23 & 1, pmu.gp > 4, "CPUID: extended core counters");
	cpuid(0x80000000u, 0, regs);
	if (pmu.version < 2) {
		ok(regs[0] < 0x80000022u, "CPUID: no leaf of version 2");
		return;
	}
	ok(regs[0] >= 0x80000022u, "CPUID: has the leaf of version 2");
	cpuid(0x80000022u, 0, regs);
	ok(regs[0] & 1, "CPUID: version 2");
	ok_equal(regs[1] & 0xf, pmu.gp, "CPUID: core counters");
}

static void regs_values(void)
{
	u32 counter = counter_msr(pmu.gp - 1);

	wrmsr(counter, 0x12345678);
	ok_equal(rdmsr(counter), 0x12345678, "a counter keeps what is written");
	ok_equal(rdpmc(pmu.gp - 1), 0x12345678, "RDPMC reads the same");
	wrmsr(counter, 0xffffffff80000000ull);
	ok_equal(rdmsr(counter), 0xffffffff80000000ull & width_mask(),
		 "a counter has its width");
	wrmsr(select_msr(0), events.insn | SEL_OS | SEL_INT);
	ok_equal(rdmsr(select_msr(0)), events.insn | SEL_OS | SEL_INT,
		 "an event select keeps what is written");
	wrmsr(select_msr(0), 0);

	/* One short of the end: the next instruction counted wraps it. */
	wrmsr(counter_msr(0), width_mask());
	measure(select_msr(0), events.insn | SEL_ON, 0, body_loop);
	ok_equal(rdmsr(counter_msr(0)), 2001 + AROUND_INSN - 1, "a counter wraps at its width");
}

static void regs_intel_writes(void)
{
	wrmsr(0xc1, 0x80000001);
	ok_equal(rdmsr(0xc1), 0xffffffff80000001ull & width_mask(),
		 "bit 31 is extended into the upper bits");
	wrmsr(0xc1, 0x100000002ull);
	ok_equal(rdmsr(0xc1), 2, "and the written upper bits are dropped");
	if (pmu.full) {
		wrmsr(0x4c1, 0x100000003ull);
		ok_equal(rdmsr(0xc1), 0x100000003ull, "a full-width write keeps them");
		ok(wrmsr_faults(0x4c1, width_mask() + 1), "a full-width write past the width faults");
	} else {
		ok(wrmsr_faults(0x4c1, 1), "no full-width register: faults");
	}
}

static void regs_intel_faults(void)
{
	ok(wrmsr_faults(0x186, 1ull << 32), "event select: reserved bits fault");
	ok(wrmsr_faults(0x186 + pmu.gp, 0) == (pmu.gp < 8), "no select past the last counter");
	ok(rdmsr_faults(0xc1 + pmu.gp) == (pmu.gp < 8), "no counter past the last");
	if (pmu.version < 2) {
		ok(rdmsr_faults(MSR_GLOBAL_CTRL), "version 1 has no global control");
		ok(rdmsr_faults(MSR_GLOBAL_STATUS), "nor global status");
		return;
	}
	ok(wrmsr_faults(MSR_GLOBAL_CTRL, 1ull << pmu.gp), "global control: reserved bits fault");
	ok(wrmsr_faults(MSR_GLOBAL_CTRL, 1ull << (32 + pmu.fixed)),
	   "global control: so do fixed counters that are not there");
	ok(wrmsr_faults(MSR_FIXED_CTRL, 1ull << 4 * pmu.fixed),
	   "fixed control: reserved bits fault");
	ok(wrmsr_faults(MSR_GLOBAL_STATUS, 0), "global status is read only");
	ok(wrmsr_faults(MSR_GLOBAL_RESET, 1ull << 30), "status reset: reserved bits fault");
	wrmsr(MSR_GLOBAL_SET, 1);
	ok_equal(rdmsr(MSR_GLOBAL_STATUS), pmu.version >= 4, "STATUS_SET from version 4 on");
	wrmsr(MSR_GLOBAL_RESET, 1);
	ok(wrmsr_faults(0x186, 1 << 21) == (pmu.version < 3 || pmu.version > 4),
	   "AnyThread in versions 3 and 4 alone");
	wrmsr(0x186, 0);
}

static void regs_intel_status(void)
{
	if (pmu.version < 4)
		return;
	wrmsr(MSR_GLOBAL_SET, 1ull << 32 | 2);
	ok_equal(rdmsr(MSR_GLOBAL_STATUS), 1ull << 32 | 2, "STATUS_SET sets");
	wrmsr(MSR_GLOBAL_RESET, 2);
	ok_equal(rdmsr(MSR_GLOBAL_STATUS), 1ull << 32, "STATUS_RESET resets what it names");
	wrmsr(MSR_GLOBAL_RESET, 1ull << 32);
	ok_equal(rdmsr(MSR_GLOBAL_INUSE), 0, "nothing is in use");
	wrmsr(0x187, 0xc0 | SEL_INT);
	ok_equal(rdmsr(MSR_GLOBAL_INUSE), 1ull << 63 | 2, "a select in use, and the interrupt");
	wrmsr(0x187, 0);

	wrmsr(MSR_GLOBAL_SET, 1ull << 59);
	ok_equal(count_on(0, events.insn | SEL_ON, body_loop), 0, "frozen counters stand still");
	wrmsr(MSR_GLOBAL_RESET, 1ull << 59);
}

static void regs_amd(void)
{
	wrmsr(0xc0010000u, events.insn | SEL_OS);
	ok_equal(rdmsr(select_msr(0)), events.insn | SEL_OS,
		 "the legacy registers are the first four counters");
	wrmsr(0xc0010000u, 0);
	wrmsr(select_msr(0), 1ull << 63 | 1 << 19);
	ok_equal(rdmsr(select_msr(0)), 0, "reserved bits read as zero");
	if (pmu.version < 2)
		return;
	wrmsr(MSR_V2_CONTROL, 0);
	ok_equal(count_on(0, events.insn | SEL_ON, body_loop), 0, "global control stops counters");
	wrmsr(MSR_V2_CONTROL, ~0ull);
	ok_equal(rdmsr(MSR_V2_CONTROL), (1u << pmu.gp) - 1, "global control has a bit a counter");
	wrmsr(MSR_V2_SET, 5);
	ok_equal(rdmsr(MSR_V2_STATUS), 5, "status set");
	wrmsr(MSR_V2_CLEAR, 4);
	ok_equal(rdmsr(MSR_V2_STATUS), 1, "status clear");
	wrmsr(MSR_V2_CLEAR, 1);
	ok(wrmsr_faults(MSR_V2_STATUS, 0), "status is read only");
}

static void regs_rdpmc(void)
{
	ok(!rdpmc_faults(0), "RDPMC of a counter");
	ok(rdpmc_faults(pmu.gp), "RDPMC past the last faults");
	ok(rdpmc_faults(1u << 30) == !pmu.fixed, "RDPMC of a fixed counter, if there are any");
	ok(rdpmc_faults(1u << 30 | pmu.fixed), "RDPMC past the last of them faults");

	set_cr4_pce(false);
	fault_vector = 0;
	user_run(user_rdpmc);
	ok_equal(fault_vector, 13, "RDPMC at CPL 3 faults without CR4.PCE");
	set_cr4_pce(true);
	fault_vector = 0;
	user_run(user_rdpmc);
	ok_equal(fault_vector, 0, "and does not with it");
	set_cr4_pce(false);
}

void regs_tests(void)
{
	if (pmu.amd) {
		regs_cpuid_amd();
		regs_amd();
	} else {
		regs_cpuid_intel();
		regs_intel_writes();
		regs_intel_faults();
		regs_intel_status();
	}
	regs_values();
	regs_rdpmc();
}
