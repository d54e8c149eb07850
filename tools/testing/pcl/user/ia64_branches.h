/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what branch trace buffers record, as branch stacks, and the bundle that IP-EARs do.
 */
#ifndef PCL_USER_IA64_BRANCHES_H
#define PCL_USER_IA64_BRANCHES_H

#define BRANCHES	0x1100

static struct perf_event_attr branch_attr(u64 kinds, u64 period)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW, .config = BRANCHES, .sample_period = period,
		.sample_type = PERF_SAMPLE_BRANCH_STACK, .branch_sample_type = kinds,
	};
}

static struct branch random_branch(void)
{
	struct branch branch = {
		.from = (random_user() & ~0xfULL) + random_below(3), .to = random_user() & ~0xfULL,
		.kind = 1 + random_below(3), .taken = random_below(4) != 0,
	};

	branch.front = random_below(4) == 0;
	branch.back = model.chip->kind != MERCED && random_below(4) == 0;
	if (model.chip->kind == MERCED)
		branch.kind = 3;
	return branch;
}

/* The branches that were captured since all went on, the last of them last */
static struct branch past[64];
static unsigned int nr_past;

/* The stack is those of them of which the buffer still has the entry, newest first. */
static void check_stack(bool flags)
{
	unsigned int used = 0, i, nr = 0;

	for (i = nr_past; i--; ) {
		bool joined = i + 1 < nr_past && past[i + 1].joined;

		used += joined ? 1 : 2;
		if (used > trace_entries())
			break;
		CHECK(nr < engine.branches.nr);
		CHECK_EQ(engine.branches.entry[nr].from, past[i].from);
		CHECK_EQ(engine.branches.entry[nr].to, past[i].to);
		CHECK_EQ(engine.branches.entry[nr].mispred, flags && (past[i].front || past[i].back));
		CHECK_EQ(engine.branches.entry[nr].predicted, flags && !(past[i].front || past[i].back));
		nr++;
	}
	CHECK_EQ(engine.branches.nr, nr);
	CHECK_EQ(engine.branches.index, -1ULL);
}

static void a_stack_has_the_branches(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int period, i;

		for (period = 1; period <= 20; period++) {
			struct perf_event *event;
			unsigned int taken = 0, samples = 0;
			bool flags = period & 1;

			begin(chip);
			event = open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER |
						      (flags ? 0 : PERF_SAMPLE_BRANCH_NO_FLAGS), period));
			add(event);
			nr_past = 0;
			for (i = 0; i < 200; i++) {
				struct branch branch = random_branch();

				/* It may be in the bundle that the one before it went to. */
				if (nr_past && branch.taken && random_below(3) == 0) {
					branch.joined = random_below(2);
					branch.from = past[nr_past - 1].to + random_below(3);
				}
				past[nr_past] = branch;
				nr_past += branch.taken;
				CHECK_EQ(retires(&branch), branch.taken);
				taken += branch.taken;
				if (engine.samples == samples)
					continue;
				samples++;
				CHECK(engine.data.sample_flags & PERF_SAMPLE_BRANCH_STACK);
				check_stack(flags);
				nr_past = 0;
			}
			CHECK_EQ(samples, taken / period);
			CHECK_EQ(count_of(event), taken);
			check_machine();
		}
	}
}

/* Who counts what is captured wants no stack for that: the buffer has his levels, and what is not taken, too. */
static void captured_branches_are_counted_without_a_stack(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = BRANCHES };
		unsigned int period, i;

		for (period = 0; begin(chip), period < 3; period++) {
			struct perf_event *event;
			unsigned int taken = 0;

			attr.sample_period = period;
			attr.exclude_kernel = period & 1;
			attr.inherit = period == 2;
			event = open_attr(attr);
			add(event);
			for (i = 0; i < 50; i++) {
				struct branch branch = random_branch();

				CHECK(retires(&branch));
				taken += branch.taken;
			}
			CHECK(taken && taken < 50);
			CHECK_EQ(count_of(event), 50);
			CHECK_EQ(engine.samples, period ? 50 / period : 0);
			CHECK_EQ(engine.samples ? engine.data.sample_flags & PERF_SAMPLE_BRANCH_STACK : 0, 0);
			model.level = attr.exclude_kernel ? 0 : 3;
			retires(&(struct branch){ .from = 0x1000, .to = 0x2000, .kind = 3, .taken = true });
			CHECK_EQ(count_of(event), 50 + !attr.exclude_kernel);
			check_machine();
		}
	}
}

