/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of ia64_test.c: whose records are, and whose the user mask is: beside events of the CPU's, over execs and signals.
 */
#ifndef PCL_USER_IA64_PRIVATE_H
#define PCL_USER_IA64_PRIVATE_H

/* What can be recorded; the last on Montecito alone */
enum kept { KEPT_ACCESS, KEPT_FETCH, KEPT_BRANCH, KEPT_BUNDLE, KEPT_KINDS };

static unsigned int nr_kept(void)
{
	return model.chip->kind == MONTECITO ? KEPT_KINDS : KEPT_BUNDLE;
}

/* An event that has that recorded: its period is over with one miss, or ten cycles, or not soon. */
static struct perf_event_attr kept_attr(enum kept kept, bool soon)
{
	struct perf_event_attr attr;

	switch (kept) {
	case KEPT_ACCESS:
		return ear_attr(true, EAR(IN_CACHE, 0), soon ? 1 : 100, 2);
	case KEPT_FETCH:
		return ear_attr(false, EAR(IN_CACHE, fetches_of(0)), soon ? 1 : 100, 1);
	case KEPT_BRANCH:
		attr = branch_attr(PERF_SAMPLE_BRANCH_ANY, soon ? 10 : 1000);
		attr.config = CYCLES;
		return attr;
	default:
		return (struct perf_event_attr){ .type = PERF_TYPE_RAW, .config = CYCLES | IP_EAR(0), .precise_ip = 1,
						 .sample_period = soon ? 10 : 1000 };
	}
}

/* It happens; returns where. */
static u64 happens_to(enum kept kept)
{
	struct branch branch = random_branch();
	struct miss miss = random_miss(kept == KEPT_ACCESS, IN_CACHE);

	switch (kept) {
	case KEPT_ACCESS:
	case KEPT_FETCH:
		miss.cycles = 100;
		CHECK(happens(&miss));
		return miss.ip;
	case KEPT_BRANCH:
		branch.taken = true;
		CHECK(retires(&branch));
		return branch.from;
	default:
		bundle_retires(branch.to, 3, false);
		return branch.to;
	}
}

static struct perf_event *open_on_cpu(struct perf_event_attr attr)
{
	struct perf_event *event;
	int err;

	event = make(&attr, NULL, false, &err);
	CHECK_EQ(err, 0);
	return event;
}

/* Does the program see anything that was recorded? It may look. */
static bool sees_records(void)
{
	unsigned int nr;
	u64 seen = 0;

	ia64_psr(task_pt_regs(current))->sp = 0;
	for (nr = 0; nr < IA64_REGS; nr++)
		seen |= is_recorder(nr) && is_there(nr) && nr != 37 ? user_read(nr) : 0;	/* 37 is none's */
	return seen;
}

/*
 * Another task comes, with an event of its own, for which there may be no counter; the CPU's events stay. @may: its program
 * may read already, of an earlier event.
 */
static int come(struct task_struct *task, bool may, struct perf_event *event)
{
	int err;

	enter_kernel();
	ia64_psr(task_pt_regs(task))->sp = !may;
	go_to(task);
	ia64_pmu.pmu_disable(&ia64_pmu);
	err = ia64_pmu.add(event, PERF_EF_START);
	ia64_pmu.pmu_enable(&ia64_pmu);
	return_to_user();
	return err;
}

/* Where the last sample says that it was */
static u64 place_of_sample(enum kept kept)
{
	return kept == KEPT_BRANCH ? engine.branches.entry[0].from : instruction_of(&engine.regs);
}

/* An event of the CPU's has the same setting, and goes on: what was recorded for a task goes with the task's event. */
static void check_goes_with_task(struct perf_event *of_cpu, struct perf_event *own, enum kept kept)
{
	add(of_cpu);
	add(own);
	happens_to(kept);
	CHECK(sees_records());
	switch_tasks(own, task_of(1), NULL);
	return_to_user();
	CHECK(!sees_records());
	happens_to(kept);
	CHECK(sees_records());
	check_machine();
}

