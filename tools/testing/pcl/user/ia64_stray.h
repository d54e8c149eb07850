/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what no event brings about, or one that is not here: interrupts, overflows and events left on
 * counters, leaders that are off, members in error, transactions that only read, debuggers of others, another CPU.
 */
#ifndef PCL_USER_IA64_STRAY_H
#define PCL_USER_IA64_STRAY_H

static void interrupt_for_nothing(unsigned int times)
{
	while (times--) {
		model.pending = true;
		take_interrupts();
	}
}

/* A few find nothing and change nothing; without end within one tick, all is off until the PMU is enabled again. */
static void interrupts_without_end_are_ended(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		for (i = 0; i < 10; i++) {
			interrupt_for_nothing(500);
			jiffies++;
		}
		CHECK_EQ(model.unclaimed, 5000);
		run(CYCLES, 150);
		CHECK_EQ(count_of(event), 150);
		CHECK_EQ(engine.samples, 1);
		interrupt_for_nothing(1000);
		CHECK(!is_frozen());
		*said = 0;
		interrupt_for_nothing(1);
		CHECK(strstr(said, "interrupts without a counter's overflow"));
		CHECK(is_frozen());
		interrupt_for_nothing(1000);
		CHECK(is_frozen());
		run(CYCLES, 10);
		CHECK_EQ(count_of(event), 150);
		/* within the same tick one more ends it again */
		add(open_event(CYCLES, 0));
		CHECK(!is_frozen());
		interrupt_for_nothing(1);
		CHECK(is_frozen());
		jiffies++;
		add(open_event(CYCLES, 0));
		run(CYCLES, 50);
		CHECK_EQ(count_of(event), 200);
		CHECK_EQ(engine.samples, 2);
		check_machine();
	}
}

/* A counter that no event has froze all: they go on, but not if the engine has the PMU disabled. */
static void who_counts_goes_on_for_nobody(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int off;

		for (off = 0; off < 2; off++) {
			begin(chip);
			event = open_event(CYCLES, 0);
			add(event);
			model.irqs_on = false;
			model.pmc[0] |= FREEZE | BIT_ULL(event->hw.idx == 7 ? 6 : 7);
			model.pending = true;
			if (off)
				ia64_pmu.pmu_disable(&ia64_pmu);
			model.irqs_on = true;
			take_interrupts();
			CHECK_EQ(model.unclaimed, 1);
			CHECK_EQ(is_frozen(), off);
			run(CYCLES, 10);
			CHECK_EQ(count_of(event), off ? 0 : 10);
			check_machine();
		}
	}
}

/* Two overflow in one cycle, and one leaves before the interrupt comes: that finds the other. */
static void who_leaves_takes_no_others_overflow(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(CYCLES, 100);
		b = open_event(CYCLES, 100);
		add(a);
		add(b);
		model.irqs_on = false;
		run(CYCLES, 100);
		del(a);
		CHECK_EQ(engine.samples, 1);
		CHECK(engine.sampled == b);
		check_machine();
	}
}

/* Nor is there an overflow of its own any more: not of who was stopped, and not of whom its counter had, later. */
static void the_overflow_of_who_stops_is_gone(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_event(CYCLES, 100);
		b = open_event(CYCLES, 100);
		add(a);
		add(b);
		run(CYCLES, 99);
		enter_kernel();
		run(CYCLES, 1);
		ia64_pmu.pmu_disable(&ia64_pmu);
		ia64_pmu.stop(a, PERF_EF_UPDATE);
		CHECK_EQ(model.pmc[0], FREEZE | BIT_ULL(b->hw.idx));
		ia64_pmu.pmu_enable(&ia64_pmu);
		return_to_user();
		CHECK(engine.samples == 1 && engine.sampled == b);
		CHECK_EQ(model.unclaimed, 0);
		model.pmc[0] |= FREEZE | BIT_ULL(a->hw.idx);
		interrupt_for_nothing(1);
		CHECK_EQ(model.unclaimed, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK(!is_frozen());
		check_machine();
	}
}

/* Who shared what was recorded leaves together: it is empty then, and nothing is to be emptied when others come. */
static void what_nobody_wants_is_wiped_once(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *first, *second;

		begin(chip);
		first = open_attr(ear_attr(true, EAR(IN_CACHE, 0), 0, 0));
		second = open_attr(ear_attr(true, EAR(IN_CACHE, 0), 0, 0));
		add(first);
		add(second);
		enter_kernel();
		ia64_pmu.pmu_disable(&ia64_pmu);
		ia64_pmu.del(first, 0);
		CHECK(ia64_cpu_pmus.hw.stale);
		ia64_pmu.del(second, 0);
		CHECK(!ia64_cpu_pmus.hw.stale);
		ia64_pmu.pmu_enable(&ia64_pmu);
		return_to_user();
		check_machine();
	}
}

