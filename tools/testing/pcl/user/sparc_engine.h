/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: what the engine asks of the driver, in any order that it may.
 */
#ifndef PCL_USER_SPARC_ENGINE_H
#define PCL_USER_SPARC_ENGINE_H

/* How many events earlier than due an interrupt may come */
static unsigned int early(const struct chip *chip)
{
	return chip->kind == T2 ? 16 : 0;
}

/* A machine with two sampled events, each of which has its overflow at the next one. */
static void begin_two(const struct chip *chip, struct perf_event **a, struct perf_event **b)
{
	begin(chip);
	*a = open_event(chip->a, 100);
	*b = open_event(chip->b, 100);
	add(*a);
	add(*b);
	run(chip->a, 99 - early(chip));
	run(chip->b, 99 - early(chip));
}

/* The engine ends a period whose sample is not due: there is none for it, on a counter or off. */
static void a_new_period_begins_without_a_sample(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;
		unsigned int on;

		for (on = 0; on < 2; on++) {
			begin(chip);
			event = open_event(chip->a, 1000);
			add(event);
			run(chip->a, 300);
			if (!on)
				del(event);
			set_period(event, 100, on);
			if (!on)
				add(event);
			run(chip->a, 99 - early(chip));
			CHECK_EQ(engine.samples, 0);
			run(chip->a, 1);
			CHECK_EQ(engine.samples, 1);
			CHECK_EQ(engine.periods, 100);
			run(chip->a, 100);
			CHECK_EQ(engine.samples, 2);
			CHECK_EQ(engine.periods, 200);
			CHECK_EQ(count_of(event), 500 - early(chip));
			run(chip->a, 30);
			set_period(event, 200, true);
			run(chip->a, 199 - early(chip));
			CHECK_EQ(engine.samples, 2);
			run(chip->a, 1);
			CHECK_EQ(engine.samples, 3);
			check_machine();
		}
	}
}

/* One that was due has its sample all the same. */
static void a_new_period_loses_no_sample(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(chip->a, 1000);
		add(event);
		run(chip->a, 999 - early(chip));
		model.skid = 20;
		cycle(chip->a, 1 + early(chip));
		set_period(event, 100, true);
		model.skid = 0;
		take_interrupt();
		CHECK_EQ(engine.samples, 0);
		run(chip->a, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.periods, 1000);
		run(chip->a, 100 - early(chip));
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(engine.periods, 1100);
		check_machine();
	}
}

/* More than a period at once: the periods that nobody saw are not made up. */
static void a_long_delay_has_one_sample(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(chip->a, 100);
		add(event);
		cycle(chip->a, 350);
		take_interrupt();
		CHECK_EQ(engine.samples, 1);
		run(chip->a, 99 - early(chip));
		CHECK_EQ(engine.samples, 1);
		run(chip->a, 1);
		CHECK_EQ(engine.samples, 2);
		cycle(chip->a, 200 + early(chip));
		take_interrupt();
		CHECK_EQ(engine.samples, 3);
		run(chip->a, 100 - early(chip));
		CHECK_EQ(engine.samples, 4);
		check_machine();
	}
}

/* Nothing counts before the engine enables the PMU, whatever starts and stops until then. */
static void nothing_counts_while_the_pmu_is_disabled(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(chip->a, 0);
		b = open_event(chip->b, 0);
		add(a);
		add(b);
		sparc_pmu.pmu_disable(&sparc_pmu);
		sparc_pmu.stop(a, PERF_EF_UPDATE);
		CHECK(!anything_counts());
		sparc_pmu.start(a, PERF_EF_RELOAD);
		CHECK(!anything_counts());
		sparc_pmu.pmu_enable(&sparc_pmu);
		run(chip->a, 10);
		CHECK_EQ(count_of(a), 10);
		check_machine();
	}
}

/* Who is throttled beside another that overflowed leaves the counters standing still for that one's sample. */
static void a_throttle_beside_an_overflow(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *a, *b;

		begin_two(chip, &a, &b);
		engine.throttle = a->hw.idx < b->hw.idx ? a : b;
		model.skid = 1;
		run(chip->a, 1);
		run(chip->b, 1);
		CHECK_EQ(engine.samples, 2);
		CHECK(!engine.throttle);
		check_machine();
	}
}

/* The engine may set the period anew within the interrupt, and throttle, too. */
static void a_period_begins_within_the_interrupt(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		engine.adjust = true;
		event = open_event(chip->a, 100);
		add(event);
		run(chip->a, 1000);
		CHECK_EQ(engine.samples, early(chip) ? 11 : 10);
		CHECK_EQ(count_of(event), 1000);
		engine.throttle = event;
		run(chip->a, 200);
		CHECK(!engine.throttle);
		CHECK(count_of(event) <= 1100);
		check_machine();
	}
}

/* An event that stops while its counter counts has all that it counted. */
static void what_counts_within_a_stop_is_folded(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;
		unsigned int i;

		if (chip->kind == T1)		/* its counters go on */
			continue;
		begin(chip);
		event = open_event(chip->a, 1000);
		model.counted_a = 0;
		add(event);
		model.per_access = chip->a;
		for (i = 0; i < 20; i++) {
			stop(event);
			CHECK_EQ(count_of(event), model.counted_a);
			start(event);
			step();
		}
		model.per_access = 0;
		CHECK(model.counted_a > 20);
		check_machine();
	}
}

