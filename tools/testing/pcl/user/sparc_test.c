// SPDX-License-Identifier: GPL-2.0
/*
 * The SPARC driver as a whole, on models of its chips' counters (sparc_model.h).
 */
#include "sparc_kernel.h"
#include "sparc_rows.h"
#include "sparc_groups.h"
#include "sparc_engine.h"
#include "sparc_chips.h"
#include "sparc_user.h"
#include "sparc_late.h"
#include "sparc_stray.h"
#include "sparc_names.h"

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static void counting_is_exact(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(chip->a, 0);
		b = open_event(chip->b, 0);
		add(a);
		run(chip->a, 800);
		add(b);
		run(chip->a, 200);
		run(chip->b, 70);
		CHECK_EQ(count_of(a), 1000);
		CHECK_EQ(count_of(b), 70);
		del(a);
		run(chip->a, 50);
		run(chip->b, 5);
		del(b);
		run(chip->b, 5);
		CHECK_EQ(local64_read(&a->count), 1000);
		CHECK_EQ(local64_read(&b->count), 75);
		CHECK(!anything_counts());
		check_machine();
	}
}

static void privilege_levels_are_told_apart(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		CHECK_EQ(counted_at(SYSTEM, (struct perf_event_attr){ }), 10);
		CHECK_EQ(counted_at(USER, (struct perf_event_attr){ }), 10);
		CHECK_EQ(counted_at(SYSTEM, (struct perf_event_attr){ .exclude_kernel = 1 }), 0);
		CHECK_EQ(counted_at(USER, (struct perf_event_attr){ .exclude_kernel = 1 }), 10);
		CHECK_EQ(counted_at(SYSTEM, (struct perf_event_attr){ .exclude_user = 1 }), 10);
		CHECK_EQ(counted_at(USER, (struct perf_event_attr){ .exclude_user = 1 }), 0);
		CHECK_EQ(counted_at(HYPER, (struct perf_event_attr){ .exclude_hv = 1 }), 0);
		CHECK_EQ(counted_at(SYSTEM, (struct perf_event_attr){ .exclude_host = 1 }), 0);
		CHECK_EQ(counted_at(USER, (struct perf_event_attr){ .exclude_host = 1 }), 0);
		CHECK_EQ(counted_at(HYPER, (struct perf_event_attr){ .exclude_host = 1 }), 0);
		CHECK_EQ(counted_at(USER, (struct perf_event_attr){ .exclude_guest = 1 }), 10);
		check_machine();
	}
}

/* ---- overflow ---------------------------------------------------------------------------------------------------- */

static void sampling_is_exact(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;
		unsigned int i;

		begin(chip);
		event = open_event(chip->a, 100);
		add(event);
		for (i = 1; i <= 1000; i++) {
			run(chip->a, 1);
			CHECK_EQ(engine.samples, (i + early(chip)) / 100);
			CHECK_EQ(engine.periods, engine.samples * 100);
		}
		CHECK_EQ(count_of(event), 1000);
		CHECK_EQ(model.interrupts, 10);
		CHECK_EQ(engine.told, 10);
		check_machine();
	}
}

/* The interrupt comes late: what was counted meanwhile belongs to the next period. */
static void a_late_interrupt_costs_no_event(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		model.skid = 7;
		event = open_event(chip->a, 100);
		add(event);
		run(chip->a, 10010);
		CHECK_EQ(engine.samples, 100);
		CHECK_EQ(count_of(event), 10010);
		check_machine();
	}
}

/* More events than a counter can hold, in steps that a counter can take */
static void counters_wrap(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event, *sampled;
		u64 chunk = BIT_ULL(29), sum = 0;
		unsigned int i;

		begin(chip);
		event = open_event(chip->a, 0);
		sampled = open_event(chip->b, 20 * chunk);
		add(event);
		add(sampled);
		for (i = 1; i <= 200; i++) {
			cycle(chip->a, chunk);
			take_interrupt();
			cycle(chip->b, chunk);
			take_interrupt();
			sum += chunk;
			CHECK_EQ(count_of(event), sum);
			CHECK_EQ(count_of(sampled), sum);
			CHECK_EQ(engine.samples, i / 20);
		}
		CHECK_EQ(engine.periods, sum);
		check_machine();
	}
}

