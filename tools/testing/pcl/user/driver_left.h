/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of driver_test.c: counters that are left on when their events leave.
 */
#ifndef PCL_USER_DRIVER_LEFT_H
#define PCL_USER_DRIVER_LEFT_H

#include "driver_events.h"

static struct perf_event *open_user_event(u64 config, u64 period)
{
	struct perf_event *event;

	exclude_kernel = true;
	event = open_event(config, period);
	exclude_kernel = false;
	return event;
}

static struct perf_event *open_counting(u64 config, bool kernel)
{
	return kernel ? open_event(config, 0) : open_user_event(config, 0);
}

static struct x86_machine narrow(struct x86_machine machine)
{
	machine.layout.width = 20;
	machine.max_period = BIT_ULL(19) - 1;
	return machine;
}

static unsigned int left_on(void)
{
	return hweight64(this_cpu_ptr(&x86_cpu_pmus)->hw.left_on);
}

/* ---- what it is for ---------------------------------------------------------------------------------------------- */

/* Who goes and comes back finds the counter as it needs it, however long it was away. */
static void a_round_trip_writes_nothing_one(struct x86_machine machine)
{
	struct perf_event *a, *b;
	unsigned int i;

	begin(machine);
	a = open_counting(EVENT, false);
	b = open_counting(EVENT + 1, true);
	add(a);
	add(b);
	run(100);
	model.writes = 0;
	for (i = 0; i < 50; i++) {
		away(b);
		away(a);
		run(i);
		CHECK(back(a));
		CHECK(back(b));
		run(3);
	}
	CHECK_EQ(model.writes, 0);
	CHECK_EQ(count_of(a), 250);
	CHECK_EQ(count_of(b), 250);
	away(a);
	away(b);
	CHECK_EQ(model.wrong, 0);
	CHECK_EQ(model.unclaimed, 0);
}

static void a_round_trip_writes_nothing(void)
{
	a_round_trip_writes_nothing_one(skylake);
	a_round_trip_writes_nothing_one(of(&skylake, &x86_nehalem));
	a_round_trip_writes_nothing_one(amd);
	a_round_trip_writes_nothing_one(amd_v2());
}

/* Members that count the kernel begin and end together, though counters are looked at one after the other. */
static void who_counts_the_kernel_is_alike_one(struct x86_machine machine)
{
	struct perf_event *a, *b;
	unsigned int i;

	begin(machine);
	a = open_counting(EVENT, true);
	b = open_counting(EVENT + 1, true);
	model.per_access = 3;
	for (i = 0; i < 100; i++) {
		x86_core_pmu.pmu_disable(&x86_core_pmu);
		if (i) {
			CHECK(x86_core_pmu.back(a));
			CHECK(x86_core_pmu.back(b));
		} else {
			CHECK_EQ(x86_core_pmu.add(a, PERF_EF_START), 0);
			CHECK_EQ(x86_core_pmu.add(b, PERF_EF_START), 0);
		}
		x86_core_pmu.pmu_enable(&x86_core_pmu);
		run(7);
		x86_core_pmu.pmu_disable(&x86_core_pmu);
		x86_core_pmu.away(a);
		x86_core_pmu.away(b);
		x86_core_pmu.pmu_enable(&x86_core_pmu);
		CHECK_EQ(local64_read(&a->count), local64_read(&b->count));
	}
	CHECK(local64_read(&a->count) >= 700);
}

static void who_counts_the_kernel_is_alike(void)
{
	who_counts_the_kernel_is_alike_one(skylake);
	who_counts_the_kernel_is_alike_one(amd);
	who_counts_the_kernel_is_alike_one(amd_v2());
}

/* ---- who may be left on ------------------------------------------------------------------------------------------ */

static void check_stopped(struct perf_event *event)
{
	add(event);
	run(10);
	away(event);
	CHECK_EQ(left_on(), 0);
	CHECK(!counts(event->hw.idx));
	CHECK_EQ(local64_read(&event->count), 10);
}

static void not_who_needs_more_than_a_difference(void)
{
	struct x86_machine machine = skylake;
	struct perf_event *event;
	int err;

	begin(of(&skylake, &x86_haswell));
	check_stopped(open_event(EVENT, 0));			/* takes what the thread beside counts */
	machine.has_tx = true;
	begin(machine);
	check_stopped(open_event(EVENT, 1000));			/* samples */
	check_stopped(open_event(EVENT | X86_SEL_IN_TX_CP, 0));	/* is put back by an abort */
	user_may_look = true;
	check_stopped(open_event(EVENT, 0));
	user_may_look = false;
	event = make(EVENT, 0, &err);
	event->attr.exclude_host = true;
	CHECK(!x86_event_leaves_on(event));
	machine.layout.force_abort = TSX_FORCE_ABORT;
	begin(machine);
	check_stopped(open_event(EVENT, 0));
}

