// SPDX-License-Identifier: GPL-2.0
/*
 * IA-64's operations on registers, as instructions: what each does to a processor's registers and PSR, and that it is
 * these instructions in this order and no others.
 *
 * The processor is a few arrays, and a record of what it was told. psr.sp is set, as in the kernel's work for a task:
 * sum and rum leave psr.up as it is then.
 */
#include <linux/perf_event.h>

#include "harness.h"

/* Of their own, so that no bit of the PSR is taken for one of them (regs.h has the real ones) */
#define IA64_GATE_PRIVILEGED	BIT(4)
#define IA64_GATE_USER		BIT(7)

#include "insn.h"

#define NR_REGS		64
#define NR_DEBUG	8
#define OTHERS		(~(IA64_PSR_PP | IA64_PSR_UP))

struct processor {
	u64 pmc[NR_REGS], pmd[NR_REGS], ibr[NR_DEBUG], dbr[NR_DEBUG], psr;
};

struct told {
	enum insn insn;
	u64 nr, value;
};

struct task_struct *current;
unsigned int shim_cpu;
static struct processor cpu;
static struct told record[16];
static unsigned int nr_told;

static u64 *reg_of(enum insn insn, u64 nr)
{
	CHECK(nr < (insn == SET_IBR || insn == SET_DBR ? NR_DEBUG : NR_REGS));
	switch (insn) {
	case GET_PMC:
	case SET_PMC:
		return &cpu.pmc[nr];
	case GET_PMD:
	case SET_PMD:
		return &cpu.pmd[nr];
	default:
		return insn == SET_IBR ? &cpu.ibr[nr] : &cpu.dbr[nr];
	}
}

u64 shim_insn(enum insn insn, u64 nr, u64 value)
{
	CHECK(nr_told < ARRAY_SIZE(record));
	record[nr_told++] = (struct told){ insn, nr, value };
	switch (insn) {
	case GET_PMC:
	case GET_PMD:
		return *reg_of(insn, nr);
	case SET_PMC:
	case SET_PMD:
	case SET_IBR:
	case SET_DBR:
		*reg_of(insn, nr) = value;
		return 0;
	case GET_PSR:
		return cpu.psr;
	case SSM:
		cpu.psr |= nr;
		return 0;
	case RSM:
		cpu.psr &= ~nr;
		return 0;
	default:
		return 0;
	}
}

/* A processor with anything in its registers, and nothing told */
static void reset(void)
{
	u64 *word = (u64 *)&cpu;
	unsigned int i;

	for (i = 0; i < sizeof(cpu) / sizeof(u64); i++)
		word[i] = random_u64();
	cpu.psr |= IA64_PSR_SP;
	nr_told = 0;
}

static void check_told(const struct told *wanted, unsigned int nr)
{
	unsigned int i;

	CHECK_EQ(nr_told, nr);
	for (i = 0; i < nr; i++) {
		CHECK_EQ(record[i].insn, wanted[i].insn);
		CHECK_EQ(record[i].nr, wanted[i].nr);
		CHECK_EQ(record[i].value, wanted[i].value);
	}
}

#define TOLD(...) do {									\
	const struct told wanted_[] = { __VA_ARGS__ };					\
											\
	check_told(wanted_, ARRAY_SIZE(wanted_));					\
} while (0)

/* The PSR as it is to be, and all else as it was */
static void check_others(struct processor before, u64 psr)
{
	before.psr = psr;
	CHECK(!memcmp(&cpu, &before, sizeof(cpu)));
}

static void a_read_is_of_the_register(void)
{
	struct processor before;
	unsigned int nr;

	for (nr = 0; nr < NR_REGS; nr++) {
		reset();
		before = cpu;
		CHECK_EQ(ia64_pmc_read(nr), before.pmc[nr]);
		TOLD({ GET_PMC, nr });
		nr_told = 0;
		CHECK_EQ(ia64_pmd_read(nr), before.pmd[nr]);
		TOLD({ GET_PMD, nr });
		check_others(before, before.psr);
	}
}

