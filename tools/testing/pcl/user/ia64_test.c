// SPDX-License-Identifier: GPL-2.0
/*
 * The IA-64 driver as a whole, on models of its chips' performance monitors (ia64_model.h), in
 * a kernel of its own (ia64_kernel.h).
 */
#include "ia64_kernel.h"
#include "ia64_rows.h"
#include "ia64_groups.h"
#include "ia64_engine.h"
#include "ia64_recorders.h"
#include "ia64_branches.h"
#include "ia64_values.h"
#include "ia64_ranges.h"
#include "ia64_edges.h"
#include "ia64_fits.h"
#include "ia64_names.h"
#include "ia64_stray.h"

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static void counting_is_exact(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(CYCLES, 0);
		b = open_event(INSTRUCTIONS, 0);
		add(a);
		run(CYCLES, 800);
		add(b);
		run(CYCLES, 200);
		run(INSTRUCTIONS, 70);
		CHECK_EQ(count_of(a), 1000);
		CHECK_EQ(count_of(b), 70);
		del(a);
		run(CYCLES, 50);
		run(INSTRUCTIONS, 5);
		del(b);
		run(INSTRUCTIONS, 5);
		CHECK_EQ(local64_read(&a->count), 1000);
		CHECK_EQ(local64_read(&b->count), 75);
		CHECK(is_frozen());
		check_machine();
	}
}

static u64 counted_at_level(unsigned int level, struct perf_event_attr attr)
{
	struct perf_event *event;
	u64 before;

	attr.type = PERF_TYPE_RAW;
	attr.config = CYCLES;
	event = open_attr(attr);
	add(event);
	before = count_of(event);
	model.level = level;
	run(CYCLES, 10);
	model.level = 3;
	before = count_of(event) - before;
	del(event);
	return before;
}

static void privilege_levels_are_told_apart(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		CHECK_EQ(counted_at_level(0, (struct perf_event_attr){ }), 10);
		CHECK_EQ(counted_at_level(3, (struct perf_event_attr){ }), 10);
		CHECK_EQ(counted_at_level(0, (struct perf_event_attr){ .exclude_kernel = 1 }), 0);
		CHECK_EQ(counted_at_level(3, (struct perf_event_attr){ .exclude_kernel = 1 }), 10);
		CHECK_EQ(counted_at_level(0, (struct perf_event_attr){ .exclude_user = 1 }), 10);
		CHECK_EQ(counted_at_level(3, (struct perf_event_attr){ .exclude_user = 1 }), 0);
		CHECK_EQ(counted_at_level(3, (struct perf_event_attr){ .exclude_host = 1 }), 0);
		CHECK_EQ(counted_at_level(0, (struct perf_event_attr){ .exclude_host = 1 }), 0);
		CHECK_EQ(counted_at_level(0, (struct perf_event_attr){ .exclude_host = 1, .exclude_guest = 1 }), 0);
		CHECK_EQ(counted_at_level(3, (struct perf_event_attr){ .exclude_guest = 1, .exclude_idle = 1 }), 10);
		CHECK_EQ(counted_at_level(3, (struct perf_event_attr){ .exclude_callchain_user = 1,
								       .exclude_callchain_kernel = 1 }), 10);
		check_machine();
	}
}

/* A program starts and stops with one instruction what it asked to, and nothing else. */
static void a_program_has_psr_up(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *own, *other;

		begin(chip);
		own = open_event(CYCLES | IA64_CONFIG_UP, 0);
		other = open_event(CYCLES, 0);
		add(own);
		add(other);
		run(CYCLES, 10);
		user_up(true);
		run(CYCLES, 10);
		CHECK_EQ(count_of(own), 10);
		CHECK_EQ(count_of(other), 20);
		/* What the kernel does meanwhile leaves it as it was. */
		del(other);
		CHECK(model.up && model.pp);
		user_up(false);
		add(other);
		CHECK(!model.up && model.pp);
		run(CYCLES, 10);
		CHECK_EQ(count_of(own), 10);
		/* Also while its event waits for a counter. */
		del(own);
		user_up(true);
		add(own);
		run(CYCLES, 10);
		CHECK_EQ(count_of(own), 20);
		user_up(false);
		/* Also while the kernel goes on working for the program. */
		user_up(true);
		enter_kernel();
		ia64_pmu.stop(other, PERF_EF_UPDATE);
		CHECK(model.up && model.pp);
		return_to_user();
		check_machine();
	}
}

