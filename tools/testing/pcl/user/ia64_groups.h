/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: events that stand in each other's way, by sets, anchors and opcode matchers.
 */
#ifndef PCL_USER_IA64_GROUPS_H
#define PCL_USER_IA64_GROUPS_H

#define CYCLES		0x1200
#define INSTRUCTIONS	0x0800
#define WITH_UMASK(code, umask)	((code) << 8 | (umask) << 16)

/*
 * ---- sets, anchors -----------------------------------------------------------------------------------------------
 */

/* Each of these, together with the others of its row, is counted as if it were alone. */
static void check_together(const struct together *row)
{
	struct perf_event *events[8];
	unsigned int nr = 0, i;

	begin(chip_named(row->chip));
	for (; nr < ARRAY_SIZE(row->configs) && row->configs[nr]; nr++)
		events[nr] = open_event(row->configs[nr], 0);
	for (i = 0; i < nr; i++)
		add(events[i]);
	for (i = 0; i < nr; i++) {
		u64 before = count_of(events[i]);

		run(row->configs[i], 10 + i);
		if (count_of(events[i]) - before != 10 + i)
			printf("# %s: %llx on %d\n", row->chip, (unsigned long long)row->configs[i], events[i]->hw.idx);
		CHECK_EQ(count_of(events[i]) - before, 10 + i);
	}
	check_machine();
}

static void what_goes_together_is_counted_together(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(together); i++)
		check_together(&together[i]);
}

/* As a group, and one by one: the second waits. */
static void check_apart(const struct apart *row)
{
	struct perf_event *leader = NULL, *event;
	unsigned int i;
	int err = 0;

	begin(chip_named(row->chip));
	for (i = 0; i < ARRAY_SIZE(row->configs) && row->configs[i]; i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = row->configs[i] };

		CHECK_EQ(err, 0);
		event = make(&attr, leader, true, &err);
		leader = leader ?: event;
	}
	if (err != -EINVAL || event->refused != row->reason)
		printf("# %s: %llx...: %d, %d\n", row->chip, (unsigned long long)row->configs[0], err, event->refused);
	CHECK_EQ(err, -EINVAL);
	CHECK_EQ(event->refused, row->reason);
	CHECK_EQ(refused_at(row->reason), NOWHERE);

	begin(chip_named(row->chip));
	for (i = 0; i < ARRAY_SIZE(row->configs) && row->configs[i]; i++) {
		err = try_add(open_event(row->configs[i], 0));
		CHECK(!err || i);
	}
	CHECK_EQ(err, -EAGAIN);
	check_machine();
}

static void what_does_not_is_refused_with_the_rule(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(apart); i++)
		check_apart(&apart[i]);
}

/* Who sits on the anchor may be stopped, before it came there or later: the others of its set count on. */
static void a_stopped_anchor_holds_its_set(void)
{
	struct perf_event *first, *second, *third;

	begin(chip_named("McKinley"));
	first = open_event(WITH_UMASK(0xc0, 0), 0);
	second = open_event(WITH_UMASK(0xc1, 0), 0);
	model.irqs_on = false;
	ia64_pmu.pmu_disable(&ia64_pmu);
	CHECK_EQ(ia64_pmu.add(first, 0), 0);
	ia64_pmu.pmu_enable(&ia64_pmu);
	model.irqs_on = true;
	CHECK_EQ(first->hw.idx, 5);
	add(second);
	run(WITH_UMASK(0xc1, 0), 10);
	run(WITH_UMASK(0xc0, 0), 10);
	CHECK_EQ(count_of(second), 10);
	start(first);
	run(WITH_UMASK(0xc0, 0), 10);
	CHECK_EQ(count_of(first), 10);
	stop(first);
	run(WITH_UMASK(0xc0, 0), 10);
	run(WITH_UMASK(0xc1, 0), 10);
	CHECK_EQ(count_of(first), 10);
	CHECK_EQ(count_of(second), 20);
	/* The same when it leaves. */
	third = open_event(WITH_UMASK(0xc2, 0), 0);
	add(third);
	del(first);
	run(WITH_UMASK(0xc1, 0), 10);
	run(WITH_UMASK(0xc2, 0), 10);
	CHECK_EQ(count_of(second), 30);
	CHECK_EQ(count_of(third), 10);
	check_machine();
}