/* ---- who stops it ------------------------------------------------------------------------------------------------ */

static void who_wants_something_else_gets_it_one(struct x86_machine machine)
{
	struct perf_event *event[16];
	unsigned int nr = hweight64(machine.layout.shape.general), i;

	begin(machine);
	for (i = 0; i < nr; i++) {
		event[i] = open_counting(EVENT, i & 1);
		add(event[i]);
	}
	run(10);
	for (i = 0; i < nr; i++)
		away(event[i]);
	CHECK_EQ(left_on(), nr);
	run(5);
	for (i = 0; i < nr; i++) {
		event[nr + i] = open_counting(EVENT + 1, i & 1);
		add(event[nr + i]);
		CHECK_EQ(model.select[event[nr + i]->hw.idx] & X86_SEL_EVENT, EVENT + 1);
	}
	CHECK_EQ(left_on(), 0);
	run(20);
	for (i = 0; i < nr; i++)
		CHECK(!back(event[i]));
	for (i = nr; i < 2 * nr; i++)
		away(event[i]);
	CHECK_EQ(left_on(), nr);
	for (i = 0; i < 2 * nr; i++) {
		CHECK(i >= nr || !back(event[i]));	/* on, but for something else */
		CHECK_EQ(local64_read(&event[i]->count), i < nr ? 10 : 20);
	}
	CHECK_EQ(model.wrong, 0);
}

static void who_wants_something_else_gets_it(void)
{
	who_wants_something_else_gets_it_one(skylake);
	who_wants_something_else_gets_it_one(amd);
	who_wants_something_else_gets_it_one(amd_v2());
}

/* The same, but samples. */
static void who_samples_loads_its_period(void)
{
	struct perf_event *counting, *sampling;

	begin(skylake);
	counting = open_counting(EVENT, false);
	sampling = open_user_event(EVENT, 1000);
	add(sampling);
	away(sampling);
	add(counting);
	away(counting);
	CHECK_EQ(left_on(), 1);
	CHECK_EQ(sampling->hw.idx, counting->hw.idx);
	CHECK(!back(sampling));
	add(sampling);
	CHECK_EQ(sampling->hw.idx, counting->hw.idx);
	run(2500);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(engine.wrong_periods, 0);
	del(sampling);
}

/* It is here, but shall not count. */
static void who_is_stopped_does_not_count(void)
{
	struct perf_event *event;

	begin(skylake);
	event = open_counting(EVENT, false);
	add(event);
	run(10);
	away(event);
	x86_core_pmu.pmu_disable(&x86_core_pmu);
	CHECK_EQ(x86_core_pmu.add(event, 0), 0);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
	CHECK_EQ(left_on(), 0);
	run(100);
	CHECK_EQ(count_of(event), 10);
	unthrottle(event);
	run(5);
	CHECK_EQ(count_of(event), 15);
	away(event);
}

/* One that is not far enough from zero would not interrupt there, and user code would lose a bit that it extends. */
static void who_takes_one_has_time_until_zero(void)
{
	struct perf_event *event;

	begin(narrow(skylake));
	event = open_counting(EVENT, false);
	page.event = event;
	add(event);
	run(10);
	away(event);
	model.count[event->hw.idx] = BIT_ULL(19) - 5;
	CHECK(!back(event));
	add(event);
	run(20);
	CHECK_EQ(count_of(event), 30);
	CHECK_EQ(user_count_of(event), 30);
	del(event);
}

/* Before a task that may use RDPMC runs. */
static void rdpmc_shows_nothing_of_others_one(struct x86_machine machine)
{
	struct perf_event *mine, *other;

	begin(machine);
	mine = open_counting(EVENT, false);
	other = open_counting(EVENT + 1, false);
	add(mine);
	add(other);
	run(100);
	away(other);
	CHECK(counts(other->hw.idx));
	perf_clear_dirty_counters();
	CHECK_EQ(left_on(), 0);
	run(100);
	CHECK_EQ(model.count[other->hw.idx], 0);
	CHECK_EQ(count_of(mine), 200);
	CHECK(!back(other));
	add(other);
	run(5);
	away(other);
	CHECK_EQ(local64_read(&other->count), 105);
	away(mine);
	CHECK_EQ(model.wrong, 0);
}

static void rdpmc_shows_nothing_of_others(void)
{
	rdpmc_shows_nothing_of_others_one(skylake);
	rdpmc_shows_nothing_of_others_one(amd);
	rdpmc_shows_nothing_of_others_one(amd_v2());
}

