/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: edges. The last event of a period, what one event leaves to others, what a member of a group
 * has of its own, what nobody asked for.
 */
#ifndef PCL_USER_IA64_EDGES_H
#define PCL_USER_IA64_EDGES_H

/*
 * ---- periods -----------------------------------------------------------------------------------------------------
 */

/* A period that is longer by one than a counter can wait for ends with that one, and not before. */
static void a_long_period_ends_with_its_last_event(void)
{
	const struct chip *chip;

	each_chip(chip) {
		u64 most = BIT_ULL(chip->width - 1) - 1;
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, most + 1);
		add(event);
		cycle(CYCLES, most);
		take_interrupts();
		CHECK_EQ(model.interrupts, 1);
		CHECK_EQ(engine.samples, 0);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.periods, most + 1);
		CHECK_EQ(count_of(event), most + 1);
		check_machine();
	}
}

/* Stopped with one event to go: that one ends the period, or, of a period set anew, nothing does. */
static void one_event_to_go_is_not_none(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		run(CYCLES, 99);
		stop(event);
		start(event);
		CHECK_EQ(engine.samples, 0);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 1);
		run(CYCLES, 99);
		set_period(event, 100);
		run(CYCLES, 99);
		CHECK_EQ(engine.samples, 1);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 2);
		check_machine();
	}
}

/* The tick stops and starts without a reload, when it only looks: what it saw is not taken off the period once more. */
static void a_look_takes_nothing_off_the_period(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		for (i = 1; i <= 1000; i++) {
			run(CYCLES, 1);
			CHECK_EQ(engine.samples, i / 100);
			enter_kernel();
			if (i % 7 == 0) {
				ia64_pmu.stop(event, PERF_EF_UPDATE);
				ia64_pmu.start(event, 0);
			}
			if (i % 13 == 0) {
				ia64_pmu.stop(event, PERF_EF_UPDATE);
				ia64_pmu.start(event, PERF_EF_RELOAD);
			}
			return_to_user();
		}
		CHECK_EQ(count_of(event), 1000);
		check_machine();
	}
}

/* Late by all of a period but one event: that one is waited for. */
static void a_late_sample_shortens_the_next_period(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		cycle(CYCLES, 199);
		take_interrupts();
		CHECK_EQ(engine.samples, 1);
		run(CYCLES, 1);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(event), 200);
		check_machine();
	}
}

/* The interrupt comes while the engine has the PMU disabled: the sample is taken, and all stays frozen. */
static void an_interrupt_does_not_enable_the_pmu(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES, 100);
		add(event);
		run(CYCLES, 99);
		enter_kernel();
		cycle(CYCLES, 1);
		ia64_pmu.pmu_disable(&ia64_pmu);
		model.irqs_on = true;
		take_interrupts();
		CHECK_EQ(engine.samples, 1);
		CHECK(is_frozen());
		model.irqs_on = false;
		ia64_pmu.pmu_enable(&ia64_pmu);
		return_to_user();
		run(CYCLES, 100);
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(count_of(event), 200);
		check_machine();
	}
}

/*
 * ---- what is left to others ---------------------------------------------------------------------------------------
 */

enum recorder { FETCHES, ACCESSES, TRACE, RECORDERS };

/* Whose PMD @nr is; RECORDERS: of none. The index of the trace is not asked for: it begins anew at each resume. */
static enum recorder filler_of(unsigned int nr)
{
	static const struct { enum kind kind; unsigned int first, last; enum recorder recorder; } rows[] = {
		{ MERCED, 0, 1, FETCHES }, { MERCED, 2, 3, ACCESSES }, { MERCED, 17, 17, ACCESSES },
		{ MERCED, 8, 15, TRACE }, { ITANIUM2, 0, 1, FETCHES }, { ITANIUM2, 2, 3, ACCESSES },
		{ ITANIUM2, 17, 17, ACCESSES }, { ITANIUM2, 8, 15, TRACE }, { MONTECITO, 34, 35, FETCHES },
		{ MONTECITO, 32, 33, ACCESSES }, { MONTECITO, 36, 36, ACCESSES }, { MONTECITO, 39, 39, TRACE },
		{ MONTECITO, 48, 63, TRACE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].kind == model.chip->kind && nr >= rows[i].first && nr <= rows[i].last)
			return rows[i].recorder;
	}
	return RECORDERS;
}

