/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what the chips record, as samples: event address registers, branch stacks.
 */
#ifndef PCL_USER_IA64_RECORDERS_H
#define PCL_USER_IA64_RECORDERS_H

#define EAR(mode, umask)	((u64)(mode) << 34 | (u64)(umask) << 40)
#define IN_CACHE	0
#define IN_TLB	1
#define IN_ALAT	2

static u32 ear_code(bool data)
{
	if (model.chip->kind == MERCED)
		return data ? 0x6700 : 0x2300;
	return data ? 0xc800 : 0x4300;
}

/* The control registers, and the one of the branch trace buffer */
static unsigned int ear_pmc(bool data)
{
	if (model.chip->kind == MONTECITO)
		return data ? 40 : 37;
	return data ? 11 : 10;
}

/* What this chip holds for fetches that took so many cycles or more; 0: any */
static unsigned int fetches_of(unsigned int cycles)
{
	if (model.chip->kind == MERCED)
		return cycles == 128 ? 5 : 0;
	return cycles == 128 ? 0xf0 : 0x40;
}

static struct perf_event_attr ear_attr(bool data, u64 what, u64 period, unsigned int precise)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW, .config = ear_code(data) | what, .sample_period = period, .precise_ip = precise,
	};
}

static u64 random_user(void)
{
	return (random_u64() & 0x1fffffffffffULL) | 4ULL << 61;
}

static struct miss random_miss(bool data, unsigned int what)
{
	struct miss miss = {
		.data = data, .what = what, .address = random_user(), .cycles = 1 + random_below(300),
		.level = 1 + random_below(3),
	};

	miss.ip = (data ? random_user() & ~0xfULL : miss.address & ~0x1fULL) + (data ? random_below(3) : 0);
	return miss;
}

static u64 instruction_of(const struct pt_regs *regs)
{
	return regs->cr_iip + ia64_psr((struct pt_regs *)regs)->ri;
}

static bool is_exact(void)
{
	return engine.regs.cr_ipsr & PERF_PSR_EXACT;
}

/* Each access that is slow enough counts, and the one that ends the period is the sample's. */
static void a_sample_has_the_access(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int umask;

		for (umask = 0; umask < 6; umask++) {
			struct perf_event *event;
			unsigned int i, caught = 0;

			begin(chip);
			event = open_attr(ear_attr(true, EAR(IN_CACHE, umask), 3, 2));
			add(event);
			for (i = 0; i < 300; i++) {
				struct miss miss = random_miss(true, random_below(3)), fetch = random_miss(false, 0);
				unsigned int before = engine.samples;

				CHECK_EQ(happens(&miss), miss.what == 0 && miss.cycles >= 4U << umask);
				happens(&fetch);
				caught += miss.what == 0 && miss.cycles >= 4U << umask;
				CHECK_EQ(engine.samples, caught / 3);
				if (engine.samples == before)
					continue;
				CHECK_EQ(engine.data.addr, miss.address);
				CHECK_EQ(engine.data.weight.full, miss.cycles);
				CHECK_EQ(engine.data.data_src.mem_op, PERF_MEM_OP_LOAD);
				CHECK_EQ(engine.data.data_src.mem_lvl, PERF_MEM_LVL_NA);
				CHECK_EQ(engine.data.data_src.mem_dtlb, PERF_MEM_TLB_NA);
				CHECK_EQ(engine.data.data_src.mem_snoop, PERF_MEM_SNOOP_NA);
				CHECK_EQ(engine.data.data_src.mem_lock, PERF_MEM_LOCK_NA);
				CHECK_EQ(engine.data.sample_flags, PERF_SAMPLE_PERIOD | PERF_SAMPLE_ADDR |
					 PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC);
				CHECK_EQ(instruction_of(&engine.regs), miss.ip);
				CHECK(is_exact() && user_mode(&engine.regs));
			}
			CHECK_EQ(count_of(event), caught);
			CHECK(caught > 30);
			check_machine();
		}
	}
}

/* Without precise_ip its place is the interrupt's, and the rest is there all the same. */
static void a_sample_that_need_not_be_precise(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct miss miss;

		begin(chip);
		add(open_attr(ear_attr(true, EAR(IN_CACHE, 0), 1, 0)));
		miss = random_miss(true, IN_CACHE);
		miss.cycles = 100;
		happens(&miss);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.data.addr, miss.address);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		CHECK(!is_exact());
		check_machine();
	}
}

