/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what the engine asks of the driver, and is told by it.
 */
#ifndef PCL_USER_IA64_ENGINE_H
#define PCL_USER_IA64_ENGINE_H

int perf_event_overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	CHECK(!model.irqs_on && is_frozen());
	if (!event->attr.sample_period)
		return 0;
	engine.samples++;
	engine.periods += data->period;
	engine.sampled = event;
	engine.ip = regs->cr_iip;
	engine.data = *data;
	engine.regs = *regs;
	if (data->sample_flags & PERF_SAMPLE_BRANCH_STACK)
		memcpy(&engine.branches, data->br_stack,
		       sizeof(*data->br_stack) + data->br_stack->nr * sizeof(engine.branches.entry[0]));
	if (engine.adjust) {		/* frequency mode: event->hw.sample_period is the new one */
		ia64_pmu.stop(event, PERF_EF_UPDATE);
		local64_set(&event->hw.period_left, 0);
		ia64_pmu.start(event, PERF_EF_RELOAD);
		CHECK(is_frozen());
	}
	if (engine.throttle != event)
		return 0;
	engine.throttle = NULL;
	return 1;
}

struct perf_callchain_entry *perf_callchain(struct perf_event *event, struct pt_regs *regs)
{
	engine.chain = regs;
	return NULL;
}

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

/* More than a period at once: the periods that nobody saw are not made up. */
static void a_long_delay_has_one_sample(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int late;

		for (late = 200; late <= 350; late += late < 300 ? 100 : 50) {
			begin(chip);
			add(open_event(CYCLES, 100));
			cycle(CYCLES, late);
			take_interrupts();
			CHECK_EQ(engine.samples, 1);
			run(CYCLES, 99);
			CHECK_EQ(engine.samples, 1);
			run(CYCLES, 1);
			CHECK_EQ(engine.samples, 2);
			check_machine();
		}
	}
}

/* Nothing counts before the engine enables the PMU, whatever starts and stops until then. */
static void nothing_counts_while_the_pmu_is_disabled(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 0);
		add(event);
		enter_kernel();
		ia64_pmu.pmu_disable(&ia64_pmu);
		ia64_pmu.stop(event, PERF_EF_UPDATE);
		CHECK(is_frozen());
		ia64_pmu.start(event, PERF_EF_RELOAD);
		CHECK(is_frozen());
		ia64_pmu.pmu_enable(&ia64_pmu);
		return_to_user();
		run(CYCLES, 10);
		CHECK_EQ(count_of(event), 10);
		check_machine();
	}
}

/* The engine may set the period anew within the interrupt, and throttle, too: all stand still until its end. */
static void a_period_begins_within_the_interrupt(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		engine.adjust = true;
		event = open_event(CYCLES, 100);
		add(event);
		run(CYCLES, 1000);
		CHECK_EQ(engine.samples, 10);
		CHECK_EQ(count_of(event), 1000);
		engine.throttle = event;
		run(CYCLES, 200);
		CHECK_EQ(count_of(event), 1100);
		check_machine();
	}
}

