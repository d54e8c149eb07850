// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: overflow, and its interrupt.
 *
 * body_sled() under measure() retires a jump, its delay slot, and then its
 * no-operations. A counter that starts at -n overflows with the nth of them; the
 * interrupt is taken before the one after, or as many later as the skid says.
 */
#include "guest.h"
#include "../../stats.h"

#define START		100	/* overflows that many instructions after the begin */
#define HANDLER		10	/* instructions of the handler before it reads PIC */
#define CLOCKS		10000	/* how often the clock is waited for */
#define PATIENCE	1000000000ul	/* ticks after which it does not come any more: 10 s */

static u64 skid;

static void irq_begin(void)
{
	wrpcr(0);
	wrpic(0);
	clear_softint(1 << 15);
	irq = (struct irq){ .patience = 1 };
}

/* Where the interrupt comes if the @nth instruction causes it */
static u64 place(u64 nth)
{
	return (u64)(sled + nth + skid - 2);
}

/* PIC so that counter @idx overflows with the @nth */
static u64 before_overflow(u32 idx, u64 nth)
{
	return (0x100000000 - nth) << (32 * idx);
}

static void irq_silent(u32 idx)
{
	struct event insn = chip->insn[idx];

	irq_begin();
	wrpic(before_overflow(idx, START));
	measure(select(insn) | PCR_ST, body_sled);
	ok_equal(pic(idx), 256 + 2 + AROUND_INSN - START, "a counter goes on from zero");
	ok(irq.number == 0 && !(softint() & 1 << 15), "and wraps in silence");
}

static void irq_exact(u32 idx)
{
	struct event insn = chip->insn[idx];
	u64 caused = START - chip->early, pcr = select(insn) | PCR_ST | chip->trap[idx];

	irq_begin();
	wrpic(before_overflow(idx, START));
	measure(pcr, body_sled);
	ok_equal(irq.number, 1, "one interrupt");
	ok_equal(irq.tpc, place(caused), chip->early ? "it comes that near to the overflow" : "it comes right after the overflow");
	ok_equal(irq.pcr & (chip->overflow[0] | chip->overflow[1]), chip->overflow[idx], "the overflow bits tell whose");
	ok_equal((u32)(irq.pic >> (32 * idx)) + chip->early, skid + HANDLER, "what the handler reads is what was counted");
	ok(!(softint() & 1 << 15), "nothing is left of it");
}

/* At user level, with the PMU counting that alone */
static void run_user_sled(void)
{
	user_run(user_sled);
}

static void irq_user(void)
{
	struct event insn = chip->insn[1];
	u64 caused = START - chip->early;

	irq_begin();
	wrpic(before_overflow(1, START));
	measure(select(insn) | PCR_UT | chip->trap[1], run_user_sled);
	ok_equal(irq.number, 1, "one interrupt at user level");
	ok_equal(irq.tpc, (u64)user_sled + 4 * (caused + skid), "right after the overflow");
}

/* Level 15 comes at PIL 14, and not at 15. */
static void irq_masked(void)
{
	struct event insn = chip->insn[1];

	irq_begin();
	set_pil(15);
	wrpic(before_overflow(1, START));
	measure(select(insn) | PCR_ST | chip->trap[1], body_sled);
	ok_equal(irq.number, 0, "PIL 15 keeps the interrupt");
	ok(softint() & 1 << 15, "SOFTINT tells of it");
	set_pil(14);
	ok_equal(irq.number, 1, "PIL 14 lets it come");
}

/* Both counters overflow with the same instruction. */
static void irq_both(void)
{
	u64 pcr;

	if (chip->insn[0].code == NO_EVENT)
		return;
	irq_begin();
	pcr = (u64)chip->insn[0].code << chip->shift[0] | (u64)chip->insn[1].code << chip->shift[1];
	wrpic(before_overflow(0, START) | before_overflow(1, START));
	measure(pcr | PCR_ST | chip->trap[0] | chip->trap[1], body_sled);
	ok_equal(irq.number, 1, "two overflows at once are one interrupt");
	ok_equal(irq.tpc, place(START - chip->early), "in its place");
	ok_equal(irq.pcr & (chip->overflow[0] | chip->overflow[1]), chip->overflow[0] | chip->overflow[1],
		 "and both overflow bits are set");
}

/*
 * An overflow bit that is not written away brings the interrupt back, where the
 * chip is so. The last instruction that counts causes it, so that nothing else
 * does.
 */
static void run_user_nops(void)
{
	user_run(user_nops);
}

static void irq_again(void)
{
	struct event insn = chip->insn[1];

	irq_begin();
	irq.patience = 3;
	wrpic(before_overflow(1, 53 + chip->early));
	measure(select(insn) | PCR_UT | chip->trap[1], run_user_nops);
	ok_equal(irq.number, chip->held ? 3 : 1,
		 chip->held ? "it comes again until its bit is written away" : "it does not come again");
	wrpcr(0);
	clear_softint(1 << 15);
	ok(!(softint() & 1 << 15), "then it is over");
}

/* T2: a counter that may not interrupt does not, and sets its bit at the overflow. */
static void irq_forbidden(void)
{
	if (!chip->trap[0])
		return;
	irq_begin();
	wrpic(before_overflow(0, 50));
	measure(select(chip->insn[0]) | PCR_ST, body_loop);
	ok_equal(irq.number, 0, "no interrupt of a counter that may not");
	ok_equal(pic(0), 3003 + AROUND_INSN - 50, "it has overflowed");
}

static void irq_statistics(void)
{
	unsigned long long before = 0, after = 0;

	if (!option("stats", 0) || !pmu_stat_read(PMU_STAT_HERE, PMU_STAT_PMI, &before))
		return;
	irq_exact(1);
	pmu_stat_read(PMU_STAT_HERE, PMU_STAT_PMI, &after);
	ok_equal(after - before, 1, "statistics: interrupts");
}

/* What a program asks for, as a kernel does for its irq_work, comes at once. */
static void irq_asked_for(void)
{
	irq_begin();
	set_softint(1 << 15);
	ok_equal(irq.number, 1, "an interrupt that software asks for comes");
	set_pil(15);
	set_softint(1 << 15);
	ok_equal(irq.number, 1, "not at PIL 15");
	set_pil(14);
	ok_equal(irq.number, 2, "at PIL 14, it does");
}

/* The clock's bit comes from beside, of a thread of the emulator, while the program writes others. */
static void irq_beside_the_clock(void)
{
	u64 lost = 0, asked, i;

	irq_begin();
	set_pil(15);
	for (i = 0; i < CLOCKS && !lost; i++) {
		clear_softint(1);
		asked = tick() + 1000;
		set_tick_compare(asked);
		while (!(softint() & 1) && !lost) {
			if (tick() < asked + 1000000) {
				set_softint(1 << 1);
				clear_softint(1 << 1);
			}
			lost = tick() > asked + PATIENCE;
		}
	}
	set_tick_compare(1ul << 63);
	clear_softint(1);
	set_pil(14);
	ok_equal(lost, 0, "no tick of the clock is lost while other interrupts are asked for");
}

void irq_tests(void)
{
	irq_asked_for();
	irq_beside_the_clock();
	skid = option("skid", 0) + option("late", 0);
	if (!chip->interrupts) {
		irq_silent(0);
		irq_silent(1);
		return;
	}
	if (chip->insn[0].code != NO_EVENT)
		irq_exact(0);
	irq_exact(1);
	irq_user();
	irq_masked();
	irq_both();
	irq_again();
	irq_forbidden();
	irq_statistics();
}
