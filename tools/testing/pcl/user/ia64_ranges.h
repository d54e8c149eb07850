/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: events restricted to ranges of addresses.
 */
#ifndef PCL_USER_IA64_RANGES_H
#define PCL_USER_IA64_RANGES_H

/* Retired instructions of which the unit mask looks at the first pair of debug registers, and at no opcode */
static struct perf_event_attr fetch_attr(u64 start, u64 end)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW, .config = INSTRUCTIONS | IA64_CONFIG_IRANGE, .config1 = start, .config2 = end,
	};
}

static struct perf_event_attr access_attr(u64 start, u64 end)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW, .config = 0xcd00 | IA64_CONFIG_DRANGE, .config1 = start, .config2 = end,
	};
}

/* Each bundle from before the range to behind it: those of it count. */
static void check_fetches(struct perf_event *event, u64 start, u64 end)
{
	u64 address, before = count_of(event);

	for (address = start - 256; address < end + 256; address += 16) {
		model.fetch = address;
		model.slot = 3;
		run(INSTRUCTIONS, 1);
	}
	CHECK_EQ(count_of(event) - before, (end - start) / 16);
}

static void fetches_are_restricted(void)
{
	static const struct { u64 start, end; bool fine; } rows[] = {
		{ 0x4000000000010000, 0x4000000000010010 }, { 0x4000000000010400, 0x4000000000010800 },
		{ 0x4000000000010000, 0x4000000000020000 }, { 0x4000000000010020, 0x4000000000010f00, true },
		{ 0x4000000000010fc0, 0x4000000000011000, false }, { 0x4000000000010060, 0x40000000000100c0, true },
	};
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i;

		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			struct perf_event *event;

			if (chip->kind == MERCED && rows[i].fine)
				continue;
			begin(chip);
			event = open_attr(fetch_attr(rows[i].start, rows[i].end));
			add(event);
			check_fetches(event, rows[i].start, rows[i].end);
			check_machine();
		}
	}
}

/* Instructions, with the record of where branches of Montecito's went */
static struct perf_event_attr ip_ear_attr(void)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = 0x0800 | 1ULL << 48, .sample_period = 100 };
}

/* psr.up, debug registers and what was recorded are the task's: what goes by them is no set's. */
static void what_is_a_tasks_is_not_shared(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		CHECK_EQ(open_event(CYCLES, 0)->event_caps, 0);
		CHECK_EQ(open_event(CYCLES | IA64_CONFIG_UP, 0)->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_attr(fetch_attr(0x10000, 0x20000))->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_attr(ear_attr(true, EAR(IN_CACHE, 0), 0, 0))->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_attr(ear_attr(true, EAR(IN_TLB, 2), 1, 1))->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_attr(ear_attr(false, EAR(IN_CACHE, fetches_of(128)), 1, 1))->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 3))->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_event(BRANCHES, 0)->event_caps, PERF_EV_CAP_TASK);
		if (chip->kind == MONTECITO)
			CHECK_EQ(open_attr(ip_ear_attr())->event_caps, PERF_EV_CAP_TASK);
		if (chip->kind == MERCED)
			continue;
		CHECK_EQ(open_attr(ear_attr(true, EAR(IN_ALAT, 0), 1, 2))->event_caps, PERF_EV_CAP_TASK);
		CHECK_EQ(open_attr(access_attr(0x10000, 0x20000))->event_caps, PERF_EV_CAP_TASK);
	}
}

/* Each of the three conditions is needed. So the model, of which the drivers' cases have only that all is well. */
static void the_model_knows_what_may_not_be(void)
{
	const struct chip *chip;

	each_chip(chip) {
		bool montecito = chip->kind == MONTECITO;
		u64 *data, *match, *fetches;

		begin(chip);
		data = &model.pmc[montecito ? 41 : 13];
		match = &model.pmc[montecito ? 32 : 8];
		fetches = &model.pmc[montecito ? 38 : 14];
		*data = *match = *fetches = 0;
		CHECK_EQ(is_illegal(), chip->kind != MERCED);
		*fetches = BIT(1) | BIT(4);
		CHECK(!is_illegal());
		*fetches = BIT(1);
		CHECK_EQ(is_illegal(), chip->kind != MERCED);
		*fetches = BIT(4);
		CHECK_EQ(is_illegal(), chip->kind != MERCED);
		*data = BIT_ULL(48);
		CHECK(!is_illegal());
		*data = 0;
		*match = montecito ? BIT_ULL(57) : 1;
		CHECK(!is_illegal());
	}
}

/* As any subset of addresses, also with an opcode's bits in them */
static void accesses_are_restricted(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int bits;

		if (chip->kind == MERCED)
			continue;
		for (bits = 0; bits <= 56; bits += bits < 54 ? 3 : 1) {
			u64 size = BIT_ULL(bits), start = (random_user() & ~(size - 1)) ?: size;
			struct perf_event *event;
			unsigned int i;

			begin(chip);
			event = open_attr(access_attr(start, start + size));
			add(event);
			for (i = 0; i < 40; i++) {
				model.access = i & 1 ? start + random_u64() % size : start - 1 - random_below(100);
				run(0xcd00, 1);
			}
			model.access = start + size;
			run(0xcd00, 1);
			CHECK_EQ(count_of(event), 20);
			check_machine();
		}
	}
}