/* An event that has no counter yet, or was added stopped, has counted nothing. */
static void an_event_on_its_way_has_counted_nothing(void)
{
	struct perf_event *before, *event;

	begin(chip_named("Madison"));
	before = open_event(CYCLES, 0);
	add(before);
	run(CYCLES, 70);
	del(before);
	event = open_event(CYCLES, 0);
	ia64_pmu.pmu_disable(&ia64_pmu);
	CHECK_EQ(ia64_pmu.add(event, 0), 0);
	CHECK_EQ(count_of(event), 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	CHECK_EQ(count_of(event), 0);
	start(event);
	run(CYCLES, 10);
	CHECK_EQ(count_of(event), 10);
	check_machine();
}

/* Who comes while another goes is counted where it shall be. */
static void one_comes_as_another_goes(void)
{
	struct perf_event *gone, *event;

	begin(chip_named("Merced"));
	gone = open_event(CYCLES, 0);
	event = open_event(INSTRUCTIONS, 0);	/* not on PMC6 */
	gone->hw.idx = 6;
	gone->hw.last_cpu = 0;
	add(gone);
	CHECK_EQ(gone->hw.idx, 6);
	ia64_pmu.pmu_disable(&ia64_pmu);
	CHECK_EQ(ia64_pmu.add(event, PERF_EF_START), 0);
	ia64_pmu.del(gone, 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	CHECK(event->hw.idx == 4 || event->hw.idx == 5);
	run(INSTRUCTIONS, 10);
	CHECK_EQ(count_of(event), 10);
	check_machine();
}

/* The transaction is over, kept or not: who comes alone is asked whether it fits. */
static void after_a_group_each_is_asked_again(void)
{
	struct perf_event *events[3];
	unsigned int kept, i;

	for (kept = 0; kept < 2; kept++) {
		begin(chip_named("Merced"));
		for (i = 0; i < 3; i++)
			events[i] = open_event(INSTRUCTIONS, 0);	/* on PMC4 and PMC5 alone */
		ia64_pmu.pmu_disable(&ia64_pmu);
		ia64_pmu.start_txn(&ia64_pmu, PERF_PMU_TXN_ADD);
		for (i = 0; i < 2 && kept; i++)
			CHECK_EQ(ia64_pmu.add(events[i], PERF_EF_START), 0);
		if (kept)
			CHECK_EQ(ia64_pmu.commit_txn(&ia64_pmu), 0);
		else
			ia64_pmu.cancel_txn(&ia64_pmu);
		ia64_pmu.pmu_enable(&ia64_pmu);
		for (i = 0; i < 2 && !kept; i++)
			add(events[i]);
		CHECK_EQ(try_add(events[2]), -EAGAIN);
		check_machine();
	}
}

/* A group that does not fit beside what is there goes whole, and leaves that where it was. */
static void a_group_is_added_whole(void)
{
	struct perf_event *there, *members[2];
	unsigned int i;
	int idx;

	begin(chip_named("Merced"));
	there = open_event(INSTRUCTIONS, 0);
	for (i = 0; i < 2; i++)
		members[i] = open_event(INSTRUCTIONS, 0);
	/* They have been on counters before. */
	for (i = 0; i < 2; i++)
		add(members[i]);
	for (i = 2; i--; )
		del(members[i]);
	add(there);
	idx = there->hw.idx;
	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	ia64_pmu.start_txn(&ia64_pmu, PERF_PMU_TXN_ADD);
	for (i = 0; i < 2; i++)
		CHECK_EQ(ia64_pmu.add(members[i], PERF_EF_START), 0);
	CHECK_EQ(ia64_pmu.commit_txn(&ia64_pmu), -EAGAIN);
	for (i = 2; i--; )
		ia64_pmu.del(members[i], 0);
	ia64_pmu.cancel_txn(&ia64_pmu);
	ia64_pmu.pmu_enable(&ia64_pmu);
	return_to_user();
	CHECK_EQ(there->hw.idx, idx);
	run(INSTRUCTIONS, 10);
	CHECK_EQ(count_of(there), 10);
	add(members[0]);
	run(INSTRUCTIONS, 10);
	CHECK_EQ(count_of(members[0]), 10);
	check_machine();
}

/* Stopped without a look at the counter, and started without a reload: the count goes on. */
static void a_stop_alone_loses_nothing(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 0);
		add(event);
		run(CYCLES, 5);
		enter_kernel();
		ia64_pmu.stop(event, 0);
		ia64_pmu.start(event, 0);
		return_to_user();
		run(CYCLES, 7);
		CHECK_EQ(count_of(event), 12);
		check_machine();
	}
}

