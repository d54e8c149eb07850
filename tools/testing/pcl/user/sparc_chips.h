/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: what one kind of chip does, and others do not.
 */
#ifndef PCL_USER_SPARC_CHIPS_H
#define PCL_USER_SPARC_CHIPS_H

/* ---- counters that wrap in silence ------------------------------------------------------------------------------- */

/* UltraSPARC I and II: all of them. T2, T3: misses of loads in the second level, by erratum 108. */
static const struct {
	const char *chip;
	u64 config;
} silent[] = {
	{ "II", ON_BOTH(0) },
	{ "II", ON_PIC1(0x0c) },
	{ "T2", ON_BOTH(0x320) },
	{ "T2", ON_PIC1(0x330) },
	{ "T3", ON_BOTH(0x320) },
};

/* A timer looks at them before they have gone round, while they are there, and ends by itself. */
static void a_silent_wrap_is_seen(void)
{
	unsigned int row, i;

	for (row = 0; row < ARRAY_SIZE(silent); row++) {
		u64 config = silent[row].config, chunk = 3 * BIT_ULL(30), sum = 0;
		struct perf_event *event;

		begin(chip_named(silent[row].chip));
		event = open_event(config, 0);
		add(event);
		CHECK(timer_armed);
		for (i = 0; i < 20; i++) {
			cycle(config, chunk);
			time_passes();
			CHECK(timer_armed);
			sum += chunk;
			CHECK_EQ(local64_read(&event->count), sum);
		}
		/* It goes and comes back within one look. */
		del(event);
		run(config, 10);
		add(event);
		cycle(config, chunk);
		time_passes();
		CHECK_EQ(local64_read(&event->count), sum + chunk);
		del(event);
		time_passes();
		CHECK(!timer_armed);
		time_passes();
		add(event);
		CHECK(timer_armed);
		cycle(config, chunk);
		CHECK_EQ(count_of(event), sum + 2 * chunk);
		CHECK_EQ(model.interrupts, 0);
		check_machine();
	}
}

/* The CPU went and came back; another one has its timer, or had. */
static void a_timer_comes_back_with_its_cpu(void)
{
	struct sparc_cpu_pmu *cpu = this_cpu_ptr(&sparc_cpu_pmus);
	u64 chunk = 3 * BIT_ULL(30);
	struct perf_event *event;
	unsigned int i;

	begin(chip_named("II"));
	sparc_wrap_return(cpu);
	CHECK(!timer_armed);
	event = open_event(model.chip->a, 0);
	add(event);
	for (i = 0; i < 2; i++) {
		sparc_wrap_return(cpu);
		CHECK(timer_armed);
		cycle(model.chip->a, chunk);
		time_passes();
		timer_armed = NULL;
	}
	cycle(model.chip->a, chunk);
	CHECK_EQ(count_of(event), 3 * chunk);
}

/* An event that is stopped, or interrupts, needs no timer. */
static void other_counters_need_no_timer(void)
{
	struct perf_event *event, *other;
	const struct chip *chip;

	each_sampler(chip) {
		begin(chip);
		event = open_event(chip->a, 0);
		add(event);
		CHECK(!timer_armed);
	}
	begin(chip_named("II"));
	event = open_event(ON_BOTH(0), 0);
	other = open_event(ON_BOTH(1), 0);
	add(event);
	add(other);
	stop(event);
	run(ON_BOTH(0), 10);		/* its counter goes on */
	CHECK_EQ(model.pic[0] & 0xf, 11);
	time_passes();
	CHECK_EQ(local64_read(&event->count), 0);
	check_machine();
}

/* A counter that may not interrupt beside one that does: neither its sign nor its overflow bit means anything. */
static void a_silent_counter_beside_a_sampled_one(void)
{
	struct perf_event *quiet, *sampled;
	unsigned int i, written;

	begin(chip_named("T2"));
	quiet = open_event(ON_BOTH(0x320), 0);
	sampled = open_event(ON_BOTH(0x208), 100);
	add(quiet);
	cycle(ON_BOTH(0x320), 3 * BIT_ULL(30));
	time_passes();
	model.pic_writes = 0;
	add(sampled);
	for (i = 0; i < 10; i++) {
		cycle(ON_BOTH(0x320), BIT_ULL(30));
		written = model.pic_writes;
		run(ON_BOTH(0x208), 100);
		CHECK_EQ(model.pic_writes - written, 1);
		time_passes();
	}
	CHECK_EQ(count_of(quiet), 13 * BIT_ULL(30));
	CHECK_EQ(model.pic_writes, 11 + 5);	/* the quiet one begins anew after each two */
	CHECK_EQ(count_of(sampled), 1000);
	CHECK_EQ(engine.samples, 10);
	CHECK(engine.sampled == sampled);
	check_machine();
}

/* T2's counter that nobody has counts no-operations, and says that it has overflowed. */
static void an_overflow_of_nobody_is_left_alone(void)
{
	struct perf_event *event;

	begin(chip_named("T2"));
	event = open_event(ON_BOTH(0x208), 100);
	add(event);
	cycle(ON_BOTH(0x220), BIT_ULL(31));
	cycle(ON_BOTH(0x220), BIT_ULL(31));
	CHECK_EQ(model.interrupts, 0);
	run(ON_BOTH(0x208), 100);
	CHECK_EQ(engine.samples, 1);
	check_machine();
}