/* A transaction that reads puts nothing off: who comes meanwhile is told at once that there is no counter. */
static void a_transaction_that_reads_adds_nothing(void)
{
	begin(chip_named("Merced"));
	add(open_event(INSTRUCTIONS, 0));	/* on PMC4 and PMC5 alone */
	add(open_event(INSTRUCTIONS, 0));
	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	ia64_pmu.start_txn(&ia64_pmu, PERF_PMU_TXN_READ);
	CHECK_EQ(ia64_pmu.add(open_event(INSTRUCTIONS, 0), PERF_EF_START), -EAGAIN);
	CHECK_EQ(ia64_pmu.commit_txn(&ia64_pmu), 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	return_to_user();
	check_machine();
}

/* What a counter counted stays on it while it may be an anchor, and no longer. */
static void nothing_is_left_on_an_anchor(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *first, *second, *other;
		unsigned int idx;

		if (chip->kind == MERCED)
			continue;
		begin(chip);
		first = open_event(WITH_UMASK(0xc0, 0), 0);
		second = open_event(WITH_UMASK(0xc1, 0), 0);
		other = open_event(CYCLES, 0);
		add(first);
		add(second);
		add(other);
		CHECK_EQ(first->hw.idx, 5);
		del(first);
		CHECK_EQ(code_of(5), 0xc0);
		run(WITH_UMASK(0xc1, 0), 10);
		CHECK_EQ(count_of(second), 10);
		del(second);
		for (idx = 4; idx <= chip->last; idx++)
			CHECK_EQ(code_of(idx), idx == other->hw.idx ? 0x12 : 0);
		run(CYCLES, 10);
		CHECK_EQ(count_of(other), 10);
		check_machine();
	}
}

/* A leader that is off is switched on with its members, and needs its counter then. */
static void a_leader_that_is_off_needs_its_counter(void)
{
	static const int states[] = { PERF_EVENT_STATE_OFF, PERF_EVENT_STATE_ERROR };
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = INSTRUCTIONS };
	struct perf_event *leader;
	unsigned int i;
	int err;

	begin(chip_named("Merced"));
	leader = open_event(INSTRUCTIONS, 0);	/* on PMC4 and PMC5 alone */
	make(&attr, leader, true, &err);
	CHECK_EQ(err, 0);
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		leader->state = states[i];
		CHECK_EQ(make(&attr, leader, true, &err)->refused, PCL_REASON_IA64_GROUP_NEVER_FITS);
		CHECK_EQ(err, -EINVAL);
	}
}

/* A member that could not be on the counters when it was wanted there is on none. */
static void a_member_in_error_fills_no_group(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = INSTRUCTIONS };
	struct perf_event *leader, *event;
	int err;

	begin(chip_named("Merced"));
	leader = open_event(INSTRUCTIONS, 0);	/* on PMC4 and PMC5 alone */
	event = make(&attr, leader, true, &err);
	CHECK_EQ(err, 0);
	event->state = PERF_EVENT_STATE_ERROR;
	make(&attr, leader, true, &err);
	CHECK_EQ(err, 0);
	CHECK_EQ(make(&attr, leader, true, &err)->refused, PCL_REASON_IA64_GROUP_NEVER_FITS);
	CHECK_EQ(err, -EINVAL);
}

/* All of the counters that may be anchors, or might have been: Montecito has twelve. */
static void nothing_is_left_on_any_counter(void)
{
	struct perf_event *events[12];
	unsigned int i;

	begin(chip_named("Montecito"));
	for (i = 0; i < 12; i++) {
		events[i] = open_event(WITH_UMASK(0xc0 + i % 4, 0), 0);
		add(events[i]);
	}
	for (i = 0; i < 12; i++)
		CHECK(code_of(events[i]->hw.idx) >> 2 == 0xc0 >> 2);
	for (i = 0; i < 12; i++)
		del(events[i]);
	for (i = 4; i < 16; i++)
		CHECK_EQ(code_of(i), 0);
	check_machine();
}

/* Who comes had the counter that another one has now, which stays there. */
static void who_stays_is_not_moved_for_who_comes(void)
{
	struct perf_event *first, *stays, *comes;

	begin(chip_named("Montecito"));
	first = open_event(WITH_UMASK(0xe4, 0), 0);
	stays = open_event(WITH_UMASK(0xe8, 0), 0);
	comes = open_event(WITH_UMASK(0xea, 0), 0);
	add(first);
	add(comes);
	CHECK_EQ(comes->hw.idx, 6);
	del(comes);
	add(stays);
	del(first);
	CHECK_EQ(stays->hw.idx, 6);
	add(comes);
	CHECK_EQ(stays->hw.idx, 6);
	CHECK_EQ(comes->hw.idx, 4);
	check_machine();
}

/* Whose debug registers they would be is asked, and not whose call it is. */
static void anothers_debugger_is_no_hindrance(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr = fetch_attr(0x1000, 0x2000);
		int err;

		begin(chip);
		task_of(1)->thread.flags = IA64_THREAD_DBG_VALID;
		made_for = task_of(1);
		CHECK_EQ(make(&attr, NULL, true, &err)->refused, PCL_REASON_IA64_RANGE_PTRACE);
		CHECK_EQ(err, -EBUSY);
		current = task_of(1);
		made_for = task_of(0);
		make(&attr, NULL, true, &err);
		CHECK_EQ(err, 0);
		made_for = NULL;
	}
}

/* Where an event was on another CPU is no reason to be there on this one, and it is where it was there. */
static void a_counter_of_another_cpu_is_none(void)
{
	struct perf_event *first, *event;

	begin(chip_named("Madison"));
	shim_cpu = 1;
	model = (struct machine){ .chip = chip_named("Madison"), .irqs_on = true, .level = 3, .pp = true };
	*this_cpu_ptr(&ia64_cpu_pmus) = (struct ia64_cpu_pmu){ };
	model.irqs_on = false;
	ia64_cpu_prepare();
	model.irqs_on = true;
	model.wrote_counting = 0;
	first = open_event(CYCLES, 0);
	event = open_event(CYCLES, 0);
	add(first);
	add(event);
	CHECK_EQ(event->hw.idx, 5);
	del(first);
	del(event);
	add(event);
	CHECK_EQ(event->hw.idx, 5);
	del(event);
	shim_cpu = 0;
	add(event);
	CHECK_EQ(event->hw.idx, 4);
	check_machine();
}

#endif