/* Any events of the tables, coming and going: each counts what happens to it while it is on a counter. */
static u64 random_config(void)
{
	const struct ia64_event *events = ia64_machine.family->events, *row;
	unsigned int nr = 0, umask;

	while (events[nr].counters)
		nr++;
	row = &events[random_below(nr)];
	if (random_below(2) && ia64_machine.family->groups) {
		do {
			row = &events[random_below(nr)];
		} while (!row->group);
	}
	do {
		umask = random_below(16);
	} while (!(row->umasks >> umask & 1));
	return row->code << 8 | umask << 16;
}

static void events_come_and_go_at_random(void)
{
	const struct chip *chip;
	u64 samples = 0;

	each_chip(chip) {
		struct perf_event *events[10];
		u64 expected[ARRAY_SIZE(events)] = { };
		bool on[ARRAY_SIZE(events)] = { };
		unsigned int i, j, round, n, added = 0;

		begin(chip);
		for (i = 0; i < ARRAY_SIZE(events); i++)
			events[i] = open_event(random_config(), random_below(2) ? 0 : 7 + random_below(50));
		for (i = 0; i < ARRAY_SIZE(events); i++)
			events[i]->group_leader = events[i / 4 * 4];
		for (round = 0; round < 3000; round++) {
			i = random_below(ARRAY_SIZE(events));
			if (on[i]) {
				del(events[i]);
				on[i] = false;
			} else {
				on[i] = !try_add(events[i]);
				added += on[i];
			}
			j = random_below(ARRAY_SIZE(events));
			n = random_below(20);
			run(events[j]->attr.config, n);
			for (i = 0; i < ARRAY_SIZE(events); i++) {
				if (on[i] && events[i]->attr.config == events[j]->attr.config)
					expected[i] += n;
			}
			for (i = 0; i < ARRAY_SIZE(events); i++) {
				u64 count = on[i] ? count_of(events[i]) : local64_read(&events[i]->count);

				if (count != expected[i])
					printf("# %s, round %u: %llx on %d counts %llu, not %llu\n", chip->name, round,
					       (unsigned long long)events[i]->attr.config, events[i]->hw.idx,
					       (unsigned long long)count, (unsigned long long)expected[i]);
				CHECK_EQ(count, expected[i]);
			}
		}
		CHECK(added > 500);
		samples += engine.samples;
		check_machine();
	}
	CHECK(samples);		/* of one chip there may be none: each event samples or not, by chance */
}

/* A register that holds already what it shall is left alone: here the opcode matchers. */
static void coming_back_writes_little(void)
{
	struct perf_event *event;
	unsigned int before;

	begin(chip_named("Montecito"));
	event = open_event(INSTRUCTIONS, 0);
	add(event);
	before = model.writes;
	del(event);
	add(event);
	CHECK_EQ(model.writes - before, 5);
}

/*
 * ---- opcodes -----------------------------------------------------------------------------------------------------
 */

#define TYPE_B	0
#define TYPE_M	3

/* config1 and config2 for instructions of type @slot whose major opcode, bits 40:37, is @major */
static struct perf_event_attr of_major(unsigned int umask, unsigned int major, unsigned int slot)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = WITH_UMASK(0x08, umask) };

	if (model.chip->kind == MONTECITO) {
		attr.config1 = (u64)major << 37 | BIT_ULL(48 + slot);
		attr.config2 = BIT_ULL(37) - 1;
	} else {
		/* of 27 bits, the upper four */
		attr.config1 = (u64)major << (33 + 23) | BIT_ULL(60 + slot) | (BIT_ULL(23) - 1) << 3;
	}
	return attr;
}

