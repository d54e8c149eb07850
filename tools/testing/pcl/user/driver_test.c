// SPDX-License-Identifier: GPL-2.0
/*
 * The x86 driver as a whole, on a model of one CPU's counters and local APIC (driver_model.h).
 */
#include "driver_boot.h"
#include "driver_detect.h"
#include "driver_events.h"
#include "driver_irq.h"
#include "driver_kinds.h"
#include "driver_left.h"
#include "driver_node.h"
#include "driver_siblings.h"

/* ---- what held before, and must hold ----------------------------------------------------------------------------- */

static void counting_is_exact_one(struct x86_machine machine)
{
	struct perf_event *a, *b;

	begin(machine);
	a = open_event(EVENT, 0);
	b = open_event(EVENT, 0);
	add(a);
	run(100);
	add(b);
	run(50);
	del(a);
	run(7);
	del(b);
	CHECK_EQ(local64_read(&a->count), 150);
	CHECK_EQ(local64_read(&b->count), 57);
	CHECK_EQ(model.wrong, 0);
	CHECK_EQ(model.unclaimed, 0);
}

static void counting_is_exact(void)
{
	counting_is_exact_one(skylake);
	counting_is_exact_one(of(&skylake, &x86_nehalem));
	counting_is_exact_one(amd);
	counting_is_exact_one(amd_v2());
}

static void sampling_is_exact_one(struct x86_machine machine, unsigned int late)
{
	struct perf_event *event;

	begin(machine);
	model.late = late;
	event = open_event(EVENT, 1000);
	add(event);
	run(10000 + 100);
	CHECK_EQ(engine.samples, 10);
	CHECK_EQ(engine.periods, 10000);
	del(event);
	CHECK_EQ(local64_read(&event->count), 10100);
	CHECK_EQ(model.wrong, 0);
	CHECK_EQ(model.unclaimed, 0);
}

static void sampling_is_exact(void)
{
	unsigned int late;

	for (late = 0; late < 40; late++) {
		sampling_is_exact_one(skylake, late);
		sampling_is_exact_one(amd, late);
		sampling_is_exact_one(amd_v2(), late);
	}
}

/* ---- one counter disturbs another -------------------------------------------------------------------------------- */

/* Errata AAK100, AAP53, BD53: the kick zeroes all four counters, those of stopped events as well. */
static void the_kick_keeps_stopped_events(void)
{
	struct perf_event *a, *b;

	begin(of(&skylake, &x86_nehalem));
	a = open_event(EVENT, 1000);
	b = open_event(EVENT, 0);
	add(a);
	engine.throttle = a;
	run(1000);
	CHECK_EQ(engine.samples, 1);
	add(b);
	run(10);
	unthrottle(a);
	CHECK_EQ(count_of(a), 1000);
	run(999);
	CHECK_EQ(engine.samples, 1);
	run(1);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(count_of(a), 2000);
	del(a);
	del(b);
	CHECK_EQ(local64_read(&b->count), 1010);
	CHECK_EQ(model.wrong, 0);
}

/* ... and counters that got a new event do not count without it. */
static void new_events_are_kicked_awake(void)
{
	const struct x86_family *const families[] = { &x86_nehalem, &x86_westmere };
	struct perf_event *a, *b, *c;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		begin(of(&skylake, families[i]));
		model.sleepy = true;
		a = open_event(EVENT, 0);
		b = open_event(EVENT + 1, 1000);
		c = open_event(EVENT + 2, 0);
		add(a);
		run(100);
		add(b);
		run(1100);
		del(a);
		add(c);
		run(50);
		del(b);
		add(a);
		run(7);
		del(c);
		del(a);
		CHECK_EQ(local64_read(&a->count), 1207);
		CHECK_EQ(local64_read(&b->count), 1150);
		CHECK_EQ(local64_read(&c->count), 57);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(model.wrong, 0);
	}
}