/* Each task starts and stops its own, in user mode and for what the kernel does for it. */
static void tasks_have_a_psr_up_each(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *first, *second;

		begin(chip);
		first = open_event(CYCLES | IA64_CONFIG_UP, 0);
		second = open_event(CYCLES | IA64_CONFIG_UP, 0);
		add(first);
		user_up(true);
		run(CYCLES, 10);
		switch_tasks(first, task_of(1), second);
		model.level = 0;
		run(CYCLES, 10);
		model.level = 3;
		return_to_user();
		CHECK(!model.up);
		run(CYCLES, 10);
		CHECK_EQ(count_of(second), 0);
		switch_tasks(second, task_of(0), first);
		model.level = 0;
		run(CYCLES, 5);
		model.level = 3;
		return_to_user();
		CHECK(model.up && model.pp);
		run(CYCLES, 5);
		CHECK_EQ(count_of(first), 20);
		CHECK_EQ(count_of(second), 0);
		check_machine();
	}
}

/*
 * So has one whose event waits for a counter when it is switched to: the kernel works with it from then on, for an
 * interrupt that brings the event leaves the bit as it found it.
 */
static void who_waits_has_its_own_psr_up(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *first, *second;
		unsigned int is_up, before;

		for (is_up = 0; is_up < 2; is_up++) {
			begin(chip);
			first = open_event(CYCLES | IA64_CONFIG_UP, 0);
			second = open_event(CYCLES | IA64_CONFIG_UP, 0);
			add(first);
			user_up(!is_up);
			ia64_psr(task_pt_regs(task_of(1)))->up = is_up;
			switch_tasks(first, task_of(1), NULL);
			ia64_pmu.pmu_disable(&ia64_pmu);
			ia64_pmu.pmu_enable(&ia64_pmu);
			CHECK_EQ(model.up, is_up);
			/* The interrupt, and its end */
			before = model.up;
			ia64_pmu.pmu_disable(&ia64_pmu);
			CHECK_EQ(ia64_pmu.add(second, PERF_EF_START), 0);
			ia64_pmu.pmu_enable(&ia64_pmu);
			model.up = before;
			model.level = 0;
			run(CYCLES, 10);
			model.level = 3;
			CHECK_EQ(count_of(second), is_up ? 10 : 0);
			return_to_user();
			check_machine();
		}
	}
}

/* The kernel works for a task with the task's gate until that has ended; its own threads have a closed one. */
static void without_memory_the_gate_is_the_tasks(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int is_up;

		for (is_up = 0; is_up < 2; is_up++) {
			struct perf_event *first, *second;

			begin(chip);
			first = open_event(CYCLES | IA64_CONFIG_UP, 0);
			second = open_event(CYCLES | IA64_CONFIG_UP, 0);
			add(first);
			user_up(!is_up);
			task_of(1)->mm = NULL;
			ia64_psr(task_pt_regs(task_of(1)))->up = is_up;
			switch_tasks(first, task_of(1), second);
			CHECK_EQ(model.up, is_up);
			CHECK(model.pp);
			check_machine();
		}
	}
}

/* What a program makes of its control page, as the engine fills that, and of the counter; all ones: it may not look. */
static u64 told_by_page(struct perf_event *event)
{
	struct perf_event_mmap_page page = { .offset = local64_read(&event->count) - arch_perf_user_base(event) };
	unsigned int index = ia64_event_idx(event);

	arch_perf_update_userpage(event, &page, 0);
	CHECK(!page.cap_user_time && !page.cap_user_time_zero);
	if (!index || !page.cap_user_rdpmc)
		return ~0ULL;
	return page.offset + sign_extend64(user_read(index - 1), page.pmc_width - 1);
}

#include "ia64_private.h"

