/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: what the driver finds when it starts.
 */
#ifndef PCL_USER_DRIVER_BOOT_H
#define PCL_USER_DRIVER_BOOT_H

#include "driver_events.h"

/* ---- registers as who ran before left them ----------------------------------------------------------------------- */

static bool works(const struct x86_machine *machine)
{
	x86_machine = *machine;
	return x86_counters_work(layout());
}

static void running(unsigned int nr)
{
	unsigned int i;

	reset();
	model.global = 0xff;
	model.per_access = 3;
	for (i = 0; i < nr; i++) {
		model.select[i] = EVENT | X86_SEL_USR | X86_SEL_OS | X86_SEL_ENABLE;
		model.count[i] = 1000 * i;
	}
}

/* A counter that counts does not keep what is written to it, and is not to be written to. */
static void counters_that_run_at_boot_are_not_broken(void)
{
	struct x86_machine machines[] = { skylake, amd, amd_v2() };
	unsigned int i, nr;

	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		for (nr = 0; nr <= hweight64(machines[i].layout.shape.general); nr++) {
			running(nr);
			CHECK(works(&machines[i]));
			CHECK_EQ(model.wrong, 0);
		}
	}
}

static void firmware_that_counts_is_complained_of(void)
{
	x86_machine = skylake;
	running(0);
	x86_check_firmware(layout());
	CHECK_EQ(model.complaints, 0);
	running(2);
	x86_check_firmware(layout());
	CHECK_EQ(model.complaints, 2);
	running(0);
	model.fixed = 0x030;
	x86_check_firmware(layout());
	CHECK_EQ(model.complaints, 1);
}

static void counters_that_are_not_there_are_noticed(void)
{
	running(0);
	model.zero = true;
	CHECK(!works(&skylake));
	running(0);
	model.faulting = skylake.layout.count;
	CHECK(!works(&skylake));
	running(0);
	model.faulting = skylake.layout.select;
	CHECK(!works(&skylake));
}

/* What FREEZE_PERFMON_ON_PMI, PEBS, branch tracing and half-handled overflows leave behind */
static void what_a_kernel_before_left_is_cleared_one(struct x86_machine machine)
{
	struct perf_event *event;
	unsigned int i;

	reset();
	for (i = 0; i < GENERAL; i++)
		model.select[i] = EVENT | X86_SEL_INT | X86_SEL_OS | X86_SEL_ENABLE;
	model.global = 0xff;
	model.fixed = machine.layout.fixed_control ? 0xbbb : 0;
	model.pebs = machine.layout.pebs_enable ? 0xf : 0;
	model.debugctl = machine.layout.debugctl ? 0x1fc3 : 0;	/* LBR, BTF, TR, BTS, BTINT, BTS_OFF_*, both freezes */
	model.status = CTR_FRZ | LBR_FRZ | 0x23;
	if (machine.layout.fixed_control)
		model.status |= CONDITION | X86_FIXED(1);
	boot(machine);
	CHECK_EQ(model.pebs, 0);
	CHECK_EQ(model.status, 0);
	/* Single-stepping by branches is not the counters'; SMM is kept out of the counts. */
	CHECK_EQ(model.debugctl, machine.layout.debugctl ? 0x4002 : 0);
	model.events = 0;
	event = open_event(EVENT, 1000);
	add(event);
	run(5500);
	CHECK_EQ(engine.samples, 5);
	CHECK_EQ(engine.wrong_periods, 0);
	CHECK_EQ(count_of(event), 5500);
	del(event);
}

static void what_a_kernel_before_left_is_cleared(void)
{
	what_a_kernel_before_left_is_cleared_one(skylake);
	what_a_kernel_before_left_is_cleared_one(amd_v2());
}

/* Instruction-Based Sampling is turned off where it is, if it was on; on family 10h in two steps: erratum 420. */
static void what_samples_instructions_is_turned_off(void)
{
	struct x86_machine machine = amd;
	unsigned int erratum;

	for (erratum = 0; erratum < 2; erratum++) {
		machine.layout.ibs_fetch = IBS_FETCH;
		machine.layout.ibs_op = IBS_OP;
		machine.layout.ibs_erratum_420 = erratum;
		reset();
		model.ibs_fetch = BIT_ULL(48) | 0x1234;
		model.ibs_op = BIT_ULL(17) | BIT_ULL(18) | 0x4321;
		boot(machine);
		CHECK_EQ(model.ibs_fetch, 0);
		CHECK_EQ(model.ibs_op, 0);
		CHECK_EQ(model.ibs_loud, !erratum);
	}
	machine.layout.ibs_fetch = machine.layout.ibs_op = 0;
	reset();
	model.ibs_op = BIT_ULL(17) | 0x4321;
	boot(machine);
	CHECK_EQ(model.ibs_op, BIT_ULL(17) | 0x4321);
}

/* INIT leaves the counters as they are, so a CPU that comes again brings what it had: registers, status, a flight. */
static void init_leaves_the_counters_as_they_were_one(struct x86_machine machine)
{
	struct perf_event *event;
	unsigned int i;

	begin(machine);
	shim_cpu = 1;
	for (i = 0; i < GENERAL; i++) {
		model.select[i] = EVENT | X86_SEL_INT | X86_SEL_OS | X86_SEL_ENABLE;
		model.count[i] = -5 & x86_layout_mask(layout());
	}
	model.global = 0xff;
	model.fixed = machine.layout.fixed_control ? 0xbbb : 0;
	model.status = machine.layout.global_status ? 3 : 0;
	model.per_access = 1;
	second_thread();
	shim_cpu = 1;
	model.per_access = 0;
	CHECK_EQ(model.status, 0);
	model.masked = false;
	event = open_event(EVENT, 1000);
	model.unclaimed = 0;
	add(event);
	run(5500);
	CHECK_EQ(engine.samples, 5);
	CHECK_EQ(count_of(event), 5500);
	CHECK_EQ(model.unclaimed, 0);
	del(event);
}

static void init_leaves_the_counters_as_they_were(void)
{
	init_leaves_the_counters_as_they_were_one(skylake);
	init_leaves_the_counters_as_they_were_one(amd);
	init_leaves_the_counters_as_they_were_one(amd_v2());
}

#endif