/* One interrupt, and nothing says which counter it was: both are looked at. */
static void two_overflow_at_once(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *a, *b;

		begin_two(chip, &a, &b);
		CHECK_EQ(engine.samples, 0);
		model.skid = 1;
		run(chip->a, 1);
		run(chip->b, 1);
		CHECK_EQ(model.interrupts, 1);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(a), 100 - early(chip));
		CHECK_EQ(count_of(b), 100 - early(chip));
		model.skid = 0;
		run(chip->a, 100);
		CHECK_EQ(engine.samples, 3);
		run(chip->b, 100);
		CHECK_EQ(engine.samples, 4);
		check_machine();
	}
}

/* The same in one cycle, where both can count the same event */
static void two_overflow_in_one_cycle(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *a, *b;

		begin(chip);
		if (!sees(0, chip->a) || !sees(1, chip->a))
			continue;
		a = open_event(chip->a, 100);
		b = open_event(chip->a, 50);
		add(a);
		add(b);
		run(chip->a, 100 - early(chip));
		CHECK_EQ(engine.samples, 3);
		CHECK_EQ(model.interrupts, 2);
		CHECK_EQ(count_of(a) + count_of(b), 200 - 2 * early(chip));
		check_machine();
	}
}

/* The interrupt of an overflow comes when the driver has paused the PMU: the sample is taken at the next event. */
static void an_interrupt_in_a_pause_loses_no_sample(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		unsigned int skid;

		for (skid = 1; skid < 40; skid++) {
			struct perf_event *a, *b;

			begin(chip);
			a = open_event(chip->a, 100);
			b = open_event(chip->b, 0);
			add(a);
			run(chip->a, 99 - early(chip));
			model.skid = skid;
			cycle(chip->a, 1);
			CHECK_EQ(engine.samples, 0);
			add(b);
			run(chip->b, 50);
			CHECK_EQ(model.interrupts, 1);
			model.skid = 0;
			run(chip->a, 1);
			CHECK_EQ(engine.samples, 1);
			run(chip->b, 5);
			CHECK_EQ(count_of(a), 101 - early(chip));
			CHECK_EQ(count_of(b), 55);
			run(chip->a, 99);
			CHECK_EQ(engine.samples, 2);
			CHECK_EQ(engine.periods, 200);
			check_machine();
		}
	}
}

/* An event that leaves with its overflow pending: the sample is taken when it is back, at the next event. */
static void a_sample_waits_for_its_event(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(chip->a, 100);
		add(event);
		run(chip->a, 99 - early(chip));
		model.skid = 5;
		cycle(chip->a, 1 + early(chip));
		del(event);
		model.skid = 0;
		CHECK_EQ(engine.samples, 0);
		take_interrupt();
		CHECK_EQ(engine.samples, 0);
		model.unclaimed = 0;		/* the event has left, the kernel may take it for its own */
		add(event);
		run(chip->a, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.periods, 100);
		run(chip->a, 98 - early(chip));
		CHECK_EQ(engine.samples, 1);
		run(chip->a, 1);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(event), 200 - early(chip));
		check_machine();
	}
}

/* Also where the counter goes on: what it counts then is nobody's. */
static void a_throttled_event_stops_alone(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *a, *b;
		u64 first;

		begin(chip);
		a = open_event(chip->a, 100);
		b = open_event(chip->b, 0);
		add(a);
		add(b);
		engine.throttle = a;
		run(chip->a, 300);
		run(chip->b, 300);
		CHECK_EQ(engine.samples, 1);
		first = count_of(a);
		CHECK_EQ(first, 100 - early(chip));
		CHECK_EQ(count_of(b), 300);
		start(a);
		run(chip->a, 100);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(a), first + 100);
		stop(a);
		run(chip->a, 1000);
		run(chip->b, 1000);
		CHECK_EQ(count_of(a), first + 100);
		CHECK_EQ(count_of(b), 1300);
		del(a);
		CHECK_EQ(local64_read(&a->count), first + 100);
		check_machine();
	}
}