/* Who leaves wipes out what was recorded for it, and nothing else. */
static void what_others_recorded_stays(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int gone, nr;

		for (gone = 0; gone < RECORDERS; gone++) {
			struct perf_event *events[RECORDERS];

			begin(chip);
			events[FETCHES] = open_attr(ear_attr(false, EAR(IN_CACHE, fetches_of(0)), 0, 0));
			events[ACCESSES] = open_attr(ear_attr(true, EAR(IN_CACHE, 0), 0, 0));
			events[TRACE] = open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 100));
			for (nr = 0; nr < RECORDERS; nr++)
				add(events[nr]);
			for (nr = 0; nr < IA64_REGS; nr++) {
				if (filler_of(nr) != RECORDERS)
					model.pmd[nr] = nr + 1;
			}
			del(events[gone]);
			for (nr = 0; nr < IA64_REGS; nr++) {
				if (filler_of(nr) != RECORDERS)
					CHECK_EQ(model.pmd[nr], filler_of(nr) == gone ? 0 : nr + 1);
			}
			check_machine();
		}
	}
}

/* The control registers are as after power-up when the last event that had a range leaves. */
static void nothing_is_left_of_a_range(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int data, i, nr;

		for (data = 0; data < (chip->kind == MERCED ? 1 : 2); data++) {
			struct perf_event *event;

			begin(chip);
			event = open_attr(data ? access_attr(0x1000, 0x2000) : fetch_attr(0x1000, 0x2000));
			add(event);
			del(event);
			for (i = 0; i < ARRAY_SIZE(power_up); i++) {
				if (power_up[i].kind != chip->kind || power_up[i].first <= chip->last)
					continue;
				for (nr = power_up[i].first; nr <= power_up[i].last; nr++)
					CHECK_EQ(model.pmc[nr], power_up[i].reset);
			}
			for (nr = 0; nr < ARRAY_SIZE(model.dbr); nr++)
				CHECK_EQ(model.dbr[nr], 0);
			check_machine();
		}
	}
}

/* Who must go to another counter, for others to come, loses nothing of what was counted, nor of its period. */
static void who_moves_loses_nothing(void)
{
	struct perf_event *event;

	begin(chip_named("Merced"));
	event = open_event(CYCLES, 100);
	add(event);
	CHECK_EQ(event->hw.idx, 4);
	run(CYCLES, 60);
	add(open_event(INSTRUCTIONS, 0));	/* on PMC4 and PMC5 alone */
	add(open_event(INSTRUCTIONS, 0));
	CHECK(event->hw.idx > 5);
	run(CYCLES, 39);
	CHECK_EQ(engine.samples, 0);
	run(CYCLES, 1);
	CHECK_EQ(engine.samples, 1);
	CHECK_EQ(count_of(event), 100);
	check_machine();
}

/*
 * ---- members of groups, and what nobody asked for -----------------------------------------------------------------
 */

/* A member is sampled by its own wishes, and not by its leader's. */
static void a_member_has_its_own_wishes(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr;
		struct perf_event *leader, *member;
		struct miss miss;
		int err;

		begin(chip);
		leader = open_event(CYCLES, 0);
		attr = ear_attr(true, EAR(IN_TLB, 2), 3, 2);
		member = make(&attr, leader, true, &err);
		CHECK_EQ(err, 0);
		add(leader);
		add(member);
		run(CYCLES, 10);
		miss = random_miss(true, IN_TLB);
		miss.level = 1;
		while (engine.samples < 2)
			CHECK(happens(&miss));
		CHECK_EQ(count_of(member), 6);
		CHECK_EQ(count_of(leader), 10);
		CHECK(engine.sampled == member);
		CHECK(!(engine.data.sample_flags & PERF_SAMPLE_WEIGHT_TYPE));
		CHECK_EQ(engine.data.data_src.mem_dtlb, PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT);
		check_machine();
	}
}