/* ---- T1: a counter that nobody has goes on, and interrupts -------------------------------------------------------- */

static void a_counter_of_nobody_overflows(void)
{
	struct perf_event *event;
	unsigned int i;

	begin(chip_named("T1"));
	event = open_event(ON_PIC1(0), 1000);
	add(event);
	for (i = 0; i < 5; i++) {
		cycle(ON_PIC0(0), BIT_ULL(31));
		take_interrupt();
		run(ON_PIC1(0), 100);
	}
	CHECK(model.interrupts >= 2);
	CHECK_EQ(engine.samples, 0);
	CHECK_EQ(count_of(event), 500);
	run(ON_PIC1(0), 500);
	CHECK_EQ(engine.samples, 1);
	check_machine();
}

/* ---- the hypervisor ---------------------------------------------------------------------------------------------- */

/* It is counted where it lets itself be, unless the event says no, and never while the PMU is paused. */
static void the_hypervisor_is_counted_on_request(void)
{
	struct perf_event *event;

	begin(chip_named("T2"));
	CHECK(sparc_machine.hypervisor && strstr(said, "hypervisor"));
	CHECK_EQ(counted_at(HYPER, (struct perf_event_attr){ }), 10);
	CHECK_EQ(counted_at(HYPER, (struct perf_event_attr){ .exclude_user = 1, .exclude_kernel = 1 }), 10);
	CHECK_EQ(counted_at(USER, (struct perf_event_attr){ .exclude_user = 1, .exclude_kernel = 1 }), 0);
	CHECK(!anything_counts());
	/* An event that does not want it costs no call. */
	event = open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = model.chip->a, .exclude_hv = 1 });
	model.asked = 0;
	add(event);
	del(event);
	CHECK_EQ(model.asked, 0);
	check_machine();
}

/* Who ran before may have left it counted. */
static void the_hypervisor_is_not_counted_after_boot(void)
{
	power_on(chip_named("T2"));
	model.pcr[0] |= bits[T2].hyper;
	boot("niagara2");
	CHECK(!anything_counts());
	add(open_event(model.chip->a, 0));
	model.pcr[0] |= bits[T2].hyper;
	CHECK(sparc_cpu_reset());
	CHECK(!anything_counts());
}

/* It says no at boot, or from some time on: all else is counted. */
static void a_hypervisor_may_say_no(void)
{
	struct perf_event *event;

	power_on(chip_named("T2"));
	model.pcr[0] &= ~bits[T2].hyper;
	model.denied = true;
	boot("niagara2");
	CHECK(sparc_machine.family && !sparc_machine.hypervisor && !strstr(said, "hypervisor"));
	model.asked = 0;
	CHECK_EQ(counted_at(HYPER, (struct perf_event_attr){ }), 0);
	CHECK_EQ(counted_at(USER, (struct perf_event_attr){ }), 10);
	CHECK_EQ(model.asked, 0);
	check_machine();

	begin(chip_named("T2"));
	model.denied = true;
	CHECK_EQ(counted_at(USER, (struct perf_event_attr){ }), 10);
	CHECK_EQ(counted_at(SYSTEM, (struct perf_event_attr){ }), 10);
	CHECK(!anything_counts());
	check_machine();

	/* Where it writes all registers there is no PMU without it. */
	power_on(chip_named("T4"));
	model.denied = true;
	registered = 0;
	boot("niagara4");
	CHECK(!sparc_machine.family && !registered && strstr(said, "denies"));
	model.denied = false;
	begin(chip_named("T4"));
	event = open_event(model.chip->a, 0);
	add(event);
	run(model.chip->a, 10);
	CHECK_EQ(count_of(event), 10);
}

/* ---- T4: four counters, each with its own levels ------------------------------------------------------------------ */

static void four_counters_have_levels_of_their_own(void)
{
	struct perf_event_attr attrs[4] = {
		{ }, { .exclude_user = 1 }, { .exclude_kernel = 1 }, { .exclude_user = 1, .exclude_kernel = 1 },
	};
	static const u64 user[4] = { 10, 0, 10, 0 }, system[4] = { 13, 3, 10, 0 };
	struct perf_event *events[4];
	unsigned int i;

	begin(chip_named("T4"));
	for (i = 0; i < 4; i++) {
		attrs[i].type = PERF_TYPE_RAW;
		attrs[i].config = model.chip->a;
		events[i] = open_attr(attrs[i]);
		add(events[i]);
	}
	run(model.chip->a, 10);
	for (i = 0; i < 4; i++)
		CHECK_EQ(count_of(events[i]), user[i]);
	model.level = SYSTEM;
	run(model.chip->a, 3);
	for (i = 0; i < 4; i++)
		CHECK_EQ(count_of(events[i]), system[i]);
	check_machine();
}

static void four_overflow_at_once(void)
{
	struct perf_event *events[4];
	unsigned int i;

	begin(chip_named("T4"));
	for (i = 0; i < 4; i++) {
		events[i] = open_event(model.chip->a, 100);
		add(events[i]);
	}
	run(model.chip->a, 1000);
	CHECK_EQ(engine.samples, 40);
	CHECK_EQ(model.interrupts, 10);
	for (i = 0; i < 4; i++)
		CHECK_EQ(count_of(events[i]), 1000);
	check_machine();
}

#endif
