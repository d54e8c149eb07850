/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: what user code reads by itself. The model notices whenever an open register shows more than
 * the running task's own (look_through() in sparc_model.h).
 */
#ifndef PCL_USER_SPARC_USER_H
#define PCL_USER_SPARC_USER_H

/* Chips whose counters user code can read */
#define each_shared(chip)	each_chip(chip) if ((chip)->kind != T4)

static struct perf_event *open_of(struct task_struct *task, u64 config, bool inherit)
{
	struct perf_event *event = open_attr((struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = config,
								       .inherit = inherit });

	if (task)
		event->attach_state = PERF_ATTACH_TASK;
	owners[event - pool] = task;
	return event;
}

/* What "rd %pic" gives to the task that runs; -1: SIGILL, which no pair of counters looks like here */
static u64 user_pic(void)
{
	look_through();
	if (is_open())
		return model.pic[0] | model.pic[1] << 32;
	return sparc_user_may_read() ? sparc_user_visible(this_cpu_ptr(&sparc_cpu_pmus)) : ~0ULL;
}

static u64 read_by_page(const struct perf_event *event)
{
	const struct perf_event_mmap_page *page = &pages[event - pool];
	u64 value = page->offset;

	CHECK(page->cap_user_rdpmc);
	CHECK_EQ(page->pmc_width, 32);
	if (page->index)
		value += sign_extend64(user_pic() >> 32 * (page->index - 1) & 0xffffffff, 31);
	return value;
}

static void map(struct perf_event *event, struct task_struct *task)
{
	sparc_pmu.event_mapped(event, task->mm);
	perf_event_update_userpage(event);
}

static void a_program_reads_its_counters(void)
{
	const struct chip *chip;

	each_shared(chip) {
		struct perf_event *a, *b;
		unsigned int i;

		begin(chip);
		a = open_of(current, chip->a, false);
		map(a, current);
		CHECK_EQ(pages[a - pool].index, 0);
		CHECK_EQ(sparc_event_idx(a), 0);
		add(a);
		for (i = 1; i < 20; i++) {
			run(chip->a, 1);
			CHECK_EQ(read_by_page(a), i);
		}
		/* One that has no event to stand still beside a lone event is never open. */
		CHECK_EQ(is_open(), chip->kind == ULTRA3 || chip->kind == T2);
		b = open_of(current, chip->b, false);
		add(b);
		perf_event_update_userpage(b);
		CHECK(is_open());
		run(chip->b, 5);
		CHECK_EQ(read_by_page(a), 19);
		CHECK_EQ(read_by_page(b), 5);
		stop(a);
		CHECK_EQ(pages[a - pool].index, 0);
		run(chip->a, 3);
		CHECK_EQ(read_by_page(a), 19);
		CHECK_EQ(read_by_page(b), 5);
		del(b);
		CHECK_EQ(pages[b - pool].index, 0);
		CHECK_EQ(read_by_page(b), 5);
		del(a);
		CHECK(!is_open());
		check_machine();
	}
}

static void a_program_reads_between_samples(void)
{
	const struct chip *chip;

	each_shared(chip) {
		struct perf_event *event;
		unsigned int i;

		if (chip->kind == ULTRA12)
			continue;
		begin(chip);
		event = open_event(chip->a, 100);
		event->attach_state = PERF_ATTACH_TASK;
		owners[event - pool] = current;
		map(event, current);
		add(event);
		for (i = 1; i < 1000; i++) {
			run(chip->a, 1);
			CHECK_EQ(read_by_page(event), i);
		}
		CHECK(engine.samples);
		check_machine();
	}
}

/* The right comes and goes with the first page and the last one, at once. */
static void the_right_is_that_of_a_page(void)
{
	const struct chip *chip;

	each_shared(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_of(current, chip->a, false);
		b = open_of(current, chip->b, false);
		add(a);
		add(b);
		run(chip->a, 7);
		CHECK_EQ(user_pic(), ~0ULL);
		map(a, current);
		CHECK(is_open());
		map(b, current);
		sparc_pmu.event_unmapped(a, current->mm);
		CHECK(is_open());
		run(chip->a, 7);
		CHECK_EQ(read_by_page(a), 14);
		sparc_pmu.event_unmapped(b, current->mm);
		CHECK_EQ(user_pic(), ~0ULL);
		check_machine();
	}
}

/* The next task on the CPU, and the next program of the same. */
static void the_next_one_sees_nothing(void)
{
	const struct chip *chip;

	each_shared(chip) {
		struct perf_event *a, *b;

		begin(chip);
		a = open_of(&tasks[0], chip->a, false);
		map(a, &tasks[0]);
		add(a);
		run(chip->a, 1000);
		del(a);
		current = &tasks[1];
		CHECK_EQ(user_pic(), ~0ULL);
		b = open_of(&tasks[1], chip->b, false);
		map(b, &tasks[1]);
		CHECK_EQ(user_pic(), 0);
		add(b);
		run(chip->b, 3);
		CHECK_EQ(read_by_page(b), 3);
		/* What the other left there is gone. */
		CHECK_EQ(user_pic() >> 32 * (1 - b->hw.idx) & 0xffffffff, 0);
		current->mm = &mms[2];
		sparc_pic_new_mm();
		CHECK_EQ(user_pic(), ~0ULL);
		run(chip->b, 3);
		check_machine();
	}
}