static void a_record_goes_with_its_task(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		for (kept = 0; begin(chip), kept < nr_kept(); kept++) {
			struct perf_event *of_cpu = open_on_cpu(kept_attr(kept, false));

			check_goes_with_task(of_cpu, open_attr(kept_attr(kept, false)), kept);
		}
	}
}

/* So does what was captured to be counted, for either. */
static void counted_branches_go_with_their_task(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = BRANCHES };
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *of_cpu, *own;

		begin(chip);
		of_cpu = open_on_cpu(attr);
		own = open_attr(attr);
		check_goes_with_task(of_cpu, own, KEPT_BRANCH);
		CHECK_EQ(count_of(own), 1);
		CHECK_EQ(count_of(of_cpu), 2);
	}
}

/*
 * Nor does a task find what the CPU's event has of those before it, which had none: one that may look from now on (0), or
 * could already (1), also if its event has no counter (2).
 */
static void who_comes_finds_no_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int how;

		for (how = 0; how < 3; how++) {
			enum kept kept;

			for (kept = 0; begin(chip), kept < nr_kept(); kept++) {
				struct perf_event_attr cycles = { .type = PERF_TYPE_RAW, .config = CYCLES };

				add(open_on_cpu(kept_attr(kept, false)));
				while (how == 2 && !try_add(open_on_cpu(cycles)))
					;
				happens_to(kept);
				CHECK_EQ(come(task_of(1), how > 0, open_event(CYCLES | IA64_CONFIG_UP, 0)),
					 how == 2 ? -EAGAIN : 0);
				CHECK(!sees_records());
				check_machine();
			}
		}
	}
}

/* One without events, or whose events stay on counters while a set goes on with it: nobody enables the PMU for it. */
static void who_comes_without_events_finds_no_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		for (kept = 0; begin(chip), kept < nr_kept(); kept++) {
			add(open_on_cpu(kept_attr(kept, false)));
			happens_to(kept);
			enter_kernel();
			ia64_psr(task_pt_regs(task_of(1)))->sp = 0;
			go_to(task_of(1));
			return_to_user();
			CHECK(!sees_records());
			happens_to(kept);
			CHECK(sees_records());
			check_machine();
		}
	}
}

/* Who may not read is told of nothing: what the CPU's event has recorded is still there for its samples. */
static void records_stay_for_who_may_not_read(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;
		int thread;

		for (kept = 0; kept < nr_kept(); kept++) {
			for (thread = 0; begin(chip), thread < 2; thread++) {
				add(open_on_cpu(kept_attr(kept, false)));
				happens_to(kept);
				enter_kernel();
				/* An idle thread has no trap frame: what lies there is anything. */
				ia64_psr(task_pt_regs(task_of(1)))->sp = !thread;
				task_of(1)->flags = thread ? PF_KTHREAD : 0;
				go_to(task_of(1));
				task_of(1)->flags = 0;
				ia64_psr(task_pt_regs(task_of(1)))->sp = 0;
				return_to_user();
				CHECK(sees_records());
				check_machine();
			}
		}
	}
}

/* Nor who may read from now on, as it has mapped the page of an event that is not on a counter. */
static void who_maps_finds_no_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		for (kept = 0; begin(chip), kept < nr_kept(); kept++) {
			struct ia64_psr *psr = ia64_psr(task_pt_regs(task_of(1)));
			struct perf_event *event;

			add(open_on_cpu(kept_attr(kept, false)));
			happens_to(kept);
			enter_kernel();
			go_to(task_of(1));
			return_to_user();
			add(open_event(CYCLES, 0));
			CHECK(psr->sp);
			event = open_event(CYCLES | IA64_CONFIG_UP, 0);
			ia64_pmu.event_mapped(event, NULL);
			CHECK(!psr->sp);
			CHECK(!sees_records());
			/* Once more: what came since is its own. */
			happens_to(kept);
			ia64_pmu.event_mapped(event, NULL);
			CHECK(sees_records());
			check_machine();
		}
	}
}