/* The handler stops an event when the interrupted code is about to let it count. */
static void a_throttle_within_a_resume_holds(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		unsigned int skid, stopped = 0;

		if (chip->kind == T1)		/* its counters go on */
			continue;
		for (skid = 1; skid < 40; skid++) {
			struct perf_event *a, *b;
			u64 before;

			begin(chip);
			a = open_event(chip->a, 100);
			b = open_event(chip->b, 0);
			add(a);
			run(chip->a, 99 - early(chip));
			model.skid = skid;
			model.skid_once = true;
			engine.throttle = a;
			cycle(chip->a, 1);
			model.per_access = chip->a;
			add(b);
			model.per_access = 0;
			model.skid = 0;
			if (!engine.throttle) {
				stopped++;
				before = model.counted_a;
				run(chip->a, 10);
				CHECK_EQ(model.counted_a, before);
			}
			run(chip->b, 10);
			CHECK_EQ(count_of(b), 10);
			check_machine();
		}
		CHECK(stopped);
	}
}

/*
 * A counter may overflow at any access that the driver makes to the registers, and its interrupt come at the same or at
 * the next ones. It comes within a few instructions; here there are that few between two pauses, so it is not later.
 */
static void an_overflow_may_come_at_any_access(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		unsigned int period, i;

		for (period = 20; period < 120; period++) {
			struct perf_event *a, *b;

			begin(chip);
			a = open_event(chip->a, period);
			b = open_event(chip->b, 0);
			model.counted_a = 0;
			add(a);
			model.per_access = chip->a;
			pcl_shim_interrupt = take_interrupt;
			for (i = 0; i < 50; i++) {
				model.skid = random_below(3);
				add(b);
				run(chip->a, 1 + random_below(3));
				del(b);
				/* the kernel may take an interrupt of what has left for its own; a is there */
				CHECK_EQ(model.unclaimed, 0);
			}
			model.per_access = 0;
			model.skid = 0;
			take_interrupt();
			pcl_shim_interrupt = NULL;
			CHECK_EQ(count_of(a), model.counted_a);
			CHECK(engine.periods <= count_of(a) + early(chip));
			CHECK(count_of(a) + early(chip) - engine.periods < 3 * period);
			run(chip->a, period);
			CHECK(count_of(a) + early(chip) - engine.periods < 2 * period);
			check_machine();
		}
	}
}

/* The kernel takes what nobody claims for its watchdog's: only then when nothing is on. */
static void interrupts_are_claimed_while_events_are_on(void)
{
	const struct chip *chip;

	each_sampler(chip) {
		struct perf_event *event;

		begin(chip);
		CHECK(!sparc_irq_handle(&interrupted));
		event = open_event(chip->a, 0);
		add(event);
		CHECK(sparc_irq_handle(&interrupted));
		run(chip->a, 10);
		sparc_pmu.pmu_disable(&sparc_pmu);
		CHECK(sparc_irq_handle(&interrupted));
		CHECK(!anything_counts());
		sparc_pmu.pmu_enable(&sparc_pmu);
		run(chip->a, 10);
		CHECK_EQ(count_of(event), 20);
		del(event);
		CHECK(!sparc_irq_handle(&interrupted));
	}
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void check_code(const struct code_row *row)
{
	struct perf_event *event;
	unsigned int idx;
	u64 pcr;

	begin(chip_named(row->chip));
	event = open_attr(row->attr);
	add(event);
	idx = event->hw.idx;
	pcr = *pcr_of_pic(idx);
	if (pcr != row->pcr || !(row->counters & BIT(idx)))
		printf("# %s: %llx: on PIC%u, PCR is %llx\n", row->chip, (unsigned long long)row->attr.config, idx,
		       (unsigned long long)pcr);
	CHECK_EQ(pcr, row->pcr);
	CHECK_EQ(event->hw.counters, row->counters);
	check_machine();
}

static void codes_are_as_the_manuals_say(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(code_rows); i++)
		check_code(&code_rows[i]);
}