static void a_write_is_of_the_register_alone(void)
{
	struct processor before;
	unsigned int nr;
	u64 value;

	for (nr = 0; nr < NR_REGS; nr++) {
		reset();
		before = cpu;
		value = random_u64();
		ia64_pmc_write(nr, value);
		TOLD({ SET_PMC, nr, value });
		nr_told = 0;
		ia64_pmd_write(nr, ~value);
		TOLD({ SET_PMD, nr, ~value });
		before.pmc[nr] = value;
		before.pmd[nr] = ~value;
		check_others(before, before.psr);
	}
}

static void so_is_one_of_a_debug_register(void)
{
	struct processor before;
	unsigned int nr;
	u64 value;

	for (nr = 0; nr < NR_DEBUG; nr++) {
		reset();
		before = cpu;
		value = random_u64();
		ia64_ibr_write(nr, value);
		TOLD({ SET_IBR, nr, value });
		nr_told = 0;
		ia64_dbr_write(nr, ~value);
		TOLD({ SET_DBR, nr, ~value }, { DATA_IS_SERIALIZED });
		before.ibr[nr] = value;
		before.dbr[nr] = ~value;
		check_others(before, before.psr);
	}
}

static void each_serializes_in_its_way(void)
{
	reset();
	ia64_serialize();
	TOLD({ SRLZ_D });
	nr_told = 0;
	ia64_serialize_freeze();
	TOLD({ SRLZ_I });
}

static u64 psr_of(unsigned int gates)
{
	return (gates & IA64_GATE_PRIVILEGED ? IA64_PSR_PP : 0) | (gates & IA64_GATE_USER ? IA64_PSR_UP : 0);
}

static const unsigned int gates[] = { 0, IA64_GATE_PRIVILEGED, IA64_GATE_USER, IA64_GATE_PRIVILEGED | IA64_GATE_USER };

/* Who asks is told what was open before, and the stops keep the read apart from the change. */
static void both_gates_shut(void)
{
	struct processor before;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gates); i++) {
		reset();
		cpu.psr = (cpu.psr & OTHERS) | psr_of(gates[i]);
		before = cpu;
		CHECK_EQ(ia64_gates_shut(), gates[i]);
		TOLD({ STOP }, { GET_PSR }, { STOP }, { RSM, IA64_PSR_PP | IA64_PSR_UP }, { SRLZ_D });
		check_others(before, before.psr & OTHERS);
	}
}

/* Gates that are open already stay so. */
static void those_that_are_named_open(void)
{
	struct processor before;
	unsigned int i, k, nr;

	for (i = 0; i < ARRAY_SIZE(gates); i++) {
		for (k = 0; k < ARRAY_SIZE(gates); k++) {
			reset();
			cpu.psr = (cpu.psr & OTHERS) | psr_of(gates[k]);
			before = cpu;
			ia64_gates_open(gates[i]);
			check_others(before, before.psr | psr_of(gates[i]));
			for (nr = 0; nr + 1 < nr_told; nr++)
				CHECK(record[nr].insn == SSM && hweight32(psr_of(gates[i]) & record[nr].nr) == 1);
			CHECK_EQ(nr_told, hweight32(gates[i]) + 1);
			CHECK_EQ(record[nr_told - 1].insn, SRLZ_D);
		}
	}
}

static void the_users_gate_goes_alone(void)
{
	struct processor before;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gates); i++) {
		reset();
		cpu.psr = (cpu.psr & OTHERS) | psr_of(gates[i]);
		before = cpu;
		ia64_gate_user(true);
		TOLD({ SSM, IA64_PSR_UP }, { SRLZ_D });
		check_others(before, before.psr | IA64_PSR_UP);
		nr_told = 0;
		ia64_gate_user(false);
		TOLD({ RSM, IA64_PSR_UP }, { SRLZ_D });
		check_others(before, before.psr & ~IA64_PSR_UP);
	}
}

CASES(
	CASE(a_read_is_of_the_register),
	CASE(a_write_is_of_the_register_alone),
	CASE(so_is_one_of_a_debug_register),
	CASE(each_serializes_in_its_way),
	CASE(both_gates_shut),
	CASE(those_that_are_named_open),
	CASE(the_users_gate_goes_alone),
)