/* Who wants another range, or none, waits; and has it when it comes. Nothing is left in the debug registers. */
static void a_range_serves_one_wish_at_a_time(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *some, *other, *all, *cycles, *grouped;
		struct perf_event_attr attr = fetch_attr(0x2000, 0x4000);
		unsigned int i;
		int err;

		begin(chip);
		some = open_attr(fetch_attr(0x1000, 0x2000));
		other = open_attr(attr);
		all = open_event(INSTRUCTIONS, 0);
		cycles = open_event(CYCLES, 0);
		grouped = make(&attr, some, true, &err);
		CHECK_EQ(grouped->refused, PCL_REASON_IA64_GROUP_RANGE);
		add(some);
		add(cycles);
		CHECK_EQ(try_add(other), -EAGAIN);
		CHECK_EQ(try_add(all), -EAGAIN);
		check_fetches(some, 0x1000, 0x2000);
		run(CYCLES, 5);
		CHECK_EQ(count_of(cycles), 5);
		del(some);
		for (i = 0; i < 8; i++)
			CHECK(!model.ibr[i] && !model.dbr[i]);
		add(all);
		model.fetch = 0x9000;
		model.slot = 3;
		run(INSTRUCTIONS, 7);
		CHECK_EQ(count_of(all), 7);
		CHECK_EQ(try_add(other), -EAGAIN);
		del(all);
		add(other);
		check_fetches(other, 0x2000, 0x4000);
		check_machine();
	}
}

/* With a debugger's registers the event is refused, or waits for them; they stay the debugger's. */
static void a_debugger_has_the_registers(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr = fetch_attr(0x1000, 0x2000);
		struct perf_event *event, *late, *copy, *other;
		int err;

		begin(chip);
		event = open_attr(attr);
		current->thread.flags = ~IA64_THREAD_DBG_VALID;	/* whatever else there is */
		CHECK_EQ(make(&attr, NULL, true, &err)->refused, PCL_REASON_NONE);
		add(event);
		del(event);
		current->thread.flags |= IA64_THREAD_DBG_VALID;
		model.ibr[0] = 0xabc0;
		CHECK_EQ(try_add(event), -EAGAIN);
		CHECK_EQ(model.ibr[0], 0xabc0);
		late = make(&attr, NULL, true, &err);
		CHECK_EQ(late->refused, PCL_REASON_IA64_RANGE_PTRACE);
		CHECK_EQ(err, -EBUSY);
		/* But no fork fails for that, and the child, which has no breakpoints, counts. */
		copy = inherit(event, &err);
		CHECK_EQ(err, 0);
		other = open_event(INSTRUCTIONS, 0);
		add(other);
		CHECK_EQ(model.ibr[0], 0xabc0);
		del(other);
		current->thread.flags = 0;
		add(copy);
		check_machine();

		/* What a debugged task had in them is in them still when another runs, whose range begins at 0. */
		begin(chip);
		event = open_attr(fetch_attr(0, 0x1000));
		add(event);
		del(event);
		model.ibr[0] = 0xabc0;
		model.ibr[1] = 0xffffffffffffff;
		add(event);
		CHECK_EQ(model.ibr[0], 0);
		CHECK_EQ(model.ibr[1], BIT_ULL(56) - 0x1000 + (9ULL << 56));
		model.fetch = 0xff0;
		model.slot = 3;
		run(INSTRUCTIONS, 7);
		CHECK_EQ(count_of(event), 7);
		check_machine();
	}
}

/*
 * A switch from a task with a debugger's registers to one without leaves them as they are. They are none of what is
 * known here of what the registers hold.
 */
static void a_debugger_leaves_nothing_in_a_range(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *fetches, *accesses = NULL;
		unsigned int i;

		begin(chip);
		fetches = open_attr(fetch_attr(0, 0x1000));
		if (chip->kind != MERCED)
			accesses = open_attr(access_attr(0, 0x1000));
		add(fetches);
		del(fetches);
		for (i = 0; i < 8; i++)
			model.ibr[i] = model.dbr[i] = 0xabc0;
		add(fetches);
		model.slot = 3;
		model.fetch = 0x20;
		run(INSTRUCTIONS, 3);
		model.fetch = 0xabc0;
		run(INSTRUCTIONS, 4);
		CHECK_EQ(count_of(fetches), 3);
		del(fetches);
		if (!accesses)
			continue;
		add(accesses);
		model.access = 0x20;
		run(0xcd00, 3);
		model.access = 0xabc0;
		run(0xcd00, 4);
		CHECK_EQ(count_of(accesses), 3);
		check_machine();
	}
}

/* An opcode that was asked for before does not restrict a range, and none does that is asked for later. */
static void no_opcode_is_left_in_a_range(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int umask = chip->kind == MERCED ? 3 : 0;	/* which looks at the first matcher */
		struct perf_event_attr attr = fetch_attr(0x1000, 0x2000);
		struct perf_event *matched, *ranged;

		begin(chip);
		matched = open_attr(of_major(umask, 5, TYPE_M));
		attr.config = WITH_UMASK(0x08, umask) | IA64_CONFIG_IRANGE;
		ranged = open_attr(attr);
		add(matched);
		CHECK_EQ(try_add(ranged), -EAGAIN);
		del(matched);
		add(ranged);
		model.fetch = 0x1230;
		retire(5, TYPE_M);
		retire(6, TYPE_M);
		retire(5, TYPE_B);
		CHECK_EQ(count_of(ranged), 3);
		CHECK_EQ(try_add(matched), -EAGAIN);
		check_machine();
	}
}

#endif
