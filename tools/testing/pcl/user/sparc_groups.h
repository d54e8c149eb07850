/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cases of sparc_test.c: events side by side, and where they go.
 */
#ifndef PCL_USER_SPARC_GROUPS_H
#define PCL_USER_SPARC_GROUPS_H

/* Each of these, together with the others of its row, is counted as if it were alone. */
static void check_together(const struct together *row)
{
	struct perf_event *events[4];
	unsigned int nr = 0, i, j;

	begin(chip_named(row->chip));
	for (; nr < model.chip->pics && row->configs[nr]; nr++)
		events[nr] = open_event(row->configs[nr], 0);
	CHECK(nr > 1);
	for (i = 0; i < nr; i++)
		add(events[i]);
	for (i = 0; i < nr; i++) {
		u64 before = count_of(events[i]), alike = 0;

		run(row->configs[i], 10 + i);
		CHECK_EQ(count_of(events[i]) - before, 10 + i);
		for (j = 0; j < nr; j++)
			alike += events[j]->hw.idx == events[i]->hw.idx;
		CHECK_EQ(alike, 1);
	}
	check_machine();
}

static void what_goes_together_is_counted_together(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(together); i++)
		check_together(&together[i]);
}

/* As a group, and one by one: the last waits. */
static void check_apart(const struct apart *row)
{
	struct perf_event *leader = NULL, *event = NULL;
	unsigned int i;
	int err = 0;

	begin(chip_named(row->chip));
	for (i = 0; i < row->nr; i++) {
		CHECK_EQ(err, 0);
		event = make(&row->attrs[i], leader, &err);
		leader = leader ?: event;
	}
	CHECK_EQ(err, -EINVAL);
	CHECK_EQ(event->refused, row->reason);
	CHECK_EQ(refused_at(row->reason), NOWHERE);

	begin(chip_named(row->chip));
	for (i = 0; i < row->nr; i++) {
		err = try_add(open_attr(row->attrs[i]));
		CHECK(!err || i == row->nr - 1);
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

/* A group goes on at once or not at all. */
static void a_group_is_added_whole(void)
{
	const struct chip *chip = chip_named("III");
	struct perf_event *wide, *narrow, *other;

	begin(chip);
	wide = open_event(ON_BOTH(0), 0);
	narrow = open_event(ON_PIC0(0x09), 0);
	other = open_event(ON_PIC0(0x0a), 0);
	sparc_pmu.pmu_disable(&sparc_pmu);
	sparc_pmu.start_txn(&sparc_pmu, PERF_PMU_TXN_ADD);
	CHECK_EQ(sparc_pmu.add(wide, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.add(narrow, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.commit_txn(&sparc_pmu), 0);
	sparc_pmu.pmu_enable(&sparc_pmu);
	run(ON_BOTH(0), 10);
	run(ON_PIC0(0x09), 5);
	CHECK_EQ(count_of(wide), 10);
	CHECK_EQ(count_of(narrow), 5);
	del(wide);

	sparc_pmu.pmu_disable(&sparc_pmu);
	sparc_pmu.start_txn(&sparc_pmu, PERF_PMU_TXN_ADD);
	CHECK_EQ(sparc_pmu.add(other, PERF_EF_START), 0);
	CHECK_EQ(sparc_pmu.commit_txn(&sparc_pmu), -EAGAIN);
	sparc_pmu.del(other, 0);
	sparc_pmu.cancel_txn(&sparc_pmu);
	sparc_pmu.pmu_enable(&sparc_pmu);
	run(ON_PIC0(0x09), 5);
	CHECK_EQ(count_of(narrow), 10);
	check_machine();
}

/* Who is stopped, before it came to its counter or later, stays so where it must move. */
static void a_stopped_event_moves_stopped(void)
{
	unsigned int before;

	for (before = 0; before < 2; before++) {
		struct perf_event *wide, *narrow;

		begin(chip_named("III"));
		wide = open_event(ON_BOTH(0), 0);
		narrow = open_event(ON_PIC0(0x09), 0);
		sparc_pmu.pmu_disable(&sparc_pmu);
		CHECK_EQ(sparc_pmu.add(wide, before ? 0 : PERF_EF_START), 0);
		sparc_pmu.pmu_enable(&sparc_pmu);
		if (!before)
			stop(wide);
		CHECK_EQ(wide->hw.idx, 0);
		add(narrow);
		CHECK_EQ(wide->hw.idx, 1);
		run(ON_BOTH(0), 10);
		run(ON_PIC0(0x09), 10);
		CHECK_EQ(count_of(wide), 0);
		CHECK_EQ(count_of(narrow), 10);
		start(wide);
		run(ON_BOTH(0), 10);
		CHECK_EQ(count_of(wide), 10);
		check_machine();
	}
}

/* Who stays where it is costs nothing, and a guest comes back to where it was. */
static void events_stay_where_they_are(void)
{
	struct perf_event *a, *b;

	begin(chip_named("III"));
	a = open_event(ON_BOTH(0), 0);
	b = open_event(ON_BOTH(1), 0);
	add(a);
	add(b);
	CHECK_EQ(b->hw.idx, 1);
	del(a);
	add(a);
	CHECK_EQ(a->hw.idx, 0);
	CHECK_EQ(b->hw.idx, 1);
	del(a);
	del(b);
	add(b);
	CHECK_EQ(b->hw.idx, 1);
}

/* ---- at random --------------------------------------------------------------------------------------------------- */

/* An event of the tables, as a raw config; of a mask's bits one. */
static u64 random_config(void)
{
	const struct sparc_family *family = sparc_machine.family;
	const struct sparc_event *row;
	unsigned int table, nr, bit = 0;
	u64 config;

	do {
		table = random_below(SPARC_EVENT_TABLES);
	} while (!family->events[table]);
	for (nr = 0, row = family->events[table]; row->counters; row++)
		nr++;
	row = &family->events[table][random_below(nr)];
	if (row->umask) {
		do {
			bit = 1 << random_below(8);
		} while (!(row->umask & bit));
	}
	config = ON_ALL(row->code | bit);
	if (!sparc_layout_shared(family->layout))
		return config;
	if (row->counters & PIC0)
		config |= SPARC_CONFIG_PIC0;
	if (row->counters & PIC1)
		config |= SPARC_CONFIG_PIC1;
	return config;
}

static bool is_quiet(u64 config)
{
	return model.chip->kind == ULTRA12 || (model.chip->kind == T2 && (config >> 16 & 0xf20) == 0x320);
}

/* Coming and going: each counts what happens to it while it is on a counter. */
static void events_come_and_go_at_random(void)
{
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *events[6];
		u64 expected[ARRAY_SIZE(events)] = { };
		bool on[ARRAY_SIZE(events)] = { };
		unsigned int i, j, round, n, added = 0;

		begin(chip);
		for (i = 0; i < ARRAY_SIZE(events); i++) {
			u64 config = random_config();

			events[i] = open_event(config, is_quiet(config) || random_below(2) ? 0 : 20 + random_below(50));
		}
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

				CHECK_EQ(count, expected[i]);
			}
			/* The kernel may take an interrupt of what has left for its own. */
			model.unclaimed = 0;
		}
		CHECK(added > 300);
		check_machine();
	}
}

/* The exhaustive matcher: by raw configs and exclude bits, and nothing of the driver's. */
static bool naive(struct perf_event **events, unsigned int nr, unsigned int taken)
{
	unsigned int idx;

	if (!nr)
		return true;
	for (idx = 0; idx < model.chip->pics; idx++) {
		if (!(taken >> idx & 1) && sees(idx, events[0]->attr.config) &&
		    naive(events + 1, nr - 1, taken | 1 << idx))
			return true;
	}
	return false;
}

static bool same_levels(const struct perf_event *a, const struct perf_event *b)
{
	return a->attr.exclude_user == b->attr.exclude_user && a->attr.exclude_kernel == b->attr.exclude_kernel &&
	       (model.chip->kind != T2 || a->attr.exclude_hv == b->attr.exclude_hv);
}

static bool naive_fits(struct perf_event **events, unsigned int nr)
{
	unsigned int i;

	for (i = 1; i < nr && model.chip->kind != T4; i++) {
		if (!same_levels(events[0], events[i]))
			return false;
	}
	return naive(events, nr, 0);
}

/* The same of what is on a CPU, some of it on counters already: the places are each event's, and no two are the same. */
static bool found_places(struct perf_event **events, unsigned int nr)
{
	static struct sparc_cpu_pmu cpu;
	unsigned int i, taken = 0;

	cpu.nr = nr;
	cpu.settled = random_below(nr + 1);
	for (i = 0; i < nr; i++) {
		cpu.list[i] = events[i];
		events[i]->hw.idx = (int)random_below(model.chip->pics + 1) - 1;
		events[i]->hw.last_cpu = (int)random_below(2) - 1;
	}
	if (!sparc_places_find(&cpu))
		return false;
	for (i = 0; i < nr; i++) {
		CHECK(cpu.place[i] >= 0 && cpu.place[i] < (int)model.chip->pics);
		CHECK(sees(cpu.place[i], events[i]->attr.config) && !(taken >> cpu.place[i] & 1));
		taken |= 1 << cpu.place[i];
	}
	return true;
}

/* Of 32 events that are drawn, groups of up to five. Mostly of the same levels, or hardly any group would fit. */
static void draw_events(const struct chip *chip, struct perf_event *choice[32])
{
	unsigned int i;

	begin(chip);
	for (i = 0; i < 32; i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_RAW, .config = random_config() };

		attr.exclude_kernel = !random_below(6);
		attr.exclude_user = !random_below(12);
		attr.exclude_hv = !random_below(6);
		choice[i] = open_attr(attr);
	}
}

/* A million groups of each chip (of a broken variant, fewer): what the driver says of each is what trying everything says. */
static void groups_fit_where_an_exhaustive_search_says_so(void)
{
	unsigned int nr, i, round, rounds = getenv("FIRST") ? 30000 : 1000000;
	const struct chip *chip;

	each_chip(chip) {
		struct perf_event *events[5], *choice[32];
		unsigned int fits = 0;

		for (round = 0; round < rounds; round++) {
			bool wanted;

			if (!(round % 10000))
				draw_events(chip, choice);
			nr = 1 + random_below(ARRAY_SIZE(events));
			for (i = 0; i < nr; i++)
				events[i] = choice[random_below(ARRAY_SIZE(choice))];
			wanted = naive_fits(events, nr);
			fits += wanted;
			CHECK_EQ(nr <= chip->pics && sparc_levels_agree(events, nr) && sparc_group_fits(events, nr), wanted);
			CHECK_EQ(nr <= chip->pics && found_places(events, nr), wanted);
		}
		CHECK(fits > rounds / 20 && fits < rounds - rounds / 20);
	}
}

#endif