/* Beside the task's own event there is another's: the CPU's, or one that its family shares. */
static void what_is_beside_is_not_seen(void)
{
	const struct chip *chip;

	each_shared(chip) {
		unsigned int shared;

		for (shared = 0; shared < 2; shared++) {
			struct perf_event *own, *other;

			begin(chip);
			other = open_of(shared ? current : NULL, chip->b, shared);
			own = open_of(current, chip->a, false);
			map(other, current);
			CHECK(!pages[other - pool].cap_user_rdpmc && !sparc_user_may_read());
			sparc_pmu.event_unmapped(other, current->mm);
			CHECK(!sparc_user_may_read());
			map(other, current);
			add(other);
			run(chip->b, 60);
			CHECK_EQ(pages[other - pool].index, 0);
			CHECK_EQ(user_pic(), ~0ULL);
			map(own, current);
			CHECK_EQ(user_pic(), 0);
			add(own);
			run(chip->a, 9);
			run(chip->b, 60);
			CHECK(!is_open());
			CHECK_EQ(read_by_page(own), 9);
			CHECK_EQ(user_pic() >> 32 * other->hw.idx & 0xffffffff, 0);
			/* Another member of the family, without the driver being told */
			if (shared) {
				del(own);
				current = &tasks[1];
				CHECK_EQ(user_pic(), ~0ULL);
			}
			check_machine();
		}
	}
}

/* A counter that wraps in silence: the page and the program agree wherever it is. */
static void a_silent_counter_is_read_on_all_its_way(void)
{
	struct perf_event *event;
	u64 count = 0, step;
	unsigned int i;

	begin(&chips[0]);
	event = open_of(current, chips[0].a, false);
	map(event, current);
	add(event);
	for (i = 0; i < 40; i++) {
		step = 0x10000000 + random_below(0x30000000);
		cycle(chips[0].a, step);
		count += step;
		CHECK_EQ(read_by_page(event), count);
		time_passes();
		CHECK_EQ(read_by_page(event), count);
	}
	stop(event);
	time_passes();
	CHECK_EQ(count_of(event), count);
	check_machine();
}

/* The timer sets back what counts, and nothing else touches what has passed zero in silence. */
static void a_silent_counter_is_set_back_by_the_timer_alone(void)
{
	struct perf_event *event;

	begin(&chips[0]);
	event = open_event(chips[0].a, 0);
	add(event);
	cycle(chips[0].a, 3 * BIT_ULL(30));
	model.pic_writes = 0;
	add(open_event(chips[0].b, 0));
	CHECK_EQ(model.pic_writes, 1);
	sparc_pmu.pmu_disable(&sparc_pmu);
	time_passes();
	CHECK_EQ(model.pic_writes, 1);
	CHECK(!anything_counts());
	sparc_pmu.pmu_enable(&sparc_pmu);
	time_passes();
	CHECK_EQ(model.pic_writes, 2);
	stop(event);
	cycle(chips[0].b, 3 * BIT_ULL(30));
	cycle(chips[0].a, 3 * BIT_ULL(30));
	time_passes();
	CHECK_EQ(model.pic_writes, 3);
	CHECK_EQ(count_of(event), 3 * BIT_ULL(30));
	check_machine();
}

/* T4's counters are no register that user code could read. */
static void other_counters_are_closed(void)
{
	const struct chip *chip = &chips[ARRAY_SIZE(chips) - 1];
	struct perf_event *event;

	begin(chip);
	CHECK_EQ(chip->kind, T4);
	event = open_of(current, chip->a, false);
	map(event, current);
	add(event);
	run(chip->a, 10);
	CHECK(!pages[event - pool].cap_user_rdpmc);
	CHECK_EQ(pages[event - pool].index, 0);
	CHECK(!sparc_user_may_read());
	check_machine();
}

/* Tasks come and go, with events and pages of all kinds. */
static void at_random_nobody_sees_anothers(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int round, i;

		for (round = 0; round < 30; round++) {
			struct perf_event *events[6];
			struct task_struct *of[6];
			bool mapped[6] = { false }, on[6] = { false };

			begin(chip);
			for (i = 0; i < 6; i++) {
				of[i] = i == 5 ? NULL : &tasks[random_below(2)];
				events[i] = open_of(of[i], i & 1 ? chip->b : chip->a, i == 4);
			}
			for (i = 0; i < 60; i++) {
				unsigned int nr = random_below(6), other;
				bool held;

				switch (random_below(5)) {
				case 0:
					if (mapped[nr])
						sparc_pmu.event_unmapped(events[nr], (of[nr] ?: tasks)->mm);
					else
						map(events[nr], of[nr] ?: tasks);
					mapped[nr] = !mapped[nr];
					break;
				case 1:
					for (other = 0; other < 5; other++) {
						if (on[other])
							del(events[other]);
						on[other] = false;
					}
					current = &tasks[random_below(2)];
					break;
				case 2:
					if (on[nr])
						del(events[nr]);
					else if (of[nr] && of[nr] != current)
						break;
					on[nr] = !on[nr] && !try_add(events[nr]);
					break;
				case 3:
					if (on[nr] && events[nr]->hw.state & PERF_HES_STOPPED)
						start(events[nr]);
					else if (on[nr])
						stop(events[nr]);
					break;
				default:
					run(nr & 1 ? chip->b : chip->a, 1 + random_below(20));
				}
				look_through();
				held = false;
				for (other = 0; other < 4; other++)
					held |= mapped[other] && of[other] == current;
				CHECK_EQ(sparc_user_may_read(), held && chip->kind != T4);
				for (other = 0; other < 6 && chip->kind != T4; other++) {
					if (on[other] && is_its_own(events[other]) && sparc_user_may_read()) {
						perf_event_update_userpage(events[other]);
						CHECK_EQ(read_by_page(events[other]), count_of(events[other]));
					}
				}
			}
			check_machine();
		}
	}
}

#endif
