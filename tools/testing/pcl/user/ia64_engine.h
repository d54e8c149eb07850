/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what the engine asks of the driver, and is told by it.
 */
#ifndef PCL_USER_IA64_ENGINE_H
#define PCL_USER_IA64_ENGINE_H

/* How often the handler said how long it took: 7 ns, from one look at the clock to the next */
static unsigned int told;

u64 sched_clock(void)
{
	static u64 now;

	return now += 7;
}

void perf_sample_event_took(u64 ns)
{
	CHECK_EQ(ns, 7);
	told++;
}

/* The control page of one event, as the engine keeps it: what a program knows until the next update */
static struct perf_event *mapped;
static struct perf_event_mmap_page control_page;

void perf_event_update_userpage(struct perf_event *event)
{
	if (event != mapped)
		return;
	control_page.index = event->hw.state & PERF_HES_STOPPED ? 0 : event->pmu->event_idx(event);
	control_page.offset = local64_read(&event->count) - (control_page.index ? arch_perf_user_base(event) : 0);
	arch_perf_update_userpage(event, &control_page, 0);
}

/* Between two updates the page says the same, and what the program makes of it is true all the time. */
static u64 read_by_page(void)
{
	u64 value = control_page.offset;

	if (control_page.index)
		value += sign_extend64(user_read(control_page.index - 1), control_page.pmc_width - 1);
	return value;
}

static void the_page_knows_when_a_counter_stops(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i;

		begin(chip);
		event = open_event(CYCLES | IA64_CONFIG_UP, 100);
		mapped = event;
		add(event);
		user_up(true);
		for (i = 1; i < 250; i++) {
			run(CYCLES, 1);
			CHECK_EQ(read_by_page(), i);
		}
		engine.throttle = event;
		run(CYCLES, 100);
		CHECK_EQ(count_of(event), 300);
		CHECK_EQ(read_by_page(), 300);
		start(event);
		run(CYCLES, 10);
		CHECK_EQ(read_by_page(), 310);
		stop(event);
		CHECK_EQ(read_by_page(), 310);
		start(event);
		del(event);
		CHECK_EQ(read_by_page(), 310);
		mapped = NULL;
		check_machine();
	}
}

/* A new period from now on, as the engine sets it: PERF_EVENT_IOC_PERIOD, and frequency mode */
static void set_period(struct perf_event *event, u64 period)
{
	enter_kernel();
	event->hw.sample_period = period;
	ia64_pmu.stop(event, PERF_EF_UPDATE);
	local64_set(&event->hw.period_left, 0);
	ia64_pmu.start(event, PERF_EF_RELOAD);
	return_to_user();
}

/* There is no sample for the period that so ends, unless one was due. */
static void a_new_period_begins_without_a_sample(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 1000);
		add(event);
		run(CYCLES, 300);
		set_period(event, 100);
		run(CYCLES, 99);
		CHECK_EQ(engine.samples, 0);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.periods, 100);
		run(CYCLES, 30);
		set_period(event, 200);
		run(CYCLES, 199);
		CHECK_EQ(engine.samples, 1);
		model.irqs_on = false;
		cycle(CYCLES, 1);
		set_period(event, 50);
		CHECK_EQ(engine.samples, 1);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(engine.periods, 300);
		run(CYCLES, 50);
		CHECK_EQ(engine.samples, 3);
		CHECK_EQ(engine.periods, 350);
		CHECK_EQ(count_of(event), 681);
		check_machine();
	}
}

#endif