/* Who was throttled may have to go to another counter meanwhile; the tick starts it without a reload. */
static void a_throttled_event_moves_and_goes_on(void)
{
	struct perf_event *event, *narrow, *before;

	begin(chip_named("Merced"));
	before = open_event(CYCLES, 0);
	before->hw.idx = 6;
	before->hw.last_cpu = 0;
	add(before);
	run(CYCLES, 12345);
	del(before);
	narrow = open_event(INSTRUCTIONS, 0);
	add(narrow);
	event = open_event(CYCLES, 100);
	add(event);
	CHECK_EQ(event->hw.idx, 5);
	engine.throttle = event;
	run(CYCLES, 150);
	CHECK_EQ(count_of(event), 100);
	add(open_event(INSTRUCTIONS, 0));
	CHECK_EQ(event->hw.idx, 6);
	CHECK_EQ(count_of(event), 100);
	enter_kernel();
	ia64_pmu.start(event, 0);
	return_to_user();
	run(CYCLES, 99);
	CHECK_EQ(count_of(event), 199);
	CHECK_EQ(engine.samples, 1);
	run(CYCLES, 1);
	CHECK_EQ(engine.samples, 2);
	/* Added again while it is throttled: likewise */
	del(event);
	enter_kernel();
	ia64_pmu.pmu_disable(&ia64_pmu);
	CHECK_EQ(ia64_pmu.add(event, 0), 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	ia64_pmu.start(event, 0);
	return_to_user();
	run(CYCLES, 50);
	CHECK_EQ(count_of(event), 250);
	check_machine();
}

/* Who was here before comes back to where it was; not so who was there on another CPU. */
static void events_come_back_to_their_counters(void)
{
	struct perf_event *a, *b;

	begin(chip_named("Madison"));
	a = open_event(CYCLES, 0);
	b = open_event(CYCLES, 0);
	add(a);
	add(b);
	CHECK_EQ(b->hw.idx, 5);
	del(a);
	del(b);
	add(b);
	CHECK_EQ(b->hw.idx, 5);
	del(b);
	b->hw.last_cpu = 1;
	add(b);
	CHECK_EQ(b->hw.idx, 4);
	check_machine();
}

/* Members of a group that are of another PMU, or disabled, take no counter. */
static void only_what_counts_here_fills_a_group(void)
{
	static struct pmu other;
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = INSTRUCTIONS };
	struct perf_event *leader, *event;
	unsigned int i;
	int err;

	begin(chip_named("Merced"));
	leader = open_event(INSTRUCTIONS, 0);
	leader->pmu = &other;
	for (i = 0; i < 6; i++) {
		event = make(&attr, leader, true, &err);
		CHECK_EQ(err, 0);
		if (i & 1)
			event->state = PERF_EVENT_STATE_OFF;
		else
			event->pmu = &other;
	}
	for (i = 0; i < 2; i++) {
		make(&attr, leader, true, &err);
		CHECK_EQ(err, 0);
	}
	make(&attr, leader, true, &err);
	CHECK_EQ(err, -EINVAL);
}

/* A group of more events than there are counters, which were disabled while they were opened */
static void a_group_may_be_of_any_size(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = CYCLES };
	struct perf_event *leader, *event;
	unsigned int i;
	int err;

	begin(chip_named("Montecito"));
	leader = open_event(CYCLES, 0);
	for (i = 0; i < 40; i++) {
		event = make(&attr, leader, true, &err);
		CHECK_EQ(err, 0);
		event->state = PERF_EVENT_STATE_OFF;
	}
	list_for_each_entry(event, &leader->sibling_list, sibling_list)
		event->state = PERF_EVENT_STATE_INACTIVE;
	event = make(&attr, leader, true, &err);
	CHECK_EQ(err, -EINVAL);
	CHECK_EQ(event->refused, PCL_REASON_IA64_GROUP_NEVER_FITS);
}

/* A CPU that was away comes back with anything in its registers. */
static void a_cpu_comes_back_as_it_began(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		run(CYCLES, 250);
		del(event);
		model.irqs_on = false;
		for (i = 4; i < IA64_REGS; i++) {
			model.pmc[i] = random_u64();
			model.pmd[i] = random_u64() & full();
		}
		model.pmc[0] = random_u64() & ~FREEZE;
		memset(&ia64_cpu_pmus.hw, 0xff, sizeof(ia64_cpu_pmus.hw));
		ia64_cpu_prepare();
		CHECK_EQ(model.pmc[0], FREEZE);
		CHECK(!model.unserialized);
		CHECK(!ia64_cpu_pmus.hw.running && !ia64_cpu_pmus.hw.active && !ia64_cpu_pmus.hw.stale);
		for (i = 0; i < IA64_DEBUG_REGS; i++)
			CHECK(!ia64_cpu_pmus.hw.written[IA64_IBR(i)] && !ia64_cpu_pmus.hw.written[IA64_DBR(i)]);
		for (i = 4; i <= chip->last; i++) {
			CHECK_EQ(model.pmd[i], 0);
			CHECK_EQ(model.pmc[i], ia64_cpu_pmus.hw.written[i]);
		}
		model.wrote_counting = 0;
		model.irqs_on = true;
		add(event);
		run(CYCLES, 50);
		CHECK_EQ(engine.samples, 3);
		CHECK_EQ(count_of(event), 300);
		check_machine();
	}
}

#endif