static void check_refused(const struct refused_row *row, bool member)
{
	struct perf_event *leader, *event;
	int err;

	begin(chip_named(row->chip));
	leader = member ? open_event(CYCLES, 0) : NULL;
	current->thread.flags = row->is_debugged ? IA64_THREAD_DBG_VALID : 0;
	event = make(&row->attr, leader, !row->on_cpu, &err);
	current->thread.flags = 0;
	if (err != refused_with(row->reason) || event->refused != row->reason)
		printf("# row %td: %d, reason %d\n", row - refused, err, event->refused);
	CHECK_EQ(err, refused_with(row->reason));
	CHECK_EQ(event->refused, row->reason);
	CHECK_EQ(refused_at(row->reason), row->field);
}

/* What is refused alone is refused as a member, for the same reason. */
static void a_member_is_refused_for_its_own_reason(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused); i++)
		check_refused(&refused[i], true);
}

static bool has_row(enum pcl_reason reason)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		if (refused[i].reason == reason)
			return true;
	}
	for (i = 0; i < ARRAY_SIZE(apart); i++) {
		if (apart[i].reason == reason)
			return true;
	}
	for (i = 0; i < ARRAY_SIZE(clashes); i++) {
		if (clashes[i].reason == reason)
			return true;
	}
	return false;
}

static void each_reason_has_a_row(void)
{
#define NAMED(name, ...)	{ PCL_REASON_##name, #name },
	static const struct { enum pcl_reason reason; const char *name; } reasons[] = { PCL_REASONS_IA64(NAMED) };
	unsigned int i;

	CHECK(!has_row(PCL_REASON_PART_IA64));
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!has_row(reasons[i].reason))
			printf("# no row has %s\n", reasons[i].name);
		CHECK(has_row(reasons[i].reason));
	}
}

/* Nothing was recorded for it: no address, no chain of callers, the registers of the interrupt */
static void a_plain_sample_has_nothing_more(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		add(open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = CYCLES, .sample_period = 10,
							.sample_type = PERF_SAMPLE_ADDR | PERF_SAMPLE_CALLCHAIN }));
		run(CYCLES, 10);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.data.sample_flags, PERF_SAMPLE_PERIOD);
		CHECK(!engine.chain);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		check_machine();
	}
}

/* Captured in the kernel, and reported there: with what the kernel had in its registers. A chain only if asked for */
static void the_kernels_sample_has_its_registers(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int chain;

		for (chain = 0; chain < 2; chain++) {
			struct perf_event_attr attr;
			struct miss miss;

			begin(chip);
			attr = ear_attr(true, EAR(IN_CACHE, 0), 1, 2);
			attr.sample_type = PERF_SAMPLE_ADDR | (chain ? PERF_SAMPLE_CALLCHAIN : 0);
			add(open_attr(attr));
			miss = random_miss(true, IN_CACHE);
			miss.cycles = 50;
			miss.ip = 0xa000000100001231ULL;
			model.level = 0;
			happens(&miss);
			model.level = 3;
			CHECK_EQ(instruction_of(&engine.regs), miss.ip);
			CHECK(!user_mode(&engine.regs) && is_exact());
			CHECK(!ia64_psr(&engine.regs)->sp);	/* of the task's trap frame it is set */
			CHECK_EQ(!!(engine.data.sample_flags & PERF_SAMPLE_CALLCHAIN), chain);
			CHECK(engine.chain == (chain ? &interrupted : NULL));
			check_machine();
		}
	}
}