/* Where a page came from is told, and how long it took is not. */
static void a_sample_has_the_level_of_the_tlb(void)
{
	static const u64 levels[] = { 0, PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT, PERF_MEM_TLB_WK | PERF_MEM_TLB_HIT,
				      PERF_MEM_TLB_OS | PERF_MEM_TLB_MISS };
	const struct chip *chip;

	each_chip(chip) {
		unsigned int data, level;

		for (data = 0; data < 2; data++) {
			for (level = 1; level <= 3; level++) {
				unsigned int umask = 1 << (data || chip->kind == MERCED ? level : level - 1), other;
				struct perf_event *event;
				struct miss miss;

				if (!data && chip->kind == MERCED && level == 1)
					continue;
				begin(chip);
				event = open_attr(ear_attr(data, EAR(IN_TLB, umask), 1, 1));
				add(event);
				for (other = 1; other <= 3; other++) {
					miss = random_miss(data, IN_TLB);
					miss.level = other;
					CHECK_EQ(happens(&miss), other == level);
				}
				miss.level = level;
				happens(&miss);
				CHECK_EQ(engine.samples, 2);
				CHECK_EQ(engine.data.data_src.mem_dtlb, levels[level]);
				CHECK_EQ(engine.data.data_src.mem_op, data ? PERF_MEM_OP_NA : PERF_MEM_OP_EXEC);
				CHECK(!(engine.data.sample_flags & PERF_SAMPLE_WEIGHT_TYPE));
				CHECK_EQ(engine.data.addr, data ? miss.address : miss.address & ~0x1fULL);
				CHECK_EQ(count_of(event), 2);
				check_machine();
			}
		}
	}
}

/* Of a fetch the line is known; it is no instruction's own address. */
static void a_sample_has_the_line_of_a_fetch(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		unsigned int i, caught = 0;

		begin(chip);
		event = open_attr(ear_attr(false, EAR(IN_CACHE, fetches_of(128)), 1, 1));
		add(event);
		for (i = 0; i < 200; i++) {
			struct miss miss = random_miss(false, random_below(2)), load = random_miss(true, 0);

			happens(&load);
			CHECK_EQ(happens(&miss), !miss.what && miss.cycles >= 128);
			if (miss.what || miss.cycles < 128)
				continue;
			CHECK_EQ(engine.samples, ++caught);
			CHECK_EQ(engine.data.addr, miss.address & ~0x1fULL);
			CHECK_EQ(engine.data.weight.full, miss.cycles);
			CHECK_EQ(engine.data.data_src.mem_op, PERF_MEM_OP_EXEC);
			CHECK_EQ(instruction_of(&engine.regs), miss.address & ~0x1fULL);
			CHECK(!is_exact());
		}
		CHECK(caught > 20);
		CHECK_EQ(count_of(event), caught);
		check_machine();
	}
}

static void one_miss(bool data, unsigned int what, unsigned int cycles)
{
	struct miss miss = random_miss(data, what);

	miss.cycles = cycles;
	CHECK(happens(&miss));
}

/* What no bit of the register vouches for is in no sample. */
static void only_what_is_valid_is_told(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int data;

		for (data = 0; data < 2; data++) {
			begin(chip);
			add(open_attr(ear_attr(data, EAR(IN_CACHE, data ? 0 : fetches_of(0)), 1, 1)));
			model.unvouched = true;
			model.nowhere = true;
			one_miss(data, IN_CACHE, 50);
			CHECK_EQ(engine.data.sample_flags, PERF_SAMPLE_PERIOD);
			CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
			CHECK(!is_exact());
			check_machine();
		}
		if (chip->kind == MERCED)
			continue;
		/* The address is valid, the instruction is not. */
		begin(chip);
		add(open_attr(ear_attr(true, EAR(IN_CACHE, 0), 1, 2)));
		model.nowhere = true;
		one_miss(true, IN_CACHE, 50);
		CHECK(engine.data.sample_flags & PERF_SAMPLE_ADDR);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		CHECK(!is_exact());
		/* More cycles than can be counted: so many at least */
		one_miss(true, IN_CACHE, 9000);
		CHECK_EQ(engine.data.weight.full, 8192);
		one_miss(true, IN_CACHE, 8191);
		CHECK_EQ(engine.data.weight.full, 8191);
		add(open_attr(ear_attr(false, EAR(IN_CACHE, 0x40), 1, 1)));
		one_miss(false, IN_CACHE, 5000);
		CHECK_EQ(engine.data.weight.full, 4096);
		check_machine();
		/* Of the ALAT there is the instruction alone. */
		begin(chip);
		add(open_attr(ear_attr(true, EAR(IN_ALAT, 0), 1, 2)));
		one_miss(true, IN_ALAT, 50);
		CHECK_EQ(engine.data.sample_flags, PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC);
		CHECK(is_exact());
		check_machine();
	}
}