/*
 * A count, less where its counter began, is what the page says. It fits in a counter, whether the event begins anew or
 * takes the counter as it was left, unless the count alone is too much.
 */
static void what_the_page_says_fits_one(struct x86_machine machine)
{
	struct perf_event *mine;
	u64 mask, fits;

	begin(machine);
	mask = x86_layout_mask(layout());
	fits = mask >> 1;
	mine = open_counting(EVENT, false);
	add(mine);
	run(100);
	CHECK_EQ(count_of(mine) - arch_perf_user_base(mine), fits);
	away(mine);
	local64_add(1000, &mine->count);
	CHECK(!back(mine));
	add(mine);
	CHECK_EQ(count_of(mine) - arch_perf_user_base(mine), fits);
	CHECK_EQ(model.count[mine->hw.idx], (1100 - fits) & mask);
	away(mine);
	local64_sub(1000, &mine->count);
	model.writes = 0;
	CHECK(back(mine));
	CHECK_EQ(model.writes, 0);
	CHECK_EQ(count_of(mine) - arch_perf_user_base(mine), fits - 1000);
	away(mine);
	local64_add(fits, &mine->count);
	CHECK(back(mine));
	del(mine);
	add(mine);
	CHECK_EQ(model.count[mine->hw.idx], -machine.max_period & mask);
	run(10);
	CHECK_EQ(count_of(mine), fits + 110);
	del(mine);
	CHECK_EQ(model.wrong, 0);
}

static void what_the_page_says_fits(void)
{
	what_the_page_says_fits_one(skylake);
	what_the_page_says_fits_one(amd);
	what_the_page_says_fits_one(amd_v2());
}

/* What a task took as it was left has counted others: the value it shows begins anew when the task may look. */
static void rdpmc_shows_nothing_of_before_one(struct x86_machine machine)
{
	struct perf_event *mine, *wide;

	begin(machine);
	wide = open_counting(EVENT + 1, false);
	mine = open_counting(EVENT, false);
	mine->attach_state = PERF_ATTACH_TASK;
	add(wide);
	add(mine);
	run(100);
	away(mine);
	run(12345);
	CHECK(back(mine));
	run(10);
	local64_add(1000, &wide->count);	/* were it loaded, it would show that */
	perf_clear_dirty_counters();
	run(7);
	CHECK_EQ(model.count[mine->hw.idx], (117 - machine.max_period) & x86_layout_mask(layout()));
	CHECK_EQ(model.count[wide->hw.idx], (12462 - machine.max_period) & x86_layout_mask(layout()));
	CHECK_EQ(count_of(mine), 117);
	CHECK_EQ(count_of(wide), 13462);
	del(mine);
	del(wide);
	CHECK_EQ(model.wrong, 0);
}

static void rdpmc_shows_nothing_of_before(void)
{
	rdpmc_shows_nothing_of_before_one(skylake);
	rdpmc_shows_nothing_of_before_one(amd);
	rdpmc_shows_nothing_of_before_one(amd_v2());
}

/* Without full-width writes a counter begins in the upper half of its negative values, and is as good there. */
static void short_periods_come_back_too(void)
{
	struct x86_machine machine = skylake;
	struct perf_event *event;
	unsigned int i;

	machine.max_period = BIT_ULL(31) - 1;
	begin(machine);
	event = open_counting(EVENT, false);
	add(event);
	for (i = 0; i < 10; i++) {
		run(10);
		away(event);
		run(1000);
		CHECK(back(event));
	}
	model.count[event->hw.idx] += BIT_ULL(30);
	away(event);
	CHECK(!back(event));
	add(event);
	away(event);
	CHECK(back(event));		/* it was given the whole period again */
	CHECK_EQ(count_of(event), 100 + BIT_ULL(30));
	del(event);
}

/* It interrupts once, which is claimed, and not again: on a plain machine its sign would claim all that come. */
static void passing_zero_ends_it_one(struct x86_machine machine)
{
	struct perf_event *event;
	unsigned int nmis;

	begin(machine);
	event = open_counting(EVENT, false);
	add(event);
	run(10);
	away(event);
	model.count[event->hw.idx] = -3 & x86_layout_mask(layout());
	run(100);
	CHECK_EQ(model.nmis, 1);
	CHECK_EQ(model.unclaimed, 0);
	CHECK_EQ(left_on(), 0);
	jiffies += 1000;
	nmis = model.nmis;
	model.pending = 1;
	step();
	CHECK_EQ(model.nmis, nmis + 1);
	CHECK_EQ(model.unclaimed, 1);
	CHECK(!back(event));
	add(event);
	run(4);
	away(event);
	CHECK_EQ(local64_read(&event->count), 14);
}

