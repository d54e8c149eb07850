// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: PCR and PIC as registers, and who may use them.
 */
#include "guest.h"

static u64 trap_of(void (*body)(void))
{
	traps = 0;
	last_trap = 0;
	user_run(body);
	return last_trap;
}

static void regs_reset(void)
{
	u64 pcr = rdpcr(), first, second;

	if (!option("dirty", 0)) {
		ok(pcr == 0 && rdpic() == 0, "a reset clears both registers");
		return;
	}
	first = rdpic();
	body_loop();
	second = rdpic();
	ok(pcr & PCR_ST, "somebody left PCR as it was when it counted");
	ok(second - first > 1000, "and it counts");
}

static void regs_values(void)
{
	wrpcr(0);
	wrpic(0x123456789abcdef0);
	ok_equal(rdpic(), 0x123456789abcdef0, "PIC keeps both counters");
	ok_equal(pic(0), 0x9abcdef0, "PIC0 is the lower half");
	wrpcr(~0ul & ~(PCR_ST | PCR_UT));
	ok_equal(rdpcr(), chip->writable & ~(PCR_ST | PCR_UT), "PCR keeps what the chip has");
	wrpcr(0);
	ok_equal(rdpcr(), 0, "and gives it up");
	clear_softint(1 << 15);
}

static void regs_privilege(void)
{
	wrpcr(0);
	wrpic(0x5555);
	ok_equal(trap_of(user_rdpic), 0, "without PRIV user level reads PIC");
	ok_equal(user_value, 0x5555, "and it is right");
	ok_equal(trap_of(user_wrpic), 0, "and writes it");
	ok_equal(rdpic(), 0x1234, "so that it is written");
	ok_equal(trap_of(user_rdpcr), TT_PRIVILEGED_OPCODE, "PCR is privileged: reads");
	ok_equal(trap_of(user_wrpcr), TT_PRIVILEGED_OPCODE, "and writes");
	wrpcr(PCR_PRIV);
	user_value = 0;
	ok_equal(trap_of(user_rdpic), TT_PRIVILEGED_ACTION, "with PRIV user level does not read PIC");
	ok_equal(trap_of(user_wrpic), TT_PRIVILEGED_ACTION, "nor write it");
	ok_equal(rdpic(), 0x1234, "so that it is not written, and privileged level reads it");
	wrpcr(0);
}

void regs_tests(void)
{
	regs_reset();
	regs_values();
	regs_privilege();
}

/* A CPU without PMU: both registers are illegal, as in QEMU. */
void absent_tests(void)
{
	traps = 0;
	rdpcr();
	ok(traps == 1 && last_trap == TT_ILLEGAL, "no PCR");
	wrpcr(0);
	ok_equal(traps, 2, "none to write");
	rdpic();
	ok_equal(traps, 3, "no PIC");
	wrpic(0);
	ok_equal(traps, 4, "none to write");
}
