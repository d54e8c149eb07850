/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: overflows whose interrupt comes when the driver is at something else, or too early; and events
 * that were stopped, and begin anew.
 */
#ifndef PCL_USER_SPARC_LATE_H
#define PCL_USER_SPARC_LATE_H

/* ---- the interrupt comes in a pause ------------------------------------------------------------------------------ */

/* Both have passed zero in the same pause: each has its sample at its next event. */
static void each_of_two_that_are_late_has_its_sample(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *a, *b;

		begin_two(chip, &a, &b);
		model.skid = 1000;
		cycle(chip->a, 1 + early(chip));
		cycle(chip->b, 1 + early(chip));
		sparc_pmu.pmu_disable(&sparc_pmu);
		model.skid = 0;
		take_interrupt();
		sparc_pmu.pmu_enable(&sparc_pmu);
		CHECK_EQ(engine.samples, 0);
		/* The one on the higher counter first: its interrupt finds it alone. */
		run(b->hw.idx > a->hw.idx ? chip->b : chip->a, 1);
		CHECK_EQ(engine.samples, 1);
		run(b->hw.idx > a->hw.idx ? chip->a : chip->b, 1);
		CHECK_EQ(engine.samples, 2);
		check_machine();
	}
}

/* The sample of @a is due, and its interrupt has come too late for it, or has not come: the next event brings it. */
static void check_late(u64 a)
{
	model.skid = 0;
	take_interrupt();
	run(a, 1);
	CHECK_EQ(engine.samples, 1);
	check_machine();
}

static void map_here(struct perf_event *event)
{
	map(event, current);
}

/* @call pauses the PMU while it runs, for an event that stands beside the one that is late. */
static void check_late_in(void (*call)(struct perf_event *event))
{
	const struct chip *chip;

	each_sampler(chip) {
		unsigned int skid;

		for (skid = 1; skid < 30; skid++) {
			struct perf_event *late, *beside;

			begin(chip);
			late = open_event(chip->a, 100);
			beside = open_of(current, chip->b, false);
			add(late);
			add(beside);
			if (call == start)
				stop(beside);
			run(chip->a, 99 - early(chip));
			model.skid = skid;
			cycle(chip->a, 1 + early(chip));
			call(beside);
			check_late(chip->a);
		}
	}
}

static void a_stop_loses_no_sample_of_another(void)
{
	check_late_in(stop);
}

static void a_start_loses_no_sample_of_another(void)
{
	check_late_in(start);
}

static void a_page_loses_no_sample_of_another(void)
{
	check_late_in(map_here);
}

/* The timer's look pauses the PMU, too, where it sets a silent counter back. */
static void a_look_loses_no_sample_of_another(void)
{
	struct perf_event *quiet, *sampled;
	unsigned int skid;

	for (skid = 1; skid < 30; skid++) {
		begin(chip_named("T2"));
		quiet = open_event(ON_BOTH(0x320), 0);
		sampled = open_event(ON_BOTH(0x208), 100);
		add(quiet);
		add(sampled);
		cycle(ON_BOTH(0x320), 3 * BIT_ULL(30));
		run(ON_BOTH(0x208), 83);
		model.skid = skid;
		cycle(ON_BOTH(0x208), 17);
		time_passes();
		check_late(ON_BOTH(0x208));
	}
}

/* An interrupt in a pause is acknowledged: on T4 in the register of the counter that overflowed, whichever it is. */
static void check_acknowledged(unsigned int nr, unsigned int period)
{
	struct perf_event *events[4], *sampled, *other;
	unsigned int i;

	begin(chip_named("T4"));
	for (i = 0; i < 4; i++) {
		events[i] = open_event(i == nr ? model.chip->a : model.chip->b, i == nr ? period : 0);
		add(events[i]);
		CHECK_EQ(events[i]->hw.idx, i);
	}
	sampled = events[nr];
	other = events[nr ? 0 : 1];
	model.counted_a = 0;
	model.per_access = model.chip->a;
	pcl_shim_interrupt = take_interrupt;
	for (i = 0; i < 50; i++) {
		model.skid = random_below(3);
		del(other);
		run(model.chip->a, 1 + random_below(3));
		add(other);
	}
	model.per_access = 0;
	model.skid = 0;
	take_interrupt();
	pcl_shim_interrupt = NULL;
	CHECK_EQ(count_of(sampled), model.counted_a);
	check_machine();
}

static void each_counter_is_acknowledged(void)
{
	unsigned int nr, period;

	for (nr = 0; nr < 4; nr++) {
		for (period = 20; period < 120; period++)
			check_acknowledged(nr, period);
	}
}

/* ---- the interrupt comes within a read --------------------------------------------------------------------------- */

/* The interrupt may come within a read, and reload the counter to where it was; or another read may. */
static struct perf_event *read_inside;
static unsigned int happens_after;

static void overflow_now(void)
{
	if (happens_after--)
		return;
	pcl_shim_interrupt = NULL;
	cycle(model.chip->a, 6);
	take_interrupt();
}

static void read_now(void)
{
	if (happens_after--)
		return;
	pcl_shim_interrupt = NULL;
	cycle(model.chip->a, 3);
	sparc_pmu.read(read_inside);
}

