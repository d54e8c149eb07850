/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: what comes at a time, on a CPU or for an event for which there is nothing to do; and what was
 * there before.
 */
#ifndef PCL_USER_SPARC_STRAY_H
#define PCL_USER_SPARC_STRAY_H

/* ---- control pages ----------------------------------------------------------------------------------------------- */

/* An exec, or a page, while the PMU is paused: nothing counts before that is over. */
static void who_may_read_is_asked_in_no_pause(void)
{
	struct perf_event *event;

	begin(chip_named("III"));
	event = open_of(current, model.chip->a, false);
	add(event);
	sparc_pmu.pmu_disable(&sparc_pmu);
	sparc_pic_new_mm();
	CHECK(!anything_counts());
	map(event, current);
	CHECK(!anything_counts());
	sparc_pmu.pmu_enable(&sparc_pmu);
	CHECK(is_open());
	check_machine();
}

/* A thread of the kernel has no mm. */
static void a_thread_of_the_kernel_may_read_nothing(void)
{
	static struct task_struct thread;

	begin(chip_named("III"));
	current = &thread;
	add(open_event(model.chip->a, 0));
	CHECK(!is_open() && !sparc_user_may_read());
	check_machine();
}

/* The page of another PMU's event tells of no counter; and without a PMU there is none that it could tell of. */
static void the_page_of_another_pmu_has_no_counter(void)
{
	static struct pmu other;
	struct perf_event event = { .pmu = &other, .attach_state = PERF_ATTACH_TASK };
	struct perf_event_mmap_page page = { .pmc_width = 7 };

	begin(chip_named("III"));
	arch_perf_update_userpage(&event, &page, 0);
	CHECK(!page.cap_user_rdpmc);
	CHECK(!page.cap_user_time && !page.cap_user_time_zero);
	sparc_machine.family = NULL;
	arch_perf_update_userpage(&event, &page, 0);
	CHECK(!page.cap_user_rdpmc);
	CHECK_EQ(page.pmc_width, 0);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

/* The timer of a CPU that went comes on another one: it touches nothing there, and ends. */
static void a_timer_does_nothing_on_another_cpu(void)
{
	struct perf_event *event;
	struct machine machine;

	begin(chip_named("II"));
	event = open_event(model.chip->a, 0);
	add(event);
	cycle(model.chip->a, 3 * BIT_ULL(30));
	machine = model;
	shim_cpu = 1;
	memset(shim_second_cpu, 0, sizeof(shim_second_cpu));
	model = machine;
	time_passes();
	CHECK_EQ(model.pic_writes, machine.pic_writes);
	shim_cpu = 0;
	CHECK(!timer_armed);
	CHECK_EQ(model.pic_writes, machine.pic_writes);
	CHECK_EQ(local64_read(&event->count), 0);
}

/* One that counts already is not started once more, nor one that is still on its way to a counter. */
static void a_start_out_of_turn_is_complained_of(void)
{
	struct perf_event *event;

	begin(chip_named("III"));
	event = open_event(model.chip->a, 0);
	engine.may_warn = true;
	sparc_pmu.pmu_disable(&sparc_pmu);
	CHECK_EQ(sparc_pmu.add(event, 0), 0);
	start(event);
	CHECK_EQ(engine.warned, 1);
	CHECK(!anything_counts());
	sparc_pmu.pmu_enable(&sparc_pmu);
	start(event);
	CHECK_EQ(engine.warned, 1);
	run(model.chip->a, 10);
	model.pic_writes = 0;
	start(event);
	CHECK_EQ(engine.warned, 2);
	CHECK_EQ(model.pic_writes, 0);
	CHECK_EQ(count_of(event), 10);
	check_machine();
}

/* Who finds no counter changes nothing for who has found one. */
static void who_does_not_fit_changes_no_place(void)
{
	struct perf_event *narrow, *other;

	begin(chip_named("III"));
	narrow = open_event(ON_PIC1(0x09), 0);
	other = open_event(ON_PIC1(0x0c), 0);
	sparc_pmu.pmu_disable(&sparc_pmu);
	CHECK_EQ(sparc_pmu.add(narrow, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.add(other, PERF_EF_START), -EAGAIN);
	sparc_pmu.pmu_enable(&sparc_pmu);
	CHECK_EQ(narrow->hw.idx, 1);
	run(ON_PIC1(0x09), 10);
	CHECK_EQ(count_of(narrow), 10);
	check_machine();
}

/* A member that is in error takes no counter, no more than one that is off. */
static void a_member_in_error_fills_no_group(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = ON_PIC0(0x09) };
	struct perf_event *leader, *event;
	int err;

	begin(chip_named("III"));
	leader = open_event(ON_PIC1(0x09), 0);
	event = make(&attr, leader, &err);
	CHECK_EQ(err, 0);
	event->state = PERF_EVENT_STATE_ERROR;
	make(&attr, leader, &err);
	CHECK_EQ(err, 0);
	make(&attr, leader, &err);
	CHECK_EQ(err, -EINVAL);
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

/* What was counted, and how: the registers are as after the boot, and so is what the driver knows of them. */
static void a_reset_forgets_all(void)
{
	const struct sparc_hw *hw = &this_cpu_ptr(&sparc_cpu_pmus)->hw;
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		u64 booted[4];
		unsigned int i;

		begin(chip);
		memcpy(booted, model.pcr, sizeof(booted));
		event = open_of(current, chip->a, false);
		map(event, current);
		add(event);
		add(open_event(chip->b, 0));
		run(chip->a, 5);
		run(chip->b, 5);
		CHECK(sparc_cpu_reset());
		CHECK(!hw->running && !hw->active && !hw->silent);
		for (i = 0; i < chip->pics; i++)
			CHECK_EQ(model.pic[i], 0);
		for (i = 0; i < (has_own_registers() ? chip->pics : 1); i++)
			CHECK_EQ(model.pcr[i], booted[i]);
		check_machine();
	}
}

/* A control register that cannot be written, whichever it is, is one too many. */
static void without_one_register_there_is_no_pmu(void)
{
	unsigned int nr;

	for (nr = 0; nr < 4; nr++) {
		power_on(chip_named("T4"));
		model.refused = BIT(nr);
		registered = 0;
		boot("niagara4");
		CHECK(!sparc_machine.family && !registered && strstr(said, "denies"));
	}
}

#endif