/* The user's access may be reported in the kernel, and the other way round; nobody gets what is not his. */
static void a_sample_is_where_the_access_was(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event_attr attr;
		struct miss miss;

		begin(chip);
		attr = ear_attr(true, EAR(IN_CACHE, 0), 1, 2);
		attr.sample_type = PERF_SAMPLE_CALLCHAIN;
		add(open_attr(attr));
		model.irqs_on = false;
		miss = random_miss(true, IN_CACHE);
		miss.cycles = 50;
		task_pt_regs(current)->cr_iip = 0x4000;
		happens(&miss);
		model.level = 0;
		model.irqs_on = true;
		take_interrupts();
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(instruction_of(&engine.regs), miss.ip);
		CHECK(user_mode(&engine.regs));
		CHECK(ia64_psr(&engine.regs)->sp == ia64_psr(task_pt_regs(current))->sp);
		CHECK(engine.chain == &interrupted);
		/* In the kernel, as reported after its end: it is the kernel's. */
		miss.ip = 0xa000000100001232ULL;
		model.irqs_on = false;
		happens(&miss);
		model.level = 3;
		model.irqs_on = true;
		take_interrupts();
		CHECK_EQ(engine.samples, 2);
		CHECK_EQ(instruction_of(&engine.regs), miss.ip);
		CHECK(!user_mode(&engine.regs) && is_exact());
		/* A thread of the kernel has no registers of a user's. */
		current->mm = NULL;
		miss.ip = random_user() & ~0xfULL;
		model.irqs_on = false;
		happens(&miss);
		model.level = 0;
		model.irqs_on = true;
		take_interrupts();
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		CHECK(!is_exact());
		model.level = 3;
		check_machine();
	}
}

/* Levels and gate are the event's: what it does not count is not captured either. */
static void what_is_captured_is_what_is_counted(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int data;

		for (data = 0; data < 2; data++) {
			struct perf_event_attr attr;
			struct perf_event *event;
			struct miss miss;

			begin(chip);
			attr = ear_attr(data, EAR(IN_CACHE, data ? 0 : fetches_of(0)), 0, 0);
			attr.exclude_kernel = 1;
			attr.config |= IA64_CONFIG_UP;
			event = open_attr(attr);
			add(event);
			miss = random_miss(data, IN_CACHE);
			miss.cycles = 100;
			CHECK(!happens(&miss));
			user_up(true);
			CHECK(happens(&miss));
			model.level = 0;
			CHECK(!happens(&miss));
			model.level = 3;
			CHECK_EQ(count_of(event), 1);
			check_machine();
		}
	}
}

/* Those that want the same share it, also when one leaves; nothing is left behind by the last. */
static void a_register_is_shared_and_left_clean(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int data;

		for (data = 0; data < 2; data++) {
			struct perf_event *first, *second, *other;
			unsigned int nr;

			begin(chip);
			for (nr = 0; nr < 4; nr++)
				CHECK_EQ(model.pmd[nr] && chip->kind != MONTECITO, 0);
			first = open_attr(ear_attr(data, EAR(IN_CACHE, data ? 0 : fetches_of(0)), 0, 0));
			second = open_attr(ear_attr(data, EAR(IN_CACHE, data ? 0 : fetches_of(0)), 2, 1));
			other = open_attr(ear_attr(data, EAR(IN_CACHE, data ? 5 : fetches_of(128)), 2, 1));
			add(first);
			add(second);
			CHECK_EQ(try_add(other), -EAGAIN);
			one_miss(data, IN_CACHE, 100);
			del(first);
			one_miss(data, IN_CACHE, 100);
			CHECK_EQ(engine.samples, 1);
			CHECK_EQ(local64_read(&first->count), 1);
			CHECK_EQ(count_of(second), 2);
			del(second);
			CHECK_EQ(model.pmc[ear_pmc(data)], ia64_family_reg(ia64_machine.family, ear_pmc(data))->reset);
			for (nr = 0; nr < IA64_REGS; nr++)
				CHECK(!is_recorder(nr) || nr < (chip->kind == MONTECITO ? 32 : 0) || nr > 63 ||
				      !model.pmd[nr] || nr > (chip->kind == MONTECITO ? 36 : 17));
			add(other);
			CHECK_EQ(count_of(other), 0);
			check_machine();
		}
	}
}

/*
 * ---- branches ----------------------------------------------------------------------------------------------------
 */

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
/* Nor has who asks for branches fewer of them because another asks for some opcodes, or for a range: one of both waits. */
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
		counts = open_attr(branch_attr(PERF_SAMPLE_BRANCH_ANY, 0));	/* not sampled: no use for it */
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
		/* With none noted since all went on there is none. */
		run(CYCLES, 5);
		CHECK_EQ(engine.regs.cr_iip, interrupted.cr_iip);
		del(event);
		CHECK_EQ(model.pmc[42], 0);
		check_machine();
	}
}

/* ---- not at once ------------------------------------------------------------------------------------------------- */

static void check_clash(const struct clash *row)
{
	struct perf_event *first, *second;
	int err;

	begin(chip_named(row->chip));
	first = make(&row->first, NULL, true, &err);
	CHECK_EQ(err, 0);
	second = make(&row->second, first, true, &err);
	if (second->refused != row->reason)
		printf("# %s: %llx: %d, %d\n", row->chip, (unsigned long long)row->second.config, err, second->refused);
	CHECK_EQ(err, row->reason ? -EINVAL : 0);
	CHECK_EQ(second->refused, row->reason);
	add(open_attr(row->first));
	CHECK_EQ(try_add(open_attr(row->second)), row->reason ? -EAGAIN : 0);
	check_machine();
}

static void recorders_serve_one_wish_at_a_time(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(clashes); i++)
		check_clash(&clashes[i]);
}

#endif
