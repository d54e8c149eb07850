// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The test guest: counts of code whose events are known.
 */
#include "guest.h"
#include "../../stats.h"

/* PCR with @event selected, and the other counter standing still */
u64 select(struct event event)
{
	u32 shift = chip->shift[event.idx], field = chip->field[event.idx];

	return field ? (chip->idle & ~((u64)field << shift)) | (u64)event.code << shift : 0;
}

u64 count(struct event event, u64 levels, void (*body)(void))
{
	wrpcr(0);
	wrpic(0);
	measure(select(event) | levels, body);
	return pic(event.idx);
}

static void count_event(struct event event, void (*body)(void), u64 want, const char *name)
{
	if (event.code != NO_EVENT)
		ok_equal(count(event, PCR_ST, body), want, name);
}

static void count_instructions(u32 idx)
{
	struct event insn = chip->insn[idx];

	put_string(idx ? "# PIC1\n" : "# PIC0\n");
	count_event(insn, body_loop, 3003 + AROUND_INSN, "instructions of a loop");
	count_event(insn, body_annul, 3002 + AROUND_INSN, "an annulled delay slot does not count");
	count_event(insn, body_always, 8 + AROUND_INSN, "nor one of a branch without a condition");
	count_event(insn, body_states, 13 + AROUND_INSN, "those that change the state of the CPU count once");
	count_event(insn, body_memory, 605 + AROUND_INSN, "instructions of loads and stores");
	count_event(insn, body_atomic, 8 + AROUND_INSN, "atomic ones count once");
	count_event(insn, body_fp, 6 + AROUND_INSN, "those of floating point too");
	if (insn.code == NO_EVENT)
		return;
	ok_equal(count(insn, PCR_UT, body_loop), 0, "nothing of privileged level is counted with UT alone");
	ok_equal(count(insn, 0, body_loop), 0, "nothing is counted without UT and ST");
}

static void count_kinds(void)
{
	count_event(chip->cycles, body_loop, 3003 + AROUND_INSN + 1000 + AROUND_BRANCH,
		    "cycles: one an instruction, one more a taken branch");
	count_event(chip->branches, body_loop, 1001 + AROUND_BRANCH, "branches");
	count_event(chip->branches, body_always, 5 + AROUND_BRANCH, "branches without a condition");
	count_event(chip->taken, body_loop, 1000 + AROUND_BRANCH, "taken branches");
	count_event(chip->taken, body_annul, 1000 + AROUND_BRANCH, "taken branches, with slots annulled");
	count_event(chip->taken, body_always, 3 + AROUND_BRANCH, "taken branches without a condition");
	count_event(chip->untaken, body_loop, 1, "untaken branches");
	count_event(chip->untaken, body_annul, 1, "untaken branches, with slots annulled");
	count_event(chip->untaken, body_always, 2, "untaken branches without a condition");
	count_event(chip->loads, body_memory, 100, "loads");
	count_event(chip->stores, body_memory, 200, "stores");
	count_event(chip->loads, body_loop, 0, "a loop on registers loads nothing");
	count_event(chip->atomics, body_atomic, 3, "atomic ones");
	count_event(chip->fp, body_fp, 4, "floating point");
	count_event(chip->software, body_software, 5, "the no-operation to count by");
	count_event(chip->other, body_loop, 2002 + 1, "others: all but the branches");
	count_event(chip->other, body_atomic, 2 + 1 + 1 + 1, "others: a prefetch is one");
	count_event(chip->dtlb_misses, body_misses, 3, "data TLB misses");
	count_event(chip->wrong, body_loop, 0, "a code that means nothing on a counter counts nothing");
}

/* T2: two kinds at once; a taken branch is one instruction. */
static void count_sets(void)
{
	struct event set = { 0x203, 0 };

	if (!chip->held)
		return;
	ok_equal(count(set, PCR_ST, body_loop), 1001 + AROUND_BRANCH, "branches and taken ones: each once");
	set.code = 0x218;
	ok_equal(count(set, PCR_ST, body_memory), 300, "loads and stores");
	set.code = 0x200;
	ok_equal(count(set, PCR_ST, body_memory), 0, "an empty set counts nothing");
}

static void count_cache(void)
{
	u64 misses;

	if (chip->rd_misses.code == NO_EVENT)
		return;
	count(chip->rd_misses, PCR_ST, body_near);
	ok_equal(count(chip->rd_misses, PCR_ST, body_near), 0, "4 KB that were loaded do not miss");
	misses = count(chip->rd_misses, PCR_ST, body_lines);
	ok(misses > 180 && misses <= 256, "16 KB miss");
	ok_equal(count(chip->rd_misses, PCR_ST, body_lines), chip->misses_again, "and again, if they do not fit");
	count(chip->rd_misses, PCR_ST, body_far_stores);
	ok_equal(count(chip->rd_misses, PCR_ST, body_loop), 0, "registers miss nothing");
}