/* Counter 3 is everybody's; transactions abort while it is used, and only then. */
static void counter_3_is_microcode_s_while_nobody_uses_it(void)
{
	struct x86_machine machine = skylake;
	struct perf_event *event[4];
	unsigned int i;

	machine.layout.force_abort = TSX_FORCE_ABORT;
	reset();
	model.tfa = 1;
	boot(machine);
	CHECK_EQ(model.tfa, 0);
	for (i = 0; i < 4; i++) {
		event[i] = open_event(EVENT, 0);
		CHECK_EQ(model.tfa, 0);
		add(event[i]);
	}
	CHECK_EQ(model.tfa, 1);
	run(100);
	for (i = 0; i < 4; i++)
		CHECK_EQ(count_of(event[i]), 100);
	CHECK_EQ(event[3]->hw.idx, 3);
	del(event[3]);
	CHECK_EQ(model.tfa, 0);
	CHECK_EQ(model.select[3], 0);
	run(50);
	add(event[3]);
	CHECK_EQ(model.tfa, 1);
	run(10);
	for (i = 0; i < 4; i++) {
		CHECK_EQ(count_of(event[i]), i == 3 ? 110 : 160);
		del(event[i]);
	}
	CHECK_EQ(model.tfa, 0);
}

/* ... unless the user wants transactions more: then the counter is nobody's, at once. */
static void counter_3_can_be_denied(void)
{
	struct x86_machine machine = skylake;
	struct perf_event *event[4];
	unsigned int i;

	machine.layout.force_abort = TSX_FORCE_ABORT;
	begin(machine);
	for (i = 0; i < 4; i++) {
		event[i] = open_event(EVENT, 0);
		add(event[i]);
	}
	run(100);
	CHECK_EQ(model.tfa, 1);
	x86_tfa_set(false);
	CHECK_EQ(model.tfa, 0);
	run(50);
	for (i = 0; i < 3; i++)
		CHECK_EQ(count_of(event[i]), 150);
	CHECK_EQ(local64_read(&event[3]->count), 100);
	CHECK_EQ(try_add(event[3]), -EAGAIN);
	x86_tfa_set(true);
	add(event[3]);
	CHECK_EQ(model.tfa, 1);
	run(7);
	for (i = 0; i < 4; i++) {
		CHECK_EQ(count_of(event[i]), i == 3 ? 107 : 157);
		del(event[i]);
	}
}

/* ---- standstill -------------------------------------------------------------------------------------------------- */

static struct perf_event *open_user(u64 config, u64 period, bool user)
{
	struct perf_event *event;
	int err;

	exclude_kernel = user;
	event = make(config, period, &err);
	exclude_kernel = false;
	CHECK_EQ(err, 0);
	return event;
}

/* "jmp .": every sample finds the same registers, and the handler is not counted. */
static void user_events_are_not_stretched(void)
{
	struct perf_event *event;

	begin(skylake);
	model.standstill = true;
	event = open_user(EVENT, 100, true);
	add(event);
	run(10000);
	CHECK_EQ(engine.samples, 100);
	CHECK_EQ(engine.last_period, 100);
	CHECK_EQ(engine.wrong_periods, 0);
	del(event);
}

/* The writes of a sample: its counter, and on Intel the acknowledgement; to stop the counters meanwhile takes two more. */
static unsigned int writes_of(struct x86_machine machine, u64 config, bool user_only)
{
	unsigned int writes;

	begin(machine);
	add(open_user(config, 1000, user_only));
	run(1000);
	CHECK_EQ(engine.samples, 1);
	model.writes = 0;
	run(1000);
	CHECK_EQ(engine.samples, 2);
	writes = model.writes;
	del(&events[(nr_events - 1) % NR_EVENTS]);
	return writes;
}

static unsigned int writes_of_a_sample(struct x86_machine machine, bool user_only)
{
	return writes_of(machine, EVENT, user_only);
}

static void user_samples_stop_no_counters(void)
{
	CHECK_EQ(writes_of_a_sample(skylake, true), 2);
	CHECK_EQ(writes_of_a_sample(skylake, false), 4);
	/* That counts the thread beside, which does not stand still. */
	CHECK_EQ(writes_of(skylake, EVENT | X86_SEL_ANY, true), 4);
	CHECK_EQ(writes_of_a_sample(amd_v2(), true), 2);
	CHECK_EQ(writes_of_a_sample(amd_v2(), false), 4);
	CHECK_EQ(writes_of_a_sample(amd, true), 1);
	CHECK_EQ(writes_of_a_sample(amd, false), 3);
}