/* @event is read, and @now comes at the step @at of that. Returns whether there are so many. */
static bool read_with(struct perf_event *event, unsigned int at, void (*now)(void))
{
	bool came;

	happens_after = at;
	pcl_shim_interrupt = now;
	count_of(event);
	came = !pcl_shim_interrupt;
	pcl_shim_interrupt = NULL;
	return came;
}

static void what_comes_within_a_read_counts_once(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;
		unsigned int at, within = 0;

		for (at = 0; at < 12; at++) {
			bool came;

			/* The period is what is counted at once, so the counter starts over from the same value. */
			begin(chip);
			event = open_event(chip->a, 16 + early(chip));
			add(event);
			run(chip->a, 10);
			came = read_with(event, at, overflow_now);
			within += came;
			CHECK_EQ(count_of(event), came ? 16 : 10);

			begin(chip);
			event = open_event(chip->a, 0);
			add(event);
			run(chip->a, 10);
			read_inside = event;
			came = read_with(event, at, read_now);
			CHECK_EQ(count_of(event), came ? 13 : 10);
		}
		CHECK(within > 4);
	}
}

/* The interrupt may stop the event that is read; its counter goes on on some chips. */
static void stop_now(void)
{
	if (happens_after--)
		return;
	pcl_shim_interrupt = NULL;
	cycle(model.chip->a, 6);
	take_interrupt();
	cycle(model.chip->a, 5);
}

static void what_stops_within_a_read_counts_no_more(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;
		unsigned int at;

		for (at = 0; at < 12; at++) {
			bool came;

			begin(chip);
			event = open_event(chip->a, 16 + early(chip));
			add(event);
			add(open_event(chip->b, 0));
			run(chip->a, 10);
			engine.throttle = event;
			came = read_with(event, at, stop_now);
			CHECK_EQ(count_of(event), came ? 16 : 10);
		}
	}
}

/* A read that the interrupt comes into takes nothing off the period that has begun. */
static void a_read_leaves_the_period_as_it_is(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		unsigned int at, within = 0;

		for (at = 0; at < 12; at++) {
			struct perf_event *event;

			begin(chip);
			event = open_event(chip->a, 16 + early(chip));
			add(event);
			run(chip->a, 10);
			if (!read_with(event, at, overflow_now))
				continue;
			within++;
			CHECK_EQ(engine.samples, 1);
			run(chip->a, 15 + early(chip));
			CHECK_EQ(engine.samples, 1);
			run(chip->a, 1);
			CHECK_EQ(engine.samples, 2);
			check_machine();
		}
		CHECK(within > 4);
	}
}

/* ---- how early an interrupt may be ------------------------------------------------------------------------------- */

/* T2's comes with 16 events left to the counter: of a period that is longer by one than it can hold, 17 are left. */
static void with_seventeen_left_no_sample_is_due(void)
{
	struct perf_event *event;

	begin(chip_named("T2"));
	event = open_event(model.chip->a, SPARC_MAX_PERIOD + 1);
	add(event);
	cycle(model.chip->a, SPARC_MAX_PERIOD - 16);
	take_interrupt();
	CHECK_EQ(model.interrupts, 1);
	CHECK_EQ(engine.samples, 0);
	run(model.chip->a, 1);
	CHECK_EQ(engine.samples, 1);
	check_machine();
}

/* ---- what begins anew -------------------------------------------------------------------------------------------- */

/* A new period for who is throttled, and then leaves: there is no sample for what the old one lacked. */
static void a_period_set_while_stopped_has_no_sample(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(chip->a, 1000);
		add(event);
		run(chip->a, 300);
		stop(event);
		set_period(event, 100, false);
		del(event);
		add(event);
		run(chip->a, 99 - early(chip));
		CHECK_EQ(engine.samples, 0);
		run(chip->a, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.periods, 100);
		check_machine();
	}
}

/* An event was moved while it was stopped. That is over when it starts, or leaves: it counts wherever it is then. */
static void what_was_moved_stopped_is_forgotten(void)
{
	unsigned int started;

	for (started = 0; started < 2; started++) {
		struct perf_event *wide, *narrow;

		begin(chip_named("III"));
		wide = open_event(ON_BOTH(0), 0);
		narrow = open_event(ON_PIC0(0x09), 0);
		add(wide);
		stop(wide);
		add(narrow);
		CHECK_EQ(wide->hw.idx, 1);
		if (started) {
			start(wide);
			del(narrow);
			add(open_event(ON_PIC1(0x09), 0));
			CHECK_EQ(wide->hw.idx, 0);
		} else {
			del(wide);
			add(wide);
		}
		run(ON_BOTH(0), 10);
		CHECK_EQ(count_of(wide), 10);
		check_machine();
	}
}

/* Who is throttled in its interrupt leaves a counter that nobody has, or the register with nothing of the task's. */
static void a_throttle_closes_what_is_not_its_own(void)
{
	const struct chip *chip;
	unsigned int both;

	each_sampler(chip) {
		if (chip->kind == T4)
			continue;
		for (both = 0; both < 2; both++) {
			struct perf_event *event;

			begin(chip);
			event = open_event(chip->a, 100);
			event->attach_state = PERF_ATTACH_TASK;
			owners[event - pool] = current;
			map(event, current);
			add(event);
			if (both)
				add(open_of(current, chip->b, false));
			engine.throttle = event;
			run(chip->a, 100);
			CHECK(!engine.throttle);
			CHECK_EQ(is_open(), both && chip->kind != T1);
			look_through();
			check_machine();
		}
	}
}

#endif