/* User code reads the counters that it may start and stop; what others count, or have counted, is 0 to it. */
static void a_program_reads_its_own_counters(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *own, *other;
		unsigned int nr;

		begin(chip);
		own = open_event(CYCLES | IA64_CONFIG_UP, 0);
		other = open_event(CYCLES, 0);
		add(other);
		CHECK(ia64_psr(task_pt_regs(current))->sp);
		CHECK_EQ(told_by_page(other), ~0ULL);
		CHECK_EQ(ia64_event_idx(own), 0);
		add(own);
		CHECK_EQ(ia64_event_idx(other), 0);
		nr = ia64_event_idx(own) - 1;
		CHECK(nr >= 4 && nr <= model.chip->last);
		user_up(true);
		run(CYCLES, 10);
		CHECK_EQ(told_by_page(own), 10);
		CHECK_EQ(count_of(own), 10);
		run(CYCLES, 5);
		CHECK_EQ(told_by_page(own), 15);
		CHECK_EQ(user_read(other->hw.idx), 0);
		CHECK(model.pmd[other->hw.idx]);
		/* After exec again, once it has mapped what it reads by. */
		ia64_psr(task_pt_regs(current))->sp = 1;
		ia64_pmu.event_mapped(other, NULL);
		CHECK_EQ(user_read(nr), 0);
		user_up(false);
		CHECK(model.up);
		ia64_pmu.event_mapped(own, NULL);
		CHECK_EQ(told_by_page(own), 15);
		/* Its counter stays as it is, for no one to see. */
		switch_tasks(own, task_of(1), NULL);
		return_to_user();
		ia64_psr(task_pt_regs(current))->sp = 0;
		CHECK(model.pmd[nr]);
		CHECK_EQ(user_read(nr), 0);
		check_machine();
	}
}

/* Cycles in which it happens more often than that */
static void thresholds_count_cycles(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *all, *busy;

		begin(chip);
		all = open_event(INSTRUCTIONS, 0);
		busy = open_event(INSTRUCTIONS | 4 << 20, 0);
		add(all);
		add(busy);
		cycle(INSTRUCTIONS, 4);
		cycle(INSTRUCTIONS, 5);
		cycle(INSTRUCTIONS, 6);
		CHECK_EQ(count_of(all), 15);
		CHECK_EQ(count_of(busy), 2);
		check_machine();
	}
}

/* ---- overflow ---------------------------------------------------------------------------------------------------- */

static void sampling_is_exact(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i;

		begin(chip);
		told = 0;
		event = open_event(CYCLES, 100);
		add(event);
		for (i = 1; i <= 1000; i++) {
			run(CYCLES, 1);
			CHECK_EQ(engine.samples, i / 100);
			CHECK_EQ(engine.periods, i / 100 * 100);
		}
		CHECK_EQ(count_of(event), 1000);
		CHECK_EQ(model.interrupts, 10);
		CHECK_EQ(told, 10);
		CHECK_EQ(model.unclaimed, 0);
		check_machine();
	}
}

/* More events than a counter can hold, in steps that a counter can take */
static void counters_wrap(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event, *sampled;
		u64 chunk = BIT_ULL(chip->width - 3), sum = 0;
		unsigned int i;

		begin(chip);
		event = open_event(CYCLES, 0);
		sampled = open_event(CYCLES, 20 * chunk);
		add(event);
		add(sampled);
		for (i = 1; i <= 200; i++) {
			cycle(CYCLES, chunk);
			sum += chunk;
			take_interrupts();
			CHECK_EQ(count_of(event), sum);
			CHECK_EQ(count_of(sampled), sum);
			CHECK_EQ(engine.samples, i / 20);
		}
		CHECK_EQ(engine.periods, sum);
		check_machine();
	}
}

static void two_overflow_in_one_cycle(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(CYCLES, 100);
		b = open_event(CYCLES, 50);
		add(a);
		add(b);
		run(CYCLES, 100);
		CHECK_EQ(engine.samples, 3);
		CHECK_EQ(model.interrupts, 2);
		CHECK_EQ(count_of(a) + count_of(b), 200);
		check_machine();
	}
}