/* One that counts the kernel beside them: it would count the handler. */
static void user_samples_stop_who_counts_the_kernel(void)
{
	struct perf_event *counting, *sampling, *later;

	begin(skylake);
	counting = open_user(EVENT, 0, false);
	sampling = open_user(EVENT, 1000, true);
	add(counting);
	add(sampling);
	model.writes = 0;
	run(1000);
	CHECK_EQ(engine.samples, 1);
	CHECK_EQ(model.writes, 4);
	del(counting);
	del(sampling);
	/* ... and nobody else: not what comes to the same counter later. */
	later = open_user(EVENT, 1000, true);
	add(later);
	CHECK_EQ(later->hw.idx, counting->hw.idx);
	run(500);
	model.writes = 0;
	run(1000);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(model.writes, 2);
	del(later);
}

/* In frequency mode a tick changes the period while one is under way. */
static void a_sample_stands_for_the_period_that_ended(void)
{
	struct perf_event *event;

	begin(skylake);
	event = open_user(EVENT, 100, true);
	add(event);
	run(50);
	event->hw.sample_period = 300;
	run(60);
	CHECK_EQ(engine.samples, 1);
	CHECK_EQ(engine.last_period, 100);
	event->hw.sample_period = 70;
	run(300);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(engine.last_period, 300);
	run(70);
	CHECK_EQ(engine.last_period, 70);
	CHECK_EQ(engine.wrong_periods, 0);
	del(event);
}

static void stretched_samples_say_their_period(void)
{
	struct perf_event *event;

	begin(skylake);
	model.standstill = true;
	event = open_user(EVENT, 100, false);
	add(event);
	run(20000);
	CHECK(engine.samples > 1 && engine.samples < 20);
	CHECK_EQ(engine.last_period, 4096);
	CHECK_EQ(engine.wrong_periods, 0);
	model.standstill = false;
	run(5000);
	CHECK_EQ(engine.last_period, 100);
	CHECK_EQ(engine.wrong_periods, 0);
	del(event);
}

/* Of two that are over in one interrupt the second does not find the registers of the first unmoved. */
static void two_short_periods_are_no_standstill(void)
{
	struct perf_event *a, *b;

	begin(skylake);
	a = open_event(EVENT, 100);
	b = open_event(EVENT, 100);
	add(a);
	add(b);
	run(1000);
	CHECK_EQ(model.nmis, 10);
	CHECK_EQ(engine.samples, 20);
	CHECK_EQ(engine.periods, 2000);
	del(a);
	del(b);
}

/* ---- guests ------------------------------------------------------------------------------------------------------ */

/*
 * KVM has the processor load what perf_guest_get_msrs() said when the guest exits, however long ago that was said. An
 * NMI before the entry may have stopped a counter.
 */
static void a_guest_does_not_bring_back_a_stopped_counter_one(bool other)
{
	struct perf_guest_switch_msr *msrs;
	struct perf_event *a, *b = NULL;
	u64 before;
	int nr;

	begin(skylake);
	a = open_event(EVENT, 1000);
	add(a);
	if (other) {
		b = open_event(EVENT, 0);
		add(b);
	}
	run(990);
	msrs = perf_guest_get_msrs(&nr, NULL);
	CHECK_EQ(nr, 1);
	CHECK_EQ(msrs[0].msr, layout()->global_control);
	engine.throttle = a;
	run(10);
	CHECK_EQ(engine.samples, 1);
	model.global = msrs[0].host;
	before = model.count[a->hw.idx];
	run(100);
	CHECK_EQ(model.count[a->hw.idx], before);
	x86_core_pmu.pmu_disable(&x86_core_pmu);
	CHECK_EQ(model.global, 0);
	x86_core_pmu.pmu_enable(&x86_core_pmu);
	unthrottle(a);
	run(1000);
	CHECK_EQ(engine.samples, 2);
	CHECK_EQ(count_of(a), 2000);
	CHECK_EQ(model.wrong, 0);
	del(a);
	if (other) {
		CHECK_EQ(count_of(b), 2100);
		del(b);
	}
}