static void each_refusal_has_its_reason(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		struct perf_event *event;
		int err;

		begin(chip_named(refused[i].chip));
		event = make(&refused[i].attr, NULL, &err);
		if (err != refused_with(refused[i].reason) || event->refused != refused[i].reason)
			printf("# row %u: %d, reason %d\n", i, err, event->refused);
		CHECK_EQ(err, refused_with(refused[i].reason));
		CHECK_EQ(event->refused, refused[i].reason);
		CHECK_EQ(refused_at(refused[i].reason), refused[i].field);
	}
}

static void a_foreign_type_is_not_ours(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };
	int err;

	begin(&chips[0]);
	make(&attr, NULL, &err);
	CHECK_EQ(err, -ENOENT);
}

/* An event has the counters from its opening on until it is gone; one that is refused never has them. */
static void events_take_the_counters(void)
{
	struct perf_event_attr refused = { .type = PERF_TYPE_RAW, .config = BIT_ULL(40) };
	struct perf_event *first, *second;
	int err;

	begin(&chips[0]);
	CHECK_EQ(engine.users, 0);
	first = open_event(chips[0].a, 0);
	second = open_event(chips[0].b, 0);
	CHECK_EQ(engine.users, 2);
	make(&refused, NULL, &err);
	CHECK(err);
	CHECK_EQ(engine.users, 2);
	first->destroy(first);
	second->destroy(second);
	CHECK_EQ(engine.users, 0);
}

static void machines_are_told_apart(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		CHECK(!strcmp(sparc_machine.family->name, chip->pmu));
	}
	registered = 0;
	boot("sparc64-x");
	CHECK(!sparc_machine.family && !registered);
}

/* Each code that the row has, on each of its counters, is not another row's, too. */
static void check_row(const struct sparc_family *family, const struct sparc_event *row, u8 found[0x1000])
{
	unsigned int bits = row->umask;

	CHECK(!(row->counters & ~sparc_layout_all(family->layout)));
	CHECK(!(row->code & row->umask));
	CHECK(!((row->code | row->umask) & ~family->layout->pic[0].field));
	do {
		CHECK(!(found[row->code | bits] & row->counters));
		found[row->code | bits] |= row->counters;
		bits = (bits - 1) & row->umask;
	} while (bits);
}

static void check_listed(const struct sparc_family *family, struct sparc_code code)
{
	CHECK(!code.counters || sparc_family_event(family, code.code, code.counters));
}

/* What the tables say is consistent in itself: a code is one event on a counter, and a generic event is one of them. */
static void tables_are_consistent(void)
{
	const struct chip *chip;

	each_chip(chip) {
		const struct sparc_family *family;
		const struct sparc_generic *generic;
		const struct sparc_event *row;
		const struct sparc_cache *cache;
		u8 found[0x1000] = { };
		unsigned int table;

		begin(chip);
		family = sparc_machine.family;
		for (table = 0; table < SPARC_EVENT_TABLES && family->events[table]; table++) {
			for (row = family->events[table]; row->counters; row++)
				check_row(family, row, found);
		}
		for (generic = family->generic; generic->id != PERF_COUNT_HW_MAX; generic++)
			check_listed(family, generic->code);
		for (cache = family->cache; cache->unit != PERF_COUNT_HW_CACHE_MAX; cache++) {
			check_listed(family, cache->access);
			check_listed(family, cache->miss);
		}
	}
}