static void passing_zero_ends_it(void)
{
	passing_zero_ends_it_one(skylake);
	passing_zero_ends_it_one(amd);
	passing_zero_ends_it_one(amd_v2());
}

static void the_last_event_ends_it(void)
{
	struct perf_event *a, *b;
	unsigned int cpu;

	begin(skylake);
	second_thread();
	x86_nr_events.counter = 0;	/* cases before this one closed none */
	a = open_counting(EVENT, false);
	b = open_counting(EVENT, false);
	for (cpu = 0; cpu < 2; cpu++) {
		shim_cpu = cpu;
		add(a);
		run(10);
		away(a);
		CHECK_EQ(left_on(), 1);
	}
	a->destroy(a);
	CHECK_EQ(left_on(), 1);
	shim_cpu = 0;
	b->destroy(b);
	CHECK_EQ(shim_cpu, 0);
	for (cpu = 0; cpu < 2; cpu++) {
		shim_cpu = cpu;
		CHECK_EQ(left_on(), 0);
		CHECK_EQ(model.global, 0);
	}
}

static void a_cpu_takes_none_along(void)
{
	struct perf_event *event;
	unsigned int i;

	begin(skylake);
	event = open_counting(EVENT, false);
	add(event);
	del(event);
	CHECK_EQ(left_on(), 0);		/* it does not come back */
	add(event);
	away(event);
	CHECK_EQ(left_on(), 1);
	CHECK_EQ(cpu_dying(0), 0);
	CHECK_EQ(left_on(), 0);
	CHECK_EQ(model.global, 0);
	add(event);
	away(event);
	CHECK_EQ(left_on(), 1);
	for (i = nr_syscore; i--;)
		CHECK_EQ(syscore[i]->suspend(), 0);
	CHECK_EQ(model.global, 0);
	for (i = 0; i < nr_syscore; i++)
		syscore[i]->resume();
	CHECK_EQ(left_on(), 0);
}

/* ---- all at once ------------------------------------------------------------------------------------------------- */

struct hand {
	struct perf_event event;
	bool on, is_away;
	u64 counted;
};

/* It goes for good, or with its context; or it comes, or comes back. */
static void change_hand(struct hand *hand)
{
	if (!hand->on) {
		hand->on = (hand->is_away && back(&hand->event)) || !try_add(&hand->event);
		hand->is_away = false;
		return;
	}
	hand->on = false;
	hand->is_away = random_below(4);
	if (hand->is_away)
		away(&hand->event);
	else
		del(&hand->event);
}

/* As time goes by, counters that are left on come near to zero. */
static void time_goes_by(void)
{
	unsigned int i;

	for (i = 0; i < GENERAL; i++) {
		if (this_cpu_ptr(&x86_cpu_pmus)->hw.left_on & BIT_ULL(i))
			model.count[i] = -random_below(2000) & x86_layout_mask(layout());
	}
}

/* Events of few kinds come and go on narrow counters, beside one that samples now and then. */
static void counters_change_hands_at_random_one(struct x86_machine machine)
{
	static struct hand hands[9];
	unsigned int i, k, steps;
	u64 n;

	begin(narrow(machine));
	memset(hands, 0, sizeof(hands));
	for (k = 0; k < 9; k++) {
		exclude_kernel = random_below(2);
		CHECK_EQ(make_at(&hands[k].event, EVENT + random_below(2), k < 8 ? 0 : 700), 0);
		exclude_kernel = false;
	}
	for (i = 0; i < 3000; i++) {
		for (steps = random_below(4); steps; steps--)
			change_hand(&hands[random_below(9)]);
		if (!random_below(100))
			perf_clear_dirty_counters();
		if (!random_below(30))
			time_goes_by();
		n = random_below(20) ? random_below(50) : random_below(3000);
		run(n);
		for (k = 0; k < 9; k++)
			hands[k].counted += hands[k].on ? n : 0;
	}
	for (k = 0; k < 9; k++) {
		if (hands[k].on)
			del(&hands[k].event);
		CHECK_EQ(local64_read(&hands[k].event.count), hands[k].counted);
	}
	CHECK_EQ(model.unclaimed, 0);
}

static void counters_change_hands_at_random(void)
{
	counters_change_hands_at_random_one(skylake);
	counters_change_hands_at_random_one(of(&skylake, &x86_nehalem));
	counters_change_hands_at_random_one(amd);
	counters_change_hands_at_random_one(amd_v2());
}

#endif