static void a_guest_does_not_bring_back_a_stopped_counter(void)
{
	a_guest_does_not_bring_back_a_stopped_counter_one(false);
	a_guest_does_not_bring_back_a_stopped_counter_one(true);
}

/* AMD: while SVM is off the bit for the host alone would stop the counter, so it is set only while it is on. */
static void host_events_count_with_svm_and_without_one(struct x86_machine machine)
{
	struct perf_event *event;

	begin(machine);
	exclude_guest = true;
	event = open_event(EVENT, 0);
	exclude_guest = false;
	add(event);
	run(10);
	CHECK(!(model.select[event->hw.idx] & X86_SEL_HOST_ONLY));
	amd_pmu_enable_virt();
	run(10);
	CHECK(model.select[event->hw.idx] & X86_SEL_HOST_ONLY);
	amd_pmu_disable_virt();
	run(10);
	CHECK(!(model.select[event->hw.idx] & X86_SEL_HOST_ONLY));
	CHECK_EQ(count_of(event), 30);
	del(event);
}

static void host_events_count_with_svm_and_without(void)
{
	host_events_count_with_svm_and_without_one(amd);
	host_events_count_with_svm_and_without_one(amd_v2());
}

/* ---- sleep ------------------------------------------------------------------------------------------------------- */

/* The local APIC sleeps until its own resume; what is written to it before is lost, or faults. */
static void resume_comes_after_the_apic(void)
{
	struct perf_event *event;
	unsigned int i;

	begin(skylake);
	event = open_event(EVENT, 1000);
	add(event);
	run(1500);
	for (i = nr_syscore; i--;)
		CHECK_EQ(syscore[i]->suspend(), 0);
	memset(model.select, 0, sizeof(model.select));
	memset(model.count, 0, sizeof(model.count));
	model.global = model.fixed = model.status = model.debugctl = 0;
	model.apic_asleep = true;
	model.masked = true;
	for (i = 0; i < nr_syscore; i++)
		syscore[i]->resume();
	CHECK_EQ(model.early_apic, 0);
	run(1500);
	CHECK_EQ(engine.samples, 3);
	CHECK_EQ(count_of(event), 3000);
	del(event);
}

/* ---- what an event may be ---------------------------------------------------------------------------------------- */

/* Specification update of Broadwell, BDM55: the low six bits of INST_RETIRED.ALL's period are zero, also the longest. */
static void the_longest_period_obeys_the_erratum(void)
{
	struct perf_event *event;

	begin(of(&skylake, &x86_broadwell));
	event = open_event(0x01c0, BIT_ULL(50));
	add(event);
	CHECK_EQ(model.count[event->hw.idx] & 63, 0);
	CHECK(model.count[event->hw.idx] > BIT_ULL(47));
	run(1);
	CHECK_EQ(count_of(event), 1);
	del(event);
}

/* An abort puts the counter, and the status, back to before the overflow: so it is looked at at every interrupt. */
static void checkpointed_counters_are_looked_at(void)
{
	struct x86_machine machine = of(&skylake, &x86_haswell);
	struct perf_event *tx, *other;

	machine.has_tx = true;
	begin(machine);
	tx = open_event(EVENT | X86_SEL_IN_TX_CP, 0);
	other = open_event(EVENT, 1000);
	add(tx);
	CHECK_EQ(tx->hw.idx, 2);
	add(other);
	run(999);
	model.count[2] = 5;
	CHECK_EQ(local64_read(&tx->count), 0);
	run(1);
	CHECK_EQ(engine.samples, 1);
	CHECK(model.count[2] & BIT_ULL(47));
	del(tx);
	del(other);
}