/* What was before a pause and what is after do not join: no branch is made up of both. */
static void a_pause_begins_the_buffer_anew(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event, *other;
		unsigned int i;

		begin(chip);
		event = open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 4));
		other = open_event(CYCLES, 2);
		add(event);
		for (i = 0; i < 3; i++) {
			struct branch branch = random_branch();

			branch.taken = true;
			past[i] = branch;
			retires(&branch);
		}
		run(CYCLES, 10);
		add(other);
		past[0] = random_branch();
		past[0].taken = true;
		nr_past = 1;
		retires(&past[0]);
		CHECK_EQ(engine.samples, 1);
		check_stack(true);
		/* So after the interrupt of another. */
		for (i = 0; i < 4; i++) {
			past[0] = random_branch();
			past[0].taken = true;
			retires(&past[0]);
			if (i < 3)
				run(CYCLES, 2);
		}
		check_stack(true);
		check_machine();
	}
}

/* Where a branch went is not made up, nor what an entry is that is not valid. */
static void only_whole_branches_are_told(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct branch last = { .from = random_user() & ~0xfULL, .kind = 3, .taken = true, .cut = true };
		unsigned int i;

		begin(chip);
		add(open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 3)));
		for (nr_past = 0; nr_past < 2; nr_past++) {
			past[nr_past] = random_branch();
			past[nr_past].taken = true;
			retires(&past[nr_past]);
		}
		retires(&last);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.branches.nr, 2);
		check_stack(true);
		/* The target of the second is no valid entry. */
		for (i = 0; i < 3; i++) {
			past[i] = random_branch();
			past[i].taken = true;
			if (i == 2)
				model.pmd[(chip->kind == MONTECITO ? 48 : 8) + 3] = 0xabc0;
			retires(&past[i]);
		}
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(engine.branches.nr, 2);
		CHECK_EQ(engine.branches.entry[0].from, past[2].from);
		CHECK_EQ(engine.branches.entry[1].from, past[0].from);
		check_machine();
	}
}

/* Kinds that the chip tells apart, and levels that are not the event's own */
/* Nor has who asks for branches fewer of them because another asks for opcodes, or for a range: one of both waits. */
static void branches_are_not_anothers(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int umask = chip->kind == MERCED ? 3 : 0;	/* which looks at the first matcher */
		struct perf_event_attr attr = branch_attr(PERF_SAMPLE_BRANCH_ANY, 1000);
		struct perf_event *stack, *others[2];
		unsigned int i;

		begin(chip);
		attr.config = CYCLES;
		stack = open_attr(attr);
		others[0] = open_attr(of_major(umask, 5, TYPE_M));
		others[1] = open_attr((struct perf_event_attr){
			.type = PERF_TYPE_RAW, .config = WITH_UMASK(0x08, umask) | IA64_CONFIG_IRANGE,
			.config1 = 0x1000, .config2 = 0x2000,
		});
		for (i = 0; i < 2; i++) {
			struct branch branch = { .from = 0x4000, .to = 0x5000, .kind = 3, .taken = true };

			add(others[i]);
			CHECK_EQ(try_add(stack), -EAGAIN);
			del(others[i]);
			add(stack);
			model.opcode = 0;
			model.slot = TYPE_B;
			model.fetch = branch.from;
			CHECK(retires(&branch));
			CHECK_EQ(try_add(others[i]), -EAGAIN);
			del(stack);
		}
		/* Its own range holds, though it looks at no opcode: the matcher is to ask for ranges. */
		attr.config = 0x0900 | IA64_CONFIG_IRANGE;
		attr.config1 = 0x1000;
		attr.config2 = 0x2000;
		stack = open_attr(attr);
		add(stack);
		CHECK(chip->kind != ITANIUM2 || !(model.pmc[8] & 3));
		CHECK(chip->kind != MONTECITO || !(model.pmc[32] >> 56 & 3));
		del(stack);
		/* And so do its own opcodes. */
		attr.config = others[0]->attr.config;
		attr.config1 = others[0]->attr.config1;
		attr.config2 = others[0]->attr.config2;
		add(open_attr(attr));
		CHECK_EQ(chip->kind == MONTECITO ? model.pmc[32] >> 48 & 0xf : model.pmc[8] >> 60, BIT(TYPE_M));
		check_machine();
	}
}