/* With IRQs off the interrupt waits, and what happens to the events meanwhile loses no sample. */
static void an_interrupt_that_waits_is_not_lost(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(CYCLES, 100);
		b = open_event(INSTRUCTIONS, 0);
		add(a);
		run(CYCLES, 99);
		model.irqs_on = false;
		cycle(CYCLES, 1);
		CHECK_EQ(engine.samples, 0);
		add(b);				/* pauses, and lets IRQs in */
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(model.unclaimed, 0);
		run(INSTRUCTIONS, 5);
		CHECK_EQ(count_of(b), 5);
		run(CYCLES, 100);
		CHECK_EQ(engine.samples, 2);
		check_machine();
	}
}

/* An event that leaves with its overflow pending: the sample is taken when it is back, at the next event. */
static void a_sample_waits_for_its_event(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		run(CYCLES, 99);
		model.irqs_on = false;
		cycle(CYCLES, 1);
		del(event);
		CHECK_EQ(model.unclaimed, 1);
		CHECK_EQ(engine.samples, 0);
		add(event);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.periods, 100);
		run(CYCLES, 98);
		CHECK_EQ(engine.samples, 1);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(event), 200);
		check_machine();
	}
}

static void a_throttled_event_stops_alone(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(CYCLES, 100);
		b = open_event(CYCLES, 0);
		add(a);
		add(b);
		engine.throttle = a;
		run(CYCLES, 300);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(count_of(a), 100);
		CHECK_EQ(count_of(b), 300);
		start(a);
		run(CYCLES, 100);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(a), 200);
		stop(a);
		run(CYCLES, 1000);
		CHECK_EQ(count_of(a), 200);
		CHECK_EQ(count_of(b), 1400);
		check_machine();
	}
}

/* A counter may overflow at any access that the driver makes to the registers. */
static void an_overflow_may_come_at_any_access(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int period, i;

		for (period = 3; period < 40; period++) {
			struct perf_event *a, *b;

			begin(chip);
			a = open_event(CYCLES, period);
			b = open_event(INSTRUCTIONS, 0);
			add(a);
			model.per_access = CYCLES;
			for (i = 0; i < 50; i++) {
				add(b);
				run(CYCLES, 1);
				del(b);
			}
			model.per_access = 0;
			take_interrupts();
			/* Each period that is over had its sample, but for what came during the last interrupt. */
			CHECK(engine.periods <= count_of(a));
			CHECK(count_of(a) - engine.periods < 3 * period);
			CHECK(engine.samples >= count_of(a) / period / 3);
			run(CYCLES, period);
			CHECK(count_of(a) - engine.periods < 2 * period);
			check_machine();
		}
	}
}

/* A read may be interrupted by another. */
static struct perf_event *read_inside;
static unsigned int read_after;

static void read_now(void)
{
	if (read_after--)
		return;
	pcl_shim_interrupt = NULL;
	cycle(CYCLES, 3);
	ia64_pmu.read(read_inside);
}

static void a_read_within_a_read_counts_once(void)
{
	struct perf_event *event;
	unsigned int at;

	for (at = 0; at < 12; at++) {
		begin(&chips[0]);
		event = open_event(CYCLES, 0);
		add(event);
		run(CYCLES, 10);
		read_inside = event;
		read_after = at;
		pcl_shim_interrupt = read_now;
		count_of(event);
		pcl_shim_interrupt = NULL;
		CHECK_EQ(count_of(event), at < 12 && read_after == -1U ? 13 : 10);
	}
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void check_code(const struct code_row *row)
{
	struct perf_event *event;
	unsigned int idx;

	begin(chip_named(row->chip));
	event = open_attr(row->attr);
	add(event);
	idx = event->hw.idx;
	CHECK(row->source && is_source(row->source));
	if (model.pmc[idx] != row->pmc || !(row->counters & BIT(idx)))
		printf("# %s: %llx: PMC%u is %llx\n", row->chip, (unsigned long long)row->attr.config, idx,
		       (unsigned long long)model.pmc[idx]);
	CHECK_EQ(model.pmc[idx], row->pmc);
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

	for (i = 0; i < ARRAY_SIZE(refused); i++)
		check_refused(&refused[i], false);
}

static void a_foreign_type_is_not_ours(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };
	int err;

	begin(&chips[0]);
	make(&attr, NULL, true, &err);
	CHECK_EQ(err, -ENOENT);
}