/* CPUID leaf 0xa, EDX bit 15 */
static void any_thread_is_refused_where_deprecated(void)
{
	struct x86_machine machine = skylake;
	struct perf_event *event;
	int err;

	begin(machine);
	open_event(EVENT | X86_SEL_ANY, 0);
	machine.version = 5;
	machine.has_any = false;
	machine.select_refused = X86_SEL_ANY;
	begin(machine);
	event = make(EVENT | X86_SEL_ANY, 0, &err);
	CHECK_EQ(err, -EINVAL);
	CHECK_EQ(event->refused, PCL_REASON_X86_ANY_ABSENT);
}

CASES(CASE(counting_is_exact), CASE(sampling_is_exact), CASE(counters_that_run_at_boot_are_not_broken),
      CASE(firmware_that_counts_is_complained_of), CASE(counters_that_are_not_there_are_noticed),
      CASE(what_a_kernel_before_left_is_cleared),
      CASE(what_samples_instructions_is_turned_off), CASE(two_overflows_make_two_interrupts),
      CASE(foreign_interrupts_are_not_claimed), CASE(an_overflow_in_flight_is_waited_for),
      CASE(the_wait_for_an_overflow_ends), CASE(a_status_bit_that_lands_late_is_seen),
      CASE(a_status_bit_that_is_stuck_ends), CASE(late_interrupts_of_counting_events_are_claimed),
      CASE(an_interrupt_leaves_a_paused_pmu_paused), CASE(foreign_interrupts_cost_little),
      CASE(an_interrupt_that_finds_nothing_is_not_the_last), CASE(a_period_wider_than_the_counter_is_kept),
      CASE(an_overflow_within_a_read_counts_once), CASE(user_code_reads_what_the_kernel_reads),
      CASE(the_kick_keeps_stopped_events), CASE(new_events_are_kicked_awake),
      CASE(init_leaves_the_counters_as_they_were), CASE(events_that_cpuid_denies_are_refused),
      CASE(a_register_that_faults_is_no_pmu), CASE(registers_that_keep_nothing_are_no_pmu),
      CASE(counter_3_is_microcode_s_while_nobody_uses_it), CASE(counter_3_can_be_denied), CASE(user_events_are_not_stretched),
      CASE(user_samples_stop_no_counters), CASE(user_samples_stop_who_counts_the_kernel),
      CASE(a_sample_stands_for_the_period_that_ended), CASE(stretched_samples_say_their_period), CASE(two_short_periods_are_no_standstill),
      CASE(a_guest_does_not_bring_back_a_stopped_counter),
      CASE(resume_comes_after_the_apic), CASE(the_longest_period_obeys_the_erratum),
      CASE(checkpointed_counters_are_looked_at), CASE(any_thread_is_refused_where_deprecated),
      CASE(threads_do_not_disturb_each_other), CASE(loud_events_leave_half_of_the_counters),
      CASE(a_lone_thread_has_all_counters), CASE(claims_of_two_threads_race), CASE(threads_change_at_random),
      CASE(cores_of_a_node_share_its_counters), CASE(without_shared_counters_each_core_has_all),
      CASE(claims_of_two_cores_race), CASE(host_events_count_with_svm_and_without),
      CASE(a_round_trip_writes_nothing), CASE(who_counts_the_kernel_is_alike),
      CASE(not_who_needs_more_than_a_difference), CASE(who_wants_something_else_gets_it),
      CASE(who_samples_loads_its_period), CASE(who_is_stopped_does_not_count), CASE(who_takes_one_has_time_until_zero),
      CASE(rdpmc_shows_nothing_of_others), CASE(rdpmc_shows_nothing_of_before),
      CASE(what_the_page_says_fits), CASE(short_periods_come_back_too), CASE(passing_zero_ends_it), CASE(the_last_event_ends_it),
      CASE(a_cpu_takes_none_along), CASE(counters_change_hands_at_random),
      CASE(some_kinds_have_a_least_period), CASE(any_thread_is_for_some_versions), CASE(aux_output_is_for_precise_samples),
      CASE(top_down_metrics_are_not_built), CASE(pairs_of_counters_are_not_built))