/* Each recorder that is in use is emptied, not the first alone. */
static void who_comes_finds_none_of_several(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		begin(chip);
		for (kept = KEPT_ACCESS; kept <= KEPT_BRANCH; kept++)
			add(open_on_cpu(kept_attr(kept, false)));
		for (kept = KEPT_ACCESS; kept <= KEPT_BRANCH; kept++)
			happens_to(kept);
		CHECK_EQ(come(task_of(1), true, open_event(CYCLES | IA64_CONFIG_UP, 0)), 0);
		CHECK(!sees_records());
		check_machine();
	}
}

/* An interrupt that finds nothing, while all count, takes nothing from what is being recorded. */
static void a_stray_interrupt_leaves_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;
		u64 first;

		begin(chip);
		event = open_attr(kept_attr(KEPT_BRANCH, true));
		add(event);
		first = happens_to(KEPT_BRANCH);
		interrupt_for_nothing(1);
		happens_to(KEPT_BRANCH);
		run(CYCLES, 10);
		CHECK_EQ(engine.samples, 1);
		CHECK_EQ(engine.branches.nr, 2);
		CHECK_EQ(engine.branches.entry[1].from, first);
		check_machine();
	}
}

/* Nor does it take an overflow that comes while it is being looked at. */
static void a_stray_interrupt_takes_no_overflow(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int left;

		for (left = 1; left < 8; left++) {
			begin(chip);
			add(open_event(CYCLES, 100));
			run(CYCLES, 100 - left);
			model.per_access = CYCLES;
			interrupt_for_nothing(1);
			model.per_access = 0;
			run(CYCLES, left);
			CHECK_EQ(engine.samples, 1);
			check_machine();
		}
	}
}

/* But the CPU's event has its sample, if its period was over when the task left: whole, and only then it is gone. */
static void a_record_that_is_due_is_taken_first(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		for (kept = 0; begin(chip), kept < nr_kept(); kept++) {
			struct perf_event *of_cpu = open_on_cpu(kept_attr(kept, true)), *own = open_attr(kept_attr(kept, false));
			u64 place;

			add(of_cpu);
			add(own);
			model.irqs_on = false;
			place = happens_to(kept);
			cycle(CYCLES, 10);
			CHECK(is_frozen());
			/* Who comes may read, or may not. */
			ia64_psr(task_pt_regs(task_of(1)))->sp = random_below(2);
			switch_tasks(own, task_of(1), NULL);
			CHECK_EQ(engine.samples, 0);
			return_to_user();
			CHECK_EQ(engine.samples, 1);
			CHECK(engine.sampled == of_cpu);
			CHECK_EQ(place_of_sample(kept), place);
			CHECK(!sees_records());
			CHECK(!is_frozen());
			check_machine();
		}
	}
}

/* A task leaves before its interrupt came: the sample is that of its next miss, and has nothing of the one before. */
static void a_miss_that_left_is_in_no_sample(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		for (kept = KEPT_ACCESS; kept <= KEPT_FETCH; kept++) {
			struct perf_event *event;
			u64 place;

			begin(chip);
			event = open_attr(kept_attr(kept, true));
			add(event);
			model.irqs_on = false;
			happens_to(kept);
			switch_tasks(event, task_of(1), NULL);
			return_to_user();
			CHECK_EQ(model.unclaimed, 1);
			CHECK(!sees_records());
			CHECK_EQ(engine.samples, 0);
			CHECK_EQ(come(task_of(0), true, event), 0);
			place = happens_to(kept);
			CHECK_EQ(engine.samples, 1);
			CHECK_EQ(place_of_sample(kept), place);
			CHECK_EQ(count_of(event), 2);
			check_machine();
		}
	}
}

/*
 * ---- the user mask -------------------------------------------------------------------------------------------------
 */

/* As start_thread() does it (IA64_PSR_BITS_TO_SET): psr.up stays, and psr.sp is set. Then the driver is asked. */
static void exec(void)
{
	enter_kernel();
	ia64_psr(task_pt_regs(current))->sp = 1;
	ia64_user_exec();
	return_to_user();
}