static void branches_are_filtered(void)
{
	static const struct { u64 kinds; unsigned int kind; } rows[] = {
		{ PERF_SAMPLE_BRANCH_ANY, 0 }, { PERF_SAMPLE_BRANCH_ANY_RETURN, 2 },
		{ PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_IND_JUMP, 3 },
		{ PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_COND, 0 },
	};
	const struct chip *chip;

	each_chip(chip) {
		unsigned int i, kind;

		for (i = 0; i < ARRAY_SIZE(rows); i++) {
			if (chip->kind == MERCED && rows[i].kind)
				continue;
			begin(chip);
			add(open_attr(branch_attr(rows[i].kinds | PERF_SAMPLE_BRANCH_KERNEL |
						  PERF_SAMPLE_BRANCH_TYPE_SAVE, 1)));
			for (kind = chip->kind == MERCED ? 3 : 1; kind <= 3; kind++) {
				struct branch branch = random_branch();
				bool wanted = !rows[i].kind || rows[i].kind == kind;

				branch.taken = true;
				branch.kind = kind;
				CHECK(!retires(&branch));	/* the user's */
				model.level = 0;
				CHECK_EQ(retires(&branch), wanted);
				model.level = 3;
				if (wanted)
					CHECK_EQ(engine.branches.entry[0].type,
						 rows[i].kind == 2 ? PERF_BR_RET : PERF_BR_UNKNOWN);
			}
			check_machine();
		}
	}
}

/* Nothing of it is left for others, and it is off. */
static void the_buffer_is_left_clean(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event, *counts;
		struct branch branch;
		unsigned int nr, first, last;

		begin(chip);
		event = open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 100));
		counts = open_attr((struct perf_event_attr){	/* not sampled: no use for it */
			.type = PERF_TYPE_RAW, .config = CYCLES, .sample_type = PERF_SAMPLE_BRANCH_STACK,
			.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
		});
		add(event);
		add(counts);
		branch = random_branch();
		branch.taken = true;
		CHECK(retires(&branch));
		del(event);
		CHECK(!retires(&branch));
		CHECK_EQ(model.pmc[trace_pmc()], 0);
		first = chip->kind == MONTECITO ? 38 : 8;
		last = chip->kind == MONTECITO ? 63 : 16;
		for (nr = first; nr <= last; nr++)
			CHECK(!model.pmd[nr] || (nr >= 40 && nr < 48));		/* there is none of these */
		if (chip->kind == MONTECITO) {
			event = open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .sample_period = 100,
								    .config = CYCLES | IP_EAR(0) });
			add(event);
			bundle_retires(0x4000, 20, true);
			CHECK(model.pmd[38] && model.pmd[39] && model.pmd[48]);
			del(event);
			for (nr = first; nr <= last; nr++)
				CHECK(!model.pmd[nr] || (nr >= 40 && nr < 48));
		}
		check_machine();
	}
}

/* Montecito: the bundle that retired last, if the buffer has its whole address */
static void the_last_bundle_is_known(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i;

		if (chip->kind != MONTECITO)
			continue;
		begin(chip);
		event = open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .sample_period = 5, .precise_ip = 1,
							    .config = CYCLES | 1ULL << 48 | 3ULL << 49 });
		add(event);
		CHECK_EQ(model.pmc[42], 0x1c49);	/* delay 3, mode 4, pm, levels 0 and 3 */
		for (i = 0; i < 200; i++) {
			u64 address = random_user() & ~0xfULL;
			bool early = random_below(4) == 0;
			unsigned int before = engine.samples;

			bundle_retires(address, 1 + random_below(60), early);
			run(CYCLES, 1);
			if (engine.samples == before)
				continue;
			CHECK_EQ(instruction_of(&engine.regs), early ? interrupted.cr_iip : address);
			CHECK(!is_exact());
		}
		CHECK_EQ(engine.samples, 40);
		/* With none noted since all went on there is none, though each entry has one of before. */
		for (i = 0; i < 20; i++)
			bundle_retires(0x4000 + 16 * i, 1, false);
		run(CYCLES, 5);
		CHECK_EQ(instruction_of(&engine.regs), 0x4000 + 16 * 19);
		run(CYCLES, 5);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		del(event);
		CHECK_EQ(model.pmc[42], 0);
		check_machine();
	}
}

#endif