static void machines_are_told_apart(void)
{
	/* Those after Montvale, Madison and Merced, and another family's first */
	static const u64 unknown[] = { 0x20020404, 0x1f030004, 0x07010004, 0x21000004 };
	struct perf_event_mmap_page page = { .pmc_width = 48 };
	struct perf_event nobodys = { };
	unsigned int i;

	begin(chip_named("McKinley"));
	CHECK(!strcmp(ia64_machine.family->title, "Itanium 2 (McKinley)"));
	begin(chip_named("Madison"));
	CHECK(!strcmp(ia64_machine.family->title, "Itanium 2 (Madison)"));
	begin(chip_named("Montvale"));
	CHECK(!strcmp(ia64_machine.family->title, "Itanium 2 (Montvale)"));
	begin(chip_named("Madison"));
	CHECK_EQ(ia64_pmu_init(0x1f020204), 0);		/* with 9 MB of cache */
	CHECK(!strcmp(ia64_machine.family->title, "Itanium 2 (Madison)"));
	registered = 0;
	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		CHECK_EQ(ia64_pmu_init(unknown[i]), 0);
		CHECK(!ia64_machine.family && !registered);
	}
	arch_perf_update_userpage(&nobodys, &page, 0);
	CHECK(!page.pmc_width && !page.cap_user_rdpmc);
}

/* What the tables say is consistent in itself. */
static void tables_are_consistent(void)
{
	const struct chip *chip;

	each_chip(chip) {
		const struct ia64_event *row, *other;

		begin(chip);
		for (row = ia64_machine.family->events; row->counters; row++) {
			CHECK(row->umasks && row->incr && row->incr <= 7);
			CHECK(!(row->counters & ~ia64_machine.family->counters));
			CHECK(!row->group || ia64_machine.family->groups);
			for (other = row + 1; other->counters; other++)
				CHECK(other->code != row->code || !(other->umasks & row->umasks));
		}
	}
}

