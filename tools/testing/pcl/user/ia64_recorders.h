/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: what event address registers record, as samples; what cannot record at once.
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
	CHECK_EQ(refused_at(row->reason), NOWHERE);
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