/* An event that has no counter yet, or was added stopped, has counted nothing. */
static void an_event_on_its_way_has_counted_nothing(void)
{
	struct perf_event *before, *event;

	begin(chip_named("III"));
	before = open_event(ON_PIC0(0x09), 0);
	add(before);
	run(ON_PIC0(0x09), 70);
	del(before);
	event = open_event(ON_PIC0(0x0a), 0);
	sparc_pmu.pmu_disable(&sparc_pmu);
	CHECK_EQ(sparc_pmu.add(event, 0), 0);
	CHECK_EQ(count_of(event), 0);
	sparc_pmu.pmu_enable(&sparc_pmu);
	CHECK_EQ(count_of(event), 0);
	start(event);
	run(ON_PIC0(0x0a), 10);
	CHECK_EQ(count_of(event), 10);
	check_machine();
}

/* Who comes while another goes is counted where it shall be. */
static void one_comes_as_another_goes(void)
{
	struct perf_event *wide, *narrow;

	begin(chip_named("III"));
	wide = open_event(ON_BOTH(0), 0);
	narrow = open_event(ON_PIC1(0x09), 0);
	add(wide);
	sparc_pmu.pmu_disable(&sparc_pmu);
	CHECK_EQ(sparc_pmu.add(narrow, PERF_EF_START), 0);
	sparc_pmu.del(wide, 0);
	sparc_pmu.pmu_enable(&sparc_pmu);
	CHECK_EQ(narrow->hw.idx, 1);
	run(ON_PIC1(0x09), 10);
	CHECK_EQ(count_of(narrow), 10);
	check_machine();
}

/* The transaction is over, kept or not: who comes alone is asked whether it fits. */
static void after_a_group_each_is_asked_again(void)
{
	struct perf_event *first, *second;
	unsigned int kept;

	for (kept = 0; kept < 2; kept++) {
		begin(chip_named("III"));
		first = open_event(ON_PIC0(0x09), 0);
		second = open_event(ON_PIC0(0x0a), 0);
		sparc_pmu.pmu_disable(&sparc_pmu);
		sparc_pmu.start_txn(&sparc_pmu, PERF_PMU_TXN_ADD);
		if (kept)
			CHECK_EQ(sparc_pmu.add(first, PERF_EF_START), 0);
		if (kept)
			CHECK_EQ(sparc_pmu.commit_txn(&sparc_pmu), 0);
		else
			sparc_pmu.cancel_txn(&sparc_pmu);
		sparc_pmu.pmu_enable(&sparc_pmu);
		if (!kept)
			add(first);
		CHECK_EQ(try_add(second), -EAGAIN);
		check_machine();
	}
}

/* Members of a group that are of another PMU, or disabled, take no counter. */
static void only_what_counts_here_fills_a_group(void)
{
	static struct pmu other;
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = ON_PIC0(0x09) };
	struct perf_event *leader, *event;
	unsigned int i;
	int err;

	begin(chip_named("III"));
	leader = open_event(ON_PIC1(0x09), 0);
	for (i = 0; i < 3; i++) {
		event = make(&attr, leader, &err);
		CHECK_EQ(err, 0);
		if (i & 1)
			event->state = PERF_EVENT_STATE_OFF;
		else
			event->pmu = &other;
	}
	event = make(&attr, leader, &err);
	CHECK_EQ(err, 0);
	make(&attr, leader, &err);
	CHECK_EQ(err, -EINVAL);

	begin(chip_named("III"));
	leader = open_event(ON_PIC0(0x09), 0);
	leader->pmu = &other;
	make(&attr, leader, &err);
	CHECK_EQ(err, 0);
}

/* A counter that was one's that may not interrupt is another's that shall; and two of the first kind. */
static void silent_is_the_event_and_not_the_counter(void)
{
	struct perf_event *quiet, *other;

	begin(chip_named("T2"));
	quiet = open_event(ON_PIC0(0x320), 0);
	other = open_event(ON_PIC0(0x208), 100);
	add(quiet);
	del(quiet);
	add(other);
	run(ON_PIC0(0x208), 1000);
	CHECK_EQ(engine.samples, 10);
	check_machine();

	begin(chip_named("T2"));
	quiet = open_event(ON_BOTH(0x320), 0);
	other = open_event(ON_BOTH(0x320), 0);
	add(quiet);
	cycle(ON_BOTH(0x320), 3 * BIT_ULL(30));
	time_passes();
	model.pic_writes = 0;
	add(other);
	CHECK_EQ(model.pic_writes, 1);
	check_machine();
}

/* The timer ends when the last event has left that needs it, whoever else is there. */
static void the_timer_ends_with_who_needs_it(void)
{
	struct perf_event *quiet, *other;

	begin(chip_named("T2"));
	quiet = open_event(ON_BOTH(0x320), 0);
	other = open_event(ON_BOTH(0x208), 0);
	add(quiet);
	add(other);
	CHECK(timer_armed);
	del(quiet);
	time_passes();
	CHECK(!timer_armed);
}

#endif