/* UltraSPARC I, II: hits on PIC1 */
static void count_hits(void)
{
	struct event rd_hits = { 9, 1 }, wr_hits = { 0xa, 1 };

	if (chip->interrupts)
		return;
	count(rd_hits, PCR_ST, body_near);
	ok_equal(count(rd_hits, PCR_ST, body_near), 64, "4 KB that were loaded hit");
	ok_equal(count(wr_hits, PCR_ST, body_near_stores), 64, "stores to them too");
	ok_equal(count(wr_hits, PCR_ST, body_far_stores), 0, "stores to where nobody loads do not");
	ok_equal(count(wr_hits, PCR_ST, body_far_stores), 0, "and bring nothing in");
}

static void run_nops(void) { user_run(user_nops); }
static void run_faults(void) { user_run(user_faults); }

static void count_privilege(void)
{
	struct event insn = chip->insn[1];
	u64 system;

	ok_equal(count(insn, PCR_UT, run_nops), 53, "user level alone: exact; a Tcc that traps does not count");
	ok_equal(count(insn, PCR_UT, run_faults), 10, "nor do instructions that fault");
	system = count(insn, PCR_ST, run_nops);
	ok(system > 20 && system < 80, "privileged level alone: the way there and back");
	ok_equal(count(insn, PCR_ST | PCR_UT, run_nops), 53 + system, "both: the sum");
	traps = 0;
	count(insn, PCR_ST, body_traps);
	ok_equal(traps, 1000, "1,000 traps");
	system = count(insn, PCR_ST, body_traps) - (3004 + AROUND_INSN);
	ok(system % 1000 == 0 && system / 1000 > 5 && system / 1000 < 25,
	   "what traps does not count, what handles it does, and the same each time");
}

static u64 stat(enum pmu_stat which)
{
	unsigned long long value = 0;

	pmu_stat_read(PMU_STAT_HERE, which, &value);
	return value;
}

/* A write of PCR does not count on a counter that it starts, also while the other one counts. */
static void count_start(void)
{
	u64 other = (u64)chip->insn[0].code << chip->shift[0];

	if (chip->insn[0].code == NO_EVENT)
		return;
	wrpcr((chip->idle & ~((u64)chip->field[0] << chip->shift[0])) | other | PCR_ST);
	wrpic(0);
	measure(select(chip->insn[1]) | PCR_ST, body_loop);
	ok_equal(pic(1), 3003 + AROUND_INSN, "a counter that is started while the other one counts is as exact");
}

static void count_statistics(void)
{
	unsigned long long value;
	u64 before;

	if (!option("stats", 0)) {
		ok(!pmu_stat_read(PMU_STAT_HERE, PMU_STAT_RDPCR, &value) && !pmu_stat_load(PMU_STAT_WRPCR),
		   "no statistics unless asked for");
		return;
	}
	ok_equal(pmu_stat_load(PMU_STAT_ABOUT), PMU_STAT_MAGIC + PMU_STAT_COUNT, "statistics: what there is");
	ok(!pmu_stat_read(PMU_STAT_HERE, PMU_STAT_COUNT, &value), "statistics: none past the last");
	before = stat(PMU_STAT_INSN_USER);
	user_run(user_nops);
	ok_equal(stat(PMU_STAT_INSN_USER) - before, 53, "statistics: user level, with no counter on");
	before = stat(PMU_STAT_INSN_KERNEL);
	body_loop();
	before = stat(PMU_STAT_INSN_KERNEL) - before;
	ok(before >= 3003 && before < 3040, "statistics: privileged level");
	before = stat(PMU_STAT_ATOMIC);
	body_atomic();
	ok_equal(stat(PMU_STAT_ATOMIC) - before, 3, "statistics: atomic ones");
	before = stat(PMU_STAT_TRAPS);
	body_traps();
	ok_equal(stat(PMU_STAT_TRAPS) - before, 1000, "statistics: traps");
	before = stat(PMU_STAT_WRPCR);
	wrpcr(0);
	wrpcr(0);
	ok_equal(stat(PMU_STAT_WRPCR) - before, 2, "statistics: writes of PCR");
	before = stat(PMU_STAT_RDPCR);
	rdpcr();
	ok_equal(stat(PMU_STAT_RDPCR) - before, 1, "statistics: reads of PCR");
	before = stat(PMU_STAT_WRPIC);
	wrpic(0);
	ok_equal(stat(PMU_STAT_WRPIC) - before, 1, "statistics: writes of PIC");
	before = stat(PMU_STAT_RDPIC);
	rdpic();
	rdpic();
	ok_equal(stat(PMU_STAT_RDPIC) - before, 2, "statistics: reads of PIC");
}

void count_tests(void)
{
	count_instructions(0);
	count_instructions(1);
	count_kinds();
	count_sets();
	count_cache();
	count_hits();
	count_privilege();
	count_start();
	count_statistics();
}