/* A new program may start and stop what is on its counter, also if it came there by the exec; others may not. */
static void an_exec_keeps_what_is_counted(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event, *others;

		begin(chip);
		others = open_event(CYCLES, 0);
		add(others);
		exec();
		CHECK(ia64_psr(task_pt_regs(current))->sp);
		event = open_event(CYCLES | IA64_CONFIG_UP, 0);
		add(event);
		exec();
		user_up(true);
		run(CYCLES, 10);
		user_up(false);
		run(CYCLES, 7);
		CHECK_EQ(count_of(event), 10);
		CHECK_EQ(told_by_page(event), 10);
		/* The next one has the event no more. */
		del(event);
		exec();
		user_up(true);
		CHECK(!model.up);
		check_machine();
	}
}

/* What an event of the CPU recorded of the old program is not for the new one, which may read. */
static void an_exec_leaves_no_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		enum kept kept;

		for (kept = 0; begin(chip), kept < nr_kept(); kept++) {
			add(open_on_cpu(kept_attr(kept, false)));
			add(open_event(CYCLES | IA64_CONFIG_UP, 0));
			happens_to(kept);
			CHECK(sees_records());
			exec();
			CHECK(!sees_records());
			check_machine();
		}
	}
}

/* It stays for who may not read it. */
static void an_exec_of_who_may_not_read_leaves_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		begin(chip);
		add(open_on_cpu(kept_attr(KEPT_ACCESS, false)));
		happens_to(KEPT_ACCESS);
		exec();
		CHECK(sees_records());
		check_machine();
	}
}

/* Also while all stand still after interrupts without end: it makes them go on. */
static void an_exec_in_a_storm_leaves_no_records(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		event = open_event(CYCLES | IA64_CONFIG_UP, 0);
		add(open_on_cpu(kept_attr(KEPT_ACCESS, false)));
		add(event);
		happens_to(KEPT_ACCESS);
		interrupt_for_nothing(1001);
		exec();
		CHECK(!ia64_psr(task_pt_regs(current))->sp);
		CHECK(!sees_records());
		user_up(true);
		run(CYCLES, 10);
		CHECK_EQ(count_of(event), 10);
		check_machine();
	}
}

/* A tracer maps the page of an event of its child's: the mask of its own program stays as it is. */
static void who_maps_anothers_event_may_nothing(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *event;

		begin(chip);
		made_for = task_of(1);
		event = open_event(CYCLES | IA64_CONFIG_UP, 0);
		made_for = NULL;
		ia64_psr(task_pt_regs(current))->sp = 1;
		ia64_pmu.event_mapped(event, NULL);
		CHECK(ia64_psr(task_pt_regs(current))->sp);
		check_machine();
	}
}

/* The handler has the mask as it was, and what it does to it ends with it, whatever came to the counters meanwhile. */
static void a_signals_handler_has_the_mask_for_itself(void)
{
	const struct chip *chip;

	each_chip(chip) {
		unsigned int is_up;

		for (is_up = 0; is_up < 2; is_up++) {
			struct perf_event *event, *other;
			bool kept;

			begin(chip);
			event = open_event(CYCLES | IA64_CONFIG_UP, 0);
			add(event);
			user_up(is_up);
			enter_kernel();
			kept = ia64_psr(task_pt_regs(current))->up;	/* in the signal's frame: sc_um */
			return_to_user();
			run(CYCLES, 3);
			user_up(!is_up);
			other = open_event(CYCLES, 0);
			add(other);
			run(CYCLES, 20);
			enter_kernel();
			ia64_psr(task_pt_regs(current))->up = kept;
			ia64_pmu.pmu_disable(&ia64_pmu);
			ia64_pmu.del(other, 0);
			ia64_pmu.pmu_enable(&ia64_pmu);
			CHECK_EQ(model.up, is_up);
			return_to_user();
			run(CYCLES, 100);
			CHECK_EQ(count_of(event), is_up ? 103 : 20);
			CHECK_EQ(told_by_page(event), is_up ? 103 : 20);
			check_machine();
		}
	}
}

#endif