CASES(CASE(counting_is_exact), CASE(privilege_levels_are_told_apart), CASE(sampling_is_exact),
      CASE(a_late_interrupt_costs_no_event), CASE(counters_wrap), CASE(two_overflow_at_once), CASE(two_overflow_in_one_cycle),
      CASE(an_interrupt_in_a_pause_loses_no_sample), CASE(a_sample_waits_for_its_event),
      CASE(a_new_period_begins_without_a_sample), CASE(a_new_period_loses_no_sample),
      CASE(a_long_delay_has_one_sample), CASE(nothing_counts_while_the_pmu_is_disabled),
      CASE(a_throttle_beside_an_overflow), CASE(a_period_begins_within_the_interrupt),
      CASE(what_counts_within_a_stop_is_folded),
      CASE(an_event_on_its_way_has_counted_nothing), CASE(one_comes_as_another_goes),
      CASE(after_a_group_each_is_asked_again), CASE(only_what_counts_here_fills_a_group),
      CASE(silent_is_the_event_and_not_the_counter), CASE(the_timer_ends_with_who_needs_it),
      CASE(a_throttled_event_stops_alone), CASE(a_throttle_within_a_resume_holds),
      CASE(an_overflow_may_come_at_any_access),
      CASE(what_comes_within_a_read_counts_once),
      CASE(what_stops_within_a_read_counts_no_more), CASE(interrupts_are_claimed_while_events_are_on),
      CASE(what_goes_together_is_counted_together), CASE(what_does_not_is_refused_with_the_rule),
      CASE(a_group_is_added_whole), CASE(a_stopped_event_moves_stopped), CASE(events_stay_where_they_are),
      CASE(events_come_and_go_at_random), CASE(groups_fit_where_an_exhaustive_search_says_so),
      CASE(codes_are_as_the_manuals_say), CASE(each_refusal_has_its_reason),
      CASE(a_silent_wrap_is_seen), CASE(a_timer_comes_back_with_its_cpu), CASE(other_counters_need_no_timer),
      CASE(a_silent_counter_beside_a_sampled_one), CASE(a_counter_of_nobody_overflows),
      CASE(an_overflow_of_nobody_is_left_alone),
      CASE(the_hypervisor_is_counted_on_request), CASE(the_hypervisor_is_not_counted_after_boot),
      CASE(a_hypervisor_may_say_no),
      CASE(four_counters_have_levels_of_their_own), CASE(four_overflow_at_once),
      CASE(a_program_reads_its_counters), CASE(a_program_reads_between_samples), CASE(the_right_is_that_of_a_page),
      CASE(the_next_one_sees_nothing), CASE(what_is_beside_is_not_seen),
      CASE(a_silent_counter_is_read_on_all_its_way),
      CASE(a_silent_counter_is_set_back_by_the_timer_alone), CASE(other_counters_are_closed),
      CASE(at_random_nobody_sees_anothers),
      CASE(each_of_two_that_are_late_has_its_sample), CASE(a_stop_loses_no_sample_of_another),
      CASE(a_start_loses_no_sample_of_another), CASE(a_page_loses_no_sample_of_another),
      CASE(a_look_loses_no_sample_of_another), CASE(each_counter_is_acknowledged),
      CASE(with_seventeen_left_no_sample_is_due), CASE(a_read_leaves_the_period_as_it_is),
      CASE(a_period_set_while_stopped_has_no_sample), CASE(what_was_moved_stopped_is_forgotten),
      CASE(a_throttle_closes_what_is_not_its_own), CASE(who_may_read_is_asked_in_no_pause),
      CASE(a_thread_of_the_kernel_may_read_nothing), CASE(the_page_of_another_pmu_has_no_counter),
      CASE(a_timer_does_nothing_on_another_cpu), CASE(a_start_out_of_turn_is_complained_of),
      CASE(who_does_not_fit_changes_no_place), CASE(a_member_in_error_fills_no_group), CASE(a_reset_forgets_all),
      CASE(without_one_register_there_is_no_pmu),
      CASE(a_foreign_type_is_not_ours), CASE(events_take_the_counters), CASE(machines_are_told_apart),
      CASE(tables_are_consistent), CASE(files_are_of_this_chip), CASE(a_name_is_its_generic_event),
      CASE(names_of_ultrasparc_3), CASE(without_memory_a_file_is_not_there))