/* There is no fourth slot, and what the trace has is no place of an access that is not known. */
static void a_place_that_cannot_be_is_none(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr;
		struct branch branch;
		struct miss miss;

		begin(chip);
		add(open_attr(ear_attr(true, EAR(IN_CACHE, 0), 1, 2)));
		miss = random_miss(true, IN_CACHE);
		miss.cycles = 50;
		miss.ip |= 3;
		happens(&miss);
		CHECK(engine.data.sample_flags & PERF_SAMPLE_ADDR);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		CHECK(!is_exact());

		begin(chip);
		attr = ear_attr(true, EAR(IN_CACHE, 0), 1, 2);
		attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
		add(open_attr(attr));
		branch = random_branch();
		branch.taken = true;
		retires(&branch);
		model.unvouched = true;
		model.nowhere = true;
		one_miss(true, IN_CACHE, 50);
		CHECK_EQ(engine.data.sample_flags, PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK);
		CHECK_EQ(engine.branches.nr, 1);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		check_machine();
	}
}

/* Montecito: a load whose instruction is not known is at the bundle that was last, and not exactly. It may ask for more. */
static void a_bundle_is_no_exact_place(void)
{
	struct perf_event_attr attr;
	struct miss miss;

	begin(chip_named("Montecito"));
	attr = ear_attr(true, EAR(IN_CACHE, 0) | IP_EAR(0), 1, 2);
	add(open_attr(attr));
	miss = random_miss(true, IN_CACHE);
	miss.cycles = 50;
	bundle_retires(0x4000, 1, false);
	happens(&miss);
	CHECK_EQ(instruction_of(&engine.regs), miss.ip);
	CHECK(is_exact());
	model.nowhere = true;
	bundle_retires(0x4010, 1, false);
	happens(&miss);
	CHECK(engine.data.sample_flags & PERF_SAMPLE_ADDR);
	CHECK_EQ(instruction_of(&engine.regs), 0x4010);
	CHECK(!is_exact());
	check_machine();
}

/* What an entry said of another event's branch is not in it any more. */
static void an_entry_says_nothing_of_before(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *before;
		struct branch branch;

		if (chip->kind == MERCED)
			continue;
		begin(chip);
		branch = random_branch();
		branch.taken = branch.front = true;
		branch.kind = 2;
		before = open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_TYPE_SAVE, 1));
		add(before);
		CHECK(retires(&branch));
		CHECK_EQ(engine.branches.entry[0].type, PERF_BR_RET);
		CHECK(engine.branches.entry[0].mispred);
		del(before);
		add(open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_NO_FLAGS, 1)));
		CHECK(retires(&branch));
		CHECK_EQ(engine.branches.entry[0].type, PERF_BR_UNKNOWN);
		CHECK(!engine.branches.entry[0].mispred);
		check_machine();
	}
}

/* All kinds at once are any; flags that the buffer has no use for change nothing; a kind is told if asked for. */
static void all_kinds_are_any(void)
{
	const struct chip *chip;

	each_chip(chip) {
		u64 kinds = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN |
			    PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_COND | PERF_SAMPLE_BRANCH_IND_JUMP |
			    PERF_SAMPLE_BRANCH_CALL;
		struct branch branch;
		u64 any;

		begin(chip);
		add(open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 1)));
		any = model.pmc[trace_pmc()];
		begin(chip);
		add(open_attr(branch_attr(kinds | PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_HW_INDEX |
					  PERF_SAMPLE_BRANCH_PRIV_SAVE | PERF_SAMPLE_BRANCH_TYPE_SAVE, 1)));
		CHECK_EQ(model.pmc[trace_pmc()], any);
		if (chip->kind == MERCED)
			continue;
		begin(chip);
		add(open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY_RETURN | PERF_SAMPLE_BRANCH_USER, 1)));
		branch = random_branch();
		branch.taken = true;
		branch.kind = 2;
		CHECK(retires(&branch));
		CHECK_EQ(engine.branches.entry[0].type, PERF_BR_UNKNOWN);
		check_machine();
	}
}

#endif