CASES(CASE(counting_is_exact), CASE(privilege_levels_are_told_apart), CASE(a_program_has_psr_up),
      CASE(tasks_have_a_psr_up_each), CASE(who_waits_has_its_own_psr_up), CASE(without_memory_the_gate_is_the_tasks),
      CASE(a_program_reads_its_own_counters),
      CASE(the_page_knows_when_a_counter_stops), CASE(thresholds_count_cycles),
      CASE(sampling_is_exact), CASE(counters_wrap), CASE(two_overflow_in_one_cycle),
      CASE(an_interrupt_that_waits_is_not_lost), CASE(a_sample_waits_for_its_event),
      CASE(a_long_delay_has_one_sample), CASE(nothing_counts_while_the_pmu_is_disabled),
      CASE(a_period_begins_within_the_interrupt), CASE(an_event_on_its_way_has_counted_nothing),
      CASE(one_comes_as_another_goes), CASE(after_a_group_each_is_asked_again),
      CASE(only_what_counts_here_fills_a_group), CASE(a_group_may_be_of_any_size), CASE(a_group_is_added_whole),
      CASE(a_throttled_event_moves_and_goes_on),
      CASE(events_come_back_to_their_counters), CASE(a_cpu_comes_back_as_it_began),
      CASE(a_new_period_begins_without_a_sample), CASE(a_throttled_event_stops_alone),
      CASE(an_overflow_may_come_at_any_access), CASE(a_read_within_a_read_counts_once),
      CASE(what_goes_together_is_counted_together), CASE(what_does_not_is_refused_with_the_rule),
      CASE(a_stopped_anchor_holds_its_set), CASE(events_come_and_go_at_random),
      CASE(opcodes_are_matched), CASE(an_opcode_is_matched_whole),
      CASE(a_matcher_serves_one_wish_at_a_time), CASE(coming_back_writes_little),
      CASE(a_sample_has_the_access), CASE(a_sample_that_need_not_be_precise),
      CASE(a_sample_has_the_level_of_the_tlb), CASE(a_sample_has_the_line_of_a_fetch),
      CASE(only_what_is_valid_is_told), CASE(a_sample_is_where_the_access_was),
      CASE(what_is_captured_is_what_is_counted), CASE(a_register_is_shared_and_left_clean),
      CASE(a_stack_has_the_branches),
      CASE(captured_branches_are_counted_without_a_stack), CASE(a_pause_begins_the_buffer_anew), CASE(branches_are_filtered),
      CASE(branches_are_not_anothers),
      CASE(only_whole_branches_are_told),
      CASE(the_buffer_is_left_clean), CASE(the_last_bundle_is_known), CASE(recorders_serve_one_wish_at_a_time),
      CASE(fetches_are_restricted), CASE(what_is_a_tasks_is_not_shared), CASE(the_model_knows_what_may_not_be),
      CASE(accesses_are_restricted), CASE(a_range_serves_one_wish_at_a_time),
      CASE(a_debugger_has_the_registers), CASE(a_debugger_leaves_nothing_in_a_range),
      CASE(no_opcode_is_left_in_a_range),
      CASE(a_long_period_ends_with_its_last_event), CASE(one_event_to_go_is_not_none),
      CASE(a_look_takes_nothing_off_the_period), CASE(a_late_sample_shortens_the_next_period),
      CASE(an_interrupt_does_not_enable_the_pmu),
      CASE(what_others_recorded_stays), CASE(a_record_goes_with_its_task),
      CASE(counted_branches_go_with_their_task), CASE(who_comes_finds_no_records),
      CASE(who_comes_without_events_finds_no_records), CASE(records_stay_for_who_may_not_read),
      CASE(who_maps_finds_no_records),
      CASE(who_comes_finds_none_of_several), CASE(a_stray_interrupt_leaves_records),
      CASE(a_stray_interrupt_takes_no_overflow), CASE(a_stop_alone_loses_nothing),
      CASE(a_record_that_is_due_is_taken_first), CASE(a_miss_that_left_is_in_no_sample),
      CASE(an_exec_keeps_what_is_counted), CASE(an_exec_leaves_no_records),
      CASE(an_exec_of_who_may_not_read_leaves_records), CASE(an_exec_in_a_storm_leaves_no_records),
      CASE(who_maps_anothers_event_may_nothing), CASE(a_signals_handler_has_the_mask_for_itself),
      CASE(interrupts_without_end_are_ended), CASE(who_leaves_takes_no_others_overflow),
      CASE(the_overflow_of_who_stops_is_gone), CASE(what_nobody_wants_is_wiped_once),
      CASE(a_transaction_that_reads_adds_nothing),
      CASE(who_counts_goes_on_for_nobody), CASE(nothing_is_left_on_an_anchor),
      CASE(nothing_is_left_on_any_counter), CASE(who_stays_is_not_moved_for_who_comes),
      CASE(a_leader_that_is_off_needs_its_counter), CASE(a_member_in_error_fills_no_group),
      CASE(anothers_debugger_is_no_hindrance),
      CASE(a_counter_of_another_cpu_is_none),
      CASE(nothing_is_left_of_a_range), CASE(who_moves_loses_nothing), CASE(a_member_has_its_own_wishes),
      CASE(every_counter_is_used), CASE(a_transaction_is_no_longer_than_the_pmu),
      CASE(a_member_is_refused_for_its_own_reason), CASE(a_plain_sample_has_nothing_more),
      CASE(the_kernels_sample_has_its_registers), CASE(a_place_that_cannot_be_is_none),
      CASE(a_bundle_is_no_exact_place), CASE(all_kinds_are_any),
      CASE(an_entry_says_nothing_of_before),
      CASE(codes_are_as_the_manuals_say), CASE(registers_hold_what_their_source_says),
      CASE(each_refusal_has_its_reason), CASE(each_reason_has_a_row), CASE(a_foreign_type_is_not_ours), CASE(machines_are_told_apart),
      CASE(tables_are_consistent), CASE(all_names_are_told), CASE(what_has_a_format_is_read),
      CASE(without_memory_a_file_is_not_there))