/* One instruction, with other bits at random */
static void retire(unsigned int major, unsigned int slot)
{
	unsigned int umask;

	model.opcode = (u64)major << 37 | (random_u64() & (BIT_ULL(37) - 1));
	model.slot = slot;
	for (umask = 0; umask < 4; umask++)
		cycle(WITH_UMASK(0x08, umask), 1);
	take_interrupts();
}

static void opcodes_are_matched(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *first, *second, *cycles;
		unsigned int i, wanted = 0, other = 0;

		begin(chip);
		/* Merced: unit mask 3 is of PMC8, 2 of PMC9. Itanium 2: 0 of the first matcher, 1 of the second */
		first = open_attr(of_major(chip->kind == MERCED ? 3 : 0, 5, TYPE_M));
		second = open_attr(of_major(chip->kind == MERCED ? 2 : 1, 9, TYPE_B));
		cycles = open_event(CYCLES, 0);
		add(cycles);
		add(first);
		add(second);
		for (i = 0; i < 2000; i++) {
			unsigned int major = random_below(16), slot = random_below(4);

			retire(major, slot);
			run(CYCLES, 1);
			wanted += major == 5 && slot == TYPE_M;
			other += major == 9 && slot == TYPE_B;
		}
		CHECK(wanted > 10 && other > 10);
		CHECK_EQ(count_of(first), wanted);
		CHECK_EQ(count_of(second), other);
		CHECK_EQ(count_of(cycles), 2000);
		check_machine();
	}
}

/* One opcode, all of its bits */
static void an_opcode_is_matched_whole(void)
{
	const struct chip *chip;

	each_chip(chip) {
		u64 opcode = 0xa5000000a5ULL;	/* of bits that a narrow matcher has */
		u32 what = WITH_UMASK(0x08, chip->kind == MERCED ? 3 : 0);
		struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = what };
		struct perf_event *event;

		begin(chip);
		if (chip->kind == MONTECITO)
			attr.config1 = opcode | BIT_ULL(48 + TYPE_M);
		else
			attr.config1 = ((opcode >> 27) << 13 | (opcode & 0x1fff)) << 33 | BIT_ULL(60 + TYPE_M);
		event = open_attr(attr);
		add(event);
		model.slot = TYPE_M;
		model.opcode = opcode;
		run(what, 3);
		model.opcode = opcode ^ 1;
		run(what, 5);
		model.opcode = opcode ^ BIT_ULL(40);
		run(what, 5);
		CHECK_EQ(count_of(event), 3);
		check_machine();
	}
}

/* Who wants other opcodes of the same matcher, or all, waits; and has them all when it comes. */
static void a_matcher_serves_one_wish_at_a_time(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int umask = chip->kind == MERCED ? 3 : 0, i;
		struct perf_event_attr attr;
		struct perf_event *some, *all, *alike, *grouped;
		int err;

		begin(chip);
		attr = of_major(umask, 5, TYPE_M);
		some = open_attr(attr);
		alike = open_attr(attr);
		all = open_event(WITH_UMASK(0x08, umask), 0);
		add(some);
		add(alike);
		CHECK_EQ(try_add(all), -EAGAIN);
		retire(5, TYPE_M);
		retire(6, TYPE_M);
		CHECK_EQ(count_of(some), 1);
		CHECK_EQ(count_of(alike), 1);
		del(some);
		CHECK_EQ(try_add(all), -EAGAIN);
		del(alike);
		add(all);
		for (i = 0; i < 16; i++)
			retire(i, i % 4);
		CHECK_EQ(count_of(all), 16);
		attr.config1 ^= BIT_ULL(chip->kind == MONTECITO ? 48 : 60);
		grouped = make(&attr, some, true, &err);
		CHECK_EQ(err, -EINVAL);
		CHECK_EQ(grouped->refused, PCL_REASON_IA64_GROUP_OPCODES);
		check_machine();
	}
}

#endif
